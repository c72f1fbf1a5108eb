"""The people's side over HTTP, as demo/PEOPLE.md promises it to the page."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from demo import faults, load, membership, methods_files, people
from demo.emulator import Emulator
from demo.errors import ApiError, PeopleError
from demo.events import END
from demo.files import Files
from demo.params import Params, Upload
from demo.posting import Post
from demo.world import Chat, Message, Person, Status

KEEP_ALIVE = 15.0
OK = {"ok": True}
UNCACHED = {"Cache-Control": "no-store"}
LOOPBACK = frozenset({"127.0.0.1", "localhost"})

Action = Callable[[Emulator, "Request"], Any]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Request:
    """The JSON body of a people's side call, with readers that raise PeopleError."""

    def __init__(self, emulator: Emulator, body: dict[str, Any]) -> None:
        self.emulator = emulator
        self.body = body
        self.params = Params(body)

    def text(self, name: str) -> str:
        """A text, "" when absent."""
        return self.params.text(name)

    def number(self, name: str) -> int:
        """A number, 0 when absent."""
        return self.params.number(name)

    @property
    def person(self) -> Person:
        """Who acts."""
        return people.find_person(self.emulator, self.number("person"))

    @property
    def chat(self) -> Chat:
        """A chat that this person is in."""
        return people.joined(self.emulator, self.person, self.number("chat"))

    @property
    def message(self) -> Message:
        """A message of that chat."""
        return people.find_message(self.chat, self.number("message_id"))

    @property
    def reply(self) -> Message | None:
        """The message that is answered, if any."""
        wanted = self.number("reply_to")
        return people.find_message(self.chat, wanted) if wanted else None


def _say(emulator: Emulator, asked: Request) -> Any:
    post = Post(people.spoken(asked.text("text")), asked.number("topic"), asked.reply)
    if asked.params.flag("anonymous"):
        post.fields |= people.anonymous(asked.person, asked.chat)
    return people.say(emulator, asked.person, asked.chat, post)


def _tap(emulator: Emulator, asked: Request) -> Any:
    number, data = asked.number("message_id"), asked.text("data")
    return people.tap(emulator, asked.person, asked.chat, number, data)


def _edit(emulator: Emulator, asked: Request) -> Any:
    return people.edit(emulator, asked.person, asked.message, asked.text("text"))


def _delete(emulator: Emulator, asked: Request) -> Any:
    people.delete(emulator, asked.person, asked.message)
    return OK


def _forward(emulator: Emulator, asked: Request) -> Any:
    target = people.joined(emulator, asked.person, asked.number("to"))
    hidden = asked.params.flag("hidden")
    return people.forward(emulator, asked.person, asked.message, target, hidden)


def _document(emulator: Emulator, asked: Request) -> Any:
    name = asked.text("file_name") or "file.txt"
    upload = Upload(name, asked.text("content").encode(), "text/plain")
    fields = people.document(emulator, upload, asked.text("caption"))
    post = Post(fields, asked.number("topic"), asked.reply)
    return people.say(emulator, asked.person, asked.chat, post)


def _react(emulator: Emulator, asked: Request) -> Any:
    people.set_reaction(emulator, asked.person, asked.message, asked.text("emoji"))
    return OK


def _language(emulator: Emulator, asked: Request) -> Any:
    membership.set_language(emulator, asked.person, asked.text("language_code"))
    return OK


def _start(emulator: Emulator, asked: Request) -> Any:
    return membership.start(emulator, asked.person, asked.text("payload"))


def _block(emulator: Emulator, asked: Request) -> Any:
    membership.block(emulator, asked.person, asked.params.flag("blocked"))
    return OK


def _deactivate(emulator: Emulator, asked: Request) -> Any:
    membership.deactivate(emulator, asked.person)
    return OK


def _kick(emulator: Emulator, asked: Request) -> Any:
    membership.set_bot(emulator, asked.person, asked.chat, Status.KICKED)
    return OK


def _add(emulator: Emulator, asked: Request) -> Any:
    membership.set_bot(emulator, asked.person, asked.chat, Status.MEMBER)
    return OK


def _promote(emulator: Emulator, asked: Request) -> Any:
    name = asked.text("status")
    if name not in {Status.ADMINISTRATOR, Status.MEMBER}:
        raise PeopleError('status must be "administrator" or "member"')
    status, who = Status(name), asked.number("who")
    if who:
        other = people.find_person(emulator, who)
        membership.set_member(emulator, asked.person, other, asked.chat, status)
    else:
        membership.set_bot(emulator, asked.person, asked.chat, status)
    return OK


def _leave(emulator: Emulator, asked: Request) -> Any:
    person = asked.person
    membership.set_member(emulator, person, person, asked.chat, Status.LEFT)
    return OK


def _join(emulator: Emulator, asked: Request) -> Any:
    person, chat = asked.person, people.find_chat(emulator, asked.number("chat"))
    membership.set_member(emulator, person, person, chat, Status.MEMBER)
    return OK


def _migrate(emulator: Emulator, asked: Request) -> Any:
    return membership.migrate(emulator, people.find_chat(emulator, asked.number("chat")))


def _group(emulator: Emulator, asked: Request) -> Any:
    members = [int(who) for who in asked.body.get("members", ())]
    title, forum = asked.text("title") or "Group", asked.params.flag("forum")
    return membership.new_group(emulator, asked.person, title, members, forum)


def _topic(emulator: Emulator, asked: Request) -> Any:
    return membership.open_topic(emulator, asked.person, asked.chat, asked.text("name") or "Topic")


def _close_topic(emulator: Emulator, asked: Request) -> Any:
    closed = bool(asked.body.get("closed", True))
    topic = asked.number("topic")
    membership.close_topic(emulator, asked.person, asked.chat, topic, closed)
    return OK


def _reset(emulator: Emulator, asked: Request) -> Any:
    membership.reset(emulator)
    return OK


def _load(emulator: Emulator, asked: Request) -> Any:
    people.begin_load(emulator, load.read(asked.body))
    return OK


def _faults(emulator: Emulator, asked: Request) -> Any:
    if asked.body.get("clear"):
        emulator.faults.clear()
    elif "limits" in asked.body:
        emulator.limits.on = asked.params.flag("limits")
    elif doubled := asked.number("deliver_twice"):
        emulator.updates.double = doubled
    else:
        emulator.faults.add(faults.read(asked.body))
    return OK


def _clock(emulator: Emulator, asked: Request) -> Any:
    return {"now": emulator.clock.advance(float(asked.body.get("advance", 0)))}


ACTIONS: dict[str, Action] = {
    "/people/say": _say,
    "/people/tap": _tap,
    "/people/edit": _edit,
    "/people/delete": _delete,
    "/people/forward": _forward,
    "/people/document": _document,
    "/people/react": _react,
    "/people/language": _language,
    "/people/start": _start,
    "/people/block": _block,
    "/people/deactivate": _deactivate,
    "/people/kick": _kick,
    "/people/add": _add,
    "/people/promote": _promote,
    "/people/leave": _leave,
    "/people/join": _join,
    "/people/migrate": _migrate,
    "/people/group": _group,
    "/people/topic": _topic,
    "/people/close_topic": _close_topic,
    "/people/reset": _reset,
    "/people/load": _load,
    "/faults": _faults,
    "/clock": _clock,
}


def _own_page_only(handler: Handler) -> Handler:
    """Refuse pages of other sites, also those that borrow this address (DNS rebinding)."""

    async def checked(request: web.Request) -> web.StreamResponse:
        origin = request.headers.get("Origin", "")
        foreign = bool(origin) and origin.partition("://")[2] != request.host
        if foreign or request.host.partition(":")[0] not in LOOPBACK:
            return web.json_response({"error": "this is not the emulator's page"}, status=403)
        return await handler(request)

    return checked


def _acting(emulator: Emulator, path: str) -> Handler:
    async def act(request: web.Request) -> web.StreamResponse:
        try:
            body = await request.json() if request.can_read_body else {}
            if not isinstance(body, dict):
                raise PeopleError("the body must be a JSON object")
            result = ACTIONS[path](emulator, Request(emulator, body))
        except (PeopleError, ApiError, ValueError, TypeError) as error:
            return web.json_response({"error": str(error)}, status=400)
        emulator.journal.note(emulator.clock.now(), "people", path, body, result)
        return web.json_response(result)

    return act


async def _stream(emulator: Emulator, request: web.Request) -> web.StreamResponse:
    headers = UNCACHED | {"Content-Type": "text/event-stream"}
    response = web.StreamResponse(headers=headers)
    await response.prepare(request)
    queue = emulator.events.join()
    try:
        await response.write(b": hello\n\n")
        while (chunk := await _next_chunk(queue)) != END:
            await response.write(chunk)
    except ConnectionError:
        return response
    finally:
        emulator.events.leave(queue)
    return response


async def _next_chunk(queue: asyncio.Queue[bytes]) -> bytes:
    with contextlib.suppress(TimeoutError):
        return await asyncio.wait_for(queue.get(), KEEP_ALIVE)
    return b": still here\n\n"


def _giving(give: Callable[[web.Request], Any]) -> Handler:
    async def answer(request: web.Request) -> web.StreamResponse:
        return web.json_response(give(request), headers=UNCACHED)

    return answer


def add_routes(app: web.Application, emulator: Emulator, files: Files | None) -> None:
    """Everything of the people's side."""

    async def events(request: web.Request) -> web.StreamResponse:
        return await _stream(emulator, request)

    readings: dict[str, Handler] = {
        "/people/events": events,
        "/people/state": _giving(lambda _: emulator.state()),
        "/people/files": _giving(lambda _: files.listed() if files else []),
        "/people/load": _giving(lambda _: _load_report(emulator)),
        "/journal": _giving(lambda request: _journal(emulator, request)),
    }
    for path in ACTIONS:
        app.router.add_post(path, _own_page_only(_acting(emulator, path)))
    for path, handler in readings.items():
        app.router.add_get(path, _own_page_only(handler))
    app.router.add_get("/people/photo/{id}", _own_page_only(lambda r: _photo(emulator, r)))


async def _photo(emulator: Emulator, request: web.Request) -> web.StreamResponse:
    """The picture of a message, by the unique id of its file."""
    wanted = request.match_info["id"]
    files = emulator.world.files.values()
    found = next((file for file in files if file.unique_id == wanted), None)
    if found is None or not found.content.startswith(methods_files.PNG):
        return web.json_response({"error": "there is no such picture"}, status=404)
    return web.Response(body=found.content, content_type="image/png")


def _load_report(emulator: Emulator) -> dict[str, Any]:
    return emulator.load.report() if emulator.load else {"done": False, "answered": 0}


def _journal(emulator: Emulator, request: web.Request) -> dict[str, Any]:
    since = request.query.get("since", "0")
    entries = emulator.journal.since(int(since) if since.isdecimal() else 0)
    return {"last": emulator.journal.last, "entries": entries}
