"""Rows of an audit as numbered items of valid changes (C4), and cut into the night's limits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from curation.engine import Item, Proposal
from curation.findings import Finding
from curation.merging import Merge
from curation.notes import Note
from curation.sections import StaleBlock
from locales import Languages
from memory.changeset import Category, Change, Op
from memory.document import Document, Span

REASON_LENGTH = 120
WITHIN = "within"


@dataclass(frozen=True, slots=True)
class Row:
    """What becomes one item: the lines it touches, and why.

    ``within`` are deletions between the lines of a merge: they go with it, and are named in it.
    """

    op: Op
    span: Span
    text: str
    reason: str
    category: Category | None = None
    params: tuple[tuple[str, str], ...] = ()
    newer: int = -1
    certain: bool = True
    new_text: tuple[str, ...] = ()
    also: tuple[Span, ...] = ()
    file: str = "MEMORY.md"
    within: tuple[Row, ...] = ()

    @property
    def spans(self) -> tuple[Span, ...]:
        """All lines it touches; more than one span only in keep.md."""
        return (self.span, *self.also)

    @property
    def removes(self) -> int:
        """How many lines fewer there are afterwards."""
        return sum(map(len, self.spans)) - len(self.new_text)

    @property
    def evidence(self) -> str:
        """Where the newer line stands (``FILE:line``, 1-based), or the file that says the same."""
        return (
            f"{self.file}:{self.newer + 1}"
            if self.newer >= 0
            else dict(self.params).get("file", "")
        )


def line_row(notes: Sequence[Note], finding: Finding, newer: Note | None) -> Row:
    """A line that goes, together with the lines nested below it."""
    span = Span(notes[0].entry.span.start, notes[-1].entry.span.stop)
    text = notes[0].entry.text
    params = tuple(finding.params.items())
    line = newer.entry.span.start if newer else -1
    return Row(
        Op.DELETE, span, text, finding.reason, finding.category, params, line, finding.certain
    )


def block_row(stale: StaleBlock) -> Row:
    """A block that goes whole, heading first."""
    heading = stale.block.heading
    params = (("date", stale.ended.isoformat()), ("entries", str(len(stale.block.notes))))
    return Row(
        Op.DELETE,
        stale.span,
        "#" * heading.level + " " + heading.title,
        "stale_section",
        Category.STALE_SECTION,
        params,
        certain=stale.certain,
    )


def merge_row(merge: Merge) -> Row:
    """Neighbouring lines that become one."""
    reason = "merge_equal" if merge.equal else "merge_topic"
    text = merge.text.lstrip()
    return Row(Op.MERGE, merge.span, text, reason, certain=merge.certain, new_text=(merge.text,))


def fold_in(rows: Sequence[Row], wider: Sequence[Row]) -> tuple[Row, ...]:
    """The rows with wider ones added; rows inside a wider one become a part of it."""
    at = {line: n for n, row in enumerate(wider) for line in range(row.span.start, row.span.stop)}
    inner: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        if row.span.start in at:
            inner[at[row.span.start]] += row.within if row.op is Op.MERGE else (row,)
    kept = (row for row in rows if row.span.start not in at)
    return (*kept, *(_widened(row, inner[n]) for n, row in enumerate(wider)))


def _widened(row: Row, inner: Sequence[Row]) -> Row:
    return replace(row, within=(*row.within, *inner)) if row.op is Op.MERGE else row


def propose(document: Document, rows: Iterable[Row], languages: Languages) -> Proposal:
    """Number the rows: deletions in file order, then the others in file order.

    No more than half of the lines is proposed; what is uncertain gives way first.
    """
    chosen = _within_half(document, list(rows))
    ordered = sorted(chosen, key=lambda row: (row.op is not Op.DELETE, row.span.start))
    sentences = _english(languages)
    items = tuple(_item(n, row, document, sentences) for n, row in enumerate(ordered, 1))
    return Proposal(document.digest, items)


def _within_half(document: Document, rows: list[Row]) -> list[Row]:
    left = document.count // 2
    chosen = []
    for row in sorted(rows, key=lambda row: (not row.certain, row.span.start)):
        if row.removes <= left:
            chosen.append(row)
            left -= row.removes
    return chosen


def _english(languages: Languages) -> Mapping[str, str]:
    """The reasons of the log, which are English whatever is configured."""
    spoken = languages.grammar("en").table("reasons")
    return spoken or next(g.table("reasons") for g in languages.guards if g.table("reasons"))


def _item(number: int, row: Row, document: Document, sentences: Mapping[str, str]) -> Item:
    params = dict(row.params) | ({"evidence": row.evidence} if row.evidence else {})
    sure = [inner for inner in row.within if inner.certain]
    change = _change(row, document, sentences)
    if sure:
        params[WITHIN] = "\n".join(_noted(inner, document, sentences) for inner in sure)
    return Item(
        number,
        row.op,
        row.category,
        _told(row),
        (change,),
        row.reason,
        params,
        row.evidence,
        not row.certain or bool(row.within),
    )


def _change(row: Row, document: Document, sentences: Mapping[str, str]) -> Change:
    params = dict(row.params) | ({"evidence": row.evidence} if row.evidence else {})
    reason = sentences[row.reason].format(**params)
    if row.within:
        apart = ", ".join(dict.fromkeys(inner.category or "" for inner in row.within))
        reason = f"{reason}; between them [{apart}]"
    lines = tuple(line for span in row.spans for line in document.lines[span.start : span.stop])
    return Change(row.op, row.spans, lines, row.new_text, row.category, reason[:REASON_LENGTH])


def _told(row: Row) -> str:
    """The text of an item; what goes between merged lines is named behind a minus."""
    return "".join((row.text, *(f" (− [{inner.category}] {inner.text})" for inner in row.within)))


def _noted(row: Row, document: Document, sentences: Mapping[str, str]) -> str:
    """A deletion inside a merge as ``start-stop|category|reason`` (lines counted from 0)."""
    reason = _change(row, document, sentences).reason
    return f"{row.span.start}-{row.span.stop}|{row.category}|{reason}"
