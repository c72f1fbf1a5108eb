"""A chat with another id: its documents, and notes about it, get their new places (G4)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memory.disk import Disk
from memory.document import Document
from memory.edits import Edit, Hunk
from memory.errors import PomnenkaError
from memory.layout import Layout
from memory.operations import Author, Item
from memory.spaces import DocumentName, DocumentRef, SpaceKind, channel
from memory.state import State

if TYPE_CHECKING:
    from memory.store import Store

_JOINED = "joined"


class Migration:
    """Moves what stands under a chat's old id; repeated, it goes on where it was cut off.

    A file is moved first and what is stored of it second, with the locks of both places held:
    after a crash in between the second step is still to be done, and is.
    """

    def __init__(self, store: Store, layout: Layout, state: State, disk: Disk) -> None:
        self._store, self._layout, self._state, self._disk = store, layout, state, disk

    def run(self, old: int, new: int) -> tuple[DocumentRef, ...]:
        """Move everything, rows of the state last; gives the documents that could not be moved."""
        failed = tuple(pair[0] for pair in self._pairs(old, new) if not self._moved(*pair))
        self._state.migrate(old, new)
        return failed

    def _pairs(self, old: int, new: int) -> Iterator[tuple[DocumentRef, DocumentRef]]:
        if old == new:
            return
        for name in (DocumentName.CHANNEL, DocumentName.LOG):
            yield DocumentRef(channel(old), name), DocumentRef(channel(new), name)
        for space in self._layout.spaces():
            if space.kind is SpaceKind.PERSONAL:
                note, moved = (DocumentRef(space, DocumentName.ROOM, str(id)) for id in (old, new))
                yield note, moved

    def _moved(self, old: DocumentRef, new: DocumentRef) -> bool:
        try:
            self._carry(old, new)
        except PomnenkaError:
            return False
        return True

    def _carry(self, old: DocumentRef, new: DocumentRef) -> None:
        here, there = self._layout.place(old), self._layout.place(new)
        if old.name is not DocumentName.LOG and self._disk.read(here) is not None:
            self._store.reconcile(old)
        with contextlib.ExitStack() as locks:
            for place in sorted((here, there), key=lambda place: str(place.path)):
                locks.enter_context(self._disk.lock(place))
            moved = self._disk.move(here, there)
            left = self._disk.read(here)
            if moved or left is None:
                self._state.readdress(old, new, whole=moved)
        if left is not None and old.name is not DocumentName.LOG:
            self._join(old, new)

    def _join(self, old: DocumentRef, new: DocumentRef) -> None:
        """Both exist: the old lines are put before the new ones, once; the old file stays."""
        before = self._store.read(old).document.raw
        author = Author(0, 0, 0, "migration", f"{old.key} {new.key}")
        self._store.apply(new, [Item(_JOINED, _preceding(before))], author, _JOINED)


def _preceding(raw: tuple[str, ...]) -> Edit:
    """The edit that puts lines at the beginning of a document, with their last one ended."""
    ended = tuple(line if line.endswith("\n") else f"{line}\n" for line in raw)

    def plan(document: Document) -> tuple[Hunk, ...]:
        return (Hunk(0, (), ended),)

    return plan
