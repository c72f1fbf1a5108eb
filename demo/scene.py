"""What the terminal variant of the demo knows, and how it is written as lines (pure)."""

import difflib
import json
from collections.abc import AsyncIterable, AsyncIterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any
from urllib.parse import parse_qs, urlsplit

Json = dict[str, Any]


@dataclass
class Scene:
    """What the terminal knows: the people, chats, files, and who and where the reader is."""

    me: int
    here: int
    people: dict[int, Json] = field(default_factory=dict)
    chats: dict[int, Json] = field(default_factory=dict)
    bot: Json = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    boards: dict[int, Json] = field(default_factory=dict)
    last: dict[int, Json] = field(default_factory=dict)
    mine: set[str] = field(default_factory=set)

    def name(self, by: int | str) -> str:
        """The first name of a person, or of the bot."""
        who = self.people.get(by, self.bot) if isinstance(by, int) else self.bot
        return str(who["first_name"])

    def title(self, chat: int) -> str:
        """What a chat is called in front of its lines."""
        private = self.chats[chat]["type"] == "private"
        return str(self.bot["first_name"] if private else self.chats[chat]["title"])

    def hears(self, chat: int) -> bool:
        """Is the reader in this chat?"""
        return chat in self.chats and self.me in self.chats[chat]["members"]


def buttons(message: Json) -> list[Json]:
    """The inline buttons of a message in reading order."""
    rows = message.get("reply_markup", {}).get("inline_keyboard", [])
    return [button for row in rows for button in row]


def content(message: Json) -> str:
    """The text of a message, or what stands for it."""
    document = message.get("document", {}).get("file_name", "")
    picture = "🖼 " if "photo" in message else ""
    return picture + str(message.get("text") or message.get("caption") or document)


def show_message(scene: Scene, message: Json, edited: bool = False) -> list[str]:
    """The lines that show a message with its numbered buttons."""
    chat = message["chat"]["id"]
    place = "" if chat == scene.here else f"[{scene.title(chat)}] "
    mark = " (edited)" if edited else ""
    head = f"{place}{scene.name(message['by'])}{mark}: "
    text = content(message).replace("\n", "\n    ")
    return [head + text, *show_buttons(message)]


def show_buttons(message: Json) -> list[str]:
    """The keyboard row by row, its buttons numbered through."""
    numbers = count(1)
    rows = message.get("reply_markup", {}).get("inline_keyboard", [])
    drawn = [" ".join(f"[#{next(numbers)} {button['text']}]" for button in row) for row in rows]
    return ["    " + row for row in drawn]


def show_change(path: str, before: str, after: str) -> list[str]:
    """The lines of a file that came (+) and went (-), each behind its file's name."""
    steps = difflib.ndiff(before.split("\n"), after.split("\n"))
    return [f"{step[0]} {path} | {step[2:]}" for step in steps if step[0] in "+-" and step[2:]]


def payload_of(url: str, username: str) -> str | None:
    """What a deep link to the bot says after `start=`; None for other addresses."""
    parts = urlsplit(url)
    if parts.hostname not in {"t.me", "telegram.me"} or parts.path.strip("/") != username:
        return None
    return parse_qs(parts.query).get("start", [""])[0]


async def events(lines: AsyncIterable[bytes]) -> AsyncIterator[tuple[int, str, Json]]:
    """The events of a server-sent stream as (number, name, data)."""
    fields: dict[str, str] = {}
    async for raw in lines:
        line = raw.decode().rstrip("\r\n")
        if line:
            name, _, value = line.partition(":")
            fields[name] = fields.get(name, "") + value.removeprefix(" ")
        elif "data" in fields:
            number = int(fields.get("id") or 0)
            yield number, fields.get("event", "message"), json.loads(fields["data"])
            fields = {}
