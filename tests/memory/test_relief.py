"""A full disk: what was held back is given away, so that what happened can be recorded (d.5)."""

import sqlite3

import pytest

from memory.errors import StateError
from memory.inbox import Incoming
from memory.state import State


class Full(sqlite3.Connection):
    """A connection that finds no room until somebody made some."""

    room = False

    def execute(self, sql, *values):
        if sql.startswith("INSERT INTO inbox") and not Full.room:
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error
        return super().execute(sql, *values)


def relieved():
    Full.room = True
    return True


@pytest.mark.parametrize(("relief", "kept"), [(relieved, True), (lambda: False, False)])
def test_room_is_made_once(tmp_path, relief, kept):
    """With room held back the row is written, whole; without it the caller hears of it (W8)."""
    Full.room = False
    state = State(tmp_path / "state.db", connections=Full, relief=relief)
    row = Incoming(1, 1, b"{}")
    if kept:
        assert state.accept([row]) == (1,)
    else:
        with pytest.raises(StateError):
            state.accept([row])
    assert state.waiting() == ((row,) if kept else ())
