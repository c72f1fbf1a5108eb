"""The SQL state: inbox, dialogs, journal and audit, preferences, declined lines."""

from __future__ import annotations

from pathlib import Path

from memory.database import Database
from memory.dialogs import Dialog, Dialogs
from memory.inbox import Inbox, Incoming
from memory.journal import Journal
from memory.preferences import Preferences

__all__ = ["Dialog", "Incoming", "State"]


class State(Inbox, Dialogs, Journal, Preferences):
    """Everything that is stored beside the documents, in one SQLite file.

    Every method is one transaction and may be called from any thread. Each raises
    `StateError` when the file cannot be used or stays locked for five seconds.
    """

    def __init__(self, path: Path | str, *, synchronous: str = "FULL") -> None:
        """Open or create the state; ``synchronous`` FULL is what makes commits durable.

        Raises:
            StateFromTheFuture: a newer program wrote it (W8).
            StateError: it is no database or cannot be opened.
        """
        self.path = Path(path)
        self._database = Database(self.path, synchronous)

    @property
    def locks(self) -> Path:
        """The folder of the document locks, beside the state and outside every workspace."""
        return self.path.parent / "locks"

    def close(self) -> None:
        """Close all connections."""
        self._database.close()
