"""Long messages in several, and posts as bytes: nothing is lost on the way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handlers.edge.pieces import parted, pieces
from handlers.messages.envelope import opened, sealed
from handlers.messages.reply import LIMIT, Button, Post, Reply, as_text, units
from handlers.messages.voice import quoted
from tests.handlers.fake_telegram import shown

LINES = {
    "at the limit": ("x" * LIMIT, 1),
    "one over": ("x" * (LIMIT + 1), 2),
    "emoji at the limit": ("😀" * (LIMIT // 2), 1),
    "emoji one over": ("😀" * (LIMIT // 2) + "x", 2),
    "entities at the limit": ("&" * LIMIT, 1),
    "entities one over": ("&" * (LIMIT + 1), 2),
    "lines": ("\n".join(["x" * 99] * 100), 3),
}


@pytest.mark.parametrize(("text", "count"), LINES.values(), ids=LINES)
def test_edges(text, count):
    """B22: 4,096 UTF-16 units of shown text are one message, one more makes another."""
    found = parted(Post(Reply(quoted(text)), 1))
    assert len(found) == count
    assert all(units(as_text(one.reply.html)) <= LIMIT for one in found)


def test_cut_between_lines():
    """B22: a message is cut at a line break when there is one, else at a blank."""
    assert pieces("one two\nthree", 10) == ("one two", "three")
    assert pieces("one two three", 9) == ("one two", "three")
    assert pieces("onetwothree", 9) == ("onetwothr", "ee")


def test_tags_are_closed_and_opened_again():
    """B22: no piece has a tag that is open at its end or an entity cut in two."""
    assert pieces("<b>a &amp; <i>bcd</i></b>", 5) == ("<b>a &amp;</b>", "<b><i>bcd</i></b>")
    assert pieces('<a href="x y">abc</a>', 2) == ('<a href="x y">ab</a>', '<a href="x y">c</a>')


@given(st.lists(st.text(min_size=1, max_size=9), max_size=40), st.integers(10, 40))
def test_no_text_is_lost(words, limit):
    """B22: all pieces together show what the message says, but for the blanks between them."""
    html = "".join(f"<b>{quoted(w)}</b>" if i % 3 else quoted(w) for i, w in enumerate(words))
    found = pieces(html, limit)
    assert all(shown(piece) is not None and units(as_text(piece)) <= limit for piece in found)
    told, whole = ("".join("".join(map(as_text, one)).split()) for one in (found, [html]))
    assert told == whole


def test_what_is_no_tag_stays():
    """B22: the plain text of a message keeps what only looks like a tag."""
    assert as_text("a < b and c > d <x> <b>e</b>") == "a < b and c > d <x> e"


POSTS = {
    "plain": Post(Reply("one"), 1),
    "whole": Post(
        Reply("ů <b>x</b>", ((Button("Ano", "d:yes"), Button("Web", url="https://x")),), "", True),
        -1001,
        topic=7,
        edit=3,
        answering=4,
        dialog="d",
        otherwise=Post(Reply("instead", placeholder="p"), -5),
        quiet=True,
    ),
    "half a pair": Post(Reply("\ud83d"), 1),
}


@pytest.mark.parametrize("post", POSTS.values(), ids=POSTS)
def test_posts_come_back_as_they_were(post):
    """B1: what the outbox stores is the whole post."""
    assert opened(sealed(post), post.chat) == post
