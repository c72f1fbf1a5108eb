"""Facts of people: triples with time, each person's apart; every change can be undone (F1-F3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace
from datetime import datetime, timedelta
from hashlib import blake2b

from sqlalchemy import Connection, delete, func, select

from memory import factrows
from memory.database import Database
from memory.factrows import Deed, Entry, Query, Record, Step
from memory.factrules import (
    ASK,
    Choice,
    Draft,
    Fact,
    Fault,
    FaultCode,
    Insert,
    Near,
    Same,
    checked,
    clash,
    ended,
    owned,
    plan,
)
from memory.operations import Refusal
from memory.tables import FACT_AUDIT, FACTS

__all__ = ["Added", "Changed", "Deed", "Facts", "Query", "Undone"]

UNDO_DAYS = 30
"""How long a change of facts can be undone."""

_MOST = 500


@dataclass(frozen=True, slots=True)
class Added:
    """A fact is stored; ``closed`` are those that ended for it, as they stand now.

    ``corrected`` is what stood in its place, when a known fact was corrected.
    """

    op: str
    fact: Fact
    closed: tuple[Fact, ...] = ()
    corrected: Fact | None = None


@dataclass(frozen=True, slots=True)
class Changed:
    """A fact was ended or deleted; ``after`` is None when it is gone."""

    op: str
    before: Fact
    after: Fact | None


@dataclass(frozen=True, slots=True)
class Undone:
    """An operation was taken back: what stands again, and what is gone again."""

    op: str
    restored: tuple[Fact, ...]
    removed: tuple[Fact, ...]


class Facts:
    """All facts; every method names the user whose they are, and never sees another one's.

    Every method is one transaction and may be called from any thread. Each raises `StateError`
    when the state cannot be used.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, deed: Deed, draft: Draft, choice: Choice = ASK) -> Added | Same | Near | Fault:
        """Store a fact, or say why not; the same request stores it once (F1-F3, W4).

        A new value of a single-valued predicate ends the one before it. What is close to a
        known fact is given back as `Near` until ``choice`` tells what to do.
        """
        tidy = checked(draft)
        if isinstance(tidy, Fault):
            return tidy
        asked = _asked(deed, "add", *astuple(tidy))
        with self._database.writing() as connection:
            before = factrows.answered(connection, deed.author.user, asked)
            if before:
                return _added(before)
            held = factrows.rivals(connection, deed.author.user, tidy.subject, tidy.predicate)
            planned = plan(tidy, held, deed.today, choice)
            if not isinstance(planned, Insert):
                return planned
            steps = (_new(connection, deed, planned), *_closing(planned, held))
            action = "correct" if planned.instead else "add"
            return _added(_done(connection, Entry(deed, action, steps, asked)))

    def invalidate(self, deed: Deed, id: int, until: str = "") -> Changed | Same | Fault:
        """End a fact, today unless a day is given, also one that has an end already (F2)."""
        end = until or deed.today
        asked = _asked(deed, "end", str(id))
        with self._database.writing() as connection:
            if before := factrows.answered(connection, deed.author.user, asked):
                return _changed(before)
            fact = factrows.one(connection, deed.author.user, id)
            if fact is None:
                return Fault(FaultCode.UNKNOWN_FACT)
            if end == fact.until or (not until and fact.until and fact.until <= end):
                return Same(fact)
            after = _checked_end(connection, deed, fact, end)
            if isinstance(after, Fault):
                return after
            return _changed(_done(connection, Entry(deed, "end", (Step(fact, after),), asked)))

    def delete(self, deed: Deed, id: int) -> Changed | Fault:
        """Remove a fact; what it once ended stays ended (F2)."""
        asked = _asked(deed, "delete", str(id))
        with self._database.writing() as connection:
            if before := factrows.answered(connection, deed.author.user, asked):
                return _changed(before)
            fact = factrows.one(connection, deed.author.user, id)
            if fact is None:
                return Fault(FaultCode.UNKNOWN_FACT)
            return _changed(_done(connection, Entry(deed, "delete", (Step(fact, None),), asked)))

    def undo(self, deed: Deed, op: str) -> Undone | Refusal:
        """Take a whole operation back, for 30 days, if nothing it changed has moved on."""
        user, asked = deed.author.user, _asked(deed, "undo", op)
        with self._database.writing() as connection:
            if before := factrows.answered(connection, user, asked):
                return _undone(before)
            rows = factrows.records(connection, FACT_AUDIT.c.user == user, FACT_AUDIT.c.op == op)
            refusal = _refusal(connection, rows, deed)
            if refusal:
                return refusal
            steps = [Step(row.step.after, row.step.before) for row in reversed(rows)]
            factrows.settle(connection, user, op)
            return _undone(_done(connection, Entry(deed, "undo", steps, asked, undoes=op)))

    def fact(self, user: int, id: int) -> Fact | None:
        """A fact by its id; None for an id the user does not have."""
        with self._database.reading() as connection:
            return factrows.one(connection, user, id)

    def facts(self, user: int, query: Query = Query()) -> tuple[Fact, ...]:  # noqa: B008
        """A page of the facts a query asks for, newest first."""
        with self._database.reading() as connection:
            return factrows.found(connection, user, query)

    def count(self, user: int, query: Query = Query()) -> int:  # noqa: B008
        """How many facts a query asks for, on all pages."""
        with self._database.reading() as connection:
            return factrows.counted(connection, user, query)

    def timeline(self, user: int, subject: str, page: Query = Query()) -> tuple[Fact, ...]:  # noqa: B008
        """The newest facts of a subject, current and past, in the order they began."""
        with self._database.reading() as connection:
            return factrows.history(connection, user, subject, page)

    def neighbourhood(self, user: int, entity: str, page: Query) -> tuple[Fact, ...]:
        """The newest facts that name an entity as subject or object and hold on ``page.on``."""
        with self._database.reading() as connection:
            return factrows.touching(connection, user, entity, page)

    def owned(self, user: int, subject: str, on: str) -> tuple[str, ...]:
        """What a subject has on a day: owned or acquired, and not disposed of since (F1)."""
        with self._database.reading() as connection:
            predicates = ("owns", "acquired", "disposed_of")
            found = [factrows.rivals(connection, user, subject, p) for p in predicates]
        return owned((fact for facts in found for fact in facts), on)

    def audit(self, user: int, id: int = 0) -> tuple[Record, ...]:
        """What happened to a fact (0: to all), oldest first, at most the newest 500 rows."""
        mine = FACT_AUDIT.c.user == user
        with self._database.reading() as connection:
            rows = factrows.records(connection, mine, *([FACT_AUDIT.c.fact == id] if id else []))
        return rows[-_MOST:]

    def last(self, user: int) -> Record | None:
        """The newest operation of a user that can be undone."""
        mine = FACT_AUDIT.c.user == user, FACT_AUDIT.c.standing > 0
        newest = select(func.max(FACT_AUDIT.c.seq)).where(*mine).scalar_subquery()
        with self._database.reading() as connection:
            rows = factrows.records(connection, *mine, FACT_AUDIT.c.seq == newest)
        return next(iter(rows), None)

    def undone_by(self, user: int, request: str) -> str:
        """The operation that a request took back before, "" when it took back none (W4)."""
        if not request:
            return ""
        asked = FACT_AUDIT.c.asked.between(f"{request}/", f"{request}0")
        mine = FACT_AUDIT.c.user == user, FACT_AUDIT.c.undoes != "", asked
        with self._database.reading() as connection:
            return connection.execute(select(FACT_AUDIT.c.undoes).where(*mine)).scalar() or ""

    def version(self, user: int) -> int:
        """A number that grows with every change of a user's facts, for what is made from them."""
        newest = select(func.max(FACT_AUDIT.c.seq)).where(FACT_AUDIT.c.user == user)
        with self._database.reading() as connection:
            return int(connection.execute(newest).scalar() or 0)

    def forget(self, user: int) -> int:
        """Erase all facts of a user and their audit (G5); gives how many facts there were."""
        with self._database.writing() as connection:
            gone = connection.execute(delete(FACTS).where(FACTS.c.user == user)).rowcount
            connection.execute(delete(FACT_AUDIT).where(FACT_AUDIT.c.user == user))
        return gone

    def scrub(self, before: datetime) -> None:
        """Forget the texts of changes older than a moment, so that deleted ones are gone (W6).

        The rows stay without their texts, and cannot be undone any more.
        """
        bare = {"before": "", "after": "", "standing": 0, "asked": None}
        with self._database.writing() as connection:
            old = FACT_AUDIT.update().where(FACT_AUDIT.c.at < before.timestamp())
            connection.execute(old.where(FACT_AUDIT.c.before + FACT_AUDIT.c.after != ""), bare)


def _asked(deed: Deed, *parts: str) -> str:
    """The name of a step of a request, "" when the request has none; it holds no text."""
    if not deed.author.request:
        return ""
    digest = blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=12)
    return f"{deed.author.request}/{digest.hexdigest()}"


def _new(connection: Connection, deed: Deed, planned: Insert) -> Step:
    draft, old = planned.draft, planned.instead
    fact = Fact(
        old.id if old else factrows.next_id(connection, deed.author.user),
        draft.subject,
        draft.predicate,
        draft.object,
        draft.since,
        draft.until,
        old.learned if old else deed.today,
    )
    return Step(old, fact)


def _closing(planned: Insert, held: tuple[Fact, ...]) -> list[Step]:
    before = {fact.id: fact for fact in held}
    return [Step(before[fact.id], fact) for fact in planned.closed]


def _done(connection: Connection, entry: Entry) -> tuple[Record, ...]:
    deed = entry.deed
    for step in entry.steps:
        factrows.store(connection, deed.author.user, step)
    factrows.record(connection, entry)
    return tuple(
        Record(deed.op, entry.undoes, entry.action, step, deed.author, 0.0, not entry.undoes)
        for step in entry.steps
    )


def _checked_end(connection: Connection, deed: Deed, fact: Fact, end: str) -> Fact | Fault:
    tidy = checked(Draft(fact.subject, fact.predicate, fact.object, fact.since, end))
    if isinstance(tidy, Fault):
        return replace(tidy, facts=(fact,))
    user = deed.author.user
    return ended(fact, tidy.until, factrows.rivals(connection, user, fact.subject, fact.predicate))


def _refusal(connection: Connection, rows: tuple[Record, ...], deed: Deed) -> Refusal | None:
    if not rows or rows[0].undoes:
        return Refusal.UNKNOWN
    if deed.at - datetime.fromtimestamp(rows[0].at, deed.at.tzinfo) > timedelta(days=UNDO_DAYS):
        return Refusal.EXPIRED
    if not rows[0].standing:
        return Refusal.ALREADY
    user, steps = deed.author.user, [row.step for row in rows]
    moved = any(factrows.one(connection, user, step.id) != step.after for step in steps)
    stopped = moved or any(_in_the_way(connection, user, steps))
    return Refusal.MOVED_ON if stopped else None


def _in_the_way(connection: Connection, user: int, steps: list[Step]) -> Iterator[Fact]:
    """What was stored since and cannot stand beside the facts that would come back."""
    own = {step.id for step in steps}
    for back in (step.before for step in steps if step.before):
        for other in factrows.rivals(connection, user, back.subject, back.predicate):
            if other.id not in own and clash(back, other):
                yield other


def _added(rows: tuple[Record, ...]) -> Added:
    first, *others = (row.step for row in rows)
    assert first.after
    closed = tuple(step.after for step in others if step.after)
    return Added(rows[0].op, first.after, closed, first.before)


def _changed(rows: tuple[Record, ...]) -> Changed:
    step = rows[0].step
    assert step.before
    return Changed(rows[0].op, step.before, step.after)


def _undone(rows: tuple[Record, ...]) -> Undone:
    restored = tuple(row.step.after for row in rows if row.step.after)
    removed = tuple(row.step.before for row in rows if row.step.before and not row.step.after)
    return Undone(rows[0].undoes, restored, removed)
