"""Where things go: rules, projects, notes, the bot's name and maybes, each filed by one tap."""

import pytest

from curation.engine import Aspect, Home, Keep, Kind, Part, Relation, Route
from curation.rules import Rules
from handlers import places
from handlers.context import Person, Place, Turn
from handlers.keeping import filing
from handlers.messages import outcome
from memory.spaces import DocumentName
from tests.handlers.handlers_stage import EVERYBODY, PETR, Stage

USER = "# User\n\n## Diet\n- no peanuts\n\n## Communication style\n- short answers\n\n## Travel\n- by train\n"
AGENTS = "# Agent\n\n## Tools\n- git\n\n## Conventions\n- [2026-01-02] branch names in English\n"
SOUL = "# Soul\n\n## Name\nBot\n\n## Personality\nhelpful\n"


@pytest.fixture
async def real(tmp_path, languages):
    """A bot with the engine that ships."""
    stage = await Stage(tmp_path, Rules(languages), languages).open()
    yield stage
    await stage.close()


RULES = [
    ("always answer in Czech", "USER.md › Communication style", "agents"),
    ("never book a flight when there is a train", "USER.md › Travel", "agents"),
    ("never commit without running the tests", "AGENTS.md › Conventions", "user"),
    ("before each deploy run the linter", "AGENTS.md › Conventions", "user"),
]


@pytest.mark.parametrize(("rule", "first", "other"), RULES, ids=[rule for rule, *_ in RULES])
async def test_the_first_place_for_a_rule(real, rule, first, other):
    """T6: manner goes to the fitting section of USER.md, a convention of the work to AGENTS.md."""
    real.put(USER, "user")
    real.put(AGENTS, "agents")
    await real.say(f"keep {rule}")
    assert real.labels[0] == first
    await real.press(first)
    name = "user" if first.startswith("USER") else "agents"
    assert rule in real.file(name)
    assert rule not in real.file(other)


async def test_a_rule_in_agents_is_dated(real):
    """Product 2, seed 004: a rule in AGENTS.md stands below its section with the day."""
    real.put(AGENTS, "agents")
    await real.say("keep never commit without running the tests")
    await real.press("AGENTS.md › Conventions")
    assert real.file("agents") == AGENTS + "- [2026-05-04] never commit without running the tests\n"


@pytest.mark.parametrize(
    ("by", "said", "heading"),
    [
        (None, "keep always answer in short sentences", "How to work with me"),
        (PETR, "zapamatuj si, že mi máš vždy odpovídat stručně", "Jak se mnou pracovat"),
    ],
    ids=["en", "cs"],
)
@pytest.mark.parametrize("before", ["", "# User\n"], ids=["no file", "no section"])
async def test_a_user_without_sections(real, by, said, heading, before):
    """T6: USER.md without a section, or without the file, gets a default one in the language."""
    who = {"by": by} if by else {}
    if before:
        real.put(before, "user", **who)
    await real.say(said, **who)
    await real.press(f"USER.md › {heading}", **who)
    text = real.file("user", **who)
    assert f"## {heading}\n- " in text
    assert text.startswith(before)


async def test_a_changed_rule_replaces_the_old_one(real):
    """S3: an old line of the same subject is shown, and gives way on a button."""
    real.put("## Style\n- always answer in English\n- no emoji\n", "user")
    await real.say("keep always answer in Czech")
    assert "always answer in English" in real.text
    assert real.labels == ["Replace", "Keep both", "Skip"]
    await real.press("Replace")
    assert real.file("user") == "## Style\n- always answer in Czech\n- no emoji\n"
    await real.press("Undo")
    assert real.file("user") == "## Style\n- always answer in English\n- no emoji\n"


async def test_a_rule_that_stands_already(real):
    """S3: the same rule is not written twice, a dated one in AGENTS.md counts too."""
    real.put("## Rules\n- [2026-01-02] never commit without running the tests\n", "agents")
    await real.say("keep never commit without running the tests")
    assert real.text.startswith("I have that already: ")
    assert real.labels == []


async def test_a_dated_rule_gives_way(stage):
    """S3, product 2: the rule that comes instead of a dated one gets the day of today."""
    stage.put("## Rules\n- [2026-01-02] deploy on Tuesdays\n", "agents")
    stage.engine.verdicts["deploy on Mondays"] = Route(
        Home.AGENT_RULE, "deploy on Mondays", aspect=Aspect.WORK
    )
    pair = ("deploy on Mondays", "deploy on Tuesdays")
    stage.engine.relations[pair] = Relation.CONTRADICTS
    await stage.say("keep deploy on Mondays")
    await stage.press("Replace")
    assert stage.file("agents") == "## Rules\n- [2026-05-04] deploy on Mondays\n"


async def test_both_rules_are_kept(stage):
    """S3: "Keep both" adds the new line below the old one."""
    stage.put("## Style\n- answers in English\n", "user")
    stage.engine.verdicts["answers in Czech"] = Route(Home.AGENT_RULE, "answers in Czech")
    pair = ("answers in Czech", "answers in English")
    stage.engine.relations[pair] = Relation.CONTRADICTS
    await stage.say("keep answers in Czech")
    await stage.press("Keep both")
    assert stage.file("user") == "## Style\n- answers in English\n- answers in Czech\n"


SKILLS = [
    ("in the notes skill always use ISO dates", ["config/skills/notes.md"], True),
    (
        "in the notes skill and the calendar skill use ISO dates",
        ["config/skills/notes.md", "config/skills/calendar.md"],
        True,
    ),
    ("in the notes, calendar and mail skills use ISO dates", [], False),
    ("in the notes skill never write a new file to the base folder", [], False),
]


@pytest.mark.parametrize(("rule", "paths", "own"), SKILLS, ids=[rule for rule, *_ in SKILLS])
async def test_a_rule_for_skills(real, rule, paths, own):
    """T6: one or two skills are named by their files, which are never written; more are a rule.

    So is what any task can do: the test asks about the action, not the topic.
    """
    real.put(USER, "user")
    await real.say(f"keep {rule}")
    assert [path for path in paths if path not in real.text] == []
    assert ("only while" in real.text) == own
    assert "USER.md › Communication style" in real.labels
    await real.say("ok")
    assert not list((real.folder / "workspace").rglob("skills"))


async def test_yes_files_no_rule_of_a_skill(real):
    """D2: "yes" to what belongs into a skill's own file files nothing elsewhere."""
    real.put(USER, "user")
    await real.say("keep in the notes skill always use ISO dates")
    await real.say("yes")
    assert real.file("user") == USER


PROJECTS = [
    (None, "keep in the project garden that the pump is broken", "garden", "pump"),
    (None, "keep to the project Garden: the pump is a Grundfos", "garden", "pump"),
    (PETR, "zapamatuj si do projektu zahrada, že čerpadlo je Grundfos", "zahrada", "čerpadlo"),
    (PETR, "zapamatuj si k projektu Zahrada: čerpadlo je Grundfos", "zahrada", "čerpadlo"),
]


@pytest.mark.parametrize(("by", "said", "slug", "word"), PROJECTS, ids=[p[1] for p in PROJECTS])
async def test_a_fact_for_a_project(real, by, said, slug, word):
    """T8: the project is heard in either way of saying it, and its name is not repeated inside."""
    who = {"by": by} if by else {}
    await real.say(said, **who)
    await real.press(f"projects/{slug}.md", **who)
    line = real.file("project", slug, **who)
    assert word in line
    assert slug not in line.lower()


async def test_a_project_with_nearly_that_name(real):
    """T8: an existing project with nearly that name is offered first, and "yes" asks again."""
    real.put("- beds: 4\n", "project", "garden")
    await real.say("keep in the project gardens that the pump is broken")
    assert real.labels[:2] == ["projects/garden.md", "projects/gardens.md"]
    await real.say("yes")
    assert real.file("project", "gardens") is None
    await real.press("projects/garden.md")
    assert real.file("project", "garden").startswith("- beds: 4\n- ")


async def test_keep_instead_names_the_project(real):
    """K6, T8: what goes to keep.md after all says which project it is about."""
    await real.say("keep in the project Kestrel that the export runs at night")
    await real.press("keep.md instead")
    assert real.file() == "- Kestrel: the export — runs at night\n"


NAMES = [
    (None, "keep from now on your name is Rosa", SOUL, "Bot", "Rosa"),
    (PETR, "zapamatuj si, že se jmenuješ Růža", "## Jméno\n- Bot\n", "Bot", "Růža"),
    (PETR, "zapamatuj si, že se jmenuješ Růža", "## 名字\nXiaoPaw\n", "XiaoPaw", "Růža"),
]


@pytest.mark.parametrize(("by", "said", "soul", "old", "new"), NAMES, ids=["en", "cs", "zh"])
async def test_the_bots_name(real, by, said, soul, old, new):
    """T11: the value of the field gives way, shown before; nothing else in SOUL.md changes."""
    who = {"by": by} if by else {}
    real.put(soul, "soul", **who)
    await real.say(said, **who)
    assert f"{old} → {new}" in real.text
    assert real.file("soul", **who) == soul
    await real.press(real.labels[0], **who)
    assert real.file("soul", **who) == soul.replace(old, new)
    await real.press(real.labels[0], **who)
    assert real.file("soul", **who) == soul


async def test_the_bots_persona(real):
    """T11: a persona goes to the field for it, not to the name."""
    real.put(SOUL, "soul")
    await real.say("keep your personality is calm and dry")
    await real.press("Change it")
    assert real.file("soul") == SOUL.replace("helpful", "calm and dry")


@pytest.mark.parametrize(
    "soul", [None, "# Soul\n\n## Mission\nhelp\n"], ids=["no file", "no field"]
)
async def test_no_field_no_change(real, soul):
    """T11: without a field for it nothing is added to SOUL.md, and the card says so."""
    if soul:
        real.put(soul, "soul")
    await real.say("keep your name is Rosa")
    assert "SOUL.md" in real.text
    assert "Rosa" in real.text
    assert real.labels == []
    assert real.file("soul") == soul


async def test_somebody_elses_rename_is_an_instruction(real):
    """T5: a forwarded "your name is" is shown, never offered as a change of SOUL.md."""
    real.put(SOUL, "soul")
    await real.say(
        "your name is Rosa",
        forward_origin={"type": "hidden_user", "date": 1, "sender_user_name": "x"},
    )
    assert "Change it" not in real.labels
    assert real.file("soul") == SOUL


DOUBTS = [
    (None, "keep I think the baker is called Otto", "the baker is called Otto", "[to confirm]"),
    (PETR, "zapamatuj si, že asi má Petr rád čaj", "Petr — má rád čaj", "[ověřit]"),
]


@pytest.mark.parametrize(("by", "said", "entry", "mark"), DOUBTS, ids=["en", "cs"])
@pytest.mark.parametrize("choice", ["marked", "certain", "skipped"])
async def test_a_maybe(real, by, said, entry, mark, choice):
    """T15: an uncertain one is stored with the mark of its language, or as certain, or not."""
    who = {"by": by} if by else {}
    await real.say(said, **who)
    assert real.file(**who) is None
    option = ["marked", "certain", "skipped"].index(choice)
    await real.press(real.labels[option], **who)
    stored = {"marked": f"- {entry} {mark}\n", "certain": f"- {entry}\n", "skipped": None}
    assert real.file(**who) == stored[choice]


async def test_a_maybe_that_is_known(real):
    """K8, T15: what is known for certain is not stored again with a mark."""
    real.put("- the baker is called Otto\n")
    await real.say("keep I think the baker is called Otto")
    await real.press("[to confirm]")
    assert real.file() == "- the baker is called Otto\n"


async def test_a_change_of_what_memory_says(real):
    """K8: what changes a line of MEMORY.md is called a change, not known already."""
    real.put("## Commute\n- tram 12 goes to the office\n", "memory")
    await real.say("keep tram 4 goes to the office")
    assert real.text.startswith("This changes what MEMORY.md says: tram 12")
    assert real.file() is None


async def test_a_mixed_message_is_one_card(real):
    """K4, T14: a fact, a rule and a link: one card, and each part's buttons carry its number."""
    await real.say(
        "keep my shoe size is 43; always answer in short sentences; "
        "https://longreads.example/salt to read on holiday"
    )
    assert real.file() == "- my shoe size — 43\n"
    assert [label for label in real.labels if label.endswith("Undo")] == ["1 · Undo"]
    assert "2 · USER.md › How to work with me" in real.labels
    assert "3 · notes.md" in real.labels
    await real.press("3 · notes.md")
    await real.press("2 · USER.md")
    assert "longreads.example" in real.file("notes")
    assert "short sentences" in real.file("user")


async def test_a_rule_and_an_event_have_two_homes(stage):
    """T14: the event is kept, the rule has its own buttons, on one card."""
    said = "I use a new mail client and from now on I want shorter replies"
    stage.engine.verdicts[said] = [
        Part("I use a new mail client", Keep("new mail client", Kind.FACT)),
        Part("shorter replies", Route(Home.AGENT_RULE, "shorter replies")),
    ]
    await stage.say(f"keep {said}")
    assert stage.file() == "- new mail client\n"
    await stage.press("2 · USER.md")
    assert "- shorter replies\n" in stage.file("user")


async def test_an_entry_once_filed_is_not_repeated(stage):
    """S3: what the notes say already is not written there again."""
    stage.put("- read the salt road\n", "notes")
    stage.engine.verdicts["read the salt road"] = Route(Home.NOTE, "read the salt road")
    await stage.say("keep read the salt road")
    await stage.press("notes.md")
    assert stage.file("notes") == "- read the salt road\n"


def turn_of(stage, request):
    """Alice in her private chat."""
    return Turn(stage.services, EVERYBODY, Person(111), Place(111), "bot", request=request)


async def test_a_press_that_comes_again(stage):
    """W4: what was filed for this very press is answered the same, and not compared with itself."""
    first = filing.put(turn_of(stage, "p1"), "read the salt road", "notes")
    again = filing.put(turn_of(stage, "p1"), "read the salt road", "notes")
    assert first == again
    assert isinstance(first, outcome.Filed)
    assert stage.file("notes") == "- read the salt road\n"


async def test_a_line_is_written_once(stage):
    """S3: whoever files the same line to the same place twice is told that it stands."""
    for request in ("p1", "p2"):
        done = filing.file(turn_of(stage, request), "read the salt road", "notes")
    assert done == outcome.Known("read the salt road", DocumentName.NOTES)
    assert stage.file("notes") == "- read the salt road\n"


@pytest.mark.parametrize(
    ("name", "known", "near"),
    [
        ("gardens", ("garden",), "garden"),
        ("garden-2027", ("garden",), "garden"),
        ("kestrel", ("garden", "heron"), ""),
        ("game", ("gate",), ""),
        ("x", (), ""),
    ],
)
def test_near_names(name, known, near):
    """T8: nearly the same name, or the same with more words."""
    assert places.near(name, known) == near


@pytest.mark.parametrize(
    "code",
    ["notes", "user/Style", "user/a/b", "project/garden", "topic/x/Heading", "group/family/Who"],
)
def test_codes_are_read_back(code):
    """D1: what a stored card carries is the same place again."""
    assert str(places.split(code)) == code
