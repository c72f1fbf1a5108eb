"""One emulated Telegram per test."""

import pytest_asyncio

from tests.demo.emulator_side import telegram_side


@pytest_asyncio.fixture
async def telegram():
    """Both sides of a fresh emulator."""
    async with telegram_side() as side:
        yield side
