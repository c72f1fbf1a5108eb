"""The tables of the configuration: a frozen dataclass each is default, parser and text (R3)."""

from __future__ import annotations

from dataclasses import dataclass
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.options import (
    is_flag,
    is_groups,
    is_homes,
    is_ids,
    is_list,
    is_names,
    is_number,
    is_one_of,
    is_place,
    is_text,
    is_url,
    is_url_or_empty,
    is_words,
    option,
)
from memory.presets import PRESETS

TOKEN_VARIABLE = "POMNENKA_TOKEN"
SECRET_VARIABLE = "POMNENKA_WEBHOOK_SECRET"


def _is_zone(value: object) -> bool:
    try:
        return isinstance(value, str) and (not value or bool(ZoneInfo(value)))
    except (ZoneInfoNotFoundError, ValueError):
        return False


@dataclass(frozen=True, slots=True)
class Telegram:
    """How to reach the Bot API."""

    base_url: str = option(
        "https://api.telegram.org/bot",
        "Any Bot API server: Telegram's, a self-hosted one, or the demo's.",
        "an http(s) address",
        is_url,
    )
    token_file: str = option(
        "",
        f"A file that holds only the token; the variable {TOKEN_VARIABLE} comes first.",
        "a path",
        is_text,
    )
    poll_timeout: int = option(
        30, "Seconds one long poll is held.", "a whole number from 0 to 50", is_number(0, 50)
    )
    parallel: int = option(
        64,
        "How many chats are served side by side; within a chat the order is kept.",
        "a whole number from 1 to 1000",
        is_number(1, 1000),
    )
    limits: bool = option(
        True,
        "Send no faster than Telegram allows; false for a server without limits.",
        "true or false",
        is_flag,
    )
    backlog: int = option(
        200,
        "How many updates of one chat may wait; what is over is not taken, and the chat is told.",
        "a whole number from 1 to 100000",
        is_number(1, 100_000),
    )
    backlog_total: int = option(
        5000,
        "How many updates of all chats may wait before polling rests and the webhook holds back.",
        "a whole number from 100 to 1000000",
        is_number(100, 1_000_000),
    )
    webhook_url: str = option(
        "",
        "The https address at which Telegram reaches the reverse proxy. Empty: polling.",
        "an http(s) address or nothing",
        is_url_or_empty,
    )
    webhook_listen: str = option(
        "127.0.0.1:8443",
        "Where the proxy reaches the bot; GET /health is answered there too.",
        "host:port",
        is_place,
    )
    webhook_secret_file: str = option(
        "",
        "A file that holds only the webhook's secret; the variable"
        f" {SECRET_VARIABLE} comes first. Neither: a new one at each start.",
        "a path",
        is_text,
    )

    @property
    def listen(self) -> tuple[str, int]:
        """Host and port of ``webhook_listen``."""
        host, _, port = self.webhook_listen.rpartition(":")
        return host.strip("[]"), int(port)


@dataclass(frozen=True, slots=True)
class Workspace:
    """Where memory lies."""

    path: str = option("pomnenka-memory", "The folder of all spaces.", "a path", is_text)
    state: str = option(
        "",
        "Dialogs, journal and locks; outside the workspace. Empty: <path>.state beside it.",
        "a path",
        is_text,
    )
    time_zone: str = option(
        "", "Time zone of the log, e.g. Europe/Prague. Empty: the machine's.", "a zone", _is_zone
    )
    fsync: bool = option(
        True,
        "Wait for the disk before saying Kept. Off only for measuring.",
        "true or false",
        is_flag,
    )
    max_bytes: int = option(
        10_000_000,
        "Documents larger than this many bytes are refused.",
        "a whole number from 1000 to 100000000",
        is_number(1000, 100_000_000),
    )
    network: bool = option(
        False, "Start on a network file system or FUSE, at your risk.", "true or false", is_flag
    )
    preset: str = option(
        "",
        "File names of an agent's workspace.",
        '"", "nanobot", "istota" or "xiaopaw"',
        is_one_of(*PRESETS),
    )
    names: dict[str, str] = option(
        {},
        'Other file names, above the preset, e.g. { memory = "MEMORY.md" }.',
        "document = path",
        is_names,
    )


@dataclass(frozen=True, slots=True)
class Skills:
    """The agent's skills, against which overlays in config/skills/ are checked."""

    known: list[str] = option(
        [], "Their names; those in skills/ of the workspace are known too.", "a list", is_list
    )
    disabled: list[str] = option([], "Skills that are switched off.", "a list", is_list)


@dataclass(frozen=True, slots=True)
class Users:
    """Who may talk to the bot; everybody else gets one neutral sentence."""

    allow: list[int] = option([], "Telegram ids that may use the bot.", "a list of ids", is_ids)
    admins: list[int] = option([], "Ids of the bot's admins.", "a list of ids", is_ids)
    everyone: bool = option(False, "Let anybody in (the demo does).", "true or false", is_flag)
    homes: dict[str, str] = option(
        {},
        'An existing agent workspace for an id, e.g. { 123 = "/home/agent/workspace" }.',
        "id = path",
        is_homes,
    )


@dataclass(frozen=True, slots=True)
class Groups:
    """Named sets of users with a memory of their own: GROUP.md."""

    members: dict[str, list[int]] = option(
        {},
        "Ids (2 to 64 of a-z 0-9 . _ -) with their members, e.g. { family = [111, 222] }.",
        "group = a list of ids",
        is_groups,
    )


@dataclass(frozen=True, slots=True)
class Languages:
    """Languages that are listened for and spoken."""

    available: list[str] = option(
        ["en", "cs"], "Folders of locales/ to load.", "a list of language codes", is_words
    )
    default: str = option("en", "When nothing else tells.", "a language code", is_text)


@dataclass(frozen=True, slots=True)
class Keep:
    """keep.md."""

    limit: int = option(
        150,
        "More lines than this start a compaction.",
        "a whole number from 10 to 10000",
        is_number(10, 10_000),
    )
    target: int = option(
        120, "Lines a compaction aims at.", "a whole number from 5 to 10000", is_number(5, 10_000)
    )
    compaction: str = option(
        "ask",
        "ask: a proposal first; auto: at once, with undo.",
        '"ask" or "auto"',
        is_one_of("ask", "auto"),
    )


@dataclass(frozen=True, slots=True)
class Compact:
    """MEMORY.md."""

    hint_lines: int = option(
        250,
        "Above this many lines the bot hints at a compaction.",
        "a whole number from 10 to 100000",
        is_number(10, 100_000),
    )
    kept_days: int = option(
        90,
        "What a person kept is not proposed again for so many days.",
        "a whole number from 0 to 3650",
        is_number(0, 3650),
    )


@dataclass(frozen=True, slots=True)
class Index:
    """The index of topics, which its reader cuts at 200 or 250 lines."""

    warn: int = option(
        150,
        "From so many lines on a new pointer is written with a warning.",
        "a whole number from 10 to 10000",
        is_number(10, 10_000),
    )
    full: int = option(
        180,
        "From so many lines on no pointer is added; /tidy makes room.",
        "a whole number from 10 to 10000",
        is_number(10, 10_000),
    )


@dataclass(frozen=True, slots=True)
class Backup:
    """Copies of state and documents while the bot runs: the newest 24 and one of each of 7 days."""

    hours: int = option(
        1, "Hours between two backups; 0: none.", "a whole number from 0 to 168", is_number(0, 168)
    )
    path: str = option("", "Their folder. Empty: backups in the state's.", "a path", is_text)


@dataclass(frozen=True, slots=True)
class Log:
    """The program's own log; it never holds memory text, names or the token."""

    level: str = option(
        "INFO",
        "How much is logged.",
        "DEBUG, INFO, WARNING or ERROR",
        is_one_of("DEBUG", "INFO", "WARNING", "ERROR"),
    )
    file: str = option("", "A file; empty: standard error.", "a path", is_text)
