"""The program's own log: one line an update, and never a token, a name or a memory (W5).

Redaction sits on every handler, because filters on loggers miss their children.
"""

from __future__ import annotations

import copy
import logging
import re
import sys
import threading
import traceback
import warnings
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import quote

from telegram.warnings import PTBDeprecationWarning

_TOKEN = re.compile(r"\d{5,}(?::|%3A)[A-Za-z0-9_-]{8,}", re.IGNORECASE)
_SILENT = ("httpx", "httpcore", "aiohttp", "telegram", "asyncio", "sqlalchemy")
_OURS = "pomnenka"
_LONGEST_FOREIGN = 80

log = logging.getLogger(_OURS)


class Redacting(logging.Formatter):
    """A formatter that takes tokens out of the finished line, trace and arguments included.

    Of what a library logs only the constant part is taken: its arguments may quote a memory.
    """

    def __init__(self, token: str) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s%(fields)s")
        self._known = tuple(t for t in (token, quote(token, safe="")) if t)

    def format(self, record: logging.LogRecord) -> str:
        """The line, with every token replaced."""
        record = copy.copy(record)
        record.fields, record.exc_text = _fields(record), None
        if not _is_ours(record):
            record.msg, record.args = _constant(record), None
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
        return "\n".join([kind.__name__ if kind else "no exception", *places])


def _fields(record: logging.LogRecord) -> str:
    extra = getattr(record, "facts", {})
    return "".join(f" {key}={value}" for key, value in extra.items())


def _is_ours(record: logging.LogRecord) -> bool:
    return record.name.partition(".")[0] == _OURS


def _constant(record: logging.LogRecord) -> str:
    """What a library's record says before its arguments are put in; its first line."""
    return str(record.msg).partition("\n")[0][:_LONGEST_FOREIGN]


def set_up(level: str, file: Path | None, token: str = "") -> None:
    """Send the root logger to a file or standard error, redacted.

    What nobody caught, in any thread, goes there too instead of to standard error as it is, and
    a record that cannot be written is dropped: both would quote what was being worked on.

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
    logging.raiseExceptions = False
    warnings.filterwarnings("ignore", category=PTBDeprecationWarning)
    sys.excepthook = _uncaught
    threading.excepthook = lambda args: _uncaught(args.exc_type, args.exc_value, args.exc_traceback)


def _uncaught(
    kind: type[BaseException], error: BaseException | None, trace: TracebackType | None
) -> None:
    """What nobody expected: its type and places are logged, its type is on standard error."""
    if issubclass(kind, KeyboardInterrupt):
        return
    log.critical("uncaught", exc_info=(kind, error or kind(), trace))
    print(f"unexpected: {kind.__name__}", file=sys.stderr)
