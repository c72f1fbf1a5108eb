"""Reminders in the state: told once, never early, together with their post (T9, R7)."""

import tempfile
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from memory.outbox import Outgoing
from memory.reminders import MOST_OPEN, Reminder, Reminders
from memory.state import State

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def state(tmp_path):
    state = State(tmp_path / "state.db", synchronous="OFF")
    yield state
    state.close()


def post(id="p"):
    return Outgoing(id, 1, 1, b"", 0.0)


def test_a_request_makes_one_reminder(state):
    """W4: the same request gets the same reminder, also when it was told meanwhile."""
    made = state.reminders.create(Reminder(0, 1, "a", NOON, "Europe/Prague"), "press 1")
    assert state.reminders.create(Reminder(0, 1, "a", NOON), "press 1") == made
    assert state.reminders.fire([made], NOON, [post()])
    assert state.reminders.create(Reminder(0, 1, "a", NOON), "press 1").status == "fired"
    assert state.reminders.waiting(1) == ()


def test_due_is_due(state):
    """T9: a reminder is due from its very moment on, the oldest first."""
    later = state.reminders.create(Reminder(0, 1, "later", NOON + HOUR), "1")
    now = state.reminders.create(Reminder(0, 2, "now", NOON), "2")
    assert state.reminders.due(NOON - timedelta(microseconds=1000)) == ()
    assert state.reminders.due(NOON) == (now,)
    assert state.reminders.due(NOON + HOUR) == (now, later)


def test_told_and_queued_in_one_commit(state):
    """B1: what is marked as told has its post in the outbox; told twice it has one post."""
    made = state.reminders.create(Reminder(0, 1, "a", NOON), "1")
    assert state.reminders.fire([made], NOON, [post("first")])
    assert not state.reminders.fire([made], NOON, [post("second")])
    assert [row.id for row in state.unsent()] == ["first"]


@pytest.mark.parametrize("change", ["cancel", "move"])
def test_changed_while_it_was_being_told(state, change):
    """D5: what was cancelled or moved a moment ago is not told, and neither are its fellows."""
    one = state.reminders.create(Reminder(0, 1, "a", NOON), "1")
    other = state.reminders.create(Reminder(0, 1, "b", NOON), "2")
    if change == "cancel":
        state.reminders.cancel(1, one.id, NOON)
    else:
        state.reminders.move(Reminder(one.id, 1, "a", NOON + HOUR))
    assert not state.reminders.fire([one, other], NOON, [post()])
    assert state.unsent() == ()
    assert state.reminders.due(NOON) == (other,)


def test_only_ones_own(state):
    """G1: nobody sees, moves or cancels the reminder of somebody else."""
    made = state.reminders.create(Reminder(0, 1, "a", NOON), "1")
    assert state.reminders.reminder(2, made.id) is None
    assert not state.reminders.cancel(2, made.id, NOON)
    assert not state.reminders.move(Reminder(made.id, 2, "a", NOON + HOUR))
    assert state.reminders.waiting(1) == (made,)


def test_cancelled_and_taken_back(state):
    """R7: a cancelled reminder does not come; taken back, it does; a told one stays told."""
    made = state.reminders.create(Reminder(0, 1, "a", NOON), "1")
    assert state.reminders.cancel(1, made.id, NOON)
    assert state.reminders.due(NOON) == ()
    assert state.reminders.revive(1, made.id)
    assert state.reminders.fire([made], NOON, [post()])
    assert not state.reminders.revive(1, made.id)
    assert not state.reminders.cancel(1, made.id, NOON)


def test_a_blocked_bot_tells_nothing(state):
    """G3: who blocked the bot is told nothing, and gets it when the bot may write again."""
    made = state.reminders.create(Reminder(0, 1, "a", NOON), "1")
    state.members.reach(1, False)
    assert state.reminders.due(NOON) == ()
    state.members.reach(1, True)
    assert state.reminders.due(NOON) == (made,)


def test_not_too_many(state):
    """R7: one person has a bounded number of open reminders."""
    for number in range(MOST_OPEN):
        assert state.reminders.create(Reminder(0, 1, "a", NOON), str(number))
    assert state.reminders.create(Reminder(0, 1, "a", NOON), "more") is None
    assert state.reminders.create(Reminder(0, 2, "a", NOON), "other")


def test_what_was_cancelled_is_not_kept_until_its_day(state):
    """G5: the text of a cancelled reminder goes by when it was cancelled, however far its day is."""
    far = Reminder(0, 1, "a", NOON + 9000 * HOUR)
    gone, back = (state.reminders.create(far, asked) for asked in "12")
    for one in (gone, back):
        state.reminders.cancel(1, one.id, NOON)
    state.reminders.revive(1, back.id)
    state.reminders.forget(NOON)
    assert state.reminders.reminder(1, gone.id).status == "cancelled"
    state.reminders.forget(NOON + HOUR)
    assert state.reminders.reminder(1, gone.id) is None
    assert state.reminders.waiting(1) == (back,)


def test_old_ones_are_forgotten(state):
    """G5: what was told is not kept for ever; what waits stays."""
    told = state.reminders.create(Reminder(0, 1, "a", NOON), "1")
    waits = state.reminders.create(Reminder(0, 1, "b", NOON), "2")
    state.reminders.fire([told], NOON, [post()])
    state.reminders.forget(NOON + HOUR)
    assert state.reminders.reminder(1, told.id) is None
    assert state.reminders.waiting(1) == (waits,)


class Clockwork(RuleBasedStateMachine):
    """Reminders made, moved, cancelled and told, under a clock that also goes back."""

    reminders_of = Reminders

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.state = State(f"{self.folder.name}/state.db", synchronous="OFF")
        self.reminders = self.reminders_of(self.state._database)
        self.now, self.told, self.due = NOON, {}, {}

    def teardown(self):
        self.state.close()
        self.folder.cleanup()

    @rule(minutes=st.integers(-90, 300))
    def make(self, minutes):
        wanted = Reminder(0, 1, "a", self.now + timedelta(minutes=minutes))
        made = self.reminders.create(wanted, f"{len(self.due)}")
        self.due[made.id] = made.due

    @rule(data=st.data(), minutes=st.integers(-90, 300))
    def move(self, data, minutes):
        id = data.draw(st.sampled_from(sorted(self.due) or [0]))
        due = self.now + timedelta(minutes=minutes)
        if self.reminders.move(Reminder(id, 1, "a", due)):
            assert id not in self.told
            self.due[id] = due

    @rule(minutes=st.integers(-120, 300))
    def time(self, minutes):
        self.now += timedelta(minutes=minutes)

    @rule()
    def tell(self):
        for one in self.reminders.due(self.now):
            assert self.due[one.id] <= self.now, "too early"
            assert self.reminders.fire([one], self.now, [post(f"{one.id}-{len(self.told)}")])
            assert one.id not in self.told, "twice"
            self.told[one.id] = self.now

    @invariant()
    def one_post_each(self):
        assert len(self.state.unsent()) == len(self.told)


TestClockwork = Clockwork.TestCase
TestClockwork.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)


class _Forgetful(Reminders):
    """A twin that queues the post and forgets to mark the reminder."""

    def fire(self, fired, now, posts):
        done = super().fire(fired, now, posts)
        with self._database.writing() as connection:
            connection.exec_driver_sql("UPDATE reminders SET status = 'open'")
        return done


class _Broken(Clockwork):
    reminders_of = _Forgetful


def test_the_clockwork_has_teeth():
    """BT rule: reminders that are not marked as told are caught as told twice."""
    from hypothesis.stateful import run_state_machine_as_test

    few = settings(
        max_examples=60,
        stateful_step_count=20,
        deadline=None,
        database=None,
        report_multiple_bugs=False,
    )
    with pytest.raises(AssertionError, match="twice"):
        run_state_machine_as_test(_Broken, settings=few)
