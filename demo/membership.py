"""What people do with accounts and groups: block, add, kick, promote, migrate, topics."""

from __future__ import annotations

from demo import methods_chats, objects, people, posting
from demo.emulator import Emulator
from demo.errors import PeopleError
from demo.posting import Post
from demo.world import Chat, Counter, Fields, Person, Status, populate


def set_language(emulator: Emulator, person: Person, code: str) -> None:
    """Change the language of a person's client."""
    person.language_code = code
    emulator.announce_people()
    emulator.announce_commands()


def start(emulator: Emulator, person: Person, payload: str) -> Fields:
    """Open the private chat, as a deep link does, and say /start."""
    chat = emulator.world.chats[person.id]
    if person.blocked:
        block(emulator, person, False)
    text = f"/start {payload}".strip()
    return people.say(emulator, person, chat, Post(people.spoken(text)))


def block(emulator: Emulator, person: Person, blocked: bool) -> None:
    """Block the bot, or restart it; the bot is told as my_chat_member."""
    if person.blocked == blocked:
        return
    person.blocked = blocked
    chat = emulator.world.chats[person.id]
    before = chat.bot
    chat.bot = Status.KICKED if blocked else Status.MEMBER
    _tell_bot(emulator, chat, person, before)
    emulator.announce_people()


def deactivate(emulator: Emulator, person: Person) -> None:
    """The account is deleted."""
    person.deactivated = True
    emulator.announce_people()


def set_bot(emulator: Emulator, person: Person, chat: Chat, status: Status) -> None:
    """A person adds, promotes or removes the bot; the bot is told as my_chat_member."""
    if chat.private:
        raise PeopleError("a private chat has no members to change")
    before = chat.bot
    if before is status:
        return
    chat.bot = status
    account = emulator.world.account
    if status.inside and not before.inside:
        chat.bot_spoke = False
        posting.publish(emulator, chat, person.id, Post({"new_chat_members": [account]}))
    elif not status.inside:
        posting.publish(emulator, chat, person.id, Post({"left_chat_member": account}))
    _tell_bot(emulator, chat, person, before)
    emulator.announce_people()


def _tell_bot(emulator: Emulator, chat: Chat, person: Person, before: Status) -> None:
    account = emulator.world.account
    value = {
        "chat": chat.api,
        "from": objects.user(person),
        "date": emulator.world.now(),
        "old_chat_member": objects.member(account, before),
        "new_chat_member": objects.member(account, chat.bot),
    }
    emulator.tell("my_chat_member", value, chat)


def set_member(emulator: Emulator, by: Person, who: Person, chat: Chat, status: Status) -> None:
    """A person joins, leaves or is promoted, with the service message; admins' bots may be told."""
    if chat.private:
        raise PeopleError("a private chat has no members to change")
    before = chat.members.get(who.id, Status.LEFT)
    if before is status:
        return
    chat.members[who.id] = status
    account = objects.user(who)
    if status.inside and not before.inside:
        posting.publish(emulator, chat, by.id, Post({"new_chat_members": [account]}))
    elif not status.inside:
        posting.publish(emulator, chat, by.id, Post({"left_chat_member": account}))
    if chat.bot.rules:
        value = {
            "chat": chat.api,
            "from": objects.user(by),
            "date": emulator.world.now(),
            "old_chat_member": objects.member(account, before),
            "new_chat_member": objects.member(account, status),
        }
        emulator.tell("chat_member", value, chat)
    emulator.announce_people()
    emulator.announce_commands()


def new_group(
    emulator: Emulator, person: Person, title: str, members: list[int], forum: bool
) -> Fields:
    """A group made by a person, with the bot in it; forums are supergroups."""
    world = emulator.world
    roles = dict.fromkeys((people.find_person(emulator, m).id for m in members), Status.MEMBER)
    roles[person.id] = Status.CREATOR
    if forum:
        new = Chat(world.new_supergroup_id(), "supergroup", title, Counter(), roles, forum=True)
    else:
        new = Chat(world.new_group_id(), "group", title, world.ids, roles)
    new.bot = Status.LEFT
    world.add_group(new)
    set_bot(emulator, person, new, Status.MEMBER)
    emulator.announce_commands()
    return {"chat": new.id}


def migrate(emulator: Emulator, chat: Chat) -> Fields:
    """A basic group becomes a supergroup: service messages on both sides, message ids anew."""
    if chat.type != "group":
        raise PeopleError("only a basic group can become a supergroup")
    world = emulator.world
    members = dict(chat.members)
    new = Chat(world.new_supergroup_id(), "supergroup", chat.title, Counter(), members, chat.bot)
    world.add_group(new)
    creator = next(iter(members))
    posting.publish(emulator, chat, creator, Post({"migrate_to_chat_id": new.id}))
    chat.migrated_to = new.id
    posting.publish(emulator, new, creator, Post({"migrate_from_chat_id": chat.id}))
    emulator.events.send("reset", {})
    return {"chat": new.id}


def open_topic(emulator: Emulator, person: Person, chat: Chat, name: str) -> Fields:
    """A person makes a topic in a forum."""
    if not chat.forum:
        raise PeopleError("the chat is not a forum")
    return {"topic": methods_chats.open_topic(emulator, chat, person.id, name).id}


def close_topic(
    emulator: Emulator, person: Person, chat: Chat, topic_id: int, closed: bool
) -> None:
    """A person closes or reopens a topic."""
    topic = chat.topics.get(topic_id)
    if topic is None:
        raise PeopleError(f"there is no topic {topic_id}")
    if topic.closed != closed:
        methods_chats.turn_topic(emulator, chat, topic, person.id)


def reset(emulator: Emulator) -> None:
    """The world as at start; token, commands, webhook and update numbers go on."""
    emulator.world.clear()
    populate(emulator.world)
    emulator.updates.clear()
    emulator.load = None
    emulator.events.send("reset", {})
