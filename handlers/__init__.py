"""Conversations: an update becomes a turn, a turn becomes posts."""
