"""How a sentence is said: a catalogue whose parameters cannot break the HTML around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape

from curation.characters import visible
from locales.catalogue import Catalogue
from memory.layout import DEFAULT_NAMES
from memory.spaces import DocumentName


@dataclass(frozen=True, slots=True)
class Voice:
    """One interface language (L1); ``language`` is its code.

    ``names`` are the configured names of documents, as `places.shown` takes them.
    """

    language: str
    catalogue: Catalogue
    names: Mapping[DocumentName, str] = field(default_factory=lambda: DEFAULT_NAMES)

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
