"""Updates that Telegram brings: a small HTTP server behind a reverse proxy (B12, R2).

The secret is looked at before anything else, in constant time. What is no update gets a plain
status without a body, and its content is never logged; 200 is said only after the commit.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import re
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus

from aiohttp import web
from telegram import Bot
from telegram.error import RetryAfter

from bot.feed import ALLOWED, Arrival, arrival
from handlers.edge.sending import asked_wait
from memory.errors import StateError

SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"
HEALTH = "/health"
LARGEST, DEEPEST = 1 << 20, 64
BODY_SECONDS = 10.0
_LINGER_SECONDS = 1.0
_STOP_SECONDS = 10.0
_TRIES = 3
_JSON = "application/json"
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_ONE_KIND = bytes.maketrans(b"{}", b"[]")
_ESCAPED_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")

Take = Callable[[Sequence[Arrival]], Awaitable[None]]


class ListenError(Exception):
    """Nobody can be listened to at the address that is configured; says why."""


async def announce(bot: Bot, url: str, secret: str) -> None:
    """Tell Telegram where to bring updates; a refusal for haste is obeyed.

    Raises:
        telegram.error.TelegramError: Telegram does not take this address.
    """
    for _ in range(_TRIES):
        try:
            await bot.set_webhook(url, secret_token=secret, allowed_updates=ALLOWED)
            return
        except RetryAfter as error:
            await asyncio.sleep(asked_wait(error))
    await bot.set_webhook(url, secret_token=secret, allowed_updates=ALLOWED)


class Webhook:
    """The server that Telegram's requests reach.

    Args:
        secret: what Telegram repeats with each request; nobody else knows it.
        take: takes updates in, and comes back when they are committed.
        waiting: how many updates wait, for the health page (R8).
        patience: seconds a request has for sending its body.
    """

    def __init__(
        self,
        secret: str,
        take: Take,
        waiting: Callable[[], int],
        patience: float = BODY_SECONDS,
    ) -> None:
        self._secret = secret.encode()
        self._take, self._waiting = take, waiting
        self._patience = patience
        self._runner: web.ServerRunner | None = None

    async def start(self, host: str, port: int) -> int:
        """Listen; gives the port, which the system chooses for port 0.

        Raises:
            ListenError: the port is taken or not allowed.
        """
        server = web.Server(
            self._answer,
            access_log=None,
            auto_decompress=False,
            lingering_time=_LINGER_SECONDS,
        )
        self._runner = web.ServerRunner(server, shutdown_timeout=_STOP_SECONDS)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, host, port, backlog=1024).start()
        except OSError as error:
            raise ListenError(error.strerror) from error
        return int(self._runner.addresses[0][1])

    async def stop(self) -> None:
        """Stop listening; requests that were begun are answered first."""
        if self._runner is not None:
            await self._runner.cleanup()

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        if request.method == "GET" and request.path == HEALTH:
            return web.json_response({"ok": True, "waiting": self._waiting()})
        return web.Response(status=await self._status(request))

    async def _status(self, request: web.BaseRequest) -> HTTPStatus:
        if not self._knows_secret(request):
            return HTTPStatus.FORBIDDEN
        if request.method != "POST":
            return HTTPStatus.METHOD_NOT_ALLOWED
        if request.content_type != _JSON:
            return HTTPStatus.UNSUPPORTED_MEDIA_TYPE
        try:
            async with asyncio.timeout(self._patience):
                body = await read(request)
        except TimeoutError:
            return HTTPStatus.REQUEST_TIMEOUT
        except web.RequestPayloadError:
            return HTTPStatus.BAD_REQUEST
        if body is None:
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        return await self._taken(parse(body))

    async def _taken(self, found: Arrival | None) -> HTTPStatus:
        if found is None:
            return HTTPStatus.BAD_REQUEST
        try:
            await self._take((found,))
        except StateError:
            return HTTPStatus.SERVICE_UNAVAILABLE
        return HTTPStatus.OK

    def _knows_secret(self, request: web.BaseRequest) -> bool:
        given = request.headers.get(SECRET_HEADER, "")
        return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), self._secret)


async def read(request: web.BaseRequest) -> bytes | None:
    """The body, or None as soon as it is longer than `LARGEST`, announced or not."""
    if (request.content_length or 0) > LARGEST:
        return None
    body = bytearray()
    async for chunk in request.content.iter_any():
        body += chunk
        if len(body) > LARGEST:
            return None
    return bytes(body)


def parse(body: bytes) -> Arrival | None:
    """The update in a body; None for what is not UTF-8, not JSON, too deep, or no update."""
    if too_deep(body):
        return None
    try:
        update = json.loads(body.decode("utf-8"))
        if _ESCAPED_SURROGATE.search(body):
            json.dumps(update, ensure_ascii=False).encode("utf-8")
    except ValueError:
        return None
    return arrival(update)


def too_deep(body: bytes) -> bool:
    """Whether brackets are nested deeper than `DEEPEST`, or do not match; linear.

    Outside of strings, each round takes the innermost pairs away; which kind of bracket closes
    which is the parser's business.
    """
    if body.count(b"[") + body.count(b"{") <= DEEPEST:
        return False
    pieces = body.replace(rb"\\", b"").replace(rb"\"", b"").split(b'"')
    brackets = b"".join(pieces[::2]).translate(_ONE_KIND, _NO_BRACKETS)
    for _ in range(DEEPEST):
        brackets = brackets.replace(b"[]", b"")
    return bool(brackets)
