"""The stage a transcript is played on: emulator, bot and people, all over HTTP on loopback."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import aiohttp

from bot.application import Bot
from bot.config import Settings
from bot.core import open_core
from bot.tables import Groups, Keep, Telegram, Users, Workspace
from tests.transcripts import script

TOKEN = "123456:TEST"
PEOPLE = {"Alice": 111, "Petr": 222, "Hana": 333}
GROUP = -1001
WAIT_SECONDS = 5.0
MOVES: dict[str, tuple[str, dict[str, Any]]] = {
    "joins": ("join", {}),
    "leaves": ("leave", {}),
    "adds": ("add", {}),
    "removes": ("kick", {}),
    "promotes": ("promote", {"status": "administrator"}),
}

Values = dict[str, Any]


def settings(url: str, folder: Path, keep: Keep | None = None) -> Settings:
    """The demo's settings over a temporary folder, without waiting for the disk."""
    return Settings(
        telegram=Telegram(base_url=f"{url}bot", poll_timeout=5, limits=False),
        workspace=Workspace(str(folder / "memory"), str(folder / "state"), fsync=False),
        users=Users(everyone=True),
        groups=Groups({"family": [PEOPLE["Alice"], PEOPLE["Petr"]]}),
        keep=keep or Keep(),
    )


@asynccontextmanager
async def serving(options: Settings, now: datetime | None = None) -> AsyncIterator[None]:
    """The whole bot, in this process, over HTTP; at ``now`` its clock stands still."""
    core = open_core(options)
    if now is not None:
        core = dataclasses.replace(core, clock=lambda: now)
    stop, ready = asyncio.Event(), asyncio.Event()
    task = asyncio.create_task(Bot(core, TOKEN).serve(stop, lambda _: ready.set()))
    waiting = asyncio.create_task(ready.wait())
    await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        task.result()
    try:
        yield
    finally:
        stop.set()
        await task
        core.close()


@dataclass
class Stage:
    """People and what the bot did to them, in order."""

    url: str
    http: aiohttp.ClientSession
    seen: asyncio.Queue[tuple[str, Values]] = field(default_factory=asyncio.Queue)
    chat: int = 0
    last: dict[int, Values] = field(default_factory=dict)
    said: dict[int, int] = field(default_factory=dict)
    listening: asyncio.Event = field(default_factory=asyncio.Event)

    async def listen(self) -> None:
        """Collect the bot's messages and edits until cancelled."""
        kind = ""
        async with self.http.get(f"{self.url}people/events", timeout=None) as stream:
            self.listening.set()
            async for raw in stream.content:
                line = raw.decode().rstrip("\n")
                if line.startswith("event: "):
                    kind = line[7:]
                elif line.startswith("data: ") and kind in ("message", "edited"):
                    self._note(kind, json.loads(line[6:])["message"])

    def _note(self, kind: str, message: Values) -> None:
        if message["by"] == "bot":
            self.last[message["chat"]["id"]] = message
            self.seen.put_nowait((kind, message))

    async def do(self, call: str, **body: Any) -> Values:
        """One call of the people's side."""
        async with self.http.post(f"{self.url}people/{call}", json=body) as answer:
            result: Values = await answer.json()
            assert answer.status == 200, result
            return result

    async def say(self, step: script.Says) -> None:
        """Let a person speak."""
        person = PEOPLE[step.who]
        self.chat = GROUP if step.group else person
        reply = {"reply_to": self.last[self.chat]["message_id"]} if step.reply else {}
        said = await self.do("say", person=person, chat=self.chat, text=step.text, **reply)
        self.said[person] = said["message_id"]

    async def edit(self, step: script.Edits) -> None:
        """Let a person edit what they said last."""
        person = PEOPLE[step.who]
        place = {"chat": self.chat, "message_id": self.said[person]}
        await self.do("edit", person=person, text=step.text, **place)

    async def move(self, step: script.Moves) -> None:
        """Let a person enter or leave the group, or do something to the bot in it."""
        self.chat = GROUP
        call, fields = MOVES[step.verb]
        await self.do(call, person=PEOPLE[step.who], chat=GROUP, **fields)

    async def press(self, step: script.Presses) -> None:
        """Let a person press a button of the chat's last message."""
        person = PEOPLE[step.who]
        self.chat = GROUP if step.group else person
        message = self.last[self.chat]
        rows = message.get("reply_markup", {}).get("inline_keyboard", [])
        data = [b["callback_data"] for row in rows for b in row if b["text"] == step.label]
        assert data, f"no button {step.label!r} in {labels(message)}: {message['text']}"
        place = {"chat": self.chat, "message_id": message["message_id"]}
        await self.do("tap", person=person, data=data[0], **place)

    async def next(self) -> script.Bot:
        """What the bot does next, as a step."""
        kind, message = await asyncio.wait_for(self.seen.get(), WAIT_SECONDS)
        where = message["chat"]["id"]
        names = {number: name for name, number in PEOPLE.items()} | {GROUP: "the group"}
        other = "" if where == self.chat else names[where]
        text = message.get("text") or f"[picture] {message['caption']}"
        return script.Bot(text, kind == "edited", other, labels(message))


def labels(message: Values) -> tuple[tuple[str, ...], ...]:
    """The labels of a message's keyboard, row by row."""
    rows = message.get("reply_markup", {}).get("inline_keyboard", [])
    return tuple(tuple(button["text"] for button in row) for row in rows)
