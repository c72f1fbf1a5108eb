"""BT12: what runs by itself never touches a pin, a bad change-set is rejected whole, limits are exact.

A pin is the byte-exact marker at the end of a ``##`` heading and holds to the next ``##``. It binds
compaction and the night; the owner's own command may do everything.
"""

import asyncio
import re
from dataclasses import replace
from datetime import date
from functools import cache

from curation.audit import audit
from curation.nightly import strict_changes
from curation.shrink import shrink
from memory import edits, sections
from memory.changeset import Category, Change, Op, Profile, edit_of, validate
from memory.document import Document, Heading, Span
from memory.sections import Op as Asked
from memory.sections import Planned, Request
from memory.store import Item
from tests.battery.badsets import BAD, DOCUMENT, GOOD, night
from tests.battery.battery import Result, Test
from tests.battery.twins import tell_apart
from tests.handlers.handlers_stage import Stage, speech
from tests.handlers.scripted_engine import ScriptedEngine
from tests.memory.store_workplace import ALICE, MEMORY, Workplace

TODAY = date(2026, 5, 4)
PIN = "<!-- pinned -->"
PINNED = {
    "plain": f"## Name {PIN}",
    "nothing else": f"## {PIN}",
    "blanks behind": f"## Name {PIN}  \t",
    "closing marks": f"## Name {PIN} ##",
    "no blank before": f"## Name{PIN}",
    "twice": f"## Name {PIN} {PIN}",
}
NOT_PINNED = {
    "capitals": "## Name <!-- PINNED -->",
    "capital": "## Name <!-- Pinned -->",
    "no blanks": "## Name <!--pinned-->",
    "two blanks": "## Name <!--  pinned  -->",
    "tab": "## Name <!--\tpinned -->",
    "no-break space": "## Name <!--\u00a0pinned -->",
    "cyrillic p": "## Name <!-- \u0440inned -->",
    "full width": "## Name <!-- \uff50inned -->",
    "zero width": "## Name <!-- pin\u200bned -->",
    "soft hyphen": "## Name <!-- pinned\u00ad -->",
    "no-break space behind": f"## Name {PIN}\u00a0",
    "words behind": f"## Name {PIN} not",
    "in front": f"{PIN} ## Name",
    "third level": f"### Name {PIN}",
    "first level": f"# Name {PIN}",
    "without comment": "## Name pinned",
}
BAITS = ("- Printer failed today", "- [x] Order a toner for the printer", "- `rm -rf /tmp/x -v`")
_LOOSE = re.compile(r"<!--\s*pinned\s*-->", re.IGNORECASE)


class LooseHeading(Heading):
    """The broken twin's heading: a pattern finds the marker, in any case and with any blanks."""

    @property
    def pinned(self):
        return _LOOSE.search(self.title) is not None


class LooseDocument(Document):
    """The broken twin: its headings are loose."""

    @property
    def headings(self):
        return tuple(
            LooseHeading(h.line, h.level, h.title, h.body, h.section) for h in super().headings
        )


def half_of_it(document, changes, violations):
    """The broken twin of `night`: what no violation names is applied all the same."""
    bad = {v.change for v in violations}
    sound = [change for number, change in enumerate(changes) if number not in bad]
    return night(document, sound, ())


@cache
def languages():
    """English and Czech, read once."""
    return speech()


def pins(run):
    """Everything once, and ``n`` random change-sets."""
    if run.broken:
        twins = {"loose marker": (LooseDocument, night), "half of it": (Document, half_of_it)}
        return tell_apart(twins, lambda twin: _look(run, *twin))
    return _look(run, Document)


def _look(run, kind, gate=night):
    result = Result()
    automatic(result, kind)
    operations(result, kind)
    rejected(result, gate)
    never_over_half(result, run)
    if not run.broken:
        owner(result, Workplace(run.folder / "owner"))
        asyncio.run(limits(result, run.folder))
    return result


def automatic(result, kind):
    """Whatever proposes by itself leaves pinned lines alone, and only those."""
    taken = missed = 0
    for name, heading in (PINNED | NOT_PINNED).items():
        document = kind.of(_baited(heading))
        body = Span(3, 10)
        for path, lines in _proposed(document).items():
            inside = {line for line in lines if line in body}
            taken += len(inside) if name in PINNED else 0
            missed += not inside and name in NOT_PINNED
            right = bool(inside) == (name in NOT_PINNED)
            result.expect(right, f"{path}: {name}: {len(inside)} lines proposed")
    result.counts |= {
        "markers": len(PINNED | NOT_PINNED),
        "pinned lines taken": taken,
        "look-alikes taken for pins": missed,
    }


def _baited(heading):
    """A heading over bait, with a subsection; bait that nothing pins stands below it."""
    bait = "\n".join(BAITS)
    inner = "\n".join(BAITS).replace("rinter", "lotter").replace("/x", "/y")
    rest = "\n".join(f"- Bee fact number {n} about hive {n}" for n in range(40))
    return (
        f"# M\n\n{heading}\n{bait}\n### Inner\n{inner}\n\n## Rest\n{rest}\n- Boiler failed today\n"
    )


def _proposed(document):
    """Every line that something would remove or rewrite by itself, by who proposes it."""
    memory = audit(document, (), TODAY, languages())
    keep = shrink(document, 1, TODAY, languages())
    changes = {
        "audit": [change for item in memory.items for change in item.changes],
        "night": strict_changes(memory, document),
        "keep": [change for item in keep.items for change in item.changes],
    }
    return {
        path: {i for c in found for s in c.spans for i in range(s.start, s.stop)}
        for path, found in changes.items()
    }


def owner(result, work):
    """The owner's own command does everything in a pinned section that it does elsewhere."""
    done = 0
    for name, heading in (PINNED | NOT_PINNED).items():
        if not heading.startswith("## ") or heading.endswith("\u00a0"):
            continue
        title = heading.removeprefix("##").removesuffix(" ##").strip()
        for change, edit in _commands(title).items():
            work.put(f"# M\n\n{heading}\n- a\n- b\n### S\n- c\n\n## Rest\n- d\n".encode(), MEMORY)
            before = work.bytes(MEMORY)
            receipt = work.store.apply(MEMORY, [Item("1", edit)], ALICE)
            back = receipt.changed and work.store.undo(receipt.op, ALICE).changed
            kept = back and work.bytes(MEMORY) == before
            done += kept
            result.expect(kept, f"owner: {name}: {change} did nothing, or was not undone")
    result.counts["owner's changes made and undone"] = done


def _commands(title):
    requests = {f"section {r.op}": sections.edit(r) for r in _requests(title)}
    return requests | {
        "append": edits.append_entry("new", title),
        "replace": edits.replace_entry("a", "A"),
        "remove": edits.remove_entry("b"),
        "remove below a subsection": edits.remove_entry("c"),
    }


def _requests(title):
    """Each section operation that can change something below a heading."""
    return (
        Request(Asked.APPEND, title, line="new"),
        Request(Asked.APPEND, title, "S", line="newer"),
        Request(Asked.REPLACE, title, match="a", line="A"),
        Request(Asked.REMOVE, title, match="b"),
        Request(Asked.REMOVE, title, "S", match="c"),
        Request(Asked.REMOVE_HEADING, title),
        Request(Asked.REMOVE_SUBHEADING, title, "S"),
    )


def operations(result, kind):
    """Asked by a program, a section operation only adds to a pinned section."""
    asked = 0
    for name, heading in (PINNED | NOT_PINNED).items():
        document = kind.of(f"# M\n\n## Rest\n- d\n\n{heading}\n- a\n- b\n### S\n- c\n")
        titles = [h.title for h in document.headings if h.line == 5 and h.level == 2]
        for request in (r for title in titles for r in _requests(title)):
            planned = sections.plan(document, replace(request, automatic=True))
            free = name in NOT_PINNED or request.op == Asked.APPEND
            right = isinstance(planned, Planned) is free
            result.expect(right, f"program: {name}: {request.op}: {planned}")
            asked += 1
    result.counts["programs asked to change a section"] = asked


def rejected(result, gate):
    """A change-set with one fault changes nothing, its sound parts included."""
    for name, (reply, rule) in BAD.items():
        after, rules = gate_of(gate, reply)
        result.expect(rule in rules, f"bad set {name}: {sorted(rules)}, not {rule}")
        result.expect(after.raw == DOCUMENT.raw, f"bad set {name} was applied in part")
    after, rules = gate_of(gate, GOOD)
    result.expect(not rules and after.count < DOCUMENT.count, "a good set was refused")
    result.counts["bad sets"] = len(BAD)


def gate_of(gate, reply):
    """What a reply makes of the document, and the rules it breaks."""
    changes, violations = reply(DOCUMENT)
    return gate(DOCUMENT, changes, violations), {v.rule for v in violations}


def never_over_half(result, run):
    """No legal change-set takes more than half of the lines, whatever its profile."""
    legal = over = 0
    for _ in range(run.n):
        document = Document.of("".join(f"- {i}\n" for i in range(run.chance.randrange(1, 60))))
        changes = _random_set(document, run.chance)
        profile = run.chance.choice(list(Profile))
        if validate(changes, document, profile):
            continue
        legal += 1
        after = edits.apply(document, edit_of(*changes)(document) or ())
        over += after.count * 2 < document.count
    result.counts |= {"legal random sets": legal, "over half": over}
    result.expect_zero("over half")
    result.expect(legal * 10 > run.n, "hardly any random set was legal")


def _random_set(document, chance):
    """Deletions at random places, each of a few lines, in about half of the cases over the half."""
    at, changes = 0, []
    keep = chance.uniform(0.2, 3.0)
    while at < document.count:
        stop = min(at + chance.randrange(1, 8), document.count)
        changes.append(
            Change(
                Op.DELETE, (Span(at, stop),), document.lines[at:stop], (), Category.DETAIL, "old"
            )
        )
        at = stop + int(chance.expovariate(1 / (4 * keep)))
    return changes


async def limits(result, folder):
    """119-121, 149-151 and 249-251 lines, each to the line."""
    for count in (119, 120, 121, 149, 150, 151):
        document = Document.of(
            "- fact\n" * 20 + "".join(f"- fact {i}\n" for i in range(count - 20))
        )
        gone = sum(
            len(c.original)
            for i in shrink(document, 120, TODAY, languages()).items
            for c in i.changes
        )
        wanted = min(max(count - 120, 0), 19)
        result.expect(gone == wanted, f"{count} lines: {gone} went, not {wanted}")
    for count in (149, 150, 151):
        shown = await _shown(folder / f"keep{count}", count - 1, 1)
        result.expect(("Found" in shown) == (count > 150), f"keep.md of {count} lines: wrong")
    for count in (249, 250, 251):
        shown = await _shown(folder / f"memory{count}", 1, count)
        result.expect(("cleans it up" in shown) == (count > 250), f"hint at {count} lines: wrong")
    result.counts["line limits"] = 12


async def _shown(folder, keep, memory):
    """What a person is shown after a keep, with files of so many lines before it."""
    engine = ScriptedEngine()
    engine.proposals["keep"] = _first_two
    stage = await Stage(folder, engine, languages()).open()
    stage.put("".join(f"- fact {n}\n" for n in range(keep)))
    stage.put("- fact\n" * memory, "memory")
    await stage.say("keep one more")
    shown = "\n".join(text for text, _ in stage.telegram.messages.values())
    await stage.close()
    return shown


def _first_two(document):
    from tests.handlers.test_compact import merge

    return (merge(document, 1, 0),)


TESTS = (Test(12, "pins", "q", n=5_000, few=200, do=pins),)
