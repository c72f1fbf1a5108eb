"""Moments as people say them, and as they are shown to them (T9).

What the languages' ``dates.toml`` say is looked for first; what they do not know is left to
dateparser, which is imported when it is needed.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum

from babel.dates import format_date, format_timedelta

from locales.datewords import Datewords, Part, Sort, datewords, starts
from locales.grammar import flat
from locales.languages import Languages

DAY_STARTS = time(9)
"""The time of a day that was named without one."""

FARTHEST = timedelta(days=3660)
_LONGEST, _LONGEST_SEARCHED = 1000, 120
_DAYS = frozenset({Sort.DAY, Sort.WEEKDAY})
_EVENING, _NIGHT = 13, 21
_LEAP, _LEAP_YEAR = 9, 2000
_NUMBER, _MOST_NUMBERS = re.compile(r"\d{1,8}"), 8
_BARE = re.compile(r"(\d{1,2})(?:[.:](\d{2}))?")
_EDGES = " \t\r\n.,:;!?–—-：，。？"
_REGIONS = {"en": "en_150"}
"""English is spoken in many lands; the day goes before the month in most."""

_FOREIGN = re.compile(r"(?=.*\d)(?=.*[^\W\d]).*\s.*", re.DOTALL)


Said = dict[Sort, tuple[int, ...]]


class Problem(StrEnum):
    """Why a moment cannot be taken as it is."""

    NONE = ""
    MISSING = "missing"
    PAST = "past"
    FAR = "far"
    REPEATS = "repeats"
    NO_DAY = "no_day"


@dataclass(frozen=True, slots=True)
class When:
    """What was understood: the moment in the asker's zone, None for a `Problem`.

    ``rest`` is the text without the words about time and without the wish to be reminded;
    ``exact`` tells that a time of day was said, and not only a day.
    """

    moment: datetime | None
    rest: str
    exact: bool = False
    problem: Problem = Problem.NONE


@dataclass(frozen=True, slots=True)
class _Chain:
    """Parts that stand together in the text, from ``start`` to ``end``."""

    start: int
    end: int
    parts: tuple[Part, ...]

    @property
    def weight(self) -> tuple[int, int]:
        return len(self.parts), self.end - self.start


def understand(
    text: str, now: datetime, languages: Languages, code: str = "", day: date | None = None
) -> When:
    """The moment that a text names, and the text without it; in any configured language.

    A day without a time is taken as 9 o'clock, a time without a day as the next one there is.
    In the night when clocks are put forward a time that does not exist is the first moment
    after the gap; in the one when they are put back it is the first of two.

    Args:
        now: the present moment in the asker's zone.
        code: the language to try first, "" for no preference.
        day: the day of a time that is said without one, None for the next one there is.
    """
    text, more = _parted(" ".join(text.split()))
    if more:
        when = understand(text, now, languages, code, day)
        return replace(when, rest=f"{when.rest} {more}".strip())
    bare = _BARE.fullmatch(text)
    if bare:
        text = f"{bare[1]}:{bare[2] or '00'}"
    plain = flat(text)
    known = _spoken(plain, languages, code)
    found = [(words, chains) for words in known if (chains := _chains(plain, words))]
    if not found:
        return _left_over(text, now, known, languages)
    words, chains = max(found, key=lambda pair: sum(c.end - c.start for c in pair[1]))
    spans = [(c.start, c.end) for c in chains]
    again = [span for chain in chains for span in _repeats(plain, chain, words)]
    rest = _rest(text, [*spans, *again], words)
    if again:
        return When(None, rest, problem=Problem.REPEATS)
    said = {part.sort: part.value for chain in chains for part in chain.parts}
    if day and not {Sort.DAY, Sort.WEEKDAY, Sort.AHEAD} & set(said):
        said[Sort.DAY] = (day.year, day.month, day.day, 0)
    return _resolved(said, rest, now)


def _parted(text: str) -> tuple[str, str]:
    """The beginning of a text, in which a moment is looked for, and the rest of its words."""
    if len(text) <= _LONGEST:
        return text, ""
    end = text.rfind(" ", 0, _LONGEST + 1)
    end = end if end > 0 else _LONGEST
    return text[:end], text[end:].strip()


def _spoken(plain: str, languages: Languages, code: str) -> Sequence[Datewords]:
    """The languages to look through: those in which it asks to be reminded, else all."""
    known = [datewords(g) for g in languages.grammars if g.table("dates")]
    if code in languages.codes:
        known.sort(key=lambda words: words is not datewords(languages.grammar(code)))
    asking = [words for words in known if words.wishes.search(plain)]
    return asking or known


def _repeats(plain: str, chain: _Chain, words: Datewords) -> list[tuple[int, int]]:
    """Where "every" stands right before the date or right after it."""
    found = (match.span() for match in words.repeating.finditer(plain))
    return [
        (start, end)
        for start, end in found
        if 0 <= chain.start - end <= 2 or 0 <= start - chain.end <= 2
    ]


def _chains(plain: str, words: Datewords) -> list[_Chain]:
    """The run of parts right after the wish, else the heaviest, and another that adds an hour."""
    found: list[_Chain] = []
    begin = 0
    for start in starts(plain):
        chain = _chain(plain, start, words) if start >= begin else None
        if chain:
            found.append(_with_glue(plain, chain, words))
            begin = chain.end
    if not found:
        return []
    wish = words.wishes.search(plain)
    near = (c for c in found if wish and 0 <= c.start - wish.end() <= 1)
    best = next(near, None) or max(found, key=lambda chain: chain.weight)
    others = (chain for chain in found if _completes(best, chain))
    return sorted([best, *list(others)[:1]], key=lambda chain: chain.start)


def _completes(best: _Chain, other: _Chain) -> bool:
    """Whether a run says only what another one lacks: the hour of its day, the day of its hour."""
    mine, theirs = ({part.sort for part in chain.parts} for chain in (best, other))
    days = bool(mine & _DAYS) + bool(theirs & _DAYS)
    return best is not other and not mine & theirs and days < 2 and Sort.AHEAD not in mine | theirs


def _chain(plain: str, start: int, words: Datewords) -> _Chain | None:
    parts: list[Part] = []
    at = start
    while part := words.part(plain, at, frozenset(p.sort for p in parts)):
        parts.append(part)
        at = _past_glue(plain, part.end, words)
    return _Chain(start, parts[-1].end, tuple(parts)) if parts else None


def _past_glue(plain: str, end: int, words: Datewords) -> int:
    """Where the next part may begin: after blanks, commas and one small word."""
    blank = re.compile(r"[\s,]*")
    at = _end(blank, plain, end)
    glued = words.glue.match(plain, at)
    return (
        _end(blank, plain, glued.end()) if glued and not words.part(plain, at, frozenset()) else at
    )


def _end(pattern: re.Pattern[str], plain: str, at: int) -> int:
    found = pattern.match(plain, at)
    return found.end() if found else at


def _with_glue(plain: str, chain: _Chain, words: Datewords) -> _Chain:
    """The run with the small word before it."""
    before = plain[: chain.start].rstrip()
    word = re.search(r"[^\s]+$", before)
    if word and words.glue.fullmatch(word[0]):
        return replace(chain, start=word.start())
    return chain


def _rest(text: str, spans: Sequence[tuple[int, int]], words: Datewords | None) -> str:
    """The text without the spans, the wish, and what joins them to the matter."""
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start].rstrip()} {text[end:].lstrip(' ,')}"
    if words is None:
        return text.strip(_EDGES)
    wish = words.wishes.search(flat(text))
    if wish:
        text = f"{text[: wish.start()].rstrip()} {text[wish.end() :].lstrip()}"
    text = text.strip(_EDGES)
    for _ in range(3):
        text = _led(text, words)
    tail = words.tails.search(flat(text))
    return (text[: tail.start()] if tail else text).strip(_EDGES)


def _led(text: str, words: Datewords) -> str:
    """The text without what leads to the matter, unless that would begin with a clitic."""
    rest = text[_end(words.leads, flat(text), 0) :].strip(_EDGES)
    return text if words.clitics.match(flat(rest)) else rest


def _resolved(said: Said, rest: str, now: datetime) -> When:
    exact = bool({Sort.CLOCK, Sort.AHEAD} & set(said)) and not _only_days(said)
    if _is_no_day(said):
        return When(None, rest, exact, Problem.NO_DAY)
    try:
        moment = _moment(said, now)
    except (ValueError, OverflowError):
        return When(None, rest, exact, Problem.FAR)
    today = said.get(Sort.DAY) == (0,) and not exact
    if moment is None or (moment <= now and today):
        return When(None, rest, exact, Problem.MISSING)
    return _checked(moment, rest, exact, now)


def _checked(moment: datetime, rest: str, exact: bool, now: datetime) -> When:
    if moment <= now:
        return When(None, rest, exact, Problem.PAST)
    if moment - now > FARTHEST:
        return When(None, rest, exact, Problem.FAR)
    return When(moment, rest, exact)


def _is_no_day(said: Said) -> bool:
    """Whether a date is said that no calendar has: 31 February."""
    day = said.get(Sort.DAY, ())
    return len(day) == 4 and day[2] > _length(day[0] or _LEAP_YEAR, day[1])


def _only_days(said: Said) -> bool:
    return Sort.AHEAD in said and not said[Sort.AHEAD][0] and Sort.CLOCK not in said


def _moment(said: Said, now: datetime) -> datetime | None:
    minutes, days, months = said.get(Sort.AHEAD, (0, 0, 0))
    if minutes and not days and not months:
        return (now.astimezone(UTC) + timedelta(minutes=minutes)).astimezone(now.tzinfo)
    clock = _clock(said)
    if Sort.AHEAD in said:
        day = _months_later(now.date(), months) + timedelta(days=days)
        return existing(datetime.combine(day, clock or DAY_STARTS), now.tzinfo)
    hour = clock or DAY_STARTS
    moments = [existing(datetime.combine(day, hour), now.tzinfo) for day in _days(said, now)]
    return next((m for m in moments if m > now), moments[-1] if moments else None)


def _clock(said: Said) -> time | None:
    """The time of day, with "in the evening" applied to "at nine"."""
    day = said.get(Sort.DAY, ())
    part = said[Sort.PART][0] if Sort.PART in said else day[1] if len(day) == 2 else None
    if Sort.CLOCK not in said:
        return None if part is None else time(part)
    hour, minute = said[Sort.CLOCK]
    late = part is not None and part >= _EVENING and hour < 12
    night = part is not None and part >= _NIGHT and hour < 6
    return time(hour + 12 if late and not night else hour, minute)


def _days(said: Said, now: datetime) -> Iterator[date]:
    """The days that may be meant, the nearest first."""
    today = now.date()
    day = said.get(Sort.DAY, ())
    weekday = said.get(Sort.WEEKDAY)
    if len(day) == 4:
        yield from _dates(day, today)
    elif day and not (weekday and day[0] == 7):
        yield today + timedelta(days=day[0])
    elif weekday:
        following = weekday[1] or bool(day)
        monday = today - timedelta(days=today.weekday()) + timedelta(days=7 * bool(following))
        first = monday + timedelta(days=weekday[0])
        yield from (first, first + timedelta(days=7))
    else:
        yield from (today, today + timedelta(days=1))


def _dates(day: tuple[int, ...], today: date) -> Iterator[date]:
    year, month, number, _ = day
    if year:
        yield date(year, month, number)
        return
    for candidate in range(today.year, today.year + _LEAP):
        if number <= _length(candidate, month):
            yield date(candidate, month, number)


def _length(year: int, month: int) -> int:
    return monthrange(year, month)[1]


def _months_later(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, _length(year, month + 1)))


def existing(wall: datetime, zone: tzinfo | None) -> datetime:
    """The first moment at which a clock of the zone shows this time, or has gone past it."""
    moment = wall.replace(tzinfo=zone)
    seen = moment.astimezone(UTC).astimezone(zone)
    if seen.replace(tzinfo=None) == wall:
        return moment
    begin = moment.replace(fold=1).astimezone(UTC)
    minutes = int((seen.astimezone(UTC) - begin).total_seconds() // 60)
    tried = ((begin + timedelta(minutes=n)).astimezone(zone) for n in range(minutes + 1))
    before = begin.astimezone(zone).utcoffset()
    return next((m for m in tried if m.utcoffset() != before), seen)


def _left_over(text: str, now: datetime, known: Sequence[Datewords], languages: Languages) -> When:
    """What dateparser finds in words that no grammar here knows."""
    plain = flat(text)
    words = next((w for w in known if w.wishes.search(plain)), known[0] if known else None)
    rest = _rest(text, (), words)
    if any(found.search(plain) for found in (w.repeating for w in known)):
        return When(None, rest, problem=Problem.REPEATS)
    found = _searched(text, now, languages) if any(map(str.isdigit, text)) else None
    if found is None:
        return When(None, rest, problem=Problem.MISSING)
    span, wall = found
    start = text.find(span)
    moment = existing(wall, now.tzinfo)
    if moment <= now:
        return When(None, rest, problem=Problem.MISSING)
    return _checked(moment, _rest(text, [(start, start + len(span))], words), False, now)


def _searched(text: str, now: datetime, languages: Languages) -> tuple[str, datetime] | None:
    """A date of several words with a number among them; fewer are too often something else.

    The library needs seconds for a long run of numbers, so that it sees short texts only.
    """
    if len(text) > _LONGEST_SEARCHED or len(_NUMBER.findall(text)) > _MOST_NUMBERS:
        return None
    from dateparser.search import search_dates

    base = now.replace(tzinfo=None, hour=DAY_STARTS.hour, minute=0, second=0, microsecond=0)
    settings = {"RELATIVE_BASE": base, "PREFER_DATES_FROM": "future", "DATE_ORDER": "DMY"}
    found = search_dates(text, languages=list(languages.codes), settings=settings) or []
    spans = ((span, wall) for span, wall in found if _FOREIGN.fullmatch(span) and span in text)
    return next(((span, _in_the_morning(wall.replace(tzinfo=None))) for span, wall in spans), None)


def _in_the_morning(wall: datetime) -> datetime:
    """A day without a time, which the library takes for midnight, with the time we take it for."""
    return datetime.combine(wall, DAY_STARTS) if wall.time() == time() else wall


def shown(moment: datetime, code: str) -> str:
    """A moment written out with weekday, month and year, so that 5/6 is seen for what it is."""
    day = format_date(moment, "full", locale=_REGIONS.get(code, code))
    return f"{day}, {moment:%-H:%M}"


def ago(moment: datetime, code: str, now: datetime) -> str:
    """How long ago a moment was, in words: "2 hours ago"."""
    return format_timedelta(moment - now, add_direction=True, locale=_REGIONS.get(code, code))
