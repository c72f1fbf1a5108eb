"""The emulator as a program, its load mode, and that other libraries understand its objects."""

import asyncio
import json
import signal
import subprocess
import sys
import time

import pytest
from telegram import Message, Update

from demo import files
from tests.demo.emulator_side import ALICE, GROUP, PETR

COMMAND = [sys.executable, "-m", "demo", "--port", "0"]


def started(*options, **pipes):
    """The program, once it has printed its address."""
    process = subprocess.Popen([*COMMAND, *options], stdout=subprocess.PIPE, text=True, **pipes)
    assert json.loads(process.stdout.readline())["url"].startswith("http://127.0.0.1:")
    return process


def test_ends_on_sigterm():
    """R1: one line with the address, and a clean end on SIGTERM."""
    process = started()
    process.send_signal(signal.SIGTERM)
    assert process.wait(5) == 0
    assert process.stdout.read() == ""


def test_ends_with_its_parent():
    """R1: with --with-parent it ends when standard input is closed."""
    process = started("--with-parent", stdin=subprocess.PIPE)
    process.stdin.close()
    assert process.wait(5) == 0


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("a\nb\n", "a\nb\n", []),
        ("", "a\nb\n", [0, 1]),
        ("a\nb\n", "a\nx\nb\n", [1]),
        ("a\nb\n", "a\nB\n", [1]),
        ("a\nb\nc\n", "a\nc\n", []),
        ("a\na\n", "a\na\na\n", [2]),
        ("a\nb\nc\nd\n", "x\na\nc\nd\ny\n", [0, 4]),
        ("a", "a\nb", [1]),
    ],
)
def test_added_lines(old, new, expected):
    """R1: the lines that light up are those that were not there before."""
    assert files.added(old, new) == expected


def test_huge_differences_stay_cheap():
    """R1: a rewritten file of 50,000 lines does not stop the emulator."""
    old, new = ("".join(f"{side} {n}\n" for n in range(50_000)) for side in "ab")
    begun = time.process_time()
    assert len(files.added(old, new)) == 50_000
    assert time.process_time() - begun < 1


async def echo(side, stop):
    """A bot that echoes what it polls."""
    offset = 0
    while not stop.is_set():
        for update in await side.ok("getUpdates", offset=offset, timeout=1):
            offset = update["update_id"] + 1
            message = update["message"]
            await side.send(message["chat"]["id"], message["text"])


async def test_load(telegram):
    """Load: a closed loop of different messages in synthetic chats, hidden from pages."""
    stop = asyncio.Event()
    bot = asyncio.create_task(echo(telegram, stop))
    plan = {"chats": 5, "total": 60, "warm": 10, "text": "keep n {n}"}
    await telegram.people("people/load", **plan)
    for _ in range(100):
        await asyncio.sleep(0.05)
        report = await telegram.get("people/load")
        if report["done"]:
            break
    stop.set()
    await bot
    assert (report["answered"], report["measured"]) == (70, 60)
    assert report["updates_per_s"] > 10
    assert 0 < report["p50_ms"] <= report["p99_ms"] <= report["max_ms"]
    assert report["server_cpu_ms"] > 0
    said = {m.data["text"] for m in telegram.emulator.world.chats[500_000].messages.values()}
    assert "keep n 0" in said
    assert set((await telegram.state())["messages"]) == {"111", "222", "333", "-1001"}


async def test_load_counts_several_answers_and_delays_them(telegram):
    """Load: an answer may consist of several calls, and each can be made slow."""
    await telegram.people("people/load", chats=1, total=2, answers=2, delay=0.2)
    begun = time.perf_counter()
    for expected in (0, 1):
        assert (await telegram.get("people/load"))["answered"] == 0
        message = await telegram.send(500_000, f"x{expected}")
    assert time.perf_counter() - begun > 0.39
    assert message["text"] == "x1"
    where = {"chat_id": 500_000, "message_id": message["message_id"]}
    await telegram.ok("deleteMessage", **where)
    assert telegram.emulator.events.last == 0
    assert (await telegram.get("people/load"))["answered"] == 1


async def test_histories_do_not_grow_without_end(telegram):
    """Load: synthetic chats keep the last messages only, the journal its last entries."""
    await telegram.people("people/load", chats=1, total=5_000)
    for number in range(60):
        await telegram.send(500_000, str(number))
    assert len(telegram.emulator.world.chats[500_000].messages) == 50


async def everything(side):
    """A journey through every kind of update and message."""
    side.emulator.updates.allow(
        sorted(
            {
                "message",
                "edited_message",
                "callback_query",
                "my_chat_member",
                "chat_member",
                "message_reaction",
            }
        )
    )
    button = {"inline_keyboard": [[{"text": "a", "callback_data": "b", "style": "danger"}]]}
    await side.people("people/promote", person=ALICE, chat=GROUP, status="administrator")
    said = await side.say("/keep@pomnenka_bot https://x.org #a", chat=GROUP)
    await side.people("people/edit", person=ALICE, chat=GROUP, message_id=said, text="/keep y")
    await side.people("people/react", person=PETR, chat=GROUP, message_id=said, emoji="👍")
    await side.people("people/forward", person=ALICE, chat=GROUP, message_id=said, to=ALICE)
    sent = await side.send(
        GROUP,
        "<b>x</b> <a href='https://x.org'>l</a>",
        parse_mode="HTML",
        reply_markup=button,
        reply_parameters={"message_id": said},
    )
    await side.tap(sent["message_id"], "b", chat=GROUP)
    where = {"chat_id": GROUP, "message_id": sent["message_id"]}
    await side.ok(
        "editMessageText",
        **where,
        text="<pre><code class='language-py'>1</code></pre>",
        parse_mode="HTML",
    )
    await side.ok("pinChatMessage", **where)
    await side.ok("deleteMessage", **where)
    await side.tap(sent["message_id"], "b", chat=GROUP)
    body = {"person": ALICE, "chat": ALICE, "file_name": "a.md", "content": "x", "caption": "/keep"}
    await side.people("people/document", **body)
    await side.say("/x", chat=GROUP, anonymous=True)
    forum = await side.people("people/group", person=ALICE, title="F", members=[PETR], forum=True)
    topic = await side.people("people/topic", person=ALICE, chat=forum["chat"], name="T")
    await side.say("@pomnenka_bot x", chat=forum["chat"], **topic)
    await side.people("people/close_topic", person=ALICE, chat=forum["chat"], **topic)
    await side.people("people/leave", person=PETR, chat=GROUP)
    await side.people("people/join", person=PETR, chat=GROUP)
    await side.people("people/migrate", chat=GROUP)
    await side.people("people/block", person=ALICE, blocked=True)
    return side.pending()


def emitted(side):
    """All Messages that calls have answered with."""
    answers = [e["answer"] for e in side.emulator.journal.since(0) if e["kind"] == "call"]
    return [a for a in answers if isinstance(a, dict) and "date" in a]


async def test_aiogram_validates_all_objects(telegram):
    """Objects: every update and message passes the models of aiogram, an independent library."""
    reason = "aiogram is not installed (pip install 'pomnenka[dev]'): its models check nothing"
    types = pytest.importorskip("aiogram.types", reason=reason)
    updates = await everything(telegram)
    kinds = {list(update)[1] for update in updates}
    assert len(kinds) == 6
    for update in updates:
        parsed = types.Update.model_validate(update)
        assert getattr(parsed, list(update)[1]) is not None
    for message in emitted(telegram):
        types.Message.model_validate(message)
    types.User.model_validate(await telegram.ok("getMe"))
    for chat in (PETR, 333):
        types.ChatFullInfo.model_validate(await telegram.ok("getChat", chat_id=chat))
    types.WebhookInfo.model_validate(await telegram.ok("getWebhookInfo"))


async def test_python_telegram_bot_knows_all_fields(telegram):
    """Objects: python-telegram-bot parses everything and finds no field that it does not know."""
    for update in await everything(telegram):
        parsed = Update.de_json(update, None)
        assert not parsed.api_kwargs
        part = parsed.effective_message
        assert part is None or not part.api_kwargs
    for message in emitted(telegram):
        assert not Message.de_json(message, None).api_kwargs
