"""The text of a call: parsed, measured, and ready to stand in a message."""

from __future__ import annotations

from typing import Any

from demo import entities
from demo.entities import Entity
from demo.errors import bad_request
from demo.params import Params

RAW_BYTES = 32_768
TEXT_LIMIT = 4_096
CAPTION_LIMIT = 1_024
NO_MODES = frozenset({"", "none"})

Formatted = tuple[str, list[Entity]]


def message_text(params: Params) -> Formatted:
    """Text and entities of a message; raises 400 when empty, too long or malformed."""
    raw = params.text("text")
    if not raw:
        raise bad_request("message text is empty")
    text, marks = _formatted(params, raw, "entities")
    if not text:
        raise bad_request("text must be non-empty")
    if len(text) > TEXT_LIMIT:
        raise bad_request("message is too long")
    return text, marks


def caption(params: Params) -> Formatted:
    """Caption and entities, which may be empty; raises 400 when too long or malformed."""
    text, marks = _formatted(params, params.text("caption"), "caption_entities")
    if len(text) > CAPTION_LIMIT:
        raise bad_request("message caption is too long")
    return text, marks


def _formatted(params: Params, raw: str, entities_name: str) -> Formatted:
    if len(raw) > RAW_BYTES // 4 and len(raw.encode()) > RAW_BYTES:
        raise bad_request("text is too long")
    mode = params.text("parse_mode").lower()
    if mode == "html":
        text, marks = entities.from_html(raw)
    elif mode in NO_MODES:
        text, marks = raw, _given(params.json(entities_name))
    else:
        raise bad_request("unsupported parse_mode")
    end = entities.units(text)
    marks = [mark for mark in marks if mark["offset"] + mark["length"] <= end]
    text, marks = entities.trimmed(text, marks)
    return text, entities.with_found(text, marks)


def _given(value: Any) -> list[Entity]:
    if value is None:
        return []
    if not isinstance(value, list) or not all(map(_is_entity, value)):
        raise bad_request("can't parse entities: expected an Array of MessageEntity")
    return [dict(entity) for entity in value]


def _is_entity(value: object) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("type"), str)
        and all(_is_place(value.get(name)) for name in ("offset", "length"))
    )


def _is_place(value: object) -> bool:
    return isinstance(value, int) and value >= 0


def fields(name: str, formatted: Formatted) -> dict[str, Any]:
    """``formatted`` as the fields "text" or "caption" of a message."""
    text, marks = formatted
    if not text:
        return {}
    entities_name = "entities" if name == "text" else f"{name}_entities"
    return {name: text, entities_name: marks} if marks else {name: text}
