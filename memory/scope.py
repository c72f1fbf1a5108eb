"""Which memory a conversation may reach: decided by who would read the answer; pure (M2, B8, B9).

The scope comes from where something was said, never from its text. What is not known counts
as a reason to refuse.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from memory.folding import fold
from memory.spaces import Space, SpaceKind, channel, group, personal


@dataclass(frozen=True, slots=True)
class Conversation:
    """Where somebody speaks: ``chat`` 0, or the user's own id, is the private conversation.

    ``topic`` is the thread of a forum whose topics have memories of their own, else 0.
    """

    user: int
    chat: int = 0
    topic: int = 0

    @property
    def is_private(self) -> bool:
        """Whether nobody but the user reads what is answered."""
        return self.chat in (0, self.user)

    @property
    def channels(self) -> tuple[Space, ...]:
        """The memories of the chat: the topic's, then the whole chat's; none in private."""
        if self.is_private:
            return ()
        whole = channel(self.chat)
        return (channel(self.chat, self.topic), whole) if self.topic else (whole,)


@dataclass(frozen=True, slots=True)
class Wish:
    """What ``--channel``, ``--group`` and ``--room`` say; "" where nothing is said.

    A channel is the id of its chat, with ``.<topic>`` for one topic of a forum.
    """

    channel: str = ""
    group: str = ""
    room: str = ""


@dataclass(frozen=True, slots=True)
class Audience:
    """Who reads what is said in a chat, as far as it is known.

    ``count`` is Telegram's number of members, this bot included; ``people`` are the persons
    known to be inside, ``bots`` is how many other bots are known to be inside. ``checked``:
    Telegram confirmed lately that each of these persons is still inside.
    """

    count: int
    people: frozenset[int]
    bots: int = 0
    checked: bool = True

    @property
    def readers(self) -> int:
        """How many persons read it; whoever is unknown counts as a person."""
        return max(self.count - 1 - self.bots, len(self.people))

    @property
    def is_known(self) -> bool:
        """Whether the known persons and this bot are everybody."""
        return self.checked and self.count == len(self.people) + 1 and not self.bots


@dataclass(frozen=True, slots=True, order=True)
class Room:
    """A chat a person is in, by its id and its title."""

    chat: int
    title: str


class Roster(Protocol):
    """Who belongs where; `memory.members` answers from the state."""

    def groups_of(self, user: int) -> tuple[str, ...]:
        """The groups a person is a current member of, sorted."""

    def members_of(self, group: str) -> frozenset[int]:
        """The current members of a group; nobody for one that does not exist."""

    def audience(self, chat: int) -> Audience | None:
        """Who reads a chat; None when that is not known."""

    def rooms_of(self, user: int) -> tuple[Room, ...]:
        """The chats a person is known to be in, sorted."""


@dataclass(frozen=True, slots=True)
class Target:
    """A space, and for private notes about a chat the slug of that document (`rooms/<chat>`)."""

    space: Space
    room: str = ""


class Denied(StrEnum):
    """Why a target is refused; the values are the error codes of the command line."""

    TWO_TARGETS = "two_targets"
    CHANNEL_MISMATCH = "channel_mismatch"
    NO_CONVERSATION = "no_conversation"
    NOT_A_MEMBER = "not_a_member"
    ROOM_NOTES_FROM_SHARED_ROOM = "room_notes_from_shared_room"
    ROOM_UNAVAILABLE = "room_unavailable"


def target(conversation: Conversation, wish: Wish, roster: Roster) -> Target | Denied:
    """The memory that is meant, or why not; without a wish the person's own.

    What is read from the person's own space belongs into the private conversation, wherever it
    was asked for (G2): `readable` tells.
    """
    if sum(map(bool, (wish.channel, wish.group, wish.room))) > 1:
        return Denied.TWO_TARGETS
    if wish.channel:
        return _channel(conversation, wish.channel)
    if wish.group:
        return _group(conversation, wish.group, roster)
    if wish.room:
        return _room(conversation, wish.room, roster)
    return Target(personal(conversation.user))


def readable(conversation: Conversation, roster: Roster) -> tuple[Space, ...]:
    """Every space whose memory may be said in a conversation (M8, X2).

    In private the person's own and those of all their groups; in a chat its own memory and the
    groups of which every reader is a member; never a personal one in a chat.
    """
    own = (personal(conversation.user),) if conversation.is_private else conversation.channels
    return (*own, *(group(id) for id in groups(conversation, roster)))


def groups(conversation: Conversation, roster: Roster) -> tuple[str, ...]:
    """The groups whose memory may be said in a conversation."""
    mine = roster.groups_of(conversation.user)
    return tuple(id for id in mine if reaches(conversation, id, roster))


def reaches(conversation: Conversation, id: str, roster: Roster) -> bool:
    """Whether the person is a member of a group, and everybody who reads the answer is one.

    The same questions are asked whatever the answer is, so that a refusal tells by its time no
    more than by its words (B9).
    """
    mine, members = roster.groups_of(conversation.user), roster.members_of(id)
    readers = roster.audience(conversation.chat)
    among = _among(conversation, readers, members)
    return all((group(id).is_proper, id in mine, conversation.user in members, among))


def _among(conversation: Conversation, readers: Audience | None, members: frozenset[int]) -> bool:
    known = readers is not None and readers.is_known
    people = readers.people if readers is not None else frozenset[int]()
    inside = conversation.user in people and people <= members
    return conversation.is_private or (known and inside)


def _channel(conversation: Conversation, wish: str) -> Target | Denied:
    if conversation.is_private:
        return Denied.NO_CONVERSATION
    found = [s for s in conversation.channels if s.code == f"{SpaceKind.CHANNEL}/{wish}"]
    return Target(found[0]) if found else Denied.CHANNEL_MISMATCH


def _group(conversation: Conversation, id: str, roster: Roster) -> Target | Denied:
    reached = reaches(conversation, id, roster)
    return Target(group(id)) if reached else Denied.NOT_A_MEMBER


def _room(conversation: Conversation, wish: str, roster: Roster) -> Target | Denied:
    if not conversation.is_private:
        return Denied.ROOM_NOTES_FROM_SHARED_ROOM
    room = named(wish, roster.rooms_of(conversation.user))
    return Target(personal(conversation.user), str(room.chat)) if room else Denied.ROOM_UNAVAILABLE


def named(wish: str, rooms: tuple[Room, ...]) -> Room | None:
    """The one chat that a name means: its title, else the beginning of one title, else its id.

    None for no chat and for several alike. Titles compare without case and diacritics.
    """
    sought = fold(wish)
    by_title = [r for r in rooms if sought and fold(r.title) == sought]
    by_start = [r for r in rooms if sought and fold(r.title).startswith(sought)]
    by_id = [r for r in rooms if str(r.chat) == wish.strip()]
    found = by_title or by_start or by_id
    return found[0] if len(found) == 1 else None
