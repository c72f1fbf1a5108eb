"""BT4: each call of the system and each SQL statement of an operation fails in turn.

One call of an operation kills the program, gives EIO or ENOSPC, or writes too little. Then the
program starts again on what is there. The document must be the old or the new one, the log must
have exactly one line of what was done and none of what was not, and the answer must be true.
"""

import contextlib
import errno
import gc
import os
import shutil
import sqlite3
import time
import uuid

from memory.edits import append_entry, remove_entry
from memory.errors import (
    Busy,
    StateError,
    StorageReadOnly,
    Unfinished,
    Unreadable,
    WriteFailed,
)
from memory.files import PosixDisk
from memory.layout import Layout
from memory.state import State
from memory.store import Item, Store
from memory.system import Calls
from tests.battery.battery import Result, Test
from tests.memory.store_workplace import ALICE, KEEP, LOG, Clock

KINDS = ("kill", "EIO", "ENOSPC", "short")
START = b"- old 1\n- old 2\n- old 3\n"
GUARDED = (
    *("open", "close", "read", "pread", "write", "fstat", "fsync", "fdatasync", "ftruncate"),
    *("fchmod", "mkdir", "unlink", "stat", "replace", "exchange", "place_new", "names"),
)


class Killed(BaseException):
    """The program ends at once; nothing of it runs any more."""


class Fate:
    """Counts calls; the chosen ones fail. After a kill every further call is a kill too."""

    def __init__(self, *faults):
        self.faults, self.count, self.dead = dict(faults), 0, False

    def meet(self, name):
        """Count a call; raises what is to happen to it, or answers "short"."""
        if self.dead:
            raise Killed
        self.count += 1
        kind = self.faults.get(self.count)
        if kind == "kill":
            self.dead = True
            raise Killed
        if kind in ("EIO", "ENOSPC"):
            self.failed(name, getattr(errno, kind))
        return kind if name == "write" else ""

    def failed(self, name, number):
        if name == "sql":
            raise sqlite3.OperationalError(os.strerror(number))
        raise OSError(number, os.strerror(number))


def calls_of(fate):
    """The calls of the system under a fate; a dead program still gives its descriptors back."""
    calls = Calls()

    def guarded(name, real):
        def call(*arguments, **named):
            if name == "close":
                real(*arguments)
                fate.dead or fate.meet(name)
                return None
            if fate.meet(name) == "short":
                descriptor, data = arguments
                return real(descriptor, bytes(data)[: len(data) // 2])
            return None if name in ("fsync", "fdatasync") else real(*arguments, **named)

        return call

    for name in GUARDED:
        setattr(calls, name, guarded(name, getattr(Calls, name, None) and getattr(calls, name)))
    return calls


def connections_of(fate):
    """SQL connections under a fate."""

    class Connection(sqlite3.Connection):
        def execute(self, *arguments):
            fate.meet("sql")
            return super().execute(*arguments)

        def commit(self):
            fate.meet("sql")
            super().commit()

    return Connection


class Unchecked(PosixDisk):
    """The broken twin: it takes every write for a whole one, and in place."""

    def swap(self, place, data, old, token):
        with self._folder(place, create=True) as folder:
            descriptor = self._calls.open(
                place.parts[-1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600, dir_fd=folder
            )
            try:
                self._calls.write(descriptor, data)
            except OSError:
                pass
            finally:
                self._calls.close(descriptor)
        return old


class Program:
    """The store over a folder, with or without a fate."""

    def __init__(self, folder, disk=PosixDisk, fate=None):
        self.folder, self.fate = folder, fate
        more = {"connections": connections_of(fate)} if fate else {}
        self.layout = Layout(folder / "workspace")
        clock = Clock()
        self.state = State(folder / "state.db", synchronous="OFF", **more)
        self.disk = disk(
            folder / "locks",
            now=lambda: time.time() + 60,
            patience=0.0,
            calls=calls_of(fate) if fate else None,
        )
        with contextlib.ExitStack() as stack:
            stack.callback(self.end)
            self.store = Store(self.layout, self.state, self.disk, clock, lambda: uuid.uuid4().hex)
            stack.pop_all()

    def end(self):
        """The program is gone: the system takes its descriptors and transactions back."""
        if self.fate:
            self.fate.dead = self.fate.faults = {}
        self.state.close()

    def bytes(self, ref=KEEP):
        path = self.layout.path(ref)
        return path.read_bytes() if path.exists() else b""


def keep(program):
    return program.store.apply(KEEP, [Item("1", append_entry("new"))], ALICE)


def delete(program):
    item = Item("1", remove_entry("old 2"), ('DELETED "old 2"',))
    return program.store.apply(KEEP, [item], ALICE)


def undo(program):
    return program.store.undo(program.store.last(ALICE.user).op, ALICE)


OPERATIONS = {"keep": keep, "first keep": keep, "delete": delete, "undo": undo}
LINES = {"delete": "DELETED", "undo": "RESTORED"}


def prepared(folder, name):
    """A folder in which the operation can be done, and what it makes of the document."""
    program = Program(folder)
    path = program.layout.path(KEEP)
    path.parent.mkdir(parents=True)
    if name != "first keep":
        path.write_bytes(START)
        program.store.reconcile(KEEP)
    if name == "undo":
        delete(program)
    before = program.bytes()
    program.state.close()
    other = folder.with_name(folder.name + " done")
    shutil.copytree(folder, other)
    done = Program(other)
    OPERATIONS[name](done)
    after = done.bytes()
    done.state.close()
    return before, after


def attempt(folder, name, fate, disk):
    """Do the operation under a fate; what the person was told: done, failed or unknown."""
    try:
        program = Program(folder, disk, fate)
    except (StateError, Killed):
        gc.collect()
        return "failed"
    try:
        OPERATIONS[name](program)
        return "done"
    except (WriteFailed, Unreadable, Busy):
        return "failed"
    except Unfinished:
        return "begun"
    except (StateError, StorageReadOnly, Killed):
        return "unknown"
    except OSError:
        return "nothing sensible"
    finally:
        program.end()


def judged(folder, name, told, texts):
    """What is wrong after a restart, one word each."""
    program = Program(folder)
    program.store.recover()
    program.store.recover()
    found, (before, after) = program.bytes(), texts
    wrong = [] if found in texts else ["torn"]
    if told == "nothing sensible":
        wrong.append(told)
    if (told in ("done", "begun") and found != after) or (told == "failed" and found != before):
        wrong.append(f"told {told}")
    log = program.bytes(LOG).decode()
    lines = sum(LINES.get(name, "none") in line for line in log.splitlines() if '"old 2"' in line)
    if name in LINES and lines != (found == after):
        wrong.append(f"{lines} log lines")
    parent = program.layout.path(KEEP).parent
    if any(path.name.endswith(".tmp") for path in parent.iterdir()):
        wrong.append("stray file")
    if program.state.unfinished():
        wrong.append("unfinished")
    program.state.close()
    return wrong


def tried(run, base, name, faults, texts, disk):
    """One trial on a copy of the prepared folder; what is wrong, and how many calls there were."""
    folder = run.folder / "trial"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(base, folder)
    fate = Fate(*faults)
    told = attempt(folder, name, fate, disk)
    return judged(folder, name, told, texts), fate.count


def sweep(run):
    """Every call, every kind (of every ``n``-th call), then pairs of faults."""
    disk = Unchecked if run.broken else PosixDisk
    result = Result({"points": 0, "trials": 0, "pairs": 0, "wrong": 0})
    for name in OPERATIONS:
        base = run.folder / name
        base.mkdir()
        texts = prepared(base, name)
        _, calls = tried(run, base, name, (), texts, disk)
        result.counts["points"] += calls
        single = [((n, k),) for n in range(1, calls + 1, run.n) for k in KINDS]
        pairs = [
            tuple((run.chance.randint(1, calls), run.chance.choice(KINDS)) for _ in range(2))
            for _ in range(max(48 // run.n, 4))
        ]
        for faults in (*single, *pairs):
            wrong, _ = tried(run, base, name, faults, texts, disk)
            result.counts["trials" if len(faults) == 1 else "pairs"] += 1
            result.counts["wrong"] += bool(wrong)
            result.expect(not wrong, f"{name}, {faults}: {', '.join(wrong)}")
    return result


TESTS = (Test(4, "faults", "q", n=1, few=12, do=sweep),)
