"""`pomnenka skills`: what it prints, and how it ends (M5)."""

import json

import pytest
from click.testing import CliRunner

from bot.__main__ import main
from bot.cli.skills import WHY
from memory.overlays import Reason


@pytest.fixture
def skills(tmp_path, monkeypatch):
    """A folder with a configuration; gives the overlays' folder of person 111."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pomnenka.toml").write_text(
        '[users]\nallow = [111]\n[skills]\nknown = ["notes", "developer"]\n'
    )
    folder = tmp_path / "pomnenka-memory/users/111/config/skills"
    folder.mkdir(parents=True)
    return folder


def run(*words):
    result = CliRunner().invoke(main, ["skills", *words])
    return result.exit_code, result.output


def test_every_reason_has_its_sentence():
    """M5: nothing that keeps an overlay from loading goes without words."""
    assert set(WHY) == set(Reason)


def test_the_list(skills):
    """M5: each file with whether it loads; below it, what else is wrong."""
    assert run("overlays") == (0, "There is no overlay.\n")
    (skills / "notes.md").write_text("## Names\n- lower case\n")
    (skills / "Developer.md").write_text("x\n")
    assert run("overlays") == (
        0,
        "Developer.md: does not load, the name must be in lower case, .md included\n"
        "notes.md: loads\n"
        "  a heading above ### leaves the block it is put into, in line 1\n",
    )


def test_the_list_as_json(skills):
    """M5, R5: one JSON line with `binds` and `reason`."""
    (skills / "notse.md").write_text("x\n")
    code, output = run("overlays", "--json")
    assert code == 0 and output.count("\n") == 1
    assert json.loads(output) == {
        "status": "ok",
        "overlays": [
            {
                "skill": "notse",
                "file": "notse.md",
                "binds": False,
                "reason": "unknown_skill",
                "verified": False,
                "bytes": 2,
                "near_cap": False,
                "heading_lines": [],
            }
        ],
    }


def test_one_overlay(skills):
    """M5: printed as it stands; nothing is written."""
    (skills / "notes.md").write_bytes(b"- lower case\r\n")
    assert run("overlay", "notes") == (0, "- lower case\n")
    code, output = run("overlay", "notes", "--json")
    assert json.loads(output)["text"] == "- lower case\r\n"
    assert (skills / "notes.md").read_bytes() == b"- lower case\r\n"


def test_an_overlay_that_is_not_there(skills):
    """M5: an error with the names that are there, on one line with --json."""
    (skills / "notes.md").write_text("x\n")
    assert run("overlay", "note") == (1, "unknown_overlay; there are: notes\n")
    code, output = run("overlay", "note", "--json")
    assert (code, json.loads(output)["available"]) == (1, ["notes"])


def test_one_that_cannot_be_read(skills):
    """M5, W3: a link is not followed; its reason is the error."""
    (skills / "notes.md").symlink_to("/etc/hostname")
    assert run("overlay", "notes") == (1, "symlink\n")
