"""The 13 nationality cards of Solitaire ASL: dates, keys, brackets, notes, and the second reading cell by cell."""

from __future__ import annotations

import pytest
from sasl_support import bare, gaps, listed, rolls, second_reading

from sandtable.games.sasl.charts import chart
from sandtable.games.sasl.tables.cards import FILES, Card, card, card_for, free_french
from sandtable.games.sasl.tables.counters import known_gun
from sandtable.games.sasl.tables.dates import month_number, span
from sandtable.games.sasl.tables.model import Table, read_notes

CARDS = [card(code) for code in FILES]
TABLES = [(one, table) for one in CARDS for table in one.tables.values()]


def name(value: object) -> str:
    return value.code if isinstance(value, Card) else value.id if isinstance(value, Table) else str(value)


@pytest.mark.parametrize(("one", "table"), TABLES, ids=name)
def test_every_month_of_a_card_has_one_column(one: Card, table: Table) -> None:
    groups = {(column.group, column.side) for column in table.columns if column.span}
    for group, side in groups:
        spans = [column.span for column in table.columns if (column.group, column.side) == (group, side)]
        start, end = (table.span or one.span).first, (table.span or one.span).last  # type: ignore[union-attr]
        if group.startswith("X/Y"):
            start = month_number(1943, 11)
        if group == "Philippines":
            start, end = month_number(1941, 1), month_number(1942, 5)
        for month in range(start, end + 1):
            held = [months for months in spans if months and months.first <= month <= months.last]
            assert len(held) == 1, f"{table.id} {group} {side}: {len(held)} columns for {month % 12 + 1}/{month // 12}"


@pytest.mark.parametrize(("one", "table"), TABLES, ids=name)
def test_every_roll_has_one_row_and_every_bracket_adds_up(one: Card, table: Table) -> None:
    assert gaps(table) == []
    assert sum(ways for roll, ways in rolls(table.dice).items() if table.row(roll)) == 6**table.dice
    for row in table.rows:
        for cell in row.cells:
            brackets = sorted(dr for choice in cell.choices for dr in range(choice.low, choice.high + 1))
            assert brackets == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(("one", "table"), TABLES, ids=name)
def test_every_mark_has_a_note_that_can_apply(one: Card, table: Table) -> None:
    known = {note.mark for note in table.notes}
    for column, row, choice in table.choices():
        assert set(choice.marks) <= known, f"{table.id} {row.key} {column.label}"
        for mark in choice.marks:
            notes = [note for note in table.notes if note.mark == mark]
            assert any(
                note.where
                or note.span is None
                or column.span is None
                or (note.span.first <= column.span.last and note.span.last >= column.span.first)
                for note in notes
            ), f"{table.id} {row.key} {column.label}: note {mark} can never apply"


def test_the_second_reading_agrees_cell_by_cell_but_for_the_repairs() -> None:
    repairs = {(row["card"], row["table"], row["key"], row["column"]): row for row in listed("repairs", "repairs")}
    cells, used = 0, set()
    for one in CARDS:
        for table_id, read in second_reading(FILES[one.code]).items():
            table = one.tables[table_id]
            keys = read["keys"].split()
            for place, line in enumerate(read["columns"]):
                heading, _, text = line.partition(": ")
                for key, scanned in zip(keys, text.split("; "), strict=True):
                    row = next(row for row in table.rows if row.key.lstrip("<>=") == key.lstrip("<>="))
                    if row.key != key:
                        assert (one.code, table_id, key, "key") in repairs, f"{table_id}: row {key}"
                        used.add((one.code, table_id, key, "key"))
                    at = (one.code, table_id, key, heading)
                    cells += 1
                    if bare(row.cells[place].text) != bare(scanned):
                        assert at in repairs, f"{at}: {scanned!r} read again, {row.cells[place].text!r} in the table"
                        assert repairs[at]["scan"] == scanned
                    if at in repairs:
                        assert bare(row.cells[place].text) != bare(scanned), f"{at} needs no repair"
                        used.add(at)
    assert cells == 3331
    assert {at for at in repairs if at[2] != "head"} == used
    for at, row in repairs.items():
        assert row["ruling"] in card(at[0]).tables[at[1]].rulings, f"{at[:2]} does not name {row['ruling']}"


def test_the_second_reading_of_the_notes_agrees() -> None:
    repaired = {("G", "G5a", "8"), ("R", "R6", "11"), ("U", "U6", "3"), ("U", "U6", "4"), ("U", "U6", "5")}
    repaired |= {("U", "U6", "7"), ("U", "U6a", "4"), ("C", "C6", "1"), ("L", "L4", "1")}
    for read in listed("notes", "notes"):
        notes = [note for note in card(read["card"]).tables[read["table"]].notes if note.mark == read["mark"]]
        months = span(read["when"]) if read["when"] else None
        match = [note for note in notes if note.span == months and bare(note.use) == bare(read["use"])]
        if (read["card"], read["table"], read["mark"]) in repaired:
            assert not match
            assert notes
            continue
        assert match, f"{read} is not in {notes}"
        dr = read["dr"]
        low, high = (1, int(dr[2:])) if dr.startswith("<=") else (int(dr[2:]), 6) if dr.startswith(">=") else (0, 0)
        if low or dr:
            low, high = (low, high) if low else (int(dr), int(dr))
            assert any((note.low, note.high) == (low, high) for note in match), f"{read}"


@pytest.mark.rule("S5.1")
def test_the_second_reading_of_the_ladders_agrees() -> None:
    for code, text in second_reading("ladders_and_drm")["ladders"].items():
        for date, hexes in zip(("1943-12", "1944-01"), text.split(" / ") * 2, strict=False):
            steps = card(code).steps(date)
            assert [str(step.hexes) for step in steps[:-1]] == hexes.split()
            assert [step.drm for step in steps] == [*[-2, -1, 0, 1, 2][: len(steps) - 1], None]
            assert steps[-1].hexes is None
            assert steps[-1].targets == ("any unit",)


def test_the_second_reading_of_the_modifiers_agrees() -> None:
    read = second_reading("ladders_and_drm")["drm"]
    for one, table in TABLES:
        texts = [text for text in read.get(f"{one.code} {table.id.removesuffix(' PTO')}", "").split("; ") if text]
        if table.house:
            continue
        assert len(texts) == len(table.modifiers), table.id
        for text, modifier in zip(texts, table.modifiers, strict=True):
            drm, _, when = text.partition(" ")
            assert int(drm) == modifier.drm
            assert when.rstrip("*") in modifier.when
            assert (modifier.not_for == "armor") == when.endswith("*")


def test_the_house_tables_are_marked() -> None:
    assert {table.id for _, table in TABLES if table.house} == {"G2", "G4", "G6", "I3"}
    for _, table in TABLES:
        assert ("house" in table.source) == table.house
        assert not table.house or (table.confidence == "low" and table.rulings)


@pytest.mark.rule("S5.72")
def test_looking_up_by_roll_date_force_and_side() -> None:
    german, chinese, french = card("G"), card("C"), card("F")
    assert german.table("x2").cell(6).text == "4-6-7"
    gun = german.table("x5").cell(12, "1940-05", side="Outside").pick(3)
    assert gun.item == "20L(20) AA"
    assert [note.use for note in german.table("x5").notes_on(gun, "1940-05")] == ["88L AA"]
    assert german.table("x5").notes_on(gun, "1941-05") == []
    assert chinese.table("x4").cell(8, group="X/Y Force").text == "BAZ 43"
    assert french.table("x6").cell(7, "1944-01", "Indo-China").text == "FT-17M"
    assert french.table("x6").cell(7, "1944-01").text == "Valentine V(b)"
    assert card("L").table("x2").cell(7, group="Norway").text == "4-5-7"
    assert german.table("x3").drm("1945-02", {"any MMC Elite"}) == 0
    assert german.table("x3").drm("1942-02", {"any MMC Elite"}) == -2
    assert german.table("x3").drm("1942-02", {"any MMC Elite", "armor"}) == -1
    assert german.table("x8").drm("1944-07") == 0


def test_a_card_by_nation_and_theatre() -> None:
    assert card_for("american").code == "U"
    assert card_for("american", pacific=True).code == "U-PTO"
    assert card_for("usmc", pacific=True).code == "M"
    assert card_for("japanese").code == "J"
    with pytest.raises(ValueError, match="No card serves 'finnish'"):
        card_for("finnish")


def test_a_table_that_begins_late_gives_way_to_another() -> None:
    russian, german = card("R"), card("G")
    assert russian.dated("x6a", "1942-11") == (russian.table("x6"), "1942-11")
    assert russian.dated("x6a", "1943-02") == (russian.table("x6a"), "1943-02")
    assert russian.dated("x6a", "1945-11") == (russian.table("x6a"), "1945-08")
    assert german.dated("x6c", "1940-04")[0].id == "G6"
    for one, table in TABLES:
        if table.span and table.span.first > (one.span or table.span).first:
            assert table.before in one.tables or one.code == "P", table.id


def test_a_wrong_question_is_answered_in_one_sentence() -> None:
    with pytest.raises(ValueError, match="There is no card 'Z'"):
        card("Z")
    with pytest.raises(ValueError, match="The Japanese card has no table J6a"):
        card("J").table("x6a")
    with pytest.raises(ValueError, match="columns for 1942-01"):
        card("G").table("x5").cell(5, "1942-01")
    with pytest.raises(ValueError, match="year and month"):
        card("G").table("x5").cell(5, "July 1942", side="Inside")


def test_notes_hold_in_their_months_only() -> None:
    dated = [note for name in FILES for table in card(name).tables.values() for note in table.notes if note.span]
    assert dated
    assert not any(note.applies("1930-01") for note in dated)


def test_free_french_substitutions() -> None:
    found = free_french()
    assert len(found) == 15
    assert [(one.low, one.high) for one in found].count((1, 4)) == 5
    units = {one.unit for one in found if "1942-05" in one.span}
    assert units == {
        *("Mortier de 81", "CA de 47 APX", "Canon de 75 1897", "AC de 75 Conus(b)"),
        *("AM Dodge(a)", "Carrier AC(b)", "AC de 25 CA(f)"),
    }
    single = {one.unit for one in found if "1945-01" in one.span and one.low == one.high}
    assert single == {"M4A2 MT", "S-35(f)", "B1 bis(f)"}


def test_a_gun_that_no_game_has_is_not_known() -> None:
    assert known_gun("german", "7.5cm PaK 40 AT")
    assert not known_gun("german", "21cm Mörser 18 ART")


def test_a_note_under_a_table_may_hold_for_some_months_and_rolls_only() -> None:
    text = """
mark | use | when | where | dr | text
*    | Buffalo | pre 10/44 |  | <=2 |
*    | LCI     |           |  |     |
"""
    first, second = read_notes(text)
    assert (first.span, first.low, first.high) == (span("pre 10/44"), 1, 2)
    assert (second.span, second.low, second.high) == (None, 1, 6)


@pytest.mark.rule("S5.7")
@pytest.mark.parametrize(("one", "table"), TABLES, ids=name)
def test_the_screen_shows_the_table_of_the_card_that_was_rolled_on(one: Card, table: Table) -> None:
    shown = chart(table.id) or {}
    assert [row[0] for row in shown["rows"]] == [row.key for row in table.rows]
    assert [len(row) for row in shown["rows"]] == [1 + len(row.cells) for row in table.rows]
    assert table.id.endswith(" PTO") == one.code.endswith("PTO")


@pytest.mark.rule("S5.1")
def test_the_ladder_on_the_screen_has_the_hexes_of_each_time() -> None:
    assert (chart("U1") or {})["columns"] == ["case", "hexes", "IFT DRM", "FRIENDLY"]
    marines = chart("M1") or {}
    assert marines["columns"] == ["case", "hexes 1941-43", "hexes 1944-45", "IFT DRM", "FRIENDLY"]
    assert marines["rows"][1][:4] == ["B", "7", "8", "<=-1"]
    assert len(marines["rows"]) == 6
