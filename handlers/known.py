"""What a document already says, remembered by digest so that a keep does not read it twice."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from memory.document import Document
from memory.spaces import DocumentRef
from memory.store import Receipt, Snapshot

_LINES = 200_000


@dataclass(frozen=True, slots=True)
class _Page:
    raw: tuple[str, ...]
    texts: tuple[str, ...]


class Known:
    """The entries' texts of recently read documents, up to some hundred thousand lines in all.

    The same digest gives the same tuple object, so that the engine's index cache holds (K8).
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._pages: OrderedDict[str, _Page] = OrderedDict()
        self._newest: dict[DocumentRef, str] = {}
        self._lines = 0

    def texts(self, snapshot: Snapshot) -> tuple[str, ...]:
        """The text of every entry, in file order."""
        page = self._page(snapshot.digest)
        if page is None:
            page = _Page(snapshot.document.raw, _texts(snapshot.document))
            self._put(snapshot.digest, page)
        self._newest[snapshot.ref] = snapshot.digest
        return page.texts

    def appended(self, ref: DocumentRef, receipt: Receipt, entry: str) -> None:
        """Learn the document that a write left, when all it did was to add one last line."""
        old = self._page(self._newest.get(ref, ""))
        raw = receipt.document.raw
        if old and raw and raw[-1] == f"- {entry}\n" and raw[:-1] == old.raw:
            self._put(receipt.digest, _Page(raw, (*old.texts, entry)))

    def count(self, ref: DocumentRef) -> int:
        """How many lines a document had when its texts were asked for last; 0 when never."""
        page = self._page(self._newest.get(ref, ""))
        return len(page.raw) if page else 0

    def _page(self, digest: str) -> _Page | None:
        with self._lock:
            if digest in self._pages:
                self._pages.move_to_end(digest)
            return self._pages.get(digest)

    def _put(self, digest: str, page: _Page) -> None:
        with self._lock:
            if digest not in self._pages:
                self._lines += len(page.raw)
            self._pages[digest] = page
            while self._lines > _LINES and len(self._pages) > 1:
                self._lines -= len(self._pages.popitem(last=False)[1].raw)


def _texts(document: Document) -> tuple[str, ...]:
    return tuple(entry.text for entry in document.entries)
