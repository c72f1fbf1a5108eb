"""Where documents lie: paths from ids and a closed list of names only."""

import pytest

from memory.layout import Layout
from memory.spaces import DocumentName, DocumentRef, channel, group, personal, ref_of, slug_of

ME = personal(111)
PROJECT = DocumentName.PROJECT


@pytest.mark.parametrize(
    ("ref", "path"),
    [
        (DocumentRef(ME, DocumentName.KEEP), "users/111/keep.md"),
        (DocumentRef(ME, DocumentName.MEMORY), "users/111/memory/MEMORY.md"),
        (DocumentRef(ME, DocumentName.LOG), "users/111/log/memory-clean.log"),
        (DocumentRef(ME, PROJECT, "garden"), "users/111/projects/garden.md"),
        (DocumentRef(ME, DocumentName.TOPIC, "course"), "users/111/memory_course.md"),
        (DocumentRef(ME, DocumentName.INDEX), "users/111/memory.md"),
        (DocumentRef(ME, DocumentName.ROOM, "-1001"), "users/111/rooms/-1001.md"),
        (DocumentRef(channel(-1001), DocumentName.CHANNEL), "channels/-1001/CHANNEL.md"),
        (DocumentRef(channel(-1001, 7), DocumentName.CHANNEL), "channels/-1001/7/CHANNEL.md"),
        (DocumentRef(group("family"), DocumentName.GROUP), "groups/family/GROUP.md"),
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_default_paths(tmp_path, ref, path):
    """Every document has one place below its space (product.md 2)."""
    assert Layout(tmp_path).path(ref) == tmp_path / path
    assert ref_of(ref.key) == ref


def test_a_person_may_point_to_an_existing_folder(tmp_path):
    """The documents of that person lie in the agent's workspace under configured names."""
    home = tmp_path / "agent"
    layout = Layout(tmp_path / "ws", {DocumentName.KEEP: "notes/k.md"}, {111: home})
    assert layout.path(DocumentRef(ME, DocumentName.KEEP)) == home / "notes" / "k.md"
    assert layout.name(DocumentRef(ME, DocumentName.KEEP)) == "notes/k.md"
    other = DocumentRef(personal(222), DocumentName.KEEP)
    assert layout.path(other) == tmp_path / "ws/users/222/notes/k.md"


@pytest.mark.parametrize("slug", ["", "..", "a/b", "A", "ž", "a" * 41, "a.md", "a\0"])
def test_a_project_needs_a_proper_slug(tmp_path, slug):
    """Nothing but an allow-listed slug becomes a file name (B18)."""
    with pytest.raises(ValueError, match="project"):
        Layout(tmp_path).path(DocumentRef(ME, PROJECT, slug))


@pytest.mark.parametrize(
    "ref",
    [
        DocumentRef(channel(-1001), DocumentName.KEEP),
        DocumentRef(ME, DocumentName.GROUP),
        DocumentRef(group("../x"), DocumentName.GROUP),
        DocumentRef(group("f"), DocumentName.GROUP),
        DocumentRef(channel(-1001, -7), DocumentName.CHANNEL),
        DocumentRef(ME, DocumentName.ROOM, "family"),
        DocumentRef(ME, DocumentName.DATED, "2026"),
        DocumentRef(ME, DocumentName.TOPIC, "a-b"),
    ],
    ids=lambda ref: ref.key,
)
def test_a_space_has_its_own_documents_only(tmp_path, ref):
    """G2, B18: what is not in the closed list of a space has no path."""
    with pytest.raises(ValueError, match="Space"):
        Layout(tmp_path).path(ref)


def test_two_documents_may_not_share_a_name(tmp_path):
    """B18: a configuration that gives one file to two documents is refused."""
    with pytest.raises(ValueError, match="one name"):
        Layout(tmp_path, {DocumentName.NOTES: "keep.md"})


@pytest.mark.parametrize(
    "names",
    [
        {DocumentName.PROJECT: "{slug}.md"},
        {DocumentName.KEEP: "projects/keep.md"},
        {DocumentName.LOG: "projects/log.md"},
        {DocumentName.TOPIC: "projects/topic_{slug}.md"},
        {DocumentName.PROJECT: "archive/{slug}.md"},
        {DocumentName.PROJECT: "{slug}/{slug}.md"},
    ],
    ids=lambda names: next(iter(names.values())),
)
def test_no_slug_makes_the_name_of_another_document(tmp_path, names):
    """B18: a pattern whose slug could name another document's file is refused at start."""
    with pytest.raises(ValueError):
        Layout(tmp_path, names)


@pytest.mark.parametrize(
    "names",
    [
        {DocumentName.PROJECT: "{slug}.txt"},
        {DocumentName.PROJECT: "memory_{slug}.txt"},
        {DocumentName.USER: "projects/USER.md"},
        {DocumentName.ROOM: "memories/{slug}.txt"},
    ],
    ids=lambda names: next(iter(names.values())),
)
def test_names_that_no_slug_can_make_may_lie_side_by_side(tmp_path, names):
    """A folder may be shared where no slug makes the name of another document (product.md 2)."""
    assert Layout(tmp_path, names)


@pytest.mark.parametrize("name", ["../keep.md", "/etc/passwd", "a/../../b", "", "a\0b"])
def test_names_stay_inside_their_folder(tmp_path, name):
    """A configured name that leaves the space is refused at start (B18)."""
    with pytest.raises(ValueError):
        Layout(tmp_path, {DocumentName.KEEP: name})


def test_projects_lists_what_is_there(tmp_path):
    """Only files that the layout itself could name are listed."""
    layout = Layout(tmp_path)
    assert layout.slugs(ME, DocumentName.PROJECT) == ()
    folder = tmp_path / "users/111/projects"
    folder.mkdir(parents=True)
    for name in ("shed.md", "garden.md", "UPPER.md", ".hidden.md", "x.txt", "a.sync-conflict.md"):
        (folder / name).touch()
    assert layout.slugs(ME, DocumentName.PROJECT) == ("garden", "shed")


@pytest.mark.parametrize("name", [DocumentName.TOPIC, DocumentName.ARCHIVE], ids=str)
def test_an_emptied_topic_is_none(tmp_path, name):
    """S5: what moved to the archive, or back, left a file without a byte; that is no document."""
    layout = Layout(tmp_path)
    for slug, text in (("here", "# Here\n"), ("gone", "")):
        path = layout.path(DocumentRef(ME, name, slug))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    assert layout.slugs(ME, name) == ("here",)
    assert DocumentRef(ME, name, "gone") not in layout.documents(ME)


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Zahrádka 2026", "zahradka-2026"),
        ("Zahra\u0301dka", "zahradka"),
        ("Łódź straße", "lodz-strasse"),
        ("Київ", "kyiv"),
        ("snake_case", "snake_case"),
        ("../../etc/passwd", "etc-passwd"),
        ("ＦＵＬＬ", "full"),
        ("北京", ""),
        ("CON", "_con"),
        ("\u212aELVIN", "kelvin"),
        ("ıstanbul", "istanbul"),
        ("", ""),
        ("x" * 39 + " y", "x" * 39),
    ],
)
def test_slugs(title, slug):
    """A title becomes lower-case ASCII letters, digits, `_`, `-`, at most 40 of them."""
    assert slug_of(title) == slug


def test_every_space_is_found(tmp_path):
    """W8: folders with an id for a name, and configured homes that exist; nothing else."""
    home = tmp_path / "agent"
    for name in (
        "users/111",
        "users/x",
        "users/007",
        "channels/-1001/7",
        "groups/family",
        "rooms/6",
    ):
        (tmp_path / name).mkdir(parents=True)
    home.mkdir()
    (tmp_path / "users/222").write_text("a file")
    layout = Layout(tmp_path, homes={333: home, 444: tmp_path / "gone"})
    assert layout.spaces() == (
        channel(-1001),
        channel(-1001, 7),
        group("family"),
        personal(111),
        personal(333),
    )


def test_the_documents_of_a_space(tmp_path):
    """W8: every name of the closed list once, the projects that exist, and the log last."""
    there = {
        DocumentRef(ME, PROJECT, "garden"): "projects/garden.md",
        DocumentRef(ME, DocumentName.TOPIC, "course"): "memory_course.md",
        DocumentRef(ME, DocumentName.ARCHIVE, "boat"): "archive/memory_boat.md",
        DocumentRef(ME, DocumentName.ROOM, "-1001"): "rooms/-1001.md",
        DocumentRef(ME, DocumentName.DATED, "2026-11-30"): "memories/2026-11-30.md",
        DocumentRef(ME, DocumentName.OVERLAY, "notes"): "config/skills/notes.md",
    }
    for name in there.values():
        path = tmp_path / "users/111" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("- a line\n")
    refs = Layout(tmp_path).documents(ME)
    assert there.keys() < set(refs)
    assert {ref.name for ref in refs} == ME.documents
    assert len(refs) == len(ME.documents)
    assert refs[-1].name is DocumentName.LOG


@pytest.mark.parametrize("slug", ["con", "nul", "lpt1"])
def test_a_device_is_no_document(slug):
    """B18: what some systems take for a device names no file."""
    assert not DocumentRef(ME, PROJECT, slug).is_proper


def test_a_topic_has_one_folder(tmp_path):
    """B18: a folder that looks like a topic's number in another spelling is none."""
    for name in ("7", "07", "0", "x"):
        (tmp_path / "channels/-1001" / name).mkdir(parents=True)
    assert Layout(tmp_path).spaces() == (channel(-1001), channel(-1001, 7))
