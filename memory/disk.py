"""What the store needs of a disk: an interface, and the values that cross it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from memory.layout import Place

SETTLE = 0.05
"""Seconds a foreign file should have rested before its bytes are trusted for a write."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The bytes of a file with their sha256, and whose file it is and with which mode."""

    data: bytes
    digest: str
    mode: int
    owner: tuple[int, int]


Rest = Callable[[Contents], float]
"""For how many seconds a file must not have changed before its bytes are taken for all of it."""


class SyncError(OSError):
    """The system could not make a write durable; what is on disk is unknown (W8)."""


class Disk(Protocol):
    """What the store needs of a disk; passed by argument."""

    def lock(self, place: Place) -> AbstractContextManager[None]:
        """Hold the lock of a place between threads and processes; raises `Busy`."""

    def read(self, place: Place, rest: Rest | None = None) -> Contents | None:
        """A stable read, None when there is no such file; raises `Unreadable`.

        ``rest`` is given for bytes that will be changed: a file that somebody may be in the
        middle of writing is read again later, for a second at most.
        """

    def swap(self, place: Place, data: bytes, old: Contents | None, token: str) -> Contents | None:
        """Put new bytes in a place, durably, and give what stood there at that very moment.

        That may be something else than ``old``, whose mode and owner the new file gets. The
        file that came out stays beside the place, named after ``token``, until `discard`.
        Raises `WriteFailed` when nothing is changed, `SyncError` when the bytes may not last.
        """

    def displaced(self, place: Place, token: str, rest: Rest) -> Contents | None:
        """What the file that came out of a swap holds by now, None when it is gone.

        Waits for one that is still being written as `read` does; raises `Unreadable`.
        """

    def discard(self, place: Place, token: str) -> None:
        """Remove the file that came out of a swap, if it is there."""

    def leftovers(self, place: Place, age: float) -> tuple[str, ...]:
        """The tokens of files that came out, or never went in, more than ``age`` seconds ago."""

    def move(self, place: Place, target: Place) -> bool:
        """Give a file another place, with both locks held; False when there is none to move.

        Where a file stands in the other place already, nothing is moved either.

        Raises:
            Unreadable, WriteFailed: as `read` and `swap`.
        """

    def signature(self, place: Place) -> tuple[int, ...]:
        """Numbers that change with every change of a file; empty when there is none."""

    def append(self, place: Place, lines: Sequence[bytes]) -> None:
        """Append lines without their ends, all or none; raises `WriteFailed`, `SyncError`."""

    def size(self, place: Place) -> int:
        """How many bytes a file has, 0 when there is none."""

    def tail(self, place: Place, start: int) -> bytes:
        """What a file holds from a position on, b"" when there is none; raises `WriteFailed`."""
