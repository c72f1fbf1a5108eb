"""Presets: the workspaces of three agents are found as they lie on disk (product.md 2)."""

import pytest

from memory.layout import DEFAULT_NAMES, Layout
from memory.presets import PRESETS, names_of
from memory.spaces import DocumentName, DocumentRef, channel, group, personal

ME = personal(111)
N = DocumentName
WORKSPACES = {
    "nanobot": {
        "AGENTS.md": (N.AGENTS, ""),
        "SOUL.md": (N.SOUL, ""),
        "USER.md": (N.USER, ""),
        "memory/MEMORY.md": (N.MEMORY, ""),
        "keep.md": (N.KEEP, ""),
        "log/memory-clean.log": (N.LOG, ""),
        "HEARTBEAT.md": None,
        "memory/history.jsonl": None,
        "skills/weather/SKILL.md": None,
    },
    "istota": {
        "config/USER.md": (N.USER, ""),
        "config/skills/notes.md": (N.OVERLAY, "notes"),
        "config/rooms/-1001.md": (N.ROOM, "-1001"),
        "memories/2026-11-30.md": (N.DATED, "2026-11-30"),
        "config/TASKS.md": None,
        "exports/report.md": None,
    },
    "xiaopaw": {
        "soul.md": (N.SOUL, ""),
        "user.md": (N.USER, ""),
        "agent.md": (N.AGENTS, ""),
        "memory.md": (N.INDEX, ""),
        "memory_course.md": (N.TOPIC, "course"),
        "memory_tech_decisions.md": (N.TOPIC, "tech_decisions"),
    },
}
"""What lies in the workspace of each agent: the document it is to us, None for a foreign file."""


@pytest.mark.parametrize("preset", WORKSPACES)
def test_an_agents_workspace_is_found(tmp_path, preset):
    """Product.md 2: every file of the agent that is a document of ours has its place, and no
    other document is taken for there."""
    wanted = {}
    for name, what in WORKSPACES[preset].items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x\n")
        if what:
            wanted[DocumentRef(ME, *what)] = path
    layout = Layout(tmp_path / "ws", names_of(preset, {}), {111: tmp_path})
    there = {r: layout.path(r) for r in layout.documents(ME) if layout.path(r).exists()}
    assert there == wanted


def test_own_names_stand_above_a_preset(tmp_path):
    """Product.md 2: `names` overrides the preset and leaves its other names alone."""
    names = names_of("xiaopaw", {N.USER: "people/me.md"})
    layout = Layout(tmp_path, names)
    assert layout.name(DocumentRef(ME, N.USER)) == "people/me.md"
    assert layout.name(DocumentRef(ME, N.SOUL)) == "soul.md"


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_a_whole_layout(tmp_path, preset):
    """B18: no preset gives one name to two documents, and shared spaces keep theirs."""
    layout = Layout(tmp_path, names_of(preset, {}))
    names = [layout.name(DocumentRef(ME, n, "x")).casefold() for n in DEFAULT_NAMES]
    assert len(set(names)) == len(names)
    assert layout.path(DocumentRef(channel(-1), N.CHANNEL)) == tmp_path / "channels/-1/CHANNEL.md"
    assert layout.path(DocumentRef(group("home"), N.GROUP)) == tmp_path / "groups/home/GROUP.md"


def test_istota_with_its_dated_files(tmp_path):
    """Istota's dated files lie beside the bot's folder: a home one above, and `names`, reach
    both."""
    for name in ("istota/config/USER.md", "memories/2026-11-30.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x\n")
    names = names_of("istota", {N.USER: "istota/config/USER.md"})
    layout = Layout(tmp_path / "ws", names, {111: tmp_path})
    assert layout.path(DocumentRef(ME, N.USER)).exists()
    assert layout.slugs(ME, N.DATED) == ("2026-11-30",)
