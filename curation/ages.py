"""Dates inside a line, judged against a given day: ISO, numeric, with month names, and periods.

Month names come from CLDR (Babel) and are compared by stem, so inflected forms are found too.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache

from locales import Languages, flat
from locales.cldr import day_names, month_names

_ISO = re.compile(r"(?<![\d.-])((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?(?![\d-])")
_DOTTED = re.compile(r"(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.(?:\s?((?:19|20)\d\d)(?!\d)|(?!\d))")
_QUARTER = re.compile(r"(?<!\w)Q([1-4])(?:[ /-]?((?:19|20)\d\d))?(?!\w)")
_SEASON = re.compile(r"(?<![\d.,:/-])((?:19|20)\d\d)/(\d\d)(?![\d/]|[.,:-]\d)")
_WORD = re.compile(r"[^\W\d_]{3,}")
_DAY_BEFORE = re.compile(r"(?<![\d.:,])(\d{1,2})(?:\.|st|nd|rd|th)?\s+(?:of\s+)?$")
_AFTER = re.compile(
    r"\.?(?:\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?(?![\d:%.]))?(?:,?\s+(?P<year>(?:19|20)\d\d)(?!\d))?"
)
_YEAR = re.compile(r"(?<![\d.,:/-])((?:19|20)\d\d)(?![\d.,:/-]*\d|\s?[×x%])")


@dataclass(frozen=True, slots=True)
class Moment:
    """A date or period in a text: its days, and the place where it is written.

    ``dated`` is False when the year was not written and had to be guessed (the nearest one).
    ``exact`` is True for a single day.
    """

    first: date
    last: date
    start: int
    stop: int
    dated: bool = True

    @property
    def exact(self) -> bool:
        """Whether this is one day."""
        return self.first == self.last


class Calendar:
    """The month names of some languages."""

    def __init__(self, languages: Languages) -> None:
        """Take wide and abbreviated names from CLDR; abbreviations that are words are left."""
        self._full: dict[str, int] = {}
        self._short: dict[str, int] = {}
        self._grammars = languages.grammars
        for grammar in self._grammars:
            for name, number in month_names(grammar.code):
                self._full[flat(name)] = number
            for name, number in month_names(grammar.code, "abbreviated"):
                if not grammar.is_stop(name):
                    self._short[flat(name)] = number
        self._heads = {name[:3] for name in self._full}
        self._capital = frozenset(_capital(grammar.code for grammar in self._grammars))
        self.month = cache(self._number)
        self._days = {
            flat(name): day for grammar in self._grammars for name, day in day_names(grammar.code)
        }
        self.weekday = cache(self._weekday)
        self.moments = cache(self._moments)

    def _moments(self, text: str, today: date) -> tuple[Moment, ...]:
        """All dates of a text in their order; overlapping readings are taken once."""
        found: list[Moment] = []
        for moment in self._readings(text, today):
            if all(moment.stop <= m.start or m.stop <= moment.start for m in found):
                found.append(moment)
        return tuple(sorted(found, key=lambda m: m.start))

    def _readings(self, text: str, today: date) -> Iterator[Moment]:
        digits = any(char.isdigit() for char in text)
        if digits:
            for m in _ISO.finditer(text):
                yield from _moment(m.span(), (m[1], int(m[2]), int(m[3] or 0)), today)
            for m in _DOTTED.finditer(text):
                yield from _moment(m.span(), (m[3], int(m[2]), int(m[1])), today)
            for m in _QUARTER.finditer(text):
                yield from _quarter(m, today)
            for m in _SEASON.finditer(text):
                yield from _season(m)
        yield from self._named(text, today)
        if digits:
            for m in _YEAR.finditer(text):
                yield Moment(date(int(m[1]), 1, 1), date(int(m[1]), 12, 31), *m.span())

    def _named(self, text: str, today: date) -> Iterator[Moment]:
        for word in _WORD.finditer(text):
            if flat(word.group())[:3] in self._heads:
                yield from self._around(word, text, today)

    def _around(self, word: re.Match[str], text: str, today: date) -> Iterator[Moment]:
        """A month name with the day and the year beside it."""
        window = max(0, word.start() - 6)
        day = _DAY_BEFORE.search(text[window : word.start()])
        rest = _AFTER.match(text, word.end())
        year = rest and rest["year"]
        after = rest and not day and rest["day"]
        number = self.month(word.group(), bool(day or after or year))
        if number:
            start = window + day.start() if day else word.start()
            stop = rest.end() if rest and (year or after) else word.end()
            parts = (year, number, int(day[1] if day else after or 0))
            yield from _moment((start, stop), parts, today)

    def _weekday(self, word: str) -> int | None:
        """The weekday a word names (Monday is 0), plural or inflected, None for other words."""
        forms = (flat(word), *(flat(g.lemma(word)) for g in self._grammars))
        return next((self._days[form] for form in forms if form in self._days), None)

    def _number(self, word: str, beside: bool) -> int:
        """The month a word names, 0 for none; abbreviations only beside a day or a year."""
        plain = flat(word)
        if plain[:3] not in self._heads or (word[0].islower() and plain in self._capital):
            return 0
        full = self._full.get(plain) or next(
            (self._full[s] for g in self._grammars if (s := flat(g.lemma(word))) in self._full), 0
        )
        return full or (self._short.get(plain, 0) if beside else 0)


def _capital(codes: Iterable[str]) -> Iterator[str]:
    """Names that CLDR writes with a capital: in lower case they are other words."""
    for code in codes:
        yield from (flat(name) for name, _ in month_names(code) if name[0].isupper())


def _moment(
    place: tuple[int, int], parts: tuple[str | None, int, int], today: date
) -> Iterator[Moment]:
    """A moment from (year, month, day), 0 for no day; nothing when there is no such date."""
    written, month, day = parts
    if not 1 <= month <= 12 or day > 31:
        return
    year = int(written) if written else _nearest(month, day, today)
    last = monthrange(year, month)[1]
    if day <= last:
        first, end = date(year, month, day or 1), date(year, month, day or last)
        yield Moment(first, end, *place, dated=written is not None)


def _quarter(match: re.Match[str], today: date) -> Iterator[Moment]:
    month = int(match[1]) * 3
    year = int(match[2]) if match[2] else _nearest(month, 15, today)
    first, last = date(year, month - 2, 1), date(year, month, monthrange(year, month)[1])
    yield Moment(first, last, *match.span(), dated=match[2] is not None)


def _season(match: re.Match[str]) -> Iterator[Moment]:
    """A school year or a season, from July to August: "2024/25"."""
    year = int(match[1])
    if (year + 1) % 100 == int(match[2]):
        yield Moment(date(year, 7, 1), date(year + 1, 8, 31), *match.span())


def _nearest(month: int, day: int, today: date) -> int:
    """The year that puts the day nearest to today."""
    years = (today.year - 1, today.year, today.year + 1)
    return min(years, key=lambda y: abs(date(y, month, min(day or 15, 28)) - today))
