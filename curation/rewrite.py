"""An input as a careful native would note it: terse, in its own language, nothing lost (K5, K7)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from curation import guard, reason
from curation.brevity import dashed, squeezed
from curation.engine import Kind
from curation.filler import edged, holds_fact, pointed, stripped, without_asides
from curation.phrasing import (
    DASH,
    LEAST_WORDS,
    MOST_WORDS,
    Clause,
    Shape,
    Style,
    clauses,
    count,
    join,
    one_line,
    reshape,
    style,
    tidy,
)
from curation.stance import Stance, is_of_others, stance
from locales.grammar import NEVER, Grammar, flat

_ORDER = (Kind.DEAD_END, Kind.DECISION, Kind.PREFERENCE)
_SETTLED = {"we": Kind.DECISION, "me": Kind.PREFERENCE, "no": Kind.DEAD_END}
_CHOSEN = {
    Stance.MINE: Kind.PREFERENCE,
    Stance.OURS: Kind.DECISION,
    Stance.DONE: Kind.DECISION,
}
_ROUNDS = 4
_MOST_READ, _LONGEST_READ = 80, 800
_HEAD = 12
_TELLING = 3


@dataclass(frozen=True, slots=True)
class Rewritten:
    """An entry with what it is; ``source`` is the input whose facts must stand in it.

    ``source`` lacks only the why of a plain fact, which is dropped on purpose (K7).
    ``losses`` is what the guard still misses in the best entry found.
    """

    entry: str
    kind: Kind
    ask_reason: bool = False
    source: str = ""
    losses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Reading:
    """An input taken apart: the point, its why, and the kind."""

    main: str
    why: str
    nominal: bool
    kind: Kind
    source: str


def rewrite(part: str, grammar: Grammar) -> Rewritten:
    """The terse entry for one part of an input.

    At most 15 words, at least 5 where the input has them, never longer than the input (the
    mark of a reason not counted), never translated. Where the guard misses something, milder
    rewrites are tried; ``losses`` is not empty when none of them kept everything (K6). A part
    that can never come down to 15 words is left as it is (B17).
    """
    manner = style(grammar)
    line = one_line(part, grammar)
    if len(line) > _LONGEST_READ or count(line) > _MOST_READ:
        return Rewritten(line, Kind.FACT, False, line, (guard.LENGTH,))
    reading = _read(line, manner)
    first: Rewritten | None = None
    for entry in _candidates(reading, line, manner):
        found = _judged(entry, reading, grammar)
        if not found.losses:
            return found
        first = first or found
        if found.losses == (guard.LENGTH,):
            break
    return first or Rewritten(line, reading.kind, False, line)


def noted(part: str, grammar: Grammar) -> Rewritten:
    """An input whose own words and their order matter, such as a rule: only filler goes (T6).

    One that is too long for that is rewritten like any other.
    """
    line = one_line(part, grammar)
    entry = tidy(stripped(line, style(grammar)))
    losses = guard.losses(line, entry, grammar)
    return rewrite(part, grammar) if losses else Rewritten(entry, Kind.FACT, source=line)


def _judged(entry: str, reading: _Reading, grammar: Grammar) -> Rewritten:
    losses = guard.losses(reading.source, entry, grammar)
    ask = reading.kind is not Kind.FACT and not reading.why
    return Rewritten(entry, reading.kind, ask, reading.source, losses)


def _candidates(reading: _Reading, line: str, manner: Style) -> Iterator[str]:
    """Entries from the tersest to the mildest."""
    spare = len(reading.why.split()) + 2 if reading.why else 0
    terse = _shaped(reading.main, manner, spare)
    yield _finished(terse, reading, line, manner)
    yield _finished(reading.main, reading, line, manner)
    plain = replace(reading, why="") if reading.kind is Kind.FACT else reading
    yield _with_why(reading.main, plain, manner)
    yield tidy(stripped(line, manner))
    yield line


def kind_of(text: str, grammar: Grammar) -> Kind:
    """Whether a text states a fact, a preference, a decision or a dead end (K7)."""
    kinds, plain = style(grammar).kinds, flat(text)
    if kinds.get("fact", NEVER).search(plain):
        return Kind.FACT
    return next((k for k in _ORDER if kinds.get(k.value, NEVER).search(plain)), Kind.FACT)


def _read(line: str, manner: Style) -> _Reading:
    text = stripped(line, manner)
    kind = _kind(line, text, manner)
    said = reason.explicit(text, manner, kind is Kind.FACT)
    source = said.main if kind is Kind.FACT and said.why else line
    if kind is Kind.FACT:
        said = reason.Reasoned(said.main)
    parts = without_asides(clauses(stripped(pointed(said.main, manner), manner)), manner)
    if not said.why and kind is not Kind.FACT:
        said, parts = _implied(parts, kind, manner)
    main = stripped(join(parts), manner)
    why = _lowered(said.why, line, manner)
    return _Reading(main, why, said.nominal, kind, source)


def _kind(line: str, text: str, manner: Style) -> Kind:
    """The kind of what is said, its why aside; a cause makes a choice of what was none."""
    whole = kind_of(edged(line, manner), manner.grammar)
    whole = kind_of(text, manner.grammar) if whole is Kind.PREFERENCE else whole
    if whole is Kind.PREFERENCE and is_of_others(text, manner.grammar):
        return Kind.FACT
    if manner.kinds.get("fact", NEVER).search(flat(line)):
        return whole
    said = reason.explicit(text, manner, whole is Kind.FACT)
    if not said.why and whole is Kind.FACT:
        return Kind.DECISION if _follows(text, manner) else _told_by(text, manner)
    if not said.why:
        return whole
    kind = kind_of(said.main, manner.grammar)
    if not text.startswith(said.main[:_HEAD]) and kind_of(said.why, manner.grammar) is whole:
        whole = Kind.FACT
    if kind is Kind.FACT and whole in {Kind.DEAD_END, Kind.DECISION}:
        return whole
    if kind is Kind.FACT:
        kind = _SETTLED.get(reason.settled_by(text, said, manner.grammar), kind)
    if kind is Kind.FACT:
        kind = _CHOSEN.get(stance(said.main, manner.grammar), kind)
    if kind is Kind.FACT and not manner.describing.search(flat(said.main)):
        return Kind.DECISION
    return kind


def _follows(text: str, manner: Style) -> bool:
    """Whether a change is said to follow from something ("his back is gone, so from May …")."""
    said = reason.explicit(text, manner, False)
    return bool(said.why) and reason.settled_by(text, said, manner.grammar) == "we"


def _told_by(text: str, manner: Style) -> Kind:
    """The kind of what somebody does, without a word that gives it away."""
    parts = clauses(pointed(text, manner))
    main, rest = parts[0].text if parts else text, parts[1:]
    who = stance(main, manner.grammar)
    own = any(reason.is_own(part, manner) for part in rest)
    if rest and reason.is_wish(parts, manner):
        return Kind.PREFERENCE
    why = own or any(reason.explains(part, manner) for part in rest)
    if who is not Stance.MINE and rest and reason.is_switch(parts[0], manner):
        return Kind.DECISION if why or reason.is_past(rest[0], manner) else Kind.FACT
    if who is Stance.OTHERS or not (why or not holds_fact(main)):
        return Kind.FACT
    if who is Stance.MINE:
        return Kind.PREFERENCE
    return Kind.DECISION if why or who is Stance.DONE else Kind.FACT


def _lowered(why: str, line: str, manner: Style) -> str:
    """A why that began a sentence, without the capital of its first word."""
    first = why.split(" ", 1)[0].rstrip(",")
    if not first[1:].islower() or first[1] == "'":
        return why
    common = line.startswith(why[:_HEAD]) and manner.grammar.lemma(first) != first.lower()
    lower = common or manner.grammar.is_stop(first)
    return first.lower() + why[len(first) :] if lower else why


def _implied(
    parts: list[Clause], kind: Kind, manner: Style
) -> tuple[reason.Reasoned, list[Clause]]:
    settled = manner.kinds.get(kind.value, NEVER)
    first = _outcome(parts, settled) if kind is Kind.DEAD_END else 0
    cut = reason.implied(parts[first:], manner, settled, kind is Kind.DEAD_END)
    if cut and _is_choice(parts, first + cut, settled):
        cut += first
        return reason.Reasoned("", join(parts[cut:])), parts[:cut]
    bare = reason.verbless(parts, manner)
    bare = bare or (reason.outcome(parts, manner) if kind is Kind.DEAD_END else 0)
    if bare:
        return reason.Reasoned("", join(parts[bare:])), parts[:bare]
    if kind is Kind.DEAD_END:
        return _failure(parts, min(first, len(parts) - 1), manner)
    if len(parts) > 1 and _leads(parts, kind, manner):
        return reason.Reasoned("", parts[0].text), parts[1:]
    return reason.Reasoned(""), parts


def _is_choice(parts: list[Clause], cut: int, settled: re.Pattern[str]) -> bool:
    """Whether what makes the kind is not found only behind the cut."""
    before, behind = (flat(join(some)) for some in (parts[:cut], parts[cut:]))
    return bool(settled.search(before)) or not settled.search(behind)


def _failure(parts: list[Clause], at: int, manner: Style) -> tuple[reason.Reasoned, list[Clause]]:
    """The clause that tells the failure is the why when it is about something else."""
    if at > 0 and count(parts[at].text) >= _TELLING and reason.tells(parts[at], manner):
        return reason.Reasoned("", join(parts[at:])), parts[:at]
    return reason.Reasoned(""), parts


def _outcome(parts: list[Clause], failed: re.Pattern[str]) -> int:
    """The clause that says that a trial failed; the last one where none says it by itself."""
    return next((i for i, part in enumerate(parts) if failed.search(flat(part.text))), len(parts))


def _leads(parts: list[Clause], kind: Kind, manner: Style) -> bool:
    """Whether the first clause says why and only the second says what."""
    cue = manner.kinds.get(kind.value, NEVER)
    first, second = flat(parts[0].text), flat(parts[1].text)
    follows = not cue.search(first) and bool(cue.search(second))
    told = reason.explains(parts[0], manner) or (
        parts[1].apart and reason.is_past(parts[0], manner)
    )
    return follows and told and not reason.plans(second, manner)


def _shaped(text: str, manner: Style, spare: int) -> str:
    for shape in manner.shapes:
        text = _kept(text, reshape(shape, text, manner), spare)
    return text


def _kept(before: str, after: str, spare: int = 0) -> str:
    """The shorter text, unless it fell below the five words that the longer one had.

    ``spare`` words of a reason stand behind it.
    """
    short = len(after.split()) + spare < LEAST_WORDS <= len(before.split()) + spare
    return before if short or not after else after


def _with_why(main: str, reading: _Reading, manner: Style) -> str:
    return reason.attach(main, reading.why, manner.grammar, reading.nominal)


def _finished(main: str, reading: _Reading, line: str, manner: Style) -> str:
    entry = _with_why(main, reading, manner)
    entry = _shrunk(entry, manner.trims, lambda text: count(text) > MOST_WORDS, manner)
    entry = squeezed(_softened(entry, manner), MOST_WORDS, manner)
    if _same(entry, line):
        entry = _shrunk(entry, manner.terse, lambda text: _same(text, line), manner)
    if _same(entry, line) or count(entry) < LEAST_WORDS:
        entry = dashed(entry, manner)
    return _fitted(entry, reading, line)


def _fitted(entry: str, reading: _Reading, line: str) -> str:
    """Without the dash behind a bracket where it would make the entry longer than the input."""
    if not reading.why and len(entry) > len(line):
        return entry.replace(")" + DASH, ") ", 1)
    return entry


def _same(entry: str, line: str) -> bool:
    return flat(entry).strip(" .") == flat(line).strip(" .")


def _shrunk(
    entry: str, shapes: tuple[Shape, ...], wanted: Callable[[str], bool], manner: Style
) -> str:
    for shape in shapes:
        for _ in range(_ROUNDS):
            if not wanted(entry):
                return entry
            shorter = _kept(entry, reshape(shape, entry, manner))
            if shorter == entry:
                break
            entry = shorter
    return entry


def _softened(entry: str, manner: Style) -> str:
    """Without as many soft words as it takes to come down to 15."""
    while count(entry) > MOST_WORDS:
        match = manner.soft.search(flat(entry))
        if not match:
            break
        entry = tidy(entry[: match.start()] + entry[match.end() :])
    return re.sub(r"\s+", " ", entry)
