"""Chats that sent too much are told so: once a minute, and how much has to be sent again (B23)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from bot.feed import Arrival, sender

GATHER_SECONDS, EVERY_SECONDS = 2.0, 60.0


@dataclass(slots=True)
class Refused:
    """What a chat has to be told: how many, and who sent the last one that counts.

    ``person`` is 0 when nobody is told, ``language`` is Telegram's code or "".
    """

    count: int = 0
    person: int = 0
    language: str = ""


Tell = Callable[[int, Refused], Awaitable[None]]


class Refusals:
    """Counts what was turned away, per chat, and tells it.

    Args:
        tell: says it in a chat and notes that it was said; must not raise.
        is_told: whether a sender is somebody to talk to.
        sleep: waits so many seconds.
    """

    def __init__(
        self,
        tell: Tell,
        is_told: Callable[[int], bool],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._tell, self._is_told, self._sleep = tell, is_told, sleep
        self._refused: dict[int, Refused] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def restore(self, counts: Mapping[int, int]) -> None:
        """Go on with what a process that ended had not told yet; a private chat is its person."""
        for chat, count in counts.items():
            self._note(chat, count, chat if self._is_told(chat) or chat < 0 else 0, "")

    def put(self, arrival: Arrival) -> None:
        """One update was not taken."""
        person, language = sender(arrival)
        self._note(arrival.queue, 1, person if self._is_told(person) else 0, language)

    def stop(self) -> None:
        """Tell nothing more; what is not told is still marked and the next start tells it."""
        for task in self._tasks.values():
            task.cancel()

    def _note(self, chat: int, count: int, person: int, language: str) -> None:
        refused = self._refused.setdefault(chat, Refused())
        refused.count += count
        if person:
            refused.person, refused.language = person, language
        if chat not in self._tasks:
            task = asyncio.create_task(self._serve(chat))
            self._tasks[chat] = task
            task.add_done_callback(lambda _: self._tasks.pop(chat))

    async def _serve(self, chat: int) -> None:
        await self._sleep(GATHER_SECONDS)
        while chat in self._refused:
            await self._tell(chat, self._refused.pop(chat))
            await self._sleep(EVERY_SECONDS)
