"""Delivery of updates by webhook: order, retries, expiry and replies that are method calls."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from demo.clock import Clock
from demo.errors import ApiError, bad_request, too_many_requests
from demo.updates import Update, Updates

CONNECTIONS = 40
CONNECTIONS_LIMIT = 100
FIRST_RETRY = 1.0
SLOWEST_RETRY = (60.0, 120.0)
RETRY_AFTER_LIMIT = 3600.0
GONE_AFTER = 23 * 3600.0
SET_INTERVAL = 1.0
REQUEST_TIMEOUT = 60.0
SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"
SECRET_LENGTH = 256
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})

Execute = Callable[[str, dict[str, Any]], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Settings:
    """What setWebhook was called with."""

    url: str
    secret: str = ""
    connections: int = CONNECTIONS


@dataclass(slots=True)
class Reply:
    """What the bot's server answered: status 0 when it could not be reached."""

    status: int
    error: str = ""
    retry_after: float = 0.0
    body: bytes = b""

    @property
    def done(self) -> bool:
        """True when the update is delivered."""
        return HTTPStatus.OK <= self.status < HTTPStatus.MULTIPLE_CHOICES


def check_url(url: str) -> None:
    """Refuse what the real server refuses; plain http is let through to this machine only."""
    parts = urlsplit(url)
    if not parts.hostname:
        raise bad_request("bad webhook: invalid webhook URL specified")
    if parts.scheme != "https" and parts.hostname not in LOOPBACK:
        raise bad_request("bad webhook: An HTTPS URL must be provided for webhook")


def check_secret(secret: str) -> None:
    """A secret token is at most 256 of A-Z a-z 0-9 _ -."""
    if len(secret) > SECRET_LENGTH:
        raise bad_request("secret token is too long")
    if not all(c.isascii() and (c.isalnum() or c in "_-") for c in secret):
        raise bad_request("secret token contains unallowed characters")


class Webhook:
    """The webhook of one bot, or its absence; owns the queue while it is set."""

    def __init__(self, updates: Updates, clock: Clock, chance: random.Random) -> None:
        self._updates = updates
        self._clock = clock
        self._chance = chance
        self._queues: dict[tuple[str, int], deque[Update]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._session: aiohttp.ClientSession | None = None
        self._changed = float("-inf")
        self._gone_since = 0.0
        self.settings: Settings | None = None
        self.last_error: tuple[int, str] = (0, "")
        self.execute: Execute | None = None

    async def set(self, settings: Settings) -> bool:
        """Deliver there from now on; False when it was so already. Raises 429 twice a second."""
        now = asyncio.get_running_loop().time()
        if now - self._changed < SET_INTERVAL:
            raise too_many_requests(1)
        self._changed = now
        if settings == self.settings:
            return False
        await self.remove()
        self.settings = settings
        timeout = aiohttp.ClientTimeout(total=REQUEST_TIMEOUT)
        connector = aiohttp.TCPConnector(limit=settings.connections)
        self._session = aiohttp.ClientSession(connector=connector, timeout=timeout)
        self._updates.deliver = self._enqueue
        for update in list(self._updates.live()):
            self._enqueue(update)
        return True

    async def remove(self) -> bool:
        """Stop delivering, what is undelivered waits for getUpdates; False when none was set."""
        was_set = self.settings is not None
        self.settings, self._updates.deliver = None, None
        self.last_error, self._gone_since = (0, ""), 0.0
        self._queues.clear()
        running = [t for t in self._tasks if t is not asyncio.current_task()]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        if self._session:
            await self._session.close()
            self._session = None
        return was_set

    def info(self) -> dict[str, Any]:
        """The answer of getWebhookInfo."""
        info: dict[str, Any] = {
            "url": self.settings.url if self.settings else "",
            "has_custom_certificate": False,
            "pending_update_count": len(self._updates),
        }
        if self.settings:
            info["max_connections"] = self.settings.connections
            info["ip_address"] = "127.0.0.1"
            info["allowed_updates"] = sorted(self._updates.allowed)
        if self.last_error[0]:
            info["last_error_date"], info["last_error_message"] = self.last_error
        return info

    def _enqueue(self, update: Update) -> None:
        queue = self._queues.get(update.queue)
        if queue is not None:
            queue.append(update)
            return
        self._queues[update.queue] = deque([update])
        task = asyncio.get_running_loop().create_task(self._drain(update.queue))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _drain(self, key: tuple[str, int]) -> None:
        queue = self._queues[key]
        while queue:
            await self._deliver(queue[0])
            if self.settings is None:
                return
            queue.popleft()
        self._queues.pop(key, None)

    async def _deliver(self, update: Update) -> None:
        pause = FIRST_RETRY
        while self._updates.alive(update):
            reply = await self._post(update)
            if reply.done:
                update.copies -= 1
                await self._accept(update, reply)
                continue
            if await self._failed(reply):
                return
            await self._clock.sleep(reply.retry_after or pause)
            pause = min(pause * 2, self._chance.uniform(*SLOWEST_RETRY))
        self._updates.drop(update.id)

    async def _accept(self, update: Update, reply: Reply) -> None:
        self._gone_since = 0.0
        if not update.copies:
            self._updates.drop(update.id)
        call = _call(reply.body)
        if call and self.execute:
            with contextlib.suppress(ApiError):
                await self.execute(str(call.pop("method")), call)

    async def _failed(self, reply: Reply) -> bool:
        """Note the failure; True when it was the last 410 that a webhook is allowed."""
        now = self._clock.now()
        self.last_error = (int(now), reply.error)
        if reply.status != HTTPStatus.GONE:
            self._gone_since = 0.0
            return False
        self._gone_since = self._gone_since or now
        if now - self._gone_since < GONE_AFTER:
            return False
        await self.remove()
        return True

    async def _post(self, update: Update) -> Reply:
        assert self.settings is not None and self._session is not None
        headers = {"Content-Type": "application/json"}
        if self.settings.secret:
            headers[SECRET_HEADER] = self.settings.secret
        try:
            async with self._session.post(
                self.settings.url, data=update.body.encode(), headers=headers
            ) as response:
                return _reply(response, await response.read())
        except (aiohttp.ClientError, TimeoutError) as error:
            return Reply(0, "Connection refused" if _refused(error) else "Read timeout expired")


def _refused(error: Exception) -> bool:
    return isinstance(error, aiohttp.ClientConnectionError)


def _reply(response: aiohttp.ClientResponse, body: bytes) -> Reply:
    wait = response.headers.get("Retry-After", "")
    retry_after = min(float(wait), RETRY_AFTER_LIMIT) if wait.isdecimal() else 0.0
    error = f"Wrong response from the webhook: {response.status} {response.reason}"
    return Reply(response.status, error, retry_after, body)


def _call(body: bytes) -> dict[str, Any] | None:
    if not body.startswith(b"{"):
        return None
    try:
        value = json.loads(body)
    except ValueError:
        return None
    return value if isinstance(value, dict) and value.get("method") else None
