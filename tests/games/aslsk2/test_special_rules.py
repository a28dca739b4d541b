"""Special rules of the scenario cards (1.3), each seen at work."""

from __future__ import annotations

from typing import Any

import pytest
from squad_support import rule

import sandtable
from sandtable.engine import Match, ScriptedDice
from sandtable.games.squad.effects.morale import morale_level
from sandtable.games.squad.fire.firepower import unit_share
from sandtable.games.squad.fire.model import AimAt, Fired, ResolveFire, StartFire
from sandtable.games.squad.ground.cover import terrain_item
from sandtable.games.squad.ground.map import BLOCKED
from sandtable.games.squad.ground.setting import ground_of, setting_of
from sandtable.games.squad.movement.model import BeginMove, SmokeGrenade, StartMove
from sandtable.games.squad.movement.portage import half_mf
from sandtable.games.squad.movement.steps import step_cost
from sandtable.games.squad.pieces.kinds import printed_unit


def play(scenario: str, phase: str, attacker: str, *units: dict[str, Any], dice: tuple[int, ...] = ()) -> Match:
    state = {"phase": phase, "attacker": attacker, "units": list(units)}
    return sandtable.new({"game": "aslsk2", "scenario": scenario, "state": state}, seed=1, dice=ScriptedDice(*dice))


def line(name: str, kind: str, at: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "kind": kind, "at": at, **more}


def fired_on_doubles(scenario: str, attacker: str, firer: str, target: str) -> int:
    """Columns lost by cowering when a unit in C3 rolls doubles at E3."""
    units = (line("a", firer, "C3"), line("b", target, "E3"))
    match = play(scenario, "PFPh", attacker, *units, dice=(6, 6, 1, 2, 1, 2))
    at = ground_of(match.state).index("E3")
    match.apply(attacker, StartFire("a"))
    match.apply(attacker, AimAt(at))
    (fired,) = [event for event in match.apply(attacker, ResolveFire()) if isinstance(event, Fired)]
    return fired.cowered


@rule("1.3")
@pytest.mark.parametrize(
    ("firer", "cowered"), [("british 4-5-7", 0), ("american 7-4-7", 1)], ids=["British first line", "Americans"]
)
def test_s9_british_first_line_squads_do_not_cower(firer: str, cowered: int) -> None:
    assert fired_on_doubles("S9", "allied", firer, "italian 3-4-6") == cowered


@rule("1.3")
def test_s10_greeks_have_better_broken_morale_and_grain_stands_in_november() -> None:
    match = play(
        "S10",
        "PFPh",
        "italian",
        line("g", "allied_minor 4-5-7", "C3", broken=True),
        line("i", "italian 3-4-7", "E3", broken=True),
        line("x", "italian 3-4-7", "F3"),
    )
    greek, italian = match.state.units["g"], match.state.units["i"]
    assert morale_level(match.state, greek) == printed_unit("allied_minor 4-5-7").broken_morale + 1
    assert morale_level(match.state, italian) == printed_unit("italian 3-4-7").broken_morale
    ground = ground_of(match.state)
    grain = [cell for cell in range(ground.size) if ground.kinds[cell].name == "grain"]
    assert grain
    assert not any(ground.open[cell] for cell in grain)


@rule("1.3")
class TestS16:
    def test_in_the_rain_nobody_places_smoke(self) -> None:
        match = play("S16", "MPh", "french", line("f", "british 4-5-8", "U5"), line("g", "german 4-6-7", "I5"))
        match.apply("french", StartMove("f"))
        match.apply("french", BeginMove())
        assert not [action for action in match.actions("french") if isinstance(action, SmokeGrenade)]
        reason, number = match.game.why_not(match.state, "french", SmokeGrenade("f", match.state.units["f"].at))
        assert number == "SSR"
        assert "No Smoke" in reason

    def test_every_change_of_elevation_costs_one_mf_more_but_not_on_a_paved_road(self) -> None:
        wet = play("S16", "MPh", "french", line("f", "british 4-5-8", "U5"), line("g", "german 4-6-7", "I5"))
        dry = play("S9", "MPh", "allied", line("f", "british 4-5-7", "U5"), line("g", "italian 3-4-7", "I5"))
        ground = ground_of(wet.state)
        other = ground_of(dry.state)
        costs = set()
        for cell in range(ground.size):
            for way in ground.ways[cell]:
                name, to = ground.names[cell], ground.names[way.to]
                twin = (
                    other.way(other.index(name), other.index(to)) if name in other.names and to in other.names else None
                )
                if twin is None:
                    continue
                more = step_cost(wet.state, way, road=False) - step_cost(dry.state, twin, road=False)
                levels = abs(ground.level[cell] - ground.level[way.to])
                costs.add((levels, more))
        assert costs == {(0, 0), (1, 2)}, "half MF"

    def test_german_second_line_squads_have_assault_fire(self) -> None:
        match = play("S16", "AFPh", "german", line("g", "german 4-4-7", "I5"), line("f", "british 4-5-8", "I6"))
        setting = setting_of(match.state)
        unit = match.state.units["g"]
        share = unit_share(setting, match.state, unit, match.state.units["f"].at, "advancing")
        assert share.fp == 4 * 2 / 2 + 1

    def test_the_building_of_the_french_is_fortified(self) -> None:
        match = sandtable.new("aslsk2/S16", seed=1)
        while match.state.phase == "set-up":
            side = match.to_act[0]
            match.apply(side, match.actions(side)[-1])
        ground = ground_of(match.state)
        chosen = [
            cell
            for cell in range(ground.size)
            if ground.in_building[cell] and terrain_item(match.state, -1, cell)[1] == 4
        ]
        names = {ground.names[cell] for cell in chosen}
        assert ("O6" in names) != ("P9" in names)
        target = chosen[0]
        seen = next(
            c for c in range(ground.size) if ground.ranges[c][target] == 2 and ground.los_row(c)[target] != BLOCKED
        )
        assert terrain_item(match.state, seen, target, None)[1] == 4


@rule("3.3")
@rule("3.2.3")
def test_a_wounded_leader_has_three_mf_and_carries_nothing_for_others() -> None:
    match = play(
        "S9",
        "MPh",
        "allied",
        line("l", "american 9-1", "U5", wounded=True),
        line("h", "american 9-1", "U5"),
        line("i", "italian 3-4-7", "I5"),
    )
    assert half_mf(match.state, match.state.units["l"]) == 2 * 3
    assert half_mf(match.state, match.state.units["h"]) == 2 * 6
