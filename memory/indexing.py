"""The index of memory: one SQLite file that may be deleted at any time (X3).

It holds no text. A term goes in as a hash under a key that is random for each file, together with
the space it stands in; so nobody's terms meet another one's, and nothing readable lingers.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple, Protocol, TypeVar

from memory.errors import StateError
from memory.spaces import Space

FILE = "search.db"
"""The name of the index in the folder of the state."""

Token = tuple[int, int, tuple[str, ...], bool]
"""A word of a text: where it starts and stops, its terms, and whether it says little by itself."""

T = TypeVar("T")

_SCHEMA: Final = (
    "CREATE TABLE about(version TEXT NOT NULL, salt BLOB NOT NULL)",
    "CREATE TABLE sources(id INTEGER PRIMARY KEY, space TEXT NOT NULL, key TEXT NOT NULL UNIQUE,"
    " signature TEXT NOT NULL, digest TEXT NOT NULL)",
    "CREATE TABLE entries(id INTEGER PRIMARY KEY, source INTEGER NOT NULL, print BLOB NOT NULL,"
    " start INTEGER NOT NULL, stop INTEGER NOT NULL, section INTEGER NOT NULL,"
    " subsection INTEGER NOT NULL, own TEXT NOT NULL, above TEXT NOT NULL)",
    "CREATE INDEX entries_of ON entries(source)",
    "CREATE VIRTUAL TABLE terms USING"
    " fts5(own, above, content='entries', content_rowid='id', tokenize='ascii')",
)
_FIND: Final = (
    "SELECT e.source, e.start, e.stop, e.section, e.subsection, e.own, e.above, f.weight FROM"
    " (SELECT rowid AS id, rank AS weight FROM terms WHERE terms MATCH ?"
    " AND rank MATCH 'bm25(1.0, 0.4)' {among} ORDER BY rank LIMIT ?) f"
    " JOIN entries e ON e.id = f.id ORDER BY f.weight"
)
_COUNT: Final = "SELECT count(*) FROM terms WHERE terms MATCH ? {among}"
_AMONG: Final = "AND rowid IN (SELECT id FROM entries WHERE source IN ({sources}))"
_ADD: Final = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_ADD_TERMS: Final = "INSERT INTO terms(rowid, own, above) VALUES (?, ?, ?)"
_DROP: Final = "DELETE FROM entries WHERE id = ?"
_DROP_TERMS: Final = "INSERT INTO terms(terms, rowid, own, above) VALUES ('delete', ?, ?, ?)"
_MOVE: Final = "UPDATE entries SET start = ?, stop = ?, section = ?, subsection = ? WHERE id = ?"
_WAIT_SECONDS: Final = 20.0
_BROKEN: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR})


class Tokens(Protocol):
    """The words of texts, by some language's rules; handed in by the caller."""

    version: str
    """Changes whenever a text would get other terms."""

    def tokens(self, text: str) -> Sequence[Token]:
        """What a text is found by, in order."""

    def asked(self, text: str) -> Sequence[Token]:
        """What a question asks for."""

    def label(self, predicate: str) -> str:
        """What a predicate of facts is called, "" when it has no other name."""


class Spot(NamedTuple):
    """Lines of a document, and the lines of the headings they stand under, -1 for none.

    Of a fact ``start`` is its id.
    """

    start: int
    stop: int
    section: int = -1
    subsection: int = -1


@dataclass(frozen=True, slots=True)
class Piece:
    """What is found as one hit: its own text, what stands above it, and its place."""

    own: str
    above: str
    place: Spot

    @property
    def print(self) -> bytes:
        """A short name of its texts."""
        text = f"{self.own}\0{self.above}".encode("utf-8", "surrogatepass")
        return blake2b(text, digest_size=12).digest()


@dataclass(frozen=True, slots=True)
class Row:
    """What the index knows of a source: which version of it was read."""

    id: int
    signature: str
    digest: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry that shares a term with a question; ``weight`` is less the better it fits.

    ``hashes`` are those of its terms and of what stands above it, with blanks between.
    """

    source: int
    place: Spot
    hashes: str
    weight: float


class Shelf:
    """The open index, for one search; see `File`."""

    def __init__(self, connection: sqlite3.Connection, salt: bytes, tokens: Tokens) -> None:
        self._raw, self._salt, self._tokens = connection, salt, tokens

    def sources(self, space: Space) -> dict[str, Row]:
        """What is indexed of a space, by the keys of its sources."""
        query = "SELECT key, id, signature, digest FROM sources WHERE space = ?"
        return {key: Row(*row) for key, *row in self._raw.execute(query, (space.code,))}

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction with the write lock."""
        self._raw.execute("BEGIN IMMEDIATE")
        with self._raw:
            yield

    def name(self, space: Space, key: str, signature: str, digest: str) -> int:
        """Note which version of a source is indexed; gives the number of the source."""
        self._raw.execute(
            "INSERT INTO sources(space, key, signature, digest) VALUES (?, ?, ?, ?)"
            " ON CONFLICT(key) DO UPDATE SET signature = excluded.signature,"
            " digest = excluded.digest",
            (space.code, key, signature, digest),
        )
        found = self._raw.execute("SELECT id FROM sources WHERE key = ?", (key,)).fetchone()
        return int(found[0])

    def fill(self, space: Space, source: int, pieces: Iterable[Piece]) -> None:
        """Make the entries of a source these ones; equal ones stay as they are."""
        query = "SELECT print, id, start, stop, section, subsection FROM entries WHERE source = ?"
        known: dict[bytes, list[tuple[int, Spot]]] = defaultdict(list)
        for name, id, *place in self._raw.execute(query, (source,)):
            known[name].append((id, Spot(*place)))
        moved, new = [], []
        for piece in pieces:
            name = piece.print
            same = known[name].pop(0) if known.get(name) else None
            if same is None:
                new.append((name, piece))
            elif same[1] != piece.place:
                moved.append((*piece.place, same[0]))
        self._drop([row[0] for rows in known.values() for row in rows])
        self._raw.executemany(_MOVE, moved)
        self._add(space, source, new)

    def remove(self, source: int) -> None:
        """Take a source out."""
        rows = self._raw.execute("SELECT id FROM entries WHERE source = ?", (source,))
        self._drop([id for (id,) in rows])
        self._raw.execute("DELETE FROM sources WHERE id = ?", (source,))

    def _drop(self, ids: Sequence[int]) -> None:
        query = "SELECT id, own, above FROM entries WHERE id = ?"
        gone = [self._raw.execute(query, (id,)).fetchone() for id in ids]
        self._raw.executemany(_DROP_TERMS, gone)
        self._raw.executemany(_DROP, [(id,) for id in ids])

    def _add(self, space: Space, source: int, new: Sequence[tuple[bytes, Piece]]) -> None:
        last = self._raw.execute("SELECT coalesce(max(id), 0) FROM entries").fetchone()[0]
        hashed: dict[str, str] = {}
        rows = [
            (
                id,
                source,
                name,
                *piece.place,
                self._terms(space, piece.own, hashed),
                self._terms(space, piece.above, hashed),
            )
            for id, (name, piece) in enumerate(new, last + 1)
        ]
        self._raw.executemany(_ADD, rows)
        self._raw.executemany(_ADD_TERMS, [(row[0], *row[-2:]) for row in rows])

    def _terms(self, space: Space, text: str, hashed: dict[str, str]) -> str:
        """The hashes of a text's terms as the index stores them, each once."""
        terms = {term for _, _, terms, _ in self._tokens.tokens(text) for term in terms}
        for term in terms - hashed.keys():
            hashed[term] = self.hash(space, term)
        return " ".join(sorted(hashed[term] for term in terms))

    def hash(self, space: Space, term: str) -> str:
        """What stands in the index for a term of a space."""
        text = f"{space.code}\0{term}".encode("utf-8", "surrogatepass")
        return blake2b(text, key=self._salt, digest_size=5).hexdigest()

    def find(
        self, hashes: Iterable[str], most: int, among: Sequence[int] | None = None
    ) -> tuple[list[Candidate], int]:
        """The best entries that have one of the terms, and how many have one.

        Args:
            hashes: what `hash` gave.
            most: how many entries.
            among: the numbers of the sources they may be in; None for all.
        """
        asked = " OR ".join(f'"{one}"' for one in hashes)
        inside = "" if among is None else _AMONG.format(sources=",".join(map(str, among)))
        rows = self._raw.execute(_FIND.format(among=inside), (asked, most))
        found = [
            Candidate(source, Spot(*place), f"{own} {above}", weight)
            for source, *place, own, above, weight in rows
        ]
        if len(found) < most:
            return found, len(found)
        count = self._raw.execute(_COUNT.format(among=inside), (asked,)).fetchone()
        return found, int(count[0])


class File:
    """The file of the index; it may be shared between threads and processes."""

    def __init__(self, path: Path, tokens: Tokens) -> None:
        self._path, self._tokens = path, tokens
        self._version = f"{_SCHEMA} {tokens.version}"

    def use(self, work: Callable[[Shelf], T]) -> T:
        """Do some work on the index.

        A broken file, or one of another version, is made anew; where no file can be used, the
        index is made in memory for this once.

        Raises:
            StateError: not even that works.
        """
        for opened in (self._there, self._anew):
            try:
                with contextlib.closing(opened()) as connection:
                    return work(self._shelf(connection))
            except sqlite3.Error as error:
                if not _is_broken(error):
                    break
            except OSError:
                break
        return self._without_file(work)

    def _without_file(self, work: Callable[[Shelf], T]) -> T:
        try:
            with contextlib.closing(_connected(":memory:")) as connection:
                return work(self._shelf(connection))
        except sqlite3.Error as error:
            raise StateError(str(self._path)) from error

    def _there(self) -> sqlite3.Connection:
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        return _connected(str(self._path))

    def _anew(self) -> sqlite3.Connection:
        for path in (self._path, self._path.with_name(f"{self._path.name}-journal")):
            path.unlink(missing_ok=True)
        return self._there()

    def _shelf(self, connection: sqlite3.Connection) -> Shelf:
        """The index of an open file, its tables made where there are none.

        Raises:
            sqlite3.DatabaseError: its tables are of another version.
        """
        if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            self._create(connection)
        version, salt = connection.execute("SELECT version, salt FROM about").fetchone()
        if version != self._version:
            raise sqlite3.DatabaseError(version)
        return Shelf(connection, salt, self._tokens)

    def _create(self, connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN IMMEDIATE")
        if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            for statement in _SCHEMA:
                connection.execute(statement)
            about = (self._version, secrets.token_bytes(16))
            connection.execute("INSERT INTO about VALUES (?, ?)", about)
        connection.execute("COMMIT")


def _connected(path: str) -> sqlite3.Connection:
    raw = sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)
    raw.execute("PRAGMA secure_delete=ON")
    raw.execute("PRAGMA synchronous=NORMAL")
    return raw


def _is_broken(error: sqlite3.Error) -> bool:
    """Whether the file itself is at fault, and not a lock, the disk or a permission."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is None or code & 0xFF in _BROKEN
