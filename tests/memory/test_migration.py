"""A group that becomes a supergroup takes its memory along, whatever happens meanwhile (G4)."""

import pytest

from memory.edits import append_entry
from memory.files import PosixDisk
from memory.members import Chat
from memory.scope import Room
from memory.spaces import DocumentName, DocumentRef, channel, personal
from memory.store import Author, Item
from tests.memory.store_workplace import Workplace

OLD, NEW = -5, -1_000_000_001_001
BEFORE, AFTER = (DocumentRef(channel(id), DocumentName.CHANNEL) for id in (OLD, NEW))
NOTES, NOTES_AFTER = (DocumentRef(personal(111), DocumentName.ROOM, str(id)) for id in (OLD, NEW))
LOG, LOG_AFTER = (DocumentRef(channel(id), DocumentName.LOG) for id in (OLD, NEW))
PETR = Author(222, OLD, 7, request="-5:7:1")


class Killed(BaseException):
    """The end of the process, which nothing of ours catches."""


class DyingDisk(PosixDisk):
    """Moves a file, and then the process ends; ``deaths`` counts how often it still will."""

    deaths = 0

    def move(self, place, target):
        moved = super().move(place, target)
        if moved and self.deaths:
            self.deaths -= 1
            raise Killed
        return moved


@pytest.fixture
def work(tmp_path):
    work = Workplace(tmp_path, DyingDisk)
    logged = Item("entry", append_entry("the plumber is Ana"), ('DELETED "x"',))
    work.op = work.store.apply(BEFORE, [logged], PETR).op
    work.store.apply(NOTES, [Item("entry", append_entry("the house sale"))], Author(111))
    yield work
    work.state.close()


def moved(work):
    """Everything stands in its new place and nothing in the old one."""
    texts = [work.bytes(ref) for ref in (AFTER, NOTES_AFTER)]
    old = [work.path(ref).exists() for ref in (BEFORE, NOTES, LOG)]
    return texts == [b"- the plumber is Ana\n", b"- the house sale\n"] and not any(old)


def test_everything_moves(work):
    """G4: the chat's document and log, and each person's notes about it, stand under the new id."""
    assert work.store.migrate(OLD, NEW) == ()
    assert moved(work)
    assert b'DELETED "x"' in work.bytes(LOG_AFTER)
    assert work.state.known(AFTER) and not work.state.known(BEFORE)
    assert work.state.notices() == ()


def test_undo_after_the_move(work):
    """G4, D6: what was kept before can be taken back after."""
    work.store.migrate(OLD, NEW)
    assert work.store.operation(work.op).author.chat == NEW
    work.store.undo(work.op, PETR)
    assert work.bytes(AFTER) == b""


def test_both_service_messages_come(work):
    """G4: the move is done once, however often it is asked for, and nobody is told of a change."""
    for _ in range(3):
        assert work.store.migrate(OLD, NEW) == ()
    work.store.tend(everything=True)
    assert moved(work)
    assert work.state.notices() == ()


@pytest.mark.parametrize("deaths", [1, 2, 3])
def test_killed_in_between(work, deaths):
    """G4: ended after any of the moves, the next attempt goes on, and undo still works."""
    work.disk.deaths = deaths
    for _ in range(deaths):
        with pytest.raises(Killed):
            work.store.migrate(OLD, NEW)
        work.state.close()
        work.reopen()
    assert work.store.migrate(OLD, NEW) == ()
    assert moved(work)
    work.store.tend(everything=True)
    assert work.state.notices() == ()
    work.store.undo(work.op, PETR)
    assert work.bytes(AFTER) == b""


def test_the_new_chat_has_a_memory_already(work):
    """G4: lines of both are kept, the old ones first, once; no byte of either is lost."""
    work.put(b"## Decisions\n- new", AFTER)
    for _ in range(2):
        work.store.migrate(OLD, NEW)
    assert work.bytes(AFTER) == b"- the plumber is Ana\n## Decisions\n- new"


def test_one_file_that_cannot_be_moved(work):
    """W3, G4: what is no file of ours stays where it is and is named; the rest moves."""
    path = work.path(NOTES)
    path.rename(path.with_suffix(".x"))
    path.symlink_to(path.with_suffix(".x"))
    assert work.store.migrate(OLD, NEW) == (NOTES,)
    assert work.bytes(AFTER) == b"- the plumber is Ana\n"


def test_members_and_preferences(work):
    """G4: who is inside and what the chat prefers move along."""
    members = work.state.members
    members.meet(Chat(OLD, "group", "Family"), 111)
    members.meet(Chat(NEW, "supergroup", "Family"), 222)
    work.state.prefer(OLD, "topics", True)
    work.store.migrate(OLD, NEW)
    assert members.people(NEW) == {111, 222}
    assert members.people(OLD) == frozenset()
    assert members.rooms_of(111) == (Room(NEW, "Family"),)
    assert work.state.preference(NEW, "topics") is True
