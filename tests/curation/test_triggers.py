"""What the first words of a message ask for (K1-K3, K10, C1, D2)."""

import json
import tomllib
from pathlib import Path

import pytest

from curation.triggers import (
    Answer,
    CompactKeep,
    CompactMemory,
    Intent,
    Keep,
    Nothing,
    Selection,
    TidyIndex,
    recognise,
)
from locales import load

LANGUAGES = load(["cs", "en"])
ALL = load(["cs", "en", "de", "sk", "pl", "es", "uk", "zh"])
DATA = Path(__file__).parents[2] / "benchmarks" / "data" / "keep_cases.jsonl"
ROWS = tomllib.loads(Path(__file__).with_name("trigger_cases.toml").read_text("utf-8"))["cases"]
TABLE = [tuple(cell.strip() for cell in row.split(" | ")) for row in ROWS]
OPEN = [case for line in DATA.read_text("utf-8").splitlines() if (case := json.loads(line))]
TRIGGERS = [case for case in OPEN if case["task"] == "trigger"]


def name(intent: Intent) -> str:
    match intent:
        case Keep():
            return "keep"
        case CompactMemory():
            return "compact_memory"
        case CompactKeep():
            return "compact_keep"
        case TidyIndex():
            return "tidy_index"
        case Selection():
            return "selection"
        case Answer(verb):
            return verb
    return "none"


def content(intent: Intent) -> str:
    if isinstance(intent, Selection):
        return f"{intent.verb} {' '.join(map(str, intent.numbers))}"
    return intent.content if isinstance(intent, Keep) else ""


@pytest.mark.parametrize(("raw", "chat", "expected", "said"), TABLE, ids=[r[0] for r in TABLE])
def test_first_words_decide(raw: str, chat: str, expected: str, said: str):
    """K1, C1, D2: a trigger counts only at the start, and in groups only when addressed."""
    intent = recognise(raw, chat != "private", "pomnenka_bot", LANGUAGES, chat == "addressed")
    assert (name(intent), content(intent)) == (expected, said)


@pytest.mark.parametrize("case", TRIGGERS, ids=[case["id"] for case in TRIGGERS])
def test_public_cases_of_every_language(case: dict):
    """K1: every language that has a folder hears its own triggers, and none inside a sentence."""
    intent = recognise(case["raw"], case["chat"] == "group", "pomnenka_bot", ALL)
    expected = {"none": {"none", "apply", "cancel"}}.get(case["expect"], {case["expect"]})
    assert name(intent) in expected


@pytest.mark.parametrize("form", ["zapamatuj si", "zapamatuj\u00a0si", "ZAPAMATUJ SI"])
def test_content_keeps_line_breaks(form: str):
    """K2: several lines stay as typed; collapsing them is the rewriter's work."""
    assert recognise(f"{form}: a\nb", False, "b", LANGUAGES) == Keep("a\nb", "cs")


def test_decomposed_letters_are_the_same_trigger():
    """K1: a trigger typed with combining marks is the same trigger."""
    assert recognise(
        "ulo\u017ez".replace("\u017ez", "z\u030c") + " si klíč", False, "b", LANGUAGES
    ) == Keep("klíč", "cs")


def test_keep_is_no_evidence_of_a_language():
    """L2: "keep" is said in every language, "zapamatuj si" only in Czech."""
    assert recognise("keep klíče", False, "b", LANGUAGES) == Keep("klíče", "")
    assert recognise("remember klíče", False, "b", LANGUAGES) == Keep("klíče", "en")


def test_long_ranges_are_not_written_out():
    """D2: a range of thousands is no selection."""
    assert recognise("keep 1-999", False, "b", LANGUAGES) == Keep("1-999")


def test_nothing_is_a_value():
    """K1: a message that asks for nothing is told apart from an empty keep."""
    assert recognise("", False, "b", LANGUAGES) == Nothing()
