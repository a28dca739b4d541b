"""What the counters and the dice mean in play (1.2 to 1.4, 2), and the frame of a Player Turn (3.0)."""

from __future__ import annotations

import pytest
from squad_support import do, drill, get, get_weapon, rule, unit, weapon

from sandtable.engine import get_game
from sandtable.games.squad.fire.model import AimAt, ResolveFire, StartFire
from sandtable.games.squad.ground.setting import ground_of
from sandtable.games.squad.ground.stacks import fits, inexperienced, stacking_of
from sandtable.games.squad.phases.model import EndPhase, PhaseBegan
from sandtable.games.squad.pieces.kinds import printed_unit, printed_weapon
from sandtable.games.squad.pieces.model import NO_MARKER


@rule("1.2")
@rule("1.2.1")
@rule("1.2.2")
@rule("1.2.3")
def test_values_of_counters() -> None:
    squad, crew, leader = printed_unit("german 4-6-7"), printed_unit("german 2-2-8"), printed_unit("russian 9-1")
    assert (squad.fp, squad.range, squad.morale, squad.size) == (4, 6, 7, 2)
    assert squad.squad
    assert not squad.self_rally
    assert squad.reduced == "german 2-4-7"
    assert crew.crew
    assert crew.self_rally
    assert crew.elite
    assert (leader.morale, leader.leadership, leader.size) == (9, -1, 0)
    assert leader.leads
    assert leader.self_rally
    assert printed_weapon("german MMG").mg
    assert printed_weapon("american M1 57mm AT").gun
    with pytest.raises(ValueError, match="nationality and the name"):
        printed_unit("4-6-7")
    with pytest.raises(ValueError, match="is a weapon"):
        printed_unit("german MMG")
    with pytest.raises(ValueError, match="is a unit"):
        printed_weapon("german 4-6-7")


@rule("1.4")
@rule("1.2.4.1")
@pytest.mark.parametrize(("dice", "kept"), [((2, 4), True), ((4, 2), False)])
def test_the_first_die_is_the_coloured_one_and_keeps_the_rate_of_fire(dice: tuple[int, int], kept: bool) -> None:
    units = [unit("g", "german 4-6-7", "K5"), unit("r", "russian 4-4-7", "I5")]
    match = drill("z", "PFPh", units, [weapon("w", "german MMG", "g")], attacker="german", dice=[*dice, 1, 1])
    target = ground_of(match.state).index("I5")
    do(match, StartFire("w"), AimAt(target), ResolveFire())
    assert (get_weapon(match, "w").marker == NO_MARKER) is kept
    assert (StartFire("w") in match.actions("german")) is kept


@rule("2.0")
def test_good_order() -> None:
    match = drill("z", "PFPh", [unit("a", "russian 4-4-7", "I5"), unit("b", "russian 4-4-7", "I5", broken=True)])
    assert get(match, "a").good_order
    assert not get(match, "b").good_order


@rule("2.0")
@rule("3.3")
def test_squad_equivalents() -> None:
    units = [unit(f"h{n}", "german 2-4-7", "K5") for n in range(4)] + [unit("c", "german 2-2-8", "K5")]
    match = drill("z", "PFPh", units, [weapon("w", "german 7.5cm PaK 40 AT", "c")])
    state = match.state
    assert stacking_of(state, state.units.values()) == (6, 0), "a crew with a Gun is a squad"
    assert fits(state, get(match, "c").at, "german", [])
    assert not fits(state, get(match, "c").at, "german", [type(get(match, "c"))("x", "german", "german 2-4-7")])


@rule("5.4")
def test_a_leader_steadies_green_units_but_not_conscripts() -> None:
    units = [
        unit("green", "american 5-3-6", "I5"),
        unit("conscript", "russian 4-2-6", "I5"),
        unit("alone", "american 5-3-6", "J5"),
        unit("l", "american 8-0", "I5"),
        unit("hurt", "american 8-0", "J5", broken=True),
    ]
    match = drill("z", "PFPh", units)
    assert [inexperienced(match.state, get(match, n)) for n in ("green", "conscript", "alone")] == [False, True, True]


@rule("3.0")
def test_eight_phases_in_their_order() -> None:
    units = [unit("a", "russian 4-4-7", "A1"), unit("g", "german 4-6-7", "GG1")]
    match = drill("z", "RPh", units)
    while match.state.attacker == "russian":
        actions = match.actions(match.to_act[0])
        do(match, next((a for a in actions if isinstance(a, EndPhase)), actions[-1]))
    began = [event.phase for _, event in match.events(everything=True) if isinstance(event, PhaseBegan)]
    assert ("RPh", *began[:7]) == get_game("aslsk2").points.phases, "also those in which nobody is asked"
    assert began[7] == "RPh"
