"""A part from outside: a Location above a hex, with its own stacking, lines of sight, fire and close combat."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from squad_support import _cards, at, cell, do, drill, get, happened, offered, unit

import sandtable
from sandtable.engine import Match, register
from sandtable.engine.errors import IllegalAction
from sandtable.engine.harness import fuzz
from sandtable.games.aslsk2 import GAME as STARTER_KIT_GAME
from sandtable.games.squad.combat.model import AdvanceTo, StartAdvance
from sandtable.games.squad.fire.firepower import volley
from sandtable.games.squad.fire.model import AimAt, FireAttack, Fired, ResolveFire, StartFire
from sandtable.games.squad.game import SquadGame
from sandtable.games.squad.ground.counters import residual_in
from sandtable.games.squad.ground.setting import ground_of
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import fits
from sandtable.games.squad.movement.model import BeginMove, Moved, StartMove, Step
from sandtable.games.squad.parts import COMMON
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.rulesets import STARTER_KIT
from toys.tower import PART

register(SquadGame("towerdrill", "Drill with towers", STARTER_KIT, _cards, {}, parts=(*COMMON, PART)))
register(SquadGame("towers", "Starter Kit with towers", STARTER_KIT, STARTER_KIT_GAME._load, {}, parts=(*COMMON, PART)))

TOWER = "M5 tower"


def towered(phase: str, *units: dict[str, Any], **more: Any) -> Match:
    return drill("z", phase, units, game="towerdrill", **more)


def test_locations_are_numbered_after_the_hexes() -> None:
    match = towered("PFPh", unit("r", "russian 4-4-7", TOWER))
    ground = ground_of(match.state)
    place, below = ground.index(TOWER), ground.index("M5")
    assert below < ground.size <= place
    assert (ground.hex_of(place), ground.hex_of(below)) == (below, below)
    assert ground.level_of(place) == ground.level_of(below) + 2
    assert ground.locations_of(below) == (below, place)
    assert ground.locations_of(ground.index("M4")) == (ground.index("M4"),)
    assert ground.names[place] == TOWER


def test_it_is_entered_by_its_stairs_alone() -> None:
    match = towered("MPh", unit("r", "russian 4-4-7", "M5"), unit("g", "german 4-6-7", "A1"))
    up = Step(cell(match, TOWER))
    do(match, StartMove("r"), BeginMove())
    assert match.describe("russian", up).text == "Enter M5 tower"
    assert match.describe("russian", up).cost == "2 MF"
    (moved,) = happened(do(match, up), Moved)
    assert (moved.at, at(match, "r")) == (TOWER, TOWER)
    assert offered(match, Step) == [Step(cell(match, "M5"))]
    beside = towered("MPh", unit("r", "russian 4-4-7", "M4"), unit("g", "german 4-6-7", "A1"))
    do(beside, StartMove("r"), BeginMove())
    with pytest.raises(IllegalAction):
        do(beside, Step(cell(beside, TOWER)))


def test_it_has_a_stacking_limit_of_its_own() -> None:
    ground = [unit(f"a{n}", "russian 4-4-7", "M5") for n in range(3)]
    match = towered("PFPh", *ground, *[unit(f"b{n}", "russian 4-4-7", TOWER) for n in range(2)])
    more = [get(match, "a0")]
    assert fits(match.state, cell(match, TOWER), "russian", more)
    assert not fits(match.state, cell(match, TOWER), "russian", [get(match, "a0"), get(match, "a1")])
    assert not fits(match.state, cell(match, "M5"), "russian", [get(match, "b0")])


def test_it_sees_over_what_blocks_the_ground() -> None:
    match = towered("PFPh", unit("r", "russian 4-4-7", TOWER))
    tower, below, far = (cell(match, name) for name in (TOWER, "M5", "I5"))
    assert sees(match.state, tower, far)
    assert sees(match.state, far, tower)
    assert not sees(match.state, below, far)
    assert sees(match.state, tower, below), "up and down the stairs"
    line = match.game.line_of_sight(match.state, "russian", TOWER, "I5")
    assert line is not None
    assert line.clear
    assert line.range == 4


@pytest.mark.parametrize(("source", "target"), [(TOWER, "I5"), ("I5", TOWER), (TOWER, "M5"), ("M5", TOWER)])
def test_fire_goes_out_of_it_and_into_it(source: str, target: str) -> None:
    units = [unit("r", "russian 4-4-7", source), unit("g", "german 4-6-7", target)]
    match = towered("PFPh", *units, dice=[2, 3, 6, 6, 1, 1])
    events = do(match, StartFire("r"), AimAt(cell(match, target)), ResolveFire())
    assert [fired.at for fired in happened(events, Fired)] == [target]


def test_fire_in_the_hex_is_point_blank_and_spares_the_other_location() -> None:
    units = [unit("r", "russian 4-4-7", TOWER), unit("g", "german 4-6-7", "M5"), unit("h", "german 4-6-7", "I5")]
    match = towered("PFPh", *units)
    down = FireAttack(side="russian", mode="prep", target=cell(match, "M5"), units=("r",))
    assert volley(match.state, down).column == 8
    assert [target.unit for target in volley(match.state, down).targets] == ["g"]


def test_residual_fp_lies_in_one_location() -> None:
    units = [unit("r", "russian 4-4-7", "M5"), unit("g", "german 4-6-7", "I5")]
    match = towered("MPh", *units, dice=[6, 5])
    do(match, StartMove("r"), BeginMove(), Step(cell(match, TOWER)), StartFire("g"), ResolveFire())
    assert residual_in(match.state, cell(match, TOWER))
    assert not residual_in(match.state, cell(match, "M5"))


def test_close_combat_is_fought_in_it() -> None:
    units = [unit("r", "russian 4-4-7", "M5"), unit("s", "russian 4-4-7", "M5"), unit("g", "german 4-6-7", TOWER)]
    match = towered("APh", *units, dice=[6] * 12)
    do(match, StartAdvance("r"), AdvanceTo(cell(match, TOWER)))
    while match.state.phase == "APh":
        do(match, EndPhase())
    assert match.state.phase == "CCPh"
    assert {tuple(match.describe(match.to_act[0], action).cells) for action in match.actions(match.to_act[0])} >= {
        (TOWER,)
    }


def test_views_and_the_scene_show_it() -> None:
    match = towered("PFPh", unit("r", "russian 4-4-7", TOWER), unit("g", "german 4-6-7", "I5"))
    assert {piece["id"]: piece["at"] for piece in match.view("german")["pieces"]} == {"r": TOWER, "g": "I5"}
    scene = match.game.scene("z", {})
    cells = {shown["id"]: shown for shown in scene["cells"]}
    assert cells[TOWER]["level"] == cells["M5"]["level"] + 2
    assert cells[TOWER]["x"] == cells["M5"]["x"]


def test_positions_and_states_keep_it() -> None:
    match = towered("PFPh", unit("r", "russian 4-4-7", TOWER), unit("g", "german 4-6-7", "I5"))
    again = sandtable.new(match.position(), seed=1)
    assert at(again, "r") == TOWER
    assert msgspec.json.decode(msgspec.json.encode(match.state), type=match.game.state_type) == match.state


@pytest.mark.parametrize("scenario", ["S9", "S15", "S16"])
def test_the_harness_holds_with_it(scenario: str) -> None:
    report = fuzz(f"towers/{scenario}", games=1, seed=5, checks=0.02)
    assert report.errors == []
