"""Conversations: parse an update, make one call, render, send."""

from handlers.commands import menus
from handlers.context import Policy, Services
from handlers.conversation import context_types, nudge, register, report
from handlers.outbox import Outbox
from handlers.pace import TELEGRAM, Pace
from handlers.ringing import ring
from handlers.sending import Wire

__all__ = [
    "TELEGRAM",
    "Outbox",
    "Pace",
    "Policy",
    "Services",
    "Wire",
    "context_types",
    "menus",
    "nudge",
    "register",
    "report",
    "ring",
]
