"""The parts of a date as one language says them, read from its ``dates.toml`` (T9)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache

from locales.cldr import month_names
from locales.grammar import BEFORE, Grammar, alternation, flat

_MOST = 9999
_ISO = re.compile(r"(?P<y>\d{4})-(?P<mo>\d{1,2})-(?P<d>\d{1,2})(?!\d)(?:t(?=\d))?")
_DOTTED = re.compile(r"(?P<d>\d{1,2})\.\s?(?P<mo>\d{1,2})\.(?:\s?(?P<y>\d{4}))?(?!\d)")
_SLASHED = re.compile(r"(?P<d>\d{1,2})/(?P<mo>\d{1,2})(?:/(?P<y>\d{4}|\d{2}))?(?![\d/])")
_SIGNED = re.compile(r"(?:(?P<y>\d{4})年)?(?P<mo>\d{1,2})月(?P<d>\d{1,2})[日号]?")
_POINTED = re.compile(r"(?P<h>\d{1,2})\.(?P<m>\d{2})(?![.\d])")
_ORDINAL = r"(?:\s?(?:st|nd|rd|th|er|o|\.)(?!\w))?"
_MINUTES = r"(?:\s?[:.h]\s?(?P<m>[0-5]\d)(?!\d))?"
_UNITS = ("minute", "hour", "day", "week", "month", "year")


class Sort(StrEnum):
    """What a part of a date says; each stands in it once."""

    DAY = "day"
    WEEKDAY = "weekday"
    CLOCK = "clock"
    PART = "part"
    AHEAD = "ahead"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a date in flat text, up to ``end``; ``sort`` says how ``value`` is meant.

    DAY: days from today as ``(n,)`` or ``(n, hour)``, or ``(year or 0, month, day, 0)``.
    WEEKDAY: ``(0 for Monday, 1 for that of the next week)``. CLOCK: hour and minute; PART: an
    hour. AHEAD: minutes, days and months from now.
    """

    sort: Sort
    end: int
    value: tuple[int, ...]


class Datewords:
    """Finds parts of dates in the flat text of one language."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self.wishes, self.glue = self._list("wishes"), self._list("glue")
        self.leads = re.compile(rf"[\s,:]*{self._list('leads').pattern}[\s,:]+")
        self.tails = re.compile(rf"[\s,.!]+{self._list('tails').pattern}[\s.!]*$")
        self.clitics = self._list("clitics")
        self.repeating = self._list("repeating")
        self._days = self._table("days")
        self._parts = self._table("parts")
        self._clocks = self._table("clocks")
        self._numbers = self._table("numbers")

    def _list(self, name: str) -> re.Pattern[str]:
        return self._grammar.phrases(f"dates.{name}")

    def _table(self, name: str) -> Mapping[str, object]:
        return {flat(key): value for key, value in self._grammar.table(f"dates.{name}").items()}

    def _text(self, name: str) -> str:
        return self._list(name).pattern

    def _ending(self, name: str) -> str:
        """The same, where it may follow a number without a blank: ``6pm``."""
        return self._text(name).replace(BEFORE, "")

    @property
    def is_known(self) -> bool:
        """Whether the language has a ``dates.toml``."""
        return bool(self._days)

    def part(self, plain: str, at: int, known: frozenset[Sort]) -> Part | None:
        """The longest part that begins here and whose sort is not known yet."""
        found = (part for part in self._all(plain, at, known) if part.sort not in known)
        return max(found, key=lambda part: part.end, default=None)

    def _all(self, plain: str, at: int, known: frozenset[Sort]) -> Iterator[Part]:
        yield from self._dated(plain, at)
        yield from self._weekday(plain, at)
        yield from self._offset(plain, at)
        yield from self._clock(plain, at, Sort.DAY in known or Sort.WEEKDAY in known)
        if match := self._named_part.match(plain, at):
            yield Part(Sort.PART, match.end(), (_whole(self._parts[_key(match[1])]),))

    @cached_property
    def _named_part(self) -> re.Pattern[str]:
        return re.compile(f"({alternation(self._parts)})")

    @cached_property
    def _named_day(self) -> re.Pattern[str]:
        return re.compile(f"({alternation(self._days)})")

    @cached_property
    def _months(self) -> Mapping[str, int]:
        code = self._grammar.code
        widths = ("abbreviated", "wide")
        return {flat(name): n for width in widths for name, n in month_names(code, width)}

    @cached_property
    def _named_dates(self) -> tuple[re.Pattern[str], ...]:
        joint = rf"(?:{self._text('joints')}\s+)?"
        name = rf"(?P<name>{alternation(self._months)})\.?"
        year = rf"(?:,?\s*{joint}(?P<y>\d{{4}})(?!\d))?"
        return (
            re.compile(rf"(?P<d>\d{{1,2}}){_ORDINAL}\s*{joint}{name}{year}"),
            re.compile(rf"{name}\s+{joint}(?P<d>\d{{1,2}}){_ORDINAL}(?![\d:/]|\.\d){year}"),
        )

    def _dated(self, plain: str, at: int) -> Iterator[Part]:
        if match := self._named_day.match(plain, at):
            value = self._days[_key(match[1])]
            days = value if isinstance(value, list) else [value]
            yield Part(Sort.DAY, match.end(), tuple(map(_whole, days)))
        for pattern in (_ISO, _DOTTED, _SLASHED, _SIGNED, *self._named_dates):
            if match := pattern.match(plain, at):
                yield from self._date(match)

    def _date(self, match: re.Match[str]) -> Iterator[Part]:
        found = match.groupdict()
        year, day = int(found["y"] or 0), int(found["d"])
        name = found.get("name")
        month = self._months[name] if name else int(found["mo"])
        if match.re is _SLASHED and month > 12:
            day, month = month, day
        if month <= 12 and 1 <= day <= 31 and month:
            year += 2000 if 0 < year < 100 else 0
            yield Part(Sort.DAY, match.end(), (year, month, day, 0))

    @cached_property
    def _weekdays(self) -> tuple[re.Pattern[str], ...]:
        names = self._grammar.table("dates").get("weekdays", ())
        before = rf"(?:(?P<next>{self._text('next')})\s*|{self._text('this')}\s*)?"
        after = rf"(?:\s+(?P<later>{self._text('later')}))?"
        return tuple(re.compile(f"{before}{alternation(forms)}{after}") for forms in names)

    def _weekday(self, plain: str, at: int) -> Iterator[Part]:
        for number, pattern in enumerate(self._weekdays):
            if match := pattern.match(plain, at):
                following = int(bool(match["next"] or match["later"]))
                yield Part(Sort.WEEKDAY, match.end(), (number, following))

    @property
    def _number(self) -> str:
        return rf"\d{{1,4}}(?:[.,]\d)?|{alternation(self._numbers)}"

    @cached_property
    def _units(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        return tuple((name, re.compile(self._ending(f"units.{name}"))) for name in _UNITS)

    @cached_property
    def _offsets(self) -> tuple[re.Pattern[str], ...]:
        unit = "(?P<unit>" + "|".join(pattern.pattern for _, pattern in self._units) + ")"
        half = rf"(?P<half>\s*{self._text('more_half')})?"
        more = rf"(?:\s*(?:{self._text('glue')}\s+)?(?P<n2>{self._number})\s*{_again(unit)})?"
        count = rf"(?P<n>{self._number})(?P<and>\s+{self._text('more_half')})?"
        return (
            re.compile(rf"{self._text('ahead')}\s*(?:{count}\s*)?{unit}{half}{more}"),
            re.compile(rf"{count}\s*{unit}{half}{more}\s*{self._text('hence')}"),
        )

    def _offset(self, plain: str, at: int) -> Iterator[Part]:
        for pattern in self._offsets:
            if match := pattern.match(plain, at):
                count = self._count(match["n"]) + 0.5 * bool(match["half"] or match["and"])
                both = (self._amount(count, match["unit"]), self._second(match))
                yield Part(Sort.AHEAD, match.end(), tuple(map(sum, zip(*both, strict=True))))

    def _second(self, match: re.Match[str]) -> tuple[int, int, int]:
        return self._amount(self._count(match["n2"]), match["unit2"]) if match["n2"] else (0, 0, 0)

    def _count(self, said: str | None) -> float:
        if said is None:
            return 1.0
        if said[0].isdigit():
            return min(float(said.replace(",", ".")), _MOST)
        return float(str(self._numbers[_key(said)]))

    def _amount(self, count: float, said: str) -> tuple[int, int, int]:
        unit = next(name for name, pattern in self._units if pattern.fullmatch(said))
        amounts = {
            "minute": (round(count), 0, 0),
            "hour": (round(60 * count), 0, 0),
            "day": (0, round(count), 0),
            "week": (0, round(7 * count), 0),
            "month": (0, round(30 * (count % 1)), int(count)),
            "year": (0, 0, round(12 * count)),
        }
        return amounts[unit]

    @cached_property
    def _times(self) -> tuple[re.Pattern[str], ...]:
        articles = self._grammar.words("dates.articles")
        counts = [word for word in self._numbers if word not in articles]
        hour = rf"(?P<h>\d{{1,2}}(?!\d)|{alternation(counts)})"
        half = rf"(?:\s*(?P<half>{self._ending('half')}))?"
        halves = rf"(?:\s*(?P<am>{self._ending('am')})|\s*(?P<pm>{self._ending('pm')}))"
        clock = rf"\s*{self._ending('oclock')}"
        unit = "|".join(pattern.pattern for name, pattern in self._units if name != "hour")
        not_date = rf"(?!\d|\.\s?\d|/\d|\.?\s*{alternation(self._months)}|\s*(?:{unit}|%))"
        tail = rf"(?:{clock})?{half}{halves}?{not_date}"
        signed = rf"{clock}(?:(?P<m>\d{{1,2}})分?)?{half}{halves}?"
        return (
            re.compile(rf"{self._text('at')}\s*{hour}{_MINUTES}{tail}"),
            re.compile(rf"(?P<h>\d{{1,2}}):(?P<m>\d{{2}})(?!\d)(?:{clock})?{halves}?"),
            re.compile(rf"{hour}{signed}"),
            re.compile(rf"{hour}{_MINUTES}{halves}"),
        )

    @cached_property
    def _named_clock(self) -> re.Pattern[str]:
        return re.compile(rf"(?:{self._text('at')}\s+)?({alternation(self._clocks)})")

    def _clock(self, plain: str, at: int, dated: bool) -> Iterator[Part]:
        if match := self._named_clock.match(plain, at):
            hour, minute = map(int, str(self._clocks[_key(match[1])]).split(":"))
            yield Part(Sort.CLOCK, match.end(), (hour, minute))
        for pattern in self._times + (_POINTED,) * dated:
            if match := pattern.match(plain, at):
                yield from self._time(match)

    def _time(self, match: re.Match[str]) -> Iterator[Part]:
        found = match.groupdict()
        hour, minute = self._count(found["h"]), int(found.get("m") or 0)
        minute += 30 * bool(found.get("half"))
        if found.get("pm") and hour < 12:
            hour += 12
        if found.get("am") and hour == 12:
            hour = 0
        if hour == int(hour) and hour < 24 and minute < 60:
            yield Part(Sort.CLOCK, match.end(), (int(hour), minute))


@lru_cache(maxsize=32)
def datewords(grammar: Grammar) -> Datewords:
    """The date words of a language; compiled at first use."""
    return Datewords(grammar)


def starts(plain: str) -> Sequence[int]:
    """Where a word begins; in Chinese every sign may."""
    return [m.start() for m in re.finditer(r"\b\w|[\u2e80-\u9fff]|(?<=[\u2e80-\u9fff])\d", plain)]


def _again(unit: str) -> str:
    return unit.replace("?P<unit>", "?P<unit2>")


def _key(said: str) -> str:
    return " ".join(said.split())


def _whole(value: object) -> int:
    return int(str(value))
