"""Handled updates are marked as done, at once and together."""

import asyncio

from bot.finishing import Finisher
from memory.errors import StateError


async def test_what_is_handled_meanwhile_is_marked_together():
    """W4: the first update is marked without waiting, those handled meanwhile in one commit."""
    commits: list[tuple[int, ...]] = []
    gate = asyncio.Event()

    async def finish(*ids: int) -> None:
        commits.append(ids)
        await gate.wait()

    finisher = Finisher(finish)
    finisher.put(1)
    await asyncio.sleep(0)
    assert commits == [(1,)]
    finisher.put(2)
    finisher.put(3)
    gate.set()
    await finisher.settle()
    assert commits == [(1,), (2, 3)]


async def test_a_failed_commit_is_tried_again_with_the_next_update():
    """W4: an update that could not be marked is marked with the next one."""
    commits: list[tuple[int, ...]] = []

    async def finish(*ids: int) -> None:
        commits.append(ids)
        if len(commits) == 1:
            raise StateError("state.db")

    finisher = Finisher(finish)
    finisher.put(1)
    await finisher.settle()
    finisher.put(2)
    await finisher.settle()
    assert commits == [(1,), (1, 2)]
