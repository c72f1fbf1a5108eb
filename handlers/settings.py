"""/settings: the language the bot speaks (R7, L1)."""

from __future__ import annotations

from handlers import dialogs
from handlers.answers import answer, replaced
from handlers.callbacks import Verb, encode
from handlers.context import Posts, Turn, spoken_languages
from handlers.dialogs import Kind, Question
from handlers.reply import Button, Reply
from handlers.voice import Voice
from memory.dialogs import Dialog


def show(turn: Turn) -> Posts:
    """The settings with a button for every language."""
    voice = turn.voice()
    dialog = dialogs.open_dialog(turn, Question(Kind.SETTINGS, {}))
    return answer(turn, _card(turn, voice, dialog.id, turn.chosen), voice, dialog.id)


def press(turn: Turn, dialog: Dialog) -> Posts:
    """A picked language holds from now on, for every chat of the person."""
    assert turn.press
    codes = ("", *spoken_languages(turn.services.languages))
    if turn.press.verb is not Verb.CHOOSE or turn.press.number >= len(codes):
        return ()
    code = codes[turn.press.number]
    turn.services.state.prefer(turn.person.id, "language", code)
    wish = code or turn.person.language[:2]
    catalogue = turn.services.languages.catalogue
    voice = Voice(wish, catalogue(wish)) if wish in codes else turn.voice()
    return replaced(turn, _card(turn, voice, dialog.id, code))


def _card(turn: Turn, voice: Voice, dialog: str, chosen: str) -> Reply:
    rows = [(_button(voice.plain("settings.automatic"), dialog, 0, not chosen),)]
    for number, code in enumerate(spoken_languages(turn.services.languages), 1):
        name = turn.services.languages.catalogue(code).text("language.name")
        rows.append((_button(name, dialog, number, chosen == code),))
    return Reply(voice("settings.language"), tuple(rows))


def _button(name: str, dialog: str, number: int, chosen: bool) -> Button:
    return Button(f"✓ {name}" if chosen else name, encode(dialog, Verb.CHOOSE, number))
