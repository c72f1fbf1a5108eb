"""An update as a value: its id, its chat, and a row without secrets."""

import json

import pytest

from bot.feed import Feed, FeedError, arrival, row, sender


def test_rows_hold_no_secret():
    """W6: the text is blanked wherever it stands before a row exists; the rest is untouched."""
    message = {"text": "PIN 7391", "chat": {"id": -5}}
    message["reply_to_message"] = {"caption": "PIN 7391", "chat": {"id": 1}}
    found = row(arrival({"update_id": 3, "message": message}), lambda t: t.replace("7391", "████"))
    assert (found.update_id, found.queue) == (3, -5)
    assert b"7391" not in found.body
    stored = json.loads(found.body)["message"]
    assert stored["text"] == stored["reply_to_message"]["caption"] == "PIN ████"


def test_every_string_a_person_wrote_is_blanked():
    """W6: polls, contacts, places, links, signatures and names hold no secret at rest either."""
    message = {
        "chat": {"id": 1, "type": "private", "title": "PIN 7391", "first_name": "PIN 7391"},
        "forward_origin": {"type": "hidden_user", "sender_user_name": "PIN 7391"},
        "author_signature": "PIN 7391",
        "entities": [{"type": "text_link", "url": "https://PIN 7391"}],
        "contact": {"phone_number": "1", "first_name": "A", "vcard": "NOTE:PIN 7391"},
        "venue": {"title": "PIN 7391", "address": "PIN 7391"},
        "poll": {"question": "PIN 7391", "options": [{"text": "PIN 7391"}]},
        "checklist": {"title": "PIN 7391", "tasks": [{"text": "PIN 7391"}]},
        "external_reply": {"giveaway": {"prize_description": "PIN 7391"}},
        "quote": {"text": "PIN 7391"},
        "document": {"file_name": "PIN 7391", "file_id": "7391"},
        "somewhere": ["PIN 7391", [{"new": "PIN 7391"}]],
    }
    found = row(arrival({"update_id": 3, "message": message}), lambda t: t.replace("7391", "████"))
    stored = json.loads(found.body)["message"]
    assert stored["document"].pop("file_id") == "7391"
    assert "7391" not in json.dumps(stored)
    assert stored["chat"]["type"] == "private"


def test_a_name_of_letters_costs_nothing():
    """B17: a name that is one word of letters is not looked through, any other one is."""
    asked = []
    names = {"first_name": "Řehoř", "last_name": "我头疼", "username": "pin_7391", "title": "Aa"}
    update = {"update_id": 3, "message": {"from": {"id": 1, **names}}}
    row(arrival(update), lambda text: asked.append(text) or text)
    assert asked == ["我头疼", "pin_7391", "Aa"]


def test_no_more_than_a_message_is_looked_at():
    """B17: a text beyond Telegram's limit is cut before it costs anything, and stays too long."""
    asked = []
    update = {"update_id": 3, "message": {"text": "x" * 1_000_000}}
    found = row(arrival(update), lambda text: asked.append(len(text)) or text)
    assert asked == [4097] and len(json.loads(found.body)["message"]["text"]) == 4097


@pytest.mark.parametrize("number", ["12", -1, 0, None, True, 1.5, 2**63, 10**400], ids=str)
def test_ids_that_are_none(number):
    """R2, B12: what has no positive whole number that a column holds is no update."""
    assert arrival({"update_id": number, "message": {}}) is None


@pytest.mark.parametrize("value", [[], "x", None, 3, {}], ids=repr)
def test_what_is_no_update_at_all(value):
    """B12: anything but an object with an id is no update."""
    assert arrival(value) is None


@pytest.mark.parametrize(
    ("content", "queue"),
    [
        ({"message": {"chat": {"id": -5}}}, -5),
        ({"callback_query": {"from": {"id": 4}, "message": {"chat": {"id": 9}}}}, 9),
        ({"callback_query": {"from": {"id": 4}}}, 4),
        ({"callback_query": {"from": {"id": 4}, "message": None}}, 4),
        ({"poll": {"id": "1"}}, 0),
        ({"message": {"chat": {"id": "7"}}}, 0),
        ({"message": {"chat": [1], "from": 5}}, 0),
        ({"message": {"chat": {"id": 1e999}}}, 0),
        ({"message": "x"}, 0),
        ({}, 0),
    ],
    ids=str,
)
def test_the_queue_is_the_chat(content, queue):
    """W4, B12: order is kept per chat; nonsense in its place shares a queue and harms nothing."""
    assert arrival({"update_id": 1, **content}).queue == queue


def test_who_sent_it():
    """B23: who is told that something was not taken, and in which language Telegram shows."""
    person = {"id": 4, "language_code": "cs"}
    assert sender(arrival({"update_id": 1, "message": {"from": person}})) == (4, "cs")
    assert sender(arrival({"update_id": 1, "message": {}})) == (0, "")


class Answer:
    """A connection that answers every poll the same."""

    def __init__(self, status, body):
        self.answer = status, body

    async def do_request(self, url, method, read_timeout):
        return self.answer


@pytest.mark.parametrize(
    ("status", "body", "retry_after"),
    [
        (429, b'{"parameters": {"retry_after": 5}}', 5),
        (502, b"<html>Bad Gateway</html>", 0),
        (200, b"<html>Welcome</html>", 0),
        (200, b"[]", 0),
        (200, b'{"ok": true}', 0),
        (200, b'{"result": {}}', 0),
    ],
    ids=["haste", "gateway", "a page", "a list", "no result", "an object"],
)
async def test_answers_that_bring_no_updates(status, body, retry_after):
    """R2: whatever answers in the Bot API's place is an error to wait after, not an end."""
    with pytest.raises(FeedError) as error:
        await Feed(Answer(status, body), "http://x", 1).poll(0)
    assert (error.value.status, error.value.retry_after) == (status, retry_after)
