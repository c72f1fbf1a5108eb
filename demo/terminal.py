"""The demo's chat in a terminal, over the same people's calls as the page (PEOPLE.md).

What is typed is said in the chat. `#2` presses the second button of the newest keyboard, a line
that starts with ":" is a command (`:help` lists them). Lines written to a Markdown file are shown
with a `+`, lines taken out with a `-`. When the input is not a terminal, each line waits for the
bot to fall silent before the next is read, so that a piped dialogue reads like a typed one.
"""

import asyncio
import contextlib
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TextIO

import aiohttp

from demo.scene import Json, Scene, buttons, events, payload_of, show_change, show_message

HELP = """\
#2            press the second button of the newest keyboard
:as petr      be somebody else        :chat group   go to the group (:chat bot = back)
:reply TEXT   answer the last message of the bot
:lang cs      interface language      :start        open the private chat
:files        list the files          :files keep   show the files whose path has "keep"
:help         this list               :quit         end (or end of input)
"""
QUIET = 0.5
PATIENCE = 4.0
WARM_UP = 0.3
RETRY = 1.0


class RefusedError(Exception):
    """The server did not do what was asked; the text is its sentence."""


class Terminal:
    """One reader at one terminal."""

    def __init__(self, session: aiohttp.ClientSession, scene: Scene, output: TextIO) -> None:
        self.session = session
        self.scene = scene
        self.output = output
        self.heard = asyncio.Event()
        self.ready = asyncio.Event()

    def say(self, *lines: str) -> None:
        """Write lines and make them visible at once."""
        for line in lines:
            self.output.write(line + "\n")
        self.output.flush()

    async def call(self, name: str, **body: Any) -> Json:
        """One of the people's calls; raises RefusedError with the server's sentence."""
        try:
            async with self.session.post(f"people/{name}", json=body) as response:
                answer: Json = await response.json()
        except (aiohttp.ClientError, ValueError) as cause:
            raise RefusedError("the demo server does not answer") from cause
        if response.status >= 400:
            raise RefusedError(str(answer.get("error", response.reason)))
        return answer

    # -- what the server tells

    async def follow(self) -> None:
        """Show what happens until cancelled; a lost connection is taken up again."""
        while True:
            with contextlib.suppress(aiohttp.ClientError):
                await self.listen()
            self.say("(connection lost, trying again)")
            await asyncio.sleep(RETRY)

    async def listen(self) -> None:
        """Show the events of one connection; raises ClientError when it breaks."""
        timeout = aiohttp.ClientTimeout(total=None, sock_read=60)
        async with self.session.get("people/events", timeout=timeout) as stream:
            stream.raise_for_status()
            seen = await self.load()
            self.ready.set()
            async for number, name, data in events(stream.content):
                if number > seen:
                    self.play(name, data)
                    seen = await self.load() if name == "reset" else seen

    async def load(self) -> int:
        """Read the whole state; returns the number of the last event it contains."""
        async with self.session.get("people/state") as response:
            state = await response.json()
        async with self.session.get("people/files") as response:
            files = await response.json()
        scene = self.scene
        scene.bot = state["bot"]
        scene.files = {file["path"]: file["text"] for file in files}
        self.meet(state)
        for thread in state["messages"].values():
            for message in thread:
                self.remember(message)
        return int(state["last_event"])

    def meet(self, data: Json) -> None:
        """Take over who there is."""
        self.scene.people = {person["id"]: person for person in data["people"]}
        self.scene.chats = {chat["id"]: chat for chat in data["chats"]}

    def remember(self, message: Json) -> None:
        """Note the bot's last message and the newest keyboard of a chat."""
        chat = message["chat"]["id"]
        if message["by"] == "bot" and not message.get("deleted"):
            self.scene.last[chat] = message
        if buttons(message):
            self.scene.boards[chat] = message
        elif self.scene.boards.get(chat, {}).get("message_id") == message["message_id"]:
            del self.scene.boards[chat]

    def play(self, name: str, data: Json) -> None:
        """Take over one event and show what the reader would see of it."""
        if name in {"message", "edited"}:
            self.play_message(data["message"], name == "edited")
        elif name == "answer":
            self.play_answer(data)
        elif name == "files":
            self.play_file(data["path"], data["text"] or "")
        elif name == "people":
            self.meet(data)

    def play_message(self, message: Json, edited: bool) -> None:
        """Show a message of somebody else in one of the reader's chats."""
        self.remember(message)
        if not self.scene.hears(message["chat"]["id"]) or message["by"] == self.scene.me:
            return
        self.say(*show_message(self.scene, message, edited))
        self.heard.set()

    def play_answer(self, answer: Json) -> None:
        """Show the answer to one of the reader's own presses."""
        self.heard.set()
        if answer["person"] != self.scene.me:
            return
        if answer["text"]:
            self.say(f"({'! ' if answer['show_alert'] else ''}{answer['text']})")

    def play_file(self, path: str, text: str) -> None:
        """Show what came and went in a file."""
        self.say(*show_change(path, self.scene.files.get(path, ""), text))
        self.scene.files[path] = text
        self.heard.set()

    # -- what the reader does

    async def take(self, line: str) -> bool:
        """Do what a typed line says; True when the bot may answer to it."""
        if line.startswith(":"):
            return await self.command(*line[1:].partition(" ")[::2])
        if line.startswith("#") and line[1:].strip().isdigit():
            return await self.press(int(line[1:]))
        return await self.speak(line, self.asked())

    async def speak(self, text: str, reply_to: int | None) -> bool:
        """Say something in the chat."""
        place: Json = {"person": self.scene.me, "chat": self.scene.here, "text": text}
        await self.call("say", **place, **({"reply_to": reply_to} if reply_to else {}))
        return True

    def asked(self) -> int | None:
        """The bot's last message here, when it asks this reader for a reply."""
        last = self.scene.last.get(self.scene.here, {})
        return int(last["message_id"]) if self.scene.me in last.get("asks", []) else None

    async def press(self, number: int) -> bool:
        """Press a button of the newest keyboard; raises RefusedError when there is none."""
        board = self.scene.boards.get(self.scene.here, {})
        found = buttons(board)
        if not 1 <= number <= len(found):
            raise RefusedError(f"there is no button #{number} here")
        button = found[number - 1]
        if "url" in button:
            return await self.open(button["url"])
        place = {"chat": self.scene.here, "message_id": board["message_id"]}
        await self.call("tap", person=self.scene.me, **place, data=button.get("callback_data", ""))
        return True

    async def open(self, url: str) -> bool:
        """Follow a link: a deep link goes to the private chat, others are only shown."""
        payload = payload_of(url, self.scene.bot["username"])
        if payload is None:
            self.say(f"({url})")
            return False
        self.scene.here = self.scene.me
        await self.call("start", person=self.scene.me, payload=payload)
        return True

    async def command(self, name: str, rest: str) -> bool:
        """Do one of the ":" commands; an unknown one gets the list of all."""
        commands: dict[str, Callable[[str], Awaitable[bool]]] = {
            "as": self.become,
            "chat": self.go,
            "files": self.list_files,
            "reply": self.reply,
            "start": self.start,
            "lang": self.speak_language,
            "help": self.help,
        }
        return await commands.get(name, self.help)(rest.strip())

    async def help(self, _: str) -> bool:
        """List the commands."""
        self.say(*HELP.splitlines())
        return False

    async def reply(self, text: str) -> bool:
        """Say something as a reply to the bot's last message here."""
        last = self.scene.last.get(self.scene.here, {})
        return await self.speak(text, last.get("message_id"))

    async def start(self, payload: str) -> bool:
        """Open the private chat with the bot."""
        await self.call("start", person=self.scene.me, payload=payload)
        return True

    async def speak_language(self, code: str) -> bool:
        """Choose the reader's interface language."""
        await self.call("language", person=self.scene.me, language_code=code)
        return False

    async def become(self, name: str) -> bool:
        """Be somebody else, in the same group or in that person's private chat."""
        wanted = name.casefold()
        for number, person in self.scene.people.items():
            if wanted in {person["first_name"].casefold(), person.get("username", ""), str(number)}:
                self.scene.me = number
                self.scene.here = self.scene.here if self.scene.here < 0 else number
                self.announce()
                return False
        raise RefusedError(
            "there are " + ", ".join(p["first_name"] for p in self.scene.people.values())
        )

    async def go(self, name: str) -> bool:
        """Go to another chat of the reader."""
        wanted = name.casefold()
        own = [chat for chat in self.scene.chats.values() if self.scene.me in chat["members"]]
        for chat in own:
            words = {chat["type"], self.scene.title(chat["id"]).casefold(), str(chat["id"])}
            if wanted in words | ({"bot"} if chat["type"] == "private" else {"group"}):
                self.scene.here = chat["id"]
                self.announce()
                return False
        raise RefusedError("there are " + ", ".join(self.scene.title(chat["id"]) for chat in own))

    def announce(self) -> None:
        """Say who the reader is, and where."""
        self.say(f"({self.scene.name(self.scene.me)} in {self.scene.title(self.scene.here)})")

    async def list_files(self, part: str) -> bool:
        """List the files with their lines counted, or show those whose path has `part`."""
        found = {path: text for path, text in self.scene.files.items() if part in path}
        for path, text in found.items():
            self.say(f"{path} ({len(text.splitlines())})")
            self.say(*(["    " + line for line in text.splitlines()] if part else []))
        if not found:
            self.say("(no files)")
        return False

    async def settle(self) -> None:
        """Wait until the bot has answered and fallen silent."""
        wait = PATIENCE
        with contextlib.suppress(TimeoutError):
            while True:
                await asyncio.wait_for(self.heard.wait(), wait)
                self.heard.clear()
                wait = QUIET


async def converse(url: str, person: int, input: TextIO, output: TextIO) -> None:
    """Chat at a terminal until `:quit` or the end of the input."""
    async with aiohttp.ClientSession(base_url=url.rstrip("/") + "/") as session:
        terminal = Terminal(session, Scene(person, person), output)
        following = asyncio.create_task(terminal.follow())
        try:
            await terminal.ready.wait()
            terminal.announce()
            await read_lines(terminal, input)
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)


async def read_lines(terminal: Terminal, input: TextIO) -> None:
    """Do what each line of the input says, until `:quit` or its end."""
    typed = input.isatty()
    await asyncio.sleep(0 if typed else WARM_UP)
    async for line in typed_lines(input):
        text = line.rstrip("\r\n")
        if text == ":quit":
            return
        if text.strip():
            await one_line(terminal, text, typed)


async def typed_lines(input: TextIO) -> AsyncIterator[str]:
    """The lines of the input as they come, read in a thread that never holds up the end."""
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[str] = asyncio.Queue()

    def read() -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            for line in iter(input.readline, ""):
                loop.call_soon_threadsafe(lines.put_nowait, line)
            loop.call_soon_threadsafe(lines.put_nowait, "")

    threading.Thread(target=read, daemon=True).start()
    while line := await lines.get():
        yield line


async def one_line(terminal: Terminal, text: str, typed: bool) -> None:
    """Do one line; what is refused is shown with the reason."""
    if not typed:
        terminal.say(f"> {text}")
    terminal.heard.clear()
    try:
        answers = await terminal.take(text)
    except RefusedError as error:
        terminal.say(f"({error})")
        return
    if answers and not typed:
        await terminal.settle()


def run(url: str, person: int, input: TextIO, output: TextIO) -> None:
    """Chat at a terminal with the demo at `url` as the person with that id, until `:quit`."""
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(converse(url, person, input, output))


if __name__ == "__main__":
    run(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 111, sys.stdin, sys.stdout)
