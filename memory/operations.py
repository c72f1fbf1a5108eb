"""The values that go into the store and come out of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memory.document import Document
from memory.edits import Edit
from memory.spaces import DocumentRef

WITH = "with:"
"""What the source of an operation begins with that is undone together with the one it names."""


@dataclass(frozen=True, slots=True)
class Author:
    """Who asks for a change, and from which message; ``source`` is "chat", "cli", ...

    ``request`` names what is being answered (an update); the same operation for the same
    request is done once (W4). It may be "": then nothing is known to be a repetition.
    """

    user: int
    chat: int = 0
    message: int = 0
    source: str = "chat"
    request: str = ""

    @property
    def twin(self) -> str:
        """The operation in another document that is undone together with this one, "" for none."""
        return self.source.removeprefix(WITH) if self.source.startswith(WITH) else ""


@dataclass(frozen=True, slots=True)
class Item:
    """One change of an operation; it is applied, skipped and undone as a whole.

    ``key`` names it inside its operation (a proposal's number, "entry", ...). ``log`` holds
    what follows the time stamp in the space's log, as `memory.logbook.log_line` makes it (C5).
    """

    key: str
    edit: Edit
    log: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A document as it was read; a missing file is an empty document with ``exists`` False."""

    ref: DocumentRef
    document: Document
    digest: str
    exists: bool


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of an operation.

    ``before`` and ``after`` count lines (W7), ``document`` and ``digest`` are what was read
    back from disk. Keys that are neither applied nor skipped had nothing to do. ``op`` is ""
    when nothing was written.
    """

    op: str
    document: Document
    before: int
    after: int
    applied: tuple[str, ...]
    skipped: tuple[str, ...]
    digest: str

    @property
    def changed(self) -> bool:
        """Whether anything was written."""
        return bool(self.op)


class Refusal(StrEnum):
    """Why nothing was undone; an operation of somebody else is UNKNOWN."""

    UNKNOWN = "unknown"
    EXPIRED = "expired"
    ALREADY = "already"
    MOVED_ON = "moved_on"


@dataclass(frozen=True, slots=True)
class UndoRefused:
    """Nothing was undone; ``skipped`` are the keys whose lines moved on."""

    why: Refusal
    skipped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Operation:
    """A done operation of the journal that can still be undone.

    ``keys`` are the items not undone yet; ``removed`` and ``added`` are their lines without
    terminators, in file order.
    """

    op: str
    ref: DocumentRef
    author: Author
    at: datetime
    keys: tuple[str, ...]
    removed: tuple[str, ...]
    added: tuple[str, ...]
