"""The conversations on a real store and state in a folder, with Telegram played in process."""

import itertools
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial

from telegram import Update
from telegram.ext import ApplicationBuilder

import locales
from bot.recall import open_index
from handlers.context import Policy, Services
from handlers.edge.conversation import context_types, nudge, register
from handlers.edge.outbox import Outbox
from handlers.edge.pace import Pace
from handlers.edge.ringing import ring
from handlers.edge.sending import Wire
from memory.files import PosixDisk
from memory.layout import Layout
from memory.spaces import DocumentName, DocumentRef, personal
from memory.state import State
from memory.store import Store
from tests.handlers.fake_telegram import BOT, FakeTelegram

ALICE = {"id": 111, "is_bot": False, "first_name": "Alice", "language_code": "en"}
PETR = {"id": 222, "is_bot": False, "first_name": "Petr", "language_code": "cs"}
GROUP = {"id": -1001, "type": "supergroup", "title": "Zahrádka"}
NOON = datetime(2026, 5, 4, 12, 30, tzinfo=UTC)
EVERYBODY = Policy(everyone=True)


class Stage:
    """One bot; `say` and `press` are what people do, `text` and `labels` what they see.

    ``first`` is where ids and updates are counted from, for several bots over one folder.
    """

    def __init__(self, folder, engine, languages, policy=EVERYBODY, state=State, first=1):
        self.folder, self.engine, self.languages, self.policy = folder, engine, languages, policy
        self.now, self.telegram = NOON, FakeTelegram()
        self._state = state
        self._ids, self._updates = itertools.count(first), itertools.count(first)
        self.layout = Layout(folder / "workspace")

    async def open(self):
        """Start the bot, or start it again over the same folder."""
        self.state = self._state(self.folder / "state" / "state.db", synchronous="OFF")
        disk = PosixDisk(self.folder / "state" / "locks", fsync=False)
        self.store = Store(self.layout, self.state, disk, self.clock, self.new_id)
        self._pool = ThreadPoolExecutor(1)
        self.services = Services(
            self.store,
            self.state,
            self.engine,
            self.languages,
            self.layout,
            self.clock,
            self.new_id,
            self._run,
            open_index(self.state, self.layout, disk, self.languages, self.clock),
        )
        self.application = (
            ApplicationBuilder()
            .token("42:TEST")
            .request(self.telegram)
            .get_updates_request(FakeTelegram())
            .updater(None)
            .job_queue(None)
            .context_types(context_types())
            .build()
        )
        wire = Wire(self.application.bot, Pace(None, time.monotonic))
        self.outbox = Outbox(wire, self.services)
        register(self.application, self.services, self.policy, self.outbox)
        await self.application.initialize()
        return self

    async def close(self):
        await self.outbox.close()
        await self.application.shutdown()
        self._pool.shutdown()
        self.state.close()

    async def _run(self, function, *args):
        import asyncio

        return await asyncio.get_running_loop().run_in_executor(
            self._pool, partial(function, *args)
        )

    async def nudge(self):
        """What happens by itself every quarter of an hour."""
        name = self.application.bot.username
        await nudge(name, self.services, self.policy, self.outbox)
        await self.outbox.settle()

    async def ring(self):
        """What happens by itself every ten seconds."""
        name = self.application.bot.username
        await ring(name, self.services, self.policy, self.outbox)
        await self.outbox.settle()

    def clock(self):
        return self.now

    def new_id(self):
        return f"{next(self._ids):026d}"

    def later(self, **delta):
        self.now += timedelta(**delta)

    async def say(self, text, by=ALICE, chat=None, **fields):
        """A person writes; ``fields`` are further fields of the Message."""
        chat = chat or {"id": by["id"], "type": "private"}
        message = {"message_id": next(self._updates), "date": 1, "chat": chat, "from": by}
        if text.startswith("/"):
            length = len(text.split()[0])
            message["entities"] = [{"type": "bot_command", "offset": 0, "length": length}]
        message |= {"text": text} | fields
        await self.feed({"message": {k: v for k, v in message.items() if v is not None}})
        return message

    async def edit(self, message, text, by=ALICE, again=1):
        """A person changes a message that was sent before; the update is handled ``again`` times."""
        edited = {**message, "edit_date": 2, "text": text, "from": by}
        number = next(self._updates)
        for _ in range(again):
            await self.feed({"edited_message": edited}, number)

    async def press(self, label, by=ALICE, message=None):
        """A person presses the newest button whose label has ``label`` in it."""
        message, data = self._button(label, message)
        await self.press_data(data, by, message)

    async def press_data(self, data, by=ALICE, message=1001, seen=None, chat=None, query=""):
        """A press of a button as it was; ``seen`` is the text the message had then."""
        chat = chat or {"id": by["id"], "type": "private"}
        shown = {"message_id": message, "date": 1, "chat": chat, "from": BOT, "text": "x"}
        shown["text"] = seen or self.telegram.messages.get((chat["id"], message), ("x",))[0]
        query = {
            "id": query or f"q{next(self._updates)}",
            "from": by,
            "chat_instance": "c",
            "message": shown,
            "data": data,
        }
        await self.feed({"callback_query": query})

    def data(self, label):
        """The message and data of the newest button with that label."""
        return self._button(label, None)

    def _button(self, label, wanted):
        for (_, message), (_, rows) in sorted(self.telegram.messages.items(), reverse=True):
            for button in itertools.chain.from_iterable(rows):
                if label in button["text"] and wanted in (None, message):
                    return message, button.get("callback_data", button.get("url"))
        raise AssertionError(f"no button {label!r}")

    async def feed(self, body, number=None):
        """An update comes, and everything that follows from it is done."""
        number = number or next(self._updates)
        update = Update.de_json({"update_id": number, **body}, self.application.bot)
        await self.application.process_update(update)
        self.outbox.done(update.update_id)
        await self.outbox.settle()

    @property
    def text(self):
        """The newest message of the bot, as people see it."""
        return self.telegram.messages[self.newest][0]

    @property
    def newest(self):
        return max(self.telegram.messages, key=lambda key: key[1])

    @property
    def labels(self):
        """The labels of its buttons."""
        return [b["text"] for row in self.telegram.messages[self.newest][1] for b in row]

    @property
    def alert(self):
        """The text of the last answer to a press."""
        return self.telegram.sent("answerCallbackQuery")[-1].get("text")

    def path(self, name="keep", slug="", by=ALICE):
        return self.layout.path(DocumentRef(personal(by["id"]), DocumentName(name), slug))

    def put(self, text, name="keep", slug="", by=ALICE):
        path = self.path(name, slug, by)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())

    def file(self, name="keep", slug="", by=ALICE):
        path = self.path(name, slug, by)
        return path.read_text(encoding="utf-8") if path.exists() else None


def speech():
    return locales.load(["en", "cs"])
