"""The values of judgement, and the protocol every engine answers with (E1).

An engine proposes; it never writes, never approves, and knows no disk and no Telegram.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Protocol

from memory.changeset import Category, Change, Op
from memory.document import Document


class Kind(StrEnum):
    """What a kept entry is; all but FACT carry their reason inline (K7)."""

    FACT = "fact"
    PREFERENCE = "preference"
    DECISION = "decision"
    DEAD_END = "dead_end"


class Home(StrEnum):
    """Where an input belongs when it is not keep.md (T6-T13)."""

    AGENT_RULE = "agent_rule"
    SKILL_RULE = "skill_rule"
    NOTE = "note"
    PROJECT = "project"
    REMINDER = "reminder"
    GROUP = "group"
    PROCEDURE = "procedure"
    SOUL = "soul"
    TOPIC = "topic"


class Aspect(StrEnum):
    """What of its home an input is about: the bot's name or persona, the agent's work or manner."""

    NONE = ""
    NAME = "name"
    PERSONA = "persona"
    WORK = "work"
    MANNER = "manner"


class Refusal(StrEnum):
    """Why an input is not stored (T1-T5)."""

    SECRET = "secret"
    HEALTH_VALUE = "health_value"
    CALENDAR_DATE = "calendar_date"
    OTHER_PERSON = "other_person"
    SMALLTALK = "smalltalk"
    META = "meta"
    INJECTION = "injection"
    TRANSIENT = "transient"


class Unclear(StrEnum):
    """Why the concrete fact is asked for (K3)."""

    VAGUE = "vague"
    PRONOUN_ONLY = "pronoun_only"
    EMPTY = "empty"


class Relation(StrEnum):
    """How a new entry relates to a known one (K8)."""

    EXACT = "exact"
    SAME = "same"
    EXTENDS = "extends"
    CONTRADICTS = "contradicts"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True)
class Keep:
    """Storable in keep.md.

    ``entry`` is the terse line without ``- ``. ``losses`` names what the guard missed
    (K6: "number", "negation", "name", ...); when it is not empty the entry must not be saved
    unasked. ``ask_reason``: a decision, preference or dead end without its why (K7). ``doubt``
    is the mark in its language for what was said with a "maybe", "" for a certain entry (T15).
    """

    entry: str
    kind: Kind
    ask_reason: bool = False
    losses: tuple[str, ...] = ()
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Route:
    """Belongs elsewhere; ``entry`` is the terse line.

    ``target`` is the name of a topic or project, skills joined by blanks, or the bot's new name
    or persona.
    """

    home: Home
    entry: str
    target: str = ""
    losses: tuple[str, ...] = ()
    aspect: Aspect = Aspect.NONE


@dataclass(frozen=True, slots=True)
class Refuse:
    """Not stored, with the reason a person is told."""

    why: Refusal


@dataclass(frozen=True, slots=True)
class Ask:
    """Too vague to store."""

    why: Unclear


Verdict = Keep | Route | Refuse | Ask


@dataclass(frozen=True, slots=True)
class Part:
    """A span of the input with its verdict; ``text`` is that span as typed."""

    text: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of one input: at least one part; more when it was split.

    ``language`` is the code of the language it was said in, "" when unknown (L2).
    """

    parts: tuple[Part, ...]
    language: str


@dataclass(frozen=True, slots=True)
class Match:
    """The nearest known entry: ``index`` into the existing ones, None when DIFFERENT."""

    relation: Relation
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Companion:
    """A document that is only read while auditing: its file name and its entries' texts."""

    name: str
    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """One numbered row of a proposal (C4); numbers start at 1 and never change.

    ``changes`` are applied together. ``reason`` is a message id below ``reason.`` (for example
    ``superseded_by``) with ``params`` for it; ``evidence`` is ``FILE:line`` (1-based) or "".
    ``borderline`` items are shown with a mark and are not taken by the night.
    """

    number: int
    op: Op
    category: Category | None
    text: str
    changes: tuple[Change, ...]
    reason: str
    params: dict[str, str] = field(default_factory=dict)
    evidence: str = ""
    borderline: bool = False


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change-set shown to a person, made from the document with this digest."""

    digest: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Hints:
    """What is known before reading: Telegram's language code, and that of the words of command.

    ``foreign`` marks text that somebody else wrote (forward, quote, group text; T5, K2).
    """

    language: str = ""
    foreign: bool = False
    trigger: str = ""


class Engine(Protocol):
    """Judgement; the rules engine and, later, a model implement it."""

    def judge(self, text: str, hints: Hints) -> Judgement:
        """Split an input, find each part's home, and rewrite what is kept (K4-K7, T1-T15)."""

    def with_reason(self, entry: str, reason: str, language: str) -> str:
        """The entry with its reason inline, ``<entry> — because <reason>`` in its language (K7)."""

    def compare(self, entry: str, existing: Sequence[str]) -> Match:
        """How an entry relates to known ones; any stored text is fine, markers removed (K8)."""

    def audit(self, document: Document, companions: Sequence[Companion], today: date) -> Proposal:
        """One exhaustive proposal for MEMORY.md (C2, C3)."""

    def shrink(self, document: Document, target: int, today: date) -> Proposal:
        """A proposal that brings keep.md towards ``target`` lines (K10); profile keep."""
