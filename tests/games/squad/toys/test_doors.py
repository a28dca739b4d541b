"""Doors through which parts take a hand in the shared rules: each is opened by a small toy part."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from squad_support import _cards, cell, do, drill, get, happened, offered, unit, weapon

from sandtable.engine import Match, Play, Rolled, ScriptedDice, register
from sandtable.engine.errors import BadPosition, IllegalAction
from sandtable.games.squad.cards.location_counters import CounterKind
from sandtable.games.squad.cards.tables import TO_HIT, FireResult
from sandtable.games.squad.combat.model import AdvanceTo, StartAdvance
from sandtable.games.squad.effects.aftermath import resolve_effects
from sandtable.games.squad.effects.morale import break_unit, morale_check, remove
from sandtable.games.squad.effects.verdicts import REDUCED, level
from sandtable.games.squad.fire.model import (
    AddDirector,
    AddFirer,
    AimAt,
    AlsoFired,
    FireAttack,
    Fired,
    ResolveFire,
    StartFire,
)
from sandtable.games.squad.fire.resolution import fire_attack
from sandtable.games.squad.fire.throwing import Throwing
from sandtable.games.squad.game import SquadGame
from sandtable.games.squad.ground.counters import room_within
from sandtable.games.squad.ground.map import BLOCKED
from sandtable.games.squad.ground.setting import ground_of, setting_of, unit_kind
from sandtable.games.squad.ground.sight import los
from sandtable.games.squad.ground.stacks import fits, update
from sandtable.games.squad.movement.model import BeginMove, StartMove, Step
from sandtable.games.squad.movement.steps import step_cost
from sandtable.games.squad.ordnance.tohit import ITT, OrdnanceShot, hit_columns, to_hit
from sandtable.games.squad.part import BLOCKS, MarkKind, Part, Points, Roll, Stage
from sandtable.games.squad.parts import COMMON
from sandtable.games.squad.pieces import counters
from sandtable.games.squad.pieces.events import Broke, Eliminated
from sandtable.games.squad.pieces.model import Counter, Weapon
from sandtable.games.squad.rally.eligibility import unbroken_leaders
from sandtable.games.squad.rally.model import SelfRally
from sandtable.games.squad.rout.interdiction import interdictors
from sandtable.games.squad.rout.paths import can_rout
from sandtable.games.squad.rulesets import STARTER_KIT

TWO = [unit("r", "russian 4-4-7", "V4"), unit("g", "german 4-6-7", "W4")]


def with_part(name: str, part: Part, phase: str = "PFPh", units: Any = TWO, *dice: int) -> Match:
    """A drill whose game has one more part."""
    register(SquadGame(name, name, STARTER_KIT, _cards, {}, parts=(*COMMON, part)))
    return drill("y", phase, units, game=name, dice=dice)


def play_of(match: Match, *dice: int) -> Play[Any]:
    return Play(match.state, ScriptedDice(*dice))


def fire(match: Match) -> None:
    do(match, StartFire("r"), AimAt(cell(match, "W4")))


# -- tallies --------------------------------------------------------------------------------


def test_a_line_in_the_morale_tally_decides_and_stands_in_the_odds() -> None:
    part = Part(lines={"morale": lambda state, unit, what: [("steady", -3, "toy")] if unit.side == "german" else []})
    match = with_part("steady", part)
    play = play_of(match, 4, 6)
    assert morale_check(play, get(match, "g"))  # 10 - 3 passes exactly
    plain, steady = drill("y", "PFPh", TWO), with_part("steady", part)
    broken = []
    for one in (plain, steady):
        fire(one)
        preview = one.preview("russian", ResolveFire())
        assert preview is not None
        broken.append(sum(line.chance for line in preview.odds if line.piece == "g" and line.label == "broken"))
    assert broken[1] < broken[0]


def test_factors_of_firepower_name_their_rule() -> None:
    part = Part(factors=lambda state, unit, weapon, target, mode: [("in the mud", 0.5, "toy")])
    match = with_part("mud", part)
    fire(match)
    preview = match.preview("russian", ResolveFire())
    assert preview is not None
    text = "".join(str(tally) for tally in preview.tallies)
    assert "×2 Point Blank Fire, ½ in the mud (toy)" in text


def test_factors_of_an_attack_as_a_whole_know_who_fires_along() -> None:
    def crowded(state: Any, attack: Any, unit: Any, weapon: Any) -> Any:
        return [("crowded", 0.5, "toy")] if len(attack.units) > 1 else []

    units = [*TWO, unit("r2", "russian 4-4-7", "V4")]
    match = with_part("crowding", Part(lines={"fire FP": crowded}), "PFPh", units)
    fire(match)
    alone = match.preview("russian", ResolveFire())
    do(match, AddFirer("r2"))
    both = match.preview("russian", ResolveFire())
    assert alone is not None
    assert both is not None
    assert "crowded" not in str(alone.tallies[0])
    assert str(both.tallies[0]).count("½ crowded (toy)") == 2
    assert both.tallies[0].total == alone.tallies[0].total


def test_a_part_may_keep_units_out_of_a_fire_group() -> None:
    units = [*TWO, unit("r2", "russian 4-4-7", "V4")]
    part = Part(bars={"join": lambda state, unit, weapon, draft: NO if unit.id == "r2" else None})
    match = with_part("aloof", part, "PFPh", units)
    fire(match)
    assert AddFirer("r2") not in match.actions("russian")
    with pytest.raises(IllegalAction, match=NO[0].lower()):
        do(match, AddFirer("r2"))


def test_an_attack_on_two_locations_has_one_dr_and_figures_for_each() -> None:
    units = [*TWO, unit("h", "german 4-6-7", "W5")]
    match = with_part("wide", Part(lines={"fire FP": lambda *asked: [("wide", 0.5, "toy")]}), "PFPh", units, 6, 6)
    fire(match)
    match.state.stack[-1] = replace(match.state.stack[-1], also=cell(match, "W5"))
    preview = match.preview("russian", ResolveFire())
    assert preview is not None
    assert [tally.title for tally in preview.tallies[::2]] == ["Firepower at W4", "Firepower at W5"]
    events = do(match, ResolveFire())
    assert [event.at for event in events if isinstance(event, Fired | AlsoFired)] == ["W4", "W5"]
    assert len([event for event in events if isinstance(event, Rolled)]) == 1


def test_factors_of_an_ordnance_hit_change_its_columns() -> None:
    part = Part(bursts=lambda state, weapon, target, ammo: [("in the sand", 0.5, "toy")] if ammo == "HE" else [])
    units = [unit("r", "russian 2-2-8", "V4"), unit("g", "german 4-6-7", "W4")]
    register(SquadGame("sand", "sand", STARTER_KIT, _cards, {}, parts=(*COMMON, part)))
    gun = weapon("q", "russian 76.2mm P obr. 39 ART", "r", facing=0)
    match = drill("y", "PFPh", units, game="sand", weapons=[gun])
    figures = to_hit(match.state, OrdnanceShot("russian", "prep", "q", cell(match, "W4"), ITT))
    full = hit_columns(match.state.weapons["q"], ITT, "HE")
    assert (figures.column, figures.critical) == (full[0] // 2, full[1] // 2)
    assert figures.scaled == ", in the sand (toy)"


# -- dice -----------------------------------------------------------------------------------


def test_original_drs_are_heard_of_before_and_after_their_effects() -> None:
    heard: list[tuple[str, str, int, bool]] = []

    def hear(when: str) -> Any:
        return lambda play, roll: heard.append((when, roll.kind, roll.original, play.state.units["g"].broken))

    match = with_part("ears", Part(rolled=hear("rolled"), settled=hear("settled")), "PFPh", TWO, 2, 3, 6, 5)
    fire(match)
    do(match, ResolveFire())
    assert heard == [
        ("rolled", "fire", 5, False),
        ("rolled", "morale", 11, False),
        ("settled", "morale", 11, True),
        ("settled", "fire", 5, True),
    ]


def test_rally_and_close_combat_are_told_too() -> None:
    kinds: list[Roll] = []
    part = Part(rolled=lambda play, roll: kinds.append(roll))
    match = with_part("rallying", part, "RPh", [unit("r", "russian 4-4-7", "V4", broken=True)], 1, 2)
    do(match, SelfRally("r"))
    assert (kinds[0].kind, kinds[0].side, kinds[0].units) == ("rally", "russian", ("r",))
    foes = [unit("r", "russian 4-4-7", "W4", engaged=True), unit("g", "german 4-6-7", "W4")]
    match = with_part("fighting", part, "CCPh", foes, 6, 6, 6, 6)
    for _ in range(2):
        do(match, match.actions(match.to_act[0])[-2])
    assert [roll.kind for roll in kinds[1:]] == ["combat", "combat"]


def test_a_counter_may_keep_a_leader_from_rallying_others() -> None:
    part = Part(marks=(MarkKind(name="dazed", bars=("lead",), why="He is dazed", rule="toy"),))
    units = [unit("b", "russian 4-4-7", "V4", broken=True), unit("l", "russian 8-1", "V4")]
    match = with_part("dazing", part, "RPh", units)
    assert unbroken_leaders(match.state, get(match, "b")) == [get(match, "l")]
    match = with_part("dazing", part, "RPh", [units[0], {**units[1], "marks": ["dazed"]}])
    assert unbroken_leaders(match.state, get(match, "b")) == []


@pytest.mark.parametrize(("mud", "may"), [(2, True), (14, False)])
def test_mf_that_a_part_adds_may_be_too_many_for_a_rout(mud: int, may: bool) -> None:
    part = Part(lines={"cost": lambda state, way, road: [("mud", mud, "toy")]})
    units = [unit("r", "russian 4-4-7", "V4", broken=True, dm=True), unit("g", "german 4-6-7", "A1")]
    match = with_part(f"mud {mud}", part, "RtPh", units)
    assert can_rout(match.state, get(match, "r")) is may


# -- fates ----------------------------------------------------------------------------------


def test_a_part_steps_in_before_a_unit_breaks_and_hears_of_it_after() -> None:
    after: list[str] = []

    def berserk(play: Play[Any], unit: Any, why: str) -> bool:
        if unit.id == "g":
            update(play, unit, marks=("berserk",), lifted=3)
        return unit.id == "g"

    part = Part(before={"break": berserk}, after={"break": lambda play, unit, why: after.append(unit.id)})
    match = with_part("berserk", part)
    break_unit(play_of(match), get(match, "g"))
    break_unit(play_of(match), get(match, "r"))
    assert not get(match, "g").broken
    assert get(match, "r").broken
    assert after == ["r"]
    assert level(unit_kind(match.state, get(match, "g")), get(match, "g")) == 10
    assert ("Condition", "berserk") in [tuple(fact) for fact in match.view("german")["pieces"][1]["facts"]]


def test_a_part_may_keep_a_unit_from_being_eliminated() -> None:
    part = Part(before={"eliminate": lambda play, unit, why: why == "close combat"})
    match = with_part("taken", part)
    remove(play_of(match), get(match, "g"), "close combat")
    assert "g" in match.state.units
    remove(play_of(match), get(match, "g"), "KIA")
    assert "g" not in match.state.units


def test_a_rally_is_heard_of() -> None:
    heard: list[str] = []
    part = Part(after={"rally": lambda play, unit, why: heard.append(unit.id)})
    match = with_part("heard", part, "RPh", [unit("r", "russian 4-4-7", "V4", broken=True)], 1, 2)
    do(match, SelfRally("r"))
    assert heard == ["r"]


def test_a_part_judges_checks_in_play_and_in_the_odds() -> None:
    """Whoever would break is reduced instead."""
    part = Part(judges=lambda setting, unit, dr, verdict: REDUCED if verdict.broken else verdict)
    match = with_part("stubborn", part, "PFPh", TWO, 2, 3, 5, 5)
    fire(match)
    preview = match.preview("russian", ResolveFire())
    assert preview is not None
    assert "broken" not in [line.label for line in preview.odds if line.piece == "g"]
    events = do(match, ResolveFire())
    assert not happened(events, Broke)
    assert get(match, "g").kind == "german 2-4-7"


# -- procedures -----------------------------------------------------------------------------


def test_steps_of_an_attack_are_named_and_ordered() -> None:
    seen: list[tuple[str, bool]] = []

    def look(when: str) -> Stage:
        return Stage(lambda play, attack: seen.append((when, play.state.units["g"].broken)), after=when)

    part = Part(steps={"attack": {"before the checks": look("casualties"), "after the checks": look("checks")}})
    match = with_part("stages", part)
    resolve_effects(play_of(match, 5, 5), ["g"], FireResult("MC", 0), column=8)
    assert seen == [("casualties", False), ("checks", True)]
    assert list(Points((*COMMON, part)).steps["attack"])[:4] == [
        "casualties",
        "before the checks",
        "checks",
        "after the checks",
    ]


def test_a_step_after_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="which no part brings"):
        Points((*COMMON, Part(steps={"attack": {"lost": Stage(print, after="the war")}})))
    with pytest.raises(ValueError, match="no procedure is called 'retreat'"):
        Points((*COMMON, Part(steps={"retreat": {}})))
    with pytest.raises(ValueError, match="'swim' is not known under bars"):
        Points((*COMMON, Part(bars={"swim": lambda state: None})))


# -- bars -----------------------------------------------------------------------------------

NO = ("Not so", "toy")


def test_bars_of_parts_stop_moving_entering_and_advancing() -> None:
    match = with_part("bound", Part(bars={"move": lambda state, unit: NO}), "MPh")
    assert not offered(match, StartMove)
    with pytest.raises(IllegalAction, match="Not so"):
        do(match, StartMove("r"))

    def wall(state: Any, units: Any, frm: int, to: int) -> Any:
        return NO if setting_of(state).ground.names[to] != "U4" else None

    match = with_part("wall", Part(bars={"enter": wall}), "MPh")
    do(match, StartMove("r"), BeginMove())
    assert {step.to for step in offered(match, Step)} == {cell(match, "U4")}
    match = with_part("wall", Part(bars={"enter": wall}), "APh")
    do(match, StartAdvance("r"))
    assert {step.to for step in offered(match, AdvanceTo)} == {cell(match, "U4")}
    match = with_part("stay", Part(bars={"advance": lambda state, unit: NO}), "APh")
    assert not [one for one in match.actions(match.to_act[0]) if isinstance(one, StartAdvance)]


def test_bars_of_parts_stop_fire_and_targets() -> None:
    match = with_part("quiet", Part(bars={"fire": lambda state, unit, weapon, mode: NO}))
    assert not offered(match, StartFire)
    match = with_part("unseen", Part(bars={"aim": lambda state, side, target, mode: NO}))
    assert not offered(match, StartFire)


def test_bars_of_parts_stop_rallying() -> None:
    broken = [unit("r", "russian 4-4-7", "V4", broken=True)]
    match = with_part("sullen", Part(bars={"rally": lambda state, unit: NO}), "RPh", broken)
    assert SelfRally("r") not in match.actions(match.to_act[0])


def test_a_part_keeps_units_from_interdicting() -> None:
    match = drill("y", "RPh", TWO)
    exposed = [place for place in range(ground_of(match.state).size) if any(interdictors(match.state, place, "german"))]
    assert exposed
    match = with_part("calm", Part(bars={"interdict": lambda state, unit: NO}), "RPh")
    assert not any([any(interdictors(match.state, place, "german")) for place in exposed])


def test_a_part_keeps_leaders_from_directing() -> None:
    led = [*TWO, unit("l", "russian 8-1", "V4")]
    assert fire_with(drill("y", "PFPh", led)) == [AddDirector("l")]
    assert not fire_with(with_part("mute", Part(bars={"direct": lambda state, unit: NO}), "PFPh", led))


def fire_with(match: Match) -> list[Any]:
    fire(match)
    return offered(match, AddDirector)


def test_a_part_lets_more_units_self_rally() -> None:
    broken = [unit(name, "russian 4-4-7", "V4", broken=True) for name in "ab"]
    again = []
    for name, part in {"plain": Part(), "brave": Part(self_rallies=lambda state, side: 2)}.items():
        match = with_part(name, part, "RPh", broken, 6, 5)
        do(match, SelfRally("a"))
        again.append(SelfRally("b") in match.actions(match.to_act[0]) if match.to_act else False)
    assert again == [False, True]


# -- pieces ---------------------------------------------------------------------------------


def test_a_part_brings_counters_with_their_line_of_the_to_hit_chart() -> None:
    known = counters.gun("german", "7.5cm PaK 40 AT")
    line = replace(TO_HIT[known.chart], itt_fp=36)
    brought = replace(known, name="Toy gun", line=line)
    with_part("arsenal", Part(pieces={("german", "Toy gun"): brought}))
    weapon = Weapon(id="w", side="german", kind="german Toy gun", group="")
    assert hit_columns(weapon, "ITT", "HE")[0] == 36
    with pytest.raises(ValueError, match="different counters"):
        with_part("other arsenal", Part(pieces={("german", "Toy gun"): known}))


def test_a_part_brings_those_that_it_needs_once() -> None:
    shared = Part(lines={"morale": lambda state, unit, what: [("steady", -1, "toy")]})
    points = Points((*COMMON, Part(needs=(shared,)), Part(needs=(shared,))))
    assert len(points.morale) == 1


# -- the ground -----------------------------------------------------------------------------


def test_a_part_says_from_where_a_side_is_watched() -> None:
    match = with_part("watched", Part(watches=lambda state, side: [7] if side == "russian" else []))
    (watch,) = setting_of(match.state).points.watches
    assert (watch(match.state, "russian"), watch(match.state, "german")) == ([7], [])


def test_what_a_part_knows_of_hinders_and_blocks_lines() -> None:
    match = with_part("haze", Part(hinders=lambda state, source, target: 2))
    assert los(match.state, cell(match, "V4"), cell(match, "W4")) == 2
    match = with_part("night", Part(hinders=lambda state, source, target: BLOCKS))
    assert los(match.state, cell(match, "V4"), cell(match, "W4")) == BLOCKED
    assert not offered(match, StartFire)


def test_what_a_unit_counts_for_in_stacking() -> None:
    four = [unit(name, "russian 4-4-7", "V4") for name in "abc"] + [unit("d", "russian 4-4-7", "U4")]
    match = with_part("crowd", Part(stacks=lambda state, unit: (0, 0) if unit.id == "a" else None), "PFPh", four)
    assert not fits(drill("y", "PFPh", four).state, cell(match, "V4"), "russian", [get(match, "d")])
    assert fits(match.state, cell(match, "V4"), "russian", [get(match, "d")])


def test_parts_hear_who_enters_a_location() -> None:
    heard: list[Any] = []
    part = Part(enters=lambda play, names, frm, to, how: heard.append((tuple(names), how)))
    match = with_part("mines", part, "MPh")
    do(match, StartMove("r"), BeginMove())
    do(match, offered(match, Step)[0])
    match = with_part("mines", part, "APh")
    do(match, StartAdvance("r"))
    do(match, offered(match, AdvanceTo)[0])
    assert heard == [(("r",), "moves"), (("r",), "advances")]


def test_a_mine_may_eliminate_who_enters() -> None:
    part = Part(enters=lambda play, names, frm, to, how: remove(play, play.state.units[names[0]], "a mine"))
    match = with_part("boom", part, "MPh", [*TWO, unit("s", "russian 4-4-7", "V4")])
    do(match, StartMove("r"), BeginMove())
    events = do(match, offered(match, Step)[0])
    assert [event.why for event in happened(events, Eliminated)] == ["a mine"]
    assert match.to_act


def test_room_within_a_counter() -> None:
    part = Part(counters=[CounterKind(name="foxhole", capacity=2, tem=2)])
    three = [unit(name, "russian 4-4-7", "V4") for name in "ab"]
    match = with_part("foxholes", part, "PFPh", three)
    at, hole = cell(match, "V4"), Counter("foxhole", id="f1")
    match.state.units["a"] = replace(get(match, "a"), within="f1")
    assert room_within(match.state, at, hole, [get(match, "a")])
    assert not room_within(match.state, at, hole, [get(match, "b")])


# -- scenario files -------------------------------------------------------------------------


class Weather(msgspec.Struct, frozen=True):
    wind: int = 0


def test_a_part_reads_its_section_of_a_scenario_file() -> None:
    def windy() -> Any:
        return [replace(card, parts={"weather": {"wind": 3}}) for card in _cards()]

    part = Part(sections={"weather": Weather})
    register(SquadGame("windy", "windy", STARTER_KIT, windy, {}, parts=(*COMMON, part)))
    match = drill("y", "PFPh", TWO, game="windy")
    assert setting_of(match.state).section(Weather) == Weather(3)
    assert setting_of(with_part("calm", part).state).section(Weather) == Weather(0)
    register(SquadGame("lost", "lost", STARTER_KIT, windy, {}))
    with pytest.raises(BadPosition, match=r"no part of this game reads \[parts.weather\]"):
        drill("y", "PFPh", TWO, game="lost")


class Stone(Throwing):
    """A stone, of which there is always one."""

    what = "stone"

    def items(self, state: Any, attack: Any) -> Any:
        return [("stone", 2, "toy")]


def test_a_part_throws_something_along_with_fire() -> None:
    match = with_part("stone", Part(throws=Stone()), "PFPh", TWO)
    play = play_of(match, 6, 6, 1, 1)
    fire_attack(play, FireAttack("russian", cell(match, "W4"), "prep", ("r",), thrower="r"))
    (fired,) = happened(play.events, Fired)
    assert fired.fp == 10
    assert get(match, "r").used == ("thrown",)


def test_what_a_step_costs_some_units_only() -> None:
    def mired(state: Any, units: Any, way: Any, road: bool) -> Any:
        return [("heavy boots", 2, "toy")] if "r" in units else []

    match = with_part("boots", Part(lines={"their cost": mired}), "MPh", TWO)
    way = ground_of(match.state).ways[get(match, "r").at][0]
    plain = step_cost(match.state, way, road=False)
    assert step_cost(match.state, way, road=False, units=("r",)) == plain + 2
