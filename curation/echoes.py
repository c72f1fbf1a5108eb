"""Duplicates: a line that USER.md, SOUL.md or keep.md already says completely (C3, C8).

What is left of a line after the companion's words are taken away decides: names, numbers and
denials must all be there, and hardly a content word may be new. Otherwise the line adds something.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from curation.engine import Companion
from curation.findings import Finding
from curation.notes import Note, short
from curation.voice import Voice
from locales import Kind, flat
from memory.changeset import Category

_CROWD = 200


@dataclass(frozen=True)
class _Known:
    place: str
    stems: frozenset[str]
    denied: frozenset[str]


class Echoes:
    """All entries of the companions, indexed by stem."""

    def __init__(self, companions: Sequence[Companion], voice: Voice) -> None:
        """Read the companions' entries once."""
        self._voice = voice
        self._known: list[_Known] = []
        self._by_stem: dict[str, list[int]] = defaultdict(list)
        self._own = frozenset(
            short(stem)
            for companion in companions
            for text in companion.entries
            for stem in _named(text, voice)
        )
        for companion in companions:
            for text in companion.entries:
                self._add(companion.name, text)

    def find(self, note: Note) -> Finding | None:
        """The companion's entry that says the same, or None."""
        kinds = {short(s): k for s, k in note.kinds.items() if s not in self._voice.empty}
        wanted = {s: k for s, k in kinds.items() if s not in self._own}
        ranked = sorted(
            (self._known[i] for i in self._near(kinds)),
            key=lambda known: -len(known.stems & kinds.keys()),
        )
        if not ranked or note.ahead:
            return None
        if len(wanted) < 2:
            return _whole(kinds, ranked) if note.parent < 0 else None
        return self._judge(note, wanted, ranked[0]) or _halves(wanted, ranked)

    def _add(self, place: str, text: str) -> None:
        stems = frozenset(short(s) for s in self._voice.stems(text) if s not in self._voice.empty)
        for stem in stems:
            self._by_stem[stem].append(len(self._known))
        denied = self._voice.denied(text, self._voice.language(text))
        self._known.append(_Known(place, stems, frozenset(map(short, denied))))

    def _near(self, kinds: dict[str, Kind]) -> set[int]:
        return {i for stem in kinds for i in self._by_stem.get(stem, ())[:_CROWD]}

    def _judge(self, note: Note, wanted: dict[str, Kind], known: _Known) -> Finding | None:
        left = {stem: kind for stem, kind in wanted.items() if stem not in known.stems}
        left = {stem: kind for stem, kind in left.items() if stem not in _idle(note)}
        if any(kind is not Kind.WORD for kind in left.values()):
            return None
        cover = 1 - len(left) / len(wanted)
        ill = note.has("health") and cover >= 0.75
        if bool(note.denied) != bool(known.denied) and not ill:
            return None
        if cover < 0.6 or len(wanted) - len(left) < 2:
            return None
        certain = not left or (len(left) == 1 and cover >= 0.75)
        return Finding(Category.DUPLICATE, "duplicate_of", {"file": known.place}, certain)


def _idle(note: Note) -> frozenset[str]:
    """Short stems of words whose dictionary form is a stop word; lists hold only some forms."""
    grammar = note.voice.languages.grammar(note.language)
    surfaces = (token.surface for token in note.tokens)
    return frozenset(short(grammar.stem(s)) for s in surfaces if grammar.is_stop(grammar.lemma(s)))


def _whole(kinds: dict[str, Kind], ranked: Sequence[_Known]) -> Finding | None:
    """A line with hardly a word of its own must say all that the entry says."""
    same = next((known for known in ranked if known.stems == kinds.keys()), None)
    return Finding(Category.DUPLICATE, "duplicate_of", {"file": same.place}) if same else None


def _halves(wanted: dict[str, Kind], ranked: Sequence[_Known]) -> Finding | None:
    """Two entries that say it together, each of them mostly about this."""
    first = ranked[0]
    left = wanted.keys() - first.stems
    for second in ranked[1:]:
        both = all(2 * len(k.stems & wanted.keys()) >= len(k.stems) for k in (first, second))
        if left and left <= second.stems and both:
            place = first.place if first.place == second.place else f"{first.place}, {second.place}"
            return Finding(Category.DUPLICATE, "duplicate_of", {"file": place})
    return None


def _named(text: str, voice: Voice) -> tuple[str, ...]:
    """The names in an entry such as ``**Name:** Ada Quill``, else nothing."""
    head, _, tail = text.partition(":")
    return voice.stems(tail) if flat(head).strip(" *_") in voice.name_labels else ()
