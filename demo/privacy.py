"""Which group messages a bot in privacy mode is shown."""

from __future__ import annotations

from collections.abc import Iterator

from demo.world import Chat, Fields, Message

# BotFather: "your bot will only receive messages that either start with the '/' symbol or mention
# the bot by username". Decided by Telegram's closed servers.
MENTIONS_ARE_SHOWN = True

SERVICE_FIELDS = frozenset(
    {
        "new_chat_members",
        "left_chat_member",
        "new_chat_title",
        "group_chat_created",
        "migrate_to_chat_id",
        "migrate_from_chat_id",
        "pinned_message",
        "forum_topic_created",
        "forum_topic_closed",
        "forum_topic_reopened",
    }
)


def is_service(message: Message) -> bool:
    """True for what the chat says about itself."""
    return not SERVICE_FIELDS.isdisjoint(message.data)


def visible(chat: Chat, message: Message, bot: Fields) -> bool:
    """True when ``bot`` (a User) gets an update for the message."""
    if message.ours or not chat.bot.inside:
        return False
    if chat.private or chat.bot.rules or is_service(message) or _answers(message, bot):
        return True
    username = bot["username"].lower()
    return any(_addressed(chat, mark, username) for mark in marks(message.data))


def _answers(message: Message, bot: Fields) -> bool:
    answered = message.data.get("reply_to_message", {})
    return bool(answered) and answered["from"]["id"] == bot["id"]


def _addressed(chat: Chat, mark: tuple[str, int, str], username: str) -> bool:
    kind, offset, text = mark
    command, _, name = text.lower().partition("@")
    if kind == "bot_command":
        return name == username or (not name and offset == 0 and chat.bot_spoke)
    return MENTIONS_ARE_SHOWN and kind == "mention" and not command and name == username


def marks(data: Fields) -> Iterator[tuple[str, int, str]]:
    """Kind, offset and text of each entity of a message or caption."""
    for text, entities in (("text", "entities"), ("caption", "caption_entities")):
        if entities in data:
            coded = data[text].encode("utf-16-le")
            for entity in data[entities]:
                begin, length = entity["offset"], entity["length"]
                part = coded[2 * begin : 2 * (begin + length)].decode("utf-16-le", "replace")
                yield entity["type"], begin, part
