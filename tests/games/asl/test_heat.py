"""Heat of Battle: heroes, Battle Hardening, berserk units (A15)."""

from __future__ import annotations

from typing import Any

import pytest
from asl_support import heated
from squad_support import at, cell, do, get, happened, rule, unit, weapon

from sandtable.engine import Match, Play, ScriptedDice
from sandtable.engine.errors import IllegalAction
from sandtable.engine.harness import fuzz
from sandtable.games.asl.fanatics.part import FANATIC, make_fanatic
from sandtable.games.asl.heat import berserk, rules
from sandtable.games.asl.heat.ladder import harder
from sandtable.games.asl.heat.model import BERSERK, HEROIC, Calmed, Charged, HeatRolled, WentBerserk
from sandtable.games.asl.heat.part import combat_items
from sandtable.games.asl.surrender import CAPTIVES, DISRUPTED
from sandtable.games.squad.combat import strengths
from sandtable.games.squad.combat.model import AttackAll
from sandtable.games.squad.effects.morale import casualty_reduce, morale_check, morale_level, pin_check
from sandtable.games.squad.fire.firepower import volley
from sandtable.games.squad.fire.model import AimAt, FireAttack, Fired, ResolveFire, StartFire
from sandtable.games.squad.movement.model import BeginMove, Pass, StartMove, Stop
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.pieces.kinds import printed_unit
from sandtable.games.squad.pieces.model import Mover, Moving, SquadState
from sandtable.games.squad.rally.model import RallyUnit, SelfRally

ENEMY = unit("r", "russian 4-4-7", "J5")


def playing(match: Match, *dice: int) -> Play[SquadState]:
    return Play(match.state, ScriptedDice(*dice))


def heat(kind: str, *dice: int, broken: bool = False, seen: bool = True, **more: Any) -> Match:
    """A unit has a Heat of Battle DR."""
    units = [unit("g", kind, "I5", side="german", broken=broken, **more)]
    match = heated("z", "PFPh", *units, ENEMY if seen else unit("r", "russian 4-4-7", "A1"))
    rules.heat_of_battle(playing(match, *dice), get(match, "g"), was_broken=broken)
    return match


# -- the DR ---------------------------------------------------------------------------------------


@rule("A15.1")
@pytest.mark.parametrize(
    ("kind", "broken", "drm"),
    [
        ("german 4-6-7", False, 0),
        ("german 4-6-8", False, -1),
        ("german 4-6-7", True, 1),
        ("german 4-3-6", False, 1),
        ("british 4-5-7", False, -1),
        ("british 4-5-8", False, -2),
        ("finnish 6-4-8", False, -1),
        ("french 4-5-7", False, 1),
        ("free_french 4-5-8", False, -2),
        ("chinese 3-3-7", False, 0),
        ("russian 4-4-7", False, 2),
        ("allied_minor 4-5-7", False, 2),
        ("italian 3-4-7", False, 3),
        ("axis_minor 3-4-7", False, 3),
        ("japanese 4-4-7", False, 4),
        ("partisan 3-3-7", False, 1),
        ("american 6-6-6", False, 0),
        ("german 8-1", False, -1),
    ],
)
def test_the_drm(kind: str, broken: bool, drm: int) -> None:
    match = heated("z", "PFPh", unit("g", kind, "I5", side="german", broken=broken), ENEMY)
    assert rules.heat_tally(match.state, get(match, "g"), was_broken=broken).total == drm


@rule("A15.1")
@pytest.mark.parametrize(
    ("final", "result"),
    [
        (2, rules.HERO_RESULT),
        (4, rules.HERO_RESULT),
        (5, rules.BOTH),
        (6, rules.BOTH),
        (7, rules.HARDENING),
        (8, rules.HARDENING),
        (9, rules.FURY),
        (11, rules.FURY),
        (12, rules.SURRENDER),
    ],
)
def test_the_table(final: int, result: str) -> None:
    match = heated("z", "PFPh", unit("g", "german 4-6-7", "I5"), ENEMY)
    assert rules.result_of(match.state, get(match, "g"), final) == result


@rule("A15.1")
@pytest.mark.parametrize(
    ("kind", "final", "result"),
    [
        ("italian 3-4-7", 10, rules.SURRENDER),
        ("italian 3-4-7", 9, rules.FURY),
        ("italian 4-4-7", 10, rules.FURY),
        ("axis_minor 3-4-7", 10, rules.SURRENDER),
        ("japanese 4-4-7", 12, rules.FURY),
        ("partisan 3-3-7", 12, rules.FURY),
        ("german_ss 6-5-8", 12, rules.FURY),
    ],
)
def test_who_surrenders_and_who_rather_goes_berserk(kind: str, final: int, result: str) -> None:
    match = heated("z", "PFPh", unit("g", kind, "I5", side="german"), ENEMY)
    assert rules.result_of(match.state, get(match, "g"), final) == result


@rule("A15.1")
def test_without_a_known_enemy_in_sight_it_hardens_instead() -> None:
    match = heated("z", "PFPh", unit("g", "german 4-6-7", "I5"), unit("r", "russian 4-4-7", "J5", concealed=True))
    assert rules.result_of(match.state, get(match, "g"), 10) == rules.HARDENING


@rule("A15.1")
def test_an_original_2_on_a_morale_check_calls_it() -> None:
    match = heated("z", "PFPh", unit("g", "german 4-6-7", "I5"), ENEMY)
    play = playing(match, 1, 1, 3, 4)
    morale_check(play, get(match, "g"))
    assert [event.result for event in happened(play.events, HeatRolled)] == [rules.HARDENING]
    assert get(match, "g").kind == "german 4-6-8"


@rule("A15.1")
@pytest.mark.parametrize("kind", ["german 2-2-8", "german Hero 1-4-9"])
def test_crews_and_heroes_are_passed_by(kind: str) -> None:
    match = heated("z", "PFPh", unit("g", kind, "I5"), ENEMY)
    play = playing(match, 1, 1)
    morale_check(play, get(match, "g"))
    assert not happened(play.events, HeatRolled)


@rule("A15.1")
def test_a_rally_by_a_leader_calls_it_and_a_self_rally_does_not() -> None:
    broken = unit("r", "russian 4-4-7", "V4", broken=True)
    leader = unit("l", "russian 8-1", "V4")
    match = heated("z", "RPh", broken, leader, unit("g", "german 4-6-7", "A1"), dice=(1, 1, 1, 2))
    assert happened(do(match, *_until(match, RallyUnit("r", "l"))), HeatRolled)
    match = heated("z", "RPh", broken, unit("g", "german 4-6-7", "A1"), dice=(1, 1, 4))
    assert not happened(do(match, *_until(match, SelfRally("r"))), HeatRolled)


def _until(match: Match, action: Any) -> list[Any]:
    """Pass until an action is on offer."""
    from sandtable.games.squad.phases.model import Done

    while action not in match.actions(match.to_act[0]):
        do(match, Done())
    return [action]


# -- heroes ---------------------------------------------------------------------------------------


@rule("A15.21")
def test_a_squad_brings_forth_a_hero_who_shares_what_it_has_done() -> None:
    match = heat("german 4-6-7", 1, 1, moved=True)
    hero = next(one for one in match.state.units.values() if one.kind == "german Hero 1-4-9")
    assert get(match, "g").kind == "german 4-6-7", "the squad is unchanged"
    assert (hero.at, hero.side, hero.moved) == (get(match, "g").at, "german", True)


@rule("A15.22")
def test_a_leader_becomes_heroic_and_rallies() -> None:
    match = heat("german 8-1", 1, 1, broken=True)
    assert HEROIC in get(match, "g").marks
    assert not get(match, "g").broken
    assert morale_level(match.state, get(match, "g")) == 8


@rule("A15.2")
@pytest.mark.parametrize(("dice", "left"), [((5, 5, 1), "wounded"), ((5, 5, 5), "gone"), ((6, 6, 4), "gone")])
def test_a_failed_check_wounds_a_hero(dice: tuple[int, ...], left: str) -> None:
    match = heated("z", "PFPh", unit("h", "german Hero 1-4-9", "I5"), ENEMY)
    morale_check(playing(match, *dice), get(match, "h"))
    assert ("h" not in match.state.units) == (left == "gone")
    if left == "wounded":
        assert get(match, "h").wounded
        assert not get(match, "h").broken
        assert morale_level(match.state, get(match, "h")) == 8


@rule("A15.2")
def test_a_hero_is_not_pinned() -> None:
    match = heated("z", "PFPh", unit("h", "german Hero 1-4-9", "I5"), ENEMY)
    morale_check(playing(match, 5, 4), get(match, "h"))
    assert pin_check(playing(match, 6, 5), get(match, "h"))
    assert not get(match, "h").pinned


@rule("A15.24")
@pytest.mark.parametrize(("target", "drm"), [("J5", -1), ("I1", -1), ("I10", 0)])
def test_his_drm_at_normal_range(target: str, drm: int) -> None:
    units = (unit("h", "russian Hero 1-4-9", "I5"), unit("r", "russian 4-4-7", "I5"), unit("g", "german 4-6-7", target))
    match = heated("z", "PFPh", *units)
    attack = FireAttack(side="russian", mode="prep", target=cell(match, target), units=("h", "r"))
    found = [item.value for item in volley(match.state, attack).drm.items if item.rule == "A15.24"]
    assert sum(found) == drm


@rule("A15.23")
def test_a_hero_serves_a_machine_gun_alone_at_full_fp() -> None:
    units = (unit("h", "russian Hero 1-4-9", "I5"), unit("g", "german 4-6-7", "J5"))
    match = heated("z", "PFPh", *units, weapons=[weapon("m", "russian LMG", "h")])
    attack = FireAttack(side="russian", mode="prep", target=cell(match, "J5"), weapons=("m",))
    figures = volley(match.state, attack)
    assert figures.fp.total == 4, "2 FP, doubled for Point Blank Fire, not halved"
    assert {item.rule: item.value for item in figures.drm.items if item.rule.startswith("A15")} == {
        "A15.24": -1,
        "A15.23": 1,
    }


@rule("A15.24")
def test_heroes_in_close_combat() -> None:
    units = (unit("h", "russian Hero 1-4-9", "I5"), unit("l", "russian 8-0", "I5"), unit("g", "german 4-6-7", "I5"))
    match = heated("z", "CCPh", *units)
    state = match.state
    state.units["l"] = get(match, "l").__class__(**{**_fields(get(match, "l")), "marks": (HEROIC,)})
    items = combat_items(state, [get(match, "h"), get(match, "l")], [get(match, "g")])
    assert [item[1] for item in items] == [-1, -1]


@rule("A15.24")
@pytest.mark.parametrize(("other", "total"), [("Hero 1-4-9", -2), ("4-4-7", -2)])
def test_a_heroic_leader_of_single_men_counts_as_a_hero(other: str, total: int) -> None:
    """With a squad he has his leadership instead, which is as good; alone with another man nobody is led."""
    units = (unit("l", "russian 9-2", "I5", marks=[HEROIC]), unit("r", f"russian {other}", "I5"))
    match = heated("z", "APh", *units, unit("g", "german 4-6-7", "I5"))
    state = match.state
    blocks = strengths.blocks_of(state, get(match, "l").at, "russian", (("l", "r"),) if other == "4-4-7" else ())
    items = strengths.drm_items(state, list(blocks.values()), [get(match, "g")], "")
    assert sum(item[1] for item in items) == total


def _fields(one: Any) -> dict[str, Any]:
    return {name: getattr(one, name) for name in one.__struct_fields__}


@rule("A26.211")
def test_a_hero_is_worth_nothing() -> None:
    from sandtable.games.sasl.rolled import VALUES
    from sandtable.games.squad.ground.worth import points_of

    assert points_of(VALUES, printed_unit("german Hero 1-4-9")) == 0
    assert points_of(VALUES, printed_unit("german 8-0")) == 1


# -- Battle Hardening ---------------------------------------------------------------------------


@rule("A15.3")
@pytest.mark.parametrize(
    ("kind", "better"),
    [
        ("german 4-4-7", "german 4-6-7"),
        ("german 4-6-7", "german 4-6-8"),
        ("german 4-3-6", "german 4-4-7"),
        ("german 2-3-7", "german 2-4-7"),
        ("russian 4-2-6", "russian 5-2-7"),
        ("russian 4-4-7", "russian 4-5-8"),
        ("russian 2-2-7", "russian 3-2-8"),
        ("italian 3-3-6", "italian 3-4-6"),
        ("american 6-6-6", "american 6-6-7"),
        ("british 4-3-6", "british 4-4-7"),
        ("german 8-0", "german 8-1"),
        ("german 6+1", "german 7-0"),
        ("finnish 9-0", "finnish 9-1"),
        ("german 10-3", ""),
        ("german 4-6-8", ""),
        ("partisan 3-3-7", ""),
        ("german_ss 6-5-8", ""),
    ],
)
def test_the_next_better_counter(kind: str, better: str) -> None:
    assert harder(kind) == better


@rule("A15.3")
def test_hardening_rallies_and_the_best_become_fanatic() -> None:
    match = heat("german 4-6-7", 3, 3, broken=True)
    assert (get(match, "g").kind, get(match, "g").broken) == ("german 4-6-8", False)
    match = heat("german 4-6-8", 4, 4)
    assert FANATIC in get(match, "g").marks


# -- berserk ----------------------------------------------------------------------------------------


@rule("A15.4")
def test_a_berserk_unit_has_morale_10_and_loses_men_instead_of_breaking() -> None:
    match = heat("german 4-6-7", 5, 5, pinned=True, cx=True)
    unit = get(match, "g")
    assert (unit.marks, unit.pinned, unit.cx, unit.good_order) == ((BERSERK,), False, False, False)
    assert morale_level(match.state, unit) == 10
    morale_check(playing(match, 6, 5), unit)
    assert (get(match, "g").kind, get(match, "g").broken) == ("german 2-4-7", False)
    assert morale_level(match.state, get(match, "g")) == 10


@rule("A15.42")
def test_a_wound_does_not_lower_the_morale_of_a_berserk_leader() -> None:
    match = heated("z", "PFPh", unit("l", "german 8-1", "I5"), ENEMY)
    play = playing(match, 1, 1, 2)
    berserk.go_berserk(play, get(match, "l"))
    for _ in range(2):
        casualty_reduce(play, get(match, "l"))
        assert (get(match, "l").wounded, morale_level(match.state, get(match, "l"))) == (True, 10)


@rule("A.18")
@rule("A15.46")
@pytest.mark.parametrize(("kind", "morale"), [("german 4-6-7", 8), ("german 10-2", 10)])
def test_a_fanatic_who_comes_to_his_senses_is_no_better_than_before(kind: str, morale: int) -> None:
    match = heated("z", "PFPh", unit("u", kind, "I5"), ENEMY)
    play = playing(match)
    make_fanatic(play, get(match, "u"))
    berserk.go_berserk(play, get(match, "u"))
    berserk.calm(play, get(match, "u"))
    assert morale_level(match.state, get(match, "u")) == morale


@rule("A15.42")
def test_a_berserk_leader_carries_others_with_him() -> None:
    units = (unit("l", "german 8-1", "I5"), unit("a", "german 4-6-7", "I5"), unit("b", "german 4-6-7", "I5"), ENEMY)
    match = heated("z", "PFPh", *units)
    play = playing(match, 4, 4, 6, 3)
    berserk.go_berserk(play, get(match, "l"))
    assert [event.unit for event in happened(play.events, WentBerserk)] == ["l", "a"]
    assert BERSERK not in get(match, "b").marks, "9 - 1 is more than 7"


@rule("A15.432")
def test_it_does_not_prep_fire_and_does_not_move_by_choice() -> None:
    mad, sane = unit("r", "russian 4-4-7", "I5", marks=[BERSERK]), unit("s", "russian 4-4-7", "I5")
    match = heated("z", "PFPh", mad, sane, unit("g", "german 4-6-7", "J5"))
    assert StartFire("r") not in match.actions("russian")
    with pytest.raises(IllegalAction, match="berserk"):
        match.apply("russian", StartFire("r"))


@rule("A8.312")
@rule("A15.43")
def test_it_charges_into_the_location_of_the_nearest_enemy_who_must_fire() -> None:
    units = (unit("r", "russian 4-4-7", "I5"), unit("g", "german 4-6-7", "I8"), unit("h", "german 4-6-7", "A1"))
    match = heated("z", "PFPh", *units, dice=(6, 6) * 12)
    berserk.go_berserk(playing(match), get(match, "r"))
    events = do(match, EndPhase())
    while match.to_act == ("german",):
        events += do(match, Pass())
    assert at(match, "r") == "I8", "it enters the enemy's Location"
    fired = happened(events, Fired)
    assert fired, "those whom it charges must fire"
    assert get(match, "r").moved


@rule("A15.43")
def test_who_goes_berserk_in_his_own_movement_phase_charges_without_being_asked() -> None:
    units = (unit("r", "russian 4-4-7", "I5"), unit("s", "russian 4-4-7", "H5"), unit("g", "german 4-6-7", "I8"))
    match = heated("z", "MPh", *units, dice=(6, 6) * 12)
    do(match, StartMove("s"))
    do(match, BeginMove())
    berserk.go_berserk(playing(match), get(match, "r"))
    events = do(match, Stop())
    while match.to_act == ("german",):
        events += do(match, Pass())
    assert happened(events, Charged), "as soon as the move of the others is over"
    assert at(match, "r") == "I8"


@rule("A7.21")
def test_fire_within_a_location_is_tripled() -> None:
    match = heated("z", "MPh", unit("r", "russian 4-4-7", "I5"), unit("g", "german 4-6-7", "I5"))
    attack = FireAttack(side="german", mode="first", target=cell(match, "I5"), units=("g",))
    assert volley(match.state, attack).fp.total in (12, 6)
    assert sum(share.fp for share in volley(match.state, attack).shares) == 12


@rule("A15.46")
def test_it_comes_to_its_senses_when_the_enemies_of_its_location_are_gone() -> None:
    units = (unit("r", "russian 4-4-7", "I5", engaged=True), unit("g", "german 2-4-7", "I5"))
    match = heated("z", "APh", *units, dice=(1, 2, 6, 6))
    berserk.go_berserk(playing(match), get(match, "r"))
    events = do(match, EndPhase())
    while match.state.phase == "CCPh" and AttackAll() in match.actions(match.to_act[0]):
        events += do(match, AttackAll())
    assert happened(events, Calmed)
    assert BERSERK not in get(match, "r").marks
    assert morale_level(match.state, get(match, "r")) == 7


@rule("A15.46")
def test_it_comes_to_its_senses_where_it_sees_nobody() -> None:
    match = heated("z", "PFPh", unit("r", "russian 4-4-7", "I5"), unit("g", "german 4-6-7", "J5"))
    berserk.go_berserk(playing(match), get(match, "r"))
    match.state.units["g"] = get(match, "g").__class__(**{**_fields(get(match, "g")), "concealed": True})
    assert happened(do(match, EndPhase()), Calmed)


@rule("A15.43")
@rule("A15.46")
def test_a_charge_goes_on_to_a_target_that_is_out_of_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    match = heated("z", "PFPh", unit("r", "russian 4-4-7", "V5"), unit("g", "german 4-6-7", "Y5"), dice=[6, 5] * 20)
    start, target = get(match, "r").at, get(match, "g").at
    seen = berserk.target_of
    monkeypatch.setattr(berserk, "target_of", lambda state, one: seen(state, one) if one.at in (start, target) else -1)
    berserk.go_berserk(playing(match), get(match, "r"))
    events = do(match, EndPhase())
    while match.state.phase == "MPh" and Pass() in match.actions(match.to_act[0]):
        events += do(match, Pass())
    assert len(happened(events, Charged)) == 1
    assert not happened(events, Calmed)
    assert get(match, "r").at == target


@rule("A15.43")
@pytest.mark.parametrize(("seen", "goes"), [("I5", "target"), ("K5", "seen"), ("", "target")])
def test_only_a_nearer_enemy_turns_a_charge_aside(seen: str, goes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match = heated("z", "MPh", unit("r", "russian 4-4-7", "L5"), unit("g", "german 4-6-7", "N5"))
    found, target = cell(match, seen) if seen else -1, cell(match, "N5")
    monkeypatch.setattr(berserk, "target_of", lambda *asked: found)
    assert berserk.aim_of(match.state, get(match, "r"), target) == (target if goes == "target" else found)


# -- surrender ----------------------------------------------------------------------------------------


@rule("A15.5")
@pytest.mark.parametrize(("enemy", "captured"), [("J5", True), ("I8", False)])
def test_a_surrender_goes_over_to_an_enemy_beside_it_or_is_disrupted(enemy: str, captured: bool) -> None:
    match = heated("z", "PFPh", unit("g", "german 4-6-7", "I5"), unit("r", "russian 4-4-7", enemy))
    rules.heat_of_battle(playing(match, 6, 6), get(match, "g"), was_broken=False)
    assert ("g" in CAPTIVES.of(match.state)) == captured
    if not captured:
        assert DISRUPTED in get(match, "g").marks
        assert get(match, "g").broken


@rule("A15.1")
def test_the_odds_of_an_attack_know_that_heroes_do_not_break() -> None:
    units = (unit("r", "russian 4-4-7", "I5"), unit("h", "german Hero 1-4-9", "J5"))
    match = heated("z", "PFPh", *units)
    do(match, StartFire("r"), AimAt(cell(match, "J5")))
    preview = match.preview("russian", ResolveFire())
    assert preview is not None
    labels = {line.label for line in preview.odds if line.piece == "h"}
    assert "broken" not in labels
    assert "pinned" not in labels


def test_the_harness_holds_with_heat_and_prisoners() -> None:
    report = fuzz("asl/S9", games=1, seed=70, checks=0.02)
    assert report.errors == []


@rule("A15.43")
@pytest.mark.parametrize(("spent", "road", "goes"), [(14, False, True), (16, False, False), (16, True, True)])
def test_a_charge_that_kept_to_the_road_has_one_mf_more(spent: int, road: bool, goes: bool) -> None:
    units = [unit("r", "russian 4-4-7", "I5", marks=[BERSERK]), unit("g", "german 4-6-7", "I7")]
    match = heated("z", "MPh", *units)
    mover = Mover("r", cell(match, "I5"), spent=spent, road=road)
    match.state.moving = Moving((mover,), ("r",))
    assert (berserk.next_step(match.state, ("r",), cell(match, "I7")) is not None) is goes


@rule("A8.312")
@pytest.mark.parametrize(("kind", "firers"), [("german 4-6-7", {"g", "m"}), ("german 2-4-7", {"g"})])
def test_a_squad_fires_its_machine_gun_too_at_those_who_charge_it(kind: str, firers: set[str]) -> None:
    """A half-squad that fires its own FP has nobody left for the gun."""
    units = [unit("r", "russian 4-4-7", "I5", marks=[BERSERK]), unit("g", kind, "I5")]
    match = heated("z", "MPh", *units, weapons=[weapon("m", "german LMG", "g")])
    mover = Mover("r", cell(match, "I6"), spent=2, here=2)
    match.state.moving = Moving((mover,), ("r",))
    play = playing(match, 6, 6, 6, 6)
    berserk.triple_fire(play, cell(match, "I5"))
    (fired,) = happened(play.events, Fired)
    assert set(fired.firers) == firers
