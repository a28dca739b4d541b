"""Works and broken ground under movers, shells and labour: what each condition changes (B2, B9, B26-B30)."""

from __future__ import annotations

from typing import Any

import pytest
from asl_support import everything, rule, unit
from squad_support import at, cell, do, get, happened, offered, weapon

from sandtable.engine import Match, Play, ScriptedDice
from sandtable.engine.errors import IllegalAction
from sandtable.games.asl.busy import TI
from sandtable.games.asl.concealment.losing import _moving_cases
from sandtable.games.asl.concealment.model import Bumped
from sandtable.games.asl.concealment.seen import concealment_terrain
from sandtable.games.asl.heat.model import BERSERK
from sandtable.games.asl.terrain.claims import LeaveWall
from sandtable.games.asl.terrain.going import Climb, EnterShellholes, _deep_stream, enter_bar
from sandtable.games.asl.terrain.walls import HELD, asl_ground, holds
from sandtable.games.asl.works.breaking import PillboxDestroyed
from sandtable.games.asl.works.digging import Dig
from sandtable.games.asl.works.mines import MinesAttack
from sandtable.games.asl.works.model import (
    MINES,
    TRENCHED,
    lay_foxhole,
    lay_mines,
    lay_pillbox,
    lay_trench,
    lay_wire,
    may_entrench_in,
    put_in,
    works_at,
)
from sandtable.games.asl.works.sheltering import AlongTrench, ComeOut
from sandtable.games.squad.ground.cover import in_the_open, mover_of, terrain_item
from sandtable.games.squad.ground.setting import ground_of
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import put
from sandtable.games.squad.movement.manhandling import manhandling_tally
from sandtable.games.squad.movement.model import BeginMove, StartMove, Step
from sandtable.games.squad.ordnance.hits import resolve_hit, struck
from sandtable.games.squad.ordnance.model import Manhandle
from sandtable.games.squad.ordnance.tohit import ATT, ITT, OrdnanceShot, to_hit
from sandtable.space.terrain import terrain_table

RUSSIAN, GERMAN = "russian 4-4-7", "german 4-6-7"


def inside(match: Match, name: str, work: Any) -> None:
    put_in(match.state, get(match, name), work)
    match._legal.clear()


def moving(match: Match) -> Match:
    do(match, StartMove("r"), BeginMove())
    return match


def tem(match: Match, source: str, target: str, name: str, *, mortar: bool = False) -> tuple[str, float]:
    return terrain_item(match.state, cell(match, source), cell(match, target), get(match, name), mortar=mortar)[:2]


# -- on the move --------------------------------------------------------------------------


@rule("A12.15")
def test_who_takes_cover_in_shellholes_runs_into_those_under_a_question_mark_there() -> None:
    match = moving(everything("MPh", unit("r", RUSSIAN, "D2"), unit("g", GERMAN, "D3", concealed=True)))
    assert happened(do(match, EnterShellholes(cell(match, "D3"))), Bumped)
    assert at(match, "r") == "D2"


@rule("A12.15")
def test_who_goes_along_a_trench_runs_into_those_under_a_question_mark_in_it() -> None:
    match = everything("MPh", unit("r", RUSSIAN, "I5"), unit("g", GERMAN, "I6", concealed=True))
    for name in ("I5", "I6"):
        lay_trench(match.state, cell(match, name), "russian")
    inside(match, "r", works_at(match.state, cell(match, "I5"), "trench")[0])
    assert happened(do(moving(match), AlongTrench(cell(match, "I6"))), Bumped)
    assert (at(match, "r"), get(match, "r").within) == ("I5", "trench I5")


@rule("A12.15")
def test_who_climbs_a_cliff_runs_into_those_under_a_question_mark_above() -> None:
    units = [unit("r", RUSSIAN, "K5"), unit("g", GERMAN, "K4", concealed=True)]
    match = moving(everything("MPh", *units, dice=[4, 5]))
    assert happened(do(match, Climb(cell(match, "K4"))), Bumped)
    assert at(match, "r") == "K5"


@rule("B26.4")
@pytest.mark.parametrize("work", [lay_wire, lay_foxhole])
def test_nobody_goes_from_wire_or_a_foxhole_into_shellholes(work: Any) -> None:
    match = everything("MPh", unit("r", RUSSIAN, "D2"), unit("g", GERMAN, "A5"))
    inside(match, "r", work(match.state, cell(match, "D2"), "russian"))
    assert not offered(moving(match), EnterShellholes)


@rule("B26.4")
def test_nobody_climbs_from_on_top_of_wire() -> None:
    match = everything("MPh", unit("r", RUSSIAN, "K5"), unit("g", GERMAN, "A5"))
    inside(match, "r", lay_wire(match.state, cell(match, "K5"), "german"))
    assert not offered(moving(match), Climb)


@rule("B28.412")
def test_mines_attack_who_leaves_for_shellholes_or_a_cliff() -> None:
    for frm, step, to, dice in (("D2", EnterShellholes, "D3", [6, 6]), ("K5", Climb, "K4", [6, 6, 4, 5])):
        match = moving(everything("MPh", unit("r", RUSSIAN, frm), unit("g", GERMAN, "O8"), dice=dice))
        lay_mines(match.state, cell(match, frm), "german", 6)
        assert happened(do(match, step(cell(match, to))), MinesAttack)
        assert at(match, "r") == to


@rule("B28.44")
def test_no_mines_attack_from_trench_to_trench() -> None:
    match = everything("MPh", unit("r", RUSSIAN, "I5"), unit("g", GERMAN, "A5"))
    for name in ("I5", "I6"):
        lay_trench(match.state, cell(match, name), "russian")
        lay_mines(match.state, cell(match, name), "german", 6)
    inside(match, "r", works_at(match.state, cell(match, "I5"), "trench")[0])
    do(moving(match), AlongTrench(cell(match, "I6")))
    assert (at(match, "r"), get(match, "r").within) == ("I6", "trench I6")
    assert not any([field.known for field in MINES.of(match.state).values()])


# -- covers ---------------------------------------------------------------------------------


@rule("B9.31")
def test_on_wire_a_wall_covers_though_nobody_holds_its_advantage() -> None:
    match = everything("PFPh", unit("g", GERMAN, "E5"), unit("r", RUSSIAN, "H4"))
    inside(match, "g", lay_wire(match.state, cell(match, "E5"), "russian"))
    assert not holds(match.state, cell(match, "E5"), "german")
    assert tem(match, "H4", "E5", "g") == ("wall", 2)


@rule("B9.34")
@pytest.mark.parametrize("source", ["H4", "E8"])
def test_a_wall_covers_against_mortars_from_every_side(source: str) -> None:
    match = everything("MPh", unit("r", RUSSIAN, "E6"), unit("g", GERMAN, source), unit("h", GERMAN, "A5"))
    do(moving(match), Step(cell(match, "E5")))
    assert tem(match, source, "E5", "r", mortar=True) == ("wall", 1)
    mover = mover_of(match.state, "r")
    assert not in_the_open(match.state, cell(match, source), cell(match, "E5"), mover, mortar=True)


@rule("B9.34")
def test_a_hedge_spoils_ffmo_for_mortars_only_where_they_fire_over_it() -> None:
    match = everything("MPh", unit("r", RUSSIAN, "B3"), unit("g", GERMAN, "C7"))
    do(moving(match), Step(cell(match, "C3")))
    mover = mover_of(match.state, "r")
    open_to = [
        in_the_open(match.state, cell(match, name), cell(match, "C3"), mover, mortar=True) for name in ("C6", "C1")
    ]
    assert open_to == [False, True]


@rule("B9.322")
def test_who_is_ti_keeps_wall_advantage() -> None:
    for marks, may in (((), True), ((TI,), False)):
        match = everything("MPh", unit("r", RUSSIAN, "F2", marks=marks), unit("g", GERMAN, "A5"))
        HELD.of(match.state)[cell(match, "F2")] = "russian"
        match._legal.clear()
        assert bool(offered(match, LeaveWall)) is may


@rule("B2.3")
def test_who_has_the_cover_of_shellholes_digs() -> None:
    match = everything("PFPh", unit("r", RUSSIAN, "D3", within="shellholes"), unit("g", GERMAN, "A5"))
    assert Dig("r") in offered(match, Dig)


@rule("B20.43")
@pytest.mark.parametrize(("more", "exhausted"), [({}, True), ({"broken": True}, False), ({"marks": [BERSERK]}, False)])
def test_a_deep_stream_with_woods_exhausts_too(
    more: dict[str, Any], exhausted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = everything("MPh", unit("r", RUSSIAN, "G6", **more), unit("g", GERMAN, "A5"))
    ground, place = asl_ground(match.state), cell(match, "G6")
    facts = list(ground.facts)
    facts[place] = facts[place].__class__(**{**_fields(facts[place]), "bed": ((0, "deep_stream"), (3, "deep_stream"))})
    monkeypatch.setattr(ground, "facts", tuple(facts))
    _deep_stream(Play(match.state, ScriptedDice()), ["r"], place, place, "moves")
    assert get(match, "r").cx is exhausted


@rule("B20.43")
@rule("A11.21")
@pytest.mark.parametrize("phase", ["APh", "CCPh"])
def test_no_cx_unit_advances_or_withdraws_into_a_deep_stream(phase: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match = everything("MPh", unit("r", RUSSIAN, "G6", cx=True), unit("g", GERMAN, "A5"))
    ground, place = asl_ground(match.state), cell(match, "G6")
    facts = list(ground.facts)
    facts[place] = facts[place].__class__(**{**_fields(facts[place]), "bed": ((0, "deep_stream"),)})
    monkeypatch.setattr(ground, "facts", tuple(facts))
    match.state.phase = phase
    bar = enter_bar(match.state, [get(match, "r")], place, place)
    assert bar == ("No CX unit may advance or withdraw into a deep stream", "B20.43")


def _fields(fact: Any) -> dict[str, Any]:
    return {name: getattr(fact, name) for name in fact.__struct_fields__}


@rule("B20.43")
@pytest.mark.parametrize(("phase", "cx", "barred"), [("APh", True, True), ("APh", False, False), ("MPh", True, False)])
def test_nobody_who_is_cx_advances_into_a_deep_stream(
    phase: str, cx: bool, barred: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = everything(phase, unit("r", RUSSIAN, "H1", cx=cx), unit("g", GERMAN, "A5"))
    ground, place = asl_ground(match.state), cell(match, "G1")
    kinds = list(ground.kinds)
    kinds[place] = terrain_table()["deep_stream"]
    monkeypatch.setattr(ground, "kinds", tuple(kinds))
    assert (enter_bar(match.state, [get(match, "r")], cell(match, "H1"), place) is not None) is barred


@rule("A12.12")
def test_a_lumberyard_is_concealment_terrain() -> None:
    match = everything("PFPh", unit("r", RUSSIAN, "N7"), unit("g", GERMAN, "A5"))
    assert [concealment_terrain(asl_ground(match.state), cell(match, name)) for name in ("N7", "C7")] == [True, False]


# -- shells at a pillbox ----------------------------------------------------------------------


def shelled(source: str, kind: str = "russian 76.2mm P obr. 39 ART") -> tuple[Match, OrdnanceShot]:
    crew = "american 2-2-7" if kind.startswith("american") else "russian 2-2-8"
    units = [unit("r", crew, source), unit("g", GERMAN, "C5")]
    match = everything("PFPh", *units, weapons=[weapon("q", kind, "r", facing=0)])
    inside(match, "g", lay_pillbox(match.state, cell(match, "C5"), "german", (2, 3, 5), 2))
    return match, OrdnanceShot("russian", "prep", "q", cell(match, "C5"), ITT)


@rule("B30.32")
@pytest.mark.parametrize(("source", "drm"), [("F6", -3), ("A3", 0)])
def test_a_critical_hit_reverses_what_covers_in_the_arc_of_a_pillbox_and_takes_the_rest(source: str, drm: int) -> None:
    match, shot = shelled(source)
    assert struck(match.state, shot, to_hit(match.state, shot), get(match, "g"), critical=True).drm == drm


@rule("B30.92")
@pytest.mark.parametrize(("target_type", "destroyed"), [(ITT, True), (ATT, False)])
def test_no_shot_on_the_area_target_type_breaks_a_pillbox_open(target_type: str, destroyed: bool) -> None:
    match, shot = shelled("F6", "american M1 155mm ART")
    shot = shot._replace(target_type=target_type)
    play = Play(match.state, ScriptedDice(1, 1))
    resolve_hit(play, shot, to_hit(match.state, shot), ["g"], ["g"])
    assert bool(happened(play.events, PillboxDestroyed)) is destroyed


# -- a Gun that is pushed -----------------------------------------------------------------------

PIECE = "russian 45mm PTP obr. 32 AT"


def pushing(frm: str, work: Any = None, *, dice: tuple[int, ...] = ()) -> Match:
    """A crew with a Gun in a hex, in a work there or not, about to push it."""
    units = [unit("r", "russian 2-2-8", frm), unit("g", GERMAN, "A5")]
    match = everything("MPh", *units, weapons=[weapon("q", PIECE, "r", facing=0)], dice=dice)
    if work is not None:
        inside(match, "r", work(match.state, cell(match, frm), "russian"))
    return moving(match)


@rule("B27.5")
def test_a_gun_stays_in_its_trench() -> None:
    match = pushing("I6", lay_trench)
    assert not offered(match, Manhandle)
    assert not offered(match, ComeOut)
    with pytest.raises(IllegalAction, match="A Gun stays in its trench"):
        do(match, Manhandle("q", cell(match, "I5")))


@rule("B27.4")
def test_a_crew_comes_out_of_its_foxhole_before_it_pushes_a_gun() -> None:
    match = pushing("I6", lay_foxhole)
    assert not offered(match, Manhandle)
    do(match, ComeOut())
    assert offered(match, Manhandle)


@rule("C10.3")
def test_no_gun_is_pushed_into_wire_or_off_it() -> None:
    match = pushing("I6")
    lay_wire(match.state, cell(match, "I5"), "german")
    match._legal.clear()
    with pytest.raises(IllegalAction, match="into wire"):
        do(match, Manhandle("q", cell(match, "I5")))
    assert offered(match, Manhandle)
    assert not offered(pushing("I6", lay_wire), Manhandle)


@rule("C10.3")
@pytest.mark.parametrize(("frm", "to", "tem"), [("F5", "E5", 2), ("E6", "E5", 0), ("C4", "C3", 1)])
def test_walls_and_hedges_are_in_the_way_of_a_gun(frm: str, to: str, tem: int) -> None:
    match = pushing(frm)
    way = asl_ground(match.state).way(cell(match, frm), cell(match, to))
    assert way is not None
    tally = manhandling_tally(match.state, ["r"], way, road=False)
    assert sum([item.value for item in tally.items if item.rule == "C10.3"]) == tem


@rule("B28.412")
def test_mines_attack_who_pushes_a_gun_out_of_them() -> None:
    match = pushing("I6", dice=(1, 1, 6, 6))
    lay_mines(match.state, cell(match, "I6"), "german", 6)
    assert happened(do(match, Manhandle("q", cell(match, "I5"))), MinesAttack)
    assert at(match, "r") == "I5"


@rule("A12.14")
@pytest.mark.parametrize(("enemy", "kept"), [("K5", False), ("", True)])
def test_whoever_digs_in_sight_is_seen(enemy: str, kept: bool) -> None:
    others = [unit("g", "german 4-6-7", enemy)] if enemy else [unit("g", "german 4-6-7", "K5", broken=True)]
    match = everything("PFPh", unit("r", "russian 4-4-7", "C2", concealed=True), *others, dice=(6, 6))
    state = match.state
    spot = next(
        place
        for place in ground_of(state).near[get(match, "g").at]
        if may_entrench_in(state, place) and sees(state, get(match, "g").at, place)
    )
    put(state, get(match, "r"), spot)
    match._legal.clear()
    do(match, Dig("r"))
    assert get(match, "r").concealed is kept


@rule("A12.14")
def test_from_trench_to_trench_it_is_kept() -> None:
    units = (unit("r", "russian 4-4-7", "I6", concealed=True), unit("g", "german 4-6-7", "K6"))
    match = everything("MPh", *units)
    do(match, StartMove("r"), BeginMove())
    assert "A" in _moving_cases(match.state, get(match, "r"))
    TRENCHED.put(match.state, ("r",))
    assert _moving_cases(match.state, get(match, "r")) == ""
