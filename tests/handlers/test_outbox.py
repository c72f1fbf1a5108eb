"""The outbox: nothing is lost between work and answer, and nobody waits for somebody else."""

import asyncio
from datetime import timedelta

import pytest
from telegram.error import NetworkError, TimedOut

from handlers.edge.outbox import GIVE_UP_SECONDS, MOST_WAITING
from handlers.messages.envelope import sealed
from handlers.messages.reply import Button, Post, Reply
from memory.dialogs import Dialog
from memory.errors import StateError
from memory.inbox import Incoming
from memory.state import Outgoing, Progress, State
from tests.handlers.fake_telegram import refuse
from tests.handlers.leaping import leaping
from tests.handlers.outbox_stage import START, Office, SlowTelegram, haste, played, post

pytestmark = pytest.mark.filterwarnings("ignore:.*retry_after")


def test_the_end_of_an_update_and_its_posts_are_one_commit(tmp_path):
    """W4, B1: before anything is sent, the update is over and its posts are stored."""

    async def play(office):
        office.state.accept([Incoming(7, 1, b"{}")])
        office.answer(7, post("one"), post("two"))
        await asyncio.sleep(0.01)
        assert office.telegram.told == []
        assert office.state.waiting() == ()
        assert [row.id for row in office.state.unsent()] == ["7.0", "7.1"]

    office = played(tmp_path, play)
    assert office.telegram.texts(1) == ["one", "two"]
    assert office.state.unsent() == ()


def test_what_a_killed_program_left_is_sent_by_the_next(tmp_path):
    """B1: killed between work and answer, the answer comes with the next start, in its order."""

    async def killed():
        office = await Office(tmp_path, SlowTelegram()).open()
        office.answer(1, post("one"))
        office.answer(2, post("two"))
        await asyncio.sleep(0.01)
        office.state.close()
        return office.telegram.told

    assert leaping(killed) == []

    async def play(office):
        office.answer(3, post("three"))

    assert played(tmp_path, play).telegram.texts(1) == ["one", "two", "three"]


@pytest.mark.parametrize("body", [b"", b"\xff", b"[]", b"{}", b'{"reply":{}}', b"7"])
def test_a_row_that_cannot_be_read_stops_nothing(tmp_path, body):
    """R2: what the outbox cannot read is logged and forgotten; the rest is sent."""
    state = State(tmp_path / "state.db", synchronous="OFF")
    rows = Outgoing("1.0", 1, 1, body, 0.0), Outgoing("2.0", 1, 1, sealed(post("two")), 0.0)
    state.advance(Progress(made=rows))
    state.close()

    async def play(office):
        pass

    office = played(tmp_path, play)
    assert office.telegram.texts(1) == ["two"]
    assert office.state.unsent() == ()


def test_an_update_handled_again_stores_its_posts_once(tmp_path):
    """W4: a post's id is that of its update, so that the same update stores it once."""
    telegram = SlowTelegram(latency=5)

    async def play(office):
        office.answer(1, post("one"))
        office.answer(1, post("one"))
        await asyncio.sleep(0.1)
        assert len(office.state.unsent()) == 1

    played(tmp_path, play, telegram)


TROUBLES = {
    "502": refuse(502, "Bad Gateway"),
    "500": refuse(500, "Internal Server Error"),
    "told to wait": haste(7),
    "time-out": TimedOut(),
    "connection lost": NetworkError("ServerDisconnectedError"),
}


@pytest.mark.parametrize("trouble", TROUBLES.values(), ids=TROUBLES)
def test_trouble_in_one_chat_keeps_no_other_back(tmp_path, trouble):
    """B23: a post is tried again, in the chat's order, while the other chats go on."""
    left = [trouble] * 3
    telegram = SlowTelegram(
        trouble=lambda name, values: left.pop() if left and values.get("chat_id") == 1 else None
    )

    async def play(office):
        office.answer(1, post("one"), post("two"))
        office.answer(2, post("other", 2))

    office = played(tmp_path, play, telegram)
    assert office.telegram.texts(1) == ["one", "two"]
    times = {text: time for time, _, text in office.telegram.told}
    assert times["other"] < 1 < 3 < times["one"] < times["two"]


def test_a_wait_is_as_long_as_telegram_asks(tmp_path):
    """B23: "retry after" is obeyed to the second, for that chat."""
    left = [haste(40)]
    telegram = SlowTelegram(trouble=lambda name, values: left.pop() if left and values else None)

    async def play(office):
        office.answer(1, post("one"))

    office = played(tmp_path, play, telegram)
    first, second = [time for time, _ in office.telegram.asked]
    assert 40 <= second - first < 41


def test_a_dead_chat_is_given_up(tmp_path, caplog):
    """B23: what Telegram neither takes nor refuses ends after some hours, and the log says so."""
    telegram = SlowTelegram(
        trouble=lambda name, values: TROUBLES["502"] if values.get("chat_id") == 1 else None
    )

    async def play(office):
        office.answer(1, post("one"))
        office.answer(2, post("other", 2))

    office = played(tmp_path, play, telegram)
    assert office.loop.time() > GIVE_UP_SECONDS
    assert office.state.unsent() == ()
    assert len(office.telegram.asked) < 500
    assert caplog.records[-1].facts == {"post": "1.0", "cause": "NetworkError"}


def test_an_unfit_post_is_dropped_without_its_text(tmp_path, caplog):
    """W5: a post that Telegram will never take keeps no other back; its words are not logged."""
    unfit = refuse(400, 'Bad Request: wrong button "plumber"')
    telegram = SlowTelegram(
        trouble=lambda name, values: unfit if values.get("text") == "one" else None
    )

    async def play(office):
        office.answer(1, post("one"), post("two"))

    office = played(tmp_path, play, telegram)
    assert office.telegram.texts(1) == ["two"]
    assert "Wrong button" in caplog.records[-1].facts["cause"]
    assert "plumber" not in str(caplog.records[-1].facts)


def test_only_the_newest_look_of_a_card_is_sent(tmp_path):
    """B23: looks of one card that wait behind each other cost one edit; other posts stay."""

    async def play(office):
        office.state.open_dialog(question("d"))
        office.answer(1, post("card", dialog="d"))
        await office.outbox.settle()
        looks = [post(f"look {n}", edit=1001, dialog="d") for n in range(5)]
        office.answer(2, *looks[:3], post("other"), *looks[3:])
        await office.outbox.settle()
        assert office.state.unsent() == ()

    office = played(tmp_path, play)
    assert office.telegram.texts(1) == ["card", "look 0", "other", "look 4"]


def question(id, chat=1):
    return Dialog(id, "card", chat, 0, 0, chat, {}, "", START, START + timedelta(days=7))


def test_a_question_is_tied_to_its_message_before_it_is_answered(tmp_path):
    """D1: the chat's next update is handled when it is known which message asks."""

    async def play(office):
        office.state.open_dialog(question("d"))
        office.answer(1, post("why?", dialog="d"))
        await asyncio.sleep(0.06)
        office.pause = 0.5
        await asyncio.sleep(0.1)
        assert office.state.dialog("d").message == 0
        await office.outbox.ready(1)
        assert office.state.dialog("d").message == 1001

    played(tmp_path, play)


@pytest.mark.parametrize("answered_in", [1, 111], ids=["the same chat", "the private chat"])
def test_who_asks_faster_than_can_be_answered_waits(tmp_path, answered_in):
    """B23: with many posts on their way the chat's next update waits; at the end none does."""

    async def play(office):
        office.answer(1, *(post(str(n), answered_in) for n in range(MOST_WAITING + 5)))
        await asyncio.sleep(0.01)
        waiting = asyncio.create_task(office.outbox.ready(1))
        await asyncio.wait_for(office.outbox.ready(2), 0.001)
        await asyncio.sleep(0.01)
        assert not waiting.done()
        office.outbox.hurry()
        await asyncio.wait_for(waiting, 0.001)
        await office.outbox.settle()
        await asyncio.wait_for(office.outbox.ready(1), 0.001)

    played(tmp_path, play)


def test_one_stand_in_however_many_posts(tmp_path):
    """G2: where the bot may not write first, the group gets one line and the letters wait."""
    neutral = post("look in private", -5, answering=3)

    async def play(office):
        office.telegram.closed.add(1)
        office.answer(1, post("a", otherwise=neutral), post("b", otherwise=neutral), person=1)

    office = played(tmp_path, play)
    assert office.telegram.texts(-5) == ["look in private"]
    letters = office.state.preference(1, "undelivered")
    assert [letter["reply"]["html"] for letter in letters] == ["a", "b"]


def test_a_group_that_became_a_supergroup(tmp_path):
    """W4: the post goes to the new chat, and what was stored under the old id moves along."""
    status, body = refuse(400, "Bad Request: group chat was upgraded to a supergroup chat")
    moved = status, {**body, "parameters": {"migrate_to_chat_id": -100}}
    telegram = SlowTelegram(
        trouble=lambda name, values: moved if values.get("chat_id") == -5 else None
    )

    async def play(office):
        office.state.open_dialog(question("d", -5))
        office.state.prefer(-5, "language", "cs")
        office.answer(1, post("one", -5), post("two", -5))

    office = played(tmp_path, play, telegram)
    assert office.telegram.texts(-100) == ["one", "two"]
    assert len(office.telegram.asked) == 3
    assert office.state.dialog("d").chat == -100
    assert office.state.preference(-100, "language") == "cs"


@pytest.mark.parametrize(
    "refusal", ["TOPIC_CLOSED", "message thread not found"], ids=["closed", "gone"]
)
@pytest.mark.parametrize("general", [True, False], ids=["General is open", "General is closed"])
def test_a_topic_that_takes_no_messages(tmp_path, refusal, general):
    """G2: then General is tried, without a thread id, and after it the private chat."""

    def trouble(name, values):
        closed = values.get("chat_id") == -5 and (not general or "message_thread_id" in values)
        return refuse(400, f"Bad Request: {refusal}") if closed else None

    async def play(office):
        office.answer(1, post("one", -5, topic=7, answering=3), person=1)

    office = played(tmp_path, play, SlowTelegram(trouble=trouble))
    assert office.telegram.texts(-5 if general else 1) == ["one"]
    assert "message_thread_id" not in office.telegram.sent("sendMessage")[-1]


def test_general_has_no_thread_id(tmp_path):
    """G2: Telegram refuses the explicit number 1 of the General topic."""

    async def play(office):
        office.answer(1, post("one", -5, topic=1))

    office = played(tmp_path, play)
    assert "message_thread_id" not in office.telegram.sent("sendMessage")[-1]


def test_a_long_message_comes_in_several(tmp_path):
    """B22: each piece is a post of its own; buttons and the question are on the last."""
    lines = "\n".join(f"{n} " + "x" * 90 for n in range(100))
    reply = Reply(lines, ((Button("Apply", "d:apply"),),))

    async def play(office):
        office.state.open_dialog(question("d"))
        office.answer(1, Post(reply, 1, dialog="d"))

    office = played(tmp_path, play)
    sent = office.telegram.sent("sendMessage")
    assert "\n".join(one["text"] for one in sent) == lines
    assert ["reply_markup" in one for one in sent] == [False, False, True]
    assert office.state.dialog("d").message == 1003


class Failing(State):
    """A state whose first commits fail."""

    failures, commits = 1, ()

    def advance(self, progress):
        self.commits = (*self.commits, progress)
        if len(self.commits) <= self.failures:
            raise StateError("state.db")
        super().advance(progress)


def test_a_failed_commit(tmp_path):
    """W3, W4: who waits is answered all the same; the update is marked with the next change."""

    async def main():
        office = await Office(tmp_path, SlowTelegram()).open(Failing)
        office.state.accept([Incoming(1, 1, b"{}"), Incoming(2, 1, b"{}")])
        office.answer(1, post("one"))
        await asyncio.sleep(1)
        assert [row.update_id for row in office.state.waiting()] == [2]
        assert office.telegram.texts(1) == ["one"]
        office.answer(2, post("two"))
        await office.outbox.settle()
        return office

    office = leaping(main)
    assert office.state.waiting() == ()
    assert office.telegram.texts(1) == ["one", "two"]


class Gated(State):
    """A state whose commits are remembered."""

    commits = ()

    def advance(self, progress):
        self.commits = (*self.commits, progress.done)
        super().advance(progress)


def test_what_happens_meanwhile_is_one_commit(tmp_path):
    """W4: the first update is marked without waiting, those handled meanwhile in one commit."""

    async def main():
        office = await Office(tmp_path, SlowTelegram()).open(Gated)
        gate = asyncio.Event()

        async def run(function, *args):
            await gate.wait()
            return function(*args)

        object.__setattr__(office.services, "run", run)
        office.outbox.done(1)
        await asyncio.sleep(0.01)
        office.outbox.done(2)
        office.outbox.done(3)
        gate.set()
        await office.outbox.settle()
        return office.state.commits

    assert leaping(main) == ((1,), (2, 3))


def test_an_urgent_post_goes_before_those_that_wait(tmp_path):
    """B23: that messages were not taken is told before the answers to those that were."""

    async def play(office):
        office.answer(1, *map(post, ("one", "two", "three")))
        await office.outbox.stored()
        office.outbox.put((post("busy"),), person=1, urgent=True)
        await office.outbox.stored()

    told = played(tmp_path, play).telegram.texts(1)
    assert sorted(told) == ["busy", "one", "three", "two"]
    assert told.index("busy") == 1


def test_posts_that_are_committed_with_what_they_tell_of(tmp_path):
    """B1: such posts are sent when their commit was made, and not at all when it was not."""

    async def play(office):
        def store(rows):
            office.state.advance(Progress(made=tuple(rows)))
            return True

        await office.outbox.commit((post("told"),), 1, store)
        await office.outbox.commit((post("not told"),), 1, lambda rows: False)

    office = played(tmp_path, play)
    assert office.telegram.texts(1) == ["told"]
    assert office.state.unsent() == ()
