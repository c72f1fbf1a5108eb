"""Both sides of one emulator in this process, driven over real HTTP on a free port."""

from __future__ import annotations

import json
import random
import time
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aiohttp import ClientSession
from aiohttp.test_utils import TestServer

from demo import server
from demo.clock import Clock
from demo.emulator import Emulator

TOKEN = "123456:TEST"
ALICE, PETR, HANA, GROUP = 111, 222, 333, -1001

Json = dict[str, Any]


class Side:
    """The bot's calls and the people's actions of a test."""

    def __init__(self, emulator: Emulator, http: ClientSession, url: str) -> None:
        self.emulator = emulator
        self.http = http
        self.url = url

    async def call(self, method: str, token: str = TOKEN, **params: Any) -> Json:
        """The whole JSON answer of a Bot API call, refused or not."""
        async with self.http.post(f"{self.url}/bot{token}/{method}", json=params) as response:
            return await response.json()

    async def ok(self, method: str, **params: Any) -> Any:
        """The result of a call that must succeed."""
        answer = await self.call(method, **params)
        assert answer["ok"], answer
        return answer["result"]

    async def refused(self, method: str, **params: Any) -> str:
        """Code and description of a call that must fail."""
        answer = await self.call(method, **params)
        assert not answer["ok"], answer
        return f"{answer['error_code']} {answer['description']}"

    async def send(self, chat: int = ALICE, text: str = "hello", **params: Any) -> Json:
        """A message of the bot."""
        return await self.ok("sendMessage", chat_id=chat, text=text, **params)

    async def people(self, action: str, **body: Any) -> Any:
        """An action of the people's side, which must succeed."""
        async with self.http.post(f"{self.url}/{action}", json=body) as response:
            answer = await response.json()
            assert response.status == 200, answer
            return answer

    async def say(
        self, text: str, person: int = ALICE, chat: int | None = None, **more: Any
    ) -> int:
        """A message of a person, by default in the private chat; returns its id."""
        body = {"person": person, "chat": chat or person, "text": text, **more}
        return (await self.people("people/say", **body))["message_id"]

    async def tap(self, message_id: int, data: str = "x", person: int = ALICE, chat: int = ALICE):
        """A press of a button; returns the callback's id."""
        body = {"person": person, "chat": chat, "message_id": message_id, "data": data}
        return (await self.people("people/tap", **body))["callback_query_id"]

    async def get(self, path: str) -> Any:
        """A reading of the people's side."""
        async with self.http.get(f"{self.url}/{path}") as response:
            return await response.json()

    async def state(self) -> Json:
        """GET /people/state."""
        return await self.get("people/state")

    def pending(self) -> list[Json]:
        """Updates that wait for the bot, without confirming them."""
        return [json.loads(body) for body in self.emulator.updates.batch(100)]

    def fresh(self) -> list[Json]:
        """Updates that wait for the bot, which are forgotten with that."""
        found = self.pending()
        self.emulator.updates.clear()
        return found

    async def forum(self) -> int:
        """A forum of Alice and Petr where the bot is an administrator."""
        body = {"person": ALICE, "title": "Forum", "members": [PETR], "forum": True}
        chat = (await self.people("people/group", **body))["chat"]
        await self.people("people/promote", person=ALICE, chat=chat, status="administrator")
        self.fresh()
        return chat


@asynccontextmanager
async def telegram_side(folder: Path | None = None):
    """A fresh emulator with a client."""
    emulator = Emulator(TOKEN, Clock(time.time), random.Random(7))
    site = TestServer(server.application(emulator, folder))
    await site.start_server()
    async with ClientSession() as http:
        yield Side(emulator, http, str(site.make_url("")).rstrip("/"))
    await site.close()
