"""The SQL state: inbox, dialogs, preferences, declined lines (W4, D1-D6, C7, W8)."""

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from memory.errors import StateError, StateFromTheFuture
from memory.spaces import DocumentName, personal
from memory.state import Dialog, Incoming, State
from memory.tables import SCHEMA

NOW = datetime(2026, 5, 4, 12, 30, 0, 123456, tzinfo=UTC)
DIALOG = Dialog(
    "d1", "card", -1001, 5, 70, 111, {"entry": "káva", "n": [1]}, "ab", NOW, NOW + timedelta(7)
)

FIRST_SCHEMA = """
CREATE TABLE dialogs (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, id VARCHAR NOT NULL, kind VARCHAR NOT NULL,
    chat INTEGER NOT NULL, topic INTEGER NOT NULL, message INTEGER NOT NULL,
    asker INTEGER NOT NULL, payload VARCHAR NOT NULL, digest VARCHAR NOT NULL,
    created FLOAT NOT NULL, expires FLOAT NOT NULL, status VARCHAR NOT NULL, UNIQUE (id)
);
CREATE TABLE journal (
    seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, op VARCHAR NOT NULL, undoes VARCHAR NOT NULL,
    document VARCHAR NOT NULL, user INTEGER NOT NULL, chat INTEGER NOT NULL,
    message INTEGER NOT NULL, source VARCHAR NOT NULL, at FLOAT NOT NULL,
    status VARCHAR NOT NULL, "before" VARCHAR NOT NULL, "after" VARCHAR NOT NULL,
    expected VARCHAR NOT NULL, standing INTEGER NOT NULL, body VARCHAR NOT NULL, UNIQUE (op)
);
INSERT INTO dialogs VALUES (1, 'd1', 'card', 5, 0, 7, 111, '{}', '', 1, 9e9, 'open');
PRAGMA user_version=1;
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state.db"


@pytest.fixture
def state(path):
    state = State(path, synchronous="OFF")
    yield state
    state.close()


def update(update_id, body=b"{}", queue=111):
    return Incoming(update_id, queue, body)


def test_a_replayed_update_is_not_accepted_again(state):
    """An id is taken in once, while it waits and after it was finished (W4)."""
    assert state.accept([update(7), update(8), update(7)]) == (7, 8)
    assert state.accept([update(8)]) == ()
    state.finish(7)
    assert state.accept([update(7, b"again")]) == ()
    assert state.waiting() == (update(8),)


def test_ids_may_jump_down_and_keep_the_order_of_arrival(state):
    """After a quiet week Telegram may go on with smaller ids: they are new, and later (W4)."""
    state.accept([update(900_000_000), update(5, queue=222)])
    state.accept([update(4), update(2**40)])
    assert [u.update_id for u in state.waiting()] == [900_000_000, 5, 4, 2**40]


def test_a_batch_is_accepted_whole_or_not_at_all(state):
    """A batch that cannot be stored leaves nothing behind, so its offset is asked for again (W4)."""
    with pytest.raises(StateError):
        state.accept([update(1), update(2, body=object())])
    assert state.waiting() == ()
    assert state.accept([update(1)]) == (1,)


def test_a_finished_update_leaves_no_text(state, path):
    """The body is blanked when the update is done; nothing of it stays in the file (B24)."""
    state.accept([update(7, b"secret-body")])
    state.finish(7)
    state.close()
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert b"secret-body" not in path.read_bytes()


def test_the_inbox_survives_a_restart(state, path):
    """What was accepted and not finished waits after a restart (W4)."""
    state.accept([update(1, b"\x00\xff"), update(2)])
    state.finish(2)
    state.close()
    assert State(path).waiting() == (update(1, b"\x00\xff"),)


def test_old_ids_are_forgotten_and_waiting_ones_are_not(state):
    """Seen ids are scrubbed by age; an update that waits never is (W4)."""
    state.accept([update(1), update(2)])
    state.finish(1)
    state.scrub(datetime.now(UTC) - timedelta(days=30))
    assert state.accept([update(1)]) == ()
    state.scrub(datetime.now(UTC) + timedelta(days=1))
    assert state.accept([update(1), update(2)]) == (1,)


def test_a_dialog_comes_back_as_it_was(state, path):
    """Every field survives a restart (D1)."""
    state.open_dialog(DIALOG)
    state.close()
    reopened = State(path)
    assert reopened.dialog("d1") == DIALOG
    assert reopened.dialog_at(-1001, 70) == DIALOG
    assert reopened.dialog("d2") is None


def test_a_dialog_is_taken_once_among_threads(state):
    """Eight presses at once: one wins, whatever the order (D4)."""
    state.open_dialog(DIALOG)
    start, taken = threading.Barrier(8), []

    def press():
        start.wait()
        taken.append(state.take("d1", NOW))

    threads = [threading.Thread(target=press) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    winners = [t for t in taken if t]
    assert winners == [replace(DIALOG, status="answered")]
    assert len(taken) == 8


@pytest.mark.parametrize(
    ("id", "now"),
    [
        pytest.param("d1", NOW + timedelta(days=7), id="expired"),
        pytest.param("d1", NOW + timedelta(days=8), id="long-expired"),
        pytest.param("d2", NOW, id="unknown"),
    ],
)
def test_what_cannot_be_taken(state, id, now):
    """An expired or unknown dialog is not taken, and says so by None (D4)."""
    state.open_dialog(DIALOG)
    assert state.take(id, now) is None


def test_a_superseded_dialog_stays_readable(state):
    """A closed dialog tells why, and takes no amendment (D4)."""
    state.open_dialog(DIALOG)
    assert state.take("d1", NOW, "superseded")
    state.amend("d1", {})
    assert state.dialog("d1") == replace(DIALOG, status="superseded")
    assert state.take("d1", NOW) is None


def test_amending_and_attaching(state):
    """A toggle changes the payload, sending changes the message; the dialog stays open (D1)."""
    state.open_dialog(DIALOG)
    state.amend("d1", {"n": []})
    state.attach("d1", 71)
    assert state.dialog("d1") == replace(DIALOG, payload={"n": []}, message=71)


def test_open_dialogs_of_a_person_come_newest_first(state):
    """D2, D6: those of the asker in every chat; closed ones do not count."""
    for number, changes in enumerate(
        [{}, {"kind": "proposal"}, {"asker": 222}, {"chat": 111}, {"kind": "reason"}]
    ):
        state.open_dialog(replace(DIALOG, id=f"d{number}", **changes))
    state.take("d4", NOW)
    assert [d.id for d in state.dialogs_of(111)] == ["d3", "d1", "d0"]


def test_the_newest_dialog_of_a_message_counts(state):
    """A card that asks again on the same message answers with its newest question (D1)."""
    state.open_dialog(DIALOG)
    state.open_dialog(replace(DIALOG, id="d2"))
    assert state.dialog_at(-1001, 70).id == "d2"


def test_preferences(state):
    """A JSON value by owner and key; the last one counts."""
    assert state.preference(111, "language", "en") == "en"
    state.prefer(111, "language", "cs")
    state.prefer(111, "language", None)
    state.prefer(222, "language", {"a": [1]})
    assert state.preference(111, "language", "en") is None
    assert state.preference(222, "language") == {"a": [1]}


def test_declined_lines_fade(state):
    """What a person kept is known for as long as is asked, per document (C7)."""
    space, later = personal(111), NOW + timedelta(days=10)
    state.decline(space, DocumentName.MEMORY, ["- a", "- b"], NOW)
    state.decline(space, DocumentName.MEMORY, ["- b"], later)
    state.decline(space, DocumentName.MEMORY, [], later)
    assert state.declined(space, DocumentName.MEMORY, NOW) == {"- a", "- b"}
    assert state.declined(space, DocumentName.MEMORY, later) == {"- b"}
    assert state.declined(space, DocumentName.KEEP, NOW) == frozenset()


def test_a_newer_schema_is_refused(state, path):
    """The program never runs backwards over a newer state (W8)."""
    state.close()
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA user_version=99")
    with pytest.raises(StateFromTheFuture) as caught:
        State(path)
    assert (caught.value.found, caught.value.known) == (99, SCHEMA)


def test_an_older_schema_is_brought_up_to_date(path):
    """What the first version wrote is read, and gets what it lacks (W8)."""
    with sqlite3.connect(path) as raw:
        raw.executescript(FIRST_SCHEMA)
    state = State(path)
    assert state.dialog("d1").asker == 111
    assert state.take("d1", NOW, request="7") and state.take("d1", NOW, request="7")
    assert state.take("d1", NOW, request="8") is None
    assert state.entry("op1") is None


def test_a_file_that_is_no_database_is_an_error(tmp_path):
    """A damaged or foreign file is refused, not overwritten (W8)."""
    path = tmp_path / "state.db"
    path.write_bytes(b"not a database, but long enough to look at" * 40)
    before = path.read_bytes()
    with pytest.raises(StateError):
        State(path)
    assert path.read_bytes() == before


def test_a_folder_is_enough(tmp_path):
    """Given a folder, the state lives in state.db inside it."""
    State(tmp_path).close()
    assert (tmp_path / "state.db").exists()


def test_the_file_is_durable_by_default(path):
    """WAL and FULL are what survives a power cut; a commit is whole or absent (d.4)."""
    state = State(path)
    with state._database.reading() as connection:
        ask = connection.exec_driver_sql
        assert ask("PRAGMA journal_mode").scalar() == "wal"
        assert ask("PRAGMA synchronous").scalar() == 2
        assert ask("PRAGMA secure_delete").scalar() == 1


def test_a_new_state_opened_by_several_at_once(tmp_path):
    """R2: whoever comes first creates the file; none of those beside it is turned away."""
    with ThreadPoolExecutor(8) as pool:
        for number in range(20):
            together, path = threading.Barrier(8), tmp_path / str(number) / "state.db"

            def opened(_, together=together, path=path):
                together.wait()
                state = State(path, synchronous="OFF")
                state.close()

            list(pool.map(opened, range(8)))


def test_a_closed_state_leaves_no_old_text_behind(tmp_path):
    """W6: what was blanked is nowhere in the files, though another program has them open."""
    with closing(State(tmp_path / "state.db")) as other, closing(State(tmp_path / "state.db")) as s:
        other.waiting()
        s.accept([Incoming(1, 5, b"a text of long ago")])
        s.finish(1)
        s.close()
        found = [path.name for path in tmp_path.iterdir() if b"long ago" in path.read_bytes()]
        assert found == []
        assert (tmp_path / "state.db-wal").stat().st_size == 0


def test_old_questions_are_scrubbed(state, path):
    """D6, W6: a question that expired so long ago leaves nothing, whatever became of it."""
    for id, end in (("open", ""), ("answered", "answered")):
        state.open_dialog(replace(DIALOG, id=id, payload={"entry": "canary"}))
        if end:
            state.take(id, DIALOG.created, end)
    state.scrub(DIALOG.expires)
    assert state.dialog("open") and state.dialog("answered")
    state.scrub(DIALOG.expires + timedelta(seconds=1))
    assert state.dialog("open") is None and state.dialog("answered") is None
    state.close()
    assert b"canary" not in path.read_bytes()
