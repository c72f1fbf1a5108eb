"""BT3: the power fails again and again, and what was acknowledged is on the disk afterwards.

Documents and state lie on two disks, because a commit of the one would hide a missing fsync of
the other. Each cut copies both while the writer is stopped; every second one falls directly on an
acknowledgement, the others anywhere.
"""

import contextlib
import os
import signal
import sqlite3
import stat
import time
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime

from memory.edits import append_entry
from memory.files import PosixDisk
from memory.inbox import Incoming
from memory.layout import Layout
from memory.spaces import DocumentName, DocumentRef, personal
from memory.state import FILE, State
from memory.store import Author, Item, Store
from memory.system import Calls
from memory.upkeep import flaws
from tests.battery.battery import Result, Test
from tests.battery.children import Child
from tests.battery.images import Image, lacks
from tests.battery.twins import tell_apart

ALICE = Author(111)
SPACE = personal(111)
KEEP, MEMORY, LOG = (
    DocumentRef(SPACE, name) for name in (DocumentName.KEEP, DocumentName.MEMORY, DocumentName.LOG)
)
FILLER = "x" * 200
START = "".join(f"- start {i} {FILLER}\n" for i in range(40))
MEGABYTES = 48
MOST = 400


@dataclass(frozen=True)
class Parts:
    """What a writer is made of: how it reaches the disk, and how durable SQLite's commits are."""

    calls: type = Calls
    fsync: bool = True
    synchronous: str = "FULL"


class WithoutFolders(Calls):
    """The twin that forgets that a name in a folder has to be made durable too."""

    @staticmethod
    def fsync(descriptor):
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            os.fsync(descriptor)


class WithoutData(Calls):
    """The twin that appends without fdatasync."""

    @staticmethod
    def fdatasync(descriptor):
        pass


@dataclass(frozen=True)
class Work:
    """What a writer writes with."""

    store: Store
    state: State


class Machine:
    """Two disks, and a store over them; `cut` takes the power away."""

    def __init__(self, folder):
        self.documents = Image(folder, "documents", MEGABYTES)
        self.state = Image(folder, "state", MEGABYTES)
        self.layout = Layout(self.documents.folder)
        self.database = self.state.folder / FILE

    @contextlib.contextmanager
    def on(self):
        """Both disks mounted, with a document and a log to begin with."""
        with self.documents, self.state:
            for ref in (MEMORY, LOG):
                path = self.layout.path(ref)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(START)
            with self.work(Parts()):
                os.sync()
            yield self

    @contextlib.contextmanager
    def work(self, parts):
        """A store with its state."""
        disk = PosixDisk(self.state.folder / "locks", fsync=parts.fsync, calls=parts.calls())
        with contextlib.closing(State(self.database, synchronous=parts.synchronous)) as state:
            store = Store(self.layout, state, disk, lambda: datetime.now(UTC), new_id)
            yield Work(store, state)

    def cut(self):
        """Lose what was not made durable on either disk."""
        copies = self.documents.copied(), self.state.copied()
        return lambda: (self.documents.lose_power(copies[0]), self.state.lose_power(copies[1]))


class MemoryFile:
    """Lines appended to one document."""

    def write(self, work, name):
        work.store.apply(MEMORY, [Item("1", append_entry(f"{name} {FILLER}"))], ALICE)

    def found(self, machine):
        """The names of the whole lines, and the lines that are none of ours."""
        text = machine.layout.path(MEMORY).read_bytes().decode("utf-8", "replace")
        rest = text.removeprefix(START)
        return sorted_out(rest.split("\n"), "- ", text.startswith(START))


class NewFile:
    """A project file of its own for each line."""

    def write(self, work, name):
        ref = DocumentRef(SPACE, DocumentName.PROJECT, name)
        work.store.apply(ref, [Item("1", append_entry(f"{name} {FILLER}"))], ALICE)

    def found(self, machine):
        refs = (
            DocumentRef(SPACE, DocumentName.PROJECT, s)
            for s in machine.layout.slugs(SPACE, DocumentName.PROJECT)
        )
        texts = (machine.layout.path(ref).read_text("utf-8", "replace") for ref in refs)
        return sorted_out([text.removesuffix("\n") for text in texts], "- ", True)


class LogFile:
    """Lines appended to the log, one an operation."""

    def write(self, work, name):
        line = f"DELETED {name} {FILLER}"
        work.store.apply(KEEP, [Item("1", append_entry(name), (line,))], ALICE)

    def found(self, machine):
        text = machine.layout.path(LOG).read_bytes().decode("utf-8", "replace")
        *lines, _ = text.removeprefix(START).split("\n")
        return sorted_out([line[17:] for line in lines], "DELETED ", text.startswith(START))


class Rows:
    """Updates accepted into the inbox."""

    def write(self, work, name):
        number = int(name.replace("-", "00"))
        work.state.accept([Incoming(number, 1, name.encode())])

    def found(self, machine):
        if flaws(machine.database):
            return [], ["damaged"]
        with contextlib.closing(sqlite3.connect(machine.database)) as raw:
            return [body.decode() for (body,) in raw.execute("SELECT body FROM inbox")], []


def sorted_out(lines, head, whole):
    """The names in lines that are whole, and what is neither whole nor empty."""
    ours = [line for line in lines if line.startswith(head) and line.endswith(f" {FILLER}")]
    torn = [line for line in lines if line and line not in ours]
    names = [line.removeprefix(head).removesuffix(f" {FILLER}") for line in ours]
    return names, torn if whole else [*torn, "the beginning"]


def new_id():
    return uuid.uuid4().hex


def write_for_ever(pipe, machine, parts, subject, place):
    """The child: write, acknowledge, and stop by itself after so many (never, if negative)."""
    cut, last = place
    with machine.work(parts) as work:
        for number in range(MOST):
            name = f"{cut}-{number}"
            subject.write(work, name)
            pipe.say("done", name.encode())
            if number == last:
                os.kill(os.getpid(), signal.SIGSTOP)
    signal.pause()


def written_until_cut(machine, parts, subject, place):
    """Run a writer, stop it, and take the power away; what it acknowledged."""
    cut, last, delay = place
    child = Child(write_for_ever, machine, parts, subject, (cut, last))
    try:
        if last < 0:
            child.wait_for_a_word()
            time.sleep(delay)
            os.kill(child.pid, signal.SIGSTOP)
        os.waitpid(child.pid, os.WUNTRACED)
        lose_power = machine.cut()
    finally:
        child.kill()
    lose_power()
    return [name.decode() for name in child.words()["done"]]


def look(run, subject, parts):
    """Cut the power ``n`` times; what was lost before and after the next start."""
    counts = dict.fromkeys(("cuts", "acked", "lost", "torn", "lost for ever", "twice"), 0)
    result, acked = Result(counts), []
    folder = run.folder / f"{parts.calls.__name__}{parts.fsync}{parts.synchronous}"
    folder.mkdir()
    with Machine(folder).on() as machine:
        for cut in range(run.n):
            last = run.chance.randrange(3, 12) if cut % 2 == 0 else -1
            delay = run.chance.uniform(0.0, 0.2)
            acked += written_until_cut(machine, parts, subject, (cut, last, delay))
            count(counts, subject, machine, acked)
    counts["cuts"], counts["acked"] = run.n, len(acked)
    result.expect(len(acked) >= run.n, "the writer wrote nothing")
    result.expect_zero("lost", "torn", "lost for ever", "twice")
    return result


def count(counts, subject, machine, acked):
    """Compare the disk with the acknowledgements, as it is and after a start of the program."""
    names, torn = subject.found(machine)
    counts["lost"] = max(counts["lost"], len(set(acked) - set(names)))
    counts["torn"] += len(torn)
    if torn == ["damaged"]:
        return
    with machine.work(Parts()) as work:
        work.store.recover()
    names, _ = subject.found(machine)
    counts["lost for ever"] = max(counts["lost for ever"], len(set(acked) - set(names)))
    counts["twice"] = max(counts["twice"], len(names) - len(set(names)))


def power(subject, **twins):
    """A test of one kind of file with its twins."""

    def do(run):
        if run.broken:
            return tell_apart(twins, lambda parts: look(run, subject, parts))
        return look(run, subject, Parts())

    return do


FOLDERS, SYNCED = Parts(calls=WithoutFolders), Parts(fsync=False)
FILES = {"without folder": FOLDERS, "without fsync": SYNCED}


def row(name, subject, **twins):
    return Test(3, f"power, {name}", "r", n=30, few=2, do=power(subject, **twins), lacks=lacks)


TESTS = (
    row("memory file", MemoryFile(), **FILES),
    row("new file", NewFile(), **FILES),
    row("log", LogFile(), **{"without fdatasync": Parts(calls=WithoutData)}),
    row("SQLite", Rows(), **{"WAL and NORMAL": Parts(synchronous="NORMAL")}),
)
