"""Health values by the classes of words that meet in a sentence: symptoms, doses, values (T2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from curation.wordclasses import Found, Span, meet, near, sentence, within
from locales import Grammar
from locales.cldr import month_names
from locales.grammar import alternation

_VALUE = re.compile(
    r"(?<![\w.,:/+-])[+-]?\d{1,3}(?:[.,]\d{1,2})?(?![\d:]|[.,]\d|\w{3,}-)"
    r"(?!\s*(?:ml|g|l|dl|gb|kc|eur\w*|usd|gram\w*|litr\w*|мл|г|克|元|x)\b)"
)
_NUMBER = re.compile(r"(?<![\w.,:/+-])\d{1,4}(?:[.,]\d{1,2})?(?![\d:]|[.,]\d)")
_WEIGHT = re.compile(
    r"(?<![A-Za-z\d.,])(?:[3-9]\d|1[0-7]\d)(?:[.,]\d)?\s*(?:kg|kilo\w{0,2}|kil\w?|кг|кіло\w*|公斤|lbs?|pounds)(?![A-Za-z])"
    r"(?=\s*(?:$|[,.;!?)])|\s*\w+\s*(?:$|[,.;!?]))"
)
_DIGIT = re.compile(r"\d")
_PARTED = re.compile(r",(?!\d)")
_UNIT = re.compile(
    r"(?<![\w.,])\d+(?:[.,]\d+)?\s*(?:mi[ck]rogram\w*|mi[lł]+igram\w*|mikrogramm\w*|mcg|мікрограм\w*"
    r"|міліграм\w*|微克|毫克|mmhg|mmol\w*|bpm)(?!\s*/?\s*(?:l\b|litr))"
)
_CLOCK = re.compile(r"\b\d{1,2}:\d{2}\b|\b\d{1,2}\s*[ap]m\b|\b(?:v|ve|um|o|at)\s+\d{1,2}\b")
Tags = Mapping[str, list[Span]]

_NEAR_VALUE = 28
_NEAR_DATE = 40
_DATE = 80
_NEAR_OWNER = 25
_NEAR_SCALE = 12
_BESIDE = 4
_FEWEST_SYMPTOMS = 2
_SHORT_WORD = 2
_COMPLAINTS = ("ache", "symptom", "unwell", "hurt", "procedure", "drug")
_MOST_COMPLAINTS = 20


def ailing(plain: str, found: Found, guards: tuple[Grammar, ...]) -> Iterator[Span]:
    """Spans of what somebody's body shows, takes or went through; all of an endless list of it."""
    values = [match.span() for match in _VALUE.finditer(plain)]
    numbers = [match.span() for match in _NUMBER.finditer(plain)]
    weights = [match.span() for match in _WEIGHT.finditer(plain)]
    units = [match.span() for match in _UNIT.finditer(plain)]
    harmless = [span for tags in found.values() for span in tags.get("notmeasure", ())]
    causes = [
        span
        for tags in found.values()
        for span in tags.get("cause", ())
        if span[1] - span[0] > _SHORT_WORD
    ]
    for grammar in guards:
        tags = found.get(grammar.code)
        if not tags:
            continue
        if any(len(tags.get(name, ())) > _MOST_COMPLAINTS for name in _COMPLAINTS):
            yield 0, len(plain)
            return
        measured = _measured(plain, tags, values, weights)
        for span in (*_taken(plain, tags, numbers), *measured, *units):
            if not within(harmless, sentence(plain, span)):
                yield span
        yield from _unwell(plain, tags)
        for span in _felt(plain, tags):
            around = sentence(plain, span)
            caused = within(causes + tags.get("cause", []), around)
            if all(span[0] <= cause[0] < span[1] for cause in caused):
                yield span
        yield from _undergone(plain, tags, grammar)


def _felt(plain: str, tags: Tags) -> Iterator[Span]:
    """What hurts, and symptoms beside their owner, their time or each other."""
    hurts = [*tags.get("ache", ())]
    hurt = near(plain, tags.get("body", ()), tags.get("hurt", ()), 30)
    if hurt:
        hurts.append(hurt)
    yield from hurts
    for span in tags.get("symptom", ()):
        around = sentence(plain, span)
        beside = (
            within(tags.get("now", ()), around)
            or meet(plain, tags.get("own", ()), [span], _NEAR_OWNER)
            or len({*within(tags.get("symptom", ()), around)}) >= _FEWEST_SYMPTOMS
        )
        if beside:
            yield span


def _unwell(plain: str, tags: Tags) -> Iterator[Span]:
    """What somebody says of the moment, whatever it came from; a habit is no moment."""
    for span in tags.get("unwell", ()):
        if not within(tags.get("habit", ()), sentence(plain, span)):
            yield span


def _taken(plain: str, tags: Tags, values: Sequence[Span]) -> Iterator[Span]:
    """Doses: how much of what, or when."""
    drugs, forms = tags.get("drug", ()), tags.get("form", ())
    amounts = (*tags.get("amount", ()), *values)
    counted = near(plain, amounts, forms, 6)
    pairs = (
        near(plain, drugs, values, _NEAR_VALUE),
        counted and near(plain, [counted], tags.get("daypart", ()), 40),
        near(plain, drugs, tags.get("daypart", ()), 20)
        and near(plain, drugs, tags.get("dose", ()), 25),
        near(plain, near_amount(plain, amounts, drugs), tags.get("daypart", ()), 30),
        meet(plain, tags.get("dose", ()), values, 30) if drugs else None,
    )
    yield from (pair for pair in pairs if pair)


def near_amount(plain: str, amounts: Sequence[Span], drugs: Sequence[Span]) -> Sequence[Span]:
    """An amount right before a drug, as a list of at most one span."""
    found = meet(plain, amounts, drugs, 2)
    return [found] if found else []


def _measured(
    plain: str, tags: Tags, values: Sequence[Span], weights: Sequence[Span]
) -> Iterator[Span]:
    """A quantity of the body and its number; a weight beside a word for now."""
    found = [
        _straight(plain, meet(plain, tags.get("measure", ()), values, _NEAR_VALUE)),
        meet(plain, values, tags.get("measure", ()), _BESIDE),
        near(plain, values, tags.get("scale", ()), _NEAR_SCALE),
        near(plain, weights, tags.get("now", ()), 2),
    ]
    yield from (span for span in found if span)


def _straight(plain: str, span: Span | None) -> Span | None:
    """The span, unless a comma parts what is in it."""
    return span if span and not _PARTED.search(plain, *span) else None


def _undergone(plain: str, tags: Tags, grammar: Grammar) -> Iterator[Span]:
    """A procedure or a grave event and its day; with a time of day it is an appointment."""
    procedures = tags.get("procedure", ())
    if not procedures:
        return
    dated = any(_DIGIT.search(plain, max(0, a - _DATE), b + _DATE) for a, b in procedures)
    dates = [match.span() for match in _dates(grammar).finditer(plain)] if dated else []
    span = near(plain, procedures, (*dates, *tags.get("day", ())), _NEAR_DATE)
    if span and not _CLOCK.search(plain, max(0, span[0] - 25), span[1] + 25):
        yield span


@lru_cache(maxsize=64)
def _dates(grammar: Grammar) -> re.Pattern[str]:
    names = (
        name for width in ("wide", "abbreviated") for name, _ in month_names(grammar.code, width)
    )
    month = alternation((*names, *grammar.words("lexicon.months")))
    return re.compile(
        rf"\b\d{{1,2}}(?:st|nd|rd|th|\.)?\s*(?:de\s+|of\s+)?(?:{month})|(?:{month})\s+\d{{1,2}}\b"
        r"|\b\d{1,2}\.\s?\d{1,2}\.|\b\d{1,2}/\d{1,2}(?:/\d{2,4})?\b|\b\d{1,2}(?:st|nd|rd|th)\b"
        r"|\d{1,2}月\d{1,2}日|\b\d{4}-\d\d-\d\d\b"
    )
