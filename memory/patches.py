"""Several items on one document: planned together, kept apart, and taken back one by one.

All hunks of an operation are held in the coordinates of the document it started from, so each
item keeps its place whichever of its siblings are undone. Nothing here knows a disk or a clock.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from memory.document import BOM, Document, Span
from memory.edits import Hunk, apply
from memory.operations import Item


@dataclass(frozen=True, slots=True)
class Patch:
    """A hunk of an item in base coordinates, with the raw lines next to its result.

    ``above`` and ``below`` are the neighbours in the finished document, None at its ends:
    they find the place again when the document moved on.
    """

    item: int
    hunk: Hunk
    above: str | None = None
    below: str | None = None

    @property
    def delta(self) -> int:
        """By how many lines the document grows."""
        return len(self.hunk.new) - len(self.hunk.old)


@dataclass(frozen=True, slots=True)
class Plan:
    """What an operation does to a document; indexes point into its items."""

    before: Document
    after: Document
    patches: tuple[Patch, ...]
    applied: tuple[int, ...]
    skipped: tuple[int, ...]


def plan(document: Document, items: Sequence[Item]) -> Plan:
    """Plan every item on the document; what has lost its lines is skipped (D5).

    An item is planned on the document as it stands; where that fails or collides with an
    earlier item, on the document with the earlier ones applied. An item that would change
    lines an earlier one wrote is skipped.
    """
    patches: list[Patch] = []
    applied, skipped = [], []
    whole, document = document, unmarked(document)
    for index, item in enumerate(items):
        hunks = _place(document, patches, item)
        if hunks is None:
            skipped.append(index)
        elif hunks:
            for hunk in hunks:
                bisect.insort(patches, Patch(index, hunk), key=_rank)
            applied.append(index)
    after = _build(document, patches)
    known = tuple(_with_neighbours(after, patches))
    return Plan(whole, marked(after, whole), known, tuple(applied), tuple(skipped))


def unmarked(document: Document) -> Document:
    """The document without its byte order mark, so that no hunk has to carry it along."""
    if not document.raw or not document.raw[0].startswith(BOM):
        return document
    return Document.of("".join(document.raw).removeprefix(BOM))


def marked(document: Document, like: Document) -> Document:
    """The document with a byte order mark if the other one has it."""
    if not like.raw or not like.raw[0].startswith(BOM):
        return document
    first, *rest = document.raw or ("",)
    return Document((BOM + first, *rest))


def _place(document: Document, patches: list[Patch], item: Item) -> tuple[Hunk, ...] | None:
    hunks = item.edit(document)
    if not patches or (hunks is not None and _free(hunks, patches)):
        return hunks
    later = item.edit(_build(document, patches))
    if later is None:
        return None
    mapped = [_to_base(hunk, patches) for hunk in later]
    return None if None in mapped else tuple(h for h in mapped if h is not None)


def _free(hunks: Sequence[Hunk], patches: Sequence[Patch]) -> bool:
    return not any(_touch(hunk, patch.hunk) for hunk in hunks for patch in _near(hunk, patches))


def _near(hunk: Hunk, patches: Sequence[Patch]) -> Iterable[Patch]:
    """The ordered patches that may share lines with a hunk: those in it, and the one before."""
    first = bisect.bisect_left(patches, hunk.start, key=lambda p: p.hunk.start)
    above = (patches[i] for i in range(first - 1, -1, -1) if patches[i].hunk.old)
    yield from itertools.islice(above, 1)
    inside = itertools.islice(patches, first, None)
    yield from itertools.takewhile(lambda p: p.hunk.start < hunk.stop, inside)


def _touch(one: Hunk, other: Hunk) -> bool:
    """Whether two hunks share lines, or one inserts strictly inside the other."""
    return one.start < other.start + len(other.old) and other.start < one.start + len(one.old)


def _to_base(hunk: Hunk, patches: Sequence[Patch]) -> Hunk | None:
    """A hunk of the half-done document in base coordinates; None if it hits written lines."""
    shift = 0
    for patch in patches:
        start = patch.hunk.start + shift
        stop = start + len(patch.hunk.new)
        if hunk.start >= stop:
            shift += patch.delta
        elif hunk.start + len(hunk.old) > start:
            return None
    return Hunk(hunk.start - shift, hunk.old, hunk.new)


def _rank(patch: Patch) -> tuple[int, bool, int]:
    """In file order: at one line, insertions before replacements, then as given."""
    return patch.hunk.start, bool(patch.hunk.old), patch.item


def _build(document: Document, patches: Iterable[Patch]) -> Document:
    return apply(document, (patch.hunk for patch in patches))


def _with_neighbours(after: Document, patches: Sequence[Patch]) -> Iterable[Patch]:
    shift = 0
    for patch in patches:
        start = patch.hunk.start + shift
        above, below = _neighbours(after, start, len(patch.hunk.new))
        yield Patch(patch.item, patch.hunk, above, below)
        shift += patch.delta


def _neighbours(document: Document, start: int, length: int) -> tuple[str | None, str | None]:
    raw = document.raw
    above = raw[start - 1] if 0 < start <= len(raw) else None
    below = raw[start + length] if 0 <= start + length < len(raw) else None
    return above, below


@dataclass(frozen=True, slots=True)
class Record:
    """What an operation did, as the journal keeps it; ``standing`` items are not undone yet."""

    patches: tuple[Patch, ...]
    standing: frozenset[int]


@dataclass(frozen=True, slots=True)
class Reversal:
    """The document with items taken back; ``skipped`` are those whose lines moved on."""

    after: Document
    undone: tuple[int, ...]
    skipped: tuple[int, ...]


def reverse(document: Document, record: Record, wanted: Collection[int], trusted: bool) -> Reversal:
    """Take the wanted items back.

    ``trusted`` says that the document is byte for byte what the operation, or the newest undo
    of one of its items, left behind; then every place is known and nothing is searched.
    Otherwise a heading that the items made stays while lines of others stand below it.
    """
    bare, chosen = unmarked(document), frozenset(wanted)
    found, lost = _inverted(bare, record, chosen, trusted)
    found = found if trusted else _sheltering(bare, found)
    kept, clashing = _apart([p for p in found if p.item not in lost])
    skipped = lost | clashing
    after = _build(bare, [p for p in kept if p.item not in skipped])
    undone = tuple(sorted(chosen - skipped))
    return Reversal(marked(closed(after), document), undone, tuple(sorted(skipped)))


def _inverted(
    document: Document, record: Record, wanted: frozenset[int], trusted: bool
) -> tuple[list[Patch], set[int]]:
    """The inverse patches of the wanted items where they stand now, and the items not found."""
    found, lost, shift = list[Patch](), set[int](), 0
    seek = _Search(document)
    for patch in record.patches:
        if patch.item not in record.standing:
            continue
        if patch.item in wanted:
            place = seek.locate(patch, patch.hunk.start + shift, trusted)
            if place is None:
                lost.add(patch.item)
            else:
                back = Hunk(place, patch.hunk.new, patch.hunk.old)
                found.append(replace(patch, hunk=back))
        shift += patch.delta
    return found, lost


def _sheltering(document: Document, inverse: Sequence[Patch]) -> list[Patch]:
    """The inverse patches, each without the headings below which other lines stand by now."""
    going = {n for patch in inverse for n in range(patch.hunk.start, patch.hunk.stop)}
    full = [
        heading.line
        for heading in document.headings
        if heading.line in going and _holds(document, heading.body, going)
    ]
    return [_sparing(document, patch, full) for patch in inverse] if full else list(inverse)


def _holds(document: Document, body: Span, going: Collection[int]) -> bool:
    """Whether lines stand in a place that are neither blank nor about to go."""
    inside = range(body.start, body.stop)
    return any(n not in going and document.lines[n].strip() for n in inside)


def _sparing(document: Document, patch: Patch, full: Sequence[int]) -> Patch:
    """An inverse patch that leaves those of its headings, with the blank lines around them.

    A heading that was renamed, or put over lines that stood there already, goes all the same.
    """
    hunk = patch.hunk
    spared = [n for n in full if hunk.start <= n < hunk.stop]
    if not spared or _has_heading(hunk.new) or not _stood_free(patch.below):
        return patch
    kept = sorted({n for heading in spared for n in _with_blanks(document, heading, hunk)})
    return replace(patch, hunk=replace(hunk, new=(*hunk.new, *(document.raw[n] for n in kept))))


def _has_heading(raw: Iterable[str]) -> bool:
    return bool(Document.of("".join(raw)).headings)


def _stood_free(below: str | None) -> bool:
    """Whether no line of a section's content stood below what an operation wrote."""
    return below is None or not below.strip() or _has_heading((below,))


def _with_blanks(document: Document, heading: int, hunk: Hunk) -> Iterable[int]:
    """The lines of a hunk that a heading takes along: itself and the blank ones around it."""
    yield heading
    for steps in (range(heading - 1, hunk.start - 1, -1), range(heading + 1, hunk.stop)):
        yield from itertools.takewhile(lambda n: not document.lines[n].strip(), steps)


def _apart(patches: list[Patch]) -> tuple[list[Patch], set[int]]:
    """The patches in file order, and the items that would touch lines of one above them."""
    ordered = sorted(patches, key=lambda p: (p.hunk.start, bool(p.hunk.old)))
    clashing, stop = set[int](), 0
    for patch in ordered:
        if patch.hunk.start < stop:
            clashing.add(patch.item)
        stop = max(stop, patch.hunk.stop)
    return ordered, clashing


def closed(document: Document) -> Document:
    """Every line but the last ends; a line put back may have been the last one once."""
    raw, end = document.raw, document.newline
    whole = (line if line.endswith("\n") else line + end for line in raw[:-1])
    return Document((*whole, *raw[-1:]))


class _Search:
    """Finds the lines that a patch wrote in a document that moved on."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def locate(self, patch: Patch, expected: int, trusted: bool) -> int | None:
        """Where the lines stand now: where they should, else at the one place they are."""
        new, raw = patch.hunk.new, self._document.raw
        stands = expected <= len(raw) and raw[expected : expected + len(new)] == new
        if stands and (trusted or self._likeness(patch, expected)):
            return expected
        places = self._places(patch)
        for least in (2, 1):
            alike = [p for p in places if self._likeness(patch, p) >= least]
            if len(alike) == 1:
                return alike[0]
        if not new:
            return None
        return expected if stands else places[0] if len(places) == 1 else None

    def _places(self, patch: Patch) -> list[int]:
        """Where the written lines stand; where a removed one stood, by its neighbours."""
        new, raw, index = patch.hunk.new, self._document.raw, self._index
        if new:
            starts = index.get(new[0], ())
            return [i for i in starts if raw[i : i + len(new)] == new]
        above = (0,) if patch.above is None else (i + 1 for i in index.get(patch.above, ()))
        below = (len(raw),) if patch.below is None else index.get(patch.below, ())
        return sorted({*above, *below})

    @cached_property
    def _index(self) -> dict[str, list[int]]:
        index: dict[str, list[int]] = {}
        for number, line in enumerate(self._document.raw):
            index.setdefault(line, []).append(number)
        return index

    def _likeness(self, patch: Patch, start: int) -> int:
        """How many neighbours are those of then; a blank one counts only in a pair."""
        now = _neighbours(self._document, start, len(patch.hunk.new))
        pairs = zip(now, (patch.above, patch.below), strict=True)
        same = [known for found, known in pairs if found == known]
        if len(same) == 2:
            return 2
        return sum(1 for known in same if known is None or known.strip())
