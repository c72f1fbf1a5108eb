"""The program's own log: one line an update, and never a token, a name or a memory (W5).

Redaction sits on every handler, because filters on loggers miss their children.
"""

from __future__ import annotations

import logging
import re
import traceback
from pathlib import Path
from typing import Any
from urllib.parse import quote

_TOKEN = re.compile(r"\d{5,}(?::|%3A)[A-Za-z0-9_-]{8,}", re.IGNORECASE)
_SILENT = ("httpx", "httpcore", "aiohttp", "telegram", "asyncio", "sqlalchemy")


class Redacting(logging.Formatter):
    """A formatter that takes tokens out of the finished line, trace and arguments included."""

    def __init__(self, token: str) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s%(fields)s")
        self._known = tuple(t for t in (token, quote(token, safe="")) if t)

    def format(self, record: logging.LogRecord) -> str:
        """The line, with every token replaced."""
        record.fields = _fields(record)
        line = super().format(record)
        for known in self._known:
            line = line.replace(known, "<token>")
        return _TOKEN.sub("<token>", line)

    def formatException(self, ei: Any) -> str:  # noqa: N802
        """Only the type and the places of a failure: messages may quote memory text."""
        kind, _, trace = ei
        places = [
            f"  {Path(frame.filename).name}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(trace)
        ]
        return "\n".join([kind.__name__, *places])


def _fields(record: logging.LogRecord) -> str:
    extra = getattr(record, "facts", {})
    return "".join(f" {key}={value}" for key, value in extra.items())


def set_up(level: str, file: Path | None, token: str = "") -> None:
    """Send the root logger to a file or standard error, redacted.

    Args:
        level: a level name.
        file: where to append; None for standard error.
        token: the bot's token, so that it is known in every spelling.
    """
    handler: logging.Handler = logging.FileHandler(file) if file else logging.StreamHandler()
    handler.setFormatter(Redacting(token))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in _SILENT:
        logging.getLogger(name).setLevel(logging.WARNING)
