"""Words that line ends run through, in Latin letters and in Hangul (BR-06, BR-08)."""

from __future__ import annotations

import time

from ingestion.loaders.hangul import LineEnds
from ingestion.loaders.pdf_text import Vocabulary, readable_share, tidy


def test_the_document_own_spelling_decides_about_a_hyphen() -> None:
    def joined(rest: str, broken: str = "re\ufffeform") -> str:
        return tidy(broken, Vocabulary([broken, rest]))

    assert joined("To re-form is not to form.") == "re-form"
    assert joined("A reform is due.") == "reform"
    assert joined("", "soft\u00adware and hard\u00ad\r\nware") == "software and hardware"
    assert joined("", "F-\r\n16 or COVID-\r\n19, Anglo-\r\nSaxon") == "F-16 or COVID-19, Anglo-Saxon"
    assert joined("", "Mon-\r\ntan-\r\nide and 서울-\r\n부산") == "Montanide and 서울-부산"


def test_a_word_of_a_million_letters_takes_no_time() -> None:
    text = "a" * 1_000_000 + "\n" + "가" * 500_000
    started = time.monotonic()
    assert tidy(text, Vocabulary([text])) == text
    assert time.monotonic() - started < 10


KNOWN = "블루투스로 연결하는 장치는 다음과 같이 동작합니다.\n"
BROKEN = "혹은 여러 장치를 두루 지원하는 무선 연결인 블루투\n스로 연결하는 것이 좋습니다.\n"
UNBROKEN = "혹은 여러 장치를 두루 지원하는 무선 연결은 다음과\n같이 동작합니다.\n제목\n블루투\n스로"


def test_a_korean_word_broken_at_a_line_end_is_whole() -> None:
    page = KNOWN * 6 + BROKEN + UNBROKEN
    mended = BROKEN.replace("블루투\n스로 연결", "블루투스로\n연결")
    assert LineEnds([page]).mend(page) == KNOWN * 6 + mended + UNBROKEN
    assert LineEnds([page]).mend(page.replace("\n", "\r\n")).replace("\r", "") == KNOWN * 6 + mended + UNBROKEN


def test_a_document_that_does_not_know_the_word_keeps_its_line_end() -> None:
    assert LineEnds([BROKEN]).mend(BROKEN) == BROKEN


def test_letters_that_fonts_do_not_name_are_told_from_text() -> None:
    assert readable_share("\ue000\ue001 \ufffd\x01") == 0.0
    assert readable_share("/g25/g18") == 0.0
    assert readable_share("보통 글 and words.") == 1.0
