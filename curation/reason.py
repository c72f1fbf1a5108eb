"""The why of a decision, preference or dead end: found in an input, attached to an entry (K7)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from curation.filler import stripped, without_asides
from curation.phrasing import DASH, Clause, Style, bare, clauses, has_verb, join, style, tidy
from locales.grammar import NEVER, Grammar, flat

_FEW = 2
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Reasoned:
    """What was said and why; ``nominal`` when the why is no clause ("because of the noise")."""

    main: str
    why: str = ""
    nominal: bool = False


@dataclass(frozen=True, slots=True)
class _Words:
    """The compiled table ``reason`` of a language."""

    explicit: re.Pattern[str]
    weak: re.Pattern[str]
    inside: re.Pattern[str]
    therefore: re.Pattern[str]
    subject: re.Pattern[str]
    then: re.Pattern[str]
    strip: re.Pattern[str]
    excluded: re.Pattern[str]
    cue: re.Pattern[str]
    opening: re.Pattern[str]
    verbless: re.Pattern[str]
    past: re.Pattern[str]
    pronoun: re.Pattern[str]
    we: re.Pattern[str]
    we_first: re.Pattern[str]
    me: re.Pattern[str]
    blocked: re.Pattern[str]
    taste: re.Pattern[str]
    asking: re.Pattern[str]
    planned: re.Pattern[str]
    changed: re.Pattern[str]
    switched: re.Pattern[str]
    personal: re.Pattern[str]
    wished: re.Pattern[str]
    effect: re.Pattern[str]
    speaker: re.Pattern[str]
    resumed: re.Pattern[str]
    outcome: re.Pattern[str]
    marker: str
    noun_marker: str


@lru_cache(maxsize=32)
def _words(grammar: Grammar) -> _Words:
    table = grammar.table("reason")

    def some(name: str, frame: str = "(?:{})") -> re.Pattern[str]:
        sources = table.get(name) or ()
        joined = "|".join(map(bare, [sources] if isinstance(sources, str) else sources))
        return re.compile(frame.replace("{}", joined)) if joined else NEVER

    nouns, because = ("|".join(map(bare, table.get(n, ()))) for n in ("nouns", "because"))
    either = rf"(?<![\w'-])(?:(?P<noun>{nouns})|(?P<clause>{because}))(?![\w'-])[\s:,]*"
    return _Words(
        re.compile(either) if nouns and because else NEVER,
        some("weak", r"(?<=\w),?\s+(?:{})"),
        some("inside", r"(?<![^\s])(?:{}) (?=\w)"),
        some("therefore", r"[,;.!]\s+(?:{})(?![\w'-])[\s,]*" + _either(table, "hence")),
        some("fronted_subject", r"(?<=\s)(?:{})(?![\w'-])"),
        some("fronted_then", r"^(?:{})(?!\w)[\s,]*"),
        some("strip", r"^(?:{})(?![\w'-])[\s,]*"),
        some("not_reason", r"^(?:{})(?![\w'-])"),
        some("cue", r"(?<![\w'-])(?:{})(?![\w'-])"),
        some("opening", r"^(?:{})(?![\w'-])"),
        some("verbless"),
        some("past"),
        some("pronoun", r"^(?:{})(?![\w-])"),
        some("we"),
        some("we_first"),
        some("me"),
        some("blocked"),
        some("taste"),
        some("asking"),
        some("planned"),
        some("changed"),
        some("switched"),
        some("personal"),
        some("wished"),
        some("effect"),
        some("speaker"),
        some("resumed", r"^(?:{})(?![\w-])"),
        some("outcome", r"^(?:{})(?![\w-])"),
        table.get("marker", ""),
        table.get("noun_marker", ""),
    )


def _either(table: Mapping[str, Any], name: str) -> str:
    """A further alternative: connectives that need no comma before them."""
    joined = "|".join(map(bare, table.get(name, ())))
    return rf"|\s+(?:{joined})(?!\w)[\s,]*" if joined else ""


def explicit(text: str, manner: Style, fact: bool) -> Reasoned:
    """The why that a connective marks; an empty ``why`` when there is none.

    In a plain fact the why ends at the next clause, which then still belongs to the fact.
    """
    words, plain = _words(manner.grammar), flat(text)
    match = words.explicit.search(plain)
    if match and not plain[: match.start()].strip(" ,"):
        return _fronted(text, match, words, manner)
    if match:
        found = _trailing(text, match, fact)
        return found if fact else _resumed(found, words)
    inside = _inside(text, words)
    if inside or fact:
        return inside or Reasoned(text)
    return _weak(text, words) or _therefore(text, words)


def _weak(text: str, words: _Words) -> Reasoned | None:
    """A why behind a connective that often says something else; read so only in a choice."""
    match = words.weak.search(flat(text))
    if not match or text[match.end() :].count(" ") < _FEW or text[: match.start()].count(" ") < 1:
        return None
    if words.asking.search(flat(text[: match.start()])):
        return None
    return Reasoned(text[: match.start()], text[match.end() :])


def _fronted(text: str, match: re.Match[str], words: _Words, manner: Style) -> Reasoned:
    rest = text[match.end() :]
    cut = _cut(rest, words, manner)
    if cut < 0:
        return Reasoned(text)
    main = rest[cut:].lstrip(" ,")
    then = words.then.match(flat(main))
    return Reasoned(
        main[then.end() :] if then else main, rest[:cut].rstrip(" ,"), bool(match["noun"])
    )


def _cut(rest: str, words: _Words, manner: Style) -> int:
    """Where a fronted why ends: at a comma before a subject, a comma, a subject, a verb."""
    plain = flat(rest)
    cuts = [m.start() for m in words.subject.finditer(plain) if plain[: m.start()].count(" ") > 1]
    after_comma = [cut for cut in cuts if plain[:cut].rstrip().endswith(",")]
    comma = plain.find(", ")
    if after_comma or comma > 0 or cuts:
        return next(iter(after_comma), comma if comma > 0 else cuts[0] if cuts else -1)
    verbs = (m.start() for m in _WORD.finditer(rest) if m.start() and has_verb(m.group(), manner))
    return next(verbs, -1)


def _trailing(text: str, match: re.Match[str], fact: bool) -> Reasoned:
    main, why = text[: match.start()].rstrip(" ,;.(–—-"), text[match.end() :]
    if fact:
        parts = clauses(why)
        rest = join([Clause(",", main), *(Clause(",", p.text) for p in parts[1:])])
        return Reasoned(rest, parts[0].text if parts else "", bool(match["noun"]))
    return Reasoned(main, why, bool(match["noun"]))


def _resumed(said: Reasoned, words: _Words) -> Reasoned:
    """With a clause behind the why that goes on with what was decided put back before it."""
    parts = clauses(said.why)
    at = next((i for i, p in enumerate(parts) if i and words.resumed.match(flat(p.text))), 0)
    if not at:
        return said
    main = join([Clause("", said.main), *(Clause(",", p.text) for p in parts[at:])])
    return Reasoned(main, join(parts[:at]), said.nominal)


def _inside(text: str, words: _Words) -> Reasoned | None:
    parts = clauses(text)
    for i, part in enumerate(parts[1:], 1):
        match = words.inside.search(flat(part.text))
        if match:
            why = part.text[: match.start()] + part.text[match.end() :]
            return Reasoned(join(parts[:i] + parts[i + 1 :]), why)
    return None


def _therefore(text: str, words: _Words) -> Reasoned:
    match = words.therefore.search(flat(text))
    if match and match.end() < len(text) and not words.excluded.match(flat(text)):
        return Reasoned(text[match.end() :], text[: match.start()])
    return Reasoned(text)


def implied(
    parts: list[Clause], manner: Style, settled: re.Pattern[str], failed: bool = False
) -> int:
    """The index of the clause from which on the input says why without a connective, or 0.

    ``settled`` finds clauses that say what was decided, liked or failed; such a clause is no
    why unless the first one says so too and this one is a sentence or a taste by itself, or,
    where something ``failed``, is about something else.
    """
    words = _words(manner.grammar)
    first = bool(settled.search(flat(parts[0].text))) if parts else False
    for i, part in enumerate(parts[1:], 1):
        plain = flat(part.text)
        if failed and words.outcome.match(plain) and (first or part.mark == ":"):
            return i
        if words.excluded.match(plain) or words.planned.search(plain) or part.mark == ":":
            continue
        own = part.apart or words.taste.search(plain) or (failed and tells(part, manner))
        if settled.search(plain) and not (first and own):
            continue
        if words.verbless.search(plain) or words.past.search(plain):
            return i
        sentence = part.mark == "." and plain.count(" ") > _FEW
        if sentence or has_verb(part.text, manner) or _has_subject(plain, words):
            return i
        mine = words.taste.search(plain) or words.personal.search(plain)
        said = _set_off(part) or (failed and first and _is_long(part, manner))
        if mine or said or words.effect.search(plain):
            return i
    return 0


def _set_off(part: Clause) -> bool:
    """Whether a clause stands behind a dash and says more than a word or two."""
    return part.mark == "—" and part.text.count(" ") > _FEW


def _is_long(part: Clause, manner: Style) -> bool:
    """Whether a clause says something and is no place, time or number."""
    first = flat(part.text.split(" ", 1)[0])
    if first in manner.grammar.words("rewrite.prepositions"):
        return False
    return part.text.count(" ") > _FEW and not any(map(str.isdigit, part.text))


def _has_subject(plain: str, words: _Words) -> bool:
    """Whether a clause opens with a subject and is long enough for a verb of its own."""
    return bool(words.opening.match(plain)) and plain.count(" ") >= _FEW


def outcome(parts: list[Clause], manner: Style) -> int:
    """The index of the clause behind a colon that tells what came of a trial, or 0."""
    words = _words(manner.grammar)
    found = (i for i, p in enumerate(parts) if p.mark == ":" and words.outcome.match(flat(p.text)))
    return next(found, 0)


def verbless(parts: list[Clause], manner: Style) -> int:
    """The index of the first clause that is a why without a verb ("too hot"), or 0."""
    words = _words(manner.grammar)
    found = (i for i, part in enumerate(parts) if i and words.verbless.search(flat(part.text)))
    return next(found, 0)


def explains(part: Clause, manner: Style) -> bool:
    """Whether a clause by itself sounds like a why."""
    words, plain = _words(manner.grammar), flat(part.text)
    return bool(
        not words.excluded.match(plain) and words.cue.search(plain) and has_verb(part.text, manner)
    )


def is_own(part: Clause, manner: Style) -> bool:
    """Whether a clause tells how it is for the speaker: body, mood, habit."""
    words, plain = _words(manner.grammar), flat(part.text)
    return bool(words.personal.search(plain)) and not words.excluded.match(plain)


def is_wish(parts: list[Clause], manner: Style) -> bool:
    """Whether the first clause wants or shuns something ("aisle seats only") and another says why.

    The speaker is named there, or else it has no verb.
    """
    words, first = _words(manner.grammar), flat(parts[0].text)
    rest, verbal = parts[1:], has_verb(parts[0].text, manner)
    told = any(words.effect.search(flat(part.text)) for part in rest)
    if words.wished.search(first) and not verbal:
        why = _set_off(rest[0]) or is_past(rest[0], manner)
        return told or why or any(is_own(part, manner) for part in rest)
    return told and bool(words.speaker.search(first) or not verbal)


def is_switch(part: Clause, manner: Style) -> bool:
    """Whether a clause says outright that something will be otherwise than it was."""
    return bool(_words(manner.grammar).switched.search(flat(part.text)))


def is_past(part: Clause, manner: Style) -> bool:
    """Whether a clause tells what happened."""
    return bool(_words(manner.grammar).past.search(flat(part.text)))


def plans(plain: str, manner: Style) -> bool:
    """Whether a flat clause says when something will be."""
    return bool(_words(manner.grammar).planned.search(plain))


def tells(part: Clause, manner: Style) -> bool:
    """Whether a clause has a subject of its own and a verb."""
    words, plain = _words(manner.grammar), flat(part.text)
    same = words.excluded.match(plain) or words.pronoun.match(plain)
    return not same and has_verb(part.text, manner)


def settled_by(text: str, said: Reasoned, grammar: Grammar) -> str:
    """Who settled what is said with its cause: "we", "me", or "" when it is a plain fact.

    "no" when it cannot be done at all. A cause said first makes a choice of what "we" or
    "I" do then, a cause said last only of what "we" do.
    """
    words, plain = _words(grammar), flat(said.main)
    if not said.why:
        return ""
    if words.blocked.search(plain):
        return "no"
    fronted = not text.startswith(said.main)
    if any(p.search(flat(text) if fronted else plain) for p in (words.changed, words.switched)):
        return "we"
    if not text.endswith(said.main):
        return "we" if words.we_first.search(plain) else ""
    return "we" if words.we.search(plain) else "me" if words.me.search(plain) else ""


def attach(entry: str, why: str, grammar: Grammar, nominal: bool = False) -> str:
    """The entry with its why inline: ``<entry> — because <why>`` in its language."""
    if not why:
        return entry
    words = _words(grammar)
    why = cleaned(why, grammar)
    marker = words.noun_marker if nominal else words.marker
    return tidy(f"{entry}{DASH}{marker} {why}") if why else entry


def cleaned(why: str, grammar: Grammar) -> str:
    """A why without its connective, fillers and asides."""
    words, manner = _words(grammar), style(grammar)
    why = join(without_asides(clauses(stripped(tidy(why), manner)), manner))
    while (match := words.strip.match(flat(why))) and match.end() < len(why):
        why = why[match.end() :]
    return tidy(why)


def with_reason(entry: str, reason: str, grammar: Grammar) -> str:
    """The entry with a reason that was asked for and typed by a person (K7).

    A connective at its start is not repeated; an empty reason changes nothing.
    """
    words = _words(grammar)
    line = stripped(tidy(reason), style(grammar))
    match = words.explicit.match(flat(line))
    if match and match.end() < len(line):
        return attach(entry, line[match.end() :], grammar, bool(match["noun"]))
    return attach(entry, line, grammar)
