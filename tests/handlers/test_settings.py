"""What can be chosen, and the first contact (R6, R7, L1)."""

import pytest

from curation.engine import Keep, Kind
from handlers import choices
from handlers.choices import Choice, Quiet
from tests.handlers.handlers_stage import ALICE, NOON, PETR


async def test_the_first_contact(stage):
    """R6: hello says what is kept where and who reads it, and asks language, then time zone."""
    await stage.say("/start", by=PETR)
    assert stage.text.startswith("Ahoj!")
    assert stage.labels == ["✓ Automaticky", "English", "Čeština"]
    await stage.press("English", by=PETR)
    assert stage.text.startswith("Hello!")
    assert "Where do you live?" in stage.text
    assert stage.labels[0] == "✓ my machine’s (12:30)"
    await stage.press("Prague (14:30)", by=PETR)
    assert stage.labels == []
    assert choices.zone_name(stage.state, PETR["id"]) == "Europe/Prague"


async def test_only_the_first_time(stage):
    """R6: /start again says hello and asks nothing; the same request asks again (W4)."""
    first = await stage.say("/start")
    await stage.say("/start", message_id=first["message_id"])
    assert "English" in stage.labels
    await stage.say("/start")
    assert stage.text.startswith("Hello!")
    assert stage.labels == []


async def test_put_off(stage):
    """R6: who does not choose a zone at first is not asked again."""
    await stage.say("/start")
    await stage.press("Automatic")
    await stage.press("Later")
    assert stage.labels == []
    assert choices.zone_name(stage.state, ALICE["id"]) == ""


async def test_a_keep_between_the_first_questions(stage):
    """K3: while a city is waited for, a command is a command, and the buttons stay alive."""
    await stage.say("/start")
    await stage.press("Automatic")
    message, data = stage.data("London")
    await stage.say("keep ring size 54")
    assert stage.file() == "- ring size 54\n"
    await stage.press_data(data, message=message)
    assert choices.zone_name(stage.state, ALICE["id"]) == "Europe/London"


@pytest.mark.parametrize(
    ("said", "label", "zone"),
    [
        ("Tokyo", "Tokyo (21:30)", "Asia/Tokyo"),
        ("praha", "Prague (14:30)", "Europe/Prague"),
        ("Londýn", "London (13:30)", "Europe/London"),
        ("Česko", "Prague (14:30)", "Europe/Prague"),
        ("Europe/Kyiv", "Kyiv (15:30)", "Europe/Kyiv"),
        ("UTC+2", "GMT-2 (14:30)", "Etc/GMT-2"),
    ],
)
async def test_a_zone_by_its_name(stage, said, label, zone):
    """R7: a city in any language, a country, a zone or a difference; its local time confirms it."""
    await stage.say("/settings")
    await stage.press("Time zone")
    await stage.say(said)
    assert label in stage.labels
    await stage.press(label)
    assert choices.zone_name(stage.state, ALICE["id"]) == zone


@pytest.mark.parametrize("said", ["Nowhereland", "UTC+77", "../../etc/passwd", "x" * 4000, "\0"])
async def test_a_zone_nobody_knows(stage, said):
    """R7: what is no zone is said, and the choice stays."""
    await stage.say("/settings")
    await stage.press("Time zone")
    await stage.say(said)
    assert "I do not know" in stage.text
    assert choices.zone_name(stage.state, ALICE["id"]) == ""


async def test_the_day_of_the_person(stage):
    """R7: "today" is the day where the person lives."""
    choices.set_zone(stage.state, ALICE["id"], "Pacific/Auckland")
    stage.put("# Rules\n", "agents")
    await stage.say("/settings")
    assert "it is 0:30 there now" in stage.text


async def test_a_zone_that_is_gone(stage):
    """R7: a stored zone that this machine does not know is as good as none."""
    choices.set_zone(stage.state, ALICE["id"], "Mars/Olympus")
    await stage.say("/settings")
    assert "12:30" in stage.text


async def test_quiet_hours(stage):
    """R7: picked from a list and shown; none is among them."""
    await stage.say("/settings")
    await stage.press("Quiet hours")
    await stage.press("22:00–7:00")
    assert "Quiet hours: 22:00–7:00" in stage.text
    assert choices.quiet_of(stage.state, ALICE["id"]) == Quiet(22, 7)
    await stage.press("Quiet hours")
    await stage.press("none")
    assert choices.quiet_of(stage.state, ALICE["id"]) is None


@pytest.mark.parametrize(
    ("quiet", "hours"),
    [(Quiet(22, 7), {22, 23, 0, 6}), (Quiet(1, 5), {1, 4}), (Quiet(5, 5), set())],
)
def test_hours_that_are_quiet(quiet, hours):
    """R7: from the first hour up to the last, also over midnight; the rest is loud."""
    held = {hour for hour in range(24) if quiet.holds(NOON.replace(hour=hour))}
    assert hours <= held
    assert quiet.end not in held
    assert quiet.over(NOON).hour == quiet.end


async def test_no_nudge_in_quiet_hours(stage):
    """R7, D6: the word about open questions waits until the quiet hours are over."""
    stage.engine.verdicts["use Go"] = Keep("backend in Go", Kind.DECISION, ask_reason=True)
    choices.set_quiet(stage.state, ALICE["id"], Quiet(12, 14))
    await stage.say("keep use Go")
    stage.later(days=1, minutes=1)
    count = len(stage.telegram.messages)
    await stage.nudge()
    assert len(stage.telegram.messages) == count
    stage.later(hours=2)
    await stage.nudge()
    assert len(stage.telegram.messages) == count + 1


async def test_consent(stage):
    """R7, E1: nothing may go to a model before its owner says so."""
    assert not choices.is_on(stage.state, ALICE["id"], Choice.MODEL)
    await stage.say("/settings")
    await stage.press("Texts may go")
    assert "✓ Texts may go to a language model" in stage.labels
    assert choices.is_on(stage.state, ALICE["id"], Choice.MODEL)
    assert not choices.is_on(stage.state, PETR["id"], Choice.MODEL)


@pytest.mark.parametrize("number", [8, 99, 107, 250, 399, 400, 9999])
async def test_forged_numbers(stage, number):
    """D1: a button that nobody made changes nothing."""
    await stage.say("/settings")
    message, data = stage.data("Language")
    before = stage.text
    await stage.press_data(f"{data.split(':')[0]}:choose:{number}", message=message)
    assert stage.text == before
