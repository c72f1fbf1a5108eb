"""The command lists people see, set per scope and language when they differ."""

from __future__ import annotations

from telegram import Bot, BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats

from handlers.commands import menus
from locales import Languages

_SCOPES = {
    "private": BotCommandScopeAllPrivateChats(),
    "group": BotCommandScopeAllGroupChats(),
}


async def publish(bot: Bot, languages: Languages) -> None:
    """Set every list that differs from what the server has.

    The default language's list carries no language code, so that it serves all others.
    """
    default = languages.codes[0]
    for (scope, code), commands in menus(languages).items():
        place = _SCOPES[scope]
        for language in {code, "" if code == default else code}:
            known = await bot.get_my_commands(place, language)
            if [(c.command, c.description) for c in known] != list(commands):
                await bot.set_my_commands(commands, place, language)
