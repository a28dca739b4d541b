"""Spraying Fire of squads and machine guns (A7.34, A9.5)."""

from __future__ import annotations

from typing import Any

import pytest
from asl_support import everything, field
from squad_support import cell, do, go, happened, offered, rule, unit, weapon

from sandtable.engine import Match, Seat
from sandtable.engine.errors import IllegalAction
from sandtable.engine.plan import plans
from sandtable.engine.view import Preview
from sandtable.games.asl.spraying import SprayAt, SprayNoMore, partners
from sandtable.games.squad.fire.model import (
    AddDirector,
    AddFirer,
    AimAt,
    AlsoFired,
    Fired,
    RemoveFirer,
    ResolveFire,
    StartFire,
)
from sandtable.games.squad.ground.setting import ground_of
from sandtable.games.squad.movement.model import BeginMove, StartMove
from sandtable.games.squad.pieces.events import Broke, Eliminated, ResidualPlaced
from sandtable.games.squad.pieces.model import FINAL_FIRE, FIRST_FIRE
from sandtable.players import squad_shots
from sandtable.players.squad_regular import Look, Regular

TARGETS = (unit("d", "german 4-6-7", "D4"), unit("e", "german 4-6-7", "E4"))
"""In the open and in the stone building beside it."""
MEN = unit("s", "russian 6-2-8", "B5")
"""A squad with Spraying Fire, two hexes from the first and three from the second."""
OTHERS = unit("o", "russian 4-4-7", "B5")
"""A squad without."""


def spraying(phase: str, *units: dict[str, Any], **more: Any) -> Match:
    return field(phase, *units, game="spraying", **more)


def aimed(match: Match, at: str = "D4", by: str = "s") -> Match:
    do(match, StartFire(by), AimAt(cell(match, at)))
    return match


def sprayable(match: Match) -> set[str]:
    """The Locations that the draft could cover as well."""
    names = ground_of(match.state).names
    return {names[action.at] for action in offered(match, SprayAt)}


def shown(match: Match) -> Preview:
    found = match.preview(match.to_act[0], ResolveFire())
    assert found is not None
    return found


def why_not(match: Match, action: Any) -> str:
    with pytest.raises(IllegalAction) as told:
        do(match, action)
    return str(told.value)


# -- who may, and what ----------------------------------------------------------------------


@rule("A7.34")
def test_a_squad_with_an_underscored_range_sprays_two_locations_that_share_a_hexside() -> None:
    match = aimed(spraying("PFPh", MEN, *TARGETS, unit("far", "german 4-6-7", "D6")))
    assert sprayable(match) == {"E4"}, "D6 shares no hexside with D4"
    told = match.describe("russian", SprayAt(cell(match, "E4")))
    assert (told.text, told.targets, told.role) == ("Also spray E4: 4-6-7 e", ("e",), "aim")
    do(match, SprayAt(cell(match, "E4")))
    near, open_ground, far, building = [str(tally) for tally in shown(match).tallies]
    assert "½ Spraying Fire (A7.34)" in near
    assert near.endswith("= +3")
    assert far.endswith("= +1.5"), "halved again as long range"
    assert open_ground == "DRM at D4: no modifiers"
    assert "stone building +3" in building


@rule("A7.34")
def test_other_squads_and_half_squads_do_not_spray() -> None:
    for kind in ("russian 4-4-7", "russian 2-4-8"):
        match = aimed(spraying("PFPh", unit("s", kind, "B5"), *TARGETS))
        assert sprayable(match) == set()
        assert "its Range is not underscored" in why_not(match, SprayAt(cell(match, "E4")))
        assert not [one for one in match.refusals("russian") if "spray" in one.text], "it never could"


@rule("A7.34")
def test_a_squad_sprays_within_three_hexes_and_its_machine_gun_farther() -> None:
    men = unit("s", "german 5-4-8", "A6")
    far = [unit("d", "russian 4-4-7", "D4"), unit("e", "russian 4-4-7", "E4")]
    match = spraying("PFPh", men, *far, weapons=[weapon("mg", "german LMG", "s")], attacker="german")
    aimed(match)
    assert "within 3 hexes" in why_not(match, SprayAt(cell(match, "E4")))
    (told,) = [one for one in match.refusals("german") if one.cells == ("E4",)]
    assert told.reason.startswith("5-4-8 s: a squad sprays")
    do(match, AddFirer("mg"), RemoveFirer("s"), SprayAt(cell(match, "E4")))
    assert "½ Spraying Fire (A9.5)" in str(shown(match).tallies[0])
    assert AddFirer("s") not in match.actions("german")
    assert "a group sprays only if all of it can" in why_not(match, AddFirer("s"))


@rule("A9.5")
def test_any_machine_gun_sprays_but_a_group_only_if_all_of_it_can() -> None:
    match = spraying("PFPh", OTHERS, *TARGETS, weapons=[weapon("mg", "russian MMG", "o")])
    aimed(match, by="mg")
    assert sprayable(match) == {"E4"}
    do(match, AddFirer("o"))
    assert sprayable(match) == set()
    do(match, RemoveFirer("o"), SprayAt(cell(match, "E4")))
    assert AddFirer("o") not in match.actions("russian")
    do(match, SprayNoMore())
    assert AddFirer("o") in match.actions("russian")
    assert len(shown(match).tallies) == 2


@rule("A9.5")
def test_a_leader_who_helps_to_serve_a_machine_gun_sprays_with_it() -> None:
    men = [unit("l", "russian 8-0", "B5"), unit("h", "russian 7-0", "B5")]
    match = aimed(spraying("PFPh", *men, *TARGETS, weapons=[weapon("mg", "russian MMG", "l")]), by="mg")
    do(match, AddFirer("h"))
    assert sprayable(match) == {"E4"}
    do(match, SprayAt(cell(match, "E4")))
    assert [tally.total for tally in shown(match).tallies[::2]] == [2, 2], "4 FP, halved once"


@rule("A9.5")
def test_flamethrowers_do_not_spray() -> None:
    near = [unit("d", "german 4-6-7", "C5"), unit("e", "german 4-6-7", "C6")]
    match = spraying("PFPh", MEN, *near, weapons=[weapon("ft", "russian FT", "s")])
    aimed(match, "C5", by="ft")
    assert sprayable(match) == set()
    assert "only machine guns" in why_not(match, SprayAt(cell(match, "C6")))


@rule("A9.5")
def test_nobody_sprays_his_own_location() -> None:
    melee = [unit("x", "russian 4-4-7", "B5", melee=True), unit("y", "german 4-6-7", "B5", melee=True)]
    match = aimed(spraying("PFPh", MEN, *melee, unit("d", "german 4-6-7", "C5")), "C5")
    assert sprayable(match) == set()
    assert "its own Location" in why_not(match, SprayAt(cell(match, "B5")))


@rule("A9.5")
def test_in_a_fire_phase_both_locations_hold_enemies() -> None:
    match = aimed(spraying("PFPh", MEN, TARGETS[0]))
    assert sprayable(match) == set()
    assert "No known enemy is there" in why_not(match, SprayAt(cell(match, "E4")))


@rule("A9.5")
def test_with_a_first_fire_counter_both_locations_are_adjacent() -> None:
    men = unit("s", "russian 6-2-8", "C5", marker=FIRST_FIRE)
    near = [unit("d", "german 4-6-7", "D5"), unit("e", "german 4-6-7", "D4"), unit("f", "german 4-6-7", "E5")]
    match = aimed(spraying("DFPh", men, *near, attacker="german"), "D5")
    assert sprayable(match) == {"D4"}
    assert "both Locations must be adjacent" in why_not(match, SprayAt(cell(match, "E5")))
    do(match, SprayAt(cell(match, "D4")))
    assert shown(match).tallies[0].total == 6 * 2 / 2 / 2, "Point Blank, fired before, Spraying Fire"


@rule("A9.5")
def test_a_group_of_two_locations_sprays_the_same_two() -> None:
    match = aimed(spraying("PFPh", MEN, unit("t", "russian 6-2-8", "C6"), *TARGETS, dice=(6, 5)))
    do(match, SprayAt(cell(match, "E4")), AddFirer("t"))
    assert [tally.total for tally in shown(match).tallies[::2]] == [6, 3]
    assert happened(do(match, ResolveFire()), Fired)[0].firers == ("s", "t")


@rule("A9.5")
def test_a_line_of_sight_is_needed_to_both() -> None:
    men = unit("s", "russian 6-2-8", "F6")
    match = aimed(spraying("PFPh", men, *TARGETS), "D4")
    assert "line of sight is blocked" in why_not(match, SprayAt(cell(match, "E4")))


@rule("A9.5")
def test_a_leader_directs_at_both() -> None:
    match = aimed(spraying("PFPh", MEN, unit("l", "russian 9-1", "B5"), *TARGETS))
    do(match, SprayAt(cell(match, "E4")), AddDirector("l"))
    assert [tally.total for tally in shown(match).tallies[1::2]] == [-1, 2]


@rule("A7.34")
def test_assault_fire_is_added_after_all_halving() -> None:
    match = aimed(spraying("AFPh", MEN, unit("d", "german 4-6-7", "D5"), unit("e", "german 4-6-7", "D4")), "D5")
    do(match, SprayAt(cell(match, "D4")))
    assert [tally.total for tally in shown(match).tallies[::2]] == [3, 3], "6 halved twice is 1½, +1, rounded up"


@rule("A9.5")
def test_a_crest_and_its_depression_are_no_two_locations() -> None:
    match = everything("PFPh", MEN, *TARGETS)
    ground = ground_of(match.state)
    bed = cell(match, "I2")
    crest = ground.twins[bed]
    assert crest not in partners(ground, bed)
    assert ground.twins[cell(match, "H2")] in partners(ground, crest)


# -- what comes of it -----------------------------------------------------------------------


@rule("A9.5")
def test_one_dr_attacks_both_each_with_its_own_drm() -> None:
    match = aimed(spraying("PFPh", MEN, *TARGETS, dice=(1, 2, 3, 3)))
    do(match, SprayAt(cell(match, "E4")))
    events = do(match, ResolveFire())
    (first,), (second,) = happened(events, Fired), happened(events, AlsoFired)
    assert (first.at, first.column, first.dr) == ("D4", 2, 3)
    assert (second.at, second.fp, second.column, second.dr) == ("E4", 1.5, 1, 6)
    assert second.items == (("stone building", 3.0),)
    words = match.game.words(second, match.state)
    assert words == "The same fire at E4, 1.5 FP on the 1 column: final DR 6 (stone building +3), no effect"


@rule("A9.5")
def test_cowering_costs_a_column_at_both() -> None:
    match = aimed(spraying("PFPh", MEN, *TARGETS, dice=(5, 5)))
    do(match, SprayAt(cell(match, "E4")))
    events = do(match, ResolveFire())
    assert (happened(events, Fired)[0].column, happened(events, AlsoFired)[0].column) == (1, 0)


@rule("A9.5")
def test_a_kia_in_one_location_picks_nobody_in_the_other() -> None:
    near = [unit("d", "german 4-6-7", "C5"), unit("e", "german 4-6-7", "C6"), unit("e2", "german 4-6-7", "C6")]
    men = [unit(name, "russian 6-2-8", "B5") for name in ("s", "t", "u")]
    match = aimed(spraying("PFPh", *men, *near, dice=(1, 2, 6, 1)), "C5")
    do(match, AddFirer("t"), AddFirer("u"), SprayAt(cell(match, "C6")))
    events = do(match, ResolveFire())
    gone = [event.unit for event in happened(events, Eliminated)]
    assert gone[0] == "d"
    assert [name for name in gone if name in ("e", "e2")] == ["e"], "one by Random Selection, in each Location"


@rule("A9.5")
def test_mandatory_fire_groups_are_bound_at_both() -> None:
    match = aimed(spraying("PFPh", MEN, OTHERS, *TARGETS, unit("f", "german 4-6-7", "D6"), dice=(6, 5)))
    do(match, SprayAt(cell(match, "E4")), ResolveFire())
    do(match, StartFire("o"))
    names = ground_of(match.state).names
    assert {names[action.at] for action in offered(match, AimAt)} == {"D6"}, "it had to fire with them, or elsewhere"


@rule("A9.5")
def test_whoever_cannot_fire_at_both_any_more_does_not_spray() -> None:
    match = aimed(spraying("PFPh", MEN, OTHERS, *TARGETS, dice=(6, 5)), "E4", by="o")
    do(match, ResolveFire())
    aimed(match)
    assert sprayable(match) == set()
    assert "it had to fire with them" in why_not(match, SprayAt(cell(match, "E4")))


# -- Defensive First Fire -------------------------------------------------------------------


def moving(*units: dict[str, Any], dice: tuple[int, ...] = (), **more: Any) -> Match:
    """A squad has just moved to C5, before the Germans."""
    match = spraying("MPh", unit("m", "russian 4-4-7", "B5"), *units, dice=dice, **more)
    do(match, StartMove("m"), BeginMove())
    go(match, "C5")
    return match


@rule("A9.5")
def test_an_empty_location_is_covered_to_leave_residual_fp() -> None:
    match = moving(unit("g", "german 8-3-8", "E5"), dice=(6, 5))
    do(match, StartFire("g"))
    assert "C6" in sprayable(match)
    told = match.describe("german", SprayAt(cell(match, "C6")))
    assert told.text == "Also spray C6 to leave Residual FP"
    do(match, SprayAt(cell(match, "C6")))
    assert "leaves Residual FP, 2 in C5, 1 in C6, unless" in shown(match).notes[-1]
    assert "½ no known target" in str(shown(match).tallies[2])
    assert shown(match).tallies[2].total == 2, "halved, and halved again where nobody moves"
    events = do(match, ResolveFire())
    assert [(event.at, event.fp) for event in happened(events, ResidualPlaced)] == [("C5", 2), ("C6", 1)]
    assert not happened(events, AlsoFired)


@rule("A9.5")
def test_a_known_enemy_who_does_not_move_is_not_attacked() -> None:
    match = moving(unit("g", "german 8-3-8", "E5"), unit("idle", "russian 4-4-7", "C6"), dice=(1, 2, 1, 1))
    do(match, StartFire("g"), SprayAt(cell(match, "C6")))
    assert "idle" not in {line.piece for line in shown(match).odds}
    events = do(match, ResolveFire())
    assert not happened(events, AlsoFired)
    assert happened(events, Broke) == []


@rule("A9.5")
def test_own_units_are_not_covered() -> None:
    match = moving(unit("g", "german 8-3-8", "E5"), unit("h", "german 4-6-7", "D5"))
    do(match, StartFire("g"))
    assert "D5" not in sprayable(match)
    assert "Units of your own are there" in why_not(match, SprayAt(cell(match, "D5")))


@rule("A9.5")
def test_what_keeps_its_rate_of_fire_leaves_no_residual_fp_in_either() -> None:
    match = moving(unit("g", "german 4-6-7", "E5"), weapons=[weapon("mg", "german HMG", "g")], dice=(1, 6, 1, 1))
    do(match, StartFire("mg"), SprayAt(cell(match, "C6")))
    assert not happened(do(match, ResolveFire()), ResidualPlaced)


@rule("A9.5")
def test_final_protective_fire_sprays_adjacent_locations_only_with_all_that_fires() -> None:
    crew = unit("g", "german 4-6-7", "D5", marker=FINAL_FIRE)
    match = moving(crew, weapons=[weapon("mg", "german LMG", "g", marker=FINAL_FIRE)])
    do(match, StartFire("mg"))
    assert sprayable(match) >= {"C6", "D4"}, "a squad of its kind and its LMG both spray"
    assert "C4" not in sprayable(match)
    other = moving({**crew, "kind": "german 2-4-7"}, weapons=[weapon("mg", "german LMG", "g", marker=FINAL_FIRE)])
    do(other, StartFire("g"))
    assert sprayable(other) == set()


# -- at the table ---------------------------------------------------------------------------


@rule("A9.5")
def test_these_pieces_and_that_place_make_a_plan_of_spraying_fire() -> None:
    match = aimed(spraying("PFPh", MEN, *TARGETS))
    found, reason = plans(match, "russian", ["s"], "E4")
    assert reason is None
    assert found[0].actions == (SprayAt(cell(match, "E4")), ResolveFire())
    assert found[0].text == "Fire at D4 and E4"
    assert found[0].preview is not None


@rule("A9.5")
def test_the_draft_says_what_it_covers() -> None:
    match = aimed(spraying("PFPh", MEN, *TARGETS))
    assert "one Location only" in why_not(match, SprayNoMore())
    do(match, SprayAt(cell(match, "E4")))
    assert match.view("russian")["prompt"].startswith("Fire at D4 and E4")
    assert "already covers two Locations" in why_not(match, SprayAt(cell(match, "E4")))
    assert match.describe("russian", SprayNoMore()).text == "No Spraying Fire: fire at D4 alone"
    alone = match.preview("russian", SprayNoMore())
    assert alone is not None
    assert alone.tallies[0].total == 6


@rule("A9.5")
def test_what_lies_under_a_question_mark_is_not_told() -> None:
    hidden = [TARGETS[0], {**TARGETS[1], "concealed": True}]
    shots = []
    for kind in ("german 4-6-7", "german 8-3-8"):
        match = aimed(everything("PFPh", MEN, hidden[0], {**hidden[1], "kind": kind}))
        do(match, SprayAt(cell(match, "E4")))
        shots.append(shown(match))
    assert shots[0] == shots[1]
    assert [line.label for line in shots[0].odds if line.label.startswith("a result that shows")] == [
        "a result that shows concealed units in E4"
    ]
    assert not [line for line in shots[0].odds if line.piece == "e"]


@rule("A9.5")
def test_units_in_both_locations_break_by_one_dr() -> None:
    near = [unit("d", "german 4-6-7", "C5"), unit("e", "german 4-6-7", "C6")]
    match = aimed(spraying("PFPh", MEN, *near, dice=(1, 2, 6, 5, 5, 6)), "C5")
    do(match, SprayAt(cell(match, "C6")))
    events = do(match, ResolveFire())
    assert [event.unit for event in happened(events, Broke)] == ["d", "e"]


@rule("A9.5")
@pytest.mark.parametrize(("kind", "sprays"), [("russian 6-2-8", True), ("russian 5-2-7", False)])
def test_the_regular_sprays_where_it_promises_clearly_more(kind: str, sprays: bool) -> None:
    near = [unit("d", "german 4-6-7", "C5"), unit("e", "german 4-6-7", "C6")]
    match = aimed(spraying("PFPh", unit("s", kind, "B5"), *near), "C5")
    player, seat = Regular(), Seat(match, "russian")
    player.draft = ["s"]
    chosen = squad_shots.fire(player, Look(seat, seat.view(), seat.actions().all, player))
    assert chosen == (SprayAt(cell(match, "C6")) if sprays else ResolveFire())
