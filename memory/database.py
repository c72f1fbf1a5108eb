"""Connections to the state: one a thread, short transactions, errors translated once."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from memory.errors import StateError, StateFromTheFuture
from memory.tables import METADATA, SCHEMA

_LEVELS: Final = ("FULL", "NORMAL", "OFF")
_BUSY_MS: Final = 5000


class Database:
    """A SQLite file in WAL mode; safe to share between threads."""

    def __init__(self, path: Path, synchronous: str) -> None:
        """Open or create the file, for its owner only, and its schema.

        Raises:
            StateFromTheFuture: a newer program wrote the schema (W8).
            StateError: the file is no database, or cannot be opened.
            ValueError: ``synchronous`` is not FULL, NORMAL or OFF.
        """
        if synchronous not in _LEVELS:
            raise ValueError(synchronous)
        self._path, self._synchronous = path, synchronous
        self._local = threading.local()
        self._lock, self._open = threading.Lock(), list[Connection]()
        self._engine = self._create()
        self._migrate()

    def _create(self) -> Engine:
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        except OSError as error:
            raise StateError(str(self._path)) from error
        return create_engine(
            "sqlite://", creator=self._connect, poolclass=NullPool, hide_parameters=True
        )

    def _connect(self) -> sqlite3.Connection:
        raw = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        raw.execute(f"PRAGMA busy_timeout={_BUSY_MS}")
        raw.execute("PRAGMA journal_mode=WAL")
        raw.execute(f"PRAGMA synchronous={self._synchronous}")
        raw.execute("PRAGMA secure_delete=ON")
        return raw

    def _migrate(self) -> None:
        with self.writing() as connection:
            found = int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())
            if found > SCHEMA:
                raise StateFromTheFuture(found, SCHEMA)
            if found < SCHEMA:
                METADATA.create_all(connection)
                connection.exec_driver_sql(f"PRAGMA user_version={SCHEMA}")

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that holds the write lock from its first moment on."""
        with self.reading() as connection:
            raw = connection.connection.dbapi_connection
            assert raw is not None
            raw.cursor().execute("BEGIN IMMEDIATE")
            yield connection

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection whose statements each see the newest commit."""
        try:
            connection = self._connection()
            with connection.begin():
                yield connection
        except (SQLAlchemyError, sqlite3.Error) as error:
            raise StateError(str(self._path)) from error

    def _connection(self) -> Connection:
        known = getattr(self._local, "connection", None)
        if isinstance(known, Connection):
            return known
        connection = self._engine.connect()
        self._local.connection = connection
        with self._lock:
            self._open.append(connection)
        return connection

    def close(self) -> None:
        """Close every thread's connection; nobody may use the database any more."""
        with self._lock:
            while self._open:
                self._open.pop().close()
        self._local = threading.local()
