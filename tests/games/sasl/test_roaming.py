"""Stories of S? that roam and enter, and of what the ENEMY does in the Rally, Rout and Close Combat Phases."""

from __future__ import annotations

import random

import pytest
from sasl_support import Falling, friend, mission_without_suspects, playing, stand

import sandtable
from sandtable.engine import Play
from sandtable.engine.events import Rolled
from sandtable.engine.play import TellingPlay
from sandtable.engine.registry import register
from sandtable.games.sasl import GAME, entering, generation, roaming, suspects
from sandtable.games.sasl.compass import distances, edge_cells, forward
from sandtable.games.sasl.enemy import closing, facts, marching
from sandtable.games.sasl.model import ADVANCE, ENEMY, HOLD, MARCH, ROSTER, SUSPECTS, March, SuspectMoved
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.squad.combat.model import AttackAll, AttackUnit, Combat, JoinAttack
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.movement.model import Move, SmokeGrenade, Step
from sandtable.games.squad.phases.model import Done
from sandtable.games.squad.pieces.model import Mover, Moving, SquadState
from sandtable.games.squad.rally.model import RallyPhase, RallyUnit, SelfRally
from sandtable.games.squad.rout.model import CancelRout, EndRout, Rout, RoutStep

register(GAME)
rule = pytest.mark.rule


@pytest.fixture
def state() -> SquadState:
    return mission_without_suspects()


def inland(state: SquadState, **wanted: bool) -> int:
    """A hex far from every edge and from everybody, of the wanted ground, with open ground all round."""
    setting = setting_of(state)
    ground = setting.ground
    return next(
        cell
        for cell in range(ground.size)
        if all(distances(setting, edge)[cell] > 3 for edge in ("north", "east", "south", "west"))
        and all(getattr(ground, name)[cell] == value for name, value in wanted.items())
        and all(ground.kinds[other].mf is not None for other in ground.near[cell])
        and not any(facts.foes_at(state, other) for other in ground.near[cell])
    )


# -- S? on the move ---------------------------------------------------------------------------------


@rule("S3.321")
def test_every_line_of_a_turn_in_which_suspects_roam_has_its_own_words() -> None:
    match = sandtable.new("sasl/8", seed=7, options={"boards": "shipped"})
    match.narrator = match.game.words
    source, moved = random.Random(1), 0
    while not moved:
        match.apply("friendly", source.choice(match.actions("friendly").all))
        for event, said in match.told(match.version):
            if isinstance(event, SuspectMoved):
                assert event.at in said
                moved += 1


@rule("S3.322")
@pytest.mark.parametrize("edge", ["north", "east", "south", "west"])
def test_the_rosette_leads_forward_with_equal_chances(state: SquadState, edge: str) -> None:
    setting = setting_of(state)
    cell = inland(state)
    hexes = [forward(state, cell, edge, dr) for dr in range(1, 7)]
    now = distances(setting, edge)[cell]
    assert all(distances(setting, edge)[other] <= now for other in hexes)
    shares = {other: hexes.count(other) for other in hexes}
    assert set(shares.values()) in ({2}, {3}), "three hexes forward, or two where the hexrows run across"
    assert set(hexes) <= set(setting.ground.near[cell])


@rule("S3.322")
def test_a_suspect_steps_where_the_rosette_points_but_not_onto_three_others(state: SquadState) -> None:
    cell = inland(state, open=True)
    one = suspects.add(state, at=cell, attitude=ADVANCE, edge="west")
    to = forward(state, cell, "west", 3)
    play = playing(state, 3)
    roaming.advance_suspects(play)
    assert SUSPECTS.of(state)[one.id].at == to
    assert [event for event in play.events if isinstance(event, SuspectMoved)]
    beyond = forward(state, to, "west", 3)
    for _ in range(3):
        suspects.add(state, at=beyond, attitude=HOLD)
    roaming.advance_suspects(playing(state, 3))
    assert SUSPECTS.of(state)[one.id].at == to, "three S? are there, as many as squads may stack (3.11)"


@rule("S3.321")
def test_the_way_of_a_suspect_is_one_line_with_all_its_dice(state: SquadState) -> None:
    for unit in [unit for unit in state.units.values() if unit.at >= 0]:
        del state.units[unit.id]
    state.stacks.clear()
    cell = inland(state, open=True)
    one = suspects.add(state, at=cell, attitude=ADVANCE, edge="west")
    way = [cell]
    for _ in range(2):
        way.append(forward(state, way[-1], "west", 3))
    for _ in range(3):
        suspects.add(state, at=forward(state, way[-1], "west", 3), attitude=HOLD)
    play = playing(state, 3, 3, 3)
    roaming.move_suspects(play)
    names = [name_of(state, place) for place in way]
    full = name_of(state, forward(state, way[-1], "west", 3))
    dice, moved = play.events
    assert isinstance(dice, Rolled)
    assert (dice.why, dice.faces) == (f"S? in {names[0]}, rosette", (3, 3, 3))
    assert GAME.words(moved, state) == (
        f"A S? moves from {names[0]} over {names[1]} to {names[2]} and stops there: {full} is full"
    )
    assert SUSPECTS.of(state)[one.id].at == way[-1]
    assert play.rolls == [(6, (3,))] * 3, "the dice are cast one by one all the same"


@rule("S3.321")
def test_the_way_of_a_suspect_is_told_word_for_word(state: SquadState) -> None:
    suspects.add(state, at=inland(state, open=True), attitude=ADVANCE, edge="west")
    play = TellingPlay(state, Falling(3), GAME.words, GAME.hears)
    roaming.move_suspects(play)
    assert play.said == [GAME.words(event, state) for event in play.events], "each event keeps its own words"


@rule("S3.321", "S5.1")
def test_what_comes_of_a_check_on_the_way_stands_between_the_parts_of_the_way(state: SquadState) -> None:
    cell = inland(state, open=True)
    one = suspects.add(state, at=cell, attitude=ADVANCE, edge="west")
    to = forward(state, cell, "west", 3)
    friend(state, next(c for c in setting_of(state).ground.near[to] if c not in setting_of(state).ground.near[cell]))
    play = playing(state, 3, 6, *[3, 6] * 8)
    roaming.move_suspects(play)
    kinds = [type(event).__name__ for event in play.events[:4]]
    assert kinds == ["Rolled", "SuspectMoved", "Rolled", "Decided"], "the dice, the way, the Activation Check"
    assert one.id in SUSPECTS.of(state)


@rule("S3.321", "S4.21")
def test_the_hex_in_which_a_suspect_comes_on_takes_mf_and_is_told(state: SquadState) -> None:
    setting = setting_of(state)
    cell = next(
        c
        for c in edge_cells(setting, "east")
        if setting.ground.open[c]
        and all(setting.ground.open[forward(state, c, "west", dr)] for dr in (1, 3, 5))
        and not facts.foes_at(state, c)
    )
    one = suspects.add(state, beside=cell, attitude=ADVANCE, edge="west")
    play = playing(state, *[3] * 3)
    roaming.move_suspects(play)
    assert GAME.words(play.events[0], state) == f"A S? enters in {name_of(state, cell)}"
    assert distances(setting, "east")[SUSPECTS.of(state)[one.id].at] <= 3, "one MF of four is spent"


@rule("S3.322")
def test_a_suspect_does_not_step_onto_a_friendly_unit(state: SquadState) -> None:
    cell = inland(state, open=True)
    one = suspects.add(state, at=cell, attitude=ADVANCE, edge="west")
    stand(state, "t", "german 4-6-7", forward(state, cell, "west", 3))
    roaming.advance_suspects(playing(state, 3, *[6] * 20))
    assert one.id not in SUSPECTS.of(state) or SUSPECTS.of(state)[one.id].at == cell


@rule("S4.2")
def test_a_dr_and_more_of_the_pool_come_on_shared_by_the_edges(state: SquadState) -> None:
    put_roster(state, pool=20)
    before = len(SUSPECTS.of(state))
    edges = ("north", "south")
    entering.from_pool(playing(state, 1, 2, *[1, 1] * 60), 2, edges, ("red", "red"))
    waiting = [one for one in list(SUSPECTS.of(state).values())[before:] if one.beside >= 0]
    assert len(waiting) == 1 + 2 + 2
    assert ROSTER.of(state).pool == 20 - 5


@rule("S4.2")
def test_no_more_come_on_than_the_pool_holds(state: SquadState) -> None:
    put_roster(state, pool=3)
    entering.from_pool(playing(state, 6, 6, *[1] * 30), 0, ("east",), ("red",))
    assert len(SUSPECTS.of(state)) == 3
    entering.from_pool(playing(state), 0, ("east",), ("red",))
    assert len(SUSPECTS.of(state)) == 3, "an empty pool rolls no dice"


@rule("S4.21")
def test_suspects_come_on_side_by_side_and_beside_friendly_units(state: SquadState) -> None:
    setting = setting_of(state)
    free = [cell for cell in edge_cells(setting, "east") if setting.ground.kinds[cell].mf is not None]
    cell = next(c for c in free if not facts.foes_at(state, c))
    stand(state, "t", "german 4-6-7", cell)
    for _ in range(2):
        suspects.add(state, beside=cell, attitude=ADVANCE, edge="west")
    came = entering.come_on(playing(state))
    places = [SUSPECTS.of(state)[name].at for name in came]
    assert len(set(places)) == 2
    assert cell not in places
    assert all(place in free for place in places)


@rule("S6.3")
def test_a_suspect_is_near_within_so_many_hexes(state: SquadState) -> None:
    cell = inland(state)
    ranges = setting_of(state).ground.ranges[cell]
    suspects.add(state, at=ranges.index(3), attitude=HOLD)
    suspects.add(state, beside=cell, attitude=ADVANCE, edge="west")
    assert [hexes for hexes in range(6) if facts.suspect_near(state, cell, hexes)] == [3, 4, 5]


@rule("S5.61")
def test_where_no_hex_near_has_room_a_unit_is_generated_on_the_spot(
    state: SquadState, monkeypatch: pytest.MonkeyPatch
) -> None:
    cell = inland(state)
    play = playing(state)
    assert generation.room_for(play, cell, "russian 4-4-7") == cell
    for number in range(3):
        stand(state, f"r{number}", "russian 4-4-7", cell)
    assert generation.room_for(play, cell, "russian 4-4-7") in setting_of(state).ground.near[cell]
    monkeypatch.setattr(generation, "has_room", lambda *words: False)
    assert generation.room_for(play, cell, "russian 4-4-7") == cell


# -- what the ENEMY does ---------------------------------------------------------------------------


@rule("S7.1")
def test_the_best_chance_to_rally_is_tried_first(state: SquadState) -> None:
    cell = inland(state)
    stand(state, "bad", "russian 4-2-6", cell, broken=True)
    stand(state, "good", "russian 4-5-8", cell, broken=True)
    stand(state, "l", "russian 9-1", cell)
    frame = RallyPhase("f", ENEMY)
    with_leader = [RallyUnit("bad", "l"), RallyUnit("good", "l"), Done()]
    assert closing.rally(playing(state), frame, with_leader) == RallyUnit("good", "l")
    assert closing.rally(playing(state), frame, [SelfRally("bad"), SelfRally("good"), Done()]) == SelfRally("good")
    assert closing.rally(playing(state), frame, [SelfRally("bad"), *with_leader]) == RallyUnit("good", "l")
    assert closing.rally(playing(state), frame, [Done()]) == Done()


@rule("S10")
@pytest.mark.parametrize("covered", [True, False])
def test_a_routing_unit_stops_in_cover_and_goes_on_from_the_open(state: SquadState, covered: bool) -> None:
    cell = inland(state, cover=covered)
    stand(state, "a", "russian 4-4-7", cell, broken=True, dm=True)
    frame = Rout("a", cell, hexes=1)
    step = RoutStep(setting_of(state).ground.near[cell][0])
    chosen = closing.rout(playing(state, *[1] * 6), frame, [step, EndRout()])
    assert chosen == (EndRout() if covered else step)
    assert closing.rout(playing(state), frame, [EndRout()]) == EndRout()
    assert closing.rout(playing(state, *[1] * 6), frame, [step, CancelRout()]) == step, "it may not stop yet"


@rule("S10")
@pytest.mark.parametrize(
    ("more", "along", "stops"), [({}, False, True), ({}, True, False), ({"broken": True}, False, False)]
)
def test_a_routing_unit_stops_with_a_good_order_leader(
    state: SquadState, more: dict[str, bool], along: bool, stops: bool
) -> None:
    cell = inland(state, cover=False)
    stand(state, "a", "russian 4-4-7", cell, broken=True, dm=True)
    stand(state, "l", "russian 8-1", cell, **more)
    frame = Rout("a", cell, hexes=1, leaders=("l",) if along else ())
    step = RoutStep(setting_of(state).ground.near[cell][0])
    chosen = closing.rout(playing(state, *[1] * 6), frame, [step, EndRout()])
    assert chosen == (EndRout() if stops else step)


@rule("S11.5")
@pytest.mark.parametrize(("dr", "everybody"), [(4, False), (5, True), (6, True)])
def test_five_or_six_is_one_attack_on_everybody(state: SquadState, dr: int, everybody: bool) -> None:
    cell = inland(state)
    stand(state, "a", "russian 4-4-7", cell)
    stand(state, "t", "german 4-6-7", cell)
    legal = [JoinAttack("a"), AttackUnit("t"), AttackAll(), Done()]
    chosen = closing.combat(playing(state, dr), Combat(cell, step="declare"), legal)
    assert (chosen == AttackAll()) is everybody
    assert closing.combat(playing(state), Combat(cell, step="stack"), legal) == Done()


@rule("S6.3")
def test_a_move_out_of_all_los_goes_where_nobody_looks(state: SquadState) -> None:
    cell = inland(state, open=True)
    unit = stand(state, "a", "russian 4-4-7", cell)
    stand(state, "t", "german 4-6-7", setting_of(state).ground.ranges[cell].index(2))
    around = marching.open_hexes(state, cell, [unit])
    unseen = [other for other in around if not facts.watchers(state, other)]
    assert unseen != around
    found = marching.next_hex(playing(state, *[1] * 4), "out of all LOS", cell, [unit])
    assert set(found) <= set(unseen)
    assert bool(found) is bool(unseen)
    least = min(facts.watchers(state, other) for other in around)
    (most,) = marching.next_hex(playing(state, *[1] * 4), "out of most LOS", cell, [unit])
    assert facts.watchers(state, most) == least


@rule("A4.41")
@rule("S3.321")
@pytest.mark.parametrize("phase", ["MPh", "APh"])
def test_units_activated_on_the_move_have_moved_with_their_weapons(
    state: SquadState, monkeypatch: pytest.MonkeyPatch, phase: str
) -> None:
    state.phase, state.attacker = phase, ENEMY
    cell = inland(state, open=True)
    friend(state, setting_of(state).ground.near[cell][0])
    one = suspects.add(state, at=cell, attitude=ADVANCE)
    named = {"Activation Check": (1,), "ENEMY Activation": (1, 1), "SW": (3, 3)}
    roaming.seen_check(Play(state, Falling(5, named=named)), one.id)
    made = [unit for unit in state.units.values() if unit.side == ENEMY and unit.at == cell]
    assert made
    weapons = [state.weapons[weapon] for unit in made for weapon in unit.weapons]
    assert {unit.moved for unit in made} == {weapon.moved for weapon in weapons} == {phase == "MPh"}


@rule("S6.316")
def test_who_wanders_goes_into_the_smoke_that_he_has_thrown(state: SquadState) -> None:
    ground = setting_of(state).ground
    here = inland(state, open=True)
    stand(state, "a", "russian 4-4-7", here)
    near = [cell for cell in ground.near[here] if ground.open[cell]]
    far = [cell for cell in range(ground.size) if 3 <= ground.ranges[here][cell] <= 5]
    friend(state, next(cell for cell in far if all(sees(state, cell, other) for other in near)))
    MARCH.put(state, March(("a",), "full", wander="REH", command="A4b 8"))
    state.moving = Moving((Mover("a", here),), ("a",))
    steps = [Step(cell) for cell in near]
    thrown = marching.going(playing(state, 2), Move(), [*steps, *[SmokeGrenade("a", cell) for cell in near]])
    assert isinstance(thrown, SmokeGrenade)
    assert marching.going(playing(state), Move(), steps) == Step(thrown.at), "no other dr"


@rule("S6.223")
@rule("S9.2")
def test_a_move_command_leads_round_a_location_that_is_full(state: SquadState) -> None:
    ground = setting_of(state).ground
    here = inland(state, open=True)
    goal = next(c for c in range(ground.size) if ground.ranges[here][c] == 3 and ground.kinds[c].mf is not None)
    unit = stand(state, "a", "russian 4-4-7", here)
    first = marching.path_to(state, here, {goal}, [unit])[0]
    for name in ("x", "y", "z"):
        stand(state, name, "russian 4-4-7", first)
    path = marching.path_to(state, here, {goal}, [unit])
    assert path
    assert first not in path
    assert marching.path_to(state, here, {first}, [unit]) == (), "nor does it end there"
