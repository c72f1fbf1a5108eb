"""What "cancel" means: what was asked or shown last, never an older card (D2)."""

import pytest

from curation.engine import Keep, Kind

CLOSED = ("The open list is closed.", "Otevřený seznam je zavřený.")


@pytest.fixture
async def cards(shelf):
    """Two cards wait, about "one 1" and then about "two 2"."""
    for text in ("one 1", "two 2"):
        shelf.engine.verdicts[text] = Keep(text[:3], Kind.FACT, losses=("number",))
        await shelf.say(f"keep {text}")
        shelf.later(minutes=1)
    return shelf


@pytest.mark.parametrize("word", ["/cancel", "cancel", "zruš"])
async def test_a_list_of_candidates_is_closed(cards, word):
    """D2: after /remove with several matches, cancel closes that list and keeps older cards."""
    await cards.say("/remove the")
    await cards.say(word)
    assert cards.text in CLOSED
    assert cards.file() == "- the plumber is Ana\n- the key is at Vrba\n"
    await cards.say(word)
    assert "two" in cards.text and cards.text not in CLOSED


async def test_what_was_shown_again_is_the_newest(cards):
    """D2, D6: an old question shown once more from /pending is the one that cancel ends."""
    await cards.say("/pending")
    cards.later(minutes=1)
    await cards.press("Show 2")
    assert "one 1" in cards.text
    cards.later(minutes=1)
    await cards.say("/cancel")
    assert "one" in cards.text and "two" not in cards.text
