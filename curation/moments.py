"""Days in sentences about facts: "since 2024", "in May 2023", "yesterday"; cut off and read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property

from locales import Grammar, flat
from locales.grammar import alternation

_ORDINAL = r"(?:st|nd|rd|th|\.)?"


@dataclass(frozen=True, slots=True)
class Moment:
    """A sentence without its day; ``is_point``: the day is one of an event, not a beginning.

    ``wrong`` is a day that was said and is not in the calendar, "" for none.
    """

    rest: str
    day: str = ""
    is_point: bool = False
    wrong: str = ""


class Moments:
    """The days of one language; months by their expressions in ``facts.months``."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar

    @cached_property
    def when(self) -> str:
        """An expression for flat text that finds a day, a month or a year."""
        return (
            r"(?:\d{4}-\d\d-\d\d|\d{4}-\d\d|\d{1,2}\. ?\d{1,2}\. ?\d{4}|"
            rf"(?:\d{{1,2}}{_ORDINAL} (?:de |of )?)?{self._months}"
            rf"(?: \d{{1,2}}{_ORDINAL},?)?(?: (?:de |of )?\d{{4}})?|\d{{4}})(?: року| roku)?"
        )

    def cut(self, said: str, today: str) -> Moment:
        """A sentence without the day at its end or its beginning."""
        plain = flat(said)
        for pattern in (self._tail, self._head):
            match = pattern.fullmatch(plain)
            day = self._read(match, today) if match else ""
            if not match:
                continue
            rest = said[slice(*match.span("rest"))].strip(" ,")
            if day:
                return Moment(rest, day, match["since"] is None)
            if match["since"] and today:
                return Moment(rest, wrong=match["when"])
        return Moment(said)

    def _read(self, match: re.Match[str], today: str) -> str:
        if match["near"]:
            back = int(match["near"] not in self._grammar.words("facts.today"))
            return _days_before(today, back)
        return self._day(match["when"] or "", today)

    def _day(self, said: str, today: str) -> str:
        """ISO text of what an expression found, "" when it is no day of the calendar."""
        if re.fullmatch(r"[\d-]+", said):
            return said if _is_day(said) else ""
        numeric = re.fullmatch(r"(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})", said)
        if numeric:
            return _iso(int(numeric[3]), int(numeric[2]), int(numeric[1]))
        month = self._month(said)
        numbers = [int(number) for number in re.findall(r"\d+", said)]
        year = next((number for number in numbers if number > 31), 0)
        day = next((number for number in numbers if number <= 31), 0)
        if not month:
            return str(year) if year else ""
        return _iso(year, month, day) if year else _latest(month, day, today)

    def _month(self, said: str) -> int:
        found = (n for n, name in enumerate(self._names, 1) if re.search(rf"\b{name}\b", said))
        return next(found, 0)

    @property
    def _names(self) -> list[str]:
        return [flat(name) for name in self._grammar.table("facts").get("months", ())]

    @property
    def _months(self) -> str:
        return f"(?:{'|'.join(self._names)})" if self._names else "(?!)"

    @cached_property
    def _signal(self) -> str:
        since, on = (self._phrases(name) for name in ("since", "on"))
        near = f"(?P<near>{self._phrases('today')}|{self._phrases('yesterday')})"
        return rf"(?:(?:(?P<since>{since})|(?P<on>{on})) (?P<when>{self.when})|{near})"

    @cached_property
    def _tail(self) -> re.Pattern[str]:
        return re.compile(rf"(?P<rest>.+?),? {self._signal}")

    @cached_property
    def _head(self) -> re.Pattern[str]:
        return re.compile(rf"{self._signal},? (?P<rest>.+)")

    def _phrases(self, name: str) -> str:
        return alternation(self._grammar.words(f"facts.{name}"))


def _days_before(today: str, days: int) -> str:
    return (date.fromisoformat(today) - timedelta(days)).isoformat() if today else ""


def _latest(month: int, day: int, today: str) -> str:
    """The last such month or day that is not after today."""
    if not today:
        return ""
    year = int(today[:4])
    this = _iso(year, month, day)
    return this if this and this <= today else _iso(year - 1, month, day)


def _iso(year: int, month: int, day: int) -> str:
    said = f"{year:04}-{month:02}" + (f"-{day:02}" if day else "")
    return said if _is_day(said) else ""


def _is_day(said: str) -> bool:
    parts = [int(part) for part in said.split("-")]
    try:
        date(*(*parts, 1, 1)[:3])
    except ValueError:
        return False
    return True
