"""One running bot a state: a lock that the system releases when the process ends, however."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

FILE = "running.lock"
"""The anchor in the state's folder; it is never removed and holds the number of a process."""


class AlreadyRunningError(Exception):
    """Another process works on a state's folder; ``process`` is its number, "" if not known."""

    def __init__(self, state: Path, process: str) -> None:
        super().__init__(state, process)
        self.state, self.process = state, process

    def __str__(self) -> str:
        process = f" (process {self.process})" if self.process else ""
        return f"Another pomnenka{process} works on {self.state}."


@contextlib.contextmanager
def alone(state: Path) -> Iterator[None]:
    """Be the only bot on a state, or the only one that restores it.

    Raises:
        AlreadyRunningError: somebody else is; nothing was changed.
        OSError: the folder cannot be used.
    """
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(state / FILE, flags, 0o600)
    try:
        _lock(descriptor, state)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int, state: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        process = os.pread(descriptor, 20, 0).decode().strip()
        raise AlreadyRunningError(state, process) from error


def last_start(state: Path) -> float | None:
    """When a bot last started on a state, in seconds since 1970; None if none ever did."""
    try:
        return (state / FILE).stat().st_mtime
    except OSError:
        return None
