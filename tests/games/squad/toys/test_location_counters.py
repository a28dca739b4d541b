"""Counters in a Location: the table of kinds, and kinds that a part brings."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from squad_support import _cards, cell, do, drill, get, unit

import sandtable
from sandtable.engine import Match, Play, ScriptedDice, register
from sandtable.engine.errors import BadPosition
from sandtable.games.squad.cards.location_counters import CounterKind
from sandtable.games.squad.game import SquadGame
from sandtable.games.squad.ground.counters import all_counters, counters_at, expire, lay, mf_in, take_up
from sandtable.games.squad.ground.cover import terrain_item
from sandtable.games.squad.ground.map import BLOCKED
from sandtable.games.squad.ground.sight import hindrance_in, los
from sandtable.games.squad.ground.stacks import put
from sandtable.games.squad.movement.model import BeginMove, StartMove, Step
from sandtable.games.squad.part import Part, Points
from sandtable.games.squad.parts import COMMON
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.pieces.events import CounterRemoved
from sandtable.games.squad.pieces.model import Counter
from sandtable.games.squad.rulesets import STARTER_KIT

WRECK = CounterKind(name="wreck", tem=1, hindrance=1, face="wreck", label="Wreck", rule="toy")
WIRE = CounterKind(name="wire", mf=2, face="wire", label="Wire", rule="toy")
FOXHOLE = CounterKind(name="foxhole", tem=2, capacity=2, face="foxhole", label="Foxhole", rule="toy")
BLAZE = CounterKind(name="blaze", group="smoke", hindrance=2, rule="toy")
FLAME = CounterKind(name="flame", hindrance=1, goes="CCPh ends", becomes="embers", rule="toy")
EMBERS = CounterKind(name="embers", goes="player turn ends", told=False, rule="toy")
PART = Part(counters=(WRECK, WIRE, FOXHOLE, BLAZE, FLAME, EMBERS))

register(SquadGame("counterdrill", "Drill with counters", STARTER_KIT, _cards, {}, parts=(*COMMON, PART)))


def littered(counters: dict[str, list[dict[str, Any]]], phase: str = "PFPh", *units: dict[str, Any]) -> Match:
    units = units or (unit("r", "russian 4-4-7", "H5"), unit("g", "german 4-6-7", "A1"))
    return drill("z", phase, units, game="counterdrill", counters=counters)


def test_kinds_of_one_group_do_not_add_up_but_groups_do() -> None:
    here = [{"kind": kind, "side": "german"} for kind in ("smoke", "blaze", "wreck")]
    match = littered({"I5": here})
    assert hindrance_in(match.state, cell(match, "I5")) == 3 + 1
    take_up(match.state, cell(match, "I5"), Counter("smoke", "german"))
    assert hindrance_in(match.state, cell(match, "I5")) == 2 + 1


def test_counters_hinder_lines_until_six_block_them() -> None:
    match = littered({})
    source, target = cell(match, "H5"), cell(match, "I5")
    assert los(match.state, source, target) == 0
    lay(match.state, target, Counter("wreck"))
    assert los(match.state, source, target) == los(match.state, target, source) == 1
    lay(match.state, source, Counter("smoke", "german"))
    assert los(match.state, source, target) == 3 + 1 + 1
    lay(match.state, target, Counter("blaze"))
    assert los(match.state, source, target) == BLOCKED


def test_counters_cost_mf() -> None:
    match = littered({"I5": [{"kind": "wire"}, {"kind": "smoke", "side": "german"}]}, "MPh")
    assert mf_in(match.state, cell(match, "I5")) == 4
    plain = drill("z", "MPh", [unit("r", "russian 4-4-7", "H5"), unit("g", "german 4-6-7", "A1")])
    costs = []
    for other in (plain, match):
        do(other, StartMove("r"), BeginMove())
        step = next(
            step for step in other.actions("russian") if isinstance(step, Step) and step.to == cell(other, "I5")
        )
        costs.append(float(other.describe("russian", step).cost.removesuffix(" MF").replace("½", ".5")))
    assert costs[1] - costs[0] == 2


def test_a_counter_with_a_capacity_shelters_those_within() -> None:
    units = [
        unit("in", "german 4-6-7", "I5", within="f1"),
        unit("out", "german 4-6-7", "I5"),
        unit("r", "russian 4-4-7", "H5"),
    ]
    match = littered({"I5": [{"kind": "foxhole", "id": "f1"}]}, "PFPh", *units)
    source, target = cell(match, "H5"), cell(match, "I5")
    assert terrain_item(match.state, source, target, get(match, "in")) == ("foxhole", 2, "toy")
    assert terrain_item(match.state, source, target, get(match, "out"))[1] == 0
    assert {piece["id"]: piece.get("within", "") for piece in match.view("german")["pieces"]}["in"] == "f1"
    assert put(match.state, get(match, "in"), cell(match, "I6")).within == ""


def test_a_kind_goes_in_its_time_or_becomes_another() -> None:
    match = littered({"I5": [{"kind": "flame"}], "I6": [{"kind": "flame"}]})
    play = Play(match.state, ScriptedDice())
    expire(play, "MPh ends")
    assert len(list(all_counters(match.state, "flame"))) == 2
    expire(play, "CCPh ends")
    assert play.events == [CounterRemoved(at=name, counter="flame", now="embers") for name in ("I5", "I6")]
    assert match.game.words(play.events[0], match.state) == "The flame in I5 becomes embers"
    assert not match.state.hinders
    expire(play, "player turn ends")
    assert not match.state.counters


def test_phases_and_turns_take_counters_away() -> None:
    match = littered({"I5": [{"kind": "flame"}, {"kind": "wire"}]}, "APh")
    while match.state.attacker == "russian":
        do(match, EndPhase())
    assert [counter.kind for counter in match.state.counters[cell(match, "I5")]] == ["wire"]


def test_views_positions_and_states_keep_them() -> None:
    match = littered({"I5": [{"kind": "wreck", "side": "german", "id": "w1"}]})
    (mark,) = match.view("russian")["marks"]
    assert (mark["at"], mark["face"], mark["label"]) == ("I5", "marker/wreck", "Wreck")
    again = sandtable.new(match.position(), seed=1)
    assert again.state.counters == match.state.counters
    assert again.state.hinders == match.state.hinders
    assert msgspec.json.decode(msgspec.json.encode(match.state), type=match.game.state_type) == match.state


def test_unknown_kinds_and_names_given_twice_are_refused() -> None:
    with pytest.raises(BadPosition, match="no counter is called 'balloon'; there are grenade"):
        littered({"I5": [{"kind": "balloon"}]})
    with pytest.raises(ValueError, match="two kinds of counters are called 'smoke'"):
        Points((*COMMON, Part(counters=(CounterKind(name="smoke"),))))


def test_the_short_forms_of_a_position_are_counters_too() -> None:
    match = drill(
        "z",
        "MPh",
        [unit("r", "russian 4-4-7", "H5"), unit("g", "german 4-6-7", "A1")],
        smoke={"I5": [{"kind": "wp", "side": "german"}]},
        residual={"I6": 4},
    )
    assert counters_at(match.state, cell(match, "I5"), "wp") == [Counter("wp", "german")]
    assert counters_at(match.state, cell(match, "I6"), "residual FP") == [Counter("residual FP", value=4)]
