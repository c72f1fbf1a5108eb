# ruff: noqa: N818  (a name says what happened; "Error" is kept for the branches)
"""The errors of the storage core: what nobody in the chat can answer.

::

    PomnenkaError
    ├── DocumentError            one document cannot be read or changed
    │   ├── Unreadable           not UTF-8, a symlink, not a file, too large, no permission (W3)
    │   │   └── Shrunk           somebody else took most of it away; a person decides (B4)
    │   ├── WriteFailed          the disk refused; nothing is half done (W3)
    │   ├── Unfinished           begun and recorded; it will be finished, not repeated (W1)
    │   ├── Busy                 somebody held the lock for the whole wait (W1)
    │   └── StorageReadOnly      the space takes no writes after a failed fsync (W8)
    └── StateError               the SQL state cannot be used
        └── StateFromTheFuture   a newer program wrote its schema (W8)

Errors carry data, never memory text (W5); sentences for people are made in ``handlers``.
What a person can answer is a value, not an error.
"""

from __future__ import annotations

from memory.spaces import DocumentRef


class PomnenkaError(Exception):
    """The root of everything this program raises on purpose."""


class DocumentError(PomnenkaError):
    """One document cannot be read or changed; ``document`` is its reference or file name."""

    def __init__(self, document: DocumentRef | str, *detail: str) -> None:
        super().__init__(document, *detail)
        self.document = document


class Unreadable(DocumentError):
    """The file is no readable document, and is never taken for an empty one (W3).

    ``cause`` is one of ``not_utf8``, ``symlink``, ``not_a_file``, ``too_large``, ``denied``,
    ``shrunk``.
    """

    def __init__(self, document: DocumentRef | str, cause: str) -> None:
        super().__init__(document, cause)
        self.cause = cause


class Shrunk(Unreadable):
    """Somebody else took more than half of a document away; it takes no writes as it is (B4).

    A person decides: `Store.accept` or `Store.put_back`.
    """

    def __init__(self, document: DocumentRef | str) -> None:
        super().__init__(document, "shrunk")


class WriteFailed(DocumentError):
    """The disk refused a write; the document is as it was (W3).

    ``cause`` names the failing step, for example ``no_space`` or ``denied``.
    """

    def __init__(self, document: DocumentRef | str, cause: str) -> None:
        super().__init__(document, cause)
        self.cause = cause


class Unfinished(DocumentError):
    """A write was begun and its intent recorded, but its end could not be reached now.

    It is finished at the next touch of the document or the next start, never done twice.
    """


class Busy(DocumentError):
    """The lock of the document did not come free in time (W1)."""


class StorageReadOnly(DocumentError):
    """The space takes no writes until an operator has looked at the disk (W8)."""


class StateError(PomnenkaError):
    """The SQL state cannot be used."""


class StateFromTheFuture(StateError):
    """The state was written by a newer program; running backwards is refused (W8).

    ``found`` and ``known`` are schema numbers.
    """

    def __init__(self, found: int, known: int) -> None:
        super().__init__(found, known)
        self.found = found
        self.known = known
