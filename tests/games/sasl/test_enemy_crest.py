"""The ENEMY at the lips of gullies: S? in Crest status, and Infantry that takes it (S4.14, S9.28)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import pytest
from sasl_support import OPTIONS, Falling, playing, stand

import sandtable
from sandtable.engine import Action, Decided, Frame, Match, Play
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.play import TellingPlay
from sandtable.engine.registry import register
from sandtable.games.asl.crest import fighting
from sandtable.games.asl.crest.going import AdvanceToCrest, CrestTaken, EnterCrest
from sandtable.games.asl.crest.model import front_of, fronts, protected
from sandtable.games.asl.crest.part import FACE
from sandtable.games.asl.terrain.walls import asl_ground
from sandtable.games.asl.works import model as works
from sandtable.games.sasl import GAME, activation, crests, roaming, suspects
from sandtable.games.sasl.compass import distances
from sandtable.games.sasl.enemy import automatic, closing, firing, lips, marching
from sandtable.games.sasl.game import _advanced as advanced
from sandtable.games.sasl.model import (
    ADVANCE,
    ENEMY,
    FRIENDLY,
    MARCH,
    ORDERS,
    PANIC,
    SUSPECTS,
    March,
    Order,
    Suspect,
)
from sandtable.games.squad.combat.fighting import assault
from sandtable.games.squad.combat.model import AdvancePhase, Combat, CombatAttack
from sandtable.games.squad.fire.eligibility import firer_of, targets_of
from sandtable.games.squad.fire.model import StartFire
from sandtable.games.squad.ground.cover import terrain_item
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import name_of, put, update
from sandtable.games.squad.movement.model import Move, Reaction, Step, Stop
from sandtable.games.squad.pieces.model import Mover, Moving, SquadState, Unit

register(GAME)
RIFLES, RUSSIANS = "german 4-6-7", "russian 4-4-7"


@cache
def _match(**options: str) -> Match:
    made = (sandtable.new("sasl/1", seed=seed, options={**OPTIONS, **options}) for seed in range(1, 40))
    return next(match for match in made if len(setting_of(match.state).ground.floors) > 4)


def bare(**options: str) -> SquadState:
    """Mission 1 on a map with gullies, without S? and with nobody on the map."""
    found: SquadState = _match(**options).state.clone()
    SUSPECTS.of(found).clear()
    for name in list(found.units):
        if found.units[name].at >= 0:
            found.stacks.pop(found.units[name].at, None)
            del found.units[name]
    return found


@pytest.fixture
def state() -> SquadState:
    return bare()


class Lip(NamedTuple):
    """A Crest with its hex and a front; hexes before and behind it that see the Crest but not INTO the hex."""

    place: int
    cell: int
    front: int
    before: int
    behind: int


def lip(state: SquadState, most: int = 4) -> Lip:
    ground = asl_ground(state)
    for place, cell in ground.floors.items():
        for front in fronts(ground, cell):
            sides = crests.shielded(fronts(ground, cell), front)
            row = ground.ranges[place]
            near = [at for at in range(ground.size) if 1 < row[at] <= most and ground.open[at]]
            near = [at for at in near if sees(state, place, at) and not sees(state, cell, at)]
            over = [at for at in near if set(ground.entered_through(at, place)) <= set(sides)]
            rear = [at for at in near if not set(ground.entered_through(at, place)) & set(sides)]
            if over and rear:
                return Lip(place, cell, front, over[0], rear[0])
    raise AssertionError("no such lip on this map")


def suspect(state: SquadState, here: Lip, **more: object) -> Suspect:
    return suspects.add(state, at=here.cell, front=here.front, **more)


def garrison(state: SquadState, here: Lip, name: str = "e1") -> Unit:
    """A Russian squad at the Crest."""
    return update(playing(state), stand(state, name, RUSSIANS, here.place), within=f"crest {here.front}")


def legal(state: SquadState, frame: Frame) -> Sequence[Action]:
    state.stack = [*state.stack[:1], frame]
    found: Sequence[Action] = GAME.procedures[type(frame)].actions(state, frame, ENEMY)
    return found


def told(play: Play[SquadState], table: str) -> list[str]:
    return [event.why for event in play.events if isinstance(event, Decided) and event.table == table]


# -- S? that are set up -------------------------------------------------------------------------


@pytest.mark.rule("S4.14")
def test_a_suspect_set_up_in_a_gully_is_at_its_crest_and_faces_the_fbe(state: SquadState) -> None:
    state.phase = "set-up"
    ground, far = asl_ground(state), distances(setting_of(state), "west")
    suspects.place(playing(state), list(ground.floors.values()))
    found = list(SUSPECTS.of(state).values())
    assert any(one.front >= 0 for one in found)
    for one in found:
        free = fronts(ground, one.at)
        nearer = [side for side in free if far[ground.sides[one.at][side]] < far[one.at]]
        assert (one.front >= 0) == any(set(crests.shielded(free, front)) & set(nearer) for front in free)
        assert one.front < 0 or set(crests.shielded(free, one.front)) & set(nearer)
        assert crests.stands(state, one) == (ground.twins[one.at] if one.front >= 0 else one.at)


@pytest.mark.rule("S4.14")
@pytest.mark.parametrize("options", [{"suspect_crest": "IN"}, {"crest_status": "off"}])
def test_by_other_readings_it_is_in_the_gully(options: dict[str, str]) -> None:
    state = bare(**options)
    suspects.place(playing(state), list(setting_of(bare()).ground.floors.values()))
    assert {one.front for one in SUSPECTS.of(state).values()} == {crests.IN}


@pytest.mark.rule("S4.14")
def test_a_suspect_that_comes_in_play_faces_the_nearest_friendly_unit(state: SquadState) -> None:
    here = lip(state)
    ground = asl_ground(state)
    stand(state, "t1", RIFLES, here.behind)
    suspects.place(playing(state), [here.cell])
    (one,) = SUSPECTS.of(state).values()
    sides = crests.shielded(fronts(ground, here.cell), one.front)
    assert any(ground.ranges[ground.sides[here.cell][side]][here.behind] < 4 for side in sides)
    assert ground.ranges[ground.sides[here.cell][one.front]][here.behind] <= ground.ranges[here.cell][here.behind]


@pytest.mark.rule("S4.14")
def test_a_suspect_on_flat_ground_has_no_front(state: SquadState) -> None:
    flat = next(cell for cell in range(setting_of(state).ground.size) if cell not in setting_of(state).ground.twins)
    suspects.place(playing(state), [flat])
    (one,) = SUSPECTS.of(state).values()
    assert (one.front, crests.stands(state, one)) == (crests.IN, flat)


@pytest.mark.rule("S4.14", "S5.1")
def test_the_ladder_is_that_of_the_crest(state: SquadState) -> None:
    here = lip(state)
    unit = stand(state, "t1", RIFLES, here.before)
    base = activation.rolled_in(state)
    assert activation.ladder_case(state, base, here.cell, [unit]) is None, "nobody is seen from IN the gully"
    assert activation.ladder_case(state, base, here.place, [unit]) is not None
    one = suspect(state, here)
    play = playing(state, 6)
    activation.trigger(play, [unit], "movement")
    assert told(play, "R1") == [f"S? in {name_of(state, one.at)}, movement: 6+0 against AC# 3, remains a S?"]
    suspects.remove(state, one)
    suspects.add(state, at=here.cell)
    quiet = playing(state)
    activation.trigger(quiet, [unit], "movement")
    assert quiet.events == []


@pytest.mark.rule("S3.1", "S4.14")
def test_it_keeps_those_from_concealment_who_are_seen_from_the_crest(state: SquadState) -> None:
    here = lip(state)
    suspect(state, here)
    assert suspects.watching(state, FRIENDLY) == [here.place]
    assert suspects.watching(state, ENEMY) == []


@pytest.mark.rule("S4.14")
def test_map_and_tooltip_show_the_crest_and_its_front(state: SquadState) -> None:
    here = lip(state)
    one = suspect(state, here)
    view = GAME.view(state, FRIENDLY)
    (piece,) = [piece for piece in view.pieces if piece.id == one.id]
    beyond = name_of(state, asl_ground(state).sides[here.cell][here.front])
    assert piece.at == name_of(state, here.place)
    assert piece.facts[0] == ("Crest status", f"facing {beyond}")
    (mark,) = [mark for mark in view.marks if mark.at == piece.at]
    assert (mark.label, mark.spine) == (f"S? at the Crest, facing {beyond}", 6 + here.front)


@pytest.mark.rule("S4.14", "S3.322")
def test_a_suspect_that_moves_on_leaves_its_crest(state: SquadState) -> None:
    here = lip(state)
    ground = asl_ground(state)
    one = suspect(state, here, attitude=ADVANCE)
    over, back = ground.sides[here.cell][here.front], ground.sides[here.cell][(here.front + 3) % 6]
    assert crests.way_out(state, one, over) == ground.way(here.place, over)
    assert crests.way_out(state, one, back) == ground.way(here.cell, back)
    assert crests.way_out(state, suspects.add(state, at=here.cell), over) == ground.way(here.cell, over)
    moved = []
    for dr in (1, 3, 6):
        again = state.clone()
        roaming._roam(Play(again, Falling(dr)), one.id, 20, hexes=1)
        moved.append(SUSPECTS.of(again)[one.id])
    assert any(two.at != one.at for two in moved)
    assert all(two.front == (here.front if two.at == one.at else crests.IN) for two in moved)


# -- what is Activated there --------------------------------------------------------------------


@pytest.mark.rule("S4.14", "S5.6")
def test_a_squad_and_its_leader_are_activated_at_the_crest(state: SquadState) -> None:
    here = lip(state)
    play = playing(state, *[3] * 12)
    made = activation.become(play, suspect(state, here), ["S", "L"], here.before)
    units = [state.units[name] for name in made]
    assert [(unit.at, unit.within) for unit in units] == [(here.place, f"crest {here.front}")] * 2
    (taken,) = [event for event in play.events if isinstance(event, CrestTaken)]
    assert (taken.units, taken.at) == (tuple(made), name_of(state, here.cell))


@pytest.mark.rule("S4.14", "B20.9")
def test_a_gun_is_in_the_gully_and_the_squad_at_its_crest(state: SquadState) -> None:
    here = lip(state)
    made = activation.become(Play(state, Falling(7)), suspect(state, here), ["S", "Gun"], here.before)
    places = {state.units[name].kind: state.units[name].at for name in made}
    assert places == {RUSSIANS: here.place, "russian 2-2-8": here.cell}


@pytest.mark.rule("S4.14", "S5.74", "B20.98")
@pytest.mark.parametrize(("reading", "within"), [("laid", True), ("none", False)])
def test_who_has_a_fortification_is_in_it_and_not_at_the_crest(
    monkeypatch: pytest.MonkeyPatch, reading: str, *, within: bool
) -> None:
    monkeypatch.setattr(works, "may_entrench_in", lambda state, cell: True)  # here it is a stream, which is not dug
    state = bare(crest_works=reading)
    here = lip(state)
    (name,) = activation.become(Play(state, Falling(3)), suspect(state, here), ["S", "F"], here.before)
    unit = state.units[name]
    assert (unit.at == here.cell) is within
    assert bool(state.counters.get(here.cell)) is within


@pytest.mark.rule("S5.3", "S4.14", "S8.61")
def test_who_is_activated_at_the_crest_fires_at_the_mover_at_once(state: SquadState) -> None:
    here = lip(state)
    mover = stand(state, "t1", RIFLES, here.before)
    state.attacker, state.phase = FRIENDLY, "MPh"
    (name,) = activation.become(playing(state, 3, 3), suspect(state, here), ["S"], here.before)
    state.moving = Moving((Mover(mover.id, here.before, spent=2, here=2),), (mover.id,))
    assert targets_of(state, ENEMY, firer_of(state, name), "first") == [here.before]
    play = playing(state)
    assert firing.react(play, Reaction(), [StartFire(name)]) == StartFire(name)
    assert told(play, "S8.61")[0].startswith(f"{name_of(state, here.place)} fires at {name_of(state, here.before)}")


@pytest.mark.rule("B20.91", "S4.14")
def test_its_tem_is_that_of_the_crest_over_the_front_only(state: SquadState) -> None:
    here = lip(state)
    unit = garrison(state, here)
    assert terrain_item(state, here.before, here.place, unit, mortar=False)[:2] == ("Crest", 2)
    assert terrain_item(state, here.behind, here.place, unit, mortar=False)[1] < 2


@pytest.mark.rule("B20.96", "S4.14")
def test_who_advances_upon_a_suspect_at_its_crest_fights_over_its_front_or_in_its_rear(state: SquadState) -> None:
    here = lip(state)
    ground = asl_ground(state)
    found = []
    free = crests.shielded(fronts(ground, here.cell), here.front)
    rear = next(side for side in range(6) if side not in free and ground.sides[here.cell][side] >= 0)
    for side in (here.front, rear):
        again = state.clone()
        again.attacker, again.phase = FRIENDLY, "APh"
        suspect(again, here)
        stand(again, "t1", RIFLES, here.cell)
        advanced(Play(again, Falling(7)), ("t1",), ground.sides[here.cell][side], here.cell, "advances")
        enemy = next(unit for unit in again.units.values() if unit.side == ENEMY)
        assert enemy.at == here.place
        fighting.begin(playing(again))
        attack = CombatAttack(FRIENDLY, ("t1",), (enemy.id,))
        found.append(assault(again, Combat(here.cell), attack).drm.items)
    assert not any(item.rule == "B20.96" for item in found[0])
    assert [(item.value, item.rule) for item in found[1] if item.rule == "B20.96"] == [(-2, "B20.96")]


@pytest.mark.rule("A12.11", "S5.6")
def test_a_question_mark_at_the_crest_shows_its_front_and_no_more() -> None:
    state = bare()
    here = lip(state)
    views = []
    for kind in (RUSSIANS, "russian 8-1"):
        again = state.clone()
        unit = stand(again, "e1", kind, here.place, concealed=True)
        update(playing(again), unit, within=f"crest {here.front}")
        views.append(GAME.view(again, FRIENDLY))
    assert views[0] == views[1]
    (mark,) = [mark for mark in views[0].marks if mark.face == FACE]
    assert mark.spine == 6 + here.front
    play = TellingPlay(state, ScriptedDice(), say=GAME.words, hear=GAME.hears)
    unit = stand(state, "e1", RUSSIANS, here.place, concealed=True)
    crests.tell(play, suspect(state, here), [unit.id])
    (heard,) = [words for event, words in zip(play.events, play.said, strict=True) if event.known_to(FRIENDLY)]
    assert heard.startswith("? is at the Crest of ")


# -- units on the move --------------------------------------------------------------------------


class Approach(NamedTuple):
    """A way over the bank of a gully, with somebody to fire at from its Crest."""

    frm: int
    here: Lip


def approach(state: SquadState) -> Approach:
    """The hex behind a gully, and a front on its far side that one may take on entering (T-11)."""
    ground = asl_ground(state)
    for place, cell in ground.floors.items():
        free = fronts(ground, cell)
        for front in free:
            sides = crests.shielded(free, front)
            row = ground.ranges[place]
            over = [
                at
                for at in range(ground.size)
                if 2 < row[at] <= 6
                and sees(state, place, at)
                and not sees(state, cell, at)
                and set(ground.entered_through(at, place)) <= set(sides)
            ]
            for side in sides:
                frm = ground.sides[cell][side]
                way = ground.way(frm, cell) if frm >= 0 and frm not in ground.twins else None
                if over and way is not None and frm not in over:
                    return Approach(frm, Lip(place, cell, front, over[0], -1))
    raise AssertionError("no such way on this map")


def marching_to(state: SquadState, found: Approach, **march: object) -> Unit:
    """A Russian squad that is ordered into the gully."""
    unit = stand(state, "e1", RUSSIANS, found.frm)
    state.attacker, state.phase = ENEMY, "MPh"
    path = march.pop("path", (found.here.cell,))
    MARCH.put(state, March((unit.id,), "full", path, command="A4b 6", **march))  # type: ignore[arg-type]
    state.moving = Moving((Mover(unit.id, found.frm),), (unit.id,))
    return unit


@pytest.mark.rule("S9.28")
def test_infantry_takes_crest_status_where_its_move_ends_with_a_target_before_it(state: SquadState) -> None:
    found = approach(state)
    stand(state, "t1", RIFLES, found.here.before)
    unit = marching_to(state, found)
    play = playing(state)
    action = marching.going(play, Move(), legal(state, Move()))
    assert isinstance(action, EnterCrest)
    assert action.to == found.here.cell
    assert told(play, "S9.28")[0].startswith(f"{name_of(state, found.here.cell)}: takes Crest status facing ")
    GAME.procedures[Move].apply(play, Move(), ENEMY, action)
    assert state.units[unit.id].at == found.here.place
    assert state.moving is not None
    assert lips.best_front(state, found.here.cell, [unit], [action.front]) == action.front
    assert marching.going(playing(state), Move(), [Step(found.here.cell), Stop()]) == Stop(), "its move ends there"


@pytest.mark.rule("S9.28")
@pytest.mark.parametrize(
    "march", [{"aim": "out of all LOS"}, {"aim": "FBE"}, {"wander": "REH"}], ids=["hides", "FBE", "wanders"]
)
def test_who_hides_or_goes_on_stays_in_the_bed(state: SquadState, march: dict[str, str]) -> None:
    found = approach(state)
    stand(state, "t1", RIFLES, found.here.before)
    marching_to(state, found, **march)
    able = [one for one in legal(state, Move()) if isinstance(one, EnterCrest) and one.to == found.here.cell]
    assert able
    assert lips.entry(playing(state), MARCH.of(state) or March((), "full"), found.here.cell, able) is None


@pytest.mark.rule("S9.28")
def test_without_a_target_it_goes_down_into_the_gully(state: SquadState) -> None:
    found = approach(state)
    marching_to(state, found)
    action = marching.going(playing(state), Move(), legal(state, Move()))
    assert isinstance(action, Step)


@pytest.mark.rule("S9.28")
def test_the_option_keeps_it_in_the_gully() -> None:
    state = bare(enemy_crest="never")
    found = approach(state)
    stand(state, "t1", RIFLES, found.here.before)
    unit = marching_to(state, found)
    assert isinstance(marching.going(playing(state), Move(), legal(state, Move())), Step)
    put(state, unit, found.here.cell)
    state.phase = "APh"
    assert lips.advance(playing(state), legal(state, AdvancePhase())) is None


@pytest.mark.rule("S9.28")
def test_a_move_that_goes_on_does_not_stop_at_the_crest(state: SquadState) -> None:
    found = approach(state)
    ground = asl_ground(state)
    stand(state, "t1", RIFLES, found.here.before)
    ways = [way for way in ground.ways[found.here.cell] if way.to != found.frm]
    onward = min(ways, key=lambda way: way.cost).to
    unit = marching_to(state, found, path=(found.here.cell, onward))
    march = MARCH.of(state) or March((), "full")
    assert marching.ends(state, march, found.here.cell, [unit]), "it lacks the MF to go on"
    state.moving = Moving((Mover(unit.id, found.frm, double=True),), (unit.id,))
    assert not marching.ends(state, march, found.here.cell, [unit])


@pytest.mark.rule("S9.28", "B20.91")
def test_who_is_in_the_gully_goes_up_in_the_aph(state: SquadState) -> None:
    here = lip(state)
    stand(state, "t1", RIFLES, here.before)
    squad = stand(state, "e1", RUSSIANS, here.cell)
    leader = stand(state, "e2", "russian 8-1", here.cell)
    state.attacker, state.phase = ENEMY, "APh"
    play = playing(state)
    first = lips.advance(play, legal(state, AdvancePhase()))
    assert isinstance(first, AdvanceToCrest)
    assert first.unit == squad.id
    GAME.procedures[AdvancePhase].apply(play, AdvancePhase(), ENEMY, first)
    second = lips.advance(play, legal(state, AdvancePhase()))
    assert second == AdvanceToCrest(leader.id, first.front), "the leader goes with his squad"
    assert len(set(told(play, "S9.28"))) == 1, "and nothing tells him from it"


@pytest.mark.rule("S9.28")
def test_a_leader_stays_with_the_squad_that_stays(state: SquadState) -> None:
    here = lip(state)
    stand(state, "t1", RIFLES, here.before)
    garrison(state, here, "e1")
    stand(state, "e2", "russian 8-1", here.cell)
    stand(state, "e3", RUSSIANS, here.cell, pinned=True)
    state.attacker, state.phase = ENEMY, "APh"
    assert lips.advance(playing(state), [AdvanceToCrest("e2", here.front)]) is None


@pytest.mark.rule("S9.28")
def test_who_has_panicked_stays_in_the_gully(state: SquadState) -> None:
    here = lip(state)
    stand(state, "t1", RIFLES, here.before)
    unit = stand(state, "e1", RUSSIANS, here.cell)
    state.attacker, state.phase = ENEMY, "APh"
    able = [AdvanceToCrest(unit.id, here.front)]
    assert lips.advance(playing(state), able) == able[0]
    ORDERS.of(state)[unit.id] = Order(PANIC)
    assert lips.advance(playing(state), able) is None


@pytest.mark.rule("B20.93", "S9.2")
def test_it_leaves_over_its_front_or_goes_down_first(state: SquadState) -> None:
    here = lip(state)
    ground = asl_ground(state)
    unit = garrison(state, here)
    ways = lips.ways(state, here.place, [unit])
    assert {way.side for way in ways if way.to != here.cell} <= protected(state, unit)
    assert here.cell in [way.to for way in ways]
    behind = ground.sides[here.cell][(here.front + 3) % 6]
    path = marching.path_to(state, here.place, {behind}, [unit])
    assert path[0] == here.cell or ground.way(here.place, path[0]) in ways
    assert lips.ways(state, here.cell, [unit]) == ground.ways[here.cell]


@pytest.mark.rule("B20.97", "S10")
def test_broken_it_goes_down_when_the_rtph_begins(state: SquadState) -> None:
    here = lip(state)
    unit = garrison(state, here)
    update(playing(state), unit, broken=True, dm=True)
    fighting.rout_begins(playing(state))
    assert state.units[unit.id].at == here.cell


@pytest.mark.rule("S6.312")
@pytest.mark.parametrize(("reading", "rule"), [("off", ""), ("on", "S6.312")])
def test_whether_a_crest_is_an_improved_position(reading: str, rule: str) -> None:
    state = bare(crest_position=reading)
    here = lip(state)
    unit = garrison(state, here)
    found = automatic.automatic(state, here.place, [unit], target=True)
    assert (found.rule if found is not None else "") == rule
    assert front_of(state, unit) == here.front


@pytest.mark.rule("S11.4", "B20.93")
def test_from_the_crest_it_advances_into_close_combat_over_its_front_only(state: SquadState) -> None:
    here = lip(state)
    ground = asl_ground(state)
    unit = garrison(state, here)
    state.attacker, state.phase = ENEMY, "APh"
    over, back = ground.sides[here.cell][here.front], ground.sides[here.cell][(here.front + 3) % 6]
    stand(state, "t1", RIFLES, back)
    assert closing.into_combat(playing(state, 1, 1), unit) == -1
    stand(state, "t2", RIFLES, over)
    assert closing.into_combat(playing(state, 1, 1), unit) == over
