"""The running bot over HTTP: what waits in the inbox, what cannot be read, and its menus."""

import asyncio
import json
import socket
from dataclasses import replace

import aiohttp
import pytest

from benchmarks.processes import emulator
from bot.core import open_core
from memory.inbox import Incoming
from tests.transcripts.script import Says
from tests.transcripts.stage import Stage, serving, settings


@pytest.fixture(scope="module")
def url():
    with emulator() as address:
        yield address


@pytest.fixture
async def stage(url):
    async with aiohttp.ClientSession() as http:
        stage = Stage(url, http)
        await stage.do("reset")
        listening = asyncio.create_task(stage.listen())
        await stage.listening.wait()
        yield stage
        listening.cancel()


def said(number, text):
    """An update of Alice's as the inbox holds it."""
    person = {"id": 111, "is_bot": False, "first_name": "Alice", "language_code": "en"}
    message = {"message_id": 1, "date": 1, "chat": {"id": 111, "type": "private"}, "from": person}
    body = {"update_id": number, "message": {**message, "text": text}}
    return Incoming(number, 111, json.dumps(body).encode())


async def test_the_inbox_is_drained_at_start(stage, url, tmp_path):
    """W4, B1: what was accepted before a crash is handled by the next start, in order, once."""
    options = settings(url, tmp_path)
    core = open_core(options)
    core.state.accept(
        [said(1, "keep ring size 54"), said(2, "keep the ladder lives at the bakery")]
    )
    core.close()
    async with serving(options):
        stage.chat = 111
        answers = [(await stage.next()).text for _ in range(2)]
    assert [text.split()[-1] for text in answers] == ["54", "bakery"]
    async with serving(options):
        await asyncio.sleep(0.1)
    assert (tmp_path / "memory/users/111/keep.md").read_text().count("\n") == 2


@pytest.mark.parametrize(
    "body",
    [b"no json", b"[]", b'{"update_id": 5, "message": {"chat": "x"}}'],
    ids=["no JSON", "a list", "a wrong shape"],
)
async def test_an_unreadable_update_is_stepped_over(stage, url, tmp_path, body):
    """R2: an update that cannot be read harms neither the process nor the updates behind it."""
    options = settings(url, tmp_path)
    core = open_core(options)
    core.state.accept([Incoming(5, 111, body)])
    core.close()
    async with serving(options):
        await stage.say(Says("Alice", "keep ring size 54"))
        assert (await stage.next()).text == "Kept: ring size 54"
    core = open_core(options)
    assert core.state.waiting() == ()
    core.close()


async def test_commands_are_listed_per_scope_and_language(stage, url, tmp_path):
    """K1, L1: people see the commands of their language, and fewer of them in a group."""
    async with serving(settings(url, tmp_path)), stage.http.get(f"{url}people/state") as answer:
        lists = (await answer.json())["commands"]
    english, czech, group = lists["111"]["111"], lists["222"]["222"], lists["-1001"]["111"]
    assert [c["command"] for c in english] == [c["command"] for c in czech]
    assert english[0]["description"] != czech[0]["description"]
    assert {c["command"] for c in group} < {c["command"] for c in english}


def free_place():
    """A port of this machine that nobody uses, with its host."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{found.getsockname()[1]}"


async def test_the_webhook_serves_as_polling_does(stage, url, tmp_path):
    """R2: with webhook_url set, Telegram brings updates with the secret; polling takes it away."""
    options, place = settings(url, tmp_path), free_place()
    hook = {"webhook_url": f"http://{place}/hook", "webhook_listen": place}
    async with serving(replace(options, telegram=replace(options.telegram, **hook))):
        await stage.say(Says("Alice", "keep ring size 54"))
        assert (await stage.next()).text == "Kept: ring size 54"
        async with stage.http.get(f"http://{place}/health") as answer:
            assert await answer.json() == {"ok": True, "waiting": 0}
        async with stage.http.post(f"http://{place}/hook", json={"update_id": 1}) as answer:
            assert answer.status == 403
    async with serving(options):
        await stage.say(Says("Alice", "keep shoe size 39"))
        assert (await stage.next()).text == "Kept: shoe size 39"


async def test_a_flood_is_answered(stage, url, tmp_path):
    """B23: what is over a chat's bound is not taken, and the chat is told how much to send again."""
    options = settings(url, tmp_path)
    for number in range(4):
        await stage.say(Says("Alice", f"keep the ladder number {number} lives at the bakery"))
    async with serving(replace(options, telegram=replace(options.telegram, backlog=1))):
        texts = [(await stage.next()).text for _ in range(2)]
    assert texts[0].startswith("Kept: ladder number 0")
    assert "3 messages were not taken" in texts[1]
    core = open_core(options)
    assert core.state.turned_away() == {} and core.state.waiting() == ()
    core.close()
