"""What facts are, and what a new one does to those that stand; pure (F1-F3).

A day is ISO text of a year, a month or a day (``2024``, ``2024-05``, ``2024-05-03``), or "" where
it is not known; such texts compare in the order of time. A fact holds on days of the half-open
span from ``since`` to ``until``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from rapidfuzz.distance import OSA

from memory.folding import fold

LONGEST = 100
"""How many characters a subject or an object may have."""

ME = "me"
"""The subject that stands for the person whose facts they are."""

SINGLE = frozenset({"works_at", "lives_in", "has_role", "has_status"})
"""Predicates with one value at a time: a new value ends the old one."""

EVENTS = frozenset("acquired disposed_of decided completed traveled_to staying_in visiting".split())
"""Predicates of what happens; the same thing on another day is another fact."""

LASTING = frozenset(
    "owns uses_tech knows speaks prefers allergic_to has_condition has_family_member"
    " interested_in grew_up_in born_in relates_to has_scheduled_procedure"
    " has_medical_workup".split()
)
"""Predicates with many values at a time."""

VOCABULARY = SINGLE | EVENTS | LASTING
"""The predicates a conversation knows; others are free snake_case."""

SCHEDULED = frozenset({"has_scheduled_procedure", "has_medical_workup"})
"""Predicates about what the calendar owns: their day is the one it was learned on (T3)."""

_MEASURED = frozenset(
    "weight weighs bmi pressure pulse heartrate temperature glucose cholesterol dose dosage"
    " symptom symptoms".split()
)

_PREDICATE = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_DAY = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
_BREAKS = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_WORD = re.compile(r"\w+")
_ALIKE = 0.85
_LONG_ENOUGH = 5


class FaultCode(StrEnum):
    """Why a fact is not taken; the codes of the command line."""

    EMPTY_SUBJECT = "empty_subject"
    EMPTY_OBJECT = "empty_object"
    INVALID_PREDICATE = "invalid_predicate"
    SUBJECT_TOO_LONG = "subject_too_long"
    OBJECT_TOO_LONG = "object_too_long"
    CONTAINS_NEWLINE = "contains_newline"
    INVALID_DATE = "invalid_date"
    ENDS_BEFORE_START = "ends_before_start"
    OVERLAPS = "overlaps"
    CALENDAR_DATE = "calendar_date"
    HEALTH_VALUE = "health_value"
    UNKNOWN_FACT = "unknown_fact"


class Alike(StrEnum):
    """How a known fact is close to a new one, so that a person is asked (F3)."""

    SPELLING = "spelling"
    DATES = "dates"
    PART = "part"


@dataclass(frozen=True, slots=True)
class Draft:
    """A fact as it is said; blanks are made one, texts NFC, the predicate lower case."""

    subject: str
    predicate: str
    object: str
    since: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """A stored fact; ``id`` counts the facts of one person, ``learned`` is the day it came."""

    id: int
    subject: str
    predicate: str
    object: str
    since: str
    until: str
    learned: str

    @property
    def begins(self) -> str:
        """What it is ordered by: its first day, else the day it was learned."""
        return self.since or self.learned

    @property
    def empty(self) -> bool:
        """Whether it holds on no day: it was corrected, not ended."""
        return bool(self.since) and self.since == self.until

    def holds(self, day: str) -> bool:
        """Whether it holds on a day; an unknown start lies before every day."""
        return self.since <= day and (not self.until or day < self.until)


@dataclass(frozen=True, slots=True)
class Fault:
    """Not done; ``facts`` are those in the way."""

    code: FaultCode
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Same:
    """Nothing to do: this fact says so already (``noop_dup``)."""

    fact: Fact


@dataclass(frozen=True, slots=True)
class Near:
    """A person has to say whether the new fact is one of these (F3); nothing is stored."""

    draft: Draft
    facts: tuple[Fact, ...]
    alike: Alike


@dataclass(frozen=True, slots=True)
class Insert:
    """What to store: the fact, and how the ones that give way stand afterwards."""

    draft: Draft
    closed: tuple[Fact, ...] = ()
    instead: Fact | None = None


Plan = Insert | Same | Near | Fault


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person said about near ones: ``same`` is the id to correct, ``apart`` is new."""

    same: int = 0
    apart: bool = False


ASK = Choice()
"""Nobody was asked yet."""


def key(text: str) -> str:
    """What two spellings of a name have in common (F3)."""
    return fold(text)


def known(predicate: str) -> bool:
    """Whether a predicate belongs to the vocabulary."""
    return predicate in VOCABULARY


def day(text: str) -> str | None:
    """A day of the calendar as this module writes it; None when there is none such."""
    match = _DAY.fullmatch(text.strip())
    if not match:
        return "" if not text.strip() else None
    parts = [int(part) for part in match.groups() if part]
    try:
        date(*(*parts, 1, 1)[:3])
    except ValueError:
        return None
    return "-".join(f"{part:0{width}}" for part, width in zip(parts, (4, 2, 2), strict=False))


def checked(draft: Draft) -> Draft | Fault:
    """The draft as it would be stored, or the first thing wrong with it."""
    since, until = day(draft.since), day(draft.until)
    if since is None or until is None:
        return Fault(FaultCode.INVALID_DATE)
    tidy = Draft(
        _tidy(draft.subject), draft.predicate.strip().lower(), _tidy(draft.object), since, until
    )
    code = _wrong(draft, tidy)
    return Fault(code) if code else tidy


def _tidy(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def _wrong(raw: Draft, tidy: Draft) -> FaultCode | None:
    faults = {
        FaultCode.CONTAINS_NEWLINE: _BREAKS.search(raw.subject.strip() + raw.object.strip()),
        FaultCode.EMPTY_SUBJECT: not any(map(str.isalnum, tidy.subject)),
        FaultCode.EMPTY_OBJECT: not any(map(str.isalnum, tidy.object)),
        FaultCode.SUBJECT_TOO_LONG: len(tidy.subject) > LONGEST,
        FaultCode.OBJECT_TOO_LONG: len(tidy.object) > LONGEST,
        FaultCode.INVALID_PREDICATE: not _PREDICATE.fullmatch(tidy.predicate)
        or len(tidy.predicate) > LONGEST // 2,
        FaultCode.HEALTH_VALUE: not _MEASURED.isdisjoint(tidy.predicate.split("_")),
        FaultCode.ENDS_BEFORE_START: tidy.until and tidy.until < tidy.since,
    }
    return next((code for code, wrong in faults.items() if wrong), None)


def plan(draft: Draft, held: Sequence[Fact], today: str, choice: Choice = ASK) -> Plan:
    """What a checked draft does, given all facts of its subject and predicate."""
    if draft.predicate in SCHEDULED and max(draft.since, draft.until) > today:
        return Fault(FaultCode.CALENDAR_DATE)
    standing = [fact for fact in held if not fact.empty]
    same = next((fact for fact in standing if fact.id == choice.same), None)
    if same:
        return _corrected(draft, same, [f for f in standing if f is not same], today)
    rivals = [fact for fact in standing if _at_once(draft, fact, today)]
    if not choice.apart:
        found = _twin(draft, rivals) or _near(draft, rivals)
        if found:
            return found
    if standing and draft.predicate in SINGLE and not draft.since + draft.until:
        draft = replace(draft, since=today)
    return placed(draft, standing, today)


def _corrected(draft: Draft, old: Fact, others: Sequence[Fact], today: str) -> Plan:
    since, until = draft.since or old.since, draft.until or old.until
    if until and until < since:
        return Fault(FaultCode.ENDS_BEFORE_START, (old,))
    found = placed(replace(draft, since=since, until=until), others, today)
    return replace(found, instead=old) if isinstance(found, Insert) else found


def _at_once(draft: Draft, fact: Fact, today: str) -> bool:
    """Whether both may hold at the same time, or are the same event."""
    if draft.predicate in EVENTS:
        return not (draft.since and fact.since) or draft.since == fact.since
    start, end = (draft.since or ("" if draft.until else today)), draft.until
    return (not fact.until or start < fact.until) and (not end or fact.since < end)


def _twin(draft: Draft, rivals: Iterable[Fact]) -> Plan | None:
    """The same value by its key: nothing to do, or a question about spelling or dates."""
    said = key(draft.object)
    for fact in rivals:
        if fact.object != draft.object and key(fact.object) != said:
            continue
        if fact.object != draft.object:
            return Near(draft, (fact,), Alike.SPELLING)
        told = draft.since in ("", fact.since) and draft.until in ("", fact.until)
        return Same(fact) if told else Near(draft, (fact,), Alike.DATES)
    return None


def _near(draft: Draft, rivals: Iterable[Fact]) -> Near | None:
    said = Shape.of(draft.object)
    found = tuple(fact for fact in rivals if said.alike(Shape.of(fact.object)))
    return Near(draft, found[:3], Alike.PART) if found else None


@dataclass(frozen=True, slots=True)
class Shape:
    """A value as it is compared: its key and the words of that."""

    key: str
    words: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Shape:
        """The shape of a value."""
        plain = key(text)
        return cls(plain, frozenset(_WORD.findall(plain)))

    def alike(self, other: Shape) -> bool:
        """Whether a person could mean the same by both: a part of it, or a slip of the pen (F3).

        It only ever leads to a question; values that differ in a number are never alike.
        """
        if self.words <= other.words or other.words <= self.words:
            return bool(self.words and other.words)
        if min(len(self.key), len(other.key)) < _LONG_ENOUGH or self.numbers != other.numbers:
            return False
        likeness = OSA.normalized_similarity(self.key, other.key, score_cutoff=_ALIKE)
        return float(likeness) >= _ALIKE

    @property
    def numbers(self) -> set[str]:
        """The words that have a digit."""
        return {word for word in self.words if any(map(str.isdigit, word))}


def alike(one: str, other: str) -> bool:
    """Whether two values are close enough to ask about (F3)."""
    return Shape.of(one).alike(Shape.of(other))


def placed(draft: Draft, standing: Sequence[Fact], today: str) -> Insert | Fault:
    """The draft among what stands; only a single value moves the ends of others (F2).

    The one before it ends where it starts, and it ends where the next one starts. A value that
    is over and lies inside another one's span is refused: nobody can tell which was true.
    """
    if draft.predicate not in SINGLE:
        return Insert(draft)
    dated = bool(draft.since or draft.until)
    later = [fact.since for fact in standing if dated and fact.since > draft.since]
    if later and (not draft.until or draft.until > min(later)):
        draft = replace(draft, until=min(later))
    earlier = [fact for fact in standing if draft.since and fact.since <= draft.since]
    overlapped = [fact for fact in earlier if not fact.until or fact.until > draft.since]
    around = tuple(fact for fact in overlapped if _around(fact, draft, today))
    if any(fact.since for fact in around):
        return Fault(FaultCode.OVERLAPS, around)
    closed = tuple(replace(f, until=draft.since) for f in overlapped if f not in around)
    return Insert(draft, closed)


def _around(fact: Fact, draft: Draft, today: str) -> bool:
    """Whether a fact holds on both sides of a draft that is over."""
    if not draft.until or (fact.until and fact.until <= draft.until):
        return False
    return bool(fact.until) or draft.until <= today


def ended(fact: Fact, until: str, others: Iterable[Fact]) -> Fact | Fault:
    """A fact with another end; a single value may not reach into the next one (F2)."""
    after = replace(fact, until=until)
    others = [f for f in others if f.id != fact.id]
    hit = tuple(f for f in others if clash(after, f) and not clash(fact, f))
    return Fault(FaultCode.OVERLAPS, hit) if hit else after


def clash(fact: Fact, other: Fact) -> bool:
    """Whether two facts of one subject and predicate cannot both stand (F2)."""
    if fact.predicate not in SINGLE:
        return False
    ends = [end for end in (fact.until, other.until) if end]
    if not ends:
        return True
    return bool(fact.since and other.since) and max(fact.since, other.since) < min(ends)


def owned(facts: Iterable[Fact], on: str) -> tuple[str, ...]:
    """What a subject has on a day: owned or acquired, and not disposed of since (F1)."""
    last: dict[str, tuple[str, int, bool, str]] = {}
    for fact in facts:
        if fact.predicate in ("owns", "acquired", "disposed_of") and fact.holds(on):
            gone = fact.predicate == "disposed_of"
            step = (fact.begins, fact.id, gone, fact.object)
            last[key(fact.object)] = max(last.get(key(fact.object), step), step)
    return tuple(thing for _, _, gone, thing in sorted(last.values()) if not gone)
