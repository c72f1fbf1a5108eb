"""BT32: the restore drill: a backup made while somebody writes comes back whole, in time."""

import contextlib
import shutil
import sqlite3
import time
import uuid
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memory import manifest as table
from memory.backup import Source, digest_of, names, save
from memory.edits import append_entry
from memory.files import PosixDisk
from memory.inbox import Incoming
from memory.layout import Layout
from memory.manifest import Manifest
from memory.restoration import Target, examine, restore
from memory.spaces import DocumentName, DocumentRef, personal
from memory.state import FILE, State
from memory.store import Author, Item, Store
from tests.battery.battery import Result, Test
from tests.battery.children import Child

PEOPLE = range(111, 115)
LONGEST = 60.0
"""Seconds a restore may take."""


def new_id():
    return uuid.uuid4().hex


@dataclass(frozen=True)
class Home:
    """A workspace and a state in a folder."""

    folder: Path

    @property
    def layout(self):
        return Layout(self.folder / "workspace")

    @property
    def disk(self):
        return PosixDisk(self.folder / "state" / "locks")

    @contextlib.contextmanager
    def work(self):
        with contextlib.closing(State(self.folder / "state" / FILE)) as state:
            yield Store(self.layout, state, self.disk, lambda: datetime.now(UTC), new_id), state

    def found(self):
        """The names of the lines, logged lines and accepted updates."""
        documents = [self.layout.path(keep(user)) for user in PEOPLE]
        logs = [self.layout.path(DocumentRef(personal(u), DocumentName.LOG)) for u in PEOPLE]
        kept = [line[2:] for line in _lines(documents)]
        logged = [line.rpartition(" ")[2] for line in _lines(logs)]
        return kept, logged, _accepted(self.folder / "state" / FILE)


def keep(user):
    return DocumentRef(personal(user), DocumentName.KEEP)


def _lines(paths):
    return [line for p in paths if p.exists() for line in p.read_text().splitlines()]


def _accepted(path):
    with contextlib.closing(sqlite3.connect(path)) as raw:
        try:
            return [f"{number}" for (number,) in raw.execute("SELECT update_id FROM inbox")]
        except sqlite3.Error:
            return []


def write_for_ever(pipe, home):
    """The child: keep a line with its log line, accept an update, and acknowledge both."""
    with home.work() as (store, state):
        for number in range(1, 1 << 30):
            user = PEOPLE[number % len(PEOPLE)]
            item = Item("1", append_entry(f"line-{number}"), (f"DELETED line-{number}",))
            store.apply(keep(user), [item], Author(user))
            state.accept([Incoming(number, user, b"{}")])
            pipe.say("done", f"{number}".encode())


def save_all(home, folder, token):
    """The real backup."""
    with home.work() as (_, state):
        return save(Source(home.layout, home.disk, state), folder, datetime.now(UTC), token).path


def save_by_copying(home, folder, token):
    """The twin: the state's file is copied as it lies there, without what is in its WAL."""
    made = save(Source(home.layout, home.disk, None), folder, datetime.now(UTC), token)
    shutil.copyfile(home.folder / "state" / FILE, made.path / table.STATE)
    digest, size = digest_of(made.path / table.STATE)
    files = (table.Saved("", digest, size), *made.manifest.documents)
    (made.path / table.FILE).write_bytes(table.encoded(replace(made.manifest, files=files)))
    return made.path


def drill(run):
    """Write for ``n`` seconds with a backup now and then; each is restored, and looked through."""
    home, counts = (
        Home(run.folder / "home"),
        {"backups": 0, "acked": 0, "lost": 0, "twice": 0, "damaged": 0},
    )
    child, backups = Child(write_for_ever, home), []
    try:
        child.wait_for_a_word()
        end = time.monotonic() + run.n
        while time.monotonic() < end:
            child.listen(0.05)
            time.sleep(min(run.n / 5, 3.0) * run.chance.uniform(0.5, 1.0))
            child.listen(0.05)
            acked = acknowledged(child)
            make = save_by_copying if run.broken else save_all
            backups.append((acked, make(home, run.folder / "backups", f"t{len(backups)}")))
    finally:
        child.kill()
    counts["slowest restore, ms"] = 0
    for number, (acked, path) in enumerate(backups):
        restored(Home(run.folder / f"drill{number}"), acked, path, counts)
    counts["backups"], counts["acked"] = len(backups), len(acknowledged(child))
    result = Result(counts)
    result.expect(len(backups) > 0, "there was no backup")
    result.expect(counts["slowest restore, ms"] <= LONGEST * 1000, "a restore took too long")
    result.expect_zero("lost", "twice", "damaged")
    return result


def acknowledged(child):
    return {payload.decode() for payload in child.words()["done"]}


def restored(drill, acked, path, counts):
    """Restore into an empty place and start there; what of the acknowledged is missing."""
    start = time.monotonic()
    manifest = examine(path)
    if not isinstance(manifest, Manifest):
        counts["damaged"] += 1
        return
    bring_back(path, drill)
    with drill.work() as (store, state):
        counts["damaged"] += bool(store.recover() or state.damage())
    took = round((time.monotonic() - start) * 1000)
    counts["slowest restore, ms"] = max(counts["slowest restore, ms"], took)
    kept, logged, accepted = drill.found()
    counts["twice"] += len(kept) - len(set(kept)) + len(logged) - len(set(logged))
    lines = {f"line-{number}" for number in acked}
    counts["lost"] += len(lines - set(kept)) + len(lines - set(logged))
    counts["lost"] += len(acked - set(accepted))


@dataclass(frozen=True)
class Saving:
    """Backups of a home, the next one a second later than the last."""

    home: Home
    folder: Path
    first: datetime

    def make(self, number):
        """The real backup."""
        with self.home.work() as (_, state):
            at = self.first + timedelta(seconds=number)
            save(Source(self.home.layout, self.home.disk, state), self.folder, at, f"{at:%d%H%M%S}")


@dataclass(frozen=True)
class SavingUnderItsName(Saving):
    """The twin: a backup that has its name before it is whole."""

    def make(self, number):
        at = self.first + timedelta(seconds=number)
        shutil.copytree(self.folder.parent / "whole", self.folder / f"backup-{at:%Y%m%d-%H%M%S}")


def save_for_ever(pipe, saving):
    """The child: one backup after the other."""
    pipe.say("begun")
    for number in range(3600):
        saving.make(number)


def restore_once(pipe, path, drill):
    """The child: one restore."""
    pipe.say("begun")
    bring_back(path, drill)


def bring_back(path, drill):
    target = Target(drill.layout, drill.disk, drill.folder / "state")
    restore(path, examine(path), target, new_id())


def killed_within(seconds, work, *args):
    """Run a child and kill it so long after its first word."""
    child = Child(work, *args)
    child.wait_for_a_word()
    time.sleep(seconds)
    child.kill()


def killed(run):
    """Kill who saves and who restores ``n`` times each; what is left must be whole or go on."""
    home, folder = Home(run.folder / "home"), run.folder / "backups"
    counts = {"kills": 2 * run.n, "backups": 0, "half": 0, "not brought back": 0}
    with home.work() as (store, state):
        for user in PEOPLE:
            store.apply(keep(user), [Item("1", append_entry("x" * 100_000))], Author(user))
        state.accept([Incoming(1, 1, b"{}")])
    whole = save_all(home, run.folder, "t").rename(run.folder / "whole")
    kind = SavingUnderItsName if run.broken else Saving
    for number in range(run.n):
        saving = kind(home, folder, datetime(2026, 5, 4, tzinfo=UTC) + timedelta(hours=number))
        killed_within(run.chance.uniform(0.0, 0.25), save_for_ever, saving)
        drill = Home(run.folder / f"drill{number}")
        killed_within(run.chance.uniform(0.0, 0.03), restore_once, whole, drill)
        bring_back(whole, drill)
        counts["not brought back"] += drill.found() != home.found()
    found = [examine(folder / name) for name in names(folder)]
    counts["backups"] = len(found)
    counts["half"] = sum(not isinstance(each, Manifest) for each in found)
    result = Result(counts)
    result.expect_zero("half", "not brought back")
    return result


TESTS = (
    Test(32, "restore drill", "f", n=60, few=2, do=drill),
    Test(32, "restore, killed", "f", n=60, few=5, do=killed),
)
