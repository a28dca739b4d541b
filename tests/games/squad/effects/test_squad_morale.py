"""Morale checks by themselves: verdicts, ELR, original 12, wounds (3.2.3, 5.1)."""

from __future__ import annotations

from typing import Any

import pytest
from squad_support import drill, get, happened, rule, unit, weapon

from sandtable.engine import Match, Play, ScriptedDice
from sandtable.games.squad.effects.morale import (
    apply_check,
    casualty_reduce,
    helper_of,
    leadership,
    morale_check,
    morale_level,
    put_under_dm,
)
from sandtable.games.squad.effects.verdicts import BROKEN, REPLACED, Verdict, judge_check
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.pieces.events import Eliminated, MadeDesperate


def squad(kind: str = "german 4-6-7", **more: Any) -> Match:
    return drill("z", "PFPh", [unit("g", kind, "K5", **more), unit("r", "russian 4-4-7", "A1")])


def check(match: Match, *dice: int, drm: int = 0, **more: Any) -> bool:
    return morale_check(Play(match.state, ScriptedDice(*dice)), get(match, "g"), drm, **more)


@rule("3.2.3")
@pytest.mark.parametrize(
    ("dice", "broken", "pinned"), [((2, 4), False, False), ((3, 4), False, True), ((4, 4), True, False)]
)
def test_less_passes_exactly_pins_more_breaks(dice: tuple[int, int], broken: bool, pinned: bool) -> None:
    match = squad()
    assert check(match, *dice) is not broken
    assert (get(match, "g").broken, get(match, "g").dm, get(match, "g").pinned) == (broken, broken, pinned)


@rule("5.1")
@pytest.mark.parametrize(("drm", "kind"), [(2, "german 4-6-7"), (3, "german 4-4-7")])
def test_failing_by_more_than_the_elr_replaces_a_squad(drm: int, kind: str) -> None:
    match = squad()
    check(match, 4, 4, drm=drm)
    assert get(match, "g").kind == kind
    assert get(match, "g").broken


@rule("5.1")
def test_a_leader_is_replaced_too_and_the_lowest_has_nothing_below_him() -> None:
    match = squad("german 9-1")
    check(match, 5, 6, drm=3)
    assert get(match, "g").kind == "german 8-1"
    lowest = squad("german 6+1")
    check(lowest, 5, 6, drm=3)
    assert get(lowest, "g").kind == "german 6+1"
    assert get(lowest, "g").broken


@rule("5.1")
def test_crews_are_not_subject_to_elr() -> None:
    match = squad("german 2-2-8")
    check(match, 5, 6, drm=4)
    assert get(match, "g").kind == "german 2-2-8"


@rule("5.1")
def test_underlined_morale_is_not_subject_to_elr() -> None:
    match = squad("german 8-3-8")
    check(match, 5, 6, drm=4)
    assert get(match, "g").kind == "german 8-3-8"
    assert get(match, "g").broken


@rule("5.1")
def test_a_broken_unit_is_never_replaced() -> None:
    match = squad(broken=True)
    check(match, 5, 6, drm=4)
    assert get(match, "g").kind == "german 2-4-7"


@rule("3.2.3")
def test_an_original_12_reduces_and_breaks_even_who_would_pass() -> None:
    match = squad("german 10-2")
    leader = get(match, "g")
    assert not judge_check(setting_of(match.state), leader, 12, 10).passed
    check(match, 6, 6, 2, drm=-2)
    assert get(match, "g").wounded
    assert get(match, "g").broken


@rule("3.2.3")
def test_broken_units_use_the_other_side_and_lose_a_step_when_they_fail() -> None:
    match = squad("german 4-6-7", broken=True)
    assert morale_level(match.state, get(match, "g")) == 7
    check(match, 4, 4)
    assert get(match, "g").kind == "german 2-4-7"
    check(match, 4, 4)
    assert "g" in match.state.gone


@rule("3.2.3")
def test_a_broken_unit_is_eliminated_by_an_original_12() -> None:
    match = squad(broken=True)
    play = Play(match.state, ScriptedDice(6, 6))
    morale_check(play, get(match, "g"))
    assert [event.unit for event in happened(play.events, Eliminated)] == ["g"]


@rule("3.2.3")
def test_broken_units_are_pinned_by_interdiction_only() -> None:
    match = squad(broken=True)
    assert check(match, 3, 4)
    assert not get(match, "g").pinned
    assert check(match, 3, 4, pins_broken=True)
    assert get(match, "g").pinned


@rule("3.2.3")
def test_a_wound_lowers_morale_and_leadership_by_one() -> None:
    match = squad("german 8-0", wounded=True)
    assert morale_level(match.state, get(match, "g")) == 7
    assert leadership(match.state, get(match, "g")) == 1


@rule("3.2.3")
def test_the_guide_a_leader_is_helped_only_by_one_of_higher_morale() -> None:
    for helper, better in (("german 10-2", True), ("german 9-2", False)):
        match = drill(
            "1",
            "PFPh",
            [unit("g", "german 9-1", "F6"), unit("h", helper, "F6"), unit("r", "russian 4-4-7", "A1")],
            game="guidedrill",
        )
        found = helper_of(setting_of(match.state), get(match, "g"), [get(match, "h")])
        assert (found is not None) is better
        play = Play(match.state, ScriptedDice(5, 6))
        assert morale_check(play, get(match, "g"), leader=found) is better, "11 with a 10-2, 9 without help"


@rule("3.2.3")
def test_a_squad_keeps_its_weapons_and_condition_when_reduced() -> None:
    match = drill(
        "z",
        "PFPh",
        [unit("g", "german 4-6-7", "K5", broken=True, dm=True, cx=True), unit("r", "russian 4-4-7", "A1")],
        [weapon("mg", "german LMG", "g")],
    )
    left = casualty_reduce(Play(match.state, ScriptedDice()), get(match, "g"))
    assert left is not None
    assert (left.kind, left.weapons, left.broken, left.cx) == ("german 2-4-7", ("mg",), True, True)


@rule("3.2.3")
def test_desperation_morale_is_only_for_broken_units() -> None:
    match = squad()
    play = Play(match.state, ScriptedDice())
    put_under_dm(play, get(match, "g"))
    assert not happened(play.events, MadeDesperate)
    broken = squad(broken=True)
    play = Play(broken.state, ScriptedDice())
    put_under_dm(play, get(broken, "g"))
    assert get(broken, "g").dm


@rule("3.3.1")
def test_a_check_whose_dr_is_known_rolls_nothing() -> None:
    match = squad()
    play = Play(match.state, ScriptedDice())
    assert not apply_check(play, get(match, "g"), 10, 9)
    assert get(match, "g").broken


@rule("5.1")
@pytest.mark.parametrize(
    ("kind", "verdict"), [("german 4-6-7", REPLACED), ("german 2-2-8", BROKEN), ("american 7-4-7", BROKEN)]
)
def test_crews_and_units_with_underlined_morale_keep_their_quality(kind: str, verdict: Verdict) -> None:
    """They fail a MC by four, and their ELR is three."""
    match = drill("z", "PFPh", [unit("g", kind, "K5", side="german")])
    own = get(match, "g")
    assert judge_check(setting_of(match.state), own, 11, morale_level(match.state, own) + 4) == verdict
