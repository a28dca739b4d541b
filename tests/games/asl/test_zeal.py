"""Japanese squads are reduced in steps, their leaders do not break; Commissars drive their men (G1.1, G1.4, A25.22)."""

from __future__ import annotations

import pytest
from asl_support import heated
from msgspec.structs import replace
from squad_support import get, rule, unit

from sandtable.engine import Match, Play, ScriptedDice
from sandtable.games.asl.heat import berserk
from sandtable.games.asl.heat.model import BERSERK
from sandtable.games.asl.nations.japanese import combat_items
from sandtable.games.squad.effects.morale import (
    Loss,
    break_unit,
    casualty_reduce,
    check_order,
    helper_of,
    leader_items,
    leader_loss,
    morale_check,
    pin_check,
    shaken,
)
from sandtable.games.squad.effects.promotion import creation_tally
from sandtable.games.squad.effects.verdicts import level
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.phases.model import Done
from sandtable.games.squad.pieces.model import SquadState, Unit
from sandtable.games.squad.rally.eligibility import rally_leaders, rally_tally
from sandtable.games.squad.rally.model import RallyUnit
from sandtable.games.squad.rally.rallying import try_rally

FAR = unit("g", "german 4-6-7", "A1")


def playing(match: Match, *dice: int) -> Play[SquadState]:
    return Play(match.state, ScriptedDice(*dice))


def drill(*units: tuple[str, str], phase: str = "PFPh", broken: tuple[str, ...] = ()) -> Match:
    """Units of one side in a hex."""
    here = [unit(name, kind, "I5", side="russian", broken=name in broken, dm=name in broken) for name, kind in units]
    return heated("z", phase, *here, FAR)


def now(match: Match, name: str = "j") -> Unit | None:
    return match.state.units.get(name)


# -- steps ----------------------------------------------------------------------------------------


@rule("G1.1")
@pytest.mark.parametrize(
    ("kind", "steps"),
    [
        ("4-4-8", ["3-4-8 striped", "2-3-8"]),
        ("4-4-7", ["3-4-7 striped", "2-3-7"]),
        ("3-4-7", ["2-3-7 striped", "1-3-7"]),
        ("3-3-6", ["2-2-6 striped", "1-2-6"]),
        ("2-2-8", ["1-2-8 striped"]),
    ],
)
def test_where_others_break_a_japanese_mmc_loses_a_step(kind: str, steps: list[str]) -> None:
    match = drill(("j", f"japanese {kind}"))
    for step in steps:
        assert not morale_check(playing(match, 4, 5), get(match, "j"))
        assert (get(match, "j").kind, get(match, "j").broken) == (f"japanese {step}", False)
    assert not morale_check(playing(match, 4, 5), get(match, "j"))
    assert (get(match, "j").kind, get(match, "j").broken) == (f"japanese {steps[-1]}", True)


@rule("G1.1")
@pytest.mark.parametrize(
    ("kind", "left"), [("4-4-7", "2-3-7"), ("3-4-7 striped", "2-3-7"), ("2-3-7", ""), ("2-2-8", "")]
)
def test_casualty_reduction_leaves_the_half_squad(kind: str, left: str) -> None:
    match = drill(("j", f"japanese {kind}"))
    casualty_reduce(playing(match), get(match, "j"))
    found = now(match)
    assert (found.kind if found else "") == (f"japanese {left}" if left else "")


@rule("G1.1")
def test_an_original_12_reduces_and_then_breaks_the_half_squad() -> None:
    match = drill(("j", "japanese 3-3-6"))
    morale_check(playing(match, 6, 6), get(match, "j"))
    assert (get(match, "j").kind, get(match, "j").broken) == ("japanese 1-2-6", True)


@rule("G1.1")
def test_whatever_else_breaks_it_costs_a_step_too() -> None:
    match = drill(("j", "japanese 4-4-7"), ("r", "russian 4-4-7"))
    for name in ("j", "r"):
        break_unit(playing(match), get(match, name))
    assert (get(match, "j").kind, get(match, "j").broken) == ("japanese 3-4-7 striped", False)
    assert get(match, "r").broken


# -- Japanese leaders -----------------------------------------------------------------------------


@rule("G1.4")
def test_a_japanese_leader_is_wounded_where_others_break_and_never_pinned() -> None:
    match = drill(("j", "japanese 9-1"))
    assert morale_check(playing(match, 4, 5), get(match, "j"))
    assert not get(match, "j").pinned
    assert not morale_check(playing(match, 5, 6, 2), get(match, "j"))
    assert (get(match, "j").wounded, get(match, "j").broken) == (True, False)
    pin_check(playing(match, 6, 5), get(match, "j"))
    assert not get(match, "j").pinned


@rule("G1.4")
def test_a_casualty_mc_kills_a_japanese_leader() -> None:
    match = drill(("j", "japanese 10-2"))
    morale_check(playing(match, 6, 6), get(match, "j"))
    assert now(match) is None


@rule("G1.4")
@pytest.mark.parametrize(("kind", "rolls"), [("japanese 4-4-7", "LLTC"), ("russian 4-4-7", "LLMC")])
def test_unbroken_japanese_take_a_lltc_for_a_leader_lost(kind: str, rolls: str) -> None:
    match = drill(("j", kind))
    play = playing(match, 5, 6)
    place = get(match, "j").at
    leader_loss(play, [Loss("dead", "russian", place, 9, -1, True)])
    after = get(match, "j")
    assert (after.pinned, after.broken) == ((True, False) if rolls == "LLTC" else (False, True))


# -- Commissars and their like --------------------------------------------------------------------


@rule("A25.221")
@pytest.mark.parametrize(
    ("leaders", "help_"),
    [
        ((), None),
        (("russian 9-2",), -2),
        (("russian 9-0 Commissar",), -1),
        (("russian 9-2", "russian 9-0 Commissar"), -1),
        (("japanese 9-1",), -2),
    ],
)
def test_a_commissar_raises_morale_and_no_other_leader_counts_beside_him(
    leaders: tuple[str, ...], help_: int | None
) -> None:
    match = drill(("j", "russian 4-4-7"), *[(f"l{n}", kind) for n, kind in enumerate(leaders)])
    state = match.state
    helper = helper_of(setting_of(state), get(match, "j"), list(state.units.values()))
    assert (helper is None) == (help_ is None)
    assert sum(item[1] for item in leader_items(state, helper)) == (help_ or 0)


@rule("A25.221")
def test_a_commissar_checks_first_alone_and_his_loss_is_felt_by_all() -> None:
    match = drill(("c", "russian 9-0 Commissar"), ("l", "russian 10-2"), ("j", "russian 4-4-7"))
    setting = setting_of(match.state)
    units = [get(match, name) for name in ("l", "j", "c")]
    assert [one.id for one in check_order(setting, units)] == ["c", "l", "j"]
    assert helper_of(setting, get(match, "c"), units) is None
    lost: list[Loss] = []
    break_unit(playing(match), get(match, "c"), losses=lost)
    assert shaken(setting, get(match, "l"), lost[0])
    other = Loss("x", "russian", get(match, "c").at, 11, 0, True)
    assert not shaken(setting, get(match, "c"), other)
    assert level(unit_kind(match.state, get(match, "l")), get(match, "l")) == 10


@rule("A25.222")
def test_no_dm_counts_when_a_commissar_rallies_and_he_must_try() -> None:
    match = drill(
        ("c", "russian 9-0 Commissar"), ("l", "russian 9-2"), ("j", "russian 4-4-7"), phase="RPh", broken=("j",)
    )
    state = match.state
    assert [leader.id for leader in rally_leaders(state, get(match, "j"), ())] == ["c"]
    tally = rally_tally(state, get(match, "j"), get(match, "c"))
    assert sum(item.value for item in tally.items if item.label in ("DM", "no DM under him")) == 0
    assert sum(item.value for item in tally.items if item.rule == "A25.221") == -1
    while match.to_act and RallyUnit("j", "c") not in match.actions("russian"):
        match.apply(match.to_act[0], Done())
    assert list(match.actions("russian")) == [RallyUnit("j", "c")]


@rule("A25.222")
@pytest.mark.parametrize(
    ("kind", "left"),
    [
        ("russian 4-4-7", "russian 4-2-6"),
        ("russian 4-2-6", "russian 2-2-6"),
        ("russian 2-2-6", ""),
        ("russian 8-0", ""),
        ("russian 2-2-8", ""),
    ],
)
def test_whom_a_commissar_fails_to_rally_pays_for_it(kind: str, left: str) -> None:
    match = drill(("c", "russian 9-0 Commissar"), ("j", kind), phase="RPh", broken=("j",))
    try_rally(playing(match, 5, 6), get(match, "j"), get(match, "c"))
    found = now(match)
    assert (found.kind if found else "") == left
    if found:
        assert found.broken


@rule("A25.222")
def test_others_lose_nothing_by_a_failed_rally() -> None:
    match = drill(("c", "russian 9-1"), ("j", "russian 4-4-7"), phase="RPh", broken=("j",))
    try_rally(playing(match, 5, 6), get(match, "j"), get(match, "c"))
    assert get(match, "j").kind == "russian 4-4-7"


@rule("A25.223")
@pytest.mark.parametrize(
    ("leader", "all_"), [("russian 9-0 Commissar", True), ("japanese 9-0", True), ("russian 9-1", False)]
)
def test_a_berserk_commissar_takes_all_with_him(leader: str, all_: bool) -> None:
    match = drill(("c", leader), ("j", "russian 4-4-7"))
    dice = () if all_ else (6, 5)
    berserk.go_berserk(playing(match, *dice), get(match, "c"))
    assert (BERSERK in get(match, "j").marks) is all_


# -- close combat -----------------------------------------------------------------------------------


@rule("A11.11")
@pytest.mark.parametrize(
    ("kind", "attacker", "pinned", "drm"),
    [
        ("japanese 4-4-7", True, False, -3),
        ("japanese 4-4-7", True, True, -2),
        ("japanese 4-4-7", False, False, 0),
        ("russian 4-4-7", True, False, 0),
    ],
)
def test_japanese_attackers_fight_hand_to_hand(kind: str, attacker: bool, pinned: bool, drm: int) -> None:
    match = drill(("j", kind))
    match.state.attacker = "russian" if attacker else "german"
    man = replace(get(match, "j"), pinned=pinned)
    assert sum(item[1] for item in combat_items(match.state, [man], [get(match, "g")])) == drm


@rule("A18.1")
@pytest.mark.parametrize(
    ("kind", "drm"),
    [("german_ss 6-5-8", -2), ("usmc 6-6-8", -2), ("chinese 3-3-7", 1), ("italian 3-4-7", 1), ("french 4-5-7", 0)],
)
def test_nationality_in_leader_creation(kind: str, drm: int) -> None:
    match = drill(("j", kind))
    assert creation_tally(match.state, get(match, "j")).total == drm
