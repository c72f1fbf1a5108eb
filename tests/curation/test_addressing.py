"""What an input says about its own place, and about how sure it is (T6, T8, T11, T13, T15)."""

import pytest

from curation.addressing import Place
from curation.engine import Aspect, Hints, Home, Keep, Refuse, Route
from curation.fitting import Spot, fitting, ranked
from curation.rules import Rules
from curation.triage import triage
from locales import load

LANGUAGES = load(["cs", "en"])
RULES = Rules(LANGUAGES)


def placed(text):
    return triage(text, LANGUAGES, LANGUAGES.detect(text))


def verdict(text):
    parts = RULES.judge(text, Hints()).parts
    assert len(parts) == 1
    return parts[0].verdict


TOLD = [
    ("for topic course: lesson 3 covers vectors", "course", "lesson 3 covers vectors"),
    ("under topic rare apples that they ripen late", "rare apples", "they ripen late"),
    ("topic boat: mast is 9 m", "boat", "mast is 9 m"),
    ("to the topic “boat”: mast is 9 m", "boat", "mast is 9 m"),
    ("to téma kurz: lekce 3 je o vektorech", "kurz", "lekce 3 je o vektorech"),
    ("k tématu včelí úly: med v září", "včelí úly", "med v září"),
    ("pod téma kurz, že lekce 3 je o pádech", "kurz", "lekce 3 je o pádech"),
    ("do tématu kurz si zapiš, že zkouška je v zimě", "kurz", "zkouška je v zimě"),
]


@pytest.mark.parametrize(("text", "name", "told"), TOLD, ids=[row[0] for row in TOLD])
def test_a_named_topic(text, name, told):
    """T13: the topic is cut out as typed, and what is told stands without it."""
    assert placed(text) == Place(Home.TOPIC, name, told=told)


NOT_TOPICS = [
    "the topic of the course is vectors",
    "my favourite topic is bees",
    "progress: slow",
    "course progress: good",
    "téma kurzu jsou vektory",
    "stav: nemocný",
    "the book about topic maps is blue",
    "k tématu: včely potřebují vodu",
]


@pytest.mark.parametrize("text", NOT_TOPICS)
def test_no_topic(text):
    """T13: recognised conservatively: talk about a topic names none."""
    found = placed(text)
    assert not isinstance(found, Place) or found.home is not Home.TOPIC


PROJECTS = [
    ("in the project garden that the pump is broken", "garden", "the pump is broken"),
    ("keep it in project garden: the pump is broken", "garden", "the pump is broken"),
    ("do projektu zahrada si zapiš, že čerpadlo teče", "zahrada", "čerpadlo teče"),
    ("v projektu zahrada, že čerpadlo teče", "zahrada", "čerpadlo teče"),
    ("k projektu Zahrada: čerpadlo teče", "Zahrada", "čerpadlo teče"),
    ("in the project Kitchen remodel: tiles are blue", "Kitchen remodel", "tiles are blue"),
    ("v projektu Nová kuchyně: dlaždice jsou modré", "Nová kuchyně", "dlaždice jsou modré"),
    ("v projektu zahrada se sází česnek v říjnu", "zahrada", "sází se česnek v říjnu"),
    ("in project garden we plant garlic", "garden", "we plant garlic"),
    ("do projektu sklep si zapiš, že se větrá v zimě", "sklep", "větrá se v zimě"),
    ("in project Kitchen remodel note that tiles are blue", "Kitchen remodel", "tiles are blue"),
]


@pytest.mark.parametrize(("text", "name", "told"), PROJECTS, ids=[row[0] for row in PROJECTS])
def test_a_named_project(text, name, told):
    """T8: said as an address, a project needs no capital letter."""
    assert placed(text) == Place(Home.PROJECT, name, told=told)


NAMES = [
    ("your name is Rosa", "Rosa"),
    ("from now on you are called Rosa Luz", "Rosa Luz"),
    ("I will call you Rosa from now on", "Rosa"),
    ("call yourself Mr. Bean", "Mr. Bean"),
    ("jmenuješ se Růža", "Růža"),
    ("od teď se jmenuješ Růža", "Růža"),
    ("budu ti říkat Růža", "Růža"),
    ("tvoje jméno je Růža", "Růža"),
    ("ode dneška jsi Růža", "Růža"),
]


@pytest.mark.parametrize(("text", "name"), NAMES, ids=[row[0] for row in NAMES])
def test_the_bots_name(text, name):
    """T11: the new name is cut out as typed."""
    assert placed(text) == Place(Home.SOUL, name, Aspect.NAME)


def test_the_bots_persona():
    """T11: what the bot shall be like is another field."""
    assert placed("your personality is calm and dry").target == "calm and dry"
    assert placed("tvoje povaha je klidná").aspect is Aspect.PERSONA
    assert placed("be a grumpy pirate") == Place(Home.SOUL, "", Aspect.PERSONA)


WORK = [
    ("never commit without running the tests", Aspect.WORK),
    ("před každým deployem spusť testy", Aspect.WORK),
    ("always write commit messages in English", Aspect.WORK),
    ("always answer in Czech", Aspect.MANNER),
    ("vždy odpovídej stručně", Aspect.MANNER),
    ("mi máš vždy odpovídat stručně", Aspect.MANNER),
]


@pytest.mark.parametrize(("text", "aspect"), WORK, ids=[row[0] for row in WORK])
def test_what_a_rule_is_about(text, aspect):
    """T6: the agent's work, or its manner towards the person."""
    found = verdict(text)
    assert isinstance(found, Route)
    assert (found.home, found.aspect) == (Home.AGENT_RULE, aspect)


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("from now on always answer in Czech", "always answer in Czech"),
        ("from now on I want shorter replies", "I want shorter replies"),
        ("od teď chci kratší odpovědi", "chci kratší odpovědi"),
        ("mi máš vždy odpovídat stručně", "vždy odpovídat stručně"),
        ("od teď mi odpovídej anglicky", "odpovídej mi anglicky"),
        ("napříště se mě ptej, než něco smažeš", "ptej se mě, než něco smažeš"),
        ("před každým deployem spusť testy", "před každým deployem spusť testy"),
        ("odteď mi odpovídej krátce", "odpovídej mi krátce"),
        ("always greet me with Ahoy", "always greet me with Ahoy"),
        ("please always answer in short sentences", "always answer in short sentences"),
    ],
)
def test_a_rule_keeps_its_words(text, entry):
    """T6: no dash and no lost article in an order; only that it begins now goes."""
    assert verdict(text).entry == entry


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("in the notes skill use ISO dates", "notes"),
        ("in the notes skill and the calendar skill use ISO dates", "notes calendar"),
        ("in the notes and calendar skills use ISO dates", "notes calendar"),
        ("in our meeting notes skill use ISO dates", "meeting-notes"),
    ],
)
def test_skills_are_named(text, names):
    """T6: one or two skills, each by its name."""
    found = verdict(text)
    assert (found.home, found.target) == (Home.SKILL_RULE, names)


@pytest.mark.parametrize(
    "text",
    [
        "in the notes, calendar and mail skills use ISO dates",
        "in the reminders skill never edit CRON.md by hand",
        "in the notes skill never write a new file to the base folder",
    ],
)
def test_a_rule_that_is_no_skills(text):
    """T6: three skills, or what any task can do with the skill unloaded, is a rule for all."""
    assert verdict(text).home is Home.AGENT_RULE


DOUBTS = [
    ("I think the baker is called Otto", "the baker is called Otto", "[to confirm]"),
    ("maybe the shop opens at nine", "the shop opens at nine", "[to confirm]"),
    ("the shop is probably closed on Mondays", "shop — closed on Mondays", "[to confirm]"),
    ("the shop opens at nine, I think", "the shop opens at nine", "[to confirm]"),
    ("asi má Petr rád čaj", "Petr — má rád čaj", "[ověřit]"),
    ("možná je Honza alergický na arašídy", "Honza — alergický na arašídy", "[ověřit]"),
    ("myslím, že pekař se jmenuje Otto", "pekař — Otto", "[ověřit]"),
]


@pytest.mark.parametrize(("text", "entry", "mark"), DOUBTS, ids=[row[0] for row in DOUBTS])
def test_a_maybe(text, entry, mark):
    """T15: the words of doubt go, and their mark is known in the language of the input."""
    found = verdict(text)
    assert isinstance(found, Keep)
    assert (found.entry, found.doubt) == (entry, mark)


@pytest.mark.parametrize(
    "text",
    [
        "I think tea is better than coffee",
        "we decided to go by train, maybe because of the dog",
        "cesta trvá asi 20 minut",
        "the baker is called Otto",
        "May opens the shop",
        "I believe in God",
        "myslím na babičku každý den",
    ],
)
def test_no_maybe(text):
    """T15: an opinion, an estimate and a plain fact are certain."""
    found = verdict(text)
    assert isinstance(found, Keep)
    assert found.doubt == ""


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("alarm code holder is Marta", True),
        ("držitel kódu k alarmu je Marta", True),
        ("alarm code holder is 4821", False),
        ("držitel kódu k alarmu je 4821", False),
        ("držitel kódu k alarmu je Marta_1!", False),
        ("kód k alarmu je sedmikráska", False),
        ("alarm code is sunflower", False),
    ],
)
def test_who_has_a_code(text, kept):
    """T1: who has a code is no secret; the code is, whoever has it."""
    assert isinstance(verdict(text), Refuse) != kept


@pytest.mark.parametrize("text", ["tram 12 goes to the office", "my bus goes to the club"])
def test_a_way_is_not_for_the_group(text):
    """T10: going to the office says nothing about for whom it is."""
    assert isinstance(verdict(text), Keep)


SPOTS = (
    Spot("Diet", ("no peanuts",)),
    Spot("Communication style", ("short answers",)),
    Spot("Travel", ("by train", "window seats")),
)


@pytest.mark.parametrize(
    ("entry", "best"),
    [
        ("never plan travel on Sundays", "Travel"),
        ("trains before planes", "Travel"),
        ("no walnuts either", "Communication style"),
        ("answers in Czech", "Communication style"),
    ],
)
def test_the_best_section(entry, best):
    """T6, S3: a word of the title counts most, then one of an entry, then the kind of title."""
    order = ranked(entry, SPOTS, LANGUAGES.grammar("en"), {"style"})
    assert SPOTS[order[0]].title == best


def test_nothing_fits():
    """S2: a place with nothing in common is none."""
    assert fitting("the pump is broken", SPOTS, LANGUAGES.grammar("en")) == ()


COURSE = (
    "Kurz má dvanáct lekcí o agentech a pamětech v praxi. Každá lekce kurzu končí domácím "
    "úkolem, který se odevzdává do půlnoci. Kurz je pro členy knihovny o dvě stovky levnější."
)
PERSON = (
    "Honza works in marketing and likes tea a lot more than coffee. Honza has two cats called "
    "Micka and Mourek at home. Honza is allergic to peanuts and to cats as well, which is funny."
)


def test_several_sentences_about_one_thing():
    """T13: too long for a line of keep.md and about one subject: a topic of that name."""
    found = verdict(COURSE)
    assert (found.home, found.target) == (Home.TOPIC, "kurz")


def test_several_sentences_about_a_person():
    """T13, K6: about a person by name it is no topic; two sentences are none either."""
    assert isinstance(verdict(PERSON), Keep)
    assert isinstance(verdict(" ".join(COURSE.split(". ")[:1]) + "."), Keep)
