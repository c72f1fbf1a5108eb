"""What became of one part of an input, as values.

`Open` outcomes wait for a person and stand on a stored card; the others are said and done.
"""

from __future__ import annotations

from dataclasses import dataclass

from curation.engine import Home, Refusal, Relation, Unclear
from memory.spaces import DocumentName


@dataclass(frozen=True, slots=True)
class Ready:
    """To be written now; ``replaces`` is the text of the entry that gives way, "" for none."""

    entry: str
    replaces: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """Written to keep.md and read back (K9); ``op`` is the operation in the journal."""

    entry: str
    op: str
    replaced: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """Nothing written: ``document`` says the same already (K8)."""

    entry: str
    document: DocumentName = DocumentName.KEEP


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A related entry exists: the person chooses (K8)."""

    entry: str
    existing: str
    relation: Relation
    document: DocumentName = DocumentName.KEEP
    ask_reason: bool = False


@dataclass(frozen=True, slots=True)
class NeedsReason:
    """A decision, preference or dead end without its why (K7)."""

    entry: str
    language: str = ""
    replaces: str = ""


@dataclass(frozen=True, slots=True)
class BelongsIn:
    """Its home is not keep.md (T6-T12); ``choices`` are places a button files it to.

    A choice is a document name, or ``user/<heading>``, or ``project/<slug>``. ``exists``: the
    named project's file is there already, perhaps by another title that gives the same name.
    """

    home: Home
    entry: str
    target: str = ""
    choices: tuple[str, ...] = ()
    exists: bool = False


@dataclass(frozen=True, slots=True)
class Moving:
    """An entry of keep.md that the person wants somewhere else; ``choices`` as above."""

    entry: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Filed:
    """Written to another document; ``where`` is the place as it is shown."""

    entry: str
    where: str
    op: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Not stored (T1-T5); the text is not here on purpose."""

    why: Refusal


@dataclass(frozen=True, slots=True)
class Vague:
    """The concrete fact is missing (K3)."""

    why: Unclear


@dataclass(frozen=True, slots=True)
class Unfaithful:
    """The rewrite lost something, so both are shown (K6)."""

    text: str
    entry: str


@dataclass(frozen=True, slots=True)
class Foreign:
    """Somebody else's words: shown first (K2, T5)."""

    text: str
    entry: str
    ask_reason: bool = False


@dataclass(frozen=True, slots=True)
class Suspicious:
    """Reads like an instruction to a program: stored only when the person insists (T5).

    ``veiled``: it has characters that hide or turn text, shown by their numbers (B16).
    """

    text: str
    veiled: bool = False


@dataclass(frozen=True, slots=True)
class Dropped:
    """The person decided against it; nothing was written."""

    entry: str


Open = Duplicate | NeedsReason | BelongsIn | Moving | Unfaithful | Foreign | Suspicious
Done = Kept | Known | Filed | Refused | Vague | Dropped
Outcome = Ready | Open | Done


def waits(outcome: Outcome) -> bool:
    """Whether a person still has to decide."""
    if isinstance(outcome, BelongsIn):
        return bool(outcome.choices)
    return isinstance(outcome, Duplicate | NeedsReason | Unfaithful | Foreign | Suspicious)
