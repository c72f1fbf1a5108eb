"""Languages as folders: detection, keys, catalogues and grammar tables (L1, L2, K8)."""

import time
from pathlib import Path

import pytest

from locales import Catalogue, Grammar, Kind, flat, load, polarity

LANGUAGES = load(["cs", "en"])
PO = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);\\n"

msgid "keep.kept"
msgstr "Uloženo: {entry}"

msgid "count.lines"
msgid_plural "count.lines"
msgstr[0] "{n} řádek"
msgstr[1] "{n} řádky"
msgstr[2] "{n} řádků"
"""


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    tmp_path.joinpath("messages.po").write_text(PO, "utf-8")
    return Catalogue("cs", tmp_path)


def test_messages_are_found_by_symbolic_ids(catalogue: Catalogue):
    """L1: a message is found by its id and filled with what is given."""
    assert catalogue.text("keep.kept", entry="{kočka}") == "Uloženo: {kočka}"


def test_a_folder_may_have_several_files_of_messages(tmp_path: Path):
    """L1: every .po of the folder is read, with its own plural forms; no id stands twice."""
    (tmp_path / "messages.po").write_text(PO, "utf-8")
    (tmp_path / "more.po").write_text(PO.replace("count.", "more."), "utf-8")
    with pytest.raises(ValueError, match="twice"):
        Catalogue("cs", tmp_path)
    (tmp_path / "more.po").write_text(PO.replace("count.", "a.").replace("keep.", "b."), "utf-8")
    catalogue = Catalogue("cs", tmp_path)
    assert catalogue.text("count.lines", 3) == catalogue.text("a.lines", 3) == "3 řádky"


@pytest.mark.parametrize(("n", "text"), [(1, "1 řádek"), (3, "3 řádky"), (5, "5 řádků")])
def test_plural_forms_follow_the_number(catalogue: Catalogue, n: int, text: str):
    """L1: Czech has three plural forms."""
    assert catalogue.text("count.lines", n) == text


def test_missing_message_is_an_error(catalogue: Catalogue):
    """L1: an id without translation never reaches a person."""
    with pytest.raises(KeyError):
        catalogue.text("keep.kepd")


@pytest.mark.parametrize(
    ("text", "hint", "code"),
    [
        ("alergie na arašídy", "", "cs"),
        ("uloz klice u sousedky", "", "cs"),
        ("spare key in the drawer", "", "en"),
        ("spare key in the drawer", "cs", "en"),
        ("klíče jsou v šuplíku", "en", "cs"),
        ("12 / 34", "cs", ""),
        ("", "", ""),
        ("我的鞋码是42", "", ""),
    ],
)
def test_short_texts_are_told_apart(text: str, hint: str, code: str):
    """L2: detection within the configured languages; "" is an answer."""
    assert LANGUAGES.detect(text, hint) == code


@pytest.mark.parametrize(
    ("one", "other", "code"),
    [
        ("Honzovi vadí arašídy", "Honza vadí arašídech", "cs"),
        ("tři arašídy u sousedky", "tri arasidy u sousedky", "cs"),
        ("tmavý režim", "tmaveho rezimu", "cs"),
        ("The twins' rooms", "twin room", "en"),
        ("ŽLUTÝ KŮŇ", "z\u030cluty\u0301 ku\u030an\u030c".upper(), "cs"),
    ],
)
def test_inflection_case_and_accents_give_one_key(one: str, other: str, code: str):
    """K8: texts are compared by lemma, stem and bare letters."""

    def stems(text: str) -> list[str]:
        import unicodedata

        return [key.stem for key in LANGUAGES.key(unicodedata.normalize("NFC", text), code)]

    assert stems(one) == stems(other)


def test_numbers_limiters_and_negations_stay():
    """K8: what changes a fact is never dropped as a stop word."""
    kinds = {key.surface: key.kind for key in LANGUAGES.key("jen dva klíče, ne 4,5 %", "cs")}
    assert kinds["jen"] is Kind.LIMITER
    assert kinds["dva"] is kinds["4,5"] is Kind.NUMBER
    assert kinds["ne"] is Kind.NEGATION
    assert "%" in kinds


@pytest.mark.parametrize(
    ("yes", "no", "code"),
    [
        ("používáme MongoDB", "nepoužíváme MongoDB", "cs"),
        ("we use Kafka", "we don't use Kafka", "en"),
        ("coffee with milk", "coffee without milk", "en"),
        ("káva s mlékem", "káva bez mléka", "cs"),
    ],
)
def test_opposites_have_other_polarity(yes: str, no: str, code: str):
    """K8: lemmas swallow Czech negation, so polarity is kept apart."""
    grammar = LANGUAGES.grammar(code)
    assert polarity(yes, grammar) != polarity(no, grammar)


def test_flat_text_is_as_long_as_the_text():
    """L1: a place in flat text is the same place in the text, whatever the script."""
    text = "Žluťoučký KŮŇ Straße Їжак İstanbul 我 🐈 ł ﬁ"
    assert len(flat(text)) == len(text)
    assert flat("Žluťoučký KŮŇ łódź") == "zlutoucky kun lodz"


def test_one_table_stands_in_one_file(tmp_path: Path):
    """L1: two files of a folder that define one table are an error, not a silent override."""
    for name in ("a", "b"):
        tmp_path.joinpath(f"{name}.toml").write_text("[lexicon]\n", "utf-8")
    with pytest.raises(ValueError, match="lexicon"):
        Grammar("xx", tmp_path)


def test_a_folder_adds_a_language(tmp_path: Path):
    """L1: phrases and expressions of a folder work without a line of code."""
    tmp_path.joinpath("x.toml").write_text(
        '[t]\nwords = ["čau*", "dobrý den"]\nrules = [\'<words>!\']\n[t.lists]\nwords = ["čau"]\n',
        "utf-8",
    )
    grammar = Grammar("xx", tmp_path)
    assert grammar.phrases("t.words").search("tak caukyy")
    assert grammar.phrases("t.words").search("dobry  den")
    assert grammar.patterns("t.rules").search("cau!")
    assert not grammar.patterns("t.missing").search("cau!")


def test_unknown_language_is_refused():
    """L1: a code without a folder is an error at start."""
    with pytest.raises(ValueError, match="xx"):
        load(["xx"])


def test_two_languages_load_fast():
    """R2: reading Czech and English takes a small part of the bot's 1.5 s."""
    start = time.process_time()
    load(["cs", "en"]).detect("ahoj")
    assert time.process_time() - start < 0.5
