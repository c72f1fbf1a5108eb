"""BT16: the server repeats, reorders and renumbers updates; each of them has its effect once."""

import asyncio
from collections import Counter, defaultdict

from memory.state import State
from tests.battery.battery import Result, Test
from tests.battery.bot_api import BotApi, bot_api, chat_of, message
from tests.battery.bot_process import Way, lines, messages, running

CHATS = 6
FIRST_ID, JUMP, EDITS = 700_000_000, 100_000_000, 800_000_000
WINDOW, TIMES, LARGEST_BATCH = 50, 4, 30
EDITED = "keep you know, Zora paints the fence on the hill, now number"
SECONDS = 60.0


class Watermark(State):
    """A twin that remembers the highest id instead of all of them."""

    def accept(self, updates):
        """Only what is above every id before it."""
        highest, new = getattr(self, "_highest", 0), []
        for each in updates:
            if each.update_id > highest:
                highest = each.update_id
                new.append(each)
        self._highest = highest
        return super().accept(new)


class Careless(BotApi):
    """A server that hands out a given stream piece by piece, whatever the offset says."""

    def pieces(self, stream, chance):
        """Hand out this; `over` is set when a poll shows that the last piece was taken in."""
        self._stream, self._chance, self.over = list(stream), chance, asyncio.Event()

    async def _getupdates(self, values):
        if not self._stream:
            self.over.set()
            await asyncio.sleep(0.1)
        size = self._chance.randint(1, LARGEST_BATCH)
        piece, self._stream = self._stream[:size], self._stream[size:]
        return piece


def delivery(run):
    """``n`` facts, each delivered one to four times in disorder, the ids jumping down midway."""
    return asyncio.run(_delivered(run))


async def _delivered(run):
    facts = _facts(run.n)
    stream = _disordered(facts, run.chance)
    async with bot_api(Careless()) as api:
        api.pieces(stream, run.chance)
        inbox = Watermark if run.broken else State
        async with running(Way(api.url, run.folder, inbox=inbox, fsync=False)):
            await asyncio.wait_for(api.over.wait(), SECONDS)
    result = _compared(run.folder, facts, stream)
    edits = sum("edited_message" in update for update in stream)
    result.counts["answers"] = api.sent
    result.expect(api.sent == run.n + edits, f"{api.sent} answers to {run.n} facts, {edits} edits")
    return result


def _facts(n):
    """Updates whose ids go up, jump far down in the middle, and go up again."""
    return [
        message(FIRST_ID + number - (JUMP if 2 * number >= n else 0), 1000 + number % CHATS, text)
        for number, text in enumerate(messages(n))
    ]


def _disordered(facts, chance):
    """Each one to four times, none further than a window from its place; every tenth is edited
    when all its copies have come."""
    placed = []
    for place, update in enumerate(facts):
        copies = [update] * chance.randint(1, TIMES)
        placed += [(place + chance.uniform(0, WINDOW), copy) for copy in copies]
        if place % 10 == 0:
            edit = message(EDITS + place, chat_of(update), f"{EDITED} {place}", "edited_message")
            edit["edited_message"]["message_id"] = update["message"]["message_id"]
            placed.append((place + WINDOW, edit))
    return [update for _, update in sorted(placed, key=lambda pair: pair[0])]


def _compared(folder, facts, stream):
    kept = [_fact(line) for line in lines(folder)]
    wanted = Counter(_fact(update["message"]["text"]) for update in facts)
    seen = Counter(kept)
    result = Result({"facts": len(facts), "delivered": len(stream)})
    result.counts["lost"] = sum((wanted - seen).values())
    result.counts["twice or more"] = sum((seen - wanted).values())
    result.counts["out of order"] = _out_of_order(folder, stream)
    result.expect_zero("lost", "twice or more", "out of order")
    return result


def _fact(text):
    return text.removeprefix("- ").partition("keep you know, ")[2] or text.removeprefix("- ")


def _out_of_order(folder, stream):
    """Chats whose lines do not stand in the order in which the first copies came."""
    came = defaultdict(dict)
    for update in stream:
        if "message" in update:
            came[chat_of(update)].setdefault(_fact(update["message"]["text"]))
    wrong = 0
    for chat, wanted in came.items():
        kept = [_fact(line) for line in lines(folder / "memory" / "users" / str(chat))]
        wrong += kept != [fact for fact in wanted if fact in kept]
    return wrong


TESTS = (Test(16, "delivery", "q", n=300, few=60, do=delivery),)
