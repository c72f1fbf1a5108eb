"""Facts in sentences: what is recognised is right, and a denial never becomes a fact (F4)."""

import tomllib
from pathlib import Path

import pytest

import locales
from curation.moments import Moments
from curation.triples import ME, Triple, person, recognise
from memory.folding import fold

HERE = Path(__file__).parent
ALL = ["en", "cs", "de", "sk", "pl", "es", "uk", "zh"]
TODAY = "2026-12-01"


def cases(name):
    return tomllib.loads((HERE / name).read_text(encoding="utf-8"))["case"]


OPEN, BLIND = cases("facts_open.toml"), cases("facts_blind.toml")


@pytest.fixture(scope="module")
def languages():
    return locales.load(ALL)


def inflected(one, other):
    """Whether two words differ in their last letters at most, as a case makes them."""
    first, second = fold(one), fold(other)
    shared = max(3, len(second) - 3) if " " not in second else len(second)
    return first == second or (
        abs(len(first) - len(second)) < 3 and first[:shared] == second[:shared]
    )


def right(found, wanted):
    subject, predicate, value, since = (*wanted, "")[:4]
    told = (found.subject, found.predicate, found.since)
    return told == (subject, predicate, since) and inflected(found.object, value)


@pytest.mark.parametrize("case", OPEN + BLIND, ids=lambda case: " ".join(case["said"]))
def test_what_is_recognised_is_right(languages, case):
    """F4: subject, kind, value and day are those that were said; a denial, a doubt, a question,
    a wish or a figure of speech gives no fact. Not every fact has to be recognised."""
    language, text = case["said"]
    for hint in (language, ""):
        found = recognise(text, languages, hint, TODAY)
        assert found is None or (case.get("is") and right(found, case["is"])), found


@pytest.mark.parametrize(("known", "least"), [(OPEN, 1.0), (BLIND, 0.95)], ids=["open", "blind"])
def test_how_much_is_recognised(languages, known, least):
    """F4: of the sentences that say a fact, this share is recognised."""
    said = [case["said"] for case in known if "is" in case]
    found = [recognise(text, languages, language, TODAY) for language, text in said]
    assert sum(one is not None for one in found) / len(said) >= least


@pytest.mark.parametrize(
    "case", [c for c in OPEN + BLIND if "is" in c and c["said"][0] == "en"], ids=str
)
def test_a_denial_put_anywhere_gives_no_fact(languages, case):
    """F4: “not”, “never” or “no longer” between any two words takes the fact away, or leaves a
    decision that says so."""
    words = case["said"][1].partition(" because ")[0].split()
    for denial in ("not", "never", "no longer"):
        for place in range(len(words) + 1):
            said = " ".join([*words[:place], denial, *words[place:]])
            found = recognise(said, languages, "en", TODAY)
            assert found is None or found.predicate == "decided", said
            assert found is None or denial in found.object, said


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("I live in Brno since 2024", "2024"),
        ("I live in Brno since May 2024", "2024-05"),
        ("I live in Brno since 5 May 2024", "2024-05-05"),
        ("I live in Brno since May 5, 2024", "2024-05-05"),
        ("I live in Brno since 2024-05-05", "2024-05-05"),
        ("I live in Brno from 5 May", "2026-05-05"),
        ("I live in Brno from 5 December", "2025-12-05"),
        ("bydlím v Brně od 5. 5. 2024", "2024-05-05"),
        ("bydlím v Brně od 5. května", "2026-05-05"),
        ("od května 2024 bydlím v Brně", "2024-05"),
        ("včera jsem koupila kolo", "2026-11-30"),
        ("koupila jsem kolo včera", "2026-11-30"),
        ("ich wohne seit Mai 2024 in Berlin", "2024-05"),
        ("I live in Brno since 31 February 2024", None),
    ],
)
def test_days(languages, said, day):
    """F2, F4: a year, a month or a day; without a year the last one; no day that does not exist."""
    found = recognise(said, languages, "", TODAY)
    assert (found.since if found else None) == day


def test_a_day_without_its_year_needs_today(languages):
    """F4: nothing is guessed without knowing the day."""
    assert Moments(languages.grammar("en")).cut("moved in May", "").day == ""


@pytest.mark.parametrize("said", ["me", "I", "já", "ich", "yo", "я", "我", "Mě"])
def test_the_speaker(languages, said):
    """F4: each language's word for oneself is the same subject."""
    assert person(said, languages) == ME


def test_other_names_stay(languages):
    """F3: a name stays as it is spelled."""
    assert person("Žaneta", languages) == "Žaneta"


@pytest.mark.parametrize(
    "text",
    ["", " ", "x" * 5000, "I live in\nBrno", "I live in Brno. I like it.", "I live in Brno?"],
)
def test_what_is_no_single_sentence(languages, text):
    """F4: questions, several sentences and long texts give no fact."""
    assert recognise(text, languages, "en", TODAY) is None


def test_the_card_of_the_start_message(languages):
    """T14: the example of /start gives the fact that it seems to."""
    found = recognise("Honza je alergický na arašídy", languages, "cs", TODAY)
    assert found == Triple("Honza", "allergic_to", "arašídy")
