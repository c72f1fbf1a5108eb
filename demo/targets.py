"""Finding what a call is about: its chat, message, topic and person, or the refusal."""

from __future__ import annotations

from demo.emulator import Emulator
from demo.errors import ApiError, bad_request, forbidden
from demo.params import Params
from demo.world import GENERAL_TOPIC, Chat, Message, Person, Status

UPGRADED = "group chat was upgraded to a supergroup chat"


def known_chat(emulator: Emulator, params: Params, name: str = "chat_id") -> Chat:
    """The chat that parameter ``name`` gives; raises 400."""
    wanted = params.text(name)
    if not wanted:
        raise bad_request(f"{name} is empty")
    number = params.number(name)
    chat = emulator.world.chats.get(number)
    if chat is None:
        raise bad_request("chat not found")
    if chat.migrated_to:
        raise bad_request(UPGRADED, {"migrate_to_chat_id": chat.migrated_to})
    return chat


def writable_chat(emulator: Emulator, params: Params, name: str = "chat_id") -> Chat:
    """A chat where the bot may write now; raises 400 or 403."""
    chat = known_chat(emulator, params, name)
    refusal = _private(emulator, chat) if chat.private else _shared(chat)
    if refusal:
        raise refusal
    return chat


def _private(emulator: Emulator, chat: Chat) -> ApiError | None:
    person = emulator.world.people[chat.id]
    if person.deactivated:
        return forbidden("user is deactivated")
    if person.blocked:
        return forbidden("bot was blocked by the user")
    if not person.opened:
        return forbidden("bot can't initiate conversation with a user")
    return None


def _shared(chat: Chat) -> ApiError | None:
    name = "group chat" if chat.type == "group" else f"{chat.type} chat"
    if chat.bot is Status.KICKED:
        return forbidden(f"bot was kicked from the {name}")
    if chat.bot is Status.LEFT:
        return forbidden(f"bot is not a member of the {name}")
    if not chat.readers():
        return forbidden(f"the {name} was deleted")
    return None


def topic_of(chat: Chat, params: Params) -> int:
    """The topic to write into, 0 for none; raises 400 for one that is unknown or closed."""
    topic_id = params.number("message_thread_id")
    if not chat.forum or not topic_id:
        return 0
    topic = chat.topics.get(topic_id)
    if topic_id == GENERAL_TOPIC or topic is None:
        raise bad_request("message thread not found")
    if topic.closed and not chat.bot.rules:
        raise bad_request("TOPIC_CLOSED")
    return topic_id


def replied(chat: Chat, params: Params) -> Message | None:
    """The message that is answered; raises 400 if it is gone and that was not allowed for."""
    given = params.json("reply_parameters", "reply parameters") or {}
    if not isinstance(given, dict):
        raise bad_request("object expected as reply parameters")
    nested = Params(given)
    message_id = nested.number("message_id") or params.number("reply_to_message_id")
    if not message_id:
        return None
    message = chat.message(message_id)
    allowed = "allow_sending_without_reply"
    if message is None and not (nested.flag(allowed) or params.flag(allowed)):
        raise bad_request("message to be replied not found")
    return message


def message_of(chat: Chat, params: Params, verb: str, name: str = "message_id") -> Message:
    """The message that a call names; raises 400 "message to <verb> not found"."""
    message_id = params.number(name)
    if not message_id:
        raise bad_request("message identifier is not specified")
    message = chat.message(message_id)
    if message is None:
        raise bad_request(f"message to {verb} not found")
    return message


def person_of(emulator: Emulator, params: Params) -> Person:
    """The person of ``user_id``; raises 400."""
    number = params.number("user_id")
    if not number:
        raise bad_request("invalid user_id specified")
    person = emulator.world.people.get(number)
    if person is None:
        raise bad_request("user not found")
    return person
