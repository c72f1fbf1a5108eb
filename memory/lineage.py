"""Where a foreign text comes from, and how it joins ours: pure work on lines (reliability.md d.4).

A program that shares the files but no lock reads a document, thinks, and writes it back whole.
What it wrote descends from the version it read, so that version is looked for first: lines that
ours has gained since are no deletions of his. Then both sides' changes are put together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Indel

from memory.document import Document
from memory.edits import Hunk, apply
from memory.patches import Patch, closed, marked, unmarked

Lines = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One change of a document, as hunks in the coordinates of the version before it."""

    hunks: tuple[Hunk, ...]

    def back(self) -> tuple[Hunk, ...]:
        """The hunks that take it back, in the coordinates of the version after it."""
        shift, turned = 0, []
        for hunk in self.hunks:
            turned.append(Hunk(hunk.start + shift, hunk.new, hunk.old))
            shift += len(hunk.new) - len(hunk.old)
        return tuple(turned)

    @property
    def net(self) -> tuple[Counter[str], Counter[str]]:
        """How often which line comes in, and goes out."""
        new = Counter(key for hunk in self.hunks for key in _keys(hunk.new))
        old = Counter(key for hunk in self.hunks for key in _keys(hunk.old))
        return new - old, old - new


def changes(before: Document, after: Document) -> tuple[Hunk, ...]:
    """The hunks from one document to another; lines are equal when they differ in their end only.

    A byte order mark is no part of any line.
    """
    return tuple(_changes(unmarked(before).raw, unmarked(after).raw))


def patches(before: Document, after: Document) -> tuple[Patch, ...]:
    """The same as patches of one item, for a step that is taken back as a whole."""
    return tuple(Patch(0, hunk) for hunk in changes(before, after))


def _changes(old: Lines, new: Lines) -> Iterator[Hunk]:
    keys, others = _keys(old), _keys(new)
    for block in Indel.opcodes(keys, others):
        if block.tag != "equal":
            yield Hunk(
                block.src_start,
                old[block.src_start : block.src_end],
                new[block.dest_start : block.dest_end],
            )


def _keys(lines: Lines) -> list[str]:
    return [line.rstrip("\r\n") for line in lines]


def ancestor(newest: Document, steps: Iterable[Step], theirs: Document) -> Document:
    """The version that a foreign text was made from, as far as lines can tell.

    Going back in time, it is the first one whose last change shows in the text. A text that
    shows nothing of our newest line has not seen it, rather than removed it.

    Args:
        newest: our newest version.
        steps: the changes that led to it, the newest first, as far back as one may go.
    """
    bare, found = unmarked(newest), Counter(_keys(unmarked(theirs).raw))
    counts = Counter(_keys(bare.raw))
    for step in steps:
        added, removed = step.net
        before = counts - added + removed
        if _shows(found, added, before) if added else _lacks(found, removed, counts):
            break
        bare, counts = apply(bare, step.back()), before
    return marked(bare, newest)


def nearest(theirs: Document, candidates: Iterable[Document]) -> Document:
    """The document that differs from theirs in the fewest lines; of equals the first."""
    found = Counter(_keys(unmarked(theirs).raw))

    def distance(document: Document) -> int:
        counts = Counter(_keys(unmarked(document).raw))
        return (counts - found).total() + (found - counts).total()

    return min(candidates, key=distance)


def _shows(found: Counter[str], added: Counter[str], before: Counter[str]) -> bool:
    return any(found[key] > before[key] for key in added)


def _lacks(found: Counter[str], removed: Counter[str], after: Counter[str]) -> bool:
    return all(found[key] <= after[key] for key in removed)


def merge(base: Document, ours: Document, theirs: Document) -> Document:
    """Theirs with our changes to the base; nothing that either side wrote is lost.

    Where both changed the same lines, theirs come first and ours follow, equal ones once; a line
    that one side removed and the other changed stays as changed. Lines that we leave alone stay
    theirs byte for byte (W2).
    """
    bare, whole = unmarked(base), unmarked(theirs)
    hunks, shift = [], 0
    for mine, other in _groups(changes(base, ours), changes(base, theirs)):
        start = min(hunk.start for hunk in (*mine, *other))
        stop = max(hunk.stop for hunk in (*mine, *other))
        known = bare.raw[start:stop]
        grown = sum(len(hunk.new) - len(hunk.old) for hunk in other)
        found = whole.raw[start + shift : stop + shift + grown]
        if mine:
            joined = tuple(_union(known, _stretch(bare.raw, mine, start, stop), found))
            hunks.append(Hunk(start + shift, found, _ended(joined, whole.newline)))
        shift += grown
    return marked(closed(apply(whole, hunks)), theirs)


def common(one: Document, other: Document) -> Document:
    """The lines that two documents have in common, in the order of the first."""
    hunks = changes(one, other)
    return apply(unmarked(one), [Hunk(hunk.start, hunk.old, ()) for hunk in hunks])


def _groups(
    ours: Sequence[Hunk], theirs: Sequence[Hunk]
) -> Iterator[tuple[list[Hunk], list[Hunk]]]:
    """The hunks of both sides in file order; those that touch each other come together."""
    sided = [(hunk, 0) for hunk in ours] + [(hunk, 1) for hunk in theirs]
    group: tuple[list[Hunk], list[Hunk]] = ([], [])
    stop = -1
    for hunk, side in sorted(sided, key=lambda pair: (pair[0].start, pair[0].stop)):
        if hunk.start > stop and (group[0] or group[1]):
            yield group
            group = ([], [])
        group[side].append(hunk)
        stop = max(stop, hunk.stop)
    if group[0] or group[1]:
        yield group


def _stretch(base: Lines, hunks: list[Hunk], start: int, stop: int) -> Lines:
    """What one side makes of the lines from ``start`` to ``stop``."""
    made, line = list[str](), start
    for hunk in hunks:
        made += [*base[line : hunk.start], *hunk.new]
        line = hunk.stop
    return (*made, *base[line:stop])


def _union(base: Lines, ours: Lines, theirs: Lines) -> Iterator[str]:
    """Their lines without those that only we removed, then ours that they do not have."""
    known, mine, other = (Counter(_keys(lines)) for lines in (base, ours, theirs))
    removed = known - mine
    for line in theirs:
        key = line.rstrip("\r\n")
        if removed[key] > 0 and known[key] >= other[key]:
            removed[key] -= 1
        else:
            yield line
    added = mine - known - (other - known)
    for line in ours:
        key = line.rstrip("\r\n")
        if added[key] > 0:
            added[key] -= 1
            yield line


def _ended(lines: Lines, end: str) -> Lines:
    """The lines with one kind of end; a last one without any may stay so."""
    bare = tuple(line.rstrip("\r\n") for line in lines)
    if not lines or lines[-1].endswith("\n"):
        return tuple(line + end for line in bare)
    return (*(line + end for line in bare[:-1]), bare[-1])
