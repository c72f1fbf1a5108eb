"""The running bot: inbox, chats in order, conversations, and an orderly end (R2)."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from telegram import Update
from telegram.ext import Application, ApplicationBuilder

from bot.core import Core
from bot.entrance import Entrance
from bot.lanes import Lanes
from bot.menus import publish
from bot.refusals import Refusals, Refused
from bot.saving import Saver
from bot.schedule import RING_SECONDS, TEND_SECONDS, regularly
from bot.transport import AiohttpRequest
from bot.wiring import policy, services
from handlers.acquaintance import recall
from handlers.context import Person, Place, Turn
from handlers.edge import busy
from handlers.edge.conversation import context_types, nudge, register, report
from handlers.edge.outbox import Outbox
from handlers.edge.pace import TELEGRAM, Pace
from handlers.edge.ringing import ring
from handlers.edge.sending import Wire
from memory.errors import PomnenkaError
from memory.inbox import Incoming

log = logging.getLogger("pomnenka.bot")

CORE_THREADS = 4
ROUNDS_A_MINUTE = 30
_BAD_SHAPE = (TypeError, ValueError, KeyError, AttributeError)

T = TypeVar("T")


class Bot:
    """The whole bot over one core; `serve` is its life.

    Args:
        core: storage and judgement; the caller closes it.
        token: the Bot API token.
        secret: what Telegram shall send along to the webhook; "" for a new random one.
    """

    def __init__(self, core: Core, token: str, secret: str = "") -> None:
        self._core, self._secret = core, secret or secrets.token_urlsafe(32)
        self._pool = ThreadPoolExecutor(CORE_THREADS, thread_name_prefix="core")
        self._polling, self._sending = AiohttpRequest(connections=2), AiohttpRequest()
        self._application = self._built(token)
        self._saver = Saver(core.settings, core.state, core.clock, core.new_id)
        self._rounds = 0
        self._known = services(core, self._run), policy(core.settings)
        self._outbox = self._outgoing()
        self._lanes = Lanes(self._work, core.settings.telegram.parallel, self._outbox.ready)
        register(self._application, *self._known, self._outbox)
        is_told = partial(busy.is_told, policy=self._known[1])
        self._entrance = Entrance(core, self._lanes, Refusals(self._tell_busy, is_told))

    async def serve(self, stop: asyncio.Event, ready: Callable[[str], None]) -> None:
        """Take updates in until ``stop`` is set, then finish what was accepted.

        Args:
            ready: called once with the bot's user name when the first update may come.

        Raises:
            TokenRefusedError, telegram.error.InvalidToken: the server does not know the token.
            ListenError: the webhook's port cannot be used.
        """
        application = self._application
        regular: list[asyncio.Task[None]] = []
        try:
            await application.initialize()
            regular.append(asyncio.create_task(regularly(self._remind)))
            regular.append(asyncio.create_task(regularly(self._save, at_once=True)))
            regular.append(asyncio.create_task(regularly(self._tend, every=TEND_SECONDS)))
            await publish(application.bot, self._core.languages)
            await self._outbox.open()
            regular.append(
                asyncio.create_task(regularly(self._ring, at_once=True, every=RING_SECONDS))
            )
            await _until(stop, self._receive(lambda: ready(application.bot.username)))
        finally:
            for task in regular:
                task.cancel()
            await self._entrance.close()
            self._outbox.hurry()
            await self._lanes.settle()
            await self._outbox.close()
            await application.shutdown()
            await self._polling.shutdown()
            await self._sending.shutdown()
            self._pool.shutdown()

    async def _receive(self, ready: Callable[[], None]) -> None:
        bot = self._application.bot
        await self._entrance.drain()
        if self._core.settings.telegram.webhook_url:
            await self._entrance.listen(bot, self._secret, ready)
        else:
            await self._entrance.poll(bot, self._polling, ready)

    async def _tell_busy(self, chat: int, refused: Refused) -> None:
        """Say how much was not taken, then forget it; when that fails, the next start says it."""
        bot, person = self._application.bot, Person(refused.person, "", refused.language)
        try:
            if not person.language:
                person = await self._run(recall, self._core.state, person.id)
            turn = Turn(*self._known, person, Place(chat, private=chat > 0), bot.username)
            if refused.person:
                posts = await self._run(busy.not_taken, turn, refused.count)
                self._outbox.put(posts, person=refused.person, urgent=True)
                await self._outbox.stored()
            await self._run(self._core.state.mention, chat, refused.count)
        except PomnenkaError as error:
            log.error("not told of refusals", extra={"facts": {"cause": type(error).__name__}})

    def _built(self, token: str) -> Application[Any, Any, Any, Any, Any, Any]:
        base = self._core.settings.telegram.base_url
        return (
            ApplicationBuilder()
            .token(token)
            .base_url(base)
            .base_file_url(base.replace("/bot", "/file/bot"))
            .request(self._sending)
            .get_updates_request(self._polling)
            .context_types(context_types())
            .updater(None)
            .job_queue(None)
            .build()
        )

    def _outgoing(self) -> Outbox:
        limits = TELEGRAM if self._core.settings.telegram.limits else None
        pace = Pace(limits, time.monotonic)
        return Outbox(Wire(self._application.bot, pace), self._known[0])

    async def _remind(self) -> None:
        await nudge(self._application.bot.username, *self._known, self._outbox)

    async def _ring(self) -> None:
        await ring(self._application.bot.username, *self._known, self._outbox)

    async def _tend(self) -> None:
        """Look after the documents, all of them once a minute, and tell what was found."""
        self._rounds += 1
        everything = self._rounds % ROUNDS_A_MINUTE == 1
        try:
            await self._run(self._core.store.tend, everything)
            name = self._application.bot.username
            await report(name, *self._known, self._outbox)
        except PomnenkaError as error:
            log.error("documents not tended", extra={"facts": {"cause": type(error).__name__}})

    async def _save(self) -> None:
        await self._run(self._saver.run)
        try:
            await self._run(self._core.upkeep)
        except PomnenkaError as error:
            log.error("no upkeep", extra={"facts": {"cause": type(error).__name__}})

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
        self._outbox.done(row.update_id, row.queue)

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
