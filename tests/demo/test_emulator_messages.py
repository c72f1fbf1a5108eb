"""Sections "Edit/delete", "Callbacks", "Replies/topics" and the message methods."""

import pytest

ALICE, PETR, GROUP = 111, 222, -1001
NOT_MODIFIED = (
    "400 Bad Request: message is not modified: specified new message content and reply markup are"
    " exactly the same as a current content and reply markup of the message"
)
TOO_OLD = "400 Bad Request: query is too old and response timeout expired or query ID is invalid"
BUTTON = {"inline_keyboard": [[{"text": "a", "callback_data": "b"}]]}


async def test_edit_sets_date_and_removes_keyboard(telegram):
    """Edit: edit_date is set, and an edit without reply_markup removes the keyboard."""
    sent = await telegram.send(reply_markup=BUTTON)
    where = {"chat_id": ALICE, "message_id": sent["message_id"]}
    edited = await telegram.ok("editMessageText", **where, text="new")
    assert edited["text"] == "new"
    assert "edit_date" in edited
    assert "reply_markup" not in edited


@pytest.mark.parametrize(
    ("change", "accepted"),
    [
        ({"text": "<b>x</b>", "parse_mode": "HTML", "reply_markup": BUTTON}, False),
        ({"text": "x", "reply_markup": BUTTON}, True),
        ({"text": "<b>x</b>", "parse_mode": "HTML"}, True),
        ({"text": "<b>y</b>", "parse_mode": "HTML", "reply_markup": BUTTON}, True),
    ],
    ids=["same", "entities", "markup", "text"],
)
async def test_not_modified_compares_text_entities_and_markup(telegram, change, accepted):
    """Edit: "message is not modified" compares text, entities and markup."""
    sent = await telegram.send(text="<b>x</b>", parse_mode="HTML", reply_markup=BUTTON)
    where = {"chat_id": ALICE, "message_id": sent["message_id"]}
    answer = await telegram.call("editMessageText", **where, **change)
    assert answer["ok"] == accepted
    if not accepted:
        assert f"400 {answer['description']}" == NOT_MODIFIED


async def test_edit_of_the_markup_alone(telegram):
    """Edit: editMessageReplyMarkup changes only the keyboard, and not twice."""
    sent = await telegram.send()
    where = {"chat_id": ALICE, "message_id": sent["message_id"]}
    edited = await telegram.ok("editMessageReplyMarkup", **where, reply_markup=BUTTON)
    assert (edited["text"], edited["reply_markup"]) == ("hello", BUTTON)
    refusal = await telegram.refused("editMessageReplyMarkup", **where, reply_markup=BUTTON)
    assert refusal == NOT_MODIFIED


@pytest.mark.parametrize(
    ("method", "answer"),
    [
        ("editMessageText", "message to edit not found"),
        ("deleteMessage", "message to delete not found"),
        ("pinChatMessage", "message to pin not found"),
        ("setMessageReaction", "message to react not found"),
    ],
)
async def test_unknown_messages(telegram, method, answer):
    """Edit/delete: a message that is not there."""
    refusal = await telegram.refused(method, chat_id=ALICE, message_id=99, text="x")
    assert refusal == f"400 Bad Request: {answer}"


async def test_only_own_messages_can_be_edited(telegram):
    """Edit: "message can't be edited" when it is not ours."""
    mine = await telegram.say("hi")
    refusal = await telegram.refused("editMessageText", chat_id=ALICE, message_id=mine, text="x")
    assert refusal == "400 Bad Request: message can't be edited"


@pytest.mark.parametrize(
    ("hours", "answer"),
    [(47, None), (49, "400 Bad Request: message can't be deleted for everyone")],
)
async def test_deletion_within_48_hours(telegram, hours, answer):
    """Delete: not for everyone after 48 h."""
    where = {"chat_id": ALICE, "message_id": (await telegram.send())["message_id"]}
    await telegram.people("clock", advance=hours * 3600)
    if answer:
        assert await telegram.refused("deleteMessage", **where) == answer
    else:
        assert await telegram.ok("deleteMessage", **where) is True
        assert "to edit not found" in await telegram.refused("editMessageText", **where, text="x")


async def test_deletion_in_a_group_needs_rights(telegram):
    """Delete: others' messages in a group only as an administrator."""
    mine = await telegram.say("hi", chat=GROUP)
    where = {"chat_id": GROUP, "message_id": mine}
    assert "message can't be deleted" in await telegram.refused("deleteMessage", **where)
    await telegram.people("people/promote", person=ALICE, chat=GROUP, status="administrator")
    assert await telegram.ok("deleteMessage", **where)


async def test_deletion_of_several(telegram):
    """Delete: deleteMessages passes over those that are not there."""
    first, second = [(await telegram.send())["message_id"] for _ in range(2)]
    assert await telegram.ok("deleteMessages", chat_id=ALICE, message_ids=[first, 99, second])
    seen = (await telegram.state())["messages"]["111"]
    assert [m["deleted"] for m in seen] == [True, True]


async def test_a_tap_reaches_the_bot(telegram):
    """Callbacks: id, from, chat_instance, data and the whole message."""
    sent = await telegram.send(reply_markup=BUTTON)
    number = await telegram.tap(sent["message_id"], "b")
    query = telegram.pending()[-1]["callback_query"]
    assert (query["id"], query["data"], query["from"]["id"]) == (number, "b", ALICE)
    assert (query["message"], bool(query["chat_instance"])) == (sent, True)


async def test_data_can_be_forged_or_stale(telegram):
    """Callbacks: any data may come, also from a message that is gone (inaccessible, date 0)."""
    sent = await telegram.send(reply_markup=BUTTON)
    await telegram.ok("deleteMessage", chat_id=ALICE, message_id=sent["message_id"])
    await telegram.tap(sent["message_id"], "forged")
    query = telegram.pending()[-1]["callback_query"]
    assert query["data"] == "forged"
    expected = {"chat": sent["chat"], "message_id": sent["message_id"], "date": 0}
    assert query["message"] == expected


@pytest.mark.parametrize(
    ("seconds", "params", "answer"),
    [
        (0, {"text": "x" * 200}, None),
        (14, {}, None),
        (16, {}, TOO_OLD),
        (0, {"callback_query_id": "42"}, TOO_OLD),
        (0, {"text": "x" * 201}, "400 Bad Request: MESSAGE_TOO_LONG"),
    ],
    ids=["200", "in-time", "late", "unknown", "201"],
)
async def test_answers(telegram, seconds, params, answer):
    """Callbacks: about 15 s to answer, at most 200 characters."""
    number = await telegram.tap((await telegram.send())["message_id"])
    await telegram.people("clock", advance=seconds)
    reply = await telegram.call("answerCallbackQuery", **{"callback_query_id": number, **params})
    assert reply["ok"] if answer is None else f"400 {reply['description']}" == answer


async def test_reply_to_a_missing_message(telegram):
    """Replies: refused unless allow_sending_without_reply."""
    where = {"chat_id": ALICE, "text": "x"}
    refusal = await telegram.refused("sendMessage", **where, reply_parameters={"message_id": 99})
    assert refusal == "400 Bad Request: message to be replied not found"
    allowed = {"message_id": 99, "allow_sending_without_reply": True}
    assert "reply_to_message" not in await telegram.send(reply_parameters=allowed)


async def test_replies_are_not_nested(telegram):
    """Replies: the answered message stands inside, without its own reply."""
    first = await telegram.say("one")
    second = await telegram.send(reply_parameters={"message_id": first})
    third = await telegram.send(reply_parameters={"message_id": second["message_id"]})
    assert second["reply_to_message"]["text"] == "one"
    assert "reply_to_message" not in third["reply_to_message"]


@pytest.mark.parametrize("thread", [1, 77], ids=["general", "unknown"])
async def test_unknown_topics(telegram, thread):
    """Topics: an unknown one and the explicit General are "message thread not found"."""
    forum = await telegram.forum()
    where = {"chat_id": forum, "text": "x", "message_thread_id": thread}
    refusal = await telegram.refused("sendMessage", **where)
    assert refusal == "400 Bad Request: message thread not found"


async def test_topics(telegram):
    """Topics: messages carry the thread, General ones do not, a closed one refuses."""
    forum = await telegram.forum()
    topic = await telegram.ok("createForumTopic", chat_id=forum, name="Plans")
    thread = {"message_thread_id": topic["message_thread_id"]}
    inside = await telegram.send(forum, **thread)
    assert (inside["message_thread_id"], inside["is_topic_message"]) == (*thread.values(), True)
    assert "message_thread_id" not in await telegram.send(forum)
    await telegram.ok("closeForumTopic", chat_id=forum, **thread)
    await telegram.people("people/promote", person=ALICE, chat=forum, status="member")
    refusal = await telegram.refused("sendMessage", chat_id=forum, text="x", **thread)
    assert refusal == "400 Bad Request: TOPIC_CLOSED"


async def test_replies_stay_in_their_topic(telegram):
    """Topics: what a person says in a topic carries it, and so does a reply to it."""
    forum = await telegram.forum()
    topic = (await telegram.people("people/topic", person=ALICE, chat=forum, name="T"))["topic"]
    said = await telegram.say("in", chat=forum, topic=topic)
    message = telegram.pending()[-1]["message"]
    assert (message["message_thread_id"], message["is_topic_message"]) == (topic, True)
    answer = await telegram.send(forum, reply_parameters={"message_id": said})
    assert answer["message_thread_id"] == topic


async def test_threads_outside_forums(telegram):
    """Topics: elsewhere a thread id is ignored; supergroup reply chains carry one untopical."""
    assert "message_thread_id" not in await telegram.send(ALICE, message_thread_id=5)
    chat = (await telegram.people("people/migrate", chat=GROUP))["chat"]
    sent = await telegram.send(chat)
    await telegram.say("re", chat=chat, reply_to=sent["message_id"])
    message = telegram.pending()[-1]["message"]
    assert message["message_thread_id"] == sent["message_id"]
    assert "is_topic_message" not in message


async def test_forward_and_copy(telegram):
    """Methods: a forward names its origin, a copy does not, and both keep text and entities."""
    mine = await telegram.say("/keep https://x.org")
    source = {"chat_id": PETR, "from_chat_id": ALICE, "message_id": mine}
    forward = await telegram.ok("forwardMessage", **source)
    assert forward["forward_origin"]["sender_user"]["id"] == ALICE
    copy = await telegram.ok("copyMessage", **source, reply_markup=BUTTON)
    seen = (await telegram.state())["messages"]["222"][-1]
    assert seen["message_id"] == copy["message_id"]
    assert (seen["entities"], "forward_origin" in seen) == (forward["entities"], False)


@pytest.mark.parametrize(
    ("method", "answer"),
    [
        ("forwardMessage", "message to forward not found"),
        ("copyMessage", "message to copy not found"),
    ],
)
async def test_forward_of_nothing(telegram, method, answer):
    """Methods: a message to forward or copy must be there."""
    source = {"chat_id": PETR, "from_chat_id": ALICE, "message_id": 9}
    assert await telegram.refused(method, **source) == f"400 Bad Request: {answer}"


@pytest.mark.parametrize(
    ("method", "params", "answer"),
    [
        ("sendChatAction", {"action": "typing"}, None),
        ("sendChatAction", {"action": "dancing"}, "wrong parameter action in request"),
        ("sendMessageDraft", {"draft_id": 1, "text": "half"}, None),
        ("sendMessageDraft", {"draft_id": 0, "text": "half"}, "draft_id must be non-zero"),
        ("setMessageReaction", {"reaction": [{"type": "emoji", "emoji": "👍"}]}, None),
        (
            "setMessageReaction",
            {"reaction": [{"type": "emoji", "emoji": "ok"}]},
            "REACTION_INVALID",
        ),
        ("pinChatMessage", {}, None),
        ("unpinChatMessage", {}, "message to unpin not found"),
    ],
)
async def test_smaller_methods(telegram, method, params, answer):
    """Methods: chat actions, drafts, reactions and pins, and what they refuse."""
    message = (await telegram.send())["message_id"]
    reply = await telegram.call(method, chat_id=ALICE, message_id=message, **params)
    assert reply.get("description") == (answer and f"Bad Request: {answer}")


async def test_drafts_are_private(telegram):
    """Methods: sendMessageDraft only in private chats."""
    draft = {"chat_id": GROUP, "draft_id": 1, "text": "x"}
    assert "only to private chats" in await telegram.refused("sendMessageDraft", **draft)


async def test_pin_in_a_group_needs_rights(telegram):
    """Methods: pinning in a group is for administrators; getChat shows what is pinned."""
    pin = {"chat_id": GROUP, "message_id": (await telegram.send(GROUP))["message_id"]}
    assert "not enough rights" in await telegram.refused("pinChatMessage", **pin)
    await telegram.people("people/promote", person=ALICE, chat=GROUP, status="administrator")
    await telegram.ok("pinChatMessage", **pin)
    pinned = (await telegram.ok("getChat", chat_id=GROUP))["pinned_message"]
    assert pinned["message_id"] == pin["message_id"]
    await telegram.ok("unpinChatMessage", **pin)
    assert "pinned_message" not in await telegram.ok("getChat", chat_id=GROUP)


async def test_documents(telegram):
    """Methods: an upload can be fetched by getFile and sent again by its file_id."""
    from aiohttp import FormData

    form = FormData()
    form.add_field("chat_id", "111")
    form.add_field("caption", "<b>all</b>")
    form.add_field("parse_mode", "HTML")
    form.add_field("document", b"a\r\n--b\r\n", filename="a.txt", content_type="text/plain")
    url = f"{telegram.url}/bot123456:TEST/sendDocument"
    async with telegram.http.post(url, data=form) as got:
        message = (await got.json())["result"]
    assert (message["caption"], message["document"]["file_name"]) == ("all", "a.txt")
    file = await telegram.ok("getFile", file_id=message["document"]["file_id"])
    path = f"{telegram.url}/file/bot123456:TEST/{file['file_path']}"
    async with telegram.http.get(path) as got:
        assert await got.read() == b"a\r\n--b\r\n"
    again = await telegram.ok("sendDocument", chat_id=222, document=file["file_id"])
    assert again["document"] == message["document"]
    where = {"chat_id": 111, "message_id": message["message_id"]}
    edited = await telegram.ok("editMessageCaption", **where, caption="less")
    assert edited["caption"] == "less"


@pytest.mark.parametrize(
    ("document", "answer"),
    [
        ("", "there is no document in the request"),
        ("nonsense", "wrong file identifier/HTTP URL specified"),
        ("https://x.org/a.pdf", "failed to get HTTP URL content"),
    ],
)
async def test_missing_documents(telegram, document, answer):
    """Methods: a document must be uploaded or known."""
    refusal = await telegram.refused("sendDocument", chat_id=111, document=document)
    assert refusal == f"400 Bad Request: {answer}"
