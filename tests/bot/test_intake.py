"""The way in: shared commits, bounds, and nothing acknowledged before it is stored."""

import asyncio

import pytest

from bot.feed import Arrival
from bot.intake import Bounds, Intake
from bot.lanes import Lanes
from memory.errors import StateError
from memory.inbox import NOT_TAKEN, Incoming


class Disk:
    """Commits that wait until they are let go, and a set of seen ids."""

    def __init__(self):
        self.commits, self.gate, self.seen, self.fails = [], asyncio.Event(), set(), False

    async def store(self, group):
        self.commits.append([each.update_id for each in group])
        await self.gate.wait()
        if self.fails:
            raise StateError("state.db")
        new = [each for each in group if each.update_id not in self.seen]
        self.seen |= {each.update_id for each in new}
        return [
            each if isinstance(each, Incoming) else Incoming(each.update_id, each.queue, b"x")
            for each in new
        ]


class Room:
    """An intake over lanes that do what they are let; notes what was done and refused."""

    def __init__(self, chat=5, total=100, patience=0.0):
        self.disk, self.steps = Disk(), asyncio.Semaphore(0)
        self.done, self.refused = [], []
        self.lanes = Lanes(self._handle, 8)
        self.patience = patience
        self.intake = Intake(
            self.disk.store,
            self.lanes,
            Bounds(chat, total),
            lambda arrival: self.refused.append(arrival.update_id),
        )

    async def _handle(self, row):
        await self.steps.acquire()
        self.done.append(row.update_id)

    def let(self, count):
        for _ in range(count):
            self.steps.release()

    def take(self, *numbers, chat=7):
        arrivals = [Arrival(n, chat, {}) for n in numbers]
        return asyncio.create_task(self.intake.take(arrivals, self.patience))


async def settled():
    for _ in range(10):
        await asyncio.sleep(0)


async def test_those_who_come_meanwhile_share_the_next_commit():
    """B1: the first commits at once, all that arrive while it runs wait for one more."""
    room = Room()
    tasks = [room.take(1)]
    await settled()
    tasks += [room.take(2), room.take(3)]
    await settled()
    assert room.disk.commits == [[1]]
    room.disk.gate.set()
    await asyncio.gather(*tasks)
    assert room.disk.commits == [[1], [2, 3]]


async def test_nothing_is_acknowledged_before_the_commit():
    """B1: `take` comes back, and the lanes see the update, only after the commit."""
    room = Room()
    task = room.take(1)
    await settled()
    assert not task.done() and room.lanes.waiting == 0
    room.disk.gate.set()
    await task
    assert room.lanes.waiting == 1


async def test_a_failed_commit_fails_for_everybody_in_it():
    """B1: nobody of a group whose commit failed is acknowledged, and the next one works."""
    room = Room()
    room.disk.fails = True
    room.disk.gate.set()
    with pytest.raises(StateError):
        await room.take(1)
    room.disk.fails = False
    await room.take(1)
    assert room.lanes.waiting == 1


async def test_what_is_over_a_chats_bound_is_only_marked():
    """B23: no more than so many updates of one chat wait; another chat is not concerned."""
    room = Room(chat=2)
    room.disk.gate.set()
    await room.take(1, 2, 3, 4)
    await room.take(5, chat=8)
    assert room.refused == [3, 4]
    assert (room.lanes.depth(7), room.lanes.depth(8)) == (2, 1)
    room.let(100)
    await room.lanes.settle()
    await room.take(6)
    await room.lanes.settle()
    assert sorted(room.done) == [1, 2, 5, 6]


async def test_a_replayed_update_is_not_refused_again():
    """W4, B23: what was not taken is counted once, however often it comes."""
    room = Room(chat=1)
    room.disk.gate.set()
    await room.take(1, 2)
    await room.take(2)
    assert room.refused == [2]


async def test_all_chats_together_are_bounded():
    """B23: when too much waits in all, an arrival waits for room and is then turned away."""
    room = Room(total=3)
    room.disk.gate.set()
    for number in range(1, 6):
        await room.take(number, chat=number)
    assert room.refused == [4, 5]


async def test_room_is_waited_for():
    """B23: an arrival is taken as soon as there is room, within its patience."""
    room = Room(total=1, patience=5.0)
    room.disk.gate.set()
    await room.take(1)
    second = room.take(2, chat=8)
    await settled()
    assert not second.done()
    room.let(100)
    await second
    await room.lanes.settle()
    assert room.refused == [] and room.done == [1, 2]


async def test_room_is_waited_for_by_each_on_its_own():
    """B23: room for one lets one in: neither the others that wait nor a whole batch."""
    room = Room(chat=9, total=3, patience=None)
    room.disk.gate.set()
    await room.take(1, 2, 3)
    tasks = [room.take(4, 5), room.take(6, chat=8), room.take(7, chat=9)]
    await settled()
    room.let(1)
    await settled()
    assert room.disk.commits == [[1, 2, 3], [6]]
    room.let(100)
    await asyncio.gather(*tasks)
    await room.lanes.settle()
    assert room.refused == [] and sorted(room.done) == [1, 2, 3, 4, 5, 6, 7]


async def test_a_batch_larger_than_all_the_room_does_not_wait_for_ever():
    """B23: what can never fit is let in when nothing waits, and the rest is turned away."""
    room = Room(chat=9, total=2, patience=None)
    room.disk.gate.set()
    await room.take(1, 2, 3)
    assert room.refused == [3]


async def test_a_body_marks_what_was_not_taken():
    """B23: of an update over the bound nothing is stored but its id."""
    room = Room(chat=1)
    stored = []

    async def store(group):
        stored.extend(group)
        return ()

    intake = Intake(store, room.lanes, Bounds(0, 10), print)
    await intake.take([Arrival(1, 7, {"message": {"text": "long"}})])
    assert stored == [Incoming(1, 7, NOT_TAKEN)]
