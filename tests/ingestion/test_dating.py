"""The date a document gives itself."""

from __future__ import annotations

from datetime import date

import pytest

from brain.values import Document, Span
from ingestion.dating import date_of

MAY = date(2024, 5, 15)


def _of(text: str, name: str = "a.txt", dated: date | None = None) -> tuple[date | None, str]:
    return date_of(Document(text, (Span(0, len(text)),), "en", name, dated=dated), name)


@pytest.mark.parametrize(
    "head",
    [
        "Travel policy\nDate: 15 May 2024\n\nMeals cost 55 euros.",
        "Travel policy. Date: 15 May 2024. The allowance was 40 euros on 3 June 2024.",
        "---\ntitle: Policy\ndate: 2024-05-15\n---\nMeals.",
        "Dated this paper is not.\n\nMay 15th, 2024\n\nDear Ms Kim,",
        "Seoul, 15 May 2024\n\nDear Ms Kim,",
        "Wednesday, May 15, 2024",
        "Effective as of May 15, 2024, this policy replaces all others.",
        "Issued 1 March 2021, revised 15 May 2024",
        "회의록\n일시: 2024년 5월 15일 (수)\n참석: 김아다",
        "출장 규정\n시행일: 2024. 5. 15.\n제1조",
        "전자금융거래법\n[시행 2024. 5. 15.] [법률 제1234호, 2021. 3. 1., 일부개정]",
        "2024. 5. 15. (수)\n귀하",
        "작성일 2024/05/15",
    ],
)
def test_a_date_at_the_head_is_the_documents(head: str) -> None:
    assert _of(head, "report-2019-01-01.txt", date(2018, 1, 1)) == (MAY, "text")


@pytest.mark.parametrize(
    "text",
    [
        "The bridge fell on 28 December 1879 in a storm.",
        "The meeting of 03/04/2024 is put off.",
        "Date: 31 February 2024",
        "Date: 15 May 20245",
        "다리는 1879년 12월 28일에 무너졌다.",
        "Order 2024-13-45 of the office",
        f"{'A long report. ' * 100}\nDate: 15 May 2024",
    ],
)
def test_a_date_that_the_text_is_about_is_not_the_documents(text: str) -> None:
    assert _of(text) == (None, "")


@pytest.mark.parametrize(
    "name", ["minutes-2024-05-15.txt", "20240515_회의록.pdf", "회의록 2024.05.15.pdf", "a_2024_05_15"]
)
def test_a_file_name_tells_the_date_where_the_text_does_not(name: str) -> None:
    assert _of("Minutes.", name, date(2018, 1, 1)) == (MAY, "name")


def test_the_files_own_properties_are_asked_last() -> None:
    assert _of("Minutes.", "scan 202405150001.pdf", MAY) == (MAY, "file")
