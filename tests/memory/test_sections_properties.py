"""What holds for section operations on every document, shown on generated ones (W2, M1, M4)."""

from dataclasses import replace

from hypothesis import example, given
from hypothesis import strategies as st

from memory import sections
from memory.document import BOM, Document
from memory.edits import apply
from memory.sections import Code, Fault, Op, Outcome, Planned, Request
from memory.spaces import DocumentName

ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(["S", "- a", "#", "\ud800", "<!-- pinned -->", "append", "\u0301"]),
    st.lists(st.text(max_size=2), max_size=2),
)
NAMES = ("op", "heading", "subheading", "match", "line", "occurrence", "suboccurrence", "at", "x")


@given(
    st.dictionaries(st.sampled_from(NAMES), ODD),
    st.sampled_from(DocumentName),
    st.booleans(),
)
@example({"op": "append", "heading": "S", "line": "\ud800"}, DocumentName.USER, False)
def test_trap_l_nothing_raises_on_odd_values(obj, name, automatic):
    """M1, trap (l): whatever comes is answered by a value, and what is written is text."""
    request = sections.decode(obj)
    if isinstance(request, Request):
        request = replace(request, name=name, automatic=automatic)
        document = Document.of("## S\n- a\n### T\n- b\n")
        result = sections.plan(document, request)
        if isinstance(result, Planned):
            apply(document, result.hunks).to_bytes().decode()
        assert isinstance(sections.show(document, request), str | Fault)


TITLES = ("S", "s", "Č", "Desk <!-- pinned -->", "`#`", "T")
PIECES = st.sampled_from(
    [
        *(f"## {title}" for title in TITLES),
        *(f"### {title}" for title in TITLES),
        "- a",
        "- Tea, green",
        "* tea",
        "  + cafe\u0301",
        "  more",
        "1. one",
        "prose",
        "",
        "```",
        "---",
        "# top",
        "- [2026-01-01] a rule",
        "<!-- c -->",
    ]
)
TEXTS = st.builds(
    lambda mark, lines, last: mark + "".join(line + end for line, end in lines) + last,
    st.sampled_from(["", BOM]),
    st.lists(st.tuples(PIECES, st.sampled_from(["\n", "\n", "\r\n"])), max_size=12),
    st.one_of(st.just(""), PIECES),
)
HEADING = st.sampled_from(["S", "s", "Č", "desk", "Desk <!-- pinned -->", "T", "new"])
SUB = st.sampled_from([None, None, "S", "t", "Desk <!-- pinned -->"])
MATCH = st.sampled_from(["a", "tea", "café", "one", "rule", "more"])
LINE = st.sampled_from(["a", "Tea", "new one", "2024. x"])
WHICH = st.sampled_from([0, 0, 0, 1, 2])
ELSE = {
    "occurrence": WHICH,
    "name": st.sampled_from([DocumentName.USER, DocumentName.AGENTS, DocumentName.SOUL]),
    "day": st.just("2026-03-01"),
    "automatic": st.booleans(),
}
REQUESTS = st.one_of(
    st.builds(Request, st.just("append"), HEADING, SUB, line=LINE, **ELSE),
    st.builds(Request, st.just("add-heading"), HEADING, line=st.none() | LINE),
    st.builds(Request, st.just("remove"), HEADING, SUB, MATCH, at=WHICH, **ELSE),
    st.builds(Request, st.just("replace"), HEADING, SUB, MATCH, LINE, **ELSE),
    st.builds(Request, st.just("remove-heading"), HEADING, **ELSE),
    st.builds(Request, st.just("remove-subheading"), HEADING, SUB, suboccurrence=WHICH, **ELSE),
)


@given(TEXTS, REQUESTS)
def test_all_other_lines_stay(text, request):
    """W2: whatever is asked, every line that the request does not name stays byte for byte."""
    document = Document.of(text)
    result = sections.plan(document, request)
    if not isinstance(result, Planned):
        return
    after = apply(document, result.hunks)
    assert after.raw != document.raw
    assert names_only(document, after, result)


def names_only(document, after, planned):
    """Whether both texts are equal outside of one run of lines, which is what was named."""
    before, now = (list(map(plain, d.raw)) for d in (document, after))
    top = next(
        (i for i, (a, b) in enumerate(zip(before, now, strict=False)) if a != b),
        min(len(before), len(now)),
    )
    left = min(len(before), len(now)) - top
    end = next((i for i in range(left) if before[-1 - i] != now[-1 - i]), left)
    gone, come = before[top : len(before) - end], now[top : len(now) - end]
    return (
        all(allowed(planned, line) for line in come)
        and len(come) <= 4
        and (not gone or planned.before or not any(line.strip() for line in gone))
    )


def plain(raw):
    """A raw line without its end and the byte order mark: both may change beside an edit."""
    return raw.removeprefix(BOM).rstrip("\r\n")


def allowed(planned, line):
    """Whether a new line is blank, the heading, or the entry."""
    return not line.strip() or line == f"## {planned.heading}" or line.endswith(planned.after)


DESK = "\n~~~\n~~~\n## Desk <!-- pinned -->\n- calm\n  as can be\n### Manners\n- kind\n"
DESKS = st.sampled_from(["Desk <!-- pinned -->", "desk", "S"])
MANNERS = st.sampled_from([None, "Manners"])
ON_DESK = st.one_of(
    st.builds(Request, st.just("append"), DESKS, MANNERS, line=LINE),
    st.builds(Request, st.just("add-heading"), st.sampled_from(["New <!-- pinned -->", "new"])),
    st.builds(Request, st.just("remove"), DESKS, match=st.sampled_from(["calm", "kind"])),
    st.builds(Request, st.just("replace"), DESKS, match=st.sampled_from(["calm"]), line=LINE),
    st.builds(Request, st.just("remove-heading"), DESKS),
    st.builds(Request, st.just("remove-subheading"), DESKS, st.just("Manners")),
)


@given(TEXTS.filter(lambda text: "Desk" not in text and "```" not in text), ON_DESK)
def test_a_pin_holds_against_programs(text, request):
    """M4, B7: asked by a program, no line of a pinned section goes, and no pin is made."""
    document = Document.of(text + DESK)
    result = sections.plan(document, replace(request, automatic=True))
    if isinstance(result, Planned):
        after = list(map(plain, apply(document, result.hunks).raw))
        assert all(after.count(line) == 1 for line in DESK.splitlines()[3:])
        assert sum(line.endswith("<!-- pinned -->") for line in after if line[:3] == "## ") == 1


@given(TEXTS)
def test_whatever_is_listed_can_be_reached(text):
    """M4: each heading that is listed is reached by its title and its occurrence."""
    document = Document.of(text)
    for heading in sections.headings(document):
        request = Request(Op.SHOW, heading.title, occurrence=heading.occurrence)
        shown = sections.show(document, request)
        assert isinstance(shown, str)
        assert plain(shown.split("\n")[0]) == document.lines[heading.line - 1]


@given(TEXTS, REQUESTS)
@example("", Request(Op.APPEND, "S", line="a", occurrence=2))
def test_asking_twice_changes_nothing_more(text, request):
    """M1: what was applied is not applied again by the same request."""
    document = Document.of(text)
    result = sections.plan(document, request)
    if not isinstance(result, Planned) or request.op not in (Op.APPEND, Op.ADD_HEADING):
        return
    again = sections.plan(apply(document, result.hunks), request)
    known = again.code if isinstance(again, Fault) else again.outcome
    assert known in (Outcome.NOOP_DUP, Code.HEADING_EXISTS)
