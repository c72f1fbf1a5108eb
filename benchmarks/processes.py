"""Processes under measurement: the emulator, a bot, and what /proc tells of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

_DEADLINE_SECONDS = 120.0

Values = dict[str, Any]


@contextmanager
def emulator() -> Iterator[str]:
    """The Bot API emulator in a process of its own; gives its address."""
    command = [sys.executable, "-m", "demo", "--port", "0", "--with-parent"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        yield json.loads(process.stdout.readline())["url"]
        process.stdin.close()


@contextmanager
def running(command: Sequence[str], environment: Values | None = None) -> Iterator[int]:
    """A process that is ended at the end; gives its id."""
    env = {**os.environ, **(environment or {})}
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet, env=env) as process:
        try:
            yield process.pid
        finally:
            process.terminate()
            process.wait()


def load(url: str, order: Values) -> Values:
    """Run one closed loop on the emulator and give its figures.

    Raises:
        TimeoutError: the bot did not answer everything in two minutes.
    """
    call(f"{url}people/load", order)
    deadline = time.monotonic() + _DEADLINE_SECONDS
    while time.monotonic() < deadline:
        figures = call(f"{url}people/load")
        if figures["done"]:
            return figures
        time.sleep(0.1)
    raise TimeoutError(f"{figures['answered']} of {figures['total']} answered")


def call(url: str, body: Values | None = None) -> Values:
    """GET, or POST with a JSON body; gives the JSON answer."""
    data = None if body is None else json.dumps(body).encode()
    request = Request(url, data, {"Content-Type": "application/json"})
    with urlopen(request, timeout=30) as answer:
        result: Values = json.loads(answer.read())
        return result


def resident_mib(pid: int) -> float:
    """The resident memory of a process in MiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(row for row in status.splitlines() if row.startswith("VmRSS"))
    return int(line.split()[1]) / 1024
