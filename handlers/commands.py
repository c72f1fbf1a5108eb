"""The whole table: command to function, intent to function, button to function."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from curation import engine, triggers
from curation.engine import Hints
from curation.triggers import recognise
from handlers import dialogs, settings, start, waiting, words
from handlers.browsing import browse, find
from handlers.callbacks import Verb
from handlers.chats import groups, notices, offices, sharedcards, sharing
from handlers.compacting import compact, tidy
from handlers.context import Handler, Posts, Turn, spoken_languages
from handlers.dialogs import Kind
from handlers.graph import drawing, factcards, facts, factviews
from handlers.keeping import cards, keep, notes, revise
from handlers.keeping.keep import Content
from handlers.reminding import reminders, timing
from locales import Languages, flat
from memory.dialogs import Dialog

_WORD = re.compile(r"/(\w{1,32})")
_COMMAND = re.compile(r"/([a-z_]{1,32})(?:@(\w+))?(?!\w)", re.IGNORECASE)

COMMANDS: Mapping[str, Handler] = {
    "start": start.start,
    "help": start.help,
    "pending": waiting.pending,
    "undo": revise.last,
    "cancel": waiting.cancel,
    "settings": settings.show,
    "topics": groups.topics,
    "group": offices.group,
    "stats": offices.stats,
    "tidy": tidy.tidy,
    "reminders": reminders.show,
    "note": notes.note,
    "project": notes.project,
    "fact": facts.fact,
    "facts": factviews.listed,
    "timeline": factviews.timeline,
    "find": find.command,
    "show": browse.show,
    "list": browse.list_,
    "add": browse.add,
    "remove": browse.remove,
}
"""Commands with a function of their own; /keep and /compact are intents like their words."""

PRIVATE_MENU = (
    "keep",
    "find",
    "show",
    "list",
    "compact",
    "tidy",
    "pending",
    "undo",
    "cancel",
    "remind",
    "reminders",
    "note",
    "project",
    "fact",
    "facts",
    "timeline",
    "settings",
    "help",
)
GROUP_MENU = ("keep", "find", "show", "help")


def _keep(turn: Turn, intent: triggers.Keep) -> Posts:
    return keep.remember(turn, content(turn, intent))


def _remind(turn: Turn, intent: triggers.Remind) -> Posts:
    return timing.wish(turn, Content(intent.said, intent.language))


def _find(turn: Turn, intent: triggers.Find) -> Posts:
    return find.find(turn, intent.content, intent.language)


def _compact_memory(turn: Turn, intent: triggers.CompactMemory) -> Posts:
    return compact.memory(turn)


def _compact_channel(turn: Turn, intent: triggers.CompactChannel) -> Posts:
    return compact.channel(turn)


def _compact_keep(turn: Turn, intent: triggers.CompactKeep) -> Posts:
    return compact.keep(turn)


def _tidy(turn: Turn, intent: triggers.TidyIndex) -> Posts:
    return tidy.tidy(turn)


def _show(turn: Turn, intent: triggers.Show) -> Posts:
    return browse.shown(turn, intent.document, compact.spoken(turn))


def _nothing(turn: Turn, intent: triggers.Nothing) -> Posts:
    return words.plain(turn)


INTENTS: Mapping[type, Callable[[Turn, Any], Posts]] = {
    triggers.Keep: _keep,
    triggers.Remind: _remind,
    triggers.Find: _find,
    triggers.CompactMemory: _compact_memory,
    triggers.CompactChannel: _compact_channel,
    triggers.CompactKeep: _compact_keep,
    triggers.TidyIndex: _tidy,
    triggers.Show: _show,
    triggers.Selection: words.select,
    triggers.Answer: words.agree_or_cancel,
    triggers.Nothing: _nothing,
}
"""What a message asks for, and who answers it."""

PRESSES: Mapping[Kind, Callable[[Turn, Dialog], Posts]] = {
    Kind.CARD: cards.press,
    Kind.COMPACT: compact.press,
    Kind.MOVE: revise.move,
    Kind.SETTINGS: settings.press,
    Kind.FACT: facts.press,
    Kind.FACTS: factviews.press,
    Kind.TIMELINE: drawing.press,
    Kind.OFFER: factcards.press,
    Kind.OUTSIDE: notices.press,
    Kind.TIDY: tidy.press,
    Kind.FIND: find.press,
    Kind.REMINDERS: reminders.press,
    Kind.SHARED: sharedcards.press,
    Kind.BROWSE: browse.press,
}
"""Stored questions with buttons; `callbacks.JOURNAL` verbs go to `revise.press`."""

_COMMANDING = (
    triggers.Keep,
    triggers.Remind,
    triggers.Find,
    triggers.Show,
    triggers.CompactMemory,
    triggers.CompactChannel,
    triggers.CompactKeep,
    triggers.TidyIndex,
)


def converse(turn: Turn) -> Posts:
    """Answer one message; runs in a worker thread."""
    turn = turn if turn.said.foreign else translated(turn)
    name = "" if turn.said.foreign else command(turn)
    if name in COMMANDS:
        if name != "cancel":
            dialogs.hush(turn, dialogs.waiting(turn))
        return COMMANDS[name](turn)
    said, group = turn.said, not turn.place.private
    intent = recognise(said.text, group, turn.username, turn.services.languages, said.addressed)
    if said.foreign and not isinstance(intent, triggers.Keep):
        return words.plain(turn)
    if name and isinstance(intent, triggers.Nothing):
        return start.unknown(turn)
    if isinstance(intent, triggers.Keep | triggers.Nothing) and words.mixed(turn):
        return words.refuse_mixed(turn)
    if isinstance(intent, _COMMANDING):
        dialogs.hush(turn, dialogs.waiting(turn))
    return INTENTS[type(intent)](turn, intent)


def translated(turn: Turn) -> Turn:
    """The turn with a command that is called by its name in another language: /pomoc, /zruš."""
    found = _WORD.match(turn.said.text)
    word = flat(found[1]) if found else ""
    if not found or not word or word in COMMANDS:
        return turn
    tables = [grammar.table("commands") for grammar in turn.services.languages.grammars]
    names = (name for table in tables for name, said in table.items() if word in map(flat, said))
    name = next(names, found[1])
    text = f"/{name}{turn.said.text[found.end() :]}"
    return replace(turn, said=replace(turn.said, text=text))


def command(turn: Turn) -> str:
    """The command a message begins with, "" when it is for another bot or there is none."""
    match = _COMMAND.match(turn.said.text)
    if not match or (match[2] or turn.username).lower() != turn.username.lower():
        return ""
    return match[1].lower()


def content(turn: Turn, intent: triggers.Keep) -> Content:
    """What follows the trigger, else the message replied to ("keep this", K2)."""
    said = turn.said
    if said.quoted and _points_elsewhere(turn, intent.content):
        return Content(said.quoted, intent.language, said.quoted_foreign)
    return Content(intent.content, intent.language, said.foreign)


def _points_elsewhere(turn: Turn, text: str) -> bool:
    if not text.strip():
        return True
    judged = turn.services.engine.judge(text, Hints(turn.person.language[:2]))
    return all(isinstance(part.verdict, engine.Ask) for part in judged.parts)


def press(turn: Turn, dialog: Dialog) -> Posts:
    """Answer a pressed button of an open question; runs in a worker thread."""
    turn = sharing.standing(turn, dialog)
    if turn.press and turn.press.verb is Verb.SHOW:
        return waiting.again(turn, dialog)
    return PRESSES[Kind(dialog.kind)](turn, dialog)


def menus(languages: Languages) -> dict[tuple[str, str], tuple[tuple[str, str], ...]]:
    """The command lists by (scope, language code); scopes are ``private`` and ``group``."""
    scopes = {"private": PRIVATE_MENU, "group": GROUP_MENU}
    return {
        (scope, code): tuple(
            (name, languages.catalogue(code).text(f"menu.{name}")) for name in names
        )
        for scope, names in scopes.items()
        for code in spoken_languages(languages)
    }
