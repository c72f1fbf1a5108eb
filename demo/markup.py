"""Reply markup: what the server checks, cuts and refuses."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from demo.errors import bad_request

Markup = dict[str, Any]

ROW_LIMIT = 12
BUTTON_LIMIT = 300
# Decided by Telegram's closed servers, known from reports.
MARKUP_BUTTONS = 100
MARKUP_BYTES = 10_000
DATA_BYTES = 64
COPY_CHARACTERS = 256

ACTIONS = (
    "callback_data",
    "url",
    "login_url",
    "web_app",
    "copy_text",
    "switch_inline_query",
    "switch_inline_query_current_chat",
    "switch_inline_query_chosen_chat",
    "callback_game",
    "pay",
    "disabled",
)
ORNAMENTS = ("style", "icon_custom_emoji_id")
OTHER_KINDS = ("keyboard", "remove_keyboard", "force_reply")


def read(value: object) -> Markup | None:
    """The markup of a new message, or None; raises 400 with the server's texts."""
    if value is None or value == {}:
        return None
    if not isinstance(value, Mapping):
        raise bad_request("object expected as reply markup")
    if "inline_keyboard" in value:
        return _inline(value["inline_keyboard"])
    return next((dict(value) for kind in OTHER_KINDS if value.get(kind)), None)


def read_inline(value: object) -> Markup | None:
    """The markup of an edit, which may only be an inline keyboard."""
    markup = read(value)
    if markup and "inline_keyboard" not in markup:
        raise bad_request("inline keyboard expected")
    return markup


def shown(markup: Markup | None) -> Markup | None:
    """What a Message carries: inline keyboards only, never force_reply."""
    return markup if markup and "inline_keyboard" in markup else None


def _inline(rows: object) -> Markup | None:
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise bad_request('field "inline_keyboard" must be of type Array')
    kept: list[list[Markup]] = []
    left = BUTTON_LIMIT
    for row in rows:
        buttons = [b for b in map(_button, row) if b is not None][: min(ROW_LIMIT, left)]
        left -= len(buttons)
        if buttons:
            kept.append(buttons)
    return _measured({"inline_keyboard": kept}, BUTTON_LIMIT - left) if kept else None


def _measured(markup: Markup, buttons: int) -> Markup:
    if buttons > MARKUP_BUTTONS or len(json.dumps(markup, ensure_ascii=False)) > MARKUP_BYTES:
        raise bad_request("reply markup is too long")
    return markup


def _button(value: object) -> Markup | None:
    if not isinstance(value, Mapping):
        raise _unreadable("expected an Object")
    if not value.get("text"):
        return None
    action = next((name for name in ACTIONS if name in value), None)
    if action is None:
        raise _unreadable("Text buttons are unallowed in the inline keyboard")
    _check_action(action, value[action])
    kept = {name: value[name] for name in ORNAMENTS if name in value}
    return {"text": str(value["text"]), action: value[action], **kept}


def _check_action(action: str, value: Any) -> None:
    if action == "callback_data" and not 1 <= len(str(value).encode()) <= DATA_BYTES:
        raise bad_request("BUTTON_DATA_INVALID")
    if action == "url" and not value:
        raise bad_request("BUTTON_URL_INVALID")
    if action == "copy_text" and not 1 <= len(_copied(value)) <= COPY_CHARACTERS:
        raise bad_request("BUTTON_COPY_TEXT_INVALID")


def _copied(value: object) -> str:
    return str(value.get("text", "")) if isinstance(value, Mapping) else ""


def _unreadable(why: str) -> Exception:
    return bad_request(f"can't parse inline keyboard button: {why}")
