"""What the program's own log may hold."""

import io
import logging
import sys

from bot.logs import Redacting

TOKEN = "8123456789:AAHfiqksKZ8WmR2zSjiQ7_v8TtqRN3wTest"


def logged(write) -> str:
    """What a handler with our formatter writes."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Redacting(TOKEN))
    logger = logging.Logger("child.of.a.child")
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
