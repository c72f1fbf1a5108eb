"""Judgement by rules: triage, rewriting, the guard, duplicates and audit; it proposes values and never writes."""
