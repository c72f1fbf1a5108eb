"""What happens by itself."""

import asyncio

import pytest

from bot.schedule import EVERY_SECONDS, regularly


@pytest.mark.parametrize(
    ("at_once", "expected"),
    [
        (False, [EVERY_SECONDS, "work", EVERY_SECONDS, "work"]),
        (True, ["work", EVERY_SECONDS, "work", EVERY_SECONDS]),
    ],
    ids=["after the first pause", "at once"],
)
async def test_work_is_done_after_each_pause(at_once, expected):
    """D6, W8: the work runs after every quarter of an hour until cancelled, or also before."""
    log: list[float | str] = []

    async def sleep(seconds):
        log.append(seconds)
        await asyncio.sleep(0)

    async def work():
        log.append("work")

    task = asyncio.create_task(regularly(work, sleep, at_once))
    while len(log) < 4:
        await asyncio.sleep(0)
    task.cancel()
    assert log[:4] == expected
