"""BT1: the bot is killed while updates come in, and each of them is applied exactly once."""

import asyncio
import socket
from collections import Counter
from contextlib import closing

from memory.state import State
from tests.battery.battery import Result, Test
from tests.battery.bot_api import bot_api, message
from tests.battery.bot_process import Forgetful, Way, lines, messages, started

CHATS = 10
FIRST_ID = 500_000_000
ENDING_SECONDS = 60.0


def inbox(run):
    """``n`` facts by polling, then ``n`` by webhook, with a kill for every fifty of them."""
    result = Result({"kills": 0, "lost": 0, "twice": 0})
    for port in (0, _free_port()):
        asyncio.run(_killed(run, port, result))
    result.expect_zero("lost", "twice")
    return result


async def _killed(run, port, result):
    folder = run.folder / ("webhook" if port else "polling")
    folder.mkdir()
    updates = [
        message(FIRST_ID + number, 1000 + number % CHATS, text)
        for number, text in enumerate(messages(run.n))
    ]
    async with bot_api() as api:
        way = Way(api.url, folder, port, Forgetful if run.broken else State)
        bringing = _brought(api, updates, port)
        await _kill_often(run, api, way, result)
        await _finished(run, api, way)
        bringing.cancel()
    _count(lines(folder), updates, result)


def _brought(api, updates, port):
    """Let the updates wait for polls, or bring them; gives the task that does."""
    if port:
        return asyncio.create_task(api.bring(updates))
    api.add(updates)
    return asyncio.create_task(asyncio.sleep(0))


async def _kill_often(run, api, way, result):
    """Kill a bot each time it has answered some more, a few milliseconds later."""
    marks = sorted(run.chance.sample(range(run.n // 10, run.n * 9 // 10), max(1, run.n // 50)))
    for mark in marks:
        process = started(way)
        await _until(api, lambda mark=mark: api.sent >= mark, _patience(run))
        await asyncio.sleep(run.chance.uniform(0, 0.02))
        process.kill()
        await asyncio.to_thread(process.join)
        result.counts["kills"] += 1


async def _finished(run, api, way):
    """Let a last bot do what is left, and end it gracefully."""
    process = started(way)
    await _until(api, lambda: len(lines(way.folder)) >= run.n, _patience(run))
    process.terminate()
    await asyncio.to_thread(process.join, ENDING_SECONDS)


def _patience(run):
    """Seconds without a message after which nothing comes any more; a twin's silence is sure."""
    return 1.2 if run.broken else 15.0


async def _until(api, reached, patience):
    """Wait until a mark is reached, or nothing was sent for too long."""
    while not reached():
        try:
            await asyncio.wait_for(api.changed.wait(), patience)
        except TimeoutError:
            return


def _count(kept, updates, result):
    """Compare the lines with what was said: the end of a sentence is its fact."""
    seen = Counter(line.removeprefix("- ") for line in kept)
    wanted = Counter(update["message"]["text"].partition(", ")[2] for update in updates)
    result.counts["lost"] += sum((wanted - seen).values())
    result.counts["twice"] += sum((seen - wanted).values())


def _free_port():
    with closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


TESTS = (Test(1, "inbox", "f", n=1000, few=60, do=inbox),)
