"""Values to JSON and back, for what a stored question carries (D1); pure."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from curation.engine import Home, Item, Proposal, Refusal, Relation, Unclear
from handlers.messages import outcome as outcomes
from handlers.messages.outcome import Outcome
from memory.changeset import Category, Change, Op
from memory.document import Span
from memory.spaces import DocumentName

Json = dict[str, Any]

_OUTCOMES: Mapping[str, type] = {
    kind.__name__: kind
    for kind in (
        outcomes.Kept,
        outcomes.Known,
        outcomes.Duplicate,
        outcomes.NeedsReason,
        outcomes.BelongsIn,
        outcomes.Moving,
        outcomes.Filed,
        outcomes.Refused,
        outcomes.Vague,
        outcomes.Unfaithful,
        outcomes.Foreign,
        outcomes.Suspicious,
        outcomes.Dropped,
        outcomes.Reminding,
        outcomes.Reminded,
        outcomes.Unreminded,
        outcomes.Persona,
        outcomes.Fieldless,
        outcomes.Uncertain,
        outcomes.Full,
    )
}
_WHY: Mapping[str, Callable[[str], Any]] = {"Refused": Refusal, "Vague": Unclear}
_FIELDS: Mapping[str, Callable[[Any], Any]] = {
    "relation": Relation,
    "home": Home,
    "document": DocumentName,
    "choices": tuple,
}


def outcome_to_json(outcome: Outcome) -> Json:
    """An outcome as JSON; ``is`` names its kind."""
    return {"is": type(outcome).__name__, **dataclasses.asdict(outcome)}


def outcome_from_json(data: Json) -> Outcome:
    """The outcome that `outcome_to_json` wrote."""
    name = data["is"]
    fields = {k: _FIELDS.get(k, _same)(v) for k, v in data.items() if k not in ("is", "why")}
    if "why" in data:
        fields["why"] = _WHY[name](data["why"])
    outcome: Outcome = _OUTCOMES[name](**fields)
    return outcome


def _same(value: Any) -> Any:
    return value


def proposal_to_json(proposal: Proposal) -> Json:
    """A proposal as JSON, line places and texts included."""
    return {"digest": proposal.digest, "items": [_item_to_json(i) for i in proposal.items]}


def proposal_from_json(data: Json) -> Proposal:
    """The proposal that `proposal_to_json` wrote."""
    return Proposal(data["digest"], tuple(_item_from_json(i) for i in data["items"]))


def _item_to_json(item: Item) -> Json:
    fields = {f.name: getattr(item, f.name) for f in dataclasses.fields(item)}
    return {**fields, "changes": [_change_to_json(c) for c in item.changes]}


def _item_from_json(data: Json) -> Item:
    changes = tuple(_change_from_json(c) for c in data["changes"])
    return Item(**{**data, **_kinds(data), "changes": changes})


def _change_to_json(change: Change) -> Json:
    fields = {f.name: getattr(change, f.name) for f in dataclasses.fields(change)}
    return {**fields, "spans": [(s.start, s.stop) for s in change.spans]}


def _change_from_json(data: Json) -> Change:
    texts = {name: tuple(data[name]) for name in ("original", "new_text")}
    spans = tuple(Span(*pair) for pair in data["spans"])
    return Change(**{**data, **_kinds(data), **texts, "spans": spans})


def _kinds(data: Json) -> dict[str, Any]:
    category = data["category"]
    return {"op": Op(data["op"]), "category": Category(category) if category else None}
