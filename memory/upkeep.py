"""Looking after the state's file: is it whole, and a copy of it while others write."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path
from typing import Any

from memory.database import Database
from memory.system import make_durable

_CHECK = "PRAGMA quick_check"
_WHOLE = "ok"


class Upkeep:
    """What operators need of the state."""

    _database: Database

    def damage(self) -> tuple[str, ...]:
        """What SQLite finds wrong in the file, nothing when it is whole (W8).

        Raises:
            StateError: it is too damaged to be looked at.
        """
        with self._database.reading() as connection:
            rows = connection.exec_driver_sql(_CHECK).scalars().all()
        return tuple(str(row) for row in rows if row != _WHOLE)

    def copy_to(self, path: Path) -> None:
        """Write the state of one moment to a new file that stands alone, durably.

        Others may go on writing meanwhile. A copy of the file itself would lack what is still
        in its WAL (B28).

        Raises:
            FileExistsError: there is such a file already.
            OSError: the file cannot be made durable.
            StateError: the state cannot be read, or the disk is full.
        """
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        with self._database.reading() as connection:
            raw: Any = connection.connection.dbapi_connection
            _copy(raw, path)
        make_durable(path)


def flaws(path: Path) -> tuple[str, ...]:
    """What is wrong in a state's file that nobody uses; it is only read."""
    try:
        with contextlib.closing(
            sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        ) as raw:
            rows = raw.execute(_CHECK).fetchall()
    except sqlite3.Error as error:
        return (type(error).__name__,)
    return tuple(str(row[0]) for row in rows if row[0] != _WHOLE)


def _copy(raw: sqlite3.Connection, path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as target:
        raw.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")
