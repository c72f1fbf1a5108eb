"""Merges: neighbouring bullets of one subsection on one topic, joined without a loss (C3).

The merged text is made of the bullets' own words: a subject they share is said once, the rest is
joined by semicolons. Where that would exceed the limits nothing is merged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from curation.notes import Note, short
from locales import flat
from memory.document import Entry, EntryKind, Span

CHARACTERS = 300
_MEMBERS = 4
_JOINER = "; "
Links = Callable[[str, bool], bool]
_LABEL = re.compile(r"([^:;`]{2,40}):\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Merge:
    """Neighbouring notes with the one line that replaces them; ``equal`` when they are the same.

    ``span`` may hold lines that go for reasons of their own and stand between the notes.
    """

    notes: tuple[Note, ...]
    span: Span
    text: str
    equal: bool
    certain: bool


def merges(
    notes: Sequence[Note], gone: Collection[int], lasts: Callable[[Note], bool]
) -> tuple[Merge, ...]:
    """All merges among the notes that stay, ``gone`` being the indexes of those that do not.

    ``lasts`` judges the merged line: one that the audit itself would delete is not made.
    """
    found = (m for run in _runs(notes, gone) for m in _split(run))
    return tuple(m for m in found if m.equal or lasts(_merged_note(m)))


def _merged_note(merge: Merge) -> Note:
    first = merge.notes[0]
    marker = first.entry.marker + " "
    return replace(first, entry=replace(first.entry, text=merge.text.lstrip()[len(marker) :]))


def _runs(notes: Sequence[Note], gone: Collection[int]) -> Iterator[list[Note]]:
    """Maximal runs of mergeable bullets that stand together once the gone ones are away."""
    run: list[Note] = []
    stop = -1
    parents = {note.parent for note in notes if note.index not in gone}
    for note in notes:
        if note.index in gone:
            stop = note.entry.span.stop if note.entry.span.start == stop else -1
            continue
        fits = note.index not in parents and _mergeable(note)
        if run and not (fits and note.entry.span.start == stop and _alike_placed(run[-1], note)):
            yield run
            run = []
        if fits:
            run.append(note)
        stop = note.entry.span.stop
    if run:
        yield run


def _mergeable(note: Note) -> bool:
    entry = note.entry
    plain = entry.kind is EntryKind.BULLET and not note.pinned and note.done is None
    return plain and ";" not in entry.text and "```" not in entry.text and len(entry.text) <= 140


def _alike_placed(first: Note, second: Note) -> bool:
    a, b = first.entry, second.entry
    return a.subsection >= 0 and _place(a) == _place(b)


def _place(entry: Entry) -> tuple[int, int, int, str]:
    return entry.section, entry.subsection, entry.indent, entry.marker[-1]


def _split(run: Sequence[Note]) -> Iterator[Merge]:
    """Cut a run where the topic changes or the limits are reached."""
    group: list[Note] = []
    for note in run:
        if group and not _belongs(group, note):
            yield from _merge(group)
            group = []
        group.append(note)
    yield from _merge(group)


def _belongs(group: Sequence[Note], note: Note) -> bool:
    if group[-1].entry.text == note.entry.text:
        return True
    small = len(group) < _MEMBERS and len(_line([*group, note])) <= CHARACTERS
    return small and _joint(group[-1], note)


def _joint(first: Note, second: Note) -> bool:
    """One subject: the same label, or a leading word of one that the other has too."""
    if first.label or second.label:
        return first.label == second.label
    a, b = first.words, second.words
    shared = {short(w) for w in a} & {short(w) for w in b}
    leads = bool(a and b) and bool({short(a[0]), short(b[0])} & shared)
    return leads and not (_moving(first) or _moving(second))


def _moving(note: Note) -> bool:
    """Whether a line has a day, a state of today, or somebody's health of its own."""
    return bool(note.moments) or note.has("health", "now", "failure")


def _merge(group: Sequence[Note]) -> Iterator[Merge]:
    line = _line(group)
    if len(group) < 2 or len(line) > CHARACTERS:
        return
    equal = len({note.entry.text for note in group}) == 1
    span = Span(group[0].entry.span.start, group[-1].entry.span.stop)
    tight = _firm(list(dict.fromkeys(note.entry.text for note in group)), _links(group))
    yield Merge(tuple(group), span, line, equal, equal or tight)


def _line(group: Sequence[Note]) -> str:
    first = group[0].entry
    texts = list(dict.fromkeys(note.entry.text for note in group))
    return " " * first.indent + first.marker + " " + _join(texts, _links(group))


def _join(texts: Sequence[str], links: Links) -> str:
    """The first text, then what the others add; a label or leading words in common only once."""
    head = _common(texts, links)
    rest = [text[len(head) :].lstrip() for text in texts[1:]]
    return _JOINER.join([_open(texts[0]), *map(_open, rest)]) if rest else texts[0]


def _open(text: str) -> str:
    """The text without a final full stop."""
    return text[:-1] if text.endswith(".") and not text.endswith("..") else text


def _links(group: Sequence[Note]) -> Links:
    """Whether a word only joins, so that a common beginning does not end with it."""
    voice, language = group[0].voice, group[0].language
    verbs, clitics = voice.auxiliaries, voice.clitics
    stop = voice.languages.grammar(language).is_stop

    def links(word: str, opens: bool) -> bool:
        plain = flat(word)
        return plain in clitics if opens else plain not in verbs and stop(word)

    return links


def _common(texts: Sequence[str], links: Links) -> str:
    """The label all texts start with, or leading words that make a subject; else nothing."""
    label = _LABEL.match(texts[0])
    if label and all(text.startswith(label.group()) for text in texts):
        return label.group()
    words = [text.split(" ") for text in texts]
    alike = count = _alike(words)
    while count and links(words[0][count - 1], False):
        count -= 1
    while count and any(links(w[count], True) for w in words):
        count -= 1
    whole = count == alike == 1 and all(_says(w[1], links) for w in words)
    return " ".join(words[0][:count]) + " " if count >= 2 or whole else ""


def _alike(words: Sequence[Sequence[str]]) -> int:
    """How many leading words are the same, the last word of a text never counted."""
    count = 0
    while all(len(w) > count + 1 and w[count] == words[0][count] for w in words):
        count += 1
    return count


def _says(word: str, links: Links) -> bool:
    """Whether a word may open what is said of a name: in lower case, and no preposition."""
    return word[:1].islower() and not links(word, False)


def _firm(texts: Sequence[str], links: Links) -> bool:
    """Whether all say something of one subject, not the same of it with other values."""
    head = _common(texts, links)
    words = [text.split(" ") for text in texts]
    return bool(head) and (head.endswith(": ") or head.count(" ") == _alike(words))
