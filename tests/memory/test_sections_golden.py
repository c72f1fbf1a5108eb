"""Every section operation with every outcome and error, as data for people (M1, M4).

``POMNENKA_WRITE_GOLDEN=1 pytest tests/memory/test_sections_golden.py`` fills the answers in.
"""

import json
import os
import pathlib
import re
import shlex
from dataclasses import dataclass

import pytest

from bot.cli import sectionvalues
from memory import sections
from memory.document import Document
from memory.edits import apply
from memory.sections import Code, Fault, Op, Outcome, Planned, Request
from memory.spaces import DocumentName

FOLDER = pathlib.Path(__file__).parents[1] / "golden" / "sections"
FILES = sorted(path for path in FOLDER.glob("*.md") if path.stem != "README")
DAY = "2026-03-01"
_ASK = re.compile(r"ask \[(\w+)\]( \(by a program\))?")


@dataclass(frozen=True)
class Case:
    """One case of a file; ``parts`` are its texts by name."""

    title: str
    why: str
    parts: dict

    @property
    def asked(self):
        return next(name for name in self.parts if name.startswith("ask"))

    @property
    def request(self):
        name, program = _ASK.fullmatch(self.asked).groups()
        op, *words = shlex.split(self.parts[self.asked])
        fields = {key[2:]: typed(value) for key, value in zip(words[::2], words[1::2], strict=True)}
        return Request(
            op, **fields, name=DocumentName(name), day=DAY, automatic=program is not None
        )

    @property
    def written(self):
        """The case as it stands in its file."""
        head = [f"=== {self.title}", *([self.why] if self.why else [])]
        body = [f"--- {name}\n{text}".rstrip("\n") for name, text in self.parts.items()]
        return "\n".join([*head, *body]) + "\n"


def typed(value):
    """A value of an option: numbers as such, escapes such as ``\\n`` as what they mean."""
    if re.fullmatch(r"-?\d", value):
        return int(value)
    return re.sub(r"\\(?:u([0-9a-f]{4})|([nrt]))", _meant, value)


def _meant(match):
    return chr(int(match[1], 16)) if match[1] else {"n": "\n", "r": "\r", "t": "\t"}[match[2]]


def cases(path):
    """The cases of a file."""
    for block in path.read_text(encoding="utf-8").split("=== ")[1:]:
        head, *parts = re.split(r"^--- ", block, flags=re.MULTILINE)
        title, _, why = head.partition("\n")
        named = (part.partition("\n") for part in parts)
        yield Case(title, why.strip(), {name: trimmed(text) for name, _, text in named})


def trimmed(text):
    """A text without the blank line that parts it from the next case."""
    return text.rstrip("\n") + "\n" if text.strip() else ""


def answered(case):
    """The answer as JSON, and the document after."""
    before = Document.of(case.parts["before"])
    result = sections.plan(before, case.request)
    if isinstance(result, Fault):
        return {"error": str(result.code), **sectionvalues.details(result)}, before, ()
    hunks = result.hunks if isinstance(result, Planned) else ()
    return sectionvalues.outcome(result), apply(before, hunks), hunks


def fill(path):
    """Write the answers of a file anew."""
    texts = []
    for case in cases(path):
        answer, after, hunks = answered(case)
        parts = {name: case.parts[name] for name in ("before", case.asked)}
        parts["answer"] = json.dumps(answer, ensure_ascii=False)
        if hunks:
            parts["after"] = after.to_bytes().decode()
        texts.append(Case(case.title, case.why, parts).written)
    path.write_text("\n".join(texts), encoding="utf-8")


if os.environ.get("POMNENKA_WRITE_GOLDEN"):
    for _path in FILES:
        fill(_path)

ALL = [pytest.param(case, id=f"{p.stem}: {case.title}") for p in FILES for case in cases(p)]


@pytest.mark.parametrize("case", ALL)
def test_golden(case):
    """M1, M4: what is answered, and the document after, are as the file says."""
    answer, after, hunks = answered(case)
    assert answer == json.loads(case.parts["answer"])
    assert after.to_bytes().decode() == case.parts.get("after", case.parts["before"])
    assert bool(hunks) == (answer.get("outcome") == "applied")


TEXT = {Code.NOT_TEXT, Code.MISSING_FIELD, Code.UNEXPECTED_FIELD}
HEADING = {Code.EMPTY_HEADING, Code.HEADING_CONTAINS_NEWLINE}
LINE = {Code.EMPTY_LINE, Code.LINE_CONTAINS_NEWLINE, Code.LINE_STARTS_WITH_HASH}
SECTION = {Code.HEADING_MISSING, Code.HEADING_AMBIGUOUS}
SUBSECTION = {Code.SUBHEADING_MISSING, Code.SUBHEADING_AMBIGUOUS}
PLACE = HEADING | SECTION | SUBSECTION
MATCH = {Code.EMPTY_MATCH, Code.MULTIPLE_MATCHES, Code.PINNED_SECTION}
EVERY = {
    Op.APPEND: TEXT
    | PLACE
    | LINE
    | {
        Code.NOT_ALLOWED,
        Code.FIELD_ONLY,
        Code.PINNED_HEADING,
        Code.HEADING_STARTS_WITH_HASH,
        Outcome.NOOP_DUP,
    },
    Op.ADD_HEADING: TEXT
    | HEADING
    | LINE
    | {
        Code.HEADING_EXISTS,
        Code.HEADING_STARTS_WITH_HASH,
        Code.PINNED_HEADING,
        Code.NOT_ALLOWED,
        Code.SECTION_FIXED,
    },
    Op.REMOVE: TEXT
    | PLACE
    | MATCH
    | {Code.NOT_ALLOWED, Code.FIELD_ONLY, Code.WRONG_TYPE, Outcome.NOOP_NO_MATCH},
    Op.REPLACE: (TEXT - {Code.UNEXPECTED_FIELD})
    | PLACE
    | MATCH
    | LINE
    | {Code.NOT_ALLOWED, Code.FIELD_ONLY, Outcome.NOOP_DUP, Outcome.NOOP_NO_MATCH},
    Op.REMOVE_HEADING: TEXT
    | HEADING
    | SECTION
    | {Code.PINNED_SECTION, Code.NOT_ALLOWED, Code.SECTION_FIXED},
    Op.REMOVE_SUBHEADING: TEXT
    | PLACE
    | {Code.PINNED_SECTION, Code.NOT_ALLOWED, Code.SECTION_FIXED},
}
"""What each operation can come to besides ``applied``."""


def said(case):
    answer = json.loads(case.parts["answer"])
    return answer.get("error") or answer["outcome"]


@pytest.mark.parametrize("op", EVERY)
def test_every_operation_with_every_outcome(op):
    """M1: there is a case for each operation with each outcome and error it can come to."""
    known = {said(case) for case in cases(FOLDER / f"{op}.md")}
    assert known == {str(Outcome.APPLIED), *map(str, EVERY[op])}


def test_every_code_has_a_case():
    """M1: no code is left without a case."""
    known = {said(case) for path in FILES for case in cases(path)}
    assert known >= set(map(str, Code))
