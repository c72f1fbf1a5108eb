"""One emulated Telegram with one bot: its world, its queue of updates and its listeners."""

from __future__ import annotations

import random
from typing import Any

from demo import objects
from demo.clock import Clock
from demo.commands import Commands
from demo.events import Events
from demo.faults import Faults
from demo.journal import Journal
from demo.limits import Limits
from demo.load import Load, is_synthetic
from demo.updates import WEBHOOK_ACTIVE, Poller, Updates
from demo.webhook import Webhook
from demo.world import Chat, Fields, World

FIRST_UPDATE = (100_000_000, 900_000_000)


class Emulator:
    """All that the bot's side and the people's side share."""

    def __init__(self, token: str, clock: Clock, chance: random.Random) -> None:
        self.token = token
        self.clock = clock
        self.chance = chance
        self.world = World(clock, chance, int(token.partition(":")[0]))
        self.updates = Updates(clock, chance.randint(*FIRST_UPDATE))
        self.poller = Poller(self.updates, clock)
        self.webhook = Webhook(self.updates, clock, chance)
        self.commands = Commands()
        self.profile: dict[tuple[str, str], Any] = {}
        self.events = Events()
        self.journal = Journal()
        self.faults = Faults()
        self.limits = Limits()
        self.load: Load | None = None
        self.logged_out = False

    def tell(self, kind: str, value: Fields, chat: Chat) -> None:
        """Queue an update of a chat, in the order of that chat."""
        self._queue(kind, value, ("chat", chat.id))

    def tell_from(self, kind: str, value: Fields, person: int) -> None:
        """Queue an update of a person (callbacks), in the order of that person."""
        self._queue(kind, value, ("user", person))

    def _queue(self, kind: str, value: Fields, queue: tuple[str, int]) -> None:
        update = self.updates.add(kind, value, queue)
        if update:
            self.journal.note(self.clock.now(), "update", kind, value, update.id)

    def show(self, name: str, data: Fields) -> None:
        """Tell the pages of something in the chat ``data["chat"]``; a load's chats are hidden."""
        if not is_synthetic(data["chat"]):
            self.events.send(name, data)

    def _shown_chats(self) -> list[Chat]:
        return [chat for chat in self.world.chats.values() if not is_synthetic(chat.id)]

    def shown_commands(self) -> Fields:
        """What each person's client lists in each chat."""
        return {
            str(chat.id): {
                str(person.id): self.commands.shown(chat, person)
                for person in self.world.people_of(chat)
            }
            for chat in self._shown_chats()
        }

    def announce_commands(self) -> None:
        """Tell the pages which commands there are now."""
        if self.events.watched:
            self.events.send("commands", {"commands": self.shown_commands()})

    def announce_people(self) -> None:
        """Tell the pages about people and chats that have changed."""
        if self.events.watched:
            self.events.send("people", self.seen_people())

    def seen_people(self) -> Fields:
        """People and chats as the pages see them."""
        chats = self._shown_chats()
        known = {chat.id for chat in chats if chat.private}
        people = [p for p in self.world.people.values() if p.id in known]
        return {
            "people": [objects.seen_person(person) for person in people],
            "chats": [objects.seen_chat(chat) for chat in chats],
        }

    def state(self) -> Fields:
        """Everything that a page needs to begin."""
        chats = self._shown_chats()
        return self.seen_people() | {
            "bot": objects.me(self.world),
            "messages": {
                str(chat.id): [objects.seen_message(m) for m in chat.messages.values()]
                for chat in chats
            },
            "commands": self.shown_commands(),
            "last_event": self.events.last,
        }

    async def poll(self, offset: int, limit: int, timeout: int) -> list[str]:
        """getUpdates; raises 409 while a webhook is set."""
        if self.webhook.settings:
            raise await self.poller.refused(WEBHOOK_ACTIVE)
        return await self.poller.poll(offset, limit, timeout)
