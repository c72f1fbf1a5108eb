"""Dates in a line, in the ways people write them."""

from __future__ import annotations

from datetime import date

import pytest

from curation.ages import Calendar
from locales import load

CALENDAR = Calendar(load(("en", "cs")))
TODAY = date(2026, 5, 17)

WRITTEN = {
    "on 2026-05-19 the": ("2026-05-19", "2026-05-19"),
    "in 2026-05 the": ("2026-05-01", "2026-05-31"),
    "5. března 2026": ("2026-03-05", "2026-03-05"),
    "od 1. 9. 2025 chodí": ("2025-09-01", "2025-09-01"),
    "s účetní 3. února 2026 v 10:00": ("2026-02-03", "2026-02-03"),
    "přijde 5. 3. ráno": ("2026-03-05", "2026-03-05"),
    "v březnu": ("2026-03-01", "2026-03-31"),
    "March 5, 2026": ("2026-03-05", "2026-03-05"),
    "7 Jul 2026": ("2026-07-07", "2026-07-07"),
    "in Nov 2025": ("2025-11-01", "2025-11-30"),
    "Q3 2026": ("2026-07-01", "2026-09-30"),
    "spring 2024": ("2024-01-01", "2024-12-31"),
    "season 2024/25": ("2024-07-01", "2025-08-31"),
}


@pytest.mark.parametrize(("text", "days"), WRITTEN.items(), ids=WRITTEN)
def test_a_written_date_is_its_days(text: str, days: tuple[str, str]):
    """A date is the first and last day it may mean; without a year the nearest one is taken."""
    (moment,) = CALENDAR.moments(text, TODAY)
    assert (moment.first.isoformat(), moment.last.isoformat()) == days


@pytest.mark.parametrize(
    "text",
    [
        "you may go",
        "10.20.0.10",
        "version 1.9.0",
        "červené krabice",
        "pro 5 dětí",
        "18:20",
        "2026-13-40",
    ],
)
def test_other_words_and_numbers_are_no_dates(text: str):
    """Addresses, versions, times and words that look like months are left alone."""
    assert CALENDAR.moments(text, TODAY) == ()
