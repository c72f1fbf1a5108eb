"""Whether a log still begins with what was written to it: kept as a length and a digest (B6).

A log is only ever appended to, by us and perhaps by others. What stood in it once must stand
there for ever; a shorter or changed beginning is an alarm and is never repaired in place.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from memory.disk import Disk
from memory.layout import Place
from memory.ledger import Known
from memory.spaces import DocumentRef
from memory.state import State


@dataclass(frozen=True, slots=True)
class _Sum:
    """The running digest of the first ``length`` bytes."""

    length: int
    hash: Any

    def grown(self, data: bytes) -> _Sum:
        hash = self.hash.copy()
        hash.update(data)
        return _Sum(self.length + len(data), hash)


class Seals:
    """The beginnings of logs, as they were when this program last wrote to them."""

    def __init__(self, state: State, disk: Disk) -> None:
        self._state, self._disk = state, disk
        self._sums: dict[DocumentRef, _Sum] = {}

    def sealed(self, place: Place) -> Known:
        """What is to be remembered of a log that was just appended to; it has no body."""
        known = self._sums.get(place.ref, _Sum(0, hashlib.sha256()))
        if self._disk.size(place) < known.length:
            known = _Sum(0, hashlib.sha256())
        known = known.grown(self._disk.tail(place, known.length))
        self._sums[place.ref] = known
        return Known(known.hash.hexdigest(), known.length, None)

    def broken(self, place: Place) -> bool:
        """Whether a log begins otherwise than it was written; then the new beginning counts."""
        known = self._state.known(place.ref)
        if known is None:
            return False
        data = self._disk.tail(place, 0)
        if hashlib.sha256(data[: known.length]).hexdigest() == known.digest:
            return False
        self._sums.pop(place.ref, None)
        self._state.know(place.ref, Known(hashlib.sha256(data).hexdigest(), len(data), None))
        return True
