"""The table of a backup: what it holds, with the digest of every file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

FILE = "manifest.json"
"""The name of the table in the folder of its backup."""

STATE = "state.db"
"""The name of the state's copy there; documents lie below `DOCUMENTS` under default names."""

DOCUMENTS = "documents"

_FORMAT = 1
_BAD = (KeyError, TypeError, ValueError, RecursionError)


@dataclass(frozen=True, slots=True)
class Saved:
    """One file of a backup: the document it is a copy of, "" for the state; size in bytes."""

    document: str
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What could not be saved, and the cause as in `memory.errors`; ``document`` as above."""

    document: str
    cause: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds, when it was begun, and the schema of its state."""

    at: datetime
    schema: int
    files: tuple[Saved, ...]
    left_out: tuple[LeftOut, ...] = ()

    @property
    def documents(self) -> tuple[Saved, ...]:
        """The files without the state."""
        return tuple(saved for saved in self.files if saved.document)

    @property
    def state(self) -> Saved | None:
        """The copy of the state, None where it could not be saved."""
        return next((saved for saved in self.files if not saved.document), None)


def encoded(manifest: Manifest) -> bytes:
    """The manifest as it stands in its file, readable by people too."""
    values = {
        "format": _FORMAT,
        "at": manifest.at.isoformat(),
        "schema": manifest.schema,
        "files": [[saved.document, saved.sha256, saved.size] for saved in manifest.files],
        "left_out": [[left.document, left.cause] for left in manifest.left_out],
    }
    return (json.dumps(values, indent=1) + "\n").encode()


def decoded(data: bytes) -> Manifest:
    """The manifest that `encoded` wrote.

    Raises:
        ValueError: it is none, or one of a newer program.
    """
    try:
        values = json.loads(data)
        if values["format"] != _FORMAT:
            raise ValueError(values["format"])
        return _manifest(values)
    except _BAD as error:
        raise ValueError(FILE) from error


def _manifest(values: dict[str, Any]) -> Manifest:
    return Manifest(
        datetime.fromisoformat(values["at"]),
        int(values["schema"]),
        tuple(Saved(str(name), str(digest), int(size)) for name, digest, size in values["files"]),
        tuple(LeftOut(str(name), str(cause)) for name, cause in values["left_out"]),
    )
