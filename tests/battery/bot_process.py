"""The bot as a process that is killed: forked from a server that has imported everything."""

import asyncio
import multiprocessing
import signal
import tempfile
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from benchmarks.facts import keep_messages
from benchmarks.speed import keeper
from bot import logs
from bot.application import Bot
from bot.config import Settings
from bot.core import open_core
from bot.tables import Keep, Telegram, Users, Workspace
from curation.rules import Rules
from memory.state import State
from tests.battery.bot_api import TOKEN

SECRET = "battery-secret"


class Forgetful(State):
    """A twin that takes updates in without storing them: what waits is in memory only."""

    def accept(self, updates):
        """Every id that this process has not seen."""
        self._seen = getattr(self, "_seen", set())
        new = [each.update_id for each in updates if each.update_id not in self._seen]
        self._seen |= set(new)
        return tuple(dict.fromkeys(new))


@dataclass(frozen=True)
class Way:
    """How a bot is run: over which folder and API, where it listens (0: it polls), which inbox,
    and how many updates of a chat may wait."""

    url: str
    folder: Path
    port: int = 0
    inbox: type = State
    fsync: bool = True
    backlog: int = 200

    @property
    def settings(self):
        """Real settings; nobody is a stranger and no file is compacted."""
        hook = f"http://127.0.0.1:{self.port}/hook" if self.port else ""
        return Settings(
            telegram=Telegram(
                base_url=f"{self.url}bot",
                poll_timeout=2,
                limits=False,
                backlog=self.backlog,
                webhook_url=hook,
                webhook_listen=f"127.0.0.1:{self.port}",
            ),
            workspace=Workspace(
                str(self.folder / "memory"), str(self.folder / "state"), fsync=self.fsync
            ),
            users=Users(everyone=True),
            keep=Keep(limit=10_000, target=9_000),
        )

    def core(self):
        """The real core, with the inbox that is meant."""
        languages = warm()
        core = replace(open_core(self.settings), languages=languages, engine=Rules(languages))
        if self.inbox is State:
            return core
        level = "FULL" if self.fsync else "OFF"
        return replace(core, state=self.inbox(self.settings.state_path, synchronous=level))


@cache
def warm():
    """Languages that a first message has been judged with, for every bot of this process."""
    with tempfile.TemporaryDirectory() as folder:
        core = open_core(Way("", Path(folder), fsync=False).settings)
        keeper(core)("keep you know, Ada stores the ladder in the attic")
        core.close()
        return core.languages


def serve(way):
    """The life of the process: until SIGTERM, or SIGKILL."""
    logs.set_up("WARNING", way.folder / "log.txt", TOKEN)
    asyncio.run(_serve(way))


async def _serve(way):
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await Bot(way.core(), TOKEN, SECRET).serve(stop, lambda name: None)


def started(way):
    """A bot's process; the caller kills or terminates it, and joins it."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.battery.bot_warm"])
    process = context.Process(target=serve, args=(way,))
    process.start()
    return process


@asynccontextmanager
async def running(way):
    """A bot in this process; at the end it finishes what it accepted."""
    core, stop, ready = way.core(), asyncio.Event(), asyncio.Event()
    task = asyncio.create_task(Bot(core, TOKEN, SECRET).serve(stop, lambda name: ready.set()))
    try:
        await _either(task, ready.wait())
        yield
    finally:
        stop.set()
        await task
        core.close()


async def _either(task, event):
    """Wait for an event, or for the task that should have brought it and failed."""
    waiting = asyncio.ensure_future(event)
    await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()


def messages(n):
    """Messages that are kept without a question, all different."""
    return [text for text in keep_messages(2 * n) if " Nils " not in text][:n]


def lines(folder):
    """Every line of every keep.md below a folder."""
    found = sorted(folder.rglob("keep.md"))
    return [line for path in found for line in path.read_text(encoding="utf-8").splitlines()]
