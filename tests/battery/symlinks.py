"""BT23: no path leads out of the workspace, whatever is planted, and however fast it is swapped.

A process exchanges a folder for a link to one outside, again and again, while documents are
written in it. And at every target, and every folder on the way to it, something is planted.
"""

import contextlib
import os
import random
import time
from dataclasses import dataclass, field

from memory.edits import Hunk, append_entry
from memory.errors import DocumentError, Unfinished
from memory.files import PosixDisk
from memory.spaces import SLUGS, DocumentName, DocumentRef, personal
from memory.store import Item
from memory.system import Calls
from tests.battery.battery import Result, Test
from tests.battery.children import Child
from tests.memory.store_workplace import ALICE, MEMORY, Workplace

PROJECT = DocumentRef(personal(111), DocumentName.PROJECT, "garden")
VICTIM = b"- precious, outside\n"
AIMS = tuple(
    n for n in DocumentName if n in personal(111).documents - SLUGS.keys() - {DocumentName.LOG}
)


class Prefixing(PosixDisk):
    """The broken twin: it looks where the path leads, and then opens the path."""

    @contextlib.contextmanager
    def _folder(self, place, create=False):
        folder = place.path.parent
        if not folder.resolve().is_relative_to(place.root.resolve()):
            raise NotADirectoryError(20, "leads out")
        if create:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            yield descriptor
        finally:
            os.close(descriptor)


class Outside:
    """A folder beside the workspace that nobody may touch, with a file that nobody may read."""

    def __init__(self, folder, *names):
        self.folder = folder / "outside"
        self.folder.mkdir()
        for name in names:
            (self.folder / name).write_bytes(VICTIM)
        os.utime(self.folder, (1_000_000_000, 1_000_000_000))
        self._before, self._time = self._now(), self.folder.stat().st_mtime_ns

    def stirred(self):
        """Whether a name was made or removed there since this was asked the last time."""
        known, self._time = self._time, self.folder.stat().st_mtime_ns
        return known != self._time

    def _now(self):
        """Names, bytes, links and the folder's own time: it moves with every name made there."""
        names = sorted(self.folder.iterdir())
        seen = [
            (p.name, p.lstat().st_mode, p.lstat().st_size, p.lstat().st_mtime_ns) for p in names
        ]
        return self.folder.stat().st_mtime_ns, seen

    @property
    def touched(self):
        return self._now() != self._before


def race(run, disk):
    """Write ``n`` times while the folder under the document keeps changing into a link."""
    run.folder.mkdir(exist_ok=True)
    work = Workplace(run.folder / "race", disk)
    outside = Outside(run.folder, "garden.md")
    folder = work.put(b"- 0\n", PROJECT).parent
    link = folder.with_name("link")
    link.symlink_to(outside.folder)
    attacker = Child(_swap_for_ever, folder.parent, folder.name, link.name)
    seen = _Seen()
    number = 0
    while number < run.n or (seen.troubled < run.n // 4 and number < 5 * run.n):
        number += 1
        seen.write(work.store, number)
        seen.outside += outside.stirred()
    attacker.kill()
    if folder.is_symlink():
        Calls().exchange(os.open(folder.parent, os.O_RDONLY), folder.name, link.name)
    _start_again(run.folder / "race")
    standing = work.bytes(PROJECT).decode()
    return {
        "writes": number,
        "refused": seen.refused,
        "left to be finished": seen.unfinished,
        "written outside": seen.outside + outside.touched,
        "read outside": seen.strange,
        "lost": int(standing not in seen.known),
        "refused but written": seen.dishonest,
        "left over": sum(1 for path in folder.iterdir() if path.name != "garden.md"),
    }


def _start_again(folder):
    """Start on what is there, a while later: what was begun is finished, strays are removed."""
    Workplace(folder, now=lambda: time.time() + 60).store.close()


def _swap_for_ever(pipe, parent, one, other):
    """In storms of exchanges, with calms in which a write can come through."""
    calls, chance = Calls(), random.Random(7)
    folder = os.open(parent, os.O_RDONLY)
    while True:
        for _ in range(2 * chance.randrange(50, 400)):
            calls.exchange(folder, one, other)
        time.sleep(chance.uniform(0, 0.003))


@dataclass
class _Seen:
    """What the writer saw: the number in the document before each write, and refusals."""

    acked: int = 0
    refused: int = 0
    unfinished: int = 0
    outside: int = 0
    strange: int = 0
    dishonest: int = 0
    open: set = field(default_factory=set)
    before: list = field(default_factory=list)

    def write(self, store, number):
        self.before.clear()
        try:
            receipt = store.apply(PROJECT, [Item("1", self._next(number))], ALICE)
        except Unfinished:
            self.open.add(number)
            self.unfinished += 1
            return
        except DocumentError:
            self.refused += 1
            return
        found = self.before[-1] if self.before else ""
        self.strange += VICTIM.decode() in (found, *receipt.document.raw)
        self.dishonest += found not in self.known
        self.acked = number
        self.open.clear()

    @property
    def troubled(self):
        """How many writes met the attacker: on a busy machine he may be away for long."""
        return self.refused + self.unfinished

    @property
    def known(self):
        """What may stand in the document: the last number, or one that is still to be finished."""
        return {f"- {number}\n" for number in (self.acked, *self.open)}

    def _next(self, number):
        def plan(document):
            self.before.append(document.raw[0] if document.raw else "")
            return (Hunk(0, document.raw[:1], (f"- {number}\n",)),)

        return plan


PLANTS = (
    lambda path, outside: path.symlink_to(outside.folder / "victim.md"),
    lambda path, outside: path.symlink_to(outside.folder / "new.md"),
    lambda path, outside: os.link(outside.folder / "victim.md", path),
    lambda path, outside: os.mkfifo(path),
    lambda path, outside: path.mkdir(),
)
"""A link, a link to nothing, a hard link, a FIFO, a folder."""


def planted(folder, disk):
    """Plant everything at every target; every write must be refused."""
    counts = {"planted": 0, "not refused": 0, "planted touched": 0, "half done": 0}
    for number, plant in enumerate(PLANTS):
        for aim in (*AIMS, DocumentName.PROJECT, DocumentName.LOG):
            _try(Scene(folder / f"{number}-{aim}", disk), aim, plant, counts)
        _try_beside(Scene(folder / f"{number}-beside", disk), plant, counts)
    for aim in (DocumentName.MEMORY, DocumentName.PROJECT, DocumentName.LOG):
        _try_folder(Scene(folder / f"folder-{aim}", disk), aim, counts)
    return counts


class Scene:
    """A workplace, and the outside with a victim."""

    def __init__(self, folder, disk):
        folder.mkdir(parents=True)
        self.work = Workplace(folder / "in", disk, patience=0.2)
        self.outside = Outside(folder, "victim.md", "garden.md", "MEMORY.md", "memory-clean.log")

    def ref(self, aim):
        return DocumentRef(personal(111), aim, "garden" if aim is DocumentName.PROJECT else "")

    def judge(self, ref, counts):
        """Write with a log line; it must fail, and leave the other files as they were."""
        target = MEMORY if ref.name is DocumentName.LOG else ref
        path = self.work.path(target)
        before = path.read_bytes() if ref != target else None
        item = Item("1", append_entry("new"), ('DELETED "x"',))
        counts["planted"] += 1
        with contextlib.suppress(DocumentError):
            self.work.store.apply(target, [item], ALICE)
            counts["not refused"] += 1
        if before is not None:
            counts["half done"] += path.read_bytes() != before
        counts["planted touched"] += self.outside.touched
        self.work.state.close()


def _try(scene, aim, plant, counts):
    ref = scene.ref(aim)
    scene.work.put(b"- a\n", MEMORY)
    path = scene.work.put(b"", ref)
    path.unlink()
    plant(path, scene.outside)
    scene.judge(ref, counts)


def _try_beside(scene, plant, counts):
    """Under the name that the next temporary file will have."""
    path = scene.work.put(b"- a\n", MEMORY)
    plant(path.with_name(f".{path.name}.op1.tmp"), scene.outside)
    scene.judge(MEMORY, counts)
    counts["half done"] += path.read_bytes() != b"- a\n"


def _try_folder(scene, aim, counts):
    """In place of the folder that the document lies in."""
    scene.work.put(b"- a\n", MEMORY)
    ref = scene.ref(aim)
    path = scene.work.put(b"", ref)
    path.unlink()
    path.parent.rmdir()
    path.parent.symlink_to(scene.outside.folder)
    scene.judge(ref, counts)


def symlinks(run):
    """The race with ``n`` writes, and all plants."""
    disk = Prefixing if run.broken else PosixDisk
    result = Result(race(run, disk) | planted(run.folder / "planted", disk))
    zero = set(result.counts) - {"writes", "refused", "left to be finished", "planted"}
    result.expect_zero(*sorted(zero))
    return result


TESTS = (Test(23, "symlinks", "f", n=20_000, few=300, do=symlinks),)
