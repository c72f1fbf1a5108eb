"""A proposal cut into what the strict profile allows (seed 001, N2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from curation.engine import Item, Proposal
from curation.proposals import WITHIN
from memory.changeset import Category, Change, Op
from memory.document import Document, Span

_LINES = 20
_NEW_LINES = 3
_CHARACTERS = 300


def certain(item: Item) -> bool:
    """Whether the night may take an item: nothing about it is borderline."""
    return not item.borderline


def offered(item: Item) -> bool:
    """Whether an item is certain, or a merge: a merge is never a loss, only a matter of taste."""
    return certain(item) or item.op is Op.MERGE


def strict_changes(
    proposal: Proposal, document: Document, chosen: Callable[[Item], bool] = offered
) -> tuple[Change, ...]:
    """The changes of the chosen items, each valid under the strict profile, in file order.

    Blocks are cut at 20 lines; a piece that stands more than once in the file is joined with
    neighbours that go too, and left out where there are none; so is a merge that is too long,
    and, from the end, whatever would take more than half of the file.
    """
    changes = [change for item in proposal.items for change in _taken(item, document, chosen)]
    changes.sort(key=lambda change: change.spans[0].start)
    pieces = [p for change in changes for p in _pieces(change, document)]
    unique = _unique(pieces, document)
    return tuple(_within_half(unique, document))


def _taken(item: Item, document: Document, chosen: Callable[[Item], bool]) -> Iterator[Change]:
    """The changes of a chosen item; of a doubtful merge only the certain deletions inside it."""
    if item.borderline and WITHIN in item.params:
        for noted in item.params[WITHIN].split("\n"):
            lines, category, reason = noted.split("|", 2)
            span = Span(*map(int, lines.split("-")))
            original = document.lines[span.start : span.stop]
            yield Change(Op.DELETE, (span,), original, (), Category(category), reason)
    elif chosen(item):
        yield from item.changes


def _pieces(change: Change, document: Document) -> Iterator[Change]:
    """A deletion in blocks of at most 20 lines that never leave a heading behind alone."""
    span = change.spans[0]
    if change.op is not Op.DELETE:
        fits = len(change.new_text) <= _NEW_LINES and sum(map(len, change.new_text)) <= _CHARACTERS
        if fits and len(span) <= _LINES:
            yield change
        return
    for start in range(span.start, span.stop, _LINES):
        yield _cut(change, Span(start, min(start + _LINES, span.stop)), document)


def _cut(change: Change, span: Span, document: Document) -> Change:
    return replace(change, spans=(span,), original=document.lines[span.start : span.stop])


def _unique(pieces: Sequence[Change], document: Document) -> Iterator[Change]:
    """Pieces that stand once; others grow into the neighbouring pieces that also go."""
    index = _Places(document)
    waiting: Change | None = None
    for piece in pieces:
        joined = _joined(waiting, piece, document) if waiting else None
        if waiting and not joined:
            waiting = None
        candidate = joined or piece
        if index.once(candidate):
            yield candidate
            waiting = None
        else:
            waiting = candidate if candidate.op is Op.DELETE else None


def _joined(first: Change, second: Change, document: Document) -> Change | None:
    """Two deletions that touch, as one of the first one's kind; None when they do not."""
    start, stop = first.spans[0].start, second.spans[0].stop
    touching = first.spans[0].stop == second.spans[0].start
    if not touching or second.op is not Op.DELETE or stop - start > _LINES:
        return None
    return _cut(second, Span(start, stop), document)


class _Places:
    """Where blocks of lines stand in a document."""

    def __init__(self, document: Document) -> None:
        self._lines = document.lines
        self._count = Counter(document.lines)
        self._at: dict[str, list[int]] = {}

    def once(self, change: Change) -> bool:
        """Whether the original lines of a change stand at one place only."""
        rarest = min(change.original, key=lambda line: self._count[line])
        if self._count[rarest] == 1:
            return True
        offset = change.original.index(rarest)
        size = len(change.original)
        return (
            sum(
                self._lines[i - offset : i - offset + size] == change.original
                for i in self._where(rarest)
                if i >= offset
            )
            == 1
        )

    def _where(self, line: str) -> list[int]:
        if line not in self._at:
            self._at[line] = [i for i, other in enumerate(self._lines) if other == line]
        return self._at[line]


def _within_half(changes: Iterator[Change], document: Document) -> Iterator[Change]:
    left = document.count // 2
    for change in changes:
        left -= len(change.original) - len(change.new_text)
        if left < 0:
            return
        yield change
