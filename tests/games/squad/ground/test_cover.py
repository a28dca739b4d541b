"""Terrain in play: TEM, Height Advantage, Woods-Roads, Smoke on lines of sight, FFMO (1.1.1, 1.2.5, 3.2.1, 3.3.1)."""

from __future__ import annotations

import pytest
from squad_support import cell, do, drill, get, offered, rule, unit, weapon

from sandtable.engine import Match
from sandtable.games.squad.ground.cover import terrain_item
from sandtable.games.squad.ground.map import BLOCKED
from sandtable.games.squad.ground.movers import mf_spent_here, movement_items, residual_items
from sandtable.games.squad.ground.sight import known_enemies, los
from sandtable.games.squad.movement.model import AddMover, BeginMove, StartMove, Step
from sandtable.games.squad.rout.interdiction import interdictors


def tem(match: Match, source: str, name: str, *, mortar: bool = False) -> int:
    who = get(match, name)
    return int(terrain_item(match.state, cell(match, source), who.at, who, mortar=mortar)[1])


def move(match: Match, name: str, *hexes: str, road: bool = True, assault: bool = False) -> None:
    do(match, StartMove(name), BeginMove(assault=assault))
    for place in hexes:
        steps = [step for step in offered(match, Step) if step.to == cell(match, place)]
        do(match, next((step for step in steps if step.road == road), steps[0]))


def drm(match: Match, source: str, name: str, hindrance: int = 0, *, mortar: bool = False) -> list[str]:
    items = movement_items(match.state, cell(match, source), get(match, name), hindrance, mortar=mortar)
    return [item[0] for item in items]


@rule("1.1.1")
@pytest.mark.parametrize(
    ("board", "place", "value", "against_mortars"),
    [
        ("z", "J5", 3, 3),
        ("w", "EE8", 1, -1),
        ("w", "W3", 0, 0),
        ("w", "E9", 0, 0),
        ("w", "H7", 0, 0),
    ],
)
def test_tem(board: str, place: str, value: int, against_mortars: int) -> None:
    match = drill(board, "PFPh", [unit("a", "russian 4-4-7", place)])
    assert tem(match, "A5", "a") == value
    assert tem(match, "A5", "a", mortar=True) == against_mortars


@rule("1.1.1")
class TestHeightAdvantage:
    """The hill example of the booklet, on board w."""

    @rule("3.2.1")
    def test_a_higher_target_has_it_and_the_line_passes_over_grain(self) -> None:
        match = drill("w", "PFPh", [unit("a", "american 6-6-6", "I7"), unit("g", "german 4-6-7", "E9")])
        assert los(match.state, cell(match, "E9"), cell(match, "I7")) == 0
        assert tem(match, "E9", "a") == 1
        assert tem(match, "E9", "a", mortar=True) == 0, "not against mortars"
        assert los(match.state, cell(match, "E9"), cell(match, "I6")) == BLOCKED

    def test_not_for_a_mover_who_crossed_the_crest_under_fire(self) -> None:
        match = drill("w", "MPh", [unit("a", "american 5-3-6", "H7")])
        move(match, "a", "I7")
        assert tem(match, "E9", "a") == 0
        assert drm(match, "E9", "a") == ["FFNAM", "FFMO"]

    def test_but_for_one_who_came_along_the_height(self) -> None:
        match = drill("w", "MPh", [unit("a", "american 3-3-7", "I6")])
        move(match, "a", "I7")
        assert tem(match, "E9", "a") == 1
        assert drm(match, "E9", "a") == ["FFNAM"], "no FFMO with Height Advantage"
        assert drm(match, "E9", "a", mortar=True) == ["FFNAM", "FFMO"], "which is no cover from mortars"

    def test_only_a_mortar_interdicts_uphill(self) -> None:
        units = [unit("a", "american 6-6-6", "I7", broken=True), unit("g", "german 4-6-7", "E9")]
        for kind, found in (("german LMG", []), ("german 5cm leGrW 36", ["g"])):
            match = drill("w", "RtPh", units, [weapon("w1", kind, "g")])
            threats = interdictors(match.state, cell(match, "I7"), "russian")
            assert [enemy.id for enemy in threats] == found, kind

    def test_a_building_is_no_height(self) -> None:
        match = drill("w", "PFPh", [unit("a", "american 5-3-6", "G7")])
        assert tem(match, "E9", "a") == 3


@rule("1.1.1")
def test_woods_road_at_the_road_rate_has_no_woods_around_a_line_along_it() -> None:
    match = drill("y", "MPh", [unit("a", "russian 4-4-7", "H2")])
    move(match, "a", "G3")
    assert tem(match, "I2", "a") == 0
    assert drm(match, "I2", "a") == ["FFNAM", "FFMO"]
    match = drill("y", "MPh", [unit("a", "russian 4-4-7", "H2")])
    move(match, "a", "G3", road=False)
    assert tem(match, "I2", "a") == 1
    assert drm(match, "I2", "a") == ["FFNAM"]
    assert mf_spent_here(match.state) == 2


@rule("1.1.1")
def test_on_an_orchard_road_ffmo_needs_a_line_that_stays_on_the_road() -> None:
    match = drill("w", "MPh", [unit("a", "russian 4-4-7", "CC6")])
    move(match, "a", "BB5")
    assert drm(match, "AA5", "a") == ["FFNAM", "FFMO"]
    assert drm(match, "BB4", "a") == ["FFNAM"], "the line leaves the road between the trees"


@rule("3.3.1")
def test_ffmo_and_ffnam() -> None:
    match = drill("z", "MPh", [unit("a", "russian 4-4-7", "H5")])
    move(match, "a", "I5")
    assert drm(match, "K5", "a") == ["FFNAM", "FFMO"]
    assert drm(match, "K5", "a", hindrance=1) == ["FFNAM"], "not through a Hindrance"
    match = drill("z", "MPh", [unit("a", "russian 4-4-7", "H5")])
    move(match, "a", "I5", assault=True)
    assert drm(match, "K5", "a") == ["FFMO"]
    match.state.units["a"] = unit_with(match, broken=True)
    assert drm(match, "K5", "a") == ["FFNAM", "FFMO"], "a broken unit no longer uses Assault Movement"
    match.state.units["a"] = unit_with(match, broken=False, pinned=True)
    assert drm(match, "K5", "a") == [], "a pinned unit is not moving"


def unit_with(match: Match, **changes: bool) -> object:
    from msgspec.structs import replace

    return replace(get(match, "a"), **changes)


@rule("1.1.1")
@rule("3.3.1")
def test_orchards_are_not_open_ground_and_residual_fp_sees_the_terrain() -> None:
    match = drill("z", "MPh", [unit("a", "russian 4-2-6", "H6")])
    move(match, "a", "I6", "J6")
    assert drm(match, "K5", "a") == ["FFNAM"]
    assert [item[0] for item in residual_items(match.state, get(match, "a"))] == ["FFNAM"]
    match = drill("z", "MPh", [unit("a", "russian 4-4-7", "I5")])
    move(match, "a", "J5")
    assert sum(item[1] for item in residual_items(match.state, get(match, "a"))) == 2


@rule("1.2.5")
@rule("3.2.1")
def test_smoke_hinders_through_into_and_out_of() -> None:
    clouds = {"I5": [{"kind": "grenade", "side": "german"}]}
    match = drill("z", "PFPh", [unit("a", "russian 4-4-7", "H5")], smoke=clouds)
    state = match.state
    h5, i5, k4, j4 = (cell(match, name) for name in ("H5", "I5", "K4", "J4"))
    plain = drill("z", "PFPh", []).state
    assert los(state, h5, i5) == los(plain, h5, i5) + 2
    assert los(state, i5, j4) == los(plain, i5, j4) + 3, "one more out of Smoke"
    if los(plain, h5, k4) != BLOCKED:
        assert los(state, h5, k4) == los(plain, h5, k4) + 2
    several = {"I5": [{"kind": "smoke", "side": "german"}, {"kind": "grenade", "side": "russian"}]}
    match = drill("z", "PFPh", [], smoke=several)
    assert los(match.state, h5, i5) == los(plain, h5, i5) + 3, "one Hindrance a hex, the thickest"
    both = {name: [{"kind": "smoke", "side": "german"}] for name in ("H5", "I5")}
    match = drill("z", "PFPh", [], smoke=both)
    assert los(match.state, h5, i5) == BLOCKED, "six Hindrances block"


@rule("1.2.5")
def test_ordnance_smoke_thins_at_the_start_of_its_owners_prep_fire() -> None:
    from sandtable.games.squad.phases.model import EndPhase

    clouds = {
        "I5": [{"kind": "smoke", "side": "russian"}],
        "J5": [{"kind": "dispersed", "side": "russian"}],
        "K5": [{"kind": "wp", "side": "german"}],
    }
    match = drill("z", "RPh", [unit("a", "russian 4-4-7", "H5")], smoke=clouds)
    while match.state.phase == "RPh":
        do(match, match.actions(match.to_act[0])[-1])
    kinds = {name: [s.kind for s in match.state.counters.get(cell(match, name), ())] for name in clouds}
    assert kinds == {"I5": ["dispersed"], "J5": [], "K5": ["wp"]}
    assert EndPhase() in match.actions(match.to_act[0])


@rule("2.0")
def test_known_enemies_are_those_in_sight() -> None:
    units = [
        unit("a", "russian 4-4-7", "I5"),
        unit("g", "german 4-6-7", "K5"),
        unit("far", "german 4-6-7", "GG10"),
        unit("hidden", "german 2-2-8", "K4", hip=True),
    ]
    match = drill("z", "PFPh", units)
    assert [enemy.id for enemy in known_enemies(match.state, cell(match, "I5"), "russian")] == ["g"]


@rule("3.2.3")
def test_broken_units_fall_under_dm_when_an_enemy_comes_beside_them() -> None:
    match = drill("z", "MPh", [unit("a", "russian 4-4-7", "H5"), unit("g", "german 4-6-7", "J5", broken=True)])
    move(match, "a", "I5")
    assert get(match, "g").dm


@rule("6.4")
def test_a_hidden_gun_throws_movers_back() -> None:
    units = [
        unit("a", "russian 4-4-7", "I4"),
        unit("b", "russian 4-4-7", "I4"),
        unit("c", "german 2-2-8", "J3", hip=True),
    ]
    match = drill(
        "z", "MPh", units, [{"id": "w", "kind": "german 7.5cm PaK 40 AT", "owner": "c", "hip": True, "facing": 0}]
    )
    do(match, StartMove("a"), AddMover("b"), BeginMove())
    do(match, Step(cell(match, "J3")))
    assert get(match, "a").at == cell(match, "I4")
    assert get(match, "a").moved
    assert get(match, "b").moved
    assert not get(match, "c").hip
    assert not match.state.weapons["w"].hip


@rule("6.4")
@pytest.mark.parametrize(("place", "hidden"), [("I6", False), ("J5", True)])
def test_a_hidden_gun_is_seen_in_the_open_but_not_in_a_building(place: str, hidden: bool) -> None:
    units = [unit("a", "russian 4-4-7", "I4"), unit("c", "german 2-2-8", place, hip=True)]
    gun = {"id": "w", "kind": "german 7.5cm PaK 40 AT", "owner": "c", "hip": True, "facing": 0}
    match = drill("z", "MPh", units, [gun])
    move(match, "a", "I5")
    assert get(match, "c").hip is hidden
    assert match.to_act == ("german",) if hidden else True, "the window opens while something is hidden"
