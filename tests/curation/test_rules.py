"""The rules engine: one input, every part judged in order (E1)."""

from datetime import date

import pytest

from curation.engine import (
    Ask,
    Hints,
    Home,
    Keep,
    Kind,
    Op,
    Refusal,
    Refuse,
    Relation,
    Route,
    Unclear,
)
from curation.rules import Rules
from curation.triggers import blank
from locales import load
from memory.document import Document

LANGUAGES = load(["en", "cs"])
RULES = Rules(LANGUAGES)


def verdicts(text):
    return [part.verdict for part in RULES.judge(text, Hints()).parts]


def test_a_fact_is_kept_tersely():
    """The seed's sentence becomes the seed's entry (K5)."""
    text = "you know, Honza from marketing is allergic to peanuts"
    assert verdicts(text) == [Keep("Honza (marketing) — peanut allergy", Kind.FACT)]


def test_every_part_finds_its_own_home():
    """A fact and a secret in one message part ways; the secret has no entry (K4, T1)."""
    keep, refused = verdicts("moje SPZ je 4Z7 1180 a PIN ke kartě 7391")
    assert isinstance(keep, Keep) and "4Z7 1180" in keep.entry
    assert refused == Refuse(Refusal.SECRET)


def test_a_route_carries_a_terse_entry():
    """What belongs elsewhere is shortened too (K5, T8)."""
    (verdict,) = verdicts("on project Kestrel the nightly job runs at 02:40")
    assert isinstance(verdict, Route) and verdict.home is Home.PROJECT
    assert "02:40" in verdict.entry


@pytest.mark.parametrize(
    ("text", "code"),
    [("the boat is moored at pier number 4", "en"), ("loď je uvázaná u mola číslo 4", "cs")],
    ids=["en", "cs"],
)
def test_a_language_is_named(text, code):
    """The judgement says in which language the input was (L2)."""
    assert RULES.judge(text, Hints()).language == code


def test_a_reason_is_attached_in_the_entry_s_language():
    """The engine joins an entry and a reason given later (K7)."""
    assert (
        RULES.with_reason("loď prodáme", "molo hnije", "cs") == "loď prodáme — protože molo hnije"
    )


def test_other_languages_are_compared_safely():
    """A language that is not configured is never taken for a repetition when a negation differs (K8)."""
    assert RULES.compare("trinkt Tee mit Zucker", ["trinkt Tee ohne Zucker"]).index == 0
    assert (
        RULES.compare("trinkt Tee mit Zucker", ["trinkt Tee ohne Zucker"]).relation == "contradicts"
    )


def test_documents_are_audited_and_shrunk():
    """The engine answers for whole documents with proposals of their digest (C2, K10)."""
    document = Document.of("- kotel 4\n- kotel 4\n")
    today = date(2026, 11, 30)
    assert RULES.audit(document, (), today).digest == document.digest
    shrunk = RULES.shrink(document, 1, today)
    assert shrunk.digest == document.digest
    assert all(item.op in Op for item in shrunk.items)


def test_the_trigger_is_evidence():
    """L2: the language of the words of command outweighs Telegram's, but not a clear text."""
    bus = RULES.judge("I take a bus", Hints("cs", trigger="en"))
    assert (bus.language, bus.parts[0].verdict.entry) == ("en", "take a bus")
    assert RULES.judge("I prefer tea over coffee", Hints("cs", trigger="cs")).language == "en"


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("Honza works at Škoda since 2024", "works at"),
        ("Honza no longer works at Acme", "— no longer works at Acme"),
        ("Jana pracuje v Kauflandu", "pracuje v Kauflandu"),
        ("mouku bereme v Lidlu", "mouku bereme v Lidlu"),
        ("Eva used to live in Prague", "used to live in Prague"),
        ("Eva dřív bydlela v Praze", "dřív bydlela v Praze"),
        ("Tom has been living in Leeds since May", "has been living in Leeds"),
        (
            "how to bleed brakes: 1. open the valve 2. pump the lever 3. top up fluid",
            "how to bleed",
        ),
        ("how to bleed brakes: 1. open the valve 2. pump the lever 3. top up the fluid", "top up"),
    ],
)
def test_a_verb_stays_whole(text, entry):
    """K5, K6: where somebody works is not where he is, and a verb keeps its small words."""
    assert entry in RULES.judge(text, Hints()).parts[0].verdict.entry


@pytest.mark.parametrize(
    "text", ["Alice weighs 82 kg", "he weighs 82 kg", "my sister weighs 60 kg", "Alice váží 82 kg"]
)
def test_somebodys_weight(text):
    """T2: a weight is a health value, whoever's it is."""
    assert RULES.judge(text, Hints()).parts[0].verdict == Refuse(Refusal.HEALTH_VALUE)


@pytest.mark.parametrize("text", ["the anvil weighs 60 kg", "kovadlina váží 60 kg"])
def test_the_weight_of_a_thing(text):
    """T2: what a thing weighs is an ordinary fact."""
    assert isinstance(RULES.judge(text, Hints()).parts[0].verdict, Keep)


@pytest.mark.parametrize("text", ["82 kg", "5 pm", "20 cm"])
def test_a_bare_quantity(text):
    """K3: a number with its unit says nothing by itself."""
    assert RULES.judge(text, Hints()).parts[0].verdict == Ask(Unclear.VAGUE)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "the wifi password is Xk82!plm4; https://example.com/a worth reading; Jonah moved away",
            3,
        ),
        ("PIN ke kartě je 4821 a v projektu zahrada se sází česnek v říjnu", 2),
    ],
)
def test_beside_a_secret(text, parts):
    """T1, K4: what stands beside a secret is told apart, as typed and blanked as in the inbox."""
    assert len(RULES.judge(text, Hints()).parts) == parts
    assert len(RULES.judge(blank(text, LANGUAGES), Hints()).parts) == parts


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("for the family group: the spare fuse is in the hall", "spare fuse — in the hall"),
        ("pro skupinu family: chata je volná v lednu", "chata — volná v lednu"),
    ],
)
def test_for_whom_is_no_part_of_it(text, entry):
    """T10: the group that an entry is for does not stand in it."""
    assert RULES.judge(text, Hints()).parts[0].verdict == Route(Home.GROUP, entry)


@pytest.mark.parametrize(
    ("known", "entry"),
    [
        ("nemám rád kávu", "mám rád zelený čaj"),
        ("Bob works at Ikea as carpenter", "I don't like working on Mondays"),
        ("Honza — má psa", "Honza už nebydlí v Brně, ale v Praze"),
        ("I am allergic to shellfish", "I'm not allergic to cats"),
        ("Priya works Wednesday to Friday", "Priya used to work at Halden"),
        ("alergie na korýše", "nejsem alergický na kočky"),
        ("nevesta Jana — alergie na ořechy", "nevesta Jana — má kočku"),
        ("nemám rád kávu", "nerad pracuju v neděli"),
        ("Tom drinks no milk — only oat milk", "grandma — can't drink milk"),
        ("Ježčí domek se od října do dubna neotvírá", "obchod otvírá v devět, ne v deset"),
    ],
)
def test_one_word_in_common_is_no_contradiction(known, entry):
    """K8: a shared subject or verb denies nothing; Replace would lose another matter."""
    assert RULES.compare(entry, [known]).relation is Relation.DIFFERENT


@pytest.mark.parametrize(
    "text", ["nerad pracuju v pondělí", "půjčka je asi 25 000,50 Kč na 3,9 % do 5/2031"]
)
def test_what_is_ones_own(text):
    """T4, T14: a taste is no rule for the agent, and one's own loan is nobody else's matter."""
    found = RULES.judge(text, Hints("cs")).parts[0].verdict
    assert isinstance(found, Keep)
    assert not found.entry.startswith("nerad —")


@pytest.mark.parametrize(
    ("known", "entry"),
    [
        ("mám rád kávu", "nemám rád kávu"),
        ("I am allergic to shellfish", "I'm not allergic to shellfish"),
        ("we use Slack for chat", "we no longer use Slack"),
    ],
)
def test_the_same_thing_denied(known, entry):
    """K8: what is denied of the very same thing is a change."""
    assert RULES.compare(entry, [known]).relation is Relation.CONTRADICTS
