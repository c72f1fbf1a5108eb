"""Invented facts and documents for measuring: many, different, and no case of the data."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

_NAMES = (
    "Ada Bram Cleo Dorian Edda Falk Greta Hugo Ilse Jarek Kaja Lasse Mira Nils Otis Petra Quinn "
    "Runa Sven Tilda Udo Vera Wim Xenia Yara Zeno Alma Boris Ciro Dagny Emil Fanny Gero Hedda "
    "Igor Jutta Knut Linus Maud Nadja Oskar"
).split()
_THINGS = (
    "ladder drill kettle atlas tripod lantern violin anvil sledge telescope loom canoe barometer "
    "easel sewing-machine projector hammock rucksack typewriter globe wheelbarrow thermos compass "
    "accordion microscope parasol trowel kayak metronome stove toboggan jigsaw sextant grinder "
    "gramophone binoculars workbench"
).split()
_PLACES = (
    "attic cellar garage pantry shed greenhouse hallway loft boathouse workshop stable porch "
    "library kitchen cupboard balcony courtyard dairy orchard studio tower barn vestibule nursery "
    "laundry wardrobe gallery chapel lodge quarry depot arcade terrace"
).split()


def facts() -> Iterator[str]:
    """Plain facts, no two of a few dozen alike in more than one word."""
    number = 0
    while True:
        name, thing = _NAMES[number % len(_NAMES)], _THINGS[number % len(_THINGS)]
        place = _PLACES[number % len(_PLACES)]
        yield f"{name} stores the {thing} in the {place}"
        number += 1


def keep_messages(count: int) -> list[str]:
    """Messages that ask to keep a fact, all different."""
    return [f"keep you know, {fact}" for fact in islice(facts(), count)]


def new_messages() -> list[str]:
    """Some messages that ask to keep what neither `flat` nor `memory` says."""
    pairs = zip(_NAMES, _THINGS, strict=False)
    return [f"keep you know, {name}'s cousin is repairing a red {thing}" for name, thing in pairs]


def flat(count: int) -> str:
    """A keep.md of ``count`` lines."""
    return "".join(f"- {fact} since {1900 + i}\n" for i, fact in enumerate(islice(facts(), count)))


def memory(lines: int) -> str:
    """A MEMORY.md of about ``lines`` lines: sections, subsections, mixed entries."""
    out: list[str] = ["# Memory"]
    for number, fact in enumerate(facts()):
        if number % 60 == 0:
            out += ["", f"## Area {number // 60}"]
        if number % 12 == 0:
            out += ["", f"### Part {number // 12}"]
        out.append(_ENTRIES[number % len(_ENTRIES)].format(fact=fact, n=number))
        if len(out) >= lines:
            return "\n".join(out) + "\n"
    return ""


_ENTRIES = (
    "- {fact}, box {n}",
    "- {fact}; spare key hangs on hook {n}",
    "- Restart with `systemctl restart unit-{n}.service`",
    "- 2025-03-{n}: import {n} failed, retried, fine",
    "- {fact} and never lends it out in winter {n}",
)
