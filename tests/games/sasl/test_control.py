"""Control of VPO and road hexes, who gains it and how (A26.1), and other lines of the missions' sheets."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sasl_support import OPTIONS, field, mission_without_suspects, playing, stand

import sandtable
from sandtable.engine.registry import register
from sandtable.games.asl.surrender import UNARMED
from sandtable.games.asl.works import model as works
from sandtable.games.sasl import GAME, missions, victory
from sandtable.games.sasl.compass import edge_cells
from sandtable.games.sasl.game import MOVES
from sandtable.games.sasl.growing import key_of
from sandtable.games.sasl.model import ENEMY, FRIENDLY, OBJECTIVES, ROAD, SUSPECTS, Objective
from sandtable.games.sasl.offensives import safe_road
from sandtable.games.sasl.roads import network
from sandtable.games.sasl.rolled import rolled_in
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import destroy_weapon, put
from sandtable.games.squad.pieces.model import Gone, Mover, Moving, SquadState, Weapon

register(GAME)
GUN = "russian 45mm PTP obr. 32 AT"


@pytest.fixture
def state() -> SquadState:
    return mission_without_suspects()


def vpo(state: SquadState, cell: int, *, worth: int = 0, owner: str = ENEMY) -> None:
    OBJECTIVES.of(state).clear()
    OBJECTIVES.of(state)["goal"] = Objective("goal", (cell,), (owner,), worth=worth)


def owner(state: SquadState) -> str:
    missions.rules_of(state).control(playing(state))
    return OBJECTIVES.of(state)["goal"].owner()


def passes(state: SquadState, unit: str, cells: list[int]) -> None:
    """A unit on the move spends its MF in these hexes, one after the other."""
    assert MOVES.spent is not None
    state.attacker, state.phase = state.units[unit].side, "MPh"
    for cell in cells:
        put(state, state.units[unit], cell)
        state.moving = Moving((Mover(unit, cells[0]),), (unit,))
        MOVES.spent(playing(state, 1))
    state.moving = None


@pytest.mark.rule("A26.11")
@pytest.mark.parametrize(("kind", "gains"), [("german 4-6-7", True), ("german 8-0", False)])
def test_whoever_passes_through_a_vpo_gains_it_though_he_goes_on(state: SquadState, kind: str, gains: bool) -> None:
    cell = field(state)
    vpo(state, cell)
    stand(state, "a", kind, cell)
    passes(state, "a", [cell, setting_of(state).ground.near[cell][0]])
    assert (OBJECTIVES.of(state)["goal"].owner() == FRIENDLY) is gains


@pytest.mark.rule("A26.11")
def test_the_enemy_takes_a_vpo_in_passing_too(state: SquadState) -> None:
    cell = field(state)
    vpo(state, cell, owner=FRIENDLY)
    stand(state, "e", "russian 4-4-7", cell)
    passes(state, "e", [cell, setting_of(state).ground.near[cell][0]])
    assert OBJECTIVES.of(state)["goal"].owner() == ENEMY


@pytest.mark.rule("M5", "A26.11")
def test_highway_every_hex_of_the_road_that_a_squad_walks_is_its_own() -> None:
    state = sandtable.new("sasl/5", seed=5, options=OPTIONS).state
    SUSPECTS.of(state).clear()
    road = network(setting_of(state))
    stand(state, "a", "german 4-6-7", road[0])
    passes(state, "a", list(road[:5]))
    assert [cell for cell in road if ROAD.of(state)[cell] == FRIENDLY] == list(road[:5])
    lines = {name: ours for name, ours, _ in missions.rules_of(state).tally(state)}
    assert lines["Road hexes"] == 2.5


@pytest.mark.rule("A26.1")
@pytest.mark.parametrize(
    ("ours", "theirs", "gains"),
    [((), None, True), ((), (), False), ((), (UNARMED,), True), ((UNARMED,), None, False)],
)
def test_only_armed_units_gain_control_and_prevent_it(
    state: SquadState, ours: tuple[str, ...], theirs: tuple[str, ...] | None, gains: bool
) -> None:
    cell = field(state)
    vpo(state, cell)
    stand(state, "a", "german 4-6-7", cell, marks=ours)
    if theirs is not None:
        stand(state, "e", "russian 4-4-7", cell, marks=theirs, broken=True)
    assert (owner(state) == FRIENDLY) is gains


@pytest.mark.rule("M4", "A26.14")
def test_a_pillbox_is_gained_from_within(state: SquadState) -> None:
    cell = field(state)
    box = works.lay_pillbox(state, cell, ENEMY, (2, 5, 7), 0)
    vpo(state, cell, worth=14)
    unit = stand(state, "a", "german 4-6-7", cell)
    assert owner(state) == ENEMY
    works.put_in(state, unit, box)
    assert owner(state) == FRIENDLY


@pytest.mark.rule("M4 MSR 3")
def test_engineers_throw_smoke_with_an_exponent_of_three_and_carry_their_own_charges() -> None:
    for seed in range(1, 20):
        state = sandtable.new("sasl/4", seed=seed, options={**OPTIONS, "engineers": "accept"}).state
        if rolled_in(state).engineers:
            break
    squads = [unit for unit in state.units.values() if unit.group == "engineers" and unit_kind(state, unit).squad]
    others = [unit for unit in state.units.values() if unit.group == "company" and unit_kind(state, unit).squad]
    assert len(squads) in (2, 3)
    assert {unit_kind(state, unit).smoke for unit in squads} == {3}
    assert 3 not in {unit_kind(state, unit).smoke for unit in others}
    assert all(unit.weapons for unit in squads)


@pytest.mark.rule("S17.1321")
@pytest.mark.parametrize(("mission", "points"), [(4, 3), (19, 2)])
def test_what_the_mission_lends_counts_more_where_its_sheet_says_so(
    state: SquadState, mission: int, points: float
) -> None:
    state.setting = key_of(state, replace(rolled_in(state), mission=mission))
    state.gone["f1"] = Gone("f1", FRIENDLY, "german 4-6-7", "eliminated", "engineers", 2)
    assert victory.casualties(state, FRIENDLY) == points


@pytest.mark.rule("M8")
def test_patrol_the_rest_of_the_column_enters_on_the_road_or_beside_it() -> None:
    state = sandtable.new("sasl/8", seed=4, options=OPTIONS).state
    setting = setting_of(state)
    start = network(setting)[0]
    allowed = setting.entry_areas["company"]
    assert start in allowed
    assert set(allowed) == {cell for cell in edge_cells(setting, "west") if setting.ground.ranges[start][cell] <= 1}
    assert len(setting.entry_areas["from west"]) > len(allowed)


@pytest.mark.rule("S15.7", "A26.222")
@pytest.mark.parametrize(("group", "destroyed", "taken", "points"), [("company", 1, 0, 2), ("from west", 0, 1, 6)])
def test_friendly_guns_that_are_lost_count_for_the_enemy(
    state: SquadState, group: str, destroyed: int, taken: int, points: float
) -> None:
    cell = field(state)
    stand(state, "e", "russian 4-4-7", cell)
    for number in range(destroyed):
        state.gone[f"g{number}"] = Gone(f"g{number}", FRIENDLY, GUN, "destroyed", group)
    for number in range(taken):
        state.weapons[f"w{number}"] = Weapon(f"w{number}", FRIENDLY, GUN, group, owner="e")
    assert victory.casualties(state, FRIENDLY) == points
    assert victory.casualties(state, ENEMY) == 0


@pytest.mark.rule("S15.7", "A26.222")
def test_a_captured_gun_that_is_destroyed_counts_once_and_a_prisoner_twice(state: SquadState) -> None:
    taken = stand(state, "t1", "german 4-6-7", field(state))
    gun = state.weapons["g"] = Weapon("g", ENEMY, GUN, "enemy", owner=taken.id)
    state.units[taken.id] = replace(taken, weapons=("g",))
    assert victory.casualties(state, ENEMY) == 4
    destroy_weapon(playing(state), gun)
    assert victory.casualties(state, ENEMY) == 2
    state.gone["e"] = Gone("e", ENEMY, "russian 4-4-7", "captured", "enemy", points=2)
    assert victory.casualties(state, ENEMY) == 2 + 4
    assert victory.casualties(state, FRIENDLY) == 0


@pytest.mark.rule("M5")
@pytest.mark.parametrize(("marks", "hexes"), [((), 0), ((UNARMED,), 1)])
def test_highway_an_unarmed_enemy_does_not_make_the_road_unsafe(marks: tuple[str, ...], hexes: int) -> None:
    state = sandtable.new("sasl/5", seed=5, options=OPTIONS).state
    SUSPECTS.of(state).clear()
    road = network(setting_of(state))
    ROAD.of(state)[road[0]] = FRIENDLY
    near = next(cell for cell in setting_of(state).ground.near[road[0]] if sees(state, cell, road[0]))
    stand(state, "e", "russian 4-4-7", near, marks=marks)
    assert safe_road(state) == hexes


@pytest.mark.rule("S12.5")
@pytest.mark.parametrize(
    ("mission", "words"),
    [
        (1, "or less"),
        (3, "for every two boards of A8e"),
        (4, "-1 drm for each later turn"),
        (8, "for each later turn"),
    ],
)
def test_the_roster_says_what_makes_an_end_easier(state: SquadState, mission: int, words: str) -> None:
    assert missions.MISSIONS[mission].end_words(state).endswith(words)
