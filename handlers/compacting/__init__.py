"""Numbered proposals: compaction of documents and care for the index."""
