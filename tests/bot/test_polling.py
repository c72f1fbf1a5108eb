"""The update loop: nothing is forgotten by Telegram before it is in the inbox."""

import asyncio
import logging

import pytest
from telegram.error import NetworkError

from bot.feed import FeedError
from bot.polling import Poller, TokenRefusedError
from memory.errors import StateError


class Feed:
    """Answers polls from a list; what is an exception is raised; then waits for ever."""

    def __init__(self, *answers):
        self.answers, self.offsets = list(answers), []

    async def poll(self, offset):
        self.offsets.append(offset)
        if not self.answers:
            await asyncio.Event().wait()
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def message(number, text="hi", chat=7):
    """An update as it comes."""
    return {"update_id": number, "message": {"text": text, "chat": {"id": chat}}}


async def polled(feed, clock=lambda: 0.0, fail=()):
    """What was taken in, and the pauses, until the feed ran dry; ``fail`` are failing commits."""
    taken, waits, failures = [], [], list(fail)

    async def take(arrivals):
        if failures:
            raise failures.pop(0)
        taken.append([each.update_id for each in arrivals])

    async def sleep(seconds):
        waits.append(seconds)

    task = asyncio.create_task(Poller(feed, take, sleep, clock).run())
    for _ in range(50):
        await asyncio.sleep(0)
    if task.done():
        task.result()
    task.cancel()
    return taken, waits


async def test_the_offset_moves_after_the_commit():
    """W4: a batch is committed, and only the next poll confirms it."""
    feed = Feed([message(10), message(12)], [message(13)])
    taken, _ = await polled(feed)
    assert taken == [[10, 12], [13]]
    assert feed.offsets == [0, 13, 14]


async def test_a_commit_that_fails_confirms_nothing():
    """W4: when the inbox cannot be written, the same updates are asked for again."""
    feed = Feed([message(10)], [message(10)])
    taken, waits = await polled(feed, fail=[StateError("state.db")])
    assert feed.offsets == [0, 0, 11]
    assert taken == [[10]] and len(waits) == 1


async def test_ids_that_jump_down_are_confirmed_by_the_batch():
    """W4: ids are a set and no watermark; the offset follows the batch, also downwards."""
    feed = Feed([message(900)], [message(901), message(5)], [message(6)])
    taken, _ = await polled(feed)
    assert taken == [[900], [901, 5], [6]]
    assert feed.offsets == [0, 901, 6, 7]


async def test_an_update_without_an_id_is_stepped_over():
    """R2: what carries no id is not taken in and does not come back for ever."""
    feed = Feed([{"message": {}}], [message(3), {"update_id": "4"}])
    taken, _ = await polled(feed)
    assert taken == [[3]]
    assert feed.offsets == [0, 1, 4]


async def test_a_refused_token_ends_the_loop():
    """R2: 401 three times in a row raises; a single one does not."""
    with pytest.raises(TokenRefusedError):
        await polled(Feed(*[FeedError(401)] * 3))
    taken, waits = await polled(Feed(FeedError(401), FeedError(401), [message(1)]))
    assert taken == [[1]] and len(waits) == 2


async def test_waits_grow_and_obey_the_server():
    """R2: failures are retried with growing pauses; retry_after is obeyed as told."""
    feed = Feed(NetworkError("x"), FeedError(502), FeedError(429, 17), [message(1)])
    taken, waits = await polled(feed)
    assert taken == [[1]]
    assert waits[0] < waits[1] and waits[2] == 17


@pytest.mark.parametrize(
    ("times", "levels"),
    [
        ([0], [logging.WARNING]),
        ([0, 30, 59], [logging.WARNING]),
        ([0, 30, 61, 90, 500], [logging.WARNING, logging.ERROR]),
        ([0, 30, None, 70, 100], [logging.WARNING, logging.WARNING]),
    ],
    ids=["once", "short", "lasting", "twice, short"],
)
async def test_a_second_poller_is_told_once_and_alarmed_when_it_stays(caplog, times, levels):
    """R8: 409 is logged once, and as an error only when it lasts longer than a minute."""
    clock = iter([time for time in times if time is not None])
    answers = [[] if time is None else FeedError(409) for time in times]
    await polled(Feed(*answers), clock=lambda: next(clock))
    assert [record.levelno for record in caplog.records] == levels
