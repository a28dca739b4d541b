"""Pushing Guns: the worked example and what it costs the stack (6.3, 6.5, 6.6)."""

from __future__ import annotations

import pytest
from squad_support import at, cell, do, drill, get, get_weapon, happened, offered, rule, unit, weapon

from sandtable.engine import Match
from sandtable.engine.events import Rolled
from sandtable.games.squad.ground.guns import emplacement_item, shield_item
from sandtable.games.squad.ground.movers import movement_items
from sandtable.games.squad.ground.setting import ground_of
from sandtable.games.squad.movement.manhandling import manhandling_tally
from sandtable.games.squad.movement.model import AddMover, BeginMove, DropWeapon, StartMove, Step, Stop
from sandtable.games.squad.ordnance.model import FaceGun, Manhandle, Manhandled, StartShot, TurnGun

GUN = "american M1 57mm AT"


def stack(*dice: int, board: str = "xwinter", crew: str = "american 2-2-7", extra: str = "") -> Match:
    """The 57mm in D6 with its crew and a leader, about to be pushed."""
    units = [unit("crew", crew, "D6"), unit("l", "american 8-1", "D6"), unit("g1", "german 4-6-7", "Q6")]
    if extra:
        units.append(unit("more", extra, "D6"))
    guns = [weapon("57", GUN, "crew", facing=0, emplaced=True)]
    match = drill(board, "MPh", units, guns, dice=dice)
    do(match, StartMove("crew"), AddMover("l"))
    if extra:
        do(match, AddMover("more"))
    do(match, BeginMove())
    return match


def tally(match: Match, to: str, *, road: bool = False) -> float:
    """The DRM of pushing the Gun from D6 to a hex."""
    ground = ground_of(match.state)
    way = ground.way(cell(match, "D6"), cell(match, to))
    assert way is not None
    names = [mover.id for mover in match.state.moving.movers]
    return manhandling_tally(match.state, names, way, road=road).total


@rule("6.5")
def test_a_gun_is_pushed_to_the_woods_and_on_to_the_open() -> None:
    match = stack(2, 3, 4, 5)
    events = do(match, Manhandle("57", cell(match, "D5")))
    roll = happened(events, Rolled)[0]
    # +1 TEM, +4 MF, -1 leader: 5 + 4 is less than M10
    assert roll.tally is not None
    assert roll.tally.total == 4
    assert happened(events, Manhandled)[0].outcome == "moved"
    assert isinstance(match.state.stack[-1], FaceGun)
    do(match, TurnGun("57", 3))
    assert (at(match, "crew"), at(match, "l"), get_weapon(match, "57").facing) == ("D5", "D5", 3)
    # grain out of season is Open Ground: +2 MF, -1 leader, 9 + 1 = M10 moves there and stops
    events = do(match, Manhandle("57", cell(match, "D4")))
    roll = happened(events, Rolled)[0]
    assert roll.tally is not None
    assert roll.tally.total == 1
    assert happened(events, Manhandled)[0].outcome == "moved and stopped"
    do(match, TurnGun("57", 3))
    assert at(match, "crew") == "D4"
    assert match.state.moving is None


@rule("6.5")
@pytest.mark.parametrize(("dice", "outcome"), [((2, 3), "moved"), ((3, 3), "moved and stopped"), ((3, 4), "stuck")])
def test_less_goes_on_equal_stops_and_more_is_stuck(dice: tuple[int, int], outcome: str) -> None:
    match = stack(*dice)
    events = do(match, Manhandle("57", cell(match, "D5")))
    assert happened(events, Manhandled)[0].outcome == outcome
    if outcome == "stuck":
        assert at(match, "crew") == "D6"
        assert match.state.moving is None
        assert get(match, "crew").moved
        assert get_weapon(match, "57").emplaced


@rule("6.5")
def test_the_road_the_hands_and_the_leader_help() -> None:
    assert tally(stack(), "C6", road=True) == 2 + 1 - 1 - 2
    assert tally(stack(crew="american 6-6-6"), "C6", road=True) == -1
    assert tally(stack(extra="american 6-6-6"), "C6", road=True) == -2


@rule("6.5")
def test_extra_hands_count_four_at_most() -> None:
    match = stack(extra="american 6-6-6", crew="american 6-6-6")
    names = ["crew", "l", "more", "crew", "more"]
    ground = ground_of(match.state)
    way = ground.way(cell(match, "D6"), cell(match, "C6"))
    assert way is not None
    hands = [
        item for item in manhandling_tally(match.state, names, way, road=True).items if item.label == "extra hands"
    ]
    assert hands[0].value == -4


@rule("6.6")
@rule("6.5")
def test_hazardous_movement_lasts_until_a_pin_and_allows_no_gunshield() -> None:
    match = stack(2, 3)
    do(match, Manhandle("57", cell(match, "D5")), TurnGun("57", 3), Stop())
    crew = get(match, "crew")
    source = cell(match, "D7")
    assert movement_items(match.state, source, crew, 0) == [("Hazardous Movement", -2, "6.5")]
    assert shield_item(match.state, (source,), crew) is None
    from msgspec.structs import replace

    assert movement_items(match.state, source, replace(crew, pinned=True), 0) == []


@rule("6.3")
def test_a_gun_that_moves_is_no_longer_emplaced() -> None:
    match = stack(2, 3)
    assert emplacement_item(match.state, get(match, "crew")) == ("Emplacement", 2, "6.3")
    do(match, Manhandle("57", cell(match, "D5")), TurnGun("57", 3))
    assert emplacement_item(match.state, get(match, "crew")) is None


@rule("6.5")
def test_who_pushes_carries_nothing_and_does_not_assault() -> None:
    match = drill(
        "xwinter",
        "MPh",
        [unit("crew", "american 2-2-7", "D6"), unit("a1", "american 6-6-6", "D6"), unit("g1", "german 4-6-7", "Q6")],
        [weapon("57", GUN, "crew", facing=0), weapon("mg", "american MMG", "a1")],
    )
    do(match, StartMove("crew"), AddMover("a1"), BeginMove())
    assert not offered(match, Manhandle)
    reason = match.game.why_not(match.state, "russian", Manhandle("57", cell(match, "D5")))
    assert "carries nothing else" in reason[0]
    do(match, DropWeapon("mg"))
    assert offered(match, Manhandle)
    match = drill(
        "xwinter",
        "MPh",
        [unit("crew", "american 2-2-7", "D6"), unit("g1", "german 4-6-7", "Q6")],
        [weapon("57", GUN, "crew", facing=0)],
    )
    do(match, StartMove("crew"), BeginMove(assault=True))
    assert not offered(match, Manhandle)


@rule("1.2.6")
@rule("6.5")
def test_a_limbered_gun_stays_and_its_crew_must_leave_it() -> None:
    match = drill(
        "xwinter",
        "MPh",
        [unit("crew", "american 2-2-7", "D6"), unit("g1", "german 4-6-7", "Q6")],
        [weapon("105", "american M2A1 105mm ART", "crew", facing=0)],
    )
    do(match, StartMove("crew"), BeginMove())
    assert not offered(match, Manhandle)
    assert not offered(match, Step)
    do(match, DropWeapon("105"))
    assert offered(match, Step)


@rule("6.5")
@rule("3.5")
def test_pushers_do_not_fire_in_the_afph() -> None:
    match = drill(
        "xwinter",
        "AFPh",
        [unit("crew", "american 2-2-7", "D6", hazardous=True, moved=True), unit("g1", "german 4-6-7", "D7")],
        [weapon("57", GUN, "crew", facing=0, moved=True)],
    )
    assert not offered(match, StartShot)


@rule("1.2.6")
def test_a_large_gun_is_not_pushed_into_a_building() -> None:
    match = drill(
        "x",
        "MPh",
        [unit("crew", "russian 2-2-8", "D7"), unit("g1", "german 4-6-7", "Q6")],
        [weapon("76", "russian 76.2mm P obr. 39 ART", "crew", facing=0)],
    )
    do(match, StartMove("crew"), BeginMove())
    assert Manhandle("76", cell(match, "C7")) not in offered(match, Manhandle)
    reason = match.game.why_not(match.state, "russian", Manhandle("76", cell(match, "C7")))
    assert reason[1] == "1.2.6"


@rule("6.5")
def test_the_preview_of_a_push_is_exact() -> None:
    match = stack()
    preview = match.preview("russian", Manhandle("57", cell(match, "D5")))
    assert preview is not None
    assert [round(line.chance * 36) for line in preview.odds] == [10, 5, 21]
