"""The bot as a process of its own: killed between card and press, and with a wrong token."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from benchmarks.processes import call, emulator
from tests.bot.patience import DEADLINE, eventually
from tests.transcripts.stage import TOKEN


@pytest.fixture(scope="module")
def url():
    with emulator() as address:
        yield address


def config(folder, url):
    """A configuration file for the emulator over a temporary folder."""
    path = folder / "pomnenka.toml"
    path.write_text(
        f'[telegram]\nbase_url = "{url}bot"\npoll_timeout = 2\n[users]\neveryone = true\n'
    )
    return str(path)


@contextmanager
def bot(path, token=TOKEN):
    """The bot's process, ended hard."""
    command = [sys.executable, "-m", "bot", "run", "--config", path]
    env = {**os.environ, "POMNENKA_TOKEN": token}
    with subprocess.Popen(command, env=env, stderr=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


def told(url, text):
    """A message of the bot that contains the text."""
    messages = call(f"{url}people/state")["messages"]["111"]
    return next((m for m in messages if m["by"] == "bot" and text in m["text"]), None)


def test_killed_between_card_and_press(url, tmp_path):
    """D1, W4: after kill -9 the stored question answers the old button, once."""
    path = config(tmp_path, url)
    say = {"person": 111, "chat": 111, "text": "keep we're going with Tern instead of Kafka"}
    with bot(path) as process:
        call(f"{url}people/say", say)
        card = eventually(lambda: told(url, "Why is that?"))
        process.send_signal(signal.SIGKILL)
        process.wait()
    button = card["reply_markup"]["inline_keyboard"][0][0]
    tap = {"person": 111, "chat": 111, "message_id": card["message_id"]}
    with bot(path):
        call(f"{url}people/tap", {**tap, "data": button["callback_data"]})
        eventually(lambda: told(url, "Kept:"))
    kept = (tmp_path / "pomnenka-memory/users/111/keep.md").read_text()
    assert kept.count("Tern instead of Kafka") == 1


def test_a_wrong_token_ends_with_a_sentence(url, tmp_path):
    """R2: the process says what is wrong and ends with 1; the token is not repeated."""
    with bot(config(tmp_path, url), "999:WRONG") as process:
        _, said = process.communicate(timeout=DEADLINE)
    assert process.returncode == 1
    assert b"refuses this token" in said
    assert b"WRONG" not in said


def test_nobody_listens(tmp_path):
    """R2: a server that is not there is told in one sentence, not as a traceback."""
    with bot(config(tmp_path, "http://127.0.0.1:9/")) as process:
        _, said = process.communicate(timeout=DEADLINE)
    assert process.returncode == 1
    assert b"cannot be reached" in said and said.count(b"\n") == 1
