"""Broken units and pillboxes: nobody need leave one, and a rout may lead into one (B30.5)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from asl_support import field, game, rule, unit
from squad_support import cell, do, get, offered

from sandtable.engine import Match
from sandtable.games.asl.terrain.part import TERRAIN
from sandtable.games.asl.terrain.switches import TerrainRules
from sandtable.games.asl.works.model import lay_pillbox, put_in
from sandtable.games.asl.works.part import WORKS
from sandtable.games.asl.works.sheltering import havens
from sandtable.games.asl.works.switches import WorksRules
from sandtable.games.squad.phases.model import Done, EndPhase
from sandtable.games.squad.rout.model import Rout, RoutStep, StartRout

RUSSIAN, GERMAN = "russian 4-4-7", "german 4-6-7"
game("havens", *TERRAIN, *WORKS, switches=(TerrainRules(), WorksRules()))
game("no havens", *TERRAIN, *WORKS, switches=(TerrainRules(), WorksRules(pillbox_havens=False)))


def bunker(phase: str, *units: dict[str, Any], game: str = "havens", **more: Any) -> tuple[Match, Any]:
    """A German squad g in a pillbox for two squads in C5."""
    match = field(phase, unit("g", GERMAN, "C5"), *units, game=game, **more)
    box = lay_pillbox(match.state, cell(match, "C5"), "german", (2, 3, 5), 2)
    inside(match, "g", box)
    return match, box


def inside(match: Match, name: str, work: Any) -> None:
    put_in(match.state, get(match, name), work)
    match._legal.clear()


def shaken(match: Match, name: str) -> None:
    match.state.units[name] = msgspec.structs.replace(get(match, name), broken=True, dm=True)
    match._legal.clear()


@rule("B30.5")
@pytest.mark.parametrize("in_it", [True, False])
def test_who_is_broken_in_a_pillbox_need_not_rout(in_it: bool) -> None:
    match, _ = bunker("AFPh", unit("r", RUSSIAN, "D5"), attacker="russian")
    if not in_it:
        match.state.units["g"] = msgspec.structs.replace(get(match, "g"), within="")
    shaken(match, "g")
    do(match, EndPhase())
    assert match.state.phase == "RtPh"
    assert StartRout("g") in offered(match, StartRout)
    assert bool(offered(match, Done)) is in_it
    if in_it:
        do(match, Done())
        assert get(match, "g").within, "it stays, and is not eliminated for it"


@rule("B30.5")
@pytest.mark.parametrize("havens_in", [True, False])
def test_a_rout_may_lead_into_a_pillbox(havens_in: bool) -> None:
    units = [unit("h", GERMAN, "D5"), unit("r", RUSSIAN, "F5")]
    match, box = bunker("AFPh", *units, game="havens" if havens_in else "no havens", attacker="russian")
    shaken(match, "h")
    do(match, EndPhase())
    do(match, StartRout("h"))
    rout = match.state.stack[-1]
    assert isinstance(rout, Rout)
    assert (rout.goals == (cell(match, "C5"),)) is havens_in
    if havens_in:
        do(match, RoutStep(cell(match, "C5")))
        assert get(match, "h").within == box.id


@rule("B30.5")
def test_a_full_pillbox_is_no_goal() -> None:
    units = [unit("h", GERMAN, "C5"), unit("i", GERMAN, "D6"), unit("r", RUSSIAN, "F5")]
    match, box = bunker("RtPh", *units)
    assert list(havens(match.state, [get(match, "i")])) == [cell(match, "C5")]
    inside(match, "h", box)
    assert list(havens(match.state, [get(match, "i")])) == []
