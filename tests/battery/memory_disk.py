"""A disk in memory that keeps the contract of `memory.disk.Disk`, and can be planned to fail.

``fuse`` counts the moments at which a process may die: before and after every call that changes
something, and in the middle of an append. When it has burnt down, `Crash` is raised; what stands
on the disk then is what a restart finds. ``full`` names calls that find no space, and ``slip``
runs once at the very moment of the next exchange, as a foreign program would.
"""

import contextlib
import hashlib
from dataclasses import dataclass

from memory.disk import Contents
from memory.errors import Busy, Unreadable, WriteFailed
from memory.files import LARGEST


class Crash(BaseException):
    """The process died here; nothing of the program may go on."""


@dataclass
class _File:
    """Bytes with their mode, when the file got its name, and a number that every change moves."""

    data: bytes
    mode: int
    since: float
    change: int


class MemoryDisk:
    """See `memory.disk.Disk`; paths are keys, and a file that came out has its token beside it."""

    def __init__(self, locks=None, *, max_bytes=LARGEST, now=lambda: 0.0, fsync=True):
        self._largest, self.now = max_bytes, now
        self._files, self._aside, self._held = {}, {}, set()
        self._changes = 0
        self.fuse, self.full, self.slip = None, frozenset(), None

    @contextlib.contextmanager
    def lock(self, place):
        """Held by one at a time; there is nobody to wait for, so a second one is refused."""
        if place.path in self._held:
            raise Busy(place.ref)
        self._held.add(place.path)
        try:
            yield
        finally:
            self._held.discard(place.path)

    def read(self, place, rest=None):
        return self._contents(place, self._files.get(place.path))

    def _contents(self, place, file):
        if file is None:
            return None
        if len(file.data) > self._largest:
            raise Unreadable(place.ref, "too_large")
        return Contents(file.data, hashlib.sha256(file.data).hexdigest(), file.mode, (0, 0))

    def swap(self, place, data, old, token):
        self._moment()
        if len(data) > self._largest:
            raise WriteFailed(place.ref, "too_large")
        if (place.path, token) in self._aside:
            raise WriteFailed(place.ref, "io")
        self._room(place, "swap")
        new = self._file(data, old.mode if old else 0o600)
        self._aside[place.path, token] = new
        self._moment()
        if self.slip:
            slip, self.slip = self.slip, None
            slip()
        came_out = self._files.pop(place.path, None)
        self._files[place.path] = self._aside.pop((place.path, token))
        if came_out:
            self._aside[place.path, token] = came_out
        self._moment()
        return self._contents(place, came_out)

    def displaced(self, place, token, rest=None):
        return self._contents(place, self._aside.get((place.path, token)))

    def discard(self, place, token):
        self._moment()
        self._aside.pop((place.path, token), None)
        self._moment()

    def leftovers(self, place, age):
        beside = ((t, f) for (path, t), f in self._aside.items() if path == place.path)
        return tuple(sorted(token for token, file in beside if self.now() - file.since > age))

    def signature(self, place):
        file = self._files.get(place.path)
        return (file.change, len(file.data)) if file else ()

    def size(self, place):
        file = self._files.get(place.path)
        return len(file.data) if file else 0

    def tail(self, place, start):
        return self.bytes(place)[start:]

    def append(self, place, lines):
        with self.lock(place):
            self._moment()
            self._room(place, "append")
            old = self._files.get(place.path) or self._file(b"", 0o600)
            torn = old.data and not old.data.endswith(b"\n")
            added = (b"\n" if torn else b"") + b"".join(line + b"\n" for line in lines)
            self._files[place.path] = self._file(old.data + added[: len(added) // 2], old.mode)
            self._moment()
            self._files[place.path] = self._file(old.data + added, old.mode)
            self._moment()

    def _room(self, place, call):
        if call in self.full:
            raise WriteFailed(place.ref, "no_space")

    def _file(self, data, mode):
        self._changes += 1
        return _File(data, mode, self.now(), self._changes)

    def _moment(self):
        """One moment at which the process may die."""
        if self.fuse is None:
            return
        self.fuse -= 1
        if self.fuse < 0:
            self.fuse = None
            raise Crash

    def put(self, place, data):
        """What a foreign program does: the file has these bytes from now on, None for no file."""
        if data is None:
            self._files.pop(place.path, None)
        else:
            known = self._files.get(place.path)
            self._files[place.path] = self._file(data, known.mode if known else 0o644)

    def write_late(self, place, token, data):
        """What a foreign program does that still holds the file which came out."""
        self._aside[place.path, token].data = data

    def bytes(self, place):
        """What stands there, b"" when nothing does."""
        file = self._files.get(place.path)
        return file.data if file else b""

    def beside(self):
        """How many files lie beside their places."""
        return len(self._aside)
