"""One question at a time takes the next message (K3, D1), and what was decided is not done twice."""

from curation.engine import Keep, Kind, Part, Refusal, Refuse


async def test_two_edits_one_listens(stage):
    """D1: the newer Edit takes the next message; the one after it rewords nothing."""
    await stage.say("keep tea at four")
    older = stage.data("Edit")
    await stage.say("keep key at Vrba")
    await stage.press_data(older[1], message=older[0])
    await stage.press("Edit")
    await stage.say("key at Dana")
    await stage.say("what a day")
    assert stage.file() == "- tea at four\n- key at Dana\n"


async def test_a_zone_is_no_wording(stage):
    """D1: while /settings asks for a city, an older Edit does not listen any more."""
    await stage.say("keep tea at four")
    edit = stage.data("Edit")
    await stage.say("/settings")
    zone = stage.data("Time zone")
    await stage.press_data(edit[1], message=edit[0])
    await stage.press_data(zone[1], message=zone[0])
    await stage.say("Prague")
    assert stage.file() == "- tea at four\n"


async def test_a_part_that_is_decided_is_not_reworded(shelf):
    """D4: Edit was asked, then the button kept it as typed: the wording comes too late."""
    shelf.engine.verdicts["call 12; b 3"] = [
        Part("call 12", Keep("call", Kind.FACT, losses=("number",))),
        Part("b 3", Keep("b", Kind.FACT, losses=("number",))),
    ]
    await shelf.say("keep call 12; b 3")
    await shelf.press("1 · Edit")
    await shelf.press("1 · Save as typed")
    await shelf.say("call twelve")
    assert shelf.file().count("call") == 1


async def test_a_card_does_not_promise_what_is_switched_off(shelf):
    """R7: with reminders switched off, the card of an appointment says so and makes none."""
    shelf.engine.verdicts["dentist tomorrow at 9"] = Refuse(Refusal.CALENDAR_DATE)
    shelf.state.prefer(111, "reminders", False)
    await shelf.say("keep dentist tomorrow at 9")
    await shelf.press("Remind me")
    assert "switched off" in shelf.text
    assert shelf.state.reminders.waiting(111) == ()
