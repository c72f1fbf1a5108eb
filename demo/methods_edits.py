"""Bot API methods that change what stands: edits, deletions, answers to buttons."""

from __future__ import annotations

from demo import markup, posting, targets, texts
from demo.emulator import Emulator
from demo.errors import bad_request
from demo.markup import Markup
from demo.params import Params
from demo.world import Chat, Fields, Message

DELETE_WINDOW = 48 * 3600
DELETE_LIMIT = 100
# Decided by Telegram's closed servers, known from reports: how long a tap may wait, and that a
# second answer to it is accepted.
ANSWER_WINDOW = 15.0
ANSWER_LENGTH = 200
NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same"
    " as a current content and reply markup of the message"
)
QUERY_TOO_OLD = "query is too old and response timeout expired or query ID is invalid"


def edit_message_text(emulator: Emulator, params: Params) -> Fields:
    """Bot API editMessageText."""
    new = texts.fields("text", texts.message_text(params))
    message, keyboard = _target(emulator, params)
    if "text" not in message.data:
        raise bad_request("there is no text in the message to edit")
    return _edited(emulator, message, _without(message.data, "text", "entities") | new, keyboard)


def edit_message_caption(emulator: Emulator, params: Params) -> Fields:
    """Bot API editMessageCaption."""
    new = texts.fields("caption", texts.caption(params))
    message, keyboard = _target(emulator, params)
    if "document" not in message.data and "photo" not in message.data:
        raise bad_request("there is no caption in the message to edit")
    kept = _without(message.data, "caption", "caption_entities")
    return _edited(emulator, message, kept | new, keyboard)


def edit_message_reply_markup(emulator: Emulator, params: Params) -> Fields:
    """Bot API editMessageReplyMarkup."""
    message, keyboard = _target(emulator, params)
    return _edited(emulator, message, dict(message.data), keyboard)


def _target(emulator: Emulator, params: Params) -> tuple[Message, Markup | None]:
    keyboard = markup.read_inline(params.json("reply_markup", "reply keyboard markup"))
    chat = targets.writable_chat(emulator, params)
    message = targets.message_of(chat, params, "edit")
    if not message.ours or "forward_origin" in message.data:
        raise bad_request("message can't be edited")
    return message, keyboard


def _without(data: Fields, *names: str) -> Fields:
    return {name: value for name, value in data.items() if name not in names}


def _edited(emulator: Emulator, message: Message, data: Fields, keyboard: Markup | None) -> Fields:
    data.pop("reply_markup", None)
    if keyboard:
        data["reply_markup"] = keyboard
    if data == message.data:
        raise bad_request(NOT_MODIFIED)
    data["edit_date"] = emulator.world.now()
    message.data, message.markup, message.asks = data, keyboard, ()
    posting.changed(emulator, message)
    return data


def delete_message(emulator: Emulator, params: Params) -> bool:
    """Bot API deleteMessage."""
    chat = targets.writable_chat(emulator, params)
    _delete(emulator, chat, targets.message_of(chat, params, "delete"))
    return True


def delete_messages(emulator: Emulator, params: Params) -> bool:
    """Bot API deleteMessages: those that are not found are passed over."""
    chat = targets.writable_chat(emulator, params)
    ids = params.json("message_ids")
    if not isinstance(ids, list) or not ids:
        raise bad_request("message identifiers are not specified")
    if len(ids) > DELETE_LIMIT:
        raise bad_request("too many message identifiers specified")
    for message in filter(None, (chat.message(i) for i in ids if isinstance(i, int))):
        _delete(emulator, chat, message)
    return True


def _delete(emulator: Emulator, chat: Chat, message: Message) -> None:
    if not (message.ours or chat.private or chat.bot.rules):
        raise bad_request("message can't be deleted")
    if emulator.clock.now() - message.date > DELETE_WINDOW:
        raise bad_request("message can't be deleted for everyone")
    posting.removed(emulator, message)


def answer_callback_query(emulator: Emulator, params: Params) -> bool:
    """Bot API answerCallbackQuery."""
    callback = emulator.world.callbacks.get(params.text("callback_query_id"))
    if callback is None or emulator.clock.now() - callback.tapped > ANSWER_WINDOW:
        raise bad_request(QUERY_TOO_OLD)
    text = params.text("text")
    if len(text) > ANSWER_LENGTH:
        raise bad_request("MESSAGE_TOO_LONG")
    answer = {
        "callback_query_id": callback.id,
        "person": callback.person,
        "chat": callback.chat,
        "message_id": callback.message,
        "text": text,
        "show_alert": params.flag("show_alert"),
        "url": params.text("url"),
    }
    emulator.show("answer", answer)
    return True


METHODS = {
    "editmessagetext": edit_message_text,
    "editmessagecaption": edit_message_caption,
    "editmessagereplymarkup": edit_message_reply_markup,
    "deletemessage": delete_message,
    "deletemessages": delete_messages,
    "answercallbackquery": answer_callback_query,
}
