"""A workspace with real files and a real state in a folder, for the tests of the store."""

import itertools
from datetime import UTC, datetime, timedelta

from memory.files import PosixDisk
from memory.layout import Layout
from memory.spaces import DocumentName, DocumentRef, personal
from memory.state import State
from memory.store import Author, Store

ALICE = Author(111, chat=111, message=7)
PETR = Author(222)
KEEP = DocumentRef(personal(111), DocumentName.KEEP)
MEMORY = DocumentRef(personal(111), DocumentName.MEMORY)
LOG = DocumentRef(personal(111), DocumentName.LOG)
NOON = datetime(2026, 5, 4, 12, 30, tzinfo=UTC)


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self, now=NOON):
        self.now = now

    def __call__(self):
        return self.now

    def advance(self, **delta):
        self.now += timedelta(**delta)


class Workplace:
    """Store, state, disk and clock over one folder; `reopen` is a restart."""

    def __init__(self, folder, disk=PosixDisk, **limits):
        self.folder, self.clock = folder, Clock()
        self.layout = Layout(folder / "workspace")
        self.disk = disk(folder / "state" / "locks", **({"fsync": False} | limits))
        self._ids = itertools.count(1)
        self.reopen()

    def reopen(self):
        self.state = State(self.folder / "state" / "state.db", synchronous="OFF")
        self.store = Store(
            self.layout, self.state, self.disk, self.clock, lambda: f"op{next(self._ids)}"
        )
        self.store.recover()

    def path(self, ref=KEEP):
        return self.layout.path(ref)

    def put(self, data, ref=KEEP):
        path = self.path(ref)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def bytes(self, ref=KEEP):
        return self.path(ref).read_bytes()
