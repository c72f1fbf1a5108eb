"""The webhook's door: who is let in, what is let through, and that 200 means committed."""

import asyncio
import json
import time
from contextlib import asynccontextmanager

import aiohttp
import pytest
from telegram.error import RetryAfter

from bot.webhook import DEEPEST, LARGEST, Webhook, announce, parse, too_deep
from memory.errors import StateError

SECRET = "s3cret_-"
HEADERS = {"X-Telegram-Bot-Api-Secret-Token": SECRET, "Content-Type": "application/json"}
UPDATE = b'{"update_id": 7, "message": {"chat": {"id": 5}}}'


class Door:
    """A webhook and what came through it; ``gate`` holds commits back, ``fails`` breaks them."""

    def __init__(self, patience=5.0):
        self.taken, self.gate, self.fails = [], asyncio.Event(), False
        self.gate.set()
        self.webhook = Webhook(SECRET, self._take, lambda: 3, patience)

    async def _take(self, arrivals):
        await self.gate.wait()
        if self.fails:
            raise StateError("state.db")
        self.taken += [each.update_id for each in arrivals]

    async def post(self, body=UPDATE, headers=HEADERS, method="POST", path="/"):
        async with self.http.request(method, self.url + path, data=body, headers=headers) as answer:
            return answer.status, await answer.read()


@asynccontextmanager
async def door(patience=5.0):
    it = Door(patience)
    it.url = f"http://127.0.0.1:{await it.webhook.start('127.0.0.1', 0)}"
    async with aiohttp.ClientSession() as it.http:
        yield it
    await it.webhook.stop()


async def test_an_update_is_taken():
    """R2: whoever knows the secret brings an update, on any path a proxy chooses."""
    async with door() as it:
        assert await it.post(path="/some/where") == (200, b"")
    assert it.taken == [7]


async def test_200_is_said_after_the_commit():
    """B1: the answer waits for the commit, however long it takes."""
    async with door() as it:
        it.gate.clear()
        asking = asyncio.create_task(it.post())
        await asyncio.sleep(0.05)
        assert not asking.done()
        it.gate.set()
        assert (await asking)[0] == 200


async def test_the_end_waits_for_requests_that_were_begun():
    """R2: told to stop, the server takes nothing new and answers what it has begun to take."""
    async with door() as it:
        it.gate.clear()
        asking = asyncio.create_task(it.post())
        await asyncio.sleep(0.05)
        stopping = asyncio.create_task(it.webhook.stop())
        await asyncio.sleep(0.05)
        with pytest.raises(aiohttp.ClientError):
            await it.post()
        it.gate.set()
        assert (await asking)[0] == 200
        await stopping


async def test_a_commit_that_fails_is_brought_again():
    """B1: 503 makes Telegram bring the update again; nothing is acknowledged."""
    async with door() as it:
        it.fails = True
        assert (await it.post())[0] == 503
        it.fails = False
        assert (await it.post())[0] == 200


@pytest.mark.parametrize("secret", [None, "", "s3cret_", "s3cret_-x", "s3cret_é"])
async def test_the_secret_comes_first(secret):
    """B12: without the secret everything is 403, whatever is brought, and nothing is read."""
    headers = dict(HEADERS)
    del headers["X-Telegram-Bot-Api-Secret-Token"]
    if secret is not None:
        headers["X-Telegram-Bot-Api-Secret-Token"] = secret
    async with door() as it:
        for method, body in (("POST", UPDATE), ("GET", None), ("POST", b"x" * 70_000)):
            assert (await it.post(body, headers, method))[0] == 403
    assert it.taken == []


@pytest.mark.parametrize(
    ("headers", "method", "status"),
    [
        ({}, "GET", 405),
        ({}, "PUT", 405),
        ({"Content-Type": "text/plain"}, "POST", 415),
        ({"Content-Type": "application/json; charset=utf-8"}, "POST", 200),
        ({"Content-Encoding": "gzip"}, "POST", 200),
    ],
    ids=["GET", "PUT", "plain text", "with charset", "said to be packed"],
)
async def test_method_and_type(headers, method, status):
    """B12: one method, one type; nothing is unpacked, so that nothing can unfold."""
    async with door() as it:
        assert (await it.post(UPDATE, {**HEADERS, **headers}, method))[0] == status


async def test_too_large_whether_announced_or_not():
    """B12: a body over the cap is refused by its length, or as soon as it has grown over it."""

    async def growing():
        for _ in range(40):
            yield b" " * (LARGEST // 16)

    async with door() as it:
        assert (await it.post(b" " * (LARGEST + 1)))[0] == 413
        assert (await it.post(growing()))[0] == 413
        assert (await it.post(UPDATE + b" " * (LARGEST - len(UPDATE))))[0] == 200


async def test_a_slow_body_is_not_waited_for():
    """B12: whoever does not send the body in time gets 408."""

    async def slow():
        yield b"{"
        await asyncio.sleep(5)

    async with door(patience=0.1) as it:
        assert (await it.post(slow()))[0] == 408


async def test_health():
    """R8: a probe learns that the bot is there and how much waits, without the secret."""
    async with door() as it:
        status, body = await it.post(None, {}, "GET", "/health")
    assert (status, json.loads(body)) == (200, {"ok": True, "waiting": 3})


NOTHING = {
    "empty": b"",
    "no JSON": b"{",
    "list": b"[]",
    "no id": b"{}",
    "text id": b'{"update_id": "7"}',
    "negative id": b'{"update_id": -7}',
    "true": b'{"update_id": true}',
    "huge id": b'{"update_id": 1' + b"0" * 30 + b"}",
    "huge number": b'{"update_id": ' + b"9" * 5000 + b"}",
    "not UTF-8": b'{"update_id": 7, "x": "\xff"}',
    "UTF-16": '{"update_id": 7}'.encode("utf-16"),
    "surrogate in bytes": b'{"update_id": 7, "x": "\xed\xa0\x80"}',
    "lone surrogate": rb'{"update_id": 7, "x": "\ud83d"}',
    "lone surrogate as key": rb'{"update_id": 7, "\udc00": 1}',
    "deep": b'{"update_id": 7, "x": ' + b"[" * 5000 + b"]" * 5000 + b"}",
    "deep and open": b"[" * 100_000,
}


@pytest.mark.parametrize("body", NOTHING.values(), ids=NOTHING)
def test_what_is_no_update(body):
    """B12: what is no update is None, and no error."""
    assert parse(body) is None


@pytest.mark.parametrize(
    "body",
    [rb'{"update_id": 7, "x": "\ud83d\ude00"}', '{"update_id": 7, "x": "čau 😀"}'.encode()],
    ids=["pair of surrogates", "UTF-8"],
)
def test_what_is_an_update(body):
    """B12: pairs of escaped surrogates are letters."""
    assert parse(body).update_id == 7


@pytest.mark.parametrize(
    ("body", "deep"),
    [
        (b"[" * DEEPEST + b"]" * DEEPEST, False),
        (b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1), True),
        (b'{"a":' * DEEPEST + b"1" + b"}" * DEEPEST, False),
        (b'{"a":[' * DEEPEST + b"]}" * DEEPEST, True),
        (b'{"a":[' * (DEEPEST // 2) + b"]}" * (DEEPEST // 2), False),
        (b"[" + b"[]," * 1000 + b"[]]", False),
        (b'["' + b"[" * 1000 + b'"]', False),
        (rb'["\"' + b"[" * 1000 + b'"]', False),
        (rb'["\\",' + b"[" * 1000 + b"]" * 1000 + b"]", True),
        (rb'["\\",' + b"[]," * 1000 + b"1]", False),
    ],
    ids=[
        "just",
        "over",
        "objects",
        "both",
        "both, just",
        "wide",
        "in a string",
        "quote in it",
        "backslash",
        "and wide",
    ],
)
def test_how_deep(body, deep):
    """B12: brackets count outside of strings only."""
    assert too_deep(body) is deep


@pytest.mark.parametrize(
    "body",
    [b"[" * LARGEST, b"[]" * (LARGEST // 2), b'"' * LARGEST, b"\\" * LARGEST, b'\\"' * (1 << 19)],
    ids=["open", "pairs", "quotes", "backslashes", "escaped quotes"],
)
def test_depth_is_cheap(body):
    """B17: a hostile megabyte is judged in far less than a second."""
    start = time.process_time()
    parse(body)
    assert time.process_time() - start < 0.5


async def test_haste_is_obeyed():
    """R2: told to wait, the webhook is set after the wait."""

    class Telegram:
        calls = 0

        async def set_webhook(self, url, secret_token, allowed_updates):
            self.calls += 1
            if self.calls == 1:
                raise RetryAfter(0)
            assert (url, secret_token) == ("https://x", SECRET)
            assert "message" in allowed_updates

    telegram = Telegram()
    await announce(telegram, "https://x", SECRET)
    assert telegram.calls == 2
