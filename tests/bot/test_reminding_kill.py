"""Reminders of the bot as a process: killed while one is told (T9, B1)."""

import signal
from datetime import UTC, datetime, timedelta

import pytest

from benchmarks.processes import call, emulator
from memory.reminders import Reminder
from memory.state import State
from tests.bot.patience import eventually
from tests.bot.test_processes import bot, config, told

FOLDER = "pomnenka-memory.state"


@pytest.fixture(scope="module")
def url():
    with emulator() as address:
        yield address


def remind(folder, text, seconds):
    """A reminder of person 111, due in so many seconds."""
    path = folder / FOLDER / "state.db"
    state = State(path)
    due = datetime.now(UTC) + timedelta(seconds=seconds)
    try:
        state.reminders.create(Reminder(0, 111, text, due), text)
    finally:
        state.close()


def status(folder):
    state = State(folder / FOLDER / "state.db")
    try:
        return state.reminders.reminder(111, 1).status
    finally:
        state.close()


def test_killed_while_it_is_told(url, tmp_path):
    """T9, B1: marked as told and not yet delivered, it is told by the next start, and once."""
    path = config(tmp_path, url)
    call(f"{url}people/say", {"person": 111, "chat": 111, "text": "/start"})
    with bot(path) as process:
        eventually(lambda: told(url, "Pomněnka"))
        process.send_signal(signal.SIGKILL)
        process.wait()
    remind(tmp_path, "turn the oven off", -1)
    call(f"{url}faults", {"method": "sendMessage", "times": 1, "delay": 2.0, "cut": True})
    with bot(path) as process:
        eventually(lambda: status(tmp_path) == "fired")
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert told(url, "turn the oven off") is None
    with bot(path):
        eventually(lambda: told(url, "turn the oven off"))


def test_in_time(url, tmp_path):
    """R7: a running bot tells a reminder within a minute of its time; here at its next look."""
    path = config(tmp_path, url)
    with bot(path):
        eventually(lambda: (tmp_path / FOLDER / "state.db").exists())
        remind(tmp_path, "water the plants", 1)
        eventually(lambda: told(url, "water the plants"))
