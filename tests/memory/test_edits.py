"""Edits: what they change, what they leave alone, and how they are taken back."""

import json
import pathlib

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memory.changeset import Category, Change, Op, edit_of
from memory.document import BOM, Document, EntryKind, LineKind, Span
from memory.edits import (
    Hunk,
    add_heading,
    append_entry,
    apply,
    remove_entry,
    replace_entry,
    splice,
)

GOLDEN = sorted((pathlib.Path(__file__).parents[1] / "golden" / "edits").glob("*/request.json"))
BUILDERS = {f.__name__: f for f in (add_heading, append_entry, remove_entry, replace_entry)}


def edit_from(request):
    """The edit that a golden request asks for."""
    if "changes" in request:
        return edit_of(*(change_from(c) for c in request["changes"]))
    arguments = {k: v for k, v in request.items() if k not in ("why", "edit", "outcome")}
    return BUILDERS[request["edit"]](**arguments)


def change_from(said):
    return Change(
        Op(said["op"]),
        tuple(Span(*s) for s in said["spans"]),
        tuple(said["original"]),
        tuple(said.get("new_text", ())),
        Category(said["category"]) if "category" in said else None,
    )


@pytest.mark.parametrize("path", GOLDEN, ids=lambda p: p.parent.name)
def test_golden(path):
    """A golden folder holds the bytes before, the request with its reason, and the bytes after (W2)."""
    request = json.loads(path.read_text(encoding="utf-8"))
    before = Document.parse(path.with_name("before.md").read_bytes())
    hunks = edit_from(request)(before)
    outcome = "gone" if hunks is None else "applied" if hunks else "nothing"
    after = apply(before, hunks or ())
    assert after.to_bytes() == path.with_name("after.md").read_bytes()
    assert outcome == request["outcome"]
    assert apply(after, invert(hunks or ())).to_bytes() == before.to_bytes()


def invert(hunks):
    """The hunks that take the document with ``hunks`` applied back to what it was."""
    result, shift = [], 0
    for hunk in sorted(hunks, key=lambda h: (h.start, h.stop)):
        result.append(Hunk(hunk.start + shift, hunk.new, hunk.old))
        shift += len(hunk.new) - len(hunk.old)
    return tuple(result)


LINES = st.sampled_from(
    [
        "", "", "  ", "# T", "## A", "## B", "### S", "#### U", "- a", "- b", "- a  ", "  - c", "    more",
        "1. n", "* s", "text", "text", "---", "```", "  ```", "<!-- x -->", "| t | u |", "- \u2028x", "\x0c", "- z\u030c",
    ]
)  # fmt: skip


@st.composite
def documents(draw):
    """Any mix of lines, line ends, marks and missing final newlines."""
    lines = draw(st.lists(LINES, max_size=14))
    ends = st.just("\n") if draw(st.booleans()) else st.sampled_from(["\n", "\r\n"])
    text = "".join(line + draw(ends) for line in lines)
    if draw(st.booleans()):
        text = text.removesuffix("\n").removesuffix("\r")
    return Document.of(draw(st.sampled_from(["", "", BOM])) + text)


WORD = st.sampled_from(["a", "b", "c more", "n", "text", "new", "A", "ž"])
HEADING = st.sampled_from(["", "A", "B", "none"])
EDITS = st.one_of(
    st.builds(append_entry, WORD, HEADING),
    st.builds(replace_entry, WORD, WORD),
    st.builds(remove_entry, WORD),
    st.builds(add_heading, st.sampled_from(["A", "C"]), st.sampled_from(["", "e"])),
)


def ends_stripped(raw):
    return [line.removesuffix("\n").removesuffix("\r") for line in raw]


@given(documents(), EDITS)
def test_inverse_restores_the_bytes(document, edit):
    """An edit followed by its inverse gives the same bytes (C6)."""
    hunks = edit(document) or ()
    after = apply(document, hunks)
    assert apply(after, invert(hunks)).to_bytes() == document.to_bytes()
    assert Document.parse(after.to_bytes()).raw == after.raw


@given(documents(), EDITS)
def test_other_lines_stay(document, edit):
    """Outside its hunks an edit changes no byte, and its hunks say truly what stood there (W2)."""
    hunks = edit(document) or ()
    after, shift = apply(document, hunks).raw, 0
    line = 0
    for hunk in hunks:
        assert document.raw[hunk.start : hunk.stop] == hunk.old
        assert after[line + shift : hunk.start + shift] == document.raw[line : hunk.start]
        line, shift = hunk.stop, shift + len(hunk.new) - len(hunk.old)
    assert after[line + shift :] == document.raw[line:]


@given(documents(), WORD, HEADING)
def test_append_adds_one_line(document, text, heading):
    """Appending adds one entry and its one line; every old line is still there, in order (K9).

    Only above an indented fence that nobody closed a blank line is added, too.
    """
    hunks = append_entry(text, heading)(document)
    assume(hunks is not None and document.raw != (BOM,))
    after = apply(document, hunks)
    places = [i for i, line in enumerate(after.lines) if line == f"- {text}"]
    rests = [(*after.lines[:i], *after.lines[i + 1 :]) for i in places]
    gaps = [
        (*after.lines[:i], *after.lines[i + 2 :])
        for i in places
        if not after.lines[i + 1 : i + 2] > ("",)
    ]
    assert document.lines in rests or (document.open_fence is not None and document.lines in gaps)
    assert (text, EntryKind.BULLET) in [(e.text, e.kind) for e in after.entries]
    assert after.raw[-1].endswith("\n") or not document.raw[-1].endswith("\n")


@given(documents(), st.one_of(st.builds(remove_entry, WORD), st.builds(replace_entry, WORD, WORD)))
def test_headings_are_never_touched(document, edit):
    """Removing and replacing leave every heading and rule (M4)."""
    after = apply(document, edit(document) or ())
    assert frame(after) == frame(document)


def frame(document):
    """The headings and rules of a document, as lines."""
    kinds = (LineKind.HEADING, LineKind.RULE)
    return [
        line for line, kind in zip(document.lines, document.kinds, strict=True) if kind in kinds
    ]


@pytest.mark.parametrize("text", ["a\nb", "a\r", "", "  "], ids=["lf", "cr", "empty", "blank"])
@pytest.mark.parametrize(
    "build",
    [append_entry, lambda t: replace_entry("a", t), add_heading],
    ids=["append", "replace", "heading"],
)
def test_one_line_only(build, text):
    """A text that would make more or fewer lines than one is refused (K2, M1)."""
    with pytest.raises(ValueError, match="one line"):
        build(text)


def test_splice_refuses_a_line_feed():
    """New lines come without terminators, so that one line is never two (W7)."""
    with pytest.raises(ValueError, match="line feed"):
        splice(Document.of("a\n"), {Span(0, 0): ("b\nc",)})


def test_splice_refuses_overlap():
    """Spans that share a line are a mistake of the caller."""
    with pytest.raises(ValueError, match="overlap"):
        splice(Document.of("a\nb\nc\n"), {Span(0, 2): (), Span(1, 3): ()})
