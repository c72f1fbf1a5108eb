"""Random changes of facts against a naive model that knows each value day by day."""

from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.database import Database
from memory.factrules import Choice, Draft, plan
from memory.facts import Added, Changed, Deed, Facts, Query, Undone
from memory.operations import Author

NOW = datetime(2026, 5, 31, tzinfo=UTC)
DAYS = [f"2026-05-{number:02}" for number in range(1, 32)]
VALUES = ("Acme", "Beta", "Gamma")
APART = Choice(apart=True)

changes = st.one_of(
    st.tuples(st.just("add"), st.sampled_from(VALUES), st.integers(0, 30)),
    st.tuples(st.just("end"), st.integers(1, 8), st.integers(0, 30)),
    st.tuples(st.just("delete"), st.integers(1, 8), st.just(0)),
)


class Model:
    """Every fact is the set of days it holds on; there is no other rule than the day itself."""

    def __init__(self, single):
        self.single, self.facts = single, []

    def add(self, value, start):
        days = set(range(start, 31))
        if self.single:
            for known in (fact for fact in self.facts if fact and fact["days"]):
                begun = known["start"]
                if begun <= start:
                    known["days"] -= set(range(start, 31))
                else:
                    days -= set(range(begun, 31))
        self.facts.append({"value": value, "start": start, "days": days})

    def end(self, number, day):
        fact = self.facts[number - 1]
        fact["days"] = {d for d in range(fact["start"], 31) if d < day}

    def delete(self, number):
        self.facts[number - 1] = None

    def on(self, day):
        return sorted(f["value"] for f in self.facts if f and day in f["days"])


def apply(facts, model, number, change):
    """One change on both; gives its operation, or None when it was refused by both."""
    kind, what, day = change
    deed = Deed(Author(1), NOW, f"op{number}")
    if kind == "add":
        done = facts.add(deed, Draft("Alice", model.predicate, what, DAYS[day]), APART)
        assert isinstance(done, Added)
        model.add(what, day)
        return done.op
    if kind == "end":
        done = facts.invalidate(deed, what, DAYS[day])
        if isinstance(done, Changed):
            model.end(what, day)
        return getattr(done, "op", None)
    done = facts.delete(deed, what)
    if isinstance(done, Changed):
        model.delete(what)
    return getattr(done, "op", None)


def stored(facts):
    return {f.id: f for f in facts.facts(1, Query(limit=100))}


@pytest.fixture
def database(tmp_path):
    made = Database(tmp_path / "state.db", "OFF")
    yield made
    made.close()


@pytest.mark.parametrize("predicate", ["works_at", "speaks"])
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(said=st.lists(changes, max_size=8))
def test_random_changes_hold_on_the_same_days_as_in_the_model(database, predicate, said):
    """F1, F2: whatever the order of adding, ending and deleting, each day has the same values."""
    facts, model = Facts(database), Model(predicate == "works_at")
    facts.forget(1)
    model.predicate = predicate
    undo = []
    for number, change in enumerate(said):
        before = stored(facts)
        op = apply(facts, model, number, change)
        undo += [(op, before)] if op else []
    for day, text in enumerate(DAYS):
        found = sorted(f.object for f in facts.facts(1, Query(on=text)))
        assert found == model.on(day), text
    for number, (op, before) in enumerate(reversed(undo)):
        assert isinstance(facts.undo(Deed(Author(1), NOW, f"undo{number}"), op), Undone)
        assert stored(facts) == before


@given(starts=st.permutations(range(6)))
def test_the_order_of_saying_does_not_matter(starts):
    """F2: single values told in any order end up with the same spans."""
    held = []
    for start in starts:
        planned = plan(Draft("Alice", "lives_in", f"town {start}", DAYS[start]), held, DAYS[30])
        closed = {fact.id: fact for fact in planned.closed}
        draft = planned.draft
        held = [closed.get(fact.id, fact) for fact in held]
        held.append(_fact(start, draft))
    spans = {fact.object: (fact.since, fact.until) for fact in held}
    ends = [*DAYS[1:6], ""]
    assert spans == {f"town {n}": (DAYS[n], ends[n]) for n in range(6)}


def _fact(number, draft):
    from memory.factrules import Fact

    return Fact(number + 1, "Alice", "lives_in", draft.object, draft.since, draft.until, DAYS[30])
