"""BT17: whatever is brought to the webhook gets its status, never 500, and is never logged."""

import asyncio
import gzip
import json
import logging
from collections import Counter
from functools import partial
from http import HTTPStatus

import aiohttp

from bot.feed import arrival, row
from bot.intake import Bounds, Intake
from bot.lanes import Lanes
from bot.webhook import LARGEST, SECRET_HEADER, Webhook
from memory.inbox import Incoming
from memory.state import State
from tests.battery.battery import Result, Test
from tests.battery.bot_api import message

SECRET, TEXT = "battery-secret", "canary-of-the-webhook"
PATIENCE_SECONDS = 0.3
GOOD = {SECRET_HEADER: SECRET, "Content-Type": "application/json"}
BAD = HTTPStatus.BAD_REQUEST


class Unguarded(Webhook):
    """A twin that trusts what comes: the body is read and parsed as the libraries do it."""

    async def _status(self, request):
        update = await request.json()
        await self._take([arrival(update)])
        return HTTPStatus.OK


def bodies():
    """(what it is, what is sent, the status that is due)."""
    good = message(900_000_000, 7, TEXT)
    undated = message(900_000_001, 7, TEXT)
    del undated["message"]["date"]
    said = json.dumps(good["message"]).encode()
    numbered = b'{"update_id": %s, "message": ' + said + b"}"
    return {
        "good": (json.dumps(good).encode(), HTTPStatus.OK),
        "missing date": (json.dumps(undated).encode(), HTTPStatus.OK),
        "not JSON": (b"{" + said, BAD),
        "empty": (b"", BAD),
        "list": (json.dumps([good]).encode(), BAD),
        "{}": (b"{}", BAD),
        "string id": (numbered % b'"9"', BAD),
        "negative id": (numbered % b"-9", BAD),
        "boolean id": (numbered % b"true", BAD),
        "fraction": (numbered % b"9.5", BAD),
        "id of 30 digits": (numbered % (b"9" * 30), BAD),
        "id of 5,000 digits": (numbered % (b"9" * 5000), BAD),
        "depth 5,000": (b'{"update_id": 9, "x": ' + b"[" * 5000 + b"]" * 5000 + b"}", BAD),
        "depth 500,000": (b"[" * 500_000, BAD),
        "objects 50,000 deep": (b'{"a":' * 50_000, BAD),
        "bad UTF-8": (numbered % b"9" + b"\xff\xfe", BAD),
        "bad UTF-8 inside": (b'{"update_id": 9, "x": "\xc3\x28"}', BAD),
        "lone surrogate": (rb'{"update_id": 9, "x": "\ud83d"}', BAD),
        "packed": (gzip.compress(numbered % b"9"), BAD),
        "30 MB": (b" " * 30_000_000, HTTPStatus.REQUEST_ENTITY_TOO_LARGE),
        "just too large": (b" " * (LARGEST + 1), HTTPStatus.REQUEST_ENTITY_TOO_LARGE),
    }


def requests():
    """Requests whose head is wrong, or whose body does not come: (method, head, body, status)."""
    good = json.dumps(message(900_000_002, 7, TEXT)).encode()
    plain = {"Content-Type": "text/plain"}
    return {
        "no secret": ("POST", {SECRET_HEADER: ""}, good, HTTPStatus.FORBIDDEN),
        "wrong secret": ("POST", {SECRET_HEADER: SECRET[:-1]}, good, HTTPStatus.FORBIDDEN),
        "odd secret": ("POST", {SECRET_HEADER: "š" * 300}, good, HTTPStatus.FORBIDDEN),
        "GET": ("GET", {}, None, HTTPStatus.METHOD_NOT_ALLOWED),
        "DELETE": ("DELETE", {}, good, HTTPStatus.METHOD_NOT_ALLOWED),
        "wrong type": ("POST", plain, good, HTTPStatus.UNSUPPORTED_MEDIA_TYPE),
        "packed": ("POST", {"Content-Encoding": "gzip"}, gzip.compress(good), BAD),
        "slow body": ("POST", {}, _slow(), HTTPStatus.REQUEST_TIMEOUT),
        "endless body": ("POST", {}, _endless(), HTTPStatus.REQUEST_ENTITY_TOO_LARGE),
    }


async def _slow():
    yield b'{"update_id"'
    await asyncio.sleep(3 * PATIENCE_SECONDS)
    yield b": 9}"


async def _endless():
    while True:
        yield b" " * 65536
        await asyncio.sleep(0)


class Recorder(logging.Handler):
    """Everything that any logger says, traces included."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.said = []

    def emit(self, record):
        self.said.append(self.format(record))


def webhook(run):
    """Every row of the tables, and ``n`` bodies broken at random."""
    root, recorder = logging.getLogger(), Recorder()
    level = root.level
    root.addHandler(recorder)
    root.setLevel(logging.DEBUG)
    try:
        result = asyncio.run(_brought(run))
    finally:
        root.removeHandler(recorder)
        root.setLevel(level)
    result.counts["text in the log"] = sum(TEXT in line for line in recorder.said)
    result.expect_zero("text in the log")
    return result


async def _brought(run):
    state = State(run.folder / "state.db")
    intake = Intake(partial(_stored, state), Lanes(_nothing, 8), Bounds(10_000, 10_000), print)
    kind = Unguarded if run.broken else Webhook
    server = kind(SECRET, intake.take, lambda: 0, PATIENCE_SECONDS)
    url = f"http://127.0.0.1:{await server.start('127.0.0.1', 0)}/hook"
    result = Result({"requests": 0, "other statuses": 0, "500": 0})
    async with aiohttp.ClientSession() as http:
        post = partial(_status, http, url)
        await _tables(post, result)
        await _fuzz(run, post, result)
        alive = await post("POST", {}, json.dumps(message(1, 7, TEXT)).encode())
    result.expect(alive == HTTPStatus.OK, f"afterwards an update gets {alive}")
    result.expect_zero("other statuses", "500")
    await server.stop()
    state.close()
    return result


async def _tables(post, result):
    for name, (body, status) in bodies().items():
        _compare(name, await post("POST", {}, body), {status}, result)
    for name, (method, headers, body, status) in requests().items():
        _compare(name, await post(method, headers, body), {status}, result)


async def _fuzz(run, post, result):
    """A good update with bytes changed, cut out or doubled: taken or refused, nothing else."""
    whole = json.dumps(message(5_000_000, 7, TEXT)).encode()
    for number in range(run.n):
        body = bytearray(whole)
        for _ in range(run.chance.randint(1, 4)):
            place = run.chance.randrange(len(body))
            body[place : place + run.chance.randint(0, 3)] = run.chance.randbytes(
                run.chance.randint(0, 3)
            )
        status = await post("POST", {}, bytes(body))
        _compare(f"broken body {number}", status, {HTTPStatus.OK, BAD}, result)


def _compare(name, status, due, result):
    result.counts["requests"] += 1
    result.counts["500"] += status >= HTTPStatus.INTERNAL_SERVER_ERROR
    result.counts["other statuses"] += status not in due
    result.expect(status in due, f"{name}: {status}")


async def _status(http, url, method, headers, body):
    """The status of one request, 0 when the connection was closed without one."""
    try:
        async with http.request(method, url, headers={**GOOD, **headers}, data=body) as answer:
            return answer.status
    except aiohttp.ClientError:
        return 0


async def _stored(state, group):
    rows = [each if isinstance(each, Incoming) else row(each, str) for each in group]
    new = Counter(await asyncio.to_thread(state.accept, rows))
    return [each for each in rows if new.pop(each.update_id, 0)]


async def _nothing(_row):
    return


TESTS = (Test(17, "webhook", "q", n=2000, few=150, do=webhook),)
