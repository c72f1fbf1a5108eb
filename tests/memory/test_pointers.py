"""The pointers of an index, and the edits that keep them true (S1, S2, S5)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.document import Document
from memory.edits import apply
from memory.pointers import gate, likeness, link, pointers, relink, title_of, unlink

INDEX = """# Index

## Person
→ see USER.md
- Likes → tea and books

## Work
- Course progress → memory_course.md
* Tech -> memory_tech.md
- [Boat](x) → [boat](memory_boat.md)
- Notes → notes.md
  - detail

## Rules <!-- pinned -->
- Desk → memory_desk.md

```
- Not one → memory_code.md
```
"""


def files(text):
    return [(p.file, p.pinned) for p in pointers(Document.of(text))]


def after(edit, text):
    document = Document.of(text)
    hunks = edit(document)
    return None if hunks is None else "".join(apply(document, hunks).raw)


def test_what_is_a_pointer():
    """S2: bullets that name a file behind an arrow; other arrows, prose and code stay alone."""
    assert files(INDEX) == [
        ("memory_course.md", False),
        ("memory_tech.md", False),
        ("memory_boat.md", False),
        ("notes.md", False),
        ("memory_desk.md", True),
    ]


@pytest.mark.parametrize(
    "file",
    ["memory_Course.md", "./memory_course.md", "memory-course.md", "memory_course", "course.md"]
    + ["/workspace/memory_course.md", "memory_coursé.md"],
)
def test_the_same_file_written_in_another_way(file):
    """S5: a name that differs by case, path, dash, accent or ending is recognised."""
    assert likeness(file) == likeness("memory_course.md")
    assert likeness("memory_courses.md") != likeness("memory_course.md")


def test_removing_a_pointer():
    """S5, W2: the pointer goes with what hangs below it, and nothing else."""
    gone = after(unlink("notes.md"), INDEX)
    assert gone == INDEX.replace("- Notes → notes.md\n  - detail\n", "")
    assert after(unlink("memory_none.md"), INDEX) == INDEX


def test_a_pinned_pointer_stays():
    """M4: governance changes nothing in a pinned section."""
    assert after(unlink("memory_desk.md"), INDEX) == INDEX
    assert after(relink("memory_desk.md", "memory_x.md"), INDEX) is None


def test_renaming_a_pointer():
    """S5, W2: only what stands behind the arrow changes."""
    assert after(relink("memory_tech.md", "memory_tech_stack.md"), INDEX) == INDEX.replace(
        "* Tech -> memory_tech.md", "* Tech -> memory_tech_stack.md"
    )
    crlf = "- A → memory_B.md\r\n- C → memory_c.md\r\n"
    assert after(relink("memory_B.md", "memory_b.md"), crlf) == crlf.replace("_B", "_b")


def test_adding_a_pointer():
    """S2: one line in the exact format, below the pointers of the last open section."""
    assert after(link("Garden", "memory_garden.md", 180), INDEX) == INDEX.replace(
        "  - detail\n", "  - detail\n- Garden → memory_garden.md\n"
    )
    assert after(link("Garden", "memory_garden.md", 180), "") == "- Garden → memory_garden.md\n"
    assert after(link("Course", "memory_course.md", 180), INDEX) == INDEX


@pytest.mark.parametrize(("lines", "goes"), [(179, True), (180, False), (181, False)])
def test_the_gate(lines, goes):
    """S1: counted before the write, an index of 180 lines takes no pointer more."""
    assert (after(link("X", "memory_x.md", 180), "- a\n" * lines) is not None) is goes


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Boat and sails\n", "Boat and sails"),
        ("text\n## Part → two <!-- pinned -->\n", "Part - two"),
        ("- a\n", "old boat"),
    ],
)
def test_what_a_topic_is_called(text, title):
    """S5: an orphan's pointer says what its first heading says."""
    assert title_of(Document.of(text), "old_boat") == title


@pytest.mark.parametrize(
    ("lines", "verdict"),
    [(0, "open"), (149, "open"), (150, "warn"), (179, "warn"), (180, "shut"), (181, "shut")],
)
def test_what_the_gate_says(lines, verdict):
    """S1: below 150 lines go, 150 to 179 go and warn, 180 and more are refused."""
    assert gate(lines, 150, 180) == verdict


@pytest.mark.parametrize(
    ("index", "grown"),
    [
        ("", "## Topics\n- Course → memory_course.md\n"),
        ("# Index\n", "# Index\n\n## Topics\n- Course → memory_course.md\n"),
        ("- A → memory_a.md\n", "- A → memory_a.md\n- Course → memory_course.md\n"),
        ("## A\n- a → memory_a.md\n\n## B\n→ see USER.md\n", None),
    ],
    ids=["no file", "a title alone", "flat", "other sections"],
)
def test_a_new_pointer_finds_its_section(index, grown):
    """S2: the wanted section is made only where nothing stands yet; else with its like."""
    found = after(link("Course", "memory_course.md", 180, "Topics"), index)
    assert found == (
        grown or index.replace("memory_a.md\n", "memory_a.md\n- Course → memory_course.md\n")
    )


def test_a_pointer_below_the_section_that_is_named():
    """S2: the section that was chosen takes it; other lines stay byte for byte (W2)."""
    found = after(link("Course", "memory_kurz.md", 180, "Person"), INDEX)
    tea = "- Likes → tea and books\n"
    assert found == INDEX.replace(tea, tea + "- Course → memory_kurz.md\n")


LINES = st.sampled_from(
    ["# Index", "## Topics", "## Other <!-- pinned -->", "- A → memory_a.md", "→ see USER.md"]
    + ["", "prose", "### Sub", "```", "- Course → memory_course.md", "  - child"]
)


@given(st.lists(LINES, max_size=12), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_a_pointer_is_all_that_comes(lines, end, closed):
    """S2, W2: whatever the index holds, its lines stay in order and the pointer stands once."""
    text = end.join(lines) + (end if closed and lines else "")
    document = Document.of(text)
    found = Document.of(after(link("Course", "memory_course.md", 180, "Topics"), text))
    rest = iter(found.lines)
    assert all(line in rest for line in document.lines if line.strip())
    assert [p.file for p in pointers(found)].count("memory_course.md") >= 1
    assert found.count - document.count <= 4


def test_a_pointer_below_one_to_the_same_file_goes_with_it():
    """S5: an entry goes with what stands below it, whatever that points to; prose is no pointer."""
    index = "- a → x.md\n  - b → x.md\n- c → y.md\n"
    assert after(unlink("x.md"), index) == "- c → y.md\n"


def test_prose_is_no_pointer():
    """S2: only an item of a list is a pointer."""
    assert files("see a → x.md\n\n- c → z.md\n") == [("z.md", False)]
