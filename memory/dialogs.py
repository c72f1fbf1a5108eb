"""Questions that wait for an answer, stored so that a restart changes nothing (D1)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Select, and_, bindparam, insert, or_, select, update

from memory.database import Database, Prepared
from memory.tables import DIALOGS

_COLUMNS = [c for c in DIALOGS.c if c.name != "seq"]
_OPEN = DIALOGS.c.status == "open"
_NEWEST_FIRST = DIALOGS.c.seq.desc()

_ADD = insert(DIALOGS)
_BY_ID = select(*_COLUMNS).where(DIALOGS.c.id == bindparam("id"))
_BY_MESSAGE = (
    select(*_COLUMNS)
    .where(DIALOGS.c.chat == bindparam("chat"), DIALOGS.c.message == bindparam("message"))
    .order_by(_NEWEST_FIRST)
    .limit(1)
)
_OF = select(*_COLUMNS).where(DIALOGS.c.asker == bindparam("asker")).order_by(_NEWEST_FIRST)
_SAME_REQUEST = and_(bindparam("request") != "", DIALOGS.c.ended_by == bindparam("request"))
_OF_ASKER = Prepared(_OF.where(or_(_OPEN, _SAME_REQUEST)))
_OPEN_IN = (
    select(*_COLUMNS).where(_OPEN, DIALOGS.c.chat == bindparam("chat")).order_by(_NEWEST_FIRST)
)
_ASKERS = (
    select(DIALOGS.c.asker)
    .where(_OPEN, DIALOGS.c.created < bindparam("before"))
    .distinct()
    .order_by(DIALOGS.c.asker)
)
_ATTACH = update(DIALOGS).where(DIALOGS.c.id == bindparam("which"))
_AMEND = _ATTACH.where(_OPEN)
_ALIVE = and_(_OPEN, DIALOGS.c.expires > bindparam("now"))
_TAKE = (
    _ATTACH.where(or_(_ALIVE, _SAME_REQUEST))
    .values(status=bindparam("end"), ended_by=bindparam("request"))
    .returning(*_COLUMNS)
)


@dataclass(frozen=True, slots=True)
class Dialog:
    """A waiting question.

    ``message`` is 0 until the card was sent. ``digest`` is that of the document it was made
    from. ``payload`` is JSON. Times carry a zone and come back in UTC. ``status`` is open,
    answered, expired or superseded; ``ended_by`` is the request that ended it.
    """

    id: str
    kind: str
    chat: int
    topic: int
    message: int
    asker: int
    payload: dict[str, Any]
    digest: str
    created: datetime
    expires: datetime
    status: str = "open"
    ended_by: str = ""


class Dialogs:
    """The waiting questions of all chats."""

    _database: Database

    def open_dialog(self, dialog: Dialog) -> None:
        """Store a new question."""
        with self._database.writing() as connection:
            connection.execute(_ADD, _values(dialog))

    def dialog(self, id: str) -> Dialog | None:
        """The question with this id, whatever became of it."""
        return self._one(_BY_ID, id=id)

    def dialog_at(self, chat: int, message: int) -> Dialog | None:
        """The newest question asked by this message, whatever became of it."""
        return self._one(_BY_MESSAGE, chat=chat, message=message)

    def dialogs_of(self, asker: int, request: str = "") -> tuple[Dialog, ...]:
        """All open questions of a person, newest first, and those ended by ``request`` (D6)."""
        names = [c.name for c in _COLUMNS]
        rows = self._database.ask(_OF_ASKER, asker=asker, request=request)
        return tuple(_dialog(dict(zip(names, row, strict=True))) for row in rows)

    def dialogs_in(self, chat: int) -> tuple[Dialog, ...]:
        """All open questions that stand in a chat, newest first."""
        with self._database.reading() as connection:
            rows = connection.execute(_OPEN_IN, {"chat": chat}).all()
        return tuple(_dialog(dict(row._mapping)) for row in rows)

    def askers(self, before: datetime) -> tuple[int, ...]:
        """Everybody with an open question that was asked before a moment (D6)."""
        with self._database.reading() as connection:
            return tuple(connection.execute(_ASKERS, {"before": before.timestamp()}).scalars())

    def attach(self, id: str, message: int) -> None:
        """Remember which message shows the question."""
        with self._database.writing() as connection:
            connection.execute(_ATTACH, {"which": id, "message": message})

    def amend(self, id: str, payload: dict[str, Any]) -> None:
        """Replace the payload of an open question (a toggle); a closed one stays as it is."""
        with self._database.writing() as connection:
            connection.execute(_AMEND, {"which": id, "payload": _json(payload)})

    def take(
        self, id: str, now: datetime, end: str = "answered", request: str = ""
    ) -> Dialog | None:
        """Close an open question, once (D4); the same request may close it again (W4).

        None when somebody was faster, or when it is closed, expired by ``now``, or unknown.
        """
        values = {"which": id, "now": now.timestamp(), "end": end, "request": request}
        with self._database.writing() as connection:
            row = connection.execute(_TAKE, values).one_or_none()
        return _dialog(dict(row._mapping)) if row else None

    def _one(self, query: Select[Any], **parameters: object) -> Dialog | None:
        with self._database.reading() as connection:
            row = connection.execute(query, parameters).one_or_none()
        return _dialog(dict(row._mapping)) if row else None


def _values(dialog: Dialog) -> dict[str, object]:
    values = {c.name: getattr(dialog, c.name) for c in _COLUMNS}
    values["payload"] = _json(dialog.payload)
    values["created"] = dialog.created.timestamp()
    values["expires"] = dialog.expires.timestamp()
    return values


def _json(payload: dict[str, Any]) -> str:
    return json.dumps(payload, ensure_ascii=False)


def _dialog(values: dict[str, Any]) -> Dialog:
    values["payload"] = json.loads(values["payload"])
    values["created"] = datetime.fromtimestamp(values["created"], UTC)
    values["expires"] = datetime.fromtimestamp(values["expires"], UTC)
    return Dialog(**values)
