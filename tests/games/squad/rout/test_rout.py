"""Rout Phase (3.6): who must and may, the nearest cover, forbidden ways, Low Crawl, Interdiction, failure to rout."""

from __future__ import annotations

from typing import Any

import pytest
from squad_support import at, cell, do, drill, get, get_weapon, happened, offered, rule, unit, weapon

from sandtable.engine import Match
from sandtable.engine.errors import IllegalAction
from sandtable.games.squad.ground.setting import ground_of
from sandtable.games.squad.movement.model import DropWeapon
from sandtable.games.squad.phases.model import Done
from sandtable.games.squad.pieces.events import Eliminated, Pinned
from sandtable.games.squad.pieces.model import Mover
from sandtable.games.squad.rout.interdiction import interdictors
from sandtable.games.squad.rout.model import (
    CancelRout,
    ClaimInterdiction,
    EndRout,
    Interdicted,
    LetGo,
    LowCrawl,
    Rout,
    RoutPhase,
    RoutStep,
    StartRout,
    TakeLeader,
)
from sandtable.games.squad.rout.paths import Foes

INTERDICTED = (3, 3)
"""A NMC that a broken morale of 7 passes without being pinned."""


def broken(name: str, kind: str, hex_name: str, **more: Any) -> dict[str, Any]:
    return unit(name, kind, hex_name, broken=True, dm=more.pop("dm", True), **more)


def steps(match: Match) -> set[str]:
    """The hexes into which the routing unit may go."""
    names = ground_of(match.state).names
    return {names[action.to] for action in offered(match, RoutStep)}


def crawls(match: Match) -> set[str]:
    names = ground_of(match.state).names
    return {names[action.to] for action in offered(match, LowCrawl)}


def rout_to(match: Match, *hexes: str) -> list[Any]:
    """Rout through hexes, along the road where there is one."""
    events: list[Any] = []
    for name in hexes:
        target = cell(match, name)
        ways = [action for action in offered(match, RoutStep) if action.to == target]
        assert ways, f"{name} is closed; open are {sorted(steps(match))}"
        events += do(match, ways[0])
    return events


def may_start(match: Match) -> set[str]:
    frame = match.state.stack[-1]
    return {action.unit for action in offered(match, StartRout)} if isinstance(frame, RoutPhase) else set()


def example(*others: dict[str, Any], enemies: tuple[str, ...] = ("O6", "M6", "L7"), dice: Any = ()) -> Match:
    """The Germans of the rout example on board z, with broken Russians."""
    guards = [unit(f"g{name}", "german 4-6-7", name) for name in enemies]
    return drill("z", "RtPh", [*others, *guards], dice=dice)


@rule("3.6")
class TestRoutPhaseExample:
    """The example of the booklet, on board z."""

    def test_m9_may_stay(self) -> None:
        match = example(broken("a", "russian 4-4-7", "M9"))
        assert may_start(match) == {"a"}
        do(match, Done())
        assert at(match, "a") == "M9"

    def test_m9_may_rout_to_the_woods_and_on_to_others(self) -> None:
        match = example(broken("a", "russian 4-4-7", "M9"))
        do(match, StartRout("a"))
        assert {"L8", "M8"}.isdisjoint(steps(match)), "closer to a Known enemy"
        rout_to(match, "N9")
        assert EndRout() in match.actions("russian")
        assert {"O10", "N10"} <= steps(match)
        rout_to(match, "O10")
        assert at(match, "a") == "O10"

    @pytest.mark.parametrize("goal", ["N10", "L10"])
    def test_m9_may_ignore_the_woods_in_n9(self, goal: str) -> None:
        match = example(broken("a", "russian 4-4-7", "M9"), dice=INTERDICTED)
        do(match, StartRout("a"))
        rout_to(match, "M10", goal)
        assert at(match, "a") == goal

    def test_n7_must_rout_and_falls_under_dm(self) -> None:
        match = example(broken("a", "russian 4-4-7", "N7", dm=False))
        assert get(match, "a").dm
        assert may_start(match) == {"a"}
        assert Done() not in match.actions("russian")

    def test_n7_may_rout_to_o8(self) -> None:
        match = example(broken("a", "russian 4-4-7", "N7"))
        do(match, StartRout("a"))
        events = rout_to(match, "O8")
        assert at(match, "a") == "O8"
        assert not happened(events, Interdicted)

    def test_n7_may_ignore_o8_and_crawl_to_n8(self) -> None:
        match = example(broken("a", "russian 4-4-7", "N7"))
        do(match, StartRout("a"))
        assert "N8" in crawls(match)
        do(match, LowCrawl(cell(match, "N8")))
        assert at(match, "a") == "N8"
        assert not isinstance(match.state.stack[-1], RoutPhase) or "a" not in may_start(match)

    @pytest.mark.parametrize("goal", ["N9", "M9"])
    def test_n7_may_ignore_o8_and_rout_on_to_n9_or_m9(self, goal: str) -> None:
        match = example(broken("a", "russian 4-4-7", "N7"), dice=INTERDICTED)
        do(match, StartRout("a"))
        rout_to(match, "N8", goal)
        assert at(match, "a") == goal

    def test_n7_is_interdicted_in_n8_by_o6(self) -> None:
        match = example(broken("a", "russian 4-4-7", "N7"), dice=INTERDICTED)
        do(match, StartRout("a"))
        events = rout_to(match, "N8", "N9")
        (event,) = happened(events, Interdicted)
        assert (event.at, event.by) == ("N8", "gO6"), "neither M6 nor L7 sees N8"

    def test_n6_must_rout_to_n7(self) -> None:
        match = example(broken("a", "russian 4-4-7", "N6"), dice=INTERDICTED)
        do(match, StartRout("a"))
        assert steps(match) == {"N7"}
        assert crawls(match) == {"N7"}
        events = rout_to(match, "N7")
        assert happened(events, Interdicted)
        assert steps(match) == {"O8"}
        rout_to(match, "O8")
        assert at(match, "a") == "O8"

    def test_n6_may_crawl_to_n7_safely(self) -> None:
        match = example(broken("a", "russian 4-4-7", "N6"))
        do(match, StartRout("a"))
        events = do(match, LowCrawl(cell(match, "N7")))
        assert at(match, "a") == "N7"
        assert not happened(events, Interdicted)
        assert "a" in match.state.units

    def test_n6_by_way_of_m7_if_the_enemy_were_in_m5(self) -> None:
        match = example(broken("a", "russian 4-4-7", "N6"), enemies=("O6", "M5", "L7"), dice=INTERDICTED)
        do(match, StartRout("a"))
        assert "M7" in steps(match)
        assert "M7" not in crawls(match), "it could not stay beside L7"
        rout_to(match, "M7")
        assert EndRout() not in match.actions("russian")
        events = rout_to(match, "N7")
        assert happened(events, Interdicted)
        rout_to(match, "O8")
        assert at(match, "a") == "O8"
        assert not isinstance(match.state.stack[-1], RoutPhase) or not offered(match, RoutStep)

    @pytest.mark.parametrize("third", ["M6", "M5"])
    def test_n5_is_eliminated(self, third: str) -> None:
        # the lost picture must have held one more enemy who closes N4: M4 is put there
        match = example(broken("a", "russian 4-4-7", "N5"), enemies=("O6", third, "L7", "M4"))
        assert "a" not in match.state.units
        assert match.state.gone["a"].how == "eliminated"


@rule("3.6")
class TestWhoRouts:
    def test_a_unit_without_dm_and_danger_stays(self) -> None:
        match = drill("z", "RtPh", [broken("a", "russian 4-4-7", "M9", dm=False), unit("g", "german 4-6-7", "A1")])
        assert not isinstance(match.state.stack[-1], RoutPhase)
        assert not get(match, "a").dm

    def test_beside_an_unbroken_enemy_it_must_go_even_from_a_building(self) -> None:
        match = drill("z", "RtPh", [broken("a", "russian 4-4-7", "M9", dm=False), unit("g", "german 4-6-7", "M8")])
        assert may_start(match) == {"a"}
        assert Done() not in match.actions("russian")

    def test_beside_a_broken_enemy_it_may_stay(self) -> None:
        match = drill("z", "RtPh", [broken("a", "russian 4-4-7", "M9"), broken("g", "german 4-6-7", "M8", dm=False)])
        assert Done() in match.actions("russian")

    @pytest.mark.parametrize("state", [{"pinned": True}, {"cx": True}, {"broken": True}])
    def test_who_cannot_interdict_drives_nobody_away(self, state: dict[str, bool]) -> None:
        match = drill(
            "z", "RtPh", [broken("a", "russian 4-4-7", "N7", dm=False), unit("g", "german 4-6-7", "L7", **state)]
        )
        assert not get(match, "a").dm

    def test_units_in_melee_do_not_rout(self) -> None:
        units = [broken("a", "russian 4-4-7", "M9", melee=True), unit("g", "german 4-6-7", "M9", melee=True)]
        match = drill("z", "RtPh", units)
        assert "a" in match.state.units
        assert not isinstance(match.state.stack[-1], RoutPhase)

    def test_the_attacker_routs_first(self) -> None:
        units = [broken("r", "russian 4-4-7", "M9"), broken("g", "german 4-6-7", "Q8"), unit("x", "german 4-6-7", "M8")]
        match = drill("z", "RtPh", units, attacker="german")
        assert match.to_act == ("german",)
        do(match, Done())
        assert match.to_act == ("russian",)

    def test_a_hindrance_protects(self) -> None:
        units = [broken("a", "russian 4-4-7", "F1", dm=False), unit("g", "german 4-6-7", "F5")]
        match = drill("z", "RtPh", units, smoke={"F3": [{"kind": "smoke", "side": "russian"}]})
        assert not get(match, "a").dm


@rule("3.6")
class TestInterdiction:
    def routing(self, dice: tuple[int, ...], *others: dict[str, Any], kind: str = "russian 4-4-7") -> Match:
        match = example(broken("a", kind, "N6"), *others, dice=dice)
        do(match, StartRout("a"))
        return match

    def test_a_failed_check_is_a_casualty_reduction_and_the_half_squad_goes_on(self) -> None:
        match = self.routing((5, 4))
        rout_to(match, "N7", "O8")
        assert get(match, "a").kind == "russian 2-3-7"
        assert at(match, "a") == "O8"

    def test_a_half_squad_that_fails_is_eliminated(self) -> None:
        match = self.routing((5, 4), kind="russian 2-3-7")
        assert happened(rout_to(match, "N7"), Eliminated)

    def test_an_original_12_eliminates(self) -> None:
        match = self.routing((6, 6))
        assert happened(rout_to(match, "N7"), Eliminated)

    def test_passing_exactly_pins_and_ends_the_rout(self) -> None:
        match = self.routing((4, 3))
        events = rout_to(match, "N7")
        assert happened(events, Pinned)
        assert at(match, "a") == "N7"

    def test_only_once_in_a_hex(self) -> None:
        match = self.routing(INTERDICTED)
        assert len(happened(rout_to(match, "N7"), Interdicted)) == 1

    def test_exact_odds(self) -> None:
        match = self.routing(())
        step = offered(match, RoutStep)[0]
        preview = match.preview("russian", step)
        assert preview is not None
        chances = {line.label: line.chance for line in preview.odds}
        assert chances["passes and goes on"] == pytest.approx(15 / 36)
        assert chances["is pinned"] == pytest.approx(6 / 36)
        assert chances["Casualty Reduction"] == pytest.approx(14 / 36)
        assert chances["eliminated"] == pytest.approx(1 / 36)

    def test_a_lone_leader_with_a_machine_gun_cannot_but_two_can(self) -> None:
        leaders = [unit("l", "german 9-1", "L7"), unit("m", "german 8-0", "L7")]
        for count, desperate in ((1, False), (2, True)):
            match = drill(
                "z",
                "RtPh",
                [broken("a", "russian 4-4-7", "N7", dm=False), *leaders[:count]],
                [weapon("mg", "german LMG", "l")],
            )
            assert get(match, "a").dm is desperate

    @pytest.mark.parametrize(("faces_it", "desperate"), [(True, True), (False, False)])
    def test_a_gun_interdicts_within_its_covered_arc(self, faces_it: bool, desperate: bool) -> None:
        ground = ground_of(drill("z", "RtPh", [unit("g", "german 4-6-7", "A1")]).state)
        here, there = ground.index("N3"), ground.index("N7")
        spine = next(s for s in range(6) if ground.grid.in_covered_arc(here, s, there) is faces_it)
        units = [broken("a", "russian 4-4-7", "N7", dm=False), unit("c", "german 2-2-8", "N3")]
        match = drill("z", "RtPh", units, [weapon("gun", "german 7.5cm PaK 40 AT", "c", facing=spine)])
        assert get(match, "a").dm is desperate, "the crew's own range of two does not reach"

    @rule("6.4")
    @pytest.mark.parametrize("hip", [True, False])
    def test_a_hidden_gun_drives_nobody_away(self, hip: bool) -> None:
        ground = ground_of(drill("z", "RtPh", [unit("g", "german 4-6-7", "A1")]).state)
        here, there = ground.index("N3"), ground.index("N7")
        spine = next(s for s in range(6) if ground.grid.in_covered_arc(here, s, there))
        units = [broken("a", "russian 4-4-7", "N7", dm=False), unit("c", "german 2-2-8", "N3", hip=hip)]
        guns = [weapon("gun", "german 7.5cm PaK 40 AT", "c", facing=spine, hip=hip)]
        match = drill("z", "RtPh", units, guns)
        found = [enemy.id for enemy in interdictors(match.state, there, "russian")]
        assert found == ([] if hip else ["c"])

    @rule("6.10")
    def test_a_gun_that_interdicts_loses_what_it_acquired(self) -> None:
        ground = ground_of(drill("z", "RtPh", [unit("g", "german 4-6-7", "A1")]).state)
        spine = next(s for s in range(6) if ground.grid.in_covered_arc(ground.index("N3"), s, ground.index("N7")))
        acquired = {"at": ground.index("N6"), "level": -1, "units": ["a"]}
        gun = weapon("gun", "german 7.5cm PaK 40 AT", "c", facing=spine, acquired=acquired)
        units = [broken("a", "russian 4-4-7", "N6"), unit("c", "german 2-2-8", "N3")]
        match = drill("z", "RtPh", units, [gun], dice=INTERDICTED)
        do(match, StartRout("a"))
        assert not happened(rout_to(match, "N7"), Interdicted)
        assert match.to_act == ("german",), "the crew's side is asked"
        kept = match.clone()
        do(kept, LetGo())
        assert get_weapon(kept, "gun").acquired is not None
        assert kept.to_act == ("russian",)
        (event,) = happened(do(match, ClaimInterdiction("c")), Interdicted)
        assert event.by == "c"
        assert get_weapon(match, "gun").acquired is None


@rule("1.1.1")
@rule("3.6")
@pytest.mark.parametrize("road", [True, False])
def test_a_woods_road_is_open_to_interdiction_only_at_the_road_rate(road: bool) -> None:
    # the line of sight example of board y: I2 looks down the road to F3
    match = drill("y", "RtPh", [unit("g", "german 4-6-7", "I2")])
    target = cell(match, "F3")
    way = next(way for way in ground_of(match.state).ways[target] if way.road)
    mover = Mover("a", way.to, came=way.to, road_rate=road)
    found = [enemy.id for enemy in interdictors(match.state, target, "russian", mover)]
    assert found == (["g"] if road else [])


@rule("3.6")
class TestLeaders:
    def test_a_leader_routs_along_and_helps(self) -> None:
        match = example(broken("a", "russian 4-4-7", "N6"), unit("l", "russian 9-2", "N6"), dice=(5, 4))
        do(match, StartRout("a"), TakeLeader("l"))
        events = rout_to(match, "N7")
        assert happened(events, Pinned), "nine less two is seven"
        assert at(match, "l") == "N7"
        assert not get(match, "l").broken

    def test_he_is_eliminated_if_the_unit_fails(self) -> None:
        match = example(broken("a", "russian 4-4-7", "N6"), unit("l", "russian 9-1", "N6"), dice=(6, 5, 1, 1))
        do(match, StartRout("a"), TakeLeader("l"))
        rout_to(match, "N7")
        assert "l" not in match.state.units

    def test_he_may_not_rout_with_a_second_unit(self) -> None:
        match = example(
            broken("a", "russian 4-4-7", "N6"),
            broken("b", "russian 4-4-7", "N6"),
            unit("l", "russian 9-1", "N6"),
            dice=INTERDICTED,
        )
        do(match, StartRout("a"), TakeLeader("l"))
        rout_to(match, "N7", "O8")
        do(match, EndRout(), StartRout("b"))
        assert not offered(match, TakeLeader)

    def test_pinned_leaders_stay(self) -> None:
        match = example(broken("a", "russian 4-4-7", "N6"), unit("l", "russian 9-1", "N6", pinned=True))
        do(match, StartRout("a"))
        assert not offered(match, TakeLeader)


@rule("3.6")
@rule("4.0")
class TestWeapons:
    def test_what_exceeds_the_ipc_is_dropped_first(self) -> None:
        guns = [weapon("mmg", "russian MMG", "a"), weapon("lmg", "russian LMG", "a")]
        units = [broken("a", "russian 4-4-7", "M9"), unit("g", "german 4-6-7", "M8")]
        match = drill("z", "RtPh", units, guns)
        do(match, StartRout("a"))
        assert not offered(match, RoutStep)
        assert {action.weapon for action in offered(match, DropWeapon)} == {"mmg", "lmg"}
        do(match, DropWeapon("mmg"))
        assert CancelRout() not in match.actions("russian")
        rout_to(match, "M10")
        assert get_weapon(match, "mmg").at == cell(match, "M9")
        assert get(match, "a").weapons == ("lmg",)

    def test_guns_are_left_behind(self) -> None:
        guns = [weapon("gun", "russian 45mm PTP obr. 32 AT", "a", facing=0)]
        units = [broken("a", "russian 2-2-7", "M9"), unit("g", "german 4-6-7", "M8")]
        match = drill("z", "RtPh", units, guns)
        do(match, StartRout("a"))
        rout_to(match, "M10")
        assert get_weapon(match, "gun").owner == ""


@rule("3.6")
class TestWays:
    def test_full_buildings_are_ignored(self) -> None:
        crowd = [unit(f"f{n}", "russian 4-4-7", "O8") for n in range(3)]
        match = example(broken("a", "russian 4-4-7", "N7"), *crowd, dice=INTERDICTED)
        do(match, StartRout("a"))
        assert "O8" not in steps(match)
        rout_to(match, "N8", "N9")
        assert at(match, "a") == "N9"

    def test_from_cover_it_may_directly_enter_other_cover_only(self) -> None:
        match = example(broken("a", "russian 4-4-7", "N6"), dice=INTERDICTED)
        do(match, StartRout("a"))
        rout_to(match, "N7", "O8")
        assert steps(match) == {"P7", "P8"}, "buildings; O9 and N8 are open"
        assert EndRout() in match.actions("russian")

    def test_refusals_name_the_reason(self) -> None:
        match = example(broken("a", "russian 4-4-7", "M9"))
        do(match, StartRout("a"))
        with pytest.raises(IllegalAction) as refused:
            do(match, RoutStep(cell(match, "M8")))
        assert "closer to the Known enemy" in str(refused.value)
        assert refused.value.rule == "3.6"

    def test_routing_may_not_end_before_all_who_must_have_gone(self) -> None:
        match = example(broken("a", "russian 4-4-7", "N7"))
        with pytest.raises(IllegalAction) as refused:
            do(match, Done())
        assert "must rout first" in str(refused.value)
        do(match, StartRout("a"))
        with pytest.raises(IllegalAction) as refused:
            do(match, EndRout())
        assert "pick another unit" in str(refused.value)

    def test_cancelling_changes_nothing(self) -> None:
        match = example(broken("a", "russian 4-4-7", "M9"))
        before = match.position()
        do(match, StartRout("a"), CancelRout())
        assert match.position() == before

    def test_a_wounded_leader_has_three_mf(self) -> None:
        match = example(broken("l", "russian 9-1", "N6", wounded=True), dice=INTERDICTED)
        do(match, StartRout("l"))
        rout_to(match, "N7", "O8")
        assert at(match, "l") == "O8"
        assert not isinstance(match.state.stack[-1], Rout), "no MF are left to go on to P7 or P8"


@rule("3.2.3")
class TestLeaderLostByInterdiction:
    """A broken leader routs from zN7 to others in zN8 and falls: they take a LLMC."""

    FATAL = (6, 5, 6)
    """A failed NMC and a mortal wound."""

    def test_who_is_eliminated_by_it_routs_no_more(self) -> None:
        units = [
            broken("l", "russian 9-1", "N7"),
            broken("s", "russian 2-3-7", "N8"),
            broken("m", "russian 4-4-7", "M9"),
        ]
        match = example(*units, dice=(*self.FATAL, 6, 6))
        do(match, StartRout("l"))
        rout_to(match, "N8")
        assert not {"l", "s"} & set(match.state.units)
        assert may_start(match) == {"m"}

    def test_who_breaks_by_it_may_rout_now(self) -> None:
        units = [broken("l", "russian 9-1", "N7"), unit("s", "russian 4-4-7", "N8")]
        match = example(*units, dice=(*self.FATAL, 6, 5))
        do(match, StartRout("l"))
        rout_to(match, "N8")
        assert get(match, "s").broken
        assert may_start(match) == {"s"}


@rule("3.6")
def test_a_unit_in_woods_out_of_sight_may_rout_on_to_others() -> None:
    """What must stop in woods is a unit that has come into them."""
    match = drill("z", "RtPh", [broken("a", "russian 4-4-7", "FF8"), unit("g", "german 4-6-7", "A1")])
    do(match, StartRout("a"))
    assert {"FF7", "FF9", "EE9"} & steps(match)


@rule("3.6")
@pytest.mark.parametrize("more", [{}, {"broken": True}])
def test_only_an_unbroken_enemy_drives_units_from_beside_him(more: dict[str, Any]) -> None:
    match = drill("z", "RtPh", [broken("a", "russian 4-4-7", "FF8"), unit("g", "german 4-6-7", "I5", **more)])
    foes = Foes(match.state, "russian")
    assert foes.hexes == (cell(match, "I5"),)
    assert foes.beside_unbroken(cell(match, "I6")) is not bool(more)
