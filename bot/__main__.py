"""The command `pomnenka`: subcommands are loaded when they are called."""

from __future__ import annotations

from importlib import import_module

import click

from bot import __version__

COMMANDS = {
    "run": "Serve Telegram by polling or webhook.",
    "demo": "The whole bot in the browser: no token, no network.",
    "check": "Validate the configuration and the workspace.",
    "keep": "Keep a fact from the command line.",
    "compact": "Propose and apply a compaction.",
    "memory": "Read and change the sections of a document.",
    "facts": "Facts with time about people and things.",
    "search": "Find entries and facts by any form of their words.",
    "context": "Print what an agent should load, in order.",
    "kv": "Values that an agent keeps for a person or a group.",
    "tidy": "Propose and apply repairs of the index of topics.",
    "skills": "Check the overlays of an agent's skills.",
    "backup": "Save the state and every document.",
    "restore": "Bring a backup back.",
}


class Lazy(click.Group):
    """A group whose commands live in `bot.cli` and cost nothing until they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name, imported now."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"bot.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of commands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Lazy)
@click.version_option(__version__, prog_name="pomnenka")
def main() -> None:
    """Pomněnka keeps your memory in plain Markdown, in the language you said it in."""


if __name__ == "__main__":
    main(prog_name="pomnenka")
