"""Words that say for whom something is kept, and whose memory is to be tidied (T10, G6)."""

import pytest

import locales
from curation.sharing import Announced, announced
from curation.triggers import CompactChannel, CompactKeep, CompactMemory, recognise

LANGUAGES = locales.load(["en", "cs"])

ANNOUNCED = {
    "for the group: the plumber is Ana": "the plumber is Ana",
    "for the group the plumber is Ana": "the plumber is Ana",
    "For everyone here — we deploy on Tuesdays": "we deploy on Tuesdays",
    "for everyone in this chat: deploys on Tuesdays": "deploys on Tuesdays",
    "to the group's memory: deploys on Tuesdays": "deploys on Tuesdays",
    "for our team, that we deploy on Tuesdays": "we deploy on Tuesdays",
    "pro skupinu: instalatér je Ana": "instalatér je Ana",
    "pro skupinu instalatér je Ana": "instalatér je Ana",
    "Pro všechny tady, že brigáda je v sobotu": "brigáda je v sobotu",
    "do skupiny: klíče má Hana": "klíče má Hana",
    "pro naši rodinu: pojistka je u Kooperativy": "pojistka je u Kooperativy",
    "for the group dinner we need ten chairs": None,
    "for the family I cook on Sundays": None,
    "for everyone who asks I am not at home": None,
    "the group meets on Mondays": None,
    "pro skupinu lidí s alergií vařím zvlášť": None,
    "pro všechny případy mám klíč u souseda": None,
    "for the group:": "",
    "": None,
}


@pytest.mark.parametrize("text, rest", ANNOUNCED.items(), ids=ANNOUNCED)
def test_what_is_announced_for_a_group(text, rest):
    """T10: what follows the announcement is kept; words that only look like one stay."""
    found = announced(text, LANGUAGES)
    assert (found.text if found else None) == rest


@pytest.mark.parametrize(
    ("text", "rest", "group"),
    [
        ("for the family group: the spare fuse", "the spare fuse", "family"),
        ("for group family: the spare fuse", "the spare fuse", "family"),
        ("for the group family that the dog is deaf", "the dog is deaf", "family"),
        ("for group family the spare fuse", "the spare fuse", "family"),
        ("for the family: the spare fuse", "the spare fuse", "family"),
        ("for the “family” group's memory: Fuse", "Fuse", "family"),
        ("for the group: the spare fuse", "the spare fuse", ""),
        ("pro skupinu family: chata", "chata", "family"),
        ("pro skupinu family, že chata", "chata", "family"),
        ("pro skupinu „family“ chata", "chata", "family"),
        ("pro family skupinu: chata", "chata", "family"),
        ("Pro Family: chata", "chata", "family"),
        ("pro skupinu: chata", "chata", ""),
    ],
)
def test_the_name_of_a_group_is_no_part_of_the_fact(text, rest, group):
    """T10: a group of the person's may be named with or without the word for it."""
    assert announced(text, LANGUAGES, ("family",)) == Announced(rest, group)


@pytest.mark.parametrize(
    "text", ["for Honza: socks", "pro Honzu: ponožky", "for the mill group: x"]
)
def test_other_names_are_no_groups(text):
    """T10: who is no group of the person's is not taken for one."""
    assert announced(text, LANGUAGES, ("family",)) is None


TIDIED = {
    "/compact channel": CompactChannel,
    "compact channel memory": CompactChannel,
    "clean up the channel memory": CompactChannel,
    "compact CHANNEL.md": CompactChannel,
    "compact the chat's memory": CompactChannel,
    "ukliď paměť chatu": CompactChannel,
    "procisti nám paměť skupiny": CompactChannel,
    "udělej úklid paměti tohoto chatu": CompactChannel,
    "compact memory": CompactMemory,
    "ukliď paměť": CompactMemory,
    "/compact": CompactMemory,
    "keep compact": CompactKeep,
}


@pytest.mark.parametrize("text, intent", TIDIED.items(), ids=TIDIED)
def test_whose_memory_is_to_be_tidied(text, intent):
    """G6, C1: the chat's memory is named; without it the own is meant."""
    assert isinstance(recognise(text, False, "bot", LANGUAGES), intent)
