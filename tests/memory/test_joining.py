"""Foreign texts and ours, joined although something fails in between (d.3, d.4, W1)."""

from pathlib import Path

import pytest

from memory.edits import append_entry
from memory.errors import PomnenkaError, WriteFailed
from memory.files import PosixDisk
from memory.store import Item
from tests.memory.store_workplace import ALICE, KEEP, Workplace


class FailingDisk(PosixDisk):
    """A disk that is full for some swaps, or where somebody slips in after one."""

    full, slip = 0, b""

    def swap(self, place, data, old, token):
        if self.full:
            self.full -= 1
            raise WriteFailed(place.ref, "full")
        came_out = super().swap(place, data, old, token)
        if self.slip:
            Path(place.path).write_bytes(self.slip)
            self.slip, self.full = b"", 1
        return came_out


@pytest.fixture
def work(tmp_path):
    work = Workplace(tmp_path, disk=FailingDisk)
    for entry in ("one", "two"):
        work.store.apply(KEEP, [Item(entry, append_entry(entry))], ALICE)
    return work


@pytest.mark.parametrize("restart", [False, True], ids=["running", "restarted"])
def test_a_line_that_could_not_be_put_back_is_put_back_later(work, restart):
    """While the disk is full nothing of ours is given up for a text that had not seen it (d.4)."""
    work.put(b"- one\n- theirs\n")
    work.disk.full = 1
    assert not work.store.reconcile(KEEP)
    if restart:
        work.reopen()
    assert work.store.reconcile(KEEP)
    assert set(work.bytes().split(b"\n")) == {b"- one", b"- two", b"- theirs", b""}


def test_a_change_that_somebody_wrote_over_is_finished_with_its_line(work):
    """What was begun is not called done while its line is in no document (W1, K9)."""
    work.disk.slip = b"- one\n- two\n- theirs\n"
    with pytest.raises(PomnenkaError):
        work.store.apply(KEEP, [Item("three", append_entry("three"))], ALICE)
    work.reopen()
    assert work.store.reconcile(KEEP)
    assert b"- three" in work.bytes()
    assert b"- theirs" in work.bytes()
