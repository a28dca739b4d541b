"""Exceptions of the Starter Kit's rules that no other story tells."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from squad_support import cell, do, drill, get, get_weapon, go, happened, offered, rule, unit, weapon

from sandtable.engine import Play, ScriptedDice
from sandtable.games.squad.cards.tables import IFT, fire_result
from sandtable.games.squad.effects.aftermath import resolve_effects
from sandtable.games.squad.fire.eligibility import OFF_BOARD, unit_bar
from sandtable.games.squad.fire.model import AddDirector, AddFirer, AimAt, RateKept, ResolveFire, StartFire
from sandtable.games.squad.ground.counters import RESIDUAL, all_counters
from sandtable.games.squad.ground.setting import ground_of, setting_of
from sandtable.games.squad.movement.model import BeginMove, DoubleTime, Moved, StartMove, Step
from sandtable.games.squad.ordnance.model import ChargeWentOff, SetOffCharge
from sandtable.games.squad.pieces.model import FINAL_FIRE, FIRST_FIRE
from sandtable.games.squad.scenario.placing import emplaced_at_start


@rule("1.1.1")
def test_grain_out_of_season_is_open_ground() -> None:
    for board, open_ground in (("xwinter", True), ("x1944", False)):
        match = drill(board, "PFPh", [unit("a", "russian 4-4-7", "A1")])
        assert bool(ground_of(match.state).open[cell(match, "AA4")]) is open_ground, board


@rule("1.2.5")
def test_leaving_smoke_costs_nothing_more() -> None:
    for smoke, cost in (("F4", 2), ("G4", 3)):
        clouds = {smoke: [{"kind": "grenade", "side": "german"}]}
        match = drill("z", "MPh", [unit("g", "german 4-6-7", "F4")], attacker="german", smoke=clouds)
        do(match, StartMove("g"), BeginMove())
        (moved,) = happened(do(match, Step(cell(match, "G4"))), Moved)
        assert moved.mf == cost, smoke


@rule("1.2.4.1")
def test_subsequent_first_fire_keeps_no_rate() -> None:
    squad = unit("g", "german 4-6-7", "W4", marker=FIRST_FIRE, used=["mg"])
    guns = [weapon("mg", "german MMG", "g", marker=FIRST_FIRE)]
    match = drill("y", "MPh", [unit("r", "russian 4-4-7", "R3"), squad], guns, dice=[1, 6, 1, 1])
    do(match, StartMove("r"), BeginMove())
    go(match, "S4")
    events = do(match, StartFire("mg"), ResolveFire())
    assert not happened(events, RateKept)
    assert get_weapon(match, "mg").marker == FINAL_FIRE


@rule("2.0")
def test_a_unit_in_melee_is_not_in_good_order() -> None:
    match = drill("z", "PFPh", [unit("a", "russian 4-4-7", "I5", melee=True), unit("b", "german 4-6-7", "I5")])
    assert not get(match, "a").good_order


@rule("3.2.1")
def test_off_board_units_neither_fire_nor_are_fired_at() -> None:
    units = [unit("a", "russian 4-4-7", "I5"), unit("b", "russian 4-4-7", "I6"), unit("g", "german 4-6-7", "J5")]
    match = drill("z", "PFPh", units)
    assert {start.firer for start in offered(match, StartFire)} == {"a", "b"}
    assert unit_bar(setting_of(match.state), match.state, replace(get(match, "b"), at=-1), "prep") == OFF_BOARD


@rule("3.2.2")
def test_a_leader_alone_links_nobody() -> None:
    units = [unit("g1", "german 4-6-7", "W4"), unit("l", "german 9-1", "V3"), unit("g3", "german 4-6-7", "U4")]
    match = drill("y", "PFPh", [*units, unit("r", "russian 4-4-7", "R3")], attacker="german")
    do(match, StartFire("g1"), AimAt(cell(match, "R3")))
    assert not offered(match, AddFirer)


@rule("3.2.3")
def test_a_kia_reduces_the_broken_whom_it_spares() -> None:
    units = [unit("a", "german 4-6-7", "K5"), unit("b", "german 4-6-7", "K5", broken=True)]
    match = drill("z", "PFPh", [*units, unit("r", "russian 4-4-7", "A1")])
    play = Play(match.state, ScriptedDice(6, 1, 6, 6, 6, 6))
    resolve_effects(play, ["a", "b"], fire_result("1KIA"), column=8)
    assert "a" in match.state.gone
    assert get(match, "b").kind == "german 2-4-7"


@rule("3.3")
@rule("3.2.3")
@pytest.mark.parametrize("wounded", [True, False])
def test_the_wounded_do_not_use_double_time(wounded: bool) -> None:
    match = drill("z", "MPh", [unit("l", "russian 9-1", "I5", wounded=wounded)])
    do(match, StartMove("l"))
    assert bool(offered(match, DoubleTime)) is not wounded


@rule("3.3.1")
@pytest.mark.parametrize(("leader", "left"), [("", 2), ("german 9-2", 2)])
def test_a_good_leader_does_not_lower_the_residual_fp(leader: str, left: int) -> None:
    units = [unit("g", "german 4-6-7", "W4"), *([unit("l", leader, "W4")] if leader else [])]
    match = drill("y", "MPh", [unit("r", "russian 4-4-7", "R3"), *units], dice=[6, 5, 1, 1])
    do(match, StartMove("r"), BeginMove())
    go(match, "S4")
    do(match, StartFire("g"), *([AddDirector("l")] if leader else []), ResolveFire())
    assert {at: found.value for at, found in all_counters(match.state, RESIDUAL)} == {cell(match, "S4"): left}


@rule("4.3")
@pytest.mark.parametrize("dice", [(2, 6), (4, 6)])
def test_a_charge_is_neither_doubled_nor_halved(dice: tuple[int, int]) -> None:
    """In the AFPh, in the hex beside its placer, it attacks on the 30 column."""
    units = [unit("g", "german 5-4-8", "W4"), unit("r", "russian 4-4-7", "V4")]
    charge = {"V4": [{"kind": "charge", "side": "german", "value": 12, "id": "dc", "frm": "W4"}]}
    match = drill("y", "AFPh", units, attacker="german", dice=[*dice, 1, 1, 1, 1], counters=charge)
    (went,) = happened(do(match, SetOffCharge("dc")), ChargeWentOff)
    assert went.result == str(IFT.result(30, sum(dice)))


@rule("6.3")
def test_emplacement_needs_a_crew_and_no_paved_road() -> None:
    ground = ground_of(drill("w", "PFPh", []).state)
    paved = next(name for cell, name in enumerate(ground.names) if ground.paved[cell])
    pak = weapon("gun", "german 7.5cm PaK 40 AT", "c", facing=0)
    for kind, at, emplaced in (
        ("german 2-2-8", "C3", True),
        ("german 2-2-8", paved, False),
        ("german 4-6-7", "C3", False),
    ):
        match = drill("w", "PFPh", [unit("c", kind, at)], [pak])
        assert emplaced_at_start(match.state, get_weapon(match, "gun")) is emplaced, (kind, at)
