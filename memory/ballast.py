"""A file that only takes up room: given away on a full disk, so that a refusal can be recorded."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from pathlib import Path

SIZE = 1 << 20
"""How many bytes it holds back."""

_AMPLE = 8
"""It is made only where so many times its size is free, never out of the last room."""


class Ballast:
    """One file of bytes that no file system can make smaller.

    Args:
        path: where it lies, on the disk of the state.
        size: how many bytes it takes.
    """

    def __init__(self, path: Path, size: int = SIZE) -> None:
        self._path, self._size = path, size

    def fill(self) -> bool:
        """Make the file if it is not whole and there is ample room; whether it is there now."""
        if self._taken() == self._size:
            return True
        try:
            if shutil.disk_usage(self._path.parent).free < _AMPLE * self._size:
                return False
            self._write()
        except OSError:
            self.release()
            return False
        return True

    def release(self) -> bool:
        """Give the room away; whether there was any. Never raises."""
        taken = self._taken()
        with contextlib.suppress(OSError):
            self._path.unlink()
            return taken > 0
        return False

    def _taken(self) -> int:
        with contextlib.suppress(OSError):
            return self._path.stat().st_size
        return 0

    def _write(self) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(self._path, flags, 0o600), "wb") as file:
            file.write(hashlib.shake_128(b"ballast").digest(self._size))
            file.flush()
            os.fsync(file.fileno())
