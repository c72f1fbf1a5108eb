"""The one way to change a document, and to undo it (W1)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime

from memory.files import Disk
from memory.operations import (
    Author,
    Item,
    Operation,
    Receipt,
    Refusal,
    Snapshot,
    UndoRefused,
)
from memory.spaces import DocumentRef, Layout
from memory.state import State

__all__ = [
    "Author",
    "Item",
    "Operation",
    "Receipt",
    "Refusal",
    "Snapshot",
    "Store",
    "UndoRefused",
]


class Store:
    """Reads documents, applies operations to them and undoes operations."""

    def __init__(
        self,
        layout: Layout,
        state: State,
        disk: Disk,
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
    ) -> None:
        self._layout, self._state, self._disk = layout, state, disk
        self._clock, self._new_id = clock, new_id

    def read(self, ref: DocumentRef) -> Snapshot:
        """The document as it is on disk now.

        Raises:
            Unreadable: the file is there but cannot be taken for text (W3).
        """
        raise NotImplementedError

    def apply(self, ref: DocumentRef, items: Sequence[Item], author: Author) -> Receipt:
        """Plan the items on freshly read bytes and write the result (W1, D5).

        Raises:
            Unreadable: as `read`.
            Busy: somebody else held the document's lock for five seconds.
            WriteFailed: nothing was changed; the cause says why.
            StorageReadOnly: an earlier write of this space could not be made durable (W8).
        """
        raise NotImplementedError

    def undo(
        self, op: str, author: Author, keys: Collection[str] | None = None
    ) -> Receipt | UndoRefused:
        """Undo an operation, or the items named by ``keys``, for up to 30 days (C6).

        Items whose lines moved on are skipped; when nothing is left, `UndoRefused` says why.

        Raises:
            Unreadable, Busy, WriteFailed, StorageReadOnly: as `apply`.
        """
        raise NotImplementedError

    def last(self, user: int, ref: DocumentRef | None = None) -> Operation | None:
        """The newest operation of a person that can be undone, in one document or in all."""
        raise NotImplementedError
