"""What replaces what, what a companion repeats, what is over as a whole: rules by example (C3)."""

from __future__ import annotations

from datetime import date

import pytest

from curation.audit import audit
from curation.engine import Companion, Item
from curation.nightly import certain, strict_changes
from locales import load
from memory.changeset import Category, Op
from memory.document import Document

TODAY = date(2026, 6, 15)
LANGUAGES = load(("en", "cs"))
FILLER = "".join(f"- {stone} is a stone\n" for stone in ("Slate", "Basalt", "Marble", "Chalk"))
MORE = FILLER + FILLER.replace("stone", "rock")


def items(text: str, *known: str) -> dict[str, Item]:
    """The items of an audit by the first line each touches."""
    document = Document.of(text)
    found = audit(document, (Companion("keep.md", known),), TODAY, LANGUAGES).items
    return {item.changes[0].original[0]: item for item in found}


def gone(text: str, *known: str) -> set[str]:
    """The lines that certain deletions touch."""
    found = items(text, *known).values()
    sure = [i for i in found if i.op is Op.DELETE and not i.borderline]
    return {line for item in sure for line in item.changes[0].original}


REPLACED = {
    "from to": ("- Courier is Zip", "- 2026-03-02: switched from Zip to Hare"),
    "thing gone": ("- Rooms get booked on the slate board", "- The slate board is gone, booking is online"),
    "in place of": ("- Dues go to Mr Falk", "- Ottilie collects the dues in place of Mr Falk"),
    "role taken": ("- Treasurer: Falk", "- Ottilie took the treasurer's post in March"),
    "new in role": ("- Gardener is Falk until 2026-02-01", "- New gardener since 2026-02-02 is Ottilie"),
    "no longer": ("- Commutes by tram number 9", "- Since 2026-02 commutes on foot, no longer by tram"),
    "left the place": ("- Ines works at the Hull mill", "- Ines left the Hull mill in May 2026"),
    "value raised": ("- Minimum order at Dahl is 150 GBP", "- Dahl raised the minimum order to 200 GBP on 2026-05-01"),
    "lesson moved": ("- Fiddle lesson with Mr Falk on Monday at 18:00", "- Lesson moved to Friday at 17:00 in April 2026"),
    "lent and back": ("- The long ladder is out on loan to the scouts", "- Ladder came home from the scouts on 18 April"),
    "cs from to": ("- Účet je u banky Lípa", "- 2026-03-02 jsme přešli od Lípy k Dubu"),
    "cs stands in": ("- Rozvody má na starosti pan Hrubý", "- V lednu pana Hrubého vystřídal pan Malý"),
    "cs instead": ("- Dlažba bude šedá", "- Namísto šedé dlažby jsme vybrali pískovou"),
    "cs ceiling": ("- Strop rozpočtu je 700 000 Kč", "- Strop jsme zvedli ze 700 000 na 760 000 Kč"),
    "cs no longer": ("- Ema hrála na flétnu", "- Ema od září 2025 na flétnu už nehraje"),
    "cs left": ("- Dílnu sdílí s Ottou Rybou", "- Otto Ryba odešel v květnu 2026, dílnu teď sdílí s Jitkou"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new"), REPLACED.values(), ids=REPLACED)
def test_a_slot_with_a_newer_value_is_superseded(old: str, new: str):
    """The same subject and attribute with a newer value, or its end: the old line goes (C3)."""
    assert gone(f"## Things\n{old}\n{new}\n{FILLER}") == {old}


APART = {
    "sister and museum": ("- Sister Ines lives in Hull with two children", "- Ines left the Hull museum in March 2026, now teaches"),
    "visits": ("- Ines's visits: no nuts anywhere in the flat", "- Ines left the Hull museum in March 2026, now teaches"),
    "another habit": ("- Ottilie works Wednesday to Friday", "- Ottilie became team lead in March 2026"),
    "recipe of the dead": ("- Aunt Vera's quince recipe is in the red folder", "- Aunt Vera died in March 2026"),
    "delivery days": ("- Eggs: Farm Dahl, minimum order 10 trays", "- Farm Dahl no longer delivers on Sundays"),
    "supplier and price": ("- Toner from Dahl", "- Dahl raised prices by 5 % in May 2026"),
    "dearer later": ("- Dues are 24 GBP, going up to 28 GBP on 1 January 2027", "- Ottilie collects the dues in place of Mr Falk"),
    "closed for a day": ("- The tea stop is the Old Forge", "- The Old Forge is closed in January"),
    "rule after a failure": ("- After a full disk the rule is: logs stay 14 days", "- 2026-06-01: disk full, old logs removed"),
    "allergy": ("- Ines is allergic to nuts", "- Ines moved to Hull on 2026-03-01"),
    "another oven": ("- Oven 1: 220 °C", "- Oven 2: 240 °C since 2026-03-01"),
    "cs viola": ("- Jana hraje na violu", "- Jana v květnu 2026 odešla z filharmonie, teď učí v ZUŠ"),
    "cs recipe": ("- Recept tety Věry na kdoule je v červené složce", "- Teta Věra zemřela v březnu 2026"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new"), APART.values(), ids=APART)
def test_a_shared_name_replaces_nothing(old: str, new: str):
    """A newer line about the same name, but another attribute, leaves the old one alone (C3)."""
    text = f"## Things\n{old}\n{new}\n{FILLER}"
    assert old not in gone(text) and new not in gone(text) - {
        "- 2026-06-01: disk full, old logs removed"
    }


SAID = {
    "another order": ("- Fuse box: cellar, left wall", "Fuse box is at the left wall of the cellar", True),
    "number word": ("- Weekly figures on Monday before 9", "Weekly figures on Monday before nine", True),
    "another weekday": ("- Team lunch of the office is on Thursdays", "Team lunch of the office is on Fridays", False),
    "another value": ("- Main portal colour of the shop is teal", "Main portal colour of the shop is plum", False),
    "another number": ("- Frame size of the bike is 54 cm", "Frame size of the bike is 56 cm", False),
    "more on health": ("- Ines is allergic to nuts and carries a pen", "Nut allergy (Ines)", False),
    "health, whole": ("- Ines is allergic to nuts", "Ines — allergic to nuts", True),
    "cs order": ("- Po osmé večer nic neposílat", "Po osmé večer nic neposílat.", True),
    "cs weekday": ("- Týmový oběd je ve čtvrtek", "Týmový oběd je ve středu", False),
}  # fmt: skip


@pytest.mark.parametrize(("line", "known", "same"), SAID.values(), ids=SAID)
def test_a_duplicate_says_nothing_of_its_own(line: str, known: str, same: bool):
    """Words in another order are a duplicate; another day, value, number or more is none (C3)."""
    assert (line in gone(f"## Things\n{line}\n{FILLER}", known)) is same


STAY = {
    "suppliers": "### Suppliers\n- Hubs come from Halden\n- Tyres come from Dahl\n- Orla & Sons closed in 2025, paint now comes from Fenn\n",
    "decisions": "### Decisions 2025\n- Ducks instead of hens because of the slugs\n- No boat, decided on 2025-03-02\n- Lunch is at noon\n",
    "an old car": "### Car (2019)\n- Oil is 5W-30\n- Insured with Dahl\n- Serviced on 2026-02-03\n",
    "this year's team": "### Team 2026\n- Otto leads\n- Ines writes\n- Jitka is the deputy\n- Met on 2026-01-12\n",
    "journal": "### 2026-01-19\n- An inverted V serves the long wave now\n- The bill was 40\n- Nets are dry\n",
}  # fmt: skip


@pytest.mark.parametrize("block", STAY.values(), ids=STAY)
def test_a_living_section_stays(block: str):
    """One closed supplier, a year above decisions, or a dated page end no section (C3)."""
    found = items(f"## A\n- Hills are high\n{block}## B\n{MORE}").values()
    assert [i for i in found if i.category is Category.STALE_SECTION] == []


OVER = {
    "given up": "### Wind turbine (given up)\n- Mast of 9 m, seen for 300\n- [ ] try a longer tail\n",
    "year above months": "### Kitchen 2025\n- Painter for two days in October\n- Floor laid 2025-09-03\n- [x] pay the rest\n",
    "last line": "### Game server\n- Started 2025-07-01\n- Whitelist of five children\n- [x] tell the nephews\n- Deleted on 2026-02-20\n",
    "cs cancelled": "### Příčka (zrušeno)\n- Uvažovalo se o skle\n- Statik si řekl o 4 500 Kč\n",
}  # fmt: skip


@pytest.mark.parametrize("block", OVER.values(), ids=OVER)
def test_a_finished_section_goes_whole(block: str):
    """A heading that says it is over, a past period, or a last line about the whole ends it (C3)."""
    head = block.split("\n")[0]
    item = items(f"## A\n- Hills are high\n{block}## B\n{MORE}")[head]
    assert (item.category, item.borderline) == (Category.STALE_SECTION, False)


LASTING = {
    "habit": "- Failed payments are retried after 3 days",
    "decision": "- Decided on 2025-11-04 to stop selling forks, because two came back broken",
    "now after a change": "- Otto odešel v květnu 2026, dílnu teď sdílí s Jitkou",
    "waiting ticket": "- Ticket OPS-44: licence question, waiting since 2026-05-02",
    "hospital": "- Ema was in hospital in January 2026, all fine again",
    "exam": "- Zkouška B2 složena 12. 5. 2026",
    "year, not a count": "- Kotel je Varm 20 z roku 2019",
    "wanted pressure": "- Boiler: pressure should be 1.3 bar",
}


@pytest.mark.parametrize("line", LASTING.values(), ids=LASTING)
def test_what_may_last_is_not_certain_to_go(line: str):
    """Habits, decisions, newest states, open matters and somebody's body stay (C3)."""
    assert line not in gone(f"## Things\n{line}\n{FILLER}")


PASSING = {
    "series": ("- Fuel 2 May 18.2 l / 3.1 h, 3 May 15.7 l / 2.6 h", "detail_measure"),
    "calibration": ("- Wrench was calibrated on 2026-03-09, error 0.8 %", "detail_measure"),
    "meter": ("- Meter reading on 2026-02-01 was 48213", "detail_measure"),
    "key presses": ("- Filter: long-press NAR, hold SET, dial to 7, press NAR again", "detail_buttons"),
    "cs disk": ("- 2026-06-14: plný disk, staré logy smazány, už to jede", "ephemeral_failure"),
    "cs trial": ("- Zkušební běh 2026-05-03, výstup v pořádku", "ephemeral_debug"),
}  # fmt: skip


@pytest.mark.parametrize(("line", "reason"), PASSING.values(), ids=PASSING)
def test_what_passes_goes_for_the_right_reason(line: str, reason: str):
    """The reason that a person reads is the right one (C4)."""
    item = items(f"## Things\n{line}\n{FILLER}")[line]
    assert (item.reason, item.borderline) == (reason, False)


def test_a_merge_names_what_goes_between_its_lines():
    """A deletion inside a merge stands in its text, and the night takes only the deletion (C4)."""
    lines = ("- Sails are kept in the long loft", "- Asked today about masts", "- The loft is dry")
    document = Document.of("## A\n### B\n" + "\n".join(lines) + f"\n## C\n{FILLER}")
    proposal = audit(document, (), TODAY, LANGUAGES)
    (merge,) = proposal.items
    assert merge.borderline and merge.text.endswith("(− [ephemeral] Asked today about masts)")
    assert [c.original for c in strict_changes(proposal, document, certain)] == [lines[1:2]]


def test_a_name_is_said_once():
    """Neighbours about one name become one line; another value of one statement is doubtful."""
    found = items(
        f"## A\n### B\n- Ines works on Mondays\n- Ines is left handed\n## C\n### D\n- Filter runs on krtek\n- Filter runs on brana\n{FILLER}"
    )
    texts = [(i.text, i.borderline) for i in found.values() if i.op is Op.MERGE]
    assert texts[0] == ("- Ines works on Mondays; is left handed", False)
    assert all(doubtful for _, doubtful in texts[1:])
