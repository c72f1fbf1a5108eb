"""What somebody wants to be told at a moment: told once, together with the post that tells it.

The moment is fixed when a reminder is made: it is stored in UTC beside the zone it was said in,
so that neither a change of the clock nor one of the zone in /settings moves it (T9, R7).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlalchemy import bindparam, exists, func, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from memory.database import Database, Prepared
from memory.outbox import Outgoing
from memory.tables import CHATS, OUTBOX, REMINDERS

MOST_OPEN = 200
"""How many reminders of one person may wait."""

_COLUMNS = tuple(REMINDERS.c[n] for n in ("id", "user", "text", "due", "zone", "exact", "status"))
_OPEN = REMINDERS.c.status == "open"
_THIS = REMINDERS.c.id == bindparam("which")
_OWN = _THIS & (REMINDERS.c.user == bindparam("owner"))
_SOON = (REMINDERS.c.due, REMINDERS.c.id)

_COUNT = select(func.count()).where(_OPEN, REMINDERS.c.user == bindparam("owner"))
_ASKED = select(*_COLUMNS).where(REMINDERS.c.asked == bindparam("asked"))
_ONE = Prepared(select(*_COLUMNS).where(_OWN))
_LIST = Prepared(
    select(*_COLUMNS).where(_OPEN, REMINDERS.c.user == bindparam("owner")).order_by(*_SOON)
)
_BARRED = exists().where(CHATS.c.chat == REMINDERS.c.user, CHATS.c.reachable == 0)
_DUE = Prepared(
    select(*_COLUMNS).where(_OPEN, REMINDERS.c.due <= bindparam("now"), ~_BARRED).order_by(*_SOON)
)
_MOVE = Prepared(update(REMINDERS).where(_OWN, _OPEN), "due", "zone", "exact")
_CANCEL = Prepared(update(REMINDERS).where(_OWN, _OPEN).values(status="cancelled"), "fired")
_REVIVE = Prepared(
    update(REMINDERS)
    .where(_OWN, REMINDERS.c.status == "cancelled")
    .values(status="open", fired=None)
)
_WHICH = REMINDERS.c.id.in_(bindparam("ids", expanding=True))
_RIPE = select(func.count()).where(_WHICH, _OPEN, REMINDERS.c.due <= bindparam("now"))
_FIRE = update(REMINDERS).where(_WHICH).values(status="fired", fired=bindparam("now"))
_POST = upsert(OUTBOX).on_conflict_do_nothing()
_ENDED = func.coalesce(REMINDERS.c.fired, REMINDERS.c.due) < bindparam("before")
_FORGET = Prepared(REMINDERS.delete().where(REMINDERS.c.status != "open", _ENDED))


@dataclass(frozen=True, slots=True)
class Reminder:
    """One reminder; ``due`` is in UTC, ``zone`` the name of the zone it was said in.

    ``exact``: a time of day was said, so that it comes in quiet hours too. ``status`` is open,
    fired or cancelled.
    """

    id: int
    user: int
    text: str
    due: datetime
    zone: str = ""
    exact: bool = True
    status: str = "open"


class Reminders:
    """The reminders of all people; every method is one transaction.

    Each raises `StateError` when the file cannot be used.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, reminder: Reminder, asked: str) -> Reminder | None:
        """Store a reminder, whose ``id`` is ignored; None when too many wait already.

        The same request ``asked`` gets what it made before, whatever became of it (W4).
        """
        with self._database.writing() as connection:
            known = connection.execute(_ASKED, {"asked": asked}).one_or_none()
            if known:
                return _reminder(tuple(known))
            if connection.execute(_COUNT, {"owner": reminder.user}).scalar_one() >= MOST_OPEN:
                return None
            made = connection.execute(insert(REMINDERS), _values(reminder) | {"asked": asked})
            return replace(reminder, id=made.lastrowid, due=reminder.due.astimezone(UTC))

    def waiting(self, user: int) -> tuple[Reminder, ...]:
        """The open reminders of a person, the next one first."""
        return tuple(map(_reminder, self._database.ask(_LIST, owner=user)))

    def reminder(self, user: int, id: int) -> Reminder | None:
        """One reminder of a person, whatever became of it; None for somebody else's."""
        rows = self._database.ask(_ONE, which=id, owner=user)
        return _reminder(rows[0]) if rows else None

    def move(self, reminder: Reminder) -> bool:
        """Give an open reminder the time that ``reminder`` has; False when it waits no more."""
        values = {"which": reminder.id, "owner": reminder.user, "due": reminder.due.timestamp()}
        timed = {**values, "zone": reminder.zone, "exact": int(reminder.exact)}
        return self._database.write([(_MOVE, timed)]) == (1,)

    def cancel(self, user: int, id: int, now: datetime) -> bool:
        """Let a reminder not come; False when it waits no more."""
        values = {"which": id, "owner": user, "fired": now.timestamp()}
        return self._database.write([(_CANCEL, values)]) == (1,)

    def revive(self, user: int, id: int) -> bool:
        """Take a cancellation back; False when it was not cancelled."""
        return self._database.write([(_REVIVE, {"which": id, "owner": user})]) == (1,)

    def due(self, now: datetime) -> tuple[Reminder, ...]:
        """The open reminders whose moment has come, of people who can be reached, in order."""
        return tuple(map(_reminder, self._database.ask(_DUE, now=now.timestamp())))

    def fire(self, fired: Sequence[Reminder], now: datetime, posts: Sequence[Outgoing]) -> bool:
        """Mark reminders as told and put their posts into the outbox, in one commit.

        A process that is killed has done both or nothing, so each is told by one post, which the
        outbox delivers at least once. False, and nothing is done, when one of them was told,
        moved or cancelled meanwhile.
        """
        values = {"ids": [each.id for each in fired], "now": now.timestamp()}
        with self._database.writing() as connection:
            if connection.execute(_RIPE, values).scalar_one() != len(fired):
                return False
            connection.execute(_FIRE, values)
            connection.execute(_POST, [_row(post) for post in posts])
            return True

    def forget(self, before: datetime) -> None:
        """Delete what was told or cancelled before a moment."""
        self._database.write([(_FORGET, {"before": before.timestamp()})])


def _row(post: Outgoing) -> dict[str, object]:
    return {name: getattr(post, name) for name in ("id", "chat", "person", "body", "at")}


def _values(reminder: Reminder) -> dict[str, object]:
    return {
        "user": reminder.user,
        "text": reminder.text,
        "due": reminder.due.timestamp(),
        "zone": reminder.zone,
        "exact": int(reminder.exact),
        "status": "open",
    }


def _reminder(row: tuple[object, ...]) -> Reminder:
    id, user, text, due, zone, exact, status = row
    moment = datetime.fromtimestamp(float(str(due)), UTC)
    return Reminder(
        int(str(id)), int(str(user)), str(text), moment, str(zone), bool(exact), str(status)
    )
