"""Values that agents and programs keep for a person or a group, by namespace and key (M7)."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, select
from sqlalchemy.dialects.sqlite import insert as upsert

from memory.database import Database, Prepared, Values
from memory.operations import Author
from memory.spaces import Space
from memory.tables import AUDIT, KEYVALUES

LARGEST = 1 << 20
"""How many bytes of UTF-8 the JSON of one value may have."""

PREVIEW = 2048
"""How many characters of a value a list shows."""

_NAMESPACE = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_KEY = re.compile("[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]{1,200}")
_OF_SPACE = KEYVALUES.c.space == bindparam("in_space")
_OF_NAMESPACE = _OF_SPACE & (KEYVALUES.c.namespace == bindparam("in_namespace"))
_OF_KEY = _OF_NAMESPACE & (KEYVALUES.c.key == bindparam("of_key"))
_VALUE = select(KEYVALUES.c.value, KEYVALUES.c.writer, KEYVALUES.c.at).where(_OF_KEY)
_GET = Prepared(_VALUE)
_adding = upsert(KEYVALUES)
_SET = _adding.on_conflict_do_update(
    index_elements=[KEYVALUES.c.space, KEYVALUES.c.namespace, KEYVALUES.c.key],
    set_={name: _adding.excluded[name] for name in ("value", "writer", "at")},
)
_DELETE = delete(KEYVALUES).where(_OF_KEY)
_LIST = Prepared(
    select(
        KEYVALUES.c.key,
        func.substr(KEYVALUES.c.value, 1, PREVIEW),
        func.length(KEYVALUES.c.value),
        KEYVALUES.c.writer,
        KEYVALUES.c.at,
    )
    .where(_OF_NAMESPACE)
    .order_by(KEYVALUES.c.key)
)
_NAMESPACES = Prepared(
    select(KEYVALUES.c.namespace, func.count())
    .where(_OF_SPACE)
    .group_by(KEYVALUES.c.namespace)
    .order_by(KEYVALUES.c.namespace)
)


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a value is: a space, a namespace in it, and a key."""

    space: Space
    namespace: str
    key: str

    @property
    def audited(self) -> str:
        """The slot as the audit names it: the key by its digest, since the audit has no text."""
        digest = hashlib.sha256(self.key.encode("utf-8", "surrogatepass")).hexdigest()
        return f"{self.space.code}/kv/{self.namespace}/{digest[:32]}"

    @property
    def where(self) -> Values:
        """The slot as the parameters of a statement."""
        return {
            "in_space": self.space.code,
            "in_namespace": self.namespace,
            "of_key": self.key,
        }


@dataclass(frozen=True, slots=True)
class Value:
    """The JSON text of a value, who wrote it last, and when."""

    text: str
    writer: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Listed:
    """A key with the beginning of its value; ``length`` counts all of its characters."""

    key: str
    preview: str
    length: int
    writer: int
    at: datetime


def is_namespace(name: str) -> bool:
    """Whether a namespace may have this name; those that begin with ``_`` are the program's."""
    return bool(_NAMESPACE.fullmatch(name))


def is_key(key: str) -> bool:
    """Whether a key may have this name: one line of at most 200 characters."""
    return bool(_KEY.fullmatch(key)) and bool(key.strip())


def encode(value: Any) -> str:
    """A value as the JSON text that is stored.

    Raises:
        ValueError: it is no JSON (NaN, infinite), or nested too deeply.
    """
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, RecursionError) as error:
        raise ValueError(str(error)) from error


class KeyValues:
    """The store of values; every write is audited with its writer, by digests (M6)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, slot: Slot) -> Value | None:
        """A value, None where there is none."""
        rows = self._database.ask(_GET, **slot.where)
        return Value(rows[0][0], rows[0][1], _moment(rows[0][2])) if rows else None

    def set(self, slot: Slot, text: str, author: Author, now: datetime) -> bool:
        """Store the JSON text of a value; False when it stood there already.

        Raises:
            ValueError: the slot's names, or the size, are not allowed.
        """
        if not (is_namespace(slot.namespace) and is_key(slot.key)):
            raise ValueError(slot)
        if len(text.encode()) > LARGEST:
            raise ValueError(len(text))
        row: Values = {
            "space": slot.space.code,
            "namespace": slot.namespace,
            "key": slot.key,
            "value": text,
            "writer": author.user,
            "at": now.timestamp(),
        }
        with self._database.writing() as connection:
            before = connection.execute(_VALUE, slot.where).scalar()
            if before != text:
                connection.execute(_SET, row)
                connection.execute(insert(AUDIT), _audited(slot, author, now, (before, text)))
        return before != text

    def delete(self, slot: Slot, author: Author, now: datetime) -> bool:
        """Delete a value; False when there was none."""
        with self._database.writing() as connection:
            before = connection.execute(_VALUE, slot.where).scalar()
            if before is not None:
                connection.execute(_DELETE, slot.where)
                connection.execute(insert(AUDIT), _audited(slot, author, now, (before, None)))
        return before is not None

    def list(self, space: Space, namespace: str) -> tuple[Listed, ...]:
        """The keys of a namespace, sorted, with previews."""
        rows = self._database.ask(_LIST, in_space=space.code, in_namespace=namespace)
        return tuple(
            Listed(key, preview, length, writer, _moment(at))
            for key, preview, length, writer, at in rows
        )

    def namespaces(self, space: Space) -> tuple[tuple[str, int], ...]:
        """The namespaces of a space with how many keys each has, sorted."""
        rows = self._database.ask(_NAMESPACES, in_space=space.code)
        return tuple((name, count) for name, count in rows)


def _audited(
    slot: Slot, author: Author, now: datetime, texts: tuple[str | None, str | None]
) -> Values:
    before, after = map(_digest, texts)
    return {
        "op": "",
        "document": slot.audited,
        "user": author.user,
        "chat": author.chat,
        "message": author.message,
        "source": author.source,
        "at": now.timestamp(),
        "before": before,
        "after": after,
        "result": "done",
    }


def _digest(text: str | None) -> str:
    return "" if text is None else hashlib.sha256(text.encode()).hexdigest()


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
