"""BT5: the disk is full; nothing that stood there is touched, and it goes on when there is room.

Once only the documents lie on the full disk, once the state too, so that either may be what fails.
"""

import asyncio
import contextlib
import errno
import itertools
import logging
import os
from datetime import UTC, datetime

import locales
from curation.rules import Rules
from memory.backup import Source, save
from memory.ballast import Ballast
from memory.edits import append_entry, remove_entry
from memory.errors import PomnenkaError, StateError, Unfinished, WriteFailed
from memory.files import PosixDisk
from memory.inbox import Incoming
from memory.layout import Layout
from memory.operations import UndoRefused
from memory.spaces import DocumentName, DocumentRef, personal
from memory.state import FILE, State
from memory.store import Author, Item, Store
from tests.battery.battery import Result, Test
from tests.battery.images import Image, lacks
from tests.handlers.handlers_stage import Stage

logging.getLogger("pomnenka").addHandler(logging.NullHandler())

ALICE, SPACE = Author(111), personal(111)
KEEP, MEMORY, LOG = (
    DocumentRef(SPACE, name) for name in (DocumentName.KEEP, DocumentName.MEMORY, DocumentName.LOG)
)
LONG = "x" * 5000
"""Longer than what is left free in the last block of a file."""


class InPlaceDisk(PosixDisk):
    """The twin that opens the document itself for writing."""

    def swap(self, place, data, old, token):
        place.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with place.path.open("wb", buffering=0) as file:
                for start in range(0, len(data), 4096):
                    file.write(data[start : start + 4096])
                os.fsync(file.fileno())
        except OSError as error:
            raise WriteFailed(place.ref, "no_space") from error


class GoneError(Exception):
    """The lines to undo are not there any more."""


class Full:
    """A file that takes the last byte of a disk while the context lasts."""

    def __init__(self, folder):
        self._path = folder / "filler"

    def __enter__(self):
        with self._path.open("wb", buffering=0) as file:
            for size in (1 << 20, 1 << 16, 1 << 12, 1):
                _fill(file, b"\0" * size)

    def __exit__(self, *error):
        self._path.unlink()
        os.sync()


def _fill(file, piece):
    try:
        while file.write(piece) == len(piece):
            pass
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise


class Place:
    """A store over a small disk; the state lies on it too, or elsewhere."""

    def __init__(self, small, state, disk):
        self.layout, self._numbers = Layout(small / "workspace"), itertools.count(1)
        self.disk = disk(state / "locks")
        self.state = State(state / FILE)
        self.store = self._store()

    def _store(self):
        ids = (f"op{number}" for number in self._numbers)
        return Store(self.layout, self.state, self.disk, lambda: datetime.now(UTC), ids.__next__)

    def bytes(self, ref):
        with contextlib.suppress(FileNotFoundError):
            return self.layout.path(ref).read_bytes()
        return b""

    def prepare(self, number):
        """What the round works on: an operation to undo, and a line to remove."""
        self.keep(f"to undo {number}")
        self.undoable = self.store.last(ALICE.user).op
        self.store.apply(MEMORY, [Item("1", append_entry(f"old {number} {LONG}"))], ALICE)

    def keep(self, text):
        self.store.apply(KEEP, [Item("1", append_entry(text))], ALICE)

    def undo(self, number):
        if isinstance(self.store.undo(self.undoable, ALICE), UndoRefused):
            raise GoneError

    def compact(self, number):
        old = f"old {number} {LONG}"
        removed = Item("1", remove_entry(old), (f'DELETED "{old}"',))
        self.store.apply(MEMORY, [removed], ALICE)

    def log(self, number):
        self.disk.append(self.layout.place(LOG), [f"line {number} {LONG}".encode()])

    def accept(self, number):
        self.state.accept([Incoming(number, 1, LONG.encode() * 10)])

    def works(self, number):
        """What a person and Telegram do, by name, with the sign that it was done."""
        return {
            "keep": (
                lambda: self.keep(f"kept {number} {LONG}"),
                self._has(KEEP, f"kept {number} "),
            ),
            "undo": (lambda: self.undo(number), self._lacks(KEEP, f"to undo {number}\n")),
            "compaction": (lambda: self.compact(number), self._lacks(MEMORY, f"old {number} ")),
            "log": (lambda: self.log(number), self._has(LOG, f"line {number} ")),
            "database": (lambda: self.accept(number), lambda: self._waits(number)),
        }

    def _has(self, ref, text):
        return lambda: self.bytes(ref).count(text.encode()) == 1

    def _lacks(self, ref, text):
        return lambda: text.encode() not in self.bytes(ref)

    def _waits(self, number):
        return number in [row.update_id for row in self.state.waiting()]


def try_all(place, number, counts):
    """Everything on the full disk: refused with nothing changed, or really done."""
    for do, is_done in place.works(number).values():
        before = {ref: place.bytes(ref) for ref in (KEEP, MEMORY, LOG)}
        try:
            do()
            counts["done"] += 1
            counts["only said"] += not is_done()
        except (WriteFailed, StateError) as error:
            counts["refused"] += 1
            counts["wrong cause"] += getattr(error, "cause", "no_space") != "no_space"
            counts["changed"] += before != {ref: place.bytes(ref) for ref in before}
        except Unfinished:
            counts["unfinished"] += 1
        except GoneError:
            counts["changed"] += 1


def try_again(place, number, counts):
    """Everything once more, now that there is room: nothing needs a hand."""
    place.store.recover()
    for do, is_done in place.works(number).values():
        if not is_done():
            with contextlib.suppress(PomnenkaError, GoneError):
                do()
        counts["stuck"] += not is_done()


def full_disk(run):
    """Fill the disk ``n`` times for each of the two ways to lie on it."""
    names = "refused done unfinished changed stuck stray untold unrecorded".split()
    counts = dict.fromkeys([*names, "only said", "wrong cause", "half saved"], 0)
    disk = InPlaceDisk if run.broken else PosixDisk
    for beside in (True, False):
        folder = run.folder / f"beside{beside}"
        folder.mkdir()
        with Image(folder, "small", 8) as small:
            state = folder if beside else small.folder
            rounds(Place(small.folder, state, disk), Full(small.folder), run.n, counts)
            counts["half saved"] += half_saved(small.folder / "saved", Full(small.folder))
            counts["unrecorded"] += unrecorded(small.folder)
            counts["untold"] += asyncio.run(untold(small.folder / "told", Full(small.folder)))
    result = Result(counts)
    result.expect(counts["refused"] >= run.n, "the disk was never full")
    result.expect_zero(
        "changed",
        "stuck",
        "stray",
        "untold",
        "unrecorded",
        "half saved",
        "only said",
        "wrong cause",
    )
    return result


def rounds(place, full, count, counts):
    """So many times full and free again; what is left lying about at the end."""
    with contextlib.closing(place.state):
        for number in range(1, count + 1):
            place.prepare(number)
            with full:
                try_all(place, number, counts)
            if counts["changed"]:
                return
            try_again(place, number, counts)
        place.store.close()
        folder = place.layout.path(KEEP).parent
        counts["stray"] += len([*folder.rglob(".*.tmp"), *folder.rglob(".*.old")])


def half_saved(folder, full):
    """How much is left of a backup for which there was no room."""
    place = Place(folder, folder, PosixDisk)
    with contextlib.closing(place.state), full, contextlib.suppress(OSError, StateError):
        source = Source(place.layout, place.disk, place.state)
        save(source, folder / "backups", datetime.now(UTC), "t")
        return 1
    return len(list((folder / "backups").rglob("*")))


def unrecorded(folder):
    """1 when the ballast does not make room for what has to be recorded on the full disk."""
    ballast = Ballast(folder / "ballast", 256 << 10)
    ballast.fill()
    with contextlib.closing(State(folder / "recorded.db")) as state, Full(folder):
        with contextlib.suppress(StateError):
            state.accept([Incoming(1, 1, LONG.encode() * 10)])
            return 1
        ballast.release()
        with contextlib.suppress(StateError):
            state.accept([Incoming(1, 1, LONG.encode() * 10)])
            return 0
    return 1


async def untold(folder, full):
    """1 when a person is not told of a full disk, with the text for another try, and then helped."""
    languages = locales.load(["en"])
    stage = await Stage(folder, Rules(languages), languages).open()
    try:
        await stage.say("keep the ladder is in the shed")
        with full:
            await stage.say(f"keep the gate code changes every January {'and ' * 900}")
            told = stage.text
        await stage.say("keep the gate code changes every January")
        return int("the gate code changes" not in told or "Kept:" not in stage.text)
    finally:
        await stage.close()


TESTS = (Test(5, "full disk", "r", n=10, few=1, do=full_disk, lacks=lacks),)
