"""Keeping: cards, homes, and what can be done with what was kept."""
