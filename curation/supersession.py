"""Superseded: which older line a newer line replaces (C3).

A newer line has a change in it (moved, no longer, since, a new value) and, as a rule, a day.
Candidates come from an inverted index of stems, so the cost grows with the lines, not their pairs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import log

from curation.findings import Finding
from curation.notes import Note, short
from curation.slots import Pair, replaces
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
        capital = frozenset(stem for note in notes for stem in _capital(note))
        for note in notes:
            topic = Topic(note, _context(note, titles), capital)
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
        found = {i for i, n in points.items() if n > 1 or len(self._topics[i].words) <= 2}
        return found - {newer.note.index}

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
        return replaces(Pair(older, newer, self._coverage(older, newer)))


def _context(note: Note, titles: dict[str, frozenset[str]]) -> frozenset[str]:
    """The short stems of the nearest heading."""
    title = note.headings[-1].title if note.headings else ""
    if title not in titles:
        titles[title] = frozenset(short(s) for s in note.voice.stems(title) if not s[0].isdigit())
    return titles[title]


def _capital(note: Note) -> Iterator[str]:
    """The names that do not only open the line or follow its label."""
    first = note.words[:1]
    return (short(name) for name in note.names if name not in first)


def _announces(note: Note) -> bool:
    """Whether a line tells of a change that has happened, or says since when it holds."""
    failed = note.has("failure") and not note.has("change")
    if failed or note.has("unaffected") or note.done is not None:
        return False
    told = note.has(
        "moved",
        "left",
        "instead",
        "nolonger",
        "succeeds",
        "takes",
        "returned",
        "restored",
        "repair",
    )
    return told or note.since or any(m.start < 2 for m in note.past)


def _older(older: Note, newer: Note) -> bool:
    if older.done is not None or older.entry.text == newer.entry.text:
        return False
    if newer.newest is None:
        return older.index < newer.index and (older.newest is None or not older.since)
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


def _note_down(found: dict[int, Finding], older: Topic, newer: Topic, certain: bool) -> None:
    known = found.get(older.note.index)
    if known and known.certain and not certain:
        return
    found[older.note.index] = Finding(
        Category.SUPERSEDED, "superseded_by", certain=certain, newer=newer.note.index
    )
