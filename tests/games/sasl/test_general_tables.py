"""The general tables A1 to A10, the paradrop and the checks: keys, fractions and the second reading."""

from __future__ import annotations

from fractions import Fraction

import pytest
from sasl_support import bare, gaps, mission_without_suspects, playing, rolls, second_reading

from sandtable.games.sasl import dice
from sandtable.games.sasl.tables import general
from sandtable.games.sasl.tables.model import read_table

READ = second_reading("general")
PLAIN = [name for names in general.PLACES.values() for name in names]


@pytest.mark.parametrize("name", PLAIN)
def test_every_roll_has_one_row(name: str) -> None:
    table = general.table(name)
    assert gaps(table) == []
    for row in table.rows:
        for cell in row.cells:
            assert sorted(dr for c in cell.choices for dr in range(c.low, c.high + 1)) == [1, 2, 3, 4, 5, 6]


@pytest.mark.rule("S5.6")
def test_activation_table() -> None:
    table = general.activation()
    again = READ["A1"]["rows"]
    printed = [", ".join(item.kind for item in row.items) or "-" for row in table.rows]
    assert printed == again
    assert [row.key for row in table.rows] == ["<=1", *map(str, range(2, 14)), ">=14"]
    marks = {(item.kind, mark) for row in table.rows for item in row.items for mark in item.marks}
    assert marks == {("AFV", "1"), ("S", "2"), ("F", "6"), ("HS", "3"), ("Gun", "5"), ("SPG", "4")}
    assert {note.mark for note in table.notes} == {"1", "2", "3", "4", "5", "6"}


@pytest.mark.rule("S5.6")
@pytest.mark.parametrize(
    ("drm", "nothing", "afv", "gun", "spg"),
    [
        (0, Fraction(6, 36), Fraction(1, 36), Fraction(1, 36), 0),
        (-1, Fraction(5, 36), Fraction(3, 36), 0, 0),
        (1, Fraction(5, 36), 0, Fraction(2, 36), Fraction(1, 36)),
        (2, Fraction(4, 36), 0, Fraction(4, 36), Fraction(2, 36)),
    ],
)
def test_chances_of_activation(drm: int, nothing: Fraction, afv: Fraction, gun: Fraction, spg: Fraction) -> None:
    table, chance = general.activation(), {"": Fraction(0), "AFV": Fraction(0), "Gun": Fraction(0), "SPG": Fraction(0)}
    for roll, ways in rolls(2).items():
        kinds = [item.kind for item in table.row(roll + drm).items]
        for kind in chance:
            chance[kind] += Fraction(ways, 36) * (kind in kinds if kind else not kinds)
    assert (chance[""], chance["AFV"], chance["Gun"], chance["SPG"]) == (nothing, afv, gun, spg)


@pytest.mark.rule("S6.2")
def test_actions_and_panic() -> None:
    for name, expected in (("A2a", (21, 12, 2, 1)), ("A2b", (6, 24, 5, 1))):
        table = general.table(name)
        ways = {}
        for roll, count in rolls(2).items():
            action = table.cell(roll).choices[0].item
            ways[action] = ways.get(action, 0) + count
        assert tuple(ways[action] for action in ("Move", "Fire", "Entrench", "Panic")) == expected
    assert general.panic_from() == {
        "Elite": 10, "1st Line": 6, "2nd Line": 4, "Partisan": 4, "Conscript": 2, "Green": 2
    }  # fmt: skip
    marks = {mark for name in ("A2a", "A2b") for *_, choice in general.table(name).choices() for mark in choice.marks}
    assert marks - {"1"} == {note["mark"] for note in general.action_notes()}


@pytest.mark.parametrize("letter", "abcdefgh")
def test_numbers(letter: str) -> None:
    table = general.table(f"A6{letter}")
    assert ", ".join(f"{row.key} {row.cells[0].text}" for row in table.rows) == READ["A6"][letter]
    assert general.number(letter, 99) == int(READ["A6"][letter][-1])


@pytest.mark.parametrize("letter", "abcde")
def test_terrain(letter: str) -> None:
    table = general.table(f"A8{letter}")
    assert ", ".join(f"{row.key} {row.cells[0].text}" for row in table.rows) == READ["A8"][letter]


@pytest.mark.rule("S13.21")
def test_boards_and_objectives_read_twice() -> None:
    table = general.table("A9")
    repaired = []
    for place, column in enumerate(table.columns):
        for row, again in zip(table.rows, READ["A9"][column.group].split("; "), strict=True):
            if bare(row.cells[place].text) != bare(again):
                repaired.append((row.key, column.group, again, row.cells[place].text))
    assert repaired == [(">=12", "City", "v23", "c23")]
    objectives = general.objectives()
    assert {board: list(places) for board, places in objectives.items()} == {
        board: places.split() for board, places in READ["A10a"].items()
    }
    boards = {choice.item.lstrip("cvw") for _, _, choice in table.choices()}
    assert boards == set(objectives)
    assert len(boards) == 44
    assert sum("-" in place for places in objectives.values() for place in places) == 27
    assert {board for board, places in objectives.items() if any("/" in place for place in places)} == {"7", "8", "40"}


@pytest.mark.rule("S8.1")
@pytest.mark.parametrize("name", ["A3a", "A3b", "A3c", "A3d", "A4a", "A4b", "A4c"])
def test_fire_and_movement_tables_answer_every_roll(name: str) -> None:
    lines = general.fire_commands(name) if name.startswith("A3") else general.moves(name)
    for roll in range(2, 13):
        held = [line for line in lines if line.low <= roll <= line.high]
        assert held, f"{name} {roll}"
        assert held[-1].when == "", f"{name} {roll} has no last resort"
        assert len({line.key for line in held}) == 1
    keys = list(dict.fromkeys(line.key for line in lines))
    if name in READ["keys"]:
        assert keys == READ["keys"][name].replace("5-5", "5-6").split()
    if name in READ["sieves"]:
        assert [len(line.at) for line in lines] == [int(word) for word in READ["sieves"][name].split()]  # type: ignore[union-attr]
    for line in lines:
        for word in line.at if name.startswith("A3") else line.to:  # type: ignore[union-attr]
            if word.startswith(("A3", "A4")):
                other, key = word.split()
                assert other == name
                assert any(row.low <= int(key) <= row.high for row in lines)


@pytest.mark.rule("S8.1")
@pytest.mark.parametrize("name", ["A3a", "A3d"])
def test_the_priorities_of_fire_read_twice(name: str) -> None:
    code = {
        "closest": "c", "least TEM": "t", "most Targets": "n", "most Known": "k", "most SMC": "s",
        "most Known SMC": "S", "most SW": "w", "most SW and Guns": "g", "most Weapons": "W", "most Known Weapons": "V",
        "most Known ATW": "A", "most Good Order": "o", "easiest to hit": "h", "most counters": "#",
        "most Infantry counters": "i",
    }  # fmt: skip
    lines = []
    for line in reversed(general.fire_commands(name)):
        sieves = " ".join(code[word] for word in line.at if word in code)
        if sieves:
            lines.append(f"{line.key} {line.fire.split()[0]}: {sieves}" if name == "A3a" else f"{line.key}: {sieves}")
    assert lines == READ["priorities"][name]


@pytest.mark.rule("S9.2")
@pytest.mark.parametrize("name", ["A4a", "A4b"])
def test_the_moves_read_twice(name: str) -> None:
    lines = []
    for line in general.moves(name):
        sent_on = line.to[0].removeprefix(f"{name} ") if not line.how else ""
        lines.append(f"{line.key} >{sent_on}" if sent_on else f"{line.key} {line.how[0].upper()}{len(line.to)}")
    assert ", ".join(lines).replace("B1", "B") == READ["moves"][name]


@pytest.mark.rule("S11.4")
def test_modifiers_of_checks() -> None:
    assert [m.drm for m in general.activation_check().modifiers] == [-1, -1, -1, -1, 1, 2]
    assert [m.drm for m in general.advance_modifiers()] == [-2, -2, -1, -1, -1, -1, 2]
    assert [m.drm for m in general.command_modifiers()] == [-1] * 7
    assert len(general.advance_into()) == 6
    assert [low for low, *_ in general.close_combat()] == [-99, 3, 5]
    check = general.activation_check()
    assert (check.lowest, check.highest, check.always, check.never) == (2, 5, 1, 6)
    assert general.event_numbers() == ["2/3", "3/4", "4/5", "5/6", "6/7"]


@pytest.mark.rule("S14.4")
def test_values_and_paradrop() -> None:
    value = general.table("A10b")
    assert [value.cell(dr).text for dr in range(-1, 9)] == ["6", "6", "5", "4", "4", "3", "3", "2", "1", "1"]
    assert [m.drm for m in value.modifiers] == [-1, -1, 1]
    table = general.table("paradrop")
    for column in table.columns:
        again = READ["paradrop"][column.group].split()
        assert [row.cells[table.columns.index(column)].text for row in table.rows] == again
    assert [general.table("A5").cell(dr).choices[0].item for dr in (0, 1, 2, 4, 5)] == [
        "x+5+7 pillbox", "x+3+5 pillbox", "Entrenchment", "Entrenchment", "-"
    ]  # fmt: skip


NOTED = read_table(
    "X9",
    {
        "title": "Weapon",
        "rule": "5.3",
        "table": "dr | any\n1-6 | LMG^a\n",
        "notes": "mark | use | when | where | dr | text\na | MMG | 1944 | | | \na | HMG | | | | \n",
    },
)


@pytest.mark.rule("S5.3")
@pytest.mark.parametrize(("date", "item"), [("1944-05", "MMG"), ("1943-05", "HMG"), ("", "MMG")])
def test_the_first_note_that_holds_changes_an_item_and_without_a_date_it_is_1944(date: str, item: str) -> None:
    found = dice.settle(playing(mission_without_suspects()), NOTED, NOTED.rows[0].cells[0], date, ())
    assert (found.item, found.printed) == (item, "LMG")
