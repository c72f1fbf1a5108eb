"""Names of months and weekdays from CLDR, in the forms a language uses them in."""

from __future__ import annotations

from functools import cache

from babel import Locale


@cache
def month_names(code: str, width: str = "wide") -> tuple[tuple[str, int], ...]:
    """Month names with their numbers 1-12; ``width`` is ``wide`` or ``abbreviated``.

    A name may come in two forms, as in a date and standing alone; full stops are taken off.
    """
    months = Locale(code).months
    return tuple(
        (name.strip("."), number)
        for form in ("format", "stand-alone")
        for number, name in months[form][width].items()
        if len(name) > 2
    )


@cache
def day_names(code: str) -> tuple[tuple[str, int], ...]:
    """Weekday names with their numbers, Monday being 0."""
    days = Locale(code).days["format"]["wide"]
    return tuple((name, number) for number, name in days.items())
