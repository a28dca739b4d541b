"""Molotov cocktails: who throws them, when and over which hexsides, the check and the coloured die (A22.6)."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest
from asl_support import field, game
from msgspec.structs import replace
from squad_support import cell, do, get, get_weapon, go, happened, offered, rule, unit, weapon

from sandtable.engine import Match, Play, ScriptedDice
from sandtable.engine.errors import IllegalAction
from sandtable.engine.view import Preview
from sandtable.games.asl.molotovs import who
from sandtable.games.asl.molotovs.model import GIVEN, KeepMolotov, MolotovBurst, MolotovChecked, NoFlame, ThrowMolotov
from sandtable.games.asl.molotovs.part import PART as MOLOTOVS
from sandtable.games.asl.molotovs.part import offered as throws_of
from sandtable.games.asl.molotovs.switches import MolotovRules
from sandtable.games.asl.molotovs.throwing import burnable
from sandtable.games.asl.terrain.part import TERRAIN
from sandtable.games.asl.terrain.switches import TerrainRules
from sandtable.games.squad.fire.drafting import attack_of
from sandtable.games.squad.fire.firepower import volley
from sandtable.games.squad.fire.model import (
    AddDirector,
    AddFirer,
    AimAt,
    Fired,
    FireDraft,
    RemoveFirer,
    ResolveFire,
    StartFire,
)
from sandtable.games.squad.fire.preview import courses_of, fire_odds
from sandtable.games.squad.fire.resolution import fire_attack
from sandtable.games.squad.fire.throwing import THROWN, Throwing
from sandtable.games.squad.ground.counters import residual_in
from sandtable.games.squad.ground.setting import ground_of
from sandtable.games.squad.movement.model import BeginMove, StartMove
from sandtable.games.squad.pieces.events import Broke
from sandtable.games.squad.pieces.model import FINAL_FIRE, FIRST_FIRE, PREP_FIRE
from sandtable.games.squad.show.danger import dangers

SWITCHES = (TerrainRules(), MolotovRules())
game("molotovs", *TERRAIN, MOLOTOVS, switches=SWITCHES)
game("no_molotovs", *TERRAIN, MOLOTOVS, switches=(TerrainRules(), MolotovRules(sides_without=("russian",))))
game("none", *TERRAIN, MOLOTOVS, switches=(TerrainRules(), MolotovRules(nations=())))
game("both", *TERRAIN, MOLOTOVS, switches=(TerrainRules(), MolotovRules(fires_too=True)))
OURS: dict[str, Any] = {"side": "russian"}
SQUAD = unit("p", "partisan 3-3-7", "D4", **OURS)
SECOND = unit("q", "partisan 3-3-7", "D4", **OURS)
HALF = unit("h", "partisan 1-2-7", "D4", **OURS)
GERMAN = unit("g", "german 4-6-7", "D5")
THROW, KEEP, FIRE = ThrowMolotov("p"), KeepMolotov(), ResolveFire()


def drilled(phase: str, *units: dict[str, Any], **more: Any) -> Match:
    return field(phase, *units, **{"game": "molotovs", **more})


def drafted(*units: dict[str, Any], start: str = "p", phase: str = "PFPh", at: str = "D5", **more: Any) -> Match:
    """A unit fires at a hex; who else does is still open."""
    match = drilled(phase, *units, **more)
    do(match, StartFire(start), AimAt(cell(match, at)))
    return match


def why_not(match: Match, name: str) -> str:
    """Why a unit may not throw."""
    with pytest.raises(IllegalAction) as refused:
        do(match, ThrowMolotov(name))
    return str(refused.value)


def shown(match: Match, action: Any) -> Preview:
    preview = match.preview(match.to_act[0], action)
    assert preview is not None
    return preview


def said(match: Match, events: list[Any]) -> list[str]:
    return [match.game.words(event, match.state) for event in events]


# -- the check ----------------------------------------------------------------------------


@rule("A22.61")
@pytest.mark.parametrize(
    ("kind", "cx", "drm", "dice"),
    [
        ("partisan 3-3-7", False, 1, 2),
        ("partisan 3-3-7", True, 2, 1),
        ("partisan 1-2-7", False, 2, 1),
        ("partisan 1-2-7", True, 3, 0),
        ("partisan Hero 1-4-9", False, 3, 0),
    ],
)
def test_the_check_is_harder_for_fewer_and_for_tired_men(kind: str, cx: bool, drm: int, dice: int) -> None:
    match = drafted(unit("p", kind, "D4", cx=cx, **OURS), GERMAN)
    tally = who.check_tally(match.state, get(match, "p"))
    assert (tally.total, tally.title) == (drm, "MOL check, 3 or less")
    assert who.chance(match.state, get(match, "p")) == pytest.approx(dice / 6)
    assert (THROW in match.actions("russian")) is (dice > 0)  # what cannot succeed is not offered
    if not dice:
        assert "no dr would pass" in why_not(match, "p").lower()


@rule("A22.611")
def test_a_mol_adds_four_fp() -> None:
    match = drafted(SQUAD, GERMAN, dice=[2, 3, 4, 6, 6, 1, 1])
    do(match, THROW)
    events = do(match, FIRE)
    (checked,) = happened(events, MolotovChecked)
    (fired,) = happened(events, Fired)
    assert (checked.dr, checked.passed, checked.at) == (3, True, "D4")
    assert (fired.fp, fired.column, fired.dr) == (10, 8, 7)
    assert not happened(events, MolotovBurst)
    assert "MOL check of 3-3-7 p in D4, final dr 3: it throws a Molotov cocktail (A22.61)" in said(match, events)


@rule("A22.61")
def test_the_attack_goes_on_without_if_the_check_fails() -> None:
    match = drafted(SQUAD, GERMAN, dice=[3, 6, 4, 6, 6])
    do(match, THROW)
    events = do(match, FIRE)
    (fired,) = happened(events, Fired)
    assert (fired.fp, fired.column) == (6, 6)
    assert not happened(events, MolotovBurst)  # a coloured 6 means nothing then
    assert said(match, events)[1].endswith("final dr 4: it has none to hand; the attack goes on without (A22.61)")
    assert THROWN in get(match, "p").used
    assert not get(match, "p").broken


@rule("A22.611")
def test_the_four_fp_are_added_after_all_changes() -> None:
    match = drafted(SQUAD, GERMAN, phase="AFPh", dice=[1, 3, 4, 1, 1])
    do(match, THROW)
    preview = shown(match, FIRE)
    assert [(item.label, item.value, item.rule) for item in preview.tallies[0].items] == [
        ("3-3-7 p (×2 Point Blank Fire, ½ Advancing Fire)", 3, "3.2.2"),
        ("MOL", 4, "A22.611"),
    ]
    (fired,) = happened(do(match, FIRE), Fired)
    assert fired.fp == 7


@rule("A22.611")
def test_nor_are_they_halved_against_what_is_not_seen() -> None:
    match = drafted(SQUAD, GERMAN)
    state = match.state
    state.units["g"] = replace(get(match, "g"), concealed=True)
    do(match, THROW)
    frame = state.stack[-1]
    assert isinstance(frame, FireDraft)
    figures = volley(state, attack_of(frame))
    assert (figures.fp.total, figures.column, figures.added) == (7, 6, 4)
    assert [target.fp for target in figures.targets] == [7]


@rule("A22.61")
def test_no_leader_helps_with_the_check() -> None:
    match = drafted(SQUAD, unit("l", "partisan 9-2", "D4", **OURS), GERMAN)
    do(match, THROW, AddDirector("l"))
    tallies = shown(match, FIRE).tallies
    assert [tally.title for tally in tallies] == ["Firepower", "DRM at D5", "MOL check, 3 or less"]
    assert tallies[1].total == -2
    assert tallies[2].total == 1


# -- the coloured die -----------------------------------------------------------------------


@rule("A22.611")
def test_a_coloured_six_breaks_the_thrower_and_voids_his_fp_and_the_mol() -> None:
    match = drafted(SQUAD, SECOND, GERMAN, dice=[2, 6, 2, 6, 6])
    do(match, AddFirer("q"), THROW)
    events = do(match, FIRE)
    (fired,) = happened(events, Fired)
    assert (fired.firers, fired.fp, fired.column, fired.dr) == (("q",), 6, 6, 8)
    assert [event.unit for event in happened(events, Broke) if event.unit != "g"] == ["p"]
    assert get(match, "p").marker == get(match, "q").marker == PREP_FIRE
    assert "The MOL bursts in the hands of 3-3-7 p in D4: the others fire without it (A22.611)" in said(match, events)


@rule("A22.611")
def test_nobody_is_attacked_if_the_thrower_fired_alone() -> None:
    match = drafted(SQUAD, GERMAN, dice=[2, 6, 6])
    do(match, THROW)
    events = do(match, FIRE)
    assert not happened(events, Fired)
    assert get(match, "p").broken
    assert not get(match, "g").broken
    assert said(match, events)[3] == "The MOL bursts in the hands of 3-3-7 p in D4: nobody else fires (A22.611)"
    assert not isinstance(match.state.stack[-1], FireDraft)  # play goes on
    assert match.to_act


@rule("A22.611")
def test_the_machine_gun_of_the_thrower_is_void_too_but_has_fired() -> None:
    gun = weapon("m", "russian LMG", "p", side="russian")
    match = drafted(SQUAD, SECOND, GERMAN, weapons=[gun], start="m", dice=[2, 6, 1, 6, 6])
    do(match, AddFirer("q"), THROW)
    (fired,) = happened(do(match, FIRE), Fired)
    assert (fired.firers, fired.fp) == (("q",), 6)
    assert get_weapon(match, "m").shots == 1


@rule("A22.611")
@pytest.mark.parametrize(("at", "burns"), [("F7", True), ("B7", True), ("E4", True), ("D5", False), ("D6", False)])
def test_what_would_burn(at: str, burns: bool) -> None:
    match = drilled("PFPh", SQUAD, GERMAN)
    assert burnable(match.state, cell(match, at)) is burns


@rule("A22.611")
def test_no_flame_is_lit_for_now_and_the_log_says_so() -> None:
    match = drafted(SQUAD, unit("g", "german 4-6-7", "E4"), at="E4", dice=[2, 1, 6, 1, 1])
    do(match, THROW)
    events = do(match, FIRE)
    (flame,) = happened(events, NoFlame)
    assert flame.at == "E4"
    assert "No Flame in E4: fires are not played yet (A22.611, ruling V-1)" in said(match, events)
    assert not match.state.counters


# -- who, when, at whom -----------------------------------------------------------------------


@rule("A22.6")
def test_only_who_is_given_them_throws() -> None:
    match = drafted(unit("r", "russian 4-4-7", "D4"), GERMAN, start="r")
    assert not offered(match, ThrowMolotov)
    assert "no Molotov cocktails" in why_not(match, "r")
    GIVEN.put(match.state, ("r",))
    frame = match.state.stack[-1]
    assert isinstance(frame, FireDraft)
    assert throws_of(match.state, frame, "russian") == [ThrowMolotov("r")]
    match = drafted(SQUAD, GERMAN, game="no_molotovs")
    assert "no Molotov cocktails" in why_not(match, "p")


@rule("A22.61")
def test_one_mol_for_each_fire_group() -> None:
    match = drafted(SQUAD, SECOND, GERMAN)
    assert "fires in this group" in why_not(match, "q")
    do(match, AddFirer("q"))
    assert offered(match, ThrowMolotov) == [THROW, ThrowMolotov("q")]
    do(match, THROW)
    assert offered(match, ThrowMolotov) == []
    assert "another unit is already throwing" in why_not(match, "q")
    do(match, KEEP, ThrowMolotov("q"))
    do(match, RemoveFirer("q"))  # and with him goes what he would have thrown
    assert offered(match, KeepMolotov) == []
    assert offered(match, ThrowMolotov) == [THROW]
    with pytest.raises(IllegalAction, match="Nobody has declared"):
        do(match, KEEP)


@rule("A22.61")
def test_target_and_group_are_named_first() -> None:
    match = drilled("PFPh", SQUAD, GERMAN)
    assert "put an attack together first" in why_not(match, "p")
    do(match, StartFire("p"))
    assert "hoose the target first" in why_not(match, "p")
    assert "of your own" in why_not(match, "g")


@rule("A22.61")
def test_mol_are_for_point_blank_fire() -> None:
    match = drafted(SQUAD, unit("g", "german 4-6-7", "D6"), at="D6")
    assert "adjacent hexes only" in why_not(match, "p")


@rule("A22.61")
@pytest.mark.parametrize(
    ("changes", "mode", "bar"),
    [
        ({}, "first", None),
        ({"pinned": True}, "prep", who.UNFIT),
        ({"broken": True}, "prep", who.UNFIT),
        ({"melee": True}, "prep", who.UNFIT),
        ({"marks": ("berserk",)}, "advancing", None),  # not in Good Order, and throws all the same
        ({"marker": FIRST_FIRE}, "first", who.FIRED_BEFORE),  # Subsequent First Fire
        ({"marker": FINAL_FIRE}, "first", who.FIRED_BEFORE),  # Final Protective Fire
        ({"marker": FIRST_FIRE}, "final", None),
        ({"marker": FIRST_FIRE, "used": (THROWN,)}, "final", who.AGAIN),
    ],
)
def test_in_which_state_a_unit_throws(changes: dict[str, Any], mode: str, bar: Any) -> None:
    match = drilled("PFPh", SQUAD, GERMAN)
    assert who.unfit(replace(get(match, "p"), **changes), mode) == bar


@rule("A22.61")
def test_not_in_both_first_fire_and_final_fire() -> None:
    mine = unit("p", "partisan 3-3-7", "D4", side="german")
    match = drilled("MPh", unit("r", "russian 4-4-7", "D6"), mine, dice=[2, 3, 5, 1, 1])
    do(match, StartMove("r"), BeginMove())
    go(match, "D5")
    do(match, StartFire("p"), THROW)
    (fired,) = happened(do(match, FIRE), Fired)
    assert (fired.mode, fired.fp, fired.column) == ("first", 10, 8)
    assert residual_in(match.state, cell(match, "D5")) == 4  # half of the 8 column: the MOL counts
    state = match.state
    draft = FireDraft("german", "final", ("p",), (), (), cell(match, "D5"))
    assert who.throw_bar(state, draft, get(match, "p")) == who.AGAIN


@rule("A22.61")
def test_who_fired_without_in_the_mph_may_throw_in_final_fire() -> None:
    mine = unit("p", "partisan 3-3-7", "D4", side="german", marker=FIRST_FIRE)
    match = drafted(mine, unit("r", "russian 4-4-7", "D5"), phase="DFPh", dice=[2, 3, 5, 1, 1])
    do(match, THROW)
    (fired,) = happened(do(match, FIRE), Fired)
    assert fired.fp == 7  # 3 x 2 / 2, and 4


@rule("A22.61")
def test_woods_and_orchards_on_the_hexside_are_in_the_way() -> None:
    match = drilled("PFPh", SQUAD, GERMAN)
    ground = ground_of(match.state)
    assert who.trees_between(ground, cell(match, "H6"), cell(match, "H7"))  # orchard: inherent terrain
    assert not who.trees_between(ground, cell(match, "D4"), cell(match, "D5"))
    assert not who.trees_between(ground, cell(match, "D4"), cell(match, "D4"))
    assert {name: who.trees_between(ground, cell(match, "I7"), cell(match, name)) for name in ("H7", "J6")} == {
        "H7": True,
        "J6": False,
    }
    match = drafted(unit("p", "partisan 3-3-7", "H6", **OURS), unit("g", "german 4-6-7", "H7"), at="H7")
    assert "only along a road" in why_not(match, "p")


@rule("A22.61")
def test_a_flamethrower_fires_without() -> None:
    flames = weapon("f", "russian FT", "p", side="russian")
    match = drafted(SQUAD, GERMAN, weapons=[flames], start="f")
    assert "not with a flamethrower" in why_not(match, "p")


# -- a use of a SW ----------------------------------------------------------------------------


@rule("A22.61")
def test_a_squad_has_one_other_use_beside_its_own_fire() -> None:
    guns = [weapon("m", "russian LMG", "p", side="russian"), weapon("n", "russian LMG", "p", side="russian")]
    match = drafted(SQUAD, GERMAN, weapons=guns)
    do(match, THROW)
    assert AddFirer("m") not in match.actions("russian")
    match = drafted(SQUAD, GERMAN, weapons=guns)
    do(match, AddFirer("m"))
    assert "one weapon besides its own firepower" in why_not(match, "p")
    do(match, RemoveFirer("p"), THROW)  # the machine gun and the MOL, without its own fire
    assert AddFirer("n") not in match.actions("russian")
    assert AddFirer("p") not in match.actions("russian")


@rule("A22.61")
def test_half_squads_throw_instead_of_firing() -> None:
    match = drafted(HALF, GERMAN, start="h", dice=[1, 3, 5, 6, 6])
    assert match.describe("russian", ThrowMolotov("h")).notes == ("instead of firing",)
    do(match, ThrowMolotov("h"))
    assert [(item.label, item.value) for item in shown(match, FIRE).tallies[0].items] == [("MOL", 4)]
    (fired,) = happened(do(match, FIRE), Fired)
    assert fired.fp == 4


@rule("A22.61")
def test_a_half_squad_that_finds_none_has_fired_for_nothing() -> None:
    match = drafted(HALF, GERMAN, start="h", dice=[2])
    do(match, ThrowMolotov("h"))
    events = do(match, FIRE)
    assert not happened(events, Fired)
    assert said(match, events)[1].endswith("it has none to hand; there is no attack (A22.61)")
    assert get(match, "h").marker == PREP_FIRE
    assert not offered(match, StartFire)


@rule("A22.61")
def test_a_half_squad_in_a_group_adds_nothing_if_it_finds_none() -> None:
    match = drafted(SQUAD, HALF, GERMAN, dice=[2, 3, 5, 1, 1])
    do(match, AddFirer("h"), ThrowMolotov("h"))
    (fired,) = happened(do(match, FIRE), Fired)
    assert fired.fp == 6


@rule("A22.61")
def test_by_the_other_reading_they_fire_too() -> None:
    gun = weapon("m", "russian LMG", "h", side="russian")
    match = drafted(HALF, GERMAN, weapons=[gun], start="h", game="both", dice=[1, 3, 5, 1, 1])
    do(match, ThrowMolotov("h"))
    assert AddFirer("m") not in match.actions("russian")
    (fired,) = happened(do(match, FIRE), Fired)
    assert fired.fp == 6  # 1 x 2, and 4
    match = drafted(HALF, GERMAN, weapons=[gun], start="m", game="both")
    assert "one weapon in a Player Turn" in why_not(match, "h")


# -- words and odds -----------------------------------------------------------------------------


@rule("A22.61")
def test_what_the_draft_says() -> None:
    match = drafted(SQUAD, GERMAN)
    found = match.describe("russian", THROW)
    assert (found.text, found.rule) == ("3-3-7 p throws a Molotov cocktail: MOL check for +4 FP", "A22.61")
    without, planned = shown(match, FIRE), shown(match, THROW)
    assert planned.title == "Prep Fire at D5 on the 8 column"
    do(match, THROW)
    assert match.describe("russian", KEEP).text == "Throw no Molotov cocktail"
    assert shown(match, FIRE) == planned
    assert shown(match, KEEP) == without
    lines = {line.label: line.chance for line in planned.odds if line.piece == "p"}
    assert lines["MOL check fails"] == pytest.approx(4 / 6)
    assert lines["MOL thrown"] == pytest.approx(2 / 6 * 5 / 6)
    assert lines["breaks by its own hand"] == pytest.approx(2 / 6 / 6)


@rule("A22.61")
@pytest.mark.parametrize("group", [("p",), ("p", "q"), ("h",), ("h", "p")])
def test_the_odds_are_those_of_every_roll(group: tuple[str, ...]) -> None:
    """All 216 rolls of the check and the attack, played out, come to what the preview says."""
    match = drafted(SQUAD, SECOND, HALF, GERMAN, start=group[0])
    do(match, *[AddFirer(name) for name in group[1:]], ThrowMolotov(group[0]))
    frame = match.state.stack[-1]
    assert isinstance(frame, FireDraft)
    attack = attack_of(frame)
    found: Counter[str] = Counter()
    cowered = broken = 0
    for check, coloured, white in product(range(1, 7), repeat=3):
        play = Play(match.state.clone(), ScriptedDice(check, coloured, white, *[1] * 40))
        fire_attack(play, attack)
        fired = happened(play.events, Fired)
        result = fired[0].result if fired else "-"
        found["no effect" if result == "-" else result] += 1
        cowered += bool(fired and fired[0].cowered)
        broken += play.state.units[group[0]].broken
    preview = shown(match, FIRE)
    results = {line.label: line.chance * 216 for line in preview.odds if not line.piece}
    assert {label: pytest.approx(results[label]) for label in found} == dict(found)
    assert results["cowers (1 column)"] == pytest.approx(cowered)
    own = {line.label: line.chance * 216 for line in preview.odds if line.piece == group[0]}
    assert own["breaks by its own hand"] == pytest.approx(broken)
    harmed = sum(line.chance for line in fire_odds(match.state, volley(match.state, attack)) if line.decides)
    mixed = sum(line.chance for line in preview.odds if line.decides)
    assert 0 < mixed < harmed  # less than if it were thrown for sure
    assert sum(chance for course in courses_of(match.state, attack) for *_, chance in course.outcomes) == pytest.approx(
        1
    )


@rule("A22.61")
@pytest.mark.parametrize(("kind", "warned"), [("partisan 3-3-7", True), ("partisan 1-2-7", False)])
def test_movers_are_warned_of_it(kind: str, warned: bool) -> None:
    match = drilled("MPh", unit("r", "russian 4-4-7", "D6"), unit("p", kind, "D4", side="german"))
    do(match, StartMove("r"), BeginMove())
    go(match, "D5")
    (found,) = dangers(match.state, "russian", cell(match, "D5"))
    assert ("with a MOL of 3-3-7 p" in found.text) is warned
    plain = drilled("MPh", unit("r", "russian 4-4-7", "D6"), unit("p", kind, "D4", side="german"), game="none")
    do(plain, StartMove("r"), BeginMove())
    go(plain, "D5")
    (before,) = dangers(plain.state, "russian", cell(plain, "D5"))
    assert (found.chance > before.chance) is warned


@rule("A22.61")
def test_the_odds_against_units_that_are_not_known() -> None:
    match = drafted(SQUAD, GERMAN)
    match.state.units["g"] = replace(get(match, "g"), concealed=True)
    do(match, THROW)
    odds = {line.label: line.chance for line in shown(match, FIRE).odds if not line.piece}
    shows = odds.pop("a result that shows concealed units")
    assert shows == pytest.approx(1 - odds["no effect"])


def test_a_part_that_throws_says_how_its_check_is_modified() -> None:
    match = drafted(SQUAD, GERMAN)
    do(match, THROW)
    attack = attack_of(match.state.stack[-1])
    bare = Throwing()
    with pytest.raises(TypeError, match="what modifies its check"):
        bare.tally(match.state, attack)
    play = Play(match.state, ScriptedDice())
    assert bare.check(play, attack)
    assert bare.chance(match.state, attack) == 1
    assert not bare.items(match.state, attack)
    assert bare.left(match.state, attack, 6) == attack
    bare.tell(play, attack, 6)
    bare.settle(play, attack, 6)
    assert not play.events
