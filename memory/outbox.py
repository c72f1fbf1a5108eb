"""Posts on their way as opaque bytes: stored with the end of their update (W4, B1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import BindParameter, bindparam, delete, select, update
from sqlalchemy.dialects.sqlite import insert

from memory.database import Database, Prepared, Step
from memory.tables import CHATS, DIALOGS, INBOX, JOURNAL, MEMBERS, OUTBOX, PREFERENCES

_FIELDS = ("id", "chat", "person", "body", "at")
_MAKE = Prepared(insert(OUTBOX).on_conflict_do_nothing(), *_FIELDS)
_FINISH = Prepared(update(INBOX).where(INBOX.c.update_id == bindparam("which")).values(body=None))
_SHOW = Prepared(update(DIALOGS).where(DIALOGS.c.id == bindparam("which")), "message")
_GONE = Prepared(delete(OUTBOX).where(OUTBOX.c.id == bindparam("which")))
_UNSENT = Prepared(select(*(OUTBOX.c[name] for name in _FIELDS)).order_by(OUTBOX.c.seq))

_OLD: BindParameter[int] = bindparam("old")
_NEW: BindParameter[int] = bindparam("new")
_MIGRATE = tuple(
    map(
        Prepared,
        (
            update(DIALOGS).where(DIALOGS.c.chat == _OLD).values(chat=_NEW, message=0),
            update(OUTBOX).where(OUTBOX.c.chat == _OLD).values(chat=_NEW),
            update(INBOX).where(INBOX.c.queue == _OLD).values(queue=_NEW),
            update(PREFERENCES)
            .where(PREFERENCES.c.owner == _OLD)
            .values(owner=_NEW)
            .prefix_with("OR IGNORE"),
            update(CHATS).where(CHATS.c.chat == _OLD).values(chat=_NEW).prefix_with("OR IGNORE"),
            update(MEMBERS)
            .where(MEMBERS.c.chat == _OLD)
            .values(chat=_NEW)
            .prefix_with("OR IGNORE"),
            update(JOURNAL).where(JOURNAL.c.chat == _OLD).values(chat=_NEW),
        ),
    )
)
_LEFT = (
    Prepared(delete(PREFERENCES).where(PREFERENCES.c.owner == _OLD)),
    Prepared(delete(CHATS).where(CHATS.c.chat == _OLD)),
    Prepared(delete(MEMBERS).where(MEMBERS.c.chat == _OLD)),
)


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One post: ``body`` is opaque, ``person`` whose it is (0: nobody's), ``at`` when it was made.

    ``id`` is the same whenever the same update is handled again, so that a post is stored once;
    ``at`` is in seconds since 1970.
    """

    id: str
    chat: int
    person: int
    body: bytes
    at: float


@dataclass(frozen=True, slots=True)
class Progress:
    """What has happened since the last commit.

    ``done`` are the ids of handled updates, ``made`` the posts that answer them, ``gone`` the
    ids of posts that need no sending any more, ``shown`` pairs of a dialog and its message.
    """

    done: tuple[int, ...] = ()
    made: tuple[Outgoing, ...] = ()
    gone: tuple[str, ...] = ()
    shown: tuple[tuple[str, int], ...] = ()


class Outbox:
    """The posts that are not delivered yet."""

    _database: Database

    def advance(self, progress: Progress) -> None:
        """Commit at once: updates are blanked, their posts stored, delivered ones forgotten."""
        self._database.write(_steps(progress))

    def unsent(self) -> tuple[Outgoing, ...]:
        """Every post that is not delivered, in the order in which they were made."""
        return tuple(Outgoing(*row) for row in self._database.ask(_UNSENT))

    def migrate(self, old: int, new: int) -> None:
        """Move everything stored under a chat's old id to its new one; harmless when repeated.

        Messages are counted anew in the new chat, so questions lose the message that showed
        them. What the new chat has preferred already stays.
        """
        if old == new:
            return
        chats = {"old": old, "new": new}
        steps: list[Step] = [(statement, chats) for statement in _MIGRATE]
        self._database.write([*steps, *((statement, {"old": old}) for statement in _LEFT)])


def _steps(progress: Progress) -> Iterator[Step]:
    for update_id in progress.done:
        yield _FINISH, {"which": update_id}
    for post in progress.made:
        yield _MAKE, {name: getattr(post, name) for name in _FIELDS}
    for id in progress.gone:
        yield _GONE, {"which": id}
    for dialog, message in progress.shown:
        yield _SHOW, {"which": dialog, "message": message}
