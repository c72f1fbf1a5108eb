"""`pomnenka search`: what it prints, how it ends, and what it never finds (X3, R5)."""

import json
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

from bot.__main__ import main
from memory.factrows import Deed
from memory.factrules import Draft
from memory.operations import Author
from memory.state import State

CONFIG = "[users]\nallow = [111, 222]\n[groups]\nmembers = { family = [111, 222] }\n"


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A folder with a configuration and some memory; gives the workspace."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pomnenka.toml").write_text(CONFIG)
    home = tmp_path / "pomnenka-memory"
    put(home, "users/111/keep.md", "- Honza — alergie na arašídy\n")
    put(home, "users/111/memories/2026-05-02.md", "- viděl Honzu\n")
    put(home, "users/222/keep.md", "- canary Honza\n")
    put(home, "groups/family/GROUP.md", "## Reference\n- plumber: Honza Ruiz\n")
    put(home, "channels/-1001/CHANNEL.md", "- Honza brings the hose\n")
    return home


def put(home, name, text):
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def run(*words):
    result = CliRunner().invoke(main, ["search", *words])
    return result.exit_code, result.output


def found(*words):
    code, output = run(*words, "--json")
    assert code == 0 and output.count("\n") == 1
    return json.loads(output)


def test_one_line_of_json(home):
    """X3, R5: text, source, line and sections of each hit; what others wrote is marked (M3)."""
    answer = found("Honzovi")
    assert answer["status"] == "ok" and answer["total"] == 3
    by_source = {hit["source"]: hit for hit in answer["hits"]}
    assert by_source["keep.md"] == {
        "text": "Honza — alergie na arašídy",
        "source": "keep.md",
        "space": "users/111",
        "line": 1,
        "headings": [],
        "current": True,
    }
    assert by_source["GROUP.md"]["untrusted"] and by_source["GROUP.md"]["headings"] == ["Reference"]
    assert by_source["memories/2026-05-02.md"]["day"] == "2026-05-02"


def test_at_a_terminal(home):
    """X3: the source above the text; what others wrote stands between markers (M3)."""
    assert run("alergie") == (0, "keep.md:1\n  Honza — alergie na arašídy\n")
    _, output = run("plumber")
    first, opening, text, closing = output.splitlines()
    assert first == "groups/family GROUP.md › Reference:2" and text == "plumber: Honza Ruiz"
    assert opening.startswith("<<<UNTRUSTED groups/family ") and closing.startswith("<<<END ")


def test_several_words_and_a_limit(home):
    """X3: words may come as one argument or several; what is over the limit is counted."""
    assert found("Honza arašídy", "--limit", "1") == found("Honza", "arašídy", "--limit", "1")
    assert run("Honza", "--limit", "1")[1].endswith("… and 2 more\n")


def test_since(home):
    """X3: dated files count by their day, and what is no day is a mistake in the call."""
    sources = [hit["source"] for hit in found("Honza", "--since", "2026-05-03")["hits"]]
    assert "memories/2026-05-02.md" not in sources
    assert "memories/2026-05-02.md" in [
        hit["source"] for hit in found("Honza", "--since", "2026-05-02")["hits"]
    ]
    assert run("Honza", "--since", "yesterday")[0] == 2


def test_nothing_found_is_no_error(home):
    """X3: nothing found ends well, and is said."""
    assert run("xylophone") == (0, "Nothing found.\n")
    assert found("xylophone") == {"status": "ok", "hits": [], "total": 0}


def test_what_cannot_be_read(home):
    """X2: a document that cannot be read is named."""
    (home / "users/111/keep.md").write_bytes(b"\xff")
    assert found("alergie")["unread"] == ["keep.md"]
    assert "Could not be read: keep.md" in run("alergie")[1]


def test_facts(home):
    """X2: facts are found with their number; one that is over is not current."""
    folder = home.with_name("pomnenka-memory.state")
    folder.mkdir()
    state = State(folder, synchronous="OFF")
    for number, (what, since) in enumerate((("Acme", "2020"), ("Globex", "2024"))):
        deed = Deed(Author(111), datetime(2026, 5, 4, tzinfo=UTC), f"op{number}")
        state.facts.add(deed, Draft("Petr", "works_at", what, since))
    state.close()
    hits = found("Petr")["hits"]
    assert [(hit["fact"], hit["current"]) for hit in hits] == [(2, True), (1, False)]
    assert "facts (past)\n  Petr works_at Acme (from 2020 until 2024)" in run("Petr")[1]


def test_the_scope_is_the_conversation(home):
    """X2, M2: in a chat its own memory and nothing personal; never another person's."""
    assert [hit["text"] for hit in found("canary", "--user", "222")["hits"]] == ["canary Honza"]
    assert found("canary")["hits"] == []
    there = found("Honza", "--chat", "-1001")["hits"]
    assert [hit["text"] for hit in there] == ["Honza brings the hose"]
