"""Files that look like a document and are none, and the names a pointer can lead to (S2, S5)."""

import os

import pytest

from memory.layout import Layout
from memory.presets import names_of
from memory.spaces import channel, personal
from memory.strays import Stray, present, strays

ME = personal(111)


def lay(tmp_path, *files, space=ME, text="x\n"):
    layout = Layout(tmp_path)
    for file in files:
        path = layout.folder(space) / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return layout


@pytest.mark.parametrize(
    ("file", "like"),
    [
        ("Memory.md", "memory.md"),
        ("MEMORY.md", "memory.md"),
        ("memory/memory.md", "memory/MEMORY.md"),
        ("memory/keep.md", "keep.md"),
        ("KEEP.md", "keep.md"),
        ("keep.MD", "keep.md"),
        ("memory_Foo.md", "memory_….md"),
        ("memory_foo-bar.md", "memory_….md"),
        ("Memory_foo.md", "memory_….md"),
        ("memory/memory_foo.md", "memory_….md"),
        ("archive/memory_Foo.md", "archive/memory_….md"),
        ("projects/My Garden.md", "projects/….md"),
        ("memories/2026-7-3.md", "memories/….md"),
        ("rooms/family.md", "rooms/….md"),
    ],
)
def test_look_alikes(tmp_path, file, like):
    """S5: another case, a wrong folder or a name that is no slug is told, with what it is like."""
    assert strays(lay(tmp_path, file), ME) == (Stray(file, like),)


@pytest.mark.parametrize(
    "file",
    [
        "keep.md",
        "memory.md",
        "memory/MEMORY.md",
        "memory_foo.md",
        "archive/memory_foo.md",
        "projects/keep.md",
        "memories/2026-07-03.md",
        "rooms/-1001.md",
        "HEARTBEAT.md",
        "README.md",
        "memory/history.jsonl",
        "code/keep.md",
        "skills/notes/SKILL.md",
        ".keep.md.op1.tmp",
        "projects/.hidden.md",
        "log/Other.log",
        "config/skills/Notes.md",
    ],
)
def test_documents_and_foreign_files_are_left_alone(tmp_path, file):
    """S5: a document, an agent's own file and a foreign folder are not misplaced."""
    assert strays(lay(tmp_path, file), ME) == ()


def test_other_spaces_and_names(tmp_path):
    """S5: a channel has its own document only; configured names count."""
    chat = channel(-1001)
    assert strays(lay(tmp_path, "Channel.md", "keep.md", space=chat), chat) == (
        Stray("Channel.md", "CHANNEL.md"),
    )
    layout = Layout(tmp_path / "ws", names_of("xiaopaw", {}), {111: tmp_path / "paw"})
    (tmp_path / "paw").mkdir()
    for name in ("user.md", "USER.md", "agent.md"):
        (tmp_path / "paw" / name).write_text("x\n")
    assert strays(layout, ME) == (Stray("USER.md", "user.md"),)


def test_where_a_pointer_can_lead(tmp_path):
    """S2: any file beside the index and any document; an emptied topic is gone."""
    layout = lay(tmp_path, "memory_a.md", "notes.md", "plan.md", "projects/garden.md")
    lay(tmp_path, "memory_gone.md", text="")
    found = present(layout, ME)
    assert {"memory_a.md", "notes.md", "plan.md", "projects/garden.md"} <= found
    assert not {"memory_gone.md", "USER.md", "garden.md"} & found


def test_a_name_that_is_no_text(tmp_path):
    """S5: a file name of bytes that are no UTF-8 is told by their numbers, and harms nothing."""
    layout = lay(tmp_path, "keep.md")
    layout.folder(ME).joinpath(os.fsdecode(b"memory_caf\xe9.md")).write_text("x\n")
    (found,) = strays(layout, ME)
    assert found.file == "memory_caf\\udce9.md"
    assert present(layout, ME)
