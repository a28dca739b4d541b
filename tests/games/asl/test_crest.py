"""Crest status in gullies, streams and sunken roads (B20.9-B20.98)."""

from __future__ import annotations

from typing import Any

import pytest
from asl_support import everything, field, game, rule, unit
from squad_support import at, cell, do, get, happened, offered, weapon

import sandtable
from sandtable.engine import Match
from sandtable.engine.errors import IllegalAction
from sandtable.engine.harness import fuzz
from sandtable.games.asl.crest.cover import line_bar
from sandtable.games.asl.crest.fighting import WentDown
from sandtable.games.asl.crest.going import AdvanceToCrest, CrestTaken, EnterCrest, SetUpAtCrest, TakeCrest, to_lip
from sandtable.games.asl.crest.model import fronts, protected
from sandtable.games.asl.crest.part import CRESTS
from sandtable.games.asl.crest.switches import CrestRules
from sandtable.games.asl.heat.berserk import target_of
from sandtable.games.asl.terrain.ground import GROUND, AslGround
from sandtable.games.asl.terrain.part import TERRAIN
from sandtable.games.asl.terrain.switches import TerrainRules
from sandtable.games.asl.terrain.walls import asl_ground
from sandtable.games.squad.combat.fighting import assault
from sandtable.games.squad.combat.model import AdvanceTo, AttackAll, Combat, CombatAttack, StartAdvance
from sandtable.games.squad.fire.firepower import volley
from sandtable.games.squad.fire.model import AimAt, FireAttack, ResolveFire, StartFire
from sandtable.games.squad.ground.cover import also_reached, in_the_open, mover_of, terrain_item
from sandtable.games.squad.ground.map import Location
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import fits
from sandtable.games.squad.movement.model import BeginMove, DropWeapon, Pass, StartMove, Step, Stop
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.scenario.model import PickUnit
from sandtable.games.squad.show.scene import make_scene
from sandtable.space.boardfile import parse_board
from sandtable.space.los import BLOCKED, LosTable
from sandtable.space.terrain import IN_SEASON

RUSSIAN, GERMAN = "russian 4-4-7", "german 4-6-7"
CREST = "G3 crest"
game("crest", *TERRAIN, *CRESTS, switches=(TerrainRules(), CrestRules()))
game("no crest", *TERRAIN, *CRESTS, switches=(TerrainRules(), CrestRules(crest_status=False)))


def dug(phase: str, *units: dict[str, Any], **more: Any) -> Match:
    """A German squad at the Crest of the stream in G3, facing east by north."""
    return everything(phase, unit("g", GERMAN, CREST, within="crest 1"), *units, **more)


def tem(match: Match, source: str, name: str = "g", *, mortar: bool = False) -> tuple[str, float]:
    target = get(match, name)
    return terrain_item(match.state, cell(match, source), target.at, target, mortar=mortar)[:2]


# -- who takes it, and what it costs -------------------------------------------------------


@rule("B20.91")
def test_from_in_the_stream_it_costs_two_mf_and_a_choice_of_fronts() -> None:
    match = everything("MPh", unit("r", RUSSIAN, "G3"), unit("g", GERMAN, "A5"))
    do(match, StartMove("r"), BeginMove())
    assert offered(match, TakeCrest) == [TakeCrest(side) for side in (1, 2, 4, 5)]
    words = match.describe("russian", TakeCrest(1))
    assert words.text == "Go up to the Crest, facing H2"
    assert (words.cost, words.rule, words.cells) == ("2 MF", "B20.91", ("G3",))
    (taken,) = happened(do(match, TakeCrest(1)), CrestTaken)
    assert match.game.words(taken, match.state) == "4-4-7 r is at the Crest of G3, facing H2"
    assert (at(match, "r"), get(match, "r").within) == (CREST, "crest 1")
    assert match.state.moving is not None
    assert match.state.moving.movers[0].spent == 4


@rule("B20.91")
def test_a_refusal_says_whether_the_front_or_the_mf_are_wrong() -> None:
    match = everything("MPh", unit("r", RUSSIAN, "H3"), unit("g", GERMAN, "A5"))
    do(match, StartMove("r"), BeginMove(), Step(cell(match, "G3")))
    with pytest.raises(IllegalAction, match="A front points towards a hexside"):
        do(match, TakeCrest(0))
    with pytest.raises(IllegalAction, match="costs 2 MF, which are not left"):
        do(match, TakeCrest(1))
    with pytest.raises(IllegalAction, match="A front points towards a hexside"):
        do(match, EnterCrest(cell(match, "G4"), 3))


@rule("B20.91")
def test_over_the_bank_it_costs_one_mf_less_than_the_stream() -> None:
    match = everything("MPh", unit("r", RUSSIAN, "H2"), unit("r2", RUSSIAN, "H3"), unit("g", GERMAN, "A5"))
    do(match, StartMove("r2"), BeginMove())
    costs = {action.to: match.describe("russian", action).cost for action in offered(match, EnterCrest)}
    assert costs[cell(match, "G3")] == "2 MF"
    assert costs[cell(match, "H2")] == "1 MF"
    do(match, EnterCrest(cell(match, "G3"), 2))
    assert at(match, "r2") == CREST


@rule("B20.91")
def test_who_comes_over_a_bank_faces_it() -> None:
    match = everything("MPh", unit("r", RUSSIAN, "H3"), unit("g", GERMAN, "A5"))
    ground, target = asl_ground(match.state), cell(match, "G3")
    over = ground.sides[target].index(cell(match, "H3"))
    do(match, StartMove("r"), BeginMove())
    taken = [action.front for action in offered(match, EnterCrest) if action.to == target]
    assert taken == [front for front in (1, 2) if (front - over) % 6 in (0, 1, 5)]


@rule("B20.9")
def test_no_crest_on_a_bridge_and_none_with_a_gun() -> None:
    match = everything("MPh", unit("r", RUSSIAN, "G4"), unit("g", GERMAN, "A5"))
    ground = asl_ground(match.state)
    assert cell(match, "G5") not in ground.twins
    assert fronts(ground, cell(match, "I2")) == [0, 1, 3, 5]
    assert {ground.names[cell] for cell in ground.floors.values()} >= {"H2", "I2", "J2", "G6", "J7", "K7"}


@rule("B20.9")
def test_the_switch_leaves_it_out() -> None:
    match = field("MPh", unit("r", RUSSIAN, "G3"), unit("g", GERMAN, "A5"), game="no crest")
    do(match, StartMove("r"), BeginMove())
    assert offered(match, TakeCrest) == []
    with pytest.raises(IllegalAction, match="without Crest status"):
        do(match, TakeCrest(1))


@rule("B20.91")
def test_an_advance_takes_it_without_leaving_the_hex() -> None:
    match = everything("APh", unit("r", RUSSIAN, "G3"), unit("r2", RUSSIAN, "O5"), unit("g", GERMAN, "A5"))
    assert match.describe("russian", AdvanceToCrest("r", 4)).text == "4-4-7 r goes up to the Crest, facing F3"
    do(match, AdvanceToCrest("r", 4))
    assert (at(match, "r"), get(match, "r").advanced) == (CREST, True)


@rule("B20.91")
@pytest.mark.parametrize(("level", "bed", "more"), [(0, -1, 0), (1, -1, -1), (0, 0, 2), (1, 0, 0), (0, 1, 2)])
def test_the_lip_is_reached_at_its_own_level(level: int, bed: int, more: int) -> None:
    """From one level up it is one level down, where the bed is two; from the level of the bed it is uphill."""
    lines = [f"C3 open level={level}", f"D3 gully level={bed} gully=0,3"]
    board = parse_board("board t\ntitle Test\nhexes 8 7\n\n" + "\n".join(lines))
    grid, facts = board.grid, [board[name] for name in board.grid.names]
    lip = Location(grid.index("D3"), "crest", 1, terrain="open", shared=True)
    ground = AslGround(grid, facts, LosTable(board.raster(), GROUND.los), IN_SEASON, others=[lip])
    way = ground.way(grid.index("C3"), grid.index("D3"))
    assert way is not None
    assert to_lip(ground, grid.index("C3"), way) == 2 * more


@rule("A12.14")
@pytest.mark.parametrize(("front", "kept"), [(1, True), (4, False)])
def test_a_question_mark_that_comes_up_to_the_crest_is_in_the_open_to_those_behind_it(front: int, kept: bool) -> None:
    match = everything("APh", unit("r", RUSSIAN, "G3", concealed=True), unit("g", GERMAN, "J4"))
    do(match, AdvanceToCrest("r", front))
    assert get(match, "r").concealed is kept


@rule("B20.91")
def test_at_set_up_a_unit_is_placed_at_the_crest_with_its_front() -> None:
    match = sandtable.new("crest/parade", seed=3, options={"setup": "players"})
    side = match.to_act[0]
    name = next(action.unit for action in match.actions(side) if isinstance(action, PickUnit))
    match.apply(side, PickUnit(name))
    found = [action for action in match.actions(side) if isinstance(action, SetUpAtCrest)]
    ground = asl_ground(match.state)
    assert {ground.names[action.at] for action in found} == {"H2", "I2", "J2", "J7", "K7"}, "those of its area"
    choice = next(action for action in found if ground.names[action.at] == "I2")
    assert match.describe(side, choice).text == "Place it at the Crest of I2, facing I1"
    match.apply(side, choice)
    assert (at(match, name), get(match, name).within) == ("I2 crest", f"crest {choice.front}")


@rule("B33.12")
def test_growth_in_a_stream_hex_costs_three_mf_at_the_crest() -> None:
    match = everything("MPh", unit("r", RUSSIAN, "H6"), unit("g", GERMAN, "A5"))
    do(match, StartMove("r"), BeginMove())
    costs = {
        asl_ground(match.state).names[action.to]: match.describe("russian", action).cost
        for action in offered(match, EnterCrest)
    }
    assert costs["G6"] == "3 MF"


# -- lines of sight and fire ---------------------------------------------------------------


@rule("B20.92")
def test_at_the_crest_it_sees_and_is_seen_at_ground_level() -> None:
    match = dug("PFPh", unit("r", RUSSIAN, "J4"))
    stream, crest, far = (cell(match, name) for name in ("G3", CREST, "J4"))
    assert not sees(match.state, stream, far)
    assert sees(match.state, crest, far)
    assert sees(match.state, far, crest)
    assert asl_ground(match.state).level[crest] == 0


@rule("B20.92")
def test_from_the_crest_the_ground_beside_the_bed_hides_no_hill() -> None:
    lines = [f"B{n} gully level=-1 gully=0,3" for n in range(1, 8)] + [
        "E3 open level=1",
        "F3 open level=1",
        "G3 open level=2",
    ]
    board = parse_board("board t\ntitle Test\nhexes 8 7\n\n" + "\n".join(lines))
    grid = board.grid
    ground = AslGround(
        grid,
        [board[name] for name in grid.names],
        LosTable(board.raster(), GROUND.los),
        IN_SEASON,
        others=[Location(grid.index("B3"), "crest", 1, terrain="open", shared=True)],
    )
    assert (
        ground.line(ground.index("B3 crest"), grid.index("G3")) == ground.line(grid.index("C4"), grid.index("G3")) == 0
    )
    assert ground.line(grid.index("B3"), grid.index("G3")) == BLOCKED


@rule("B20.91")
def test_it_is_entrenched_over_its_front_alone() -> None:
    match = dug("PFPh", unit("r", RUSSIAN, "J4"))
    assert protected(match.state, get(match, "g")) == {1, 2}
    assert tem(match, "J4") == ("Crest", 2)
    assert tem(match, "J4", mortar=True) == ("open", 0)
    assert tem(match, "C5") == ("open", 0), "from behind"
    assert tem(match, "H3") == ("open", 0), "whoever sees INTO the hex sees them whole"


@rule("B20.91")
def test_the_preview_of_fire_names_it() -> None:
    match = dug("PFPh", unit("r", RUSSIAN, "J4"))
    do(match, StartFire("r"), AimAt(cell(match, CREST)))
    preview = match.preview("russian", ResolveFire())
    assert preview is not None
    lines = [line for tally in preview.tallies for line in tally.items]
    assert ("Crest", 2, "B20.91") in [(line.label, line.value, line.rule) for line in lines]


@rule("B20.92")
def test_level_fire_hits_those_at_the_crest_and_fire_into_the_hex_hits_both() -> None:
    match = dug("PFPh", unit("in", GERMAN, "G3"), unit("far", RUSSIAN, "J4"), unit("near", RUSSIAN, "H3"))
    low, high = cell(match, "G3"), cell(match, CREST)

    def hit(firer: str, target: int) -> dict[str, float]:
        figures = volley(match.state, FireAttack("russian", target, "prep", units=(firer,)))
        return {one.unit: one.tally.total for one in figures.targets}

    assert hit("far", high) == {"g": 2}
    assert hit("near", low) == {"in": 0, "g": 0}
    assert hit("near", high) == {"g": 0, "in": 0}
    do(match, StartFire("far"))
    assert AimAt(low) not in offered(match, AimAt)


@rule("B20.94")
def test_it_fires_behind_it_as_area_fire() -> None:
    match = dug("PFPh", unit("r", RUSSIAN, "J4"), unit("r2", RUSSIAN, "D4"), attacker="german")
    ahead = volley(match.state, FireAttack("german", cell(match, "J4"), "prep", units=("g",)))
    behind = volley(match.state, FireAttack("german", cell(match, "D4"), "prep", units=("g",)))
    assert (ahead.fp.total, behind.fp.total) == (4, 2)
    assert behind.shares[0].rule


@rule("B20.95")
@pytest.mark.parametrize(("kind", "fires"), [("german LMG", True), ("german MMG", False)])
def test_only_light_weapons_are_fired_from_it(kind: str, fires: bool) -> None:
    match = dug("PFPh", unit("r", RUSSIAN, "J4"), weapons=[weapon("w", kind, "g")], attacker="german")
    assert (StartFire("w") in offered(match, StartFire)) is fires


@rule("B20.91")
def test_who_comes_up_is_fired_at_behind_the_bank() -> None:
    match = everything("MPh", unit("r", RUSSIAN, "G3"), unit("g", GERMAN, "J4"), unit("g2", GERMAN, "C5"))
    do(match, StartMove("r"), BeginMove(), TakeCrest(1))
    mover = mover_of(match.state, "r")
    place = cell(match, CREST)
    assert not in_the_open(match.state, cell(match, "J4"), place, mover)
    assert in_the_open(match.state, cell(match, "C5"), place, mover)


@rule("B20.94")
def test_a_latw_is_fired_over_the_front_only() -> None:
    match = dug("PFPh", unit("r", RUSSIAN, "J4"), weapons=[weapon("w", "german PSK", "g")], attacker="german")
    psk, squad = match.state.weapons["w"], get(match, "g")
    assert line_bar(match.state, squad, psk, cell(match, "J4"), "prep") is None
    refused = line_bar(match.state, squad, psk, cell(match, "C5"), "prep")
    assert refused == ("From the Crest it can be fired across the front only", "B20.94")


@rule("B20.92")
def test_a_hill_too_low_to_see_into_the_hex_reaches_its_crest_alone() -> None:
    match = dug("PFPh", unit("in", GERMAN, "G3"), unit("r", RUSSIAN, "K3"))
    hill, crest = cell(match, "K3"), cell(match, CREST)
    assert sees(match.state, hill, crest)
    assert not sees(match.state, hill, cell(match, "G3"))
    assert also_reached(match.state, crest, (hill,)) == []
    assert tem(match, "K3") == ("Crest", 2)


# -- leaving it ----------------------------------------------------------------------------


@rule("B20.93")
def test_it_is_left_over_its_front_or_down_into_the_hex() -> None:
    match = everything("MPh", unit("r", RUSSIAN, CREST, within="crest 1"), unit("g", GERMAN, "A5"))
    do(match, StartMove("r"), BeginMove())
    ways = {match.state and asl_ground(match.state).names[step.to]: step for step in offered(match, Step)}
    assert set(ways) == {"G3", "H2", "H3"} or set(ways) == {"G3", "H3", "H4"}
    assert match.describe("russian", ways["G3"]).cost == "3 MF"
    assert match.describe("russian", ways["H3"]).cost == "2 MF"
    assert offered(match, EnterCrest) == [], "never from Crest to Crest"
    do(match, ways["H3"])
    assert (at(match, "r"), get(match, "r").within) == ("H3", "")


@rule("B20.97")
def test_a_broken_unit_leaves_it_in_the_rout_phase() -> None:
    match = everything(
        "AFPh",
        unit("r", RUSSIAN, "J4"),
        unit("g", GERMAN, CREST, within="crest 1", broken=True, dm=True),
        unit("g2", GERMAN, CREST, within="crest 1"),
    )
    (event,) = happened(do(match, EndPhase()), WentDown)
    assert event.units == ("g",)
    assert match.game.words(event, match.state).endswith("loses its Crest status and is IN G3: broken")
    assert (at(match, "g"), at(match, "g2")) == ("G3", CREST)


@rule("B20.98")
def test_stacking_is_shared_with_those_in_the_hex() -> None:
    match = everything(
        "MPh",
        *[unit(f"r{n}", RUSSIAN, "G3") for n in range(2)],
        unit("r", RUSSIAN, CREST, within="crest 1"),
        unit("r9", RUSSIAN, "H3"),
        unit("g", GERMAN, "A5"),
    )
    assert not fits(match.state, cell(match, "G3"), "russian", [get(match, "r9")])
    assert not fits(match.state, cell(match, CREST), "russian", [get(match, "r9")])
    assert fits(match.state, cell(match, CREST), "russian", [get(match, "r1")])


# -- close combat ---------------------------------------------------------------------------


@rule("B20.96")
@pytest.mark.parametrize(("frm", "drm"), [("H3", 0), ("F3", -2)])
def test_close_combat_is_worse_for_it_unless_the_enemy_comes_over_its_front(frm: str, drm: int) -> None:
    match = dug("APh", unit("r", RUSSIAN, frm), unit("r2", RUSSIAN, "O5"))
    do(match, StartAdvance("r"), AdvanceTo(cell(match, "G3")), EndPhase())
    assert at(match, "g") == "G3"
    frame = match.state.stack[-1]
    assert isinstance(frame, Combat)
    against = assault(match.state, frame, CombatAttack("russian", ("r",), ("g",)))
    by = assault(match.state, frame, CombatAttack("german", ("g",), ("r",)))
    assert (against.drm.total, by.drm.total) == (drm, -drm)


@rule("B20.96")
def test_melee_ends_it_and_victory_keeps_it() -> None:
    for dice, where in (([6, 6, 6, 6], "G3"), ([6, 6, 1, 1], CREST)):
        match = dug("APh", unit("r", RUSSIAN, "H3"), unit("r2", RUSSIAN, "O5"), dice=[*dice, *[6] * 6])
        do(match, StartAdvance("r"), AdvanceTo(cell(match, "G3")), EndPhase(), AttackAll(), AttackAll())
        assert at(match, "g") == where
        assert get(match, "g").melee is (where == "G3")


@rule("A4.14")
def test_nobody_moves_into_a_hex_whose_crest_an_enemy_holds() -> None:
    match = dug("MPh", unit("r", RUSSIAN, "H3"))
    do(match, StartMove("r"), BeginMove())
    assert Step(cell(match, "G3")) not in offered(match, Step)
    assert cell(match, "G3") not in [action.to for action in offered(match, EnterCrest)]


@rule("A12.15")
def test_who_runs_into_a_concealed_unit_at_the_crest_is_thrown_back() -> None:
    match = everything(
        "MPh", unit("r", RUSSIAN, "H3"), unit("g", GERMAN, CREST, within="crest 4", concealed=True), dice=[6] * 8
    )
    do(match, StartMove("r"), BeginMove(), Step(cell(match, "G3")))
    assert at(match, "r") == "H3"
    assert not get(match, "g").concealed


@rule("A15.43")
def test_a_berserk_squad_charges_into_the_hex_below() -> None:
    units = [unit("r", RUSSIAN, "H3", marks=["berserk"], lifted=2), unit("g", GERMAN, CREST, within="crest 4")]
    match = everything("PFPh", *units, unit("r2", RUSSIAN, "O5"), dice=[6, 5] * 12)
    assert target_of(match.state, get(match, "r")) == cell(match, "G3")
    do(match, EndPhase())
    while match.state.phase == "MPh" and match.to_act == ("german",):
        match.apply("german", Pass())
    assert at(match, "r") == at(match, "g") == "G3"


@rule("B20.98")
@pytest.mark.parametrize(("crest", "lies"), [("H2 crest", "H2"), (CREST, "")])
def test_a_weapon_left_at_the_crest_lies_in_the_hex_and_sinks_in_a_stream(crest: str, lies: str) -> None:
    match = everything(
        "MPh",
        unit("r", RUSSIAN, crest, within="crest 4"),
        unit("g", GERMAN, "A5"),
        weapons=[weapon("w", "russian LMG", "r")],
    )
    do(match, StartMove("r"), BeginMove(), DropWeapon("w"), Stop(), EndPhase())
    left = match.state.weapons.get("w")
    assert (asl_ground(match.state).names[left.at] if left is not None else "") == lies


# -- on the map ------------------------------------------------------------------------------


def test_the_map_shows_which_way_it_faces() -> None:
    match = dug("PFPh", unit("r", RUSSIAN, "J4"))
    (mark,) = [mark for mark in match.view("russian")["marks"] if mark["face"].startswith("marker/crest")]
    assert (mark["at"], mark["face"], mark["label"]) == (CREST, "marker/crest", "Crest, facing H2")
    assert make_scene(setting_of(match.state))["directions"][mark["spine"]] == 60, "where the hexside to H2 is"


@pytest.mark.parametrize("name", ["aslall/parade", "crest/parade"])
def test_the_harness_holds(name: str) -> None:
    report = fuzz(name, games=2, seed=9, checks=0.02)
    assert report.errors == []
