"""What the conversations get from the core: their services and their policy."""

from __future__ import annotations

from bot.config import Settings
from bot.core import Core
from handlers.context import Policy, Run, Services


def services(core: Core, run: Run) -> Services:
    """The core as handlers know it; ``run`` calls it in a thread."""
    return Services(
        store=core.store,
        state=core.state,
        engine=core.engine,
        languages=core.languages,
        layout=core.layout,
        clock=core.clock,
        new_id=core.new_id,
        run=run,
        index=core.index,
    )


def policy(settings: Settings) -> Policy:
    """The settings that handlers need."""
    return Policy(
        everyone=settings.users.everyone,
        members=frozenset(settings.users.allow),
        admins=frozenset(settings.users.admins),
        default_language=settings.languages.default,
        keep_limit=settings.keep.limit,
        keep_target=settings.keep.target,
        keep_compaction=settings.keep.compaction,
        kept_days=settings.compact.kept_days,
        hint_lines=settings.compact.hint_lines,
        index_warn=settings.index.warn,
        index_full=settings.index.full,
    )
