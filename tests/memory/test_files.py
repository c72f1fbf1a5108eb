"""The disk: stable reads, whole writes, appends (W1, W3)."""

import os
import stat
import subprocess
import sys
import threading
import time

import pytest

from memory.disk import SETTLE, SyncError
from memory.errors import Unreadable, WriteFailed
from memory.files import PosixDisk
from memory.layout import Place
from memory.spaces import DocumentName, DocumentRef, personal
from tests.memory.store_workplace import KEEP, Workplace

LOG = DocumentRef(personal(111), DocumentName.LOG)


@pytest.fixture
def disk(tmp_path):
    return PosixDisk(tmp_path / "locks")


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path, ("keep.md",), KEEP)


def foreign(contents):
    return SETTLE


def test_a_rested_file_is_read_at_once(disk, place):
    """Only a file younger than 50 ms is waited for (d.3)."""
    place.path.write_bytes(b"- a\n")
    os.utime(place.path, (1_000_000_000, 1_000_000_000))
    start = time.monotonic()
    assert disk.read(place, foreign).data == b"- a\n"
    assert time.monotonic() - start < SETTLE


def test_a_young_file_is_read_again_unless_it_is_ours(disk, place):
    """A foreign write gets time to finish; our own last write needs none (d.3)."""
    place.path.write_bytes(b"- a\n")
    late = threading.Timer(SETTLE / 3, place.path.write_bytes, [b"- a\n- b\n"])
    late.start()
    assert disk.read(place, lambda contents: 0.0).data == b"- a\n"
    assert disk.read(place, foreign).data == b"- a\n- b\n"
    late.join()


def test_reading_for_show_never_waits(disk, place):
    """A read that no write follows takes the bytes as they are."""
    place.path.write_bytes(b"- a\n")
    start = time.monotonic()
    disk.read(place)
    assert time.monotonic() - start < SETTLE


def test_a_clock_that_runs_backwards_does_not_hang(tmp_path, place):
    """A file dated in the future is waited for a second at most."""
    disk = PosixDisk(tmp_path / "locks", now=lambda: 0.0)
    place.path.write_bytes(b"- a\n")
    start = time.monotonic()
    assert disk.read(place, foreign).data == b"- a\n"
    assert time.monotonic() - start < 1.5


def test_what_is_no_document_goes_back_to_its_place(disk, place):
    """A folder that came out of an exchange stands there again, and nothing beside it (W3)."""
    place.path.mkdir()
    with pytest.raises(WriteFailed, match="not_a_file"):
        disk.swap(place, b"new", None, "token")
    assert [(p.name, p.is_dir()) for p in place.root.iterdir()] == [("keep.md", True)]


def test_a_temporary_file_is_never_taken_over(disk, place):
    """A file, or a planted link, under the temporary name refuses the write (B19)."""
    victim = place.root / "victim"
    victim.write_bytes(b"precious")
    place.root.joinpath(".keep.md.token.tmp").symlink_to(victim)
    with pytest.raises(WriteFailed):
        disk.swap(place, b"new", None, "token")
    assert victim.read_bytes() == b"precious"


def test_appending_keeps_what_is_there_and_closes_a_torn_line(disk, tmp_path):
    """Old bytes stay, even odd ones; after a torn tail a new line begins (C5)."""
    place = Place(tmp_path, ("log", "memory-clean.log"), LOG)
    disk.append(place, [b"one", b"two"])
    assert place.path.stat().st_mode & 0o777 == 0o600
    with place.path.open("ab") as file:
        file.write(b"\xff torn")
    disk.append(place, [b"three"])
    assert place.path.read_bytes() == b"one\ntwo\n\xff torn\nthree\n"


@pytest.mark.parametrize("plant", [os.mkfifo, lambda p: p.symlink_to("/etc/passwd")])
def test_a_log_that_is_no_file_is_refused(disk, tmp_path, plant):
    """The log is appended to a plain file only (W3)."""
    place = Place(tmp_path, ("memory-clean.log",), LOG)
    plant(place.path)
    with pytest.raises((WriteFailed, Unreadable)):
        disk.append(place, [b"line"])


WRITER = """
import sys, pathlib, uuid
from memory.edits import append_entry
from memory.store import Item
from tests.memory.store_workplace import ALICE, KEEP, LOG, Workplace
work = Workplace(pathlib.Path(sys.argv[1]))
work.store._new_id = work.store._writer.joiner._new_id = lambda: uuid.uuid4().hex
for i in range(200):
    text = f"{sys.argv[2]}-{i}"
    work.store.apply(KEEP, [Item("1", append_entry(text), (f'DELETED "{text}"',))], ALICE)
"""


def test_two_processes_lose_nothing(tmp_path):
    """Two processes that append 200 lines each to one document and one log lose none (W1)."""
    runs = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), name]) for name in "ab"]
    assert [run.wait(timeout=60) for run in runs] == [0, 0]
    work = Workplace(tmp_path)
    wanted = {f"{name}-{i}" for name in "ab" for i in range(200)}
    lines = work.bytes().decode().splitlines()
    assert len(lines) == 400
    assert set(lines) == {f"- {w}" for w in wanted}
    logged = [line.rpartition("DELETED ")[2] for line in work.bytes(LOG).decode().splitlines()]
    assert sorted(logged) == sorted(f'"{w}"' for w in wanted)


class Watching(PosixDisk):
    """A disk that notes what it made durable, and what stood in the document then."""

    def __init__(self, locks, path):
        super().__init__(locks)
        self.path, self.seen = path, []

    def _sync(self, sync, descriptor):
        kind = "folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else sync.__name__
        self.seen.append((kind, self.path.read_bytes() if self.path.exists() else None))
        super()._sync(sync, descriptor)


def test_data_is_durable_before_the_rename_and_the_folder_after(tmp_path, place):
    """fsync the new file, rename, fsync the folder: in no other order (d.3, finding 4)."""
    disk = Watching(tmp_path / "locks", place.path)
    place.path.write_bytes(b"old")
    disk.swap(place, b"new", disk.read(place), "token")
    assert disk.seen == [("fsync", b"old"), ("folder", b"new")]


def test_log_lines_are_durable(tmp_path):
    """Appended lines are synced before the append returns (d.5)."""
    place = Place(tmp_path, ("memory-clean.log",), LOG)
    disk = Watching(tmp_path / "locks", place.path)
    disk.append(place, [b"a", b"b"])
    assert disk.seen[0] == ("fdatasync", b"a\nb\n")


def test_a_failed_sync_is_never_retried(tmp_path):
    """What cannot be made durable is told apart from a refused write (W8)."""
    reader, writer = os.pipe()
    with pytest.raises(SyncError):
        PosixDisk(tmp_path)._sync(os.fsync, writer)
    os.close(reader)
    os.close(writer)
