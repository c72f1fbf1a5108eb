"""`pomnenka check`: what it finds in the spaces, how it says it, and how it ends (R2, S2, M5, M6)."""

import json
import os
import time
from contextlib import closing

import pytest
from click.testing import CliRunner

from bot import config
from bot.__main__ import main
from bot.cli.check import _SENTENCES
from bot.core import open_core
from bot.inspection import Code, Level, Limits, weighed
from memory.document import Document
from memory.edits import append_entry
from memory.spaces import DocumentName, DocumentRef, personal
from memory.store import Author, Item

NAMES = DocumentName


@pytest.fixture
def space(tmp_path, monkeypatch):
    """A folder with a configuration; gives the space of person 111."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("POMNENKA_TOKEN", "1:x")
    (tmp_path / "pomnenka.toml").write_text("[users]\nallow = [111]\n")
    folder = tmp_path / "pomnenka-memory/users/111"
    folder.mkdir(parents=True)
    return folder


def run(*words):
    result = CliRunner().invoke(main, ["check", *words])
    return result.exit_code, result.output


def found(*words):
    """Exit code, and (level, code, file) of each finding."""
    code, output = run("--json", *words)
    values = json.loads(output)
    names = [(f["level"], f["code"], f["where"].rpartition("/")[2]) for f in values["findings"]]
    return code, values["status"], names


def test_every_finding_has_its_sentence():
    """R2: nothing that can be found goes without words."""
    assert set(_SENTENCES) == set(Code)


def test_orphans_and_dead_pointers(space):
    """S2: both are hints, name their file and the way out, and do not change the exit code."""
    (space / "memory.md").write_text("- Boat → memory_boat.md\n- C → memory_Course.md\n")
    (space / "memory_course.md").write_text("# Course\n")
    (space / "memory_house.md").write_text("# House\n")
    assert run() == (
        0,
        f"hint: {space}/memory.md: a pointer leads to memory_boat.md, which is not there; "
        "/tidy removes it\n"
        f"hint: {space}/memory.md: a pointer says memory_Course.md, the file is "
        "memory_course.md; /tidy corrects it\n"
        f"hint: {space}/memory.md: no pointer leads to memory_house.md; /tidy adds one\n"
        "ok\n",
    )


def test_old_topics(space):
    """S5: a topic whose file is older than 180 days is a hint."""
    (space / "memory.md").write_text("- Boat → memory_boat.md\n")
    (space / "memory_boat.md").write_text("# Boat\n")
    at = time.time() - 181 * 86400
    os.utime(space / "memory_boat.md", (at, at))
    assert found() == (0, "ok", [("hint", "stale_topic", "memory.md")])


def test_misplaced_files(space):
    """S5: a look-alike of a document is named with what it looks like."""
    (space / "Keep.md").write_text("- x\n")
    (space / "HEARTBEAT.md").write_text("an agent's own\n")
    assert run() == (
        0,
        f"hint: {space}/Keep.md: nobody reads this file; it looks like keep.md\nok\n",
    )


def test_an_unreadable_document_is_a_problem(space):
    """W3: it ends with 1; as JSON the status says so too."""
    (space / "keep.md").write_bytes(b"caf\xe9\n")
    assert found() == (1, "error", [("problem", "unreadable", "keep.md")])


def test_a_full_index_is_a_problem(space):
    """S1: an index that takes no pointer any more ends with 1."""
    (space / "memory.md").write_text("→ x\n" * 180)
    assert found() == (1, "error", [("problem", "index_full", "memory.md")])


@pytest.mark.parametrize(
    ("name", "text", "codes"),
    [
        (NAMES.INDEX, "x\n" * 149, []),
        (NAMES.INDEX, "x\n" * 150, [Code.LINES]),
        (NAMES.INDEX, "x\n" * 179, [Code.LINES]),
        (NAMES.INDEX, "x\n" * 180, [Code.FULL]),
        (NAMES.KEEP, "x\n" * 150, []),
        (NAMES.KEEP, "x\n" * 150 + "x", [Code.LINES]),
        (NAMES.MEMORY, "x\n" * 250, []),
        (NAMES.MEMORY, "x\n" * 251, [Code.LINES]),
        (NAMES.USER, "x" * 8192, []),
        (NAMES.USER, "x" * 8193, [Code.BYTES]),
        (NAMES.GROUP, "x" * 32768, []),
        (NAMES.GROUP, "x" * 32769, [Code.BYTES]),
        (NAMES.SOUL, "x\n" * 5000, []),
    ],
)
def test_limits(name, text, codes):
    """BT12, W7: limits are exact, by lines as `\\n` ends them or by bytes."""
    assert [f.code for f in weighed(name, "p", Document.of(text), Limits())] == codes


def test_overlays(space):
    """M5: what does not load, and why, is a hint."""
    folder = space / "config/skills"
    folder.mkdir(parents=True)
    (folder / "notes.md").write_text("")
    (folder / "long.md").write_text("## Up\n" + "x" * 24600)
    assert found() == (
        0,
        "ok",
        [
            ("hint", "overlay_near_cap", "long.md"),
            ("hint", "overlay_heading", "long.md"),
            ("hint", "overlay_not_bound", "notes.md"),
        ],
    )
    assert "the overlay does not load: there is nothing in it" in run()[1]


def test_a_write_that_bypassed_the_program(space, tmp_path):
    """M6: a USER.md that somebody else changed since is a hint until it was told."""
    ref = DocumentRef(personal(111), NAMES.USER)
    with closing(open_core(config.load(tmp_path / "pomnenka.toml"))) as core:
        core.store.apply(ref, [Item("x", append_entry("ours"))], Author(111))
    (space / "USER.md").write_text("- ours\n- theirs\n")
    assert found() == (0, "ok", [("hint", "bypassed", "USER.md")])
    with closing(open_core(config.load(tmp_path / "pomnenka.toml"))) as core:
        core.store.tend(everything=True)
    assert found() == (0, "ok", [("hint", "bypassed", "USER.md")])
    with closing(open_core(config.load(tmp_path / "pomnenka.toml"))) as core:
        core.state.told(*(notice.seq for notice in core.state.notices()))
    assert found() == (0, "ok", [])


def test_nothing_is_written_by_looking(space):
    """R2: check changes no document."""
    (space / "memory.md").write_text("- Boat → memory_boat.md\n")
    (space / "USER.md").write_text("- a\n")
    before = {p: p.read_bytes() for p in space.rglob("*") if p.is_file()}
    run()
    assert {p: p.read_bytes() for p in space.rglob("*") if p.is_file()} == before


def test_two_documents_with_one_name(space, tmp_path):
    """B18: a name that two documents would share is told in one sentence."""
    (tmp_path / "pomnenka.toml").write_text(
        '[users]\nallow = [111]\n[workspace]\npreset = "xiaopaw"\nnames = { keep = "user.md" }\n'
    )
    assert run() == (1, "[workspace] names: two documents have one name\n")


def test_levels():
    """R2: only a problem ends with 1."""
    assert {level.value for level in Level} == {"problem", "hint"}
