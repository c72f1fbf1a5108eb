"""Sections "getUpdates" and "409" of the Bot API."""

import asyncio
import time

import pytest


async def ids(side, **params):
    """Update ids that getUpdates gives."""
    return [update["update_id"] for update in await side.ok("getUpdates", **params)]


async def five(side):
    """Five messages of Alice; the id of the first update."""
    for number in range(5):
        await side.say(f"m{number}")
    return side.pending()[0]["update_id"]


async def test_first_id_is_large_then_counts_up(telegram):
    """getUpdates: the first update_id is random and large, then +1."""
    first = await five(telegram)
    assert first > 1_000_000
    assert [u["update_id"] for u in telegram.pending()] == list(range(first, first + 5))


@pytest.mark.parametrize(
    ("offset", "expected"),
    [
        pytest.param(0, [0, 1, 2, 3, 4], id="absent-from-the-oldest"),
        pytest.param(2, [2, 3, 4], id="positive-forgets-below"),
        pytest.param(-2, [3, 4], id="negative-keeps-the-last"),
        pytest.param(-9, [0, 1, 2, 3, 4], id="negative-beyond-all"),
        pytest.param(99, [0, 1, 2, 3, 4], id="far-beyond-the-tail-from-the-oldest"),
    ],
)
async def test_offset(telegram, offset, expected):
    """getUpdates: what an offset gives and forgets."""
    first = await five(telegram)
    wanted = offset + first if offset > 0 else offset
    assert [n - first for n in await ids(telegram, offset=wanted)] == expected
    assert [u["update_id"] - first for u in telegram.pending()] == expected


async def test_unconfirmed_updates_come_again(telegram):
    """getUpdates: without a new offset the same updates come again."""
    await five(telegram)
    first = await ids(telegram)
    await asyncio.sleep(0.55)
    assert await ids(telegram) == first


@pytest.mark.parametrize(("limit", "count"), [(1, 1), (3, 3), (0, 1), (-4, 1), (1000, 100)])
async def test_limit_is_clamped(telegram, limit, count):
    """getUpdates: limit is 1 to 100."""
    for number in range(101):
        telegram.emulator.tell("message", {"n": number}, telegram.emulator.world.chats[111])
    assert len(await ids(telegram, limit=limit)) == count


async def test_held_poll_wakes_with_the_first_update(telegram):
    """getUpdates: a held poll answers within milliseconds of the first update."""
    poll = asyncio.create_task(ids(telegram, timeout=20))
    await asyncio.sleep(0.1)
    begun = time.perf_counter()
    await telegram.say("now")
    assert len(await poll) == 1
    assert time.perf_counter() - begun < 0.5


async def test_poll_ends_empty_after_its_timeout(telegram):
    """getUpdates: nothing came, so the list is empty when the timeout is over."""
    begun = time.perf_counter()
    assert await ids(telegram, timeout=1) == []
    assert 0.9 < time.perf_counter() - begun < 2


async def test_hot_loop_is_slowed(telegram):
    """getUpdates: the same offset within 3 s waits 3 s, and within 0.5 s gives one update."""
    assert await ids(telegram, offset=5) == []
    begun = time.perf_counter()
    poll = asyncio.create_task(ids(telegram, offset=5))
    await asyncio.sleep(0.7)
    assert not poll.done()
    await five(telegram)
    assert len(await poll) == 1
    assert time.perf_counter() - begun < 3


async def test_same_offset_quickly_gives_one(telegram):
    """getUpdates: asking again at once for what was not confirmed gives one update only."""
    await five(telegram)
    assert [len(await ids(telegram)), len(await ids(telegram))] == [5, 1]


@pytest.mark.parametrize(
    ("seconds", "kinds"),
    [
        (149, ["message", "callback_query"]),
        (151, ["message"]),
        (24 * 3600 - 5, ["message"]),
        (24 * 3600 + 1, []),
    ],
)
async def test_lifetimes(telegram, seconds, kinds):
    """getUpdates: messages live 24 h, callbacks 150 s."""
    message = await telegram.send()
    await telegram.say("hello")
    await telegram.tap(message["message_id"])
    await telegram.people("clock", advance=seconds)
    found = [kind for update in telegram.pending() for kind in update if kind != "update_id"]
    assert found == kinds


async def test_allowed_updates_are_remembered_and_filter_at_creation(telegram):
    """getUpdates: a kind that was not allowed when it happened never comes later."""
    await ids(telegram, allowed_updates=["callback_query"])
    await telegram.say("unseen")
    await ids(telegram, offset=1, allowed_updates=["message"])
    await telegram.say("seen")
    assert [u["message"]["text"] for u in telegram.pending()] == ["seen"]


async def test_default_kinds(telegram):
    """getUpdates: chat_member and reactions only on demand; an empty list means the default."""
    allowed = telegram.emulator.updates
    await ids(telegram, allowed_updates=["message_reaction"])
    assert allowed.allowed == {"message_reaction"}
    await ids(telegram, offset=1, allowed_updates=[])
    assert {"message", "my_chat_member"} <= allowed.allowed
    assert not allowed.allowed & {"chat_member", "message_reaction", "message_reaction_count"}


async def test_second_poll_ends_the_first(telegram):
    """409: the older held poll dies, and a second conflict within 3 s comes 3 s late."""
    first = asyncio.create_task(telegram.call("getUpdates", timeout=9))
    await asyncio.sleep(0.1)
    second = asyncio.create_task(telegram.call("getUpdates", timeout=9, offset=3))
    reply = await first
    assert (reply["error_code"], reply["description"]) == (
        409,
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance"
        " is running",
    )
    begun = time.perf_counter()
    third = asyncio.create_task(telegram.call("getUpdates", timeout=9, offset=4))
    assert (await second)["error_code"] == 409
    assert time.perf_counter() - begun > 2.9
    await telegram.say("end")
    assert (await third)["ok"]


async def test_polling_beside_a_webhook(telegram):
    """409: getUpdates is refused while a webhook is set, and setWebhook ends a held poll."""
    held = asyncio.create_task(telegram.call("getUpdates", timeout=9))
    await asyncio.sleep(0.1)
    await telegram.ok("setWebhook", url="http://127.0.0.1:9/hook")
    assert (await held)["description"] == "Conflict: terminated by setWebhook request"
    telegram.emulator.poller._conflict = float("-inf")
    refusal = await telegram.refused("getUpdates")
    assert refusal == (
        "409 Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to"
        " delete the webhook first"
    )
