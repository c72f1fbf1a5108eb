"""When the lines of a document were written, from the journal, else from the file itself (X3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time
from typing import Protocol

from memory.disk import Disk
from memory.errors import Unreadable
from memory.journal import Entry
from memory.layout import Layout
from memory.spaces import DocumentRef

_EVER = datetime.fromtimestamp(0, UTC)


class Past(Protocol):
    """What is remembered of documents; the state answers."""

    def steps(self, ref: DocumentRef, since: datetime) -> Iterator[Entry]:
        """The changes of a document since a moment, newest first."""

    def digest(self, ref: DocumentRef) -> str:
        """The digest a document was last left or seen with, "" when it never was."""


class Ages:
    """Tells which lines are young; it may be shared between threads."""

    def __init__(
        self, layout: Layout, disk: Disk, past: Past, clock: Callable[[], datetime]
    ) -> None:
        """``clock`` gives the time in the zone in which days begin."""
        self._layout, self._disk, self._past, self._clock = layout, disk, past, clock

    def written(self, ref: DocumentRef, since: date) -> frozenset[str] | None:
        """The lines written on a day or later, without their ends; None for all there are.

        Where the journal does not reach back so far, or the file stands otherwise than it was
        left, the time of the file counts for all its lines.
        """
        place = self._layout.place(ref)
        start = datetime.combine(since, time.min, self._clock().tzinfo)
        signature = self._disk.signature(place)
        if not signature or signature[2] < start.timestamp() * 1e9:
            return frozenset()
        steps = tuple(self._past.steps(ref, _EVER))
        if not steps or steps[-1].at >= start or not self._is_as_left(ref):
            return None
        young = (patch for step in steps if step.at >= start for patch in step.patches)
        return frozenset(line.rstrip("\r\n") for patch in young for line in patch.hunk.new)

    def _is_as_left(self, ref: DocumentRef) -> bool:
        try:
            contents = self._disk.read(self._layout.place(ref))
        except Unreadable:
            return False
        return contents is not None and contents.digest == self._past.digest(ref)
