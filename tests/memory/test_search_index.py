"""Search: the index is a cache that may be lost, meddled with and shared (X3)."""

import os
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta

import pytest

import locales
from locales.terms import Terms
from memory.edits import append_entry
from memory.factrows import Deed
from memory.operations import Author, Item
from memory.search import Question
from memory.spaces import DocumentName, DocumentRef
from tests.memory.search_workplace import ALICE, FAMILY, NOON, PETR, Counting


def _removed(file):
    file.unlink()


def _garbage(file):
    file.write_bytes(b"no database at all" * 300)


def _cut(file):
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def _torn(file):
    data = bytearray(file.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    file.write_bytes(data)


def _folder(file):
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize(
    "harm", [_removed, _garbage, _cut, _torn, _folder], ids=lambda f: f.__name__
)
def test_the_index_may_be_lost_at_any_time(place, harm):
    """Whatever happens to the file of the index, the same is found (X3)."""
    place.put("".join(f"- entry {n} of the harbour\n" for n in range(200)))
    before = place.search("harbour entry 7")
    harm(place.file)
    assert place.search("harbour entry 7") == before
    assert place.file.is_dir() or place.file.read_bytes().startswith(b"SQLite format 3\0")
    place.terms.count = 0
    assert place.search("harbour entry 7") == before
    assert place.file.is_dir() or place.terms.count == 0


def test_other_languages_make_another_index(place):
    """An index made with other spoken is not trusted."""
    place.put("- arašídech\n")
    both, place.terms = place.terms, Counting(locales.load(["en"]))
    place.index = place.opened()
    assert place.found("arašídům") == []
    place.terms = both
    place.index = place.opened()
    assert place.found("arašídům") == ["arašídech"]


def test_no_text_lies_in_the_index(place):
    """The file holds no word of any entry, neither while it is found nor after (W6, X3)."""
    words = [f"xylophone{n:04d}" for n in range(300)]
    place.put("".join(f"- {word} Ždánice\n" for word in words))
    assert place.search("Ždánice").total == 300
    data = place.file.read_bytes()
    assert not [w for w in (*words, "Ždánice", "zdanice", "ždánic") if w.encode() in data]
    assert place.file.stat().st_mode & 0o777 == 0o600


def test_a_deleted_entry_leaves_no_trace_that_can_be_matched(place):
    """After an entry went, its stored terms are nowhere in the table of entries (W6)."""
    place.put("- kayak\n- stove\n")
    place.found("kayak")
    place.put("- stove\n")
    assert place.found("kayak") == [] and place.search("stove").total == 1


@pytest.mark.parametrize(
    "words",
    ["AND", 'NEAR("kayak" x, 2)', "kayak*", '"kayak', "own:kayak", "-kayak", "^kayak", "kayak AND",
     "(", "' OR 1=1 --", "\0kayak", "\ud800 kayak", "{own} : kayak", "NOT NOT"],
)  # fmt: skip
def test_operators_are_words(place, words):
    """What an engine would take for an operator is a word like any other."""
    place.put("- kayak\n- stove\n")
    assert set(place.found(words)) <= {"kayak"}
    assert ("kayak" in words) == bool(place.found(words))


@pytest.mark.parametrize("words", ["", "   ", "?!…", "\n"])
def test_no_words_find_nothing(place, words):
    """A question without a word finds nothing, and is no error."""
    place.put("- kayak\n")
    assert place.search(words).hits == ()


def test_a_long_question_is_bounded(place):
    """Of a very long question the beginning counts."""
    place.put("- kayak\n- stove\n")
    assert place.found("kayak " + "lorem ipsum " * 400 + "stove") == ["kayak"]
    assert place.found("a" * 100_000) == []


def test_what_cannot_be_read_is_told(place):
    """A document that cannot be read is named; the others are searched all the same (X2)."""
    place.put("- kayak\n")
    path = place.put("- kayak too\n", "memory")
    assert place.search("kayak").total == 2
    path.write_bytes(b"- kayak \xff\n")
    found = place.search("kayak")
    assert [hit.text for hit in found.hits] == ["kayak"]
    assert found.unread == (DocumentRef(ALICE, DocumentName.MEMORY),)
    assert place.search("nothing such").unread == found.unread


def test_an_index_that_cannot_be_written_is_made_in_memory(place):
    """Without room for the file a search still looks at everything (X2)."""
    place.put("- kayak\n")
    place.file.mkdir()
    (place.file / "x").write_text("in the way")
    assert place.found("kayak") == ["kayak"]


def test_what_was_true_once_stands_below(place):
    """A superseded value is marked and stands below the current one, however well it fits (X2)."""
    place.fact("Honza", "works_at", "Acme Brno", "2020")
    place.fact("Honza", "works_at", "Globex", "2025")
    hits = place.search("Honza Acme Brno works").hits
    assert [(hit.fact.object, hit.over) for hit in hits] == [("Globex", False), ("Acme Brno", True)]


def test_facts_are_found_by_what_their_predicate_is_called(place):
    """A predicate is found by its word and by its name in each language (X2)."""
    place.fact("Honza", "lives_in", "Praha")
    assert [place.search(w).total for w in ("lives", "bydlí", "Praze")] == [1, 1, 1]


def test_a_changed_fact_is_seen(place):
    """Facts that are deleted or added are seen by the next search."""
    added = place.fact("Honza", "owns", "kayak")
    assert place.search("kayak").total == 1
    place.state.facts.delete(Deed(Author(111), NOON, "x"), added.fact.id)
    place.fact("Honza", "owns", "canoe")
    assert (place.search("kayak").total, place.search("canoe").total) == (0, 1)


def test_nobody_finds_what_is_another_ones(place):
    """Documents and facts of other spaces are in the same file and are never found (X2, M8)."""
    place.put("- canary of Petr\n", space=PETR)
    place.put("- canary of the family\n", "group", space=FAMILY)
    place.fact("canary", "owns", "cage", space=PETR)
    place.put("- canary of Alice\n")
    assert len(place.found("canary", PETR)) == 2
    assert place.found("canary", ALICE) == ["canary of Alice"]
    assert set(place.found("canary", ALICE, FAMILY)) == {"canary of Alice", "canary of the family"}


@pytest.mark.parametrize(
    ("since", "count"), [(date(2026, 5, 1), 2), (date(2026, 5, 2), 2), (date(2026, 5, 3), 1)]
)
def test_dated_files_count_by_their_day(place, since, count):
    """Of dated files the day in the name counts, not the time of the file (X3)."""
    for day in ("2026-04-30", "2026-05-02", "2026-05-04"):
        place.put("- kayak\n", "dated", day)
    assert place.search("kayak", since=since).total == count


def test_entries_count_by_the_day_they_were_written(place):
    """Of other entries the journal says when they were written (X3)."""
    ref = DocumentRef(ALICE, DocumentName.KEEP)
    for days, text in ((0, "old kayak"), (3, "new kayak")):
        place.now = NOON + timedelta(days=days)
        place.store.apply(ref, [Item("entry", append_entry(text))], Author(111, request=text))
    assert place.found("kayak", since=date(2026, 5, 6)) == ["new kayak"]
    assert place.search("kayak", since=date(2026, 5, 4)).total == 2


def test_files_of_others_count_by_their_time(place):
    """A file that the journal does not know counts by its own time (X3)."""
    path = place.put("- kayak\n")
    os.utime(path, (NOON.timestamp(), NOON.timestamp()))
    assert place.found("kayak", since=date(2026, 5, 4)) == ["kayak"]
    assert place.found("kayak", since=date(2026, 5, 5)) == []


def test_only_what_changed_is_read_again(place):
    """One more line in a long document costs one line, and nothing costs nothing (X3)."""
    lines = [f"- entry {n}\n" for n in range(3000)]
    place.put("".join(lines))
    place.found("nothing")
    place.terms.count = 0
    place.found("nothing")
    assert place.terms.count == 0
    place.put("".join(["- the new one\n", *lines]))
    assert place.found("new one") == ["the new one"]
    assert place.terms.count <= 2


def test_many_threads_build_it_at_once(place):
    """Several first searches at the same time all find everything."""
    place.put("".join(f"- entry {n} of the harbour\n" for n in range(300)))
    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(lambda _: place.search("harbour").total, range(12)))
    assert found == [300] * 12


@pytest.mark.parametrize(
    ("asked", "offered"),
    [("arajšídy", "arašídy"), ("Hozna arajšidy", "Honza arašídy"), ("xyzzy", None), ("zub", None)],
)
def test_near_spellings_are_offered(place, asked, offered):
    """Words that nothing has may be misspelled; the memory's own words are offered (X2)."""
    place.put("- Honza — alergie na arašídy\n")
    assert place.index.near([ALICE], asked)[:1] == ((offered,) if offered else ())


def test_where_words_stand(place):
    """The words of a question are marked in a text in whatever form they stand there."""
    text = "Honza — alergie na arašídy"
    marks = place.index.marks(text, "honzovi arasidech")
    assert [text[start:stop] for start, stop in marks] == ["Honza", "arašídy"]


class Interrupted(Terms):
    """Terms that let somebody else do something once, when a question is read."""

    meanwhile = staticmethod(lambda: None)

    def asked(self, text):
        doing, self.meanwhile = self.meanwhile, lambda: None
        doing()
        return super().asked(text)


def test_what_another_process_indexes_meanwhile_is_found(place, spoken):
    """X2: a document that somebody else indexes in the middle of a search is no error."""
    place.put("- the ladder is blue\n")
    place.terms = Interrupted(spoken)
    place.index, other = place.opened(), place.opened()

    def meanwhile():
        place.put("- a ladder in the shed\n", "notes")
        other.search([ALICE], Question("ladder", place.now.date()))

    place.terms.meanwhile = meanwhile
    assert sorted(place.found("ladder")) == ["a ladder in the shed", "the ladder is blue"]


def test_a_document_that_changes_in_the_middle_is_searched_again(place, spoken):
    """X2: no hit is read from lines that moved since the index looked at them."""
    place.put("- the ladder is blue\n")
    place.search("ladder")
    place.terms = Interrupted(spoken)
    place.index = place.opened()
    place.terms.meanwhile = lambda: place.put("- a new first line\n- the ladder is blue\n") and None
    hit = place.search("ladder").hits[0]
    assert (hit.text, hit.line) == ("the ladder is blue", 2)


@pytest.mark.parametrize(("days", "count"), [(0, 1), (1, 0)])
def test_facts_count_by_the_day_they_were_learned(place, days, count):
    """X3: a fact learned on the first day asked for is found; others are not counted either."""
    place.fact("Honza", "owns", "kayak")
    found = place.search("kayak", since=NOON.date() + timedelta(days=days))
    assert (len(found.hits), found.total) == (count, count)


@pytest.mark.parametrize(("until", "over"), [("2026-05-04", True), ("2026-05-05", False)])
def test_a_fact_is_over_on_the_day_it_ends(place, until, over):
    """F2, X2: the day a fact ends on is the first on which it holds no more."""
    place.fact("Honza", "owns", "kayak", "2020", until)
    assert place.search("kayak").hits[0].over is over


def test_what_is_archived_is_over(place):
    """S5, X2: an archived topic is marked as past and stands below what is not."""
    place.put("- the ladder is blue\n", "archive", "house")
    place.put("- the ladder is green and stands in the shed\n", "topic", "house")
    hits = place.search("ladder").hits
    assert [hit.over for hit in hits] == [False, True]


def test_older_lines_of_a_young_journal_count_by_the_file(place):
    """X3: lines that stood there before the journal began are as young as their file."""
    place.put("- foreign kayak\n")
    ref = DocumentRef(ALICE, DocumentName.KEEP)
    place.store.apply(ref, [Item("entry", append_entry("own kayak"))], Author(111))
    assert place.search("kayak", since=NOON.date()).total == 2


def test_a_day_begins_at_midnight(place):
    """X3: what is written in the first moment of a day belongs to it."""
    ref = DocumentRef(ALICE, DocumentName.KEEP)
    for moment, text in ((NOON, "old kayak"), (NOON.replace(day=6, hour=0, minute=0), "new kayak")):
        place.now = moment
        place.store.apply(ref, [Item("entry", append_entry(text))], Author(111, request=text))
    assert place.found("kayak", since=date(2026, 5, 6)) == ["new kayak"]
