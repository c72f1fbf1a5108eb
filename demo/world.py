"""People, chats and messages: the state of the emulated Telegram, without any HTTP."""

from __future__ import annotations

import enum
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from demo.clock import Clock

Fields = dict[str, Any]

HISTORY = 5_000
GENERAL_TOPIC = 1
SUPERGROUP_BASE = -1_000_000_000_000
BOT = "bot"


class Status(enum.StrEnum):
    """What somebody is in a chat."""

    CREATOR = "creator"
    ADMINISTRATOR = "administrator"
    MEMBER = "member"
    LEFT = "left"
    KICKED = "kicked"

    @property
    def inside(self) -> bool:
        """True for whoever can read the chat now."""
        return self not in {Status.LEFT, Status.KICKED}

    @property
    def rules(self) -> bool:
        """True for those with an administrator's rights."""
        return self in {Status.CREATOR, Status.ADMINISTRATOR}


@dataclass(slots=True)
class Person:
    """A user account; ``opened`` once the person has started the bot."""

    id: int
    first_name: str
    username: str
    language_code: str
    opened: bool = True
    blocked: bool = False
    deactivated: bool = False


@dataclass(slots=True)
class Topic:
    """A forum topic; its id is that of the service message that made it."""

    id: int
    name: str
    closed: bool = False


@dataclass(slots=True)
class Message:
    """A message: ``data`` is the Bot API object, the rest is what only the people's side shows."""

    id: int
    chat: int
    by: int | str
    date: int
    data: Fields
    topic: int = 0
    deleted: bool = False
    markup: Fields | None = None
    asks: tuple[int, ...] = ()
    reactions: dict[int | str, str] = field(default_factory=dict)

    @property
    def ours(self) -> bool:
        """True for the bot's own messages."""
        return self.by == BOT


@dataclass(slots=True)
class Counter:
    """The next message id of a chat, or of all private chats and basic groups together."""

    last: int = 0

    def next(self) -> int:
        """A message id that was not used before."""
        self.last += 1
        return self.last


@dataclass(slots=True)
class Chat:
    """A conversation with its members, topics and messages (the last ``history`` of them)."""

    id: int
    type: str
    title: str
    ids: Counter
    members: dict[int, Status] = field(default_factory=dict)
    bot: Status = Status.MEMBER
    bot_spoke: bool = False
    forum: bool = False
    topics: dict[int, Topic] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)
    pinned: int = 0
    migrated_to: int = 0
    history: int = HISTORY
    api: Fields = field(default_factory=dict)

    @property
    def private(self) -> bool:
        """True for the conversation of one person with the bot."""
        return self.type == "private"

    def readers(self) -> tuple[int, ...]:
        """Ids of the people who are in the chat now."""
        return tuple(who for who, status in self.members.items() if status.inside)

    def message(self, message_id: int) -> Message | None:
        """A message that exists and was not deleted."""
        message = self.messages.get(message_id)
        return None if message is None or message.deleted else message

    def store(self, message: Message) -> None:
        """Keep a message, forgetting the oldest one when there are too many."""
        self.messages[message.id] = message
        if len(self.messages) > self.history:
            del self.messages[next(iter(self.messages))]


@dataclass(slots=True)
class Callback:
    """A tapped button that waits for its answer."""

    id: str
    person: int
    chat: int
    message: int
    tapped: float


@dataclass(slots=True)
class File:
    """A stored document."""

    file_id: str
    unique_id: str
    path: str
    name: str
    mime_type: str
    content: bytes


class World:
    """Everything that people and the bot can see."""

    def __init__(self, clock: Clock, chance: random.Random, bot_id: int) -> None:
        self.clock = clock
        self.chance = chance
        self.bot_id = bot_id
        self.account: Fields = {
            "id": bot_id,
            "is_bot": True,
            "first_name": "Pomněnka",
            "username": "pomnenka_bot",
        }
        self.clear()
        populate(self)

    def clear(self) -> None:
        """Forget all people, chats, callbacks and files."""
        self.people: dict[int, Person] = {}
        self.chats: dict[int, Chat] = {}
        self.callbacks: dict[str, Callback] = {}
        self.files: dict[str, File] = {}
        self.ids = Counter()
        self.migrations = 0

    def add_person(self, person: Person, history: int = HISTORY) -> Chat:
        """A person together with the private chat that has the same id."""
        self.people[person.id] = person
        chat = Chat(person.id, "private", person.first_name, self.ids, {person.id: Status.MEMBER})
        chat.history = history
        chat.api = _private_api(person)
        self.chats[chat.id] = chat
        return chat

    def add_group(self, chat: Chat) -> Chat:
        """A group, supergroup or channel, reachable by its id."""
        chat.api = {"id": chat.id, "title": chat.title, "type": chat.type}
        if chat.forum:
            chat.api["is_forum"] = True
        self.chats[chat.id] = chat
        return chat

    def new_group_id(self) -> int:
        """The id of a new basic group."""
        return min((n for n in self.chats if SUPERGROUP_BASE < n < -1000), default=-1000) - 1

    def new_supergroup_id(self) -> int:
        """The id of a new supergroup."""
        self.migrations += 1
        return SUPERGROUP_BASE - 1000 - self.migrations

    def people_of(self, chat: Chat) -> Iterator[Person]:
        """The members of a chat who are in it now."""
        return (self.people[who] for who in chat.readers() if who in self.people)

    def now(self) -> int:
        """Unix time in whole seconds."""
        return int(self.clock.now())


def _private_api(person: Person) -> Fields:
    return {
        "id": person.id,
        "first_name": person.first_name,
        "username": person.username,
        "type": "private",
    }


def populate(world: World) -> None:
    """The small world of the demo: three people, a private chat each, and their group."""
    world.add_person(Person(111, "Alice", "alice", "en"))
    world.add_person(Person(222, "Petr", "petr", "cs"))
    world.add_person(Person(333, "Hana", "hana", "cs", opened=False))
    members = {111: Status.CREATOR, 222: Status.MEMBER, 333: Status.MEMBER}
    world.add_group(Chat(-1001, "group", "Zahrádka", world.ids, members))
