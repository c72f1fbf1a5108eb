"""What stands against a denial keeps its "but": without it the sentence would be turned round."""

import pytest

import locales
from curation.engine import Hints, Keep
from curation.rules import Rules

RULES = Rules(locales.load(["en", "cs"]))


@pytest.mark.parametrize(
    ("said", "language", "joint"),
    [
        ("neplatíme kartou, ale hotově", "cs", "kartou, ale hotově"),
        ("Honza už nebydlí v Brně, ale v Praze", "cs", "ale v Praze"),
        ("Iveta už neučí chemii, ale fyziku", "cs", "ale fyziku"),
        ("Samir nebere telefon, ale na SMS odpovídá", "cs", "ale na SMS"),
        ("we don't pay by card, but in cash", "en", "but in cash"),
        ("Ivy is not a nurse but a doctor", "en", "but a doctor"),
    ],
)
def test_a_contrast_with_a_denial_stays(said, language, joint):
    """K6: "not X but Y" never becomes "not X, Y"."""
    parts = RULES.judge(said, Hints(language)).parts
    assert [type(part.verdict) for part in parts] == [Keep]
    assert joint.replace(" a ", " ") in parts[0].verdict.entry.replace(" a ", " ")
