"""Telegram's messages and presses as values; the only reader of Telegram's types (K2, G2)."""

from __future__ import annotations

from dataclasses import dataclass

from telegram import CallbackQuery, ChatMember, ChatMemberUpdated, Message, MessageEntity, User
from telegram import Chat as TelegramChat

from handlers.chats.groups import Rights
from handlers.context import Person, Place, Said
from memory.members import Chat

_OUTSIDE = frozenset({ChatMember.LEFT, ChatMember.BANNED})


def person(user: User | None) -> Person:
    """Who acts; id 0 when Telegram names nobody."""
    if user is None:
        return Person(0)
    return Person(user.id, user.first_name, user.language_code or "")


def place(message: Message) -> Place:
    """Where a message stands; a thread id counts only inside a forum topic."""
    topic = message.message_thread_id if message.is_topic_message else None
    private, forum = message.chat.type == "private", bool(message.chat.is_forum)
    return Place(message.chat.id, message.message_id, topic or 0, private, forum)


def request(message: Message) -> str:
    """What a message is known by, however often and under whichever update it comes (W4)."""
    return f"{message.chat.id}:{message.message_id}:{message.date.timestamp():.0f}"


def pressed_place(query: CallbackQuery) -> Place:
    """Where a pressed button stands; also when the message is too old to be read."""
    message = query.message
    if isinstance(message, Message):
        return place(message)
    if message is None:
        return Place(query.from_user.id)
    return Place(message.chat.id, message.message_id, 0, message.chat.type == "private")


def migration(message: Message) -> tuple[int, int] | None:
    """The old and the new id of a group that became a supergroup, from either's service message."""
    if message.migrate_to_chat_id:
        return message.chat.id, message.migrate_to_chat_id
    if message.migrate_from_chat_id:
        return message.migrate_from_chat_id, message.chat.id
    return None


def chat(found: TelegramChat) -> Chat:
    """A chat as its memory is told of it."""
    return Chat(found.id, found.type, found.title or "")


@dataclass(frozen=True, slots=True)
class Passage:
    """Somebody entered or left a chat; ``user`` is a bot where ``bot`` is set."""

    user: int
    inside: bool
    bot: bool = False


def passages(message: Message) -> tuple[Passage, ...]:
    """Who entered or left, by a service message; the bot itself among them."""
    came = tuple(Passage(user.id, True, user.is_bot) for user in message.new_chat_members)
    left = message.left_chat_member
    return (*came, Passage(left.id, False, left.is_bot)) if left else came


def passage(changed: ChatMemberUpdated) -> Passage:
    """Who is inside or outside now, by an update about one member."""
    member = changed.new_chat_member
    return Passage(member.user.id, is_inside(member), member.user.is_bot)


def was_inside(changed: ChatMemberUpdated) -> bool:
    """Whether that member was inside before."""
    return is_inside(changed.old_chat_member)


def is_inside(member: ChatMember) -> bool:
    """Whether a member reads the chat; a restricted one may have left."""
    return member.status not in _OUTSIDE and getattr(member, "is_member", True)


def is_group(changed: ChatMemberUpdated) -> bool:
    """Whether it happened where people talk to each other: in no private chat and no channel."""
    return changed.chat.type in (TelegramChat.GROUP, TelegramChat.SUPERGROUP)


def changed_place(changed: ChatMemberUpdated) -> Place:
    """Where a change of members happened."""
    return Place(changed.chat.id, private=changed.chat.type == TelegramChat.PRIVATE)


def as_chat(message: Message) -> bool:
    """Whether a chat signed the message instead of a person (G2)."""
    return message.sender_chat is not None


def said(message: Message, bot: User) -> Said:
    """What a message says, what it brings along, and whether it is meant for the bot."""
    text = message.text or message.caption or ""
    answered = message.reply_to_message
    by_bot = answered is not None and _author(answered) == bot.id
    quoted = _quoted(message)
    return Said(
        text=text,
        foreign=message.forward_origin is not None,
        quoted=quoted,
        quoted_foreign=answered is None or _author(answered) != _author(message),
        answers=answered.message_id if answered and by_bot else 0,
        addressed=by_bot or _mentions(message, bot.username or "") or text.startswith("/"),
    )


def _author(message: Message) -> int:
    return message.from_user.id if message.from_user else 0


def _quoted(message: Message) -> str:
    if message.quote:
        return message.quote.text
    answered = message.reply_to_message
    return (answered.text or answered.caption or "") if answered else ""


def _mentions(message: Message, username: str) -> bool:
    entities = message.parse_entities([MessageEntity.MENTION]) if message.entities else {}
    return any(text.lower() == f"@{username.lower()}" for text in entities.values())


def rights(member: ChatMember, unfiltered: bool | None) -> Rights:
    """The bot's rights by its own membership; ``unfiltered`` is what its account says (R6)."""
    admin = member.status in (ChatMember.ADMINISTRATOR, ChatMember.OWNER)
    return Rights(admin, admin or bool(unfiltered))
