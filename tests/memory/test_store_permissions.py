"""What a user without rights meets; run as nobody, since root may do everything."""

import os
import shutil
import tempfile
import traceback
from pathlib import Path

import pytest

from memory.edits import append_entry
from memory.errors import Unreadable, WriteFailed
from memory.store import Item
from tests.memory.store_workplace import ALICE, KEEP, Workplace

NOBODY = 65534
NEW = [Item("1", append_entry("new"))]


@pytest.fixture
def folder():
    """A folder that everybody may enter, unlike pytest's own."""
    path = Path(tempfile.mkdtemp())
    path.chmod(0o777)
    yield path
    shutil.rmtree(path)


def succeeds_as_nobody(check, *args):
    """Run a check in a child process without root's rights; whether it passed."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    code = 1
    try:
        if os.geteuid() == 0:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        check(*args)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def read_only_folder(folder):
    work = Workplace(folder)
    work.put(b"- a\n").parent.chmod(0o500)
    with pytest.raises(WriteFailed, match="denied"):
        work.store.apply(KEEP, NEW, ALICE)
    assert [p.name for p in work.path().parent.iterdir()] == ["keep.md"]
    assert work.bytes() == b"- a\n"
    assert work.store.last(111) is None
    work.path().parent.chmod(0o700)
    assert work.store.apply(KEEP, NEW, ALICE).changed


def read_only_workspace(folder):
    work = Workplace(folder)
    (folder / "workspace").mkdir(mode=0o500)
    with pytest.raises(WriteFailed, match="denied"):
        work.store.apply(KEEP, NEW, ALICE)
    assert not work.path().exists()


def unreadable_file(folder):
    work = Workplace(folder)
    work.put(b"- a\n").chmod(0)
    for call in (lambda: work.store.read(KEEP), lambda: work.store.apply(KEEP, NEW, ALICE)):
        with pytest.raises(Unreadable, match="denied"):
            call()
    assert work.path().stat().st_size == 4


def unwritable_locks(folder):
    work = Workplace(folder)
    (folder / "state" / "locks").mkdir(mode=0o500)
    with pytest.raises(WriteFailed, match="denied"):
        work.store.apply(KEEP, NEW, ALICE)


@pytest.mark.parametrize(
    "check", [read_only_folder, read_only_workspace, unreadable_file, unwritable_locks]
)
def test_missing_rights_are_an_error_and_nothing_is_half_done(folder, check):
    """What may not be read or written is said with its cause, and the bytes stay (W3)."""
    assert succeeds_as_nobody(check, folder)
