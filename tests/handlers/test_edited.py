"""Edited messages, and groups that become supergroups."""

from tests.handlers.handlers_stage import ALICE, GROUP, PETR


async def test_an_edit_applies_nothing_and_says_so_once(stage):
    """B11: the entry stays; the person is told once, with the entry and its buttons."""
    message = await stage.say("keep ring size 54")
    await stage.edit(message, "keep ring size 55")
    assert stage.file() == "- ring size 54\n"
    assert stage.text == (
        "Editing a message does not change what I have kept. To change it, use the buttons.\n\n"
        "Kept: ring size 54"
    )
    count = len(stage.telegram.messages)
    await stage.edit(message, "keep ring size 56")
    assert len(stage.telegram.messages) == count
    await stage.press("Undo")
    assert stage.file() == ""


async def test_an_edit_that_comes_again(stage):
    """W4: killed before the remark was stored, the same edit is answered when it comes again."""
    message = await stage.say("keep ring size 54")
    await stage.edit(message, "keep ring size 55", again=2)
    assert [m["text"][:7] for m in stage.telegram.sent("sendMessage")][1:] == ["Editing"] * 2


async def test_letters_are_not_lost_by_a_kill(stage):
    """G2, W4: the same /start may have the letters again, the next one has none left."""
    stage.telegram.closed.add(ALICE["id"])
    await stage.say("/keep ring size 54", chat=GROUP)
    stage.telegram.closed.clear()
    start = await stage.say("/start")
    await stage.say("/start", message_id=start["message_id"])
    await stage.say("/start")
    texts = [m["text"] for m in stage.telegram.sent("sendMessage")]
    assert texts.count("Kept: ring size 54") == 3


async def test_an_edit_in_a_group_is_answered_in_private(stage):
    """G2: what was kept is told in the private chat only."""
    message = await stage.say("/keep ring size 54", chat=GROUP)
    await stage.edit(message, "/keep ring size 55")
    assert stage.newest[0] == ALICE["id"]
    assert "Kept: ring size 54" in stage.text


async def test_other_edits_are_nobodys_business(stage):
    """B11: edits of what kept nothing, of what was taken back, or by others are passed over."""
    chatter = await stage.say("hello")
    kept = await stage.say("keep ring size 54")
    count = len(stage.telegram.calls)
    await stage.edit(chatter, "keep the ladder")
    await stage.edit(kept, "keep ring size 55", PETR)
    assert len(stage.telegram.calls) == count
    await stage.press("Undo")
    count = len(stage.telegram.calls)
    await stage.edit(kept, "keep ring size 55")
    assert (len(stage.telegram.calls), stage.file()) == (count, "")


async def test_the_two_messages_of_a_migration(stage):
    """W4: either service message moves what was stored under the old id; nobody is answered."""
    old, new = {**GROUP, "id": -5, "type": "group"}, GROUP
    stage.state.prefer(-5, "language", "cs")
    for chat, field in ((old, {"migrate_to_chat_id": -1001}), (new, {"migrate_from_chat_id": -5})):
        service = {"message_id": 9, "date": 1, "chat": chat, "from": ALICE, **field}
        await stage.feed({"message": service})
    assert stage.state.preference(-1001, "language") == "cs"
    assert stage.state.preference(-5, "language") is None
    assert stage.telegram.sent("sendMessage") == []


async def test_a_press_whose_spinner_cannot_be_stopped(stage):
    """D4: whatever is wrong with the answer to a press, its work is done."""
    await stage.say("keep one")
    stage.telegram.failing["answerCallbackQuery"] = [(502, {"ok": False})]
    await stage.press("Undo")
    assert stage.text == "Taken back: one"
