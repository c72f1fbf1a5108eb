"""Where updates come in: what waited from before, then polling or the webhook (B1, R2)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from telegram import Bot

from bot.core import Core
from bot.feed import Arrival, Feed, row
from bot.intake import Bounds, Intake
from bot.lanes import Lanes
from bot.polling import Poller
from bot.refusals import Refusals
from bot.tables import Telegram
from bot.transport import AiohttpRequest
from bot.webhook import Webhook, announce
from curation import triggers
from curation.admission import SECRET_MARK
from memory.inbox import Incoming

log = logging.getLogger("pomnenka.bot")

_FAULTS = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)

T = TypeVar("T")


def cautious(blank: Callable[[str], str]) -> Callable[[str], str]:
    """A blanking that hides a whole text where it fails, so that no update stops all others."""

    def hidden(text: str) -> str:
        try:
            return blank(text)
        except _FAULTS as error:
            log.error("text hidden whole", extra={"facts": {"cause": type(error).__name__}})
            return SECRET_MARK * len(text)

    return hidden


class Entrance:
    """Everything between Telegram and the lanes; the inbox is written in a thread of its own.

    Args:
        core: whose inbox it is.
        lanes: where accepted updates go.
        refusals: who tells a chat that something was not taken.
    """

    def __init__(self, core: Core, lanes: Lanes, refusals: Refusals) -> None:
        self._core, self._lanes, self._refusals = core, lanes, refusals
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="inbox")
        store = partial(self._run, self._stored)
        bounds = Bounds(self._options.backlog, self._options.backlog_total)
        self._intake = Intake(store, lanes, bounds, refusals.put)

    @property
    def _options(self) -> Telegram:
        return self._core.settings.telegram

    async def drain(self) -> None:
        """Hand on what was accepted before this process began, never more than may wait."""
        state = self._core.state
        total = self._options.backlog_total
        self._refusals.restore(await self._run(state.turned_away))
        page = await self._run(state.waiting)
        while page:
            for update in page:
                await self._lanes.room(lambda: self._lanes.waiting < total)
                self._lanes.put(update)
            page = await self._run(state.waiting, page[-1].update_id)

    async def poll(self, bot: Bot, request: AiohttpRequest, ready: Callable[[], None]) -> None:
        """Ask for updates until cancelled; a webhook that was set before is taken away.

        While too much waits nothing is asked for: Telegram keeps it for a day.

        Raises:
            TokenRefusedError: the server does not know the token.
        """
        await bot.delete_webhook(drop_pending_updates=False)
        feed = Feed(request, str(bot.base_url), self._options.poll_timeout)
        ready()
        await Poller(feed, partial(self._intake.take, patience=None)).run()

    async def listen(self, bot: Bot, secret: str, ready: Callable[[], None]) -> None:
        """Let Telegram bring updates until cancelled; requests that were begun are answered."""
        webhook = Webhook(secret, self._intake.take, lambda: self._lanes.waiting)
        await webhook.start(*self._options.listen)
        try:
            await announce(bot, self._options.webhook_url, secret)
            ready()
            await asyncio.Event().wait()
        finally:
            await webhook.stop()

    async def close(self) -> None:
        """Commit what was gathered and tell nothing more."""
        await self._intake.settle()
        self._refusals.stop()
        self._thread.shutdown()

    def _stored(self, group: Sequence[Arrival | Incoming]) -> tuple[Incoming, ...]:
        """Commit a group with secrets blanked; gives the new rows, each once, in order."""
        blank = cautious(partial(triggers.blank, languages=self._core.languages))
        rows = [each if isinstance(each, Incoming) else row(each, blank) for each in group]
        first = {each.update_id: each for each in reversed(rows)}
        return tuple(first[number] for number in self._core.state.accept(rows))

    async def _run(self, function: Callable[..., T], *args: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, *args)
