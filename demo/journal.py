"""The journal: the last calls, updates and actions, for tests to look back at."""

from __future__ import annotations

from collections import deque
from typing import Any

LENGTH = 2_000

Entry = tuple[int, float, str, str, Any, Any]


class Journal:
    """A ring of entries, each with a number that only grows."""

    def __init__(self) -> None:
        self.last = 0
        self._entries: deque[Entry] = deque(maxlen=LENGTH)

    def note(self, time: float, kind: str, name: str, data: Any, answer: Any = None) -> None:
        """Keep one entry; values are kept as they are and must not be changed later."""
        self.last += 1
        self._entries.append((self.last, time, kind, name, data, answer))

    def since(self, number: int) -> list[dict[str, Any]]:
        """Entries after ``number``, oldest first."""
        keys = ("n", "time", "kind", "name", "data", "answer")
        return [dict(zip(keys, entry, strict=True)) for entry in self._entries if entry[0] > number]
