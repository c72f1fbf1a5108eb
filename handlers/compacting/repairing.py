"""Carrying out one repair of the index: all of its changes, or none of them (S5, S2).

A topic moves to the archive in three steps, so that it stands somewhere whole at any moment: its
lines are written to the archive, then the topic is emptied, then its pointer goes. A file of
ours is never removed: the emptied one stays without a byte and counts as no topic any more. Undo
takes the steps back from the last one on.
"""

from __future__ import annotations

from dataclasses import dataclass

from curation.governance import Matter, Repair
from handlers.context import Turn
from memory import strays
from memory.document import Document
from memory.edits import Edit, Hunk
from memory.errors import DocumentError, Unfinished
from memory.operations import WITH
from memory.pointers import link, relink, unlink
from memory.spaces import DocumentName, DocumentRef, personal
from memory.store import Item, Receipt


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a repair: its last operation, or that it was left out.

    Neither: there was nothing to do any more.
    """

    op: str = ""
    skipped: bool = False


_SKIPPED = Outcome(skipped=True)


def carry_out(turn: Turn, number: int, repair: Repair) -> Outcome:
    """Repair one thing on the files as they stand now (D5).

    Raises:
        DocumentError: as `Store.apply`.
    """
    if repair.matter is Matter.STALE:
        return _Move(turn, number, repair).carried_out()
    if not _holds(turn, repair):
        return _SKIPPED
    index = DocumentRef(personal(turn.person.id), DocumentName.INDEX)
    return _outcome(_written(turn, index, _edit(turn, repair), f"{number}"))


def _holds(turn: Turn, repair: Repair) -> bool:
    """Whether the files still are as they were when the repair was proposed."""
    present = strays.present(turn.services.layout, personal(turn.person.id))
    match repair.matter:
        case Matter.DEAD:
            return repair.file not in present
        case Matter.MISNAMED:
            return repair.file not in present and repair.new in present
    return repair.file in present


def _edit(turn: Turn, repair: Repair) -> Edit:
    match repair.matter:
        case Matter.DEAD:
            return unlink(repair.file)
        case Matter.MISNAMED:
            return relink(repair.file, repair.new)
    return link(repair.new, repair.file, turn.policy.index_full)


def _written(turn: Turn, ref: DocumentRef, edit: Edit, step: str, after: str = "") -> Receipt:
    author = turn.author(WITH + after) if after else turn.author()
    item = Item(step.partition(" ")[0], edit)
    return turn.services.store.apply(ref, [item], author, f"tidy {step}")


def _outcome(receipt: Receipt) -> Outcome:
    return Outcome(receipt.op, bool(receipt.skipped))


class _Move:
    """A topic on its way to the archive."""

    def __init__(self, turn: Turn, number: int, repair: Repair) -> None:
        self._turn, self._number, self._repair = turn, number, repair
        space = personal(turn.person.id)
        self._topic = DocumentRef(space, DocumentName.TOPIC, repair.slug)
        self._archive = DocumentRef(space, DocumentName.ARCHIVE, repair.new)
        self._index = DocumentRef(space, DocumentName.INDEX)

    def carried_out(self) -> Outcome:
        """The copy, the emptied topic, the pointer; what fails takes the steps before it back."""
        done: list[str] = []
        try:
            return self._steps(done)
        except Unfinished:
            raise
        except DocumentError:
            self._back(done)
            raise

    def _steps(self, done: list[str]) -> Outcome:
        """The three steps; ``done`` grows by the operation of each."""
        for step in (self._copied, self._emptied):
            receipt = step(*done[-1:])
            if not receipt.op:
                self._back(done)
                return _SKIPPED
            done.append(receipt.op)
        pointer = self._step(self._index, unlink(self._repair.file), "pointer", done[-1])
        return Outcome(pointer.op or done[-1])

    def _back(self, done: list[str]) -> None:
        """Take back what was done, the last step first."""
        for op in reversed(done):
            self._turn.services.store.undo(op, self._turn.author("undo"))

    def _copied(self) -> Receipt:
        """The topic's lines in the archive, where nothing may stand yet."""
        document = self._turn.services.store.read(self._topic).document
        fresh = document.digest == self._repair.digest
        return self._step(self._archive, _filled(document if fresh else None), "copy")

    def _emptied(self, copy: str) -> Receipt:
        """No line left in the topic, if they are still those that were copied."""
        return self._step(self._topic, _empty(self._repair.digest), "topic", copy)

    def _step(self, ref: DocumentRef, edit: Edit, step: str, after: str = "") -> Receipt:
        return _written(self._turn, ref, edit, f"{self._number} {step}", after)


def _filled(whole: Document | None) -> Edit:
    """The lines of a document in an empty one; None where something stands, or nothing is whole."""

    def plan(document: Document) -> tuple[Hunk, ...] | None:
        return (Hunk(0, (), whole.raw),) if whole and not document.raw else None

    return plan


def _empty(digest: str) -> Edit:
    """Every line gone, if they are still those that were copied."""

    def plan(document: Document) -> tuple[Hunk, ...] | None:
        return (Hunk(0, document.raw, ()),) if document.digest == digest else None

    return plan
