"""One input, several matters: where it is cut so that each part can find its own home (K4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from curation.admission import Admitted, clean
from curation.engine import Ask, Refusal, Refuse
from curation.triage import Finding, Place, triage
from locales import Grammar, Languages, flat

_SENTENCE_END = re.compile(r"(?<=[.!?…;。！？；])[\"'”“»)]*\s+|(?<=[。！？；])|\s*\n\s*|(?<=;)\s+")
_LAST_WORD = re.compile(r"\b([^\W\d]+(?:\.[^\W\d])?)\.$")
_FEWEST_OF_A_FACT = 3
_ORDINAL = re.compile(r"\d\.$")
_NEXT_WORD = re.compile(r"\w+")
_FEWEST_WORDS = 2
_ABSORBED = {Refusal.SMALLTALK}


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch between two possible cuts; ``sentence`` tells that a sentence starts with it."""

    start: int
    end: int
    sentence: bool
    finding: Finding | None


def split(text: str, languages: Languages, language: str) -> tuple[str, ...]:
    """The parts of ``text`` that belong to different places, as spans of it; often just one.

    A part is cut off where its own triage differs from its neighbour's: a fact and a reminder,
    a fact and a secret. A list, a procedure, or an injection stays whole.
    """
    inner = _cuts(text, languages, language)
    if not inner or _stays_whole(triage(text, languages, language)):
        return (text,)
    cuts = [(0, True), *inner, (len(text), True)]
    pieces = [
        _Piece(a, b, sentence, triage(_trimmed(text[a:b]), languages, language))
        for (a, sentence), (b, _) in zip(cuts, cuts[1:], strict=False)
    ]
    grammar = _grammar(languages, language)
    return tuple(_trimmed(text[a:b], grammar) for a, b in _joined(text, pieces, grammar))


def _stays_whole(whole: Finding | None) -> bool:
    return whole in (Refuse(Refusal.INJECTION), Refuse(Refusal.SMALLTALK)) or (
        isinstance(whole, Ask) or (isinstance(whole, Place) and whole.home == "procedure")
    )


def _grammar(languages: Languages, language: str) -> Grammar:
    return languages.grammar(language)


def _cuts(text: str, languages: Languages, language: str) -> list[tuple[int, bool]]:
    """Possible cuts as (position, whether a sentence starts there), none within a secret."""
    grammar = _grammar(languages, language)
    found = {
        m.end(): True for m in _SENTENCE_END.finditer(text) if _ends_sentence(text, m, grammar)
    }
    for match in grammar.patterns("triage.joints").finditer(flat(text)):
        if not _repeats(text, match):
            found.setdefault(match.start(), False)
    if not found:
        return []
    admitted = clean(text, languages)
    spans = admitted.secrets + admitted.health if isinstance(admitted, Admitted) else ()
    return sorted(
        (at, sentence)
        for at, sentence in found.items()
        if 0 < at < len(text) and not any(a < at < b for a, b in spans)
    )


def _repeats(text: str, joint: re.Match[str]) -> bool:
    """Whether the joint stands between the same words: "round and round"."""
    before, after = text[: joint.start()].split(), text[joint.end() :].split()
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
    if piece.finding is None and (isinstance(label, Place) or not piece.sentence):
        said = flat(text[piece.start : piece.end])
        return not grammar.patterns("triage.standing").search(said)
    return False


def _weak(finding: Finding | None) -> bool:
    """Whether a piece cannot stand alone: vague, or mere chatter."""
    return isinstance(finding, Ask) or (isinstance(finding, Refuse) and finding.why in _ABSORBED)


def _kind(finding: Finding | None) -> tuple[str, str]:
    if finding is None or isinstance(finding, Ask):
        return "keep", ""
    if isinstance(finding, Refuse):
        return "refuse", finding.why
    return finding.home, finding.target


def _trimmed(part: str, grammar: Grammar | None = None) -> str:
    """``part`` without the joint and the punctuation at its edges."""
    part = part.strip().strip(",;").strip()
    if grammar is None:
        return part
    joint = grammar.patterns("triage.joint_words").match(flat(part))
    return part[joint.end() :].lstrip(" ,") if joint else part
