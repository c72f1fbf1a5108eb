"""What a document already says, remembered by digest so that a keep does not read it twice."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from memory.store import Snapshot

_SIZE = 512


class Known:
    """The entries' texts of recently read documents.

    The same digest gives the same tuple object, so that the engine's index cache holds (K8).
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._texts: OrderedDict[str, tuple[str, ...]] = OrderedDict()

    def texts(self, snapshot: Snapshot) -> tuple[str, ...]:
        """The text of every entry, in file order."""
        with self._lock:
            if snapshot.digest in self._texts:
                self._texts.move_to_end(snapshot.digest)
                return self._texts[snapshot.digest]
        texts = tuple(entry.text for entry in snapshot.document.entries)
        with self._lock:
            self._texts[snapshot.digest] = texts
            if len(self._texts) > _SIZE:
                self._texts.popitem(last=False)
        return texts
