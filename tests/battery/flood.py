"""BT27: two hundred chats, a flooder and a busy group against Telegram's limits, its 429s and its 502s.

Everything but Telegram is real: the lanes, the state, the outbox and its pace; the clock leaps,
so that a minute costs no minute. No bot may answer faster than 30 a second, so 2,000 answers need
67 seconds whoever sends them. Hence two plays: the flood as it is, where every chat's first answer
is timed against the 30 a second, and the same with the other chats' updates spread over 75 seconds,
where every answer of theirs is timed.
"""

import asyncio
import itertools
import resource
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from bot.lanes import Lanes
from handlers.edge.pace import TELEGRAM, Pace
from handlers.messages.reply import Post, Reply
from memory.inbox import Incoming
from tests.battery.battery import Result, Test
from tests.handlers.fake_telegram import refuse
from tests.handlers.leaping import leaping
from tests.handlers.outbox_stage import Office, SlowTelegram, haste

PER_CHAT, GROUPS = 10, 10
FLOODER, BUSY_GROUP = 1, -1
PARTS = {FLOODER: 4, BUSY_GROUP: 40}
FLOOD_SECONDS, SPREAD_SECONDS = 5.0, 75.0
HASTE_RATE, GATEWAY_RATE, LATENCY = 0.02, 0.02, 0.08
P95_SECONDS, MIB, IDLE_MIB, MOST_MIB = 3.0, 2**20, 110, 250
CHAT, GROUP, WHOLE = (5, 5.0), (20, 60.0), (30, 1.0)


class Unlimited(Pace):
    """A twin that sends as fast as it can."""

    def __init__(self, limits, clock, sleep=asyncio.sleep):
        super().__init__(None, clock, sleep)


@dataclass
class Play:
    """What came and what was answered, by chat, in the loop's seconds."""

    came: dict = field(default_factory=lambda: defaultdict(list))
    answered: dict = field(default_factory=lambda: defaultdict(list))
    asked: list = field(default_factory=list)
    left: int = 0

    def waits(self, wanted=slice(None)):
        """How long the other chats waited, by default for every answer."""
        chats = (chat for chat in self.came if chat not in PARTS)
        pairs = (zip(self.came[c][wanted], self.answered[c][wanted], strict=False) for c in chats)
        return sorted(end - start for start, end in itertools.chain.from_iterable(pairs))


def flood(run):
    """``n`` updates, a quarter from one chat, in five seconds; then with the others' spread."""
    pace = Unlimited if run.broken else Pace
    before = _resident()
    plays = {}
    for name, seconds in (("flood", FLOOD_SECONDS), ("spread", SPREAD_SECONDS)):
        folder = run.folder / name
        folder.mkdir()
        plays[name] = _played(folder, _arrivals(run, seconds), run.chance, pace)
    result = Result({"updates": run.n, "unanswered": sum(_unanswered(p) for p in plays.values())})
    _time(result, plays, run.n // PER_CHAT)
    for play in plays.values():
        _limit(result, play)
    result.counts["MiB more"] = max(0, _resident() - before)
    room = MOST_MIB - IDLE_MIB
    result.expect(result.counts["MiB more"] <= room, f"more than {room} MiB above an idle bot")
    result.expect_zero("unanswered")
    return result


def _arrivals(run, seconds):
    """(time, chat) of every update: the flooders' within five seconds, the others' spread."""
    chats = [n if n % GROUPS else -n for n in range(2, run.n // PER_CHAT + 1)]
    flooders = [chat for chat, part in PARTS.items() for _ in range(run.n // part)]
    flooded = [(run.chance.uniform(0, FLOOD_SECONDS), chat) for chat in flooders]
    rest = itertools.islice(itertools.cycle(chats), run.n - len(flooders))
    return sorted(flooded + [(run.chance.uniform(0, seconds), chat) for chat in rest])


def _played(folder, arrivals, chance, pace):
    def trouble(name, values):
        if "chat_id" not in values:
            return None
        luck = chance.random()
        if luck < HASTE_RATE:
            return haste(chance.randint(1, 3))
        return refuse(502, "Bad Gateway") if luck < HASTE_RATE + GATEWAY_RATE else None

    telegram = SlowTelegram(LATENCY, trouble)

    async def main():
        play = Play()
        office = await Office(folder, telegram, TELEGRAM, pace).open()
        await _feed(office, arrivals, play)
        await office.outbox.settle()
        play.left = len(office.state.unsent()) + len(office.state.waiting())
        office.state.close()
        return play

    play = leaping(main)
    for time, chat, _ in telegram.told:
        play.answered[chat].append(time)
    play.asked = telegram.asked
    return play


async def _feed(office, arrivals, play):
    """Take the updates in at their times; each is answered with one post."""

    async def work(row):
        office.answer(row.update_id, Post(Reply(f"Kept: {row.update_id}"), row.queue), of=row.queue)

    lanes = Lanes(work, 64, office.outbox.ready)
    for update_id, (time, chat) in enumerate(arrivals, 1):
        await asyncio.sleep(time - office.loop.time())
        row = Incoming(update_id, chat, b"{}")
        office.state.accept([row])
        play.came[chat].append(office.loop.time())
        lanes.put(row)
    await lanes.settle()


def _unanswered(play):
    short = sum(max(0, len(times) - len(play.answered[chat])) for chat, times in play.came.items())
    return short + play.left


def _time(result, plays, chats):
    first, spread = plays["flood"].waits(slice(1)), plays["spread"].waits()
    fastest = chats / WHOLE[0]
    result.counts["first answers p95 s"] = round(_p95(first), 1)
    result.counts["limits allow s"] = round(fastest, 1)
    result.counts["all answers of the flood p95 s"] = round(_p95(plays["flood"].waits()), 1)
    result.counts["spread p95 s"] = round(_p95(spread), 2)
    late = _p95(first) - fastest
    result.expect(late <= P95_SECONDS, f"first answers come {late:.1f} s later than they could")
    result.expect(_p95(spread) <= P95_SECONDS, "other chats wait although there is room")


def _p95(waits):
    return waits[int(len(waits) * 0.95)]


def _limit(result, play):
    """Promise that no window of any chat, of any group, and of all is overfull."""
    chats = defaultdict(list)
    for time, chat in play.asked:
        chats[chat].append(time)
    worst = {
        "chat": max(_worst(times, CHAT[1]) for times in chats.values()),
        "group": max((_worst(t, GROUP[1]) for c, t in chats.items() if c < 0), default=0),
        "all": _worst([time for time, _ in play.asked], WHOLE[1]),
    }
    for (name, found), (most, seconds) in zip(worst.items(), (CHAT, GROUP, WHOLE), strict=True):
        key = f"{name}, most in {seconds:.0f} s"
        result.counts[key] = max(found, result.counts.get(key, 0))
        result.expect(found <= most, f"{name}: {found} calls in {seconds:.0f} s, not {most}")


def _worst(times, seconds):
    return max(bisect_left(times, start + seconds) - i for i, start in enumerate(times))


def _resident():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() // MIB


TESTS = (Test(27, "flood", "f", n=2000, few=120, do=flood),)
