"""Results of the fire table: KIA, K, checks, Random Selection, leaders, weapons, Desperation Morale (3.2.3, 4.0)."""

from __future__ import annotations

from typing import Any

import pytest
from squad_support import drill, get, get_weapon, happened, rule, unit, weapon

from sandtable.engine import Event, Match, Play, ScriptedDice
from sandtable.games.squad.cards.tables import FireResult, fire_result
from sandtable.games.squad.effects.aftermath import apply_impacts, resolve_effects
from sandtable.games.squad.effects.morale import morale_check
from sandtable.games.squad.effects.results import Impact, random_selection
from sandtable.games.squad.pieces.events import Broke, LeaderLost, MoraleChecked, Pinned


def stack(*units: dict[str, Any], weapons: tuple[dict[str, Any], ...] = (), **more: Any) -> Match:
    return drill("z", "PFPh", [unit("r", "russian 4-4-7", "A1"), *units], weapons, **more)


def suffer(match: Match, result: str, dice: list[int], *, column: int = 8, drm: int = 0) -> list[Event]:
    """Apply a result to all Germans with these dice; returns the events."""
    play = Play(match.state, ScriptedDice(*dice))
    victims = [u.id for u in match.state.units.values() if u.side == "german"]
    resolve_effects(play, victims, fire_result(result), column=column, drm=drm)
    return play.events


def squads(n: int, **more: Any) -> list[dict[str, Any]]:
    return [unit(f"g{i}", "german 4-6-7", "K5", **more) for i in range(1, n + 1)]


@rule("3.2.3")
def test_one_kia_eliminates_one_and_breaks_the_rest() -> None:
    match = stack(*squads(2), unit("g3", "german 4-6-7", "K5", broken=True))
    suffer(match, "1KIA", [6, 2, 3])
    assert "g1" in match.state.gone
    assert get(match, "g2").broken
    assert get(match, "g2").dm
    assert get(match, "g3").kind == "german 2-4-7", "already broken: Casualty Reduction"
    assert get(match, "g3").dm


@rule("3.2.3")
@pytest.mark.parametrize(
    ("selection", "dice", "dead"),
    [
        ("number", [3, 1, 2, 3, 1], {"g1"}),
        ("number", [3, 1, 2, 3, 2], {"g4"}),
        ("ties", [3, 1, 2, 3], {"g1", "g4"}),
        ("number", [3, 1, 2, 6], {"g4"}),
    ],
)
def test_no_more_are_killed_than_the_number_of_the_kia(selection: str, dice: list[int], dead: set[str]) -> None:
    match = stack(*squads(4), options={"selection": selection})
    suffer(match, "1KIA", dice)
    assert {name for name in match.state.gone if name.startswith("g")} == dead


@rule("3.2.3")
@pytest.mark.parametrize(
    ("selection", "more", "chosen"), [("number", [2], ["g1", "g3"]), ("ties", [], ["g1", "g2", "g3"])]
)
def test_a_tie_for_the_last_place_is_decided_by_one_more_roll(
    selection: str, more: list[int], chosen: list[str]
) -> None:
    match = stack(*squads(4), options={"selection": selection})
    play = Play(match.state, ScriptedDice(5, 4, 4, 1, *more))
    found = random_selection(play, [get(match, f"g{n}") for n in (1, 2, 3, 4)], "KIA", 2)
    assert [u.id for u in found] == chosen


@rule("3.2.3")
@rule("G11")
def test_in_the_guide_all_who_tie_are_killed() -> None:
    match = stack(*squads(4), game="guidedrill")
    suffer(match, "1KIA", [3, 1, 2, 3])
    assert {"g1", "g4"} <= set(match.state.gone)


@rule("3.2.3")
def test_more_kia_than_targets_needs_no_dice() -> None:
    match = stack(*squads(2))
    suffer(match, "3KIA", [])
    assert {"g1", "g2"} <= set(match.state.gone)


@rule("3.2.3")
def test_k_reduces_one_and_all_check_the_new_half_squad_included() -> None:
    match = stack(*squads(2))
    events = suffer(match, "K/2", [6, 1, 2, 2, 3, 3])
    assert get(match, "g1").kind == "german 2-4-7"
    checks = happened(events, MoraleChecked)
    assert [(check.unit, check.dr) for check in checks] == [("g1", 6), ("g2", 8)]
    assert get(match, "g2").broken


@rule("3.2.3")
def test_k_eliminates_a_half_squad_and_a_crew() -> None:
    for kind in ("german 2-4-7", "german 2-2-8"):
        match = stack(unit("g1", kind, "K5"))
        suffer(match, "K/1", [])
        assert "g1" in match.state.gone


@rule("3.2.3")
@pytest.mark.parametrize(("severity", "lives"), [(4, True), (5, False)])
def test_k_wounds_a_leader_and_he_takes_no_check(severity: int, lives: bool) -> None:
    match = stack(unit("gl", "german 8-0", "K5"))
    events = suffer(match, "K/1", [severity])
    assert ("gl" in match.state.units) is lives
    assert not happened(events, MoraleChecked)
    if lives:
        assert get(match, "gl").wounded


@rule("3.2.3")
def test_a_second_wound_adds_one_to_the_severity() -> None:
    match = stack(unit("gl", "german 8-0", "K5", wounded=True))
    suffer(match, "K/1", [4])
    assert "gl" in match.state.gone


@rule("3.2.3")
def test_the_best_leader_checks_first_and_helps_who_comes_after_him() -> None:
    match = stack(*squads(1), unit("g8", "german 8-0", "K5"), unit("g9", "german 9-2", "K5"))
    events = suffer(match, "1MC", [3, 4, 5, 4, 4, 4])
    checks = happened(events, MoraleChecked)
    assert [(check.unit, check.dr, check.passed) for check in checks] == [
        ("g9", 8, True),
        ("g8", 8, True),
        ("g1", 7, True),
    ]
    assert [event.unit for event in happened(events, Pinned)] == ["g8", "g1"], "passed by exactly the number"


@rule("3.2.3")
def test_a_pinned_leader_helps_nobody() -> None:
    match = stack(*squads(1), unit("g9", "german 9-2", "K5"))
    events = suffer(match, "NMC", [4, 5, 4, 4])
    assert [event.unit for event in happened(events, Pinned)] == ["g9"]
    assert get(match, "g1").broken, "8 without help is more than 7"


@rule("3.2.3")
def test_pin_task_check() -> None:
    match = stack(*squads(2), unit("g3", "german 4-6-7", "K5", broken=True), unit("g9", "german 9-1", "K5"))
    events = suffer(match, "PTC", [2, 3, 4, 4, 4, 5])
    assert [(check.unit, check.dr) for check in happened(events, MoraleChecked)] == [("g9", 5), ("g1", 7), ("g2", 8)]
    assert get(match, "g2").pinned
    assert not get(match, "g1").pinned, "passing a PTC exactly does not pin"


@rule("3.2.3")
def test_units_are_not_pinned_twice() -> None:
    match = stack(*squads(1, pinned=True))
    assert not suffer(match, "PTC", [])


@rule("3.2.3")
def test_a_pinned_unit_that_breaks_is_pinned_no_longer() -> None:
    match = stack(*squads(1, pinned=True))
    suffer(match, "NMC", [4, 5])
    assert get(match, "g1").broken
    assert not get(match, "g1").pinned


@rule("3.2.3")
def test_leader_loss_morale_check() -> None:
    match = stack(*squads(1), unit("g2", "german 4-6-7", "K5", broken=True), unit("g9", "german 9-2", "K5"))
    events = suffer(match, "1KIA", [1, 2, 6, 2, 3, 1, 3])
    assert [event.leader for event in happened(events, LeaderLost)] == ["g9"]
    # broken by the KIA, or reduced to a half-squad; then NMC +2 against broken morale of 7 and 6
    assert [(c.unit, c.dr, c.passed) for c in happened(events, MoraleChecked)] == [("g1", 7, True), ("g2", 6, True)]


@rule("3.2.3")
def test_leader_loss_task_check_of_good_order_units_of_lower_morale() -> None:
    match = stack(*squads(1), unit("g8", "german 8-1", "K5"), unit("g9", "german 9-2", "K5"))
    events = suffer(match, "NMC", [5, 5, 2, 3, 2, 4, 3, 4, 3, 3])
    lost = happened(events, LeaderLost)
    assert [(event.leader, event.eliminated) for event in lost] == [("g9", False)]
    tasks = [check for check in happened(events, MoraleChecked) if check.what == "PTC"]
    # 8-1: 7 + 2 > 8 pins him, so he cannot help the squad: 6 + 2 > 7
    assert [(check.unit, check.dr, check.passed) for check in tasks] == [("g8", 9, False), ("g1", 8, False)]


@rule("3.2.3")
@pytest.mark.parametrize(("result", "dice", "what"), [("NMC", [6, 5], "PTC"), ("K/1", [6, 1, 1, 5], "NMC")])
def test_units_of_the_same_morale_do_not_check_for_a_lost_leader(result: str, dice: list[int], what: str) -> None:
    """Of a squad of morale 8 and one of 7 beside an 8-0, only the second misses him, broken or eliminated."""
    match = stack(unit("g8", "german 8-0", "K5"), unit("e", "german 5-4-8", "K5"), *squads(1))
    events = suffer(match, result, [*dice, 2, 2, 2, 2, 3, 3])
    assert happened(events, LeaderLost)
    after = events[events.index(happened(events, LeaderLost)[0]) :]
    assert [(check.unit, check.what) for check in happened(after, MoraleChecked)] == [("g1", what)]


@rule("3.2.3")
def test_units_in_melee_do_not_check_for_a_lost_leader() -> None:
    enemy = unit("r2", "russian 4-4-7", "K5", melee=True)
    match = stack(*squads(1, melee=True), unit("g9", "german 9-2", "K5", melee=True), enemy)
    events = suffer(match, "1KIA", [1, 6])
    assert "g9" in match.state.gone
    assert not happened(events, LeaderLost)


@rule("4.0")
@pytest.mark.parametrize(("dr", "fate"), [(1, "destroyed"), (3, "malfunctioned"), (4, "intact")])
def test_weapons_of_a_unit_killed_in_action(dr: int, fate: str) -> None:
    match = stack(*squads(1), weapons=(weapon("mg", "german LMG", "g1"),))
    suffer(match, "1KIA", [dr], column=8)
    if fate == "destroyed":
        assert "mg" in match.state.gone
    else:
        assert get_weapon(match, "mg").broken is (fate == "malfunctioned")
        assert not get_weapon(match, "mg").owner


@rule("4.0")
def test_the_drm_of_the_attack_counts_for_its_weapons() -> None:
    match = stack(*squads(1), weapons=(weapon("mg", "german LMG", "g1"),))
    suffer(match, "1KIA", [4], column=8, drm=-2)
    assert "mg" in match.state.gone


@rule("3.2.3")
def test_targets_with_other_modifiers_have_their_own_results() -> None:
    match = stack(*squads(2))
    play = Play(match.state, ScriptedDice(3, 5))
    apply_impacts(play, [Impact("g1", FireResult("KIA", 1), 8), Impact("g2", FireResult("MC", 0), 8)])
    assert "g1" in match.state.gone
    assert [event.unit for event in happened(play.events, Broke)] == ["g2"]


@rule("3.2.3")
def test_the_guide_lets_an_original_12_reduce_without_breaking() -> None:
    match = stack(unit("gl", "german 10-2", "K5"), *squads(1), game="guidedrill")
    suffer(match, "NMC", [1, 1, 6, 6])
    assert get(match, "g1").broken, "12 - 2 is more than 7"
    match = stack(unit("gl", "german 10-2", "K5"), game="guidedrill")
    suffer(match, "NMC", [6, 6])
    assert "gl" in match.state.gone, "Casualty Reduction eliminates a leader"
    match = stack(*squads(1), game="guidedrill")
    assert morale_check(Play(match.state, ScriptedDice(6, 6)), get(match, "g1"), -5)
    assert (get(match, "g1").kind, get(match, "g1").broken) == ("german 2-4-7", False), "it passes and is reduced"


@rule("3.8")
def test_a_melee_ends_when_fire_leaves_nobody_unbroken() -> None:
    match = stack(*squads(1, melee=True), unit("r2", "russian 4-4-7", "K5", melee=True))
    play = Play(match.state, ScriptedDice(5, 5, 5, 4))
    resolve_effects(play, ["g1", "r2"], fire_result("NMC"), column=8)
    assert get(match, "g1").broken
    assert get(match, "r2").broken
    assert not get(match, "g1").melee
    assert not get(match, "r2").melee
