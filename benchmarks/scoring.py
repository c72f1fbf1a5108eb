"""Scores of predictions, by the public scorers beside the data."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

SCORERS = Path(__file__).parent / "data"


def score(data: Path, predictions: Path, languages: str) -> Iterator[str]:
    """The scorers' tables, one text each: keep first, then compaction pooled.

    Args:
        data: the labelled cases.
        predictions: what `benchmarks.predict.predict` wrote.
        languages: codes joined by commas, empty for all. A compaction case counts when its
            language is one of them or mixed.
    """
    only = ["--lang", languages] if languages else []
    cases, answers = data / "keep_cases.jsonl", predictions / "keep.jsonl"
    yield _run("score_keep.py", str(cases), str(answers), *only)
    with tempfile.TemporaryDirectory() as folder:
        for case in chosen(data / "compaction", languages):
            (Path(folder) / case.name).symlink_to(case.absolute())
        yield _run("check_compaction.py", "--pool", folder, str(predictions / "compaction"))


def chosen(root: Path, languages: str) -> Iterator[Path]:
    """The compaction cases in these languages."""
    wanted = {*languages.split(","), "mixed"}
    for folder in sorted(p for p in root.iterdir() if p.is_dir()):
        labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
        spoken = labels["language"]
        if not languages or spoken in wanted or spoken.startswith("mixed"):
            yield folder


def _run(scorer: str, *arguments: str) -> str:
    command = [sys.executable, str(SCORERS / scorer), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
