"""A date is read as the same day everywhere: year first on English pages, as is the custom on Korean ones."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.template import engines
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from brain.models import Audit, User

WHEN = datetime(2026, 11, 30, 19, 24, tzinfo=UTC)  # already the next day in Seoul


@pytest.mark.parametrize(
    ("language", "shown"), [("en", "<td>2026-12-01 04:24</td>"), ("ko", "<td>2026-12-1 04:24</td>")]
)
def test_a_page_shows_the_day_and_the_hour_of_the_zone(
    language: str, shown: str, as_administrator: Client, administrator: User
) -> None:
    Audit.objects.create(action="verify", user=administrator)
    Audit.objects.update(at=WHEN)
    as_administrator.post("/language/", {"language": language})
    assert shown in as_administrator.get("/health/").content.decode()


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        ("DATE_FORMAT", "2026-12-01"),
        ("SHORT_DATE_FORMAT", "2026-12-01"),
        ("DATETIME_FORMAT", "2026-12-01 04:24"),
        ("SHORT_DATETIME_FORMAT", "2026-12-01 04:24"),
        ("TIME_FORMAT", "04:24"),
    ],
)
def test_every_form_of_a_date_is_one_that_no_country_reads_differently(form: str, shown: str) -> None:
    template = engines["django"].from_string(f'{{{{ when|date:"{form}" }}}}')
    with override("en"), timezone.override("Asia/Seoul"):
        assert template.render({"when": WHEN}) == shown


def test_the_admin_shows_them_in_the_same_way(as_administrator: Client, administrator: User) -> None:
    Audit.objects.create(action="verify", user=administrator)
    Audit.objects.update(at=WHEN)
    page = as_administrator.get("/admin/brain/audit/").content.decode()
    assert "2026-12-01 04:24" in page
    assert "a.m." not in page
