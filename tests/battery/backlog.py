"""BT27, the way in: a chat floods, the bot is killed before it said so, and nothing is silent.

Every update is either applied, or the chat is told that it has to be sent again.
"""

import asyncio
import re
from collections import Counter

from memory.state import State
from tests.battery.battery import Result, Test
from tests.battery.bot_api import bot_api, message
from tests.battery.bot_process import Way, lines, messages, started

FLOODER, OTHERS, BACKLOG = 1000, 20, 10
FIRST_ID = 600_000_000
ENDING_SECONDS = 60.0
NOT_TAKEN = re.compile(r"(\d+) messages? w(?:as|ere) not taken")


class Silent(State):
    """A twin that forgets with its process whom it has turned away."""

    def turned_away(self):
        """Nobody."""
        return {}


def backlog(run):
    """``n`` updates at once, half of them from one chat; a kill after the first answer."""
    return asyncio.run(_flooded(run))


async def _flooded(run):
    updates = [
        message(FIRST_ID + number, _chat(number), text)
        for number, text in enumerate(messages(run.n))
    ]
    async with bot_api() as api:
        api.add(updates)
        inbox = Silent if run.broken else State
        way = Way(api.url, run.folder, inbox=inbox, backlog=BACKLOG)
        process = started(way)
        await _until(api, lambda: api.sent and not api.queue, run)
        process.kill()
        await asyncio.to_thread(process.join)
        process = started(way)
        await _until(api, lambda: len(lines(run.folder)) + sum(_told(api).values()) >= run.n, run)
        process.terminate()
        await asyncio.to_thread(process.join, ENDING_SECONDS)
        return _compared(run, _told(api), lines(run.folder))


def _chat(number):
    return FLOODER if number % 2 else FLOODER + 1 + number // 2 % OTHERS


def _told(api):
    """How many messages each chat was told to send again."""
    told = Counter()
    for chat, text in api.said:
        told[chat] += sum(int(count) for count in NOT_TAKEN.findall(text))
    return told


def _compared(run, told, kept):
    result = Result({"updates": run.n, "applied": len(kept), "told": sum(told.values())})
    result.counts["silent"] = run.n - len(kept) - result.counts["told"]
    result.counts["told without need"] = sum(told.values()) - told[FLOODER]
    result.expect_zero("silent", "told without need")
    result.expect(result.counts["told"] > 0, "the flood was not bounded at all")
    return result


async def _until(api, reached, run):
    """Wait until it is reached; a twin's silence is not waited for long."""
    patience = 4.0 if run.broken else 15.0
    while not reached():
        try:
            await asyncio.wait_for(api.changed.wait(), patience)
        except TimeoutError:
            return


TESTS = (Test(27, "backlog", "f", n=400, few=100, do=backlog),)
