"""Conversations: parse an update, make one call, render, send."""
