"""Folding: how texts compare when no language is known."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.folding import fold, same_title, strict


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("  Žluťoučký \t KŮŇ ", "zlutoucky kun"),
        ("Z\u030cluťoučky\u0301", "zlutoucky"),
        ("Straße Łódź", "strasse lodz"),
        ("ѐй ї Ё", "ей ї ё"),
        ("Їжак і йод", "їжак і йод"),
        ("İstanbul", "istanbul"),
        ("北京  大学", "北京 大学"),
        ("का", "का"),
        ("a\u00a0b\u2028c", "a b c"),
    ],
    ids=[
        "czech",
        "nfd",
        "strokes",
        "cyrillic",
        "ukrainian",
        "dotted-i",
        "chinese",
        "devanagari",
        "blanks",
    ],
)
def test_fold(text, folded):
    """Case, Latin diacritics, composition and blanks do not tell texts apart (K1, K8)."""
    assert fold(text) == folded


@given(st.text())
def test_fold_is_stable(text):
    """Folding twice is folding once, and composition never matters (K8)."""
    assert fold(fold(text)) == fold(text)
    assert fold(unicodedata.normalize("NFD", text)) == fold(text)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("Má psa.", "má  psa", True),
        ("Z\u030cito", "žito", True),
        ("Ma psa", "Má psa", False),
        ("wait...", "wait", False),
        ("C.", "C", True),
        ("a?", "a", False),
    ],
    ids=["case-and-stop", "nfd", "accent", "ellipsis", "short", "question"],
)
def test_strict(one, other, equal):
    """An exact repetition differs in case, blanks, composition and one final full stop at most (K8)."""
    assert (strict(one) == strict(other)) is equal


def test_titles_compare_by_composition_only():
    """A heading is found whichever way its letters are composed, but not in another case (M4)."""
    assert same_title("Pra\u0301ce", "Práce")
    assert not same_title("práce", "Práce")
