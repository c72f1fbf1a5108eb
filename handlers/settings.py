"""/settings and the first questions: a card with a level for each thing to choose (R7, R6, L1)."""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum

from handlers import choices, dialogs, settingwords
from handlers.answers import answer, replaced
from handlers.callbacks import Verb, place
from handlers.choices import Choice, Quiet
from handlers.context import Posts, Turn, spoken_languages
from handlers.dialogs import Kind, Question
from handlers.messages.reply import Reply
from handlers.messages.voice import Voice
from handlers.settingwords import Zoned
from locales import zones
from memory.dialogs import Dialog

QUIETS = (None, Quiet(21, 7), Quiet(22, 7), Quiet(22, 8), Quiet(23, 7), Quiet(23, 9))
TOGGLES = (Choice.REMINDERS, Choice.PROACTIVE, Choice.DIGEST, Choice.MODEL)
_MET, _BACK = "met", "settings.back"
_LONGEST = 60


class Level(IntEnum):
    """Which part of the settings a card shows; a button's number says level and option."""

    MAIN = 0
    LANGUAGE = 1
    ZONE = 2
    QUIET = 3


def show(turn: Turn) -> Posts:
    """What is chosen, with a button for everything that can be."""
    return _new(turn, {})


def first(turn: Turn) -> Posts | None:
    """The first contact: hello, and which language; None for who was met before (R6).

    The same request meets again, so that a crash loses no greeting (W4).
    """
    state = turn.services.state
    met = state.preference(turn.person.id, _MET, None)
    if met is not None and met != turn.request:
        return None
    state.prefer(turn.person.id, _MET, turn.request)
    return _new(turn, {"first": True, "level": Level.LANGUAGE})


def _new(turn: Turn, payload: dict[str, object]) -> Posts:
    voice = turn.voice()
    dialog = dialogs.open_dialog(turn, Question(Kind.SETTINGS, payload))
    return answer(turn, _card(turn, dialog, voice), voice, dialog.id)


def press(turn: Turn, dialog: Dialog) -> Posts:
    """A picked option holds from now on, for every chat of the person; edited in place."""
    assert turn.press
    level, option = place(turn.press.number)
    if turn.press.verb is not Verb.CHOOSE or level not in Level._value2member_map_:
        return ()
    following = _chosen(turn, dialog, Level(level), option)
    if following is None:
        return ()
    turned = replace(turn)
    payload = {**dialog.payload, "level": following, "listens": following is Level.ZONE}
    payload.pop("found", None)
    dialogs.amend(turned, dialog, payload)
    shown = replace(dialog, payload=payload)
    return replaced(turned, _card(turned, shown, turned.voice()), dialog.id)


def _chosen(turn: Turn, dialog: Dialog, level: Level, option: int) -> Level | None:
    """Store what was picked; the level to go on with, None for a button that does not exist."""
    if level is Level.MAIN:
        return _main(turn, option)
    state, person = turn.services.state, turn.person.id
    codes = ("", *spoken_languages(turn.services.languages))
    if level is Level.LANGUAGE and option < len(codes):
        state.prefer(person, "language", codes[option])
        return Level.ZONE if dialog.payload.get("first") else Level.LANGUAGE
    offered = _zones(turn, dialog)
    if level is Level.ZONE and option < len(offered):
        choices.set_zone(state, person, offered[option])
        return Level.MAIN
    if level is Level.QUIET and option < len(QUIETS):
        choices.set_quiet(state, person, QUIETS[option])
        return Level.MAIN
    return None


def _main(turn: Turn, option: int) -> Level | None:
    """Options of the first level: itself, the other levels, then what is switched on or off."""
    if option in Level._value2member_map_:
        return Level(option)
    toggle = option - len(Level)
    if toggle >= len(TOGGLES):
        return None
    choices.switch(turn.services.state, turn.person.id, TOGGLES[toggle])
    return Level.MAIN


def _zones(turn: Turn, dialog: Dialog) -> tuple[str, ...]:
    """The zones a card offers: those that were found, else the likely ones; "" is the machine's."""
    found = dialog.payload.get("found")
    if found:
        return tuple(found)
    voice = turn.voice()
    return ("", *zones.likely((voice.language, *turn.services.languages.codes)))


def heard(turn: Turn, dialog: Dialog, text: str) -> Posts:
    """A city or a zone that was typed: shown with its local time, to be confirmed."""
    voice = turn.voice()
    codes = (voice.language, *turn.services.languages.codes)
    found = [name for name in zones.find(text[:_LONGEST], codes) if choices.zone(name)]
    typed = {"level": Level.ZONE, "found": found, "sought": text[:_LONGEST], "first": False}
    payload = {**dialog.payload, **typed}
    turn.services.state.amend(dialog.id, payload)
    shown = replace(dialog, payload=payload)
    return answer(turn, _card(turn, shown, voice), voice, dialog.id)


def _card(turn: Turn, dialog: Dialog, voice: Voice) -> Reply:
    level = Level(dialog.payload.get("level", Level.MAIN))
    reply = _LEVELS[level](turn, dialog, voice)
    if not dialog.payload.get("first"):
        return reply
    hello = voice("start.hello")
    return replace(reply, html=f"{hello}\n\n{reply.html}" if level is not Level.MAIN else hello)


def _languages(turn: Turn, dialog: Dialog, voice: Voice) -> Reply:
    codes = spoken_languages(turn.services.languages)
    names = [turn.services.languages.catalogue(code).text("language.name") for code in codes]
    chosen = ("", *codes).index(turn.chosen) if turn.chosen in codes else 0
    options = [voice.plain("settings.automatic"), *names]
    out = "" if dialog.payload.get("first") else _BACK
    card = settingwords.Options(Level.LANGUAGE, tuple(options), chosen, out)
    return settingwords.options(voice("settings.language"), card, voice, dialog.id)


def _way_out(dialog: Dialog) -> str:
    """The button that leaves a level: the first questions may be put off."""
    return "settings.later" if dialog.payload.get("first") else _BACK


def _zone(turn: Turn, dialog: Dialog, voice: Voice) -> Reply:
    now = turn.services.clock()
    offered = [
        Zoned(name, now.astimezone(choices.zone(name))) if name else Zoned("", now)
        for name in _zones(turn, dialog)
    ]
    mine = choices.zone_name(turn.services.state, turn.person.id)
    names = [one.name for one in offered]
    chosen = names.index(mine) if mine in names and "found" not in dialog.payload else -1
    text = settingwords.zone_text(voice, dialog.payload, turn.now)
    labels = tuple(settingwords.zone_label(one, voice) for one in offered)
    card = settingwords.Options(Level.ZONE, labels, chosen, _way_out(dialog))
    return settingwords.options(text, card, voice, dialog.id)


def _quiet(turn: Turn, dialog: Dialog, voice: Voice) -> Reply:
    mine = choices.quiet_of(turn.services.state, turn.person.id)
    labels = tuple(settingwords.quiet_label(quiet, voice) for quiet in QUIETS)
    chosen = QUIETS.index(mine) if mine in QUIETS else -1
    card = settingwords.Options(Level.QUIET, labels, chosen, _BACK)
    return settingwords.options(voice("settings.quiet"), card, voice, dialog.id)


def _overview(turn: Turn, dialog: Dialog, voice: Voice) -> Reply:
    state, person = turn.services.state, turn.person.id
    if dialog.payload.get("first"):
        return Reply("")
    zone = Zoned(choices.zone_name(state, person), turn.now)
    language = voice.plain("language.name") if turn.chosen else voice.plain("settings.automatic")
    quiet = choices.quiet_of(state, person)
    text = settingwords.overview(voice, language, zone, quiet)
    switches = [(choice, choices.is_on(state, person, choice)) for choice in TOGGLES]
    return Reply(text, settingwords.overview_buttons(voice, dialog.id, switches))


_LEVELS = {
    Level.MAIN: _overview,
    Level.LANGUAGE: _languages,
    Level.ZONE: _zone,
    Level.QUIET: _quiet,
}
