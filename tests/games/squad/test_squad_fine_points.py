"""Fine points of several rules: smoke in a stack, Residual FP under Smoke, captured weapons, charges, hidden Guns."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from squad_support import cell, do, drill, get, happened, offered, rule, unit, weapon

import sandtable
from sandtable.engine import Match
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.errors import IllegalAction
from sandtable.engine.events import Rolled
from sandtable.engine.play import Play
from sandtable.games.squad.combat import advance
from sandtable.games.squad.combat.strengths import Block, drm_items
from sandtable.games.squad.fire.eligibility import first_firers
from sandtable.games.squad.fire.firepower import volley
from sandtable.games.squad.fire.model import FireAttack
from sandtable.games.squad.fire.preview import fate_of
from sandtable.games.squad.ground.counters import CHARGE, counters_at
from sandtable.games.squad.ground.entry import off_board_cost, road_off_board
from sandtable.games.squad.ground.setting import ground_of, setting_of
from sandtable.games.squad.ground.stacks import captured, inexperienced, reveal
from sandtable.games.squad.ground.worth import point_values, points_of
from sandtable.games.squad.movement.going import charge_cost
from sandtable.games.squad.movement.model import (
    AddMover,
    BeginMove,
    PlaceCharge,
    Recover,
    SmokeGrenade,
    StartMove,
    Step,
)
from sandtable.games.squad.movement.steps import able_movers
from sandtable.games.squad.ordnance.hits import the_one
from sandtable.games.squad.ordnance.tohit import OrdnanceShot, firer_items
from sandtable.games.squad.pieces.kinds import printed_unit
from sandtable.games.squad.pieces.model import FIRST_FIRE, Unit
from sandtable.games.squad.rally.eligibility import repair_bar
from sandtable.games.squad.scenario.reinforcements import remove_late
from sandtable.games.squad.show.view import unit_facts

PAK = "german 7.5cm PaK 40 AT"


def labels(items: Any) -> dict[str, float]:
    return {item[0]: item[1] for item in items}


def enter(match: Match, place: str) -> None:
    steps = [step for step in offered(match, Step) if step.to == cell(match, place)]
    do(match, max(steps, key=lambda step: step.road))


@rule("3.3")
def test_a_six_for_smoke_ends_the_move_of_the_unit_that_tried_only() -> None:
    units = [unit("a", "german 4-6-7", "F4"), unit("b", "german 4-6-7", "F4")]
    match = drill("z", "MPh", units, attacker="german", dice=[6])
    do(match, StartMove("a"), AddMover("b"), BeginMove(), SmokeGrenade("a", cell(match, "F4")))
    assert [mover.id for mover in able_movers(match.state)] == ["b"]
    enter(match, "F5")
    assert get(match, "b").at == cell(match, "F5")
    assert get(match, "a").at == cell(match, "F4")


@rule("3.3.1")
def test_smoke_in_the_target_hex_does_not_lower_the_residual_fp() -> None:
    units = [unit("r", "russian 4-4-7", "H5"), unit("g", "german 4-6-7", "K5", cx=True)]
    clouds = {"I5": [{"kind": "smoke", "side": "russian"}]}
    match = drill("z", "MPh", units, smoke=clouds)
    do(match, StartMove("r"), BeginMove())
    enter(match, "I5")
    figures = volley(match.state, FireAttack("german", cell(match, "I5"), "first", units=("g",)))
    assert labels((i.label, i.value) for i in figures.drm.items)["Hindrance"] == 3
    assert figures.outside == 1, "CX, but not the Smoke"


@rule("4.1")
@rule("3.3.1")
def test_a_squad_may_use_subsequent_first_fire_without_the_machine_gun_that_fired() -> None:
    units = [unit("r", "russian 4-4-7", "I4"), unit("g", "german 4-6-7", "K5", marker=FIRST_FIRE)]
    match = drill("z", "MPh", units, [weapon("mg", "german LMG", "g", marker=FIRST_FIRE)])
    do(match, StartMove("r"), BeginMove())
    enter(match, "I5")
    match.state.fired_along[f"{cell(match, 'K5')}-{cell(match, 'I5')}"] = ("mg",)
    assert "g" in first_firers(match.state, "german", cell(match, "I5"))
    match.state.fired_along[f"{cell(match, 'K5')}-{cell(match, 'I5')}"] = ("mg", "another squad")
    assert "g" not in first_firers(match.state, "german", cell(match, "I5")), "others of the hex still bind it"


@rule("5.5")
def test_weapons_of_friends_are_not_captured_but_only_the_own_are_repaired() -> None:
    units = [unit("us", "american 7-4-7", "A1"), unit("it", "italian 3-4-7", "C1")]
    weapons = [
        weapon("gb", "british LMG", "us", broken=True),
        weapon("won", "italian LMG", "us"),
        weapon("own", "american MMG", "us", broken=True),
    ]
    state = drill("S9", "PFPh", units, weapons, game="aslsk2", attacker="allied").state
    assert [captured(state, state.weapons[name]) for name in ("gb", "won", "own")] == [False, True, False]
    assert repair_bar(state, state.weapons["gb"], ()) == ("A unit repairs weapons of its own nationality only", "3.1")
    assert repair_bar(state, state.weapons["own"], ()) is None


@rule("5.5")
def test_the_free_french_use_the_german_machine_gun_as_captured() -> None:
    state = sandtable.new("aslsk2/S16", seed=1).state
    foreign = [w for w in state.weapons.values() if w.kind == "german MMG" and w.side != "german"]
    assert foreign
    assert all(captured(state, w) for w in foreign)


@rule("5.4")
def test_green_units_off_board_are_led_by_the_leader_beside_them() -> None:
    units = [unit("a", "american 5-3-6"), unit("b", "american 5-3-6"), unit("l", "american 8-0")]
    for line, beside in zip(units, ("A1", "C1", "A1"), strict=True):
        line["beside"] = beside
    state = drill("z", "MPh", units).state
    assert not inexperienced(state, state.units["a"])
    assert inexperienced(state, state.units["b"])


@rule("1.3")
def test_leaders_of_another_nation_direct_worse_in_close_combat_and_with_ordnance() -> None:
    units = [
        unit("l", "american 9-2", "A1"),
        unit("us", "american 7-4-7", "A1"),
        unit("gb", "british 4-5-7", "A1"),
        unit("e", "italian 3-4-7", "A2"),
    ]
    weapons = [weapon("m1", "british PIAT", "gb"), weapon("m2", "american BAZ 43", "us")]
    match = drill("S9", "PFPh", units, weapons, game="aslsk2", attacker="allied")
    state = match.state
    leader, enemy = state.units["l"], [state.units["e"]]
    for name, held, extra in (("us", "m2", 0), ("gb", "m1", 1)):
        block = Block(state.units[name], (leader,))
        assert labels(drm_items(state, [block], enemy, "")).get("leader of another nationality", 0) == extra
        shot = OrdnanceShot(side="allied", mode="prep", weapon=held, target=enemy[0].at, target_type="LATW", leader="l")
        found = labels(firer_items(state, state.weapons[held], shot, intensive=False))
        assert found.get("leader of another nationality", 0) == extra


@rule("4.0")
@rule("4.3")
@pytest.mark.parametrize(("kind", "most"), [("german 3-3-8", 1), ("german 8-3-8", 2)])
def test_placing_charges_is_the_use_of_weapons(kind: str, most: int) -> None:
    charges = [weapon(name, "german DC", "g") for name in ("d1", "d2", "d3")]
    match = drill("z", "MPh", [unit("g", kind, "H5"), unit("r", "russian 4-4-7", "GG10")], charges, attacker="german")
    do(match, StartMove("g"), BeginMove())
    for placed in range(most):
        do(match, next(action for action in offered(match, PlaceCharge) if action.at == cell(match, "I5")))
        assert len(counters_at(match.state, cell(match, "I5"), CHARGE)) == placed + 1
    assert not [action for action in match.actions("german") if isinstance(action, PlaceCharge)]
    assert [step for step in offered(match, Step) if step.to == cell(match, "I5")], "for want of use, not of MF"


@rule("3.3")
@pytest.mark.parametrize(
    ("others", "may"), [(("german 4-6-7",) * 2, True), (("german 4-6-7",) * 2 + ("german 2-4-7",), False)]
)
def test_a_full_hex_has_no_room_for_a_half_squad_that_mans_a_gun(others: tuple[str, ...], may: bool) -> None:
    units = [unit("h", "german 2-4-7", "F4"), *(unit(f"g{n}", kind, "F4") for n, kind in enumerate(others))]
    for phase in ("MPh", "RPh"):
        match = drill("z", phase, units, [weapon("pak", PAK, at="F4", facing=0)], attacker="german")
        if phase == "MPh":
            do(match, StartMove("h"), BeginMove())
        assert (Recover("h", "pak") in offered(match, Recover)) is may, phase


@rule("3.2.3")
def test_a_gun_that_is_revealed_makes_broken_enemies_beside_it_desperate() -> None:
    units = [unit("r", "russian 4-4-7", "I5", broken=True), unit("c", "german 2-2-8", "J5", hip=True)]
    match = drill("z", "PFPh", units, [weapon("pak", PAK, "c", facing=0, hip=True)])
    play = Play(match.state, ScriptedDice())
    reveal(play, get(match, "c"), "fires")
    assert get(match, "r").dm


@rule("6.1")
@rule("6.4")
def test_the_open_dice_of_a_critical_hit_tell_nothing_of_a_hidden_unit() -> None:
    units = [unit("k", "german 4-6-7", "J5"), unit("c", "german 2-2-8", "J5", hip=True)]
    for die, chosen in ((1, "c"), (2, "k")):
        match = drill("z", "PFPh", units, [weapon("pak", PAK, "c", facing=0, hip=True)])
        play = Play(match.state, ScriptedDice(die))
        assert the_one(play, [get(match, "k"), get(match, "c")], "Critical Hit").id == chosen
        assert not [roll for roll in happened(play.events, Rolled) if roll.known_to("russian")]


@rule("1.1.1")
def test_a_step_off_the_road_where_it_is_all_the_same_is_refused_for_the_road() -> None:
    match = drill("z", "MPh", [unit("r", "russian 4-4-7", "H5")])
    do(match, StartMove("r"), BeginMove())
    along = next(step for step in offered(match, Step) if step.road and Step(step.to) not in offered(match, Step))
    with pytest.raises(IllegalAction, match="along the road"):
        do(match, Step(along.to))


@rule("3.2.3")
def test_the_morale_of_a_broken_wounded_leader_is_shown_as_it_counts() -> None:
    match = drill("z", "RPh", [unit("l", "german 8-1", "K5", broken=True, wounded=True)])
    whole = drill("z", "RPh", [unit("l", "german 8-1", "K5", broken=True)])
    shown = [int(dict(unit_facts(setting_of(m.state), get(m, "l")))["Morale"]) for m in (match, whole)]
    assert shown[0] == shown[1] - 1


@rule("3.3")
def test_who_does_not_enter_in_time_is_eliminated_with_his_points() -> None:
    match = drill("S11", "APh", [unit("r", "german 4-6-7", beside="wU1")], game="aslsk2", attacker="german")
    remove_late(Play(match.state, ScriptedDice()))
    gone = match.state.gone["r"]
    assert (gone.how, gone.points > 0) == ("eliminated", True)


@rule("4.3")
@rule("3.7")
def test_a_charge_and_an_advance_cost_the_road_rate_where_a_road_leads() -> None:
    match = drill("y", "MPh", [unit("r", "russian 6-2-8", "H2")], [weapon("dc", "russian DC", "r")])
    way = ground_of(match.state).way(cell(match, "H2"), cell(match, "G3"))
    assert way is not None
    assert (way.cost, way.road) == (4, 2)
    assert charge_cost(match.state, way) == 2
    ground = ground_of(match.state)
    edges = [c for c in range(ground.size) if road_off_board(match.state, c) and not ground.in_building[c]]
    for place in edges:
        assert advance.entry_cost(match.state, [unit_off(match)], place) == 2
    assert edges


def unit_off(match: Match) -> Unit:
    return replace(get(match, "r"), at=-1)


@rule("1.3")
def test_a_leader_whom_the_card_gives_no_value_counts_nothing() -> None:
    match = drill("S11", "APh", [unit("r", "german 4-6-7", "wU1")], game="aslsk2", attacker="german")
    values = point_values(setting_of(match.state))
    assert values is not None
    worths = {name: points_of(values, printed_unit(f"german {name}")) for name in ("9-2", "9-1", "8-0", "6+1")}
    assert worths == {"9-2": 0, "9-1": 2, "8-0": 1, "6+1": 1}


@rule("3.3")
def test_ground_cut_off_by_the_edge_costs_what_is_printed_on_it() -> None:
    """In S11 the rest of the boards counts: woods beyond wU1, open ground beyond wU2, grain beyond xE6."""
    state = drill("S11", "APh", [unit("r", "german 4-6-7", beside="wU1")], game="aslsk2", attacker="german").state
    ground = ground_of(state)
    costs = [off_board_cost(state, ground.index(name)) for name in ("wU1", "wU2", "xE6")]
    assert costs == [4, 2, 3], "in half MF"
    assert not ground_of(sandtable.new("aslsk2/S10", seed=1).state).off_board, "elsewhere it is open"


@rule("3.2.3")
def test_a_unit_pinned_before_is_not_pinned_by_the_attack() -> None:
    match = drill("z", "PFPh", [unit("g", "german 4-6-7", "K5")])
    free = get(match, "g")
    held = replace(free, pinned=True)
    setting = setting_of(match.state)
    assert [fate_of(setting, before, held) for before in (free, held)] == ["pinned", "unharmed"]
    hurt = replace(free, hurt=True)
    assert [fate_of(setting, before, hurt) for before in (free, hurt)] == ["wounded", "unharmed"]
    assert fate_of(setting, free, replace(free, broken=True)) == "broken"
    assert fate_of(setting, free, replace(hurt, broken=True)) == "wounded and broken"
    assert fate_of(setting, free, None) == "eliminated"
