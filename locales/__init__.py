"""Everything about a language: messages, grammar, detection and comparison keys (L1, L2)."""

from locales.catalogue import Catalogue
from locales.grammar import Grammar, flat
from locales.keys import Key, Kind, polarity
from locales.languages import Languages, load

__all__ = ["Catalogue", "Grammar", "Key", "Kind", "Languages", "flat", "load", "polarity"]
