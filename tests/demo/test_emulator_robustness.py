"""No call, however strange, breaks the emulator: it answers or refuses."""

import pytest

from demo import calls
from demo.params import Params
from tests.demo.emulator_side import ALICE, GROUP

STRANGE = (
    None, "", "x", "[", "[]", "{}", "null", "true", -1, 0, 1, 10**30, 1e300, float("inf"),
    float("nan"), True, [], {}, [[]], [{}], [None], {"type": []}, "\ud800", "\x00", "<b>", "&#x0;",
    [{"type": "bold", "offset": 1, "length": 10**9}], [{"type": "bold", "offset": -5, "length": 5}],
    {"inline_keyboard": [[{"text": [], "callback_data": []}, {"text": "a", "copy_text": 5}]]},
    {"inline_keyboard": [[5]]}, {"inline_keyboard": 5}, {"force_reply": True, "selective": True},
    {"message_id": []}, {"message_id": 1e400, "chat_id": {}}, {"type": "chat", "chat_id": []},
    {"type": "chat_member", "chat_id": ALICE, "user_id": "x"}, "<tg-time unix='x'>a</tg-time>",
    "<a href='&#x110000;'>a</a>", "😀" * 3, "@pomnenka_bot /x",
)  # fmt: skip
NAMES = (
    "chat_id", "text", "parse_mode", "entities", "reply_markup", "reply_parameters", "message_id",
    "message_ids", "message_thread_id", "callback_query_id", "action", "commands", "scope", "name",
    "language_code", "document", "caption", "caption_entities", "file_id", "user_id", "reaction",
    "from_chat_id", "draft_id", "menu_button", "description", "limit", "allowed_updates",
)  # fmt: skip
ENDLESS = {"getupdates", "setwebhook", "deletewebhook", "logout"}


@pytest.mark.parametrize("method", sorted(set(calls.METHODS) - ENDLESS))
async def test_strange_parameters(telegram, method):
    """HTTP: every parameter of every method may be nonsense."""
    topic = await telegram.say("hi 😀", chat=GROUP)
    sent = await telegram.send(GROUP, "😀")
    plain = {
        "chat_id": GROUP,
        "text": "😀 @alice x",
        "message_id": sent["message_id"],
        "from_chat_id": GROUP,
        "user_id": ALICE,
        "draft_id": 1,
        "action": "typing",
        "message_thread_id": topic,
    }
    for name in NAMES:
        for value in STRANGE:
            given = Params({**plain, name: value})
            answer = await calls.answer(telegram.emulator, method, given)
            assert answer.status in {200, 400, 403}
    assert (await telegram.state())["bot"]
    assert telegram.pending() is not None
