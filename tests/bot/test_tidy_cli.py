"""`pomnenka tidy`: what it prints, and how it ends (S5, R5)."""

import json

import pytest
from click.testing import CliRunner

from bot.__main__ import main


@pytest.fixture
def space(tmp_path, monkeypatch):
    """A dead pointer and an orphan in the space of person 111."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pomnenka.toml").write_text("[users]\nallow = [111]\n")
    folder = tmp_path / "pomnenka-memory/users/111"
    folder.mkdir(parents=True)
    (folder / "memory.md").write_text("- Boat → memory_boat.md\n")
    (folder / "memory_course.md").write_text("# Course\n")
    return folder


def run(*words):
    result = CliRunner().invoke(main, ["tidy", "--json", *words])
    return result.exit_code, json.loads(result.output)


def test_a_proposal_is_printed(space):
    """R5: what only a person can decide ends with 3 and changes nothing."""
    code, answer = run()
    assert (code, answer["status"]) == (3, "question")
    assert answer["choices"] == ["☑ 1. Boat", "☑ 2. Course", "Apply (2)", "Cancel"]
    assert (space / "memory.md").read_text() == "- Boat → memory_boat.md\n"


@pytest.mark.parametrize(
    ("numbers", "after"),
    [
        ("all", "- Course → memory_course.md\n"),
        ("1", ""),
        ("2", "- Boat → memory_boat.md\n- Course → memory_course.md\n"),
    ],
)
def test_what_is_named_is_applied(space, numbers, after):
    """S5, D2: all repairs, or exactly the named ones."""
    code, answer = run("--apply", numbers)
    assert (code, answer["status"]) == (0, "done")
    assert (space / "memory.md").read_text() == after


def test_a_number_out_of_range(space):
    """D2: nothing is changed, and the valid numbers are named."""
    code, answer = run("--apply", "7")
    assert "1 to 2" in answer["text"]
    assert (space / "memory.md").read_text() == "- Boat → memory_boat.md\n"


def test_nothing_to_do(space):
    """S5: an index in order is told to be so, and that is no error."""
    run("--apply", "all")
    assert run() == (0, {"status": "done", "text": "Nothing to tidy in memory.md."})
