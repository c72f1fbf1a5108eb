"""What a command of an agent costs before it does anything."""

import subprocess
import sys

import pytest

HEAVY = ("telegram", "dateparser", "matplotlib", "aiohttp", "handlers.commands")


@pytest.mark.parametrize("name", ["context", "facts", "kv", "memory", "search"])
def test_a_command_loads_what_it_needs(name):
    """R5: agents call these often; neither Telegram nor the table of conversations is loaded."""
    code = f"import sys, bot.cli.{name}; print(*(m for m in {HEAVY} if m in sys.modules))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == []
