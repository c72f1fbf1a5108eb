"""BT33: a minute of mixed work on fifty spaces with a disk that is really waited for.

Four threads of one process share the store. Afterwards every acknowledged line is in its file,
the waits are as promised, and neither descriptors nor memory have grown since the warm-up.
"""

import os
import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from memory.edits import append_entry, remove_entry, replace_entry
from memory.errors import PomnenkaError
from memory.files import PosixDisk
from memory.spaces import DocumentName, DocumentRef, personal
from memory.state import State
from memory.store import Author, Item, Store
from tests.battery.battery import Result, Test
from tests.battery.children import Member

SPACES, THREADS = 50, 4
RATE, MIDDLE, SLOWEST = 40, 0.060, 0.400
MORE_DESCRIPTORS, MORE_MEMORY = 4, 24 * 1024 * 1024
WARM = 0.3
SOON = 20
"""Seconds below which no speed and no memory is promised: a busy moment says nothing."""
_PAGE = os.sysconf("SC_PAGE_SIZE")


class Leaking(PosixDisk):
    """The broken twin: it forgets to close a descriptor at every write."""

    def swap(self, place, data, old, token):
        came_out = super().swap(place, data, old, token)
        os.open(place.root, os.O_RDONLY | os.O_DIRECTORY)
        return came_out


class Durable(Member):
    """A workplace that waits for the disk, on a clock that runs."""

    def reopen(self):
        self._ids = (f"{self.name}{i}" for i in count())
        self.state = State(self.folder / "state" / "state.db")
        clock = lambda: datetime.now(UTC)  # noqa: E731
        self.store = Store(self.layout, self.state, self.disk, clock, lambda: next(self._ids))
        self.store.recover()


@dataclass
class Worker:
    """One thread's random work on its share of the spaces, and what must stand afterwards."""

    store: object
    chance: object
    spaces: list
    standing: dict
    waits: list = field(default_factory=list)
    failed: list = field(default_factory=list)

    def work_until(self, end):
        number = 0
        while time.monotonic() < end:
            number += 1
            begin = time.monotonic()
            try:
                self._act(self.chance.choice(self.spaces), number)
            except (PomnenkaError, LookupError) as error:
                self.failed.append(type(error).__name__)
            self.waits.append(time.monotonic() - begin)

    def _act(self, user, number):
        ref = _keep(user)
        lines = self.standing[ref]
        kind = self.chance.random() if len(lines) > 10 else 0
        author = Author(user)
        if kind < 0.5:
            self._apply(ref, author, append_entry(f"{user}-{number} kept"))
            lines.append(f"{user}-{number} kept")
        elif kind < 0.7:
            old = lines.pop(self.chance.randrange(len(lines)))
            self._apply(ref, author, remove_entry(old), (f'DELETED "{old}"',))
        elif kind < 0.9:
            at = self.chance.randrange(len(lines))
            old, lines[at] = lines[at], f"{user}-{number} new"
            self._apply(ref, author, replace_entry(old, lines[at]))
        else:
            receipt = self._apply(ref, author, append_entry(f"{user}-{number} for a moment"))
            self.store.undo(receipt.op, author)

    def _apply(self, ref, author, edit, log=()):
        receipt = self.store.apply(ref, [Item("1", edit, log)], author)
        if not receipt.changed:
            raise LookupError("nothing was changed")
        return receipt


def soak(run):
    """Work for ``n`` seconds."""
    work = Durable("soak", run.folder, Leaking if run.broken else PosixDisk, fsync=True)
    spaces = [range(1 + i, SPACES + 1, THREADS) for i in range(THREADS)]
    chances = [type(run.chance)(run.chance.random()) for _ in spaces]
    workers = [
        Worker(work.store, chance, list(users), {_keep(user): _begun(work, user) for user in users})
        for chance, users in zip(chances, spaces, strict=True)
    ]
    begin = time.monotonic()
    threads = [threading.Thread(target=w.work_until, args=(begin + run.n,)) for w in workers]
    for thread in threads:
        thread.start()
    _tend_until(work.store, begin + run.n * WARM)
    warm = _resources()
    _tend_until(work.store, begin + run.n * 0.95)
    grown = [now - then for now, then in zip(_resources(), warm, strict=True)]
    for thread in threads:
        thread.join()
    return _judge(work, workers, grown, time.monotonic() - begin)


def _keep(user):
    return DocumentRef(personal(user), DocumentName.KEEP)


def _begun(work, user):
    """A file of eight kilobytes to begin with, and its lines."""
    lines = [f"{user} begins with line {i}, about nothing that anybody keeps" for i in range(140)]
    work.put("".join(f"- {line}\n" for line in lines).encode(), _keep(user))
    return lines


def _tend_until(store, end):
    """What the program does every few seconds."""
    while time.monotonic() < end:
        time.sleep(min(2.0, max(0.0, end - time.monotonic())))
        store.tend()


def _resources():
    """Open descriptors and bytes in memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return sum(1 for _ in Path("/proc/self/fd").iterdir()), pages * _PAGE


def _judge(work, workers, grown, seconds):
    waits = sorted(wait for worker in workers for wait in worker.waits)
    middle, slowest = (waits[int(len(waits) * part)] for part in (0.5, 0.99))
    result = Result(
        {
            "operations": len(waits),
            "a second": round(len(waits) / seconds),
            "p50 ms": round(middle * 1000, 1),
            "p99 ms": round(slowest * 1000, 1),
            "lost": sum(_lost(work, worker) for worker in workers),
            "failed": sum(len(worker.failed) for worker in workers),
            "descriptors more": grown[0],
            "KiB more": grown[1] // 1024,
        }
    )
    result.expect_zero("lost", "failed")
    if seconds > SOON:
        result.expect(len(waits) / seconds >= RATE, f"fewer than {RATE} operations a second")
        result.expect(middle <= MIDDLE, f"the middle wait is over {MIDDLE} s")
        result.expect(slowest <= SLOWEST, f"one of a hundred waits is over {SLOWEST} s")
        result.expect(grown[1] <= MORE_MEMORY, f"{grown[1] >> 20} MiB more are used")
    result.expect(grown[0] <= MORE_DESCRIPTORS, f"{grown[0]} more descriptors are open")
    work.state.close()
    return result


def _lost(work, worker):
    """How many files are not what their operations lead to, line by line and in order."""
    wanted = {ref: "".join(f"- {x}\n" for x in lines) for ref, lines in worker.standing.items()}
    return sum(work.bytes(ref).decode() != text for ref, text in wanted.items())


TESTS = (Test(33, "soak", "f", n=60, few=3, do=soak),)
