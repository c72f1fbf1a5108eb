"""Locks between threads and processes, outside the shared tree (reliability.md d.2)."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

from memory.errors import Busy
from memory.layout import Place
from memory.system import Calls

_ANCHOR = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


class Locks:
    """One anchor file a place, locked by flock; never truncated and never removed.

    Args:
        folder: where the anchors lie; made at first use.
        patience: seconds to wait for somebody else.
        calls: the calls of the system.
    """

    def __init__(self, folder: Path, patience: float, calls: Calls) -> None:
        self._folder, self._patience, self._calls = folder, patience, calls

    @contextlib.contextmanager
    def hold(self, place: Place) -> Iterator[None]:
        """Hold the lock of a place.

        Raises:
            Busy: somebody else held it all the time. OSError: the anchor cannot be opened.
        """
        descriptor = self._anchor(place)
        try:
            self._acquire(descriptor, place)
            yield
        finally:
            self._calls.release(descriptor)

    def _anchor(self, place: Place) -> int:
        name = hashlib.sha256(str(place.path).encode()).hexdigest()[:32]
        path = self._folder / f"{name}.lock"
        try:
            return self._calls.open(path, _ANCHOR, 0o600)
        except FileNotFoundError:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return self._calls.open(path, _ANCHOR, 0o600)

    def _acquire(self, descriptor: int, place: Place) -> None:
        deadline = time.monotonic() + self._patience
        while True:
            try:
                self._calls.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise Busy(place.ref) from None
                self._calls.sleep(random.uniform(0.0005, 0.008))
