"""The broken side of a counter: its morale level, and the box of those who rally by themselves (1.2.3)."""

from __future__ import annotations

import pytest
from squad_support import do, drill, get, happened, offered, rule, unit

from sandtable.engine import Play, ScriptedDice
from sandtable.games.squad.cards.tables import fire_result
from sandtable.games.squad.effects.aftermath import resolve_effects
from sandtable.games.squad.phases.model import Done
from sandtable.games.squad.pieces import counters
from sandtable.games.squad.pieces.counters import Mmc, Smc
from sandtable.games.squad.pieces.events import MoraleChecked
from sandtable.games.squad.pieces.kinds import printed_unit
from sandtable.games.squad.rally.model import RallyUnit, SelfRally

KIT = {"american", "british", "german", "russian"}


@rule("1.2.3")
def test_every_unit_has_a_broken_side_and_only_leaders_and_crews_have_the_box() -> None:
    units = [counter for counter in counters.all_counters().values() if isinstance(counter, Mmc | Smc)]
    assert units
    for counter in units:
        if counter.nation not in KIT or counter.name.startswith("Hero"):
            continue
        kind = printed_unit(f"{counter.nation} {counter.name}")
        assert kind.broken_morale > 0, kind.kind
        assert kind.self_rally is (kind.leads or kind.crew), kind.kind


@rule("1.2.3")
@rule("3.2.3")
@pytest.mark.parametrize(
    ("kind", "broken", "level"),
    [
        ("american 6-6-6", False, 6),
        ("american 6-6-6", True, 8),
        ("german 2-4-7", False, 7),
        ("german 2-4-7", True, 6),
        ("german 9-1", False, 9),
        ("german 9-1", True, 9),
    ],
)
def test_a_broken_unit_checks_morale_by_the_number_on_its_broken_side(kind: str, broken: bool, level: int) -> None:
    for dr, passed in ((level, True), (level + 1, False)):
        match = drill(
            "w", "PFPh", [unit("a", kind, "Q6", broken=broken, side="german"), unit("r", "russian 4-4-7", "A1")]
        )
        play = Play(match.state, ScriptedDice(dr - dr // 2, dr // 2, 1, 1))
        resolve_effects(play, ["a"], fire_result("NMC"), column=8)
        assert happened(play.events, MoraleChecked)[0].passed is passed, dr


@rule("1.2.3")
@rule("3.1")
@pytest.mark.parametrize(("dice", "rallied"), [([4, 4], True), ([4, 5], False)])
def test_it_rallies_by_that_number_too(dice: list[int], rallied: bool) -> None:
    units = [unit("a", "american 6-6-6", "C3", broken=True, side="russian"), unit("l", "russian 8-0", "C3")]
    match = drill("w", "RPh", units, dice=dice)
    while not offered(match, RallyUnit):
        do(match, Done())
    do(match, RallyUnit("a", "l"))
    assert get(match, "a").broken is not rallied


@rule("1.2.3")
@rule("3.1")
def test_the_box_lets_either_side_rally_without_a_leader() -> None:
    units = [
        unit("squad", "german 4-6-7", "Q6", broken=True),
        unit("crew", "german 2-2-8", "Q6", broken=True),
        unit("leader", "german 8-0", "C3", broken=True),
        unit("r", "russian 4-4-7", "A1"),
    ]
    match = drill("w", "RPh", units, attacker="russian")
    assert match.to_act == ("german",)
    assert offered(match, SelfRally) == [SelfRally("crew"), SelfRally("leader")]


@rule("1.2.3")
@rule("3.1")
def test_without_the_box_only_one_unit_of_the_attacker_may() -> None:
    units = [unit(name, "russian 4-4-7", "Q6", broken=True) for name in "ab"]
    crew = unit("crew", "russian 2-2-8", "Q6", broken=True)
    match = drill("w", "RPh", [*units, crew, unit("g", "german 4-6-7", "A1")], dice=[6, 5, 6, 5])
    assert len(offered(match, SelfRally)) == 3
    do(match, SelfRally("a"))
    assert offered(match, SelfRally) == [SelfRally("crew")]
