"""BT3 without root: every state that a power cut may leave, made from the calls that were recorded.

Bytes last from the fsync of their file on, names from the fsync of their folder on. At every call
two disks are made: one on which nothing lasted that was not synced, and one on which chance
decides for each name and each file. Neither may lack anything acknowledged.
"""

import contextlib
import itertools
import os
import shutil
import stat
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

from memory.files import PosixDisk
from memory.layout import Layout
from memory.state import State
from memory.store import Store
from memory.system import Calls
from tests.battery.battery import Result, Test
from tests.battery.power import LOG, MEMORY, START, LogFile, MemoryFile, NewFile, Work, new_id
from tests.battery.twins import tell_apart

KINDS = {"memory file": MemoryFile(), "new file": NewFile(), "log": LogFile()}


class Shadow:
    """What of a folder would be there after a power cut.

    Files and folders have numbers of their own, because a file system uses inodes again.
    """

    def __init__(self, root, chance):
        self._root, self._chance = root, chance
        self._ids, self._numbers = {}, itertools.count(1)
        self._names, self._bytes, self._is_folder = {}, {}, set()
        for folder, _, files in os.walk(root):
            self.sync(folder)
            for name in files:
                self.sync(Path(folder, name))

    def born(self, inode):
        """A new file, though its inode may have been another one's."""
        self._ids[inode] = next(self._numbers)

    def sync(self, path):
        """Everything of a file, or the names of a folder, lasts from now on."""
        number, found = self._now(path)
        (self._names if number in self._is_folder else self._bytes)[number] = found

    def _now(self, path):
        """The number of a file or folder, and its bytes or its names as they are."""
        status = Path(path).stat()
        number = self._id(status)
        if not stat.S_ISDIR(status.st_mode):
            return number, Path(path).read_bytes()
        self._is_folder.add(number)
        with os.scandir(path) as inside:
            return number, {e.name: self._id(e.stat(follow_symlinks=False)) for e in inside}

    def _id(self, status):
        if status.st_ino not in self._ids:
            self.born(status.st_ino)
        return self._ids[status.st_ino]

    def worst(self, target):
        """Write the disk on which nothing lasted that was not synced."""
        self._write(target, self._ids[self._root.stat().st_ino], self._names, self._bytes)

    def mixed(self, target):
        """Write a disk on which chance decides what lasted."""
        names, contents = dict(self._names), dict(self._bytes)
        for folder, _, files in os.walk(self._root):
            number, now = self._now(folder)
            names[number] = self._either(self._names.get(number, {}), now)
            for name in files:
                number, now = self._now(Path(folder, name))
                contents[number] = self._partly(self._bytes.get(number, b""), now)
        self._write(target, self._ids[self._root.stat().st_ino], names, contents)

    def _either(self, old, new):
        chosen = {name: self._chance.choice((old, new)).get(name) for name in {*old, *new}}
        return {name: number for name, number in chosen.items() if number is not None}

    def _partly(self, old, new):
        """The old bytes, the new ones, or a piece of what was added."""
        if not new.startswith(old):
            return self._chance.choice((old, new))
        return new[: self._chance.randint(len(old), len(new))]

    def _write(self, target, folder, names, contents):
        target.mkdir()
        for name, number in names.get(folder, {}).items():
            if number in self._is_folder:
                self._write(target / name, number, names, contents)
            else:
                (target / name).write_bytes(contents.get(number, b""))


class Recorder(Calls):
    """The real calls; each one tells the shadow, and is a moment at which the power may fail."""

    def __init__(self, shadow, look):
        self._shadow, self._look = shadow, look

    def open(self, path, flags, mode=0o777, *, dir_fd=None):
        descriptor = os.open(path, flags, mode, dir_fd=dir_fd)
        if flags & os.O_EXCL:
            self._shadow.born(os.fstat(descriptor).st_ino)
        return descriptor

    def write(self, descriptor, data):
        return self._told(os.write(descriptor, data))

    def fsync(self, descriptor):
        os.fsync(descriptor)
        self._shadow.sync(f"/proc/self/fd/{descriptor}")
        self._told(None)

    fdatasync = fsync

    def mkdir(self, folder, name):
        self._told(super().mkdir(folder, name))

    def replace(self, folder, source, target):
        self._told(super().replace(folder, source, target))

    def exchange(self, folder, one, other):
        self._told(super().exchange(folder, one, other))

    def place_new(self, folder, source, target):
        self._told(super().place_new(folder, source, target))

    def _told(self, result):
        self._look()
        return result


class WithoutFolders(Recorder):
    """The twin that forgets that a name in a folder has to be made durable too."""

    def fsync(self, descriptor):
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            super().fsync(descriptor)


class WithoutData(Recorder):
    """The twin that appends without fdatasync."""

    def fdatasync(self, descriptor):
        pass


class Bench:
    """A store whose disk is watched; `look` is called at every call."""

    def __init__(self, run, subject, counts):
        self._run, self._subject, self._counts = run, subject, counts
        self._root, self._acked = run.folder / "documents", []
        layout = Layout(self._root)
        for path in (layout.path(MEMORY), layout.path(LOG)):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(START)
        self._layout, self._shadow = layout, Shadow(self._root, run.chance)

    def write_all(self, recorder, fsync):
        """Write ``n`` times with a power cut at every call."""
        disk = PosixDisk(
            self._run.folder / "locks", fsync=fsync, calls=recorder(self._shadow, self.look)
        )
        path = self._run.folder / "state.db"
        with contextlib.closing(State(path, synchronous="OFF")) as state:
            store = Store(self._layout, state, disk, lambda: datetime.now(UTC), new_id)
            for number in range(self._run.n):
                self._subject.write(Work(store, state), f"0-{number}")
                self._acked.append(f"0-{number}")
                self.look()

    def look(self):
        """Count what is missing or torn on the disks that a power cut might leave now."""
        for make in (self._shadow.worst, self._shadow.mixed):
            target = self._run.folder / "cut"
            make(target)
            names, torn = self._found(target)
            self._counts["cuts"] += 1
            self._counts["lost"] += len(set(self._acked) - set(names))
            self._counts["torn"] += len(torn)
            shutil.rmtree(target)

    def _found(self, target):
        try:
            return self._subject.found(SimpleNamespace(layout=Layout(target)))
        except FileNotFoundError:
            return [], ["no file"]


def look(run, subject, parts):
    """One kind of file with one kind of calls."""
    recorder, fsync = parts
    counts = {"cuts": 0, "lost": 0, "torn": 0}
    folder = run.folder / f"{recorder.__name__}{fsync}"
    folder.mkdir()
    part = SimpleNamespace(folder=folder, chance=run.chance, n=run.n)
    Bench(part, subject, counts).write_all(recorder, fsync)
    result = Result(counts)
    result.expect(counts["cuts"] > run.n, "nothing was looked at")
    result.expect_zero("lost", "torn")
    return result


def crash_states(kind, **twins):
    """A test of one kind of file with its twins."""

    def do(run):
        if run.broken:
            return tell_apart(twins, lambda parts: look(run, KINDS[kind], parts))
        return look(run, KINDS[kind], (Recorder, True))

    return Test(3, f"crash states, {kind}", "q", n=60, few=8, do=do)


FILES = {"without folder": (WithoutFolders, True), "without fsync": (Recorder, False)}

TESTS = (
    crash_states("memory file", **FILES),
    crash_states("new file", **FILES),
    crash_states("log", **{"without fdatasync": (WithoutData, True)}),
)
