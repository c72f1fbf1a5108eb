"""Sending: what Telegram refuses is dealt with in one place (D4, W3)."""

import json

import pytest

from tests.handlers.fake_telegram import refuse
from tests.handlers.handlers_stage import Stage
from tests.handlers.scripted_engine import ScriptedEngine


async def test_a_message_that_cannot_be_edited(stage):
    """D4: when the card is gone the outcome comes as a new message."""
    await stage.say("keep one")
    message, data = stage.data("Undo")
    stage.telegram.messages.clear()
    await stage.press_data(data, message=message)
    assert stage.text == "Taken back: one"
    assert stage.newest[1] != message


async def test_not_modified_is_success(stage, caplog):
    """D4: pressing what changes nothing is no error."""
    await stage.say("/settings")
    await stage.press("Language")
    await stage.press("✓ Automatic")
    assert caplog.records == []
    assert stage.text.startswith("Which language")


async def test_an_old_press(stage):
    """D4: a press that Telegram calls too old still does its work."""
    await stage.say("keep one")
    reply = refuse(400, "Bad Request: query is too old and response timeout expired")
    stage.telegram.failing["answerCallbackQuery"] = [reply]
    await stage.press("Undo")
    assert stage.text == "Taken back: one"


async def test_plain_text_when_html_is_refused(stage):
    """A message whose HTML Telegram cannot parse is sent as plain text, and only then."""
    reply = refuse(400, "Bad Request: can't parse entities: unsupported start tag")
    stage.telegram.failing["sendMessage"] = [reply]
    await stage.say("keep x < b & c")
    first, second = stage.telegram.sent("sendMessage")
    assert (first["text"], second["text"]) == ("Kept: x &lt; b &amp; c", "Kept: x < b & c")
    assert "parse_mode" not in second


async def test_blocked(stage):
    """A person who blocked the bot is no error: the entry is kept, nothing can be said."""
    stage.telegram.closed.add(111)
    await stage.say("keep one")
    assert stage.file() == "- one\n"


@pytest.mark.filterwarnings("ignore:.*retry_after")
async def test_told_to_wait(stage):
    """A "retry after" is waited for, once, and the answer arrives."""
    status, body = refuse(429, "Too Many Requests: retry after 1")
    body["parameters"] = {"retry_after": 1}
    stage.telegram.failing["sendMessage"] = [(status, body)]
    await stage.say("keep one")
    assert stage.text == "Kept: one"


@pytest.mark.parametrize(
    "text",
    ["<b>bold", "salt & oil", "</code>", "<script>x</script>", "“x” — \u200d", "&lt;"],
)
async def test_markup_in_an_entry_is_text(stage, text):
    """A message shows an entry as it is, whatever marks it has in it."""
    await stage.say(f"keep {text}")
    assert stage.text == f"Kept: {text}"


async def test_a_read_only_workspace(stage):
    """W3: a refused write is told with a reference, and the text is in the answer."""
    stage.put("- one\n")
    stage.path().chmod(0o400)
    stage.path().unlink()
    stage.path().mkdir()
    await stage.say("keep the plumber is Ana")
    assert "keep.md is not a file" in stage.text
    assert "keep the plumber is Ana" in stage.text


async def test_an_error_never_repeats_a_secret(stage):
    """T1, W3: the text given back after an error has its secrets blanked."""
    stage.path().mkdir(parents=True)
    await stage.say("keep my token is ghp_16C7e42F292c6912E7710c838347Ae178B4a")
    assert "ghp_16C7" not in str(stage.telegram.messages)


class Broken(ScriptedEngine):
    """An engine with a fault, whose message holds what the person wrote."""

    def judge(self, text, hints):
        raise RuntimeError(text)


async def test_what_nobody_expected(tmp_path, languages, caplog):
    """W3, W5: a fault is told with a reference and the text; the log has the place, not the text."""
    stage = await Stage(tmp_path, Broken(), languages).open()
    await stage.say("keep the plumber is Ana")
    assert stage.text.startswith("Something went wrong on my side. (")
    assert "keep the plumber is Ana" in stage.text
    facts = caplog.records[-1].facts
    assert facts["where"].startswith("test_sending.py:")
    assert "plumber" not in str(facts) + caplog.text
    await stage.close()


async def test_a_question_opens_the_reply_field(stage):
    """K3: in the private chat a question asks whoever reads it; "selective" would ask nobody."""
    await stage.say("keep one")
    await stage.press("Edit")
    markup = stage.telegram.sent("sendMessage")[-1]["reply_markup"]
    asked = {"force_reply": True, "input_field_placeholder": "Your answer"}
    assert (json.loads(markup) if isinstance(markup, str) else markup) == asked
