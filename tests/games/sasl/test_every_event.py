"""Every Random Event of the twelve tables: it happens, or it says which part it waits for (2.3, 2.31)."""

from __future__ import annotations

from functools import cache

import pytest
from msgspec.structs import replace
from sasl_support import playing

import sandtable
from sandtable.engine import Decided, Play
from sandtable.engine.dice import StreamDice, secret_of_seed
from sandtable.engine.registry import register
from sandtable.games.asl.surrender import capture
from sandtable.games.sasl import GAME, events, generation, suspects
from sandtable.games.sasl.growing import key_of
from sandtable.games.sasl.model import ENEMY, FRIENDLY, HOLD, ROSTER, SUSPECTS
from sandtable.games.sasl.rolled import rolled_in
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.sasl.tables import events as tables
from sandtable.games.sasl.tables.cards import card
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.stacks import put
from sandtable.games.squad.pieces.model import SquadState

register(GAME)
MEETINGS = {
    "A11": ("R", "G", "1943-05"), "P9": ("G", "P", "1943-05"), "G9": ("G", "R", "1943-05"), "R9": ("R", "G", "1942-05"),
    "U9": ("U", "G", "1944-05"), "UM9": ("M", "J", "1943-05"), "B9": ("B", "G", "1941-05"), "F9": ("F", "B", "1941-05"),
    "I9": ("I", "B", "1941-05"), "J9": ("J", "U", "1943-05"), "C9": ("C", "J", "1943-05"), "L9": ("L", "G", "1940-11"),
}  # fmt: skip
ROWS = [(table, one.numbers[0]) for table in MEETINGS for one in tables.events(table)]


@cache
def start(table: str) -> SquadState:
    """A mission in full swing: FRIENDLY units in houses, woods and the open, S? and ENEMY units before them."""
    friendly, enemy, date = MEETINGS[table]
    options = {"friendly": "G", "enemy": "R", "year": "1943", "boards": "shipped"}
    state: SquadState = sandtable.new("sasl/1", seed=8, options=options).state.clone()
    title = "Greece" if friendly == "L" else ""
    pto = ("PTO",) if friendly in ("M", "J", "C") else ("Russia",)
    base = replace(rolled_in(state), friendly=friendly, friendly_nation=card(friendly).nation, enemy=enemy, date=date)
    state.setting = key_of(state, replace(base, friendly_title=title, enemy_group="", places=pto))
    SUSPECTS.of(state).clear()
    ground = setting_of(state).ground
    houses = [cell for cell in range(ground.size) if ground.in_building[cell]]
    woods = [cell for cell in range(ground.size) if ground.woods[cell]]
    fields = [cell for cell in range(ground.size) if ground.open[cell] and not ground.paved[cell]]
    ours = [houses[3], houses[8], woods[2], *fields[40:120:9]]
    company = [unit for unit in state.units.values() if unit.side == FRIENDLY]
    company = [put(state, state.units[unit.id], cell) for unit, cell in zip(company, ours, strict=False)] + company[
        len(ours) :
    ]
    leader = next(unit for unit in company if unit_kind(state, unit).leads)
    state.units[leader.id] = replace(put(state, state.units[leader.id], fields[60]), concealed=False)
    hurt = next(unit for unit in company if unit_kind(state, unit).squad)
    state.units[hurt.id] = replace(put(state, state.units[hurt.id], fields[60]), broken=True, dm=True, concealed=False)
    taken = {unit.at for unit in state.units.values()}
    for cell in [cell for cell in (*houses[20:30], *fields[130:190:6]) if cell not in taken]:
        suspects.add(state, at=cell, attitude=HOLD)
    play = Play(state, StreamDice(secret_of_seed(5)))
    near = next(cell for cell in ground.near[fields[60]] if cell not in taken and ground.kinds[cell].mf is not None)
    squad = generation.squad(play, rolled_in(state))
    for _ in range(2):
        generation.new_unit(play, squad, near)
    guard = generation.new_unit(play, "russian 8-0", near)
    captive = next(unit for unit in reversed(company) if unit.at >= 0 and unit.id not in (leader.id, hurt.id))
    capture(play, state.units[captive.id], guard, "a test")
    put_roster(state, friendly_re="3/4", enemy_re="3/4", ac=3)
    state.turn = 4
    return state


@pytest.mark.rule("S2.3", "S2.31")
@pytest.mark.parametrize(("table", "number"), ROWS)
def test_an_event_happens_or_says_what_it_needs(table: str, number: str) -> None:
    event = tables.event(table, int(number[0]), int(number[1]))
    side = ENEMY if table in ("A11", "P9") else FRIENDLY
    if event.event in events.NEEDS:
        assert "needs" in events.barred(start(table), side, event)
        assert event.event not in events.effects(side)
        return
    done = False
    for seed in range(8):  # some have sub-tables with a part that is not played yet
        state = start(table).clone()
        state.attacker = side
        play = Play(state, StreamDice(secret_of_seed(seed)))
        done = events.occur(play, side, event) or done
        if done:
            break
    on_foot = event.event != "motorized" or "if wished" in event.effect
    assert done == on_foot, f"{table} {number} {event.event}"
    if event.once and done:
        assert events.barred(state, side, event) == "can occur only once"


@pytest.mark.rule("S2.31")
def test_a_used_event_is_rolled_again_and_one_that_waits_says_why() -> None:
    state = start("A11").clone()
    state.attacker = ENEMY
    put_roster(state, used=("A11 34",))
    play = playing(state, 4, 4, 3, 4, 3, 3, 1, 1, 1)  # the coloured die has -1 in Mission 1
    events.happen(play, ENEMY)
    said = [event.why for event in play.events if isinstance(event, Decided) and event.table == "A11"]
    assert said[0].endswith("can occur only once; rolled again")
    assert ROSTER.of(state).ac == 4
    assert any("needs vehicles (not played yet); rolled again" in why for why in said)
