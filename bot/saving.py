"""Backups as settings want them: where they go, when one is due, which ones may go (W8)."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from bot.config import Settings
from bot.core import layout_of
from memory import backup
from memory.backup import Backup, Source
from memory.errors import StateError
from memory.files import PosixDisk
from memory.layout import Layout
from memory.state import State

log = logging.getLogger("pomnenka.backup")

ANY_SIZE = 1 << 62
"""Logs grow beyond what a document may have, and are saved all the same."""


def disk_of(state: Path) -> PosixDisk:
    """A disk for files of any size that shares the locks of the bot on a state."""
    return PosixDisk(state / "locks", max_bytes=ANY_SIZE)


def source_of(settings: Settings, state: State | None, layout: Layout | None = None) -> Source:
    """What a backup of these settings holds."""
    return Source(layout or layout_of(settings), disk_of(settings.state_path), state)


def save(source: Source, settings: Settings, at: datetime, token: str) -> Backup:
    """Make a backup in the configured folder and remove expired ones; raises as `backup.save`."""
    made = backup.save(source, settings.backup_path, at, token)
    backup.tidy(settings.backup_path, at)
    return made


class Saver:
    """Makes a backup whenever one is due; what goes wrong is logged and tried again later.

    Args:
        settings: where, and how often.
        state: the running bot's; the caller closes it.
        clock: aware time.
        new_id: a new token each time.
    """

    def __init__(
        self,
        settings: Settings,
        state: State,
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
    ) -> None:
        self._settings, self._source = settings, source_of(settings, state)
        self._clock, self._new_id = clock, new_id

    def run(self) -> None:
        """Make a backup if the newest one is old enough."""
        now, settings = self._clock(), self._settings
        if not backup.is_due(backup.names(settings.backup_path), now, settings.backup.hours):
            return
        try:
            made = save(self._source, settings, now, self._new_id())
        except (OSError, StateError) as error:
            log.error("no backup", extra={"facts": {"cause": type(error).__name__}})
            return
        left = len(made.manifest.left_out)
        facts = {"name": made.path.name, "files": len(made.manifest.files), "left_out": left}
        log.log(logging.WARNING if left else logging.INFO, "backup", extra={"facts": facts})
