"""The guide's Rout Phase: its example on board 1, voluntary breaking, failure to rout in an enemy's hex."""

from __future__ import annotations

from typing import Any

import pytest
from squad_support import at, cell, do, drill, get, happened, offered, rule, unit

from sandtable.engine import Match
from sandtable.games.squad.ground.setting import ground_of
from sandtable.games.squad.phases.model import Done
from sandtable.games.squad.rout.model import (
    EndRout,
    Interdicted,
    LowCrawl,
    RoutPhase,
    RoutStep,
    StartRout,
    TakeLeader,
    VoluntaryBreak,
)

PASSES = (3, 3)


def guide_example(hex_name: str, *, dice: Any = ()) -> Match:
    """A broken Russian squad and the Germans of the example; J4 stands in for an enemy of the lost picture."""
    guards = [unit(f"g{name}", "german 4-6-7", name) for name in ("H5", "G4", "K4", "J4")]
    squad = unit("a", "russian 4-4-7", hex_name, broken=True, dm=True)
    return drill("1", "RtPh", [squad, *guards], game="guidedrill", dice=dice)


def names(match: Match, kind: Any) -> set[str]:
    return {ground_of(match.state).names[action.to] for action in offered(match, kind)}


def rout_to(match: Match, *hexes: str) -> list[Any]:
    events: list[Any] = []
    for name in hexes:
        events += do(match, next(a for a in offered(match, RoutStep) if a.to == cell(match, name)))
    return events


@rule("G24")
class TestExample:
    def test_g2_may_move_toward_enemies_who_had_not_seen_it(self) -> None:
        match = guide_example("G2")
        do(match, StartRout("a"))
        assert {"F1", "G1", "H2"} <= names(match, RoutStep)
        rout_to(match, "H2")
        assert at(match, "a") == "H2"

    def test_j2_may_stay(self) -> None:
        match = guide_example("J2")
        do(match, Done())
        assert at(match, "a") == "J2"

    def test_j2_may_rout_to_k2(self) -> None:
        match = guide_example("J2")
        do(match, StartRout("a"))
        rout_to(match, "K2")
        assert at(match, "a") == "K2"

    @rule("G28")
    def test_j2_may_ignore_k2_and_is_interdicted_in_j1(self) -> None:
        match = guide_example("J2", dice=PASSES)
        do(match, StartRout("a"))
        events = rout_to(match, "J1", "J0")
        assert [(event.by, event.at) for event in happened(events, Interdicted)] == [("gH5", "J1")]
        assert at(match, "a") == "J0"

    def test_i5_is_eliminated(self) -> None:
        match = guide_example("I5")
        assert "a" not in match.state.units

    @rule("G27")
    def test_i4_crawls_to_i3(self) -> None:
        match = guide_example("I4")
        do(match, StartRout("a"))
        assert names(match, RoutStep) == {"I3"}
        assert not happened(do(match, LowCrawl(cell(match, "I3"))), Interdicted)
        assert at(match, "a") == "I3"

    @rule("G28")
    def test_i4_goes_on_to_h2_or_j2_or_past_them(self) -> None:
        match = guide_example("I4", dice=PASSES)
        do(match, StartRout("a"))
        assert happened(rout_to(match, "I3"), Interdicted)
        assert {"H2", "J2"} <= names(match, RoutStep)
        rout_to(match, "J2")
        assert EndRout() in match.actions("russian"), "it may stop here"
        assert "J1" in names(match, RoutStep), "or ignore J2 and make for J0"

    @rule("G28")
    def test_a_failed_check_leaves_a_half_squad_that_goes_on(self) -> None:
        match = guide_example("I4", dice=(5, 4))
        do(match, StartRout("a"))
        rout_to(match, "I3", "H2")
        assert get(match, "a").kind == "russian 2-3-7"
        assert at(match, "a") == "H2"


@rule("G26")
@pytest.mark.parametrize(("dice", "alive"), [((3, 3), True), ((6, 4), False)])
def test_a_leader_who_routs_along_helps_and_falls_with_the_unit(dice: tuple[int, int], alive: bool) -> None:
    guards = [unit(f"g{name}", "german 4-6-7", name) for name in ("H5", "G4", "K4", "J4")]
    squad = unit("a", "russian 4-4-7", "I4", broken=True, dm=True)
    match = drill("1", "RtPh", [squad, unit("l", "russian 9-1", "I4"), *guards], game="guidedrill", dice=dice)
    do(match, StartRout("a"), TakeLeader("l"))
    rout_to(match, "I3")
    assert ("l" in match.state.units) is alive


@rule("G25")
class TestVoluntaryBreak:
    def test_a_unit_in_sight_and_range_may_break_and_rout(self) -> None:
        units = [unit("a", "russian 4-4-7", "J2"), unit("g", "german 4-6-7", "H5")]
        match = drill("1", "RtPh", units, game="guidedrill")
        do(match, VoluntaryBreak("a"))
        assert get(match, "a").broken
        assert get(match, "a").dm
        assert StartRout("a") in match.actions("russian")

    def test_not_out_of_sight(self) -> None:
        units = [unit("a", "russian 4-4-7", "G2"), unit("g", "german 4-6-7", "H5")]
        match = drill("1", "RtPh", units, game="guidedrill")
        assert not isinstance(match.state.stack[-1], RoutPhase)

    @pytest.mark.parametrize(
        ("enemy", "may"), [("german 4-6-7", True), ("russian 5-2-7", False), ("german 9-1", False)]
    )
    def test_not_out_of_range(self, enemy: str, may: bool) -> None:
        """J2 is beyond the two hexes of machine pistols in H5, and a leader has no range."""
        units = [unit("a", "russian 4-4-7", "J2"), unit("g", enemy, "H5", side="german")]
        match = drill("1", "RtPh", units, game="guidedrill")
        assert (VoluntaryBreak("a") in match.actions("russian")) is may

    def test_the_starter_kit_has_no_such_thing(self) -> None:
        units = [unit("a", "russian 4-4-7", "J2"), unit("g", "german 4-6-7", "H5")]
        match = drill("1", "RtPh", units)
        assert not isinstance(match.state.stack[-1], RoutPhase)


@rule("G24")
def test_a_broken_unit_in_an_enemys_hex_is_eliminated() -> None:
    units = [
        unit("a", "russian 4-4-7", "J2", broken=True, dm=True, melee=True),
        unit("g", "german 4-6-7", "J2", melee=True),
    ]
    match = drill("1", "RtPh", units, game="guidedrill")
    assert "a" not in match.state.units
    assert not get(match, "g").melee, "its Melee is over"
    kept = drill("1", "RtPh", units)
    assert "a" in kept.state.units, "not by the Starter Kit"
