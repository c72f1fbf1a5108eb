"""Versions of documents: parsed text with its digest, kept at hand while they are in use."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from memory.disk import Contents
from memory.document import Document
from memory.errors import Unreadable, WriteFailed
from memory.ledger import Known
from memory.spaces import DocumentRef

ABSENT = hashlib.sha256(b"").hexdigest()
"""The digest of a document that does not exist."""

_LEAST = 8
_WEIGHT = 25
"""How many bytes a parsed document takes for each of its own."""


@dataclass(frozen=True, slots=True)
class Version:
    """A document with its bytes and their sha256; ``contents`` is its file when it was read."""

    document: Document
    digest: str
    data: bytes = field(repr=False)
    contents: Contents | None = field(default=None, repr=False)

    @property
    def known(self) -> Known:
        """The version as the state remembers it."""
        return Known(self.digest, len(self.data), self.data)

    def survives(self, other: Version) -> bool:
        """Whether another version still has half of this one's lines (reliability.md B4).

        Fewer than eight lines are too few to say.
        """
        lines = _filled(self.document)
        return lines < _LEAST or _filled(other.document) * 2 >= lines


def _filled(document: Document) -> int:
    return sum(1 for line in document.raw if line.strip())


def version_of(document: Document, ref: DocumentRef) -> Version:
    """A document that is about to be written.

    Raises:
        WriteFailed: it cannot be written as UTF-8.
    """
    try:
        data = document.to_bytes()
    except UnicodeEncodeError as error:
        raise WriteFailed(ref, "not_utf8") from error
    return Version(document, hashlib.sha256(data).hexdigest(), data)


class Shelf:
    """Parsed documents by digest, the latest used ones within about so many bytes of memory."""

    def __init__(self, room: int) -> None:
        self._room, self._used = room, 0
        self._documents: OrderedDict[str, tuple[Document, int]] = OrderedDict()
        self._lock = threading.Lock()

    def version(self, ref: DocumentRef, contents: Contents | None) -> Version:
        """The version that a file holds; an absent file is an empty document.

        Raises:
            Unreadable: it is no UTF-8 (W3).
        """
        if contents is None:
            return Version(Document(()), ABSENT, b"")
        document = self.document(ref, contents.digest, contents.data)
        return Version(document, contents.digest, contents.data, contents)

    def document(self, ref: DocumentRef, digest: str, data: bytes) -> Document:
        """The document with these bytes; raises as `version`."""
        known = self._get(digest)
        if known is not None:
            return known
        try:
            document = Document.parse(data)
        except UnicodeDecodeError as error:
            raise Unreadable(ref, "not_utf8") from error
        self.put(digest, document, len(data))
        return document

    def _get(self, digest: str) -> Document | None:
        with self._lock:
            found = self._documents.get(digest)
            if found is None:
                return None
            self._documents.move_to_end(digest)
            return found[0]

    def put(self, digest: str, document: Document, size: int) -> None:
        """Keep a document at hand; the longest unused ones give way."""
        with self._lock:
            if digest in self._documents:
                return
            weight = size * _WEIGHT
            self._documents[digest] = (document, weight)
            self._used += weight
            while self._used > self._room:
                _, (_, freed) = self._documents.popitem(last=False)
                self._used -= freed
