"""The update loop: nothing is forgotten by Telegram before it is in the inbox."""

import asyncio
import json

import pytest
from telegram.error import NetworkError

from bot.feed import FeedError, incoming
from bot.polling import Poller, TokenRefusedError


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


async def polled(feed, seen=frozenset()):
    """What was accepted, handed on and waited for until the feed ran dry."""
    accepted, put, waits = [], [], []

    async def accept(rows):
        accepted.append([row.update_id for row in rows])
        return [row.update_id for row in rows if row.update_id not in seen]

    async def sleep(seconds):
        waits.append(seconds)

    poller = Poller(feed, lambda u: incoming(u, str), accept, put.append, sleep)
    task = asyncio.create_task(poller.run())
    for _ in range(50):
        await asyncio.sleep(0)
    if task.done():
        task.result()
    task.cancel()
    return accepted, [row.update_id for row in put], waits


async def test_the_offset_moves_after_the_commit():
    """W4: a batch is committed, then handed on, and only the next poll confirms it."""
    feed = Feed([message(10), message(12)], [message(13)])
    accepted, put, _ = await polled(feed)
    assert accepted == [[10, 12], [13]]
    assert put == [10, 12, 13]
    assert feed.offsets == [0, 13, 14]


async def test_a_commit_that_fails_confirms_nothing():
    """W4: when the inbox cannot be written, the offset stays where it was."""
    feed = Feed([message(10)])

    async def accept(_rows):
        raise OSError

    poller = Poller(feed, lambda u: incoming(u, str), accept, print)
    with pytest.raises(OSError):
        await poller.run()
    assert feed.offsets == [0]


async def test_a_replayed_update_is_not_handed_on():
    """W4: what was seen before is confirmed again and does nothing."""
    _, put, _ = await polled(Feed([message(10), message(11)]), seen={10})
    assert put == [11]


async def test_ids_that_jump_down_are_confirmed_by_the_batch():
    """W4: ids are a set and no watermark; the offset follows the batch, also downwards."""
    feed = Feed([message(900)], [message(5)])
    _, put, _ = await polled(feed)
    assert put == [900, 5]
    assert feed.offsets == [0, 901, 6]


async def test_a_refused_token_ends_the_loop():
    """R2: 401 three times in a row raises; a single one does not."""
    with pytest.raises(TokenRefusedError):
        await polled(Feed(*[FeedError(401)] * 3))
    _, put, waits = await polled(Feed(FeedError(401), FeedError(401), [message(1)]))
    assert put == [1] and len(waits) == 2


async def test_waits_grow_and_obey_the_server():
    """R2: failures are retried with growing pauses; retry_after is obeyed as told."""
    feed = Feed(NetworkError("x"), FeedError(502), FeedError(429, 17), [message(1)])
    _, put, waits = await polled(feed)
    assert put == [1]
    assert waits[0] < waits[1] and waits[2] == 17


def test_rows_hold_no_secret():
    """W6: the text is blanked wherever it stands before a row exists; the rest is untouched."""
    update = message(3, "PIN 7391", chat=-5)
    update["message"]["reply_to_message"] = {"caption": "PIN 7391", "chat": {"id": 1}}
    (row,) = incoming([update], lambda text: text.replace("7391", "████"))
    assert (row.update_id, row.queue) == (3, -5)
    assert b"7391" not in row.body
    stored = json.loads(row.body)["message"]
    assert stored["text"] == stored["reply_to_message"]["caption"] == "PIN ████"


@pytest.mark.parametrize("number", ["12", -1, 0, None, True, 1.5], ids=str)
def test_ids_that_are_none(number):
    """R2: an update whose id is no positive whole number is left out, not fatal."""
    assert list(incoming([{"update_id": number, "message": {}}], str)) == []


@pytest.mark.parametrize(
    ("content", "queue"),
    [
        ({"message": {"chat": {"id": -5}}}, -5),
        ({"callback_query": {"from": {"id": 4}, "message": {"chat": {"id": 9}}}}, 9),
        ({"callback_query": {"from": {"id": 4}}}, 0),
        ({"poll": {"id": "1"}}, 0),
        ({}, 0),
    ],
    ids=["message", "press", "press without a message", "poll", "nothing"],
)
def test_the_queue_is_the_chat(content, queue):
    """W4: order is kept per chat; updates without one share a queue."""
    (row,) = incoming([{"update_id": 1, **content}], str)
    assert row.queue == queue
