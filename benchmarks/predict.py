"""Predictions of the product's own judgement over the public benchmark data.

Only the fields that KEEP_CASES.md and COMPACTION.md allow are read; labels never are.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

from curation import triggers
from curation.engine import Ask, Companion, Engine, Hints, Judgement, Keep, Part, Refuse, Route
from curation.nightly import strict_changes
from locales import Languages
from memory.changeset import encode
from memory.document import Document

BOT = "pomnenka_bot"
COMPANIONS = ("USER.md", "SOUL.md", "keep.md")

Values = dict[str, Any]
Progress = Callable[[str, int, int], None]


def predict(data: Path, out: Path, engine: Engine, languages: Languages, tell: Progress) -> None:
    """Write ``out/keep.jsonl`` and ``out/compaction/<case>.json``, as the scorers want them.

    Args:
        data: a folder with keep_cases.jsonl and compaction/<case>/.
        tell: called with what is being done, how many are done and how many there are.
    """
    (out / "compaction").mkdir(parents=True, exist_ok=True)
    lines = (data / "keep_cases.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [visible(json.loads(line)) for line in lines if line.strip()]
    with (out / "keep.jsonl").open("w", encoding="utf-8") as file:
        for done, case in enumerate(cases, 1):
            answer = {"id": case["id"], **keep_case(case, engine, languages)}
            file.write(json.dumps(answer, ensure_ascii=False) + "\n")
            tell("keep", done, len(cases))
    folders = sorted(p for p in (data / "compaction").iterdir() if p.is_dir())
    for done, folder in enumerate(folders, 1):
        answer = compaction_case(folder, engine)
        target = out / "compaction" / f"{folder.name}.json"
        target.write_text(json.dumps(answer, ensure_ascii=False), encoding="utf-8")
        tell("compaction", done, len(folders))


def visible(case: Values) -> Values:
    """What a program under test may read of a case."""
    return {k: case[k] for k in ("id", "input", "raw", "chat", "existing", "new") if k in case}


def keep_case(case: Values, engine: Engine, languages: Languages) -> Values:
    """The prediction for one case, without its id."""
    if "raw" in case:
        group = case["chat"] == "group"
        return intent(triggers.recognise(case["raw"], group, BOT, languages))
    if "existing" in case:
        match = engine.compare(case["new"], case["existing"])
        return {"relation": match.relation.value, "match": match.index}
    return judgement(engine.judge(case["input"], Hints()))


def intent(found: triggers.Intent) -> Values:
    """An intent in the words of the benchmark."""
    match found:
        case triggers.Keep(content=content):
            return {"expect": "keep", "content": content}
        case triggers.Selection(numbers=numbers):
            return {"expect": "selection", "content": " ".join(map(str, numbers))}
        case triggers.CompactMemory():
            return {"expect": "compact_memory", "content": None}
        case triggers.CompactKeep():
            return {"expect": "compact_keep", "content": None}
    return {"expect": "none", "content": None}


def judgement(found: Judgement) -> Values:
    """A judgement in the words of the benchmark; several parts are a split."""
    if len(found.parts) == 1:
        return verdict(found.parts[0])
    parts = ({"text": part.text, **verdict(part)} for part in found.parts)
    return {"task": "split", "parts": list(parts)}


def verdict(part: Part) -> Values:
    """One part's verdict; an entry that the guard would not save is not answered."""
    match part.verdict:
        case Keep(entry=entry, kind=kind, ask_reason=asks, losses=losses):
            known = {} if losses else {"entry": entry}
            return {"task": "keep", "kind": kind.value, "ask_reason": asks, **known}
        case Route(home=home):
            return {"task": "route", "home": home.value}
        case Refuse(why=refusal):
            return {"task": "refuse", "why": refusal.value}
        case Ask(why=unclear):
            return {"task": "ask", "why": unclear.value}


def compaction_case(folder: Path, engine: Engine) -> Values:
    """The change-set of one case folder, read without its labels."""
    document = Document.parse((folder / "MEMORY.md").read_bytes())
    today = json.loads((folder / "case.json").read_text(encoding="utf-8"))["today"]
    proposal = engine.audit(document, tuple(companions(folder)), date.fromisoformat(today))
    return encode(strict_changes(proposal, document))


def companions(folder: Path) -> Iterator[Companion]:
    """The documents beside MEMORY.md, for comparing only."""
    for name in COMPANIONS:
        yield Companion(name, texts((folder / name).read_bytes()))


def texts(data: bytes) -> tuple[str, ...]:
    """The entries of a document as plain texts."""
    return tuple(entry.text for entry in Document.parse(data).entries)
