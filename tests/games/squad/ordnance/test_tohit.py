"""To Hit numbers and the eighteen modifiers of the card (3.2.4, 4.5, 5.4, 5.5, 6.2, 6.7, 6.10)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from ordnance_support import arc, point
from squad_support import cell, drill, get, get_weapon, rule, unit, weapon

from sandtable.engine import Match
from sandtable.games.squad.ground.counters import lay
from sandtable.games.squad.ground.setting import ground_of
from sandtable.games.squad.ordnance.tohit import RED_NATIONS, OrdnanceShot, ToHit, rate_of, to_hit, uses_red
from sandtable.games.squad.pieces.model import FIRST_FIRE, PREP_FIRE, Acquired, Counter, Mover, Moving

PAK = "german 7.5cm PaK 40 AT"
MORTAR = "german 5cm leGrW 36"


def position(crew: str = "german 2-2-8", gun: str = PAK, target: str = "E6", **more: Any) -> Match:
    """A weapon in E8 whose Covered Arc holds E6 (woods, range 2), and an enemy squad there."""
    match = drill(
        "xwinter",
        more.pop("phase", "PFPh"),
        [
            unit("crew", crew, "E8", **more.pop("owner", {})),
            unit("l", "german 9-1", "E8"),
            unit("r1", "russian 4-4-7", target),
        ],
        [weapon("w", gun, "crew", facing=0 if "cm leGrW" not in gun and "PSK" not in gun else -1, **more)],
        attacker="german",
    )
    if get_weapon(match, "w").facing >= 0:
        point(match, "w", "E8", "D7", "E7")
    return match


def shot(match: Match, target_type: str = "ITT", ammo: str = "HE", **more: Any) -> ToHit:
    """The figures of a shot at the Russian squad."""
    target = more.pop("target", get(match, "r1").at)
    return to_hit(match.state, OrdnanceShot("german", more.pop("mode", "prep"), "w", target, target_type, ammo, **more))


def lines(figures: ToHit) -> dict[str, float]:
    return {item.label: item.value for item in figures.tally.items}


@rule("3.2.4")
def test_tem_counts_on_the_infantry_target_type_only() -> None:
    match = position()
    assert lines(shot(match)) == {"woods": 1}
    assert lines(shot(match, "ATT")) == {}
    assert shot(match).column == 12
    assert shot(match, "ATT").column == 6


@rule("3.5")
def test_case_1_fire_in_the_afph() -> None:
    figures = shot(position(), mode="advancing")
    assert figures.tally.total == 1 + 2
    assert figures.rate == 0


@rule("3.2.3")
def test_case_2_a_pinned_firer_adds_two_and_has_no_rate_of_fire() -> None:
    figures = shot(position(owner={"pinned": True}))
    assert figures.tally.total == 1 + 2
    assert figures.rate == 0


@rule("1.2.6")
@rule("3.2.4")
@rule("6.12")
def test_case_3_non_qualified_use() -> None:
    figures = shot(position("german 4-6-7"))
    assert figures.tally.total == 1 + 2
    assert figures.red
    assert (figures.rate, figures.breakdown, figures.lowered) == (1, 10, True)


@rule("5.5")
def test_case_4_captured_use() -> None:
    match = position("german 2-2-8", "russian 45mm PTP obr. 32 AT", side="russian", group="russian")
    figures = shot(match)
    assert figures.tally.total == 1 + 2
    assert figures.red
    assert (figures.rate, figures.breakdown) == (2, 10)


@rule("3.3")
def test_case_5_an_exhausted_firer_adds_one() -> None:
    assert shot(position(owner={"cx": True})).tally.total == 1 + 1


@rule("4.5")
def test_case_6_leadership_helps_support_weapons() -> None:
    figures = shot(position("german 4-6-7", MORTAR), "ATT", leader="l")
    assert figures.tally.total == -1
    assert figures.rate == 3


@rule("4.5")
def test_a_lone_leader_has_no_rate_of_fire_with_a_light_mortar() -> None:
    assert shot(position("german 8-1", MORTAR), "ATT").rate == 0


@rule("6.2")
def test_case_7_smoke_is_easier_up_to_twelve_hexes() -> None:
    match = position()
    assert shot(match, "ATT", "s").tally.total == -2
    ranges = ground_of(match.state).ranges[get(match, "crew").at]
    near, far = ranges.index(12), ranges.index(13)
    label = "Smoke fired at less than 13 hexes"
    assert label in lines(shot(match, "ATT", "s", target=near))
    assert label not in lines(shot(match, "ATT", "s", target=far))


@rule("3.2.4")
@pytest.mark.parametrize(("steps", "value"), [(1, 3), (2, 4), (3, 5)])
def test_case_8_a_non_turreted_gun_pays_for_its_covered_arc(steps: int, value: int) -> None:
    match = position()
    wanted = get_weapon(match, "w").facing
    match.state.weapons["w"] = replace(get_weapon(match, "w"), facing=(wanted + steps) % 6)
    figures = shot(match, facing=wanted)
    assert figures.tally.total == 1 + value
    assert figures.rate == 1


@rule("3.2.4")
def test_case_8_is_doubled_in_woods_and_buildings_and_small_for_360_degrees() -> None:
    match = drill(
        "xwinter",
        "PFPh",
        [unit("crew", "german 2-2-8", "E6"), unit("r1", "russian 4-4-7", "E8")],
        [weapon("w", "german 2cm FlaK 38 AA", "crew", facing=0)],
        attacker="german",
    )
    point(match, "w", "E6", "E7", "F6")
    held = get_weapon(match, "w").facing
    match.state.weapons["w"] = replace(get_weapon(match, "w"), facing=(held + 2) % 6)
    figures = shot(match, facing=held)
    assert lines(figures)["Covered Arc changed by 2"] == 4
    # a 360 degree mount keeps its Rate of Fire
    assert figures.rate == 3


@rule("3.2.4")
def test_case_9_intensive_fire() -> None:
    match = position(marker=PREP_FIRE, shots=1)
    figures = shot(match)
    assert figures.tally.total == 1 + 2
    assert (figures.rate, figures.breakdown, figures.lowered) == (0, 10, True)


@rule("4.4.2")
def test_case_10_backblast_avoided() -> None:
    match = drill(
        "w1943",
        "PFPh",
        [unit("crew", "american 7-4-7", "E4"), unit("r1", "german 4-6-7", "E5")],
        [weapon("w", "american BAZ 43", "crew")],
    )
    assert shot(match, "LATW", "H", backblast="avoided").tally.total == 2 + 2
    assert shot(match, "LATW", "H", backblast="suffered").tally.total == 2


@rule("1.2.5")
def test_case_12_hindrance_counts_for_both_target_types() -> None:
    match = position()
    lay(match.state, cell(match, "E7"), Counter("dispersed", "german"))
    base = shot(match, "ATT").tally.total
    assert base == 2
    assert shot(match).tally.total == 1 + 2


@rule("3.3.1")
def test_cases_13_and_14_moving_targets() -> None:
    match = position(target="E10")
    point(match, "w", "E8", "E9", "F8")
    e10 = cell(match, "E10")
    match.state.moving = Moving((Mover("r1", start=e10, spent=2, here=2, hexes=1),), ("r1",))
    opened = ground_of(match.state).open[e10]
    found = lines(shot(match, mode="first"))
    assert found["FFNAM"] == -1
    assert found.get("FFMO", 0) == (-1 if opened else 0)


@rule("6.10")
def test_case_15_a_counter_helps_only_against_its_target() -> None:
    match = position()
    e6 = cell(match, "E6")
    gun = get_weapon(match, "w")
    match.state.weapons["w"] = replace(gun, acquired=Acquired(e6, -2, False, ("r1",)))
    assert shot(match).tally.total == 1 - 2
    match.state.weapons["w"] = replace(gun, acquired=Acquired(e6, -2, False, ("l",)))
    assert shot(match).tally.total == 1
    match.state.weapons["w"] = replace(gun, acquired=Acquired(e6, -1, True))
    assert shot(match).tally.total == 1 - 1
    match.state.weapons["w"] = replace(gun, acquired=Acquired(e6, -1, False))
    assert shot(match).tally.total == 1 - 1


@rule("6.5")
def test_case_16_hazardous_movement_in_any_phase() -> None:
    match = position()
    match.state.units["r1"] = replace(get(match, "r1"), hazardous=True)
    assert lines(shot(match))["Hazardous Movement"] == -2


@rule("6.7")
@pytest.mark.parametrize(
    ("gun", "reading", "size"),
    [
        ("russian 45mm PTP obr. 32 AT", "corrected", 1),
        ("russian 45mm PTP obr. 32 AT", "card", -1),
        ("russian 76.2mm P obr. 39 ART", "corrected", 0),
        ("russian 76.2mm P obr. 39 ART", "card", 0),
        ("german 8.8cm FlaK 18 o. 36 AA", "corrected", -1),
        ("german 8.8cm FlaK 18 o. 36 AA", "card", 1),
    ],
)
def test_case_17_the_size_of_a_gun(gun: str, reading: str, size: int) -> None:
    match = drill(
        "xwinter",
        "PFPh",
        [unit("crew", "german 2-2-8", "E8"), unit("r1", "russian 2-2-8", "E6")],
        [weapon("w", PAK, "crew", facing=0), weapon("t", gun, "r1", facing=0, emplaced=True)],
        attacker="german",
        options={"target_size": reading},
    )
    point(match, "w", "E8", "D7", "E7")
    # an emplaced Gun in woods uses the better of +2 and +1, not both
    assert shot(match).tally.total == 2 + size


@rule("6.4")
def test_case_18_a_hex_without_known_enemies() -> None:
    match = position()
    assert lines(shot(match, target=cell(match, "E7")))["fire at a hex where no enemy is seen"] == 2
    match.state.units["r1"] = replace(get(match, "r1"), hip=True)
    figures = shot(match)
    assert not figures.known
    assert figures.targets[0].drm == 1 + 2


@rule("3.2.4")
@pytest.mark.parametrize(
    ("board", "crew", "gun", "red"),
    [
        ("xwinter", "german 2-2-8", PAK, False),
        ("xwinter", "russian 2-2-8", "russian 45mm PTP obr. 32 AT", True),
        ("w1943", "american 2-2-7", "american M1 57mm AT", True),
        ("x1944", "american 2-2-7", "american M1 57mm AT", False),
        ("xwinter", "british 2-2-8", "british OQF 40mm Bofors AA", False),
        ("xwinter", "german 4-6-7", PAK, True),
        ("xwinter", "russian 2-2-8", PAK, True),
    ],
    ids=["german", "russian", "american 1943", "american 1944", "british", "no crew", "captured"],
)
def test_who_uses_red_numbers(board: str, crew: str, gun: str, red: bool) -> None:
    match = drill(board, "PFPh", [unit("c", crew, "E8")], [weapon("w", gun, "c", facing=0)])
    assert uses_red(match.state, get_weapon(match, "w"), "ITT") is red
    assert uses_red(match.state, get_weapon(match, "w"), "ATT")


@rule("3.2.4")
def test_the_nations_whose_guns_have_red_numbers() -> None:
    assert set(RED_NATIONS) == {"russian", "italian", "allied_minor"}


@rule("5.4")
def test_inexperienced_gunners_use_red_numbers_and_break_down_sooner() -> None:
    match = position("german 4-3-6")
    figures = shot(match)
    assert figures.red
    # Non-Qualified and Inexperienced: 12 - 2 - 1
    assert figures.breakdown == 9


@rule("6.2")
def test_columns_of_ap_and_heat() -> None:
    match = position()
    assert shot(match, "ITT", "AP").column == 2
    flak = position("german 2-2-8", "german 3.7cm FlaK 36 o. 37 AA", target="C7")
    figures = shot(flak, "ITT", "H")
    assert (figures.number.number, figures.column) == (11 - figures.distance, 2)


@rule("3.3.1")
def test_intensive_fire_as_defensive_first_fire_is_lowered_too() -> None:
    figures = shot(position(marker=FIRST_FIRE), mode="first", target=cell(position(), "E7"))
    assert figures.intensive
    assert figures.outside >= 2


def test_the_arc_helper_finds_the_hexspine() -> None:
    match = position()
    assert get_weapon(match, "w").facing == arc(match, "E8", "D7", "E7")


@rule("3.2.4")
@pytest.mark.parametrize(
    ("gun", "lower"),
    [(PAK, 1), ("russian 76.2mm P obr. 39 ART", 1), ("german 8cm GrW 34 MTR", 0)],
)
def test_turning_lowers_the_rate_of_fire_of_all_but_medium_mortars(gun: str, lower: int) -> None:
    side = gun.partition(" ")[0]
    enemy = {"german": "russian 4-4-7", "russian": "german 4-6-7"}[side]
    units = [unit("crew", f"{side} 2-2-8", "E8"), unit("e", enemy, "E6")]
    state = drill("xwinter", "PFPh", units, [weapon("w", gun, "crew", facing=0)], attacker=side).state
    declared = OrdnanceShot(side, "prep", "w", state.units["e"].at, "ITT")
    straight, turned = (rate_of(state, state.weapons["w"], declared, turned=turned) for turned in (False, True))
    assert straight - turned == lower
    assert straight > 1
