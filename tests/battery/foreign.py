"""BT6: a program that shares the files and no lock rewrites a document while we write to it."""

import itertools
import os
import signal
import time
from datetime import UTC, datetime, timedelta

from memory.edits import append_entry
from memory.files import PosixDisk
from memory.layout import Layout
from memory.state import State
from memory.store import Item, Store
from tests.battery.battery import Result, Test
from tests.memory.store_workplace import ALICE, KEEP

PACE = 0.01
THINK = 0.02
START = "".join(f"- start {i}\n" for i in range(40))


def appending(path, line):
    with path.open("ab", buffering=0) as file:
        file.write(line)


def replacing(path, line, think=0.0):
    text = path.read_bytes()
    time.sleep(think)
    temporary = path.with_name("agent.tmp")
    temporary.write_bytes(text + line)
    temporary.replace(path)


def in_place(path, line):
    text = path.read_bytes()
    with path.open("wb", buffering=0) as file:
        file.write(text + line)


def slowly(path, line):
    replacing(path, line, THINK)


MANNERS = {"append": appending, "replace": replacing, "in place": in_place, "slow": slowly}


class Blind(PosixDisk):
    """The broken twin: it renames over whatever stands there and believes that was the base."""

    def swap(self, place, data, old, token):
        temporary = place.path.with_name(token)
        temporary.write_bytes(data)
        temporary.replace(place.path)
        return old


class Bot:
    """The real store on real files with a real clock, as the program has it."""

    def __init__(self, folder, disk=PosixDisk):
        self.clock = lambda: datetime.now(UTC) + self.ahead
        self.ahead = timedelta(0)
        self.state = State(folder / "state.db")
        layout = Layout(folder / "workspace")
        ids = (f"{os.getpid()}x{i}" for i in itertools.count())
        self.store = Store(
            layout, self.state, disk(folder / "locks"), self.clock, lambda: next(ids)
        )
        self.path = layout.path(KEEP)

    def keep(self, text):
        self.store.apply(KEEP, [Item("entry", append_entry(text))], ALICE)


def agent(path, manner, n, seed):
    """The foreign program, in a process of its own; gives its id."""
    child = os.fork()
    if child:
        return child
    try:
        for i in range(n):
            MANNERS[manner](path, f"- agent {seed} {i}\n".encode())
            time.sleep(PACE)
        os._exit(0)
    finally:
        os._exit(1)


def both(folder, manner, n, seed, disk):
    """Both write ``n`` lines; what is missing or stands twice afterwards."""
    bot = Bot(folder, disk)
    bot.path.parent.mkdir(parents=True)
    bot.path.write_text(START)
    child = agent(bot.path, manner, n, seed)
    try:
        for i in range(n):
            bot.keep(f"ours {seed} {i}")
            time.sleep(PACE / 2)
            if i % 50 == 0:
                bot.store.tend()
        _, status = os.waitpid(child, 0)
    except BaseException:
        os.kill(child, signal.SIGKILL)
        raise
    time.sleep(2.1)
    bot.store.tend()
    bot.store.close()
    lines = bot.path.read_text().splitlines()
    strays = [found for found in bot.path.parent.iterdir() if found != bot.path]
    bot.state.close()
    ours = {f"- ours {seed} {i}" for i in range(n)}
    theirs = {f"- agent {seed} {i}" for i in range(n)} | set(START.splitlines())
    assert status == 0, status
    return {
        "bot lost": len(ours - set(lines)),
        "agent lost": len(theirs - set(lines)),
        "twice": len(lines) - len(set(lines)),
        "stray files": len(strays),
    }


def foreign(run):
    """``n`` lines a side in each manner, three seeds each; the twin writes blindly."""
    disk = Blind if run.broken else PosixDisk
    counts = {"lines a side": run.n, "runs": 0}
    result = Result(counts)
    for manner, number in itertools.product(MANNERS, range(3 if run.n >= 1000 else 1)):
        folder = run.folder / f"{manner} {number}"
        folder.mkdir()
        found = both(folder, manner, run.n, run.chance.randrange(1000), disk)
        counts["runs"] += 1
        for name, value in found.items():
            counts[name] = counts.get(name, 0) + value
            result.expect(not value, f"{manner}, run {number}: {name} {value}")
    return result


TESTS = (Test(6, "foreign", "f", n=1000, few=30, do=foreign),)
