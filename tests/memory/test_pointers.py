"""The pointers of an index, and the edits that keep them true (S1, S2, S5)."""

import pytest

from memory.document import Document
from memory.edits import apply
from memory.pointers import likeness, link, pointers, relink, title_of, unlink

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
