"""Who is known to be inside chats and groups (G1, G3, G4, M2)."""

from datetime import UTC, datetime, timedelta

import pytest

from memory import scope
from memory.members import FRESH, Chat, Look
from memory.scope import Audience, Conversation, Room
from memory.state import State

ALICE, PETR, HANA, BOT = 111, 222, 333, 900
CHAT = Chat(-1001, "supergroup", "Zahrádka")
NOON = datetime(2026, 5, 4, 12, 30, tzinfo=UTC)
GROUPS = {"family": frozenset({ALICE, PETR})}


@pytest.fixture
def state(tmp_path):
    state = State(tmp_path / "state.db", synchronous="OFF", groups=GROUPS)
    yield state
    state.close()


@pytest.fixture
def members(state):
    return state.members


def test_who_speaks_is_inside_and_who_leaves_is_not(members):
    """G3: whoever speaks is known to be inside; whoever leaves is not from that moment on."""
    members.meet(CHAT, ALICE)
    members.meet(CHAT, PETR)
    members.look(CHAT.id, Look(3), NOON)
    assert members.audience(CHAT.id) == Audience(3, frozenset({ALICE, PETR}))
    members.leave(CHAT.id, PETR)
    assert members.people(CHAT.id) == {ALICE}
    assert members.audience(CHAT.id) is None
    members.meet(CHAT, PETR)
    assert members.people(CHAT.id) == {ALICE, PETR}


def test_a_failed_look_closes(members):
    """B8: when Telegram does not answer, nothing is known of the audience."""
    members.meet(CHAT, ALICE)
    members.look(CHAT.id, Look(2), NOON)
    members.look(CHAT.id, Look(None), NOON)
    assert members.audience(CHAT.id) is None


def test_an_old_answer_closes(members):
    """B8: what Telegram said ten minutes ago is not relied upon."""
    here = Conversation(ALICE, CHAT.id)
    members.meet(CHAT, ALICE)
    members.look(CHAT.id, Look(2), NOON)
    young, old = members.at(NOON + timedelta(minutes=9)), members.at(NOON + timedelta(minutes=11))
    assert scope.groups(here, young) == ("family",)
    assert scope.groups(here, old) == ()


def test_a_look_corrects_what_was_missed(members):
    """G3: admins and bots are known from Telegram's answer, and who is gone is removed."""
    members.meet(CHAT, ALICE)
    members.meet(CHAT, HANA)
    members.look(CHAT.id, Look(4, frozenset({PETR}), frozenset({BOT}), frozenset({HANA})), NOON)
    assert members.audience(CHAT.id) == Audience(4, frozenset({ALICE, PETR}), 1)
    assert members.is_admin(CHAT.id, PETR, NOON)
    assert not members.is_admin(CHAT.id, PETR, NOON + timedelta(hours=1))
    assert not members.is_admin(CHAT.id, ALICE, NOON)
    members.look(CHAT.id, Look(4), NOON)
    assert not members.is_admin(CHAT.id, PETR, NOON)


def test_somebody_new_is_told_apart(members):
    """G3: only those who were not known to be inside are new."""
    members.meet(CHAT, ALICE)
    assert members.enter(CHAT, (ALICE, HANA)) == (HANA,)
    assert members.enter(CHAT, (HANA,)) == ()


def test_growth_is_announced_once(members):
    """G3: an audience is announced when it is larger than ever, again only to the same request."""
    assert members.grow(-1, 3, "")
    assert members.grow(-1, 5, "m1")
    assert members.grow(-1, 5, "m1")
    assert not members.grow(-1, 5, "m2")
    assert not members.grow(-1, 4, "")
    assert members.grow(-1, 6, "m3")


def test_a_chat_that_lost_a_reader_may_grow_again(members):
    """G3: after somebody left, the next one who joins is announced too."""
    members.enter(CHAT, (ALICE, PETR))
    members.grow(CHAT.id, 2, "")
    members.leave(CHAT.id, PETR)
    assert members.grow(CHAT.id, 2, "m1")


def test_a_kicked_bot_writes_nothing_by_itself(members):
    """G3: a chat that blocked or kicked the bot is not reachable until somebody speaks there."""
    assert members.reachable(CHAT.id)
    members.meet(CHAT, ALICE)
    members.reach(CHAT.id, False)
    assert not members.reachable(CHAT.id)
    assert members.people(CHAT.id) == frozenset()
    assert members.rooms_of(ALICE) == ()
    members.meet(CHAT, ALICE)
    assert members.reachable(CHAT.id)
    assert members.rooms_of(ALICE) == (Room(CHAT.id, "Zahrádka"),)


def test_configured_members_and_added_ones_are_one_group(members):
    """G6: a group is what the configuration says and what an admin added."""
    assert members.enrol("family", HANA)
    assert not members.enrol("family", HANA)
    assert members.members_of("family") == {ALICE, PETR, HANA}
    assert members.groups_of(HANA) == ("family",)
    assert members.dismiss("family", HANA)
    assert not members.dismiss("family", ALICE)
    assert members.groups_of(HANA) == () and members.groups() == ("family",)


def test_whoever_telegram_says_is_gone_comes_back_by_speaking(members):
    """G3: who left unseen is inside again with the first word after that."""
    members.meet(CHAT, HANA)
    members.look(CHAT.id, Look(2, gone=frozenset({HANA})), NOON)
    assert members.people(CHAT.id) == frozenset()
    members.meet(CHAT, HANA)
    assert members.people(CHAT.id) == {HANA}


def test_a_bot_is_let_in_to_people_it_does_not_know(members):
    """G3: after a kick nothing that was known of the readers is relied upon."""
    members.meet(CHAT, ALICE)
    members.look(CHAT.id, Look(2), NOON)
    members.reach(CHAT.id, True)
    assert members.audience(CHAT.id) is None


def test_an_answer_of_just_ten_minutes_is_relied_upon(members):
    """B8: an answer may be as old as `FRESH`, and no older."""
    members.meet(CHAT, ALICE)
    members.look(CHAT.id, Look(2), NOON)
    assert members.at(NOON + FRESH).audience(CHAT.id) is not None
    assert members.at(NOON + FRESH + timedelta(seconds=1)).audience(CHAT.id) is None


def test_a_bot_is_no_admin_of_a_chat(members):
    """G6: another bot decides nothing, though Telegram calls it an admin."""
    members.enter(CHAT, (BOT,), bot=True)
    members.look(CHAT.id, Look(3, frozenset({BOT, PETR})), NOON)
    assert members.is_admin(CHAT.id, PETR, NOON)
    assert not members.is_admin(CHAT.id, BOT, NOON)
