"""Reminders in the chat: the card, the list, and the moment itself (T9, T3, R7)."""

from datetime import UTC, datetime, timedelta

import pytest

from curation.rules import Rules
from handlers import choices
from handlers.choices import Quiet
from handlers.context import Policy
from memory.reminders import MOST_OPEN, Reminder
from tests.handlers.handlers_stage import ALICE, GROUP, NOON, PETR, Stage


@pytest.fixture
async def real(tmp_path, languages):
    """A bot with the engine that ships; Alice lives in Prague, where it is 14:30."""
    stage = await Stage(tmp_path, Rules(languages), languages).open()
    choices.set_zone(stage.state, ALICE["id"], "Europe/Prague")
    yield stage
    await stage.close()


def told(stage, by=ALICE):
    """What the bot wrote to somebody by itself: texts with a clock before them."""
    chat = by["id"]
    sent = [m for m in stage.telegram.sent("sendMessage") if m["chat_id"] == chat]
    return [m["text"] for m in sent if m["text"].startswith("⏰")]


async def reminded(stage, text, by=ALICE, button="Remind me"):
    """A reminder that is made."""
    await stage.say(text, by=by)
    await stage.press(button, by=by)


async def test_the_english_card(real):
    """T9: the card shows the matter and the time written out, in the person's zone."""
    await real.say("remind me tomorrow at 9 to call mum")
    assert real.text == "Shall I remind you?\nTuesday, 5 May 2026, 9:00\ncall mum"
    assert real.labels == ["Remind me", "Change the time", "Keep it instead", "Cancel"]
    await real.press("Remind me")
    assert real.text == "I will remind you: Tuesday, 5 May 2026, 9:00\ncall mum"
    (made,) = real.state.reminders.waiting(ALICE["id"])
    assert made.due == datetime(2026, 5, 5, 7, tzinfo=UTC)
    assert made.zone == "Europe/Prague"
    assert real.file() is None


async def test_the_czech_card(real):
    """T9, L1: the same in Czech."""
    await reminded(real, "připomeň mi zítra v 9 zavolat mámě", PETR, "Připomenout")
    assert real.text == "Připomenu: úterý 5. května 2026, 9:00\nzavolat mámě"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("remind me to water the plants", "water the plants\n\nWhen shall I remind you?"),
        ("remind me today at 8 to run", "run\n\nThat time has passed. When shall I remind you?"),
        ("remind me on 1 May 9999 to sing", "sing\n\nThat is too far ahead"),
        ("remind me on 31 February to sing", "sing\n\nThere is no such day. When shall I"),
        ("remind me every Monday to sing", "sing\n\nI cannot repeat reminders"),
        ("/remind", "What shall I remind you of?"),
    ],
)
async def test_what_is_missing_is_asked_for(real, text, answer):
    """T9: without a usable time nothing is made; the next message is the answer."""
    await real.say(text)
    assert real.text.startswith(answer)
    assert "Remind me" not in real.labels
    assert real.state.reminders.waiting(ALICE["id"]) == ()


async def test_the_answer_completes_the_card(real):
    """T9: matter first, then the time, each by the next message, also with a detour."""
    await real.say("/remind")
    await real.say("water the plants")
    assert real.text == "water the plants\n\nWhen shall I remind you?"
    await real.say("hm")
    assert real.text == "water the plants\n\nWhen shall I remind you?"
    await real.say("on Sunday at 8")
    await real.say("ok")
    assert real.text == "I will remind you: Sunday, 10 May 2026, 8:00\nwater the plants"


async def test_a_second_wish_is_no_answer(real):
    """T9, D2: a wish of its own is not taken for the time that another one lacks."""
    await real.say("připomeň mi popřát babičce", by=PETR)
    await real.say("upozorni mě zítra ráno na odpadky", by=PETR)
    assert real.text.endswith("úterý 5. května 2026, 8:00 (hodina v tom nebyla)\nna odpadky")
    await real.say("/pending", by=PETR)
    assert "popřát babičce" in real.text


async def test_what_the_answer_says_beside_the_time(real):
    """T9, W3: words that are no part of the time are not lost in silence."""
    await real.say("remind me to water the plants")
    await real.say("tomorrow at 9 take the bins out")
    assert real.text.endswith("From your answer I take the time only, not: “take the bins out”")
    await real.press("Change the time")
    await real.say("ok, at 10")
    assert real.text == "Shall I remind you?\nTuesday, 5 May 2026, 10:00\nwater the plants"
    await real.press("Remind me")
    await real.say("/reminders")
    await real.press("Move 1")
    await real.say("at 11 and buy bread")
    assert real.text.endswith(
        "water the plants\n\nFrom your answer I take the time only, not: “and buy bread”"
    )


async def test_another_time(real):
    """T9: a time alone stays on the day; the old card takes the answer."""
    await real.say("remind me on Friday to send the invoice")
    assert "(you gave no hour)" in real.text
    await real.press("Change the time")
    await real.say("what?")
    assert real.text.startswith("I did not find a time in that.")
    await real.say("18:30")
    assert real.text == "Shall I remind you?\nFriday, 8 May 2026, 18:30\nsend the invoice"


async def test_kept_instead(real):
    """T9: what was no reminder is kept on a button."""
    await real.say("remind me in 2 days that Honza moved to Brno")
    await real.press("Keep it instead")
    assert real.file() == "- Honza moved to Brno\n"
    assert real.state.reminders.waiting(ALICE["id"]) == ()


@pytest.mark.parametrize(
    "text", ["remind me that I have the dentist on 5 June at 14:00, tomorrow", "remind me to rest"]
)
async def test_kept_instead_is_guarded(real, text):
    """W6, T3: what may not be kept is not kept on this way either; the rest stays as typed."""
    await real.say(text)
    await real.press("Keep it instead")
    assert (real.file() or "").strip() in ("", "- rest")


async def test_an_appointment(real):
    """T3: it is not kept, nor can it be; a reminder of it is offered, with its day in the text."""
    await real.say("keep dentist on 5 June at 14:00")
    assert real.text.startswith("That belongs in your calendar, so I did not keep it.")
    assert real.labels == ["Remind me", "Change the time", "Cancel"]
    message, data = real.data("Remind me")
    await real.press_data(data.replace("remind", "save"), message=message)
    assert real.file() is None
    await real.press_data(data, message=message)
    assert real.text.endswith("Friday, 5 June 2026, 14:00\ndentist on 5 June at 14:00")
    assert real.file() is None


async def test_a_reminder_among_other_parts(real):
    """T9: one row a part; the fact is kept, the reminder waits for its button."""
    await real.say("remind me on Friday to send the invoice and Honza is allergic to peanuts")
    assert "2. Kept: Honza" in real.text
    await real.press("1 · Remind me")
    assert real.text.startswith("1. I will remind you: Friday, 8 May 2026, 9:00")
    assert real.file().count("\n") == 1


@pytest.mark.parametrize(
    "text",
    ["remind me my password is hunter2secret99", "/remind tomorrow take 20 mg of Xanax"],
)
async def test_refused(real, text):
    """W6: a secret or a dose is no reminder either."""
    await real.say(text)
    assert real.labels == []
    assert real.state.dialogs_of(ALICE["id"]) == ()


async def test_a_secret_as_the_answer(real):
    """W6: nor when it comes as the answer to a question."""
    await real.say("/remind")
    await real.say("my password is hunter2secret99")
    assert real.text.startswith("That looks like a secret")
    (card,) = real.state.dialogs_of(ALICE["id"])
    assert "hunter2" not in str(card.payload)


@pytest.mark.parametrize("text", ["remind me what Honza likes", "připomeň mi, kdo je Honza"])
async def test_a_question_is_no_wish(real, text):
    """K1: "remind me who …" asks what is known."""
    await real.say(text)
    assert "Keep it instead" not in real.labels


async def test_pressed_twice(real):
    """D4, W4: one card makes one reminder, however often the press arrives."""
    await real.say("remind me tomorrow at 9 to call mum")
    message, data = real.data("Remind me")
    for _ in range(2):
        await real.press_data(data, message=message, query="q")
    await real.press_data(data, message=message)
    assert len(real.state.reminders.waiting(ALICE["id"])) == 1


async def test_a_card_that_is_too_old(real):
    """T9: when its moment passed before it was pressed, the time is asked for again."""
    await real.say("remind me in 20 minutes to leave")
    real.later(hours=1)
    await real.press("Remind me")
    assert real.text == "leave\n\nThat time has passed. When shall I remind you?"


async def test_too_many(real):
    """R7: 200 reminders wait at most, and it is said."""
    for number in range(MOST_OPEN):
        wanted = Reminder(0, ALICE["id"], "x", NOON + timedelta(days=9), "UTC")
        real.state.reminders.create(wanted, str(number))
    await reminded(real, "remind me tomorrow at 9 to call mum")
    assert "200 reminders are waiting already" in real.text
    await real.say("/reminders")
    assert real.text.startswith("200 reminders are waiting:\n1. ")


async def test_the_list(real):
    """R7: listed in order and in pages, moved by a message, cancelled and taken back."""
    for day in range(7):
        await reminded(real, f"remind me in {day + 1} days to do thing {day}")
    await real.say("/reminders")
    assert real.text.startswith(
        "7 reminders are waiting:\n1. Tuesday, 5 May 2026, 9:00: do thing 0"
    )
    await real.press("›")
    assert "7. Monday, 11 May 2026, 9:00: do thing 6" in real.text
    await real.press("Cancel 7")
    assert real.text.startswith("Cancelled: do thing 6\n\n6 reminders are waiting:")
    await real.press("Undo")
    assert real.text.startswith("7 reminders are waiting:")
    await real.press("Move 7")
    await real.say("18:30")
    assert real.text == "Moved to Monday, 11 May 2026, 18:30\ndo thing 6"


async def test_undo_takes_back_what_was_done_to_a_reminder(real):
    """K9, T9: /undo never reaches behind a later change of a reminder; step by step."""
    await real.say("keep Jonah moved to Leeds")
    real.later(minutes=1)
    await reminded(real, "remind me tomorrow at 9 to call mum")
    await real.say("/reminders")
    await real.press("Move 1")
    real.later(minutes=1)
    await real.say("at 11")
    real.later(minutes=1)
    await real.say("/reminders")
    await real.press("Cancel 1")
    await real.say("/undo")
    assert real.text == "The reminder comes again: Tuesday, 5 May 2026, 11:00\ncall mum"
    await real.say("/undo")
    assert real.text == "Moved to Tuesday, 5 May 2026, 9:00\ncall mum"
    await real.say("/undo")
    assert real.text == "Cancelled: call mum"
    assert real.state.reminders.waiting(ALICE["id"]) == ()
    await real.say("/undo")
    assert real.text == "Taken back: Jonah moved to Leeds"


async def test_undo_after_the_button(real):
    """K9: what its own button took back is not taken back twice; a later keep comes first."""
    await real.say("keep Jonah moved to Leeds")
    real.later(minutes=1)
    await reminded(real, "remind me tomorrow at 9 to call mum")
    await real.say("/reminders")
    await real.press("Cancel 1")
    await real.press("Undo")
    real.later(minutes=1)
    await real.say("keep Rosie likes tea")
    await real.say("/undo")
    assert real.text == "Taken back: Rosie likes tea"
    await real.say("/undo")
    assert real.text == "Cancelled: call mum"


async def test_undo_passes_over_what_rang(real):
    """K9: a reminder that was told cannot be taken back, and is passed over."""
    await real.say("keep Jonah moved to Leeds")
    real.later(minutes=1)
    await reminded(real, "remind me in 10 minutes to look")
    real.later(minutes=10)
    await real.ring()
    await real.say("/undo")
    assert real.text == "Taken back: Jonah moved to Leeds"


async def test_a_strangers_number(real):
    """G1, D3: the number of somebody else's reminder does nothing on one's own list."""
    await reminded(real, "připomeň mi zítra v 9 nákup", PETR, "Připomenout")
    (his,) = real.state.reminders.waiting(PETR["id"])
    await reminded(real, "remind me tomorrow at 9 to call mum")
    await real.say("/reminders")
    message, data = real.data("Cancel 1")
    dialog = data.split(":")[0]
    await real.press_data(f"{dialog}:stop:{his.id}", message=message)
    await real.press_data(f"{dialog}:when:{his.id}", message=message)
    assert real.text == "That reminder is not waiting any more."
    assert real.state.reminders.waiting(PETR["id"]) == (his,)


async def test_it_comes_once(real):
    """T9: at its moment, not before, and once."""
    await reminded(real, "remind me in 2 minutes to turn the oven off")
    real.later(seconds=119)
    await real.ring()
    assert told(real) == []
    real.later(seconds=1)
    for _ in range(3):
        await real.ring()
    assert told(real) == ["⏰ turn the oven off"]


async def test_the_clock_goes_back(real):
    """T9: a clock that is put back after a reminder came does not bring it again."""
    await reminded(real, "remind me in 10 minutes to look")
    real.later(minutes=10)
    await real.ring()
    real.later(hours=-1)
    await real.ring()
    real.later(hours=2)
    await real.ring()
    assert told(real) == ["⏰ look"]


async def test_after_downtime(real):
    """T9: what was missed comes with the remark how late it is."""
    await reminded(real, "remind me in 10 minutes to look")
    await real.close()
    real.later(hours=3)
    await real.open()
    await real.ring()
    assert told(real) == ["⏰ look\n\nThis was due 3 hours ago; I was not running."]


async def test_after_a_long_downtime(real):
    """T9: many missed ones do not flood the chat: five, then one list of the others."""
    for number in range(9):
        await reminded(real, f"remind me in {number + 1} minutes to do thing {number}")
    real.later(days=2)
    await real.ring()
    assert len(told(real)) == 6
    assert told(real)[-1].startswith("⏰ 4 more reminders were due while I was not running:")
    assert "Monday, 4 May 2026, 14:36</b>: do thing 5" in told(real)[-1]
    await real.ring()
    assert len(told(real)) == 6


async def test_quiet_hours(real):
    """R7: a named hour comes in the night too; a mere day waits for the morning, unremarked."""
    choices.set_quiet(real.state, ALICE["id"], Quiet(22, 10))
    await reminded(real, "remind me tomorrow to buy bread")
    await reminded(real, "remind me tomorrow at 9 to call mum")
    real.later(hours=18, minutes=31)
    await real.ring()
    assert told(real) == ["⏰ call mum"]
    real.later(hours=1)
    await real.ring()
    assert told(real) == ["⏰ call mum", "⏰ buy bread"]


async def test_switched_off(real):
    """R7: switched off, nothing is made and nothing comes; switched on, what waits comes."""
    await reminded(real, "remind me in 1 hour to look")
    choices.switch(real.state, ALICE["id"], choices.Choice.REMINDERS)
    real.later(hours=1)
    await real.ring()
    assert told(real) == []
    await real.say("remind me tomorrow to look")
    assert real.text == "Reminders are switched off. You can switch them on in /settings."
    choices.switch(real.state, ALICE["id"], choices.Choice.REMINDERS)
    await real.ring()
    assert told(real) == ["⏰ look"]


async def test_who_is_let_in_no_more(tmp_path, languages):
    """G1: a reminder of somebody who may not talk to the bot any more does not come."""
    stage = await Stage(tmp_path, Rules(languages), languages).open()
    await reminded(stage, "remind me in 1 hour to look")
    await stage.close()
    stage.policy = Policy(members=frozenset({PETR["id"]}))
    await stage.open()
    stage.later(hours=1)
    await stage.ring()
    assert told(stage) == []
    await stage.close()


async def test_asked_for_in_a_group(real):
    """G2: a reminder is personal matter: card and reminder are in the private chat."""
    await real.say("/remind tomorrow at 9 call mum", chat=GROUP)
    assert real.newest[0] == ALICE["id"]
    await real.press("Remind me")
    real.later(days=1)
    await real.ring()
    assert [m["chat_id"] for m in real.telegram.sent("sendMessage") if "⏰" in m["text"]] == [111]


async def test_a_zone_that_changes_later(real):
    """T9: the moment stays; the list shows it as the clock of the new zone will show it."""
    await reminded(real, "remind me tomorrow at 9 to call mum")
    choices.set_zone(real.state, ALICE["id"], "America/New_York")
    await real.say("/reminders")
    assert "1. Tuesday, 5 May 2026, 3:00: call mum" in real.text


async def test_this_as_a_reply(real):
    """K2: the matter may be the message replied to."""
    reply = {"message_id": 5, "date": 1, "chat": {"id": 111, "type": "private"}, "from": ALICE}
    await real.say("/remind tomorrow at 9", reply_to_message=reply | {"text": "buy  bread"})
    assert real.text == "Shall I remind you?\nTuesday, 5 May 2026, 9:00\nbuy bread"


async def test_a_secret_as_a_reply(real):
    """W6: nor is the message replied to told when it may not be stored."""
    reply = {"message_id": 5, "date": 1, "chat": {"id": 111, "type": "private"}, "from": ALICE}
    secret = reply | {"text": "my password is hunter2secret99"}
    await real.say("/remind tomorrow at 9", reply_to_message=secret)
    assert real.text == "What shall I remind you of?"
    assert "hunter2" not in str(real.state.dialogs_of(ALICE["id"]))


async def test_many_pending(real):
    """D6: more questions than one page holds can be reached; a bare /remind says what it asks."""
    for number in range(13):
        await real.say(f"remind me to do thing {number}")
    await real.say("/remind")
    await real.say("/pending")
    assert real.text.startswith(
        "14 questions are waiting for you:\n1. What shall I remind you of?\n2. To decide: remind me to do thing 12"
    )
    assert real.text.endswith("10. To decide: remind me to do thing 4\n… and 4 more: /pending 2")
    await real.say("/pending 2")
    assert "\n11. To decide: remind me to do thing 3\n" in real.text and "more" not in real.text
    assert real.labels == ["Show 11", "Show 12", "Show 13", "Show 14"]
    await real.press("Show 14")
    assert real.text.startswith("do thing 0")


async def test_pending(real):
    """D6: a card that waits is in /pending; lists and settings are not."""
    await real.say("/reminders")
    await real.say("/settings")
    await real.say("remind me to water the plants")
    await real.say("/pending")
    assert real.text.startswith("1 question is waiting for you:\n1. To decide: remind me to water")
