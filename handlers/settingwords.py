"""What the settings say, and their buttons; pure (R7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from handlers.callbacks import Verb, at, encode
from handlers.choices import Choice, Quiet
from handlers.messages.reply import Button, Reply, Rows
from handlers.messages.voice import Voice
from locales import zones

_LEVELS = ("settings.to_language", "settings.to_zone", "settings.to_quiet")


@dataclass(frozen=True, slots=True)
class Zoned:
    """A time zone, "" for the machine's, and the local time there."""

    name: str
    now: datetime


@dataclass(frozen=True, slots=True)
class Options:
    """What can be picked on one level; ``chosen`` is -1 for none of them.

    ``out`` is the id of the button that leaves the level, "" for none.
    """

    level: int
    labels: tuple[str, ...]
    chosen: int
    out: str


def options(text: str, shown: Options, voice: Voice, dialog: str) -> Reply:
    """A level with one button a row, and the way out."""
    rows = [
        (_button(label, dialog, at(shown.level, number), number == shown.chosen),)
        for number, label in enumerate(shown.labels)
    ]
    if shown.out:
        rows.append((_button(voice.plain(shown.out), dialog, 0),))
    return Reply(text, tuple(rows))


def _button(name: str, dialog: str, number: int, chosen: bool = False) -> Button:
    return Button(f"✓ {name}" if chosen else name, encode(dialog, Verb.CHOOSE, number))


def overview(voice: Voice, language: str, zone: Zoned, quiet: Quiet | None) -> str:
    """What is chosen, one line each."""
    place = zone_name(zone, voice)
    return voice(
        "settings.overview",
        language=language,
        zone=place,
        time=clock(zone.now),
        quiet=quiet_label(quiet, voice),
    )


def overview_buttons(voice: Voice, dialog: str, switches: Sequence[tuple[Choice, bool]]) -> Rows:
    """The ways to the other levels, then what is switched on (✓) or off."""
    levels = [_button(voice.plain(id), dialog, n) for n, id in enumerate(_LEVELS, 1)]
    toggles = [
        (_button(voice.plain(f"settings.{choice}"), dialog, n, on),)
        for n, (choice, on) in enumerate(switches, len(_LEVELS) + 1)
    ]
    return (tuple(levels), *toggles)


def zone_text(voice: Voice, payload: dict[str, Any], now: datetime) -> str:
    """The question for the time zone, or what was found for a typed name."""
    if "found" not in payload:
        return voice("settings.zone", time=clock(now))
    found = "settings.zone.found" if payload["found"] else "settings.zone.unknown"
    return voice(found, text=payload["sought"])


def zone_label(zone: Zoned, voice: Voice) -> str:
    """A zone on a button, with the local time by which a person knows it."""
    return f"{zone_name(zone, voice)} ({clock(zone.now)})"


def zone_name(zone: Zoned, voice: Voice) -> str:
    """A zone by its city in the person's language."""
    return zones.city(zone.name, voice.language) if zone.name else voice.plain("settings.here")


def quiet_label(quiet: Quiet | None, voice: Voice) -> str:
    """Quiet hours on a button."""
    return f"{quiet.start}:00–{quiet.end}:00" if quiet else voice.plain("settings.none")


def clock(moment: datetime) -> str:
    """A time of day."""
    return f"{moment:%-H:%M}"
