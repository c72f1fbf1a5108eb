"""What goes by itself while the bot runs (D6, W6)."""

from contextlib import closing
from dataclasses import replace
from datetime import timedelta

from bot.config import Settings
from bot.core import open_core
from bot.tables import Workspace
from memory.factrules import Draft
from memory.facts import Deed
from memory.operations import Author
from memory.reminders import Reminder


def test_old_texts_go_by_themselves(tmp_path):
    """W6, G5: a month after facts and reminders were deleted nothing of them is at rest."""
    settings = Settings(workspace=Workspace(fsync=False), folder=tmp_path)
    with closing(open_core(settings)) as core:
        state, now = core.state, core.clock()
        made = state.facts.add(Deed(Author(1), now, "a"), Draft("me", "owns", "canary"))
        state.facts.delete(Deed(Author(1), now, "b"), made.fact.id)
        asked = state.reminders.create(Reminder(0, 1, "canary", now + timedelta(999)), "x")
        state.reminders.cancel(1, asked.id, now)
        replace(core, clock=lambda: now + timedelta(days=29)).upkeep()
        assert state.reminders.reminder(1, asked.id) and state.facts.last(1)
        replace(core, clock=lambda: now + timedelta(days=31)).upkeep()
        assert state.reminders.reminder(1, asked.id) is None and state.facts.last(1) is None
    assert b"canary" not in state.path.read_bytes()
