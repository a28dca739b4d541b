"""Foxholes, trenches, pillboxes, wire, mines, boobytraps and fortified buildings (B23.9, B26-B30)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from asl_support import field, game, rule, unit
from squad_support import at, cell, do, get, go, happened, offered, weapon

import sandtable
from sandtable.engine import Match, Play
from sandtable.engine.errors import IllegalAction
from sandtable.engine.events import Rolled
from sandtable.engine.harness import fuzz
from sandtable.games.asl.busy import TI
from sandtable.games.asl.terrain.part import TERRAIN
from sandtable.games.asl.terrain.switches import TerrainRules
from sandtable.games.asl.terrain.walls import holds
from sandtable.games.asl.works.breaking import PillboxDestroyed
from sandtable.games.asl.works.cover import line_bar
from sandtable.games.asl.works.digging import ClearMines, ClearWire, Dig, Worked, _words, work_tally
from sandtable.games.asl.works.mines import Boobytrapped, MinesAttack
from sandtable.games.asl.works.model import (
    BOOBYTRAPS,
    FOXHOLE,
    MINES,
    WIRE,
    fortify,
    lay_foxhole,
    lay_mines,
    lay_pillbox,
    lay_trench,
    lay_wire,
    may_entrench_in,
    put_in,
    vp_of,
    works_at,
)
from sandtable.games.asl.works.part import WORKS
from sandtable.games.asl.works.sheltering import AdvanceIn, AlongTrench, ComeOut, GoIn
from sandtable.games.asl.works.switches import WorksRules
from sandtable.games.asl.works.wire import GetBeneath, Wired
from sandtable.games.squad.combat.model import AdvanceTo, StartAdvance
from sandtable.games.squad.fire.firepower import volley
from sandtable.games.squad.fire.model import AimAt, FireAttack, StartFire
from sandtable.games.squad.ground.cover import in_the_open, mover_of, shelter_of, terrain_item
from sandtable.games.squad.ground.movers import residual_items
from sandtable.games.squad.movement.model import BeginMove, Pass, StartMove, Step
from sandtable.games.squad.ordnance.model import SetOffCharge
from sandtable.games.squad.part import Part
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.pieces.model import SquadState

RUSSIAN, GERMAN = "russian 4-4-7", "german 4-6-7"
SWITCHES = (TerrainRules(), WorksRules())


def littered(play: Play[SquadState]) -> None:
    """Works everywhere, when the first turn begins."""
    state = play.state
    if state.turn > 1 or state.counters:
        return
    from sandtable.games.squad.ground.setting import ground_of

    index = ground_of(state).index
    for name in ("B4", "D4", "J5"):
        lay_foxhole(state, index(name), "german", 2)
    for name in ("E2", "E3", "I5"):
        lay_trench(state, index(name), "german")
    lay_pillbox(state, index("F4"), "german", (2, 3, 5), 1)
    for name in ("H3", "I6", "D5"):
        lay_wire(state, index(name), "german")
    for name in ("H5", "J4", "F6"):
        lay_mines(state, index(name), "german", 8)
    fortify(state, index("E4"), "german")
    BOOBYTRAPS.of(state)["russian"] = "A"


game("works", *TERRAIN, *WORKS, switches=SWITCHES)
game("kind mines", *TERRAIN, *WORKS, switches=(TerrainRules(), WorksRules(mines_attack_owner=False)))
game("worksplay", *TERRAIN, *WORKS, Part(begins={"turn": littered}), switches=SWITCHES)


def site(phase: str, *units: dict[str, Any], **more: Any) -> Match:
    return field(phase, *units, game="works", **more)


def inside(match: Match, name: str, work: Any) -> None:
    put_in(match.state, get(match, name), work)
    match._legal.clear()


def marks(match: Match, side: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = match.view(side).get("marks", [])
    return found


def tem(match: Match, source: str, target: str, name: str, *, mortar: bool = False) -> tuple[str, float]:
    return terrain_item(match.state, cell(match, source), cell(match, target), get(match, name), mortar=mortar)[:2]


# -- entrenching --------------------------------------------------------------------------


@rule("B27.11")
def test_a_squad_digs_a_foxhole_and_is_ti() -> None:
    units = [unit("g", GERMAN, "C5"), unit("l", "german 8-1", "C5"), unit("r", RUSSIAN, "O5")]
    match = site("PFPh", *units, attacker="german", dice=[3, 3])
    preview = match.preview("german", Dig("g", "l"))
    assert preview is not None
    assert preview.odds[0].chance == pytest.approx(15 / 36), "a 6 or less with the leader"
    (worked,) = happened(do(match, Dig("g", "l")), Worked)
    assert match.game.words(worked, match.state) == "4-6-7 g digs a foxhole in C5"
    assert get(match, "g").within == get(match, "l").within == "foxhole C5"
    assert tem(match, "C8", "C5", "g") == ("foxhole", 2)
    assert all([TI in get(match, name).marks for name in ("g", "l")])
    assert [mark["face"] for mark in marks(match, "russian")].count("marker/foxhole-1") == 1
    with pytest.raises(IllegalAction):
        do(match, EndPhase(), StartMove("g"))


@rule("B24.8")
def test_labour_makes_the_next_try_easier() -> None:
    match = site("PFPh", unit("g", GERMAN, "C5"), unit("r", RUSSIAN, "O5"), attacker="german", dice=[3, 3])
    do(match, Dig("g"))
    assert not works_at(match.state, cell(match, "C5"), FOXHOLE)
    assert work_tally(match.state, get(match, "g"), "", FOXHOLE).total == -1


@rule("B27.11")
def test_modifiers_of_digging() -> None:
    units = [unit("r", RUSSIAN, "O5"), unit("h", "russian 2-2-7", "N2", cx=True), unit("g", GERMAN, "C5")]
    match = site("PFPh", *units)
    assert work_tally(match.state, get(match, "r"), "", FOXHOLE).total == -1
    assert work_tally(match.state, get(match, "h"), "", FOXHOLE).total == 1 - 1 + 1


@rule("B27.1")
def test_where_nobody_digs() -> None:
    match = site("PFPh", unit("r", RUSSIAN, "O5"), unit("g", GERMAN, "C5"))
    yes = ["C5", "A2", "B7", "D6", "F7", "H2", "H7", "D3"]
    no = ["B6", "C7", "E4", "G1", "G5", "G6", "J7", "A8", "N7"]
    assert [name for name in yes if not may_entrench_in(match.state, cell(match, name))] == []
    assert [name for name in no if may_entrench_in(match.state, cell(match, name))] == []


# -- in and out ---------------------------------------------------------------------------


@rule("B27.4")
def test_going_into_a_foxhole_and_out_costs_a_mf_each() -> None:
    match = site("MPh", unit("r", RUSSIAN, "H6"), unit("g", GERMAN, "A5"))
    lay_foxhole(match.state, cell(match, "I6"), "russian", 1)
    do(match, StartMove("r"), BeginMove())
    go(match, "I6")
    assert in_the_open(match.state, cell(match, "I4"), cell(match, "I6"), mover_of(match.state, "r"))
    do(match, GoIn("foxhole I6"))
    assert not in_the_open(match.state, cell(match, "I4"), cell(match, "I6"), mover_of(match.state, "r"))
    assert get(match, "r").within == "foxhole I6"
    with pytest.raises(IllegalAction, match="comes out of the foxhole first"):
        do(match, Step(cell(match, "J5")))
    do(match, ComeOut())
    go(match, "J5")
    assert at(match, "r") == "J5"
    mover = mover_of(match.state, "r")
    assert mover is None or mover.spent == 2 * 4


@rule("B27.3")
def test_residual_fp_finds_them_covered_and_not_in_the_open() -> None:
    match = site("MPh", unit("r", RUSSIAN, "H6"), unit("g", GERMAN, "A5"))
    lay_foxhole(match.state, cell(match, "I6"), "russian", 1)
    do(match, StartMove("r"), BeginMove())
    go(match, "I6")
    assert [item[0] for item in residual_items(match.state, get(match, "r"))] == ["FFNAM", "FFMO"]
    do(match, GoIn("foxhole I6"))
    assert [item[:2] for item in residual_items(match.state, get(match, "r"))] == [("foxhole", 2), ("FFNAM", -1)]


@rule("B27.12")
def test_a_foxhole_holds_its_squads_and_four_leaders() -> None:
    units = [unit("a", RUSSIAN, "I6"), unit("b", RUSSIAN, "I6"), unit("g", GERMAN, "A5")]
    match = site("APh", *units)
    lay_foxhole(match.state, cell(match, "I6"), "russian", 1)
    match._legal.clear()
    do(match, AdvanceIn("a", "foxhole I6"))
    assert get(match, "a").within == "foxhole I6"
    assert not offered(match, AdvanceIn)
    lay_foxhole(match.state, cell(match, "I6"), "russian", 1)
    assert works_at(match.state, cell(match, "I6"), FOXHOLE)[0].value == 2


@rule("B27.3")
def test_air_bursts_and_height_reduce_an_entrenchment() -> None:
    match = site("PFPh", unit("g", GERMAN, "A2"), unit("h", GERMAN, "K5"), unit("r", RUSSIAN, "O5"))
    inside(match, "g", lay_foxhole(match.state, cell(match, "A2"), "german"))
    assert tem(match, "A6", "A2", "g", mortar=True) == ("foxhole", 1)
    assert tem(match, "A6", "A2", "g") == ("foxhole", 2)


@rule("B27.54")
def test_trenches_are_joined_and_rally_those_in_them() -> None:
    match = site("MPh", unit("r", RUSSIAN, "I5"), unit("g", GERMAN, "A5"))
    for name in ("I5", "I6"):
        lay_trench(match.state, cell(match, name), "russian")
    inside(match, "r", works_at(match.state, cell(match, "I5"), "trench")[0])
    assert shelter_of(match.state, get(match, "r")) == "trench"
    do(match, StartMove("r"), BeginMove(), AlongTrench(cell(match, "I6")))
    assert (at(match, "r"), get(match, "r").within) == ("I6", "trench I6")


@rule("B27.54")
def test_neither_ffmo_nor_ffnam_from_trench_to_trench() -> None:
    match = site("MPh", unit("r", RUSSIAN, "I5"), unit("g", GERMAN, "I8"))
    for name in ("I5", "I6"):
        lay_trench(match.state, cell(match, name), "russian")
    inside(match, "r", works_at(match.state, cell(match, "I5"), "trench")[0])
    do(match, StartMove("r"), BeginMove(), AlongTrench(cell(match, "I6")))
    shot = FireAttack("german", cell(match, "I6"), "first", ("g",))
    assert [target.drm for target in volley(match.state, shot).targets] == [2]
    do(match, Pass(), ComeOut())
    assert [target.drm for target in volley(match.state, shot).targets] == [-2]


@rule("B9.21")
def test_an_entrenched_unit_behind_its_wall_neither_sees_nor_is_seen() -> None:
    match = site("PFPh", unit("g", GERMAN, "E5"), unit("r", RUSSIAN, "H4"))
    inside(match, "g", lay_foxhole(match.state, cell(match, "E5"), "german"))
    assert not holds(match.state, cell(match, "E5"), "german")
    shot = FireAttack("russian", cell(match, "E5"), "prep", ("r",))
    assert volley(match.state, shot).targets == ()
    back = site("PFPh", unit("g", GERMAN, "E5"), unit("r", RUSSIAN, "H4"), attacker="german")
    inside(back, "g", lay_foxhole(back.state, cell(back, "E5"), "german"))
    with pytest.raises(IllegalAction, match="over a wall or hedge of their own hex"):
        do(back, StartFire("g"), AimAt(cell(back, "H4")))
    guns = [weapon("lmg", "german LMG", "g"), weapon("mtr", "german 5cm leGrW 36", "g")]
    armed = site("PFPh", unit("g", GERMAN, "E5"), unit("r", RUSSIAN, "H4"), attacker="german", weapons=guns)
    inside(armed, "g", lay_foxhole(armed.state, cell(armed, "E5"), "german"))
    target = cell(armed, "H4")
    over = [line_bar(armed.state, get(armed, "g"), arm, target, "prep") is None for arm in armed.state.weapons.values()]
    assert over == [False, True], "but a mortar fires over it"


# -- pillboxes ----------------------------------------------------------------------------


def bunker(phase: str, *units: dict[str, Any], **more: Any) -> Match:
    match = site(phase, unit("g", GERMAN, "C5"), *units, **more)
    inside(match, "g", lay_pillbox(match.state, cell(match, "C5"), "german", (2, 3, 5), 2))
    return match


@rule("B30.112")
def test_a_pillbox_covers_by_its_arc() -> None:
    match = bunker("PFPh", unit("r", RUSSIAN, "F6"), unit("s", RUSSIAN, "A3"))
    assert tem(match, "F6", "C5", "g") == ("pillbox", 3)
    assert tem(match, "A3", "C5", "g") == ("pillbox, outside its arc", 5)
    assert tem(match, "F6", "C5", "g", mortar=True) == ("pillbox, indirect fire", 5)
    front = FireAttack("russian", cell(match, "C5"), "prep", ("r",))
    back = FireAttack("russian", cell(match, "C5"), "prep", ("s",))
    assert [target.drm for target in volley(match.state, front).targets] == [3]
    assert volley(match.state, back).targets == (), "small arms do nothing from outside the arc"
    (mark,) = [mark for mark in marks(match, "russian") if "pillbox" in mark["face"]]
    assert (mark["label"], mark["spine"]) == ("Pillbox 2+3+5", 2)
    assert mark["face"] in match.game.faces()


@rule("B30.2")
def test_one_fires_out_of_a_pillbox_within_its_arc() -> None:
    match = bunker("PFPh", unit("r", RUSSIAN, "F6"), unit("s", RUSSIAN, "A3"), attacker="german")
    do(match, StartFire("g"))
    with pytest.raises(IllegalAction, match="outside the Covered Arc of the pillbox"):
        do(match, AimAt(cell(match, "A3")))


@rule("B30.34")
def test_those_outside_a_pillbox_are_hit_first() -> None:
    match = bunker("PFPh", unit("h", GERMAN, "C5"), unit("r", RUSSIAN, "F6"))
    shot = FireAttack("russian", cell(match, "C5"), "prep", ("r",))
    assert [target.unit for target in volley(match.state, shot).targets] == ["h"]


@rule("B30.5")
def test_one_rallies_in_a_pillbox() -> None:
    match = bunker("RPh", unit("r", RUSSIAN, "F6"))
    assert shelter_of(match.state, get(match, "g")) == "pillbox"


@rule("B30.92")
@pytest.mark.parametrize(("dice", "destroyed"), [((1, 1), True), ((4, 5, 3, 3), False)])
def test_a_charge_destroys_a_pillbox_with_an_original_kia(dice: tuple[int, ...], destroyed: bool) -> None:
    line = {"kind": "charge", "side": "russian", "value": 12, "id": "dc", "frm": "D5"}
    units = [unit("r", RUSSIAN, "D5"), unit("h", GERMAN, "A2")]
    match = bunker("AFPh", *units, dice=dice, counters={"C5": [line]})
    events = do(match, SetOffCharge("dc"))
    assert bool(happened(events, PillboxDestroyed)) is destroyed
    assert ("g" in match.state.units) is not destroyed
    assert bool(works_at(match.state, cell(match, "C5"), "pillbox")) is not destroyed


@rule("B30.112")
def test_flames_find_no_cover_in_the_arc_of_a_pillbox() -> None:
    units = [unit("r", RUSSIAN, "D5"), unit("s", RUSSIAN, "B3")]
    weapons = [weapon("f", "russian FT", "r"), weapon("e", "russian FT", "s")]
    match = bunker("PFPh", *units, weapons=weapons)
    front = volley(match.state, FireAttack("russian", cell(match, "C5"), "prep", (), ("f",)))
    back = volley(match.state, FireAttack("russian", cell(match, "C5"), "prep", (), ("e",)))
    assert [target.drm for target in front.targets] == [0]
    assert [target.drm for target in back.targets] == [5]


@rule("B23.92")
def test_nobody_advances_into_a_fortified_building_that_is_held() -> None:
    for pinned in (False, True):
        match = site("APh", unit("g", GERMAN, "E4", pinned=pinned), unit("r", RUSSIAN, "E5"))
        fortify(match.state, cell(match, "E4"), "german")
        assert tem(match, "E1", "E4", "g") == ("fortified building", 4)
        do(match, StartAdvance("r"))
        assert (AdvanceTo(cell(match, "E4")) in offered(match, AdvanceTo)) is pinned


# -- wire ---------------------------------------------------------------------------------


@rule("B26.4")
def test_wire_is_entered_on_top_and_left_from_beneath() -> None:
    match = site("MPh", unit("r", RUSSIAN, "H6"), unit("g", GERMAN, "A5"), dice=[2])
    lay_wire(match.state, cell(match, "I6"), "german")
    do(match, StartMove("r"), BeginMove())
    go(match, "I6")
    assert get(match, "r").within == "wire I6"
    with pytest.raises(IllegalAction, match="on top of wire"):
        do(match, Step(cell(match, "J5")))
    assert not offered(match, Step)
    (wired,) = happened(do(match, GetBeneath()), Wired)
    assert (wired.mf, wired.beneath) == (2, True)
    assert not get(match, "r").within
    go(match, "J5")


@rule("B26.4")
def test_whoever_has_not_the_mf_hangs_on_the_wire() -> None:
    match = site("MPh", unit("r", RUSSIAN, "H6"), unit("g", GERMAN, "A5"), dice=[4])
    lay_wire(match.state, cell(match, "I6"), "german")
    do(match, StartMove("r"), BeginMove())
    go(match, "I6")
    events = do(match, GetBeneath())
    (wired,) = happened(events, Wired)
    assert not wired.beneath
    assert [(roll.sides, roll.faces) for roll in happened(events, Rolled)] == [(6, (4,))]
    assert get(match, "r").within == "wire I6"
    assert get(match, "r").moved


@rule("B26.31")
def test_fire_from_on_top_of_wire_is_worse() -> None:
    match = site("PFPh", unit("r", RUSSIAN, "I6"), unit("g", GERMAN, "I4"))
    inside(match, "r", lay_wire(match.state, cell(match, "I6"), "german"))
    shot = volley(match.state, FireAttack("russian", cell(match, "I4"), "prep", ("r",)))
    assert "on wire" in str(shot.drm)


@rule("B24.73")
def test_wire_is_cleared_from_beneath() -> None:
    match = site("PFPh", unit("r", RUSSIAN, "I6"), unit("g", GERMAN, "A5"), dice=[1, 2])
    lay_wire(match.state, cell(match, "I6"), "german")
    match._legal.clear()
    do(match, ClearWire("r"))
    assert not works_at(match.state, cell(match, "I6"), "wire")


@rule("B24.7")
@rule("B24.74")
@pytest.mark.parametrize(
    ("dice", "left", "kind"), [((1, 2), 0, RUSSIAN), ((3, 3), 6, RUSSIAN), ((6, 6), 6, "russian 2-3-7")]
)
def test_a_known_minefield_is_cleared(dice: tuple[int, int], left: int, kind: str) -> None:
    match = site("PFPh", unit("r", RUSSIAN, "I6"), unit("g", GERMAN, "A5"), dice=dice)
    place = cell(match, "I6")
    lay_mines(match.state, place, "german", 6, known=True)
    match._legal.clear()
    preview = match.preview("russian", ClearMines("r"))
    assert preview is not None
    assert preview.odds[0].chance == pytest.approx(3 / 36)
    do(match, ClearMines("r"))
    assert (MINES.of(match.state)[place].factors if place in MINES.of(match.state) else 0) == left
    assert get(match, "r").kind == kind, "an original 12 costs men"
    assert "TI" in get(match, "r").marks


@rule("B24.74")
def test_nobody_clears_mines_that_he_does_not_know() -> None:
    match = site("PFPh", unit("r", RUSSIAN, "I6"), unit("g", GERMAN, "I4"))
    lay_mines(match.state, cell(match, "I6"), "german", 6)
    match._legal.clear()
    assert not offered(match, ClearMines)
    with pytest.raises(IllegalAction, match="Known mines"):
        do(match, ClearMines("r"))


# -- mines --------------------------------------------------------------------------------


@rule("B28.4")
def test_mines_attack_on_entry_and_on_exit_without_drm() -> None:
    match = site("MPh", unit("r", RUSSIAN, "H6"), unit("g", GERMAN, "A5"), dice=[6, 6, 6, 5])
    lay_mines(match.state, cell(match, "I6"), "german", 6)
    assert not [m for m in marks(match, "russian") if m["face"] == "marker/mines"]
    assert [m["label"] for m in marks(match, "german")] == ["Minefield, 6 factors"]
    do(match, StartMove("r"), BeginMove())
    events = []
    for name in ("I6", "J5"):
        events += go(match, name)
    assert [event.dice for event in happened(events, MinesAttack)] == [(6, 6), (6, 5)]
    assert MINES.of(match.state)[cell(match, "I6")].known
    assert [m["face"] for m in marks(match, "russian")] == ["marker/mines"]
    assert at(match, "r") == "J5"


@rule("B28.4")
@pytest.mark.parametrize(("owner", "struck"), [("german", True), ("russian", False)])
def test_a_game_may_spare_the_side_that_laid_the_mines(owner: str, struck: bool) -> None:
    match = field("MPh", unit("r", RUSSIAN, "H6"), unit("g", GERMAN, "A5"), game="kind mines", dice=[6, 6])
    lay_mines(match.state, cell(match, "I6"), owner, 6)
    do(match, StartMove("r"), BeginMove())
    assert bool(happened(go(match, "I6"), MinesAttack)) is struck


@rule("B27.11")
def test_the_log_tells_wire_from_mines() -> None:
    match = site("PFPh", unit("g", GERMAN, "A5"), unit("r", RUSSIAN, "H6"))
    worked = [Worked(unit="g", at="A5", what=what, success=True) for what in (WIRE, "mines")]
    assert ["the wire" in _words(match.state, event) for event in worked] == [True, False]


@rule("B28.412")
def test_whoever_breaks_on_leaving_stays() -> None:
    match = site("MPh", unit("r", RUSSIAN, "I6"), unit("g", GERMAN, "A5"), dice=[3, 3, 6, 5, 6, 6])
    lay_mines(match.state, cell(match, "I6"), "german", 6)
    do(match, StartMove("r"), BeginMove(), Step(cell(match, "J5")))
    assert at(match, "r") == "I6"
    assert get(match, "r").broken


@rule("B28.9")
@pytest.mark.parametrize(("level", "dice", "hit"), [("C", (6, 6), True), ("C", (5, 6), False), ("B", (5, 6), True)])
def test_boobytraps_go_off_at_task_checks(level: str, dice: tuple[int, int], hit: bool) -> None:
    from sandtable.games.squad.effects.morale import pin_check

    match = site("PFPh", unit("r", RUSSIAN, "I6"), unit("g", GERMAN, "A5"))
    BOOBYTRAPS.of(match.state)["russian"] = level
    from sandtable.engine import ScriptedDice

    play = Play(match.state, ScriptedDice(*dice))
    pin_check(play, get(match, "r"))
    assert bool(happened(play.events, Boobytrapped)) is hit


# -- all of it ----------------------------------------------------------------------------


@rule("SASL M4")
def test_what_works_are_worth() -> None:
    match = site("PFPh", unit("r", RUSSIAN, "I6"), unit("g", GERMAN, "A5"))
    state = match.state
    laid = [
        lay_foxhole(state, cell(match, "C5"), "german", 2),
        lay_pillbox(state, cell(match, "C4"), "german", (3, 3, 5), 0),
        fortify(state, cell(match, "E4"), "german"),
        lay_wire(state, cell(match, "D5"), "german"),
    ]
    assert [vp_of(state, work) for work in laid] == [4, 15, 12, 0]


def test_positions_and_states_keep_works() -> None:
    match = bunker("PFPh", unit("r", RUSSIAN, "F6"), weapons=[weapon("m", "german LMG", "g")])
    lay_mines(match.state, cell(match, "I6"), "german", 6)
    again = sandtable.new(match.position(), seed=1)
    assert again.state.counters == match.state.counters
    assert MINES.of(again.state) == MINES.of(match.state)
    assert get(again, "g").within == "pillbox C5"
    assert msgspec.json.decode(msgspec.json.encode(match.state), type=match.game.state_type) == match.state


@pytest.mark.parametrize("name", ["worksplay/parade", "worksplay/winter"])
def test_the_harness_holds_with_works(name: str) -> None:
    report = fuzz(name, games=2, seed=7, checks=0.02)
    assert report.errors == []
