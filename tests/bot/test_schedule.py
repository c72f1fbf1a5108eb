"""What happens by itself."""

import asyncio

from bot.schedule import EVERY_SECONDS, regularly


async def test_work_is_done_after_each_pause():
    """D6: the work runs after every quarter of an hour, the first one included, until cancelled."""
    log: list[float | str] = []

    async def sleep(seconds):
        log.append(seconds)
        await asyncio.sleep(0)

    async def work():
        log.append("work")

    task = asyncio.create_task(regularly(work, sleep))
    while len(log) < 4:
        await asyncio.sleep(0)
    task.cancel()
    assert log[:4] == [EVERY_SECONDS, "work", EVERY_SECONDS, "work"]
