"""A day, a month or a year as a language writes it."""

from __future__ import annotations

from datetime import date

from babel.dates import format_date, format_skeleton

_MONTH = {"en": "yMMM"}


def shown(day: str, code: str) -> str:
    """ISO text of a year, a month or a day in the short form of a language."""
    parts = [int(part) for part in day.split("-")]
    if len(parts) == 1:
        return day
    moment = date(*(*parts, 1)[:3])
    if len(parts) == 2:
        return format_skeleton(_MONTH.get(code, "yM"), moment, locale=code)
    return format_date(moment, "medium", locale=code)
