"""A tiny bot for the tests of the page and the terminal: plain Bot API calls, no framework.

It keeps what follows "keep ", and has one answer for each thing a client must be able to show:
a keyboard edited in place, an alert, a press that stays unanswered, force-reply, a deep link.
"""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from html import escape
from pathlib import Path
from typing import Any

Json = dict[str, Any]
TOKEN = "123456:TEST"
KEPT = [["Undo", "undo"], ["Alert", "alert"], ["Silent", "silent"]]


def post(url: str, body: Json, timeout: float = 10) -> Any:
    """POST JSON and return the JSON answer."""
    data = json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=timeout) as response:
        return json.load(response)


@contextmanager
def emulator(folder: Path, port: int = 0) -> Iterator[str]:
    """The emulator in a process of its own, showing the files of `folder`; gives its address."""
    command = [sys.executable, "-m", "demo", "--port", str(port), "--files", str(folder)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([*command, "--with-parent"], **pipes) as process:
        yield json.loads(process.stdout.readline())["url"]
        process.stdin.close()


@contextmanager
def scripted_bot(url: str, folder: Path) -> Iterator[ScriptedBot]:
    """The bot, polling in a thread; it ends with its held poll, at the latest with the server."""
    bot = ScriptedBot(url, folder)
    bot.thread.start()
    yield bot
    bot.stopped.set()


def keyboard(rows: list[list[list[str]]]) -> Json:
    """Inline keyboard of rows of [text, data or address]."""
    return {"inline_keyboard": [[button(*each) for each in row] for row in rows]}


def button(text: str, data: str) -> Json:
    return {"text": text, "url" if data.startswith("https:") else "callback_data": data}


class ScriptedBot:
    """Answers updates one after another."""

    def __init__(self, url: str, folder: Path) -> None:
        self.base = f"{url}bot{TOKEN}/"
        self.folder = folder
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.poll, daemon=True)

    def call(self, method: str, **body: Any) -> Any:
        return post(self.base + method, body)["result"]

    def poll(self) -> None:
        with suppress(OSError):
            self.introduce()
        offset = 0
        while not self.stopped.is_set():
            with suppress(OSError, http.client.HTTPException):
                for update in self.call("getUpdates", offset=offset, timeout=1):
                    offset = update["update_id"] + 1
                    self.take(update)

    def introduce(self) -> None:
        """Set the command menus: English without a language, Czech for cs."""
        english = [("keep", "Keep a fact"), ("ask", "Ask me something"), ("help", "Help")]
        czech = [("keep", "Zapamatovat si"), ("help", "Nápověda")]
        for code, commands in (("", english), ("cs", czech)):
            listed = [{"command": name, "description": text} for name, text in commands]
            self.call("setMyCommands", commands=listed, language_code=code)

    def take(self, update: Json) -> None:
        if "callback_query" in update:
            self.press(update["callback_query"])
        elif "message" in update:
            self.hear(update["message"])

    def hear(self, message: Json) -> None:
        text = message.get("text", "").replace("@pomnenka_bot", "").strip()
        if text.lstrip("/").startswith("keep "):
            self.keep(message, text.lstrip("/").removeprefix("keep "))
        elif text == "/ask":
            markup = {"force_reply": True, "input_field_placeholder": "One fact"}
            self.say(message, "What should I remember?", reply_markup=markup)
        elif text == "link":
            rows = [[["Open here", "https://t.me/pomnenka_bot?start=abc"]]]
            self.say(message, "In private?", reply_markup=keyboard(rows))
        else:
            self.say(message, f"<b>Heard</b> 🌼: <code>{len(text)}</code> {escape(text[:60])}")

    def keep(self, message: Json, fact: str) -> None:
        self.call("sendChatAction", chat_id=message["chat"]["id"], action="typing")
        path = self.path(message["from"]["id"])
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"- {fact}\n")
        self.say(message, f"Kept: <b>{escape(fact)}</b>", reply_markup=keyboard([KEPT]))

    def path(self, person: int) -> Path:
        return self.folder / "users" / str(person) / "keep.md"

    def say(self, message: Json, text: str, **more: Any) -> None:
        reply = {"message_id": message["message_id"]}
        place = {"chat_id": message["chat"]["id"], "reply_parameters": reply}
        self.call("sendMessage", text=text, parse_mode="HTML", **place, **more)

    def press(self, query: Json) -> None:
        data = query["data"]
        if data == "undo":
            self.undo(query)
        if data != "silent":
            text = "Only Petr can decide this." if data == "alert" else "Undone"
            answer = {"callback_query_id": query["id"], "text": text}
            self.call("answerCallbackQuery", **answer, show_alert=data == "alert")

    def undo(self, query: Json) -> None:
        path = self.path(query["from"]["id"])
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        path.write_text("".join(lines[:-1]), encoding="utf-8")
        message = query["message"]
        place = {"chat_id": message["chat"]["id"], "message_id": message["message_id"]}
        again = keyboard([[["Again", "again"]]])
        self.call("editMessageText", text="Taken back", reply_markup=again, **place)
