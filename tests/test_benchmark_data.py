"""The public benchmark: complete in the clone, and unknown to the product."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.predict import visible

ROOT = Path(__file__).parent.parent
DATA = ROOT / "benchmarks" / "data"
ROOMS = ("memory", "locales", "curation", "handlers", "bot", "demo")
RUN = 5


def runs(text):
    """Every run of a few words of a text, folded."""
    words = re.findall(r"\w+", text.casefold())
    return {" ".join(words[i : i + RUN]) for i in range(len(words) - RUN + 1)}


def cases():
    """The labelled keep cases."""
    lines = (DATA / "keep_cases.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_no_sentence_of_the_data_is_in_the_product():
    """E1: no room holds five words in a row of any case, so that scores measure rules."""
    labelled = set()
    for case in cases():
        for field in ("input", "raw", "reference", "new"):
            labelled |= runs(case.get(field) or "")
    for memory in DATA.glob("compaction/*/MEMORY.md"):
        for line in memory.read_text(encoding="utf-8").splitlines():
            labelled |= runs(line)
    found = {
        (str(path.relative_to(ROOT)), run)
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.suffix in {".py", ".toml", ".po", ".md"}
        for run in runs(path.read_text(encoding="utf-8")) & labelled
    }
    assert found == set()


def test_predictions_see_no_label():
    """E1: of a case only the fields that KEEP_CASES.md allows reach the program."""
    seen = {key for case in cases() for key in visible(case)}
    assert seen <= {"id", "input", "raw", "chat", "existing", "new"}


def test_the_compaction_labels_are_sound():
    """C2: the public labels pass their own checker."""
    command = [sys.executable, str(DATA / "check_compaction.py"), "--check", "compaction"]
    result = subprocess.run(command, cwd=DATA, capture_output=True, text=True, check=True)
    assert result.stdout.splitlines()[-1] == "OK"


@pytest.fixture(scope="module")
def predicted(tmp_path_factory):
    """The predictions of `python -m benchmarks predict`."""
    out = tmp_path_factory.mktemp("predictions")
    command = [sys.executable, "-m", "benchmarks", "predict", "--out", str(out)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return out


def scores(predicted, *options):
    """The keep scorer's figures."""
    table = predicted / "scores.json"
    command = [sys.executable, "score_keep.py", "keep_cases.jsonl", str(predicted / "keep.jsonl")]
    subprocess.run([*command, "--json", str(table), *options], cwd=DATA, check=True, stdout=-3)
    return json.loads(table.read_text())


def test_nothing_dangerous_is_stored_in_any_language(predicted):
    """T1, T2, T5: no secret, health value or injection of the data would be stored."""
    assert scores(predicted)["hard_failures"] == 0


def test_floors_of_judgement(predicted):
    """K1, K4-K8: the figures of English and Czech stay above their floors."""
    figures = scores(predicted, "--lang", "cs,en")
    floors = {
        "trigger": 100,
        "content": 97,
        "keep_pass": 90,
        "groups_met": 99,
        "facts": 95,
        "task": 95,
        "relation": 90,
    }
    assert {name: figures[name] for name in floors if figures[name] < floors[name]} == {}
    assert not any(
        figures[name] for name in ("false_triggers", "invented", "keep_refused", "fact_loss")
    )


def test_floors_of_compaction(predicted):
    """C2, C3, L3: pooled recall, and no harm, no pinned line, no lossy merge, none rejected."""
    command = [sys.executable, "check_compaction.py", "--pool", "compaction"]
    command.append(str(predicted / "compaction"))
    result = subprocess.run(command, cwd=DATA, check=True, capture_output=True, text=True)
    last = result.stdout.splitlines()[-1]
    figures = dict(re.findall(r"(\w+) ([\d.]+)(?: |$)", last))
    assert float(figures["recall"]) >= 0.55
    assert int(figures["harmful"]) <= 3
    assert [figures[k] for k in ("harmful_pinned", "lossy_merges", "rejected")] == ["0"] * 3
