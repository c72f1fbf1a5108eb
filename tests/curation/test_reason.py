"""The why of an entry: found, dropped, asked for, attached (K7)."""

import pytest

from curation.phrasing import style
from curation.reason import explicit, with_reason
from curation.rewrite import rewrite
from locales import load

LANGUAGES = load(["en", "cs"])
SPLITS = [
    ("en", "no docks, because the tide eats them", "no docks", "the tide eats them"),
    (
        "en",
        "because the tide eats docks, we moor outside",
        "we moor outside",
        "the tide eats docks",
    ),
    ("en", "the dock rots, so we moor outside", "we moor outside", "the dock rots"),
    ("en", "moor outside due to the tide", "moor outside", "the tide"),
    ("en", "we moved in since 2019", "we moved in since 2019", ""),
    ("cs", "kotvíme venku, protože molo hnije", "kotvíme venku", "molo hnije"),
    ("cs", "jelikož molo hnije, kotvíme venku", "kotvíme venku", "molo hnije"),
    ("cs", "kotvíme venku, molo totiž hnije", "kotvíme venku", "molo hnije"),
    ("cs", "molo hnije, takže kotvíme venku", "kotvíme venku", "molo hnije"),
    ("cs", "kotvíme venku kvůli přílivu", "kotvíme venku", "přílivu"),
]


@pytest.mark.parametrize(("code", "text", "main", "why"), SPLITS, ids=[s[1] for s in SPLITS])
def test_a_connective_marks_the_why(code, text, main, why):
    """Trailing, fronted, inner and reversed connectives all give the same two halves (K7)."""
    said = explicit(text, style(LANGUAGES.grammar(code)), fact=False)
    assert (said.main, said.why.strip()) == (main, why)


ATTACHED = [
    ("en", "no docks", "the tide eats them", "no docks — because the tide eats them"),
    ("en", "no docks", "Because the tide eats them.", "no docks — because the tide eats them"),
    ("en", "no docks", "due to the tide", "no docks — because of the tide"),
    ("cs", "kotvíme venku", "protože molo hnije", "kotvíme venku — protože molo hnije"),
    ("cs", "kotvíme venku", "no prostě molo hnije, víš jak", "kotvíme venku — protože molo hnije"),
    ("cs", "kotvíme venku", "kvůli přílivu", "kotvíme venku — kvůli přílivu"),
    ("cs", "kotvíme venku", "   ", "kotvíme venku"),
]


@pytest.mark.parametrize(("code", "entry", "why", "whole"), ATTACHED, ids=[a[2] for a in ATTACHED])
def test_a_given_reason_is_attached_once(code, entry, why, whole):
    """A typed reason stands behind one dash and one connective of the language (K7)."""
    assert with_reason(entry, why, LANGUAGES.grammar(code)) == whole


DROPPED = [
    ("en", "the dog is called Rex because grandpa liked the name, he is three", "grandpa"),
    ("cs", "pes se jmenuje Rex, protože se to dědovi líbilo, a jsou mu tři", "dědovi"),
]


@pytest.mark.parametrize(("code", "text", "gone"), DROPPED, ids=["en", "cs"])
def test_a_plain_fact_carries_no_why(code, text, gone):
    """The why of a fact is dropped, what follows it stays, and nothing is asked (K7)."""
    said = rewrite(text, LANGUAGES.grammar(code))
    assert gone not in said.entry and said.entry.startswith(("dog — Rex", "pes — Rex"))
    assert not said.ask_reason and said.losses == ()


IMPLIED = [
    ("en", "I avoid the ferry, it makes me sick", "avoid the ferry — because it makes me sick"),
    (
        "cs",
        "na trajekt nechodím, dělá se mi tam zle",
        "na trajekt nechodím — protože dělá se mi tam zle",
    ),
]


@pytest.mark.parametrize(("code", "text", "entry"), IMPLIED, ids=["en", "cs"])
def test_a_second_clause_can_be_the_why(code, text, entry):
    """A clause that explains a preference is its reason without any connective (K7)."""
    assert rewrite(text, LANGUAGES.grammar(code)).entry == entry


@pytest.mark.parametrize(
    "text", ["we decided to sell the boat", "I prefer the night ferry to Oslo"]
)
def test_a_missing_reason_is_asked_for(text):
    """A decision or preference without a why asks for it once (K7)."""
    assert rewrite(text, LANGUAGES.grammar("en")).ask_reason
