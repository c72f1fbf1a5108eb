"""Settings from a file, and config.example.toml from their tables (R3).

`python -m bot.config` prints config.example.toml, which a test holds equal to the file.
"""

from __future__ import annotations

import dataclasses
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.options import Problem, read_table, shown
from bot.tables import (
    SECRET_VARIABLE,
    TOKEN_VARIABLE,
    Backup,
    Compact,
    Groups,
    Index,
    Keep,
    Languages,
    Log,
    Skills,
    Telegram,
    Users,
    Workspace,
)

_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")


@dataclass(frozen=True, slots=True)
class Settings:
    """The whole configuration; ``folder`` is what relative paths start from."""

    telegram: Telegram = field(default_factory=Telegram)
    workspace: Workspace = field(default_factory=Workspace)
    users: Users = field(default_factory=Users)
    groups: Groups = field(default_factory=Groups)
    skills: Skills = field(default_factory=Skills)
    languages: Languages = field(default_factory=Languages)
    keep: Keep = field(default_factory=Keep)
    compact: Compact = field(default_factory=Compact)
    index: Index = field(default_factory=Index)
    backup: Backup = field(default_factory=Backup)
    log: Log = field(default_factory=Log)
    folder: Path = Path()

    @property
    def workspace_path(self) -> Path:
        """The workspace as an absolute path."""
        return self.resolve(self.workspace.path)

    @property
    def state_path(self) -> Path:
        """The folder of state and locks, never inside the workspace by default."""
        if self.workspace.state:
            return self.resolve(self.workspace.state)
        return self.workspace_path.with_name(self.workspace_path.name + ".state")

    @property
    def backup_path(self) -> Path:
        """The folder of backups."""
        return self.resolve(self.backup.path) if self.backup.path else self.state_path / "backups"

    def resolve(self, path: str) -> Path:
        """A path of the file, absolute; relative ones start at the file's folder."""
        return (self.folder / Path(path).expanduser()).absolute()


TABLES: dict[str, type[Any]] = {
    "telegram": Telegram,
    "workspace": Workspace,
    "users": Users,
    "groups": Groups,
    "skills": Skills,
    "languages": Languages,
    "keep": Keep,
    "compact": Compact,
    "index": Index,
    "backup": Backup,
    "log": Log,
}


def parse(text: str, folder: Path = Path()) -> Settings | tuple[Problem, ...]:
    """Settings from TOML text, or every problem at once (R3).

    Args:
        text: the file's content.
        folder: what relative paths in it start from.
    """
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return (Problem("file", "", "TOML", str(error)),)
    problems: list[Problem] = [
        Problem(key, "", "one of the tables " + ", ".join(TABLES), "an unknown table")
        for key in raw
        if key not in TABLES
    ]
    tables = {
        name: read_table(name, kind, raw.get(name, {}), problems) for name, kind in TABLES.items()
    }
    settings = Settings(**tables, folder=folder)
    problems += _between(settings)
    return tuple(problems) or settings


def _between(settings: Settings) -> list[Problem]:
    """Problems that only two options together show."""
    languages, keep = settings.languages, settings.keep
    problems = []
    if languages.default not in languages.available:
        wanted = "one of available"
        problems.append(Problem("languages", "default", wanted, shown(languages.default)))
    if keep.target > keep.limit:
        problems.append(
            Problem("keep", "target", f"at most limit ({keep.limit})", f"{keep.target}")
        )
    if settings.index.warn > settings.index.full:
        found = f"{settings.index.warn}"
        problems.append(Problem("index", "warn", f"at most full ({settings.index.full})", found))
    return problems


def load(path: Path) -> Settings | tuple[Problem, ...]:
    """Settings from a file, or every problem at once; a missing file is a problem."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return (Problem("file", "", "a readable UTF-8 file", f"{path}: {error}"),)
    return parse(text, path.parent.absolute())


def token(
    settings: Settings, environment: Mapping[str, str] = os.environ
) -> str | tuple[Problem, ...]:
    """The bot's token from the environment or the file, or what is missing (R3)."""
    name = settings.telegram.token_file
    found = _kept_apart(settings, environment.get(TOKEN_VARIABLE), name)
    if isinstance(found, OSError):
        return (Problem("telegram", "token_file", "a readable file", str(found)),)
    if not found:
        missing = "an empty file" if name else f"neither {TOKEN_VARIABLE} nor token_file"
        return (Problem("telegram", "token_file", "a token", missing),)
    return found


def webhook_secret(
    settings: Settings, environment: Mapping[str, str] = os.environ
) -> str | tuple[Problem, ...]:
    """The webhook's secret from the environment or the file, "" when a new one is to be made."""
    name = settings.telegram.webhook_secret_file
    found = _kept_apart(settings, environment.get(SECRET_VARIABLE), name)
    if isinstance(found, OSError):
        return (Problem("telegram", "webhook_secret_file", "a readable file", str(found)),)
    if (found or name) and not _SECRET.fullmatch(found):
        wanted = "1 to 256 of A-Z a-z 0-9 _ -"
        return (Problem("telegram", "webhook_secret_file", wanted, "something else"),)
    return found


def _kept_apart(settings: Settings, variable: str | None, name: str) -> str | OSError:
    """What is never in the configuration file itself: from a variable, else from a file."""
    if variable or not name:
        return (variable or "").strip()
    try:
        return settings.resolve(name).read_text(encoding="utf-8").strip()
    except OSError as error:
        return error


def example() -> str:
    """config.example.toml: every option with its default and its sentence."""
    out = [
        "# Pomněnka: every option with its default. Copy to pomnenka.toml, change what you need.",
        f"# The token comes from {TOKEN_VARIABLE} or from [telegram] token_file.",
    ]
    for name, kind in TABLES.items():
        out += ["", f"# {(kind.__doc__ or '').strip()}", f"[{name}]"]
        for entry in dataclasses.fields(kind):
            out += [f"# {entry.metadata['doc']} ({entry.metadata['expected']})"]
            out += [f"{entry.name} = {_toml(getattr(kind(), entry.name))}"]
    return "\n".join(out) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(_toml(v) for v in value) + "]"
    if isinstance(value, dict):
        return "{}"
    return f'"{value}"' if isinstance(value, str) else str(value)


if __name__ == "__main__":
    print(example(), end="")
