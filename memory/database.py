"""Connections to the state: one a thread, short transactions, errors translated once."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from sqlalchemy import ClauseElement, Connection, Engine, create_engine
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from memory.errors import StateError, StateFromTheFuture
from memory.tables import METADATA, MIGRATIONS, SCHEMA

_LEVELS: Final = ("FULL", "NORMAL", "OFF")
_BUSY_MS: Final = 5000
_RETRY_SECONDS: Final = 0.005
_NAMED: Final = sqlite.dialect(paramstyle="named")

Values = Mapping[str, object]


class Prepared:
    """A statement of SQLAlchemy compiled once, for what runs at every update.

    Args:
        statement: values that are not in it are given by name when it is run.
        columns: those that an insert or an update sets, where the statement does not say.
    """

    def __init__(self, statement: ClauseElement, *columns: str) -> None:
        compiled = statement.compile(dialect=_NAMED, column_keys=columns or None)
        self._sql, self._fixed = str(compiled), dict(compiled.params)

    def run(self, raw: sqlite3.Connection, values: Values) -> sqlite3.Cursor:
        """Execute on a connection; gives the cursor with what was found."""
        return raw.execute(self._sql, {**self._fixed, **values})


Step = tuple[Prepared, Values]


def nothing() -> bool:
    """The relief of those who hold no room back."""
    return False


class Database:
    """A SQLite file in WAL mode; safe to share between threads."""

    def __init__(
        self,
        path: Path,
        synchronous: str,
        connections: type[sqlite3.Connection] = sqlite3.Connection,
        relief: Callable[[], bool] = nothing,
    ) -> None:
        """Open or create the file, for its owner only, and its schema.

        ``relief`` is asked for room when the disk is full, and tells whether there is some now.

        Raises:
            StateFromTheFuture: a newer program wrote the schema (W8).
            StateError: the file is no database, or cannot be opened.
            ValueError: ``synchronous`` is not FULL, NORMAL or OFF.
        """
        if synchronous not in _LEVELS:
            raise ValueError(synchronous)
        self._path, self._synchronous, self._connections = path, synchronous, connections
        self._relief = relief
        self._local = threading.local()
        self._lock, self._open = threading.Lock(), list[Connection]()
        self._engine = self._create()
        with contextlib.ExitStack() as stack:
            stack.callback(self.close)
            self._migrate()
            stack.pop_all()

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
        raw = sqlite3.connect(
            self._path,
            isolation_level=None,
            check_same_thread=False,
            factory=self._connections,
        )
        raw.execute(f"PRAGMA busy_timeout={_BUSY_MS}")
        _to_wal(raw)
        raw.execute(f"PRAGMA synchronous={self._synchronous}")
        raw.execute("PRAGMA secure_delete=ON")
        return raw

    def _migrate(self) -> None:
        with self.writing() as connection:
            found = int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())
            if found > SCHEMA:
                raise StateFromTheFuture(found, SCHEMA)
            if found < SCHEMA:
                for statement in _missing(found):
                    connection.exec_driver_sql(statement)
                METADATA.create_all(connection)
                for index in (i for table in METADATA.sorted_tables for i in table.indexes):
                    index.create(connection, checkfirst=True)
                connection.exec_driver_sql(f"PRAGMA user_version={SCHEMA}")

    def write(self, steps: Iterable[Step]) -> tuple[int, ...]:
        """Run prepared statements in one transaction; gives how many rows each one changed."""
        whole = tuple(steps)
        with self._translated():
            try:
                return self._written(whole)
            except sqlite3.OperationalError as error:
                if not (_says_full(error) and self._relief()):
                    raise
                return self._written(whole)

    def _written(self, steps: Sequence[Step]) -> tuple[int, ...]:
        with self._raw() as raw:
            raw.execute("BEGIN IMMEDIATE")
            return tuple([step.run(raw, values).rowcount for step, values in steps])

    def ask(self, query: Prepared, **values: object) -> list[tuple[Any, ...]]:
        """The rows that a prepared query finds."""
        with self._translated():
            return query.run(self._raw(), values).fetchall()

    def _raw(self) -> sqlite3.Connection:
        """This thread's connection below SQLAlchemy; as a context it commits or rolls back."""
        raw: sqlite3.Connection | Any = self._connection().connection.dbapi_connection
        return raw

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that holds the write lock from its first moment on."""
        with self.reading() as connection:
            self._raw().execute("BEGIN IMMEDIATE")
            yield connection

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection whose statements each see the newest commit."""
        with self._translated():
            connection = self._connection()
            with connection.begin():
                yield connection

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
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
        """Close every thread's connection; nobody may use the database any more.

        What was overwritten or deleted is gone from the write-ahead log then, unless another
        program has the database open: the last one that closes it empties the log (W6).
        """
        with self._lock:
            if self._open:
                _empty_log(self._open[-1])
            while self._open:
                self._open.pop().close()
        self._local = threading.local()


def _missing(found: int) -> Iterator[str]:
    """What brings the tables of an older schema up to date; nothing for a new file."""
    for schema, statements in MIGRATIONS.items():
        if 0 < found < schema:
            yield from statements


def _empty_log(connection: Connection) -> None:
    """Move the write-ahead log into the file and cut it to nothing; not while others use it."""
    raw: sqlite3.Connection | Any = connection.connection.dbapi_connection
    with contextlib.suppress(sqlite3.Error):
        raw.execute("PRAGMA busy_timeout=0")
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _says_full(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_FULL


def _to_wal(raw: sqlite3.Connection) -> None:
    """Switch to WAL; SQLite does not wait by itself while another one creates the same file."""
    deadline = time.monotonic() + _BUSY_MS / 1000
    while True:
        try:
            raw.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() >= deadline:
                raise
            time.sleep(_RETRY_SECONDS)
