"""Order within a chat, side by side across chats."""

import asyncio

from bot.lanes import Lanes
from memory.inbox import Incoming


async def test_order_within_a_chat_and_none_across():
    """W4: one chat's updates are handled one after the other, another chat does not wait."""
    log: list[str] = []
    gate = asyncio.Event()

    async def work(row: Incoming) -> None:
        if row.update_id == 1:
            await gate.wait()
        log.append(f"{row.queue}:{row.update_id}")

    lanes = Lanes(work, parallel=2)
    for number, chat in ((1, 10), (2, 10), (3, 20)):
        lanes.put(Incoming(number, chat, b""))
    await asyncio.sleep(0.01)
    assert log == ["20:3"]
    gate.set()
    await lanes.settle()
    assert log == ["20:3", "10:1", "10:2"]


async def test_no_more_at_once_than_places():
    """W4: however many chats speak, only as many as there are places are served at once."""
    now, most = 0, 0

    async def work(_row: Incoming) -> None:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.001)
        now -= 1

    lanes = Lanes(work, parallel=3)
    for chat in range(20):
        lanes.put(Incoming(chat + 1, chat, b""))
    await lanes.settle()
    assert most == 3


async def test_room_among_all_chats():
    """B23: whoever brings more waits until less waits, or until patience ends."""
    gate = asyncio.Event()

    async def work(_row: Incoming) -> None:
        await gate.wait()

    lanes = Lanes(work, parallel=3)
    lanes.put(Incoming(1, 10, b""))
    lanes.put(Incoming(2, 10, b""))
    await lanes.room(lambda: lanes.waiting < 2, patience=0.01)
    assert (lanes.waiting, lanes.depth(10), lanes.depth(20)) == (2, 2, 0)
    waiting = asyncio.create_task(lanes.room(lambda: lanes.waiting < 2))
    await asyncio.sleep(0.01)
    assert not waiting.done()
    gate.set()
    await waiting
    await lanes.settle()
    assert (lanes.waiting, lanes.depth(10)) == (0, 0)


async def test_a_chat_that_has_to_wait_takes_no_place():
    """B23: chats whose answers pile up do not keep the others from being served."""
    gate, done = asyncio.Event(), []

    async def ready(chat: int) -> None:
        if chat < 10:
            await gate.wait()

    async def work(row: Incoming) -> None:
        done.append(row.update_id)

    lanes = Lanes(work, parallel=1, ready=ready)
    for number in range(5):
        lanes.put(Incoming(number + 1, number, b""))
    lanes.put(Incoming(9, 10, b""))
    await asyncio.sleep(0.01)
    assert done == [9]
    gate.set()
    await lanes.settle()
    assert done == [9, 1, 2, 3, 4, 5]
