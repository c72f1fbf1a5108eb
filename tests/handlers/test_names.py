"""People read the names that their files have, a preset's too (product.md 2)."""

import pytest

from handlers import places
from memory.layout import Layout
from memory.presets import names_of
from memory.spaces import DocumentName
from tests.handlers.handlers_stage import Stage
from tests.handlers.scripted_engine import ScriptedEngine


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("user/Style", "user.md › Style"),
        ("agents", "agent.md"),
        ("topic/course", "t/course.md"),
        ("keep", "keep.md"),
    ],
)
def test_a_place_has_its_configured_name(tmp_path, code, shown):
    """Product.md 2: `names` and the preset decide what a place is called."""
    names = names_of("xiaopaw", {DocumentName.TOPIC: "t/{slug}.md"})
    assert places.shown(code, Layout(tmp_path, names).names) == shown


async def test_a_sentence_names_the_configured_file(tmp_path, languages):
    """Product.md 2: where a fact is known already is said by the file's own name."""
    stage = Stage(tmp_path, ScriptedEngine(), languages)
    stage.layout = Layout(tmp_path / "workspace", names_of("xiaopaw", {}))
    await stage.open()
    stage.put("- ring size 54\n", "user")
    assert stage.path("user").name == "user.md"
    await stage.say("keep ring size 54")
    assert "user.md" in stage.text and "USER.md" not in stage.text
    await stage.close()
