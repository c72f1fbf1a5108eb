"""Words that open memory in each language, and sentences that only sound like them (X1, K1)."""

import pytest

import locales
from curation.triggers import Show, recognise


@pytest.fixture(scope="module")
def everything():
    """All languages there are."""
    return locales.load(["en", "cs", "sk", "de", "pl", "es", "uk", "zh"])


@pytest.mark.parametrize(
    "said",
    [
        "show memory",
        "Show me your memory, please",
        "what do you remember?",
        "what do you remember about me",
        "What's in your memory?",
        "ukaž paměť",
        "ukaž mi svou paměť, prosím",
        "Co si pamatuješ?",
        "co si o mně pamatuješ",
        "co všechno si pamatuješ",
        "Pomněnko, ukaž paměť",
        "co mas v pameti",
        "ukáž mi pamäť",
        "Was hast du dir gemerkt?",
        "pokaż pamięć",
        "¿Qué recuerdas?",
        "Що ти пам'ятаєш?",
        "你记得什么？",
    ],
)
def test_all_of_it(everything, said):
    """X1: a whole message that asks what is remembered opens the list of documents."""
    assert recognise(said, False, "bot", everything) == Show()


@pytest.mark.parametrize(
    ("said", "file"),
    [
        ("show USER.md", "USER.md"),
        ("show me memory.md", "memory.md"),
        ("open memory/MEMORY.md please", "memory/MEMORY.md"),
        ("ukaž mi USER.md", "USER.md"),
        ("zobraz projects/zahrada.md", "projects/zahrada.md"),
        ("відкрий notes.md", "notes.md"),
    ],
)
def test_one_file(everything, said, file):
    """X1: a file is named as it is written; memory.md and MEMORY.md are two."""
    assert recognise(said, False, "bot", everything) == Show(file)


@pytest.mark.parametrize(
    "said",
    [
        "the show must go on",
        "show me the way home",
        "show memory lane to Honza",
        "do you remember?",
        "what do you remember about Honza?",
        "I wonder what you remember",
        "ukaž mi cestu",
        "pamatuješ si heslo?",
        "co si pamatuješ o Honzovi?",
        "co si pamatuješ z výletu",
    ],
)
def test_nothing_of_the_kind(everything, said):
    """K1: what only sounds like it opens nothing."""
    assert not isinstance(recognise(said, False, "bot", everything), Show)
