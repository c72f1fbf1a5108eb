"""What the program's own log may hold."""

import io
import logging
import subprocess
import sys

import pytest

from bot.logs import Redacting

TOKEN = "8123456789:AAHfiqksKZ8WmR2zSjiQ7_v8TtqRN3wTest"


def logged(write, name="pomnenka.a.child") -> str:
    """What a handler with our formatter writes."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Redacting(TOKEN))
    logger = logging.Logger(name)
    logger.addHandler(handler)
    write(logger)
    return stream.getvalue()


def test_tokens_are_taken_out():
    """W5: the token is gone from message, arguments and fields, also URL-encoded or another's."""
    text = logged(
        lambda log: log.warning(
            "POST https://x/bot%s/getMe %s",
            TOKEN,
            TOKEN.replace(":", "%3A"),
            extra={"facts": {"other": "9876543210:AAxxxxxxxxxxxxxxxxxxxx"}},
        )
    )
    assert "AA" not in text
    assert text.count("<token>") == 3


def test_a_trace_tells_places_and_no_words():
    """W5: of an exception only its type and places are logged, since its text may quote memory."""

    def fail(log):
        try:
            raise ValueError("Honza is allergic to peanuts " + TOKEN)
        except ValueError:
            log.error("failed", exc_info=sys.exc_info())

    text = logged(fail)
    assert "Honza" not in text and TOKEN not in text
    assert "ValueError" in text and "test_logs.py" in text


@pytest.mark.parametrize(
    "write",
    [
        lambda log: log.error("update %s caused it", "Honza is allergic"),
        lambda log: log.error("never retrieved\nfuture: <Task exception=E('Honza is allergic')>"),
        lambda log: log.error("with a %s sign and no argument"),
    ],
    ids=["arguments", "further lines", "a sign"],
)
def test_of_a_library_only_the_constant_part(write):
    """W5: what a library was given to log may be a message's text."""
    text = logged(write, "telegram.ext")
    assert "Honza" not in text and "telegram.ext" in text


def test_what_nobody_caught_is_no_leak(tmp_path):
    """W5: neither an uncaught error nor a broken record puts words on standard error."""
    code = (
        "import logging, pathlib, threading; from bot import logs\n"
        f"logs.set_up('DEBUG', pathlib.Path({str(tmp_path / 'log')!r}), 'x')\n"
        "logging.getLogger('pomnenka').error('%d', 'Honza')\n"
        "thread = threading.Thread(target=lambda: {}['Honza']); thread.start(); thread.join()\n"
        "raise ValueError('Honza')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    said = (tmp_path / "log").read_text()
    assert done.returncode == 1
    assert "Honza" not in done.stderr + said
    assert "KeyError" in said and "ValueError" in said
