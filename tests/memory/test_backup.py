"""Backups: what is in them, who may read them, and which ones go."""

import contextlib
import itertools
import os
import sqlite3
import stat
import threading
from datetime import UTC, datetime, timedelta

import pytest

from memory.backup import NEWEST, abandoned, expired, is_due, names, tidy
from memory.errors import StateError
from memory.inbox import Incoming
from memory.manifest import LeftOut, decoded, encoded
from memory.spaces import DocumentName, DocumentRef, personal
from memory.state import FILE, State
from memory.upkeep import flaws
from tests.memory.backup_workplace import FILES, FOREIGN, NOON, Memory, contents


@pytest.fixture
def memory(tmp_path):
    return Memory(tmp_path).put(FILES)


def test_every_document_and_nothing_else(memory):
    """W8: state and documents of every space byte for byte; foreign files stay outside."""
    memory.put(FOREIGN)
    made = memory.save()
    inside = contents(made.path)
    assert {f"documents/{name}": data for name, data in FILES.items()}.items() <= inside.items()
    assert set(inside) == {"manifest.json", "state.db", *(f"documents/{name}" for name in FILES)}
    assert made.path.name == "backup-20260504-123000"
    assert flaws(made.path / "state.db") == ()


def test_a_configured_home_is_saved_in_its_place(tmp_path):
    """W8: of an agent's workspace only the closed list of documents is taken."""
    home = tmp_path / "agent"
    (home / "memory").mkdir(parents=True)
    (home / "keep.md").write_text("- mine\n")
    (home / "memory" / "2026-05-04.md").write_text("dated\n")
    made = Memory(tmp_path, {111: home}).put({"users/111/keep.md": b"- shadowed\n"}).save()
    assert contents(made.path / "documents") == {"users/111/keep.md": b"- mine\n"}


def test_only_its_owner_can_read_it(memory):
    """B26: folders are 0700 and files 0600, whatever the umask."""
    old = os.umask(0)
    try:
        made = memory.save()
    finally:
        os.umask(old)
    modes = {
        (path.is_dir(), stat.S_IMODE(path.stat().st_mode))
        for path in (memory.backups, made.path, *made.path.rglob("*"))
    }
    assert modes == {(True, 0o700), (False, 0o600)}


def test_the_manifest_reads_back(memory):
    """W8: what is read back from the file is what was written."""
    made = memory.save()
    data = (made.path / "manifest.json").read_bytes()
    assert decoded(data) == made.manifest
    assert encoded(decoded(data)) == data


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"{}", b'{"format": 2}', b'{"format": 1}', b"\xff", b"[" * 100_000],
    ids=["empty", "list", "nothing", "newer", "half", "bytes", "deep"],
)
def test_no_manifest(data):
    """W8: what is no manifest is told, and never half believed."""
    with pytest.raises(ValueError, match="manifest"):
        decoded(data)


def test_what_cannot_be_read_is_named(memory):
    """W3, W8: a link and a folder in a document's place do not hinder the rest."""
    (memory.workspace / "users/111/USER.md").symlink_to("/etc/passwd")
    (memory.workspace / "users/111/SOUL.md").mkdir()
    made = memory.save()
    assert set(made.manifest.left_out) == {
        LeftOut("users/111/user/", "symlink"),
        LeftOut("users/111/soul/", "not_a_file"),
    }
    assert len(made.manifest.documents) == len(FILES)


def test_a_document_is_read_under_its_lock(tmp_path):
    """W1, W8: a document somebody is writing is waited for, and left out when that lasts."""
    memory = Memory(tmp_path, patience=0.05).put(FILES)
    keep = DocumentRef(personal(111), DocumentName.KEEP)
    with memory.disk.lock(memory.layout.place(keep)):
        made = memory.save()
    assert made.manifest.left_out == (LeftOut(keep.key, "busy"),)


def test_a_state_that_cannot_be_opened_is_named(memory):
    """W8: the documents are saved all the same."""
    made = memory.save_with(None)
    assert made.manifest.left_out == (LeftOut("", "damaged"),)
    assert made.manifest.state is None and len(made.manifest.documents) == len(FILES)


def test_the_state_is_of_one_moment_while_others_write(memory):
    """B28: a copy made between two commits is whole and holds what was committed before."""
    with contextlib.closing(State(memory.folder / "state" / FILE)) as state:
        for number in range(1, 6):
            state.accept([Incoming(number, 1, b"{}")])
            with written_meanwhile(state, 1000 * number):
                made = memory.save_with(state, NOON + timedelta(seconds=number))
            assert flaws(made.path / "state.db") == ()
            assert number in accepted(made.path / "state.db")


@contextlib.contextmanager
def written_meanwhile(state, first):
    """Another thread that goes on accepting updates."""
    stop, numbers = threading.Event(), itertools.count(first)

    def write():
        while not stop.is_set():
            state.accept([Incoming(next(numbers), 1, b"{}")])

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def accepted(path):
    """The updates in a state's file that is only read."""
    with contextlib.closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as raw:
        return {number for (number,) in raw.execute("SELECT update_id FROM inbox")}


def test_nothing_is_left_of_a_backup_that_failed(memory):
    """W8: when it cannot be written, no half of it stays behind."""
    memory.accept(1)
    with pytest.raises(StateError):
        memory.save_with(ClosedState())
    assert list(memory.backups.iterdir()) == []


class ClosedState:
    """A state that is locked by somebody for too long."""

    def copy_to(self, path):
        raise StateError(str(path))


def test_two_in_one_second(memory):
    """W8: a name that is taken is never written over."""
    made = [memory.save(token=token).path.name for token in "ab"]
    assert made == ["backup-20260504-123000", "backup-20260504-123001"]


def hourly(hours, until=datetime(2026, 5, 31, 23, tzinfo=UTC)):
    times = (until - timedelta(hours=i) for i in range(hours))
    return [f"backup-{at:%Y%m%d-%H%M%S}" for at in times]


def daily(days):
    return hourly(24 * days)[::24]


@pytest.mark.parametrize(
    ("existing", "kept"),
    [
        ([], []),
        (hourly(24), hourly(24)),
        (hourly(25), hourly(25)),
        (hourly(26), hourly(25)),
        (hourly(240), [*hourly(24), *daily(7)]),
        (daily(40), daily(24)),
        ([*hourly(24), "keep.md", "backup-2026", ".backup-20200101-000000-a.tmp"], hourly(24)),
    ],
    ids=["none", "a day", "yesterday's last", "one too many", "ten days", "rare", "foreign names"],
)
def test_retention(existing, kept):
    """W8: the newest 24 and the last of each of 7 days stay; a foreign name never goes."""
    ours = {name for name in existing if name.startswith("backup-") and len(name) == 22}
    assert set(expired(existing)) == ours - set(kept)
    assert len(expired(existing)) <= max(0, len(existing) - NEWEST)


def test_tidy_removes_its_own_names_only(memory):
    """W8: expired and abandoned backups go; other files, folders and links stay."""
    memory.backups.mkdir()
    for name in [*hourly(26)[1:], ".backup-20260101-000000-a.tmp", "photos"]:
        (memory.backups / name).mkdir()
    (memory.backups / "backup-20200101-000000").write_text("a file")
    (memory.backups / ".backup-20200101-000000-a.tmp").write_text("a file")
    (memory.backups / "backup-20200102-000000").symlink_to(memory.workspace)
    tidy(memory.backups, NOON)
    left = {path.name for path in memory.backups.iterdir()}
    assert left == {*hourly(25)[1:], "backup-20260530-230000", "photos"} | {
        "backup-20200101-000000",
        "backup-20200102-000000",
        ".backup-20200101-000000-a.tmp",
    }
    assert contents(memory.workspace) == FILES


def test_a_draft_is_abandoned_after_a_day():
    """W8: a backup that is being made is not taken for one that was broken off."""
    drafts = [".backup-20260503-122900-a.tmp", ".backup-20260504-122900-b.tmp", ".backup-x.tmp"]
    assert abandoned(drafts, NOON) == (drafts[0],)


@pytest.mark.parametrize(
    ("existing", "hours", "due"),
    [
        ([], 1, True),
        ([], 0, False),
        (["backup-20260504-113000"], 1, True),
        (["backup-20260504-113001"], 1, False),
        (["backup-20260504-113000"], 2, False),
        (["backup-20260504-113000", "backup-20260504-120000"], 1, False),
        (["backup-20260504-120000", "backup-20260401-120000"], 1, False),
        (["backup-20200504-113000"], 0, False),
    ],
    ids=["none", "off", "an hour", "a second less", "every two", "newest", "unsorted", "old, off"],
)
def test_due(existing, hours, due):
    """W8: the newest backup's age decides, so that a restart changes nothing."""
    assert is_due(existing, NOON, hours) is due


def test_names_are_sorted(memory):
    """W8: the last name is the newest backup."""
    made = [memory.save(NOON + timedelta(hours=i)).path.name for i in (3, 1, 2)]
    assert list(names(memory.backups)) == sorted(made)
    assert names(memory.folder / "nowhere") == ()
