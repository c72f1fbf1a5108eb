"""Judgement by rules: triage, rewriting, the guard, duplicates and audit.

It proposes values; it never writes.
"""
