"""The store: the one way to change a document (W1-W3, W7, C5, D5)."""

import os
import sqlite3
import stat
import threading

import pytest

from memory.disk import SyncError
from memory.edits import append_entry, remove_entry, replace_entry
from memory.errors import Busy, StorageReadOnly, Unfinished, Unreadable, WriteFailed
from memory.files import PosixDisk
from memory.spaces import DocumentName, DocumentRef, personal
from memory.store import Item
from tests.memory.store_workplace import ALICE, KEEP, LOG, MEMORY, Workplace


@pytest.fixture
def work(tmp_path):
    return Workplace(tmp_path)


def append(text):
    return Item("entry", append_entry(text))


def deletion(text, key="1"):
    return Item(key, remove_entry(text), (f'DELETED [detail] "{text}"',))


def test_a_missing_file_is_an_empty_document(work):
    """A document that was never written reads as empty and is not created by reading (K12)."""
    found = work.store.read(KEEP)
    assert (found.document.raw, found.exists) == ((), False)
    assert not work.path().exists()


def test_the_first_write_creates_the_file_for_its_owner_only(work):
    """Our own files and folders are 0600 and 0700, and the receipt counts lines (W1, W7)."""
    receipt = work.store.apply(KEEP, [append("tea")], ALICE)
    assert work.bytes() == b"- tea\n"
    assert (receipt.before, receipt.after, receipt.applied) == (0, 1, ("entry",))
    assert receipt.digest == work.store.read(KEEP).digest
    assert stat.S_IMODE(work.path().stat().st_mode) == 0o600
    assert stat.S_IMODE(work.path().parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(work.state.path.stat().st_mode) == 0o600


def test_nothing_is_left_beside_the_document(work):
    """A write leaves the document and nothing else in its folder (W1)."""
    work.store.apply(KEEP, [append("tea")], ALICE)
    assert [p.name for p in work.path().parent.iterdir()] == ["keep.md"]


@pytest.mark.parametrize("mode", [0o640, 0o644, 0o600, 0o664])
def test_the_mode_of_an_existing_file_is_kept(work, mode):
    """A file the agent shares with others keeps its mode (W1)."""
    work.put(b"- tea\n").chmod(mode)
    work.store.apply(KEEP, [append("milk")], ALICE)
    assert stat.S_IMODE(work.path().stat().st_mode) == mode


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(b"- a\r\n", b"- a\r\n- new\r\n", id="crlf"),
        pytest.param(b"\xef\xbb\xbf- a\n", b"\xef\xbb\xbf- a\n- new\n", id="bom"),
        pytest.param(b"\xef\xbb\xbf", b"\xef\xbb\xbf- new\n", id="bom-only"),
        pytest.param(b"- a", b"- a\n- new\n", id="no-final-newline"),
        pytest.param(b"- a  \n\n<!-- x -->\n", b"- a  \n\n<!-- x -->\n- new\n", id="foreign"),
        pytest.param("- a\u2028b\x0c\n".encode(), "- a\u2028b\x0c\n- new\n".encode(), id="u2028"),
    ],
)
def test_untouched_bytes_stay(work, before, after):
    """BOM, line ends, trailing blanks and foreign lines are kept byte for byte (W2)."""
    work.put(before)
    work.store.apply(KEEP, [append("new")], ALICE)
    assert work.bytes() == after


def _symlink(path):
    target = path.with_name("other.md")
    target.write_bytes(b"- secret\n")
    path.symlink_to(target)


def _symlinked_folder(path):
    real = path.parent.with_name("elsewhere")
    path.parent.rename(real)
    path.parent.symlink_to(real)
    (real / path.name).write_bytes(b"- a\n")


def _hard_link(path):
    path.write_bytes(b"- a\n")
    os.link(path, path.with_name("twin.md"))


REFUSALS = [
    pytest.param(lambda p: p.write_bytes(b"- caf\xe9\n"), "not_utf8", id="latin-1"),
    pytest.param(lambda p: p.write_bytes(bytes(range(256))), "not_utf8", id="binary"),
    pytest.param(_symlink, "symlink", id="symlink"),
    pytest.param(_symlinked_folder, "symlink", id="symlinked-folder"),
    pytest.param(_hard_link, "symlink", id="hard-link"),
    pytest.param(lambda p: p.mkdir(), "not_a_file", id="directory"),
    pytest.param(os.mkfifo, "not_a_file", id="fifo"),
    pytest.param(lambda p: p.write_bytes(b"- a\n" * 600), "too_large", id="too-large"),
]


@pytest.mark.parametrize(("plant", "cause"), REFUSALS)
def test_what_is_no_plain_text_file_is_an_error_and_stays(tmp_path, plant, cause):
    """An unreadable file is an error with its cause, never empty, and is not touched (W3)."""
    work = Workplace(tmp_path, max_bytes=2000)
    path = work.put(b"")
    path.unlink()
    plant(path)
    before = path.lstat()
    for call in (
        lambda: work.store.read(KEEP),
        lambda: work.store.apply(KEEP, [append("new")], ALICE),
    ):
        with pytest.raises(Unreadable) as caught:
            call()
        assert (caught.value.document, caught.value.cause) == (KEEP, cause)
    after = path.lstat()
    assert (after.st_ino, after.st_size, after.st_mtime_ns) == (
        before.st_ino,
        before.st_size,
        before.st_mtime_ns,
    )


class Refusing(PosixDisk):
    """A disk that cannot write documents, or only not the log."""

    document = log = None
    always = False

    def swap(self, place, data, old, token):
        if self.document and place.ref.name is not DocumentName.LOG:
            raise self.document
        return super().swap(place, data, old, token)

    def append(self, place, lines):
        if self.log and (lines or self.always):
            raise self.log
        super().append(place, lines)


def test_a_refused_write_changes_nothing_and_is_not_undoable(tmp_path):
    """After a failed write the bytes are the old ones and there is nothing to undo (W3)."""
    work = Workplace(tmp_path, Refusing)
    work.put(b"- a\n")
    work.disk.document = WriteFailed(KEEP, "no_space")
    with pytest.raises(WriteFailed, match="no_space"):
        work.store.apply(KEEP, [append("new")], ALICE)
    assert work.bytes() == b"- a\n"
    assert work.store.last(111) is None
    with sqlite3.connect(work.state.path) as other:
        assert other.execute("SELECT status FROM journal").fetchall() == [("failed",)]
        assert other.execute("SELECT result FROM audit").fetchall() == [("no_space",)]


def test_a_log_that_cannot_be_written_refuses_the_change(tmp_path):
    """A change that cannot be logged is not made (W3, C5)."""
    work = Workplace(tmp_path, Refusing)
    work.put(b"- a\n- b\n", MEMORY)
    work.disk.log, work.disk.always = WriteFailed(LOG, "denied"), True
    with pytest.raises(WriteFailed, match="denied"):
        work.store.apply(MEMORY, [deletion("a")], ALICE)
    assert work.bytes(MEMORY) == b"- a\n- b\n"
    assert work.store.last(111) is None


def test_a_log_line_that_fails_late_is_written_later(tmp_path):
    """A change whose log line found no room is finished at the next touch, once (W1, C5)."""
    work = Workplace(tmp_path, Refusing)
    work.put(b"- a\n- b\n", MEMORY)
    work.disk.log = WriteFailed(LOG, "no_space")
    with pytest.raises(Unfinished):
        work.store.apply(MEMORY, [deletion("a")], ALICE)
    with pytest.raises(Unfinished):
        work.store.apply(MEMORY, [append("c")], ALICE)
    work.disk.log = None
    work.store.apply(MEMORY, [append("c")], ALICE)
    assert work.bytes(MEMORY) == b"- b\n- c\n"
    assert work.bytes(LOG).count(b"DELETED") == 1


def test_a_failed_fsync_closes_the_space_until_restart(tmp_path):
    """What may not be durable is not trusted: the space is read-only, others are not (W8)."""
    work = Workplace(tmp_path, Refusing)
    work.disk.document = SyncError(5, "not durable")
    other = DocumentRef(personal(222), DocumentName.KEEP)
    for _ in range(2):
        with pytest.raises(StorageReadOnly):
            work.store.apply(KEEP, [append("new")], ALICE)
        work.disk.document = None
    assert work.store.apply(other, [append("new")], ALICE).changed
    assert work.store.read(KEEP).document.raw == ()
    work.reopen()
    assert work.store.apply(KEEP, [append("new")], ALICE).changed


def test_a_file_in_place_of_a_folder_fails_whole(work):
    """Where no folder can be made the write fails with its cause (W3)."""
    work.folder.joinpath("workspace").mkdir()
    work.folder.joinpath("workspace", "users").write_bytes(b"")
    with pytest.raises((WriteFailed, Unreadable)):
        work.store.apply(KEEP, [append("new")], ALICE)


def test_text_that_is_no_utf8_is_refused(work):
    """A lone surrogate cannot become bytes: the write fails and nothing is made (W3)."""
    with pytest.raises(WriteFailed, match="not_utf8"):
        work.store.apply(KEEP, [append("x\ud800")], ALICE)
    assert not work.path().exists()


def test_a_document_that_would_grow_too_large_is_refused(tmp_path):
    """Nothing is written that could not be read again (W3)."""
    work = Workplace(tmp_path, max_bytes=20)
    with pytest.raises(WriteFailed, match="too_large"):
        work.store.apply(KEEP, [append("x" * 30)], ALICE)
    assert not work.path().exists()


@pytest.mark.parametrize(
    ("items", "skipped"),
    [
        pytest.param([], (), id="no-items"),
        pytest.param([Item("1", lambda document: ())], (), id="no-op"),
        pytest.param([deletion("gone", "7")], ("7",), id="gone"),
        pytest.param([Item("1", replace_entry("a", "a"))], (), id="same-text"),
    ],
)
def test_nothing_to_do_writes_nothing(work, items, skipped):
    """A no-op is reported as one: no write, no journal, no log line (W1, C5)."""
    before = work.put(b"- a\n").stat()
    receipt = work.store.apply(KEEP, items, ALICE)
    assert (receipt.changed, receipt.applied, receipt.skipped) == (False, (), skipped)
    assert work.path().stat().st_mtime_ns == before.st_mtime_ns
    assert not work.path(LOG).exists()
    assert work.store.last(111) is None


def test_touched_items_are_skipped_and_untouched_ones_apply(work):
    """When the document changed meanwhile, only items whose lines are gone are skipped (D5)."""
    work.put(b"- a\n- B changed\n- c\n", MEMORY)
    items = [deletion("a", "1"), deletion("b", "2"), deletion("c", "3")]
    receipt = work.store.apply(MEMORY, items, ALICE)
    assert (receipt.applied, receipt.skipped) == (("1", "3"), ("2",))
    assert work.bytes(MEMORY) == b"- B changed\n"


def test_each_applied_item_is_one_log_line(work):
    """One line an item with the local time, appended below foreign lines (C5)."""
    work.put(b"- a\n- b\n", MEMORY)
    work.put(b"foreign, torn", LOG)
    work.store.apply(MEMORY, [deletion("a", "1"), deletion("b", "2"), deletion("c", "3")], ALICE)
    assert work.bytes(LOG) == (
        b"foreign, torn\n"
        b'2026-05-04 12:30 DELETED [detail] "a"\n'
        b'2026-05-04 12:30 DELETED [detail] "b"\n'
    )


def test_a_held_lock_is_busy_after_the_limit(tmp_path):
    """Who cannot get the lock within the limit is told so, and nothing is written (W1)."""
    work = Workplace(tmp_path, patience=0.05)
    with work.disk.lock(work.layout.place(KEEP)), pytest.raises(Busy):
        work.store.apply(KEEP, [append("new")], ALICE)
    assert not work.path().exists()
    assert work.store.apply(KEEP, [append("new")], ALICE).changed


def test_a_planted_link_is_no_lock(tmp_path):
    """A lock file that is a link is not opened, and its target is not truncated (W1)."""
    work = Workplace(tmp_path)
    work.store.apply(KEEP, [append("new")], ALICE)
    (anchor,) = tmp_path.joinpath("state", "locks").iterdir()
    victim = tmp_path / "victim"
    victim.write_text("precious")
    anchor.unlink()
    anchor.symlink_to(victim)
    with pytest.raises(WriteFailed):
        work.store.apply(KEEP, [append("more")], ALICE)
    assert victim.read_text() == "precious"


def test_threads_do_not_lose_lines(work):
    """Eight threads that append to one document lose nothing (W1)."""

    def run(name):
        for i in range(15):
            work.store.apply(KEEP, [append(f"{name}-{i}")], ALICE)

    threads = [threading.Thread(target=run, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(work.bytes().split())) == 1 + 8 * 15


def test_an_edit_from_outside_is_seen_at_once(work):
    """The document is read afresh for every write: an agent's line is never lost (W1)."""
    work.store.apply(KEEP, [append("ours")], ALICE)
    with work.path().open("ab") as file:
        file.write(b"- theirs\n")
    work.store.apply(KEEP, [append("ours again")], ALICE)
    assert work.bytes() == b"- ours\n- theirs\n- ours again\n"
    assert work.store.read(KEEP).document.count == 3


class Peeking(PosixDisk):
    """A disk that looks into the state, as another process would, while it is writing."""

    statuses = ()

    def swap(self, place, data, old, token):
        with sqlite3.connect(self.state) as other:
            self.statuses = other.execute("SELECT op, status FROM journal").fetchall()
        return super().swap(place, data, old, token)


def test_the_intent_is_committed_before_the_disk_is_touched(tmp_path):
    """A crash between intent and done leaves a row that says what was meant (W1)."""
    work = Workplace(tmp_path, Peeking)
    work.disk.state = work.state.path
    receipt = work.store.apply(KEEP, [append("new")], ALICE)
    assert work.disk.statuses == [(receipt.op, "intent")]
    with sqlite3.connect(work.state.path) as other:
        assert other.execute("SELECT op, status FROM journal").fetchall() == [(receipt.op, "done")]
        ask = "SELECT op, user, chat, message, source, result, after FROM audit"
        row = (receipt.op, 111, 111, 7, "chat", "done", receipt.digest)
        assert other.execute(ask).fetchall() == [row]


def test_an_old_journal_is_forgotten_and_the_audit_is_not(work):
    """After 30 days the lines of an operation are scrubbed; who did it when stays (d.5, M6)."""
    op = work.store.apply(KEEP, [append("private")], ALICE).op
    work.clock.advance(days=31)
    work.reopen()
    assert work.store.operation(op) is None
    with sqlite3.connect(work.state.path) as other:
        assert other.execute("SELECT op FROM audit").fetchall() == [(op,)]


@pytest.mark.parametrize(
    "name, slug", [(DocumentName.DATED, "2026-05-04"), (DocumentName.OVERLAY, "mail")]
)
def test_what_belongs_to_the_agent_is_never_written(work, name, slug):
    """product.md 2: dated files and overlays are read, and no way of writing reaches them."""
    ref = DocumentRef(KEEP.space, name, slug)
    with pytest.raises(ValueError, match=slug):
        work.store.apply(ref, [append("x")], ALICE)
    assert not work.path(ref).exists()
