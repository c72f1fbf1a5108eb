"""/find and questions about what is known: hits, sources, pages, and who never sees what (X2)."""

import sqlite3
from contextlib import closing

import pytest

from curation.rules import Rules
from curation.triggers import Find, recognise
from handlers.browsing import find
from memory.spaces import DocumentName, DocumentRef, channel, group
from tests.handlers.fake_telegram import shown
from tests.handlers.group_stage import HANA, GroupStage
from tests.handlers.handlers_stage import ALICE, GROUP, PETR, Stage

HERE = GROUP["id"]


@pytest.fixture
async def stage(tmp_path, languages):
    stage = await Stage(tmp_path, Rules(languages), languages).open()
    yield stage
    await stage.close()


@pytest.fixture
async def zahradka(tmp_path, languages):
    stage = await GroupStage(tmp_path, Rules(languages), languages).open()
    await stage.here("cancel", by=PETR)
    yield stage
    await stage.close()


def write(stage, ref, text):
    path = stage.layout.path(ref)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


async def test_a_hit_with_its_source(stage):
    """X2: each hit has its number, its document with the line, and its section."""
    stage.put("## Family <!-- pinned -->\n- Honza — alergie na arašídy\n", "memory")
    await stage.say("/find Honzovi")
    assert stage.text == "1 entry found:\n\n1. Honza — alergie na arašídy\nMEMORY.md:2 › Family"
    assert stage.labels == ["1"]


@pytest.mark.parametrize(
    "text",
    ["What do you know about Honza?", "co víš o Honzovi?", "Co vis o Honzovi", "/find honza"],
)
async def test_questions_and_the_command_are_the_same(stage, text):
    """X2: a question in words finds what the command finds, and nothing is stored."""
    stage.put("- Honza — peanut allergy\n")
    before = stage.file()
    await stage.say(text)
    assert "Honza — peanut allergy\nkeep.md:1" in stage.text
    assert stage.file() == before


async def test_matched_words_stand_out(stage):
    """X2: the matched words are bold, and a text never breaks the HTML around it."""
    stage.put("- Tom & <b>Honza</b> a Honzova <i>sestra\n")
    await stage.say("/find honza")
    html = stage.telegram.sent("sendMessage")[-1]["text"]
    wanted = "Tom &amp; &lt;b&gt;<b>Honza</b>&lt;/b&gt; a <b>Honzova</b> &lt;i&gt;sestra"
    assert wanted in html
    assert shown(html)


@pytest.mark.parametrize(
    ("text", "marks", "html"),
    [
        ("a b c", ((2, 3),), "a <b>b</b> c"),
        ("小王对花", ((0, 2), (1, 3)), "<b>小王对</b>花"),
        ("x" * 400, (), "x" * 319 + "…"),
        ("word " * 100 + "end", ((500, 503),), "…" + "word " * 16 + "<b>end</b>"),
        ("", (), ""),
    ],
    ids=["one", "overlapping", "long", "late", "empty"],
)
def test_marking(text, marks, html):
    """X2: spans in bold; of a long text the part around the first of them."""
    assert find.marked(text, marks) == html


async def test_pages(stage):
    """X2: eight hits a page; what does not fit on the last page is counted."""
    stage.put("".join(f"- tram stop {n}\n" for n in range(60)))
    await stage.say("/find tram")
    assert stage.text.startswith("60 entries found:") and "8. tram stop 7" in stage.text
    await stage.press("‹")
    assert stage.labels[-3:] == ["‹", "5/5", "›"]
    assert stage.text.endswith(
        "… and 20 more that fit less well. Another word makes the search narrower."
    )


async def test_a_hit_opens_where_it_can_be_changed(stage):
    """X1, X2: the number of a hit opens the entry, with its buttons."""
    stage.put("- kayak in the boathouse\n- stove\n")
    await stage.say("/find kayak")
    stage.put("- new first line\n- kayak in the boathouse\n- stove\n")
    await stage.press("1")
    assert stage.text.startswith("kayak in the boathouse")
    assert "Delete" in stage.labels


async def test_nothing_found(stage):
    """X2: nothing found is said with a hint, and so is what could not be looked at."""
    stage.put("- kayak\n")
    await stage.say("/find xylophone")
    assert stage.text == "I have nothing about that. Try another word, or fewer words."
    stage.path().write_bytes(b"\xff\n")
    await stage.say("/find xylophone")
    assert "I could not read this document, so it was not searched: keep.md" in stage.text


async def test_near_spellings_are_asked_about(stage):
    """X2: what is spelled nearly so is offered, and looked for only when it is pressed."""
    stage.put("- Honza — alergie na arašídy\n")
    await stage.say("/find arajšídy")
    assert "alergie" not in stage.text and stage.labels == ["arašídy"]
    await stage.press("arašídy")
    assert "1. Honza — alergie na arašídy" in stage.text


async def test_no_words(stage):
    """X2: the command alone says how it is used."""
    await stage.say("/find")
    assert stage.text.startswith("What should I look for?")


async def test_facts_are_found(stage):
    """X2, F4: facts are among the hits; one that is over says so and stands below."""
    await stage.say("/fact Honza works_at Acme since 2020")
    await stage.say("/fact Honza works_at Globex since 2024")
    await stage.say("What do you know about Honza?")
    first, last = stage.text.index("Globex"), stage.text.index("Acme")
    assert first < last and stage.text.endswith("facts, no longer true")


@pytest.mark.parametrize(
    ("lines", "question", "order"),
    [
        (
            "- Rosie works at the Cardiff museum\n- left the Cardiff museum in March, Rosie works"
            " at the Bath library now\n- Rosie has a dog\n",
            "What do you know about Rosie?",
            ("Bath library", "works at the Cardiff"),
        ),
        (
            "- Eliška hrála na flétnu\n- Eliška od září 2025 na flétnu už nehraje\n",
            "co víš o Elišce?",
            ("nehraje", "hrála"),
        ),
        (
            "- Rosie likes tea\n- Rosie has a dog called Tea\n",
            "/find Rosie likes tea",
            ("likes", "called"),
        ),
    ],
)
async def test_an_entry_that_is_replaced(stage, lines, question, order):
    """X2: of the lines of a document the replaced one stands below the one that replaces it."""
    stage.put(lines)
    await stage.say(question)
    first, second = (stage.text.index(word) for word in order)
    assert first < second


@pytest.mark.parametrize(
    ("question", "by", "answer"),
    [
        ("who is allergic to nuts?", ALICE, "1 entry found:\n\n1. Rosie — allergic to nuts"),
        ("kde má Vrba klíče?", PETR, "Našel se 1 záznam:\n\n1. Vrba — klíče ve skříni"),
        ("kdy se narodil Kuba?", PETR, "O tom nic nemám."),
        ("where does Ivan live?", ALICE, "I have nothing about that. You can ask"),
        ("is Ivan allergic to nuts?", ALICE, "I have nothing about that. You can ask"),
        ("what is Rosie allergic to?", ALICE, "1 entry found:"),
        ("really?", ALICE, "I have not kept that."),
        ("who is to be?", ALICE, "I have nothing about that. You can ask"),
        ("jak se máš?", PETR, "O tom nic nemám."),
    ],
)
async def test_any_other_question(stage, question, by, answer):
    """X2, K1: a question is nothing to keep; what is known about its words is shown."""
    stage.put("- Rosie — allergic to nuts\n- Ned is who he is to us\n", by=ALICE)
    stage.put("- Vrba — klíče ve skříni\n- Iveta se má dobře\n", by=PETR)
    await stage.say(question, by=by)
    assert stage.text.startswith(answer)


@pytest.mark.parametrize("words", ["brake", "brzda", "klíč"])
async def test_a_word_does_not_change_the_language(stage, words):
    """L1: the words looked for say nothing about the language of the one who looks."""
    await stage.say(f"/find {words}", by=ALICE)
    assert stage.text.startswith("I have nothing about that.")
    await stage.say("/fact Honza", by=ALICE)
    assert stage.text.startswith("I cannot make a fact of that.")


async def test_a_secret_that_is_looked_for_is_not_stored(stage):
    """W6: words that hold a secret are looked for, but stored in no question."""
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    stage.put(f"- token {secret}\n")
    await stage.say(f"/find my github token {secret}")
    with closing(sqlite3.connect(stage.state.path)) as raw:
        rows = raw.execute("SELECT payload FROM dialogs").fetchall()
    assert not [row for row in rows if secret in str(row)]


async def test_in_a_group_only_its_memory(zahradka):
    """X2, G2: in a group its memory and that of groups everybody there belongs to, in the chat."""
    zahradka.put("- canary of Alice\n")
    write(zahradka, DocumentRef(channel(HERE), DocumentName.CHANNEL), "- canary of the chat\n")
    write(zahradka, DocumentRef(group("family"), DocumentName.GROUP), "- canary of the family\n")
    await zahradka.say("/find canary", chat=GROUP)
    said = zahradka.said_in()[-1]
    assert "canary of the chat" in said and "canary of the family" in said
    assert "Alice" not in said and zahradka.said_in(111) == []


async def test_a_stranger_to_the_group_hides_the_groups_memory(zahradka):
    """M2, X2: once somebody reads along who is no member, the memory of a group is not said."""
    write(zahradka, DocumentRef(group("family"), DocumentName.GROUP), "- canary of the family\n")
    await zahradka.say("/find canary", chat=GROUP)
    assert "canary" in zahradka.said_in()[-1]
    await zahradka.enters(HANA)
    await zahradka.say("/find canary", chat=GROUP)
    assert zahradka.said_in()[-1].startswith(
        "There is nothing about that in the memory of this chat"
    )


async def test_a_page_asks_again_who_may_read(zahradka):
    """D3, X2: what may be read is decided at each press anew."""
    text = "".join(f"- canary {n} of the family\n" for n in range(20))
    write(zahradka, DocumentRef(group("family"), DocumentName.GROUP), text)
    await zahradka.say("/find canary", chat=GROUP)
    await zahradka.enters(HANA)
    await zahradka.tap("›")
    assert "canary" not in zahradka.text


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("What do you know about Honza?", "Honza"),
        ("what did I tell you about the lease", "the lease"),
        ("Do you remember anything about Rex?", "Rex"),
        ("Search my notes for the wifi", "the wifi"),
        ("Co víš o Honzovi?", "Honzovi"),
        ("co všechno o Honzovi víš?", "Honzovi"),
        ("Co si o výletu pamatuješ?", "výletu"),
        ("co víš o mně?", None),
        ("Prosím tě, co si pamatuješ o výletu?", "výletu"),
        ("Pamatuješ si něco o Honzovi?", "Honzovi"),
        ("najdi v paměti kód ke dveřím", "kód ke dveřím"),
        ("Was weißt du über Honza?", "Honza"),
        ("Čo vieš o Janke?", "Janke"),
        ("Co wiesz o Ani?", "Ani"),
        ("¿Qué sabes de Ana?", "Ana"),
        ("Що ти знаєш про Олену?", "Олену"),
        ("关于小王你知道什么？", "小王"),
        ("你知道关于小王的什么", "小王"),
        ("What do you know about cats? I love them", None),
        ("keep what you know about cats", None),
        ("I know what you know about me and it is fun.", None),
        ("Co víš?", None),
    ],
)
def test_questions_in_every_language(every_language, text, content):
    """X2: a question about what is known, in one sentence; what only looks like one is not."""
    found = recognise(text, False, "pomnenka_bot", every_language)
    assert (found.content if isinstance(found, Find) else None) == content


@pytest.fixture(scope="module")
def every_language():
    import locales

    return locales.load(["en", "cs", "sk", "de", "pl", "es", "uk", "zh"])
