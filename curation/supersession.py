"""Superseded: which older line a newer line replaces (C3).

A newer line has a change in it (moved, no longer, since, a new value) and, as a rule, a day.
Candidates come from an inverted index of stems, so the cost grows with the lines, not their pairs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import log

from curation.cues import Token
from curation.findings import Finding
from curation.notes import Note, short
from locales import flat
from memory.changeset import Category

_CROWD = 40
_RARE = 8
_TYPED = re.compile(
    r"(?P<ip>\d{1,3}(?:\.\d{1,3}){3})|(?P<time>\d{1,2}:\d\d)|(?P<version>v?\d+(?:\.\d+)+)"
    r"|(?P<number>\d+(?:[.,]\d+)?)(?:\s?[-–/×]\s?\d+(?:[.,]\d+)?)*\.?"
    r"(?:\s?(?P<unit>[%€$£°]\s?[CF]?|[^\W\d_]+(?:/[^\W\d_]+)?))?"
)
_NUMBERED = re.compile(r"^[^\W\d_]+[ -]\d+$")
_BEFORE = re.compile(r"([^\W\d_]{3,})[\s-]+$")


@dataclass(frozen=True)
class Topic:
    """A note's subject matter in short stems."""

    note: Note
    context: frozenset[str]

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The content stems in order, without numbers, units and empty words.

        A line that only says "version 1.2" is about its heading.
        """
        return self.note.subject or tuple(sorted(self.context))

    @cached_property
    def known(self) -> frozenset[str]:
        """The same as a set, with the codes and numbers that can stand for a thing."""
        return frozenset(self.words)

    @cached_property
    def marks(self) -> frozenset[str]:
        """Codes, versions and addresses: tokens with digits that are no plain small numbers."""
        return frozenset(
            token.flat
            for token in self.note.tokens
            if any(c.isdigit() for c in token.flat) and not token.flat.isdigit()
        )

    @cached_property
    def values(self) -> Mapping[str, frozenset[str]]:
        """Typed values outside dates: addresses, times, versions, days, amounts by their noun."""
        found: dict[str, set[str]] = defaultdict(set)
        text = _without_dates(self.note)
        for match in _TYPED.finditer(text):
            for kind in self._value_kinds(match, text):
                found[kind].add(match["number"] or match.group())
        for noun, name in pairwise(self.note.tokens):
            if noun.surface.islower() and name.surface[0].isupper() and len(noun.surface) > 3:
                found["~" + noun.flat[:5]].add(name.flat[:5])
        days = (self.note.voice.calendar.weekday(token.surface) for token in self.note.tokens)
        found |= {"weekday": {str(day) for day in days if day is not None}}
        return {kind: frozenset(values) for kind, values in found.items() if values}

    def _value_kinds(self, match: re.Match[str], text: str) -> Iterator[str]:
        """What a value is a value of: its form, the noun after it, the noun before it."""
        if match["number"] is None:
            yield match.lastgroup or ""
            return
        beside = [match["unit"] or ""]
        ahead = _BEFORE.search(text, max(0, match.start() - 30), match.start())
        grammar = self.note.voice.languages.grammar(self.note.language)
        if ahead:
            beside.append(ahead[1])
        for word in beside:
            if word and not grammar.is_stop(word):
                yield ("=" if word is beside[0] else "") + flat(word)[:4]

    @cached_property
    def replaced(self) -> tuple[frozenset[str], frozenset[str]]:
        """What the line says was left (from, instead of) and what was taken up (to)."""
        return self._following("source"), self._following("target")

    def _following(self, cue: str) -> frozenset[str]:
        """The first thing that is named after each place of a cue."""
        note = self.note
        found: set[str] = set()
        for at in note.hits.get(cue, ()):
            near = (self._things(token) for token in note.tokens[at + 1 : at + 4])
            found |= next((things for things in near if things), set())
        return frozenset(found)

    def _things(self, token: Token) -> set[str]:
        if token.flat in self.marks:
            return {token.flat}
        return {short(_stem(self.note, token.surface))} & self.known

    @cached_property
    def leavers(self) -> tuple[frozenset[str], frozenset[str]]:
        """What stands before a "left" cue: the nearest word if it is a name, and all near words."""
        note, names, nouns = self.note, set[str](), set[str]()
        for at in note.hits.get("left", ()):
            near = note.tokens[max(0, at - 5) : at]
            stems = [s for t in near if (s := self._thing(t)) in self.known]
            names.update({*stems[-1:]} & self.names)
            nouns.update(stems)
        return frozenset(names), frozenset(nouns)

    def _thing(self, token: Token) -> str:
        """The short stem of a word that is no month."""
        month = self.note.voice.calendar.month(token.surface, True)
        return "" if month else short(_stem(self.note, token.surface))

    @cached_property
    def names(self) -> frozenset[str]:
        """Short stems that look like names."""
        return frozenset(short(name) for name in self.note.names)

    @property
    def place(self) -> tuple[int, int]:
        """The section and subsection of the line."""
        return self.note.entry.section, self.note.entry.subsection


def _without_dates(note: Note) -> str:
    text = note.text
    for moment in note.voice.calendar.moments(text, note.voice.today):
        text = text[: moment.start] + " " * (moment.stop - moment.start) + text[moment.stop :]
    return text


def _stem(note: Note, surface: str) -> str:
    return note.voice.stem(surface, note.language)


class Succession:
    """The topics of all notes with an index from stem to notes."""

    def __init__(self, notes: Sequence[Note]) -> None:
        """Index every note that may be replaced."""
        titles: dict[str, frozenset[str]] = {}
        self._topics: dict[int, Topic] = {}
        self._by_stem: dict[str, list[int]] = defaultdict(list)
        self._by_place: dict[tuple[str, tuple[int, int]], list[int]] = defaultdict(list)
        for note in notes:
            topic = Topic(note, _context(note, titles))
            self._topics[note.index] = topic
            if not note.pinned:
                self._add(topic)

    def findings(self) -> dict[int, Finding]:
        """For each replaced note its finding; the newest certain line wins."""
        found: dict[int, Finding] = {}
        for newer in self._topics.values():
            if _announces(newer.note):
                for older, certain in self._replaced_by(newer):
                    _note_down(found, older, newer, certain)
        return found

    def _add(self, topic: Topic) -> None:
        for stem in topic.known | topic.context | topic.marks:
            self._by_stem[stem].append(topic.note.index)
            self._by_place[stem, topic.place].append(topic.note.index)

    def _replaced_by(self, newer: Topic) -> Iterator[tuple[Topic, bool]]:
        for index in self._candidates(newer):
            older = self._topics[index]
            if _older(older.note, newer.note):
                verdict = self._judge(older, newer)
                if verdict is not None:
                    yield older, verdict

    def _candidates(self, newer: Topic) -> set[int]:
        """Notes that share a rare stem, or two stems, with the newer line."""
        points: dict[int, int] = defaultdict(int)
        for stem in (*newer.words, *newer.marks):
            posting = self._by_stem.get(stem, [])
            weight = 2 if len(posting) <= _RARE else 1
            if len(posting) > _CROWD:
                posting = self._by_place.get((stem, newer.place), [])[:_CROWD]
                weight = 2
            for index in posting:
                points[index] += weight
        return {i for i, n in points.items() if n > 1} - {newer.note.index}

    def _weight(self, stem: str) -> float:
        return 0.3 + log((len(self._topics) + 2) / (len(self._by_stem.get(stem, ())) + 1))

    def _coverage(self, older: Topic, newer: Topic) -> float:
        total = sum(map(self._weight, older.words))
        if not total:
            return 0.0
        return sum(self._weight(w) for w in older.words if w in newer.known) / total

    def _judge(self, older: Topic, newer: Topic) -> bool | None:
        """True certain, False perhaps, None not replaced."""
        if _other_thing(older, newer):
            return None
        pair = Pair(older, newer, self._coverage(older, newer))
        verdicts = (rule(pair) for rule in (_left_behind, _gone, _relabelled, _succeeded, _changed))
        return next((verdict for verdict in verdicts if verdict is not None), None)


@dataclass(frozen=True)
class Pair:
    """An older line and the newer one that may replace it.

    ``cover`` is the share of the older line's words (rare ones count more) in the newer line.
    """

    older: Topic
    newer: Topic
    cover: float

    @cached_property
    def shared(self) -> frozenset[str]:
        """The words both have."""
        return self.older.known & self.newer.known

    @cached_property
    def near(self) -> bool:
        """Whether they stand under one heading, or the newer names the older one's heading."""
        return self.together or bool(self.older.context & self.newer.known)

    @cached_property
    def together(self) -> bool:
        """Whether they stand under one heading."""
        return self.older.place == self.newer.place

    @cached_property
    def next(self) -> bool:
        """Whether the newer line follows the older one directly or after one more line."""
        return self.together and 0 < self.newer.note.index - self.older.note.index <= 2

    @cached_property
    def anchored(self) -> bool:
        """Whether the newer line is about the older one's subject."""
        older = self.older
        leads = bool(older.words) and older.words[0] in self.newer.known
        listed = self.together and any(m.start < 2 for m in older.note.moments)
        return leads or bool(older.names & self.shared) or (self.near and not listed)

    @cached_property
    def lead(self) -> int:
        """How many leading words they have in common."""
        both = zip(self.older.words, self.newer.words, strict=False)
        return next((i for i, (a, b) in enumerate(both) if a != b), len(self.older.words))

    @cached_property
    def dated(self) -> bool:
        """Whether the newer line tells of a change on a day that is past."""
        return self.told and self.newer.note.has("moved", "left")

    @cached_property
    def told(self) -> bool:
        """Whether the newer line names a past day or period with its year, or a day."""
        return any(m.dated or m.exact for m in self.newer.note.past)

    @cached_property
    def differs(self) -> bool:
        """Whether a value of one kind is another one now."""
        values = self.newer.values
        return any(k in values and not v & values[k] for k, v in self.older.values.items())


def _context(note: Note, titles: dict[str, frozenset[str]]) -> frozenset[str]:
    """The short stems of the nearest heading."""
    title = note.headings[-1].title if note.headings else ""
    if title not in titles:
        titles[title] = frozenset(short(s) for s in note.voice.stems(title) if not s[0].isdigit())
    return titles[title]


def _announces(note: Note) -> bool:
    """Whether a line tells of a change that has happened, or says since when it holds."""
    if note.has("unaffected", "failure") or note.done is not None:
        return False
    return note.has("moved", "left") or note.since or any(m.start < 2 for m in note.past)


def _older(older: Note, newer: Note) -> bool:
    if older.done is not None:
        return False
    if newer.newest is None:
        return older.newest is None and not older.has("moved") and older.index < newer.index
    return all(moment.last < newer.newest for moment in older.moments)


def _other_thing(older: Topic, newer: Topic) -> bool:
    """The same template about something else: another number in the label or the leading code."""
    for one, other in ((older, newer), (newer, older)):
        label = one.note.label
        if _NUMBERED.search(label) and label not in flat(other.note.text):
            return True
        first = one.note.tokens[0].flat if one.note.tokens else ""
        if "-" in first and first in one.marks and first not in other.marks:
            return True
    return False


def _left_behind(pair: Pair) -> bool | None:
    """ "From X to Y": the older line has X and not Y."""
    older, (source, target) = pair.older, pair.newer.replaced
    things = older.known | older.marks
    left = source & things
    if not left or (target - source) & things:
        return None
    whole = bool(older.note.label) and len(older.words) <= 3
    if pair.cover < 0.5 and not (pair.near and len(older.words) <= 6) and len(older.words) > 3:
        return None
    return pair.told and (bool(pair.shared - source) or pair.near or whole)


def _gone(pair: Pair) -> bool | None:
    """Somebody left or something ended, and the older line is about just that."""
    names, nouns = pair.newer.leavers
    if names & pair.older.names & frozenset(pair.older.words[:3]):
        return pair.told and pair.cover >= 0.2
    if pair.older.note.has("standing"):
        return None
    subject = nouns & pair.older.known
    if subject and subject <= frozenset(pair.older.words[: len(subject) + 1]) and pair.near:
        return pair.told and subject == nouns & pair.newer.known
    return None


def _relabelled(pair: Pair) -> bool | None:
    """The same label before the colon, and a change behind it."""
    label = pair.older.note.label
    if not label or label != pair.newer.note.label or not pair.dated or not pair.together:
        return None
    return True if len(pair.shared) > len(label.split()) - 1 else None


def _succeeded(pair: Pair) -> bool | None:
    """A short line gives a role to a name, and the newer one gives it to another name."""
    older, newer = pair.older, pair.newer
    role = older.known - older.names
    others = older.names - newer.known
    swapped = bool(others) and bool(newer.names - older.known)
    if not (role and role <= newer.known and swapped and len(older.words) <= 4):
        return None
    return True if pair.told and (newer.note.since or pair.dated) and pair.near else None


def _changed(pair: Pair) -> bool | None:
    """The same subject with another value, another sign, or another wording."""
    if not (pair.anchored and pair.shared):
        return None
    fresh = pair.differs or bool(pair.older.note.moments)
    sure = pair.dated or (pair.told and pair.cover >= 0.75 and fresh)
    if pair.differs and pair.cover >= (0.3 if pair.near else 0.45):
        firm = sure and (len(pair.shared) >= 2 or pair.near or pair.cover >= 0.5)
        return firm or (None if pair.cover < 0.6 else False)
    if pair.cover >= 0.7 and _flipped(pair):
        return sure
    return _reworded(pair, sure)


def _flipped(pair: Pair) -> bool:
    """Whether one line denies what the other says."""
    odd = pair.older.note.denied ^ pair.newer.note.denied
    return any(not stem or short(stem) in pair.shared for stem in odd)


def _reworded(pair: Pair, sure: bool) -> bool | None:
    """Much the same words; near neighbours need fewer."""
    shared = len(pair.shared)
    if pair.older.note.has("standing") and pair.cover < 0.75:
        return None
    if shared >= 2 and pair.cover >= 0.6:
        return sure and (pair.cover >= 0.75 or pair.near)
    close = (pair.lead >= 2 and shared >= 3) or (pair.together and shared >= 3)
    beside = pair.next and pair.differs and (shared >= 2 or (pair.lead and pair.newer.note.since))
    if pair.dated and ((close and pair.cover >= 0.4) or beside):
        return True if pair.cover >= (0.15 if pair.lead and beside else 0.3) else None
    return None


def _note_down(found: dict[int, Finding], older: Topic, newer: Topic, certain: bool) -> None:
    known = found.get(older.note.index)
    if known and known.certain and not certain:
        return
    found[older.note.index] = Finding(
        Category.SUPERSEDED, "superseded_by", certain=certain, newer=newer.note.index
    )
