"""The SQL state: inbox, outbox, dialogs, journal and audit, preferences, declined lines."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType

from memory.database import Database, nothing
from memory.dialogs import Dialog, Dialogs
from memory.facts import Facts
from memory.inbox import Inbox, Incoming
from memory.journal import Journal
from memory.keyvalues import KeyValues
from memory.ledger import Ledger
from memory.members import Groups, Members
from memory.outbox import Outbox, Outgoing, Progress
from memory.preferences import Preferences
from memory.reminders import Reminders
from memory.statistics import Statistics
from memory.trail import Trail
from memory.upkeep import Upkeep

FILE = "state.db"
"""The name of the state's file in a folder."""

__all__ = ["Dialog", "Incoming", "Outgoing", "Progress", "State"]


class State(Inbox, Outbox, Dialogs, Journal, Ledger, Preferences, Upkeep):
    """Everything that is stored beside the documents, in one SQLite file.

    Every method is one transaction and may be called from any thread. Each raises
    `StateError` when the file cannot be used or stays locked for five seconds.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        synchronous: str = "FULL",
        connections: type[sqlite3.Connection] = sqlite3.Connection,
        relief: Callable[[], bool] = nothing,
        groups: Groups = MappingProxyType({}),
    ) -> None:
        """Open or create the state; ``synchronous`` FULL is what makes commits durable.

        ``path`` is the file, or a folder in which it is called ``state.db``; ``connections``
        is what a connection is made of; ``relief`` makes room on a full disk, and tells
        whether it could; ``groups`` are the configured groups with their members.

        Raises:
            StateFromTheFuture: a newer program wrote it (W8).
            StateError: it is no database or cannot be opened.
        """
        self.path = Path(path) / FILE if Path(path).is_dir() else Path(path)
        self._database = Database(self.path, synchronous, connections, relief)
        self.members = Members(self._database, groups)
        self.statistics = Statistics(self._database)
        self.facts = Facts(self._database)
        self.keyvalues = KeyValues(self._database)
        self.trail = Trail(self._database)
        self.reminders = Reminders(self._database)

    def close(self) -> None:
        """Close all connections."""
        self._database.close()
