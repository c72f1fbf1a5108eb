"""One Bot API call: fault, execution, answer, journal."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from demo import (
    load,
    methods_chats,
    methods_edits,
    methods_files,
    methods_messages,
    methods_profile,
    methods_updates,
)
from demo.emulator import Emulator
from demo.errors import ApiError, bad_request, not_found, unauthorized
from demo.methods_updates import Described
from demo.params import Params

METHODS: dict[str, Callable[[Emulator, Params], Any]] = {
    **methods_messages.METHODS,
    **methods_edits.METHODS,
    **methods_chats.METHODS,
    **methods_profile.METHODS,
    **methods_files.METHODS,
    **methods_updates.METHODS,
}
QUIET = frozenset({"getupdates"})


@dataclass(frozen=True, slots=True)
class Answer:
    """Status and JSON of an answer; ``retry_after`` also goes out as a header."""

    status: int
    body: bytes
    retry_after: int = 0


class ConnectionCutError(Exception):
    """The connection is to be closed without an answer."""


def check_token(emulator: Emulator, token: str) -> None:
    """Refuse a token that is not the emulator's; malformed ones get their own text."""
    if token == emulator.token:
        return
    number, _, secret = token.partition(":")
    if not (number.isdecimal() and secret):
        raise unauthorized("invalid token specified")
    raise unauthorized()


async def answer(emulator: Emulator, name: str, params: Params) -> Answer:
    """Carry out a call and word its answer; raises ConnectionCutError when a fault wants that."""
    name = name.lower()
    try:
        result = await _with_faults(emulator, name, params)
    except UnicodeEncodeError:
        return _refused(emulator, name, params, bad_request("strings must be encoded in UTF-8"))
    except ApiError as error:
        return _refused(emulator, name, params, error)
    if name not in QUIET:
        emulator.journal.note(emulator.clock.now(), "call", name, params.values, _plain(result))
    if emulator.load and name in load.ANSWERING:
        chat_id = params.number("chat_id")
        asyncio.get_running_loop().call_soon(emulator.load.answered, chat_id)
    return Answer(HTTPStatus.OK, _worded(name, result))


async def _with_faults(emulator: Emulator, name: str, params: Params) -> Any:
    fault = emulator.faults.take(name)
    if fault is None:
        return await execute(emulator, name, params)
    await asyncio.sleep(fault.delay)
    if fault.cut and not fault.after:
        raise ConnectionCutError
    if fault.error:
        raise fault.error
    result = await execute(emulator, name, params)
    if fault.after:
        raise ConnectionCutError
    return result


async def execute(emulator: Emulator, name: str, params: Params) -> Any:
    """The result of a method (lower case); raises ApiError."""
    method = METHODS.get(name)
    if method is None:
        raise not_found("method not found")
    if emulator.logged_out:
        raise bad_request("Logged out")
    flood = emulator.limits.check(name, params.number("chat_id"), emulator.clock.now())
    if flood:
        raise flood
    if emulator.load and emulator.load.plan.delay and name in load.ANSWERING:
        await asyncio.sleep(emulator.load.plan.delay)
    result = method(emulator, params)
    return await result if inspect.isawaitable(result) else result


async def execute_reply(emulator: Emulator, name: str, values: dict[str, Any]) -> None:
    """A method call that came as the answer to a webhook; nobody sees its result."""
    await answer(emulator, name, Params(values))


def _plain(result: Any) -> Any:
    return True if isinstance(result, Described) else result


def _worded(name: str, result: Any) -> bytes:
    if name == "getupdates":
        return b'{"ok":true,"result":[' + ",".join(result).encode() + b"]}"
    body: dict[str, Any] = {"ok": True, "result": _plain(result)}
    if isinstance(result, Described):
        body["description"] = result.description
    return json.dumps(body).encode()


def _refused(emulator: Emulator, name: str, params: Params, error: ApiError) -> Answer:
    note = f"{error.code} {error.description}"
    emulator.journal.note(emulator.clock.now(), "call", name, params.values, note)
    return refusal(error)


def refusal(error: ApiError) -> Answer:
    """The answer that tells a bot about an error."""
    body: dict[str, Any] = {
        "ok": False,
        "error_code": error.code,
        "description": error.description,
    }
    if error.parameters:
        body["parameters"] = error.parameters
    return Answer(error.code, json.dumps(body).encode(), error.parameters.get("retry_after", 0))
