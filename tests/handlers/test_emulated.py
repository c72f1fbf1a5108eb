"""The outbox against the demo's Telegram: what it refuses, and what its limits are."""

import asyncio
import random

import pytest

from demo.clock import Clock
from demo.emulator import Emulator
from demo.world import Chat, Counter, Person, Status, Topic
from handlers.edge.pace import TELEGRAM
from tests.handlers.emulated_telegram import InProcess
from tests.handlers.leaping import leaping
from tests.handlers.outbox_stage import Office, post

ALICE, FORUM, OPEN, CLOSED = 111, -1009, 5, 6


def played(folder, play, limits=None):
    """Play in an emulated Telegram with Alice and a forum, and give it when all is sent."""

    async def main():
        clock = Clock(asyncio.get_running_loop().time)
        emulator = Emulator("42:TEST", clock, random.Random(1))
        emulator.world.add_person(Person(ALICE, "Alice", "alice", "en"))
        topics = {OPEN: Topic(OPEN, "open"), CLOSED: Topic(CLOSED, "closed", closed=True)}
        members = {ALICE: Status.MEMBER}
        forum = Chat(FORUM, "supergroup", "F", Counter(), members, forum=True, topics=topics)
        emulator.world.add_group(forum)
        telegram = InProcess(emulator)
        office = await Office(folder, telegram, limits).open()
        await play(office, emulator)
        await office.outbox.settle()
        return telegram

    return leaping(main)


@pytest.mark.parametrize(
    ("topic", "shown_in", "refused"),
    [(OPEN, OPEN, 0), (CLOSED, 0, 1), (99, 0, 1), (1, 0, 0), (0, 0, 0)],
    ids=["open", "closed", "unknown", "General by its number", "General"],
)
def test_topics(tmp_path, topic, shown_in, refused):
    """G2: an answer stands in the topic of the question; where that takes none, in General."""

    async def play(office, emulator):
        office.answer(1, post("one", FORUM, topic=topic))

    telegram = played(tmp_path, play)
    (message,) = telegram.emulator.world.chats[FORUM].messages.values()
    assert (message.topic, message.data["text"]) == (shown_in, "one")
    assert len(telegram.refused) == refused


def test_a_group_that_was_upgraded(tmp_path):
    """W4: the old id is refused once; then everything goes to the new one."""

    async def play(office, emulator):
        old = emulator.world.add_group(Chat(-5, "group", "G", Counter(), {ALICE: Status.MEMBER}))
        old.migrated_to = FORUM
        office.answer(1, post("one", -5), post("two", -5))

    telegram = played(tmp_path, play)
    assert telegram.shown(FORUM) == ["one", "two"]
    assert len(telegram.refused) == 1


def test_who_has_blocked_the_bot(tmp_path):
    """G2: the group gets the line that stands in for the answer, once."""

    async def play(office, emulator):
        emulator.world.people[ALICE].blocked = True
        neutral = post("look in private", FORUM)
        office.answer(1, *(post(text, ALICE, otherwise=neutral) for text in "ab"), person=ALICE)

    assert played(tmp_path, play).shown(FORUM) == ["look in private"]


@pytest.mark.parametrize(("chat", "count"), [(ALICE, 30), (FORUM, 50)], ids=["chat", "group"])
def test_the_emulators_limits_are_never_met(tmp_path, chat, count):
    """B23: a server that counts as Telegram does has nothing to refuse."""

    async def play(office, emulator):
        emulator.limits.on = True
        office.answer(1, *(post(str(n), chat) for n in range(count)))

    telegram = played(tmp_path, play, TELEGRAM)
    assert telegram.shown(chat) == [str(n) for n in range(count)]
    assert telegram.refused == []
