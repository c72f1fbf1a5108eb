"""`pomnenka run`: serve Telegram until told to stop."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from pathlib import Path

import click
from telegram.error import BadRequest, InvalidToken, NetworkError

from bot import config, filesystems, logs, tables
from bot.application import Bot
from bot.cli import settings as reading
from bot.cli.check import grounds
from bot.core import open_core
from bot.polling import TokenRefusedError
from bot.running import AlreadyRunningError, alone
from bot.webhook import ListenError
from memory.errors import StateError


@click.command()
@reading.config_option
def command(path: Path | None) -> None:
    """Serve Telegram until SIGTERM or Ctrl+C; what was accepted is finished first.

    By polling, or by webhook where [telegram] webhook_url is set.
    """
    settings = reading.read(path)
    token, secret = config.token(settings), config.webhook_secret(settings)
    if isinstance(token, tuple):
        reading.fail(map(str, token))
    if isinstance(secret, tuple):
        reading.fail(map(str, secret))
    refused = list(grounds(settings))
    if refused:
        reading.fail(refused)
    log_file = settings.resolve(settings.log.file) if settings.log.file else None
    logs.set_up(settings.log.level, log_file, token)
    serve(settings, token, lambda name: click.echo(f"@{name} is listening.", err=True), secret)


def serve(
    settings: config.Settings, token: str, ready: Callable[[str], None], secret: str = ""
) -> None:
    """Run the bot in this process until a signal; exit code 1 when it cannot go on.

    Args:
        ready: called once with the bot's user name.
        secret: of the webhook; "" for a new one.
    """
    for objection in filesystems.objections(reading.folders(settings)):
        click.echo(f"Mind: {objection}.", err=True)
    try:
        with alone(settings.state_path):
            _alone(settings, token, ready, secret)
    except AlreadyRunningError as error:
        reading.fail([str(error)])
    except StateError as error:
        reading.fail([f"The state cannot be used: {type(error).__name__} {error}"])


def _alone(
    settings: config.Settings, token: str, ready: Callable[[str], None], secret: str
) -> None:
    core = open_core(settings)
    try:
        asyncio.run(_serve(Bot(core, token, secret), ready))
    except (InvalidToken, TokenRefusedError):
        reading.fail(
            [
                "The Bot API refuses this token. Get one from @BotFather and set it as"
                f" {tables.TOKEN_VARIABLE} or in [telegram] token_file."
            ]
        )
    except BadRequest as error:
        reading.fail([f"The Bot API refuses [telegram] webhook_url: {error.message}"])
    except ListenError as error:
        reading.fail([f"[telegram] webhook_listen cannot be used: {error}"])
    except NetworkError:
        reading.fail([f"The Bot API at {settings.telegram.base_url} cannot be reached."])
    finally:
        core.close()


async def _serve(bot: Bot, ready: Callable[[str], None]) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    await bot.serve(stop, ready)
