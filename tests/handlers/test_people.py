"""First contact, access, settings, and what waits (R6, R7, G1, G2, D6)."""

from datetime import timedelta

import pytest

from curation.engine import Ask, Keep, Kind, Unclear
from handlers.commands import menus
from handlers.context import Policy
from tests.handlers.handlers_stage import ALICE, GROUP, PETR, Stage
from tests.handlers.scripted_engine import ScriptedEngine

ALICE_ONLY = Policy(members=frozenset({111}))


@pytest.fixture
async def private(tmp_path, languages):
    """A bot for Alice only."""
    stage = await Stage(tmp_path, ScriptedEngine(), languages, ALICE_ONLY).open()
    yield stage
    await stage.close()


async def test_start(stage):
    """R6: /start says what is kept where and who can read it, in Telegram's language."""
    await stage.say("/start", by=PETR)
    assert stage.text.startswith("Ahoj!")
    assert "keep.md" in stage.text
    assert "Čteš to jen ty" in stage.text


async def test_a_stranger(private):
    """R6, G1: one neutral sentence with the id, at most once a day; nothing is stored."""
    for _ in range(3):
        await private.say("keep my thing", by=PETR)
    assert len(private.telegram.messages) == 1
    assert "222" in private.text
    assert private.file(by=PETR) is None
    private.later(days=1)
    await private.say("/start", by=PETR)
    assert len(private.telegram.messages) == 2


async def test_a_stranger_in_a_group(private):
    """G1: in a group a stranger gets nothing at all."""
    await private.say("/keep my thing", by=PETR, chat=GROUP)
    assert private.telegram.sent("sendMessage") == []


async def test_a_strangers_press(private):
    """D3: rights are checked on each press, also of somebody who was let in before."""
    await private.say("keep my thing")
    message, data = private.data("Undo")
    await private.press_data(data, by=PETR, message=message)
    assert private.file() == "- my thing\n"
    assert private.alert


@pytest.mark.parametrize(
    "sender",
    [
        {"sender_chat": {"id": -1001, "type": "supergroup", "title": "Zahrádka"}},
        {"from": {"id": 1087968824, "is_bot": True, "first_name": "Group"}},
        {"from": None},
    ],
    ids=["sender chat", "anonymous admin", "channel"],
)
async def test_nobody(stage, sender):
    """G2: who is no person is refused with a sentence, and nothing is written."""
    await stage.say("/keep a thing", chat=GROUP, **sender)
    assert stage.text == "I remember only for people. Please write under your own name."
    assert stage.newest[0] == GROUP["id"]
    assert not stage.path().parent.exists()


async def test_the_language(stage):
    """R7, L1: the chosen language wins over the message's and Telegram's, from then on."""
    await stage.say("/settings")
    await stage.press("Language")
    assert stage.labels == ["✓ Automatic", "English", "Čeština", "‹ All settings"]
    await stage.press("Čeština")
    assert stage.labels == ["Automaticky", "English", "✓ Čeština", "‹ Celé nastavení"]
    await stage.say("keep the plumber is Ana")
    assert stage.text == "Zapamatováno: the plumber is Ana"
    await stage.press("Automaticky")
    await stage.say("/undo")
    assert stage.text == "Taken back: the plumber is Ana"


async def test_pending_and_cancel(stage):
    """D6: /pending lists what waits, newest first; /cancel ends one and says which."""
    stage.engine.verdicts[""] = Ask(Unclear.EMPTY)
    stage.engine.verdicts["use Go"] = Keep("backend in Go", Kind.DECISION, ask_reason=True)
    await stage.say("/pending")
    assert stage.text == "Nothing is waiting for you."
    await stage.say("keep use Go")
    await stage.say("/pending")
    assert stage.text == "1 question is waiting for you:\n1. To decide: backend in Go"
    await stage.press("Show 1")
    assert stage.labels == ["No reason", "Cancel"]
    await stage.say("/cancel")
    assert stage.text == "Not kept: backend in Go"
    await stage.say("/cancel")
    assert stage.text == "Nothing was open."
    assert stage.file() is None


async def test_a_quiet_reminder_once_a_day(stage):
    """D6: a question older than a day is named once a day, without a sound, until it expires."""
    stage.engine.verdicts["use Go"] = Keep("backend in Go", Kind.DECISION, ask_reason=True)
    await stage.say("keep use Go")
    told = []
    for hours in (1, 22, 2, 3, 24, 24, 24, 24, 24, 24):
        stage.now += timedelta(hours=hours)
        before = len(stage.telegram.calls)
        await stage.nudge()
        told += [len(stage.telegram.calls) - before]
    assert told == [0, 0, 1, 0, 1, 1, 1, 1, 1, 0]
    assert stage.text == "1 question is waiting for you:\n1. To decide: backend in Go"
    assert stage.telegram.calls[-1][1]["disable_notification"] is True


async def test_cancel_a_question(stage):
    """/cancel ends the question for the content; the next message is not taken."""
    stage.engine.verdicts[""] = Ask(Unclear.EMPTY)
    await stage.say("/keep")
    await stage.say("/cancel")
    assert stage.text == "Ended: What should I remember?"
    await stage.say("hello there")
    assert stage.file() is None


async def test_a_question_runs_out(stage):
    """D6: after seven days a question is over, by button and by words."""
    stage.engine.verdicts["use Go"] = Keep("backend in Go", Kind.DECISION, ask_reason=True)
    await stage.say("keep use Go")
    stage.later(days=7)
    await stage.press("No reason")
    assert stage.alert == "This question is over. Please start again."
    assert stage.labels == []
    await stage.say("yes")
    assert stage.file() is None


async def test_a_command_in_between_leaves_the_card(stage):
    """K3, K7: after another command the next message is no reason, but the button still works."""
    stage.engine.verdicts["use Go"] = Keep("backend in Go", Kind.DECISION, ask_reason=True)
    await stage.say("keep use Go")
    await stage.say("keep tea at four")
    await stage.say("what a day")
    assert stage.file() == "- tea at four\n"
    await stage.press("No reason")
    assert stage.file() == "- tea at four\n- backend in Go\n"


async def test_menus(languages):
    """R6: every command of a menu has a description in every language, and is known."""
    known = menus(languages)
    assert set(known) == {(s, c) for s in ("private", "group") for c in ("en", "cs")}
    names = [name for name, _ in known["private", "cs"]]
    assert {"keep", "compact", "remind", "reminders", "undo", "settings", "help"} <= set(names)
    assert {"keep", "show", "help"} <= {name for name, _ in known["group", "en"]}
    assert all(0 < len(text) <= 256 for menu in known.values() for _, text in menu)


@pytest.mark.parametrize("data", ["", "x", "a:b:c", "zz:apply", "zz:undo", "zz:toggle:7", "é:undo"])
async def test_a_forged_button(stage, data):
    """D1: button data that nobody made changes nothing."""
    await stage.say("keep one")
    await stage.press_data(data, by=ALICE)
    assert stage.file() == "- one\n"


async def test_an_unknown_command(stage):
    """/anything: named in private, passed over when it is for another bot."""
    await stage.say("/frobnicate")
    assert stage.text.startswith("I do not know that command.")
    await stage.say("/keep@other_bot a thing", chat=GROUP)
    assert len(stage.telegram.messages) == 1
    assert stage.file() is None
