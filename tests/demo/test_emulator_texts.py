"""Sections "Text", "HTML" and "Keyboards" of the Bot API."""

import json

import pytest

from demo import entities


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        pytest.param("", "message text is empty", id="absent"),
        pytest.param(" \n\t", "text must be non-empty", id="blank"),
        pytest.param("x" * 4097, "message is too long", id="4097"),
        pytest.param("ř" * 16_385, "text is too long", id="32770-bytes"),
        pytest.param("ř" * 16_384, "message is too long", id="32768-bytes"),
    ],
)
async def test_text_limits(telegram, text, answer):
    """Text: empty, blank, over 32768 raw bytes, over 4096 characters."""
    assert (
        await telegram.refused("sendMessage", chat_id=111, text=text)
        == f"400 Bad Request: {answer}"
    )


@pytest.mark.parametrize("text", ["x" * 4096, "<b>" + "x" * 4096 + "</b>", "😀" * 4096])
async def test_longest_text(telegram, text):
    """Text: 4096 characters after parsing are accepted."""
    assert len((await telegram.send(text=text, parse_mode="HTML"))["text"]) == 4096


async def test_caption_limit(telegram):
    """Text: captions end at 1024 characters."""
    document = {"chat_id": 111, "document": "x", "caption": "x" * 1025}
    refusal = await telegram.refused("sendDocument", **document)
    assert refusal == "400 Bad Request: message caption is too long"


async def test_absent_text_and_foreign_parse_mode(telegram):
    """Text: no text at all; HTML: any other parse_mode is unsupported."""
    assert "message text is empty" in await telegram.refused("sendMessage", chat_id=111)
    refusal = await telegram.refused("sendMessage", chat_id=111, text="*x*", parse_mode="Markdown")
    assert refusal == "400 Bad Request: unsupported parse_mode"


def short(found):
    """Entities as "type@offset+length" with their extras."""
    base = {"type", "offset", "length"}
    return [
        " ".join(
            [f"{e['type']}@{e['offset']}+{e['length']}"]
            + [f"{k}={e[k]}" for k in sorted(set(e) - base)]
        )
        for e in found
    ]


@pytest.mark.parametrize(
    ("html", "text", "expected"),
    [
        ("<b>a</b>", "a", ["bold@0+1"]),
        ("<strong>a</strong>", "a", ["bold@0+1"]),
        ("<i>a</i><em>b</em>", "ab", ["italic@0+1", "italic@1+1"]),
        (
            "<s>a</s><strike>b</strike><del>c</del>",
            "abc",
            [f"strikethrough@{n}+1" for n in range(3)],
        ),
        ("<u>a</u><ins>b</ins>", "ab", ["underline@0+1", "underline@1+1"]),
        ("<tg-spoiler>a</tg-spoiler>", "a", ["spoiler@0+1"]),
        ('<span class="tg-spoiler">a</span>', "a", ["spoiler@0+1"]),
        ('<tg-emoji emoji-id="5">👍</tg-emoji>', "👍", ["custom_emoji@0+2 custom_emoji_id=5"]),
        ("<pre>a</pre>", "a", ["pre@0+1"]),
        ('<pre><code class="language-py">a</code></pre>', "a", ["pre@0+1 language=py"]),
        ("<code>a</code>", "a", ["code@0+1"]),
        ("<blockquote>a</blockquote>", "a", ["blockquote@0+1"]),
        ("<blockquote expandable>a</blockquote>", "a", ["expandable_blockquote@0+1"]),
        (
            '<a href="https://x.org/?a=1&amp;b=2">a</a>',
            "a",
            ["text_link@0+1 url=https://x.org/?a=1&b=2"],
        ),
        ("<b>a<i>b</i></b>", "ab", ["bold@0+2", "italic@1+1"]),
        ("<b></b>x", "x", []),
        ("<B>a</b>", "a", ["bold@0+1"]),
        ("<b>a</>", "a", ["bold@0+1"]),
        ("&lt;&gt;&amp;&quot;&#33;&#x21;", '<>&"!!', []),
        ("&nbsp; & x", "&nbsp; & x", []),
        ("😀<b>ř</b>", "😀ř", ["bold@2+1"]),
    ],
)
def test_html(html, text, expected):
    """HTML: every tag and character, offsets in UTF-16 units."""
    got, found = entities.from_html(html)
    assert (got, short(found)) == (text, expected)


@pytest.mark.parametrize(
    ("html", "answer"),
    [
        ("ř<x>a", 'Unsupported start tag "x" at byte offset 2'),
        ("<b>a", 'Can\'t find end tag corresponding to start tag "b"'),
        ("<b>a</i>", 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'),
        ("a</b>", "Unexpected end tag at byte offset 1"),
        ("a <", "Unclosed start tag at byte offset 2"),
        ("<a href", 'Unclosed start tag "a" at byte offset 0'),
        ("<span>a</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
        ("a < b", 'Unsupported start tag "" at byte offset 2'),
    ],
)
async def test_broken_html(telegram, html, answer):
    """HTML: the exact texts of "can't parse entities"."""
    refusal = await telegram.refused("sendMessage", chat_id=111, text=html, parse_mode="HTML")
    assert refusal == f"400 Bad Request: can't parse entities: {answer}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/keep x", ["bot_command@0+5"]),
        ("/keep@pomnenka_bot x", ["bot_command@0+18"]),
        ("😀 @alice", ["mention@3+6"]),
        ("see https://x.org/a, #tag", ["url@4+15", "hashtag@21+4"]),
        ("a@b.cz", ["email@0+6"]),
        ("and/or a@ 5", []),
        ("path /usr/bin", []),
    ],
)
def test_found_entities(text, expected):
    """Text: commands, mentions, links, addresses and hashtags are marked by Telegram itself."""
    assert short(entities.found(text)) == expected


def test_trimming_moves_entities():
    """Text: blanks around it go, entities move and are cut with it."""
    text, found = entities.trimmed("\n a b ", [{"type": "bold", "offset": 2, "length": 4}])
    assert (text, short(found)) == ("a b", ["bold@0+3"])


def keyboard(*rows, text="t"):
    """Inline keyboard from rows of callback data."""
    return {"inline_keyboard": [[{"text": text, "callback_data": x} for x in row] for row in rows]}


async def test_keyboard_comes_back(telegram):
    """Keyboards: inline ones stand in results, with style; buttons without text are dropped."""
    row = [
        {"text": "a", "callback_data": "1", "style": "danger"},
        {"text": "", "callback_data": "2"},
    ]
    message = await telegram.send(reply_markup={"inline_keyboard": [row]})
    assert message["reply_markup"] == {"inline_keyboard": [row[:1]]}


@pytest.mark.parametrize(
    ("markup", "answer"),
    [
        (keyboard([""]), "BUTTON_DATA_INVALID"),
        (keyboard(["ř" * 33]), "BUTTON_DATA_INVALID"),
        (
            {"inline_keyboard": [[{"text": "a"}]]},
            "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
        ),
        (keyboard(*[["x"] * 10] * 11), "reply markup is too long"),
        (keyboard(*[["x" * 64] * 8] * 12, text="t" * 40), "reply markup is too long"),
        ("[", "can't parse reply keyboard markup JSON object"),
        ([1], "object expected as reply markup"),
    ],
    ids=["0-bytes", "66-bytes", "no-action", "110-buttons", "10-kB", "broken", "no-object"],
)
async def test_refused_keyboards(telegram, markup, answer):
    """Keyboards: data of 1-64 bytes, an action, at most 100 buttons and 10 kB."""
    refusal = await telegram.refused("sendMessage", chat_id=111, text="x", reply_markup=markup)
    assert refusal == f"400 Bad Request: {answer}"


async def test_long_rows_are_cut(telegram):
    """Keyboards: more than 12 in a row are silently cut."""
    message = await telegram.send(reply_markup=keyboard(["x"] * 20, ["ř" * 32]))
    assert [len(row) for row in message["reply_markup"]["inline_keyboard"]] == [12, 1]


async def test_force_reply_is_not_echoed_but_seen_by_people(telegram):
    """Keyboards: force_reply never comes back to the bot; the page knows whom it asks."""
    markup = {"force_reply": True, "selective": True, "input_field_placeholder": "3 7"}
    mine = await telegram.say("/keep@pomnenka_bot", person=222, chat=-1001)
    reply = {"message_id": mine}
    message = await telegram.send(-1001, "which?", reply_markup=markup, reply_parameters=reply)
    assert "reply_markup" not in message
    seen = (await telegram.state())["messages"]["-1001"][-1]
    assert (seen["reply_markup"], seen["asks"]) == (markup, [222])


async def test_edits_take_inline_keyboards_only(telegram):
    """Keyboards: an edit with force_reply is refused."""
    message = await telegram.send()
    params = {"chat_id": 111, "message_id": message["message_id"], "text": "y"}
    refusal = await telegram.refused(
        "editMessageText", **params, reply_markup={"force_reply": True}
    )
    assert refusal == "400 Bad Request: inline keyboard expected"


async def test_markup_as_text(telegram):
    """HTTP: reply_markup may be JSON text."""
    message = await telegram.send(reply_markup=json.dumps(keyboard(["x"])))
    assert message["reply_markup"] == keyboard(["x"])
