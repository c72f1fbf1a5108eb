"""The system calls that a disk makes, as an argument: tests hand in ones that fail."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import time
from collections.abc import Callable
from pathlib import Path

_NO_REPLACE, _EXCHANGE = 1, 2
_UNSUPPORTED = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP)


class Unsupported(OSError):  # noqa: N818
    """This system or file system cannot exchange two files."""


class Calls:
    """The calls of the operating system; every access to a document goes through one object.

    Names in a folder are given relative to its descriptor. Each raises `OSError`.
    """

    open = staticmethod(os.open)
    close = staticmethod(os.close)
    read = staticmethod(os.read)
    pread = staticmethod(os.pread)
    write = staticmethod(os.write)
    fstat = staticmethod(os.fstat)
    fsync = staticmethod(os.fsync)
    fdatasync = staticmethod(os.fdatasync)
    ftruncate = staticmethod(os.ftruncate)
    fchmod = staticmethod(os.fchmod)
    fchown = staticmethod(os.fchown)
    flock = staticmethod(fcntl.flock)
    sleep = staticmethod(time.sleep)

    def release(self, descriptor: int) -> None:
        """Close what was only read, locked or made durable before: no failure matters any more."""
        with contextlib.suppress(OSError):
            self.close(descriptor)

    def mkdir(self, folder: int, name: str) -> None:
        """Make a folder for its owner only."""
        os.mkdir(name, 0o700, dir_fd=folder)

    def unlink(self, folder: int, name: str) -> None:
        """Remove a file's name."""
        os.unlink(name, dir_fd=folder)

    def names(self, folder: int) -> list[str]:
        """Every name in a folder."""
        return os.listdir(folder)

    def link(self, folder: int, source: str, target: str) -> None:
        """Give a file a second name."""
        os.link(source, target, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)

    def stat(self, folder: int, name: str) -> os.stat_result:
        """What is known of a name, links not followed."""
        return os.stat(name, dir_fd=folder, follow_symlinks=False)

    def replace(self, folder: int, source: str, target: str) -> None:
        """Give a file the name of another one, which is gone."""
        os.replace(source, target, src_dir_fd=folder, dst_dir_fd=folder)

    def move(self, folder: int, name: str, target: tuple[int, str]) -> None:
        """Give a file a name in another folder: a descriptor, and the name there."""
        os.replace(name, target[1], src_dir_fd=folder, dst_dir_fd=target[0])

    def exchange(self, folder: int, one: str, other: str) -> None:
        """Let two files change names, in one step.

        Raises:
            Unsupported: neither is changed, and never will be on this file system.
        """
        _rename(folder, one, other, _EXCHANGE)

    def place_new(self, folder: int, source: str, target: str) -> None:
        """Rename a file to a name that must be free.

        Raises:
            FileExistsError: it is not. Unsupported: as `exchange`.
        """
        _rename(folder, source, target, _NO_REPLACE)


def _rename(folder: int, source: str, target: str, flags: int) -> None:
    call = _renameat2()
    if call is None:
        raise Unsupported(errno.ENOSYS, "no renameat2")
    if call(folder, os.fsencode(source), folder, os.fsencode(target), flags) == 0:
        return
    number = ctypes.get_errno()
    kind = Unsupported if number in _UNSUPPORTED else OSError
    raise kind(number, os.strerror(number))


def _renameat2() -> Callable[..., int] | None:
    call: Callable[..., int] | None = getattr(_LIBRARY, "renameat2", None)
    return call


def make_durable(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk; raises `OSError`."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


_LIBRARY = ctypes.CDLL(None, use_errno=True)
