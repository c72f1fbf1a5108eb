"""The last steps to a short entry keep what the guard looks for (K5, K6)."""

import pytest

from curation.brevity import dashed, squeezed
from curation.filler import hollow, stripped
from curation.phrasing import style
from curation.stance import Stance, stance
from locales import load

LANGUAGES = load(["en", "cs"])


def manner(code):
    return style(LANGUAGES.grammar(code))


SQUEEZED = [
    ("en", "the box is on the shelf with the red lid", 8, "the box is on shelf with red lid"),
    ("en", "we never put the box on it", 5, "we never put box on"),
    ("cs", "ta krabice je tam na polici pod tou lampou", 6, "ta krabice na polici pod lampou"),
    ("cs", "klíč už nikdy nedávat sem do šuplíku", 6, "klíč už nikdy nedávat do šuplíku"),
]


@pytest.mark.parametrize(("code", "entry", "most", "short"), SQUEEZED)
def test_small_words_go_from_the_end(code, entry, most, short):
    """Small words go first, prepositions last, negations and limits never (K5, K6)."""
    assert squeezed(entry, most, manner(code)) == short


DASHED = [
    ("en", "blue crate under the bench, lid missing", "blue crate under the bench — lid missing"),
    ("cs", "půjčovna lodí zavírá koncem září", "půjčovna lodí — zavírá koncem září"),
    ("cs", "pro Bohouše bez cibule a papriky", "pro Bohouše — bez cibule a papriky"),
    ("cs", "ve sklepě se suší bylinky i houby", "ve sklepě se suší bylinky i houby"),
    ("en", "crate — lid missing, sides fine", "crate — lid missing, sides fine"),
]


@pytest.mark.parametrize(("code", "entry", "marked"), DASHED)
def test_a_dash_parts_what_it_is_about(code, entry, marked):
    """A dash stands at the first comma, verb or second place, and never twice (K5)."""
    assert dashed(entry, manner(code)) == marked


HOLLOW = [
    ("en", "so I don't forget it again", True),
    ("en", "so I don't forget the ladder again", False),
    ("cs", "abych to zase nezapomněla", True),
    ("cs", "abych zase nezapomněla žebřík", False),
    ("en", "not that one", False),
]


@pytest.mark.parametrize(("code", "text", "says_nothing"), HOLLOW)
def test_talk_about_telling_is_hollow(code, text, says_nothing):
    """Words of telling among small ones say nothing; one word of the matter keeps all (K5)."""
    assert hollow(text, manner(code)) is says_nothing


def test_a_hollow_beginning_goes_with_its_joint():
    """What only leads to the point goes up to the point (K5)."""
    text = "not sure if I told you but the ladder is at Ingrid's"
    assert stripped(text, manner("en")) == "the ladder is at Ingrid's"


STANCES = [
    ("en", "I polish shoes on Sundays", Stance.MINE),
    ("en", "I have two bicycles", Stance.OTHERS),
    ("en", "we paint boats", Stance.OURS),
    ("en", "we turned down the offer", Stance.DONE),
    ("cs", "boty leštím v neděli", Stance.MINE),
    ("cs", "mám dvě kola", Stance.OTHERS),
    ("cs", "odmítli jsme nabídku", Stance.DONE),
    ("cs", "soused leští boty", Stance.OTHERS),
    ("cs", "nepracuju o víkendu", Stance.MINE),
    ("cs", "pracuju v kovárně", Stance.OTHERS),
]


@pytest.mark.parametrize(("code", "text", "who"), STANCES)
def test_whose_doing_it_is(code, text, who):
    """What I or we do is told from what others do and from lasting states (K7)."""
    assert stance(text, LANGUAGES.grammar(code)) is who
