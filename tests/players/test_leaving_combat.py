"""What the computer players do about a Melee that goes badly (A11.2)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

import sandtable
from sandtable.engine import Match, Seat
from sandtable.engine.registry import register
from sandtable.games.asl.leaving.model import LeaveTo, Leaving, StayAndFight, Withdraw, Withdrawing
from sandtable.games.sasl import GAME
from sandtable.games.sasl.model import ENEMY, FRIENDLY, SUSPECTS
from sandtable.games.squad.combat.model import CloseCombatPhase
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import put
from sandtable.games.squad.phases.model import Done
from sandtable.games.squad.pieces.kinds import printed_unit
from sandtable.games.squad.pieces.model import Unit
from sandtable.players import make_player
from sandtable.players.squad_fight import survival
from sandtable.players.squad_men import Man

register(GAME)
OPTIONS = {"friendly": "G", "enemy": "R", "year": "1943", "boards": "shipped"}


def held(own: int, foes: int, top: Any) -> tuple[Match, int]:
    """A Melee of so many squads of each side in a mission, and what is being asked."""
    match = sandtable.new("sasl/1", seed=8, options=OPTIONS).clone()
    state = match.state
    SUSPECTS.of(state).clear()
    ground = setting_of(state).ground
    cell = next(
        one
        for one in range(150, ground.size)
        if len(ground.near[one]) == 6 and all(ground.open[near] for near in (one, *ground.near[one]))
    )
    for number in range(own + foes):
        side, kind, group = (FRIENDLY, "german 4-6-7", "company") if number < own else (ENEMY, "russian 4-4-7", "enemy")
        unit = Unit(f"x{number}", side, kind, group=group, melee=True)
        state.units[unit.id] = unit
        put(state, unit, cell)
    state.phase, state.attacker = "CCPh", FRIENDLY
    state.stack[:] = [CloseCombatPhase(), replace(top, at=cell) if isinstance(top, Leaving) else top]
    return match.clone(), cell


def choice(match: Match, level: str) -> Any:
    return make_player("sasl", level).choose(Seat(match, FRIENDLY), Random(1))


def man(kind: str) -> Man:
    return Man({"id": "x", "face": kind, "side": ""}, printed_unit(kind), 0, off=False)


@pytest.mark.rule("A11.2")
def test_how_likely_one_survives_a_melee() -> None:
    """At 1-1 both have 1 in 6 to win a round and 1 in 9 for half of it; more men survive more often."""
    even = survival([man("german 4-6-7")], [man("russian 4-4-7")])
    assert 0.35 < even < 0.5
    assert survival([man("german 4-6-7")] * 2, [man("russian 4-4-7")]) > even
    assert survival([man("german 4-6-7")], [man("russian 4-4-7")] * 3) < 0.1


@pytest.mark.rule("A11.2")
@pytest.mark.parametrize(
    ("level", "foes", "chosen"), [("regular", 1, Done()), ("regular", 3, Withdraw("x0")), ("recruit", 3, Done())]
)
def test_the_regular_withdraws_when_its_squad_is_nearly_sure_to_be_lost(level: str, foes: int, chosen: Any) -> None:
    match, _ = held(1, foes, Withdrawing(FRIENDLY))
    assert choice(match, level) == chosen


@pytest.mark.rule("A11.22")
@pytest.mark.parametrize(("foes", "goes"), [(1, False), (3, True)])
def test_the_regular_infiltrates_out_of_a_lost_melee(foes: int, *, goes: bool) -> None:
    match, _ = held(1, foes, Leaving(FRIENDLY, 0, (("x0",),), "infiltrates"))
    assert isinstance(choice(match, "regular"), LeaveTo if goes else StayAndFight)


@pytest.mark.rule("A11.21")
@pytest.mark.parametrize("level", ["regular", "recruit"])
def test_who_must_leave_does_not_go_where_a_question_mark_lies(level: str) -> None:
    match, cell = held(1, 1, Leaving(FRIENDLY, 0, (("x0",),)))
    state = match.state
    free = setting_of(state).ground.near[cell][3]
    for number, to in enumerate(setting_of(state).ground.near[cell]):
        if to != free:
            unit = Unit(f"h{number}", ENEMY, "russian 4-4-7", group="enemy", concealed=True)
            state.units[unit.id] = unit
            put(state, unit, to)
    again = match.clone()
    assert choice(again, level) == LeaveTo("x0", free)
