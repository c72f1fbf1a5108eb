"""The bot as a process, killed while its answer is on the way."""

import signal

import pytest

from benchmarks.processes import call, emulator
from memory.state import State
from tests.bot.patience import eventually
from tests.bot.test_processes import bot, config, told


@pytest.fixture(scope="module")
def url():
    with emulator() as address:
        yield address


def test_killed_while_the_answer_is_on_its_way(url, tmp_path):
    """B1, W4: the entry is written once, and the next start sends the very answer that was due."""
    path = config(tmp_path, url)
    call(f"{url}faults", {"method": "sendMessage", "times": 1, "delay": 2.0, "cut": True})
    kept = tmp_path / "pomnenka-memory/users/111/keep.md"
    with bot(path) as process:
        call(f"{url}people/say", {"person": 111, "chat": 111, "text": "keep ring size 54"})
        eventually(lambda: stored(tmp_path))
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert told(url, "ring size") is None
    with bot(path):
        eventually(lambda: told(url, "Kept: ring size 54"))
    assert kept.read_text().count("ring size 54") == 1


def stored(folder):
    """The posts in the bot's outbox."""
    path = folder / "pomnenka-memory.state/state.db"
    if not path.exists():
        return ()
    state = State(path)
    try:
        return state.unsent()
    finally:
        state.close()
