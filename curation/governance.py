"""Governance of the index and its topics: what could be repaired, and what only a person can (S5).

Documents in, findings out: nothing here writes, knows a disk or a clock. What is found about
pointers and old topics is a `Repair`, shown in one numbered proposal; two lines that say
different things, and lines that stand twice, are only shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from curation.engine import Companion, Match, Relation
from memory.document import Document
from memory.folding import fold, strict
from memory.pointers import Pointer, likeness, pointers, title_of

STALE_DAYS = 180
"""A topic that nobody touched for more days than this is offered for the archive."""

MOST_COMPARED = 400
"""How many entries are compared with those of other files: the last ones of each file."""

_LONGEST_SLUG = 40
_SHARED = 0.6
_OWN, _FIRST, _LONG = 3, 12, 300
_WORD = re.compile("[\u3400-\u9fff]|[^\\W_]+")


class Matter(StrEnum):
    """What is wrong, and by that how it is repaired."""

    STALE = "stale"
    DEAD = "dead"
    MISNAMED = "misnamed"
    ORPHAN = "orphan"


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic file; ``touched`` is the day of its last change, ``file`` its bare name."""

    slug: str
    file: str
    document: Document
    touched: date


@dataclass(frozen=True, slots=True)
class Estate:
    """What governance looks at.

    ``files`` are the names that a pointer can lead to; ``archived`` the slugs that are taken in
    the archive.
    """

    index: Document
    topics: tuple[Topic, ...]
    files: frozenset[str]
    archived: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Repair:
    """One thing that can be put right.

    ``file`` is the name in the index, ``text`` what a person knows it by, ``new`` what the
    repair writes: a slug of the archive, a file name, or the topic's title. ``slug`` and
    ``digest`` name the topic as it was looked at, ``days`` how long it was left alone.
    """

    matter: Matter
    file: str
    text: str
    new: str = ""
    slug: str = ""
    digest: str = ""
    days: int = 0


@dataclass(frozen=True, slots=True)
class Twin:
    """Two lines of two files: the second says another thing, or the same once more."""

    file: str
    text: str
    other: str
    said: str


def survey(estate: Estate, today: date) -> tuple[Repair, ...]:
    """Every repair of the index and its topics; pinned sections are left alone (M4).

    The order is that of the proposal: old topics, dead pointers, misnamed ones, orphans.
    """
    lines = pointers(estate.index)
    named = {p.file for p in lines}
    misnamed = {p.file: t for p in lines if (t := _meant(p, estate, named))}
    stale = tuple(_archivings(estate, today, lines, misnamed))
    leaving = {repair.slug for repair in stale}
    gone = {repair.file for repair in stale}
    dead = (_dead(p) for p in lines if _leads_nowhere(p, estate) and p.file not in misnamed)
    wrong = (_renaming(p, misnamed) for p in lines if p.file in misnamed and p.file not in gone)
    reached = named | {topic.file for topic in misnamed.values()}
    alone = (t for t in estate.topics if t.file not in reached and t.slug not in leaving)
    orphans = (_linking(topic) for topic in alone)
    found = [*stale, *dead, *wrong, *orphans]
    return tuple({(repair.matter, repair.file): repair for repair in found}.values())


def _leads_nowhere(pointer: Pointer, estate: Estate) -> bool:
    return not pointer.pinned and pointer.file not in estate.files


def _meant(pointer: Pointer, estate: Estate, named: set[str]) -> Topic | None:
    """The one topic that a pointer to nowhere means, written in another way."""
    if not _leads_nowhere(pointer, estate):
        return None
    alike = [t for t in estate.topics if likeness(t.file) == likeness(pointer.file)]
    return alike[0] if len(alike) == 1 and alike[0].file not in named else None


def _archivings(
    estate: Estate, today: date, lines: Sequence[Pointer], misnamed: dict[str, Topic]
) -> Iterator[Repair]:
    """A move for each topic left alone, unless its pointer or a section of it is pinned."""
    taken = set(estate.archived)
    kept = {p.file for p in lines if p.pinned}
    for topic in estate.topics:
        days = (today - topic.touched).days
        pinned = topic.file in kept or any(h.pinned for h in topic.document.headings)
        if days <= STALE_DAYS or pinned:
            continue
        file = next((name for name, meant in misnamed.items() if meant == topic), topic.file)
        target = _free(topic.slug, taken)
        taken.add(target)
        title = title_of(topic.document, topic.slug)
        digest = topic.document.digest
        yield Repair(Matter.STALE, file, title, target, topic.slug, digest, days)


def _free(slug: str, taken: set[str]) -> str:
    """A name in the archive that nothing has yet."""
    numbered = (f"{slug[: _LONGEST_SLUG - 4]}_{n}" for n in range(2, 1000))
    return next(name for name in (slug, *numbered) if name not in taken)


def _dead(pointer: Pointer) -> Repair:
    return Repair(Matter.DEAD, pointer.file, pointer.topic)


def _renaming(pointer: Pointer, misnamed: dict[str, Topic]) -> Repair:
    topic = misnamed[pointer.file]
    return Repair(Matter.MISNAMED, pointer.file, pointer.topic, topic.file, topic.slug)


def _linking(topic: Topic) -> Repair:
    title = title_of(topic.document, topic.slug)
    return Repair(Matter.ORPHAN, topic.file, title, title, topic.slug)


def contradictions(
    files: Sequence[Companion], compare: Callable[[str, Sequence[str]], Match], most: int
) -> tuple[Twin, ...]:
    """Entries of one file that say another thing than an entry of a later one, the first few.

    Only entries that share most of their words count: nobody wants to hear of others. The first
    dozen of files is held against all others.

    Args:
        compare: `Engine.compare`.
        most: how many are wanted.
    """
    found: list[Twin] = []
    shown = _bounded(files)
    for place, (name, texts) in enumerate(shown[:_FIRST]):
        later = [(other, text) for other, said in shown[place + 1 :] for text in said]
        known = tuple(text for _, text in later)
        for text in texts if known else ():
            match = compare(text, known)
            other = match.index if match.relation is Relation.CONTRADICTS else None
            if other is not None and _is_close(text, known[other]):
                found.append(Twin(name, text, *later[other]))
            if len(found) == most:
                return tuple(found)
    return tuple(found)


def _is_close(one: str, other: str) -> bool:
    """Whether the shorter of two texts has most of its words in the other one."""
    words = [set(_WORD.findall(fold(text))) for text in (one, other)]
    return len(words[0] & words[1]) >= _SHARED * min(map(len, words))


def repetitions(files: Sequence[Companion], most: int) -> tuple[Twin, ...]:
    """Entries that stand in two files in the same words, the first few."""
    first: dict[str, tuple[str, str]] = {}
    found: dict[tuple[str, str, str], Twin] = {}
    for name, texts in _bounded(files):
        for text in texts:
            known = first.setdefault(strict(text), (name, text))
            if known[0] != name:
                found.setdefault((*known, name), Twin(*known, name, text))
    return tuple(found.values())[:most]


def _bounded(files: Sequence[Companion]) -> list[tuple[str, tuple[str, ...]]]:
    """The last entries of each file, `MOST_COMPARED` in all; very long ones are left out.

    One half is for the first files, which are the person's own, the other for the topics.
    """
    half = MOST_COMPARED // 2
    own, topics = files[:_OWN], files[_OWN:][:half]
    shares = [half // _OWN] * len(own) + [half // max(1, len(topics))] * len(topics)
    return [
        (file.name, tuple(text for text in file.entries if len(text) < _LONG)[-share:])
        for file, share in zip((*own, *topics), shares, strict=True)
    ]
