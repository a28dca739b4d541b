"""Who may fire again in Defensive Fire: rate lost, second shots, protective fire, direction (3.2.2 to 4.1)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from squad_support import cell, do, drill, get, get_weapon, go, happened, offered, rule, unit, weapon

from sandtable.engine import Match
from sandtable.engine.errors import IllegalAction
from sandtable.games.squad.fire.model import (
    AddDirector,
    AddFirer,
    AimAt,
    Fired,
    FireDraft,
    RateKept,
    RemoveFirer,
    ResidualAttack,
    ResolveFire,
    StartFire,
)
from sandtable.games.squad.movement.model import BeginMove, StartMove, Step
from sandtable.games.squad.pieces.model import FINAL_FIRE, FIRST_FIRE, NO_MARKER
from sandtable.oracles import squad_fire

NO_EFFECT = [6, 5]


def squad(name: str, **more: Any) -> dict[str, Any]:
    return unit(name, "german 4-6-7", "K5", **more)


def mg(name: str, owner: str, **more: Any) -> dict[str, Any]:
    return weapon(name, "german MMG", owner, **more)


def met(
    defenders: list[dict[str, Any]],
    weapons: list[dict[str, Any]],
    *,
    to: str = "J5",
    start: str = "I5",
    dice: list[int] | None = None,
    game: str = "drill",
    **more: Any,
) -> Match:
    """A Russian squad enters a hex near K5: J5, a building for two MF beside it, or another one."""
    units = [unit("r", "russian 4-4-7", start), *defenders]
    match = drill("z", "MPh", units, weapons, dice=dice or [], game=game, **more)
    do(match, StartMove("r"), BeginMove())
    go(match, to)
    return match


def firers(match: Match) -> set[str]:
    return {start.firer for start in offered(match, StartFire)}


# -- Rate of Fire lost ----------------------------------------------------------------------


@rule("4.1")
@rule("3.2.2")
@pytest.mark.parametrize("first", ["g1", "g2"])
def test_a_machine_gun_that_lost_its_rate_fires_with_its_hex_or_not_at_all(first: str) -> None:
    """It fired at an earlier mover; now its squad, or another one of the hex, fires without it."""
    match = met([squad("g1"), squad("g2")], [mg("m1", "g1", marker=FIRST_FIRE, shots=1)], dice=NO_EFFECT)
    assert firers(match) == {"g1", "g2", "m1"}
    do(match, StartFire(first), ResolveFire())
    assert "m1" not in firers(match)
    with pytest.raises(IllegalAction, match="had to fire with them"):
        do(match, StartFire("m1"))


@rule("4.1")
def test_a_machine_gun_that_kept_its_rate_fires_apart() -> None:
    match = met([squad("g1")], [mg("m1", "g1", shots=1)], dice=NO_EFFECT)
    do(match, StartFire("g1"), ResolveFire())
    assert "m1" in firers(match)


@rule("4.1")
def test_one_that_loses_its_rate_in_the_shot_apart_does_not_fire_so_again() -> None:
    """Two MF allow it a second shot, but the rate that let it fire apart is gone."""
    match = met([squad("g1")], [mg("m1", "g1", shots=1)], dice=[*NO_EFFECT, *NO_EFFECT])
    do(match, StartFire("g1"), ResolveFire(), StartFire("m1"), ResolveFire())
    assert get_weapon(match, "m1").marker == FIRST_FIRE
    assert firers(match) == {"g1"}


@rule("4.1")
def test_a_squad_uses_subsequent_first_fire_apart_from_its_machine_gun() -> None:
    match = met([squad("g1", marker=FIRST_FIRE), squad("g2")], [mg("m1", "g1")], dice=NO_EFFECT)
    do(match, StartFire("m1"), ResolveFire())
    assert firers(match) == {"g1", "m1"}, "g2 had to fire with the machine gun"


@rule("G34")
def test_in_the_guide_it_does_not() -> None:
    match = met([squad("g1", marker=FIRST_FIRE)], [mg("m1", "g1")], dice=NO_EFFECT, game="guidedrill")
    do(match, StartFire("m1"), ResolveFire())
    assert "g1" not in firers(match)


# -- second shots of a group ----------------------------------------------------------------


@rule("3.2.2")
def test_the_second_shots_of_a_group_do_not_split() -> None:
    match = met([squad("g1"), squad("g2")], [], dice=[*NO_EFFECT, *NO_EFFECT])
    do(match, StartFire("g1"), AddFirer("g2"), ResolveFire())
    assert firers(match) == {"g1", "g2"}, "two MF were spent in J5"
    do(match, StartFire("g1"), ResolveFire())
    assert match.to_act == ("russian",), "g2 had to fire its second shot with g1"
    assert firers(match) == set()


@rule("3.2.2")
def test_a_group_fires_its_second_shots_together() -> None:
    match = met([squad("g1"), squad("g2")], [], dice=[*NO_EFFECT, *NO_EFFECT])
    do(match, StartFire("g1"), AddFirer("g2"), ResolveFire())
    (fired,) = happened(do(match, StartFire("g2"), AddFirer("g1"), ResolveFire()), Fired)
    assert fired.fp == 8, "halved and doubled"


@rule("3.2.2")
def test_a_rate_shot_between_them_puts_nobody_out() -> None:
    match = met([squad("g1")], [mg("m1", "g1")], dice=[1, 5, *NO_EFFECT, *NO_EFFECT])
    do(match, StartFire("g1"), AddFirer("m1"), ResolveFire())
    do(match, StartFire("m1"), ResolveFire())
    assert "g1" in firers(match), "the machine gun had kept its rate"


# -- Final Protective Fire ------------------------------------------------------------------


@rule("3.3.1")
@pytest.mark.parametrize(("spent", "left"), [("m1", "g1"), ("g1", "m1")])
def test_protective_fire_leaves_out_what_has_no_shot_left(spent: str, left: str) -> None:
    """Who has fired as often as MF were spent in the location stays out of it."""
    gun = mg("m1", "g1", marker=FINAL_FIRE)
    match = met([squad("g1", marker=FINAL_FIRE)], [gun], dice=NO_EFFECT)
    match.state.shots[spent] = 2
    match.state.stack[-1] = type(match.state.stack[-1])(firers=(left,))
    (fired,) = happened(do(match, StartFire(left), ResolveFire()), Fired)
    assert fired.firers == (left,)


@rule("3.3.1")
def test_a_cowered_squad_takes_its_unmarked_machine_gun_along() -> None:
    match = met([squad("g1", marker=FINAL_FIRE)], [mg("m1", "g1")], dice=NO_EFFECT)
    do(match, StartFire("g1"))
    assert RemoveFirer("m1") not in offered(match, RemoveFirer)
    assert RemoveFirer("g1") in offered(match, RemoveFirer), "the machine gun alone has no counter yet"
    (fired,) = happened(do(match, ResolveFire()), Fired)
    assert set(fired.firers) == {"g1", "m1"}


@rule("3.3.1")
@rule("4.1")
def test_nor_does_it_fire_in_protection_after_its_machine_gun_fired_alone() -> None:
    match = met([squad("g1", marker=FINAL_FIRE)], [mg("m1", "g1")], dice=NO_EFFECT)
    do(match, StartFire("m1"), ResolveFire())
    assert "g1" not in firers(match)


@rule("3.3.1")
def test_the_squad_brings_the_machine_gun_that_was_picked() -> None:
    guns = [mg("m1", "g1"), weapon("m2", "german LMG", "g1")]
    match = met([squad("g1", marker=FINAL_FIRE)], guns, dice=NO_EFFECT)
    do(match, StartFire("m2"), AddFirer("g1"))
    (fired,) = happened(do(match, ResolveFire()), Fired)
    assert set(fired.firers) == {"g1", "m2"}


@rule("3.3.1")
@rule("4.0")
def test_a_squad_that_fires_two_machine_guns_brings_both_but_not_itself() -> None:
    """It gave up its own FP for the second of them before."""
    guns = [mg("m1", "g1"), weapon("m2", "german LMG", "g1")]
    match = met([squad("g1", marker=FINAL_FIRE, used=("m1", "m2"))], guns, dice=NO_EFFECT)
    for gun in guns:
        match.state.weapons[gun["id"]] = msgspec.structs.replace(match.state.weapons[gun["id"]], marker=FINAL_FIRE)
    (fired,) = happened(do(match, StartFire("m1"), ResolveFire()), Fired)
    assert set(fired.firers) == {"m1", "m2"}


@rule("3.3.1")
@rule("4.0")
def test_a_second_machine_gun_is_not_offered_beside_the_squad_and_the_first() -> None:
    guns = [mg("m1", "g1"), weapon("m2", "german LMG", "g1")]
    match = met([squad("g1", marker=FINAL_FIRE)], guns)
    for gun in guns:
        match.state.weapons[gun["id"]] = msgspec.structs.replace(match.state.weapons[gun["id"]], marker=FINAL_FIRE)
    do(match, StartFire("m1"))
    assert not [action for action in match.actions("german") if isinstance(action, AddFirer)]
    with pytest.raises(IllegalAction, match="one machine gun"):
        do(match, AddFirer("m2"))


@rule("3.3.1")
def test_the_oracle_sees_protective_fire_with_too_much_or_too_little() -> None:
    match = met([squad("g1", marker=FINAL_FIRE)], [mg("m1", "g1", marker=FINAL_FIRE)])
    match.state.shots["m1"] = 2
    do(match, StartFire("g1"))
    draft = match.state.stack[-1]

    def doubts(weapons: tuple[str, ...]) -> list[str] | None:
        frame = match.state.stack[-1] = msgspec.structs.replace(draft, weapons=weapons)
        legal = match.game.procedures[FireDraft].actions(match.state, frame, "german")
        return squad_fire.differences(match.state, "german", legal)

    assert doubts(()) == []
    assert doubts(("m1",)) == ["m1 has fired as often as MF were spent"]
    match.state.shots.clear()
    assert doubts(("m1",)) == []
    assert "g1 uses Final Protective Fire without all that it has" in (doubts(()) or [])


# -- Residual FP ------------------------------------------------------------------------------


@rule("3.3.1")
def test_residual_fp_does_not_attack_again_who_comes_back() -> None:
    units = [unit("r", "russian 4-4-7", "K7"), unit("g", "german 4-6-7", "GG1")]
    match = drill("z", "MPh", units, residual={"K6": 1}, dice=[*NO_EFFECT])
    do(match, StartMove("r"), BeginMove())
    assert happened(go(match, "K6"), ResidualAttack)
    assert not happened(go(match, "K7"), ResidualAttack)
    assert not happened(go(match, "K6"), ResidualAttack), "the same DRM as before"


@rule("3.3.1")
def test_it_does_where_the_modifiers_have_become_worse() -> None:
    """First through the trees of a Woods-Road hex, then back to it along its road."""
    units = [unit("r", "russian 8-1", "B5"), unit("g", "german 4-6-7", "GG1")]
    match = drill("x", "MPh", units, residual={"C6": 1}, dice=[*NO_EFFECT, *NO_EFFECT])
    do(match, StartMove("r"), BeginMove())
    entries = [step for step in offered(match, Step) if step.to == cell(match, "C6")]
    assert [step.road for step in entries] == [True, False]
    (first,) = happened(do(match, entries[1]), ResidualAttack)
    go(match, "B5")
    (second,) = happened(do(match, entries[0]), ResidualAttack)
    assert (first.dr, second.dr) == (11 + 1 - 1, 11 - 1 - 1)


# -- direction --------------------------------------------------------------------------------


@rule("3.4")
def test_a_leader_directs_his_group_again_or_one_part_of_it() -> None:
    """He directed both squads; he lends his leadership to one of them and then no more to the other."""
    leader = unit("la", "german 9-1", "K5", marker=FIRST_FIRE, directed=["g1", "g2"])
    units = [squad("g1", marker=FIRST_FIRE), squad("g2", marker=FIRST_FIRE), leader]
    russians = [unit("r1", "russian 4-4-7", "J5"), unit("r2", "russian 4-4-7", "K6")]
    match = drill("z", "DFPh", [*units, *russians], dice=NO_EFFECT)
    do(match, StartFire("g1"), AimAt(cell(match, "J5")), AddDirector("la"), ResolveFire())
    assert get(match, "la").directed == ("g1",)
    do(match, StartFire("g2"), AimAt(cell(match, "K6")))
    assert not offered(match, AddDirector)
    with pytest.raises(IllegalAction, match="directed before"):
        do(match, AddDirector("la"))


@rule("3.4")
def test_a_machine_gun_that_he_did_not_direct_makes_another_group() -> None:
    leader = unit("la", "german 9-1", "K5", marker=FIRST_FIRE, directed=["g1"])
    units = [squad("g1", marker=FIRST_FIRE), leader, unit("r1", "russian 4-4-7", "J5")]
    match = drill("z", "DFPh", units, [mg("m1", "g1")])
    do(match, StartFire("g1"), AimAt(cell(match, "J5")))
    assert offered(match, AddDirector) == [AddDirector("la")]
    do(match, AddFirer("m1"))
    assert not offered(match, AddDirector)


@rule("3.4")
@rule("1.2.1")
def test_directing_a_rate_shot_is_no_new_direction() -> None:
    match = met([squad("g1"), unit("la", "german 9-1", "K5")], [mg("m1", "g1")], dice=[1, 5, *NO_EFFECT, *NO_EFFECT])
    do(match, StartFire("g1"), AddFirer("m1"), AddDirector("la"), ResolveFire())
    do(match, StartFire("m1"), AddDirector("la"), ResolveFire())
    assert set(get(match, "la").directed) == {"g1", "m1"}


@rule("3.4")
def test_the_option_lets_him_direct_the_members_apart() -> None:
    leader = unit("la", "german 9-1", "K5", marker=FIRST_FIRE, directed=["g1", "g2"])
    units = [squad("g1", marker=FIRST_FIRE), squad("g2", marker=FIRST_FIRE), leader]
    russians = [unit("r1", "russian 4-4-7", "J5"), unit("r2", "russian 4-4-7", "K6")]
    match = drill("z", "DFPh", [*units, *russians], dice=NO_EFFECT, options={"direction": "members"})
    do(match, StartFire("g1"), AimAt(cell(match, "J5")), AddDirector("la"), ResolveFire())
    do(match, StartFire("g2"), AimAt(cell(match, "K6")))
    assert offered(match, AddDirector) == [AddDirector("la")]


# -- Rate of Fire in the DFPh -----------------------------------------------------------------


@rule("1.2.4.1")
@pytest.mark.parametrize("together", [True, False])
def test_a_machine_gun_keeps_no_rate_once_its_squad_bears_a_final_fire_counter(together: bool) -> None:
    units = [squad("g1"), unit("r1", "russian 4-4-7", "J5"), unit("r2", "russian 4-4-7", "K6")]
    dice = [1, 5, 1, 2] if together else [6, 5, 1, 5, 1, 2]
    match = drill("z", "DFPh", units, [mg("m1", "g1")], dice=dice)
    if together:
        events = do(match, StartFire("g1"), AimAt(cell(match, "J5")), AddFirer("m1"), ResolveFire())
    else:
        do(match, StartFire("g1"), AimAt(cell(match, "J5")), ResolveFire())
        events = do(match, StartFire("m1"), AimAt(cell(match, "K6")), ResolveFire())
    assert not happened(events, RateKept)
    assert get_weapon(match, "m1").marker == FINAL_FIRE


@rule("1.2.4.1")
def test_the_counter_of_the_squad_ends_a_rate_that_was_kept() -> None:
    units = [squad("g1"), unit("r1", "russian 4-4-7", "J5"), unit("r2", "russian 4-4-7", "K6")]
    match = drill("z", "DFPh", units, [mg("m1", "g1")], dice=[1, 5, 1, 2, 6, 5])
    do(match, StartFire("m1"), AimAt(cell(match, "K6")), ResolveFire())
    assert "m1" in firers(match)
    do(match, StartFire("g1"), AimAt(cell(match, "J5")), ResolveFire())
    assert "m1" not in firers(match)


@rule("1.2.4.1")
def test_with_another_squad_it_keeps_its_rate() -> None:
    units = [squad("g1"), squad("g2"), unit("r1", "russian 4-4-7", "J5")]
    match = drill("z", "DFPh", units, [mg("m1", "g1")], dice=[1, 5, 1, 2])
    do(match, StartFire("g2"), AimAt(cell(match, "J5")), AddFirer("m1"), ResolveFire())
    assert get_weapon(match, "m1").marker == NO_MARKER
    assert "m1" in firers(match)


@rule("1.2.4.1")
def test_a_leader_goes_on_firing_while_his_machine_gun_keeps_its_rate() -> None:
    units = [unit("la", "german 9-1", "K5"), unit("r1", "russian 4-4-7", "J5")]
    match = drill("z", "DFPh", units, [mg("m1", "la")], dice=[1, 5, 1, 5])
    for _ in range(2):
        events = do(match, StartFire("m1"), AimAt(cell(match, "J5")), ResolveFire())
        assert happened(events, RateKept)
