"""Fields: `## ` headings with one value below them, as SOUL.md has them (product.md 1, 2)."""

from __future__ import annotations

from memory import edits
from memory.document import Document, Entry, EntryKind, Heading
from memory.sectionplaces import candidates, home, is_pinned, matching
from memory.sectionrequest import (
    Code,
    Fault,
    Noop,
    Op,
    Outcome,
    Planned,
    Request,
    Result,
    unmarked,
)


def set_value(document: Document, request: Request) -> Result:
    """Give a field that exists another value, or its first one.

    A value is a bullet or a paragraph, and keeps its form. A heading with more below it is no
    field (``field_only``).
    """
    field = home(document, request)
    if not isinstance(field, Heading):
        return field or Fault(Code.MISSING_FIELD, "heading")
    if request.automatic and is_pinned(document, field.line):
        return Fault(Code.PINNED_SECTION, "heading")
    values = [e for e in document.entries if e.span.start in field.body]
    deeper = any(h.line in field.body for h in document.headings)
    if deeper or len(values) > 1 or any(e.kind is EntryKind.FENCE for e in values):
        return Fault(Code.FIELD_ONLY, "heading", candidates=candidates(values))
    if request.match and not matching(values, request.match):
        return Noop(Outcome.NOOP_NO_MATCH)
    return _valued(document, field, values[0] if values else None, request)


def _valued(document: Document, field: Heading, value: Entry | None, request: Request) -> Result:
    text = unmarked(request.line or "")
    if not (value and value.marker) and not _is_paragraph(text):
        return Fault(Code.FIELD_ONLY, "line")
    if value is None:
        hunks = edits.insert(document, field.body, text)
        return Planned(Op.REPLACE, hunks, after=text, heading=field.title)
    if value.text == text:
        return Noop(Outcome.NOOP_DUP, candidates((value,)))
    before = edits.prefix(document, value) if value.marker else ""
    hunks = edits.splice(document, {value.span: (before + text,)})
    return Planned(Op.REPLACE, hunks, value.text, text, field.title)


def _is_paragraph(text: str) -> bool:
    """Whether a line alone is read as prose, so that it stays one value."""
    return [e.kind for e in Document.of(text).entries] == [EntryKind.PARAGRAPH]
