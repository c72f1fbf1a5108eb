"""The way from the inbox to the lanes: what waited from before, and what is stored of an update."""

import asyncio

import pytest

from bot.config import Settings
from bot.core import open_core
from bot.entrance import Entrance, cautious
from bot.lanes import Lanes
from bot.refusals import Refusals
from bot.tables import Telegram, Workspace
from memory.inbox import NOT_TAKEN, Incoming

MOST = 100


class Here:
    """An entrance over a real inbox, its lanes counting what they do."""

    def __init__(self, core):
        self.core, self.done, self.most, self.told = core, [], 0, []
        self.lanes = Lanes(self._work, parallel=4)
        self.entrance = Entrance(core, self.lanes, Refusals(self._tell, bool, self._at_once))

    async def _work(self, row):
        self.most = max(self.most, self.lanes.waiting)
        await asyncio.sleep(0)
        self.done.append((row.queue, row.update_id))

    async def _tell(self, chat, refused):
        self.told.append((chat, refused.count))

    async def _at_once(self, _seconds):
        await asyncio.sleep(0)


@pytest.fixture
def here(tmp_path):
    place = Workspace(str(tmp_path / "memory"), str(tmp_path / "state"), fsync=False)
    core = open_core(Settings(telegram=Telegram(backlog_total=MOST), workspace=place))
    yield Here(core)
    core.close()


async def test_a_long_backlog_is_handed_on_in_order_and_never_all_at_once(here):
    """W4, B1: after a crash any number of updates is worked off with a bound on what is held."""
    rows = [Incoming(10_000 - number, number % 7, b"x") for number in range(1200)]
    here.core.state.accept(rows)
    await here.entrance.drain()
    await here.lanes.settle()
    await here.entrance.close()
    assert here.most <= MOST
    for chat in range(7):
        arrived = [row.update_id for row in rows if row.queue == chat]
        assert [number for queue, number in here.done if queue == chat] == arrived


async def test_what_was_not_told_is_told_after_a_restart(here):
    """B23: refusals that a process could not tell any more are not forgotten."""
    here.core.state.accept([Incoming(number, 111, NOT_TAKEN) for number in (1, 2, 3)])
    await here.entrance.drain()
    for _ in range(5):
        await asyncio.sleep(0)
    await here.entrance.close()
    assert here.told == [(111, 3)] and here.done == []


@pytest.mark.parametrize(
    "error", [RecursionError, IndexError, ValueError], ids=lambda e: e.__name__
)
def test_a_text_that_cannot_be_looked_through_is_hidden(error, caplog):
    """W6, B17: an error in looking for secrets hides the text and stops nobody; no text is logged."""

    def blank(text):
        raise error(text)

    assert cautious(blank)("PIN 7391") == "████████"
    assert cautious(str.upper)("abc") == "ABC"
    (record,) = caplog.records
    assert record.facts == {"cause": error.__name__} and "7391" not in record.getMessage()
