"""Every transcript, the README's among them, replayed against the whole application over HTTP."""

import asyncio
import os
import time
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path

import aiohttp
import pytest

from benchmarks.processes import emulator
from bot.schedule import TEND_SECONDS
from tests.transcripts import script
from tests.transcripts.stage import Stage, serving, settings

HERE = Path(__file__).parent
README = HERE.parent.parent / "README.md"
PAGES = [README, *sorted(HERE.glob("*.md"))]
GOING = ("joins", "leaves")
TIMED = ("reminder", "settings", "start", "triage")
"""Pages that show times: there the bot's clock stands still."""

MONDAY = datetime(2026, 5, 4, 12, 30, tzinfo=UTC)
WRITE = "POMNENKA_WRITE_TRANSCRIPTS"
QUIET_SECONDS = 2.0 if os.environ.get(WRITE) else 0.1


@pytest.fixture(scope="module")
def url():
    with emulator() as address:
        yield address


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
async def test_transcript(page, url, tmp_path):
    """The dialogue happens word for word, buttons included (K1–K10, C1–C7, D1–D6 by page)."""
    play = script.parse(page.read_text(encoding="utf-8"))
    for path, text in play.before.items():
        target = tmp_path / "memory" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        at = time.time() - play.days.get(path, 0) * 86400
        os.utime(target, (at, at))
    async with aiohttp.ClientSession() as http:
        stage = Stage(url, http)
        await stage.do("reset")
        listening = asyncio.create_task(stage.listen())
        await stage.listening.wait()
        try:
            await perform(play, stage, settings(url, tmp_path), page, tmp_path / "memory")
        finally:
            listening.cancel()
    for path, text in play.after.items():
        assert (tmp_path / "memory" / path).read_text(encoding="utf-8") == text, path


async def perform(play, stage, options, page, memory):
    """Play all steps; with the write variable set, put what happened into the page instead."""
    writing = os.environ.get(WRITE) == "1"
    played = []
    now = MONDAY if page.stem.split("_")[0] in TIMED else None
    async with AsyncExitStack() as bots:
        await bots.enter_async_context(serving(options, now))
        for step in play.steps:
            match step:
                case script.Says():
                    await stage.say(step)
                case script.Presses():
                    await stage.press(step)
                case script.Restart():
                    await bots.aclose()
                    await bots.enter_async_context(serving(options, now))
                case script.Writes():
                    (memory / step.path).write_text(step.text, encoding="utf-8")
                case script.Edits():
                    await stage.edit(step)
                case script.Moves():
                    await stage.move(step)
                case script.Bot() if not writing:
                    assert script.shown(await stage.next()) == script.shown(step)
            if writing and not isinstance(step, script.Bot):
                quiet = TEND_SECONDS + 2 if isinstance(step, script.Writes) else QUIET_SECONDS
                played += [said(step), *[script.shown(b) for b in await drained(stage, quiet)]]
        assert writing or not await drained(stage)
    if writing:
        script.rewritten(page, ["\n".join(played)])


def said(step) -> str:
    """A person's step as it stands in a transcript."""
    if isinstance(step, script.Restart):
        return "The bot restarts"
    if isinstance(step, script.Writes):
        text = "".join(f"\n  {line}" for line in step.text.splitlines())
        return f"Somebody writes {step.path}:{text}"
    if isinstance(step, script.Moves):
        return f"{step.who} {step.verb} the {'group' if step.verb in GOING else 'bot'}"
    if isinstance(step, script.Edits):
        return f"{step.who} edits: " + step.text.replace("\n", "\n  ")
    place = " in the group" if step.group else ""
    if isinstance(step, script.Presses):
        return f"{step.who}{place} presses {step.label}"
    return f"{step.who}{place}{' replies' if step.reply else ''}: " + step.text.replace(
        "\n", "\n  "
    )


async def drained(stage, quiet=QUIET_SECONDS) -> list[script.Bot]:
    """What the bot does until it is quiet."""
    done = []
    while True:
        try:
            done.append(await asyncio.wait_for(stage.next(), quiet))
        except TimeoutError:
            return done
