"""What every disk does: the real one, and the one in memory that the state machine runs on (W1)."""

import pytest

from memory.errors import Busy, Unreadable, WriteFailed
from memory.files import PosixDisk
from memory.layout import Place
from memory.spaces import DocumentName, DocumentRef, personal
from tests.battery.memory_disk import MemoryDisk
from tests.memory.store_workplace import KEEP

OLD, NEW, FOREIGN = b"- old\n", b"- new\n", b"- foreign\n"


class OnPosix:
    """The real disk, and what a foreign program does to its files."""

    def __init__(self, folder, **limits):
        self.disk = PosixDisk(folder / "locks", fsync=False, patience=0.05, **limits)

    def put(self, place, data):
        place.path.parent.mkdir(parents=True, exist_ok=True)
        if data is None:
            place.path.unlink()
        else:
            place.path.write_bytes(data)

    def write_late(self, place, token, data):
        place.path.with_name(f".{place.path.name}.{token}.tmp").write_bytes(data)


class InMemory:
    """The disk of the state machine."""

    def __init__(self, folder, **limits):
        self.disk = MemoryDisk(**{"now": lambda: 10.0} | limits)
        self.put, self.write_late = self.disk.put, self.disk.write_late


@pytest.fixture(params=[OnPosix, InMemory], ids=["posix", "memory"])
def kind(request):
    return request.param


@pytest.fixture
def side(kind, tmp_path):
    return kind(tmp_path)


@pytest.fixture
def disk(side):
    return side.disk


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path, ("users", "111", "keep.md"), KEEP)


@pytest.fixture
def log(tmp_path):
    ref = DocumentRef(personal(111), DocumentName.LOG)
    return Place(tmp_path, ("users", "111", "log", "memory-clean.log"), ref)


def test_what_was_never_written_is_not_there(disk, place):
    """A missing file reads as None, has no size and no signature."""
    assert disk.read(place) is None
    assert disk.size(place) == 0
    assert not disk.signature(place)
    assert disk.leftovers(place, -1) == ()
    assert disk.tail(place, 0) == b""


def test_nothing_comes_out_of_a_free_place(disk, place):
    """A first write is there whole, for its owner only, and nothing lies beside it."""
    assert disk.swap(place, NEW, None, "t") is None
    found = disk.read(place)
    assert (found.data, found.mode) == (NEW, 0o600)
    assert disk.displaced(place, "t", lambda contents: 0.0) is None
    assert disk.leftovers(place, -1) == ()


def test_what_stood_there_comes_out_and_stays_until_it_is_discarded(side, place):
    """A swap gives the old file; it can be looked at until it is discarded (d.3)."""
    disk = side.disk
    side.put(place, OLD)
    old = disk.read(place)
    assert disk.swap(place, NEW, old, "t") == old
    assert disk.read(place).data == NEW
    assert disk.read(place).mode == old.mode
    assert disk.displaced(place, "t", lambda contents: 0.0) == old
    assert disk.leftovers(place, -1) == ("t",)
    disk.discard(place, "t")
    disk.discard(place, "t")
    assert disk.displaced(place, "t", lambda contents: 0.0) is None
    assert disk.leftovers(place, -1) == ()


@pytest.mark.parametrize("stale", [OLD, None], ids=["changed", "created"])
def test_a_foreign_write_in_between_comes_out(side, place, stale):
    """What comes out is what stood there, not what the writer believed (d.3, 7)."""
    side.put(place, OLD)
    known = side.disk.read(place) if stale else None
    side.put(place, FOREIGN)
    assert side.disk.swap(place, NEW, known, "t").data == FOREIGN
    assert side.disk.displaced(place, "t", lambda contents: 0.0).data == FOREIGN


def test_a_file_removed_in_between_is_written_anew(side, place):
    """Nothing comes out when the file that was read is gone by now."""
    side.put(place, OLD)
    known = side.disk.read(place)
    side.put(place, None)
    assert side.disk.swap(place, NEW, known, "t") is None
    assert side.disk.read(place).data == NEW


def test_a_late_write_to_what_came_out_is_seen(side, place):
    """Who still holds the old file may finish there (d.3, 8)."""
    side.put(place, OLD)
    side.disk.swap(place, NEW, side.disk.read(place), "t")
    side.write_late(place, "t", FOREIGN)
    assert side.disk.displaced(place, "t", lambda contents: 0.0).data == FOREIGN


def test_a_token_is_used_once(side, place):
    """What lies beside the place under a token is never written over (B19)."""
    side.put(place, OLD)
    side.disk.swap(place, NEW, side.disk.read(place), "t")
    with pytest.raises(WriteFailed):
        side.disk.swap(place, b"- newer\n", side.disk.read(place), "t")
    assert side.disk.read(place).data == NEW
    assert side.disk.displaced(place, "t", lambda contents: 0.0).data == OLD


def test_young_leftovers_are_somebody_elses_work(side, place):
    """Only what has lain there for a while is left over."""
    side.put(place, OLD)
    side.disk.swap(place, NEW, side.disk.read(place), "t")
    assert side.disk.leftovers(place, 3600) == ()


def test_the_signature_moves_with_every_change(side, place):
    """Also when the length stays (d.4)."""
    side.put(place, OLD)
    first = side.disk.signature(place)
    assert side.disk.signature(place) == first
    side.put(place, b"- oId\n")
    second = side.disk.signature(place)
    side.disk.swap(place, OLD, side.disk.read(place), "t")
    assert len({first, second, side.disk.signature(place)}) == 3


def test_too_large_is_neither_read_nor_written(kind, tmp_path, place):
    """Nothing is written that could not be read again (W3)."""
    side = kind(tmp_path, max_bytes=10)
    with pytest.raises(WriteFailed, match="too_large"):
        side.disk.swap(place, b"x" * 11, None, "t")
    assert side.disk.read(place) is None
    side.put(place, b"x" * 11)
    with pytest.raises(Unreadable, match="too_large"):
        side.disk.read(place)


def test_lines_are_appended_below_what_is_there(side, log):
    """Old bytes stay, even odd ones; after a torn line a new one begins (C5)."""
    side.disk.append(log, [b"one", b"two"])
    assert side.disk.size(log) == 8
    side.put(log, b"one\ntwo\n\xff torn")
    side.disk.append(log, [b"three"])
    assert side.disk.read(log).data == b"one\ntwo\n\xff torn\nthree\n"
    assert side.disk.tail(log, 8) == b"\xff torn\nthree\n"
    assert side.disk.tail(log, 100) == b""


def test_a_lock_is_held_by_one(disk, place, log):
    """The second one is refused, other places are free, and afterwards it is free again."""
    with disk.lock(place):
        with pytest.raises(Busy), disk.lock(place):
            pass
        with disk.lock(log):
            pass
    with disk.lock(place):
        pass
