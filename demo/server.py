"""The emulator's HTTP server: the bot's side, the people's side, and the page."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator
from pathlib import Path

from aiohttp import web

from demo import calls, params, people_routes
from demo.calls import Answer, ConnectionCutError
from demo.emulator import Emulator
from demo.errors import ApiError, not_found
from demo.files import Files
from demo.updates import SERVER_STOPS

PAGE = Path(__file__).parent / "page"
BODY_LIMIT = 55 * 1024 * 1024
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self';"
    " connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'"
)
PAGE_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def application(emulator: Emulator, folder: Path | None = None) -> web.Application:
    """Everything at one address; ``folder`` is shown live on the page."""
    files = Files(folder, emulator.events) if folder else None
    app = web.Application(client_max_size=BODY_LIMIT)
    emulator.webhook.execute = functools.partial(calls.execute_reply, emulator)
    _add_bot_side(app, emulator)
    people_routes.add_routes(app, emulator, files)
    app.router.add_get("/", _page)
    app.router.add_get("/page/{name:.+}", _page)
    app.cleanup_ctx.append(functools.partial(_running, emulator, files))
    return app


def _add_bot_side(app: web.Application, emulator: Emulator) -> None:
    async def call(request: web.Request) -> web.Response:
        return await _call(emulator, request)

    async def download(request: web.Request) -> web.Response:
        return _download(emulator, request)

    app.router.add_route("*", "/bot{token}/{method}", call)
    app.router.add_get("/file/bot{token}/{path:.+}", download)
    app.router.add_route("*", "/bot{rest:.*}", _nowhere)


async def _call(emulator: Emulator, request: web.Request) -> web.Response:
    try:
        calls.check_token(emulator, request.match_info["token"])
        body = await request.read() if request.body_exists else b""
        content_type = request.headers.get("Content-Type", "")
        given = params.read(request.query, content_type, body)
        return _response(await calls.answer(emulator, request.match_info["method"], given))
    except ApiError as error:
        return _response(calls.refusal(error))
    except ConnectionCutError:
        if request.transport:
            request.transport.abort()
        return web.Response()


async def _nowhere(request: web.Request) -> web.Response:
    return _response(calls.refusal(not_found()))


def _response(answer: Answer) -> web.Response:
    response = web.Response(body=answer.body, status=answer.status, content_type="application/json")
    if answer.retry_after:
        response.headers["Retry-After"] = str(answer.retry_after)
    return response


def _download(emulator: Emulator, request: web.Request) -> web.Response:
    path = request.match_info["path"]
    try:
        calls.check_token(emulator, request.match_info["token"])
        file = next((f for f in emulator.world.files.values() if f.path == path), None)
        if file is None:
            raise not_found("file not found")
    except ApiError as error:
        return _response(calls.refusal(error))
    return web.Response(body=file.content, content_type="application/octet-stream")


async def _page(request: web.Request) -> web.StreamResponse:
    name = request.match_info.get("name", "index.html")
    path = (PAGE / name).resolve()
    if not path.is_relative_to(PAGE.resolve()) or not path.is_file():
        raise web.HTTPNotFound
    return web.FileResponse(path, headers=PAGE_HEADERS)


async def _running(
    emulator: Emulator, files: Files | None, app: web.Application
) -> AsyncIterator[None]:
    watch = asyncio.create_task(files.watch()) if files else None
    app.on_shutdown.append(functools.partial(_stop, emulator))
    yield
    if watch:
        watch.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watch


async def _stop(emulator: Emulator, app: web.Application) -> None:
    emulator.poller.interrupt(SERVER_STOPS)
    emulator.events.close()
    await emulator.webhook.remove()
