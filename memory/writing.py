"""The write protocol: from a planned change to bytes that last (W1).

Steps 4 to 9 of reliability.md d.3: an intent row, a temporary file, an exchange, a look at what
came out and at what stands there now (`memory.joining`), the log, a done row. All of it happens
under the lock of the document, which the caller holds.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memory.database import Step
from memory.disk import Disk
from memory.document import Document
from memory.edits import apply
from memory.errors import Shrunk, StateError, Unfinished, Unreadable, WriteFailed
from memory.joining import Joiner
from memory.journal import Entry
from memory.layout import Layout, Place
from memory.ledger import Notice, What, knowing
from memory.lingering import LINGER
from memory.patches import marked, unmarked
from memory.sealing import Seals
from memory.shelf import Shelf, Version, version_of
from memory.spaces import DocumentName, DocumentRef
from memory.state import State

_SHELF_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Change:
    """A planned write; ``undone`` is the operation that an undo leaves behind."""

    place: Place
    found: Version
    after: Document
    entry: Entry
    undone: Entry | None = None


class Writer:
    """Reads documents and carries changes out."""

    def __init__(
        self,
        layout: Layout,
        state: State,
        disk: Disk,
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
    ) -> None:
        self._layout, self._state, self._disk = layout, state, disk
        self._shelf = Shelf(_SHELF_BYTES)
        self.joiner = Joiner(state, disk, self._shelf, clock, new_id)
        self._clock, self._seals = clock, Seals(state, disk)

    def read(self, place: Place) -> Version:
        """The document as it is on disk now; raises `Unreadable`."""
        return self._shelf.version(place.ref, self._disk.read(place))

    def meet(self, place: Place, wait: timedelta = LINGER) -> Version:
        """The document as it stands, what was begun finished, what is foreign joined with ours.

        Args:
            wait: for how long what came out of an exchange is watched.

        Raises:
            Unreadable: it is no text. Shrunk: less than half of it is left (B4).
            Unfinished, WriteFailed, StateError: it cannot be brought in order now.
        """
        for entry in self._state.unfinished(place.ref):
            self._finish(place, entry)
        known = self.known(place.ref)
        if known is None:
            found = self.read(place)
            self._state.know(place.ref, found.known)
        else:
            found = self.joiner.join_all(place, known)
        return self.joiner.with_late_lines(place, found, wait)

    def known(self, ref: DocumentRef) -> Version | None:
        """The document as it was last left or seen."""
        known = self._state.known(ref)
        if known is None or known.data is None:
            return None
        document = self._shelf.document(ref, known.digest, known.data)
        return Version(document, known.digest, known.data)

    def write(self, change: Change) -> Version:
        """Write a change; gives the document as it stands afterwards.

        Raises:
            WriteFailed, StateError: nothing was changed.
            Unfinished: it was begun, and `meet` will finish it.
            Shrunk: it was written, and then somebody else took most of the document away.
            SyncError: the bytes may not last.
        """
        version = version_of(change.after, change.place.ref)
        entry = self._planned(change, version)
        stranger = self._put(change, version, entry)
        with _unfinished(change.place.ref):
            try:
                left = self.joiner.join_all(change.place, version, stranger)
            except Shrunk:
                self._conclude(entry, version, change.undone)
                raise
            self._conclude(entry, left, change.undone)
        return left

    def _planned(self, change: Change, version: Version) -> Entry:
        """The entry with what only this moment knows; the log is tried before anything is done."""
        entry, log_start = change.entry, 0
        if entry.log:
            log = self._log_place(entry.ref)
            self._disk.append(log, ())
            log_start = self._disk.size(log)
        return replace(
            entry,
            before=change.found.digest,
            after=version.digest,
            expected=version.digest,
            log_start=log_start,
            lines=(change.found.document.count, change.after.count),
        )

    def _put(self, change: Change, version: Version, entry: Entry) -> Version | None:
        """Put a version in its place; gives what came out if it is not what was found before."""
        self._state.intend(entry)
        try:
            came_out = self._disk.swap(change.place, version.data, change.found.contents, entry.op)
        except WriteFailed as error:
            self._state.fail(entry, error.cause)
            raise
        return self.joiner.stranger(change.place, entry, version, came_out)

    def _conclude(self, entry: Entry, left: Version, undone: Entry | None = None) -> None:
        """The log and the done row (step 9)."""
        if entry.log:
            self._disk.append(self._log_place(entry.ref), _encoded(entry.log))
        self._state.complete(entry, left.known, undone, *self._seal(entry))
        self._shelf.put(left.digest, left.document, len(left.data))

    def _finish(self, place: Place, entry: Entry) -> None:
        """Bring an operation to its end that was begun and neither done nor given up (W1)."""
        version = self.known(place.ref) or self._shelf.version(place.ref, None)
        with _unfinished(place.ref):
            if version.digest == entry.before:
                version = self._done_again(place, version, entry)
            self._log_missing(entry)
            undone = self._undone(entry)
            self._state.complete(entry, version.known, undone, *self._seal(entry))

    def _undone(self, entry: Entry) -> Entry | None:
        """What is left of the operation that an undo took back, None for any other entry."""
        undone = self._state.entry(entry.undoes) if entry.undoes else None
        if undone is None:
            return None
        keys = {item.key for item in entry.items}
        wanted = tuple(i for i in undone.standing if undone.items[i].key in keys)
        trusted = undone.expected == entry.before
        return undone.without(wanted, entry.after if trusted else undone.expected)

    def _done_again(self, place: Place, before: Version, entry: Entry) -> Version:
        """What the operation leaves, from wherever it was interrupted."""
        hunks = [patch.hunk for patch in entry.patches]
        after = marked(apply(unmarked(before.document), hunks), before.document)
        version, found = version_of(after, place.ref), self.read(place)
        if found.digest == entry.before:
            self._disk.discard(place, entry.op)
            came_out = self._disk.swap(place, version.data, found.contents, entry.op)
            return self.joiner.join_all(
                place, version, self.joiner.stranger(place, entry, version, came_out)
            )
        late = self.joiner.late(place, entry.op, version)
        known = late is None or late.digest in (entry.before, version.digest)
        return self.joiner.join_all(place, version, None if known else late)

    def _log_missing(self, entry: Entry) -> None:
        """Append the log lines that an interrupted operation did not come to write."""
        log = self._log_place(entry.ref)
        present = Counter(self._disk.tail(log, entry.log_start).split(b"\n"))
        missing = []
        for line in _encoded(entry.log):
            present[line] -= 1
            if present[line] < 0:
                missing.append(line)
        if missing:
            self._disk.append(log, missing)

    def _seal(self, entry: Entry) -> list[Step]:
        """What is remembered of the log after an operation that wrote to it."""
        if not entry.log:
            return []
        log = self._log_place(entry.ref)
        return [knowing(log.ref, self._seals.sealed(log))]

    def check_log(self, place: Place) -> None:
        """Tell the owner when the beginning of a log is not what was written to it (B6)."""
        if self._seals.broken(place):
            self._state.tell(Notice(place.ref, What.LOG, self._clock()))

    def _log_place(self, ref: DocumentRef) -> Place:
        return self._layout.place(DocumentRef(ref.space, DocumentName.LOG))


@contextlib.contextmanager
def _unfinished(ref: DocumentRef) -> Iterator[None]:
    """Errors after the exchange: the intent is kept, so the operation will be finished."""
    try:
        yield
    except Shrunk:
        raise
    except (WriteFailed, Unreadable, StateError) as error:
        raise Unfinished(ref) from error


def _encoded(lines: Sequence[str]) -> list[bytes]:
    return [line.encode("utf-8", "backslashreplace") for line in lines]
