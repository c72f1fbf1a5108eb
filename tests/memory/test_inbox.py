"""The inbox in pages, and what was not taken."""

import pytest

from memory.inbox import NOT_TAKEN, Incoming
from memory.state import State


@pytest.fixture
def state(tmp_path):
    state = State(tmp_path / "state.db", synchronous="OFF")
    yield state
    state.close()


def test_pages_go_by_arrival_and_not_by_id(state):
    """W4: what waits is read in pages, in the order of arrival, also when ids jump down."""
    numbers = [900, 901, 5, 6, 7, 300]
    state.accept([Incoming(number, 1, b"x") for number in numbers])
    seen, page = [], state.waiting(most=2)
    while page:
        seen += [each.update_id for each in page]
        state.finish(*(each.update_id for each in page[:1]))
        page = state.waiting(after=page[-1].update_id, most=2)
    assert seen == numbers


def test_what_was_not_taken_is_counted_until_it_is_told(state):
    """B23: an update over a bound is seen, never handled, and counted per chat until told."""
    assert state.accept([Incoming(1, 7, b"x"), Incoming(2, 7, NOT_TAKEN)]) == (1, 2)
    state.accept([Incoming(n, 7, NOT_TAKEN) for n in (2, 3, 4)] + [Incoming(5, 8, NOT_TAKEN)])
    assert [each.update_id for each in state.waiting()] == [1]
    assert state.turned_away() == {7: 3, 8: 1}
    state.mention(7, 2)
    assert state.turned_away() == {7: 1, 8: 1}
    state.mention(7, 5)
    assert state.turned_away() == {8: 1}
    assert state.accept([Incoming(3, 7, b"again")]) == ()
