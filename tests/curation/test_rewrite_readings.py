"""What kind a sentence is, which why it keeps, and what stays in sight (K5, K6, K7, K8)."""

import pytest

from curation import guard
from curation.admission import blank, clean, composed
from curation.duplicates import compare, index
from curation.engine import Kind, Relation
from curation.rewrite import rewrite
from locales import load

LANGUAGES = load(["en", "cs"])
REASONED = [
    ("en", "no meetings before ten please, my brain isn't on yet", Kind.PREFERENCE),
    ("en", "for long drives I take audiobooks, music sends me to sleep", Kind.PREFERENCE),
    ("en", "the newsletter goes out on Fridays now because nobody opened it", Kind.DECISION),
    ("en", "now that the co-op won't take cheques, dues get paid by transfer", Kind.DECISION),
    ("en", "the bakery doubled its minimum. We get the rolls from Tesco now", Kind.DECISION),
    ("en", "descaling the kettle with cola = useless, left sticky gunk", Kind.DEAD_END),
    ("cs", "do divadla jen na balkon, z přízemí přes ty hlavy nevidím", Kind.PREFERENCE),
    ("cs", "v autobuse sedám vepředu, jinak se mi zvedá žaludek", Kind.PREFERENCE),
    ("cs", "zpravodaj nově vychází v pátek, protože v pondělí ho nikdo nečetl", Kind.DECISION),
    ("cs", "když už Kovářovi zavřeli, bereme krmivo z Lhoty", Kind.DECISION),
    ("cs", "zkoušeli jsme rozpis na popelnice, nikdo ho nedodržoval", Kind.DEAD_END),
]
PLAIN = [
    ("en", "office is now on the third floor, the lift is broken"),
    ("en", "only Ruth has the alarm code, she keeps it in her purse"),
    ("en", "the shop on Mill Lane is shut on Wednesdays because the owner teaches yoga"),
    ("en", "Tomasz from dispatch eats only kosher"),
    ("cs", "kancelář je teď ve třetím patře, výtah nejede"),
    ("cs", "škola končí v 15:10 — vyzvedávat u zelené branky"),
    ("cs", "Karel má radši čaj než kafe"),
]
LOOKS = [
    ("en", "the 🔑 is at Dana's", "🔑"),
    ("en", "I decided to cancel the gym membership because I never go", "decided"),
    ("cs", "klíč je pod 🪴 u dveří", "🪴"),
    ("cs", "jsme se rozhodli pro Postgres, protože umí JSON", "rozhodli"),
    ("cs", "rozhodl jsem se zrušit posilovnu, protože tam nechodím", "rozhodnuto"),
    ("cs", "sousedka Jana má psa", "má psa"),
]
APART = [
    ("cs", "velikost bot je 43", "Velikost lyžáků 28,5"),
    ("en", "hat size 57", "ring size 54"),
    ("en", "I prefer tea over coffee", "prefer window seats"),
]


@pytest.mark.parametrize(("code", "text", "kind"), REASONED)
def test_a_choice_keeps_its_why(code, text, kind):
    """A preference, a decision or a dead end carries its why, marked or not, in the entry (K7)."""
    grammar = LANGUAGES.grammar(code)
    said = rewrite(text, grammar)
    marker = f" — {grammar.table('reason')['marker']} "
    assert (said.kind, said.ask_reason, said.losses) == (kind, False, ())
    assert marker in said.entry


@pytest.mark.parametrize(("code", "text"), PLAIN)
def test_a_plain_fact_gets_no_why(code, text):
    """Two clauses about things or other people are a fact, and none is made a why (K7)."""
    grammar = LANGUAGES.grammar(code)
    said = rewrite(text, grammar)
    assert said.kind is Kind.FACT
    assert f" {grammar.table('reason')['marker']} " not in said.entry


@pytest.mark.parametrize(("code", "text", "seen"), LOOKS)
def test_what_carries_the_meaning_stays_in_sight(code, text, seen):
    """A picture in a word's place, a decision and an object with its verb are not cut (K5, K6)."""
    said = rewrite(text, LANGUAGES.grammar(code))
    assert seen in said.entry
    assert said.losses == ()


def test_the_guard_misses_a_picture_that_stands_for_a_word():
    """An entry without the picture that was a word is not kept as it is (K6)."""
    grammar = LANGUAGES.grammar("en")
    assert "picture" in guard.losses("the 🔑 is at Dana's", "is at Dana's", grammar)
    assert guard.losses("Rex is our dog 🎉", "Rex is our dog", grammar) == ()


@pytest.mark.parametrize(("code", "old", "new"), APART)
def test_another_subject_is_no_contradiction(code, old, new):
    """The same measure of another thing stands beside the known one (K8)."""
    known = index([old], LANGUAGES.grammar(code))
    assert compare(new, known).relation is Relation.DIFFERENT


def test_spaces_of_no_width_are_not_stored():
    """What hides inside a word goes, joiners of letters stay, and blanking keeps offsets (W6)."""
    text = "my pass\u200bword is hun\u2060ter2xyz9 ok\ufeff"
    assert composed("a\u200bb\u2060c\ufeffd\u200d") == "abcd\u200d"
    assert clean(text, LANGUAGES).text == "my password is hunter2xyz9 ok"
    assert len(blank(text, LANGUAGES)) == len(text)
    assert "hun" not in blank(text, LANGUAGES)
