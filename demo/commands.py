"""Bot commands by scope and language, and which of them a client shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from demo.errors import bad_request
from demo.world import Chat, Person, Status

COMMANDS_LIMIT = 100
DESCRIPTION_LIMIT = 256
SIMPLE_SCOPES = (
    "default",
    "all_private_chats",
    "all_group_chats",
    "all_chat_administrators",
)
_COMMAND = re.compile(r"[a-z0-9_]{1,32}")
_LANGUAGE = re.compile(r"(?:[a-z]{2})?")

Command = dict[str, str]


@dataclass(frozen=True, slots=True)
class Scope:
    """Whom a list of commands is for: one of the seven kinds, with its chat and user."""

    kind: str
    chat: int = 0
    user: int = 0


class Commands:
    """Lists of commands, kept exactly per scope and language."""

    def __init__(self) -> None:
        self._lists: dict[tuple[Scope, str], list[Command]] = {}

    def set(self, scope: Scope, language: str, commands: list[Command]) -> None:
        """Replace the list of one scope and language; an empty one is the same as none."""
        self._lists.pop((scope, language), None)
        if commands:
            self._lists[scope, language] = commands

    def get(self, scope: Scope, language: str) -> list[Command]:
        """The list of exactly this pair."""
        return self._lists.get((scope, language), [])

    def shown(self, chat: Chat, person: Person) -> list[Command]:
        """What the person's client offers there: narrowest scope, then language, then none."""
        for scope in _narrowing(chat, person):
            for language in (person.language_code, ""):
                if found := self.get(scope, language):
                    return found
        return []


def _narrowing(chat: Chat, person: Person) -> Iterator[Scope]:
    rules = chat.members.get(person.id, Status.LEFT).rules
    if not chat.private:
        yield Scope("chat_member", chat.id, person.id)
        if rules:
            yield Scope("chat_administrators", chat.id)
    yield Scope("chat", chat.id)
    if chat.private:
        yield Scope("all_private_chats")
    else:
        if rules:
            yield Scope("all_chat_administrators")
        yield Scope("all_group_chats")
    yield Scope("default")


def read_scope(value: Any) -> Scope:
    """A BotCommandScope; nothing given means the default one. Raises 400."""
    if not value:
        return Scope("default")
    kind = str(value.get("type", "")) if isinstance(value, dict) else ""
    if kind in SIMPLE_SCOPES:
        return Scope(kind)
    if kind not in {"chat", "chat_administrators", "chat_member"}:
        raise bad_request("can't parse BotCommandScope: unsupported type specified")
    return Scope(kind, _number(value, "chat_id"), _number(value, "user_id"))


def _number(value: dict[str, Any], name: str) -> int:
    try:
        return int(value.get(name, 0))
    except (TypeError, ValueError, OverflowError):
        raise bad_request(f'can\'t parse BotCommandScope: field "{name}" is invalid') from None


def read_language(code: str) -> str:
    """A two-letter language code, or "" for everybody; raises 400."""
    if not _LANGUAGE.fullmatch(code):
        raise bad_request("invalid language code specified")
    return code


def read_commands(value: object) -> list[Command]:
    """The commands of setMyCommands, without their slash; raises 400."""
    if not isinstance(value, list):
        raise bad_request("can't parse commands: expected an Array")
    if len(value) > COMMANDS_LIMIT:
        raise bad_request("BOT_COMMANDS_TOO_MUCH")
    return [_read_command(item) for item in value]


def _read_command(item: object) -> Command:
    if not isinstance(item, dict):
        raise bad_request("can't parse BotCommand: expected an Object")
    name = str(item.get("command", "")).removeprefix("/")
    text = str(item.get("description", "")).strip()
    if not _COMMAND.fullmatch(name):
        raise bad_request("BOT_COMMAND_INVALID")
    if not 1 <= len(text) <= DESCRIPTION_LIMIT:
        raise bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
    return {"command": name, "description": text}
