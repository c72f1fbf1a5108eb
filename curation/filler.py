"""What says nothing: fillers, asides and long ways to the point, found by a language's tables."""

from __future__ import annotations

import re

from curation.phrasing import Clause, Style, clauses, join, tidy
from locales.grammar import flat

_FACT = re.compile(r"\d|[\"„“”«»@]")
_WORD = re.compile(r"[^\W_]+")
_PARTY = 4
_SPOKEN = re.compile(r"[^\W_]+(?:'[^\W_]+)?")


def stripped(text: str, style: Style) -> str:
    """The text without leading, trailing and scattered fillers; never emptied."""
    text = _told(edged(text, style), style)
    parts = clauses(text)
    kept = without_asides(parts, style)
    text = _scattered(text if len(kept) == len(parts) else join(kept), style)
    return _connective(edged(text, style), style)


def _told(text: str, style: Style) -> str:
    """Without a beginning that is only about the telling ("not sure it matters but")."""
    end = max(_opening(text, style), _led(text, style))
    return edged(text[end:], style) if 0 < end < len(text.rstrip()) else text


def _led(text: str, style: Style) -> int:
    """Where the words of telling before a joint ("but", "that") end, with the joint; or 0."""
    for match in style.joint.finditer(flat(text)):
        told = _telling(text[: match.start()], style)
        if told is None:
            break
        if told:
            return match.end()
    return 0


def _opening(text: str, style: Style) -> int:
    """Where a long talk that came first ends ("after much arguing"); or 0."""
    if flat(text.split(" ", 1)[0]) not in style.table.get("openers", ()):
        return 0
    end = 0
    for match in _SPOKEN.finditer(flat(text)):
        told = _telling(match.group(), style)
        if told is None:
            break
        end = match.end() if told else end
    return end


def hollow(text: str, style: Style) -> bool:
    """Whether a stretch has no word but of telling, asking and remembering, and small ones."""
    return bool(_telling(text, style))


def _telling(text: str, style: Style) -> list[str] | None:
    """The words of telling in a stretch; None when it has a word of its own."""
    told = []
    for match in _SPOKEN.finditer(flat(text)):
        word = match.group()
        if word in style.small:
            continue
        if not style.telling.fullmatch(word):
            return None
        told.append(word)
    return None if _FACT.search(text) else told


def edged(text: str, style: Style) -> str:
    """The text without fillers at its start and end."""
    while (match := style.lead.match(flat(text))) and match.end() < len(text.rstrip()):
        text = text[match.end() :]
    while (match := style.tail.search(flat(text))) and match.start() > 0:
        text = text[: match.start()]
    return text


def _scattered(text: str, style: Style) -> str:
    pieces, last = [], 0
    for match in style.anywhere.finditer(flat(text)):
        pieces.append(text[last : match.start()])
        pieces.append(", " if match[1] or match[2] else "")
        last = match.end()
    kept = tidy("".join(pieces) + text[last:])
    return kept or text


def _connective(text: str, style: Style) -> str:
    """Without a "that" which the trigger left over."""
    first, _, rest = text.partition(" ")
    plain = flat(first.rstrip(","))
    listed = style.table.get("connective", "")
    if not rest:
        return text
    if listed and re.match(f"(?:{listed})(?!\\w)", first.lower() + " " + flat(rest)):
        return edged(rest, style)
    if plain and plain == style.table.get("bare_connective") and _bare_clause(rest, style):
        return edged(rest, style)
    return text


def _bare_clause(rest: str, style: Style) -> bool:
    """Whether what follows an unaccented connective is no inflected noun ("ze skladu")."""
    word = rest.split()[0].strip(",.")
    lemma = flat(style.grammar.lemma(word))
    return word[0] not in "szSZ" or lemma == flat(word) or lemma.endswith("t")


def pointed(text: str, style: Style) -> str:
    """The text without the long way to its point, where that way holds no fact."""
    match = style.intro.match(flat(text))
    if not match or match.end() >= len(text):
        return text
    point, who = stripped(text[match.end() :], style), text[: match.end("who")].strip(" ,")
    if _is_party(who, style):
        return f"{who}: {point}"
    return text if holds_fact(_unheard(text[: match.end()], style)) else point


def _unheard(way: str, style: Style) -> str:
    """The long way without who said something on it."""
    for match in reversed([*style.heard.finditer(flat(way))]):
        way = way[: match.start()] + way[match.end() :]
    return way


def _is_party(who: str, style: Style) -> bool:
    """Whether the words before a decision name who took it."""
    words = _SPOKEN.findall(flat(who))
    return 0 < len(words) <= _PARTY and _telling(who, style) is None and "," not in who


def holds_fact(text: str) -> bool:
    """Whether a stretch has a number, a quotation, an address or a name inside."""
    if _FACT.search(text):
        return True
    inner = _WORD.findall(text)[1:]
    return any(word[0].isupper() and len(word) > 1 for word in inner)


def without_asides(parts: list[Clause], style: Style) -> list[Clause]:
    """The clauses without those that say nothing; at least one stays."""
    kept = [part for part in parts if not _aside(part, style)]
    return kept or parts[:1]


def _aside(part: Clause, style: Style) -> bool:
    if hollow(part.text, style) and not style.stating.search(flat(part.text)):
        return True
    return bool(style.clause.match(flat(part.text).rstrip(" .!?)"))) and not holds_fact(part.text)


def essence(text: str, style: Style) -> str:
    """The text without everything that says nothing: what a rewrite must keep."""
    text = pointed(stripped(text, style), style)
    return join(without_asides(clauses(text), style))
