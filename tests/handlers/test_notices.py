"""What others do to the files is told once, and a person decides where that is needed (M6, d.4)."""

from handlers.edge.conversation import report
from memory.spaces import DocumentName, DocumentRef, channel, group, personal
from tests.handlers.handlers_stage import PETR


async def tended(stage):
    """What happens by itself every few seconds."""
    stage.store.tend(everything=True)
    name = stage.application.bot.username
    await report(name, stage.services, stage.policy, stage.outbox)
    await stage.outbox.settle()


LONG = "".join(f"- fact {i}\n" for i in range(12))


async def test_a_change_of_user_md_is_reported_once(stage):
    """M6: the lines that came and went are shown, once, and stay as they are."""
    stage.put("- likes tea\n", "user")
    stage.store.reconcile(DocumentRef(personal(111), DocumentName.USER))
    stage.put("- likes coffee\n", "user")
    await tended(stage)
    assert "USER.md" in stage.text
    assert "+ likes coffee" in stage.text and "− likes tea" in stage.text
    count = len(stage.telegram.messages)
    await tended(stage)
    assert len(stage.telegram.messages) == count
    assert stage.file("user") == "- likes coffee\n"


async def test_lines_that_went_are_put_back_by_a_press(stage):
    """d.4: an older state put back by somebody is shown; nothing returns silently."""
    stage.put("- old\n")
    await stage.say("keep the plumber is Ana")
    stage.put("- old\n")
    await tended(stage)
    assert stage.file() == "- old\n"
    assert "the plumber is Ana" in stage.text
    await stage.press("Put back")
    assert stage.file() == "- old\n- the plumber is Ana\n"
    await stage.press("Undo")
    assert stage.file() == "- old\n"


async def test_lines_that_went_may_stay_away(stage):
    """d.4: Leave it leaves it."""
    stage.put("- old\n")
    await stage.say("keep the plumber is Ana")
    stage.put("- old\n")
    await tended(stage)
    await stage.press("Leave it")
    assert stage.file() == "- old\n"
    assert stage.text == "It stays as it is."


async def test_an_emptied_file_takes_no_writes_until_decided(stage):
    """B4: the keep is refused with the text in the answer; Put back restores the file."""
    stage.put(LONG)
    await stage.say("keep the plumber is Ana")
    whole = stage.file()
    stage.put("")
    await stage.say("keep the gardener is Eva")
    assert "keep the gardener is Eva" in stage.text
    assert stage.file() == ""
    await tended(stage)
    await stage.press("Put back")
    assert stage.file() == whole
    await stage.say("keep the gardener is Eva")
    assert stage.file() == whole + "- the gardener is Eva\n"


async def test_an_emptied_file_may_be_accepted(stage):
    """B4: there is always a way out, so that a guard never blocks for ever."""
    stage.put(LONG)
    await stage.say("keep the plumber is Ana")
    stage.put("- fact 1\n")
    await tended(stage)
    await stage.press("Leave it")
    copies = list((stage.folder / "state" / "conflicts").rglob("keep.conflict-*.md"))
    assert [copy.read_text() for copy in copies] == [LONG + "- the plumber is Ana\n"]
    assert copies[0].name in stage.text
    await stage.say("keep the gardener is Eva")
    assert stage.file() == "- fact 1\n- the gardener is Eva\n"


async def test_the_question_is_among_those_that_wait(stage):
    """D6: /pending names it and shows it again."""
    stage.put(LONG)
    await stage.say("keep the plumber is Ana")
    stage.put("")
    await tended(stage)
    await stage.say("/pending")
    assert "keep.md changed outside of this chat" in stage.text
    await stage.press("Show 1")
    await stage.press("Leave it")
    assert stage.text.startswith("It stays as it is.")


async def test_what_answers_no_update_speaks_the_persons_language(stage):
    """L1: nobody says anything, yet who has a Czech Telegram reads Czech."""
    await stage.say("/help", by=PETR)
    user = DocumentRef(personal(222), DocumentName.USER)
    stage.put("- pije čaj\n", "user", by=PETR)
    stage.store.reconcile(user)
    stage.put("- pije kávu\n", "user", by=PETR)
    await tended(stage)
    assert stage.text == "USER.md změnil někdo mimo tento chat:\n− pije čaj\n+ pije kávu"


async def test_a_line_that_went_is_named_where_questions_wait(stage):
    """D6: two such questions can be told apart in /pending."""
    stage.put("- old\n")
    await stage.say("keep the plumber is Ana")
    stage.put("- old\n")
    await tended(stage)
    await stage.say("/pending")
    assert "1. Gone from keep.md: “the plumber is Ana”" in stage.text
    await stage.press("Show 1")
    assert "the plumber is Ana" in stage.text
    await stage.press("Put back")
    assert stage.file() == "- old\n- the plumber is Ana\n"


async def test_undo_of_a_line_that_went_names_it(stage):
    """D5: nothing is misapplied, and the answer says which entry it was about."""
    stage.put("- old\n")
    await stage.say("keep the plumber is Ana")
    stage.put("- old\n")
    await stage.press("Undo")
    assert (
        stage.text
        == "“the plumber is Ana” no longer stands there as I wrote it, so I changed nothing."
    )
    assert stage.file() == "- old\n"


async def test_a_file_emptied_twice_is_asked_about_twice(stage):
    """B4: each decision is one; the next time the card comes again."""
    stage.put(LONG)
    await stage.say("keep the plumber is Ana")
    for _ in range(2):
        stage.put("")
        await tended(stage)
        await stage.press("Put back")
        assert stage.file() == LONG + "- the plumber is Ana\n"


async def test_a_question_is_not_asked_again_after_a_restart(stage):
    """D1: the card that waits is enough."""
    stage.put(LONG)
    await stage.say("keep the plumber is Ana")
    stage.put("")
    await tended(stage)
    await stage.close()
    await stage.open()
    count = len(stage.telegram.messages)
    await tended(stage)
    assert len(stage.telegram.messages) == count


async def test_user_md_is_watched_before_the_first_own_write(stage):
    """M6: a person who keeps anything has his USER.md looked after."""
    stage.put("- likes tea\n", "user")
    await stage.say("keep the plumber is Ana")
    await tended(stage)
    stage.put("- likes coffee\n", "user")
    await tended(stage)
    assert "+ likes coffee" in stage.text


CHANNEL = DocumentRef(channel(-1001), DocumentName.CHANNEL)
FAMILY = DocumentRef(group("family"), DocumentName.GROUP)


def write(stage, ref, text):
    """Another program writes a shared document."""
    path = stage.layout.path(ref)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


async def changed(stage, ref, before="- tea at four\n", after="- coffee at five\n"):
    """A shared document that was seen once is changed by another program, and that is told."""
    write(stage, ref, before)
    stage.store.reconcile(ref)
    write(stage, ref, after)
    await tended(stage)


def told(stage):
    """In which chats what was told."""
    return {chat: text for (chat, _), (text, _) in stage.telegram.messages.items()}


async def test_a_change_of_a_channels_memory_is_told_in_the_chat(stage):
    """M6, G3: whoever bypassed the program, the readers of CHANNEL.md learn it, in their chat."""
    await changed(stage, CHANNEL)
    assert set(told(stage)) == {-1001}
    assert told(stage)[-1001].endswith("− tea at four\n+ coffee at five")
    await tended(stage)
    assert len(stage.telegram.messages) == 1


async def test_a_topic_has_its_own_memory(stage):
    """G4: what changed in a topic's memory is told in that topic."""
    await changed(stage, DocumentRef(channel(-1001, 7), DocumentName.CHANNEL))
    assert stage.telegram.sent("sendMessage")[-1]["message_thread_id"] == 7


async def test_a_chat_that_put_the_bot_out_hears_nothing(stage):
    """G3: where the bot was kicked or blocked it says nothing, also later."""
    stage.state.members.reach(-1001, False)
    await changed(stage, CHANNEL)
    assert told(stage) == {}
    assert stage.state.notices() == ()


async def test_a_change_of_a_groups_memory_is_told_to_each_member(stage):
    """M6: each member is told once and in private; nobody else is."""
    stage.state.members.enrol("family", 111)
    stage.state.members.enrol("family", 222)
    await changed(stage, FAMILY)
    assert set(told(stage)) == {111, 222}
    assert all("GROUP.md" in text and "coffee at five" in text for text in told(stage).values())
    await tended(stage)
    assert len(stage.telegram.messages) == 2


async def test_a_member_decides_about_an_emptied_group_file(stage):
    """B4, G3: any member may put it back; who has left the group meanwhile may not."""
    stage.state.members.enrol("family", 111)
    stage.state.members.enrol("family", 222)
    await changed(stage, FAMILY, before=LONG, after="- fact 1\n")
    stage.state.members.dismiss("family", 222)
    (theirs,) = [m for chat, m in stage.telegram.messages if chat == 222]
    await stage.press("Put back", by=PETR, message=theirs)
    assert stage.layout.path(FAMILY).read_text() == "- fact 1\n"
    (mine,) = [m for chat, m in stage.telegram.messages if chat == 111]
    await stage.press("Put back", message=mine)
    assert stage.layout.path(FAMILY).read_text() == LONG
