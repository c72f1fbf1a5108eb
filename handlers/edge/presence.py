"""Who reads a chat: learned from updates, and asked of Telegram before it matters (G3, M2)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from datetime import timedelta

from telegram import Bot, Message
from telegram.error import BadRequest, TelegramError

from handlers.context import Services
from handlers.edge import updates
from handlers.edge.updates import Passage
from memory.members import Chat, Look

LATELY = timedelta(minutes=5)
"""How old an answer of Telegram's may be when somebody speaks to the bot."""

AT_ONCE = timedelta(seconds=10)
"""How old it may be when a button is pressed or somebody entered: rights are checked anew (D3)."""

MOST_CHECKED = 50
"""Of how many persons Telegram is asked one by one whether they are still inside."""


PATIENCE_SECONDS = 10.0


class Presence:
    """What is known of the chats, kept as updates come."""

    def __init__(self, services: Services, patience: float = PATIENCE_SECONDS) -> None:
        """``patience``: for how many seconds a chat waits for Telegram's answer."""
        self._services, self._patience = services, patience
        self._members = services.state.members

    async def heard(self, message: Message) -> tuple[int, ...]:
        """Learn from a group's message who is inside; gives the persons who entered.

        Whoever speaks for a chat or an admin's office is no person (G2).
        """
        chat, passed = updates.chat(message.chat), updates.passages(message)
        person = message.from_user
        if person and not (person.is_bot or updates.as_chat(message) or passed):
            await self._services.run(self._members.meet, chat, person.id)
        return await self.passed(chat, passed, message.get_bot())

    async def passed(self, chat: Chat, passed: Iterable[Passage], bot: Bot) -> tuple[int, ...]:
        """Somebody entered or left; gives the persons who entered. The bot is left out."""
        found = tuple(passage for passage in passed if passage.user != bot.id)
        return await self._services.run(self._pass, chat, found) if found else ()

    def _pass(self, chat: Chat, passed: tuple[Passage, ...]) -> tuple[int, ...]:
        for one in passed:
            if one.inside:
                self._members.enter(chat, (one.user,), one.bot)
            else:
                self._members.leave(chat.id, one.user)
        self._members.doubt(chat.id)
        return tuple(one.user for one in passed if one.inside and not one.bot)

    async def ask(self, chat: int, bot: Bot, age: timedelta = LATELY) -> None:
        """Ask Telegram who is inside, unless it was asked within ``age``.

        When it does not answer, the audience is unknown, and what needs it is refused (B8).
        """
        services = self._services
        now = services.clock()
        if not await services.run(self._members.asked_within, chat, now, age):
            people = await services.run(self._members.people, chat)
            kin = await services.run(self._members.kin, people)
            look = await self._in_time(_asked(chat, bot, people, kin))
            await services.run(self._members.look, chat, look, services.clock())

    async def _in_time(self, asking: Awaitable[Look]) -> Look:
        """What Telegram answers in time; otherwise nothing is known."""
        try:
            async with asyncio.timeout(self._patience):
                return await asking
        except TimeoutError:
            return Look(None, checked=False)


async def _asked(chat: int, bot: Bot, people: frozenset[int], kin: frozenset[int]) -> Look:
    """Ask for count and admins; where all readers may belong to one group, for each of them too.

    Only whom Telegram names as outside counts as gone; who is thought to be inside and is not
    named at all leaves the audience unchecked.
    """
    try:
        count = await bot.get_chat_member_count(chat)
        rulers = [member.user for member in await bot.get_chat_administrators(chat)]
        admins = frozenset(user.id for user in rulers if not user.is_bot)
        bots = frozenset(user.id for user in rulers if user.is_bot and user.id != bot.id)
        doubtful = (people | kin) - admins
        if count > len(doubtful) + len(admins) + 1 or len(doubtful) > MOST_CHECKED:
            return Look(count, admins, bots, checked=False)
        inside = {user: await _is_inside(chat, bot, user) for user in sorted(doubtful)}
    except TelegramError:
        return Look(None, checked=False)
    come = frozenset(user for user, is_inside in inside.items() if is_inside)
    gone = frozenset(user for user, is_inside in inside.items() if is_inside is False)
    return Look(count, admins, bots, gone, people <= admins | come | gone, come)


async def _is_inside(chat: int, bot: Bot, user: int) -> bool | None:
    """Whether Telegram says that somebody is inside; None when it does not know of them there."""
    try:
        return updates.is_inside(await bot.get_chat_member(chat, user))
    except BadRequest:
        return None
