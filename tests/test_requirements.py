"""docs/requirements.md holds: every test it names exists; and the few demands shown here."""

import ast
import re
from pathlib import Path

import pytest

import locales
from curation.engine import Hints, Keep
from curation.rules import Rules
from memory.document import Document
from memory.edits import append_entry, apply, remove_entry
from memory.spaces import DocumentName, DocumentRef, personal
from memory.store import Author, Item
from tests.battery import battery
from tests.memory.store_workplace import Workplace

HERE = Path(__file__).parent
ROOT = HERE.parent
TABLE = ROOT / "docs" / "requirements.md"
_ROW = re.compile(r"^\| (\d+) \| (.+?) \| (.+) \|$", re.M)
_NAMED = re.compile(r"`((?:[\w/]+\.py|battery)::[^`]+)`")
PROGRAM = ("memory", "locales", "curation", "handlers", "bot")


def rows():
    """(number, demand, what shows it) of each row."""
    return _ROW.findall(TABLE.read_text(encoding="utf-8"))


def named_in(path):
    """The names of the tests in a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = ast.FunctionDef | ast.AsyncFunctionDef
    return {node.name for node in ast.walk(tree) if isinstance(node, functions)}


def exists(name):
    """Whether a test of that name exists."""
    file, _, test = name.partition("::")
    if file == "battery":
        return any(t.name.partition(",")[0] == test for t in battery.all_tests())
    path = HERE / file
    return path.is_file() and test.startswith("test_") and test in named_in(path)


def test_every_demand_has_its_row():
    """All 55 demands are there, in order, each with a test or the word why not."""
    found = rows()
    assert [int(number) for number, _, _ in found] == list(range(1, 56))
    bare = [number for number, _, shown in found if not _NAMED.search(shown)]
    assert [n for n, _, shown in found if n in bare and "Not" not in shown] == []
    assert len(bare) <= 3


@pytest.mark.parametrize("number", range(1, 56))
def test_what_is_named_exists(number):
    """A row names only tests that are there."""
    shown = next(shown for n, _, shown in rows() if int(n) == number)
    assert [name for name in _NAMED.findall(shown) if not exists(name)] == []


def test_a_test_that_is_not_there_is_told():
    """The check has teeth: a wrong file, a wrong name and a helper are no tests."""
    wrong = ("test_no.py::test_x", "test_requirements.py::test_x", "test_requirements.py::exists")
    assert [exists(name) for name in (*wrong, "battery::no such row")] == [False] * 4
    assert exists("battery::kill")


TEMPLATE = """\
# Long-term memory

*Managed by the agent; edit freely.*

## User Information

(Important facts about the user)

- **Name**: (user's name)
- [ ] Casual
- [x] Technical

## Project Context

_(nothing yet)_

---
"""


def test_templates_are_not_repaired():
    """19, W2: placeholders, boxes, italics and rules stay byte for byte beside a new entry."""
    document = Document.of(TEMPLATE)
    added = apply(document, append_entry("likes tea", "User Information")(document) or ())
    assert "".join(added.raw) == TEMPLATE.replace(
        "- [x] Technical\n", "- [x] Technical\n- likes tea\n"
    )
    gone = apply(added, remove_entry("likes tea")(added) or ())
    assert "".join(gone.raw) == TEMPLATE


@pytest.mark.parametrize(
    "said",
    [
        "you know, Honza from marketing is allergic to peanuts",
        "víš co, Honza z marketingu je alergický na arašídy",
    ],
)
def test_keep_is_a_plain_list(tmp_path, said):
    """20, K5, K12: the first write makes the file; a line is a bullet of 15 words at most and
    bears no date stamp."""
    (part,) = Rules(locales.load(["en", "cs"])).judge(said, Hints()).parts
    assert isinstance(part.verdict, Keep)
    work = Workplace(tmp_path)
    ref = DocumentRef(personal(111), DocumentName.KEEP)
    assert not work.path(ref).exists()
    work.store.apply(ref, [Item("entry", append_entry(part.verdict.entry))], Author(111))
    (line,) = work.path(ref).read_text(encoding="utf-8").splitlines()
    assert re.fullmatch(r"- \S.*", line) and len(line.split()) <= 16
    assert not re.search(r"\d{4}-\d\d-\d\d", line)


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n\n", 2), ("a\u2028b\n", 1), ("a\r\nb\r\n", 2)],
)
def test_an_unterminated_last_line_counts(text, count):
    """34, W7: a line is what a line feed ends, and an unterminated last one; nothing else."""
    assert Document.of(text).count == count


def called(path):
    """The names of everything that a file calls, and of the modules it imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{node.value.id}.{node.attr}"
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.name for alias in node.names)


def test_no_shell_and_no_evaluation():
    """46: nothing in the program runs a command or evaluates a text, but the demo's own helper."""
    banned = {"eval", "exec", "os.system", "os.popen", "subprocess", "pickle", "shell"}
    found = {
        str(path.relative_to(ROOT))
        for room in PROGRAM
        for path in (ROOT / room).rglob("*.py")
        if banned & set(called(path))
    }
    assert found <= {"bot/cli/demo.py"}
