"""What must survive a rewrite, row by row (K6)."""

import pytest

from curation.guard import losses
from locales import load

LANGUAGES = load(["en", "cs"])
BROKEN = [
    ("number", "en", "locker 218 at the gym, left side", "locker 281 at the gym, left side"),
    ("number", "en", "locker 218 at the gym", "locker at the gym"),
    ("number", "cs", "nájem 12 500 Kč měsíčně", "nájem 12 600 Kč měsíčně"),
    ("number", "cs", "server běží na Pythonu 3.12", "server běží na Pythonu"),
    ("numeral", "en", "feed the cat twice a day", "feed the cat a day"),
    ("numeral", "cs", "klíče jsou ve druhém patře u dvou sousedů", "klíče ve patře u sousedů"),
    ("date", "en", "the lease ends in March", "the lease ends"),
    ("date", "cs", "popelnice se vyvážejí ve středu", "popelnice se vyvážejí"),
    ("unit", "en", "the shelf is 40 cm deep", "the shelf is 40 deep"),
    ("unit", "cs", "nájem je 900 Kč", "nájem je 900"),
    ("name", "en", "ask Mr. Ollerton for the key", "ask for the key"),
    ("name", "en", "the site is on kite.example", "the site"),
    ("name", "cs", "klíč má paní Kubátová", "klíč má paní"),
    ("quote", "en", 'my boss says "ship it ugly" a lot', "boss says ship a lot"),
    ("quote", "cs", "babičce říkáme „stařenka“ doma", "babičce říkáme doma"),
    ("negation", "en", "we don't use Kafka here", "we use Kafka here"),
    ("negation", "en", "we use Kafka here", "we never use Kafka here"),
    ("negation", "cs", "v práci nepoužíváme MongoDB", "v práci používáme MongoDB"),
    ("negation", "cs", "klíč není v garáži", "klíč je v garáži"),
    ("limiter", "en", "only my sister has the key", "sister has the key"),
    ("limiter", "cs", "platit jen hotově u pokladny", "platit hotově u pokladny"),
    ("direction", "en", "armed before nine, by the guard", "armed nine, by the guard"),
    ("direction", "en", "tea instead of coffee please", "tea, coffee"),
    ("direction", "cs", "jezdíme vlakem místo auta do města", "jezdíme vlakem, auta do města"),
    ("invented", "en", "the vet closes at noon", "the vet closes at noon for lunch break"),
    ("invented", "cs", "veterinář zavírá v poledne", "veterinář zavírá v poledne kvůli operacím"),
    ("language", "cs", "Honza má rád houby a čaj", "Honza likes mushrooms with green leaves"),
    ("length", "en", "a b c d e f g h i j k l m n o p q r", "a b c d e f g h i j k l m n o p q r"),
    ("longer", "en", "tea", "tea tea tea tea tea tea"),
    ("lines", "en", "one two", "one\ntwo"),
    ("empty", "en", "one two", "—"),
]


@pytest.mark.parametrize(
    ("loss", "code", "text", "entry"),
    BROKEN,
    ids=[f"{r[0]}-{r[1]}-{i}" for i, r in enumerate(BROKEN)],
)
def test_a_broken_rewrite_is_caught(loss, code, text, entry):
    """Each row of the guard's table names one thing an entry must not lose, change or invent (K6)."""
    assert loss in losses(text, entry, LANGUAGES.grammar(code))


FAITHFUL = [
    (
        "en",
        "you know, Honza from marketing is allergic to peanuts",
        "Honza (marketing) — peanut allergy",
    ),
    ("cs", "Honza z marketingu je alergický na arašídy", "Honza (marketing) — alergie na arašídy"),
    ("en", "I'd rather get reports as pdf than as docs", "reports as pdf, not docs"),
    ("cs", "heslo k wifi je za lednicí, nezapomeň", "heslo k wifi — za lednicí"),
    ("en", "don't forget, the gate code is 4411", "gate code — 4411"),
    ("cs", "ťukni dvakrát na okno vlevo", "ťukni dvakrát na okno vlevo"),
]


@pytest.mark.parametrize(("code", "text", "entry"), FAITHFUL, ids=[t for _, t, _ in FAITHFUL])
def test_a_faithful_rewrite_passes(code, text, entry):
    """Fillers, brackets, dashes and a nominalised allergy are no losses (K6)."""
    assert losses(text, entry, LANGUAGES.grammar(code)) == ()


def test_composed_and_decomposed_letters_are_the_same():
    """An entry in NFD loses nothing of an input in NFC (K8, K6)."""
    import unicodedata

    text = "klíč má paní Kubátová"
    assert losses(text, unicodedata.normalize("NFD", text), LANGUAGES.grammar("cs")) == ()
