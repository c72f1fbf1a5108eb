"""Telegram in process: a request class that records calls, keeps messages, and refuses what
Telegram refuses (too long, broken HTML, long button data, edits that change nothing)."""

import json
from html import unescape
from html.parser import HTMLParser

from telegram.request import BaseRequest

BOT = {"id": 42, "is_bot": True, "first_name": "Pomněnka", "username": "pomnenka_bot"}
RULERS = ("creator", "administrator")
ADMIN_RIGHTS = (
    "can_be_edited",
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
)
TAGS = {"b", "i", "s", "u", "code", "pre", "blockquote", "a"}


class Tags(HTMLParser):
    """Finds tags that Telegram would not take."""

    def __init__(self):
        super().__init__(convert_charrefs=False)
        self.open, self.wrong = [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        if tag not in TAGS:
            self.wrong.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def shown(html):
    """The text people see, or None when the HTML is broken."""
    tags = Tags()
    tags.feed(html)
    if tags.wrong or tags.open:
        return None
    text = html
    for tag in TAGS:
        text = text.replace(f"<{tag}>", "").replace(f"</{tag}>", "")
    return unescape(text)


class WithoutNetwork(BaseRequest):
    """A way to Telegram that has no connection to open or close."""

    @property
    def read_timeout(self):
        return 5.0

    async def initialize(self):
        pass

    async def shutdown(self):
        pass


class FakeTelegram(WithoutNetwork):
    """``calls`` are (method, parameters) in order; ``failing`` maps a method to replies to give.

    ``inside`` maps a chat to its members without the bot: (user, status) pairs.
    """

    def __init__(self):
        self.calls, self.messages, self.failing, self.closed = [], {}, {}, set()
        self.inside = {}
        self._next, self.uploads = 1000, []

    async def do_request(self, url, method, request_data=None, **timeouts):
        name = url.rsplit("/", 1)[1]
        parameters = request_data.parameters if request_data else {}
        self.calls.append((name, parameters))
        self.uploads += list(request_data.multipart_data.values()) if request_data else []
        planned = self.failing.get(name)
        status, result = planned.pop(0) if planned else self._answer(name, parameters)
        return status, json.dumps(result).encode()

    def sent(self, *names):
        """The parameters of all calls of these methods."""
        return [parameters for name, parameters in self.calls if name in names]

    def _answer(self, name, parameters):
        known = getattr(self, f"_{name}", None)
        return known(parameters) if known else ok(True)

    def _getMe(self, parameters):
        return ok(BOT)

    def _members(self, parameters):
        return self.inside.get(int(parameters["chat_id"]), [])

    def _getChatMemberCount(self, parameters):
        return ok(len(self._members(parameters)) + 1)

    def _getChatAdministrators(self, parameters):
        return ok([member(*m) for m in self._members(parameters) if m[1] in RULERS])

    def _getChatMember(self, parameters):
        asked = int(parameters["user_id"])
        found = [member(*m) for m in self._members(parameters) if m[0]["id"] == asked]
        nobody = {"id": asked, "is_bot": False, "first_name": "x"}
        return ok(found[0] if found else member(nobody, "left"))

    def _sendMessage(self, parameters):
        chat = int(parameters["chat_id"])
        if chat in self.closed:
            return refuse(403, "Forbidden: bot can't initiate conversation with a user")
        self._next += 1
        return self._keep(chat, self._next, parameters)

    def _sendPhoto(self, parameters):
        if len(parameters["caption"]) > 1024:
            return refuse(400, "Bad Request: message caption is too long")
        return self._sendMessage({**parameters, "text": parameters["caption"]})

    def _editMessageText(self, parameters):
        key = int(parameters["chat_id"]), int(parameters["message_id"])
        if key not in self.messages:
            return refuse(400, "Bad Request: message to edit not found")
        if self.messages[key] == self._stored(parameters):
            return refuse(400, "Bad Request: message is not modified: specified new message")
        return self._keep(*key, parameters)

    def _editMessageReplyMarkup(self, parameters):
        key = int(parameters["chat_id"]), int(parameters["message_id"])
        self.messages[key] = (self.messages[key][0], [])
        return ok(True)

    def _keep(self, chat, message, parameters):
        text, rows = self._stored(parameters)
        if text is None:
            return refuse(400, "Bad Request: can't parse entities: unexpected end tag")
        if not text.strip() or len(text.encode("utf-16-le")) // 2 > 4096:
            return refuse(400, "Bad Request: message is too long")
        if any(len(b.get("callback_data", "").encode()) > 64 for row in rows for b in row):
            return refuse(400, "Bad Request: BUTTON_DATA_INVALID")
        self.messages[chat, message] = (text, rows)
        kind = "private" if chat > 0 else "supergroup"
        body = {"message_id": message, "date": 1, "chat": {"id": chat, "type": kind}, "text": text}
        return ok(body)

    def _stored(self, parameters):
        markup = parameters.get("reply_markup")
        markup = json.loads(markup) if isinstance(markup, str) else markup or {}
        html = parameters["text"]
        text = shown(html) if parameters.get("parse_mode") == "HTML" else html
        return text, markup.get("inline_keyboard", [])


def member(user, status):
    """A ChatMember object of a status."""
    rights = dict.fromkeys(ADMIN_RIGHTS, False) if status == "administrator" else {}
    anonymous = {"is_anonymous": False} if status in RULERS else {}
    return {"user": user, "status": status, **anonymous, **rights}


def ok(result):
    return 200, {"ok": True, "result": result}


def refuse(code, description):
    return code, {"ok": False, "error_code": code, "description": description}
