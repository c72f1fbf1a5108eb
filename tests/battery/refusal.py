"""BT9: a file that cannot be trusted is refused with its reason, and not one byte of it changes.

A file is known to the store with twenty lines in it. Then something else stands in its place,
and every way of changing it is tried. Where a write is legal instead, all bytes stay that it
does not speak of.
"""

import os
import socket
import stat
from dataclasses import dataclass

from memory.edits import append_entry, replace_entry
from memory.errors import DocumentError, Unreadable
from memory.files import LARGEST, PosixDisk
from memory.store import Item
from tests.battery.battery import Result, Test
from tests.memory.store_workplace import ALICE, MEMORY, Workplace

LINES = 20
BOM = b"\xef\xbb\xbf"


class Trusting(PosixDisk):
    """The broken twin: what it cannot read it takes for a file that is not there."""

    def read(self, place, rest=None):
        try:
            return super().read(place, rest)
        except Unreadable:
            return None


@dataclass(frozen=True)
class Scene:
    """A file of a store that knows it, and what the test may put in its place."""

    work: Workplace
    path: object
    known: bytes
    chance: object

    def bad_byte(self):
        at = self.chance.randrange(len(self.known))
        bad = bytes([self.chance.choice((0xC3, 0xE9, 0xFF, 0x80))])
        self.path.write_bytes(self.known[:at] + bad + self.known[at + 1 :])

    def empty(self):
        self.path.write_bytes(b"")

    def blank(self):
        self.path.write_bytes(b"\n" * LINES)

    def zeros(self):
        self.path.write_bytes(b"\0" * len(self.known))

    def shrunk(self):
        lines = self.known.splitlines(keepends=True)
        left = lines[: self.chance.randrange(1, LINES // 2)]
        self.path.write_bytes(b"".join(left))

    def utf16(self):
        self.path.write_bytes(self.known.decode().encode("utf-16"))

    def huge(self):
        line = b"- line\n"
        self.path.write_bytes(line * (LARGEST // len(line) + 1))

    def directory(self):
        self.path.unlink()
        self.path.mkdir()
        (self.path / "theirs").write_bytes(b"precious")

    def fifo(self):
        self.path.unlink()
        os.mkfifo(self.path)

    def socket(self):
        self.path.unlink()
        with socket.socket(socket.AF_UNIX) as server:
            here = os.open(self.path.parent, os.O_RDONLY)
            server.bind(f"/proc/self/fd/{here}/{self.path.name}")
            os.close(here)

    def symlink(self):
        target = self.work.folder / "target.md"
        self.path.rename(target)
        self.path.symlink_to(target)

    def dangling(self):
        self.path.unlink()
        self.path.symlink_to(self.work.folder / "nowhere.md")

    def hard_link(self):
        os.link(self.path, self.work.folder / "twin.md")


SHRUNK = {
    "empty": (Scene.empty, "shrunk"),
    "blank lines": (Scene.blank, "shrunk"),
    "zero bytes": (Scene.zeros, "shrunk"),
    "less than half": (Scene.shrunk, "shrunk"),
}
REFUSED = {
    "one bad byte": (Scene.bad_byte, "not_utf8"),
    "utf-16": (Scene.utf16, "not_utf8"),
    "over 10 MB": (Scene.huge, "too_large"),
    "directory": (Scene.directory, "not_a_file"),
    "fifo": (Scene.fifo, "not_a_file"),
    "socket": (Scene.socket, "not_a_file"),
    "symlink": (Scene.symlink, "symlink"),
    "dangling link": (Scene.dangling, "symlink"),
    "hard link": (Scene.hard_link, "symlink"),
}
LEGAL = {
    "bom": lambda known: BOM + known,
    "crlf": lambda known: known.replace(b"\n", b"\r\n"),
    "bom and crlf": lambda known: BOM + known.replace(b"\n", b"\r\n"),
    "no final newline": lambda known: known.removesuffix(b"\n"),
    "half is left": lambda known: b"".join(known.splitlines(keepends=True)[LINES // 2 :]),
    "odd characters": lambda known: known + "- a\u2028b\x0c\x85 \n\n\n<!-- x -->   \n".encode(),
    "all other lines": lambda known: known.replace(b"line", b"LINE"),
}


def refuse(run):
    """Try everything on every kind of file, ``n`` times with other chances."""
    result = Result({"refused": 0, "destroyed": 0, "unclear": 0, "legal writes": 0, "spoilt": 0})
    disk = Trusting if run.broken else PosixDisk
    for number in range(run.n):
        for kind, (plant, cause) in (REFUSED | SHRUNK).items():
            scene = _scene(run, f"{number} {kind}", disk)
            _refused(scene, (plant, cause, kind), result)
        for kind, written in LEGAL.items():
            _written(_scene(run, f"{number} {kind}", disk), (written, kind), result)
    result.expect_zero("destroyed", "unclear", "spoilt")
    return result


def _scene(run, name, disk):
    work = Workplace(run.folder / name, disk)
    items = [Item(str(i), append_entry(f"line {i}")) for i in range(LINES)]
    work.store.apply(MEMORY, items, ALICE)
    return Scene(work, work.path(MEMORY), work.bytes(MEMORY), run.chance)


def _refused(scene, case, result):
    plant, cause, kind = case
    op = scene.work.store.last(ALICE.user).op
    plant(scene)
    before = _everything(scene.work.folder)
    changes = _changes(scene.work.store, op)
    for name in ("append", "undo") if cause == "shrunk" else changes:
        change = changes[name]
        found = _cause(change)
        result.counts["refused"] += found == cause
        result.counts["unclear"] += found != cause
        result.expect(found == cause, f"{kind}: {name} gave {found}, not {cause}")
    kept = _everything(scene.work.folder) == before
    result.counts["destroyed"] += not kept
    result.expect(kept, f"{kind}: something on disk changed")
    scene.work.state.close()


def _changes(store, op):
    logged = Item("1", append_entry("new"), ('DELETED "x"',))
    return {
        "append": lambda: store.apply(MEMORY, [logged], ALICE),
        "replace": lambda: store.apply(MEMORY, [Item("1", replace_entry("line 1", "z"))], ALICE),
        "undo": lambda: store.undo(op, ALICE),
    }


def _cause(change):
    """Why a change was refused; what it gave instead when it was not."""
    try:
        return type(change()).__name__
    except DocumentError as error:
        return getattr(error, "cause", type(error).__name__)


def _everything(folder):
    """Every file of the workspace with its kind and bytes; the state beside it is not looked at."""
    found = {}
    for path in folder.rglob("*"):
        if "state" in path.relative_to(folder).parts:
            continue
        status = path.lstat()
        plain = stat.S_ISREG(status.st_mode)
        data = path.read_bytes() if plain else str(path.readlink()) if path.is_symlink() else b""
        found[str(path)] = (status.st_ino, stat.S_IFMT(status.st_mode), data)
    return found


def _written(scene, case, result):
    written, kind = case
    before = written(scene.known)
    scene.work.clock.advance(minutes=11)
    scene.path.write_bytes(before)
    scene.work.store.apply(MEMORY, [Item("1", append_entry("new"))], ALICE)
    end = b"\r\n" if b"\r\n" in before else b"\n"
    gap = b"" if before.endswith(b"\n") else end
    result.counts["legal writes"] += 1
    kept = scene.path.read_bytes() == before + gap + b"- new" + end
    result.counts["spoilt"] += not kept
    result.expect(kept, f"{kind}: other bytes changed")
    scene.work.state.close()


TESTS = (Test(9, "refusal", "q", n=3, few=1, do=refuse),)
