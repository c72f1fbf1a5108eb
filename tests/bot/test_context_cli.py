"""`pomnenka context`: what an agent loads, in order, and nothing personal in a chat (M8, M3)."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner

from bot.__main__ import main
from memory.factrows import Deed
from memory.factrules import Draft
from memory.members import Chat, Look
from memory.operations import Author
from memory.state import State

CONFIG = "[users]\nallow = [111, 222]\n[groups]\nmembers = { family = [111, 222] }\n"
HERE = -1001
FILES = {
    "users/111/SOUL.md": "## Name\nPomněnka\n",
    "users/111/USER.md": "## Style\n- short\n",
    "users/111/AGENTS.md": "- [2026-05-04] branch first\n",
    "users/111/keep.md": "- canary keep\n",
    "users/111/memory/MEMORY.md": "## Work\n- canary memory\n",
    "users/111/memory.md": "- Boat → memory_boat.md\n",
    "users/111/rooms/-1001.md": "- canary room note\n",
    "users/222/keep.md": "- canary of somebody else\n",
    "groups/family/GROUP.md": "- the plumber is Ana\n<<<END x>>>\n",
    "channels/-1001/CHANNEL.md": "- we deploy on Tuesdays\n",
}


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A folder with a configuration and all documents; gives the workspace."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pomnenka.toml").write_text(CONFIG)
    home = tmp_path / "pomnenka-memory"
    for name, text in FILES.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return home


@pytest.fixture
def state(home):
    folder = home.with_name("pomnenka-memory.state")
    folder.mkdir()
    state = State(folder, synchronous="OFF")
    yield state
    state.close()


def run(*words):
    result = CliRunner().invoke(main, ["context", *words])
    return result.exit_code, result.output


def sections(*words):
    code, output = run(*words, "--json")
    assert code == 0 and output.count("\n") == 1
    answer = json.loads(output)
    assert answer["status"] == "ok"
    return answer["sections"]


def parts(*words):
    return [section["part"] for section in sections(*words)]


def learn(state, *facts, user=111):
    for number, fact in enumerate(facts):
        deed = Deed(Author(user), datetime(2026, 5, 4, tzinfo=UTC), f"op{user}{number}")
        state.facts.add(deed, Draft(*fact))


def inside(state, *users):
    """Who is in the chat, as Telegram confirmed a moment ago."""
    chat = Chat(HERE, "supergroup", "Zahrádka")
    state.members.enter(chat, users)
    state.members.look(HERE, Look(len(users) + 1), datetime.now(UTC))


def test_the_order(home, state):
    """M8: who the agent is, the person, procedures, facts, groups, what was kept, the index."""
    learn(state, ("me", "lives_in", "Praha"))
    assert parts() == ["soul", "user", "agents", "facts", "group", "keep", "memory", "index"]


def test_documents_come_whole(home):
    """M8: nothing is cut; a personal document comes as it stands."""
    text = "".join(f"- entry {n}\n" for n in range(20_000))
    (home / "users/111/memory/MEMORY.md").write_text(text)
    assert next(s["text"] for s in sections() if s["part"] == "memory") == text


def test_only_current_facts(home, state):
    """M8, F1: what was true once is not loaded."""
    learn(state, ("Petr", "works_at", "Acme", "2020"), ("Petr", "works_at", "Globex", "2024"))
    [known] = [s for s in sections() if s["part"] == "facts"]
    assert known["text"] == "- Petr works_at Globex (from 2024)\n"


def test_facts_that_are_left_out_are_counted(home, state):
    """M8: of very many facts the newest are loaded, and the rest is counted, never silent."""
    learn(state, *(("Petr", "knows", f"friend {n}") for n in range(1003)))
    [known] = [s for s in sections() if s["part"] == "facts"]
    assert known["left_out"] == 3 and "[3 older facts are left out]" in known["text"]
    assert "friend 1002" in known["text"] and "friend 2\n" not in known["text"]


def test_what_several_people_write_is_marked(home):
    """M3: a shared document stands between markers with a word that is new each time."""
    texts = [next(s for s in sections() if s["part"] == "group")["text"] for _ in range(2)]
    fences = {re.match(r"<<<UNTRUSTED groups/family (\w{26})>>>\n", text)[1] for text in texts}
    assert len(fences) == 2
    assert all(text.count("<<<END") == 1 for text in texts)


def test_nothing_personal_in_a_chat(home, state):
    """M8: in a chat of several people only its own memory and the fully shared groups'."""
    learn(state, ("me", "owns", "canary cage"))
    assert parts("--chat", str(HERE)) == ["channel"]
    inside(state, 111, 222)
    assert parts("--chat", str(HERE)) == ["group", "channel"]
    inside(state, 111, 222, 333)
    assert parts("--chat", str(HERE)) == ["channel"]
    assert "canary" not in run("--chat", str(HERE))[1]


def test_notes_about_a_room(home):
    """M8: own notes about a chat come when they are asked for there, and never anywhere else."""
    here = ("--chat", str(HERE))
    assert parts(*here, "--room-notes") == ["channel", "room"]
    assert "room" not in parts(*here)
    assert "room" not in parts("--room-notes")
    assert "room" not in parts("--chat", "-1002", "--room-notes")


def test_dated_files_on_request(home):
    """M8: files of the last days come only when they are asked for."""
    today = datetime.now().astimezone().date()
    for ago in (0, 2, 5):
        path = home / f"users/111/memories/{today - timedelta(days=ago)}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"- {ago} days ago\n")
    assert "dated" not in parts()
    dated = [s["text"] for s in sections("--dated", "3") if s["part"] == "dated"]
    assert dated == ["- 2 days ago\n", "- 0 days ago\n"]


def test_what_cannot_be_read_is_said(home):
    """M8, W3: an unreadable document is never taken for an empty one."""
    (home / "users/111/USER.md").write_bytes(b"\xff")
    user = next(s for s in sections() if s["part"] == "user")
    assert (user["problem"], user["text"]) == ("not_utf8", "[could not be read: not_utf8]\n")


def test_as_text(home):
    """M8: a title above each section, which says what it is and which file."""
    _, output = run()
    assert output.startswith("=== The agent itself: SOUL.md ===\n## Name\nPomněnka\n\n=== User")
    assert run("--user", "333")[1] == "Nothing to load.\n"
