"""How a message comes into being, whoever wrote it, and whom it is told."""

from __future__ import annotations

from dataclasses import dataclass

from demo import objects, privacy
from demo.emulator import Emulator
from demo.world import BOT, GENERAL_TOPIC, Chat, Fields, Message


@dataclass(slots=True)
class Post:
    """What a new message says, where in the chat, in answer to what, with which markup."""

    fields: Fields
    topic: int = 0
    reply: Message | None = None
    markup: Fields | None = None
    asks: tuple[int, ...] = ()


def publish(emulator: Emulator, chat: Chat, by: int | str, post: Post) -> Message:
    """Store a new message of ``by`` (a person's id or the bot) and tell the pages and the bot."""
    message = _created(emulator, chat, by, post)
    chat.store(message)
    if by == BOT:
        chat.bot_spoke = True
    if emulator.events.watched:
        emulator.show("message", seen(message))
    if privacy.visible(chat, message, emulator.world.account):
        emulator.tell("message", message.data, chat)
    return message


def _created(emulator: Emulator, chat: Chat, by: int | str, post: Post) -> Message:
    world = emulator.world
    number, date = chat.ids.next(), world.now()
    sender = world.account if isinstance(by, str) else objects.user(world.people[by])
    data = {"message_id": number, "from": sender, "chat": chat.api, "date": date, **post.fields}
    if post.reply:
        data["reply_to_message"] = objects.quoted(post.reply)
    if post.markup and "inline_keyboard" in post.markup:
        data["reply_markup"] = post.markup
    topic = _place(chat, post, data)
    return Message(number, chat.id, by, date, data, topic, False, post.markup, post.asks)


def _place(chat: Chat, post: Post, data: Fields) -> int:
    """Put thread fields into ``data``: topics in forums, reply chains in other supergroups."""
    if chat.forum:
        topic = post.topic or (post.reply.topic if post.reply else 0)
        if topic > GENERAL_TOPIC:
            data["message_thread_id"], data["is_topic_message"] = topic, True
        return topic
    if chat.type == "supergroup" and post.reply:
        data["message_thread_id"] = post.reply.topic or post.reply.id
        return int(data["message_thread_id"])
    return 0


def changed(emulator: Emulator, message: Message) -> None:
    """Tell the pages that a message looks different now."""
    if emulator.events.watched:
        emulator.show("edited", seen(message))


def removed(emulator: Emulator, message: Message) -> None:
    """Mark a message as deleted and tell the pages."""
    message.deleted = True
    emulator.show("deleted", {"chat": message.chat, "message_id": message.id})


def seen(message: Message) -> Fields:
    """The data of a page's event about a message."""
    return {"chat": message.chat, "message": objects.seen_message(message)}
