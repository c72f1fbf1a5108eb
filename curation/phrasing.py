"""How a language phrases an entry: the tables of ``rewrite.toml``, compiled, and one-line text.

Patterns are matched on flat text (`locales.grammar.flat`), which has the same length as the
text itself, so that a match can be cut out of what was typed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from locales.grammar import NEVER, Grammar, flat, together

DASH = " — "
_DASHES = frozenset("—–-")
MOST_WORDS = 15
LEAST_WORDS = 5
_WHOLE = 3

_PICTURE = re.compile(
    "(?:[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff][\ufe0f\u200d\u20e3]*|[\ufe0f\u20e3])+"
)
_MOOD = re.compile(
    "[\u2600-\u260d\u2611-\u2615\u2618-\u2660\u26a0\u26a1\u2705\u270a-\u270d\u2714\u2728\u2753-\u2764\u2b50"
    "\U0001f31f\U0001f389\U0001f38a\U0001f440-\U0001f450\U0001f493-\U0001f4a6\U0001f4a9-\U0001f4af"
    "\U0001f4cc\U0001f4cd\U0001f4dd\U0001f514\U0001f525\U0001f5d2\U0001f600-\U0001f64f\U0001f6a8"
    "\U0001f90c-\U0001f92f\U0001f970-\U0001f97a]"
)
_HIDDEN = re.compile("[\u200b\u2060\ufeff]")
_LAST = re.compile(r"([^\W\d_]+)\s*$")
_NEAR = 24
_NEXT = re.compile(r"\s*([^\W\d_]+)")
_SMILEY = re.compile(r"(?<!\S)[:;=][-']?[)(DPp3oO/|\]](?!\S)")
_HOLLOW = re.compile(r"\(\W*\)")
_BULLET = re.compile(r"^\s*(?:[-*•–+]|\d{1,2}[.)])\s+")
_SEPARATOR = re.compile(
    r"\s*(?:(?P<stop>[,;!?]+|(?<=[^\W\d_]{4})(?<![A-Z][a-z])\.+|(?<=[)\"'”“])\.|\.{2,}|…)(?=\s|$)"
    r"|(?P<dash>\s[-–—]+(?=\s))|(?P<colon>:(?=\s)))\s*"
)
_SHORT_END = re.compile(r"([^\W\d_]{1,40})\.(?=\s+([^\W\d_]+))")
_TIDY = (
    (re.compile(r"\s+"), " "),
    (re.compile(r"\s+([,;:!?])"), r"\1"),
    (re.compile(r",(?:\s*,)+"), ","),
    (re.compile(r"(?:\s*—)+\s*—|,\s*—"), " —"),
    (re.compile(r"—\s*,"), "—"),
)
_EDGES = " \t,;:!…–—-"


@dataclass(frozen=True, slots=True)
class Shape:
    """One way to shorten: ``put`` replaces ``find``; ``$1`` is a group, ``$1~`` its lemma.

    ``exact`` keeps accents while matching; ``name`` wants group 1 to end in a name;
    ``nominal`` wants no verb in group 1, ``verbal`` one right behind the match; ``avoid`` is
    what group 1 must not be.
    """

    find: re.Pattern[str]
    put: str
    exact: bool = False
    name: bool = False
    nominal: bool = False
    verbal: bool = False
    avoid: re.Pattern[str] = NEVER


@dataclass(frozen=True, slots=True)
class Style:
    """The compiled ``rewrite.toml`` of one language; a language without one matches nothing."""

    grammar: Grammar
    table: Mapping[str, Any]
    lead: re.Pattern[str]
    tail: re.Pattern[str]
    clause: re.Pattern[str]
    anywhere: re.Pattern[str]
    intro: re.Pattern[str]
    soft: re.Pattern[str]
    kinds: Mapping[str, re.Pattern[str]]
    shapes: tuple[Shape, ...]
    trims: tuple[Shape, ...]
    terse: tuple[Shape, ...]
    finite: frozenset[str]
    infinitive: re.Pattern[str]
    adjective: re.Pattern[str]
    unchanged: re.Pattern[str]
    verbal: re.Pattern[str]
    stating: re.Pattern[str]
    describing: re.Pattern[str]
    heard: re.Pattern[str]
    small: frozenset[str]
    telling: re.Pattern[str]
    joint: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch between separators; ``mark`` stands before it: "", ",", ".", ":" or "—".

    A full stop stands for every end of a sentence.
    """

    mark: str
    text: str

    @property
    def apart(self) -> bool:
        """Whether it is a sentence of its own, or set off by a dash."""
        return self.mark in {".", "—"}


@lru_cache(maxsize=32)
def style(grammar: Grammar) -> Style:
    """The compiled tables of a language; made once."""
    table = grammar.table("rewrite")
    return Style(
        grammar,
        table,
        lead=_compile(r"^(?:{})(?![\w'-])[\s,:;!.…–—-]*", table.get("lead", ())),
        tail=_compile(r"[\s,;.!…(–—-]+(?:{})[\s).!?…,]*$", table.get("tail", ())),
        clause=_compile(r"^(?:{})", table.get("clause", ())),
        anywhere=_compile(r"(,\s*)?(?<![\w'-])(?:{})(?![\w'-])(\s*,)?", table.get("anywhere", ())),
        intro=_compile(
            r"^(?:(?P<who>.*?)[\s,.!)])?(?:{})(?!\w)[\s,:;–—-]*", table.get("intro", ())
        ),
        soft=_compile(r"(?<![\w'-])(?:{})(?![\w'-])(?! ?:)", table.get("soft", ())),
        kinds={k: _compile("{}", v) for k, v in grammar.table("rewrite.kinds").items()},
        shapes=tuple(map(_shape, table.get("shape", ()))),
        trims=tuple(map(_shape, table.get("trim", ()))),
        terse=tuple(map(_shape, table.get("terse", ()))),
        finite=grammar.words("rewrite.finite"),
        infinitive=re.compile(bare(table.get("infinitive", "(?!)"))),
        adjective=re.compile(table.get("adjective", "(?!)")),
        unchanged=re.compile(table.get("unchanged", "(?!)")),
        verbal=re.compile(table.get("verbal", "(?!)")),
        stating=_compile("^(?:{})", table.get("stating", ())),
        describing=_compile(r"\b(?:{})\b", table.get("describing", ())),
        heard=_compile("(?:{})", table.get("heard", ())),
        small=frozenset(word for row in table.get("small", ()) for word in flat(row).split()),
        telling=_compile("(?:{})", table.get("telling", ())),
        joint=_compile(r"[\s,]+(?:{})(?![\w'-])[\s,:]*", table.get("joint", ())),
    )


def _compile(frame: str, sources: Iterable[str]) -> re.Pattern[str]:
    joined = together(map(bare, sources))
    return re.compile(frame.replace("{}", joined)) if joined else NEVER


def _shape(row: Mapping[str, Any]) -> Shape:
    exact = bool(row.get("exact"))
    find = row["find"] if exact else bare(row["find"])
    return Shape(
        NEVER if row.get("never") else re.compile(find),
        row["put"],
        exact,
        bool(row.get("name")),
        bool(row.get("nominal")),
        bool(row.get("verbal")),
        re.compile(bare(row.get("avoid", "(?!)"))),
    )


def bare(source: str) -> str:
    """A regular expression without accents, as flat text has none; escapes stay as they are."""
    decomposed = unicodedata.normalize("NFD", source)
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def one_line(text: str, grammar: Grammar) -> str:
    """The input on one line: bullets, pictures and smileys gone; line ends become marks.

    A picture that stands for a word stays.
    """
    text = unicodedata.normalize("NFC", _HIDDEN.sub("", text))
    text = _PICTURE.sub(lambda m: f" {m[0]} " if _is_word(m, text, grammar) else " ", text)
    text = _SMILEY.sub("", text).replace("…", "... ")
    lines = [_BULLET.sub("", line, count=1).strip() for line in text.splitlines()]
    joined = ""
    for line in filter(None, lines):
        line = _SHORT_END.sub(lambda m: m[1] + (";" if _opens(m[1], m[2], grammar) else "."), line)
        joined = _joined(joined, line, grammar) if joined else line
    return tidy(_HOLLOW.sub(" ", joined))


def _is_word(picture: re.Match[str], text: str, grammar: Grammar) -> bool:
    """Whether a picture stands for a word ("the 🔑 is at Dana's") and shows no mood."""
    last = _LAST.search(text[max(0, picture.start() - _NEAR) : picture.start()])
    following = _NEXT.match(text[picture.end() :])
    if _MOOD.search(picture[0]) or not following and not last:
        return False
    before = flat(last[1]) if last else ""
    if before in grammar.words("rewrite.determiners"):
        return True
    if following and before in grammar.words("rewrite.prepositions"):
        return True
    opens = not text[: picture.start()].strip()
    return bool(opens and following and flat(following[1]) in grammar.words("rewrite.copulas"))


def pictures(text: str) -> list[str]:
    """The pictures in a text."""
    return _PICTURE.findall(text)


def _opens(last: str, word: str, grammar: Grammar) -> bool:
    """Whether a word behind a full stop begins a sentence, and the full stop is no short form's."""
    if word in grammar.words("rewrite.subjects"):
        return True
    short = len(last) < _WHOLE or not last.islower() or flat(last) in grammar.words("rewrite.short")
    return word[0].isupper() and (grammar.is_stop(word) or not short)


def _joined(above: str, line: str, grammar: Grammar) -> str:
    if above.endswith(":"):
        return above[:-1] + DASH + line if DASH not in above else f"{above} {line}"
    last = above.split()[-1]
    if last.isalpha() and grammar.is_stop(last):
        return f"{above} {line}"
    return above.rstrip(" ,;.!-–—") + ", " + line


def tidy(text: str) -> str:
    """One blank between words, no doubled or orphaned marks, none at the ends."""
    for pattern, put in _TIDY:
        text = pattern.sub(put, text)
    text = text.strip(_EDGES)
    return text if text[-3:-1].isdigit() else text.removesuffix(".").rstrip(_EDGES)


def clauses(text: str) -> list[Clause]:
    """The clauses of a line in order."""
    found, mark, start = [], "", 0
    for match in _SEPARATOR.finditer(text):
        found.append(Clause(mark, text[start : match.start()]))
        comma = "," if match.group().strip() == "," else "."
        mark = "—" if match["dash"] else ":" if match["colon"] else comma
        start = match.end()
    found.append(Clause(mark, text[start:]))
    return [clause for clause in found if clause.text.strip(_EDGES + ".?")]


def join(parts: Iterable[Clause]) -> str:
    """The clauses as one line again; sentences end in commas."""
    text = ""
    for part in parts:
        mark = DASH if part.mark == "—" else part.mark.replace(".", ",") + " "
        text = text + mark + part.text if text else part.text
    return tidy(text)


def count(text: str) -> int:
    """How many words an entry has; a lone dash is none (K5)."""
    return len([word for word in text.split() if word not in _DASHES])


def is_finite(word: str, style: Style) -> bool:
    """Whether a word is a verb form that makes a clause."""
    plain = flat(word)
    if plain in style.finite or plain.endswith("n't"):
        return True
    if _inflected(plain, style.grammar.lemma(word), style):
        return True
    prefixes = style.grammar.words("lexicon.negation_prefixes")
    rests = (plain.removeprefix(prefix) for prefix in prefixes if plain.startswith(prefix))
    if is_unlisted(word, style):
        return True
    if any(plain.startswith(p) and is_unlisted(word[len(p) :], style) for p in prefixes):
        return True
    return any(len(r) > 2 and _inflected(r, style.grammar.lemma(r), style) for r in rests)


def is_unlisted(word: str, style: Style) -> bool:
    """Whether a word that the dictionary does not know ends as only verbs do."""
    return bool(style.verbal.search(word)) and style.grammar.lemma(word) == word.lower()


def _inflected(plain: str, lemma: str, style: Style) -> bool:
    return flat(lemma) != plain and bool(style.infinitive.search(flat(lemma)))


def has_verb(text: str, style: Style) -> bool:
    """Whether any word of a clause is a finite verb."""
    return any(is_finite(word, style) for word in re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", text))


def reshape(shape: Shape, text: str, style: Style) -> str:
    """The text with a shape applied once; the text itself where the shape does not fit."""
    seen = text.lower() if shape.exact else flat(text)
    match = shape.find.search(seen) if len(seen) == len(text) else None
    if not match or not _fits(shape, match, text, style):
        return text
    put = _filled(shape.put, match, text, style)
    return text if put is None else tidy(text[: match.start()] + put + text[match.end() :])


def _fits(shape: Shape, match: re.Match[str], text: str, style: Style) -> bool:
    if shape.verbal and not has_verb(_next_word(text[match.end() :]), style):
        return False
    if not match.re.groups:
        return True
    first = text[match.start(1) : match.end(1)]
    if shape.name and not first.split()[-1][0].isupper():
        return False
    if shape.nominal and has_verb(first, style):
        return False
    return not shape.avoid.fullmatch(match[1])


def _next_word(text: str) -> str:
    return text.split(" ", 1)[0]


def _filled(put: str, match: re.Match[str], text: str, style: Style) -> str | None:
    out = ""
    for literal, group, lemma in re.findall(r"([^$]*)(?:\$(\d)(~?))?", put):
        out += literal
        if group:
            piece: str | None = text[slice(*match.span(int(group)))]
            piece = _nominative(piece or "", style) if lemma else piece
            if piece is None:
                return None
            out += piece
    return out


def _nominative(words: str, style: Style) -> str | None:
    """The dictionary form of each word; None where an inflected one is not known."""
    found = []
    for word in words.split():
        core = word.rstrip(",")
        lemma = core if core.isupper() else style.grammar.lemma(core)
        same = flat(lemma) == flat(core)
        doubtful = style.unchanged if same else style.adjective
        known = core.isupper() or same == bool(doubtful.search(lemma))
        if style.table.get("inflected") and not known:
            return None
        lemma = lemma.capitalize() if core[0].isupper() and not core.isupper() else lemma
        found.append(lemma + word[len(core) :])
    return " ".join(found)
