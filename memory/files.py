"""The only access to documents on disk: stable reads, guarded atomic writes, appends, locks.

Folders are walked from a trusted root by descriptor and without following links, so a path
swapped under our hands leads nowhere (W3). Errors of the system become ours in one place.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import random
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from memory.errors import Busy, Unreadable, WriteFailed
from memory.spaces import Place

LARGEST = 10 * 1024 * 1024
"""How many bytes a document may have unless configured otherwise."""

SETTLE = 0.05
"""Seconds a file must have rested before its bytes are trusted for a write."""

_PATIENCE = 1.0
_ROOT = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_FRESH = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_APPEND = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_ANCHOR = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC

_CAUSES = {
    errno.ENOSPC: "no_space",
    errno.EDQUOT: "no_space",
    errno.EACCES: "denied",
    errno.EPERM: "denied",
    errno.EROFS: "denied",
}
_REFUSALS = {errno.ELOOP: "symlink", errno.ENOTDIR: "symlink", errno.ENXIO: "not_a_file"}


@dataclass(frozen=True, slots=True)
class Contents:
    """The bytes of a file with their sha256, and whose file it is and with which mode."""

    data: bytes
    digest: str
    mode: int
    owner: tuple[int, int]


class SyncError(OSError):
    """The system could not make a write durable; what is on disk is unknown (W8)."""


class Disk(Protocol):
    """What the store needs of a disk; passed by argument."""

    def lock(self, place: Place) -> AbstractContextManager[None]:
        """Hold the lock of a place between threads and processes; raises `Busy`."""

    def read(self, place: Place, ours: Callable[[str], bool] | None = None) -> Contents | None:
        """A stable read, None when there is no such file; raises `Unreadable`.

        ``ours`` asks for bytes that will be changed: a file younger than `SETTLE` is read
        again later, unless ``ours(digest)`` says that these bytes are our own.
        """

    def replace(self, place: Place, data: bytes, old: Contents | None, token: str) -> None:
        """Put new bytes in the place of ``old``, whole or not at all, durably.

        ``token`` makes the name of the temporary file unique. Raises `WriteFailed`, and
        `SyncError` when the bytes may not last.
        """

    def append(self, place: Place, lines: Sequence[bytes]) -> None:
        """Append lines without their ends; raises `WriteFailed`, `SyncError`."""


class PosixDisk:
    """The real disk, with its locks in a folder of their own outside the shared tree."""

    def __init__(
        self,
        locks: Path,
        *,
        fsync: bool = True,
        max_bytes: int = LARGEST,
        patience: float = 5.0,
        now: Callable[[], float] = time.time,
    ) -> None:
        """``patience`` for a lock is in seconds; ``fsync=False`` is for measurements only."""
        self._locks, self._fsync, self._largest = locks, fsync, max_bytes
        self._patience, self._now = patience, now

    @contextlib.contextmanager
    def lock(self, place: Place) -> Iterator[None]:
        """See `Disk.lock`; the anchor is created, never truncated and never removed."""
        with _translated(place):
            descriptor = self._anchor(place)
        try:
            self._acquire(descriptor, place)
            yield
        finally:
            os.close(descriptor)

    def _anchor(self, place: Place) -> int:
        name = hashlib.sha256(str(place.path).encode()).hexdigest()[:32]
        path = self._locks / f"{name}.lock"
        try:
            return os.open(path, _ANCHOR, 0o600)
        except FileNotFoundError:
            self._locks.mkdir(mode=0o700, parents=True, exist_ok=True)
            return os.open(path, _ANCHOR, 0o600)

    def _acquire(self, descriptor: int, place: Place) -> None:
        deadline = time.monotonic() + self._patience
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise Busy(place.ref) from None
                time.sleep(random.uniform(0.0005, 0.008))

    def read(self, place: Place, ours: Callable[[str], bool] | None = None) -> Contents | None:
        """See `Disk.read`; waits at most one second for a file that keeps changing."""
        deadline = time.monotonic() + _PATIENCE
        while True:
            contents, rest = self._read_once(place)
            late = time.monotonic() >= deadline
            if contents and rest > 0 and ours and not late and not ours(contents.digest):
                time.sleep(rest)
            elif rest < 0 and not late:
                time.sleep(SETTLE / 5)
            else:
                return contents

    def _read_once(self, place: Place) -> tuple[Contents | None, float]:
        """The bytes, and how long they should rest; negative when they changed meanwhile."""
        try:
            with _folder(place) as folder:
                descriptor = os.open(place.parts[-1], _READ, dir_fd=folder)
        except FileNotFoundError:
            return None, 0.0
        except OSError as error:
            raise _unreadable(place, error) from error
        try:
            before = os.fstat(descriptor)
            _check(place, before, self._largest)
            data = _read_all(descriptor, before.st_size + 1)
            after = os.fstat(descriptor)
        except OSError as error:
            raise _unreadable(place, error) from error
        finally:
            os.close(descriptor)
        rest = SETTLE - (self._now() - after.st_mtime)
        moved = _signature(before) != _signature(after) or len(data) != after.st_size
        return _contents(data, after), -1.0 if moved else min(max(rest, 0.0), SETTLE)

    def replace(self, place: Place, data: bytes, old: Contents | None, token: str) -> None:
        """See `Disk.replace`; an existing file keeps its mode, and its owner where allowed."""
        if len(data) > self._largest:
            raise WriteFailed(place.ref, "too_large")
        name = place.parts[-1]
        temporary = f".{name}.{token}.tmp"
        with _translated(place), _folder(place, create=True) as folder:
            try:
                self._write(folder, temporary, data, old)
                os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
            except OSError:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(temporary, dir_fd=folder)
                raise
            self._sync(os.fsync, folder)

    def _write(self, folder: int, name: str, data: bytes, old: Contents | None) -> None:
        descriptor = os.open(name, _FRESH, 0o600, dir_fd=folder)
        try:
            if old:
                _keep_owner(descriptor, old)
                os.fchmod(descriptor, old.mode)
            _write_all(descriptor, data)
            self._sync(os.fsync, descriptor)
        finally:
            os.close(descriptor)

    def append(self, place: Place, lines: Sequence[bytes]) -> None:
        """See `Disk.append`; one write a line, and a torn last line is closed first."""
        with _translated(place), _folder(place, create=True) as folder:
            descriptor = os.open(place.parts[-1], _APPEND, 0o600, dir_fd=folder)
            try:
                _check(place, os.fstat(descriptor), None)
                _append_lines(descriptor, lines)
                self._sync(os.fdatasync, descriptor)
            finally:
                os.close(descriptor)
            self._sync(os.fsync, folder)

    def _sync(self, sync: Callable[[int], None], descriptor: int) -> None:
        if not self._fsync:
            return
        try:
            sync(descriptor)
        except OSError as error:
            raise SyncError(error.errno, "not durable") from error


@contextlib.contextmanager
def _folder(place: Place, create: bool = False) -> Iterator[int]:
    """A descriptor of the folder a place lies in; its components may not be links."""
    current = _root(place.root, create)
    try:
        for part in place.parts[:-1]:
            below = _step(current, part, create)
            os.close(current)
            current = below
        yield current
    finally:
        os.close(current)


def _root(root: Path, create: bool) -> int:
    try:
        return os.open(root, _ROOT)
    except FileNotFoundError:
        if not create:
            raise
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    return os.open(root, _ROOT)


def _step(folder: int, part: str, create: bool) -> int:
    try:
        return os.open(part, _FOLDER, dir_fd=folder)
    except FileNotFoundError:
        if not create:
            raise
    with contextlib.suppress(FileExistsError):
        os.mkdir(part, 0o700, dir_fd=folder)
        os.fsync(folder)
    return os.open(part, _FOLDER, dir_fd=folder)


def _check(place: Place, status: os.stat_result, largest: int | None) -> None:
    """Refuse what is no plain file of our own: a second hard link counts as a link."""
    if not stat.S_ISREG(status.st_mode):
        raise Unreadable(place.ref, "not_a_file")
    if status.st_nlink > 1:
        raise Unreadable(place.ref, "symlink")
    if largest is not None and status.st_size > largest:
        raise Unreadable(place.ref, "too_large")


def _unreadable(place: Place, error: OSError) -> Unreadable:
    return Unreadable(place.ref, _REFUSALS.get(error.errno or 0, "denied"))


@contextlib.contextmanager
def _translated(place: Place) -> Iterator[None]:
    try:
        yield
    except SyncError:
        raise
    except OSError as error:
        number = error.errno or 0
        cause = _CAUSES.get(number) or _REFUSALS.get(number, "io")
        raise WriteFailed(place.ref, cause) from error


def _signature(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_ino, status.st_size, status.st_mtime_ns


def _contents(data: bytes, status: os.stat_result) -> Contents:
    digest = hashlib.sha256(data).hexdigest()
    owner = (status.st_uid, status.st_gid)
    return Contents(data, digest, stat.S_IMODE(status.st_mode), owner)


def _read_all(descriptor: int, size: int) -> bytes:
    """Up to ``size`` bytes: one more than expected shows that the file grew."""
    pieces = []
    while size > 0 and (piece := os.read(descriptor, size)):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _keep_owner(descriptor: int, old: Contents) -> None:
    if old.owner == (os.geteuid(), os.getegid()):
        return
    with contextlib.suppress(PermissionError):
        os.fchown(descriptor, *old.owner)


def _append_lines(descriptor: int, lines: Sequence[bytes]) -> None:
    size = os.fstat(descriptor).st_size
    torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
    for line in lines:
        whole = (b"\n" if torn else b"") + line + b"\n"
        torn = os.write(descriptor, whole) != len(whole)
        if torn:
            raise OSError(errno.ENOSPC, "short write")
