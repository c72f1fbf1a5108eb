"""A chat is told what was not taken: once a minute, never a stranger, and after a restart too."""

import asyncio

from bot.feed import Arrival
from bot.refusals import Refusals


class Hour:
    """Time that passes only when it is let: sleepers wake in order."""

    def __init__(self):
        self.now, self.sleepers = 0.0, []

    async def sleep(self, seconds):
        event = asyncio.Event()
        self.sleepers.append((self.now + seconds, event))
        await event.wait()

    async def pass_(self, seconds):
        self.now += seconds
        for due, event in self.sleepers:
            if due <= self.now:
                event.set()
        for _ in range(5):
            await asyncio.sleep(0)


class Chats:
    """What was told in which chat; only person 111 is known."""

    def __init__(self):
        self.hour, self.told = Hour(), []
        self.refusals = Refusals(self._tell, lambda person: person == 111, self.hour.sleep)

    async def _tell(self, chat, refused):
        self.told.append((chat, refused.count, refused.person, refused.language))

    async def refuse(self, count, chat=111, person=111):
        for _ in range(count):
            sent = {"from": {"id": person, "language_code": "cs"}}
            self.refusals.put(Arrival(1, chat, {"message": sent}))
        await self.hour.pass_(0)


async def test_one_message_a_minute():
    """B23: a flood is answered by one message a minute that says how many were not taken."""
    chats = Chats()
    await chats.refuse(40)
    assert chats.told == []
    await chats.hour.pass_(3)
    await chats.refuse(500)
    await chats.hour.pass_(30)
    assert chats.told == [(111, 40, 111, "cs")]
    await chats.hour.pass_(31)
    await chats.hour.pass_(61)
    assert chats.told == [(111, 40, 111, "cs"), (111, 500, 111, "cs")]


async def test_a_quiet_chat_is_forgotten():
    """B23: nothing is kept of a chat that was told everything; a later flood is told anew."""
    chats = Chats()
    await chats.refuse(1)
    await chats.hour.pass_(3)
    await chats.hour.pass_(61)
    await chats.refuse(1)
    await chats.hour.pass_(3)
    assert len(chats.told) == 2


async def test_strangers_are_told_nothing():
    """G1: a stranger's flood is only counted; a known person among strangers is told."""
    chats = Chats()
    await chats.refuse(3, chat=999, person=999)
    await chats.refuse(1, chat=-5, person=111)
    await chats.refuse(3, chat=-5, person=999)
    await chats.hour.pass_(3)
    assert chats.told == [(999, 3, 0, ""), (-5, 4, 111, "cs")]


async def test_a_restart_goes_on():
    """B23: what a process that ended had not told yet is told by the next one."""
    chats = Chats()
    chats.refusals.restore({111: 7, 999: 2, -5: 1})
    await chats.hour.pass_(0)
    await chats.hour.pass_(3)
    assert chats.told == [(111, 7, 111, ""), (999, 2, 0, ""), (-5, 1, -5, "")]
