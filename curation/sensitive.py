"""Where a text holds a secret or a health value, in any language there is a folder for (T1, T2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from curation.ailments import ailing
from curation.bindings import bound_spans
from curation.wordclasses import classes
from locales import Grammar
from locales.grammar import alternation

Span = tuple[int, int]

_SHAPES = re.compile(
    r"A[KS]IA[0-9A-Z]{16}"
    r"|g(?:h[pousr]_\w{20,}|ithub_pat_\w{20,}|lpat-[\w-]{15,})"
    r"|-----BEGIN [A-Z ]*(?:KEY|CERTIFICATE)[A-Z ]*-----[\s\S]*"
    r"|\b(?:\d{8,10}:[\w-]{30,}"
    r"|(?:sk|pk|rk)[-_][\w-]{10,}"
    r"|xox[abeoprs]-[\w-]{8,}|hf_\w{16,}|npm_\w{20,}|SG\.[\w-]{16,}\.[\w-]{16,}"
    r"|AIza[\w-]{30,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}"
    r"|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]+)?"
    r"|[0-9a-fA-F]{32,}\b|\d{2}-\d{2}-\d{2}\s+\d{7,8}\b)"
    r"|(?<=://)[^\s/:@]{1,60}:[^\s/@]{1,80}(?=@)"
)
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b", re.IGNORECASE)
_CARD = re.compile(r"(?<![\w+])\d(?:[ -]?\d){12,18}(?!\w)")
_GROUPED_CARD = re.compile(r"(?<![\w+-])\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?![\w-])")
_LONG_TOKEN = re.compile(r"(?<![\w/.:@-])[A-Za-z0-9+_=-]{24,}(?![\w/.@])")
_BANK_ACCOUNT = re.compile(r"(?<![\w/-])(?:\d{2,6}-)?\d{6,10}/\d{4}(?![\w/])")
_WORDS_RUN = re.compile(r"(?<![\w'])[a-z]{3,8}(?:,? +(?:\d+\. *)?[a-z]{3,8}){11,24}(?![\w'])")
_SEED_STOP_SHARE = 0.2
_TOKEN = re.compile(r"[^\s,;]+")
_QUOTED = re.compile(r"[\"'„“”«`](\S[^\"'„“”«»`\n]{1,60})[\"'“”»`]")
_DOMAIN = re.compile(r"(?:https?://\S+|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\S*)", re.IGNORECASE)
_SIGNS = frozenset("_!#$*^+=~?&%@\\|")
_OPENS_CLAUSE = re.compile(r"(?:^|[,/;(\n.])\s*(?:\w{1,3}\s+)?$")
_BARE = re.compile(r"[ \t]+([^\W\d_]{4,}(?: [^\W\d_]{4,})?)\s*(?:$|[,;)\n]|\.(?:\s|$))")
_APART = re.compile(r"(\S{5,}),\s(?:[^\W\d_]{1,8}(?:['’]\w{1,2})?\s){1,3}$")
_ENDS = re.compile(r"(?: +[^\W\d_]+){0,4}\s*(?:[.;)!\n]|$)")
_LAST = re.compile(r"[^.;\n\d]{0,60}[,:—–-]\s(\d{4,8})[.!)\s]*$")
_ASIDE = re.compile(
    r"[^.;,:\n]{0,40}[,:]\s[^.;,:\n]{1,30}(?P<sign>[:,])\s*(?P<value>\S[^,;\n]{2,40}?)[.!)\s]*$"
)
_NUMBER = re.compile(r"\d[\d-]{1,22}\d")
_TELLS = re.compile(r"[\d_!#$*^+=~?&%@\\|\"'„“”«`]")
_DIGITS = re.compile(r"(?<![A-Za-z\d_.,:/-])\d(?:[\d -]{1,22}\d)(?![\w:/%]|[.,]\d)")
_REACH = 70
_BEFORE_HEALTH = 40
_AFTER_HEALTH = 14
_TOKEN_REACH = 5
_LONGEST_VALUE = 128
_MOST_WORDS_OF_VALUE = 4
_MOST_NAMES = 20


def secret_spans(text: str, plain: str, guards: Sequence[Grammar]) -> Iterator[Span]:
    """Spans of secret values; ``plain`` is ``flat(text)``."""
    for pattern in (_SHAPES, _IBAN):
        yield from (match.span() for match in pattern.finditer(text))
    yield from (match.span() for match in _GROUPED_CARD.finditer(text))
    yield from (match.span() for match in _CARD.finditer(text) if _luhn(match.group()))
    yield from (m.span() for m in _LONG_TOKEN.finditer(text) if _random(m.group()))
    yield from (match.span() for match in _BANK_ACCOUNT.finditer(text))
    yield from _seed_phrases(plain, guards)
    yield from _named(text, plain, guards)
    yield from bound_spans(text, plain, guards)


def health_spans(text: str, plain: str, guards: Sequence[Grammar]) -> Iterator[Span]:
    """Spans of measured values, doses, dated procedures and symptoms of the moment."""
    for grammar in guards:
        for match in _measured(text, plain, grammar):
            around = max(0, match.start() - _BEFORE_HEALTH), match.end() + _AFTER_HEALTH
            if not any(g.patterns("safety.not_health").search(plain, *around) for g in guards):
                yield match.span()
    yield from ailing(plain, classes(plain, tuple(guards)), tuple(guards))


def _measured(text: str, plain: str, grammar: Grammar) -> Iterator[re.Match[str]]:
    """What a language calls a health value; of a weight, also whose it is by name."""
    yield from grammar.patterns("safety.health").finditer(plain)
    named = grammar.patterns("safety.health_of_name").finditer(plain)
    yield from (match for match in named if text[match.start(1)].isupper())


def _luhn(number: str) -> bool:
    digits = [int(char) for char in reversed(number) if char.isdigit()]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[1::2]]
    return len(set(digits)) > 1 and (sum(digits[::2]) + sum(doubled)) % 10 == 0


def _random(token: str) -> bool:
    kinds = (str.islower, str.isupper, str.isdigit)
    changes = len(re.findall(r"\d(?=[A-Za-z])|[A-Za-z](?=\d)", token))
    return all(any(map(kind, token)) for kind in kinds) and changes >= 4


def _seed_phrases(plain: str, guards: Sequence[Grammar]) -> Iterator[Span]:
    known = [grammar.words("safety.common") for grammar in guards]
    for match in _WORDS_RUN.finditer(plain):
        words = re.findall(r"[a-z]{3,8}", match.group())
        common = max(sum(word in listed for word in words) for listed in known)
        if common <= _SEED_STOP_SHARE * len(words):
            yield match.span()


def _named(text: str, plain: str, guards: Sequence[Grammar]) -> Iterator[Span]:
    """Values that stand beside the name of a secret: "password for X is Y", "Y is my PIN".

    What makes a text harmless counts in every language: neighbours share their words.
    """
    for grammar in guards:
        for kind in ("safety.secret_span", "safety.pair_span"):
            for found in grammar.patterns(kind).finditer(plain):
                yield found.span(found.lastindex or 0)
    if _any_name(tuple(guards)).search(plain):
        yield from _beside_names(text, plain, guards)


@lru_cache(maxsize=8)
def _any_name(guards: tuple[Grammar, ...]) -> re.Pattern[str]:
    """What a name of a secret in any language begins with; most texts hold none."""
    lists = ("safety.secret", "safety.named", "safety.bare", "safety.lists.code")
    return re.compile(alternation(w for g in guards for name in lists for w in g.words(name)))


def _beside_names(text: str, plain: str, guards: Sequence[Grammar]) -> Iterator[Span]:
    for grammar in guards:
        names, known = [*_names(plain, grammar)], _first(grammar, guards)
        names = [name for name in names if not _only_held(plain, name, guards)]
        if len(names) > _MOST_NAMES:
            yield 0, len(text)
            return
        for name in names:
            value = _value_after(text, plain, name.end(), known)
            value = value or _value_before(text, plain, name.start(), grammar)
            value = value or _value_apart(text, plain, name.span(), known)
            if value:
                yield value
        for name in grammar.phrases("safety.bare").finditer(plain):
            value = _bare_value(text, plain, name.span(), known)
            if value:
                yield value


def _first(grammar: Grammar, guards: Sequence[Grammar]) -> tuple[Grammar, ...]:
    """The languages, that of a name before all others."""
    return grammar, *(other for other in guards if other is not grammar)


def _names(plain: str, grammar: Grammar) -> Iterator[re.Match[str]]:
    """Names of secrets, and a code beside what it opens."""
    for name in ("safety.secret", "safety.named"):
        yield from grammar.phrases(name).finditer(plain)
    yield from _keyed(grammar).finditer(plain)


def _only_held(plain: str, name: re.Match[str], guards: Sequence[Grammar]) -> bool:
    """Whether it is said who has a code, and nothing with a digit or a sign is said."""
    before = max(0, name.start() - _BEFORE_HEALTH), name.start()
    if not any(g.patterns("safety.holder").search(plain, *before) for g in guards):
        return False
    return not _TELLS.search(plain, name.end(), _clause_end(plain, name.end()))


@lru_cache(maxsize=64)
def _keyed(grammar: Grammar) -> re.Pattern[str]:
    code = grammar.phrases("safety.lists.code").pattern
    lock = grammar.phrases("safety.lists.lock").pattern
    gap = r"[^.,;:\n\d]{0,20}?"
    return re.compile(rf"{code}{gap}{lock}|{lock}{gap}{code}")


@lru_cache(maxsize=64)
def _account(grammar: Grammar) -> re.Pattern[str]:
    return re.compile(grammar.phrases("safety.lists.account").pattern + r"\s+$")


def _bare_value(text: str, plain: str, name: Span, guards: Sequence[Grammar]) -> Span | None:
    """One or two words right after a name that opens a clause: "…, password sunflower"."""
    before = plain[max(0, name[0] - 20) : name[0]]
    opens = _OPENS_CLAUSE.search(text[: name[0]]) or _account(guards[0]).search(before)
    found = _BARE.match(text, name[1])
    if not opens or not found or _starts("harmless_name", guards, plain, (name[1], found.end(1))):
        return None
    words = plain[slice(*found.span(1))].split()
    stop = any(word in grammar.stop_words for word in words for grammar in guards[:1])
    harmless = _starts("harmless_value", guards, plain, found.span(1))
    return None if stop or harmless else found.span(1)


def _starts(name: str, guards: Sequence[Grammar], plain: str, within: Span) -> bool:
    return any(grammar.patterns(f"safety.{name}").match(plain, *within) for grammar in guards)


def _value_after(text: str, plain: str, start: int, guards: Sequence[Grammar]) -> Span | None:
    """``guards`` begins with the language of the name."""
    end = _clause_end(text, start)
    found = _said_after(text, plain, (start, end), guards)
    return None if found and _starts("harmless_name", guards, plain, (start, end)) else found


def _said_after(text: str, plain: str, within: Span, guards: Sequence[Grammar]) -> Span | None:
    """What stands after a name as its value, wherever the name may lead."""
    start, end = within
    linked = guards[0].patterns("safety.link").search(plain, start, end)
    after = (linked.end(), end) if linked else (start, end)
    quoted = _QUOTED.search(text, *after)
    if quoted:
        return quoted.span(1)
    found = _strong(text, plain, after, guards)
    if linked and _starts("harmless_value", guards, plain, after):
        return found if found and not _NUMBER.fullmatch(text[slice(*found)]) else None
    if found or not linked:
        return found
    return _strong(text, plain, (start, linked.start()), guards) or _plain_value(text, after)


def _clause_end(text: str, start: int) -> int:
    """The end of the clause, at most some words away: a full stop with a blank, or a line end."""
    stop = re.compile(r"[.;!?]\s|\n\s*\n|,\s").search(text, start)
    return min(start + _REACH, stop.start() if stop else len(text))


def _strong(text: str, plain: str, within: Span, guards: Sequence[Grammar]) -> Span | None:
    """A token that looks like nothing but a value: letters with digits or signs, or a number."""
    start, end = within
    for nth, token in enumerate(_TOKEN.finditer(text, start, end)):
        word = token.group().strip("\"'().:„“")
        near = nth < _TOKEN_REACH or token.end() >= end - 1
        if near and _mixed(word) and not _benign(plain, token.span(), within, guards):
            at = text.index(word, token.start())
            return at, at + len(word)
    for digits in _DIGITS.finditer(text, start, end):
        counted = _starts("counted", guards, plain, (digits.end(), end))
        if not counted and not _benign(plain, digits.span(), within, guards):
            return digits.span()
    return None


def _benign(plain: str, span: Span, within: Span, guards: Sequence[Grammar]) -> bool:
    """Whether a token belongs to what looks like a value and is none: a year, a product."""
    return any(
        match.start() < span[1] and span[0] < match.end()
        for grammar in guards
        for match in grammar.patterns("safety.benign").finditer(plain, *within)
    )


def _mixed(word: str) -> bool:
    """Whether a word mixes letters with digits or signs as a password does, and is no address."""
    if not 5 <= len(word) <= _LONGEST_VALUE or _DOMAIN.fullmatch(word):
        return False
    letters = any(char.isalpha() for char in word)
    digits = any(char.isdigit() for char in word)
    signs = any(char in _SIGNS for char in word[:-1]) or word[-1] in "#$*^~!"
    return (letters and digits) or (signs and (letters or digits) and "@" not in word[1:])


def _plain_value(text: str, within: Span) -> Span | None:
    """Up to a few ordinary words as the value: what follows "is" or ":" to the clause's end."""
    said = text[slice(*within)]
    start = within[0] + len(said) - len(said.lstrip())
    said = said.strip().strip(".")
    return (start, start + len(said)) if 0 < len(said.split()) <= _MOST_WORDS_OF_VALUE else None


def _value_apart(text: str, plain: str, name: Span, guards: Sequence[Grammar]) -> Span | None:
    """Behind an aside or before it: "PIN, note it, 8890", "it is x1, the PIN"."""
    before = _APART.search(text, max(0, name[0] - _REACH), name[0])
    if before and _mixed(before[1]) and _ENDS.match(text, name[1]):
        return before.span(1)
    last = _LAST.match(text, name[1])
    if last:
        return last.span(1)
    found = _ASIDE.match(text, name[1])
    if not found or _starts("harmless_name", guards, plain, (name[1], found.end())):
        return None
    if found["sign"] == "," or _starts("harmless_value", guards, plain, found.span("value")):
        return _strong(text, plain, found.span("value"), guards)
    return found.span("value") if len(found["value"].split()) <= _MOST_WORDS_OF_VALUE else None


def _value_before(text: str, plain: str, end: int, grammar: Grammar) -> Span | None:
    found = grammar.patterns("safety.value_before").search(plain, max(0, end - _REACH), end)
    if not found:
        return None
    token = text[found.start() : found.start() + len(found[0].split()[0])]
    strong = _mixed(token.strip("\"'(")) or _NUMBER.fullmatch(token)
    return (found.start(), found.start() + len(token)) if strong else None
