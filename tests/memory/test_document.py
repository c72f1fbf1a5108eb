"""Documents: bytes in, the same bytes out; headings and entries as a Markdown parser sees them."""

import importlib.util
import pathlib
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memory.document import Document, EntryKind, LineKind, Span

ODD = "\n\r\t \u2028\u2029\x0b\x0c\x00\x85\ufeff#-*`~1.ažé"


@given(st.one_of(st.text(), st.text(alphabet=ODD)))
def test_parse_and_join_are_identity(text):
    """Any text comes back byte for byte, whatever its line ends (W2)."""
    data = text.encode("utf-8", "surrogatepass")
    if "\ud800" <= max(text, default="") <= "\udfff":
        return
    document = Document.parse(data)
    assert document.to_bytes() == data
    assert document.count == text.count("\n") + (not text.endswith("\n") and text != "")
    assert len(document.entries) == len({e.span.start for e in document.entries})


@given(st.text(alphabet=ODD, max_size=60))
def test_entries_hold_every_content_line_once(text):
    """Each text or fence line lies in exactly one entry; blanks, headings and rules in none (C2)."""
    document = Document.of(text)
    inside = [line for e in document.entries for line in range(e.span.start, e.span.stop)]
    content = [i for i, k in enumerate(document.kinds) if k in (LineKind.TEXT, LineKind.FENCE)]
    assert inside == content


@pytest.mark.parametrize("data", [b"\xff", b"\xc3", b"- a\n\xed\xa0\x80\n", b"\x80abc"])
def test_no_utf8_is_an_error(data):
    """Bytes that are not UTF-8 are refused, never guessed (W3)."""
    with pytest.raises(UnicodeDecodeError):
        Document.parse(data)


WORDS = st.lists(
    st.sampled_from(
        ["tea", "žluťoučký", "**bold**", "`x | y`", "C#", "2024.", "- no", "#tag", "<!-- c -->"]
    ),
    min_size=1,
    max_size=4,
).map(" ".join)


def plain(words):
    """Words that do not begin like a list item or an HTML block."""
    return "w " + words


class Writer:
    """Builds Markdown, remembering nothing: markdown-it-py is asked what it is."""

    def __init__(self, draw):
        self.draw, self.lines = draw, []

    def heading(self):
        marks = "#" * self.draw(st.integers(1, 6))
        closing = self.draw(st.sampled_from(["", "", " #", " ##  "]))
        self.lines.append(f"{marks} {self.draw(WORDS)}{closing}")

    def bullets(self):
        marker = self.draw(st.sampled_from(["-", "*", "+", "1."]))
        for _ in range(self.draw(st.integers(1, 3))):
            self.item("", marker, self.draw(st.integers(0, 2)))

    def item(self, indent, marker, depth):
        box = self.draw(st.sampled_from(["", "", "[x] "]))
        self.lines.append(f"{indent}{marker} {box}{plain(self.draw(WORDS))}")
        inner = indent + " " * (len(marker) + 1)
        if self.draw(st.booleans()):
            self.lines.append(inner + plain(self.draw(WORDS)))
        if self.draw(st.integers(0, 4)) == 0:
            self.fence(inner)
        elif depth and self.draw(st.booleans()):
            self.item(inner, marker, depth - 1)

    def fence(self, indent=""):
        mark = self.draw(st.sampled_from(["```", "~~~~", "`````"]))
        body = self.draw(st.lists(st.sampled_from(["## no", "- no", "", "``", "x"]), max_size=3))
        self.lines += [indent + mark + "sh", *(indent + b for b in body), indent + mark]

    def paragraph(self):
        for _ in range(self.draw(st.integers(1, 3))):
            self.lines.append(plain(self.draw(WORDS)))
        self.lines.append("")

    def rule(self):
        self.lines += ["", self.draw(st.sampled_from(["---", "***", "_ _ _", "* * *"])), ""]

    def table(self):
        self.lines += ["", "| a | b |", "|---|---|", "| 1 | - x |", ""]


@st.composite
def markdown(draw):
    """Headings, nested bullets with continuation lines, fences, paragraphs, rules and tables."""
    writer = Writer(draw)
    for _ in range(draw(st.integers(0, 7))):
        name = draw(
            st.sampled_from(
                ["heading", "bullets", "bullets", "fence", "paragraph", "rule", "table"]
            )
        )
        getattr(writer, name)()
        writer.lines += [""] * draw(st.integers(name != "heading", 2))
    return draw(st.sampled_from(["\n", "\r\n"])).join(writer.lines)


TOP_LEVEL = ("paragraph_open", "table_open", "fence", "html_block")


def oracle(text):
    """What markdown-it-py finds: headings (line, level, title) and the first lines of entries."""
    headings, starts, depth = [], [], 0
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    for index, token in enumerate(tokens):
        depth += token.nesting if token.type.startswith("list_item") else 0
        if token.type == "heading_open":
            headings.append((token.map[0], len(token.markup), tokens[index + 1].content))
        elif token.type == "list_item_open" or (token.type in TOP_LEVEL and not depth):
            starts.append(token.map[0])
    return headings, sorted(starts)


@settings(max_examples=400, deadline=None)
@given(markdown())
def test_structure_equals_a_markdown_parser(text):
    """Headings and entries are those of markdown-it-py.

    On purpose we differ, and the strategy stays off it: numbers of more than three digits are no
    markers (a year begins no list) and any shorter one may follow a text line; nothing is code by
    indentation; `===` and `---` below a text make no heading; headings are not indented; a blank
    line ends an entry, so a second paragraph of an item is an entry (a child, see `block`).
    """
    document = Document.of(text)
    headings, starts = oracle(text)
    assert [(h.line, h.level, h.title) for h in document.headings] == headings
    assert [e.span.start for e in document.entries] == starts


@settings(max_examples=200, deadline=None)
@given(markdown())
def test_blocks_equal_a_markdown_parser(text):
    """An entry with its children spans what the parser's list item spans, blank ends aside (M4)."""
    document = Document.of(text)
    items = {t.map[0]: t.map[1] for t in MarkdownIt().parse(text) if t.type == "list_item_open"}
    for entry in document.entries:
        if entry.kind is EntryKind.BULLET:
            span = document.block(entry)
            rest = document.lines[span.stop : items[span.start]]
            assert span.stop <= items[span.start]
            assert not "".join(rest).strip()


DATA = pathlib.Path(__file__).parents[2] / "benchmarks" / "data"
FILES = sorted((DATA / "compaction").glob("*/*.md"))


def load_checker():
    spec = importlib.util.spec_from_file_location("check_compaction", DATA / "check_compaction.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECKER = load_checker()


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_structure_equals_the_benchmark(path):
    """Entries, line kinds and sections of the public files are those its scorer sees (C2)."""
    document, other = Document.parse(path.read_bytes()), CHECKER.Doc(CHECKER.read_lines(path))
    entries = [list(range(e.span.start + 1, e.span.stop + 1)) for e in document.entries]
    names = {"head": "heading", "hr": "rule"}
    assert entries == other.entries()
    assert document.lines == tuple(other.lines)
    assert [str(kind) for kind in document.kinds] == [names.get(k, k) for k in other.kind]
    assert [(a + 1, b + 1) for a, b in document.places] == other.sect


ON_PURPOSE = {
    "a year is no marker": ("- born in\n1984. a good year\n", ["born in 1984. a good year"]),
    "a number under a text begins an entry": ("text\n2. two\n", ["text", "two"]),
    "no code by indentation": ("\n    - deep\n", ["deep"]),
    "no heading by underlining": ("Title\n---\nmore\n", ["Title", "more"]),
    "an indented heading is text": ("- a\n  ## b\n", ["a ## b"]),
    "an indented fence closes at its mark only": ("- a\n  ```\n# b\n  ```\n", ["a ``` # b ```"]),
    "html is text": ("<div>\n- a\n</div>\n", ["<div>", "a </div>"]),
    "a marker alone is text": ("-\n- a\n", ["-", "a"]),
    "a tag is no heading": ("#tag\n", ["#tag"]),
    "inline code is no fence": ("```ls``` lists\n\n## H\n- a\n", ["```ls``` lists", "a"]),
    "a fence of tildes holds backticks": ("~~~\n```\n~~~\n- a\n", ["~~~ ``` ~~~", "a"]),
    "two fences are two entries": ("```\na\n```\n```\nb\n```\n", ["``` a ```", "``` b ```"]),
    "text below a fence is another entry": ("```\na\n```\ntext\n", ["``` a ```", "text"]),
    "a mark with words closes nothing": ("```\n```x\n- a\n```\n- b\n", ["``` ```x - a ```", "b"]),
    "a longer mark closes": ("```\na\n`````\n- b\n", ["``` a `````", "b"]),
    "a shorter mark closes nothing": ("````\n```\n- b\n", ["```` ``` - b"]),
    "a blank line ends an entry": ("- a\n\n  b\n", ["a", "b"]),
    "an open fence runs to the end": ("```\n## a\n- b\n", ["``` ## a - b"]),
    "a mark does not hide the first heading": ("\ufeff## H\n- a\n", ["a"]),
    "line separators do not end lines": ("- a\u2028- b\x0c- c\r- d\n", ["a\u2028- b\x0c- c\r- d"]),
}


@pytest.mark.parametrize("case", ON_PURPOSE)
def test_where_we_differ_or_are_easily_wrong(case):
    """The entries of small documents, each named by its rule (docs/format.md)."""
    text, entries = ON_PURPOSE[case]
    assert [e.text for e in Document.of(text).entries] == entries


def test_places_and_pins():
    """An entry knows its `##` and `###`; a pin is a byte-exact end of a `##` heading (M4)."""
    document = Document.of(
        "- a\n# T\n## S <!-- pinned -->\n- b\n### U <!-- pinned -->\n- c\n#### V\n- d\n## W <!-- Pinned -->\n"
    )
    assert [(e.section, e.subsection) for e in document.entries] == [
        (-1, -1),
        (2, -1),
        (2, 4),
        (2, 6),
    ]
    assert [h.pinned for h in document.headings] == [False, True, False, False, False]
    assert [(h.body.start, h.body.stop) for h in document.headings] == [
        (2, 9), (3, 8), (5, 8), (7, 8), (9, 9)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("- a\n  - b\n    - c\n- d\n", (0, 3)),
        ("- a\n\n  second\n\n  - b\n- d\n", (0, 5)),
        ("- a\n\n- d\n", (0, 1)),
        ("- a\n---\n  - b\n", (0, 1)),
        ("- a\n## H\n  - b\n", (0, 1)),
    ],
    ids=["nested", "across-blanks", "sibling", "rule-between", "heading-between"],
)
def test_block(text, first):
    """An entry goes with deeper indented entries below it, across blank lines only (M4)."""
    document = Document.of(text)
    assert document.block(document.entries[0]) == Span(*first)


@pytest.mark.parametrize(
    ("text", "newline"),
    [("a\r\nb\n", "\r\n"), ("a\nb\r\n", "\n"), ("a", "\n"), ("", "\n")],
    ids=["crlf", "lf", "none", "empty"],
)
def test_newline(text, newline):
    """New lines take the first terminator of the document (W2)."""
    assert Document.of(text).newline == newline


def hostile(count):
    return {
        "fences": "```\n" * count,
        "deep": "".join(f"{' ' * (i % 400)}- x\n" for i in range(count)),
        "blanks in one line": "# a" + " " * (count * 10) + "b\n- " + " " * (count * 10) + "\nx",
        "rules": "- " * count + "x",
        "backticks": "`" * count + " " + "`" * count,
    }


@pytest.mark.parametrize("case", hostile(0))
def test_no_line_is_slow(case):
    """Structure is found in linear time, whatever stands in the file."""
    document = Document.of(hostile(20_000)[case])
    start = time.process_time()
    assert sum(len(document.block(e)) for e in document.entries[:1000]) > 0
    assert time.process_time() - start < 1.5


def test_25000_lines():
    """Parsing, entries and all blocks of 25,000 lines take half a second at most (C1)."""
    part = (
        "## S\n\n- fact one — with a date 2026-01-02\n  continued\n  - child\n\n### T\n- b\n- c\n\n"
    )
    data = (part * 2500).encode()
    start = time.process_time()
    document = Document.parse(data)
    blocks = [document.block(e) for e in document.entries]
    assert time.process_time() - start < 0.5
    assert len(blocks) == 10_000
