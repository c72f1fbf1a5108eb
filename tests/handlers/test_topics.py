"""A topic and its pointer: both or neither, and an index that is never made too long (S1, S2)."""

from dataclasses import replace

import pytest

from curation.engine import Home, Route
from curation.rules import Rules
from handlers import places
from handlers.context import Person, Place, Turn
from handlers.keeping import topics
from handlers.messages import outcome
from memory.errors import Unreadable, WriteFailed
from memory.files import PosixDisk
from memory.spaces import DocumentName
from memory.store import Store
from tests.handlers.handlers_stage import EVERYBODY, PETR, Stage

INDEX = (
    "# Index\n\n## People\n- Family → memory_family.md\n\n## Work\n- Deploys → memory_deploys.md\n"
)
SAID = "lesson 3 covers vectors"


@pytest.fixture
async def real(tmp_path, languages):
    """A bot with the engine that ships."""
    stage = await Stage(tmp_path, Rules(languages), languages).open()
    yield stage
    await stage.close()


def turn_of(stage, policy=EVERYBODY, request="m1"):
    """Alice in her private chat."""
    person = Person(111, "Alice", "en")
    return Turn(stage.services, policy, person, Place(111, 1), "pomnenka_bot", request=request)


def new(slug="course", title="Course"):
    return places.split(places.code(DocumentName.TOPIC, slug, title))


@pytest.mark.parametrize(
    ("by", "said", "file", "heading"),
    [
        (None, "keep for topic course: lesson 3 covers vectors", "course", "Topics"),
        (None, "keep under topic course that lesson 3 covers vectors", "course", "Topics"),
        (PETR, "zapamatuj si to téma Kurz češtiny: lekce 3 je o pádech", "kurz_cestiny", "Témata"),
        (PETR, "ulož si k tématu žluťoučký kůň: kope zadníma", "zlutoucky_kun", "Témata"),
    ],
    ids=["for topic", "under topic", "to téma", "k tématu"],
)
async def test_a_new_topic_with_its_pointer(real, by, said, file, heading):
    """T13, S2: the file's name is shown before; then the topic and its pointer stand on disk."""
    who = {"by": by} if by else {}
    await real.say(said, **who)
    button = next(label for label in real.labels if f"memory_{file}.md" in label)
    assert real.file("topic", file, **who) is None
    await real.press(button, **who)
    title = real.file("topic", file, **who).split("\n")[0].removeprefix("## ")
    assert real.file("index", **who) == f"## {heading}\n- {title} → memory_{file}.md\n"
    assert f"memory.md › {heading}" in real.text


async def test_the_pointer_goes_to_the_fitting_section(real):
    """S2: the section of the index that shares words with the topic takes the pointer."""
    real.put(INDEX, "index")
    await real.say("keep for topic people abroad: Ana lives in Porto")
    await real.press("New: memory_people_abroad.md")
    family = "- Family → memory_family.md\n"
    pointer = "- People abroad → memory_people_abroad.md\n"
    assert real.file("index") == INDEX.replace(family, family + pointer)


async def test_an_existing_topic_takes_no_second_pointer(real):
    """S2: where a pointer stands only the topic is written, in the section that fits."""
    real.put("## Deploy window\n- Tuesdays\n\n## Rollback\n- by tag\n", "topic", "deploys")
    real.put("- family\n", "topic", "family")
    real.put(INDEX, "index")
    await real.say("keep for topic deploys: no deploy window in August")
    assert real.labels[0] == "memory_deploys.md"
    await real.press("memory_deploys.md")
    assert real.file("index") == INDEX
    assert "- Tuesdays\n- no deploy window in August\n" in real.file("topic", "deploys")


async def test_topics_that_are_near_come_first(real):
    """T13: topics whose name or pointer shares words are offered before a new file."""
    real.put("- one\n", "topic", "deploys")
    real.put("- two\n", "topic", "family")
    real.put(INDEX, "index")
    await real.say("keep for topic deploy checklist: tag the release")
    assert real.labels[:2] == ["memory_deploys.md", "New: memory_deploy_checklist.md"]
    assert "memory_deploys.md" in real.text
    await real.say("yes")
    assert real.file("topic", "deploy_checklist") is None


async def test_a_topic_is_known_by_its_title(real):
    """T13: a topic is found by what the index calls it, whatever its file is called."""
    real.put("- Ana teaches\n", "topic", "kurz2")
    real.put("- Czech course → memory_kurz2.md\n", "index")
    await real.say("keep for topic czech course: exams are written")
    assert real.labels[0] == "memory_kurz2.md"
    assert "already" in real.text


async def test_a_title_without_letters_of_ours(stage):
    """T13: a title that cannot be transliterated gets a numbered file, shown before."""
    stage.engine.verdicts["x"] = Route(Home.TOPIC, "第三课讲向量", "课程")
    await stage.say("keep x")
    await stage.press("New: memory_topic_1.md")
    assert stage.file("index") == "## Topics\n- 课程 → memory_topic_1.md\n"
    await stage.say("keep x")
    assert stage.labels[0] == "memory_topic_1.md"


async def test_a_dead_pointer_needs_no_second_one(real):
    """S1, S2: in a full index a topic whose pointer stands already can be begun."""
    real.put("- x → memory_x.md\n" * 179 + "- Course → memory_course.md\n", "index")
    await real.say(f"keep for topic course: {SAID}")
    await real.press("memory_course.md")
    assert SAID in real.file("topic", "course")
    assert real.file("index").count("memory_course.md") == 1


async def test_an_orphan_gets_its_pointer(real):
    """S2: a topic without a pointer gets one when it is written to."""
    real.put("## Course\n- taught by Ana\n", "topic", "course")
    await real.say(f"keep for topic course: {SAID}")
    await real.press("memory_course.md")
    assert real.file("index") == "## Topics\n- Course → memory_course.md\n"


async def test_said_again_an_orphan_gets_its_pointer(real):
    """S2: a line that stands in a topic without a pointer is not repeated, the pointer comes."""
    real.put(f"## Course\n- {SAID}\n", "topic", "course")
    await real.say(f"keep for topic course: {SAID}")
    await real.press("memory_course.md")
    assert real.file("topic", "course") == f"## Course\n- {SAID}\n"
    assert real.file("index") == "## Topics\n- Course → memory_course.md\n"


async def test_progress_is_knowledge_of_a_topic(real):
    """T13: a label of progress before several statements names a topic; a plain fact does not."""
    await real.say("keep course progress: lessons 1 to 4 are done, next comes lesson 5 on agents")
    assert "New: memory_course_progress.md" in real.labels
    await real.say("keep the course starts in May")
    assert real.file() is not None


async def test_a_how_to_is_offered_a_topic(real):
    """T12: told that playbooks are not written by hand, with a topic file as the way out."""
    await real.say("keep how to deploy: 1. build 2. test 3. push")
    assert "not written by hand" in real.text
    assert real.labels == ["New: memory_deploy.md", "keep.md instead", "Cancel"]


async def test_a_line_that_stands_in_the_topic(real):
    """S3: a topic's own line is not repeated, a changed one is shown first."""
    real.put("- lesson 3 covers vectors\n- exam on 5 rooms\n", "topic", "course")
    real.put("- Course → memory_course.md\n", "index")
    await real.say(f"keep for topic course: {SAID}")
    await real.press("memory_course.md")
    assert real.text.startswith("I have that already")
    assert real.file("topic", "course") == "- lesson 3 covers vectors\n- exam on 5 rooms\n"


LIMITS = [
    (None, 149, "go"),
    (None, 150, "warn"),
    (None, 151, "warn"),
    (None, 179, "warn"),
    (None, 180, "refuse"),
    (None, 181, "refuse"),
    ((200, 250), 199, "go"),
    ((200, 250), 200, "warn"),
    ((200, 250), 201, "warn"),
    ((200, 250), 249, "warn"),
    ((200, 250), 250, "refuse"),
    ((200, 250), 251, "refuse"),
]


@pytest.mark.parametrize(
    ("limits", "count", "what"), LIMITS, ids=[f"{one[0] or 'default'}-{one[1]}" for one in LIMITS]
)
async def test_the_gate_of_the_index(stage, limits, count, what):
    """S1, W7: counted before the write; what is refused leaves both files as they were."""
    policy = EVERYBODY
    if limits:
        policy = replace(policy, index_warn=limits[0], index_full=limits[1])
    stage.put("- x → memory_x.md\n" * count, "index")
    done = topics.file(turn_of(stage, policy), SAID, new())
    if what == "refuse":
        assert done == outcome.Full(SAID, count)
        assert stage.file("topic", "course") is None
        assert stage.file("index").count("\n") == count
    else:
        assert bool(done.lines) == (what == "warn")
        assert stage.file("index").count("\n") == count + 1


async def test_a_full_index_offers_no_new_topic(real):
    """S1: the card says so with the way out; topics that have their pointer take more."""
    real.put("- x → memory_x.md\n" * 179 + "- Deploys → memory_deploys.md\n", "index")
    real.put("- one\n", "topic", "deploys")
    await real.say(f"keep for topic course: {SAID}")
    card, _ = real.data("keep.md instead")
    text, rows = real.telegram.messages[111, card]
    assert "/tidy" in text
    assert [b["text"] for row in rows for b in row] == ["keep.md instead", "Cancel"]
    await real.say("keep for topic deploys: tag the release")
    await real.press("memory_deploys.md")
    assert "tag release" in real.file("topic", "deploys")


async def test_an_index_that_filled_up_meanwhile(stage):
    """S1, D5: the gate is asked again under the press; nothing is left behind."""
    stage.engine.verdicts[SAID] = Route(Home.TOPIC, SAID, "course")
    await stage.say(f"keep {SAID}")
    stage.put("- x → memory_x.md\n" * 180, "index")
    await stage.press("New: memory_course.md")
    assert "180" in stage.text
    assert stage.labels == []
    assert stage.file("topic", "course") is None


class BrokenIndex(PosixDisk):
    """A disk that refuses to write the index."""

    def swap(self, place, *rest):
        if place.ref.name is DocumentName.INDEX:
            raise WriteFailed(place.ref, "no_space")
        return super().swap(place, *rest)


async def test_no_pointer_no_topic(stage):
    """S2: when the pointer cannot be written, the topic's write is taken back byte for byte."""
    before = "## Course\n- lesson 1\n"
    stage.put(before, "topic", "course")
    disk = BrokenIndex(stage.folder / "state" / "locks", fsync=False)
    store = Store(stage.layout, stage.state, disk, stage.clock, stage.new_id)
    turn = turn_of(stage)
    broken = replace(turn, services=replace(turn.services, store=store))
    with pytest.raises(WriteFailed):
        topics.file(broken, SAID, new())
    assert stage.file("topic", "course") == before
    assert stage.file("index") is None


class RacingDisk(PosixDisk):
    """A disk on which somebody fills the index while a topic is written."""

    def swap(self, place, *rest):
        if place.ref.name is DocumentName.TOPIC:
            index = place.path.with_name("memory.md")
            index.write_text("- x → memory_x.md\n" * 180, encoding="utf-8")
        return super().swap(place, *rest)


async def test_an_index_filled_by_somebody_else_in_between(stage):
    """S1, S2: the gate is asked once more under the lock, and the topic is taken back."""
    stage.put("- x → memory_x.md\n", "index")
    disk = RacingDisk(stage.folder / "state" / "locks", fsync=False)
    store = Store(stage.layout, stage.state, disk, stage.clock, stage.new_id)
    turn = turn_of(stage)
    raced = replace(turn, services=replace(turn.services, store=store))
    assert isinstance(topics.file(raced, SAID, new()), outcome.Full)
    assert not stage.file("topic", "course")
    assert "memory_course.md" not in stage.file("index")


async def test_an_index_that_cannot_be_read(stage):
    """S2, W3: an index that is no text refuses the topic before anything is written."""
    stage.put("x", "index")
    stage.path("index").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(Unreadable):
        topics.file(turn_of(stage), SAID, new())
    assert stage.file("topic", "course") is None


async def test_a_crash_between_the_two(stage):
    """W4, S2: the press that comes again after a crash finishes what it had begun."""
    turn = turn_of(stage)
    ref = turn.document(DocumentName.TOPIC, "course")
    from handlers.keeping import placing

    placing.write(turn, ref, SAID, (new(), ""))
    again = topics.file(turn, SAID, new())
    assert again.pointer == "memory.md › Topics"
    assert stage.file("topic", "course").count(SAID) == 1
    third = topics.file(turn, SAID, new())
    assert third.op == again.op
    assert stage.file("index").count("memory_course.md") == 1


async def test_undo_takes_back_both(real):
    """S2: Undo removes the entry and its pointer; the emptied topic counts as not there."""
    real.put(INDEX, "index")
    await real.say(f"keep for topic course: {SAID}")
    await real.press("New: memory_course.md")
    await real.press("Undo")
    assert real.file("index") == INDEX
    assert not real.file("topic", "course")
    await real.say("keep for topic course: lesson 4 is about trees")
    assert "New: memory_course.md" in real.labels


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Kurz češtiny", "kurz_cestiny"),
        ("C++ & co.", "c_co"),
        ("Сад", "sad"),
        ("课程", ""),
        ("con", "con"),
        ("a-b_c", "a_b_c"),
    ],
)
def test_the_name_of_a_topic(title, slug):
    """T13: lower-case ASCII letters, digits and ``_``, transliterated."""
    assert topics.slug(title).strip("_") == slug
