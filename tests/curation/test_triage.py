"""Where inputs belong, and why some are refused (T1-T15, K3, K4)."""

import json
from pathlib import Path

import pytest

from curation.addressing import Place
from curation.engine import Ask, Home, Refusal, Refuse, Unclear
from curation.split import split
from curation.triage import Finding, triage
from locales import load

LANGUAGES = load(["cs", "en"])
HERE = Path(__file__).parent
CASES = [
    json.loads(line)
    for code in ("cs", "en")
    for line in HERE.joinpath(f"triage_cases_{code}.jsonl").read_text("utf-8").splitlines()
]
WHOLE = [case for case in CASES if case["task"] != "split"]


PUBLIC = HERE.parents[1] / "benchmarks" / "data" / "keep_cases.jsonl"
DANGERS = [
    case
    for line in PUBLIC.read_text("utf-8").splitlines()
    if (case := json.loads(line)).get("why") in ("secret", "health_value", "injection")
]


def label(finding: Finding | None) -> tuple[str, str]:
    match finding:
        case Place(home):
            return "route", home
        case Refuse(why):
            return "refuse", why
        case Ask(unclear):
            return "ask", unclear
    return "keep", ""


@pytest.mark.parametrize("case", WHOLE, ids=[case["input"][:40] for case in WHOLE])
def test_each_class_is_recognised(case: dict):
    """K4: refusals (T1, T2, T3, T4, T5), vague inputs and homes (T6, T7, T8, T9, T10, T11, T12)
    are told apart from what is kept (T14) in Czech and English."""
    language = LANGUAGES.detect(case["input"], case["lang"])
    expected = case["task"], case.get("home") or case.get("why") or ""
    assert split(case["input"], LANGUAGES, language) == (case["input"],)
    assert label(triage(case["input"], LANGUAGES, language)) == expected


@pytest.mark.parametrize("case", DANGERS, ids=[case["id"] for case in DANGERS])
@pytest.mark.parametrize("language", ["", "cs", "en"])
def test_dangers_of_every_language_are_refused(case: dict, language: str):
    """T1, T2, T5: no language of the public cases gets a secret past, whatever was detected."""
    assert triage(case["input"], LANGUAGES, language) == Refuse(Refusal(case["why"]))


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("in project Heron the limit is 500", "Heron"),
        ("the Kestrel project uses port 9090", "Kestrel"),
        ("v projektu Volavka je limit 500", "Volavka"),
        ("projekt „hejno“ má rozpočet", "hejno"),
    ],
)
def test_project_is_named_as_typed(text: str, target: str):
    """T8: the project's name is cut from the input."""
    assert triage(text, LANGUAGES, LANGUAGES.detect(text)) == Place(Home.PROJECT, target)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("in the notes skill always add the tag garden", "notes"),
        ("u skillu na maily podepisuj vše jako J.", "maily"),
    ],
)
def test_skill_is_named(text: str, target: str):
    """T6: the overlay's skill is cut from the input."""
    assert triage(text, LANGUAGES, LANGUAGES.detect(text)) == Place(Home.SKILL_RULE, target)


@pytest.mark.parametrize(
    ("text", "why"), [("skříňka 88 a ████", Refusal.SECRET), ("tlak ▓▓▓▓▓▓", Refusal.HEALTH_VALUE)]
)
def test_blanked_text_is_refused_like_its_value(text: str, why: Refusal):
    """W6: what the inbox blanked is refused for the reason it was blanked."""
    assert triage(text, LANGUAGES, "cs") == Refuse(why)


def test_a_secret_in_a_reminder_stays_a_secret():
    """T1 before T9: "remind me" does not carry a password past the guard."""
    text = "remind me tomorrow that the password is Fjord-2210"
    assert triage(text, LANGUAGES, "en") == Refuse(Refusal.SECRET)


@pytest.mark.parametrize("text", ["", "?!", "🐈", "— …"])
def test_no_letters_are_empty(text: str):
    """K3: nothing to store without a letter."""
    assert triage(text, LANGUAGES, "") == Ask(Unclear.EMPTY)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "nejím houby a připomeň mi zítra koupit mléko",
            ("nejím houby", "připomeň mi zítra koupit mléko"),
        ),
        (
            "my locker is 88. the password is Tulip_99!",
            ("my locker is 88.", "the password is Tulip_99!"),
        ),
        (
            "we have two cats and the alarm code is 4471",
            ("we have two cats", "the alarm code is 4471"),
        ),
        (
            "always reply in French. my son Leo goes to Oak School",
            ("always reply in French.", "my son Leo goes to Oak School"),
        ),
        (
            "instalatér je Ráďa. Připomeň mi v pondělí, ať mu zaplatím.",
            ("instalatér je Ráďa.", "Připomeň mi v pondělí, ať mu zaplatím."),
        ),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else None,
)
def test_different_matters_are_cut_apart(text: str, parts: tuple[str, ...]):
    """K4: each part with another home or refusal becomes a part of its own, as a span."""
    assert split(text, LANGUAGES, LANGUAGES.detect(text)) == parts
    assert all(part in text for part in parts)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "the ladder is at Tom's, the shed PIN is 4471",
            ("the ladder is at Tom's", "the shed PIN is 4471"),
        ),
        (
            "žebřík je u Tomáše, heslo k mailu je Sova_88",
            ("žebřík je u Tomáše", "heslo k mailu je Sova_88"),
        ),
        (
            "my nephew Ivo hates peas, his recital is on 9 May at 5 pm",
            ("my nephew Ivo hates peas", "his recital is on 9 May at 5 pm"),
        ),
    ],
    ids=["pin", "heslo", "date"],
)
def test_a_danger_behind_a_comma_leaves_the_fact(text: str, parts: tuple[str, ...]):
    """K4, T1, T3: a fact beside a secret or an appointment is not lost with it."""
    assert split(text, LANGUAGES, LANGUAGES.detect(text)) == parts


@pytest.mark.parametrize(
    "text",
    [
        "PIN to my card, write it down, 8890",
        "I log in to the bank as eva, and the password is Plum_33",
        "weighed myself this morning, 83.4 kg",
        "šla jsem k doktorce a tlak byl 150/95",
        "the login is bob\nand the password is on the second line: Xylo99",
    ],
    ids=lambda text: text[:20],
)
def test_what_leads_up_to_a_danger_goes_with_it(text: str):
    """T1, T2, W6: no cut leaves a beginning of a secret or of a health value to be stored."""
    language = LANGUAGES.detect(text)
    assert all(
        label(triage(part, LANGUAGES, language))[0] == "refuse"
        for part in split(text, LANGUAGES, language)
    )


def test_round_and_round_is_not_cut():
    """K4: a joint between the same words joins no two matters."""
    text = "we went round and round and moved the fete for good"
    assert split(text, LANGUAGES, "en") == (text,)


@pytest.mark.parametrize(
    "text",
    [
        "salt and pepper are in the left drawer",
        "Servis na kolo:\nCyklo Malý, Lesní 3\njen hotově",
        "mám cukrovku 1. typu a glukagon v batohu",
        "v projektu Volavka běží staging na 8443 a databáze se jmenuje hejno",
        "Dr. Finch is my dentist and she is on Hill Street 4. floor",
        "how to reset: 1. open it 2. press red. 3. close it",
        "be brief. no emojis. answer in English",
    ],
    ids=lambda text: text[:20],
)
def test_one_matter_stays_whole(text: str):
    """K4: a list, an address, a procedure or one fact with "and" is not cut."""
    assert split(text, LANGUAGES, LANGUAGES.detect(text)) == (text,)
