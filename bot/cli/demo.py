"""`pomnenka demo`: the unchanged bot against a Bot API emulator, with a chat page (R1)."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path

import click

from bot import config, logs, tables
from bot.cli.run import serve
from bot.cli.settings import fail

TOKEN = "123456:TEST"
SAMPLES = {111: "en", 222: "cs"}


@click.command()
@click.option("--port", default=8765, help="Port of the page on this machine; 0 picks one.")
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("demo-data"),
    show_default=True,
    help="The folder of the demo's memory; kept between runs.",
)
@click.option("--terminal", is_flag=True, help="Chat in this terminal instead of the browser.")
def command(port: int, data: Path, terminal: bool) -> None:
    """Start the bot and a page to talk to it: several people, a group, their Markdown files."""
    data = data.absolute()
    seed(data / "memory")
    data.mkdir(parents=True, exist_ok=True)
    where = f"The files are in {data / 'memory'}."
    logs.set_up("WARNING", data / "pomnenka.log", TOKEN)
    with emulator(port, data / "memory") as url:
        settings = demo_settings(url, data)
        if terminal:
            click.echo(where)
            _beside(url)
            serve(settings, TOKEN, lambda _: None)
        else:
            serve(settings, TOKEN, lambda _: click.echo(f"{url}\n{where}"))


def demo_settings(url: str, data: Path) -> config.Settings:
    """Settings that let anybody in and point at the emulator.

    The first of the sample people is the bot's admin, and the two are a group.
    """
    return config.Settings(
        telegram=tables.Telegram(base_url=f"{url}bot", limits=False),
        workspace=tables.Workspace(path=str(data / "memory"), state=str(data / "state")),
        users=tables.Users(everyone=True, admins=[min(SAMPLES)]),
        groups=tables.Groups({"family": sorted(SAMPLES)}),
        backup=tables.Backup(hours=0),
    )


def seed(workspace: Path) -> None:
    """Give two of the demo's people a memory to look at; folders that exist are left alone."""
    for person, language in SAMPLES.items():
        target = workspace / "users" / str(person)
        if target.exists():
            continue
        with as_file(files("bot") / "samples" / language) as source:
            shutil.copytree(source, target)


@contextmanager
def emulator(port: int, workspace: Path) -> Iterator[str]:
    """The emulator in a process of its own, ended with this one; gives the page's address."""
    arguments = ["--port", str(port), "--files", str(workspace), "--with-parent"]
    command = [sys.executable, "-m", "demo", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, start_new_session=True) as process:
        assert process.stdin and process.stdout
        line = process.stdout.readline()
        if not line:
            fail([f"The demo's page could not start on port {port}; try another --port."])
        try:
            yield json.loads(line)["url"]
        finally:
            process.stdin.close()


def _beside(url: str) -> None:
    """Chat in this terminal while the bot serves in the main thread; its end ends the bot."""
    from demo import terminal

    def chat() -> None:
        terminal.run(url, min(SAMPLES), sys.stdin, sys.stdout)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=chat, daemon=True).start()
