"""Bot API methods about chats: who is there, pins, topics, leaving."""

from __future__ import annotations

from demo import objects, posting, targets
from demo.emulator import Emulator
from demo.errors import bad_request
from demo.params import Params
from demo.posting import Post
from demo.world import BOT, Chat, Fields, Message, Status, Topic

TOPIC_COLOUR = 7322096
TOPIC_NAME_LIMIT = 128


def get_chat(emulator: Emulator, params: Params) -> Fields:
    """Bot API getChat."""
    return objects.full_chat(emulator.world, targets.known_chat(emulator, params))


def get_chat_member(emulator: Emulator, params: Params) -> Fields:
    """Bot API getChatMember."""
    chat = targets.known_chat(emulator, params)
    if params.number("user_id") == emulator.world.bot_id:
        return objects.member(emulator.world.account, chat.bot)
    person = targets.person_of(emulator, params)
    return objects.member(objects.user(person), chat.members.get(person.id, Status.LEFT))


def get_chat_administrators(emulator: Emulator, params: Params) -> list[Fields]:
    """Bot API getChatAdministrators."""
    chat = targets.known_chat(emulator, params)
    if chat.private:
        raise bad_request("there are no administrators in the private chat")
    found = [
        objects.member(objects.user(person), chat.members[person.id])
        for person in emulator.world.people_of(chat)
        if chat.members[person.id].rules
    ]
    if chat.bot.rules:
        found.append(objects.member(emulator.world.account, chat.bot))
    return found


def get_chat_member_count(emulator: Emulator, params: Params) -> int:
    """Bot API getChatMemberCount; the bot counts too."""
    chat = targets.known_chat(emulator, params)
    return len(chat.readers()) + chat.bot.inside


def leave_chat(emulator: Emulator, params: Params) -> bool:
    """Bot API leaveChat."""
    chat = targets.writable_chat(emulator, params)
    if chat.private:
        raise bad_request("chat member status can't be changed in private chats")
    posting.publish(emulator, chat, BOT, Post({"left_chat_member": emulator.world.account}))
    chat.bot = Status.LEFT
    emulator.announce_people()
    return True


def pin_chat_message(emulator: Emulator, params: Params) -> bool:
    """Bot API pinChatMessage."""
    chat = _pinnable(emulator, params)
    message = targets.message_of(chat, params, "pin")
    chat.pinned = message.id
    quoted = objects.quoted(message)
    posting.publish(emulator, chat, BOT, Post({"pinned_message": quoted}, message.topic))
    emulator.announce_people()
    return True


def unpin_chat_message(emulator: Emulator, params: Params) -> bool:
    """Bot API unpinChatMessage; without a message the pinned one."""
    chat = _pinnable(emulator, params)
    wanted = params.number("message_id") or chat.pinned
    if not chat.pinned or wanted != chat.pinned:
        raise bad_request("message to unpin not found")
    return _unpinned(emulator, chat)


def unpin_all_chat_messages(emulator: Emulator, params: Params) -> bool:
    """Bot API unpinAllChatMessages."""
    return _unpinned(emulator, _pinnable(emulator, params))


def _unpinned(emulator: Emulator, chat: Chat) -> bool:
    chat.pinned = 0
    emulator.announce_people()
    return True


def _pinnable(emulator: Emulator, params: Params) -> Chat:
    chat = targets.writable_chat(emulator, params)
    if not chat.private and not chat.bot.rules:
        raise bad_request("not enough rights to manage pinned messages in the chat")
    return chat


def create_forum_topic(emulator: Emulator, params: Params) -> Fields:
    """Bot API createForumTopic."""
    name = params.text("name").strip()
    chat = _forum(emulator, params, "create a topic")
    if not 1 <= len(name) <= TOPIC_NAME_LIMIT:
        raise bad_request("TOPIC_TITLE_EMPTY" if not name else "topic name is too long")
    message = open_topic(emulator, chat, BOT, name)
    return {"message_thread_id": message.id, "name": name, "icon_color": TOPIC_COLOUR}


def open_topic(emulator: Emulator, chat: Chat, by: int | str, name: str) -> Message:
    """A new topic, begun by a service message whose id is the topic's."""
    number = chat.ids.last + 1
    chat.topics[number] = Topic(number, name)
    created = {"name": name, "icon_color": TOPIC_COLOUR}
    post = Post({"forum_topic_created": created}, number)
    message = posting.publish(emulator, chat, by, post)
    emulator.announce_people()
    return message


def close_forum_topic(emulator: Emulator, params: Params) -> bool:
    """Bot API closeForumTopic."""
    return _turn(emulator, params, closed=True)


def reopen_forum_topic(emulator: Emulator, params: Params) -> bool:
    """Bot API reopenForumTopic."""
    return _turn(emulator, params, closed=False)


def _turn(emulator: Emulator, params: Params, closed: bool) -> bool:
    chat = _forum(emulator, params, "manage topics")
    topic = chat.topics.get(params.number("message_thread_id"))
    if topic is None:
        raise bad_request("message thread not found")
    if topic.closed == closed:
        raise bad_request("TOPIC_NOT_MODIFIED")
    turn_topic(emulator, chat, topic, BOT)
    return True


def turn_topic(emulator: Emulator, chat: Chat, topic: Topic, by: int | str) -> None:
    """Close an open topic or reopen a closed one, with its service message."""
    topic.closed = not topic.closed
    name = "forum_topic_closed" if topic.closed else "forum_topic_reopened"
    posting.publish(emulator, chat, by, Post({name: {}}, topic.id))
    emulator.announce_people()


def _forum(emulator: Emulator, params: Params, what: str) -> Chat:
    chat = targets.writable_chat(emulator, params)
    if not chat.forum:
        raise bad_request("the chat is not a forum")
    if not chat.bot.rules:
        raise bad_request(f"not enough rights to {what}")
    return chat


METHODS = {
    "getchat": get_chat,
    "getchatmember": get_chat_member,
    "getchatadministrators": get_chat_administrators,
    "getchatmembercount": get_chat_member_count,
    "leavechat": leave_chat,
    "pinchatmessage": pin_chat_message,
    "unpinchatmessage": unpin_chat_message,
    "unpinallchatmessages": unpin_all_chat_messages,
    "createforumtopic": create_forum_topic,
    "closeforumtopic": close_forum_topic,
    "reopenforumtopic": reopen_forum_topic,
}
