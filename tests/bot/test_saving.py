"""Backups while the bot runs."""

import itertools
import logging
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from bot import config, tables
from bot.saving import Saver
from memory.backup import names
from memory.restoration import examine
from memory.state import State

NOON = datetime(2026, 5, 4, 12, 30, tzinfo=UTC)


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self):
        self.now = NOON

    def __call__(self):
        return self.now

    def hours(self, count):
        self.now += timedelta(hours=count)


class Running:
    """A saver over a state in a folder."""

    def __init__(self, folder, state, hours):
        self.clock = Clock()
        self.settings = config.Settings(backup=tables.Backup(hours=hours), folder=folder)
        self.settings.workspace_path.joinpath("users/111").mkdir(parents=True)
        self.settings.workspace_path.joinpath("users/111/keep.md").write_text("- ring size 54\n")
        ids = (f"id{number}" for number in itertools.count())
        self.saver = Saver(self.settings, state, self.clock, lambda: next(ids))

    def names(self):
        return names(self.settings.backup_path)


@pytest.fixture
def running(tmp_path):
    with closing(State(tmp_path / "pomnenka-memory.state/state.db")) as state:
        yield lambda hours=1: Running(tmp_path, state, hours)


def test_one_is_made_when_due(running):
    """W8: the first at once, the next an hour later, and each of them is whole."""
    bot = running()
    for _ in range(9):
        bot.saver.run()
        bot.clock.hours(0.25)
    assert [name[-6:] for name in bot.names()] == ["123000", "133000", "143000"]
    made = examine(bot.settings.backup_path / bot.names()[0])
    assert len(made.documents) == 1 and made.state


def test_none_where_they_are_off(running):
    """W8: with hours = 0 nothing is made."""
    bot = running(hours=0)
    bot.saver.run()
    assert bot.names() == ()


def test_old_ones_go(running):
    """W8: after three days an hour by hour, the newest 24 and the days' last ones are left."""
    bot = running()
    for _ in range(72):
        bot.saver.run()
        bot.clock.hours(1)
    assert len(bot.names()) == 24 + 2


def test_a_failure_is_logged_and_tried_again(running, caplog):
    """W8, W5: the bot goes on; the log names the cause and no path of a person."""
    bot = running()
    bot.settings.backup_path.parent.mkdir(exist_ok=True)
    bot.settings.backup_path.write_text("in the way")
    with caplog.at_level(logging.INFO, "pomnenka.backup"):
        bot.saver.run()
    assert [record.getMessage() for record in caplog.records] == ["no backup"]
    bot.settings.backup_path.unlink()
    bot.saver.run()
    assert len(bot.names()) == 1
