"""Where one part of an input belongs, or why it is not stored (T1-T15, K3)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curation import addressing
from curation.addressing import Place
from curation.admission import HEALTH_MARK, SECRET_MARK, Admitted, clean
from curation.engine import Ask, Home, Refusal, Refuse, Unclear
from locales import Grammar, Languages, flat

_WORD = re.compile(r"[^\W_]+(?:['’ʼ][^\W_]+)*")
_LETTER = re.compile(r"[^\W\d_]")
_REFUSALS = (Refusal.META, Refusal.OTHER_PERSON, Refusal.CALENDAR_DATE, Refusal.TRANSIENT)
_NAMED_HOMES = (Home.SOUL, Home.SKILL_RULE, Home.GROUP, Home.PROJECT)
_OTHER_HOMES = (Home.PROCEDURE, Home.AGENT_RULE, Home.NOTE)
_MOST_SMALLTALK_LEFT = 1
_SHORTEST_FACT = 2
_LONGEST_READ = 1000


Finding = Refuse | Ask | Place


def triage(text: str, languages: Languages, language: str) -> Finding | None:
    """What becomes of one part; None means that it may be kept in keep.md.

    ``text`` is a part of an admitted text, or of a blanked one: the marks of secrets and health
    values refuse like the values themselves. ``language`` "" tries every configured language.
    Order: secrets, health values, injections, "remind me", other refusals, vague, homes. What
    is dangerous is looked for everywhere, a home only in the first thousand characters (B17).
    """
    admitted = clean(text, languages)
    if isinstance(admitted, Admitted):
        text = admitted.text
    danger = _danger(text, admitted if isinstance(admitted, Admitted) else None)
    if danger:
        return Refuse(danger)
    text = text[:_LONGEST_READ]
    spoken = _grammars(languages, language)
    return next((f for g in spoken if (f := _judged(text, g))), None) or _too_short(text, languages)


def _too_short(text: str, languages: Languages) -> Ask | None:
    """A word or two that no language can be told from, vague in any of them."""
    plain = " ".join(flat(text).split())
    if len(plain.split()) > _SHORTEST_FACT:
        return None
    known = (g for g in languages.grammars if g.table("triage"))
    return next((ask for grammar in known if (ask := _unclear(plain, grammar))), None)


def _danger(text: str, admitted: Admitted | None) -> Refusal | None:
    if admitted is None:
        return Refusal.INJECTION
    if admitted.secrets or SECRET_MARK in text:
        return Refusal.SECRET
    if admitted.health or HEALTH_MARK in text:
        return Refusal.HEALTH_VALUE
    return Refusal.INJECTION if admitted.injected or admitted.veiled else None


def _grammars(languages: Languages, language: str) -> tuple[Grammar, ...]:
    known = tuple(g for g in languages.grammars if g.table("triage"))
    spoken = tuple(g for g in known if g.code == language)
    return spoken or known or (languages.grammar(language),)


def _judged(text: str, grammar: Grammar) -> Finding | None:
    plain = " ".join(flat(text).split())
    if not _LETTER.search(plain):
        return Ask(Unclear.EMPTY)
    if _matches("reminder", plain, grammar):
        return Place(Home.REMINDER)
    refusal = next((r for r in _REFUSALS if _matches(r.value, plain, grammar)), None)
    if refusal is None and _is_smalltalk(plain, grammar):
        refusal = Refusal.SMALLTALK
    if refusal:
        return Refuse(refusal)
    return (
        _unclear(plain, grammar)
        or _reported(text, plain, grammar)
        or next(_places(text, plain, grammar), None)
    )


def _matches(name: str, plain: str, grammar: Grammar) -> bool:
    return bool(
        grammar.patterns(f"triage.{name}").search(plain)
        and not grammar.patterns(f"triage.not_{name}").search(plain)
    )


def _is_smalltalk(plain: str, grammar: Grammar) -> bool:
    """Whether it is a question, or little but greetings, thanks and compliments is said."""
    if grammar.patterns("triage.question").search(plain):
        return True
    if not grammar.patterns("triage.smalltalk").search(plain):
        return False
    rest = grammar.patterns("triage.smalltalk").sub(" ", plain)
    rest = grammar.phrases("triage.chatter").sub(" ", rest)
    return len(_WORD.findall(rest)) <= _MOST_SMALLTALK_LEFT


def _unclear(plain: str, grammar: Grammar) -> Ask | None:
    """Whether only pronouns, function words and pointers to earlier talk are there."""
    if _is_quantity(plain, grammar):
        return Ask(Unclear.VAGUE)
    pointer = grammar.phrases("triage.pointers")
    rest = pointer.sub(" ", plain)
    function = grammar.words("triage.function") or grammar.stop_words
    if any(word not in function for word in _WORD.findall(rest)):
        return None
    return Ask(Unclear.VAGUE if pointer.search(plain) else Unclear.PRONOUN_ONLY)


def _is_quantity(plain: str, grammar: Grammar) -> bool:
    """Whether there is nothing but a number and its unit: it is not said of what."""
    units = {"", *grammar.words("guard.units")}
    words = _WORD.findall(plain)
    return any(map(str.isdigit, plain)) and all(w.lstrip("0123456789") in units for w in words)


def _reported(text: str, plain: str, grammar: Grammar) -> Ask | None:
    """Whether somebody's words are pointed at and no more than one name is given."""
    if not grammar.patterns("triage.reported").search(plain):
        return None
    names = [w.group() for w in _WORD.finditer(text) if w.group()[:1].isupper() and w.start()]
    rest = " ".join(w for w in _WORD.findall(plain) if w not in {flat(name) for name in names})
    return _unclear(rest, grammar) if len(names) <= 1 else None


def _places(text: str, plain: str, grammar: Grammar) -> Iterator[Place]:
    text = " ".join(text.split())
    named = addressing.addressed(text, grammar)
    if named:
        yield named
    for home in _NAMED_HOMES:
        if _matches(home.value, plain, grammar):
            yield from _named(home, text, grammar)
    listed = addressing.skills(text, grammar)
    if listed:
        yield addressing.skilled(text, listed, grammar)
    for home in _OTHER_HOMES:
        if _matches(home.value, plain, grammar):
            yield addressing.rule(text, grammar) if home is Home.AGENT_RULE else Place(home)
    label = addressing.labelled(text, grammar)
    if label:
        yield label


def _named(home: Home, text: str, grammar: Grammar) -> Iterator[Place]:
    if home is Home.SOUL:
        yield addressing.persona(text, grammar)
    elif home is Home.GROUP:
        yield addressing.shared(text, grammar)
    elif home is Home.SKILL_RULE:
        yield addressing.skilled(text, _targets(text, home, grammar), grammar)
    elif target := next(iter(_targets(text, home, grammar)), ""):
        yield Place(home, target)


def _targets(text: str, home: Home, grammar: Grammar) -> tuple[str, ...]:
    """The names that the expressions of a home captured, as they were typed."""
    names: dict[str, None] = {}
    for found in grammar.patterns(f"triage.{home.value}").finditer(flat(text)):
        name = text[slice(*found.span(found.lastindex))] if found.lastindex else ""
        named = name[:1].isupper() or name[:1].isdigit() or (name and home is Home.SKILL_RULE)
        if named or _quoted(text, found, name):
            names[name] = None
    return tuple(names)


def _quoted(text: str, found: re.Match[str], name: str) -> bool:
    start = found.start(found.lastindex) if found.lastindex and name else 0
    return start > 0 and text[start - 1] in "\"'„“«`"
