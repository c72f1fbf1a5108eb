"""The core put together from settings: the one place where everything concrete is chosen."""

from __future__ import annotations

import gc
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import locales
from bot.config import Settings
from bot.recall import open_index
from curation.rules import Rules
from locales import Languages
from memory.ballast import Ballast
from memory.facts import UNDO_DAYS
from memory.files import PosixDisk
from memory.layout import Layout
from memory.presets import names_of
from memory.search import Index
from memory.spaces import DocumentName
from memory.state import State
from memory.store import Store

COLLECTOR = (50_000, 20, 100)
"""How seldom reference cycles are looked for: our values make none and die by their counts."""

TOLD_DAYS = timedelta(days=30)
"""How long a reminder that was told or cancelled is kept."""

_LOCALTIME = Path("/etc/localtime")


@dataclass(frozen=True, slots=True)
class Core:
    """Judgement and storage, ready to use; `close` it at the end."""

    settings: Settings
    languages: Languages
    engine: Rules
    layout: Layout
    state: State
    store: Store
    clock: Callable[[], datetime]
    new_id: Callable[[], str]
    ballast: Ballast
    index: Index

    def upkeep(self) -> None:
        """What is due every quarter of an hour: old rows go, room for a full disk is kept."""
        self.store.scrub()
        self.state.facts.scrub(self.clock() - timedelta(days=UNDO_DAYS))
        self.state.reminders.forget(self.clock() - TOLD_DAYS)
        self.ballast.fill()

    def close(self) -> None:
        """Put the last things in order and release the database."""
        self.store.close()
        self.state.close()


def open_core(settings: Settings) -> Core:
    """Open state and workspace, and finish what a crash interrupted (W1).

    Folders are made where they are missing.

    Raises:
        StateError: the state was written by a newer program.
        OSError: a folder cannot be made.
    """
    gc.set_threshold(*COLLECTOR)
    place = settings.workspace
    languages = locales.load(settings.languages.available)
    layout = layout_of(settings)
    settings.state_path.mkdir(parents=True, exist_ok=True, mode=0o700)
    ballast = Ballast(settings.state_path / "ballast")
    ballast.fill()
    synchronous = "FULL" if place.fsync else "OFF"
    state = State(
        settings.state_path,
        synchronous=synchronous,
        relief=ballast.release,
        groups={id: frozenset(known) for id, known in settings.groups.members.items()},
    )
    clock = local_clock(place.time_zone)
    disk = PosixDisk(settings.state_path / "locks", fsync=place.fsync, max_bytes=place.max_bytes)
    store = Store(layout, state, disk, clock, new_id)
    store.recover()
    rules = Rules(languages)
    index = open_index(state, layout, disk, languages, clock)
    return Core(settings, languages, rules, layout, state, store, clock, new_id, ballast, index)


def layout_of(settings: Settings) -> Layout:
    """Where the documents of every space lie."""
    own = {DocumentName(name): path for name, path in settings.workspace.names.items()}
    return Layout(
        settings.workspace_path,
        names_of(settings.workspace.preset, own),
        {int(user): settings.resolve(home) for user, home in settings.users.homes.items()},
    )


def local_clock(zone: str) -> Callable[[], datetime]:
    """A clock that tells aware local time of a zone; empty: the machine's.

    The machine's zone is taken by its name where it has one: then an hour of a later day is
    right on the other side of a change of the clocks too.
    """
    place = ZoneInfo(zone) if zone else _own_zone()
    if place is None:
        return lambda: datetime.now().astimezone()
    return lambda: datetime.now(place)


def _own_zone() -> ZoneInfo | None:
    """The zone of the machine, None where its name cannot be told."""
    linked = _LOCALTIME.resolve().as_posix().partition("zoneinfo/")[2]
    name = os.environ.get("TZ", linked).removeprefix(":")
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def new_id() -> str:
    """A random id of 128 bits in 26 lower-case base32 characters: never guessed, never reused."""
    number = secrets.randbits(128)
    return "".join("abcdefghijklmnopqrstuvwxyz234567"[(number >> 5 * i) & 31] for i in range(26))
