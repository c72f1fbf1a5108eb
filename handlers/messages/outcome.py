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
    """Written to keep.md and read back (K9); ``op`` is the operation in the journal.

    ``offered``: it can be noted as a fact too. ``noted`` is the HTML of what became of that, and
    ``noted_op`` the change of facts that can be taken back, "" for none (T14).
    """

    entry: str
    op: str
    replaced: str = ""
    offered: bool = False
    noted: str = ""
    noted_op: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """Nothing written: ``document`` says the same already (K8)."""

    entry: str
    document: DocumentName = DocumentName.KEEP


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A related entry exists: the person chooses (K8).

    ``code`` is the place it is to be filed to, where that is not keep.md (S3).
    """

    entry: str
    existing: str
    relation: Relation
    document: DocumentName = DocumentName.KEEP
    ask_reason: bool = False
    code: str = ""


@dataclass(frozen=True, slots=True)
class NeedsReason:
    """A decision, preference or dead end without its why (K7)."""

    entry: str
    language: str = ""
    replaces: str = ""


@dataclass(frozen=True, slots=True)
class BelongsIn:
    """Its home is not keep.md (T6-T13); ``choices`` are codes of places a button files it to.

    ``exists``: the named project's or topic's file is there already, perhaps by another title
    that gives the same name; ``near`` is an existing one with nearly that name. ``lines``
    is the length of an index that takes no new topic, else 0 (S1).
    """

    home: Home
    entry: str
    target: str = ""
    choices: tuple[str, ...] = ()
    exists: bool = False
    near: str = ""
    lines: int = 0


@dataclass(frozen=True, slots=True)
class Persona:
    """A field of SOUL.md that gets another value when the person says so (T11)."""

    entry: str
    heading: str
    old: str


@dataclass(frozen=True, slots=True)
class Fieldless:
    """SOUL.md has no field for it, or is not there; no section is added (T11)."""

    entry: str
    exists: bool


@dataclass(frozen=True, slots=True)
class Uncertain:
    """Said with a "maybe": stored as ``marked`` or as certain when the person agrees (T15)."""

    entry: str
    marked: str
    language: str = ""
    ask_reason: bool = False


@dataclass(frozen=True, slots=True)
class Full:
    """The index has ``lines`` lines, so that no new topic is begun; nothing was written (S1)."""

    entry: str
    lines: int


@dataclass(frozen=True, slots=True)
class Moving:
    """An entry of keep.md that the person wants somewhere else; ``choices`` as above."""

    entry: str
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Filed:
    """Written to another document; ``where`` is the place as it is shown.

    ``replaced`` is the entry or value that gave way. ``pointer`` is the place of a topic's new
    pointer, ``lines`` the length of an index that should be tidied soon, else 0 (S1, S2).
    """

    entry: str
    where: str
    op: str
    replaced: str = ""
    pointer: str = ""
    lines: int = 0


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
class Reminding:
    """Something to be told at a moment, when the person says so (T9).

    ``entry`` is the whole wish and ``text`` what is told; ``at`` is the moment in ISO form with
    its offset, "" while it is asked for, and ``problem`` says why. ``exact``: a time of day was
    said. ``calendar``: it is an appointment that is not kept (T3). ``beside`` is what the answer
    to "when?" said beside the time, and is not used.
    """

    entry: str
    text: str
    at: str = ""
    exact: bool = True
    problem: str = ""
    calendar: bool = False
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Reminded:
    """It will be told at that moment."""

    entry: str
    at: str


@dataclass(frozen=True, slots=True)
class Unreminded:
    """The person wants no reminder of it."""

    entry: str


@dataclass(frozen=True, slots=True)
class Dropped:
    """The person decided against it; nothing was written."""

    entry: str


Open = (
    Duplicate
    | NeedsReason
    | BelongsIn
    | Moving
    | Unfaithful
    | Foreign
    | Suspicious
    | Persona
    | Uncertain
    | Reminding
)
Done = Kept | Known | Filed | Refused | Vague | Dropped | Fieldless | Full | Reminded | Unreminded
Outcome = Ready | Open | Done

_ASKING = (
    Duplicate | NeedsReason | Unfaithful | Foreign | Suspicious | Persona | Uncertain | Reminding
)


def waits(outcome: Outcome) -> bool:
    """Whether a person still has to decide."""
    if isinstance(outcome, BelongsIn):
        return bool(outcome.choices)
    return isinstance(outcome, _ASKING)
