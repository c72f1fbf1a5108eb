"""The terminal variant of the demo, over the real emulator and a tiny bot (R1)."""

import io
import json
from urllib.request import urlopen

import pytest

from demo import scene, terminal
from tests.demo.scripted_bot import emulator, scripted_bot


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    folder = tmp_path_factory.mktemp("workspace")
    with emulator(folder) as url, scripted_bot(url, folder):
        yield url


def replay(url: str, *lines: str, person: int = 111) -> str:
    output = io.StringIO()
    terminal.run(url, person, io.StringIO("\n".join(lines)), output)
    return output.getvalue()


def test_dialogue(stage):
    """A piped dialogue shows the answers, numbered buttons, edits and written lines (R1)."""
    shown = replay(stage, "keep Honza — peanut allergy", "#1", ":quit")
    assert shown.splitlines() == [
        "(Alice in Pomněnka)",
        "> keep Honza — peanut allergy",
        "Pomněnka: Kept: Honza — peanut allergy",
        "    [#1 Undo] [#2 Alert] [#3 Silent]",
        "+ users/111/keep.md | - Honza — peanut allergy",
        "> #1",
        "Pomněnka (edited): Taken back",
        "    [#1 Again]",
        "(Undone)",
        "- users/111/keep.md | - Honza — peanut allergy",
    ]


def test_alert_and_wrong_number(stage):
    """An alert is marked, and a button that is not there is said, not sent (D4)."""
    shown = replay(stage, "keep one", "#2", "#9")
    assert "(! Only Petr can decide this.)" in shown
    assert "(there is no button #9 here)" in shown


def test_asked_reply(stage):
    """What follows a question of the bot is sent as a reply to it (K3)."""
    replay(stage, "/ask", "a fact")
    messages = state(stage)["messages"]["111"]
    said = [each for each in messages if each.get("text") == "a fact"]
    assert said[-1]["reply_to_message"]["text"] == "What should I remember?"


def test_people_and_group(stage):
    """Others may speak in the group, and the bot hears only what is meant for it (G2)."""
    shown = replay(stage, ":chat group", "keep alone", "/keep@pomnenka_bot shed key — Hana")
    assert "Kept: alone" not in shown
    assert "Kept: shed key — Hana" in shown
    assert "(Petr in Pomněnka)" in replay(stage, ":as petr")
    assert "(there are Alice, Petr, Hana)" in replay(stage, ":as nobody")


def test_deep_link(stage):
    """Pressing a deep link goes to the private chat and starts there with its payload (K2)."""
    assert "Heard 🌼: 10 /start abc" in replay(stage, "link", "#1")


def test_files(stage):
    """`:files` lists the files, and shows those that are named (R1)."""
    shown = replay(stage, "keep shown line", ":files", ":files 222/keep", person=222)
    assert "users/222/keep.md (1)" in shown
    assert "    - shown line" in shown


def test_refusal_is_shown(stage):
    """What the server refuses is one sentence in place, not a trace (R1)."""
    shown = replay(stage, "x" * 40_000)
    assert shown.splitlines()[-1].startswith("(") and "long" in shown.splitlines()[-1]


CHANGES = [
    pytest.param("", "- a\n", ["+ f | - a"], id="first line"),
    pytest.param("- a\n", "- a\n- b\n", ["+ f | - b"], id="appended"),
    pytest.param("- a\n- b\n", "- b\n", ["- f | - a"], id="removed"),
    pytest.param("- a\n", "- c\n", ["- f | - a", "+ f | - c"], id="replaced"),
    pytest.param("- a\n", "- a\n", [], id="same"),
]


@pytest.mark.parametrize(("before", "after", "lines"), CHANGES)
def test_change(before, after, lines):
    """A written line is shown with +, a line taken out with - (R1)."""
    assert scene.show_change("f", before, after) == lines


LINKS = [
    pytest.param("https://t.me/pomnenka_bot?start=abc", "abc", id="payload"),
    pytest.param("https://t.me/pomnenka_bot", "", id="no payload"),
    pytest.param("https://t.me/other_bot?start=abc", None, id="another bot"),
    pytest.param("https://example.org/pomnenka_bot?start=abc", None, id="another host"),
]


@pytest.mark.parametrize(("url", "payload"), LINKS)
def test_link(url, payload):
    """Only links to this bot are followed (R1)."""
    assert scene.payload_of(url, "pomnenka_bot") == payload


async def test_event_stream():
    """Events are read with their numbers; comments are passed over (R1)."""

    async def lines():
        for line in (b": hi", b"", b"id: 4", b"event: action", b'data: {"chat": 1}', b""):
            yield line + b"\n"

    assert [each async for each in scene.events(lines())] == [(4, "action", {"chat": 1})]


def state(url: str):
    with urlopen(f"{url}people/state") as response:
        return json.load(response)
