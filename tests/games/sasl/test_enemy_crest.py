"""S? in Crest status, and what is Activated from them (S4.14)."""

from __future__ import annotations

import msgspec
import pytest
from crest_support import (
    RIFLES,
    RUSSIANS,
    bare,
    garrison,
    lip,
    match_in,
    suspect,
    told,
)
from sasl_support import Falling, playing, stand

from sandtable.engine import Play
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.plan import goals, plans
from sandtable.engine.play import TellingPlay
from sandtable.engine.registry import register
from sandtable.games.asl.crest import fighting
from sandtable.games.asl.crest.going import CrestTaken
from sandtable.games.asl.crest.model import fronts
from sandtable.games.asl.crest.part import FACE
from sandtable.games.asl.terrain.walls import asl_ground
from sandtable.games.asl.works import model as works
from sandtable.games.sasl import GAME, activation, crests, roaming, suspects
from sandtable.games.sasl.compass import east_of
from sandtable.games.sasl.enemy import firing
from sandtable.games.sasl.game import _advanced as advanced
from sandtable.games.sasl.model import (
    ADVANCE,
    ENEMY,
    FRIENDLY,
    SUSPECTS,
)
from sandtable.games.squad.combat.fighting import assault
from sandtable.games.squad.combat.model import AdvancePhase, Combat, CombatAttack
from sandtable.games.squad.fire.eligibility import firer_of, targets_of
from sandtable.games.squad.fire.model import StartFire
from sandtable.games.squad.ground.cover import terrain_item
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import name_of, update
from sandtable.games.squad.movement.model import Reaction
from sandtable.games.squad.pieces.model import Mover, Moving, SquadState
from sandtable.games.squad.show.danger import dangers
from sandtable.players.sasl_sheet import Sheet
from sandtable.players.squad_danger import Fields

register(GAME)


@pytest.fixture
def state() -> SquadState:
    return bare()


# -- S? that are set up -------------------------------------------------------------------------


@pytest.mark.rule("S4.14")
def test_a_suspect_set_up_in_a_gully_is_at_its_crest_and_faces_the_fbe(state: SquadState) -> None:
    state.phase = "set-up"
    ground, setting = asl_ground(state), setting_of(state)
    suspects.place(playing(state), list(ground.floors.values()))
    found = list(SUSPECTS.of(state).values())
    assert any(one.front >= 0 for one in found)
    for one in found:
        free = fronts(ground, one.at)
        nearer = [side for side in free if east_of(setting, ground.sides[one.at][side]) < east_of(setting, one.at)]
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
        roaming._roam(Play(again, Falling(dr)), one.id, 20, once=True)
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


@pytest.mark.rule("B20.94", "S4.14")
def test_the_danger_shown_is_half_behind_its_front(state: SquadState) -> None:
    here = lip(state)
    garrison(state, here)
    state.attacker, state.phase = FRIENDLY, "MPh"
    power = []
    for at in (here.before, here.behind):
        again = state.clone()
        unit = stand(again, "t1", RIFLES, at)
        again.moving = Moving((Mover(unit.id, at, spent=2, here=2),), (unit.id,))
        (danger,) = dangers(again, FRIENDLY, at)
        power.append(float(danger.text.partition(": ")[2].partition(" FP")[0]))
    assert power == [4, 2]


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


# -- at the table -------------------------------------------------------------------------------


@pytest.mark.rule("S3.1", "S4.14")
def test_a_click_on_the_counter_at_the_lip_advances_into_its_hex(state: SquadState) -> None:
    here = lip(state)
    suspect(state, here)
    beside = asl_ground(state).sides[here.cell][here.front]
    stand(state, "t1", RIFLES, beside)
    state.attacker, state.phase = FRIENDLY, "APh"
    state.stack = [*state.stack[:1], AdvancePhase()]
    match = match_in(state)
    lies = name_of(state, here.place)
    assert lies in {goal.cell for goal in goals(match, FRIENDLY, ["t1"])}
    ((plan,), _) = plans(match, FRIENDLY, ["t1"], lies)
    assert plan.cells == (name_of(state, here.cell),)
    assert plan.text == f"Advance to {name_of(state, here.cell)}"


# -- computer players ---------------------------------------------------------------------------


def test_a_computer_player_goes_for_the_hex_and_fears_the_crest(state: SquadState) -> None:
    here = lip(state)
    suspect(state, here)
    sheet = Sheet(setting_of(state), FRIENDLY, msgspec.to_builtins(GAME.view(state, FRIENDLY), str_keys=True))
    assert list(sheet.foes) == list(sheet.suspects) == [here.cell]
    assert [threat.cell for threat in Fields(sheet).threats] == [here.place]
