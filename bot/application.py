"""The running bot: inbox, chats in order, conversations, and an orderly end (R2)."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from telegram import Update
from telegram.ext import Application, ApplicationBuilder

import handlers
from bot.core import Core
from bot.feed import Feed, incoming
from bot.finishing import Finisher
from bot.lanes import Lanes
from bot.menus import publish
from bot.polling import Poller
from bot.schedule import regularly
from bot.transport import AiohttpRequest
from bot.wiring import policy, services
from curation import admission
from memory.inbox import Incoming

log = logging.getLogger("pomnenka.bot")

CORE_THREADS = 4
_BAD_SHAPE = (TypeError, ValueError, KeyError, AttributeError)

T = TypeVar("T")


class Bot:
    """The whole bot over one core; `serve` is its life.

    Args:
        core: storage and judgement; the caller closes it.
        token: the Bot API token.
    """

    def __init__(self, core: Core, token: str) -> None:
        self._core = core
        self._pool = ThreadPoolExecutor(CORE_THREADS, thread_name_prefix="core")
        self._polling, self._sending = AiohttpRequest(connections=2), AiohttpRequest()
        self._application = self._built(token)
        self._finisher = Finisher(partial(self._run, core.state.finish))
        self._lanes = Lanes(self._work, core.settings.telegram.parallel)
        self._known = services(core, self._run), policy(core.settings)
        handlers.register(self._application, *self._known)

    async def serve(self, stop: asyncio.Event, ready: Callable[[str], None]) -> None:
        """Poll until ``stop`` is set, then finish what was accepted.

        Args:
            ready: called once with the bot's user name when the first poll may start.

        Raises:
            TokenRefusedError, telegram.error.InvalidToken: the server does not know the token.
        """
        application, telegram = self._application, self._core.settings.telegram
        reminding = asyncio.create_task(regularly(self._remind))
        try:
            await application.initialize()
            await publish(application.bot, self._core.languages)
            for row in await self._run(self._core.state.waiting):
                self._lanes.put(row)
            feed = Feed(self._polling, str(application.bot.base_url), telegram.poll_timeout)
            accept = partial(self._run, self._core.state.accept)
            blank = partial(admission.blank, languages=self._core.languages)
            read = partial(incoming, blank=blank)
            ready(application.bot.username)
            await _until(stop, Poller(feed, read, accept, self._lanes.put).run())
        finally:
            reminding.cancel()
            await self._lanes.settle()
            await self._finisher.settle()
            await application.shutdown()
            await self._polling.shutdown()
            await self._sending.shutdown()
            self._pool.shutdown()

    def _built(self, token: str) -> Application[Any, Any, Any, Any, Any, Any]:
        base = self._core.settings.telegram.base_url
        return (
            ApplicationBuilder()
            .token(token)
            .base_url(base)
            .base_file_url(base.replace("/bot", "/file/bot"))
            .request(self._sending)
            .get_updates_request(self._polling)
            .context_types(handlers.context_types())
            .updater(None)
            .job_queue(None)
            .build()
        )

    async def _remind(self) -> None:
        await handlers.nudge(self._application.bot, *self._known)

    async def _work(self, row: Incoming) -> None:
        """Handle one accepted update; one that cannot be read is logged and stepped over."""
        try:
            update = Update.de_json(json.loads(row.body), self._application.bot)
        except _BAD_SHAPE as error:
            facts = {"update": row.update_id, "cause": type(error).__name__}
            log.error("unreadable update", extra={"facts": facts})
        else:
            await self._application.process_update(update)
            log.info("update", extra={"facts": {"update": row.update_id}})
        self._finisher.put(row.update_id)

    async def _run(self, function: Callable[..., T], *args: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, function, *args)


async def _until(stop: asyncio.Event, work: Any) -> None:
    """Run ``work`` until ``stop``; what it raises is raised."""
    task = asyncio.ensure_future(work)
    stopping = asyncio.ensure_future(stop.wait())
    await asyncio.wait({task, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if task.done():
        task.result()
    task.cancel()
    await asyncio.gather(task, stopping, return_exceptions=True)
