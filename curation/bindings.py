"""Values bound to what they open: locks and codes, signing in, pairs of name and password (T1)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from locales import Grammar
from locales.grammar import alternation

Span = tuple[int, int]

_CODE = (
    r"(?<![A-Za-z\d_.,:/+-])(?:\d{1,3}(?:-\d{1,3}){2,5}|\d{1,2}(?: \d{1,2}){2,5}|\d{4,8}"
    r"|\d{2} \d{2}|\d(?:, ?\d){3,7}|\d{1,4}[#*]\d{1,4})"
    r"(?![A-Za-z\d_:/-]|[.,]\d)[#*]?"
)
_TOKEN = r"(?<!\S)[\"'„“(]?(?=[^\s/]*[^\W\d_])(?=[^\s/]*[\d!#$%^&*=~])[^\s,;/]{5,40}"
_PAIRED = re.compile(r"/|[:=]\s*[\"'„“]")
_ANY_CODE = re.compile(_CODE)
_ANY_TOKEN = re.compile(_TOKEN)
_MIXED = re.compile(r"[\d!#$%^&*=~]")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SHAPED = re.compile(
    r"(?<!\S)[^\W\d_]{3,20}\d{2,6}[!#$%&*](?!\S)"
    r"|(?<!\S)[\"'„“(]?(?=\S*[^\W\d_]{2})(?=\S*\d)(?=\S*[^\W\d_][!#$%^&*?~=]+[\w])[^\s/@]{6,40}"
    r"|(?<!\S)(?=\S*[A-Z])(?=\S*[a-z]\d|\S*\d[a-z])[^\s/@.,:]*[!#$%^&*?~=][^\s/@]*\d[^\s/@]*"
)
_PRODUCT_KEY = re.compile(
    r"\b(?=[A-Z\d-]{0,40}[A-Z])(?=[A-Z\d-]{0,40}\d)[A-Z\d]{4,6}(?:-[A-Z\d]{4,6}){3,}\b"
    r"|\b(?:[A-Z\d]{5}-){2,}[A-Z]{5}\b"
)
_ADDRESS_PAIR = re.compile(
    r"(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]*\w\s*(?:[/,;:|]{1,3}|\s[-–—]\s|\s)\s*"
    r"((?=\S*[^\W\d_])(?=\S*[\d!#$%^&*=~])[^\s@/]{5,40})(?!\S)"
)
_SLASHED = re.compile(
    r"(?<![\w.@-])[\w.@-]{3,64}\s{0,8}/\s*((?=\S*[^\W\d_]{2})(?=\S*\d)[^\s/.]{6,40})\s*(?:$|[,;.\n])"
)
_SEED = re.compile(
    r"\b(?:seed\w*|mnemonic|сид|сід)\b[^.\n:=]{0,30}[:=]\s*"
    r"((?:[^\W\d_]{3,9}[\s,]+){5,24}[^\W\d_]{3,9})",
    re.IGNORECASE,
)
_QUOTED = r"[^.;\n:=]{0,25}[:=]\s*[\"'„“](\S[^\"'“”\n]{2,30})[\"'“”]"
_NAMED_PAIR = r"[^.;\n/]{0,30}?[:–—-]\s*[\w.@-]+\s+/\s+(\S{5,40})\s*$"
_CLAUSE = re.compile(r"[,;!?\n]|\.(?=\s|$)")
_NEXT = re.compile(r"\s*[^\W\d]+")
_DIGIT_WORDS = 3


def bound_spans(text: str, plain: str, guards: Sequence[Grammar]) -> Iterator[Span]:
    """Spans of values no name stands beside: what opens a lock, what one signs in with."""
    yield from (match.span() for match in _PRODUCT_KEY.finditer(text))
    yield from (match.span(1) for match in _SEED.finditer(text))
    yield from (match.span(1) for match in _ADDRESS_PAIR.finditer(text))
    if _digit_word(tuple(guards)).search(plain):
        yield from (span for grammar in guards for span in _spelled(plain, grammar))
    if _PAIRED.search(plain):
        yield from (
            m.span(m.lastindex or 0) for grammar in guards for m in _pairs(grammar).finditer(plain)
        )
    if _MIXED.search(plain):
        yield from _typed(text, plain, guards)


def _typed(text: str, plain: str, guards: Sequence[Grammar]) -> Iterator[Span]:
    """Values with digits or signs; a code or a token is looked for before the words for it."""
    code = _ANY_CODE.search(plain)
    if code or _ANY_TOKEN.search(plain):
        yield from (span for grammar in guards for span in _opening(text, plain, grammar))
    if code:
        yield from (span for grammar in guards for span in _locked(text, plain, grammar))
        yield from _coded(text, plain, guards)
    yield from _signing(text, plain, guards)


def _signing(text: str, plain: str, guards: Sequence[Grammar]) -> Iterator[Span]:
    """Shapes of passwords, where a language's words say that somebody signs in."""
    found = _SHAPED.finditer(text)
    shaped = [(m.start(), m.start() + len(m[0].rstrip(";,"))) for m in found]
    shaped += (match.span(1) for match in _SLASHED.finditer(text))
    if shaped and any(g.patterns("safety.signing").search(plain) for g in guards):
        yield from shaped


def _opening(text: str, plain: str, grammar: Grammar) -> Iterator[Span]:
    """ "opens with 4477", "signs in with turnip44", "4477 opens it"."""
    for match in _openers(grammar).finditer(plain):
        span = match.span(match.lastindex or 0)
        if not _harmless(text, plain, span, grammar):
            yield span


def _locked(text: str, plain: str, grammar: Grammar) -> Iterator[Span]:
    """ "the padlock is 0-4-7-7", "garage: 2288#", "7719 for the front door"."""
    for match in _locks(grammar).finditer(plain):
        start, end = match.span(match.lastindex or 0)
        marked = text[end - 1] in "#*"
        if marked or not (
            _harmless(text, plain, (start, end), grammar)
            or _YEAR.fullmatch(text[start:end])
            or text[start:end].endswith("00")
            or not _closes(text, plain, end, grammar)
            or _branded(text, start)
        ):
            yield start, end


def _coded(text: str, plain: str, guards: Sequence[Grammar]) -> Iterator[Span]:
    """ "code 8804", "the code is 4019", and no code of an error, a place or an article."""
    for match in (m for grammar in guards for m in _codes(grammar).finditer(plain)):
        around = plain[max(0, match.start() - 25) : match.end() + 15]
        if any(g.phrases("safety.lists.plain_code").search(around) for g in guards):
            continue
        span = match.span(match.lastindex or 0)
        if not any(_harmless(text, plain, span, grammar) for grammar in guards):
            yield span


def _harmless(text: str, plain: str, span: Span, grammar: Grammar) -> bool:
    """Whether the number counts something, is a year, or has another plain meaning."""
    start, end = span
    if grammar.patterns("safety.counted").match(plain, end):
        return True
    near = grammar.patterns("safety.benign").finditer(plain, max(0, start - 30), end)
    return any(match.start() < end and start < match.end() for match in near)


def _closes(text: str, plain: str, end: int, grammar: Grammar) -> bool:
    """Whether the clause ends there, or goes on with a word that cannot be a unit."""
    following = _NEXT.match(plain, end)
    if following is None or _CLAUSE.match(text[end:].lstrip(" ")):
        return True
    return following.group().strip() in grammar.stop_words


def _branded(text: str, start: int) -> bool:
    """Whether a name stands right before the number: a model, a street, a shop."""
    before = text[:start].rstrip(" ").rsplit(" ", 1)
    return len(before) == 2 and before[1][:1].isupper() and before[1][-1:].isalnum()


def _spelled(plain: str, grammar: Grammar) -> Iterator[Span]:
    """Digits in words beside a name or a lock: "four four seven one"."""
    for match in _digit_words(grammar).finditer(plain):
        around = plain[max(0, match.start() - 60) : match.end() + 40]
        if grammar.phrases("safety.secret").search(around) or (
            grammar.phrases("safety.lists.code").search(around)
            and grammar.phrases("safety.lists.lock").search(around)
        ):
            yield match.span()


@lru_cache(maxsize=64)
def _openers(grammar: Grammar) -> re.Pattern[str]:
    sources = [
        rf"(?:{source})[^.;,\n\d]{{0,25}}?({_CODE}|{_TOKEN})"
        for source in _sources(grammar, "opens_with")
    ] + [
        rf"(?<!\S)({_CODE})\s+(?:\w+\s+){{0,2}}?(?:{source})"
        for source in _sources(grammar, "opens")
    ]
    return re.compile("|".join(sources) or r"(?!)")


@lru_cache(maxsize=64)
def _codes(grammar: Grammar) -> re.Pattern[str]:
    code = grammar.phrases("safety.lists.code").pattern
    return re.compile(
        rf"{code}(?:\s+[^\W\d_]{{1,5}}|\s*[:=])?\s*({_CODE})"
        rf"|{code}[^.;\n\d]{{0,45}}\s(?:[^\W\d_]{{1,3}}|[:=])\s+({_CODE})\W*$"
    )


@lru_cache(maxsize=64)
def _locks(grammar: Grammar) -> re.Pattern[str]:
    lock = grammar.phrases("safety.lists.lock").pattern
    return re.compile(
        rf"(?:{lock})[^.;,\n\d]{{0,30}}?({_CODE})"
        rf"|(?<!\S)({_CODE})\s+(?:{lock})(?=\s*(?:$|[.,;\n]))"
        rf"|(?:^|[,:;\n]\s*)({_CODE})\s+(?:\w{{1,4}}\s+){{1,3}}(?:\w+\s+)?(?:{lock})"
    )


@lru_cache(maxsize=64)
def _pairs(grammar: Grammar) -> re.Pattern[str]:
    account = grammar.phrases("safety.lists.account").pattern
    return re.compile(rf"(?:{account})(?:{_NAMED_PAIR}|{_QUOTED})", re.MULTILINE)


@lru_cache(maxsize=8)
def _digit_word(guards: tuple[Grammar, ...]) -> re.Pattern[str]:
    return re.compile(alternation(w for g in guards for w in g.words("safety.lists.digit")))


@lru_cache(maxsize=64)
def _digit_words(grammar: Grammar) -> re.Pattern[str]:
    word = grammar.phrases("safety.lists.digit").pattern
    return re.compile(rf"{word}(?:[\s,-]+{word}){{{_DIGIT_WORDS - 1},}}")


def _sources(grammar: Grammar, name: str) -> tuple[str, ...]:
    pattern = grammar.patterns(f"safety.{name}").pattern
    return () if pattern == "(?!)" else (pattern,)
