"""The whole slice with the rules engine: what the README promises (K1-K10, C1-C6, L1)."""

import shutil
from pathlib import Path

import pytest

from curation.rules import Rules
from tests.handlers.handlers_stage import PETR, Stage

CASES = Path(__file__).parent.parent.parent / "benchmarks" / "data" / "compaction"


@pytest.fixture
async def real(tmp_path, languages):
    """A bot with the engine that ships."""
    stage = await Stage(tmp_path, Rules(languages), languages).open()
    yield stage
    await stage.close()


async def test_the_english_sentence(real):
    """Seed 000: the sentence becomes one terse line."""
    await real.say("keep you know, Honza from marketing is allergic to peanuts")
    assert real.file() == "- Honza (marketing) — peanut allergy\n"
    assert real.text == "Kept: Honza (marketing) — peanut allergy"


async def test_the_czech_sentence(real):
    """L1, L3: asked in Czech, kept in Czech, answered in Czech; said again it is known."""
    sentence = "zapamatuj si, víš, že Honza z marketingu je alergický na arašídy"
    await real.say(sentence, by=PETR)
    line = real.file(by=PETR)
    assert "arašíd" in line
    assert real.text == f"Zapamatováno: {line[2:-1]}"
    await real.say(sentence, by=PETR)
    assert real.file(by=PETR) == line
    assert real.text.startswith("To už mám:")


async def test_a_changed_number_is_a_card(real):
    """K8: a changed number is shown as a change."""
    await real.say("keep the office is on the 3rd floor of the building")
    before = real.file()
    await real.say("keep the office is on the 5th floor of the building")
    assert real.labels == ["Replace", "Keep both", "Skip"]
    assert real.file() == before


@pytest.mark.parametrize(
    "text",
    [
        "keep my password is hunter2secret",
        "keep my token is ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "zapamatuj si PIN ke kartě je 4821",
    ],
)
async def test_a_secret_is_nowhere(real, text):
    """T1: not in a file, not in the state, not in an answer."""
    await real.say(text)
    secret = text.split()[-1].encode()
    assert secret.decode() not in real.text
    files = [p for p in real.folder.rglob("*") if p.is_file()]
    assert not [p for p in files if secret in p.read_bytes()]


async def test_a_secret_by_way_of_an_edit(real):
    """W6: a secret does not come in through Edit either."""
    await real.say("keep Honza from marketing is allergic to peanuts")
    before = real.file()
    await real.press("Edit")
    await real.say("my password is hunter2secret")
    assert real.file() == before
    assert "hunter2secret" not in real.text


@pytest.mark.parametrize(
    ("text", "why"), [("▓▓▓▓▓▓▓▓▓▓▓▓", "measurements"), ("████████", "secret"), ("!!!", "remember")]
)
async def test_a_text_blanked_as_a_whole(real, text, why):
    """T1, T2: what the inbox blanked from end to end is refused with its reason, not as empty."""
    await real.say("keep Honza from marketing is allergic to peanuts")
    await real.press("Edit")
    await real.say(text)
    assert why in real.text.lower()


@pytest.mark.parametrize("case", ["05_en_medium_game_server", "03_cs_medium_pottery_shop"])
async def test_an_audit_of_a_real_file(real, case):
    """C1-C6: proposal, apply, second run proposes nothing, Undo restores the bytes."""
    for name in ("memory", "user", "soul", "keep"):
        source = {"memory": "MEMORY.md", "user": "USER.md", "soul": "SOUL.md", "keep": "keep.md"}
        real.path(name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CASES / case / source[name], real.path(name))
    before = real.file("memory")
    others = [real.file(name) for name in ("user", "soul", "keep")]
    await real.say("compact memory")
    assert "Apply (" in str(real.labels)
    await real.press("Apply")
    assert real.file("memory") != before
    assert [real.file(name) for name in ("user", "soul", "keep")] == others
    undo = real.data("Undo")
    await real.say("compact memory")
    assert real.text == "Nothing to clean up in MEMORY.md."
    await real.press_data(undo[1], message=undo[0])
    assert real.file("memory") == before


async def test_a_long_keep(real):
    """K10: the line that makes it too long is kept, and a proposal comes before the answer."""
    words = ["Prague", "Brno", "Ostrava", "Pilsen", "Liberec", "Olomouc", "Zlín", "Kladno"]
    lines = [f"- bakery {n} in {words[n % 8]} opens at {n % 12 + 1}" for n in range(140)]
    lines += lines[:10]
    real.put("\n".join(lines) + "\n")
    await real.say("keep the plumber is called Ana Ruiz")
    assert real.text.startswith("Kept: ")
    assert "keep.md" in [text for text, _ in real.telegram.messages.values()][0]
    await real.say("apply")
    assert real.text.startswith("Compaction: 151 → ")


HOSTILE = {
    "4,096 characters": "keep " + "the plumber is called Ana " * 157,
    "combining marks": "keep a" + "\u0301" * 4000,
    "control": "keep a\x07b\x1b[31m",
    "bidi": "keep abc \u202egpj.exe",
    "tags": "keep hi \U000e0041\U000e0042 there you",
    "lone surrogate": "keep a \ud83d b",
    "html": "keep <b>x</i> & <script> likes tea",
    "markdown": "keep ## heading - *x* `code` [a](b)",
    "line breaks": "keep tea\n\n\n- milk\n- bread\nfor Ana",
    "only marks": "keep !!! ???",
    "emoji": "keep 🙂🙂🙂",
    "zero width": "keep \u200b\u200d\u2060",
    "braces": "keep {entry} {0} %s %(x)s costs",
    "many parts": "keep " + "; ".join(f"shop {n} sells {n} apples" for n in range(120)),
    "digits": "keep " + "9" * 3000,
    "reminder": "keep remind me tomorrow at five to call Ana",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
async def test_hostile_input_has_its_answer(real, text, caplog):
    """W6, K3: whatever comes in, there is one answer and no fault, and the file stays a list."""
    await real.say(text[:4096])
    assert len(real.telegram.messages) >= 1
    assert caplog.records == []
    lines = (real.file() or "").splitlines()
    assert all(line.startswith("- ") and len(line) > 2 for line in lines)
