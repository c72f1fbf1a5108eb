"""Imported by the server that bots are forked from: what a first message would have to load."""

from tests.battery.bot_process import warm

warm()
