"""Bot API methods about the bot itself: commands, names, descriptions, menu button."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from demo import commands, targets
from demo.commands import Command, Scope
from demo.emulator import Emulator
from demo.errors import bad_request
from demo.params import Params
from demo.world import Fields

LIMITS = {"name": 64, "description": 512, "short_description": 120}
MENU_KINDS = frozenset({"commands", "web_app", "default"})


def set_my_commands(emulator: Emulator, params: Params) -> bool:
    """Bot API setMyCommands."""
    given = commands.read_commands(params.json("commands"))
    emulator.commands.set(*_pair(emulator, params), given)
    emulator.announce_commands()
    return True


def get_my_commands(emulator: Emulator, params: Params) -> list[Command]:
    """Bot API getMyCommands: only the exact pair of scope and language."""
    return emulator.commands.get(*_pair(emulator, params))


def delete_my_commands(emulator: Emulator, params: Params) -> bool:
    """Bot API deleteMyCommands."""
    emulator.commands.set(*_pair(emulator, params), [])
    emulator.announce_commands()
    return True


def _pair(emulator: Emulator, params: Params) -> tuple[Scope, str]:
    scope = commands.read_scope(params.json("scope", "BotCommandScope"))
    if scope.chat:
        targets.known_chat(emulator, Params({"chat_id": scope.chat}))
    return scope, commands.read_language(params.text("language_code"))


def _setter(name: str) -> Callable[[Emulator, Params], bool]:
    def set_text(emulator: Emulator, params: Params) -> bool:
        language = commands.read_language(params.text("language_code"))
        text = params.text(name).strip()
        if len(text) > LIMITS[name]:
            raise bad_request(f"{name.replace('_', ' ')} is too long")
        emulator.profile[name, language] = text
        return True

    return set_text


def _getter(name: str) -> Callable[[Emulator, Params], Fields]:
    def get_text(emulator: Emulator, params: Params) -> Fields:
        language = commands.read_language(params.text("language_code"))
        fallback = emulator.world.account["first_name"] if name == "name" else ""
        own = emulator.profile.get((name, language))
        return {name: own or emulator.profile.get((name, "")) or fallback}

    return get_text


def set_chat_menu_button(emulator: Emulator, params: Params) -> bool:
    """Bot API setChatMenuButton."""
    button = params.json("menu_button") or {"type": "default"}
    if not isinstance(button, dict) or str(button.get("type")) not in MENU_KINDS:
        raise bad_request("can't parse menu button")
    emulator.profile["menu_button", _chat_key(emulator, params)] = button
    return True


def get_chat_menu_button(emulator: Emulator, params: Params) -> Any:
    """Bot API getChatMenuButton."""
    own = emulator.profile.get(("menu_button", _chat_key(emulator, params)))
    return own or emulator.profile.get(("menu_button", "")) or {"type": "default"}


def _chat_key(emulator: Emulator, params: Params) -> str:
    if not params.text("chat_id"):
        return ""
    return str(targets.known_chat(emulator, params).id)


METHODS: dict[str, Callable[[Emulator, Params], object]] = {
    "setmycommands": set_my_commands,
    "getmycommands": get_my_commands,
    "deletemycommands": delete_my_commands,
    "setmyname": _setter("name"),
    "setmydescription": _setter("description"),
    "setmyshortdescription": _setter("short_description"),
    "getmyname": _getter("name"),
    "getmydescription": _getter("description"),
    "getmyshortdescription": _getter("short_description"),
    "setchatmenubutton": set_chat_menu_button,
    "getchatmenubutton": get_chat_menu_button,
}
