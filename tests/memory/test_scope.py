"""Which memory a conversation may reach (M2, G2, G3, B8, B9)."""

from dataclasses import dataclass, field

import pytest

from memory import scope
from memory.scope import Audience, Conversation, Denied, Room, Target, Wish
from memory.spaces import channel, group, personal

ALICE, PETR, HANA = 111, 222, 333
CHAT = -1001
PRIVATE, HERE = Conversation(ALICE), Conversation(ALICE, CHAT)
FAMILY = frozenset({ALICE, PETR})


@dataclass
class Roster:
    """Who belongs where, as plain values; ``asked`` are the questions in their order."""

    groups: dict = field(default_factory=lambda: {"family": FAMILY})
    chats: dict = field(default_factory=dict)
    rooms: tuple = ()
    asked: list = field(default_factory=list)

    def groups_of(self, user):
        self.asked.append("groups_of")
        return tuple(id for id, members in self.groups.items() if user in members)

    def members_of(self, group):
        self.asked.append("members_of")
        return self.groups.get(group, frozenset())

    def audience(self, chat):
        self.asked.append("audience")
        return self.chats.get(chat)

    def rooms_of(self, user):
        return self.rooms


def inside(count, *people, bots=0):
    return Roster(chats={CHAT: Audience(count, frozenset(people), bots)})


UNCHECKED = Audience(3, FAMILY, checked=False)

REACHED = {
    "in private": (PRIVATE, Roster(), True),
    "the user's own id is private": (Conversation(ALICE, ALICE), Roster(), True),
    "no member": (Conversation(HANA), Roster(), False),
    "another person's private chat": (Conversation(ALICE, PETR), Roster(), False),
    "not checked lately": (HERE, Roster(chats={CHAT: UNCHECKED}), False),
    "every reader a member": (HERE, inside(3, ALICE, PETR), True),
    "a part of the members": (HERE, inside(2, ALICE), True),
    "a stranger is known": (HERE, inside(4, ALICE, PETR, HANA), False),
    "somebody is unknown": (HERE, inside(4, ALICE, PETR), False),
    "another bot": (HERE, inside(4, ALICE, PETR, bots=1), False),
    "another bot where a person left": (HERE, inside(3, ALICE, PETR, bots=1), False),
    "the count is too small": (HERE, inside(2, ALICE, PETR), False),
    "the asker is not known inside": (HERE, inside(2, PETR), False),
    "nothing is known of the chat": (HERE, Roster(), False),
}


@pytest.mark.parametrize("conversation, roster, reached", REACHED.values(), ids=REACHED)
def test_a_group_is_reached_only_among_members(conversation, roster, reached):
    """M2: a group's memory is reached by a member, and only where every reader is one."""
    found = scope.target(conversation, Wish(group="family"), roster)
    assert found == (Target(group("family")) if reached else Denied.NOT_A_MEMBER)
    assert (group("family") in scope.readable(conversation, roster)) is reached


@pytest.mark.parametrize("id", ["nothing", "Family", "", "f", "x" * 65, "../family", "a b", "ř"])
def test_what_is_no_group_is_refused_like_any_other(id):
    """M2: a group that does not exist, or cannot, is refused in the same way."""
    wish = Wish(group=id or "?")
    assert scope.target(PRIVATE, wish, Roster()) is Denied.NOT_A_MEMBER


def test_a_group_whose_id_makes_no_path_is_refused():
    """B18: a group that no folder may be made for is refused, whatever the roster says."""
    roster = Roster(groups={"../family": FAMILY})
    assert scope.target(PRIVATE, Wish(group="../family"), roster) is Denied.NOT_A_MEMBER
    assert scope.readable(PRIVATE, roster) == (personal(ALICE),)


def test_the_chat_of_another_person_is_not_private():
    """G2: only the own chat is private; in another person's nothing personal may be said."""
    there = Conversation(ALICE, PETR)
    assert not there.is_private
    assert personal(ALICE) not in scope.readable(there, Roster())


@pytest.mark.parametrize(
    "audience, readers", [(Audience(4, FAMILY, 1), 2), (Audience(2, FAMILY), 2)]
)
def test_whoever_is_unknown_counts_as_a_reader(audience, readers):
    """G3: bots are no readers; and at least the persons who are known to be inside are."""
    assert audience.readers == readers


@pytest.mark.parametrize("conversation, roster, reached", REACHED.values(), ids=REACHED)
@pytest.mark.parametrize("id", ["family", "nothing", "x" * 10_000])
def test_the_same_is_asked_whatever_the_cause(conversation, roster, reached, id):
    """B9: the questions to the roster are the same for every cause of a refusal."""
    roster.asked.clear()
    scope.target(conversation, Wish(group=id), roster)
    assert roster.asked == ["groups_of", "members_of", "audience"]


CHANNELS = {
    "own": (HERE, "-1001", Target(channel(CHAT))),
    "another": (HERE, "-1002", Denied.CHANNEL_MISMATCH),
    "padded": (HERE, "-01001", Denied.CHANNEL_MISMATCH),
    "a topic without one": (HERE, "-1001.7", Denied.CHANNEL_MISMATCH),
    "a topic": (Conversation(ALICE, CHAT, 7), "-1001.7", Target(channel(CHAT, 7))),
    "another topic": (Conversation(ALICE, CHAT, 7), "-1001.8", Denied.CHANNEL_MISMATCH),
    "the whole chat from a topic": (Conversation(ALICE, CHAT, 7), "-1001", Target(channel(CHAT))),
    "from private": (PRIVATE, "-1001", Denied.NO_CONVERSATION),
    "the private chat itself": (PRIVATE, "111", Denied.NO_CONVERSATION),
}


@pytest.mark.parametrize("conversation, wish, found", CHANNELS.values(), ids=CHANNELS)
def test_a_channel_is_the_conversation_s_own(conversation, wish, found):
    """M2, B8: a channel's memory is reached from its own conversation only."""
    assert scope.target(conversation, Wish(channel=wish), Roster()) == found


ROOMS = (
    Room(-1, "Family"),
    Room(-2, "Family trip"),
    Room(-3, "Zahrádka"),
    Room(-4, "Zahrádka"),
    Room(-5, "-3"),
)
NAMED = {
    "exact before prefix": ("Family", -1),
    "any case, without accents": ("FAMILY TRIP", -2),
    "an unambiguous beginning": ("family t", -2),
    "an ambiguous beginning": ("fam", 0),
    "two of one title": ("Zahrádka", 0),
    "by id": ("-4", -4),
    "a title before an id": ("-3", -5),
    "unknown": ("Work", 0),
    "an id of elsewhere": ("-9", 0),
    "blank": (" ", 0),
}


@pytest.mark.parametrize("wish, chat", NAMED.values(), ids=NAMED)
def test_a_room_is_named_in_one_way_only(wish, chat):
    """M2: title, unambiguous beginning, id; unknown and ambiguous are refused alike."""
    found = scope.target(PRIVATE, Wish(room=wish), Roster(rooms=ROOMS))
    known = Target(personal(ALICE), str(chat))
    assert found == (known if chat else Denied.ROOM_UNAVAILABLE)


def test_room_notes_stay_in_private():
    """M2: notes about a chat are refused in any chat, whatever they are called."""
    found = scope.target(HERE, Wish(room="Family"), Roster(rooms=ROOMS))
    assert found is Denied.ROOM_NOTES_FROM_SHARED_ROOM


@pytest.mark.parametrize("wish", [Wish("-1", "a"), Wish("-1", "", "r"), Wish("", "a", "r")])
def test_two_targets_are_none(wish):
    """M2: two targets together are an error, wherever they are named."""
    assert scope.target(PRIVATE, wish, Roster()) is Denied.TWO_TARGETS


def test_nothing_personal_is_readable_in_a_chat():
    """G2, M8: in a chat its own memory is readable, a topic's first, and never a personal one."""
    topic = Conversation(ALICE, CHAT, 7)
    assert scope.readable(topic, Roster()) == (channel(CHAT, 7), channel(CHAT))
    assert scope.readable(PRIVATE, Roster()) == (personal(ALICE), group("family"))
