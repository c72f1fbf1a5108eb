"""BT25: the bot fetches nothing: whatever links come in, it talks to its Bot API and nobody else.

A child process runs the whole bot under an audit hook that notes every address that is connected
to and every name that is looked up; what is not the Bot API's own loopback port is stopped.
"""

import asyncio
import contextlib
import json
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import aiohttp

from benchmarks.processes import emulator
from bot.application import Bot
from bot.core import open_core
from curation.rules import Rules
from tests.battery.battery import Result, Test
from tests.transcripts.stage import PEOPLE, TOKEN, Stage, settings

SAMPLES = Path(__file__).parents[2] / "bot/samples/en"
LINKS = (
    "https://192.0.2.7/{}",
    "http://169.254.169.254/latest/meta-data/{}",
    "https://news.example/{}.png",
    "http://[2001:db8::{}]/x",
    "http://localhost:1/{}",
    "www.example.org/a?b={}",
)
FEATURES = ("/start", "/help", "/settings", "/pending", "compact memory", "keep compact", "/undo")
SAYINGS = (
    "keep {} is the recipe Ana likes",
    "keep to read {}",
    "{}",
    "zapamatuj si, že plán výletu je na {}",
    "keep never open {} at work",
)
PER_MESSAGE = 5
DEADLINE = 60.0


class Fetching(Rules):
    """An engine that looks what is behind a link."""

    def judge(self, text, hints):
        """Connect first."""
        if "://" in text:
            with contextlib.suppress(OSError):
                socket.create_connection(("192.0.2.7", 443), timeout=0.2).close()
        return super().judge(text, hints)


class Watch:
    """The audit hook: how often the Bot API was connected to, and who else was."""

    def __init__(self, port):
        self.port, self.allowed, self.others = port, 0, []

    def __call__(self, event, args):
        """Let the Bot API pass; note and stop the rest."""
        if event == "socket.connect" and isinstance(args[1], tuple):
            self.meet(args[1][:2])
        elif event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
            where = args[:2] if event == "socket.getaddrinfo" else (str(args[-1]), 0)
            self.meet(where)

    def meet(self, address):
        """One address that is wanted."""
        host, port = address
        if host in ("127.0.0.1", "localhost") and int(port or 0) == self.port:
            self.allowed += 1
            return
        self.others.append(str(address))
        raise OSError("only the Bot API may be reached")


def messages(n):
    """Sayings with ``n`` links in all, and every command in between."""
    links = [LINKS[i % len(LINKS)].format(i + 1) for i in range(n)]
    for start in range(0, n, PER_MESSAGE):
        yield SAYINGS[start // PER_MESSAGE % len(SAYINGS)].format(
            " ".join(links[start : start + PER_MESSAGE])
        )
        yield FEATURES[start // PER_MESSAGE % len(FEATURES)]


async def live(url, folder, n, engine):
    """Run the bot while people say everything, and press what it shows; its messages."""
    options = settings(url, folder)
    hasty = replace(options.telegram, limits=False, poll_timeout=1)
    core = open_core(replace(options, telegram=hasty))
    stop, ready = asyncio.Event(), asyncio.Event()
    bot = Bot(replace(core, engine=engine(core.languages)), TOKEN)
    task = asyncio.create_task(bot.serve(stop, lambda name: ready.set()))
    await ready.wait()
    async with aiohttp.ClientSession() as http:
        stage = Stage(url, http)
        for text in messages(n):
            for who in (PEOPLE["Alice"], PEOPLE["Petr"]):
                await stage.do("say", person=who, chat=who, text=text)
        said = await settled(stage, n // PER_MESSAGE)
    stop.set()
    await task
    core.close()
    return said


async def settled(stage, least):
    """How many messages of the bot there are once no more come, each first button pressed."""
    pressed, count, still = set(), -1, 0
    end = asyncio.get_running_loop().time() + DEADLINE
    while (still < 3 or count < least) and asyncio.get_running_loop().time() < end:
        await asyncio.sleep(0.25)
        async with stage.http.get(f"{stage.url}people/state") as answer:
            state = await answer.json()
        shown = [m for chat in state["messages"].values() for m in chat if m["by"] == "bot"]
        still = still + 1 if len(shown) == count else 0
        count = len(shown)
        for message in shown[-20:]:
            await press(stage, message, pressed)
    return count


async def press(stage, message, pressed):
    """Press the first button of a message, once."""
    chat, number = message["chat"]["id"], message["message_id"]
    rows = message.get("reply_markup", {}).get("inline_keyboard", [])
    if rows and chat > 0 and (chat, number) not in pressed:
        pressed.add((chat, number))
        data = rows[0][0].get("callback_data", "")
        await stage.do("tap", person=chat, chat=chat, message_id=number, data=data)


def child(url, folder, n, broken):
    """The watched process: prints what it counted."""
    home = Path(folder) / "memory/users/111"
    (home / "memory").mkdir(parents=True)
    text = (SAMPLES / "memory/MEMORY.md").read_text("utf-8")
    (home / "memory/MEMORY.md").write_text(text + f"- see {LINKS[1].format(1)}\n", "utf-8")
    watch = Watch(int(url.rsplit(":", 1)[1].strip("/")))
    sys.addaudithook(watch)
    said = asyncio.run(live(url, Path(folder), int(n), Fetching if broken else Rules))
    print(json.dumps({"answers": said, "to the API": watch.allowed, "others": len(watch.others)}))


def nofetch(run):
    """Run the child and read what it counted."""
    command = [sys.executable, "-m", "tests.battery.nofetch"]
    with emulator() as url:
        words = [url, str(run.folder), str(run.n), *(["broken"] if run.broken else [])]
        done = subprocess.run(
            command + words, capture_output=True, timeout=3 * DEADLINE, check=False
        )
    result = Result({"links": run.n})
    result.expect(done.returncode == 0, f"the bot ended with {done.returncode}")
    if done.returncode == 0:
        result.counts |= json.loads(done.stdout.splitlines()[-1])
        result.expect_zero("others")
        result.expect(result.counts["answers"] > run.n // PER_MESSAGE, "hardly an answer")
    return result


if __name__ == "__main__":
    child(*sys.argv[1:4], len(sys.argv) > 4)

TESTS = (Test(25, "no fetch", "q", n=300, few=15, do=nofetch),)
