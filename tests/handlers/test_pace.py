"""The pace of sending: Telegram's limits are kept before it has to say so."""

import pytest

from handlers.edge.pace import TELEGRAM
from tests.handlers.outbox_stage import played, post


def worst(times, seconds):
    """The most calls within any so many seconds."""
    return max(sum(start <= t < start + seconds for t in times) for start in times)


@pytest.mark.parametrize(
    ("chats", "each", "most", "seconds", "atleast"),
    [
        ([1], 40, 5, 5.0, 35),
        ([-1], 45, 20, 60.0, 120),
        (range(1, 201), 1, 30, 1.0, 6),
        (range(1, 101), 4, 30, 1.0, 13),
    ],
    ids=["one chat", "one group", "all chats", "all chats, several each"],
)
def test_the_limits_are_kept(tmp_path, chats, each, most, seconds, atleast):
    """B23: one a second in a chat (five at once), 20 a minute in a group, 30 a second in all."""

    async def play(office):
        for chat in chats:
            office.answer(abs(chat), *(post(str(n), chat) for n in range(each)))

    office = played(tmp_path, play, limits=TELEGRAM)
    times = [time for time, _ in office.telegram.asked]
    assert len(times) == len(chats) * each
    assert worst(times, seconds) <= most
    assert atleast <= times[-1] < 1.3 * atleast + 5


def test_edits_count_and_keep_their_turn(tmp_path):
    """B23: an edit is a message to Telegram's limits."""

    async def play(office):
        office.answer(1, *(post(str(n)) for n in range(3)))
        await office.outbox.settle()
        office.answer(2, *(post(f"e{n}", edit=1001) for n in range(9)))

    office = played(tmp_path, play, limits=TELEGRAM)
    assert worst([time for time, _ in office.telegram.asked], 5.0) <= 5


def test_taking_buttons_off_counts_too(tmp_path):
    """B23: presses of a dead button cost one edit while one is on its way, at the chat's pace."""

    async def play(office):
        for message in range(8):
            for _ in range(100):
                office.outbox.strip(1, message)

    office = played(tmp_path, play, limits=TELEGRAM)
    times = [time for time, _ in office.telegram.asked]
    assert len(times) == 8
    assert worst(times, 5.0) <= 5
