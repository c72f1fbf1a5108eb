"""Conversations: parse an update, make one call, render, send."""

from handlers.commands import menus
from handlers.context import Policy, Services
from handlers.conversation import context_types, nudge, register

__all__ = ["Policy", "Services", "context_types", "menus", "nudge", "register"]
