"""Handled updates are marked as done together, so that many cost one commit (W4)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from memory.errors import StateError

log = logging.getLogger("pomnenka.bot")


class Finisher:
    """Marks updates as done: at once when idle, else all that gathered in the meantime.

    Args:
        finish: commits the ids it is given.
    """

    def __init__(self, finish: Callable[..., Awaitable[None]]) -> None:
        self._finish = finish
        self._done: list[int] = []
        self._task: asyncio.Task[None] | None = None

    def put(self, update_id: int) -> None:
        """Mark an update as done soon; until then a restart handles it again."""
        self._done.append(update_id)
        if self._task is None:
            self._task = asyncio.create_task(self._flush())

    async def settle(self) -> None:
        """Wait until everything is marked."""
        if self._task is not None:
            await self._task

    async def _flush(self) -> None:
        try:
            while self._done:
                done, self._done = self._done, []
                await self._finish(*done)
        except StateError:
            log.error("updates not marked as done", extra={"facts": {"updates": done}})
            self._done = [*done, *self._done]
        finally:
            self._task = None
