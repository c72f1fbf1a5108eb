"""The outbox in the state: one commit with the update, and a chat that changes its id."""

from datetime import UTC, datetime, timedelta

import pytest

from memory.dialogs import Dialog
from memory.errors import StateError
from memory.inbox import Incoming
from memory.state import Outgoing, Progress, State

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


@pytest.fixture
def state(tmp_path):
    state = State(tmp_path, synchronous="OFF")
    yield state
    state.close()


def row(id, chat=1, at=1.0):
    return Outgoing(id, chat, 1, b"words", at)


def test_an_update_ends_with_its_posts(state):
    """W4, B1: the update is blanked and its posts are stored, or neither."""
    state.accept([Incoming(7, 1, b"{}")])
    state.advance(Progress((7,), (row("7.0"), row("7.1", -5))))
    assert state.waiting() == ()
    assert state.unsent() == (row("7.0"), row("7.1", -5))
    with pytest.raises(StateError):
        state.advance(Progress(gone=("7.0",), made=(Outgoing("8.0", 1, 1, None, 1.0),)))
    assert len(state.unsent()) == 2


def test_a_post_is_stored_once(state):
    """W4: the same id again changes nothing."""
    state.advance(Progress(made=(row("7.0"),)))
    state.advance(Progress(made=(row("7.0", at=2.0),)))
    assert state.unsent() == (row("7.0"),)


def test_delivered_text_leaves_no_trace(state):
    """W6: what was delivered is in no byte of the file any more."""
    state.advance(Progress(made=(Outgoing("1.0", 1, 1, b"the plumber is Ana", 1.0),)))
    state.advance(Progress(gone=("1.0",)))
    with state._database.reading() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    files = state.path.parent.glob("state.db*")
    assert not any(b"plumber" in file.read_bytes() for file in files)


def dialog(id, chat):
    return Dialog(id, "card", chat, 0, 9, 1, {}, "", NOON, NOON + timedelta(days=7))


def test_a_group_moves_along(state):
    """W4: questions, posts, waiting updates and wishes move to the new id, however often."""
    state.accept([Incoming(1, -5, b"{}"), Incoming(2, -6, b"{}")])
    state.open_dialog(dialog("d", -5))
    state.prefer(-5, "language", "cs")
    state.prefer(-5, "old", 1)
    state.prefer(-100, "language", "en")
    state.advance(Progress(made=(row("1.0", -5), row("2.0", -6))))
    for _ in range(2):
        state.migrate(-5, -100)
    state.migrate(-100, -100)
    assert [(each.update_id, each.queue) for each in state.waiting()] == [(1, -100), (2, -6)]
    assert [each.chat for each in state.unsent()] == [-100, -6]
    moved = state.dialog("d")
    assert (moved.chat, moved.message) == (-100, 0)
    assert [state.preference(-100, key) for key in ("language", "old")] == ["en", 1]
    assert state.preference(-5, "language") is None


def test_the_way_back_from_a_message(state):
    """B11: a message that changed nothing leads nowhere."""
    assert state.operations_from(1, 1, 7) == ()
