"""A section operation done for a person: guarded, planned under the lock, journalled (M1, W6)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from curation import admission
from handlers.browsing import sectionwords
from handlers.context import Turn
from handlers.keeping import cards
from handlers.messages.voice import Voice
from memory.document import Document
from memory.sectionrequest import flaw
from memory.sections import Op, Planned, Request, Result, edit
from memory.spaces import DocumentRef
from memory.store import Item

SECTION = "section"
"""The key of the one item of such an operation."""


@dataclass(frozen=True, slots=True)
class Barred:
    """The text may not be stored; ``why`` is the id of the sentence that says so (W6)."""

    why: str


@dataclass(frozen=True, slots=True)
class Done:
    """What came of it; ``op`` is the operation in the journal, "" when nothing was written."""

    result: Result | Barred
    op: str = ""


def perform(turn: Turn, ref: DocumentRef, request: Request, source: str = "chat") -> Done:
    """Do what is asked with a document; whoever asks has the right to, the caller saw to that.

    ``request.name`` and ``request.day`` are filled in from ``ref`` and the turn.

    Raises:
        DocumentError, StateError: as `Store.apply`.
    """
    request = replace(request, name=ref.name, day=f"{turn.today:%Y-%m-%d}")
    fault = flaw(request)
    if fault:
        return Done(fault)
    why = _barred(turn, ref, request)
    if why:
        return Done(Barred(why))
    return _written(turn, ref, _composed(request), source)


def sentence(voice: Voice, done: Done) -> str:
    """What is said about it, as HTML."""
    if isinstance(done.result, Barred):
        return voice(done.result.why)
    return sectionwords.sentence(voice, done.result)


def _barred(turn: Turn, ref: DocumentRef, request: Request) -> str:
    """The first reason why a text that would be stored may not be."""
    texts = [request.line]
    if request.op == Op.ADD_HEADING or (request.op == Op.APPEND and _is_void(turn, ref)):
        texts.append(request.heading)
    return next(filter(None, (cards.forbidden(turn, text) for text in texts if text)), "")


def _is_void(turn: Turn, ref: DocumentRef) -> bool:
    """Whether nothing stands in a document, so that an append makes its first heading."""
    document = turn.services.store.read(ref).document
    return not any(line.strip() for line in document.lines)


def _composed(request: Request) -> Request:
    """The request with the texts that get stored in NFC."""
    heading, line = request.heading, request.line
    return replace(
        request,
        heading=admission.composed(heading) if heading else heading,
        line=admission.composed(line) if line else line,
    )


def _written(turn: Turn, ref: DocumentRef, request: Request, source: str) -> Done:
    store, results = turn.services.store, list[Result]()
    item = Item(SECTION, edit(request, results.append))
    receipt = store.apply(ref, [item], turn.author(source), _step(request))
    if results:
        return Done(results[-1], receipt.op if isinstance(results[-1], Planned) else "")
    return Done(_again(turn, request, receipt.op), receipt.op)


def _step(request: Request) -> str:
    """The name of this step of a turn, without a word of its texts."""
    return hashlib.sha256(repr(request).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _again(turn: Turn, request: Request, op: str) -> Result:
    """What was answered to this request before a crash, by what the journal holds (W4)."""
    known = turn.services.store.operation(op)
    gone = Document.of("\n".join(known.removed if known else ())).entries
    whole = request.op in (Op.REMOVE_HEADING, Op.REMOVE_SUBHEADING)
    named = request.subheading or request.heading or ""
    before = named if whole else gone[0].text if gone else ""
    return Planned(Op(request.op), (), before, request.line or "", request.heading or "")
