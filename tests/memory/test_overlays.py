"""Overlays: which ones reach an agent's prompt, and why another does not (M5)."""

import os

import pytest

from memory.errors import Unreadable
from memory.overlays import CAP, NEAR, Overlay, Reason, Skills, examine, installed
from memory.spaces import personal
from tests.memory.store_workplace import Workplace

ME = personal(111)
KNOWN = Skills(frozenset({"notes", "calendar", "sensitive_actions"}), frozenset({"calendar"}))


@pytest.fixture
def place(tmp_path):
    return Workplace(tmp_path)


def write(place, files):
    folder = place.layout.folder(ME) / "config/skills"
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def only(place, skills=KNOWN):
    (found,) = examine(place.layout, ME, skills, place.store.read)
    return found


@pytest.mark.parametrize(
    ("file", "data", "reason"),
    [
        ("notes.md", b"- Titles in lower case\n", None),
        ("notes.md", b"x" * CAP, None),
        ("notes.md", b"x" * (CAP + 1), Reason.OVER_CAP),
        ("notes.md", b"", Reason.EMPTY),
        ("notes.md", b"\xef\xbb\xbf \n\t\n", Reason.EMPTY),
        ("notes.md", b"---\nname: notes\n---\n\n", Reason.EMPTY),
        ("notes.md", b"---\r\nname: notes\r\n---\r\n\r\n", Reason.EMPTY),
        ("notes.md", b"---\nname: notes\n", None),
        ("notes.md", b"caf\xe9\n", Reason.NOT_UTF8),
        ("note.md", b"x\n", Reason.UNKNOWN_SKILL),
        ("Notes.md", b"x\n", Reason.WRONG_CASE),
        ("notes.MD", b"x\n", Reason.WRONG_CASE),
        ("Garden.md", b"x\n", Reason.BAD_NAME),
        ("my notes.md", b"x\n", Reason.BAD_NAME),
        ("pozn\u00e1mky.md", b"x\n", Reason.BAD_NAME),
        ("calendar.md", b"x\n", Reason.DISABLED),
        ("sensitive_actions.md", b"x\n", Reason.TAKES_NONE),
        ("untrusted_input.md", b"x\n", Reason.TAKES_NONE),
        ("Untrusted_Input.md", b"x\n", Reason.WRONG_CASE),
    ],
)
def test_whether_an_overlay_binds(place, file, data, reason):
    """M5: binds or not, with the reason, exact at 32 KB; a misspelt file is listed too."""
    write(place, {file: data})
    found = only(place)
    assert (found.file, found.reason, found.binds) == (file, reason, reason is None)


def test_links_and_special_files(place, tmp_path):
    """M5, W3: what is not a plain file of its own is never followed, and never hangs."""
    folder = write(place, {"calendar.md": b"x\n"})
    secret = tmp_path / "secret.md"
    secret.write_text("not yours\n")
    (folder / "calendar.md").unlink()
    (folder / "calendar.md").symlink_to(secret)
    (folder / "notes.md").mkdir()
    os.mkfifo(folder / "pipes.md")
    os.link(secret, folder / "twin.md")
    found = {o.skill: o.reason for o in examine(place.layout, ME, Skills(), place.store.read)}
    assert found == {
        "calendar": Reason.SYMLINK,
        "notes": Reason.NOT_A_FILE,
        "pipes": Reason.NOT_A_FILE,
        "twin": Reason.SYMLINK,
    }


def test_a_linked_folder(place, tmp_path):
    """M5, W3: overlays behind a linked folder do not bind."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "notes.md").write_text("x\n")
    config = place.layout.folder(ME) / "config"
    config.mkdir(parents=True)
    (config / "skills").symlink_to(elsewhere)
    assert only(place).reason is Reason.SYMLINK


def test_one_without_permission(place):
    """M5: a file that cannot be read is told apart from an empty one."""

    def denied(ref):
        raise Unreadable(ref, "denied")

    write(place, {"notes.md": b"x\n"})
    (found,) = examine(place.layout, ME, KNOWN, denied)
    assert found.reason is Reason.UNREADABLE


@pytest.mark.parametrize(
    ("size", "warned"), [(NEAR - 1, False), (NEAR, True), (CAP, True), (CAP + 1, False)]
)
def test_a_long_one_is_warned_of(place, size, warned):
    """M5: from 24 KB on a warning, above 32 KB it does not bind at all."""
    write(place, {"notes.md": b"x" * size})
    assert only(place).near_cap is warned


def test_high_headings_are_reported(place):
    """M5: `#` and `##` outside of fences and frontmatter leave the block; `###` may stay."""
    text = b"---\n# a comment\n---\n# One\n### Fine\n```\n## code\n```\n## Two\n"
    write(place, {"notes.md": text})
    assert (only(place).binds, only(place).headings) == (True, (4, 9))


def test_without_a_list_of_skills(place):
    """M5: where nothing is known of the skills, a proper name binds and is marked unverified."""
    write(place, {"anything.md": b"x\n"})
    assert only(place, Skills()) == Overlay("anything", "anything.md", None, False, 2)
    assert only(place, Skills(frozenset({"anything"}))).verified


def test_installed_skills(place):
    """M5: a folder below skills/ that has a SKILL.md is a skill."""
    skills = place.layout.folder(ME) / "skills"
    (skills / "notes").mkdir(parents=True)
    (skills / "notes/SKILL.md").touch()
    (skills / "draft").mkdir()
    assert installed(place.layout, ME) == {"notes"}


def test_other_files_are_none_of_ours(place):
    """M5: what has no .md is no overlay; no folder, no overlays."""
    assert examine(place.layout, ME, KNOWN, place.store.read) == ()
    write(place, {"README.txt": b"x\n", ".hidden": b""})
    assert examine(place.layout, ME, KNOWN, place.store.read) == ()


def test_a_name_that_is_no_text(place):
    """M5: a file name of bytes that are no UTF-8 is listed by their numbers, and does not bind."""
    write(place, {}).joinpath(os.fsdecode(b"caf\xe9.md")).write_text("x\n")
    assert (only(place).file, only(place).reason) == ("caf\\udce9.md", Reason.BAD_NAME)
