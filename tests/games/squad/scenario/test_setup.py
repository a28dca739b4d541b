"""Setting up, entering and leaving the map (1.3, 3.1 a, 3.3, 6.4)."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace
from squad_support import do, happened, offered, rule

import sandtable
from sandtable.engine import Match, ScriptedDice, get_game
from sandtable.engine.errors import IllegalAction
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.stacks import STACK_LEADERS, STACK_SQUADS, stacking_of
from sandtable.games.squad.movement.model import BeginMove, Exited, ExitMap, StartMove, Step, StepAside, Stop
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.pieces.events import Eliminated
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.scenario.model import (
    AutoSetUp,
    ChooseEdge,
    GiveWeapon,
    PickEdge,
    PickUnit,
    PickUp,
    PickWeapon,
    Placed,
    PlaceGun,
    PlaceReinforcements,
    PlaceUnit,
    PutBack,
    SetUp,
    SetUpDone,
)
from sandtable.games.squad.scenario.placing import gun_of, may_place

ALL = [f"{name}/{info.id}" for name in ("aslsk2", "aslguide") for info in get_game(name).scenarios()]


def until(match: Match, phase: str, side: str, seed: int = 1) -> None:
    """Let both sides end phases and place reinforcements until a phase of a side."""
    source = random.Random(seed)
    while match.to_act and not (match.state.phase == phase and match.state.attacker == side):
        actions = match.actions(match.to_act[0])
        chosen = [a for a in actions if isinstance(a, (AutoSetUp, SetUpDone, EndPhase, PickEdge))] or list(actions)
        do(match, chosen[int(source.random() * len(chosen))])


@rule("1.3")
@pytest.mark.parametrize("scenario", ALL)
def test_the_automatic_set_up_obeys_the_card(scenario: str) -> None:
    match = sandtable.new(scenario, seed=1)
    state: SquadState = match.state
    setting = setting_of(state)
    for unit in state.units.values():
        group = setting.groups[unit.group]
        if group.setup is None:
            assert unit.at < 0
        else:
            assert unit.at in setting.setup_areas[group.id]
    for cell, names in state.stacks.items():
        size, leaders = stacking_of(state, [state.units[name] for name in names])
        assert size <= STACK_SQUADS, setting.ground.names[cell]
        assert leaders <= STACK_LEADERS
        assert len({state.units[name].side for name in names}) == 1
    for weapon in state.weapons.values():
        assert weapon.owner, "weapons may not set up unpossessed (4.0)"


@rule("1.3")
def test_at_most_one_mmc_a_hex_where_the_card_says_so() -> None:
    match = sandtable.new("aslsk2/S15", seed=1)
    for names in match.state.stacks.values():
        own = [match.state.units[name] for name in names if match.state.units[name].group == "american"]
        assert sum(unit_kind(match.state, unit).mmc for unit in own) <= 1


@rule("1.3")
def test_guns_keep_the_distances_of_the_card() -> None:
    match = sandtable.new("aslsk2/S13", seed=1)
    state: SquadState = match.state
    ground = setting_of(state).ground
    cells = [unit.at for unit in state.units.values() if gun_of(state, unit) is not None]
    assert len(cells) == 3
    for cell in cells:
        others = [other for other in cells if other != cell]
        assert all(ground.ranges[cell][other] >= 2 for other in others)
        assert any(ground.ranges[cell][other] <= 5 for other in others)
        assert all(ground.ranges[cell][hex_] >= 3 for hexes in ground.buildings.values() for hex_ in hexes)


@rule("1.3")
def test_a_player_sets_up_by_hand() -> None:
    match = sandtable.new("aslsk2/S14", seed=1, options={"setup": "players"})
    assert match.to_act == ("german",)
    squad = next(action.unit for action in offered(match, PickUnit))
    do(match, PickUnit(squad))
    places = offered(match, PlaceUnit)
    setting = setting_of(match.state)
    assert all(setting.ground.names[place.at][-1] in "01234567" for place in places)
    with pytest.raises(IllegalAction, match="set-up area"):
        do(match, PlaceUnit(setting.ground.index("E10")))
    do(match, PutBack(), PickUnit(squad), places[0])
    assert match.state.units[squad].at == places[0].at
    assert match.describe(match.to_act[0], PickUp(squad)).role == "leave"  # not something that is still to be done
    do(match, PickUp(squad))
    assert match.state.units[squad].at < 0
    with pytest.raises(IllegalAction, match="not complete"):
        do(match, SetUpDone())
    do(match, AutoSetUp(), SetUpDone())
    assert match.state.phase == "RPh"


@rule("1.2.4")
def test_weapons_are_given_out_before_the_start() -> None:
    match = sandtable.new("aslsk2/S9", seed=1, options={"setup": "players"})
    weapon = offered(match, PickWeapon)[0].weapon
    do(match, PickWeapon(weapon))
    taker = next(action.unit for action in offered(match, GiveWeapon) if not match.state.units[action.unit].weapons)
    do(match, GiveWeapon(taker))
    assert match.state.weapons[weapon].owner == taker
    assert weapon in match.state.units[taker].weapons


@rule("6.4")
@rule("6.3")
def test_a_gun_sets_up_hidden_and_the_enemy_learns_nothing() -> None:
    match = sandtable.new("aslsk2/S14", seed=1, options={"setup": "players"})
    crew = next(u.id for u in match.state.units.values() if gun_of(match.state, u) is not None)
    do(match, PickUnit(crew))
    ground = setting_of(match.state).ground
    places = [p for p in offered(match, PlaceUnit) if ground.woods[p.at] and not ground.paved[p.at]]
    do(match, places[0])
    for watcher in ("american", None):
        seen = {piece["id"] for piece in match.view(watcher)["pieces"]}
        assert not seen & {crew, gun_of(match.state, match.state.units[crew]).id}, "it may still be hidden there"
    assert crew in {piece["id"] for piece in match.view("german")["pieces"]}
    assert PlaceGun(2, hip=True) in offered(match, PlaceGun)
    events = do(match, PlaceGun(2, hip=True))
    (placed,) = happened(events, Placed)
    assert placed.known_to("german")
    assert not placed.known_to("american")
    gun = gun_of(match.state, match.state.units[crew])
    assert gun is not None
    assert gun.emplaced
    assert gun.facing == 2
    assert crew not in {piece["id"] for piece in match.view("american")["pieces"]}
    assert crew in {piece["id"] for piece in match.view("german")["pieces"]}


@rule("6.4")
def test_no_hiding_where_the_card_forbids_it() -> None:
    match = sandtable.new("aslsk2/S12", seed=1)
    assert not any(unit.hip for unit in match.state.units.values())
    assert any(unit.hip for unit in sandtable.new("aslsk2/S14", seed=1).state.units.values())


@rule("3.1")
def test_reinforcements_stand_off_board_and_enter_in_the_mph() -> None:
    match = sandtable.new("aslsk2/S9", seed=1)
    assert isinstance(match.state.stack[-1], PlaceReinforcements)
    with pytest.raises(IllegalAction, match="set up off board now"):
        do(match, SetUpDone())
    squad = offered(match, PickUnit)[0].unit
    do(match, PickUnit(squad))
    ground = setting_of(match.state).ground
    do(match, next(place for place in offered(match, PlaceUnit) if ground.names[place.at] == "K1"))
    assert match.state.units[squad].beside == ground.index("K1")
    do(match, AutoSetUp(), SetUpDone())
    until(match, "MPh", "allied")
    do(match, StartMove(squad), BeginMove())
    assert {ground.names[step.to] for step in offered(match, StepAside)} == {"J0", "L0"}
    do(match, next(step for step in offered(match, StepAside) if ground.names[step.to] == "L0"))
    do(match, Step(ground.index("L0")))
    assert ground.names[match.state.units[squad].at] == "L0"
    mover = match.state.moving.mover(squad)
    assert mover is not None
    assert mover.spent == 2 + ground.entry_cost(ground.index("L0"))


@rule("3.3")
def test_who_does_not_enter_in_time_is_eliminated() -> None:
    match = sandtable.new("aslsk2/S9", seed=1)
    do(match, AutoSetUp(), SetUpDone())
    events = []
    while match.state.attacker == "allied":
        done = [a for a in match.actions(match.to_act[0]) if isinstance(a, EndPhase)]
        events += do(match, (done or list(match.actions(match.to_act[0])))[0])
    gone = happened(events, Eliminated)
    assert len(gone) == 9
    assert {gone.how for gone in match.state.gone.values() if gone.kind == "american 7-4-7"} == {"eliminated"}


@rule("3.3")
def test_units_with_mf_already_spent() -> None:
    match = sandtable.new("aslsk2/S10", seed=1)
    until(match, "MPh", "greek")
    squad = next(u.id for u in match.state.units.values() if u.group == "greek" and unit_kind(match.state, u).squad)
    do(match, StartMove(squad), BeginMove())
    mover = match.state.moving.mover(squad)
    assert mover is not None
    assert mover.spent == 4


@rule("3.1")
def test_provisional_reinforcements_are_diced_for() -> None:
    match = sandtable.new("aslsk2/S10", seed=1, dice=ScriptedDice(3, 4))
    for side in ("greek", "italian", "greek"):
        until(match, "MPh", side)
        assert "flank" not in match.state.entered, "3 is more than 2"
    until(match, "MPh", "italian")
    while not isinstance(match.state.stack[-1], ChooseEdge):
        assert match.state.turn == 3
        actions = match.actions(match.to_act[0])
        do(match, next((action for action in actions if isinstance(action, EndPhase)), actions[-1]))
    do(match, PickEdge("south"))
    do(match, offered(match, PickUnit)[0])
    ground = setting_of(match.state).ground
    rows = {ground.names[place.at].lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for place in offered(match, PlaceUnit)}
    assert rows == {"10"}


@rule("3.3")
@rule("1.3")
def test_exit_wins_at_once() -> None:
    lines = [{"id": f"a{n}", "kind": "american 7-4-7", "at": "H0", "group": "second_battalion"} for n in range(3)] + [
        {"id": "l", "kind": "american 9-2", "at": "H0", "group": "second_battalion"}
    ]
    state = {"phase": "MPh", "attacker": "american", "units": lines, "weapons": []}
    match = sandtable.new({"game": "aslsk2", "scenario": "S14", "state": state}, seed=1)
    do(match, StartMove("l"), BeginMove())
    (event,) = happened(do(match, ExitMap()), Exited)
    assert event.points == 3
    for name in ("a0", "a1"):
        assert match.outcome is None
        do(match, StartMove(name), BeginMove(), ExitMap())
    assert match.outcome is not None
    assert match.outcome.winner == "american"


@rule("3.3")
def test_no_exit_where_victory_does_not_ask_for_it() -> None:
    lines = [{"id": "a", "kind": "american 7-4-7", "at": "A1", "group": "second_battalion"}]
    state = {"phase": "MPh", "attacker": "american", "units": lines, "weapons": []}
    match = sandtable.new({"game": "aslsk2", "scenario": "S14", "state": state}, seed=1)
    do(match, StartMove("a"), BeginMove())
    assert offered(match, ExitMap) == []
    do(match, Stop())


@rule("1.3")
@pytest.mark.parametrize("scenario", ALL)
def test_every_balance_option_can_be_played(scenario: str) -> None:
    game, _, name = scenario.partition("/")
    info = next(info for info in get_game(game).scenarios() if info.id == name)
    plain = len(sandtable.new(scenario, seed=1).state.units) + len(sandtable.new(scenario, seed=1).state.weapons)
    for option in info.options:
        if option.id.startswith("balance_"):
            match = sandtable.new(scenario, seed=1, options={option.id: "on"})
            counters = len(match.state.units) + len(match.state.weapons)
            assert counters >= plain
            assert option.help


@rule("1.2.6")
def test_large_guns_stay_out_of_buildings() -> None:
    match = sandtable.new("aslsk2/S14", seed=1, options={"setup": "players"})
    state: SquadState = match.state
    assert isinstance(state.stack[-1], SetUp)
    crew = next(u.id for u in state.units.values() if gun_of(state, u) is not None)
    ground = setting_of(state).ground
    buildings = [cell for cell in setting_of(state).setup_areas["german"] if ground.in_building[cell]]
    assert not any(may_place(state, crew, cell) for cell in buildings), "an 88 is no small target"


@rule("G37")
def test_a_secret_set_up_shows_where_stacks_stand_and_nothing_else() -> None:
    match = sandtable.new("aslguide/intro", seed=1, options={"setup": "players"})
    while match.to_act == ("german",):
        do(match, next(a for a in (AutoSetUp(), SetUpDone()) if a in match.actions("german")))
    assert match.to_act == ("russian",)
    assert not [piece for piece in match.view("russian")["pieces"] if piece["side"] == "german"]
    assert [piece for piece in match.view("german")["pieces"] if piece["side"] == "german"]
    stacks = {mark["at"] for mark in match.view("russian")["marks"] if mark["face"] == "marker/stack"}
    assert stacks == {setting_of(match.state).ground.names[cell] for cell in match.state.stacks}
    assert {mark["face"] for mark in match.view("german")["marks"]} <= {
        "marker/control-german",
        "marker/control-russian",
    }
    dealt = match.game.reshuffle(match.state.clone(), "russian", random.Random(2))
    assert dealt is not None
    other = match.clone()
    other.adopt(dealt)
    assert other.state != match.state
    assert other.view("russian") == match.view("russian")
    assert list(other.actions("russian")) == list(match.actions("russian"))


@rule("G37")
def test_hidden_units_are_not_dealt_to_where_stacks_are_seen() -> None:
    match = sandtable.new("aslguide/intro", seed=1, options={"setup": "players"})
    do(match, AutoSetUp())
    alone = next(units[0] for units in match.state.stacks.values() if len(units) == 1)
    match.state.units[alone] = replace(match.state.units[alone], hip=True)
    for seed in range(9):
        other = match.clone()
        other.adopt(match.game.reshuffle(match.state.clone(), "russian", random.Random(seed)))
        assert other.view("russian") == match.view("russian")


@rule("B20.9")
def test_whoever_is_at_a_crest_stays_there_for_its_front_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    match = sandtable.new("aslguide/intro", seed=1, options={"setup": "players"})
    do(match, AutoSetUp())
    (cell, names), *_ = match.state.stacks.items()
    monkeypatch.setattr(setting_of(match.state).ground, "floors", {cell: cell})
    for seed in range(9):
        dealt = match.game.reshuffle(match.state.clone(), "russian", random.Random(seed))
        assert dealt.stacks[cell] == names


@rule("1.3")
@rule("3.3")
def test_a_hex_that_is_full_is_not_offered_to_whoever_sets_up() -> None:
    match = sandtable.new("aslsk2/S14", seed=1, options={"setup": "players"})
    squads = [a.unit for a in offered(match, PickUnit) if unit_kind(match.state, match.state.units[a.unit]).squad]
    do(match, PickUnit(squads[0]))
    place = offered(match, PlaceUnit)[0]
    do(match, place)
    for squad in squads[1:3]:
        do(match, PickUnit(squad), place)
    do(match, PickUnit(squads[3]))
    assert place not in offered(match, PlaceUnit)
    assert offered(match, PlaceUnit)
