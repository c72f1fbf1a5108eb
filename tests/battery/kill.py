"""BT2: a writer is killed again and again, and nothing it acknowledged is lost.

A child process keeps lines (document, log and journal) and acknowledges each; it is killed by
SIGKILL at a random moment and started again on the same files.
"""

import contextlib
import os
import time
from collections import Counter
from dataclasses import replace
from itertools import count

from memory.disk import Contents
from memory.edits import append_entry
from memory.errors import Busy, DocumentError
from memory.files import PosixDisk
from memory.store import Item
from tests.battery.battery import Result, Test
from tests.battery.children import Child, Member
from tests.battery.twins import tell_apart
from tests.memory.store_workplace import ALICE, KEEP, LOG

FILLER = "x" * 400
START = "".join(f"- start {i} {FILLER}\n" for i in range(100))


class InPlace(PosixDisk):
    """A broken twin: it opens the document itself and writes it piece by piece."""

    def swap(self, place, data, old, token) -> Contents | None:
        with place.path.open("wb", buffering=0) as file:
            for start in range(0, len(data), 4096):
                file.write(data[start : start + 4096])
        return old


class SoftLock(PosixDisk):
    """A broken twin: its lock is a file that is there or not, and a kill leaves it there."""

    @contextlib.contextmanager
    def lock(self, place):
        mark = place.root / f"{place.path.name}.lock"
        try:
            os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            raise Busy(place.ref) from None
        yield
        mark.unlink()


class Littering(PosixDisk):
    """A broken twin: it does not see what lies about from before."""

    def leftovers(self, place, age):
        return ()


TWINS = {"in place": InPlace, "soft lock": SoftLock, "littering": Littering}


def kill(run):
    """Kill the writer ``n`` times at random moments."""
    if run.broken:
        few = replace(run, n=4)
        return tell_apart(TWINS, lambda twin: _look(run if twin is InPlace else few, twin))
    return _look(run, PosixDisk)


def _look(run, disk):
    folder = run.folder / disk.__name__
    work = Member("start", folder, disk)
    work.put(START.encode())
    work.state.close()
    acked, counts = [], Counter(kills=run.n, acked=0, lost=0, torn=0, stuck=0)
    counts.update({"unlogged": 0, "logged twice": 0, "left over": 0})
    for number in range(run.n):
        new = _run_and_kill(folder, disk, number, run.chance.uniform(0.0, 0.02))
        acked += new
        counts["acked"] += len(new)
        counts["stuck"] += not new
        _inspect(work, acked, counts)
        if number % 2 or number == run.n - 1:
            _start_later(folder, disk, number, counts)
    result = Result(dict(counts))
    result.expect_zero(*(name for name in counts if name not in ("kills", "acked")))
    return result


def _run_and_kill(folder, disk, number, delay):
    """What a writer acknowledged before it was killed, ``delay`` seconds after its first."""
    child = Child(_write_for_ever, folder, disk, number)
    child.wait_for_a_word()
    time.sleep(delay)
    child.kill()
    return [text.decode() for text in child.words()["kept"]]


def _write_for_ever(pipe, folder, disk, number):
    """The child: keep a line, log it, acknowledge it."""
    work = Member(f"run{number}", folder, disk, fsync=disk is PosixDisk)
    for i in count():
        text = f"{number}-{i} {FILLER}"
        item = Item("1", append_entry(text), (f'DELETED "{text}"',))
        try:
            work.store.apply(KEEP, [item], ALICE)
        except DocumentError:
            return
        pipe.say("kept", text.encode())


def _inspect(work, acked, counts):
    """Count what is missing or broken as it lies there; a torn document counts as torn only."""
    text = work.bytes().decode()
    lines = text.split("\n")
    if not text.startswith(START) or lines.pop() or any(not x.endswith(FILLER) for x in lines):
        counts["torn"] += 1
        work.put((START + "".join(f"- {text}\n" for text in acked)).encode())
        return
    counts["lost"] += len({f"- {text}" for text in acked} - set(lines))
    logged = Counter(_logged(work))
    counts["unlogged"] += len(set(acked) - set(logged))
    counts["logged twice"] += sum(logged[text] > 1 for text in acked)


def _logged(work):
    path = work.path(LOG)
    text = path.read_bytes().decode() if path.exists() else ""
    return [line.rpartition("DELETED ")[2].strip('"') for line in text.split("\n")]


def _start_later(folder, disk, number, counts):
    """A start some time later: every line has its log line then, and nothing lies about."""
    work = Member(f"later{number}", folder, disk, now=lambda: time.time() + 60)
    lines = Counter(_lines(work))
    logged = Counter(_logged(work))
    counts["unlogged"] += sum(logged[text] != 1 for text in lines)
    counts["left over"] += sum(1 for _ in work.path().parent.glob(".*.tmp"))
    work.store.close()
    work.state.close()


def _lines(work):
    lines = work.bytes().decode().removeprefix(START).split("\n")
    return [line.removeprefix("- ") for line in lines if line]


TESTS = (Test(2, "kill", "f", n=200, few=16, do=kill),)
