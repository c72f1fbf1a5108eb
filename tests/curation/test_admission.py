"""What may enter, and what is marked as dangerous, in eight languages (W6, T1, T2, T5)."""

import time
import tomllib
from pathlib import Path

import pytest

from curation.admission import Admitted, Rejected, Why, blank, clean
from curation.characters import visible
from curation.triggers import blank as blank_message
from locales import load

LANGUAGES = load(["cs", "en"])
CASES = tomllib.loads(Path(__file__).with_name("danger_cases.toml").read_text("utf-8"))
GRAMMARS = load(["en"])


def admitted(text: str) -> Admitted:
    found = clean(text, LANGUAGES)
    assert isinstance(found, Admitted)
    return found


@pytest.mark.parametrize("text", CASES["secret"])
def test_secrets_are_found_in_every_language(text: str):
    """T1: a value beside the name of a secret, or of a key's shape, is a secret."""
    assert admitted(text).secrets


@pytest.mark.parametrize("text", CASES["health"])
def test_health_values_are_found_in_every_language(text: str):
    """T2: measured values, doses, dated procedures and symptoms of the moment are marked."""
    assert admitted(text).health


@pytest.mark.parametrize("text", CASES["injection"])
def test_injections_are_found_in_every_language_and_disguise(text: str):
    """T5: instructions slipped in are seen through case, blanks, look-alikes and Cf characters."""
    assert admitted(text).injected


@pytest.mark.parametrize("text", CASES["harmless"])
def test_look_alikes_are_left_alone(text: str):
    """T1, T2, T5: where a password hangs, a tyre's pressure, a rule for the bot are no danger."""
    found = admitted(text)
    assert not (found.secrets or found.health or found.injected)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a" * 4097, Why.TOO_LONG),
        ("🐈" * 2049, Why.TOO_LONG),
        ("a\ud800b", Why.SURROGATE),
        ("a\x00b", Why.CONTROL),
        ("a\x1bb", Why.CONTROL),
        ("a\x85b", Why.CONTROL),
        ("a\rb", Why.CONTROL),
        ("a\u2028b", Why.SEPARATOR),
        ("a" + "\u0301" * 9, Why.MARKS),
        ("a" + "\u0301\u200b\u0316\u3164" * 5, Why.MARKS),
    ],
    ids=lambda value: value if isinstance(value, Why) else None,
)
def test_what_no_line_may_hold_is_rejected(text: str, why: Why):
    """W6, W7: characters that forge lines, crash a write or hide text do not come in."""
    assert clean(text, LANGUAGES) == Rejected(why)


@pytest.mark.parametrize(
    "text",
    ["a\nb\tc", "a\r\nb", "a" * 4096, "zwj 👩‍👩‍👧", "می\u200cخواهم", "e" + "\u0301" * 8, "שלום"],
    ids=["lines", "crlf", "longest", "zwj", "zwnj", "eight marks", "hebrew"],
)
def test_living_scripts_are_admitted(text: str):
    """W6: joiners, right-to-left letters, tabs and line ends are ordinary text."""
    assert isinstance(clean(text, LANGUAGES), Admitted)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("photo \u202egpj.exe", "photo [U+202E]gpj.exe"),
        ("hi \U000e0041\U000e0042 you", "hi [U+E0041][U+E0042] you"),
        ("ok" + "\ufe01\ufe02", "ok[U+FE01][U+FE02]"),
        ("a\u200c\u200d\u200c\u200db", "a[U+200C][U+200D][U+200C][U+200D]b"),
        ("call \u202a+420777\u202c", "call [U+202A]+420777[U+202C]"),
    ],
    ids=["override", "tags", "selectors", "joiners as bits", "embedding"],
)
def test_hidden_characters_are_admitted_and_shown(text: str, shown: str):
    """B16, T5: what hides or turns text is marked, shown by its numbers, and never dropped."""
    assert admitted(text).veiled and admitted(text).text == text
    assert visible(text) == shown
    assert visible(shown) == shown


@pytest.mark.parametrize(
    "text",
    [
        "👩‍👩‍👧",
        "می\u200cخواهم",
        "שלום \u200f(a)",
        "❤️ 1️⃣",
        "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "葛\U000e0100城",
    ],
    ids=["zwj", "zwnj", "mark", "selector", "flag of Scotland", "ideographic variant"],
)
def test_ordinary_invisible_characters_hide_nothing(text: str):
    """B16: joiners, direction marks, selectors and flags in their place stay as they are."""
    assert admitted(text) == Admitted(text)
    assert visible(text) == text


def test_text_is_composed():
    """W6: text is stored in NFC."""
    assert admitted("z\u030cluty\u0301").text == "žlutý"


@pytest.mark.parametrize(
    "text",
    [
        "a" + "\u0301\u0316" * 5000,
        "a\u0301\u0316" * 1300,
        "password " * 450,
        "je " * 1300,
        "[" * 4096,
        "1 " * 2048,
        "a1" * 2048,
        "_" * 4096,
        "ignore all " * 370,
        "abc " * 1024,
        "kdyz " * 800,
        "heslo je " * 450,
        "1" * 4096,
        "https://" * 500,
    ],
    ids=lambda text: text[:9],
)
def test_hostile_text_is_cheap(text: str):
    """B20: no text costs more than a fraction of a second, however it is built."""
    clean("warm", LANGUAGES)
    start = time.process_time()
    clean(text, LANGUAGES)
    blank(text, LANGUAGES)
    assert time.process_time() - start < 0.3


def test_ten_thousand_combining_marks_are_refused_before_normalising():
    """B20: the cap comes first, since normalising marks is quadratic on Python 3.11."""
    start = time.process_time()
    assert isinstance(clean("a" + "\u0301" * 10_000, LANGUAGES), Rejected)
    assert time.process_time() - start < 0.05


@pytest.mark.parametrize(
    "text",
    [
        "ｐａｓｓｗｏｒｄ: mossyrock",
        "pass\u00adword: mossyrock",
        "pаsswоrd: mossyrock",
        "p-a-s-s-w-o-r-d: mossyrock",
    ],
    ids=["full width", "soft hyphen", "Cyrillic letters", "spelled"],
)
def test_a_disguised_name_hides_no_secret(text: str):
    """T1: a secret is seen when its name is, once the disguise is taken off."""
    assert admitted(text).secrets
    assert "mossyrock" not in blank(text, LANGUAGES)


def test_an_endless_text_is_blanked_without_being_read():
    """B17, W6: what is too long to be looked at is nowhere at rest, and costs next to nothing."""
    text = "PIN 4821 " + "a\u0301\u0316" * 100_000 + " PIN 4822"
    start = time.process_time()
    shown = blank(text, LANGUAGES)
    assert time.process_time() - start < 0.1
    assert len(shown) == len(text)
    assert "4821" not in shown and "4822" not in shown


def test_a_text_is_looked_through_once():
    """B17: what was found is remembered by the text's digest, and no text is."""
    languages = load(["en"])
    blank("PIN 4821", languages)
    assert [*languages.scanned.values()] == [(((4, 8),), ())]
    assert clean("PIN 4821", languages) == clean("PIN 4821", languages)
    assert not any("4821" in str(key) for key in languages.judged)


@pytest.mark.parametrize(
    ("text", "blanked"),
    [
        ("PIN 4821, locker 88", "PIN ████, locker 88"),
        ("heslo je Koc\u030cka77 a dost", "heslo je ████████ a dost"),
        ("password: 🐈cat77", "password: ███████"),
        ("můj tlak 131/84!", "můj ▓▓▓▓▓▓▓▓▓▓▓!"),
        ("the van is blue", "the van is blue"),
        ("a\x00 PIN 4821", "a\x00 PIN ████"),
    ],
)
def test_inbox_holds_no_danger(text: str, blanked: str):
    """W6: secret spans are blanked before anything is stored, offsets in UTF-16 unchanged."""
    shown = blank(text, LANGUAGES)
    assert shown == blanked
    assert len(shown.encode("utf-16-le")) == len(text.encode("utf-16-le"))


@pytest.mark.parametrize(
    ("text", "blanked"),
    [
        ("keep PIN 4821", "keep PIN ████"),
        ("/keep@bot PIN 4821, ok", "/keep@bot PIN ████, ok"),
        ("@bot, zapamatuj si PIN 4821 prosím", "@bot, zapamatuj si PIN ████ prosím"),
        ("remember that zebra7 works for the forum login", None),
        ("keep zebra7 works for the forum login please", None),
        ("keep x\u0301 PIN 4821", "keep x\u0301 PIN ████"),
        ("PIN 4821", "PIN ████"),
        ("keep", "keep"),
        ("keep a a a please", "keep a a a please"),
    ],
)
def test_a_trigger_hides_no_secret(text: str, blanked: str | None):
    """W6: what a message asks to keep is blanked as if it stood alone."""
    shown = blank_message(text, LANGUAGES)
    assert "zebra7" not in shown
    assert blanked is None or shown == blanked
    assert len(shown) == len(text)


def test_guards_do_not_depend_on_the_configured_languages():
    """W6: a bot that speaks English only still refuses a Ukrainian password."""
    found = clean("пароль: Сонце77", GRAMMARS)
    assert isinstance(found, Admitted) and found.secrets
