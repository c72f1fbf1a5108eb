"""The only access to documents on disk: stable reads, guarded atomic writes, appends, locks.

Folders are walked from a trusted root by descriptor and without following links, so a path
swapped under our hands leads nowhere (W3). Errors of the system become ours in one place.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from memory.disk import SETTLE, Contents, Rest, SyncError
from memory.errors import Unreadable, WriteFailed
from memory.layout import Place
from memory.locks import Locks
from memory.system import Calls, Unsupported

LARGEST = 10 * 1024 * 1024
"""How many bytes a document may have unless configured otherwise."""

_PATIENCE = 1.0
_SUFFIX, _ASIDE = ".tmp", ".old"
_ROOT = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_FRESH = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_APPEND = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK

_CAUSES = {
    errno.ENOSPC: "no_space",
    errno.EDQUOT: "no_space",
    errno.EACCES: "denied",
    errno.EPERM: "denied",
    errno.EROFS: "denied",
}
_REFUSALS = {errno.ELOOP: "symlink", errno.ENOTDIR: "symlink", errno.ENXIO: "not_a_file"}


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
        calls: Calls | None = None,
    ) -> None:
        """``patience`` for a lock is in seconds; ``fsync=False`` is for measurements only."""
        self._calls = calls or Calls()
        self._locks = Locks(locks, patience, self._calls)
        self._fsync, self._largest, self._now = fsync, max_bytes, now

    @contextlib.contextmanager
    def lock(self, place: Place) -> Iterator[None]:
        """See `Disk.lock`."""
        with contextlib.ExitStack() as stack:
            with _translated(place):
                stack.enter_context(self._locks.hold(place))
            yield

    def read(self, place: Place, rest: Rest | None = None) -> Contents | None:
        """See `Disk.read`; waits at most one second for a file that keeps changing."""
        return self._read(place, place.parts[-1], rest)

    def _read(self, place: Place, name: str, rest: Rest | None) -> Contents | None:
        deadline = time.monotonic() + _PATIENCE
        while True:
            contents, age = self._read_once(place, name)
            late = time.monotonic() >= deadline
            young = (rest(contents) if contents and rest else 0.0) - age
            if young > 0 and not late:
                self._calls.sleep(min(young, SETTLE / 5))
            else:
                return contents

    def _read_once(self, place: Place, name: str) -> tuple[Contents | None, float]:
        """The bytes, and for how long they have rested: below 0 when they changed meanwhile."""
        try:
            with self._folder(place) as folder:
                return self._read_in(folder, place, name)
        except FileNotFoundError:
            return None, 0.0
        except OSError as error:
            raise _unreadable(place, error) from error

    def _read_in(self, folder: int, place: Place, name: str) -> tuple[Contents, float]:
        calls = self._calls
        descriptor = calls.open(name, _READ, dir_fd=folder)
        try:
            before = calls.fstat(descriptor)
            _check(place, before, self._largest)
            data = self._read_all(descriptor, before.st_size + 1)
            after = calls.fstat(descriptor)
        finally:
            calls.release(descriptor)
        moved = _signature(before) != _signature(after) or len(data) != after.st_size
        return _contents(data, after), -1.0 if moved else max(self._now() - after.st_mtime, 0.0)

    def _read_all(self, descriptor: int, size: int) -> bytes:
        """Up to ``size`` bytes: one more than expected shows that the file grew."""
        pieces = []
        while size > 0 and (piece := self._calls.read(descriptor, size)):
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)

    def swap(self, place: Place, data: bytes, old: Contents | None, token: str) -> Contents | None:
        """See `Disk.swap`; a temporary file is written first, then the two are exchanged."""
        if len(data) > self._largest:
            raise WriteFailed(place.ref, "too_large")
        name, temporary = place.parts[-1], _temporary(place, token)
        with _translated(place), self._folder(place, create=True) as folder:
            try:
                self._write(folder, temporary, data, old)
                came_out = self._exchange(folder, temporary, name)
            except FileExistsError:
                raise
            except OSError:
                self._unlink(folder, temporary)
                raise
            self._sync(self._calls.fsync, folder)
            return self._looked_at(folder, place, temporary) if came_out else None

    def _exchange(self, folder: int, temporary: str, name: str) -> bool:
        """Whether a file came out; without the system's exchange there is a moment's gap."""
        calls = self._calls
        try:
            calls.exchange(folder, temporary, name)
        except FileNotFoundError:
            return self._new(folder, temporary, name)
        except Unsupported:
            calls.link(folder, name, temporary + _ASIDE)
            calls.replace(folder, temporary, name)
            calls.replace(folder, temporary + _ASIDE, temporary)
        return True

    def _new(self, folder: int, temporary: str, name: str) -> bool:
        """As `_exchange`, for a place that was free a moment ago."""
        try:
            self._calls.place_new(folder, temporary, name)
        except FileExistsError:
            self._calls.exchange(folder, temporary, name)
            return True
        except Unsupported:
            self._calls.replace(folder, temporary, name)
        return False

    def _looked_at(self, folder: int, place: Place, temporary: str) -> Contents:
        """What came out; something that is no document goes back to its place (W3)."""
        try:
            return self._read_in(folder, place, temporary)[0]
        except (Unreadable, OSError) as error:
            with _uncertain():
                self._calls.exchange(folder, temporary, place.parts[-1])
                self._unlink(folder, temporary)
                self._sync(self._calls.fsync, folder)
            if isinstance(error, Unreadable):
                raise WriteFailed(place.ref, error.cause) from error
            raise

    def displaced(self, place: Place, token: str, rest: Rest) -> Contents | None:
        """See `Disk.displaced`."""
        return self._read(place, _temporary(place, token), rest)

    def discard(self, place: Place, token: str) -> None:
        """See `Disk.discard`."""
        with contextlib.suppress(OSError), self._folder(place) as folder:
            self._unlink(folder, _temporary(place, token))

    def leftovers(self, place: Place, age: float) -> tuple[str, ...]:
        """See `Disk.leftovers`."""
        head, tail = f".{place.parts[-1]}.", _SUFFIX
        try:
            with self._folder(place) as folder:
                names = [n for n in self._calls.names(folder) if n.startswith(head)]
                old = [n for n in names if n.endswith(tail) and self._age(folder, n) > age]
        except OSError:
            return ()
        return tuple(sorted(name[len(head) : -len(tail)] for name in old))

    def _age(self, folder: int, name: str) -> float:
        try:
            return self._now() - self._calls.stat(folder, name).st_ctime
        except FileNotFoundError:
            return -1.0

    def move(self, place: Place, target: Place) -> bool:
        """See `Disk.move`."""
        if self.read(place) is None or self.read(target) is not None:
            return False
        with (
            _translated(target),
            self._folder(target, create=True) as there,
            self._folder(place) as here,
        ):
            self._calls.move(here, place.parts[-1], (there, target.parts[-1]))
            self._sync(self._calls.fsync, there)
            self._sync(self._calls.fsync, here)
        return True

    def signature(self, place: Place) -> tuple[int, ...]:
        """See `Disk.signature`."""
        try:
            with self._folder(place) as folder:
                status = self._calls.stat(folder, place.parts[-1])
        except OSError:
            return ()
        return (*_signature(status), status.st_ctime_ns)

    def size(self, place: Place) -> int:
        """See `Disk.size`."""
        return (self.signature(place) or (0, 0))[1]

    def tail(self, place: Place, start: int) -> bytes:
        """See `Disk.tail`."""
        with _translated(place):
            try:
                with self._folder(place) as folder:
                    descriptor = self._calls.open(place.parts[-1], _READ, dir_fd=folder)
            except FileNotFoundError:
                return b""
            try:
                size = self._calls.fstat(descriptor).st_size
                return self._calls.pread(descriptor, max(size - start, 0), start)
            finally:
                self._calls.release(descriptor)

    def _write(self, folder: int, name: str, data: bytes, old: Contents | None) -> None:
        descriptor = self._calls.open(name, _FRESH, 0o600, dir_fd=folder)
        try:
            if old:
                self._keep_owner(descriptor, old)
                self._calls.fchmod(descriptor, old.mode)
            self._write_all(descriptor, data)
            self._sync(self._calls.fsync, descriptor)
        finally:
            self._calls.close(descriptor)

    def _write_all(self, descriptor: int, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[self._calls.write(descriptor, rest) :]

    def _keep_owner(self, descriptor: int, old: Contents) -> None:
        if old.owner == (os.geteuid(), os.getegid()):
            return
        with contextlib.suppress(PermissionError):
            self._calls.fchown(descriptor, *old.owner)

    def _unlink(self, folder: int, name: str) -> None:
        with contextlib.suppress(FileNotFoundError):
            self._calls.unlink(folder, name)

    def append(self, place: Place, lines: Sequence[bytes]) -> None:
        """See `Disk.append`; one write, and a torn last line is closed first."""
        with self.lock(place), _translated(place), self._folder(place, create=True) as folder:
            descriptor = self._calls.open(place.parts[-1], _APPEND, 0o600, dir_fd=folder)
            try:
                before = self._calls.fstat(descriptor)
                _check(place, before, None)
                self._append(descriptor, before.st_size, lines)
                self._sync(self._calls.fdatasync, descriptor)
            finally:
                self._calls.release(descriptor)
            if not before.st_size:
                self._sync(self._calls.fsync, folder)

    def _append(self, descriptor: int, size: int, lines: Sequence[bytes]) -> None:
        """Append at the end; our own piece of a failed try is taken away again."""
        torn = size > 0 and self._calls.pread(descriptor, 1, size - 1) != b"\n"
        whole = (b"\n" if torn else b"") + b"".join(line + b"\n" for line in lines)
        written = 0
        try:
            written = self._calls.write(descriptor, whole)
            if written != len(whole):
                raise OSError(errno.ENOSPC, "short write")
        except OSError:
            if self._calls.fstat(descriptor).st_size == size + written:
                self._calls.ftruncate(descriptor, size)
            raise

    def _sync(self, sync: Callable[[int], None], descriptor: int) -> None:
        if not self._fsync:
            return
        try:
            sync(descriptor)
        except OSError as error:
            raise SyncError(error.errno, "not durable") from error

    @contextlib.contextmanager
    def _folder(self, place: Place, create: bool = False) -> Iterator[int]:
        """A descriptor of the folder a place lies in; its components may not be links."""
        current = self._root(place.root, create)
        try:
            for part in place.parts[:-1]:
                below = self._step(current, part, create)
                self._calls.release(current)
                current = below
            yield current
        finally:
            self._calls.release(current)

    def _root(self, root: Path, create: bool) -> int:
        try:
            return self._calls.open(root, _ROOT)
        except FileNotFoundError:
            if not create:
                raise
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        above = self._calls.open(root.parent, _ROOT)
        try:
            self._sync(self._calls.fsync, above)
        finally:
            self._calls.release(above)
        return self._calls.open(root, _ROOT)

    def _step(self, folder: int, part: str, create: bool) -> int:
        try:
            return self._calls.open(part, _FOLDER, dir_fd=folder)
        except FileNotFoundError:
            if not create:
                raise
        with contextlib.suppress(FileExistsError):
            self._calls.mkdir(folder, part)
            self._sync(self._calls.fsync, folder)
        return self._calls.open(part, _FOLDER, dir_fd=folder)


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


@contextlib.contextmanager
def _uncertain() -> Iterator[None]:
    """Errors after which nobody knows what stands on disk."""
    try:
        yield
    except OSError as error:
        raise SyncError(error.errno, "not restored") from error


def _signature(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_ino, status.st_size, status.st_mtime_ns


def _contents(data: bytes, status: os.stat_result) -> Contents:
    digest = hashlib.sha256(data).hexdigest()
    owner = (status.st_uid, status.st_gid)
    return Contents(data, digest, stat.S_IMODE(status.st_mode), owner)


def _temporary(place: Place, token: str) -> str:
    return f".{place.parts[-1]}.{token}{_SUFFIX}"
