"""The arrows between the rooms, read from the syntax trees (docs/architecture.md)."""

import ast
import pathlib

import pytest

ROOT = pathlib.Path(__file__).parent.parent
ROOMS = ("memory", "locales", "curation", "handlers", "bot", "demo", "benchmarks", "tests")
LANGUAGE_LIBRARIES = {"babel", "langdetect", "simplemma", "snowballstemmer", "stopwordsiso"}
ALLOWED = {
    "memory": {"memory", "sqlalchemy", "rapidfuzz"},
    "locales": {"locales", "memory.folding", "dateparser", *LANGUAGE_LIBRARIES},
    "curation": {
        "curation",
        "locales",
        "rapidfuzz",
        *(
            f"memory.{m}"
            for m in ("document", "edits", "changeset", "folding", "errors", "pointers")
        ),
    },
    "handlers": {"handlers", "memory", "curation", "locales"},
    "handlers/edge": {"handlers", "memory", "curation", "locales", "telegram"},
    "handlers/graph": {"handlers", "memory", "curation", "locales", "matplotlib"},
    "bot": {"bot", "handlers", "memory", "curation", "locales", "telegram", "aiohttp", "click"},
    "demo": {"demo", "aiohttp"},
}
PURE = {"document", "folding", "edits", "changeset", "patches", "lineage", "pointers", "scope"} | {
    "fields",
    "sections",
    "sectionplaces",
    "sectionrequest",
}
IMPURE = {"os", "pathlib", "time", "datetime", "fcntl", "sqlite3", "sqlalchemy", "threading"}
STANDARD = __import__("sys").stdlib_module_names


def imports(path: pathlib.Path):
    """Every imported module of a file, as (line, dotted name); names of packages are joined."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            if node.module in ROOMS:
                yield from ((node.lineno, f"{node.module}.{a.name}") for a in node.names)
            else:
                yield node.lineno, node.module


def allowed(name: str, room: str) -> bool:
    parts = name.split(".")
    heads = {".".join(parts[:n]) for n in range(1, len(parts) + 1)}
    return parts[0] in STANDARD or bool(heads & ALLOWED[room])


def files(room: str) -> list[pathlib.Path]:
    """The files of a room, without those of a folder in it that has a row of its own."""
    inner = [ROOT / other for other in ALLOWED if other.startswith(f"{room}/")]
    found = sorted((ROOT / room).rglob("*.py"))
    return [path for path in found if not any(path.is_relative_to(folder) for folder in inner)]


@pytest.mark.parametrize("room", ALLOWED)
def test_arrows_of_a_room(room):
    """A room imports only what its row of the table allows; only the edge knows Telegram."""
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in files(room)
        for line, name in imports(path)
        if not allowed(name, room) and not (room == "bot" and is_demo(path, name))
    ]
    assert wrong == []


def test_the_edge_is_imported_by_nobody_in_the_room():
    """Conversations do not know how they are sent: nothing in handlers imports handlers.edge."""
    wrong = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in files("handlers")
        for line, name in imports(path)
        if name.startswith("handlers.edge")
    ]
    assert wrong == []


def is_demo(path: pathlib.Path, name: str) -> bool:
    return path.name == "demo.py" and name.split(".")[0] == "demo"


@pytest.mark.parametrize("module", sorted(PURE))
def test_pure_modules_of_memory(module):
    """The pure modules of memory know no path, clock, lock or database."""
    found = {name.split(".")[0] for _, name in imports(ROOT / "memory" / f"{module}.py")}
    assert not found & IMPURE


def test_only_one_broad_except():
    """At most one `except Exception` stands in the program: the application's error handler."""
    broad = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for room in ALLOWED
        for path in files(room)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ExceptHandler)
        and (
            node.type is None
            or (isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException"))
        )
    ]
    assert len(broad) <= 1, broad


def test_an_arrow_that_turns_is_named(tmp_path):
    """The check has teeth: an import against the arrows is found."""
    file = tmp_path / "x.py"
    file.write_text("from handlers import keep\nimport memory.store\n")
    assert [allowed(name, "curation") for _, name in imports(file)] == [False, False]
