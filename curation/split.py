"""One input, several matters: where it is cut so that each part can find its own home (K4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from curation.addressing import Place
from curation.admission import MOST_SENTENCES, Admitted, clean
from curation.comparison import vocabulary
from curation.engine import Ask, Home, Refusal, Refuse
from curation.triage import Finding, triage
from curation.wordclasses import classes
from locales import Grammar, Languages, flat

_SENTENCE_END = re.compile(r"(?<=[.!?…;。！？；])[\"'”“»)]*\s+|(?<=[。！？；])|\s*\n\s*|(?<=;)\s+")
_COMMA = re.compile(r",\s+(?=\S)")
_LAST_WORD = re.compile(r"\b([^\W\d]+(?:\.[^\W\d])?)\.$")
_FEWEST_OF_A_FACT = 3
_MOST_DANGERS = 20
_LONGEST_WORD = 60
_ORDINAL = re.compile(r"\d\.$")
_NEXT_WORD = re.compile(r"\w+")
_FEWEST_WORDS = 2
_CUES = ("safety.secret", "safety.named", "safety.lists.login")
_BODILY = frozenset(("ache", "symptom", "body", "measure", "drug", "form", "dose", "procedure"))
_ABSORBED = {Refusal.SMALLTALK}


_CUT_AT_COMMAS = (
    Refuse(Refusal.SECRET),
    Refuse(Refusal.HEALTH_VALUE),
    Refuse(Refusal.CALENDAR_DATE),
    Place(Home.REMINDER),
)


class _Cut(Enum):
    SENTENCE = "sentence"
    JOINT = "joint"
    COMMA = "comma"


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch between two possible cuts; ``how`` tells what it starts with."""

    start: int
    end: int
    how: _Cut
    finding: Finding | None


def split(text: str, languages: Languages, language: str) -> tuple[str, ...]:
    """The parts of ``text`` that belong to different places, as spans of it; often just one.

    A part is cut off where its own triage differs from its neighbour's: a fact and a reminder,
    a fact and a secret. A list, a procedure, or an injection stays whole.
    """
    return parted(text, triage(text, languages, language), languages, language)


def parted(
    text: str, whole: Finding | None, languages: Languages, language: str
) -> tuple[str, ...]:
    """Like :func:`split`; ``whole`` is what triage found for the whole text."""
    dangers, bodily = _dangers(text, languages)
    if len(dangers) > _MOST_DANGERS:
        return (text,)
    inner = _cuts(text, dangers, languages.grammar(language))
    if not inner or len(inner) > MOST_SENTENCES or _stays_whole(whole):
        return (text,)
    if whole not in _CUT_AT_COMMAS:
        inner = [(at, how) for at, how in inner if how is not _Cut.COMMA]
    if not inner:
        return (text,)
    cuts = [(0, _Cut.SENTENCE), *inner, (len(text), _Cut.SENTENCE)]
    pieces = [
        _Piece(a, b, how, triage(_trimmed(text[a:b]), languages, language))
        for (a, how), (b, _) in zip(cuts, cuts[1:], strict=False)
    ]
    if not all(_caught(pieces, span) for span in dangers):
        return (text,)
    grammar = languages.grammar(language)
    parts = _joined(text, pieces, grammar)
    if dangers:
        sentences = {at for at, how in inner if how is _Cut.SENTENCE}
        parts = _swallowed(parts, dangers, _Talk(flat(text), sentences, grammar, languages, bodily))
    return tuple(_trimmed(text[a:b], grammar) for a, b in parts)


@dataclass(frozen=True, slots=True)
class _Talk:
    """A flat text, where its sentences start, and the words to look for in it.

    ``bodily`` tells that its danger is a health value.
    """

    plain: str
    sentences: set[int]
    grammar: Grammar
    languages: Languages
    bodily: bool

    def stands_apart(self, part: tuple[int, int], border: int) -> bool:
        """Whether a part beside a danger is a fact of its own and no beginning of the danger."""
        said = self.plain[slice(*part)]
        if self._is_empty(said) or any(_cue(said, guard) for guard in self.languages.guards):
            return False
        tags = classes(said, self.languages.guards).values() if self.bodily else ()
        if any(name in _BODILY for found in tags for name in found):
            return False
        told = ("triage.standing", "triage.statement", "triage.reminder", "triage.project")
        return border in self.sentences or any(
            self.grammar.patterns(name).search(said) for name in told
        )

    def _is_empty(self, said: str) -> bool:
        """Whether no word of it means anything by itself."""
        small = vocabulary(self.grammar).small | self.grammar.stop_words
        return all(word in small for word in _NEXT_WORD.findall(said))


def _cue(said: str, grammar: Grammar) -> bool:
    return any(grammar.phrases(name).search(said) for name in _CUES)


def _swallowed(
    parts: Sequence[tuple[int, int]], dangers: Sequence[tuple[int, int]], talk: _Talk
) -> list[tuple[int, int]]:
    """The parts, those that belong to a danger beside them taken into it."""
    out: list[tuple[int, int]] = []
    for part in parts:
        before = out[-1] if out else None
        if before is None or _holds(before, dangers) == _holds(part, dangers):
            out.append(part)
            continue
        harmless = part if _holds(before, dangers) else before
        if talk.stands_apart(harmless, part[0]):
            out.append(part)
        else:
            out[-1] = (before[0], part[1])
    return out


def _holds(part: tuple[int, int], dangers: Sequence[tuple[int, int]]) -> bool:
    return any(part[0] < end and start < part[1] for start, end in dangers)


def _dangers(text: str, languages: Languages) -> tuple[tuple[tuple[int, int], ...], bool]:
    """Spans of secrets and health values, and whether there are any of the latter."""
    admitted = clean(text, languages)
    if not isinstance(admitted, Admitted):
        return (), False
    return admitted.secrets + admitted.health, bool(admitted.health)


def _caught(pieces: Sequence[_Piece], danger: tuple[int, int]) -> bool:
    """Whether each piece that holds some of a danger is refused for it by itself."""
    return all(
        piece.finding in (Refuse(Refusal.SECRET), Refuse(Refusal.HEALTH_VALUE))
        for piece in pieces
        if piece.start < danger[1] and danger[0] < piece.end
    )


def _stays_whole(whole: Finding | None) -> bool:
    return whole in (Refuse(Refusal.INJECTION), Refuse(Refusal.SMALLTALK)) or (
        isinstance(whole, Ask) or (isinstance(whole, Place) and whole.home == "procedure")
    )


def _cuts(
    text: str, dangers: Sequence[tuple[int, int]], grammar: Grammar
) -> list[tuple[int, _Cut]]:
    """Possible cuts as (position, what is there), none within a danger."""
    found = {
        m.end(): _Cut.SENTENCE
        for m in _SENTENCE_END.finditer(text)
        if _ends_sentence(text, m, grammar)
    }
    plain = flat(text)
    for match in grammar.patterns("triage.joints").finditer(plain):
        if not _repeats(text, match):
            found.setdefault(match.start(), _Cut.JOINT)
    for match in _COMMA.finditer(text):
        if not grammar.patterns("triage.subordinate").match(plain, match.end()):
            found.setdefault(match.start(), _Cut.COMMA)
    return sorted(
        (at, how)
        for at, how in found.items()
        if 0 < at < len(text) and not any(a < at < b for a, b in dangers)
    )


def _repeats(text: str, joint: re.Match[str]) -> bool:
    """Whether the joint stands between the same words: "round and round"."""
    start, end = joint.span()
    before = text[max(0, start - _LONGEST_WORD) : start].split()
    after = text[end : end + _LONGEST_WORD].split()
    return bool(before and after and flat(before[-1]) == flat(after[0]))


def _ends_sentence(text: str, match: re.Match[str], grammar: Grammar) -> bool:
    """Whether a sentence ends there, and not an abbreviation or an ordinal number."""
    before = text[max(0, match.start() - 8) : match.start()]
    following = _NEXT_WORD.match(text, match.end())
    if "\n" in match.group() or following is None:
        return True
    counted = grammar.words("triage.after_ordinal") | grammar.words("lexicon.months")
    ordinal = _ORDINAL.search(before) and (
        flat(following.group()) in counted or following.group()[0].isdigit()
    )
    last = _LAST_WORD.search(before)
    short = last is not None and (
        len(last[1]) == 1 or flat(last[1]) in grammar.words("triage.abbreviations")
    )
    return not ordinal and not short


def _joined(text: str, pieces: Sequence[_Piece], grammar: Grammar) -> list[tuple[int, int]]:
    """Spans of the parts: each piece opens one, or stays with the part before it."""
    parts = [(pieces[0].start, pieces[0].end)]
    label = pieces[0].finding
    for piece in pieces[1:]:
        if _belongs_with(label, piece, text, grammar):
            parts[-1] = (parts[-1][0], piece.end)
            label = piece.finding if _weak(label) else label
        elif _weak(label) or len(text[slice(*parts[-1])].split()) < _FEWEST_WORDS:
            parts[-1] = (parts[-1][0], piece.end)
            label = piece.finding
        else:
            parts.append((piece.start, piece.end))
            label = piece.finding
    return parts


def _belongs_with(label: Finding | None, piece: _Piece, text: str, grammar: Grammar) -> bool:
    if _weak(piece.finding) or _kind(piece.finding) == _kind(label):
        return True
    if piece.finding is None and len(text[piece.start : piece.end].split()) < _FEWEST_OF_A_FACT:
        return True
    if piece.how is _Cut.COMMA and not (_dangerous(label) or _dangerous(piece.finding)):
        said = _trimmed(flat(text[piece.start : piece.end]))
        return not grammar.patterns("triage.subject").match(said)
    if piece.finding is None and _names_another(text, piece.start, grammar):
        return False
    if piece.finding is None and (isinstance(label, Place) or piece.how is not _Cut.SENTENCE):
        said = flat(text[piece.start : piece.end])
        apart = label in _CUT_AT_COMMAS
        told = ("triage.statement", "triage.project")
        stated = apart and any(grammar.patterns(name).search(said) for name in told)
        return not (stated or grammar.patterns("triage.standing").search(said))
    return False


def _names_another(text: str, start: int, grammar: Grammar) -> bool:
    """Whether a semicolon stands before it, and a name behind that: a matter of its own."""
    word = _NEXT_WORD.match(text, start)
    named = word is not None and word[0][0].isupper() and not grammar.is_stop(word[0])
    return named and text[:start].rstrip().endswith(";")


def _dangerous(finding: Finding | None) -> bool:
    return finding in (Refuse(Refusal.SECRET), Refuse(Refusal.HEALTH_VALUE))


def _weak(finding: Finding | None) -> bool:
    """Whether a piece cannot stand alone: vague, or mere chatter."""
    return isinstance(finding, Ask) or (isinstance(finding, Refuse) and finding.why in _ABSORBED)


def _kind(finding: Finding | None) -> tuple[str, str]:
    if finding is None or isinstance(finding, Ask):
        return "keep", ""
    if isinstance(finding, Refuse):
        return "refuse", finding.why
    return finding.home, "" if finding.home is Home.SKILL_RULE else finding.target


def _trimmed(part: str, grammar: Grammar | None = None) -> str:
    """``part`` without the joint and the punctuation at its edges."""
    part = part.strip().strip(",;").strip()
    if grammar is None:
        return part
    joint = grammar.patterns("triage.joint_words").match(flat(part))
    return part[joint.end() :].lstrip(" ,") if joint else part
