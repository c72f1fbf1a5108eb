"""Merges: neighbouring bullets of one subsection on one topic, joined without a loss (C3).

The merged text is made of the bullets' own words: a subject they share is said once, the rest is
joined by semicolons. Where that would exceed the limits nothing is merged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from curation.notes import Note
from curation.supersession import short
from memory.document import EntryKind

LINES = 3
CHARACTERS = 300
_MEMBERS = 4
_JOINER = "; "
_LABEL = re.compile(r"([^:;`]{2,40}):\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Merge:
    """Neighbouring notes with the one line that replaces them; ``equal`` when they are the same."""

    notes: tuple[Note, ...]
    text: str
    equal: bool
    certain: bool


def merges(notes: Sequence[Note], alive: Callable[[Note], bool]) -> tuple[Merge, ...]:
    """All merges among the notes that stay."""
    return tuple(m for run in _runs(notes, alive) for m in _split(run))


def _runs(notes: Sequence[Note], alive: Callable[[Note], bool]) -> Iterator[list[Note]]:
    """Maximal runs of mergeable bullets on directly following lines."""
    run: list[Note] = []
    parents = {note.parent for note in notes}
    for note in notes:
        fits = alive(note) and note.index not in parents and _mergeable(note)
        if run and not (fits and _adjacent(run[-1], note)):
            yield run
            run = []
        if fits:
            run.append(note)
    if run:
        yield run


def _mergeable(note: Note) -> bool:
    entry = note.entry
    plain = entry.kind is EntryKind.BULLET and not note.pinned and note.done is None
    return plain and ";" not in entry.text and "```" not in entry.text and len(entry.text) <= 140


def _adjacent(first: Note, second: Note) -> bool:
    a, b = first.entry, second.entry
    same = (a.section, a.subsection, a.indent, a.marker[-1]) == (
        b.section,
        b.subsection,
        b.indent,
        b.marker[-1],
    )
    return same and a.span.stop == b.span.start and a.subsection >= 0


def _split(run: Sequence[Note]) -> Iterator[Merge]:
    """Cut a run where the topic changes; equal neighbours merge first."""
    group: list[Note] = []
    for note in run:
        if group and not (len(group) < _MEMBERS and _one_topic(group, note)):
            yield from _merge(group)
            group = []
        group.append(note)
    yield from _merge(group)


def _one_topic(group: Sequence[Note], note: Note) -> bool:
    last = group[-1]
    if last.entry.text == note.entry.text:
        return True
    if len(group) > 1 and group[0].entry.text == last.entry.text:
        return False
    return _joint(last, note)


def _joint(first: Note, second: Note) -> bool:
    """One subject: the same label, or a leading word of one that the other has too."""
    if first.label and first.label == second.label:
        return True
    if first.label or second.label:
        return False
    a, b = _subject(first), _subject(second)
    shared = _stems(first) & _stems(second)
    return (
        bool(a and b)
        and (a[0] == b[0] or a[0] in shared or b[0] in shared)
        and _alike(first, second)
    )


def _alike(first: Note, second: Note) -> bool:
    """Both are rules or both are facts: neither has a day or a change of its own."""
    return not any(
        n.moments or n.has("moved_on", "health", "now", "failure") for n in (first, second)
    )


def _subject(note: Note) -> tuple[str, ...]:
    return tuple(short(w) for w in note.words[:2])


def _stems(note: Note) -> frozenset[str]:
    return frozenset(short(w) for w in note.words)


def _merge(group: Sequence[Note]) -> Iterator[Merge]:
    if len(group) < 2:
        return
    texts = [note.entry.text for note in group]
    equal = len(set(texts)) == 1
    first = group[0].entry
    joined = texts[0] if equal else _join(texts)
    line = " " * first.indent + first.marker + " " + joined
    if len(line) <= CHARACTERS:
        yield Merge(tuple(group), line, equal, equal)


def _join(texts: Sequence[str]) -> str:
    """The first text, then what the others add; a label or leading words in common only once."""
    head = _common(texts)
    rest = [text[len(head) :].lstrip() for text in texts[1:]]
    return _JOINER.join([_ended(texts[0]), *map(_ended, rest)])


def _ended(text: str) -> str:
    return text[:-1] if text.endswith(".") and not text.endswith("..") else text


def _common(texts: Sequence[str]) -> str:
    """The label all texts start with, or at least two leading words; else nothing."""
    label = _LABEL.match(texts[0])
    if label and all(text.startswith(label.group()) for text in texts):
        return label.group()
    words = [text.split(" ") for text in texts]
    count = 0
    while all(len(w) > count + 1 and w[count] == words[0][count] for w in words):
        count += 1
    return " ".join(words[0][:count]) + " " if count >= 2 else ""
