"""Start the emulator: ``python -m demo --port 0 --files DIR``."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import signal
import sys
import threading
import time
from pathlib import Path

from aiohttp import web

from demo import server
from demo.clock import Clock
from demo.emulator import Emulator

HOST = "127.0.0.1"
DEMO_TOKEN = "123456:TEST"
SHUTDOWN_SECONDS = 1.0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    options = argparse.ArgumentParser("python -m demo", description="A Telegram of your own.")
    options.add_argument("--port", type=int, default=0, help="0 takes any free one (default)")
    options.add_argument("--files", type=Path, help="show *.md and *.log below this folder")
    options.add_argument("--token", default=DEMO_TOKEN, help="the bot's token (%(default)s)")
    options.add_argument(
        "--with-parent", action="store_true", help="end when standard input is closed"
    )
    return options


async def run(options: argparse.Namespace) -> None:
    """Serve until SIGTERM or SIGINT, or with --with-parent until standard input ends."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stop.set)
    if options.with_parent:
        threading.Thread(target=_await_end, args=(loop, stop), daemon=True).start()
    emulator = Emulator(options.token, Clock(time.time), random.Random())
    app = server.application(emulator, options.files)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=SHUTDOWN_SECONDS)
    await runner.setup()
    await web.TCPSite(runner, HOST, options.port).start()
    port = runner.addresses[0][1]
    print(json.dumps({"url": f"http://{HOST}:{port}/"}), flush=True)
    await stop.wait()
    await runner.cleanup()


def _await_end(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    while sys.stdin.buffer.read(1):
        pass
    loop.call_soon_threadsafe(stop.set)


def main() -> None:
    """Entry point of ``python -m demo``."""
    asyncio.run(run(parser().parse_args()))


if __name__ == "__main__":
    main()
