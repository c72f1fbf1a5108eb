"""The public benchmark from the command line: predict, curation, speed, and more."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import click

from benchmarks import scoring
from benchmarks.predict import predict as write_predictions
from bot.tables import Languages as Configured
from curation.rules import Rules
from locales import load

DATA = Path(__file__).parent / "data"
folder = click.Path(path_type=Path, file_okay=False)


@click.group()
def main() -> None:
    """Measure Pomněnka's judgement and speed."""


@main.command()
@click.option("--data", type=folder, default=DATA, help="Labelled cases; labels are not read.")
@click.option("--out", type=folder, required=True, help="Where predictions go.")
def predict(data: Path, out: Path) -> None:
    """Write keep.jsonl and compaction/<case>.json as the scorers want them."""
    languages = load(Configured().available)
    write_predictions(data, out, Rules(languages), languages, tell)


@main.command()
@click.option("--data", type=folder, default=DATA)
@click.option("--lang", default="", help="Codes joined by commas; default all.")
def curation(data: Path, lang: str) -> None:
    """Predict and score."""
    with tempfile.TemporaryDirectory() as out:
        languages = load(Configured().available)
        write_predictions(data, Path(out), Rules(languages), languages, tell)
        for table in scoring.score(data, Path(out), lang):
            click.echo(table)


@main.command()
@click.option("--updates", default=1500, help="Updates a run.")
@click.option("--rounds", default=3, help="Interleaved rounds.")
def speed(updates: int, rounds: int) -> None:
    """CPU, latency and throughput beside the frameworks' echoes; audit and keep by size."""
    from benchmarks import speed as measuring

    measuring.main(updates, rounds)


@main.command()
@click.option("--updates", default=5000, help="Updates a run.")
@click.option("--connections", default=64, help="Connections that send at once.")
def intake(updates: int, connections: int) -> None:
    """How many updates a second the webhook commits and answers, and how fast."""
    from benchmarks import intake as measuring

    for row in measuring.main(updates, connections):
        click.echo(row)


@main.command()
@click.option("--mine", default=100_000, help="Facts of one person.")
@click.option("--all", "all_", default=1_000_000, help="Facts of everybody.")
@click.option("--rounds", default=200, help="Questions of each kind.")
def facts(mine: int, all_: int, rounds: int) -> None:
    """How fast facts are found among very many."""
    from benchmarks import graph as measuring

    for row in measuring.main(mine, all_, rounds):
        click.echo(row)


@main.command()
@click.option("--lines", default=1000, help="Lines of the file.")
@click.option("--rounds", default=200, help="Operations of each kind.")
def sections(lines: int, rounds: int) -> None:
    """How fast a section operation is, durably."""
    from benchmarks import sections as measuring

    for row in measuring.main(lines, rounds):
        click.echo(row)


@main.command()
@click.option("--documents", default=10_000, help="Entries in one memory.")
@click.option("--questions", default=400, help="Questions of each kind.")
def search(documents: int, questions: int) -> None:
    """How well and how fast entries are found by other forms of their words."""
    from benchmarks import search as measuring

    for row in measuring.main(documents, questions):
        click.echo(row)


def tell(what: str, done: int, total: int) -> None:
    """A progress bar on a terminal; nothing elsewhere."""
    if sys.stderr.isatty():
        bar = "#" * (30 * done // total)
        end = "\n" if done == total else ""
        click.echo(f"\r{what:12} [{bar:30}] {done}/{total}{end}", err=True, nl=False)


if __name__ == "__main__":
    main(prog_name="python -m benchmarks")
