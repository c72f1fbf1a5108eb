"""Superseded: which older line a newer line replaces (C3).

A newer line has a change in it (moved, no longer, since, a new value) and, as a rule, a day.
Candidates come from an inverted index of stems, so the cost grows with the lines, not their pairs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log

from curation.findings import Finding
from curation.notes import Note, short
from curation.topics import Topic
from locales import flat
from memory.changeset import Category

Place = tuple[int, int]
_CROWD = 40
_RARE = 8
_NUMBERED = re.compile(r"^[^\W\d_]+[ -]\d+$")


class Succession:
    """The topics of all notes with an index from stem to notes."""

    def __init__(self, notes: Sequence[Note]) -> None:
        """Index every note that may be replaced."""
        titles: dict[str, frozenset[str]] = {}
        self._topics: dict[int, Topic] = {}
        self._by_stem: dict[str, list[int]] = defaultdict(list)
        self._by_place: dict[str, dict[Place, list[int]]] = {}
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

    def _crowd(self, stem: str, place: Place) -> list[int]:
        """The notes with a common stem under one heading."""
        if stem not in self._by_place:
            groups: dict[Place, list[int]] = defaultdict(list)
            for index in self._by_stem[stem]:
                groups[self._topics[index].place].append(index)
            self._by_place[stem] = groups
        return self._by_place[stem].get(place, [])

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
                posting = self._crowd(stem, newer.place)[:_CROWD]
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
        if any(k in values and not v & values[k] for k, v in self.older.values.items()):
            return True
        now, then = values.get("to", frozenset()), frozenset().union(*self.older.values.values())
        return bool(now and then) and len(then) <= 2 and not then & now


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
