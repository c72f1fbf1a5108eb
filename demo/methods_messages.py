"""Bot API methods that make messages: send, forward, copy, draft, chat action, reaction."""

from __future__ import annotations

from demo import entities, markup, objects, posting, privacy, targets, texts
from demo.emulator import Emulator
from demo.errors import bad_request
from demo.params import Params
from demo.posting import Post
from demo.world import BOT, Chat, Fields, Message

ACTIONS = frozenset(
    {
        "typing",
        "upload_photo",
        "record_video",
        "upload_video",
        "record_voice",
        "upload_voice",
        "upload_document",
        "choose_sticker",
        "find_location",
        "record_video_note",
        "upload_video_note",
    }
)
COPIED = ("text", "entities", "caption", "caption_entities", "document", "photo")


def send_message(emulator: Emulator, params: Params) -> Fields:
    """Bot API sendMessage."""
    fields = texts.fields("text", texts.message_text(params))
    return send(emulator, params, fields).data


def send(emulator: Emulator, params: Params, fields: Fields) -> Message:
    """Publish ``fields`` as the bot's message with the place, reply and markup of ``params``."""
    keyboard = markup.read(params.json("reply_markup", "reply keyboard markup"))
    chat = targets.writable_chat(emulator, params)
    topic = targets.topic_of(chat, params)
    post = Post(fields, topic, targets.replied(chat, params), keyboard)
    post.asks = _asked(emulator, chat, post)
    return posting.publish(emulator, chat, BOT, post)


def _asked(emulator: Emulator, chat: Chat, post: Post) -> tuple[int, ...]:
    """Whom a force_reply asks: everybody, or if selective the mentioned and the one replied to."""
    if not post.markup or not post.markup.get("force_reply"):
        return ()
    if not post.markup.get("selective"):
        return chat.readers()
    names = {text[1:].lower() for kind, _, text in privacy.marks(post.fields) if kind == "mention"}
    author = post.reply.by if post.reply else None
    people = emulator.world.people_of(chat)
    return tuple(p.id for p in people if p.id == author or p.username.lower() in names)


def forward_message(emulator: Emulator, params: Params) -> Fields:
    """Bot API forwardMessage."""
    chat = targets.writable_chat(emulator, params)
    source = targets.known_chat(emulator, params, "from_chat_id")
    message = targets.message_of(source, params, "forward")
    post = Post(forwarded(message), targets.topic_of(chat, params))
    return posting.publish(emulator, chat, BOT, post).data


def forwarded(message: Message, hidden: bool = False) -> Fields:
    """The fields of a forward; with ``hidden`` only the sender's name is told."""
    if privacy.is_service(message):
        raise bad_request("message can't be forwarded")
    sender = message.data["from"]
    origin: Fields = {"type": "user", "sender_user": sender}
    if hidden:
        origin = {"type": "hidden_user", "sender_user_name": sender["first_name"]}
    origin["date"] = message.date
    kept = {name: message.data[name] for name in COPIED if name in message.data}
    return kept | {"forward_origin": message.data.get("forward_origin", origin)}


def copy_message(emulator: Emulator, params: Params) -> Fields:
    """Bot API copyMessage."""
    source = targets.known_chat(emulator, params, "from_chat_id")
    message = targets.message_of(source, params, "copy")
    if privacy.is_service(message):
        raise bad_request("message can't be copied")
    fields = {name: message.data[name] for name in COPIED if name in message.data}
    if "caption" in params.values and "text" not in fields:
        fields = {k: v for k, v in fields.items() if not k.startswith("caption")}
        fields |= texts.fields("caption", texts.caption(params))
    return {"message_id": send(emulator, params, fields).id}


def send_message_draft(emulator: Emulator, params: Params) -> bool:
    """Bot API sendMessageDraft: a preview in a private chat, never a message."""
    draft_id = params.number("draft_id")
    if not draft_id:
        raise bad_request("draft_id must be non-zero")
    text, marks = texts.message_text(params) if params.text("text") else ("", [])
    chat = targets.writable_chat(emulator, params)
    if not chat.private:
        raise bad_request("message drafts can be sent only to private chats")
    data = {"chat": chat.id, "draft_id": draft_id, "text": text, "entities": marks}
    emulator.show("draft", data)
    return True


def send_chat_action(emulator: Emulator, params: Params) -> bool:
    """Bot API sendChatAction."""
    action = params.text("action")
    if action not in ACTIONS:
        raise bad_request("wrong parameter action in request")
    chat = targets.writable_chat(emulator, params)
    topic = targets.topic_of(chat, params)
    emulator.show("action", {"chat": chat.id, "action": action, "topic": topic})
    return True


def set_message_reaction(emulator: Emulator, params: Params) -> bool:
    """Bot API setMessageReaction: at most one emoji from a bot."""
    chat = targets.writable_chat(emulator, params)
    message = targets.message_of(chat, params, "react")
    wanted = params.json("reaction") or []
    if not isinstance(wanted, list) or len(wanted) > 1:
        raise bad_request("REACTIONS_TOO_MANY")
    react(message, BOT, [_emoji(item) for item in wanted])
    posting.changed(emulator, message)
    return True


def _emoji(item: object) -> str:
    emoji = item.get("emoji") if isinstance(item, dict) and item.get("type") == "emoji" else None
    if not isinstance(emoji, str) or not 1 <= entities.units(emoji) <= 8 or emoji.isalnum():
        raise bad_request("REACTION_INVALID")
    return emoji


def react(message: Message, who: int | str, emoji: list[str]) -> None:
    """Replace the reaction of ``who``; an empty list takes it away."""
    message.reactions.pop(who, None)
    if emoji:
        message.reactions[who] = emoji[0]


def get_me(emulator: Emulator, params: Params) -> Fields:
    """Bot API getMe."""
    return objects.me(emulator.world)


METHODS = {
    "getme": get_me,
    "sendmessage": send_message,
    "forwardmessage": forward_message,
    "copymessage": copy_message,
    "sendmessagedraft": send_message_draft,
    "sendchataction": send_chat_action,
    "setmessagereaction": set_message_reaction,
}
