"""A proposal that leaves nothing for a second run (C2): applied in thought and audited again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from curation.proposals import Row, fold_in
from memory.document import Document, Span

_ROUNDS = 6


def settle(document: Document, look: Callable[[Document], tuple[Row, ...]]) -> tuple[Row, ...]:
    """The rows of a first look, and of every further look at what they leave.

    ``look`` finds rows in a document. A line that only becomes superfluous when others are gone
    is found too; rows that a later, wider row covers are part of that one.
    """
    rows = look(document)
    for _ in range(_ROUNDS):
        after, origins = _applied(document, rows)
        more = look(after)
        if not more:
            break
        rows = fold_in(rows, tuple(_moved(row, origins) for row in more))
    return rows


def _applied(document: Document, rows: Sequence[Row]) -> tuple[Document, list[Span]]:
    """The document with all rows applied, and the original lines of each of its lines."""
    new = {row.span.start: row for row in rows}
    gone = {line for row in rows for line in range(row.span.start, row.span.stop)}
    raw: list[str] = []
    origins: list[Span] = []
    for line, text in enumerate(document.raw):
        row = new.get(line)
        if row:
            raw += [t + document.newline for t in row.new_text]
            origins += [row.span] * len(row.new_text)
        elif line not in gone:
            raw.append(text)
            origins.append(Span(line, line + 1))
    return Document(tuple(raw)), origins


def _moved(row: Row, origins: Sequence[Span]) -> Row:
    """A row found in the applied document, with the line numbers of the original one."""
    lines = origins[row.span.start : row.span.stop]
    newer = origins[row.newer].start if row.newer >= 0 else -1
    return replace(row, span=Span(lines[0].start, lines[-1].stop), newer=newer)
