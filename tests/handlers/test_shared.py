"""What is kept for several people: the card, its readers, the write, and who may press (G3, D3)."""

import pytest

from curation.engine import Home, Keep, Kind, Part, Refusal, Refuse, Relation, Route
from tests.handlers.group_stage import HANA, ROBOT, GroupStage
from tests.handlers.handlers_stage import ALICE, GROUP, PETR
from tests.handlers.scripted_engine import ScriptedEngine
from tests.handlers.test_compact import delete

HERE = GROUP["id"]


@pytest.fixture
async def zahradka(tmp_path, languages):
    stage = await GroupStage(tmp_path, ScriptedEngine(), languages).open()
    await stage.here("cancel", by=PETR)
    yield stage
    await stage.close()


async def test_the_card_names_the_readers_before_the_write(zahradka):
    """G3, T10: in the group, before anything is written, the card says how many will read it."""
    await zahradka.here("keep for the group: the plumber is Ana")
    assert zahradka.said_in()[-1] == (
        "This is for others to read too. Where shall I write it?\n\nthe plumber is Ana\n\n"
        "This chat: 2 people will read it.\nGroup family: 2 people will read it."
    )
    assert zahradka.labels == ["This chat", "Group family", "Only me", "Cancel"]
    assert (zahradka.channel(), zahradka.group(), zahradka.file()) == (None, None, None)


async def test_kept_for_everyone(zahradka):
    """G3: after the press the chat sees one line, and Undo takes it back."""
    await zahradka.here("keep for the group: the plumber is Ana")
    await zahradka.tap("This chat")
    assert zahradka.text == "Kept for everyone here: the plumber is Ana"
    assert zahradka.channel() == "## Good to know\n- the plumber is Ana\n"
    assert zahradka.said_in(111) == []
    await zahradka.tap("Undo")
    assert zahradka.channel() == ""
    assert zahradka.text == "Taken back: the plumber is Ana"


async def test_the_heading_speaks_the_language_it_was_said_in(zahradka):
    """L1: the section that is made speaks the language of what was said."""
    await zahradka.here("zapamatuj si pro skupinu: instalatér je Ana")
    await zahradka.tap("Skupina family")
    assert zahradka.group() == "## Dobré vědět\n- instalatér je Ana\n"
    assert zahradka.text == "Zapamatováno pro skupinu family: instalatér je Ana"


async def test_an_existing_section(zahradka):
    """G3: with one section it goes there, with several they are asked for, at most six."""
    zahradka.put_channel("## Decisions\n- a\n")
    await zahradka.here("keep for the group: b")
    await zahradka.tap("This chat")
    assert zahradka.channel() == "## Decisions\n- a\n- b\n"
    zahradka.put_channel("".join(f"## Part {n}\n- x{n}\n" for n in range(1, 9)))
    await zahradka.here("keep for the group: c")
    await zahradka.tap("This chat")
    assert zahradka.labels == [*(f"Part {n}" for n in range(1, 7)), "Cancel"]
    assert "This chat: 2 people will read it." in zahradka.text
    await zahradka.tap("Part 2")
    assert "## Part 2\n- x2\n- c\n## Part 3" in zahradka.channel()


async def test_a_related_line_gives_way(zahradka):
    """S3: what the chat knows nearly the same is shown; Replace puts the new line in its place."""
    zahradka.put_channel("## Choir\n- practice on Tuesday\n- hall key with Jana\n")
    zahradka.engine.relations["practice on Wednesday", "practice on Tuesday"] = Relation.CONTRADICTS
    await zahradka.here("keep for the group: practice on Wednesday")
    await zahradka.tap("This chat")
    assert zahradka.text == (
        "This changes something I have:\npractice on Tuesday\n\nNew: practice on Wednesday\n\n"
        "This chat: 2 people will read it."
    )
    assert zahradka.labels == ["Replace", "Keep both", "Cancel"]
    await zahradka.tap("Replace", by=PETR)
    assert zahradka.alert and "Tuesday" in zahradka.channel()
    await zahradka.tap("Replace")
    assert zahradka.channel() == "## Choir\n- practice on Wednesday\n- hall key with Jana\n"
    await zahradka.tap("Undo")
    assert zahradka.channel() == "## Choir\n- practice on Tuesday\n- hall key with Jana\n"


async def test_both_lines_may_stand(zahradka):
    """S3, D5: Keep both adds the line; what was to give way and is gone holds nothing up."""
    zahradka.put_channel("## Choir\n- practice on Tuesday\n")
    zahradka.engine.relations["practice on Friday", "practice on Tuesday"] = Relation.SAME
    await zahradka.here("keep for the group: practice on Friday")
    await zahradka.tap("This chat")
    await zahradka.tap("Keep both")
    assert zahradka.channel() == "## Choir\n- practice on Tuesday\n- practice on Friday\n"
    zahradka.engine.relations["practice on Monday", "practice on Friday"] = Relation.SAME
    await zahradka.here("keep for the group: practice on Monday")
    await zahradka.tap("This chat")
    zahradka.put_channel("## Choir\n- practice on Tuesday\n")
    await zahradka.tap("Replace")
    assert zahradka.channel() == "## Choir\n- practice on Tuesday\n- practice on Monday\n"


async def test_only_for_oneself(zahradka):
    """G2, G3: "only me" keeps it in private, and the group sees nothing of it any more."""
    await zahradka.here("keep for the group: my own thing")
    await zahradka.tap("Only me")
    assert zahradka.file() == "- my own thing\n"
    assert zahradka.said_in()[-1] == "That stays between the two of us; I answer it in private."
    assert zahradka.said_in(111) == ["Kept: my own thing"]
    assert zahradka.channel() is None


async def test_somebody_else_presses(zahradka):
    """D3: others get an alert, for the card and for its Undo, and nothing happens."""
    await zahradka.here("keep for the group: a")
    await zahradka.tap("This chat", by=PETR)
    assert zahradka.alert and zahradka.channel() is None
    await zahradka.tap("This chat")
    await zahradka.tap("Undo", by=PETR)
    assert zahradka.alert
    assert zahradka.channel() == "## Good to know\n- a\n"


async def test_a_press_from_another_chat_is_forged(zahradka):
    """D3: a question and an operation know their chat; the same data elsewhere does nothing."""
    await zahradka.here("keep for the group: a")
    message, data = zahradka.data("This chat")
    await zahradka.press_data(data, message=message)
    assert zahradka.alert and zahradka.channel() is None
    await zahradka.say("keep b")
    message, data = zahradka.data("Undo")
    await zahradka.press_data(data, message=message, chat=GROUP)
    assert zahradka.alert and zahradka.file() == "- b\n"


async def test_a_stranger_came_in_before_the_press(zahradka):
    """M2, D3: rights are asked of Telegram again at the press; a stranger closes the group."""
    await zahradka.here("keep for the group: a")
    zahradka.inside((ALICE, "creator"), (PETR, "member"), (HANA, "member"))
    zahradka.later(minutes=1)
    await zahradka.tap("Group family")
    assert zahradka.text.startswith("Not a member of group “family”.\n\n")
    assert zahradka.group() is None
    assert "\n\na\n\nThis chat: 3 people will read it." in zahradka.text
    assert zahradka.labels == ["This chat", "Only me", "Cancel"]
    await zahradka.tap("This chat")
    assert zahradka.channel() == "## Good to know\n- a\n"


@pytest.mark.parametrize("guest", [HANA, ROBOT], ids=["a stranger", "another bot"])
async def test_a_group_is_not_offered_before_strangers(zahradka, guest):
    """M2: where a stranger or another bot reads along, no group is offered; its readers are told."""
    zahradka.inside((ALICE, "creator"), (PETR, "member"), (guest, "administrator"))
    zahradka.later(minutes=6)
    await zahradka.here("keep for the group: a")
    assert zahradka.labels == ["This chat", "Only me", "Cancel"]
    bot = "This chat: 2 people will read it. 1 other bot reads along."
    person = "This chat: 3 people will read it."
    assert (bot if guest is ROBOT else person) in zahradka.text


async def test_an_unknown_audience(zahradka):
    """G3, B8: when Telegram does not tell, the card says so and offers no group."""
    zahradka.later(minutes=6)
    refused = (400, {"ok": False, "error_code": 400, "description": "Bad Request: x"})
    zahradka.telegram.failing["getChatAdministrators"] = [refused]
    await zahradka.here("keep for the group: a")
    assert "Telegram does not tell me how many" in zahradka.text
    assert zahradka.labels == ["This chat", "Only me", "Cancel"]


async def test_in_private_the_own_groups(zahradka):
    """M2: in private the own groups are offered, whoever else is where."""
    await zahradka.say("keep for the group: a")
    assert zahradka.labels == ["Group family", "Only me", "Cancel"]
    await zahradka.press("Group family")
    assert zahradka.group() == "## Good to know\n- a\n"
    assert zahradka.text == "Kept for group family: a"


async def test_in_no_group(zahradka):
    """G3: who reaches no shared memory may keep it alone; nothing is written unasked."""
    await zahradka.say("keep for the group: a", by=HANA)
    assert zahradka.labels == ["Jen pro mě", "Zrušit"]
    assert zahradka.file(by=HANA) is None
    await zahradka.press("Jen pro mě", by=HANA)
    assert zahradka.file(by=HANA) == "- a\n"


async def test_nothing_after_the_announcement(zahradka):
    """K3: nothing is offered where nothing was said; the concrete fact is asked for."""
    await zahradka.here("keep for the group:")
    assert zahradka.said_in() == []
    assert zahradka.said_in(111) == ["What should I remember?"]


async def test_the_same_again(zahradka):
    """K8: what stands there is not written twice, and that is said."""
    for _ in range(2):
        await zahradka.here("keep for the group: a")
        await zahradka.tap("This chat")
    assert zahradka.text == "That is kept for everyone here already: a"
    assert zahradka.channel() == "## Good to know\n- a\n"


async def test_a_secret_is_for_nobody(zahradka):
    """T1, G2: a refusal goes to private, and nothing stands in the group."""
    zahradka.engine.verdicts["pin 1234"] = Refuse(Refusal.SECRET)
    await zahradka.here("keep for the group: pin 1234")
    assert zahradka.said_in() == []
    assert "looks like a secret" in zahradka.said_in(111)[-1]


async def test_personal_parts_of_a_message_stay_private(zahradka):
    """G2, G3: of several parts only what is for the group stands in the group."""
    both = [Part("x", Keep("own thing", Kind.FACT)), Part("y", Route(Home.GROUP, "ours"))]
    zahradka.engine.verdicts["two things"] = both
    await zahradka.here("keep two things")
    assert "ours" in zahradka.said_in()[-1] and "own thing" not in "".join(zahradka.said_in())
    assert zahradka.said_in(111) == ["Kept: own thing"]


async def test_words_in_a_group_answer_what_they_reply_to(zahradka):
    """D2: "cancel" as a reply ends the card; a plain yes does not choose a place."""
    await zahradka.here("keep for the group: a")
    card = zahradka.newest[1]
    reply = {"message_id": card, "date": 1, "chat": GROUP, "from": BOT_USER, "text": "x"}
    await zahradka.here("yes", reply_to_message=reply)
    assert zahradka.channel() is None
    await zahradka.here("cancel", reply_to_message=reply)
    await zahradka.tap("This chat")
    assert zahradka.channel() is None


BOT_USER = {"id": 42, "is_bot": True, "first_name": "Pomněnka", "username": "pomnenka_bot"}


async def test_a_topic_with_a_memory_of_its_own(zahradka):
    """G4: in a topic it goes to the topic's memory once an admin wished so."""
    topic = {"message_thread_id": 7, "is_topic_message": True}
    await zahradka.here("keep for the group: a", **topic)
    await zahradka.tap("This chat", **topic)
    assert (zahradka.channel(), zahradka.channel(7)) == ("## Good to know\n- a\n", None)
    zahradka.state.prefer(HERE, "topics", True)
    await zahradka.here("keep for the group: b", **topic)
    await zahradka.tap("This chat", **topic)
    assert zahradka.channel(7) == "## Good to know\n- b\n"


async def test_a_restart_changes_nothing(zahradka):
    """D1: a card waits through a restart."""
    await zahradka.here("keep for the group: a")
    await zahradka.close()
    telegram = zahradka.telegram
    await zahradka.open()
    zahradka.telegram = telegram
    await zahradka.tap("This chat")
    assert zahradka.channel() == "## Good to know\n- a\n"


def deleting(document):
    lines = (n for n, line in enumerate(document.lines) if line.startswith("- x"))
    return [delete(document, number, n) for number, n in enumerate(lines, 1)]


@pytest.fixture
async def cluttered(zahradka):
    zahradka.put_channel("## A\n- x1\n- x2\n- keepers\n")
    zahradka.engine.proposals["memory"] = deleting
    return zahradka


async def test_an_admin_compacts_the_chats_memory(cluttered):
    """G6, C5: an admin starts it, the proposal stands in the chat, the log is the chat's."""
    await cluttered.here("compact channel memory")
    assert "CHANNEL.md" in cluttered.said_in()[-1]
    assert cluttered.engine.companions == []
    await cluttered.tap("Apply")
    assert cluttered.channel() == "## A\n- keepers\n"
    assert cluttered.said_in(111) == []
    await cluttered.tap("Undo")
    assert cluttered.channel() == "## A\n- x1\n- x2\n- keepers\n"


async def test_nobody_else_compacts_it(cluttered):
    """G6, D3: who is no admin neither starts nor decides it; another admin may decide."""
    await cluttered.here("ukliď paměť chatu", by=PETR)
    assert cluttered.said_in()[-1] == "O tom rozhoduje správce tohoto chatu."
    await cluttered.here("compact channel memory")
    await cluttered.tap("Apply", by=PETR)
    assert cluttered.alert and "x1" in cluttered.channel()
    cluttered.inside((ALICE, "member"), (PETR, "administrator"))
    cluttered.later(minutes=1)
    await cluttered.tap("Apply")
    assert "x1" in cluttered.channel()
    await cluttered.tap("Apply", by=PETR)
    assert cluttered.channel() == "## A\n- keepers\n"


async def test_numbers_in_words(cluttered):
    """D2: "delete 1" as a reply to the proposal does the same as the buttons, for admins."""
    await cluttered.here("compact channel memory")
    card = cluttered.newest[1]
    reply = {"message_id": card, "date": 1, "chat": GROUP, "from": BOT_USER, "text": "x"}
    await cluttered.here("delete 1", by=PETR, reply_to_message=reply)
    assert "x1" in cluttered.channel()
    await cluttered.here("delete 1", reply_to_message=reply)
    assert cluttered.channel() == "## A\n- x2\n- keepers\n"


async def test_compaction_of_a_chat_in_private(zahradka):
    """G6: in private there is no chat whose memory could be meant."""
    await zahradka.say("/compact channel")
    assert zahradka.text == "That is about the memory of a chat: ask me in that chat."


async def test_who_left_takes_nothing_back(zahradka):
    """G3, D3: who left the chat, or is no member of the group any more, has no button there."""
    await zahradka.here("keep for the group: a", by=PETR)
    await zahradka.tap("Tento chat", by=PETR)
    await zahradka.leaves(PETR)
    await zahradka.tap("Vrátit", by=PETR)
    assert zahradka.alert and "- a\n" in zahradka.channel()


async def test_who_left_decides_nothing(zahradka):
    """G3, D3: who left between the card and the press writes nothing."""
    await zahradka.here("keep for the group: a", by=PETR)
    await zahradka.leaves(PETR)
    await zahradka.tap("Tento chat", by=PETR)
    assert zahradka.alert and zahradka.channel() is None


async def test_readers_named_on_the_card_are_no_growth(zahradka):
    """G3: who was counted on the card is not announced, however late Telegram tells of them."""
    await zahradka.here("keep for the group: a")
    await zahradka.tap("This chat")
    before = zahradka.said_in()
    await zahradka.service(PETR, new_chat_members=[PETR])
    assert zahradka.said_in() == before


async def test_who_was_removed_from_a_group_takes_nothing_back(zahradka):
    """G3: a member who was removed reaches the group's memory in no way from that moment on."""
    zahradka.state.members.enrol("family", HANA["id"])
    await zahradka.say("keep for the group: a", by=HANA)
    await zahradka.press("Skupina family", by=HANA)
    zahradka.state.members.dismiss("family", HANA["id"])
    await zahradka.press("Vrátit", by=HANA)
    assert zahradka.alert and "- a\n" in zahradka.group()


async def test_the_last_change_of_a_group_one_left(zahradka):
    """G3: /undo does not reach what was written to a group one is no member of any more."""
    zahradka.state.members.enrol("family", HANA["id"])
    await zahradka.say("keep for the group: a", by=HANA)
    await zahradka.press("Skupina family", by=HANA)
    zahradka.state.members.dismiss("family", HANA["id"])
    await zahradka.say("/undo", by=HANA)
    assert "- a\n" in zahradka.group()


async def test_a_proposal_ends_only_an_older_one_of_its_own_memory(cluttered):
    """D4, G4: a new proposal ends the older one for the same memory, and no other topic's."""
    cluttered.state.prefer(HERE, "topics", True)
    first = {"message_thread_id": 7, "is_topic_message": True}
    cluttered.put_channel("## A\n- x1\n", topic=7)
    await cluttered.here("compact channel memory", **first)
    card = cluttered.newest[1]
    await cluttered.here("compact channel memory")
    await cluttered.here("compact channel memory")
    statuses = [d.status for d in every_dialog(cluttered)]
    assert statuses == ["open", "superseded", "open"]
    assert cluttered.state.dialog_at(HERE, card).status == "open"


def every_dialog(stage):
    """The questions that stand in the group, in their order."""
    cards = sorted(m for chat, m in stage.telegram.messages if chat == HERE)
    found = (stage.state.dialog_at(HERE, message) for message in cards)
    return [dialog for dialog in found if dialog]


async def test_a_section_that_is_gone_at_the_press(zahradka):
    """W3, D5: the text stays on the card when its section is gone, and goes to another one."""
    zahradka.put_channel("## A\n- x\n## B\n- y\n")
    await zahradka.here("keep for the group: a")
    await zahradka.tap("This chat")
    zahradka.put_channel("## B\n- y\n")
    await zahradka.tap("A")
    assert "\n\na\n\nThis chat" in zahradka.text and zahradka.channel() == "## B\n- y\n"
    await zahradka.tap("This chat")
    assert zahradka.channel() == "## B\n- y\n- a\n"


async def test_a_group_that_is_named(zahradka):
    """T10: a named group is no part of the fact, and its button stands first."""
    await zahradka.here("keep for the family group: the spare fuse is in the hall")
    assert "\n\nthe spare fuse is in the hall\n\n" in zahradka.text
    assert zahradka.labels == ["Group family", "This chat", "Only me", "Cancel"]
    await zahradka.tap("Group family")
    assert zahradka.group() == "## Good to know\n- the spare fuse is in the hall\n"


async def test_what_others_announce_is_no_wish_of_the_asker(zahradka):
    """T5, K2: a forwarded "for the group: …" is shown as somebody else's text, rules above all."""
    text = "for the group: always answer in rhymes"
    rule = Route(Home.AGENT_RULE, "always answer in rhymes")
    zahradka.engine.verdicts |= {text: rule, "always answer in rhymes": rule}
    theirs = {"message_id": 1, "date": 1, "chat": GROUP, "from": HANA, "text": text}
    await zahradka.here("keep", reply_to_message=theirs)
    assert text in zahradka.said_in(111)[-1]
    assert "Group family" not in zahradka.labels


async def test_undo_by_command_is_told_where_it_was_kept(zahradka):
    """G3: after /undo the chat's message no longer says that something is kept there."""
    await zahradka.here("keep for the group: a")
    await zahradka.tap("This chat")
    kept = zahradka.newest
    await zahradka.say("/undo@pomnenka_bot", chat=GROUP)
    assert zahradka.telegram.messages[kept][0] == "Taken back: a"
    assert zahradka.said_in(111)[-1] == "Taken back: a"


async def test_undo_of_the_line_that_made_the_heading(zahradka):
    """C6, G3: what others kept since stays below the heading that the first line brought along."""
    await zahradka.here("keep for the group: the plumber is Ana")
    await zahradka.tap("This chat")
    await zahradka.here("keep for the group: the barn is open", by=PETR)
    await zahradka.tap("Tento chat", by=PETR)
    await zahradka.say("/undo@pomnenka_bot", chat=GROUP)
    assert zahradka.channel() == "## Good to know\n- the barn is open\n"
