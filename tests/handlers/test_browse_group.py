"""Menus over what several people read: in the group itself, and GROUP.md in private (G2, G3, M2)."""

from functools import partial

import pytest
import pytest_asyncio

from memory.spaces import DocumentName, DocumentRef, channel, group
from memory.state import State
from tests.handlers.fake_telegram import BOT
from tests.handlers.group_stage import HANA, PETR, GroupStage
from tests.handlers.handlers_stage import ALICE, GROUP
from tests.handlers.scripted_engine import ScriptedEngine

CHANNEL = "## Rules\n- water on Mondays\n- shoes off\n"


@pytest_asyncio.fixture
async def stage(tmp_path, languages):
    """The garden's group with a CHANNEL.md, and a GROUP.md of the family."""
    stage = await GroupStage(tmp_path, ScriptedEngine(), languages).open()
    stage.put_channel(CHANNEL)
    path = stage.layout.path(DocumentRef(group("family"), DocumentName.GROUP))
    path.parent.mkdir(parents=True)
    path.write_text("## Reference\n- the wifi is in the hall\n", encoding="utf-8")
    stage.put("- my own secret wish\n")
    yield stage
    await stage.close()


async def test_a_group_sees_only_what_it_shares(stage):
    """G2, X1: in a group only the chat's memory and groups of which every reader is a member."""
    await stage.here("hello", by=PETR)
    stage.later(minutes=2)
    await stage.say("/show", chat=GROUP)
    assert stage.labels == ["CHANNEL.md · 2", "GROUP.md (family) · 1"]
    await stage.enters(HANA)
    await stage.say("/show", chat=GROUP)
    assert stage.labels == ["CHANNEL.md · 2"]


async def test_personal_matter_is_shown_in_private(stage):
    """G2: a document of one's own, asked for in a group, is opened in the private chat."""
    await stage.say("/show keep", chat=GROUP)
    assert stage.newest[0] == ALICE["id"]
    assert "my own secret wish" in stage.text
    assert "secret" not in "".join(stage.said_in())
    await stage.press("1. my own")
    await stage.press("Delete")
    assert stage.file() == ""


async def test_words_in_a_group(stage):
    """X1, G2: the words do the same as the command, when the bot is meant."""
    await stage.here("what do you remember?")
    assert stage.newest[0] == GROUP["id"]
    assert stage.labels[0] == "CHANNEL.md · 2"


async def test_delete_and_undo_in_a_group(stage):
    """X1, D3: an entry of the chat's memory goes and comes back there; others cannot press."""
    await stage.say("/show channel", chat=GROUP)
    assert "Others write here too" in stage.text
    await stage.tap("Rules")
    await stage.tap("shoes off", by=PETR)
    assert "Others write here too" in stage.text
    assert "shoes off\n\nCHANNEL" not in stage.text
    await stage.tap("shoes off")
    await stage.tap("Delete")
    assert stage.text == "Delete for everyone: shoes off?"
    await stage.tap("Delete")
    assert stage.channel() == "## Rules\n- water on Mondays\n"
    await stage.tap("Undo")
    assert stage.channel() == CHANNEL


async def test_add_by_a_reply_in_a_group(stage):
    """G3: who will read it is said before it is written, and only a reply is an answer there."""
    await stage.say("/show channel › Rules", chat=GROUP)
    await stage.tap("Add entry")
    chat, message = stage.newest
    assert stage.text.startswith("What shall I add to “Rules”?")
    assert "2 people" in stage.text
    await stage.say("this is not for you", chat=GROUP)
    assert stage.channel() == CHANNEL
    asked = {"message_id": message, "date": 1, "chat": GROUP, "from": BOT, "text": stage.text}
    await stage.say("bring gloves", chat=GROUP, reply_to_message=asked)
    assert stage.channel() == f"{CHANNEL}- bring gloves\n"
    assert stage.newest[0] == GROUP["id"]


async def test_who_left_reads_no_more(stage):
    """D3, G3: rights are asked again at each press."""
    await stage.say("/show family")
    await stage.press("Reference")
    assert "wifi" in stage.text
    stage._state = partial(State, groups={"family": frozenset({222})})
    await stage.close()
    await stage.open()
    await stage.press("1. the wifi")
    assert "wifi" not in stage.text
    assert stage.text.startswith("That is no longer there")


async def test_notes_on_a_chat_are_private(stage):
    """M2: from a group, notes about a chat are neither shown nor written."""
    await stage.say("/show", chat=GROUP)
    await stage.say("/show zahradka", chat=GROUP)
    assert (
        stage.text.split("\n")[0]
        == "Your notes on a chat are only for you. Ask me in our private chat."
    )
    await stage.say("/add zahradka: Petr has the shed", chat=GROUP)
    assert stage.text.startswith(
        "Your notes on a chat are only for you. Ask me in our private chat."
    )
    assert stage.file("room", "-1001") is None


async def test_remove_in_a_group(stage):
    """M1, G2: words to remove are looked for in the chat's memory, not in anybody's own."""
    await stage.say("/remove wish", chat=GROUP)
    assert stage.text == "No entry has “wish” in it, so I changed nothing."
    await stage.say("/remove shoes", chat=GROUP)
    assert stage.newest[0] == GROUP["id"]
    await stage.tap("Delete")
    assert stage.channel() == "## Rules\n- water on Mondays\n"
    assert stage.newest[0] == GROUP["id"]


async def test_nothing_shared(stage):
    """X1: a group without memory is told so."""
    ref = DocumentRef(channel(GROUP["id"]), DocumentName.CHANNEL)
    stage.layout.path(ref).unlink()
    stage.inside((ALICE, "creator"), (HANA, "member"))
    await stage.say("/show", chat=GROUP)
    assert stage.text == "Nothing is remembered for this group yet."


async def test_a_topic_with_a_memory_of_its_own(stage):
    """G4: in a forum's topic its own memory stands first, and "channel" means that."""
    path = stage.layout.path(DocumentRef(channel(GROUP["id"], 7), DocumentName.CHANNEL))
    path.parent.mkdir(parents=True)
    path.write_text("## Bees\n- three hives\n", encoding="utf-8")
    stage.state.prefer(GROUP["id"], "topics", True)
    forum = {"chat": GROUP | {"is_forum": True}, "message_thread_id": 7, "is_topic_message": True}
    await stage.say("/show", **forum)
    assert stage.labels[:2] == ["CHANNEL.md of this topic · 1", "CHANNEL.md · 2"]
    await stage.say("/show channel", **forum)
    assert stage.labels[0] == "1. Bees · 1"
    await stage.say("/remove hives", **forum)
    await stage.tap("Delete", message_thread_id=7, is_topic_message=True)
    assert path.read_text(encoding="utf-8") == "## Bees\n"
    assert stage.channel() == CHANNEL


@pytest.mark.parametrize(
    ("said", "label", "after"),
    [
        ("CHANNEL.md: bring gloves", "This chat", f"{CHANNEL}- bring gloves\n"),
        ("CHANNEL.md › Rules: bring gloves", "This chat › Rules", f"{CHANNEL}- bring gloves\n"),
        (
            "CHANNEL.md › Rules › Tools: bring gloves",
            "This chat › Rules › Tools",
            f"{CHANNEL}### Tools\n- rake\n- bring gloves\n",
        ),
    ],
    ids=["a document", "a section", "a subsection"],
)
async def test_added_by_command_its_readers_are_told_first(stage, said, label, after):
    """G3: /add writes nothing to shared memory before a card said who will read it."""
    if "Tools" in said:
        stage.put_channel(f"{CHANNEL}### Tools\n- rake\n")
    before = stage.channel()
    await stage.say(f"/add@pomnenka_bot {said}", chat=GROUP, by=ALICE)
    assert stage.channel() == before
    assert "2 people will read it" in stage.said_in()[-1]
    assert stage.labels == [label, "Only me", "Cancel"]
    await stage.tap(label)
    assert stage.channel() == after
    await stage.tap("Undo")
    assert stage.channel() == before


async def test_added_to_a_group_in_private(stage):
    """G3: the same in private, for a group's memory."""
    before = stage.group()
    await stage.say("/add GROUP.md: bring gloves")
    assert stage.group() == before
    assert stage.labels == ["Group family", "Only me", "Cancel"]
    await stage.press("Group family")
    assert "- bring gloves\n" in stage.group()


async def test_what_somebody_else_wrote_is_asked_about(stage):
    """G3: what another wrote goes for everyone only after a question; then Undo brings it back."""
    await stage.say("/remove@pomnenka_bot shoes", chat=GROUP, by=ALICE)
    assert stage.said_in()[-1] == "Delete for everyone: shoes off?"
    assert stage.labels == ["Delete", "Cancel"]
    assert stage.channel() == CHANNEL
    await stage.tap("Cancel")
    assert stage.channel() == CHANNEL
    await stage.tap("Delete")
    assert stage.text == "Delete for everyone: shoes off?"
    await stage.tap("Delete")
    assert stage.channel() == "## Rules\n- water on Mondays\n"
    await stage.tap("Undo")
    assert stage.channel() == CHANNEL
    await stage.say("/remove@pomnenka_bot shoes", chat=GROUP, by=ALICE)
    assert stage.said_in()[-1] == "Delete for everyone: shoes off?"


async def test_what_one_wrote_goes_at_once(stage):
    """G3: one's own entry goes at once; written by Petr it is not Alice's."""
    await stage.here("keep for the group: bring gloves", by=PETR)
    await stage.tap("Tento chat", by=PETR)
    await stage.say("/remove@pomnenka_bot gloves", chat=GROUP, by=ALICE)
    assert "- bring gloves\n" in stage.channel()
    await stage.say("/remove@pomnenka_bot gloves", chat=GROUP, by=PETR)
    assert stage.channel() == CHANNEL


async def test_deleted_by_number_what_others_wrote(stage):
    """G3, D2: "delete 1" asks too, and several at once are left for one by one."""
    await stage.say("/show@pomnenka_bot CHANNEL.md", chat=GROUP, by=ALICE)
    await stage.tap("Rules")
    card = stage.newest[1]
    reply = {"message_id": card, "date": 1, "chat": GROUP, "from": BOT, "text": "x"}
    await stage.here("delete 1 2", reply_to_message=reply)
    assert stage.channel() == CHANNEL
    assert "one by one" in stage.said_in()[-1]
    reply = reply | {"message_id": stage.newest[1]}
    await stage.here("delete 1", reply_to_message=reply)
    assert stage.channel() == CHANNEL
    assert stage.said_in()[-1] == "Delete for everyone: water on Mondays?"
    await stage.tap("Delete")
    assert stage.channel() == "## Rules\n- shoes off\n"


async def test_a_group_that_is_not_reached_here(stage):
    """M2: before strangers a group's file is as little there as any other of that name."""
    stage.inside((ALICE, "creator"), (HANA, "member"))
    stage.later(minutes=6)
    await stage.say("/show GROUP.md", chat=GROUP)
    assert stage.text.startswith("There is no file called “GROUP.md”.")
    assert "changed" not in stage.text


async def test_how_many_notes_there_are_is_private(stage):
    """G2, M2: in a group nobody learns that somebody has notes on several chats."""
    for chat in (-2001, -2002):
        other = {"id": chat, "type": "group", "title": f"Other {chat}"}
        stage.telegram.inside[chat] = [(ALICE, "member")]
        await stage.say("/show@pomnenka_bot", chat=other)
    await stage.say("/show@pomnenka_bot rooms", chat=GROUP)
    assert stage.said_in()[-1].startswith("There is no file called “rooms”.")


async def test_the_first_line_by_command(stage):
    """G3, W3: /add to a chat whose memory holds nothing yet asks as well, and makes the section."""
    stage.layout.path(DocumentRef(channel(GROUP["id"]), DocumentName.CHANNEL)).unlink()
    await stage.say("/add@pomnenka_bot CHANNEL.md: bring gloves", chat=GROUP, by=ALICE)
    await stage.tap("This chat")
    assert stage.channel() == "## Good to know\n- bring gloves\n"
