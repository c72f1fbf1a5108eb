"""How fast the webhook takes updates in, each answered only after its commit; disk waits included.

The server is a process of its own and the load another one: raw sockets with keep-alive, each
connection sending its next update when the last one was answered. Once nothing is done with what
was taken in, once a whole bot handles it beside.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.facts import keep_messages
from benchmarks.processes import running
from bot import config
from bot.core import open_core
from bot.entrance import Entrance
from bot.lanes import Lanes
from bot.refusals import Refusals
from bot.webhook import SECRET_HEADER
from tests.battery.bot_api import BotApi, bot_api, message

TOKEN, SECRET = "123456:TEST", "benchmark-secret"
CHATS = 100
GOAL_RATE, GOAL_P99_MS = 1000, 100
_READY_SECONDS = 20.0
_FIRST_ID = 500_000_000
_WARM = 200


@dataclass(frozen=True, slots=True)
class Figures:
    """What a run gave: updates a second, and milliseconds until an update was answered."""

    rate: float
    p50: float
    p99: float

    def __str__(self) -> str:
        return f"{self.rate:8.0f} {self.p50:8.1f} {self.p99:8.1f}"


def main(updates: int, connections: int) -> Iterator[str]:
    """The table, row by row."""
    amount = f"{updates} updates, {connections} connections"
    yield f"{amount:44} {'upd/s':>8} {'p50 ms':>8} {'p99 ms':>8}"
    for name, whole in (("taken in", False), ("taken in, a whole bot handling them", True)):
        figures, handled = asyncio.run(_measured(updates, connections, whole))
        yield f"{name:44} {figures}"
        if whole:
            yield f"{'handled and answered meanwhile':44} {handled:8.0f}"
    yield f"goal: at least {GOAL_RATE} taken in a second, p99 at most {GOAL_P99_MS} ms"


async def _measured(updates: int, connections: int, whole: bool) -> tuple[Figures, float]:
    texts = keep_messages(updates + _WARM)
    requests = [_request(number, text) for number, text in enumerate(texts)]
    with tempfile.TemporaryDirectory() as folder:
        async with bot_api() as api:
            port = _free_port()
            path = _configuration(Path(folder), api.url, port)
            module = ["bot", "run", "--config"] if whole else ["benchmarks.intake"]
            environment = {"POMNENKA_TOKEN": TOKEN, "POMNENKA_WEBHOOK_SECRET": SECRET}
            with running([sys.executable, "-m", *module, path], environment):
                await _ready(port)
                await _load(port, requests[:_WARM], connections)
                start = time.perf_counter()
                figures = await _load(port, requests[_WARM:], connections)
                handled = await _handled(api, len(requests), start) if whole else 0.0
    return figures, handled


def _configuration(folder: Path, url: str, port: int) -> str:
    """The defaults, with waits for the disk; a webhook, and room for the whole run."""
    path = folder / "pomnenka.toml"
    path.write_text(
        f'[telegram]\nbase_url = "{url}bot"\nwebhook_url = "http://127.0.0.1:{port}/hook"\n'
        f'webhook_listen = "127.0.0.1:{port}"\nbacklog_total = 1000000\nlimits = false\n'
        '[users]\neveryone = true\n[workspace]\npath = "memory"\n[log]\nlevel = "WARNING"\n'
    )
    return str(path)


def _request(number: int, text: str) -> bytes:
    body = json.dumps(message(_FIRST_ID + number, 1000 + number % CHATS, text)).encode()
    head = (
        f"POST /hook HTTP/1.1\r\nHost: 127.0.0.1\r\n{SECRET_HEADER}: {SECRET}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


async def _load(port: int, requests: Sequence[bytes], connections: int) -> Figures:
    """Send everything; every answer must be 200."""
    waiting, times = list(reversed(requests)), list[float]()
    start = time.perf_counter()
    await asyncio.gather(*(_connection(port, waiting, times) for _ in range(connections)))
    rate = len(times) / (time.perf_counter() - start)
    times.sort()
    return Figures(rate, 1000 * times[len(times) // 2], 1000 * times[len(times) * 99 // 100])


async def _connection(port: int, waiting: list[bytes], times: list[float]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while waiting:
        start = time.perf_counter()
        writer.write(waiting.pop())
        answer = await reader.readuntil(b"\r\n\r\n")
        times.append(time.perf_counter() - start)
        assert answer.startswith(b"HTTP/1.1 200"), answer
    writer.close()


async def _handled(api: BotApi, updates: int, start: float) -> float:
    """Updates answered a second since ``start``, when all of them are; a few were before."""
    while api.sent < updates:
        await asyncio.wait_for(api.changed.wait(), _READY_SECONDS)
    return updates / (time.perf_counter() - start)


async def _ready(port: int) -> None:
    """Wait until the server listens."""
    deadline = time.monotonic() + _READY_SECONDS
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            if time.monotonic() > deadline:
                raise
            await asyncio.sleep(0.05)
        else:
            writer.close()
            return


def _free_port() -> int:
    with closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class _Unannounced:
    """In Telegram's place: it is told of no webhook."""

    async def set_webhook(self, *_: Any, **__: Any) -> bool:
        return True


async def _serve(path: Path) -> None:
    """The server under measurement, alone: what it took in is handed on to nobody."""
    settings = config.load(path)
    assert isinstance(settings, config.Settings), settings

    async def nothing(_: object) -> None:
        return

    async def untold(*_: object) -> None:
        return

    entrance = Entrance(open_core(settings), Lanes(nothing, 64), Refusals(untold, bool))
    bot: Any = _Unannounced()
    await entrance.listen(bot, SECRET, lambda: None)


if __name__ == "__main__":
    asyncio.run(_serve(Path(sys.argv[1])))
