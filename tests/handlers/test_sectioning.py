"""A section operation of a person: guarded, done once, said the same when asked again (M1, W4, W6)."""

import unicodedata
from dataclasses import replace

import pytest

from curation.rules import Rules
from handlers.browsing import sectioning, sectionwords
from handlers.browsing.sectioning import Barred
from handlers.context import Person, Place, Turn
from memory.sections import Code, Fault, Noop, Op, Outcome, Planned, Request
from memory.spaces import DocumentName, DocumentRef, personal
from tests.handlers.handlers_stage import EVERYBODY, Stage, speech

USER = DocumentRef(personal(111), DocumentName.USER)
LANGUAGES = speech()


@pytest.fixture
async def stage(tmp_path):
    stage = await Stage(tmp_path, Rules(LANGUAGES), LANGUAGES).open()
    yield stage
    await stage.close()


def turn_of(stage, request=""):
    return Turn(stage.services, EVERYBODY, Person(111), Place(111), "bot", request=request)


def lines(stage, ref=USER):
    return stage.store.read(ref).document.lines


def put(stage, text, ref=USER):
    path = stage.layout.path(ref)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


REPEATED = [
    Request(Op.APPEND, "S", line="new"),
    Request(Op.ADD_HEADING, "T", line="new"),
    Request(Op.REMOVE, "S", match="a"),
    Request(Op.REPLACE, "S", match="a", line="A"),
    Request(Op.REMOVE_HEADING, "S"),
    Request(Op.REMOVE_SUBHEADING, "S", "U"),
]


@pytest.mark.parametrize("request_", REPEATED, ids=lambda request: str(request.op))
async def test_the_same_update_again_is_done_once_and_said_alike(stage, request_):
    """W4: handed on again after a crash, a request is answered by the journal, in the same words."""
    put(stage, "## S\n- a\n### U\n- c\n")
    turn = turn_of(stage, "update 7")
    first = sectioning.perform(turn, USER, request_)
    after = lines(stage)
    again = sectioning.perform(turn, USER, request_)
    voice = turn.voice("en")
    assert lines(stage) == after
    assert again.op == first.op != ""
    assert sectioning.sentence(voice, again) == sectioning.sentence(voice, first)


async def test_without_a_request_each_call_is_its_own(stage):
    """W4: what has no name is never taken for a repetition; then it is a duplicate."""
    put(stage, "## S\n- a\n")
    asked = Request(Op.APPEND, "S", line="new")
    assert isinstance(sectioning.perform(turn_of(stage), USER, asked).result, Planned)
    again = sectioning.perform(turn_of(stage), USER, asked)
    assert again.result.outcome is Outcome.NOOP_DUP and again.op == ""


async def test_what_is_stored_is_composed_and_dated(stage):
    """K8, T6: a text is stored in NFC; a rule in AGENTS.md has the day of the turn."""
    agents = DocumentRef(personal(111), DocumentName.AGENTS)
    line = unicodedata.normalize("NFD", "česky")
    sectioning.perform(turn_of(stage), agents, Request(Op.APPEND, line=line))
    assert lines(stage, agents) == ("- [2026-05-04] česky",)


async def test_a_form_is_judged_before_a_text(stage):
    """M1: two lines are told as two lines, not as characters that are not allowed."""
    asked = Request(Op.APPEND, "S", line="a\u2028b")
    assert sectioning.perform(turn_of(stage), USER, asked).result.code is (
        Code.LINE_CONTAINS_NEWLINE
    )


@pytest.mark.parametrize(
    "asked",
    [
        Request(Op.APPEND, "S", line="my bank password is Trnka_78!x"),
        Request(Op.REPLACE, "S", match="a", line="my bank password is Trnka_78!x"),
        Request(Op.ADD_HEADING, "my bank password is Trnka_78!x"),
    ],
    ids=["append", "replace", "heading"],
)
async def test_a_secret_is_barred(stage, asked):
    """W6: a text that may not be kept is not stored by any operation, and not said."""
    put(stage, "## S\n- a\n")
    done = sectioning.perform(turn_of(stage), USER, asked)
    assert done.result == Barred("refused.secret")
    assert "Trnka" not in sectioning.sentence(turn_of(stage).voice("en"), done)
    assert lines(stage) == ("## S", "- a")


async def test_to_match_a_secret_away_is_allowed(stage):
    """W6: what somebody else let in can be removed; only new text is guarded."""
    put(stage, "## S\n- my bank password is Trnka_78!x\n")
    asked = Request(Op.REMOVE, "S", match="password is Trnka_78!x")
    assert isinstance(sectioning.perform(turn_of(stage), USER, asked).result, Planned)


async def test_long_lists_are_cut(stage):
    """M1: a sentence names at most twenty candidates, and says that there are more."""
    put(stage, "## S\n" + "".join(f"- tea {n}\n" for n in range(30)))
    done = sectioning.perform(turn_of(stage), USER, Request(Op.REMOVE, "S", match="tea"))
    said = sectioning.sentence(turn_of(stage).voice("en"), done).split("\n")
    assert len(said) == 1 + sectionwords.MOST + 1
    assert said[1] == "• tea 0 (2)" and said[-1] == "…"


@pytest.mark.parametrize("language", ["en", "cs"])
async def test_every_result_has_a_sentence(stage, language):
    """L1: whatever comes of a request is said, its texts escaped."""
    voice = turn_of(stage).voice(language)
    results = [
        *(Fault(code) for code in Code),
        Noop(Outcome.NOOP_DUP),
        Noop(Outcome.NOOP_NO_MATCH),
        *(Planned(op, (), "<b>", "<i>", "S & T") for op in Op if op not in (Op.HEADINGS, Op.SHOW)),
    ]
    for result in results:
        said = sectionwords.sentence(voice, result)
        assert said and "<b>" not in said and "<i>" not in said
    planned = replace(results[-1], op=Op.ADD_HEADING, similar=("R", "Q"))
    assert "R, Q" in sectionwords.sentence(voice, planned)
