"""BT18: whatever goes wrong at DEBUG, no sink of the program holds a token or a person's words.

The bot is a process of its own against the emulator, whose faults refuse, cut and delay calls.
The sinks are its log, its standard error, and what ``pomnenka check`` prints.
"""

import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from benchmarks.processes import call, emulator
from bot import logs
from bot.application import Bot
from bot.core import open_core
from curation.rules import Rules
from memory.inbox import Incoming
from tests.battery.battery import Result, Test
from tests.transcripts.stage import TOKEN, settings

DEADLINE = 20.0
FACT, SECRET, HEALTH = "the heron Quillfeather nests by the sluice", "Marzipan-7741", "178/109"
TEXTS = (
    f"keep {FACT} {{}}",
    f"keep the password of the mill is {SECRET} {{}}",
    f"keep my blood pressure was {HEALTH} on day {{}}",
    "keep Quillfeather must explode {}",
    "/start {} Quillfeather",
)
FAULTS = (
    {"method": "sendMessage", "status": 400, "description": "Bad Request: can't parse entities"},
    {"method": "getUpdates", "status": 502},
    {"method": "getUpdates", "cut": True},
    {"method": "sendMessage", "status": 400, "description": "Bad Request: no such thing"},
    {"method": "sendMessage", "status": 502},
    {"method": "sendMessage", "cut": True},
    {"method": "sendMessage", "retry_after": 1},
    {"method": "sendMessage", "after": True},
)
"""The cheap ones first: after a lost connection the bot waits before it sends again."""

LAST = {"method": "*", "status": 401, "times": 50}
SLOW = {"method": "sendMessage", "delay": 12.0}
FORBIDDEN = {
    "token": (TOKEN, quote(TOKEN, safe="")),
    "secret": (SECRET, HEALTH),
    "text": ("Quillfeather", "sluice", "heron"),
    "name": ("Alice", "Zuzana"),
}


class Exploding(Rules):
    """An engine with a bug: it raises with the text in its message."""

    def judge(self, text, hints):
        """Raise for a text that says so."""
        if "explode" in text:
            raise RuntimeError(f"cannot judge {text!r}")
        return super().judge(text, hints)


def serve(url, folder, broken):
    """The bot's process, at DEBUG; the twin logs as a program does that took no care."""
    if broken:
        logging.basicConfig(level=logging.DEBUG, filename=folder / "log.txt")
    else:
        logs.set_up("DEBUG", folder / "log.txt", TOKEN)
    asyncio.run(_serve(url, folder))


async def _serve(url, folder):
    options = settings(url, folder)
    hasty = replace(options.telegram, limits=False, poll_timeout=1)
    core = open_core(replace(options, telegram=hasty))
    core.state.accept([Incoming(5, 111, bad_update())])
    bot, stop = Bot(replace(core, engine=Exploding(core.languages)), TOKEN), asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    print(repr(bot), vars(bot).keys(), file=sys.stderr)
    try:
        await bot.serve(stop, lambda name: (folder / "ready").touch())
        asyncio.get_running_loop().create_task(_failing(), name="Quillfeather")
        await asyncio.sleep(0.01)
    finally:
        core.close()


async def _failing():
    raise RuntimeError(FACT)


def bad_update():
    """An update that cannot be read."""
    return json.dumps({"update_id": 5, "message": {"chat": "x", "text": FACT}}).encode()


def talk(url, rounds, faults):
    """Let Alice say every text while calls fail; the bot's own messages."""
    for number in range(rounds):
        for place, text in enumerate(TEXTS):
            fault = faults[(number * len(TEXTS) + place) % len(faults)]
            call(f"{url}faults", fault)
            call(f"{url}people/say", {"person": 111, "chat": 111, "text": text.format(number)})
            time.sleep(0.1)
    end = time.monotonic() + DEADLINE
    while len(said := spoken(url)) < 2 * rounds and time.monotonic() < end:
        time.sleep(0.1)
    call(f"{url}faults", LAST)
    call(f"{url}people/say", {"person": 111, "chat": 111, "text": TEXTS[0]})
    time.sleep(0.3)
    call(f"{url}faults", {"clear": True})
    return said


def spoken(url):
    """What the bot said to Alice."""
    messages = call(f"{url}people/state")["messages"].get("111", [])
    return [m["text"] for m in messages if m["by"] == "bot"]


def sinks(url, folder, run):
    """Everything that the program wrote for its operator, and its answers to Alice."""
    command = [sys.executable, "-m", "tests.battery.redaction", url, str(folder)]
    command += ["broken"] if run.broken else []
    with (folder / "stderr.txt").open("wb") as errors:
        process = subprocess.Popen(command, stderr=errors, stdout=errors)
        try:
            end = time.monotonic() + DEADLINE
            while not (folder / "ready").exists() and time.monotonic() < end:
                time.sleep(0.05)
            said = talk(url, run.n, FAULTS + (SLOW,) * (run.n > 1))
            process.send_signal(signal.SIGTERM)
            process.wait(DEADLINE)
        finally:
            process.kill()
    written = [(folder / name).read_text("utf-8") for name in ("log.txt", "stderr.txt")]
    return [*written, checked(url, folder)], said


def checked(url, folder):
    """What ``pomnenka check`` prints about a workspace that has gone wrong."""
    config = folder / "pomnenka.toml"
    config.write_text(f'[telegram]\nbase_url = "{url}bot"\n[users]\nallow = [111]\n')
    broken = folder / "pomnenka-memory/users/111/keep.md"
    broken.parent.mkdir(parents=True)
    broken.write_bytes(FACT.encode() + b"\xff")
    command = [sys.executable, "-m", "bot", "check", "--config", str(config)]
    env = {**os.environ, "POMNENKA_TOKEN": TOKEN}
    done = subprocess.run(command, env=env, capture_output=True, timeout=DEADLINE, check=False)
    return (done.stdout + done.stderr).decode()


def redaction(run):
    """Count forbidden words in every sink, and answers that quote an exception."""
    with emulator() as url:
        texts, said = sinks(url, run.folder, run)
    counts = {"answers": len(said), "lines": sum(text.count("\n") for text in texts)}
    for kind, words in FORBIDDEN.items():
        counts[kind] = sum(text.count(word) for text in texts for word in words)
    counts["exceptions told"] = sum("Error" in text or "cannot judge" in text for text in said)
    result = Result(counts)
    result.expect_zero(*FORBIDDEN, "exceptions told")
    result.expect(bool(said) and "turn failed" in texts[0] + str(run.broken), "nothing went wrong")
    return result


if __name__ == "__main__":
    serve(sys.argv[1], Path(sys.argv[2]), len(sys.argv) > 3)

TESTS = (Test(18, "redaction", "q", n=6, few=1, do=redaction),)
