"""Terrain of every kind: MF, TEM, what is open, where one rallies and hides (Chapter B)."""

from __future__ import annotations

import pytest
from asl_support import field, rule, unit
from msgspec.structs import replace
from squad_support import at, cell, do, get, go, happened, offered, weapon

from sandtable.engine import Match, Play, ScriptedDice
from sandtable.engine.errors import IllegalAction
from sandtable.engine.harness import fuzz
from sandtable.games.asl.terrain.claims import FACE, ClaimWall, LeaveWall, WallAdvantage, WallsDone
from sandtable.games.asl.terrain.concealment import concealment_terrain
from sandtable.games.asl.terrain.going import Climb, Climbed, EnterShellholes, _deep_stream
from sandtable.games.asl.terrain.ground import GROUND, AslGround
from sandtable.games.asl.terrain.walls import HELD, _crossed, asl_ground, holds
from sandtable.games.asl.terrain.wet import line_bar
from sandtable.games.squad.cards.tables import IFT
from sandtable.games.squad.combat.model import AdvanceTo, StartAdvance
from sandtable.games.squad.fire.firepower import volley
from sandtable.games.squad.fire.model import FireAttack, StartFire
from sandtable.games.squad.ground.cover import in_the_open, mover_of, shelter_of, terrain_item
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.sight import los, sees
from sandtable.games.squad.ground.stacks import drop
from sandtable.games.squad.movement.model import BeginMove, DoubleTime, Moved, StartMove, Step
from sandtable.games.squad.movement.steps import step_cost
from sandtable.games.squad.ordnance.hits import struck
from sandtable.games.squad.ordnance.tohit import ITT, OrdnanceShot, ToHit, to_hit
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.show.scene import hex_facts
from sandtable.space.boardfile import parse_board
from sandtable.space.los import BLOCKED, LosTable
from sandtable.space.terrain import IN_SEASON, terrain_table

RUSSIAN, GERMAN = "russian 4-4-7", "german 4-6-7"


def bare(phase: str = "MPh", card: str = "parade") -> Match:
    return field(phase, unit("r", RUSSIAN, "O5"), unit("g", GERMAN, "A5"), card=card)


def mf(match: Match, frm: str, to: str, *, road: bool = False) -> float | None:
    way = asl_ground(match.state).way(cell(match, frm), cell(match, to))
    return None if way is None else step_cost(match.state, way, road=road) / 2


@pytest.mark.parametrize(
    ("frm", "to", "cost"),
    [
        ("C2", "D2", 1),  # open
        ("C3", "C4", 2),  # over a hedge (B9.4)
        ("E5", "F5", 2),  # over a wall
        ("B5", "A5", 1),
        ("C6", "D6", 1),  # graveyard (B18.4)
        ("C6", "C7", 2),  # crag (B17.4)
        ("C8", "B7", 2),  # brush (B12.4)
        ("E3", "E4", 2),  # building
        ("B2", "A2", 2),  # woods
        ("F6", "F7", 1.5),  # grain in summer (B15.4)
        ("H6", "H7", 1),  # orchard
        ("H1", "G1", 3),  # shallow stream (B20.4)
        ("G1", "G2", 3),
        ("G1", "H1", 2),  # out of it: uphill (B10.4)
        ("H5", "G6", 5),  # woods in a stream hex: both (B33)
        ("H3", "H2", 2),  # gully (B19.4)
        ("I2", "I3", 2),
        ("J4", "K4", 2),  # uphill into the open
        ("K4", "J4", 1),  # downhill
        ("K1", "L1", 4),  # two levels at once: 2 for the first, 2 for the last (B10.51)
        ("L1", "K1", 2),
        ("K8", "K7", 2),  # sunken road from aside (B4.4)
        ("M8", "N7", 2),  # lumberyard
    ],
)
@rule("B1")
def test_what_a_step_costs(frm: str, to: str, cost: float) -> None:
    assert mf(bare(), frm, to) == cost


@rule("B15.6")
def test_grain_in_spring_costs_but_does_not_hide_and_in_winter_is_open() -> None:
    for card, cost, hides in (("spring", 1.5, False), ("winter", 1, False), ("parade", 1.5, True)):
        match = bare(card=card)
        assert mf(match, "F6", "F7") == cost
        assert concealment_terrain(match.state, cell(match, "F7")) is hides
        assert asl_ground(match.state).open[cell(match, "F7")] is not hides


@rule("B6.4")
def test_a_bridge_is_entered_along_its_road_and_road_gaps_cost_nothing() -> None:
    match = bare()
    assert mf(match, "F5", "G5", road=True) == 1
    assert mf(match, "G5", "H4", road=True) == 1
    assert mf(match, "G4", "G5") is None
    assert mf(match, "F4", "G5") is None


@rule("B21.4")
def test_nobody_enters_or_sets_up_in_deep_water() -> None:
    match = bare()
    assert mf(match, "A7", "A8") is None
    assert asl_ground(match.state).barred[cell(match, "B8")]


@rule("B16.4")
def test_marsh_takes_every_mf_and_nobody_advances_into_it() -> None:
    match = field("MPh", unit("r", RUSSIAN, "C6"), unit("g", GERMAN, "O5"))
    do(match, StartMove("r"), BeginMove())
    enter = Step(cell(match, "B6"))
    assert match.describe("russian", enter).cost == "all MF"
    (moved,) = happened(do(match, enter), Moved)
    assert moved.mf == 4
    assert not offered(match, Step)
    late = field("MPh", unit("r", RUSSIAN, "D5"), unit("g", GERMAN, "O5"))
    do(late, StartMove("r"), BeginMove())
    go(late, "C6")
    with pytest.raises(IllegalAction, match="takes every MF"):
        do(late, Step(cell(late, "B6")))
    advance = field("APh", unit("r", RUSSIAN, "C6"), unit("g", GERMAN, "O5"))
    do(advance, StartAdvance("r"))
    assert cell(advance, "B6") not in [action.to for action in offered(advance, AdvanceTo)]


@rule("B11.4")
def test_a_cliff_is_not_walked_but_climbed_with_a_falling_dr() -> None:
    match = field("MPh", unit("r", RUSSIAN, "K5"), unit("g", GERMAN, "A5"), dice=[4, 5])
    assert mf(match, "K5", "K4") is None
    do(match, StartMove("r"), BeginMove())
    with pytest.raises(IllegalAction, match="on foot"):
        do(match, Step(cell(match, "K4")))
    events = do(match, Climb(cell(match, "K4")))
    assert [event.result for event in happened(events, Climbed)] == ["arrived"]
    assert at(match, "r") == "K4"
    assert get(match, "r").cx
    tired = field("MPh", unit("r", RUSSIAN, "K5"), unit("g", GERMAN, "A5"))
    do(tired, StartMove("r"), DoubleTime("r"), BeginMove())
    assert not offered(tired, Climb)
    with pytest.raises(IllegalAction, match="climb a cliff beside them"):
        do(tired, Climb(cell(tired, "K4")))
    exhausted = field("MPh", unit("r", RUSSIAN, "K5", cx=True), unit("g", GERMAN, "A5"))
    do(exhausted, StartMove("r"), BeginMove())
    assert not offered(exhausted, Climb)


@rule("B11.41")
@pytest.mark.parametrize(
    ("dice", "result", "left"),
    [((4, 5), "arrived", "K4"), ((5, 5), "stays", "K5"), ((6, 5), "stays", "K5"), ((6, 6), "fell", None)],
)
def test_climbers_may_stay_or_fall(dice: tuple[int, int], result: str, left: str | None) -> None:
    units = [unit("r", RUSSIAN, "K5"), unit("s", RUSSIAN, "O5"), unit("g", GERMAN, "A5")]
    match = field("MPh", *units, dice=dice)
    do(match, StartMove("r"), BeginMove())
    events = do(match, Climb(cell(match, "K4")))
    assert [event.result for event in happened(events, Climbed)] == [result]
    assert (at(match, "r") if "r" in match.state.units else None) == left


# -- TEM --------------------------------------------------------------------------------


def cover(match: Match, source: str, target: str, name: str = "g", *, mortar: bool = False) -> tuple[str, float]:
    return terrain_item(match.state, cell(match, source), cell(match, target), get(match, name), mortar=mortar)[:2]


@pytest.mark.parametrize(
    ("target", "source", "item"),
    [
        ("D6", "D4", ("graveyard", 1)),
        ("C7", "C5", ("crag", 1)),
        ("D3", "D1", ("shellholes", 1)),
        ("B7", "C6", ("open", 0)),  # brush
        ("G2", "H1", ("open", 0)),  # IN a stream (B20.3)
        ("G5", "F5", ("open", 0)),  # along the road of a bridge (B6.3)
        ("G5", "G3", ("bridge", 1)),
        ("N7", "N5", ("lumberyard", 2)),
    ],
)
@rule("B1")
def test_what_covers_a_unit(target: str, source: str, item: tuple[str, float]) -> None:
    match = field("PFPh", unit("r", RUSSIAN, source), unit("g", GERMAN, target))
    assert cover(match, source, target) == item or (item[0] == "open" and cover(match, source, target)[1] == 0)


@rule("B9.3")
def test_walls_and_hedges_cover_against_fire_that_crosses_them() -> None:
    match = field("PFPh", unit("g", GERMAN, "E5"), unit("r", RUSSIAN, "H4"))
    assert cover(match, "H4", "E5") == ("wall", 2)
    assert cover(match, "E8", "E5")[1] == 0
    assert cover(match, "H4", "E5", mortar=True) == ("wall", 1)
    hedge = field("PFPh", unit("g", GERMAN, "C3"), unit("r", RUSSIAN, "C6"))
    assert cover(hedge, "C6", "C3") == ("hedge", 1)
    assert cover(hedge, "C6", "C3", mortar=True) == ("hedge", 0)


@rule("B9.32")
def test_a_unit_in_the_open_must_claim_wall_advantage_and_one_with_tem_may() -> None:
    match = field("MPh", unit("r", RUSSIAN, "E5"), unit("s", RUSSIAN, "F2"), unit("g", GERMAN, "A5"))
    woods = cell(match, "F2")
    assert holds(match.state, cell(match, "E5"), "russian")
    assert not holds(match.state, woods, "russian")
    assert cover(match, "H2", "F2", "s") == ("woods", 1)
    assert cover(match, "F0", "F2", "s")[1] == 1
    (claimed,) = happened(do(match, ClaimWall(woods)), WallAdvantage)
    assert match.game.words(claimed, match.state) == "Russian claims Wall Advantage in F2"
    assert cover(match, "F0", "F2", "s") == ("hedge", 1)
    assert cover(match, "F4", "F2", "s")[1] == 0, "no TEM of the hex from where no hedge is (B9.31)"
    assert LeaveWall(woods) in offered(match, LeaveWall)
    with pytest.raises(IllegalAction, match="no TEM of their hex"):
        do(match, LeaveWall(cell(match, "E5")))
    do(match, LeaveWall(woods))
    assert cover(match, "F4", "F2", "s") == ("woods", 1)
    with pytest.raises(IllegalAction, match="given up in this phase"):
        do(match, ClaimWall(woods))


@rule("B9.321")
def test_an_enemy_behind_the_hexside_bars_wall_advantage_until_he_breaks() -> None:
    units = [unit("g", GERMAN, "E5"), unit("r", RUSSIAN, "F5")]
    match = field("MPh", *units)
    HELD.of(match.state)[cell(match, "E5")] = "german"
    assert not holds(match.state, cell(match, "F5"), "russian")
    assert cover(match, "F5", "E5") == ("wall", 2)
    assert cover(match, "E5", "F5", "r")[1] == 0
    broken = field("MPh", unit("g", GERMAN, "E5", broken=True), units[1])
    HELD.of(broken.state)[cell(broken, "E5")] = "german"
    assert holds(broken.state, cell(broken, "F5"), "russian")
    assert cover(broken, "F5", "E5")[1] == 0
    assert cover(broken, "E5", "F5", "r") == ("wall", 2)


@rule("B9.322")
def test_where_both_would_claim_the_attacker_does() -> None:
    match = field("MPh", unit("g", GERMAN, "E5"), unit("r", RUSSIAN, "F5"))
    assert (holds(match.state, cell(match, "F5"), "russian"), holds(match.state, cell(match, "E5"), "german")) == (
        True,
        False,
    )
    do(match, EndPhase())
    assert HELD.of(match.state) == {cell(match, "F5"): "russian"}


@rule("B9.322")
def test_a_game_may_ask_both_sides_at_the_end_of_the_rally_phase() -> None:
    units = [unit("g", GERMAN, "F2"), unit("r", RUSSIAN, "O5")]
    match = field("RPh", *units, game="asked")
    while match.state.phase == "RPh":
        do(match, EndPhase())
    assert match.to_act == ("german",)
    assert match.actions("german")[0] == ClaimWall(cell(match, "F2"))
    do(match, WallsDone())
    assert match.to_act == ("russian",)


@rule("B9.324")
def test_a_hidden_gun_lets_wall_advantage_go_and_no_mark_gives_it_away() -> None:
    units = [unit("g", "german 2-2-8", "E5", hip=True), unit("r", RUSSIAN, "O5")]
    guns = [weapon("k", "german 7.5cm PaK 40 AT", "g", hip=True, facing=1)]
    match = field("PFPh", *units, weapons=guns)
    assert not holds(match.state, cell(match, "E5"), "german")
    assert [mark for mark in match.view("russian").get("marks", []) if mark["face"] == FACE] == []


@rule("B9.33")
def test_height_takes_the_tem_of_a_wall_away() -> None:
    match = field("PFPh", unit("g", GERMAN, "M4"), unit("r", RUSSIAN, "L3"))
    assert cover(match, "M2", "M4") == ("wall", 2)
    assert cover(match, "L1", "M4")[1] == 2, "two levels above at a range of three"


@rule("B9.3")
def test_movers_behind_a_hedge_are_not_in_the_open() -> None:
    match = field("MPh", unit("r", RUSSIAN, "B3"), unit("g", GERMAN, "C6"))
    do(match, StartMove("r"), BeginMove())
    go(match, "C3")
    mover = mover_of(match.state, "r")
    assert not in_the_open(match.state, cell(match, "C6"), cell(match, "C3"), mover)
    assert in_the_open(match.state, cell(match, "C1"), cell(match, "C3"), mover)


@rule("B2.3")
def test_shellholes_cover_those_who_pay_for_it() -> None:
    for step, item in ((EnterShellholes, ("shellholes", 1)), (Step, ("open", 0))):
        match = field("MPh", unit("r", RUSSIAN, "D2"), unit("g", GERMAN, "D5"))
        do(match, StartMove("r"), BeginMove())
        (moved,) = happened(do(match, step(cell(match, "D3"))), Moved)
        assert moved.mf == 1 + item[1]
        assert cover(match, "D5", "D3", "r") == item
        assert in_the_open(match.state, cell(match, "D5"), cell(match, "D3"), mover_of(match.state, "r")) is not item[1]


@rule("B20.6")
@rule("B16.32")
def test_fire_out_of_the_water_is_area_fire_without_heavy_weapons() -> None:
    units = [unit("r", RUSSIAN, "B6"), unit("s", RUSSIAN, "G1"), unit("t", RUSSIAN, "C8"), unit("g", GERMAN, "C6")]
    weapons = [weapon("h", "russian HMG", "r"), weapon("l", "russian LMG", "s"), weapon("m", "russian HMG", "t")]
    match = field("PFPh", *units, weapons=weapons)
    starts = [action.firer for action in offered(match, StartFire)]
    assert "h" not in starts
    assert "m" in starts
    shot = FireAttack("russian", cell(match, "C6"), "prep", ("r",))
    assert "in the water" in str(volley(match.state, shot).fp)
    assert volley(match.state, shot).column == 4, "4 FP, doubled at Point Blank, halved"
    with pytest.raises(IllegalAction, match="from the water"):
        do(match, StartFire("h"))


@rule("B11.31")
def test_a_gun_cannot_be_laid_on_a_location_right_beyond_a_cliff() -> None:
    match = bare("PFPh")
    ground = asl_ground(match.state)
    place = next(one for one in range(ground.size) if "cliff" in ground.hexsides[one])
    beyond = ground.sides[place][ground.hexsides[place].index("cliff")]
    aside = next(one for one, side in zip(ground.sides[place], ground.hexsides[place], strict=True) if side != "cliff")
    units = [unit("r", "russian 2-2-8", ground.names[place]), unit("g", GERMAN, "A5")]
    weapons = [weapon("q", "russian 45mm PTP obr. 32 AT", "r", facing=0), weapon("m", "russian LMG", "r")]
    match = field("PFPh", *units, weapons=weapons)
    gun, lmg = match.state.weapons["q"], match.state.weapons["m"]
    assert line_bar(match.state, get(match, "r"), gun, beyond, "prep") is not None
    assert line_bar(match.state, get(match, "r"), gun, aside, "prep") is None
    assert line_bar(match.state, get(match, "r"), lmg, beyond, "prep") is None


@rule("B16.31")
def test_marsh_swallows_half_of_the_he_that_falls_into_it() -> None:
    units = [unit("r", "russian 2-2-8", "C5"), unit("g", GERMAN, "B6"), unit("h", GERMAN, "C7")]
    gun = weapon("q", "russian 76.2mm P obr. 39 ART", "r", facing=4)
    match = field("PFPh", *units, weapons=[gun])

    def figures(name: str, ammo: str) -> ToHit:
        return to_hit(match.state, OrdnanceShot("russian", "prep", "q", cell(match, name), ITT, ammo))

    dry, wet = figures("C7", "HE"), figures("B6", "HE")
    assert (wet.column, wet.critical) == (IFT.column(dry.column / 2), IFT.column(dry.critical / 2))
    assert (dry.scaled, wet.scaled) == ("", ", HE halved by the marsh (B16.31)")
    assert figures("B6", "AP").column == figures("C7", "AP").column
    title = struck(match.state, OrdnanceShot("russian", "prep", "q", cell(match, "B6"), ITT), wet, get(match, "g"))
    assert "HE halved by the marsh" in str(title.tally)


@rule("B16.33")
def test_weapons_that_nobody_holds_sink_in_marsh() -> None:
    units = [unit("r", RUSSIAN, "B6"), unit("g", GERMAN, "N1")]
    match = field("MPh", *units, weapons=[weapon("h", "russian HMG", "r"), weapon("l", "russian LMG", at="C2")])
    play = Play(match.state, ScriptedDice())
    drop(play, match.state.weapons["h"])
    do(match, EndPhase())
    assert match.state.gone["h"].how == "destroyed"
    assert "l" in match.state.weapons


@rule("A10.52")
def test_nobody_crawls_in_marsh_or_a_wet_stream() -> None:
    ground = asl_ground(bare().state)
    assert [name for name in ("B6", "G1", "G6") if ground.index(name) not in ground.no_crawl] == []
    assert [name for name in ("C2", "H2", "A2", "G5") if ground.index(name) in ground.no_crawl] == []


@rule("B18.42")
def test_the_road_through_a_graveyard_gives_no_bonus(monkeypatch: pytest.MonkeyPatch) -> None:
    ground = asl_ground(bare().state)
    frm, to = ground.index("C6"), ground.index("D6")
    side = ground.sides[frm].index(to)
    facts = list(ground.facts)
    facts[frm] = replace(facts[frm], roads=((side, "dirt"),))
    facts[to] = replace(facts[to], roads=(((side + 3) % 6, "dirt"),))
    monkeypatch.setattr(ground, "facts", tuple(facts))
    way = ground._way(frm, side, to)
    assert way is not None
    assert (way.cost, way.road) == (2, 0)


@rule("B20.43")
@pytest.mark.parametrize("broken", [False, True])
def test_a_deep_stream_exhausts_all_but_broken_units(broken: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    match = field("MPh", unit("r", RUSSIAN, "O5", broken=broken), unit("g", GERMAN, "A5"))
    ground = asl_ground(match.state)
    place = get(match, "r").at
    kinds = list(ground.kinds)
    kinds[place] = terrain_table()["deep_stream"]
    monkeypatch.setattr(ground, "kinds", tuple(kinds))
    _deep_stream(Play(match.state, ScriptedDice()), ["r"], place, place, "moves")
    assert get(match, "r").cx is not broken


# -- hiding, rallying, seeing -------------------------------------------------------------


@rule("A12.12")
def test_concealment_terrain() -> None:
    match = bare()
    yes = ["A2", "B7", "B6", "E4", "F7", "H7", "L6", "N7", "G6"]
    no = ["A4", "C7", "D6", "D3", "G1", "H2", "J7", "G5", "E5"]
    assert [name for name in yes if not concealment_terrain(match.state, cell(match, name))] == []
    assert [name for name in no if concealment_terrain(match.state, cell(match, name))] == []


@rule("A10.61")
def test_one_rallies_in_woods_and_buildings_but_not_in_a_lumberyard() -> None:
    for name, shelter in (("A2", "woods"), ("E4", "building"), ("N7", ""), ("D6", ""), ("B7", "")):
        match = field("RPh", unit("r", RUSSIAN, name, broken=True), unit("g", GERMAN, "O5"))
        assert shelter_of(match.state, get(match, "r")) == shelter


@rule("A6.3")
def test_a_stream_bed_hides_from_the_level_and_is_seen_along_itself() -> None:
    match = bare()
    assert not sees(match.state, cell(match, "G3"), cell(match, "J4"))
    assert sees(match.state, cell(match, "G1"), cell(match, "G4"))
    assert sees(match.state, cell(match, "G3"), cell(match, "H3"))


@rule("A6.7")
def test_hindrances_of_brush_graveyards_and_crag() -> None:
    match = bare()
    assert los(match.state, cell(match, "D5"), cell(match, "D7")) == 1
    assert los(match.state, cell(match, "C6"), cell(match, "C8")) == 1


@pytest.mark.parametrize("name", ["terrain/parade", "terrain/winter", "asked/spring"])
def test_the_harness_holds(name: str) -> None:
    report = fuzz(name, games=2, seed=5, checks=0.02)
    assert report.errors == []


@rule("B21.4")
def test_the_page_says_of_water_that_nobody_may_enter_it() -> None:
    setting = setting_of(field("MPh", unit("r", RUSSIAN, "A5"), unit("g", GERMAN, "O5")).state)
    facts = {name: str(hex_facts(setting.ground, setting.ground.index(name))) for name in ("A8", "A2")}
    assert "impassable" in facts["A8"]
    assert " MF" not in facts["A8"]
    assert "2 MF" in facts["A2"]


@rule("B23.2")
def test_a_panel_says_that_upper_storeys_are_absent() -> None:
    match = field("MPh", unit("r", RUSSIAN, "A5"), unit("g", GERMAN, "O5"))
    assert "Upper storeys" in str(match.view("russian")["panels"])
    with_them = field("MPh", unit("r", RUSSIAN, "A5"), unit("g", GERMAN, "O5"), game="asked")
    assert "Upper storeys" not in str(with_them.view("russian")["panels"])


@rule("B11.4")
def test_no_road_leads_over_a_cliff(monkeypatch: pytest.MonkeyPatch) -> None:
    match = field("MPh", unit("r", RUSSIAN, "A5"), unit("g", GERMAN, "O5"))
    ground = asl_ground(match.state)
    below, above = cell(match, "K5"), cell(match, "K4")
    side = ground.sides[below].index(above)
    facts = list(ground.facts)
    facts[below] = replace(facts[below], roads=((side, "dirt"),))
    facts[above] = replace(facts[above], roads=(((side + 3) % 6, "dirt"),))
    monkeypatch.setattr(ground, "facts", tuple(facts))
    assert ground._way(below, side, above) is None


@rule("B9.3")
def test_a_cliff_is_no_wall() -> None:
    match = field("MPh", unit("r", RUSSIAN, "K5"), unit("g", GERMAN, "K4"))
    ground = asl_ground(match.state)
    assert list(_crossed(ground, cell(match, "K5"), cell(match, "K4"))) == []
    assert [name for _, name in _crossed(ground, cell(match, "H4"), cell(match, "E5"))] == ["wall"]


def test_a_game_without_the_part_of_terrain_takes_water_for_open_ground() -> None:
    """The Starter Kit has no such terrain; a board that has it can be used all the same."""
    match = field("MPh", unit("r", RUSSIAN, "A7"), unit("g", GERMAN, "O5"), game="plain")
    assert setting_of(match.state).ground.entry_cost(cell(match, "A8")) == 2


@rule("B6.1")
@pytest.mark.parametrize("level", [-1, 0])
def test_lines_from_a_bridge_whose_board_shows_the_bed_at_its_dot(level: int) -> None:
    lines = [f"D{n} stream level=-1 stream=0,3" for n in range(8)]
    board = parse_board("board t\ntitle Test\nhexes 7 7\n\n" + "\n".join(lines))
    grid = board.grid
    bridge, bank, far, bed = (grid.index(name) for name in ("D3", "E4", "G3", "D5"))
    facts = [board[name] for name in grid.names]
    roads = ((1, "dirt"), (4, "dirt"))
    facts[bridge] = replace(facts[bridge], terrain="stone_bridge", roads=roads, level=level)
    ground = AslGround(grid, facts, LosTable(board.raster(), GROUND.los), IN_SEASON)
    assert (ground.level[bridge], ground.level[bed]) == (0, -1)
    assert ground.hex_los.value(bridge, far) == BLOCKED, "as the board has it"
    assert ground.line(bridge, far) == ground.line(far, bridge) == ground.los_row(far)[bridge] == 0
    assert ground.line(bed, far) == BLOCKED
    assert ground.line(bank, far) == 0
    assert ground.los.explain(bridge, far).clear
