"""Section "HTTP" of the Bot API: how calls arrive and how answers look."""

import json

import pytest
from aiohttp import FormData

TOKEN = "123456:TEST"


async def test_method_names_ignore_case(telegram):
    """HTTP: method names are case-insensitive."""
    assert (await telegram.ok("GETME"))["username"] == "pomnenka_bot"


async def test_unknown_method(telegram):
    """HTTP: an unknown method is a 404."""
    assert await telegram.refused("fooBar") == "404 Not Found: method not found"


@pytest.mark.parametrize("path", ["bot", f"bot{TOKEN}", f"bot{TOKEN}/a/b"])
async def test_paths_without_a_method(telegram, path):
    """HTTP: a path that names no method is a 404 in JSON too."""
    async with telegram.http.get(f"{telegram.url}/{path}") as got:
        assert (got.status, (await got.json())["description"]) == (404, "Not Found")


@pytest.mark.parametrize(
    ("token", "answer"),
    [
        ("nonsense", "Unauthorized: invalid token specified"),
        ("12a:TEST", "Unauthorized: invalid token specified"),
        ("123456:", "Unauthorized: invalid token specified"),
        ("123456:WRONG", "Unauthorized"),
    ],
)
async def test_wrong_tokens(telegram, token, answer):
    """HTTP: a wrong token is a 401, a malformed one says so."""
    reply = await telegram.call("getMe", token=token)
    assert (reply["error_code"], reply["description"]) == (401, answer)


async def test_status_is_the_error_code(telegram):
    """HTTP: the status of an error is its error_code."""
    async with telegram.http.get(f"{telegram.url}/bot{TOKEN}/sendMessage?chat_id=5&text=x") as got:
        assert got.status == (await got.json())["error_code"] == 400


async def _get(side, url):
    async with side.http.get(url, params={"chat_id": "111", "text": "hi", "unknown": "1"}) as got:
        return await got.json()


async def _form(side, url):
    data = {"chat_id": "111", "text": "hi", "reply_markup": json.dumps({"force_reply": True})}
    async with side.http.post(url, data=data) as got:
        return await got.json()


async def _multipart(side, url):
    form = FormData(default_to_multipart=True)
    form.add_field("chat_id", "111")
    form.add_field("text", "hi")
    form.add_field("entities", '[{"type":"bold","offset":0,"length":2}]')
    async with side.http.post(url, data=form) as got:
        return await got.json()


async def _json_body(side, url):
    body = {"chat_id": 111, "text": "hi", "entities": '[{"type":"bold","offset":0,"length":2}]'}
    async with side.http.post(f"{url}?text=other", json=body) as got:
        return await got.json()


@pytest.mark.parametrize("ask", [_get, _form, _multipart, _json_body])
async def test_ways_to_pass_parameters(telegram, ask):
    """HTTP: query, form, multipart and JSON mean the same; JSON-valued fields may be text."""
    answer = await ask(telegram, f"{telegram.url}/bot{TOKEN}/sendMessage")
    assert answer["result"]["text"] == "hi"


async def test_broken_json(telegram):
    """HTTP: a body that is no JSON is a 400."""
    url, headers = f"{telegram.url}/bot{TOKEN}/getMe", {"Content-Type": "application/json"}
    async with telegram.http.post(url, data=b"{", headers=headers) as got:
        assert (got.status, (await got.json())["ok"]) == (400, False)


@pytest.mark.parametrize(
    "params",
    [
        {"text": "\ud800"},
        {
            "text": "x",
            "reply_markup": {"inline_keyboard": [[{"text": "a", "callback_data": "\udfff"}]]},
        },
    ],
    ids=["text", "button"],
)
async def test_lone_surrogates(telegram, params):
    """HTTP: text that UTF-8 cannot hold is refused."""
    refusal = await telegram.refused("sendMessage", chat_id=111, **params)
    assert refusal == "400 Bad Request: strings must be encoded in UTF-8"


async def test_success_may_carry_a_description(telegram):
    """HTTP: deleteWebhook without a webhook says so."""
    answer = await telegram.call("deleteWebhook")
    assert answer == {"ok": True, "result": True, "description": "Webhook is already deleted"}


async def test_log_out_ends_service(telegram):
    """Methods: after logOut every call is refused."""
    await telegram.ok("logOut")
    assert await telegram.refused("getMe") == "400 Bad Request: Logged out"
