"""An outbox over a real state, with a Telegram that takes its time and has its troubles."""

import asyncio
import itertools
from datetime import UTC, datetime, timedelta

from telegram import Bot

from handlers.context import Services
from handlers.edge.outbox import Outbox
from handlers.edge.pace import Pace
from handlers.edge.sending import Wire
from handlers.messages.reply import Post, Reply
from memory.state import State
from tests.handlers.fake_telegram import FakeTelegram, refuse
from tests.handlers.leaping import leaping

START = datetime(2026, 5, 4, 12, tzinfo=UTC)


class Files:
    """A store without documents: a chat that moves takes only rows along."""

    def __init__(self, state):
        self._state = state

    def migrate(self, old, new):
        self._state.migrate(old, new)
        return ()


class SlowTelegram(FakeTelegram):
    """Half of ``latency`` passes on the way to it, half on the way back.

    ``trouble`` is asked about every call with its method and parameters: it gives a reply to be
    used instead, an error to be raised, or None. ``told`` lists (time, chat, text).
    """

    def __init__(self, latency=0.1, trouble=lambda name, parameters: None):
        super().__init__()
        self.latency, self.trouble, self.told, self.asked = latency, trouble, [], []

    async def do_request(self, url, method, request_data=None, **timeouts):
        name = url.rsplit("/", 1)[1]
        parameters = request_data.parameters if request_data else {}
        await asyncio.sleep(self.latency / 2)
        answer = await self._answered(name, parameters, url, request_data)
        await asyncio.sleep(self.latency / 2)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def _answered(self, name, parameters, url, request_data):
        now = asyncio.get_running_loop().time()
        if "chat_id" in parameters:
            self.asked.append((now, int(parameters["chat_id"])))
        found = self.trouble(name, parameters)
        if isinstance(found, Exception):
            return found
        if found:
            self.failing.setdefault(name, []).append(found)
        answer = await super().do_request(url, "POST", request_data)
        if not found and answer[0] == 200 and "text" in parameters:
            self.told.append((now, int(parameters["chat_id"]), parameters["text"]))
        return answer

    def texts(self, chat):
        """What a chat was shown, in order."""
        return [text for _, place, text in self.told if place == chat]


def haste(seconds):
    """Telegram asks for patience."""
    status, body = refuse(429, f"Too Many Requests: retry after {seconds}")
    return status, {**body, "parameters": {"retry_after": seconds}}


class Office:
    """The outbox of one run of the program; ``pause`` is how long the state takes to answer."""

    pause = 0.0

    def __init__(self, folder, telegram, limits=None, pace=Pace):
        self.folder, self.telegram, self.limits, self._pace = folder, telegram, limits, pace
        self._ids = itertools.count(1)

    async def open(self, state=State):
        self.loop = asyncio.get_running_loop()
        self.state = state(self.folder / "state.db", synchronous="OFF")
        bot = Bot("42:TEST", request=self.telegram, get_updates_request=FakeTelegram())
        await bot.initialize()
        wire = Wire(bot, self._pace(self.limits, self.loop.time))
        nothing = dict.fromkeys(("engine", "languages", "layout", "index"))
        self.services = Services(
            **nothing,
            store=Files(self.state),
            state=self.state,
            clock=self.clock,
            new_id=self.new_id,
            run=self.run,
        )
        self.outbox = Outbox(wire, self.services)
        await self.outbox.open()
        return self

    async def run(self, function, *args):
        if self.pause:
            await asyncio.sleep(self.pause)
        return function(*args)

    def clock(self):
        return START + timedelta(seconds=self.loop.time())

    def new_id(self):
        return f"id{next(self._ids)}"

    def answer(self, update_id, *posts, person=0, of=1):
        """An update ``of`` a chat is handled, and these are its posts."""
        self.outbox.put(posts, update_id, person)
        self.outbox.done(update_id, of)


def post(text, chat=1, **fields):
    return Post(Reply(text), chat, **fields)


def played(folder, play, telegram=None, limits=None):
    """Play with an open office, wait until all is sent, and give the office."""

    async def main():
        office = await Office(folder, telegram or SlowTelegram(), limits).open()
        await play(office)
        await office.outbox.settle()
        return office

    return leaping(main)
