"""Mission Tables, tables inside missions, landing craft and campaign tables, with their second reading."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from sasl_support import bare, gaps, second_reading

from sandtable.games.sasl.tables import campaign, general, missions
from sandtable.games.sasl.tables.cards import FILES, card
from sandtable.games.sasl.tables.dates import span

READ = second_reading("missions")
ROLLED = [name for name in missions.inside_names() if name not in ("M3-vp", "M6-vpo", "M20-msr4-amphibious")]


@pytest.mark.rule("S12.32")
@pytest.mark.parametrize("number", range(1, 22))
def test_mission_tables_are_whole_and_read_twice(number: int) -> None:
    one = missions.mission(number)
    pairs = READ["missions"][f"M{number}"].split("; ")
    assert len(pairs) == len(one.tables)
    for table, again in zip(one.tables.values(), pairs, strict=True):
        assert gaps(table) == []
        assert ", ".join(f"{row.key} {row.cells[0].text}" for row in table.rows) == again
    for side in ("ENEMY", "FRIENDLY"):
        assert {row.cells[0].text for row in one.table(f"{side} SAN").rows} <= set("234567")
        assert {row.cells[0].text for row in one.table(f"{side} RE#s").rows} <= set(general.event_numbers())
    assert {row.cells[0].text for row in one.table("ENEMY AC#").rows} <= set("2345")
    assert set(one.drm) <= {"A1", "A5", "A8", "A9", "A11", "x9"}


def test_attitudes_partisans_and_event_modifiers() -> None:
    every = [missions.mission(number) for number in range(1, 22)]
    assert {one.number for one in every if one.attitude == "Advance"} == {8, 9, 10, 11, 12, 13, 14, 19, 21}
    assert {one.number for one in every if one.partisan} == {1, 2, 3, 5, 8, 12, 13, 15, 16, 17, 18, 19, 20}
    by_drm = {drm: {one.number for one in every if one.drm.get("A11", 0) == drm} for drm in (-1, 0, 1)}
    assert by_drm == {-1: {1, 4, 5, 6, 7, 15, 17, 20}, 0: {2, 3, 8, 16, 18}, 1: {9, 10, 11, 12, 13, 14, 19, 21}}
    assert {one.number for one in every if one.drm.get("x9") == -1} == {4, 6, 7, 17}
    assert {one.number for one in every if one.drm.get("x9") == 1} == {9, 10, 11, 12, 14, 19, 21}
    with pytest.raises(ValueError, match="There is no mission 22"):
        missions.mission(22)
    with pytest.raises(ValueError, match="Mission 1 has no table Boobytrap"):
        missions.mission(1).table("Boobytrap")


@pytest.mark.parametrize("name", ROLLED)
def test_tables_inside_missions_answer_every_roll(name: str) -> None:
    assert gaps(missions.inside(name)) == []


def test_tables_inside_missions_read_twice() -> None:
    for number, points in READ["points"].items():
        table = missions.inside(f"{number}-msr2")
        assert [table.cell(dr).text for dr in range(1, 7)] == points.split()
    fortress = {row["board"]: row["Fortress"].split(" or ") for row in missions.listed("M6-vpo")}
    city = {choice.item.lstrip("c") for column, _, choice in general.table("A9").choices() if column.group == "City"}
    assert set(fortress) == city
    assert [row["VP"] for row in missions.listed("M3-vp")] == ["2", "2", "1"]
    engineers = {row["mark"]: (row["squads"], row["DC"], row["FT"]) for row in missions.listed("M4-msr3")}
    assert engineers == {"1": ("2", "2", "1"), "2": ("3", "3", "2"), "3": ("", "", "")}
    bridge = missions.inside("M13-msr2")
    assert [bridge.cell(dr, group="board 7").text for dr in (3, 4, 6)] == ["Q", "AA", "I"]
    assert [one.afv for one in missions.amphibians() if one.card == "U-PTO" and "1944-07" in one.span] == [
        "LVT(A)1", "LVT(A)4"
    ]  # fmt: skip


@pytest.mark.rule("S17.22")
def test_mission_selection() -> None:
    table = missions.selection()
    assert gaps(table) == []
    for place, side in enumerate(("offense", "defense")):
        rows = READ["A7"][side].split("; ")
        assert [" ".join(choice.item for choice in row.cells[place].choices) for row in table.rows] == rows
    assert {choice.item for _, _, choice in table.choices()} == {str(number) for number in range(1, 22)}
    assert [modifier.drm for modifier in missions.partisan_modifiers()] == [-1, -1, -1]
    assert len(missions.partisan_conditions()) == 4


@pytest.mark.rule("S13.84")
def test_landing_craft() -> None:
    tables = missions.landing_craft_tables()
    assert len(tables) == 14
    for table in tables:
        assert gaps(table) == []
        again = READ["landing_craft"][table.id].split(", ")
        for row, text in zip(table.rows, again, strict=True):
            key, _, item = text.partition(" ")
            assert row.key == key or (key == "12" and row.key == ">=12")
            assert bare(row.cells[0].text) == bare(item)
    for code in [code for code in FILES if code != "P"]:
        one = card(code)
        months = (one.span or span("1939-45")).months()
        for month in months:
            assert missions.landing_craft(code, f"{month // 12}-{month % 12 + 1:02d}")
    with pytest.raises(ValueError, match="No table of landing craft serves P"):
        missions.landing_craft("P", "1943-05")


@pytest.mark.rule("S18.1")
def test_companies_add_up_and_are_read_twice() -> None:
    found = campaign.companies()
    assert len(found) == 31
    squads = {
        "4-6-7",
        "5-4-8",
        "4-6-8",
        "6-5-8",
        "3-4-7",
        "4-4-7",
        "5-2-7",
        "6-6-6",
        "4-5-8",
        "5-5-8",
        "6-6-8",
        "7-6-8",
    }
    squads |= {"4-5-7", "5-3-7"}
    for place, company in enumerate(found, start=1):
        worth = company.units["Leader"]
        for name, number in company.units.items():
            if re.fullmatch(r"\d-\d-\d", name):
                worth += number * (3 if name in squads else 2)
        assert worth == company.full
        assert company.reduced == company.full * 7 // 10
        head, _, units = READ["companies"][str(place)].partition(": ")
        dates, full, reduced = head.split()
        assert (span(dates), int(full), int(reduced)) == (company.span, company.full, company.reduced)
        again = {}
        for part in units.split("; "):
            name, times, number = part.rpartition(" x ")
            again[bare(name if times else part)] = int(number) if times else 1
        other_words = {"limtr": "ltmtr", "baz'43": "baz43", ".50calhmg": ".50c", "2-2-7hs": "2-2-7"}
        again = {other_words.get(name, name): number for name, number in again.items()}
        assert {bare(name): number for name, number in company.units.items()} == again


@pytest.mark.rule("S17.8")
def test_refit_tables() -> None:
    for name in ("seasoning", "leader", "replacement", "type"):
        table = campaign.refit(name)
        assert gaps(table) == []
        assert [modifier.drm for modifier in table.modifiers] == READ["refit_drm"][name]
        if name in READ["refit"]:
            for place, column in enumerate(READ["refit"][name].split(" / ")):
                assert [row.cells[place].choices[0].item for row in table.rows] == column.split()


def test_opposition_chart() -> None:
    chart = campaign.oppositions()
    assert len(chart) == 39
    assert {line.theatre for line in chart if line.weekly} == {"Western ETO", "Pacific Islands"}
    for theatre in ("Pacific Islands", "Eastern ETO", "Western ETO"):
        spans = [line.span for line in chart if line.theatre == theatre]
        assert all(second.first > first.last for first, second in pairwise(spans)), theatre
    powers = {power.rstrip("*") for line in chart for power in (*line.axis, *line.allies)}
    west = "Germany France Norway Britain Denmark Netherlands Belgium Italy Greece Bulgaria U.S."
    east = "Slovakia Poland Finland Russia Yugoslavia Hungary Rumania Japan U.S.M.C. China"
    assert powers == {*west.split(), *east.split(), "Italian Fascist", "Vichy France", "U.S. Army"}
