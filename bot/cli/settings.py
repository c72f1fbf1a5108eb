"""What the commands share: reading the configuration, and saying what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

import click

from bot import config

DEFAULT = Path("pomnenka.toml")

DONE, ERROR, QUESTION = 0, 1, 3

config_option = click.option(
    "--config",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    default=None,
    help=f"The configuration file; {DEFAULT} where there is one, else the defaults.",
)


def read(path: Path | None) -> config.Settings:
    """The settings of a file, or all of its problems on standard error and exit 1."""
    if path is None and not DEFAULT.exists():
        defaults = config.Settings(folder=Path.cwd())
        click.echo(f"No {DEFAULT} here; the memory is {defaults.workspace_path}.", err=True)
        return defaults
    settings = config.load(path or DEFAULT)
    if isinstance(settings, tuple):
        fail(map(str, settings))
    return settings


def folders(settings: config.Settings) -> tuple[Path, ...]:
    """The folders that the bot writes to: workspace, state, homes."""
    homes = (settings.resolve(home) for home in settings.users.homes.values())
    return (settings.workspace_path, settings.state_path, *homes)


def fail(lines: Iterable[str]) -> NoReturn:
    """Print lines to standard error and end with exit code 1."""
    for line in lines:
        click.echo(line, err=True)
    raise click.exceptions.Exit(ERROR)
