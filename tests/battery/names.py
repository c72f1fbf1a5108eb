"""BT22: whatever a project is called, only names of the closed list become files (B18)."""

import os
import re
import unicodedata
from pathlib import Path

from curation.engine import Home, Route
from handlers import places
from handlers.context import Person, Place, Policy, Services, Turn
from handlers.keeping import filing
from memory.folding import fold
from memory.layout import Layout
from memory.spaces import DocumentName, DocumentRef, personal, slug_of
from tests.battery.battery import Result, Test

ALLOWED = re.compile(r"[a-z0-9_-]{1,40}\.md")
DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)\.md")
ODD = (
    *("..", "../../etc/passwd", "%2e%2e%2f", "..\\..\\x", "/", "~", "-rf", ".hidden", ".", " "),
    *("CON", "con", "Nul", "AUX", "COM1", "lpt9", "PRN.md", "keep", "memory", "x.md", "x.md.md"),
    *("a\0b", "a\nb", "a\tb", "\u202egpj", "אבג", "مشروع", "北京", "🙂", "", "_", "--", "{slug}"),
    *("Kelvin \u212a", "ıstanbul", "İstanbul", "straße", "ﬁre", "ＦＵＬＬ", "ⅷ", "①", "x²"),
    *("C", "C++", "C#", "a" * 300, "á" * 200, "漢" * 120, "a\u0301" * 60, "\u0301" * 30),
)
ALPHABET = (
    "abcčdeěéfghiíjklmnňoópqrřsštťuúůvwxyýzžABCŽŘłøđßıİżЖбюїαβ0123456789 _-./\\%:~'\"\u0301\u030c"
)
HERE = 250
"""How many names one person gives before the next one does."""


def title(chance, before):
    """A name: an odd one, a random one, or one from before in another spelling."""
    kind = chance.random()
    if before and kind < 0.3:
        known = chance.choice(before)
        spell = (str.upper, str.lower, str.title, lambda t: unicodedata.normalize("NFD", t))
        wide = chance.choice((*spell, lambda t: t + " ", lambda t: t.replace(" ", "-")))
        return wide(known)
    if kind < 0.45:
        return chance.choice(ODD)
    return "".join(chance.choices(ALPHABET, k=chance.choice((1, 2, 5, 12, 30, 60, 260))))


class Named:
    """A person's projects as the program makes them: the card first, then the file."""

    def __init__(self, folder, user):
        layout = Layout(folder)
        services = Services(None, None, None, None, layout, None, None, None, None)
        self.turn = Turn(services, Policy(), Person(user), Place(user), "bot")
        self.layout = layout

    def offered(self, name):
        """The file that the card names for a title, and whether it says that it, or one nearly so called, exists."""
        card = filing.offer(self.turn, Route(Home.PROJECT, "an entry", name), "an entry")
        if not slug_of(name):
            return None, False
        slug = places.split(card.choices[0]).slug
        ref = DocumentRef(personal(self.turn.person.id), DocumentName.PROJECT, slug)
        return self.layout.path(ref), card.exists or bool(card.near)


class Composed(Named):
    """Takes the title as the file's name, in NFC, and asks nothing."""

    def offered(self, name):
        """The file of that name, wherever it is."""
        file = unicodedata.normalize("NFC", name) + ".md"
        return self.layout.folder(self.turn.space) / "projects" / file, False


def create(path):
    """The file; False when the system does not take the name."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    except (OSError, ValueError):
        return False
    return True


def names(run):
    """Give ``n`` titles, make the file of each, and look at what came into being."""
    counts = {"names": run.n, "files": 0, "odd": 0, "outside": 0, "unmakeable": 0, "shared": 0}
    workspace = run.folder / "workspace"
    for user in range(1, 2 + (run.n - 1) // HERE):
        person = (Composed if run.broken else Named)(workspace, user)
        told = given(run, person, min(HERE, run.n - (user - 1) * HERE))
        counts = {key: counts[key] + told.get(key, 0) for key in counts}
    made = [path for path in run.folder.rglob("*") if path.is_file()]
    home = re.compile(re.escape(str(workspace)) + r"/users/\d+/projects")
    counts["files"] = len(made)
    counts["odd"] = sum(not ALLOWED.fullmatch(p.name) or is_device(p) for p in made)
    counts["outside"] += sum(not home.fullmatch(str(path.parent)) for path in made)
    result = Result(counts)
    result.expect_zero("odd", "outside", "unmakeable", "shared")
    return result


def given(run, person, n):
    """What one person's titles led to; ``shared``: two that differ got one file, untold."""
    told, owners, before = {"outside": 0, "unmakeable": 0, "shared": 0}, {}, []
    for _ in range(n):
        name = title(run.chance, before)
        path, is_told = person.offered(name)
        if path is None:
            continue
        before.append(name)
        if run.folder not in parents(path):
            told["outside"] += 1
            continue
        told["shared"] += path in owners and owners[path] != name and not is_told
        told["unmakeable"] += not create(path)
        owners.setdefault(path, name)
    told["shared"] += len(owners) - len({fold(str(path)) for path in owners})
    return told


def parents(path):
    """The folders above a path once ``..`` is followed; no disk is asked."""
    return Path(os.path.normpath(path)).parents


def is_device(path):
    """Whether some systems take the name for a device."""
    return bool(DEVICES.fullmatch(path.name.lower()))


TESTS = (Test(22, "names", "q", n=5000, few=500, do=names),)
