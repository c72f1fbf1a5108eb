"""Groups: who is inside, hello, growth, topics, admins (G1-G4, G6, R6)."""

import asyncio

import pytest

from handlers.context import Policy
from handlers.edge.presence import Presence
from memory.scope import Audience
from tests.handlers.group_stage import FAMILY, HANA, ROBOT, GroupStage
from tests.handlers.handlers_stage import ALICE, GROUP, PETR
from tests.handlers.scripted_engine import ScriptedEngine

HERE = GROUP["id"]


@pytest.fixture
async def zahradka(tmp_path, languages):
    stage = await GroupStage(tmp_path, ScriptedEngine(), languages).open()
    yield stage
    await stage.close()


@pytest.fixture
async def governed(tmp_path, languages):
    """Hana is the bot's admin and in no group."""
    policy = Policy(everyone=True, admins=frozenset({HANA["id"]}))
    stage = await GroupStage(tmp_path, ScriptedEngine(), languages, policy=policy).open()
    yield stage
    await stage.close()


async def test_the_audience_is_asked_of_telegram(zahradka):
    """M2: who reads a chat is known from Telegram's count and from who is known to be inside."""
    await zahradka.here("keep a", by=PETR)
    members = zahradka.state.members
    assert members.audience(HERE) == Audience(3, frozenset({111, 222}))
    assert len(zahradka.telegram.sent("getChatMemberCount")) == 1
    await zahradka.here("keep b")
    assert len(zahradka.telegram.sent("getChatMemberCount")) == 1
    zahradka.later(minutes=6)
    await zahradka.here("keep c")
    assert len(zahradka.telegram.sent("getChatMemberCount")) == 2


async def test_telegram_does_not_answer(zahradka):
    """B8: without Telegram's answer the audience is unknown, and nothing else breaks."""
    zahradka.telegram.failing["getChatMemberCount"] = [(400, {"ok": False, "description": "x"})]
    await zahradka.here("keep a")
    assert zahradka.state.members.audience(HERE) is None
    assert zahradka.file() == "- a\n"


class Silent:
    """A Telegram that never answers."""

    id = 42

    async def get_chat_member_count(self, chat):
        await asyncio.Event().wait()


async def test_telegram_never_answers(zahradka):
    """B8, R2: a chat waits only so long for Telegram; then nothing is known of its readers."""
    await zahradka.here("keep a")
    zahradka.later(minutes=6)
    await Presence(zahradka.services, patience=0.01).ask(HERE, Silent())
    assert zahradka.state.members.audience(HERE) is None


async def test_who_is_gone_unseen_is_found(zahradka):
    """G3: a person thought to be inside who is not does not count for a stranger who is."""
    await zahradka.here("keep a", by=PETR)
    zahradka.inside((ALICE, "creator"), (HANA, "member"))
    zahradka.later(minutes=6)
    await zahradka.here("keep b")
    assert zahradka.state.members.people(HERE) == {111}
    assert not zahradka.state.members.audience(HERE).is_known


async def test_what_nobody_said_to_the_bot_asks_nothing(zahradka):
    """G2: other messages are no reason to ask Telegram or to say anything."""
    await zahradka.say("lunch?", chat=GROUP)
    assert zahradka.telegram.sent("getChatMemberCount", "sendMessage") == []


async def test_hello(zahradka):
    """R6: on joining one message says what is kept where, who reads it, and what is missing."""
    await zahradka.bot_is("member")
    (said,) = zahradka.said_in()
    assert "everyone in it can read" in said
    assert "I only see commands" in said
    assert "not an admin" in said
    await zahradka.bot_is("administrator", before="member")
    await zahradka.bot_is("left", before="administrator")
    zahradka.later(days=29)
    await zahradka.bot_is("member")
    assert len(zahradka.said_in()) == 1
    zahradka.later(days=2)
    await zahradka.bot_is("member")
    assert len(zahradka.said_in()) == 2


async def test_no_hello_to_a_broadcast_channel(zahradka):
    """R6: a channel, in which nobody answers, is not greeted."""
    await zahradka.bot_is("administrator", chat={"id": -9, "type": "channel", "title": "News"})
    assert zahradka.said_in(-9) == []


async def test_hello_as_an_admin(zahradka):
    """R6: as an admin it is shown everything and says so, and no right is missing."""
    await zahradka.bot_is("administrator", by=PETR)
    (said,) = zahradka.said_in()
    assert "Vidím tu všechny zprávy" in said
    assert "Nejsem tu správce" not in said


async def test_hello_comes_again_only_for_the_same_update(zahradka):
    """W4: an update that comes again after a crash says hello again, another one does not."""
    await zahradka.bot_is("member", number=50_001)
    await zahradka.bot_is("member", number=50_001)
    assert len(zahradka.said_in()) == 2


async def test_a_stranger_adds_the_bot(tmp_path, languages):
    """G1: who is not let in gets no hello."""
    policy = Policy(members=frozenset({111}))
    stage = await GroupStage(tmp_path, ScriptedEngine(), languages, policy=policy).open()
    await stage.bot_is("member", by=PETR)
    assert stage.said_in() == []
    await stage.close()


async def test_growth_is_announced(zahradka):
    """G3: when somebody enters, the chat is told once how many read its memory now."""
    zahradka.put_channel("## Decisions\n- the sauna opens at six\n")
    zahradka.store.tend(everything=True)
    await zahradka.here("compact channel memory")
    before = len(zahradka.said_in())
    await zahradka.enters(HANA)
    assert zahradka.said_in()[before:] == ["3 people can read the memory of this chat now."]
    await zahradka.leaves(HANA)
    await zahradka.enters(ROBOT)
    assert len(zahradka.said_in()) == before + 1


async def test_an_empty_memory_has_no_readers(zahradka):
    """G3: nothing is announced while the chat's memory holds nothing."""
    await zahradka.enters(HANA)
    assert zahradka.said_in() == []


async def test_a_kicked_or_blocked_bot(zahradka):
    """G3: where the bot is kicked or blocked, nothing may be sent by itself any more."""
    members = zahradka.state.members
    await zahradka.bot_is("member")
    await zahradka.bot_is("kicked", before="member")
    assert not members.reachable(HERE)
    private = {"id": 111, "type": "private"}
    await zahradka.bot_is("kicked", before="member", chat=private)
    assert not members.reachable(111)
    await zahradka.bot_is("member", before="kicked", chat=private)
    assert members.reachable(111)


async def test_topics_for_admins(zahradka):
    """G4: an admin gives each topic a memory of its own; others cannot."""
    forum = GROUP | {"is_forum": True}
    await zahradka.say("/topics@pomnenka_bot on", by=PETR, chat=forum)
    assert zahradka.said_in()[-1] == "O tom rozhoduje správce tohoto chatu."
    await zahradka.say("/topics@pomnenka_bot on", chat=forum)
    assert "every topic here has a memory of its own" in zahradka.said_in()[-1]
    assert zahradka.state.preference(HERE, "topics") is True
    await zahradka.say("/topics@pomnenka_bot off", chat=GROUP)
    assert zahradka.state.preference(HERE, "topics") is False


async def test_a_chat_without_topics(zahradka):
    """G4: where there are no topics, they get no memories of their own, and that is said."""
    await zahradka.say("/topics@pomnenka_bot on", chat=GROUP)
    assert zahradka.said_in()[-1] == "This chat has no topics: its memory is one."
    assert zahradka.state.preference(HERE, "topics") is None


async def test_topics_belong_to_chats(zahradka):
    """G4: in private there is nothing to switch."""
    await zahradka.say("/topics on")
    assert zahradka.text == "That is about the memory of a chat: ask me in that chat."


async def test_an_admin_sees_to_groups(governed):
    """G6: the bot's admin adds and removes members of a group, and never creates one."""
    await governed.say("/group list", by=HANA)
    assert governed.text == "Skupiny\nfamily: 2 členové"
    await governed.say("/group add family 333", by=HANA)
    assert governed.state.members.groups_of(333) == ("family",)
    await governed.say("/group remove family 333", by=HANA)
    assert governed.state.members.groups_of(333) == ()
    await governed.say("/group remove family 111", by=HANA)
    assert "podle konfigurace" in governed.text
    await governed.say("/group add nothing 333", by=HANA)
    assert governed.state.members.groups() == tuple(FAMILY)


@pytest.mark.parametrize("words", ["add family 333", "remove family 222", "add x 1"])
async def test_nobody_else_does(governed, words):
    """G6: for everybody else there is no such command, whatever exists."""
    await governed.say("/stats")
    unknown = governed.text
    await governed.say(f"/group {words}")
    assert governed.text == unknown
    assert governed.state.members.members_of("family") == FAMILY["family"]


async def test_one_sees_the_own_groups(governed):
    """M2: a member sees the own groups, others none."""
    await governed.say("/group")
    assert governed.text == "Groups\nfamily: 2 members"


async def test_a_grown_group_is_told(governed):
    """G3: the members hear that one more reads the group's memory, when it holds something."""
    await governed.say("/start", by=PETR)
    await governed.say("keep for the group: the plumber is Ana")
    await governed.press("Group family")
    await governed.say("/group add family 333", by=HANA)
    assert governed.said_in(222)[-1] == "Paměť skupiny family teď mohou číst 3 lidé."


async def test_stats_are_numbers(governed):
    """G6: /stats counts people, chats, groups, lines and writes, and shows nothing else."""
    await governed.say("keep the sauna opens at six")
    await governed.say("keep for the group: the plumber is Ana")
    await governed.press("Group family")
    await governed.say("/stats", by=HANA)
    assert governed.text.split("\n") == [
        "1 člověk s pamětí",
        "0 chatů s pamětí",
        "1 skupina s pamětí",
        "3 řádky celkem",
        "2 zápisy dnes",
    ]


MOVED = {"id": -5, "type": "group", "title": "Zahrádka"}


@pytest.mark.parametrize("order", [(0, 1), (1, 0), (0, 1, 0, 1), (1,)], ids=str)
async def test_a_group_becomes_a_supergroup(zahradka, order):
    """G4: whichever service messages come, in whatever order, the memory moves once."""
    zahradka.telegram.inside[MOVED["id"]] = [(ALICE, "creator")]
    await zahradka.say("/keep@pomnenka_bot for the group: the plumber is Ana", chat=MOVED)
    message, data = zahradka.data("This chat")
    await zahradka.press_data(data, message=message, chat=MOVED)
    zahradka.put("## Avoid\n- the house sale\n", "room", "-5")
    told = ({"migrate_to_chat_id": HERE}, {"migrate_from_chat_id": MOVED["id"]})
    for which in order:
        chat = (MOVED, GROUP)[which]
        await zahradka.say("", chat=chat, **told[which])
    assert zahradka.channel() == "## Good to know\n- the plumber is Ana\n"
    assert zahradka.file("room", str(HERE)) == "## Avoid\n- the house sale\n"
    assert zahradka.file("room", "-5") is None
    await zahradka.here("keep for the group: b")
    await zahradka.tap("This chat")
    assert zahradka.channel() == "## Good to know\n- the plumber is Ana\n- b\n"


async def test_members_of_ones_group_need_not_have_spoken(zahradka):
    """M2: who is in a group with the speaker is asked for by name, so nobody has to speak first."""
    await zahradka.here("keep a")
    assert zahradka.state.members.audience(HERE) == Audience(3, frozenset({111, 222}))


async def test_telegram_names_nobody(zahradka):
    """B8: whom Telegram does not name is not taken for gone, but the audience is not certain."""
    await zahradka.here("keep a", by=PETR)
    zahradka.later(minutes=6)
    unnamed = {"ok": False, "error_code": 400, "description": "Bad Request: member not found"}
    zahradka.telegram.failing["getChatMember"] = [(400, unnamed)] * 5
    await zahradka.here("keep for the group: b")
    found = zahradka.state.members.audience(HERE)
    assert found.people == {111, 222} and not found.is_known
    await zahradka.tap("This chat")
    assert "- b\n" in zahradka.channel()


async def test_a_member_of_the_group_who_is_not_inside(zahradka):
    """M2: a member who is elsewhere does not stand in for a stranger who is here."""
    zahradka.inside((ALICE, "creator"), (HANA, "member"))
    await zahradka.here("keep a")
    found = zahradka.state.members.audience(HERE)
    assert found.people == {111} and not found.is_known
