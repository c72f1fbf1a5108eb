"""The rows behind `memory.facts`: how facts are found, stored, and how a change is recorded."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, or_, select, update

from memory.factrules import Fact, key
from memory.operations import Author
from memory.tables import FACT_AUDIT, FACTS

_FIELDS = ("id", "subject", "predicate", "object", "since", "until", "learned")
_SELECT = select(*(FACTS.c[name] for name in _FIELDS))


@dataclass(frozen=True, slots=True)
class Deed:
    """Who changes facts, when, and the name (``op``) by which it can be undone."""

    author: Author
    at: datetime
    op: str

    @property
    def today(self) -> str:
        """The day it is done on."""
        return self.at.date().isoformat()


@dataclass(frozen=True, slots=True)
class Step:
    """One fact before and after a change; None where there is none."""

    before: Fact | None
    after: Fact | None

    @property
    def id(self) -> int:
        """The fact's id."""
        fact = self.after or self.before
        assert fact
        return fact.id


@dataclass(frozen=True, slots=True)
class Query:
    """Which facts are looked for; an empty field asks for nothing.

    ``on`` is a day they must hold on, "" also finds those that are over; ``word`` must stand in
    the subject or the object. ``limit`` and ``skip`` make pages, newest facts first.
    """

    subject: str = ""
    predicate: str = ""
    on: str = ""
    word: str = ""
    limit: int = 50
    skip: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    """A row of the audit: what happened to one fact, when and from where (F2, M6)."""

    op: str
    undoes: str
    action: str
    step: Step
    author: Author
    at: float
    standing: bool


def wanted(user: int, query: Query) -> ColumnElement[bool]:
    """The condition a query stands for."""
    tests = [FACTS.c.user == user]
    if query.subject:
        tests.append(FACTS.c.subject_key == key(query.subject))
    if query.predicate:
        tests.append(FACTS.c.predicate == query.predicate)
    if query.on:
        tests += [FACTS.c.since <= query.on, or_(FACTS.c.until == "", FACTS.c.until > query.on)]
    for word in key(query.word).split():
        places = (FACTS.c.subject_key, FACTS.c.object_key)
        tests.append(or_(*(func.instr(place, word) > 0 for place in places)))
    return and_(*tests)


def found(connection: Connection, user: int, query: Query) -> tuple[Fact, ...]:
    """A page of the facts asked for, newest first; an index alone decides which they are."""
    page = select(FACTS.c.id).where(wanted(user, query)).order_by(FACTS.c.id.desc())
    ids = page.limit(query.limit).offset(query.skip).scalar_subquery()
    statement = _SELECT.where(FACTS.c.user == user, FACTS.c.id.in_(ids))
    return facts_of(connection.execute(statement.order_by(FACTS.c.id.desc())))


def counted(connection: Connection, user: int, query: Query) -> int:
    """How many facts there are of those asked for."""
    statement = select(func.count()).select_from(FACTS).where(wanted(user, query))
    return int(connection.execute(statement).scalar_one())


def history(connection: Connection, user: int, subject: str, page: Query) -> tuple[Fact, ...]:
    """A page of all facts of a subject, in the order they began."""
    mine = FACTS.c.user == user, FACTS.c.subject_key == key(subject)
    order = FACTS.c.begins.desc(), FACTS.c.id.desc()
    newest = _SELECT.where(*mine).order_by(*order).limit(page.limit).offset(page.skip)
    return tuple(reversed(facts_of(connection.execute(newest))))


def touching(connection: Connection, user: int, entity: str, page: Query) -> tuple[Fact, ...]:
    """A page of the facts that name an entity on either side, newest first."""
    sides = FACTS.c.subject_key == key(entity), FACTS.c.object_key == key(entity)
    held, most = wanted(user, Query(on=page.on)), page.skip + page.limit
    newest = _SELECT.order_by(FACTS.c.id.desc()).limit(most)
    each = [facts_of(connection.execute(newest.where(held, side))) for side in sides]
    merged = {fact.id: fact for facts in each for fact in facts}
    return tuple(merged[id] for id in sorted(merged, reverse=True)[page.skip : most])


def one(connection: Connection, user: int, id: int) -> Fact | None:
    """A fact of a user by its id; somebody else's id is unknown."""
    rows = connection.execute(_SELECT.where(FACTS.c.user == user, FACTS.c.id == id))
    return next(iter(facts_of(rows)), None)


def rivals(connection: Connection, user: int, subject: str, predicate: str) -> tuple[Fact, ...]:
    """Everything that a subject and a predicate have, of all times, in the order it began."""
    test = wanted(user, Query(subject, predicate))
    return facts_of(connection.execute(_SELECT.where(test).order_by(FACTS.c.begins, FACTS.c.id)))


def next_id(connection: Connection, user: int) -> int:
    """The id after every id that the user's facts ever had."""
    largest = (
        select(func.max(FACTS.c.id)).where(FACTS.c.user == user),
        select(func.max(FACT_AUDIT.c.fact)).where(FACT_AUDIT.c.user == user),
    )
    return 1 + max(connection.execute(each).scalar() or 0 for each in largest)


def facts_of(rows: Iterable[Any]) -> tuple[Fact, ...]:
    """Facts from rows of their columns."""
    return tuple(Fact(*row) for row in rows)


def store(connection: Connection, user: int, step: Step) -> None:
    """Make a fact as it is after a step."""
    place = FACTS.c.user == user, FACTS.c.id == step.id
    if step.after is None:
        connection.execute(delete(FACTS).where(*place))
    elif step.before is None:
        connection.execute(insert(FACTS), {"user": user, **_values(step.after)})
    else:
        connection.execute(update(FACTS).where(*place), _values(step.after))


def _values(fact: Fact) -> dict[str, object]:
    keys = {"subject_key": key(fact.subject), "object_key": key(fact.object)}
    return {**asdict(fact), "begins": fact.begins, **keys}


@dataclass(frozen=True, slots=True)
class Entry:
    """What the audit writes about one operation; ``asked`` names its request, or is ""."""

    deed: Deed
    action: str
    steps: Sequence[Step]
    asked: str = ""
    undoes: str = ""


def record(connection: Connection, entry: Entry) -> None:
    """Store what an operation changed, one row a fact."""
    deed, author = entry.deed, entry.deed.author
    shared = {
        "op": deed.op,
        "undoes": entry.undoes,
        "user": author.user,
        "action": entry.action,
        "chat": author.chat,
        "message": author.message,
        "source": author.source,
        "at": deed.at.timestamp(),
        "standing": int(not entry.undoes),
    }
    rows = [
        {**shared, **_sides(step), "asked": (entry.asked or None) if first else None}
        for first, step in zip((True, *[False] * len(entry.steps)), entry.steps, strict=False)
    ]
    connection.execute(insert(FACT_AUDIT), rows)


def _sides(step: Step) -> dict[str, object]:
    return {"fact": step.id, "before": _written(step.before), "after": _written(step.after)}


def _written(fact: Fact | None) -> str:
    return json.dumps(asdict(fact), ensure_ascii=False) if fact else ""


def _read(text: str) -> Fact | None:
    return Fact(**json.loads(text)) if text else None


def records(connection: Connection, *tests: ColumnElement[bool]) -> tuple[Record, ...]:
    """Rows of the audit in the order they were written."""
    rows = connection.execute(select(FACT_AUDIT).where(*tests).order_by(FACT_AUDIT.c.seq))
    return tuple(
        Record(
            row.op,
            row.undoes,
            row.action,
            Step(_read(row.before), _read(row.after)),
            Author(row.user, row.chat, row.message, row.source),
            row.at,
            bool(row.standing),
        )
        for row in rows
    )


def answered(connection: Connection, user: int, asked: str) -> tuple[Record, ...]:
    """What was done for a request before, nothing when it is new (W4)."""
    if not asked:
        return ()
    mine = FACT_AUDIT.c.user == user
    op = select(FACT_AUDIT.c.op).where(mine, FACT_AUDIT.c.asked == asked)
    return records(connection, mine, FACT_AUDIT.c.op.in_(op))


def settle(connection: Connection, user: int, op: str) -> None:
    """Let an operation not be undone again."""
    rows = update(FACT_AUDIT).where(FACT_AUDIT.c.user == user, FACT_AUDIT.c.op == op)
    connection.execute(rows, {"standing": 0})
