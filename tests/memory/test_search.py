"""Search: what is found, in what order, where from, and what never is (X2, X3, W6)."""

import unicodedata

import pytest

from memory.spaces import DocumentName, DocumentRef
from tests.memory.search_workplace import ALICE, Coarse

NFD = unicodedata.normalize("NFD", "kůň v řepách patří sousedce")


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        pytest.param("Honza — alergie na arašídy", "Honzovi arašídech", id="inflected"),
        pytest.param("Honza — alergie na arašídy", "HONZA ARAŠÍDY", id="upper case"),
        pytest.param("Honza — alergie na arašídy", "arasidech", id="asked without accents"),
        pytest.param("vylet do Brna s detmi", "výlety s dětmi", id="stored without accents"),
        pytest.param(NFD, "kůň", id="stored decomposed"),
        pytest.param(NFD, "řepami", id="stored decomposed, inflected"),
        pytest.param("kůň patří sousedce", unicodedata.normalize("NFD", "kůň"), id="asked so"),
        pytest.param("Ana is allergic to peanuts", "peanut", id="English plural"),
        pytest.param("Ana's car is blue", "Ana", id="possessive"),
        pytest.param("小王对花生过敏", "花生", id="Chinese"),
        pytest.param("小王对花生过敏", "王", id="one Chinese character"),
        pytest.param("живе в місті Київ", "Kyiv", id="another script"),
        pytest.param("Deploy window: Tuesday 14:30", "14:30", id="time"),
        pytest.param("half a bag is 3,5 kg", "3.5", id="decimal comma"),
        pytest.param("party 🎉 on the roof", "🎉", id="emoji"),
        pytest.param("ﬁle is called Ｘ１", "X1 file", id="compatibility forms"),
        pytest.param("work is at Acme", "at", id="a stop word alone"),
        pytest.param("nepoužíváme MongoDB", "používat MongoDB", id="denied"),
    ],
)
def test_any_form_of_a_word_finds_it(place, stored, asked):
    """Inflection, case, accents, composition and script do not matter (X2)."""
    place.put(f"- nothing of the kind\n- {stored}\n")
    assert place.found(asked)[:1] == [unicodedata.normalize("NFC", stored)] or place.found(asked)[
        :1
    ] == [stored]


def test_a_preposition_finds_nothing_by_itself(place):
    """Small words that a line keeps say nothing about what is looked for (X2)."""
    place.put("- klíče od chaty visí v předsíni\n- odjezd autobusu od školy\n- car after service\n")
    assert place.found("klíče od chaty") == ["klíče od chaty visí v předsíni"]
    assert place.found("after school") == []
    assert place.found("od") != []


def test_more_words_come_first(place):
    """An entry with more of the words stands above one with a rarer word; none must have all."""
    place.put("- Honza likes tea\n- tea from Assam for Honza\n- Assam\n- coffee\n")
    found = place.found("Honza tea Assam")
    assert found[0] == "tea from Assam for Honza" and set(found[1:]) == {"Honza likes tea", "Assam"}


def test_two_common_words_come_before_a_rare_one(place):
    """How many of the words an entry has counts before how rare they are (X2)."""
    common = "".join(f"- {word} and number {n}\n" for n in range(40) for word in ("tea", "Honza"))
    long = "tea that Honza brought along when everybody had already gone home for the weekend"
    place.put(f"{common}- Assam\n- {long}\n")
    assert place.found("Honza tea Assam")[0] == long


def test_small_words_find_nothing_beside_others(place):
    """Words that say little count only where a question has no others."""
    place.put("- the stove\n- kayak\n")
    assert place.found("what is the kayak") == ["kayak"]


def test_the_same_name_comes_first(place):
    """Of words with one key the one as it was typed comes first."""
    place.put("- Petra má svátek v srpnu\n- Petr má svátek v červnu\n")
    assert place.found("Petr svátek")[0].startswith("Petr ")
    assert place.found("Petra svátek")[0].startswith("Petra ")


def test_what_lasts_comes_before_what_happened_on_a_day(place):
    """Of equal hits a lasting entry comes before one of a dated file."""
    place.put("- saw Honza\n", "dated", "2026-05-01")
    place.put("- Honza (marketing), head of the team for all of Europe\n")
    assert place.found("Honza")[0].startswith("Honza (marketing)")


def test_a_hit_says_where_it_stands(place):
    """A hit names document, headings and line; a heading finds what stands below it."""
    place.put("# All\n\n## Pets <!-- pinned -->\n\n### Cats\n- Micka\n- Mourek\n", "memory")
    [first, _] = place.search("cats").hits
    assert (first.ref.name, first.headings, first.line) == (
        DocumentName.MEMORY,
        ("Pets", "Cats"),
        6,
    )


def test_documents_are_found_by_their_names(place):
    """The name of a project or a topic finds what is written there."""
    place.put("- hose is in the shed\n", "project", "garden-north")
    assert place.found("garden") == ["hose is in the shed"]


def test_the_log_is_never_searched(place):
    """What was deleted stands in the log only, and is not found there (X2)."""
    place.put('2026-05-04 12:30 DELETED [detail] "kayak" — gone\n', "log")
    assert place.found("kayak") == []


def test_outside_edits_are_seen(place):
    """What another program writes is found by the next search, what it removes is not (X3)."""
    place.put("- kayak in the boathouse\n- stove\n")
    assert place.found("kayak in") == ["kayak in the boathouse"]
    place.put("- canoe in the boathouse\n- stove\n")
    assert (place.found("kayak"), place.found("canoe")) == ([], ["canoe in the boathouse"])


def test_an_edit_in_the_same_instant_is_seen(place):
    """A file that shows no change is read again while its last one is young (X3)."""
    path = place.put("- kayak\n")
    place.disk = Coarse(place.folder / "locks", path.stat().st_mtime_ns)
    place.index = place.opened(now=lambda: path.stat().st_mtime_ns + 10**9)
    assert place.found("kayak") == ["kayak"]
    path.write_bytes(b"- canoe\n")
    assert (place.found("kayak"), place.found("canoe")) == ([], ["canoe"])


def test_documents_that_are_gone_are_not_found(place):
    """A file that was removed leaves nothing in the index."""
    place.put("- kayak\n", "topic", "boats")
    assert place.found("kayak") == ["kayak"]
    place.layout.path(DocumentRef(ALICE, DocumentName.TOPIC, "boats")).unlink()
    assert place.found("kayak") == []
