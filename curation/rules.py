"""The rules engine: judgement offline, by the word lists and patterns of the languages (E1)."""

from __future__ import annotations

import copy
import re
from collections import OrderedDict
from collections.abc import Sequence
from datetime import date
from functools import cached_property
from threading import Lock

from curation import duplicates, reason
from curation.addressing import Place, certain, subject, to_confirm
from curation.audit import audit
from curation.duplicates import Index
from curation.engine import (
    Companion,
    Engine,
    Hints,
    Home,
    Judgement,
    Keep,
    Match,
    Part,
    Proposal,
    Relation,
    Route,
    Verdict,
)
from curation.guard import LENGTH
from curation.rewrite import noted, rewrite
from curation.shrink import shrink
from curation.split import parted
from curation.triage import Finding, triage
from locales import Grammar, Languages, flat
from memory.document import Document
from memory.folding import strict

_INDEXES = 256
_INDEXED = 100_000
_LONGEST_HEARD = 1000
_LONGEST_COMPARED = 1000
_WORD = re.compile(r"[^\W\d_\u3400-\u9fff]+|[\u3400-\u9fff]")


class Rules(Engine):
    """Everything an engine answers, without a model and without a network.

    Order: split, refuse, vague, home, then rewrite and guard. It may be called from several
    threads: the indexes of known entries are used under a lock.
    """

    def __init__(self, languages: Languages) -> None:
        """Use these languages; their dictionaries are read at first use."""
        self._languages = languages
        self._indexes: OrderedDict[tuple[str, str], Index] = OrderedDict()
        self._lock = Lock()

    def judge(self, text: str, hints: Hints) -> Judgement:
        """Split an input, find each part's home, and rewrite what is kept (K4-K7, T1-T15)."""
        heard = {hints.trigger: 1.0} if hints.trigger else hints.language
        language = self._languages.detect(text[:_LONGEST_HEARD], heard)
        whole = triage(text, self._languages, language)
        parts = parted(text, whole, self._languages, language)
        if parts == (text,):
            return Judgement((Part(text, self._verdict(text, whole, language)),), language)
        found = (triage(part, self._languages, language) for part in parts)
        verdicts = (self._verdict(*each, language) for each in zip(parts, found, strict=True))
        return Judgement(tuple(map(Part, parts, verdicts)), language)

    def _verdict(self, part: str, found: Finding | None, language: str) -> Verdict:
        if found is not None and not isinstance(found, Place):
            return found
        grammar = self._languages.grammar(language)
        if isinstance(found, Place):
            return _routed(part, found, grammar)
        sure = certain(part, grammar)
        said = rewrite(sure or part, grammar)
        about = subject(part, grammar) if LENGTH in said.losses else ""
        if about:
            return Route(Home.TOPIC, said.entry, about, said.losses)
        doubt = to_confirm(grammar) if sure else ""
        return Keep(said.entry, said.kind, said.ask_reason, said.losses, doubt)

    def with_reason(self, entry: str, reason_: str, language: str) -> str:
        """The entry with its reason inline, in its language (K7)."""
        return reason.with_reason(entry, reason_, self._languages.grammar(language))

    def compare(self, entry: str, existing: Sequence[str]) -> Match:
        """How an entry relates to known ones; any stored text is fine, markers removed (K8).

        The keys of ``existing`` are cached: asking again with the same entries, or with more
        behind them, costs only the new ones. An endless entry is only known when it repeats one.
        """
        if len(entry) > _LONGEST_COMPARED:
            return _repeated(entry, existing)
        grammar = self._speech(entry)
        with self._lock:
            found = duplicates.compare(entry, self._index(existing, grammar))
        if found.index is not None and self._turned(entry, existing[found.index], found.relation):
            return Match(Relation.CONTRADICTS, found.index)
        return found

    def _turned(self, entry: str, known: str, relation: Relation) -> bool:
        """Whether a negation of any language is what tells two near entries apart."""
        apart = _words(entry) ^ _words(known)
        denying = apart & self._negations
        if relation is Relation.SAME:
            return bool(denying)
        return relation is Relation.EXTENDS and bool(denying) and apart - denying <= self._stop

    @cached_property
    def _stop(self) -> frozenset[str]:
        return frozenset().union(*(g.stop_words for g in self._languages.guards))

    @cached_property
    def _negations(self) -> frozenset[str]:
        """Negations of every language: no two texts that differ in one say the same."""
        guards = self._languages.guards
        spoken = frozenset().union(*(g.words("lexicon.function") for g in self._languages.grammars))
        return frozenset().union(*(g.words("lexicon.negations") for g in guards)) - spoken

    def audit(self, document: Document, companions: Sequence[Companion], today: date) -> Proposal:
        """One exhaustive proposal for MEMORY.md (C2, C3)."""
        return audit(document, companions, today, self._languages)

    def shrink(self, document: Document, target: int, today: date) -> Proposal:
        """A proposal that brings keep.md towards ``target`` lines (K10); profile keep."""
        return shrink(document, target, today, self._languages)

    def _index(self, existing: Sequence[str], grammar: Grammar) -> Index:
        """The index of exactly these entries; grown from a cached one where that is a beginning."""
        key = grammar.code, existing[0] if existing else ""
        known = self._indexes.pop(key, None)
        if known is None or not _begins(known.texts, existing):
            self._make_room(len(existing))
            known = duplicates.index(existing, grammar)
        _grow(known, existing)
        self._indexes[key] = known
        return known

    def _make_room(self, coming: int) -> None:
        """Forget the indexes that were not used for longest."""
        entries = coming + sum(len(index.texts) for index in self._indexes.values())
        while self._indexes and (entries > _INDEXED or len(self._indexes) >= _INDEXES):
            entries -= len(self._indexes.popitem(last=False)[1].texts)

    def _speech(self, entry: str) -> Grammar:
        """The grammar to compare an entry in; one that is not configured has no lemmas."""
        detected = self._languages.detect(entry)
        words = _words(entry)
        hits = {g.code: len(words & g.stop_words) for g in self._languages.guards}
        best = max(hits, key=lambda code: (hits[code], code == detected))
        known = self._languages.codes
        if best in known or (detected and hits[best] <= hits.get(detected, 0)):
            return self._languages.grammar(detected or best)
        return self._unlearned[best]

    @cached_property
    def _unlearned(self) -> dict[str, Grammar]:
        """The languages that are not configured, compared by words instead of lemmas."""
        codes = self._languages.codes
        return {g.code: _plain(g) for g in self._languages.guards if g.code not in codes}


_AS_SAID = frozenset({Home.AGENT_RULE, Home.SKILL_RULE, Home.SOUL, Home.PROCEDURE})
"""Homes whose entries are orders: their own words stay, only filler goes."""


def _routed(part: str, found: Place, grammar: Grammar) -> Route:
    put = noted if found.home in _AS_SAID else rewrite
    said = put(found.told or part, grammar)
    return Route(found.home, said.entry, found.target, said.losses, found.aspect)


def _repeated(entry: str, existing: Sequence[str]) -> Match:
    said = strict(entry)
    same = next((i for i, text in enumerate(existing) if strict(text) == said), None)
    return Match(Relation.DIFFERENT) if same is None else Match(Relation.EXACT, same)


def _words(text: str) -> set[str]:
    return {flat(word) for word in _WORD.findall(text)}


def _plain(grammar: Grammar) -> Grammar:
    plain = copy.copy(grammar)
    vars(plain).update(lemma=str.lower, stem=flat)
    return plain


def _begins(texts: Sequence[str], existing: Sequence[str]) -> bool:
    """Whether the indexed texts are the first of the existing ones."""
    return len(texts) <= len(existing) and all(map(str.__eq__, texts, existing))


def _grow(known: Index, existing: Sequence[str]) -> None:
    for text in existing[len(known.texts) :]:
        known.add(text)
