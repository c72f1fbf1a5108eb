"""A folder with facts, for the tests of facts."""

from datetime import UTC, datetime

from memory.database import Database
from memory.factrules import Choice, Draft
from memory.facts import Deed, Facts, Query
from memory.operations import Author

NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
TODAY = "2026-05-04"


class Notebook:
    """Facts of a few people in a folder; every change gets the next name."""

    def __init__(self, path):
        self.database = Database(path / "state.db", "OFF")
        self.facts, self.now, self.number = Facts(self.database), NOON, 0

    def deed(self, user=1, request=""):
        self.number += 1
        return Deed(Author(user, 5, 6, "chat", request), self.now, f"op{self.number}")

    def add(self, subject, predicate, object, since="", until="", choice=None, user=1, request=""):
        draft = Draft(subject, predicate, object, since, until)
        return self.facts.add(self.deed(user, request), draft, choice or Choice())

    def spans(self, user=1, **wanted):
        """(object, since, until) of all facts, oldest id first."""
        found = self.facts.facts(user, Query(**wanted))
        return [(f.object, f.since, f.until) for f in reversed(found)]

    def current(self, predicate="", user=1):
        return sorted(o for o, _, _ in self.spans(user, predicate=predicate, on=TODAY))
