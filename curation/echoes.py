"""Duplicates: a line that USER.md, SOUL.md or keep.md already says completely (C3, C8).

What is left of a line after the companion's words are taken away decides: names, numbers and
denials must all be there, and hardly a content word may be new. Otherwise the line adds something.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from curation.cues import ungrouped
from curation.duplicates import compare, index
from curation.engine import Companion, Relation
from curation.findings import Finding
from curation.notes import Note, short
from curation.voice import Voice
from locales import Grammar, Kind, flat
from memory.changeset import Category
from memory.folding import strict

_CROWD = 200


@dataclass(frozen=True)
class _Known:
    place: str
    stems: frozenset[str]
    denied: frozenset[str]
    text: str


class Echoes:
    """All entries of the companions, indexed by language and stem."""

    def __init__(self, companions: Sequence[Companion], voice: Voice) -> None:
        """Read the companions' entries once."""
        self._voice = voice
        self._known: list[_Known] = []
        self._by_stem: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._own = frozenset(
            short(stem)
            for companion in companions
            for at, text in enumerate(companion.entries)
            for stem in _named(text, voice, at == 0)
        )
        for companion in companions:
            for text in companion.entries:
                for code in voice.languages.codes:
                    self._add(companion.name, text, code)

    def find(self, note: Note) -> Finding | None:
        """The companion's entry that says the same, or None."""
        if note.ahead:
            return None
        kinds = {short(s): k for s, k in note.kinds.items() if s not in self._voice.empty}
        ranked = sorted(
            (self._known[i] for i in self._near(kinds, note.language)),
            key=lambda known: -len(known.stems & kinds.keys()),
        )
        if not ranked:
            return None
        return self._equal(note, ranked) or self._alike(note, kinds, ranked)

    def _equal(self, note: Note, ranked: Sequence[_Known]) -> Finding | None:
        """The same words, or the same but for their order and endings."""
        text = strict(note.text)
        exact = next((known for known in ranked if strict(known.text) == text), None)
        grammar = self._voice.languages.grammar(note.language)
        found = exact or _same(note, ranked[0], grammar)
        return _duplicate(found.place) if found else None

    def _alike(
        self, note: Note, kinds: dict[str, Kind], ranked: Sequence[_Known]
    ) -> Finding | None:
        wanted = {s: k for s, k in kinds.items() if s not in self._own}
        if len(wanted) < 2:
            return _whole(kinds, ranked) if note.parent < 0 else None
        return self._judge(note, wanted, ranked[0]) or _halves(wanted, ranked)

    def _add(self, place: str, text: str, code: str) -> None:
        """An entry as it reads in a language: a short one may be of any."""
        words = self._voice.content(ungrouped(text), code)
        stems = frozenset(short(s) for s in words if s not in self._voice.empty)
        for stem in stems:
            self._by_stem[code, stem].append(len(self._known))
        denied = self._voice.denied(text, code)
        self._known.append(_Known(place, stems, frozenset(map(short, denied)), text))

    def _near(self, kinds: dict[str, Kind], code: str) -> set[int]:
        return {i for stem in kinds for i in self._by_stem.get((code, stem), ())[:_CROWD]}

    def _judge(self, note: Note, wanted: Mapping[str, Kind], known: _Known) -> Finding | None:
        idle = _idle(note) | (_refused(note) if note.denied and known.denied else frozenset())
        left = {s: k for s, k in wanted.items() if s not in known.stems and s not in idle}
        ill = note.has("health")
        if any(kind is not Kind.WORD for kind in left.values()) or (ill and left):
            return None
        if _dated(note) & left.keys():
            return None
        note_stems = set(map(short, note.kinds)) | self._own
        cover = 1 - len(left) / len(wanted)
        if bool(note.denied) != bool(known.denied) and not ill:
            return None
        if cover < 0.6 or len(wanted.keys() & known.stems) < 2:
            return None
        spare = len(left) == 1 and cover >= 0.75 and not known.stems - note_stems
        return _duplicate(known.place, not left or spare)


def _duplicate(place: str, certain: bool = True) -> Finding:
    return Finding(Category.DUPLICATE, "duplicate_of", {"file": place}, certain)


def _same(note: Note, known: _Known, grammar: Grammar) -> _Known | None:
    """The entry if nothing is left over on the line's side (the residue rule of keep.md)."""
    text = note.text.removesuffix(".")
    if len(known.stems) < 2 or "`" in note.entry.text:
        return None
    match = compare(text, index((known.text,), grammar))
    return known if match.relation in (Relation.EXACT, Relation.SAME) else None


def _dated(note: Note) -> frozenset[str]:
    """Short stems of weekdays and months: another day is another fact."""
    calendar, voice = note.voice.calendar, note.voice
    named = (
        token.surface
        for token in note.tokens
        if calendar.weekday(token.surface) is not None or calendar.month(token.surface, True)
    )
    return frozenset(short(voice.stem(word, note.language)) for word in named)


def _refused(note: Note) -> frozenset[str]:
    """Short stems of the words that the line forbids: the other side may name the ban otherwise."""
    prefixes = note.voice.languages.grammar(note.language).words("lexicon.negation_prefixes")
    own = (word for word in note.words if any(word.startswith(p) for p in prefixes))
    return frozenset(map(short, (*note.denied, *own)))


def _idle(note: Note) -> frozenset[str]:
    """Short stems of words whose dictionary form is a stop word; lists hold only some forms."""
    grammar = note.voice.languages.grammar(note.language)
    surfaces = (token.surface for token in note.tokens)
    return frozenset(short(grammar.stem(s)) for s in surfaces if grammar.is_stop(grammar.lemma(s)))


def _whole(kinds: dict[str, Kind], ranked: Sequence[_Known]) -> Finding | None:
    """A line with hardly a word of its own must say all that the entry says."""
    same = next((known for known in ranked if known.stems == kinds.keys()), None)
    return _duplicate(same.place) if same else None


def _halves(wanted: dict[str, Kind], ranked: Sequence[_Known]) -> Finding | None:
    """Two entries that say it together, each of them mostly about this."""
    first = ranked[0]
    left = wanted.keys() - first.stems
    for second in ranked[1:]:
        both = all(2 * len(k.stems & wanted.keys()) >= len(k.stems) for k in (first, second))
        if left and left <= second.stems and both:
            place = first.place if first.place == second.place else f"{first.place}, {second.place}"
            return _duplicate(place)
    return None


def _named(text: str, voice: Voice, first: bool) -> tuple[str, ...]:
    """The names in an entry such as ``**Name:** Ada Quill``, or in an opening ``I am Fender``."""
    head, _, tail = text.partition(":")
    if flat(head).strip(" *_") in voice.name_labels:
        return voice.stems(tail)
    found = voice.content(text, voice.language(text)).items() if first else ()
    return tuple(stem for stem, kind in found if kind is Kind.NAME)
