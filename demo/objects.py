"""The world as Bot API objects, and as the richer objects of the people's side; pure."""

from __future__ import annotations

from typing import Any

from demo.world import Chat, Fields, Message, Person, Status, World

RIGHTS = (
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
    "can_pin_messages",
    "can_send_welcome_messages",
)


def user(person: Person) -> Fields:
    """A User as it stands in updates."""
    return {
        "id": person.id,
        "is_bot": False,
        "first_name": person.first_name,
        "username": person.username,
        "language_code": person.language_code,
    }


def me(world: World) -> Fields:
    """The answer of getMe."""
    return world.account | {
        "can_join_groups": True,
        "can_read_all_group_messages": False,
        "supports_inline_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
        "has_topics_enabled": False,
        "allows_users_to_create_topics": False,
        "can_manage_bots": False,
        "supports_guest_queries": False,
    }


def member(account: Fields, status: Status) -> Fields:
    """A ChatMember of the kind that its status asks for."""
    base: Fields = {"user": account, "status": status.value}
    if status is Status.CREATOR:
        return base | {"is_anonymous": False}
    if status is Status.ADMINISTRATOR:
        rights = dict.fromkeys(RIGHTS, True)
        return base | {"can_be_edited": False, "is_anonymous": False} | rights
    if status is Status.KICKED:
        return base | {"until_date": 0}
    return base


def full_chat(world: World, chat: Chat) -> Fields:
    """The answer of getChat, a ChatFullInfo."""
    info: Fields = chat.api | {
        "accent_color_id": 0,
        "max_reaction_count": 11,
        "accepted_gift_types": {
            "unlimited_gifts": False,
            "limited_gifts": False,
            "unique_gifts": False,
            "premium_subscription": False,
            "gifts_from_channels": False,
        },
    }
    if not chat.private:
        info["permissions"] = {"can_send_messages": True, "can_pin_messages": False}
    if pinned := chat.message(chat.pinned):
        info["pinned_message"] = pinned.data
    return info


def quoted(message: Message) -> Fields:
    """A message as it stands inside a reply to it: without its own reply."""
    return {k: v for k, v in message.data.items() if k != "reply_to_message"}


def inaccessible(chat: Chat, message_id: int) -> Fields:
    """What a callback carries when its message is gone."""
    return {"chat": chat.api, "message_id": message_id, "date": 0}


def seen_person(person: Person) -> Fields:
    """A person on the people's side."""
    return {
        "id": person.id,
        "first_name": person.first_name,
        "username": person.username,
        "language_code": person.language_code,
        "opened": person.opened,
        "blocked": person.blocked,
    }


def seen_chat(chat: Chat) -> Fields:
    """A chat on the people's side."""
    seen: Fields = {
        "id": chat.id,
        "type": chat.type,
        "title": chat.title,
        "members": list(chat.readers()),
    }
    if not chat.private:
        seen["bot"] = chat.bot.value
    if chat.pinned:
        seen["pinned"] = chat.pinned
    if chat.forum:
        topics = [{"id": t.id, "name": t.name, "closed": t.closed} for t in chat.topics.values()]
        seen |= {"is_forum": True, "topics": topics}
    return seen


def seen_message(message: Message) -> Fields:
    """A message on the people's side, with what the bot is never told."""
    seen: dict[str, Any] = message.data | {
        "by": message.by,
        "edited": "edit_date" in message.data,
        "deleted": message.deleted,
    }
    if message.markup:
        seen["reply_markup"] = message.markup
    if message.asks:
        seen["asks"] = list(message.asks)
    if message.reactions:
        seen["reactions"] = [{"by": who, "emoji": e} for who, e in message.reactions.items()]
    return seen
