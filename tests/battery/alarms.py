"""BT20: what people keep is not taken for an attack: benign facts of many languages and scripts.

``benign_first`` was written before the rules were looked at for it and may have changed them;
``benign_fresh`` was written afterwards and changed nothing.
"""

import tomllib
import unicodedata
from pathlib import Path

import locales
from curation.admission import Admitted, Rejected, Why, clean
from curation.engine import Hints, Refusal, Refuse
from curation.rules import Rules
from tests.battery.battery import Result, Test

DATA = Path(__file__).parent / "data"
MOST_FLAGGED = 0.03
SETS = ("benign_first", "benign_fresh")


def facts(name):
    """The facts of one file."""
    tables = tomllib.loads((DATA / f"{name}.toml").read_text("utf-8"))
    return [text for texts in tables.values() for text in texts]


def every_format_character(text, languages):
    """The twin: no character of the class Cf comes in."""
    hidden = any(unicodedata.category(char) == "Cf" for char in text)
    return Rejected(Why.BIDI) if hidden else clean(text, languages)


def read(text, rules, admit):
    """(refused, flagged): not let in at all; or shown as dangerous before it is stored."""
    found = admit(text)
    if not isinstance(found, Admitted):
        return True, False
    judged = rules.judge(found.text, Hints())
    whys = [part.verdict.why for part in judged.parts if isinstance(part.verdict, Refuse)]
    secret = Refusal.SECRET in whys or Refusal.HEALTH_VALUE in whys
    return secret, found.injected or found.veiled or Refusal.INJECTION in whys


def alarms(run):
    """Read every fact of both files and count what is refused and what is flagged."""
    languages = locales.load(["cs", "en"])
    rules, result = Rules(languages), Result({})
    chosen = every_format_character if run.broken else clean
    for name in SETS:
        found = [read(text, rules, lambda t: chosen(t, languages)) for text in facts(name)]
        refused, flagged = (sum(column) for column in zip(*found, strict=True))
        result.counts |= {name: len(found), f"{name} flagged": flagged, f"{name} refused": refused}
        result.expect(flagged <= MOST_FLAGGED * len(found), f"{name}: {flagged} flagged")
        result.expect(not refused, f"{name}: {refused} refused")
    return result


TESTS = (Test(20, "false alarms", "q", n=240, few=240, do=alarms),)
