"""Rows of an audit as numbered items of valid changes (C4), and cut into the night's limits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from curation.engine import Item, Proposal
from curation.findings import Finding
from curation.merging import Merge
from curation.notes import Note
from curation.sections import StaleBlock
from locales import Languages
from memory.changeset import Category, Change, Op
from memory.document import Document, Span

REASON_LENGTH = 120


@dataclass(frozen=True, slots=True)
class Row:
    """What becomes one item: the lines it touches, and why."""

    op: Op
    spans: tuple[Span, ...]
    text: str
    reason: str
    category: Category | None = None
    params: tuple[tuple[str, str], ...] = ()
    evidence: str = ""
    certain: bool = True
    new_text: tuple[str, ...] = ()


def line_row(notes: Sequence[Note], finding: Finding) -> Row:
    """A line that goes, together with the lines nested below it."""
    span = Span(notes[0].entry.span.start, notes[-1].entry.span.stop)
    text = notes[0].entry.text
    params = tuple(finding.params.items())
    return Row(
        Op.DELETE,
        (span,),
        text,
        finding.reason,
        finding.category,
        params,
        finding.evidence,
        finding.certain,
    )


def block_row(stale: StaleBlock) -> Row:
    """A block that goes whole, heading first."""
    heading = stale.block.heading
    params = (("date", stale.ended.isoformat()), ("entries", str(len(stale.block.notes))))
    return Row(
        Op.DELETE,
        (stale.span,),
        "#" * heading.level + " " + heading.title,
        "stale_section",
        Category.STALE_SECTION,
        params,
        certain=stale.certain,
    )


def merge_row(merge: Merge) -> Row:
    """Neighbouring lines that become one."""
    span = Span(merge.notes[0].entry.span.start, merge.notes[-1].entry.span.stop)
    reason = "merge_equal" if merge.equal else "merge_topic"
    text = merge.text.lstrip()
    return Row(Op.MERGE, (span,), text, reason, certain=merge.certain, new_text=(merge.text,))


def propose(document: Document, rows: Iterable[Row], languages: Languages) -> Proposal:
    """Number the rows: deletions in file order, then the others in file order."""
    ordered = sorted(rows, key=lambda row: (row.op is not Op.DELETE, row.spans[0].start))
    sentences = _english(languages)
    items = tuple(_item(n, row, document, sentences) for n, row in enumerate(ordered, 1))
    return Proposal(document.digest, items)


def _english(languages: Languages) -> Mapping[str, str]:
    """The reasons of the log, which are English whatever is configured."""
    return next(g.table("reasons") for g in languages.guards if g.table("reasons"))


def _item(number: int, row: Row, document: Document, sentences: Mapping[str, str]) -> Item:
    reason = sentences[row.reason].format(**dict(row.params))[:REASON_LENGTH]
    lines = tuple(line for span in row.spans for line in document.lines[span.start : span.stop])
    change = Change(row.op, row.spans, lines, row.new_text, row.category, reason)
    return Item(
        number,
        row.op,
        row.category,
        row.text,
        (change,),
        row.reason,
        dict(row.params),
        row.evidence,
        not row.certain,
    )
