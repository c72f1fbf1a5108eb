"""Restoring: a damaged backup is refused whole, and what stands there is not lost."""

import contextlib
import hashlib
import json
import shutil
import sqlite3
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memory.errors import Busy, StateFromTheFuture, Unreadable
from memory.files import PosixDisk
from memory.inbox import Incoming
from memory.manifest import FILE, Saved, encoded
from memory.restoration import Fault, Flaw, Restored, check_schema, examine, restore, set_aside
from memory.state import State
from memory.tables import SCHEMA
from tests.memory.backup_workplace import FILES, NOON, Memory, contents


@pytest.fixture
def memory(tmp_path):
    memory = Memory(tmp_path / "first").put(FILES)
    memory.accept(1, 2, 3)
    return memory


@pytest.fixture
def other(tmp_path):
    return Memory(tmp_path / "second")


def bring_back(made, memory):
    """Examine and restore; gives what was restored."""
    return restore(made.path, examine(made.path), memory.target, "r")


def test_into_an_empty_place(memory, other):
    """W8: documents come back byte for byte, and the state with every row."""
    made = memory.save()
    assert bring_back(made, other) == Restored(len(FILES), 0)
    assert contents(other.workspace) == FILES
    assert other.accepted() == [1, 2, 3]


def test_over_what_moved_on(memory):
    """W8: changed and lost documents become what they were, and new ones stay."""
    made = memory.save()
    memory.accept(4)
    (memory.workspace / "users/111/keep.md").write_text("- changed\n")
    (memory.workspace / "users/111/projects/garden.md").unlink()
    memory.put({"users/222/keep.md": b"- new\n"})
    assert bring_back(made, memory) == Restored(2, len(FILES) - 2)
    assert contents(memory.workspace) == FILES | {"users/222/keep.md": b"- new\n"}
    assert memory.accepted() == [1, 2, 3]


def test_an_existing_file_keeps_its_mode(memory):
    """B26: a file the agent may read can be read by it afterwards."""
    made = memory.save()
    path = memory.workspace / "users/111/keep.md"
    path.write_text("- changed\n")
    path.chmod(0o640)
    bring_back(made, memory)
    assert path.stat().st_mode & 0o777 == 0o640


def test_the_old_wal_does_not_come_along(memory):
    """W8: what the replaced state had in its WAL is not mixed into the restored one."""
    made = memory.save()
    path = memory.folder / "state/state.db"
    with contextlib.closing(State(path)) as state:
        state.accept([Incoming(4, 1, b"{}")])
        left = path.with_name("state.db-wal").read_bytes()
    path.with_name("state.db-wal").write_bytes(left)
    bring_back(made, memory)
    assert memory.accepted() == [1, 2, 3]


def damage_manifest(path):
    (path / FILE).write_text("{")


def damage_document(path):
    (path / "documents/users/111/keep.md").write_bytes(b"- ring size 55\n")


def damage_size(path):
    (path / "documents/users/111/log/memory-clean.log").write_bytes(b"")


def damage_state(path):
    data = bytearray((path / "state.db").read_bytes())
    data[5000] ^= 1
    (path / "state.db").write_bytes(data)


def remove_document(path):
    (path / "documents/users/111/keep.md").unlink()


def remove_manifest(path):
    (path / FILE).unlink()


def name_a_foreign_file(path):
    values = json.loads((path / FILE).read_text())
    values["files"].append(["users/111/project/../../../../etc/passwd", "0" * 64, 1])
    (path / FILE).write_text(json.dumps(values))


@pytest.mark.parametrize(
    ("damage", "flaw"),
    [
        (damage_manifest, Flaw(FILE, Fault.UNREADABLE)),
        (remove_manifest, Flaw(FILE, Fault.MISSING)),
        (name_a_foreign_file, Flaw(FILE, Fault.UNREADABLE)),
        (damage_document, Flaw("documents/users/111/keep.md", Fault.CHANGED)),
        (damage_size, Flaw("documents/users/111/log/memory-clean.log", Fault.CHANGED)),
        (remove_document, Flaw("documents/users/111/keep.md", Fault.MISSING)),
        (damage_state, Flaw("state.db", Fault.CHANGED)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_every_flaw_is_found(memory, damage, flaw):
    """W8: one wrong byte anywhere, a missing file or a doctored manifest is named."""
    made = memory.save()
    damage(made.path)
    assert examine(made.path) == (flaw,)


def test_all_flaws_at_once(memory):
    """W8: the list names everything that is wrong."""
    made = memory.save()
    damage_state(made.path)
    remove_document(made.path)
    assert len(examine(made.path)) == 2


def test_a_state_with_the_right_digest_can_still_be_damaged(memory):
    """W8: what was damaged before it was saved is not restored either."""
    made = memory.save()
    data = b"SQLite format 3\0" + b"x" * 8000
    (made.path / "state.db").write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()
    files = (Saved("", digest, len(data)), *made.manifest.documents)
    (made.path / FILE).write_bytes(encoded(replace(made.manifest, files=files)))
    assert examine(made.path) == (Flaw("state.db", Fault.DAMAGED),)


def test_an_older_state_migrates_forward(memory, other):
    """W8: the state of an older program is brought up to date when it comes back."""
    made = memory.save()
    with contextlib.closing(sqlite3.connect(made.path / "state.db")) as raw:
        raw.execute("DROP INDEX journal_asked")
        raw.execute("ALTER TABLE journal DROP COLUMN asked")
        raw.execute("ALTER TABLE dialogs DROP COLUMN ended_by")
        raw.execute("PRAGMA user_version=1")
        raw.commit()
    data = (made.path / "state.db").read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    files = (Saved("", digest, len(data)), *made.manifest.documents)
    restore(made.path, replace(made.manifest, schema=1, files=files), other.target, "r")
    with contextlib.closing(sqlite3.connect(other.folder / "state/state.db")) as raw:
        assert raw.execute("PRAGMA user_version").fetchone() == (SCHEMA,)
    assert other.accepted() == [1, 2, 3]


def test_a_newer_state_is_refused(memory, other):
    """W8: nothing is changed when a newer program made the backup."""
    made = memory.save()
    manifest = replace(made.manifest, schema=SCHEMA + 1)
    with pytest.raises(StateFromTheFuture):
        check_schema(manifest)
    with pytest.raises(StateFromTheFuture):
        restore(made.path, manifest, other.target, "r")
    assert contents(other.folder) == {}


def test_a_link_in_a_document_s_place_is_not_followed(memory, tmp_path):
    """W3, B19: the file it points to stays as it is."""
    made = memory.save()
    outside = tmp_path / "outside.md"
    outside.write_text("foreign\n")
    path = memory.workspace / "users/111/keep.md"
    path.unlink()
    path.symlink_to(outside)
    with pytest.raises(Unreadable):
        bring_back(made, memory)
    assert outside.read_text() == "foreign\n"


class InterruptedDisk(PosixDisk):
    """Somebody else writes the document just before it is exchanged, once."""

    def swap(self, place, data, old, token):
        if not token.endswith("b"):
            place.path.write_text("- from the agent\n")
        return super().swap(place, data, old, token)


def test_a_write_of_somebody_else_is_not_lost(memory, tmp_path):
    """W1, W8: an agent that did not stop keeps its line, and the restore says so."""
    made = memory.save()
    path = memory.workspace / "users/111/keep.md"
    path.write_text("- changed\n")
    disk = InterruptedDisk(tmp_path / "locks", fsync=False)
    with pytest.raises(Busy):
        restore(made.path, made.manifest, replace(memory.target, disk=disk), "r")
    assert path.read_text() == "- from the agent\n"
    assert [p.name for p in path.parent.iterdir() if p.name.startswith(".keep")] == []


def test_a_damaged_state_is_set_aside(memory, tmp_path):
    """W8: the files of a state that nobody can open are moved, not removed."""
    state = memory.folder / "state"
    (state / "state.db").write_bytes(b"broken")
    (state / "state.db-wal").write_bytes(b"wal")
    set_aside(state, tmp_path / "aside")
    assert contents(tmp_path / "aside") == {"state.db": b"broken", "state.db-wal": b"wal"}
    assert not (state / "state.db").exists()


def test_a_backup_may_move(memory, other, tmp_path, monkeypatch):
    """W8: a backup is complete in itself; it can lie anywhere, behind a link too."""
    made = memory.save(NOON + timedelta(hours=1))
    shutil.move(made.path, tmp_path / "on a stick")
    (tmp_path / "link").symlink_to("on a stick")
    monkeypatch.chdir(tmp_path)
    moved = Path("link")
    assert restore(moved, examine(moved), other.target, "r").written == len(FILES)
