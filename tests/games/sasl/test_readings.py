"""Rulings that can be read in another way: what each option changes."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sasl_support import field, playing, stand

import sandtable
from sandtable.engine.registry import register
from sandtable.games.sasl import GAME, roaming, suspects
from sandtable.games.sasl.compass import edge_cells
from sandtable.games.sasl.enemy import automatic, marching
from sandtable.games.sasl.missions import MISSIONS, add_objectives
from sandtable.games.sasl.model import ADVANCE, ENEMY, OBJECTIVES, ROSTER, SCORE, SUSPECTS
from sandtable.games.sasl.rolled import rolled_in
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.squad.effects.verdicts import judge_check
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.pieces.model import SquadState

register(GAME)


def started(mission: int, **options: str) -> SquadState:
    state: SquadState = sandtable.new(f"sasl/{mission}", seed=8, options={"boards": "shipped", **options}).state
    return state


@pytest.mark.rule("S14.3")
@pytest.mark.parametrize("reading", ["building", "hex"])
def test_a_vpo_hex_stands_for_its_building_or_for_itself(reading: str) -> None:
    state = started(1, vpo=reading, friendly="G", enemy="R", year="1943")
    ground = setting_of(state).ground
    cells = next(cells for cells in ground.buildings.values() if len(cells) > 1)
    OBJECTIVES.of(state).clear()
    add_objectives(state, replace(rolled_in(state).boards[0], vpo=((ground.names[cells[0]],),)))
    (one,) = OBJECTIVES.of(state).values()
    assert len(one.cells) == (len(cells) if reading == "building" else 1)


@pytest.mark.rule("S9.41")
@pytest.mark.parametrize(("reading", "points"), [("squad", 2), ("nothing", 0)])
def test_what_a_suspect_that_exits_is_worth(reading: str, points: int) -> None:
    state = started(8, suspect_exit=reading)
    one = suspects.add(state, at=edge_cells(setting_of(state), "west")[0], attitude=ADVANCE, edge="west")
    assert roaming.leaves(playing(state), one)
    assert SCORE.of(state).get(f"{ENEMY} S? exited", 0) == points


@pytest.mark.rule("M8")
@pytest.mark.parametrize(("reading", "coming"), [("4", 4), ("2", 2), ("all", 9)])
def test_how_many_of_the_column_come_on_in_a_turn(reading: str, coming: int) -> None:
    state = started(8, column=reading)
    SUSPECTS.of(state).clear()
    put_roster(state, pool=9)
    MISSIONS[8].begin_enemy_turn(playing(state))
    assert len(SUSPECTS.of(state)) == coming
    assert ROSTER.of(state).pool == 9 - coming


@pytest.mark.rule("S6.3174")
def test_leaders_alone_stay_where_the_option_says_so() -> None:
    state = started(1, directing="off")
    assert automatic.firers_near(state, 0) == []


@pytest.mark.rule("S6.222")
@pytest.mark.parametrize(("reading", "how"), [("out of reach", "full"), ("always", "double")])
def test_double_time_to_a_goal_that_is_near(reading: str, how: str) -> None:
    state = started(1, double_time=reading, friendly="G", enemy="R", year="1943")
    cell = field(state)
    unit = stand(state, "e", "russian 4-4-7", cell)
    path = marching.open_hexes(state, cell, [unit])[:1]
    assert marching.pace(state, "Double Time if need be", cell, path, [unit]) == how


@pytest.mark.rule("S")
@pytest.mark.parametrize(("reading", "replaced"), [("", False), ("none", False), ("5", True)])
def test_nobody_is_replaced_for_a_check_failed_badly(reading: str, replaced: bool) -> None:
    state = started(1, **({"elr": reading} if reading else {}))
    setting = setting_of(state)
    unit = next(unit for unit in state.units.values() if setting.kinds[unit.group, unit.kind].replaced)
    assert judge_check(setting, unit, 11, 14).replaced == replaced
