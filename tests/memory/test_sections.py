"""Section operations: the traps of the prior art, and what holds for every document (M1, M4, W2)."""

import time
import unicodedata

import pytest

from memory import sections
from memory.document import BOM, Document
from memory.edits import apply
from memory.sections import Code, Fault, Noop, Op, Outcome, Planned, Request
from memory.spaces import DocumentName, DocumentRef, personal
from memory.store import Item
from tests.memory.store_workplace import ALICE, Workplace

USER = DocumentRef(personal(111), DocumentName.USER)


def done(text, request):
    """The text after a request that changes it."""
    document = Document.of(text)
    result = sections.plan(document, request)
    assert isinstance(result, Planned), result
    return apply(document, result.hunks).to_bytes().decode()


def came_to(text, request):
    """The outcome or the code of a request."""
    result = sections.plan(Document.of(text), request)
    return result.code if isinstance(result, Fault) else result.outcome


def test_trap_a_continuation_lines_go_along():
    """M4, trap (a): what is removed goes with its continuation lines and children, nothing else."""
    text = "## S\n- a\n  more\n\n  a paragraph\n  - child\n    - grandchild\n- b\n"
    assert done(text, Request(Op.REMOVE, "S", match="a more")) == "## S\n- b\n"


def test_trap_b_a_year_is_no_list_marker():
    """M4, trap (b): a year or an ordinal at the start of a text stays where it is."""
    for line in ("2024. rok byl klidný", "12. prosince je výročí", "3) is what they chose"):
        after = done("## S\n", Request(Op.APPEND, "S", line=line))
        assert after == f"## S\n- {line}\n"
        assert done(after, Request(Op.REPLACE, "S", match=line[:5], line="x")) == "## S\n- x\n"


def test_trap_c_a_plus_is_a_bullet():
    """M4, trap (c): ``+ item`` is compared, replaced and removed like any other bullet."""
    text = "## S\n+ Tea\n"
    assert came_to(text, Request(Op.APPEND, "S", line="tea")) is Outcome.NOOP_DUP
    assert done(text, Request(Op.REPLACE, "S", match="tea", line="coffee")) == "## S\n+ coffee\n"
    assert done(text, Request(Op.REMOVE, "S", match="tea")) == "## S\n"


@pytest.mark.parametrize("which", [1, 2, 3])
def test_trap_d_equal_headings_are_each_reached(which):
    """M4, trap (d): of equal headings each one is reached by its occurrence."""
    text = "## S\n- a\n## S\n- b\n## s\n- c\n"
    assert came_to(text, Request(Op.REMOVE_HEADING, "S")) is Code.HEADING_AMBIGUOUS
    known = sections.headings(Document.of(text))
    assert [one.occurrence for one in known] == [1, 2, 3]
    after = done(text, Request(Op.REMOVE_HEADING, "S", occurrence=which))
    assert after == text.replace(text[(which - 1) * 9 : which * 9], "")


def test_trap_e_line_ends_stay():
    """W2, trap (e): a file of CRLF lines gets CRLF lines."""
    text = "## S\r\n- a\r\n\r\n## T\r\n- b\r\n"
    for request in (
        Request(Op.APPEND, "S", line="c"),
        Request(Op.ADD_HEADING, "U", line="c"),
        Request(Op.REPLACE, "T", match="b", line="c"),
        Request(Op.REMOVE, "S", match="a"),
        Request(Op.REMOVE_HEADING, "T"),
    ):
        after = done(text, request)
        assert after.count("\n") == after.count("\r\n") == len(after.split("\n")) - 1


def test_trap_f_a_byte_order_mark_hides_nothing():
    """W2, trap (f): the first heading is found behind a byte order mark, which stays in front."""
    text = BOM + "## S\n- a\n"
    assert [h.title for h in sections.headings(Document.of(text))] == ["S"]
    assert done(text, Request(Op.APPEND, "S", line="b")) == BOM + "## S\n- a\n- b\n"
    assert done(text, Request(Op.REMOVE_HEADING, "S")) in (BOM, "")


def test_trap_g_spellings_of_one_letter_are_equal():
    """K8, trap (g): NFC and NFD count as the same, and ``cerny`` finds ``Černý``."""
    for form in ("NFC", "NFD"):
        text = unicodedata.normalize(form, "## Lidé\n- pan Černý\n")
        assert done(text, Request(Op.REMOVE, "lide", match="cerny")).count("\n") == 1
        other = unicodedata.normalize("NFD" if form == "NFC" else "NFC", "pan Černý")
        assert came_to(text, Request(Op.APPEND, "Lidé", line=other)) is Outcome.NOOP_DUP


def test_trap_h_letter_case_can_be_corrected():
    """M4, trap (h): a change of letter case alone is a change."""
    request = Request(Op.REPLACE, "S", match="PRAGUE", line="Prague")
    assert done("## S\n- prague\n", request) == "## S\n- Prague\n"


@pytest.mark.parametrize("text", ["", "\n", BOM, "  \n\n"])
def test_trap_i_an_empty_file_takes_an_entry(text):
    """M4, trap (i): in an empty document there is no heading to choose, so one is made."""
    result = sections.plan(Document.of(text), Request(Op.APPEND, "S", line="a"))
    assert result.created
    assert done(text, Request(Op.APPEND, "S", line="a")).endswith("## S\n- a\n")


def test_trap_j_a_heading_in_a_fence_is_none():
    """M4, trap (j): ``## `` inside a code fence opens no section."""
    text = "## S\n```\n## T\n- a\n```\n"
    assert [h.title for h in sections.headings(Document.of(text))] == ["S"]
    assert came_to(text, Request(Op.APPEND, "T", line="b")) is Code.HEADING_MISSING
    assert done(text, Request(Op.APPEND, "S", line="b")) == text + "- b\n"


BREAKS = ("\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x1e", "\x85", "\u2028", "\u2029")


@pytest.mark.parametrize("end", BREAKS, ids=ascii)
def test_trap_k_several_lines_are_refused(end):
    """M4, trap (k): nothing that some reader takes for a line's end gets into an entry."""
    line = f"a{end}## Injected"
    assert came_to("## S\n", Request(Op.APPEND, "S", line=line)) is Code.LINE_CONTAINS_NEWLINE
    assert came_to("", Request(Op.ADD_HEADING, line)) is Code.HEADING_CONTAINS_NEWLINE


@pytest.mark.parametrize("obj", [None, 1, "append", [], {}, {"op": None}, {1: 2}], ids=repr)
def test_what_is_no_request_at_all(obj):
    """M1: what is no object with an operation is a fault, not an error."""
    assert isinstance(sections.decode(obj), Fault)


@pytest.mark.parametrize("mark", ["```", "~~~", "---", "***", "- - -", "#", "[ ]", "> a", "1."])
def test_an_entry_is_one_bullet_whatever_its_text(mark):
    """M4: a line is refused, or it reads back as one bullet with this text."""
    result = sections.plan(Document.of("## S\n\nend\n"), Request(Op.APPEND, "S", line=mark))
    if isinstance(result, Planned):
        document = apply(Document.of("## S\n\nend\n"), result.hunks)
        assert [e.text for e in document.entries if e.marker == "-"] == [mark]
        assert "end" in [e.text for e in document.entries]
    else:
        assert result.code in (Code.EMPTY_LINE, Code.LINE_STARTS_WITH_HASH)


def test_show_gives_the_raw_text():
    """M1: `show` prints a section, a subsection or everything as it stands."""
    document = Document.of("pre\n## S\n- a\r\n### T\n- b\n## U\n")
    assert sections.show(document, Request(Op.SHOW)) == "pre\n## S\n- a\r\n### T\n- b\n## U\n"
    assert sections.show(document, Request(Op.SHOW, "s")) == "## S\n- a\r\n### T\n- b\n"
    assert sections.show(document, Request(Op.SHOW, "s", "t")) == "### T\n- b\n"
    assert sections.show(document, Request(Op.SHOW, "x")).code is Code.HEADING_MISSING
    assert sections.show(document, Request(Op.SHOW, subheading="t")).code is Code.MISSING_FIELD


def test_the_entries_of_a_place():
    """X1: the bullets of a place with their lines are what `remove` and `replace` reach."""
    document = Document.of("## S\n- a\n1. b\n### T\n+ c\n")
    found = sections.entries(document, Request(Op.SHOW, "S"))
    assert [(one.text, one.line) for one in found] == [("a", 2), ("c", 5)]


def test_headings_tell_pins_and_subsections():
    """M4: headings are told as they are addressed, with pin marker, lines and subsections."""
    found = sections.headings(Document.of("## S <!-- pinned -->\n### T\n### t\n## U\n"))
    assert [(h.title, h.pinned, h.line) for h in found] == [
        ("S <!-- pinned -->", True, 1),
        ("U", False, 4),
    ]
    assert [(s.title, s.occurrence, s.line) for s in found[0].subheadings] == [
        ("T", 1, 2),
        ("t", 2, 3),
    ]


BODY = "## S\n- green\n  more\n### T\n- b\n"


@pytest.mark.parametrize("frame", ["{}", BOM + "{}", "# top\n\n{}\n## U\n- c", "{}\n\n"])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(
    "request_",
    [
        Request(Op.APPEND, "S", line="new"),
        Request(Op.APPEND, "S", "T", line="new"),
        Request(Op.ADD_HEADING, "Další", line="new"),
        Request(Op.REMOVE, "S", match="green"),
        Request(Op.REPLACE, "S", match="green", line="black"),
        Request(Op.REMOVE_HEADING, "S"),
        Request(Op.REMOVE_SUBHEADING, "S", "T"),
    ],
    ids=lambda request: str(request.op),
)
def test_undo_restores_the_bytes(tmp_path, frame, end, request_):
    """M6, D6: done through the store and taken back, a file has the bytes it had before."""
    work = Workplace(tmp_path)
    data = frame.format(BODY).replace("\n", end).encode()
    work.put(data, USER)
    results = []
    item = Item("section", sections.edit(request_, results.append))
    receipt = work.store.apply(USER, [item], ALICE)
    assert results[-1].outcome is Outcome.APPLIED
    assert work.bytes(USER) != data
    assert work.store.undo(receipt.op, ALICE).applied == ("section",)
    assert work.bytes(USER) == data


def test_a_no_op_leaves_the_file_alone(tmp_path):
    """K9, M1: what changes nothing writes nothing, and is told as what it is."""
    work = Workplace(tmp_path)
    path = work.put(b"## S\n- a\n", USER)
    before = path.stat()
    results = []
    for request in (
        Request(Op.APPEND, "S", line="A"),
        Request(Op.REMOVE, "S", match="x"),
        Request(Op.REMOVE, "x", match="a"),
    ):
        item = Item("section", sections.edit(request, results.append))
        assert not work.store.apply(USER, [item], ALICE).op
    assert [type(one) for one in results] == [Noop, Noop, Fault]
    assert path.stat().st_ino == before.st_ino and path.stat().st_mtime_ns == before.st_mtime_ns


HOSTILE = {
    "headings": "## a\n" * 20_000,
    "subsections": "## a\n" + "### b\n" * 20_000,
    "bullets": "## a\n" + "- tea number\n" * 20_000,
    "stacked accents in an entry": "## a\n- a" + "\u0301\u0323" * 100_000 + "\n",
    "stacked accents in many": "## a\n" + ("- a" + "\u0301\u0323" * 900 + "\n") * 300,
    "stacked accents in a title": "## a" + "\u0323\u0301" * 100_000 + "\n- x\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_documents_are_cheap(name):
    """B20: no document makes an operation slow, however many headings or accents it has."""
    document = Document.of(HOSTILE[name])
    assert document.headings and document.places and document.entries is not None
    started = time.process_time()
    sections.headings(document)
    for request in (
        Request(Op.APPEND, "a", line="x"),
        Request(Op.ADD_HEADING, "new", line="x"),
        Request(Op.REMOVE, "a", match="milk"),
        Request(Op.REPLACE, "a", match="tea", line="x"),
        Request(Op.REMOVE_HEADING, "a"),
    ):
        sections.plan(document, request)
    assert time.process_time() - started < 1.5


def test_a_bullet_of_accents_matches_nothing():
    """M4: a match of which nothing is left would be in every entry, so it is in none."""
    for match in ("- \u0301", "* \u0323\u0301"):
        assert came_to("## S\n+ one\n", Request(Op.REMOVE, "S", match=match)) is (
            Outcome.NOOP_NO_MATCH
        )


def test_long_texts_are_compared_to_their_end():
    """K8: two entries of thousands of characters are equal only when all of them are."""
    long = "The tomato bed is watered. " * 100
    text = f"## S\n- {long}first\n"
    assert came_to(text, Request(Op.APPEND, "S", line=f"{long}second")) is Outcome.APPLIED
    assert came_to(text, Request(Op.APPEND, "S", line=f"{long}first")) is Outcome.NOOP_DUP


def test_an_empty_document_gets_no_section_where_a_subsection_is_meant():
    """M4: only an append to a section makes the first heading of an empty document."""
    deep = Request(Op.APPEND, "A", "B", line="x", name=DocumentName.NOTES)
    second = Request(Op.APPEND, "A", line="x", occurrence=2, name=DocumentName.NOTES)
    assert came_to("", deep) is Code.HEADING_MISSING
    assert came_to("", second) is Code.HEADING_MISSING


def test_equal_headings_are_listed_as_they_are_counted():
    """M1: the numbers in a list of equal headings are those that ``occurrence`` takes."""
    text = "## Notes\n\n## notes\n\n## Notes\n"
    found = sections.plan(Document.of(text), Request(Op.REMOVE_HEADING, "Notes"))
    assert [one.line for one in found.candidates] == [1, 3, 5]
