"""The 12 tables of Random Events: 48 numbers each, once-only marks, and every table, squad and dr that they name."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from sasl_support import gaps, second_reading

from sandtable.games.sasl import enemy_events
from sandtable.games.sasl.tables import general
from sandtable.games.sasl.tables.cards import FILES, card
from sandtable.games.sasl.tables.dates import month_number
from sandtable.games.sasl.tables.events import FRIENDLY, Event, event, events, sub_table, sub_tables

READ = second_reading("events")
NUMBERS = {f"{tens}{units}" for tens in range(8) for units in range(1, 7)}
# What the repairs change: the table, the numbers, what the scan says, what is ruled.
STARS = {("U9", "25"), ("U9", "31-34"), ("U9", "41"), ("U9", "42")}
REPAIRED = {
    ("U9", "04"): (set(), {"A5"}),
    ("U9", "31-34"): (set(), {"U8"}),
    ("UM9", "72"): ({"U/M6c"}, {"U/M6"}),
    ("B9", "44"): ({"dr<=4"}, {"dr>=4"}),
}
# Figures that stand in a sub-table here.
IN_SUB_TABLES = {("A11", "16"): "A11-16", ("UM9", "01"): "UM9-01", ("A11", "74"): "paradrop"}


def figures(text: str) -> set[str]:
    """Tables to roll on, squads, sums such as DR+2 and drs such as dr<=3 that a text names."""
    found = set()
    for group in re.findall(r"\{([^}]*)\}", text):
        found |= set(re.findall(r"A6[a-h]|(?:U/M|[A-Zx])\d+[abc]?", group))
    found |= set(re.findall(r"\b\d-\d-\d\b", text)) | set(re.findall(r"DR\+\d", text))
    return found | {f"dr{threshold}" for threshold in re.findall(r"\bdr ([<>]=\d)", text)}


def of_sub_table(name: str) -> set[str]:
    table = general.table(name) if name == "paradrop" else sub_table(name)
    text = " ".join(cell.text for row in table.rows for cell in row.cells)
    return figures(text) | {f"dr<={note.high}" for note in table.notes if (note.low, note.high) == (1, 4)}


@pytest.mark.rule("S2.3")
@pytest.mark.parametrize("table", list(READ))
def test_a_table_has_all_48_numbers_once(table: str) -> None:
    numbers = [number for one in events(table) for number in one.numbers]
    assert len(numbers) == 48
    assert set(numbers) == NUMBERS


@pytest.mark.rule("S2.31")
@pytest.mark.parametrize("table", list(READ))
def test_the_second_reading_of_the_events_agrees(table: str) -> None:
    mine = {one.numbers[0] + (f"-{one.numbers[-1]}" if len(one.numbers) > 1 else ""): one for one in events(table)}
    assert set(mine) == set(READ[table])
    for numbers, text in READ[table].items():
        one = mine[numbers]
        assert one.once == (text.startswith("*") or (table, numbers) in STARS), f"{table} {numbers}"
        scan, ruled = REPAIRED.get((table, numbers), (set(), set()))
        named = figures(one.effect)
        if (table, numbers) in IN_SUB_TABLES:
            named |= of_sub_table(IN_SUB_TABLES[table, numbers])
        expected = set(text.lstrip("* ").split())
        assert named - ruled == expected - scan, f"{table} {numbers}"
        assert ruled <= named


@pytest.mark.parametrize("code", list(FRIENDLY))
def test_the_tables_that_an_event_names_exist(code: str) -> None:
    one = card(code)
    for happening in events(FRIENDLY[code]):
        for number in re.findall(r"\{(?:U/M|[B-Z])(\d+[abc]?)\}", happening.effect):
            falls_back = number in ("6a", "6b", "6c")  # a card without one of these uses x6
            assert one.has(f"x{number}") or falls_back, f"{code} {happening.numbers}: x{number}"
        for letter in re.findall(r"\{A6([a-h])\}", happening.effect):
            assert general.number(letter, 1) >= 0
        assert "<" not in re.sub(r"<=", "", happening.effect), happening.effect


def test_an_event_by_its_dice() -> None:
    one = event("G9", 0, 5)
    assert isinstance(one, Event)
    assert (one.event, one.number, one.once) == ("sappers", "A6a", False)
    assert "5-4-8" in one.effect
    assert event("A11", 7, 6).event == "reinforcements"
    assert event("J9", 5, 4).effect.startswith("{A6d} dm 81mm MTR with a 2-2-8 crew each.")
    assert set(FRIENDLY) == set(FILES) - {"P"}
    assert sum(one.once for one in events("A11")) == 14
    with pytest.raises(ValueError, match="There is no table of events 'Z9'"):
        events("Z9")
    with pytest.raises(ValueError, match="no event 81"):
        event("A11", 8, 1)


@pytest.mark.parametrize("name", sub_tables())
def test_sub_tables_answer_every_roll_and_month(name: str) -> None:
    table = sub_table(name)
    assert gaps(table) == []
    spans = [column.span for column in table.columns if column.span]
    for first, second in pairwise(spans):
        assert second.first > first.last
        if name != "G9-01":
            assert second.first == first.last + 1
    if name == "G9-01":
        assert spans[0].last == month_number(1942, 3)


@pytest.mark.parametrize("name", list(second_reading("general")["sub_tables"]))
def test_sub_tables_read_twice(name: str) -> None:
    table = sub_table(name)
    for place, line in enumerate(second_reading("general")["sub_tables"][name]):
        again = [item for part in line.split(", ") for item, times in [part.split(" x")] for _ in range(int(times))]
        assert [table.row(dr).cells[place].choices[0].item for dr in range(1, 7)] == again


@pytest.mark.rule("S4.2")
def test_suspects_that_an_event_brings_are_a_dr_and_what_it_says() -> None:
    """RE 54 of A11 does RE 36 for most nations."""
    printed = {
        (one.table, one.numbers[0]): int(found[1])
        for table in ("A11", "P9")
        for one in events(table)
        if (found := re.search(r"DR\+(\d)(?: Partisan)? S\?", one.effect))
    }
    assert {**printed, ("A11", "54"): printed["A11", "36"]} == enemy_events.EXTRA
