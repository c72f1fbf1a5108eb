"""What came out of exchanges stays a while: a writer that opened it may still write into it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory.disk import Contents
from memory.layout import Place

LINGER = timedelta(seconds=2)
"""For how long it is watched (reliability.md d.3, step 8)."""


@dataclass(frozen=True, slots=True)
class Displaced:
    """A file beside a place, named after ``token``, and what it held when it came out."""

    place: Place
    token: str
    contents: Contents
    since: datetime


class Lingering:
    """The files that came out of exchanges of this process, oldest first."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._files: dict[Place, list[Displaced]] = {}

    def add(self, place: Place, token: str, contents: Contents) -> None:
        """Watch a file from now on."""
        displaced = Displaced(place, token, contents, self._clock())
        self._files.setdefault(place, []).append(displaced)

    def places(self) -> tuple[Place, ...]:
        """Every place with a file to watch."""
        return tuple(self._files)

    def due(self, place: Place, wait: timedelta = LINGER) -> Iterator[Displaced]:
        """Those that have waited long enough; they are watched no more."""
        before = self._clock() - wait
        files = self._files.get(place, [])
        while files and files[0].since <= before:
            yield files.pop(0)
        if not files:
            self._files.pop(place, None)
