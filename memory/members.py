"""Who is inside which chat and which group, as far as this program was told (G1, G3, M2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock
from types import MappingProxyType

from sqlalchemy import and_, bindparam, delete, insert, or_, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from memory.database import Database, Prepared, Step
from memory.scope import Audience, Room, Roster
from memory.tables import CHATS, GROUP_MEMBERS, MEMBERS

FRESH = timedelta(minutes=10)
"""For how long Telegram's answer about a chat may be relied upon."""

_MOST = 10_000
_CHAT = CHATS.c.chat == bindparam("which")
_INSIDE = MEMBERS.c.chat == bindparam("which")
_KNOW = Prepared(insert(CHATS).prefix_with("OR IGNORE"), "chat")
_NAME = Prepared(update(CHATS).where(_CHAT), "kind", "title")
_COUNT = Prepared(update(CHATS).where(_CHAT), "count", "checked", "asked")
_REACH = Prepared(update(CHATS).where(_CHAT), "reachable")
_SAME_REQUEST = and_(bindparam("request") != "", CHATS.c.told_by == bindparam("request"))
_GROWN = Prepared(
    update(CHATS).where(_CHAT, or_(CHATS.c.told < bindparam("readers"), _SAME_REQUEST)),
    "told",
    "told_by",
)
_SHRUNK = Prepared(update(CHATS).where(_CHAT, CHATS.c.told > bindparam("readers")), "told")
_OF_CHAT = Prepared(
    select(
        CHATS.c.kind,
        CHATS.c.title,
        CHATS.c.count,
        CHATS.c.asked,
        CHATS.c.reachable,
        CHATS.c.checked,
    ).where(_CHAT)
)
_ENTER = Prepared(insert(MEMBERS).prefix_with("OR IGNORE"), "chat", "user", "bot")
_LEAVE = Prepared(delete(MEMBERS).where(_INSIDE, MEMBERS.c.user == bindparam("who")))
_ALL_LEAVE = Prepared(delete(MEMBERS).where(_INSIDE))
_NO_ADMINS = Prepared(update(MEMBERS).where(_INSIDE).values(admin=0))
_adding = upsert(MEMBERS)
_ADMIN = Prepared(
    _adding.on_conflict_do_update(
        index_elements=[MEMBERS.c.chat, MEMBERS.c.user], set_={"admin": 1}
    ),
    "chat",
    "user",
    "admin",
)
_WHO = Prepared(select(MEMBERS.c.user, MEMBERS.c.bot, MEMBERS.c.admin).where(_INSIDE))
_ROOMS = Prepared(
    select(CHATS.c.chat, CHATS.c.title)
    .join(MEMBERS, MEMBERS.c.chat == CHATS.c.chat)
    .where(MEMBERS.c.user == bindparam("who"), CHATS.c.reachable == 1)
    .order_by(CHATS.c.chat)
)
_GROUPS = Prepared(select(GROUP_MEMBERS.c.name).distinct())
_GROUPS_OF = Prepared(select(GROUP_MEMBERS.c.name).where(GROUP_MEMBERS.c.user == bindparam("who")))
_MEMBERS_OF = Prepared(select(GROUP_MEMBERS.c.user).where(GROUP_MEMBERS.c.name == bindparam("id")))
_ENROL = Prepared(insert(GROUP_MEMBERS).prefix_with("OR IGNORE"), "name", "user")
_DISMISS = Prepared(
    delete(GROUP_MEMBERS).where(
        GROUP_MEMBERS.c.name == bindparam("id"), GROUP_MEMBERS.c.user == bindparam("who")
    )
)

Groups = Mapping[str, frozenset[int]]


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat as an update names it; ``kind`` is Telegram's word, such as ``supergroup``."""

    id: int
    kind: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    """What Telegram answered about a chat; ``count`` is None when it did not.

    ``count`` are all members, this bot included; ``admins`` persons, ``bots`` other bots,
    ``come`` persons who are inside, and ``gone`` persons who are not. ``checked``: Telegram was
    asked about each person who was thought to be inside.
    """

    count: int | None
    admins: frozenset[int] = frozenset()
    bots: frozenset[int] = frozenset()
    gone: frozenset[int] = frozenset()
    checked: bool = True
    come: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class _Row:
    """What is stored of a chat; ``count`` is None when Telegram's last answer told none."""

    kind: str
    title: str
    count: int | None
    asked: float
    reachable: int
    checked: int


@dataclass(frozen=True, slots=True)
class _Inside:
    """Somebody who is known to be inside a chat."""

    user: int
    bot: int
    admin: int


class Members:
    """The people of chats and groups; it answers as a `memory.scope.Roster`.

    `at` is the same with a look at the clock: what was asked of Telegram too long ago counts as
    unknown there.
    """

    def __init__(self, database: Database, groups: Groups = MappingProxyType({})) -> None:
        """``groups`` are the configured ones with their members."""
        self._database, self._groups = database, groups
        self._met: set[tuple[Chat, int]] = set()
        self._lock = Lock()

    def meet(self, chat: Chat, user: int) -> None:
        """Somebody speaks in a chat, so they are inside and the bot is reached there."""
        if (chat, user) in self._met:
            return
        self.enter(chat, (user,))
        with self._lock:
            if len(self._met) >= _MOST:
                self._met.clear()
            self._met.add((chat, user))

    def _forget(self, chat: int, users: frozenset[int] | None = None) -> None:
        """Look again at what somebody's next words tell; None: at those of everybody there."""
        with self._lock:
            old = {(c, u) for c, u in self._met if c.id == chat and (users is None or u in users)}
            self._met -= old

    def enter(self, chat: Chat, users: tuple[int, ...], bot: bool = False) -> tuple[int, ...]:
        """Somebody is inside a chat; gives those of whom that was not known."""
        inside = {one.user for one in self._who(chat.id)}
        new = tuple(user for user in users if user not in inside)
        values = {"which": chat.id, "kind": chat.kind, "title": chat.title, "reachable": 1}
        row = self._row(chat.id)
        known = row and (row.kind, row.title, row.reachable)
        if new or known != (chat.kind, chat.title, 1):
            steps: list[Step] = [(_KNOW, {"chat": chat.id}), (_NAME, values), (_REACH, values)]
            steps += [(_ENTER, {"chat": chat.id, "user": u, "bot": int(bot)}) for u in new]
            self._database.write(steps)
        return new

    def leave(self, chat: int, user: int) -> None:
        """Somebody is not inside any more: what was theirs to read there is closed at once."""
        self._forget(chat, frozenset({user}))
        readers = len(self.people(chat) - {user})
        steps: list[Step] = [(_LEAVE, {"which": chat, "who": user})]
        self._database.write(
            [*steps, (_SHRUNK, {"which": chat, "told": readers, "readers": readers}), _doubt(chat)]
        )

    def doubt(self, chat: int) -> None:
        """Something changed in a chat: who is inside must be asked before it is relied upon."""
        self._database.write([_doubt(chat)])

    def look(self, chat: int, look: Look, now: datetime) -> None:
        """Store what Telegram answered; an answer that failed closes what it would open."""
        counted = {"which": chat, "count": look.count, "checked": int(look.checked)}
        steps: list[Step] = [
            (_KNOW, {"chat": chat}),
            (_COUNT, counted | {"asked": now.timestamp()}),
        ]
        if look.count is not None:
            steps.append((_NO_ADMINS, {"which": chat}))
            steps += [(_ADMIN, {"chat": chat, "user": u, "admin": 1}) for u in look.admins]
        steps += [(_ENTER, {"chat": chat, "user": u, "bot": 0}) for u in look.come]
        steps += [(_ENTER, {"chat": chat, "user": u, "bot": 1}) for u in look.bots]
        steps += [(_LEAVE, {"which": chat, "who": u}) for u in look.gone]
        self._database.write(steps)
        self._forget(chat, look.gone)

    def asked_within(self, chat: int, now: datetime, age: timedelta) -> bool:
        """Whether Telegram was asked about a chat lately, whatever it answered."""
        row = self._row(chat)
        return bool(row and row.asked >= (now - age).timestamp())

    def reach(self, chat: int, reachable: bool) -> None:
        """The bot was let in, or kicked or blocked: then nothing is sent there by itself (G3).

        Who is inside is forgotten, for nothing tells who enters or leaves meanwhile.
        """
        self._forget(chat)
        values = {"which": chat, "reachable": int(reachable)}
        steps = [(_KNOW, {"chat": chat}), (_REACH, values), _doubt(chat)]
        forgotten = [] if reachable else [(_ALL_LEAVE, {"which": chat})]
        self._database.write([*steps, *forgotten])

    def reachable(self, chat: int) -> bool:
        """Whether the bot may write to a chat by itself: digests, reminders (G3)."""
        row = self._row(chat)
        return row is None or bool(row.reachable)

    def people(self, chat: int) -> frozenset[int]:
        """The persons known to be inside a chat."""
        return frozenset(one.user for one in self._who(chat) if not one.bot)

    def is_admin(self, chat: int, user: int, now: datetime, age: timedelta = FRESH) -> bool:
        """Whether Telegram said lately that somebody is an admin of a chat (G6)."""
        row = self._row(chat)
        admins = {one.user for one in self._who(chat) if one.admin and not one.bot}
        told = row is not None and row.count is not None
        return told and self.asked_within(chat, now, age) and user in admins

    def grow(self, chat: int, readers: int, request: str) -> bool:
        """Remember how many readers were announced; whether they are more than ever (G3).

        The same request gets the same answer when it comes again after a crash (W4).
        """
        values = {"which": chat, "readers": readers, "request": request}
        values |= {"told": readers, "told_by": request}
        return self._database.write([(_KNOW, {"chat": chat}), (_GROWN, values)])[1] > 0

    def groups(self) -> tuple[str, ...]:
        """Every group there is, sorted."""
        added = {str(id) for (id,) in self._database.ask(_GROUPS)}
        return tuple(sorted(added | self._groups.keys()))

    def enrol(self, group: str, user: int) -> bool:
        """Add a member by an admin's command; False when they were one."""
        if user in self.members_of(group):
            return False
        return self._database.write([(_ENROL, {"name": group, "user": user})])[0] > 0

    def dismiss(self, group: str, user: int) -> bool:
        """Remove a member that was added by command; False for a configured one or nobody."""
        return self._database.write([(_DISMISS, {"id": group, "who": user})])[0] > 0

    def groups_of(self, user: int) -> tuple[str, ...]:
        """The groups a person is a current member of, sorted."""
        added = {str(id) for (id,) in self._database.ask(_GROUPS_OF, who=user)}
        configured = {id for id, members in self._groups.items() if user in members}
        return tuple(sorted(added | configured))

    def kin(self, people: frozenset[int]) -> frozenset[int]:
        """Everybody who is in a group with one of these persons."""
        groups = {group for person in people for group in self.groups_of(person)}
        return frozenset[int]().union(*map(self.members_of, groups))

    def members_of(self, group: str) -> frozenset[int]:
        """The current members of a group; nobody for one that does not exist."""
        added = frozenset(user for (user,) in self._database.ask(_MEMBERS_OF, id=group))
        return added | self._groups.get(group, frozenset())

    def audience(self, chat: int) -> Audience | None:
        """Who reads a chat, as Telegram last said, however long ago; None when unknown."""
        return self.audience_since(chat, 0)

    def audience_since(self, chat: int, since: float) -> Audience | None:
        """Who reads a chat; None when Telegram was not asked since that second."""
        row, who = self._row(chat), self._who(chat)
        people = frozenset(one.user for one in who if not one.bot)
        if row is None or row.count is None or row.asked < since:
            return None
        return Audience(row.count, people, len(who) - len(people), bool(row.checked))

    def rooms_of(self, user: int) -> tuple[Room, ...]:
        """The chats a person is known to be in, sorted."""
        return tuple(Room(chat, title) for chat, title in self._database.ask(_ROOMS, who=user))

    def at(self, now: datetime) -> Roster:
        """The same as it may be relied upon at a moment: old answers are unknown (`FRESH`)."""
        return _Fresh(self, (now - FRESH).timestamp())

    def _row(self, chat: int) -> _Row | None:
        rows = self._database.ask(_OF_CHAT, which=chat)
        return _Row(*rows[0]) if rows else None

    def _who(self, chat: int) -> list[_Inside]:
        return [_Inside(*row) for row in self._database.ask(_WHO, which=chat)]


@dataclass(frozen=True, slots=True)
class _Fresh:
    """A roster for one moment."""

    members: Members
    since: float

    def groups_of(self, user: int) -> tuple[str, ...]:
        return self.members.groups_of(user)

    def members_of(self, group: str) -> frozenset[int]:
        return self.members.members_of(group)

    def audience(self, chat: int) -> Audience | None:
        return self.members.audience_since(chat, self.since)

    def rooms_of(self, user: int) -> tuple[Room, ...]:
        return self.members.rooms_of(user)


def _doubt(chat: int) -> Step:
    return _COUNT, {"which": chat, "count": None, "checked": 0, "asked": 0.0}
