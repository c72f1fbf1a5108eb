"""A bot per test, over real files and a real state."""

import pytest
import pytest_asyncio

from tests.handlers.browse_stage import USER
from tests.handlers.handlers_stage import Stage, speech
from tests.handlers.scripted_engine import ScriptedEngine


@pytest.fixture(scope="session")
def languages():
    """English and Czech, read once."""
    return speech()


@pytest_asyncio.fixture
async def stage(tmp_path, languages):
    """A running bot that everybody may talk to."""
    stage = await Stage(tmp_path, ScriptedEngine(), languages).open()
    yield stage
    await stage.close()


@pytest.fixture
def shelf(stage):
    """Alice's memory: two kept facts and a USER.md with sections."""
    stage.put("- the plumber is Ana\n- the key is at Vrba\n")
    stage.put(USER, "user")
    return stage
