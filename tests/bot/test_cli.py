"""The command line: what it prints, and how it ends."""

import json
import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot import __version__
from bot.__main__ import COMMANDS, main

SAMPLE = Path(__file__).parent.parent.parent / "bot/samples/en/memory/MEMORY.md"


@pytest.fixture
def space(tmp_path, monkeypatch):
    """A folder with a configuration to work in; gives the space of person 111."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pomnenka.toml").write_text("[users]\neveryone = true\n")
    folder = tmp_path / "pomnenka-memory/users/111"
    (folder / "memory").mkdir(parents=True)
    return folder


def run(*words):
    """Exit code and output of a command for person 111."""
    who = () if "--user" in words or words[0] not in ("keep", "compact") else ("--user", "111")
    result = CliRunner().invoke(main, [*words, *who])
    return result.exit_code, result.output


def values(*words):
    """Exit code and the JSON line."""
    code, output = run(*words, "--json")
    return code, json.loads(output)


def test_keep(space):
    """K9, R5: a fact is kept and told; the second time it is told that it is known."""
    assert run("keep", "you know, Honza from marketing is allergic to peanuts") == (
        0,
        "Kept: Honza (marketing) — peanut allergy\n",
    )
    code, again = values("keep", "you know, Honza from marketing is allergic to peanuts")
    assert (code, again["status"]) == (0, "done")
    assert (space / "keep.md").read_text() == "- Honza (marketing) — peanut allergy\n"


def test_a_refusal_is_an_error(space):
    """T1, W6: a secret ends with 1; it stands neither in the answer nor in any file."""
    code, answer = values("keep", "my bank password is Trnka_78!x")
    assert (code, answer["status"]) == (1, "refused")
    assert "Trnka" not in answer["text"]
    files = [p for p in space.parents[2].rglob("*") if p.is_file()]
    assert not [p for p in files if b"Trnka" in p.read_bytes()]


def test_a_question_is_printed_with_its_choices(space):
    """K7: what only a person can answer ends with 3 and writes nothing."""
    code, answer = values("keep", "we're going with Tern instead of Kafka")
    assert (code, answer["status"]) == (3, "question")
    assert answer["choices"] == ["No reason", "Cancel"]
    assert not (space / "keep.md").exists()


def test_a_question_at_a_terminal(space):
    """D2: at a terminal the question is asked and a button chosen by its number."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "bot", "keep", "we are going with Tern instead of Kafka"]
    process = subprocess.Popen(
        [*command, "--user", "111"], stdin=theirs, stdout=subprocess.PIPE, env=os.environ
    )
    time.sleep(0.1)
    os.write(ours, b"1\n")
    output = process.communicate(timeout=20)[0].decode()
    assert process.returncode == 0
    assert "1. No reason" in output and "Kept:" in output
    assert "Tern" in (space / "keep.md").read_text()


def test_compact_applies_what_is_named(space):
    """C4, C5, D2: exactly the named items go, each with its line in the log."""
    memory = space / "memory/MEMORY.md"
    memory.write_bytes(SAMPLE.read_bytes())
    code, proposal = values("compact")
    assert (code, proposal["status"]) == (3, "question")
    before = memory.read_text().splitlines()
    code, report = values("compact", "--apply", "1,3-4")
    assert (code, report["status"]) == (0, "done")
    assert "3" in report["text"]
    assert len((space / "log/memory-clean.log").read_text().splitlines()) == 3
    assert len(memory.read_text().splitlines()) < len(before)


def test_compact_with_nothing_to_do(space):
    """C1: an empty memory is told to be clean, and that is no error."""
    assert run("compact") == (0, "Nothing to clean up in MEMORY.md.\n")


@pytest.mark.parametrize(
    "words",
    [
        ("keep",),
        ("keep", "x", "--user", "zwölf"),
        ("compact", "diary"),
        ("compact", "--apply", "3-x"),
        ("nonsense",),
    ],
    ids=" ".join,
)
def test_usage_errors(space, words):
    """R5: wrong words end with 2."""
    assert run(*words)[0] == 2


def test_keep_needs_somebody(space):
    """G1: without an allowed person somebody must be named."""
    result = CliRunner().invoke(main, ["keep", "x"])
    assert result.exit_code == 2 and "--user" in result.output


def test_numbers_out_of_range(space):
    """D2: a number that is not in the proposal changes nothing and names the valid ones."""
    memory = space / "memory/MEMORY.md"
    memory.write_bytes(SAMPLE.read_bytes())
    code, answer = values("compact", "--apply", "999")
    assert code == 3 or "numbers" in answer["text"]
    assert memory.read_bytes() == SAMPLE.read_bytes()


def test_check_tells_everything(space, monkeypatch):
    """R2: every problem of configuration and workspace at once, exit 1; else ok, exit 0."""
    monkeypatch.delenv("POMNENKA_TOKEN", raising=False)
    (space / "keep.md").write_bytes(b"\xff\xfe")
    Path("pomnenka.toml").write_text("[users]\nallow = [111]\n")
    code, output = run("check")
    assert code == 1
    assert "POMNENKA_TOKEN" in output and "keep.md" in output
    (space / "keep.md").write_text("- ok\n")
    monkeypatch.setenv("POMNENKA_TOKEN", "1:x")
    assert run("check") == (0, "ok\n")
    (space / "keep.md").write_bytes(b"\xff")
    assert "keep.md" in run("check")[1]


def test_check_of_a_broken_file(space):
    """R2: an unknown key is told with its table and the known ones."""
    Path("pomnenka.toml").write_text("[keep]\nlimt = 3\n")
    code, output = run("check")
    assert code == 1
    assert "[keep] limt: expected one of limit, target, compaction, found an unknown key" in output


def test_every_command_is_documented():
    """R5: each command stands in the guide and shows its help."""
    guide = Path(__file__).parent.parent.parent.joinpath("docs/guide.md").read_text()
    for name in COMMANDS:
        assert f"pomnenka {name}" in guide
        assert run(name, "--help")[0] == 0


def test_without_a_configuration(space):
    """R3: the defaults hold, and where the memory is stands on standard error."""
    Path("pomnenka.toml").unlink()
    result = CliRunner().invoke(main, ["keep", "ring size 54", "--user", "111", "--json"])
    assert json.loads(result.stdout)["status"] == "done"
    assert str(space.parents[1]) in result.stderr


def test_version():
    """R5: the version is the package's."""
    assert run("--version") == (0, f"pomnenka, version {__version__}\n")
