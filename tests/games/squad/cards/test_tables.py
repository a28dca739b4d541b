"""Every table against a second transcription, cell by cell, and against what the rules say about it."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from sandtable.games.squad.cards import charts, tables
from sandtable.games.squad.cards.location_counters import COUNTERS
from sandtable.games.squad.cards.tables import CCT, IFT, TO_HIT
from sandtable.space import terrain

SECOND = Path(__file__).parent / "second_reading"
ITT_RANGES = [(1, 1), (2, 2), (3, 6), (7, 12), (13, 18), (19, 24)]
ATT_RANGES = [(1, 12), (13, 24)]


def second(name: str) -> dict[str, Any]:
    """One file of the second reading."""
    return tomllib.loads((SECOND / f"{name}.toml").read_text("utf-8"))


FIRE, TO_HIT_2, MOVEMENT = second("fire"), second("to_hit"), second("movement")


def printed(table: Any) -> dict[str, Any]:
    """Modifiers by id as the second reading writes them."""
    return {key: "x" if drm.value is None else drm.value for key, drm in table.items()}


@pytest.mark.rule("3.2.3")
@pytest.mark.parametrize("column", IFT.columns)
def test_fire_table_column(column: int) -> None:
    expected = FIRE["ift"][str(column)].split()
    expected += ["-"] * (16 - len(expected))
    assert [str(IFT.result(column, dr)) for dr in range(16)] == expected
    assert IFT.result(column, -5) == IFT.result(column, 0)
    assert IFT.result(column, 20) == IFT.result(column, 15)


@pytest.mark.rule("3.2.3")
def test_fire_table_columns_and_calibers() -> None:
    assert {str(mm): fp for mm, fp in zip(IFT.calibers, IFT.columns, strict=True)} == FIRE["calibers"]
    assert [str(column) for column in IFT.columns] == list(FIRE["ift"])
    assert IFT.column(9) == 8
    assert IFT.column(Fraction(7, 2)) == 2
    assert IFT.column(0.5) == 0
    assert IFT.column(100) == 36


@pytest.mark.rule("3.2.2")
def test_cowering_shifts_left_and_off_the_table() -> None:
    assert IFT.shift(8, 2) == 4
    assert IFT.shift(1, 1) == 0
    assert str(IFT.result(0, 2)) == "-"


@pytest.mark.rule("3.2.3")
def test_desperation_morale_needs_a_possible_morale_check() -> None:
    assert IFT.can_check_morale(1, 2)
    assert not IFT.can_check_morale(1, 3)
    assert not IFT.can_check_morale(0, -5)


@pytest.mark.rule("3.8")
def test_close_combat_table() -> None:
    assert dict(zip(CCT.odds, CCT.kill_numbers, strict=True)) == FIRE["cct"]


@pytest.mark.rule("3.8")
@pytest.mark.parametrize(
    ("attack", "defence", "odds"),
    [
        (12, 4, "3-1"),
        (7, 4, "3-2"),
        (11, 2, "4-1"),
        (4, 15, "1-4"),
        (4, 4, "1-1"),
        (5, 8, "1-2"),
        (8, 5, "3-2"),
        (1, 8, "1-8"),
        (1, 9, "<1-8"),
        (10, 1, "10-1"),
        (21, 2, ">10-1"),
        (3, 0, ">10-1"),
    ],
)
def test_odds_are_rounded_down(attack: int, defence: int, odds: str) -> None:
    assert CCT.odds[CCT.column(attack, defence)] == odds


@pytest.mark.rule("3.2.3")
def test_fire_and_close_combat_modifiers() -> None:
    assert printed(tables.IFT_DRM) == FIRE["ift_drm"]
    assert printed(tables.CC_DRM) == FIRE["cc_drm"]
    assert tables.FP_FACTORS["point_blank"] == 2
    halved = ("pinned", "afph", "long_range", "first_fire")
    assert all(tables.FP_FACTORS[case] == Fraction(1, 2) for case in halved)


@pytest.mark.rule("3.3.1")
def test_residual_firepower() -> None:
    found = {str(column): tables.residual_firepower(column) for column in IFT.columns}
    assert found == FIRE["residual"]


@pytest.mark.rule("3.2.4")
@pytest.mark.parametrize("gun", TO_HIT_2["gun"], ids=lambda gun: gun["name"])
def test_to_hit_chart(gun: dict[str, Any]) -> None:
    row = TO_HIT[gun["name"]]
    assert [row.itt_fp or 0, row.att_fp, row.ch_fp] == gun["fp"]
    for index, (first, last) in enumerate(ITT_RANGES if "black" in gun else []):
        for distance in range(first, last + 1):
            for red, colour in ((False, "black"), (True, "red")):
                number = row.to_hit("ITT", distance, red=red)
                assert number == tables.ToHitNumber(gun[colour][index], gun[f"{colour}_ch"][index])
    limits = [tuple(limit) for limit in gun.get("only", ATT_RANGES)]
    for distance in range(1, 26):
        numbers = [gun["area"][i] for i, (low, high) in enumerate(limits) if low <= distance <= high]
        expected = tables.ToHitNumber(numbers[0]) if numbers else None
        assert row.to_hit("ATT", distance, red=True) == expected
    if "black" not in gun:
        assert all(row.to_hit("ITT", distance) is None for distance in range(1, 25))
    assert row.to_hit("ITT", 25) is None


def test_both_readings_have_the_same_guns() -> None:
    assert list(TO_HIT) == [gun["name"] for gun in TO_HIT_2["gun"]]


@pytest.mark.rule("3.2.4")
@pytest.mark.parametrize("name", TO_HIT)
def test_firepower_of_the_chart_follows_from_the_caliber(name: str) -> None:
    row = TO_HIT[name]
    millimetres = {"2cm": 20, "3.7cm": 37, "5cm": 50, "7.5cm": 75, "8cm": 81, "8.8cm": 88}
    millimetres |= {"2-in.": 51, "3-in.": 76}
    words = [millimetres.get(word, word) for word in name.split()]
    mm = next(
        int(float(str(word).removesuffix("mm"))) for word in words if isinstance(word, int) or word.endswith("mm")
    )
    column = IFT.column_of_caliber(mm)
    assert row.itt_fp in (column, None)
    assert row.att_fp == IFT.column(Fraction(column, 2))
    assert row.ch_fp == IFT.column(2 * column)


@pytest.mark.rule("3.2.4")
def test_to_hit_modifiers() -> None:
    drm = tables.TO_HIT_DRM.values()
    assert {str(item.case): "x" if item.value is None else item.value for item in drm} == TO_HIT_2["drm"]
    assert {str(item.case): item.id for item in drm} == TO_HIT_2["drm_names"]
    limited = {case: who for who, cases in TO_HIT_2["drm_who"].items() for case in cases}
    assert {item.case: item.who for item in drm} == {case: limited.get(case, "GML") for case in range(1, 19)}


@pytest.mark.rule("3.2.4")
def test_covered_arc_and_target_size() -> None:
    for spines, (plain, turning) in TO_HIT_2["covered_arc"].items():
        for mount_360, drm in ((False, plain), (True, turning)):
            for cover in (False, True):
                found = tables.covered_arc_drm(int(spines), mount_360=mount_360, woods_or_building=cover)
                assert found == drm * (2 if cover else 1)
    assert {size: tables.target_size_drm(size) for size in TO_HIT_2["target_size"]} == TO_HIT_2["target_size"]


@pytest.mark.rule("6.5")
def test_manhandling_modifiers() -> None:
    assert printed(tables.MANHANDLING_DRM) == TO_HIT_2["manhandling"]


@pytest.mark.rule("4.4.1")
@pytest.mark.rule("4.4")
def test_light_anti_tank_weapons() -> None:
    found = {name: {"fp": row.fp, "x": row.x_number, "numbers": list(row.numbers)} for name, row in tables.LATW.items()}
    assert found == TO_HIT_2["latw"]
    assert tables.LATW["BAZ 43"].to_hit(5) is None


@pytest.mark.rule("6.2")
def test_armor_piercing_and_heat_columns() -> None:
    assert {mm: tables.ap_column(int(mm)) for mm in TO_HIT_2["ap"]} == TO_HIT_2["ap"]
    assert {mm: tables.heat_column(int(mm)) for mm in TO_HIT_2["heat"]} == TO_HIT_2["heat"]


@pytest.mark.rule("3.3")
def test_movement_factor_chart() -> None:
    rows = charts.movement_factors()
    assert {name: list(row) for name, row in rows.items()} == MOVEMENT["mf"]


CHARTED = {
    "open ground": "open",
    "orchard": "orchard",
    "orchard-road": "orchard_road",
    "road": "paved_road",
    "grain": "grain",
    "woods": "woods",
    "woods-road in woods": "woods_road",
    "wooden building": "wooden_building",
    "stone building": "stone_building_2",
}
"""The terrain of the boards that the card's chart names."""


@pytest.mark.rule("1.1.1")
@pytest.mark.parametrize("name", MOVEMENT["terrain"])
def test_the_boards_terrain_is_that_of_the_chart(name: str) -> None:
    kind = terrain.kind(CHARTED[name])
    assert kind.mf is not None
    at_one_level = kind.same_level or kind.los
    los = "no" if at_one_level == "none" else at_one_level
    assert [str(Fraction(kind.mf)), kind.tem, los, kind.rally, kind.open] == MOVEMENT["terrain"][name]


@pytest.mark.rule("1.1.1")
def test_mortars_in_woods_and_the_road_through_them() -> None:
    assert terrain.kind("woods").mortar_tem == -1
    assert terrain.kind("woods_road").road_mf == 1


@pytest.mark.rule("1.1.1")
@pytest.mark.parametrize("plant", ["grain", "orchard"])
def test_seasons(plant: str) -> None:
    months = [month for month in range(1, 13) if getattr(terrain.Season.of_month(month), plant)]
    assert months == MOVEMENT["seasons"][plant]


@pytest.mark.rule("5.3")
def test_leader_creation() -> None:
    found = {dr: charts.created_leader(int(dr)) or "" for dr in MOVEMENT["leader_creation"]}
    assert found == MOVEMENT["leader_creation"]
    assert printed(charts.LEADER_CREATION_DRM) == MOVEMENT["leader_creation_drm"]


@pytest.mark.rule("5.3")
def test_leader_creation_modifiers_of_a_unit() -> None:
    assert charts.leader_creation_drm(nation="russian", morale=7) == {"weak": 1}
    american = charts.leader_creation_drm(nation="american", morale=6, broken=True, columns_below_even=2)
    assert american == {"strong": -1, "odds": -2, "morale_low": 1, "broken": 1}
    assert charts.leader_creation_drm(nation="finnish", morale=8) == {"morale_high": -1}


@pytest.mark.rule("3.8")
def test_ambush_modifiers() -> None:
    assert printed(charts.AMBUSH_DRM) == MOVEMENT["ambush"]
    assert charts.figures("ambush")["margin"] == 3


@pytest.mark.rule("3.2.3")
def test_wounds() -> None:
    assert {dr: charts.wound_effect(int(dr)) for dr in MOVEMENT["wounds"]} == MOVEMENT["wounds"]


@pytest.mark.rule("3.1")
def test_rally_modifiers() -> None:
    assert printed(charts.RALLY_DRM) == MOVEMENT["rally"]


@pytest.mark.rule("1.2.5")
def test_smoke_counters() -> None:
    smoke = {name: [kind.hindrance, kind.out] for name, kind in COUNTERS.items() if kind.group == "smoke"}
    assert smoke == MOVEMENT["smoke"]


@pytest.mark.rule("3.0")
def test_phases_in_order() -> None:
    assert [phase.id for phase in charts.PHASES] == MOVEMENT["phases"]["order"]


@pytest.mark.rule("3.3")
@pytest.mark.parametrize("section", MOVEMENT["figures"])
def test_plain_figures(section: str) -> None:
    assert charts.figures(section) == MOVEMENT["figures"][section]
