"""How a sentence is said: a catalogue whose parameters cannot break the HTML around them."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from curation.characters import visible
from locales.catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class Voice:
    """One interface language (L1); ``language`` is its code."""

    language: str
    catalogue: Catalogue

    def __call__(self, id: str, n: int | None = None, /, **params: object) -> str:
        """The sentence as HTML, with every parameter escaped; KeyError for an unknown id."""
        return self.catalogue.text(id, n, **{k: quoted(v) for k, v in params.items()})

    def plain(self, id: str, n: int | None = None, /, **params: object) -> str:
        """The sentence as plain text, for buttons, alerts and placeholders."""
        return self.catalogue.text(id, n, **{k: _shown(v) for k, v in params.items()})


def quoted(value: object) -> str:
    """A value as text that HTML shows as it is; hidden characters by their numbers (B16)."""
    return escape(visible(str(value)), quote=False)


def _shown(value: object) -> object:
    return visible(value) if isinstance(value, str) else value
