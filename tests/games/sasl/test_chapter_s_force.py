"""Rules of chapter S, each in a short story: boards, VPO, command, the force and its reinforcements."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec.structs import replace
from sasl_support import field, friend, mission_without_suspects, playing, stand

import sandtable
from sandtable.engine import Decided, Play
from sandtable.engine.dice import StreamDice, secret_of_seed
from sandtable.engine.events import Rolled
from sandtable.engine.registry import register
from sandtable.games.sasl import GAME, command, events, force, game, shortage, suspects
from sandtable.games.sasl import setting_up as rolling
from sandtable.games.sasl.activation import check_tally
from sandtable.games.sasl.compass import edge_cells
from sandtable.games.sasl.enemy import orders
from sandtable.games.sasl.enemy.firing import sieves
from sandtable.games.sasl.missions import MISSIONS, add_objectives
from sandtable.games.sasl.model import (
    ENEMY,
    FRIENDLY,
    OBJECTIVES,
    ORDERS,
    PANIC,
)
from sandtable.games.sasl.offensives import engineers
from sandtable.games.sasl.opposition import companies_of
from sandtable.games.sasl.roads import gaps, network
from sandtable.games.sasl.rolled import Board, as_data, rolled_in, scenario_of
from sandtable.games.sasl.suspects import board_cells, board_of
from sandtable.games.sasl.tables import events as tables
from sandtable.games.squad.ground.map import Way
from sandtable.games.squad.ground.setting import find_setting, setting_of, unit_kind, write_key
from sandtable.games.squad.part import Roll
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.pieces.model import PREP_FIRE, SquadState, Unit

register(GAME)


@pytest.fixture
def state() -> SquadState:
    return mission_without_suspects()


# -- boards and force ---------------------------------------------------------------------------------------


@pytest.mark.rule("S13.23")
@pytest.mark.parametrize(("dr", "config"), [(3, "A"), (4, "B")])
def test_the_configuration_is_rolled_where_there_are_two(state: SquadState, dr: int, config: str) -> None:
    base = rolled_in(state)
    assert MISSIONS[2].lay_out(playing(state, dr), base).config == config
    assert MISSIONS[5].lay_out(playing(state), base).config == base.config


@pytest.mark.rule("S13.23")
@pytest.mark.parametrize(
    ("config", "dr", "way"), [("A", 3, "north"), ("A", 4, "south"), ("B", 3, "east"), ("B", 4, "west")]
)
def test_where_the_number_of_a_board_lies(state: SquadState, config: str, dr: int, way: str) -> None:
    play = playing(state, dr)
    laid = rolling.lay_board(play, replace(rolled_in(state), config=config), Board("v3", "", "village"), "w")
    assert laid.turned is (dr > 3)
    (told,) = (event.why for event in play.events if isinstance(event, Decided))
    assert f"with its number to the {way}" in told


@pytest.mark.rule("S13.21")
@pytest.mark.parametrize(
    ("printed", "places", "plain"), [("v41", ("Russia",), True), ("v41", (), False), ("v3", ("Russia",), False)]
)
def test_board_41_is_of_wood_and_without_paved_roads_in_russia(
    state: SquadState, printed: str, places: tuple[str, ...], plain: bool
) -> None:
    """Note 2 of A9: it holds for the board that lies in its place as well; lines of sight stay the same."""
    base = replace(rolled_in(state), places=places)
    play = playing(state, 3)
    board = rolling.lay_board(play, base, Board(printed, "", "village"), "w")
    ground = find_setting(write_key("sasl", "1", {}, as_data(replace(base, boards=(board,))))).ground
    stone = [cell for cell in range(ground.size) if ground.in_building[cell] and suspects.stone(ground, cell)]
    assert any(ground.in_building)
    assert bool(stone) is not plain
    assert any(ground.paved) is not plain
    (told,) = (event.why for event in play.events if isinstance(event, Decided))
    assert told.endswith("its roads unpaved (note 2)") is plain


@pytest.mark.rule("S14.13")
@pytest.mark.parametrize(("turned", "hexes"), [(False, ("D7",)), (True, ("F2",))])
def test_of_two_hexes_of_a_river_board_the_one_nearer_the_ebe_is_the_vpo(turned: bool, hexes: tuple[str, ...]) -> None:
    assert rolling.objective_places(Board("7", "7", "rural", turned=turned))[0] == hexes


@pytest.mark.rule("S13.231", "S13.2312")
def test_the_road_network_leads_from_edge_to_edge_with_the_fewest_gaps() -> None:
    setting = setting_of(sandtable.new("sasl/5", seed=5, options={"boards": "shipped"}).state)
    road = network(setting)
    assert road[0] in edge_cells(setting, "west")
    assert road[-1] in edge_cells(setting, "east")
    assert all(other in setting.ground.near[one] for one, other in pairwise(road))
    without = sum(not setting.ground.has_road[cell] for cell in road)
    assert gaps(setting) >= without


@pytest.mark.rule("S13.2312")
@pytest.mark.parametrize("seed", [1, 2, 5])
def test_no_other_way_of_the_road_network_has_fewer_gaps_or_steps(seed: int) -> None:
    setting = setting_of(sandtable.new("sasl/5", seed=seed, options={"boards": "shipped"}).state)
    ground, road = setting.ground, network(setting)

    def step(way: Way) -> tuple[int, int]:
        return (0, 1) if way.road else (1, ground.entry_cost(way.to))

    west = edge_cells(setting, "west")
    best = {cell: (0 if ground.has_road[cell] else 1, 0) for cell in west}
    while True:
        found = dict(best)
        for cell, (plowed, length) in best.items():
            for way in ground.ways[cell]:
                more = (plowed + step(way)[0], length + step(way)[1])
                found[way.to] = min(found.get(way.to, more), more)
        if found == best:
            break
        best = found
    ways = [way for one, other in pairwise(road) if (way := ground.way(one, other))]
    begins = 0 if ground.has_road[road[0]] else 1
    cost = (begins + sum(step(way)[0] for way in ways), sum(step(way)[1] for way in ways))
    assert cost == min(best[cell] for cell in edge_cells(setting, "east"))


@pytest.mark.rule("S15.1")
@pytest.mark.parametrize(
    ("squads", "halves", "number"), [(6, 0, 2), (6, 1, 3), (7, 0, 3), (5, 2, 2), (5, 3, 3), (1, 0, 1)]
)
def test_a_bought_force_has_a_leader_and_a_weapon_for_every_three_squads_or_part(
    state: SquadState, monkeypatch: pytest.MonkeyPatch, squads: int, halves: int, number: int
) -> None:
    monkeypatch.setattr(force.generation, "leader", lambda play, own, kinds: "german 8-0")
    monkeypatch.setattr(force.generation, "support_weapon", lambda play, own: "german LMG")
    bought = (("german 4-6-7", squads), ("german 2-4-7", halves))[: 2 if halves else 1]
    found = dict(force.equip(playing(state), rolled_in(state), bought).units)
    assert found == {**dict(bought), "german 8-0": number, "german LMG": number}


@pytest.mark.rule("S14.2", "S14.3")
def test_a_vpo_in_a_building_is_all_of_it(state: SquadState) -> None:
    ground = setting_of(state).ground
    building, cells = next((name, cells) for name, cells in ground.buildings.items() if len(cells) > 1)
    board = rolled_in(state).boards[0]
    OBJECTIVES.of(state).clear()
    add_objectives(state, replace(board, vpo=((ground.names[cells[0]],),)))
    (one,) = OBJECTIVES.of(state).values()
    assert building
    assert set(one.cells) == set(cells)
    assert set(one.owners) == {ENEMY}


@pytest.mark.rule("S16", "S16.1", "S16.32")
def test_who_makes_a_command_dr(state: SquadState) -> None:
    for unit in [unit for unit in state.units.values() if unit.side == FRIENDLY]:
        del state.units[unit.id]
    cell = field(state)
    squad = friend(state, cell, 1)
    broken = friend(state, cell, 2)
    state.units[broken.id] = replace(broken, broken=True)
    hero = friend(state, cell, 3, "german Hero 1-4-9")
    away = Unit("t4", FRIENDLY, "german 4-6-7", group="company")
    state.units["t4"] = away
    asked = {unit.id for unit in state.units.values() if command.asks(state, unit)}
    assert asked == {squad.id}
    assert hero.id not in asked
    state.attacker = FRIENDLY
    command.checks(playing(state, 6, 6))
    assert ORDERS.of(state)[squad.id].what == PANIC
    assert set(ORDERS.of(state)) == {squad.id}


@pytest.mark.rule("S18.1", "S17.81")
def test_a_company_comes_with_the_leaders_that_it_rolls(state: SquadState) -> None:
    base = replace(rolled_in(state), units=())
    company = companies_of(base.friendly, base.date)[0]
    found = dict(force.muster(Play(state, StreamDice(secret_of_seed(6))), base, company).units)
    for printed, number in company.units.items():
        if printed != "Leader":
            assert found[str(rolling.counter_kind(base.friendly_nation, printed))] == number
    ranks = [name for name in found if name.split()[-1] in ("6+1", "7-0", "8-0", "8-1", "9-1", "9-2", "10-2", "10-3")]
    assert sum(found[name] for name in ranks) == company.units["Leader"]


@pytest.mark.rule("M4 MSR 3")
@pytest.mark.parametrize(("mark", "squads", "charges", "throwers"), [(1, 2, 2, 1), (2, 3, 3, 2)])
def test_engineers_are_elite_squads_of_the_highest_firepower(
    state: SquadState, mark: int, squads: int, charges: int, throwers: int
) -> None:
    found = dict(engineers(Play(state, StreamDice(secret_of_seed(6))), rolled_in(state), mark))
    kinds = {
        name: unit_kind(state, Unit("x", FRIENDLY, name)) for name in found if " DC" not in name and " FT" not in name
    }
    (squad,) = [name for name, kind in kinds.items() if kind.squad]
    assert found[squad] == squads
    assert kinds[squad].unit_class == "E"
    assert sum(found[name] for name, kind in kinds.items() if kind.leads) == 1
    assert found["german DC"] == charges
    assert found["german FT"] == throwers


@pytest.mark.rule("S15.5")
def test_reinforcements_come_by_the_friendly_board_edge(state: SquadState) -> None:
    """RE 34-36: squads of one type with leaders and SW wait off board and enter along the FBE."""
    before = set(state.units)
    name = events.table_of(state, FRIENDLY)
    event = tables.event(name, 3, 5)
    assert events.occur(Play(state, StreamDice(secret_of_seed(6))), FRIENDLY, event)
    new = [unit for unit in state.units.values() if unit.id not in before]
    squads = {unit.kind for unit in new if unit_kind(state, unit).squad}
    assert len(squads) == 1
    assert all(unit.side == FRIENDLY and unit.at < 0 for unit in new)


@pytest.mark.rule("M1")
@pytest.mark.parametrize(("hexes", "rolls"), [(5, 1), (6, 0)])
def test_a_board_may_open_when_somebody_is_within_five_hexes_of_it(state: SquadState, hexes: int, rolls: int) -> None:
    setting = setting_of(state)
    ranges = setting.ground.ranges
    east = edge_cells(setting, "east")
    cell = next(c for c in range(setting.ground.size) if min(ranges[c][edge] for edge in east) == hexes - 1)
    play = playing(state, 1)
    MISSIONS[1].entered(play, [friend(state, cell)])
    assert len([event for event in play.events if isinstance(event, Rolled)]) == rolls


@pytest.mark.rule("M3")
def test_only_recon_sets_its_company_up_on_the_map() -> None:
    for number in (1, 3):
        base = rolled_in(sandtable.new(f"sasl/{number}", seed=5, options={"boards": "shipped"}).state)
        company = next(group for group in scenario_of(base).groups if group.id == "company")
        assert (company.setup is None, company.entry is None) == (number != 3, number == 3)


@pytest.mark.rule("S4.11")
def test_a_hex_lies_on_the_board_whose_name_it_bears() -> None:
    found = sandtable.new("sasl/2", seed=5, options={"boards": "shipped"}).state
    boards = rolled_in(found).boards
    cells = [board_cells(setting_of(found), board)[0] for board in boards]
    assert len(boards) == 2
    assert [board_of(found, cell) for cell in cells] == list(boards)


@pytest.mark.rule("S6.1")
def test_an_enemy_without_units_ends_its_prep_fire(state: SquadState) -> None:
    for name in [unit.id for unit in state.units.values() if unit.side == ENEMY]:
        del state.units[name]
    state.attacker, state.phase = ENEMY, "PFPh"
    assert orders.prep(playing(state), [EndPhase()]) == EndPhase()


@pytest.mark.rule("S4.2")
@pytest.mark.parametrize("attacker", [FRIENDLY, ENEMY])
def test_suspects_move_and_advance_in_the_enemys_player_turn(
    state: SquadState, monkeypatch: pytest.MonkeyPatch, attacker: str
) -> None:
    moved: list[str] = []
    monkeypatch.setattr(game.roaming, "move_suspects", lambda play: moved.append("moves"))
    monkeypatch.setattr(game.roaming, "advance_suspects", lambda play: moved.append("advances"))
    state.attacker = attacker
    game._begin_movement(playing(state))
    game._begin_advance(playing(state))
    assert moved == (["moves", "advances"] if attacker == ENEMY else [])


@pytest.mark.rule("S8.1")
def test_the_sieve_for_concealed_targets_lets_them_through(state: SquadState) -> None:
    cell = field(state)
    near = setting_of(state).ground.near[cell]
    friend(state, near[0], 1, concealed=True)
    friend(state, near[1], 2)
    unit = stand(state, "e", "russian 4-4-7", cell)
    keys = sieves(state, cell, [unit])
    assert [bool(keys["concealed"](place)) for place in near[:2]] == [False, True], "the smallest come first"
    assert [bool(keys["Known"](place)) for place in near[:2]] == [True, False]


@pytest.mark.rule("S5.1")
def test_what_makes_an_activation_check_easier(state: SquadState) -> None:
    """A VPO Location in or beside the hex, and an ENEMY unit on the map within two hexes."""
    ground = setting_of(state).ground
    OBJECTIVES.of(state).clear()
    cell = ground.size - 1
    stand(state, "off", "russian 4-4-7", cell)
    state.stacks.pop(cell)
    state.units["off"] = replace(state.units["off"], at=-1)

    def labels() -> set[str]:
        one = suspects.add(state, at=cell, attitude="Hold", edge="west", colour="")
        return {item.label for item in check_tally(state, one).items}

    near = "an Activated ENEMY unit within two hexes or in the same building"
    vpo = "S? in or ADJACENT to a VPO Location"
    assert not {near, vpo} & labels()
    add_objectives(state, replace(rolled_in(state).boards[0], vpo=((ground.names[ground.near[cell][0]],),)))
    assert {near, vpo} & labels() == {vpo}
    stand(state, "on", "russian 4-4-7", ground.near[cell][0])
    assert {near, vpo} & labels() == {near, vpo}


@pytest.mark.rule("A19.131")
def test_a_squad_short_of_ammunition_falls_off_by_an_original_12(state: SquadState) -> None:
    squad = friend(state, field(state), marker=PREP_FIRE)
    roll = Roll("fire", FRIENDLY, (6, 6), (squad.id,), squad.at)
    shortage._fired(playing(state), roll)
    assert state.units[squad.id].kind == "german 4-6-7"
    shortage.SHORT.put(state, (FRIENDLY,))
    shortage._fired(playing(state), roll)
    assert state.units[squad.id].kind == "german 4-4-7"


@pytest.mark.rule("S5.1")
@pytest.mark.parametrize(("how", "attacker", "triggers"), [("advances", FRIENDLY, 1), ("moves", FRIENDLY, 0)])
def test_an_advance_of_friendly_units_triggers_activation_checks(
    state: SquadState, monkeypatch: pytest.MonkeyPatch, how: str, attacker: str, triggers: int
) -> None:
    found: list[list[str]] = []
    monkeypatch.setattr(game.activation, "trigger", lambda play, units, why: found.append([unit.id for unit in units]))
    cell = field(state)
    state.attacker = attacker
    unit = friend(state, cell)
    game._advanced(playing(state, 6), [unit.id], cell, cell, how)
    assert found == [[unit.id]] * triggers
