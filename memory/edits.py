"""Ways to change a document, as values: every edit becomes hunks, and hunks can be undone.

An `Edit` is a pure function that plans hunks on the document it is given; the store calls it
under the lock on freshly read bytes. It returns ``()`` when there is nothing to do (a no-op)
and None when the lines it was made for are no longer there (the item is then skipped, D5).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memory.document import Document


@dataclass(frozen=True, slots=True)
class Hunk:
    """Raw lines ``old`` at line ``start`` (0-based) that become ``new``; ends included."""

    start: int
    old: tuple[str, ...]
    new: tuple[str, ...]


Edit = Callable[[Document], tuple[Hunk, ...] | None]


def apply(document: Document, hunks: Sequence[Hunk]) -> Document:
    """The document with non-overlapping hunks applied; all other lines stay byte for byte."""
    raw = list(document.raw)
    for hunk in sorted(hunks, key=lambda h: h.start, reverse=True):
        raw[hunk.start : hunk.start + len(hunk.old)] = hunk.new
    return Document(tuple(raw))
