"""Random Events sentence by sentence: whom they strike, which board they choose, where they let S? go (S2.3)."""

from __future__ import annotations

from functools import cache

import pytest
from msgspec.structs import replace
from sasl_support import OPTIONS, Falling, field, friend, mission_without_suspects, playing, stand

import sandtable
from sandtable.engine import Decided, Match, Play
from sandtable.engine.dice import StreamDice, secret_of_seed
from sandtable.engine.registry import register
from sandtable.games.asl.concealment.seen import concealment_terrain
from sandtable.games.asl.heat.model import BERSERK
from sandtable.games.asl.surrender import DISRUPTED
from sandtable.games.asl.works.digging import may_dig
from sandtable.games.sasl import GAME, arrivals, enemy_events, entering, events, finds, friendly_events, hazards, valour
from sandtable.games.sasl.compass import distances, edge_cells
from sandtable.games.sasl.growing import key_of
from sandtable.games.sasl.model import (
    ADVANCE,
    ENEMY,
    FRIENDLY,
    HOLD,
    OBJECTIVES,
    ORDERS,
    PANIC,
    ROSTER,
    SUSPECTS,
    Activated,
    ObjectiveTaken,
    Order,
    SuspectsPlaced,
)
from sandtable.games.sasl.rolled import rolled_in
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.sasl.show import WORDS, roster_panel
from sandtable.games.sasl.suspects import add, board_cells
from sandtable.games.sasl.tables import events as tables
from sandtable.games.squad.ground.setting import setting_of, weapon_kind
from sandtable.games.squad.ground.stacks import name_of, put
from sandtable.games.squad.pieces.model import Gone, SquadState

register(GAME)
rule = pytest.mark.rule


@pytest.fixture
def state() -> SquadState:
    """Mission 1 without S? and with nobody on the map."""
    found = mission_without_suspects()
    for unit in list(found.units.values()):
        found.units[unit.id] = replace(unit, at=-1, beside=-1)
    found.stacks.clear()
    return found


@cache
def _mission(number: int) -> Match:
    return sandtable.new(f"sasl/{number}", seed=8, options=OPTIONS)


def mission(number: int) -> SquadState:
    """Another mission without S?."""
    found: SquadState = _mission(number).state.clone()
    SUSPECTS.of(found).clear()
    return found


def event_of(table: str, name: str) -> tables.Event:
    return next(one for one in tables.events(table) if one.event == name)


def play_of(state: SquadState, seed: int = 3) -> Play[SquadState]:
    return Play(state, StreamDice(secret_of_seed(seed)))


# -- S? where they stand --------------------------------------------------------------------------------------


@rule("S2.3", "S3.2")
def test_a_counterattack_starts_on_the_board_with_most_suspects_in_whatever_attitude() -> None:
    state = mission(2)
    boards = [board_cells(setting_of(state), board) for board in rolled_in(state).boards]
    for cell in boards[0][60:63]:
        add(state, at=cell, attitude=ADVANCE)
    for cell in boards[1][60:62]:
        add(state, at=cell, attitude=HOLD)
    play = play_of(state)
    enemy_events.counterattack(play, event_of("A11", "counterattack"))
    (where,) = [event.row for event in play.events if isinstance(event, Decided) and event.table == "A11 05"]
    assert setting_of(state).ground.index(where) in boards[0]


@rule("S4.12")
@pytest.mark.parametrize(("face", "comes"), [(1, True), (3, False)])
def test_infiltration_of_a_village_asks_a9e_for_each_building(state: SquadState, face: int, comes: bool) -> None:
    base = rolled_in(state)
    state.setting = key_of(state, replace(base, boards=(replace(base.boards[0], printed="c10"),)))
    friend(state, field(state))
    assert enemy_events.infiltration(Play(state, Falling(face)), event_of("A11", "infiltration")) is comes
    assert bool(SUSPECTS.of(state)) is comes


@rule("S2.31")
def test_infiltration_of_vpo_is_impossible_where_each_of_them_has_a_suspect(state: SquadState) -> None:
    event = event_of("A11", "infiltration by VPO")
    goals = [cell for goal in OBJECTIVES.of(state).values() for cell in goal.cells]
    for cell in goals:
        add(state, at=cell)
    assert not enemy_events.infiltration_vpo(playing(state), event)
    SUSPECTS.of(state).popitem()
    assert enemy_events.infiltration_vpo(playing(state), event)


@rule("S2.3", "S14")
def test_a_vpo_location_that_reverts_to_the_enemy_is_told(state: SquadState) -> None:
    goal = next(iter(OBJECTIVES.of(state).values()))
    OBJECTIVES.of(state)[goal.id] = replace(goal, owners=(FRIENDLY,) * len(goal.cells))
    play = playing(state)
    enemy_events.infiltration_vpo(play, event_of("A11", "infiltration by VPO"))
    assert set(OBJECTIVES.of(state)[goal.id].owners) == {ENEMY}
    taken = [event for event in play.events if isinstance(event, ObjectiveTaken)]
    assert {(event.objective, event.side) for event in taken} == {(goal.id, ENEMY)}


@rule("S4.1")
def test_infiltrators_are_a_pocket_of_five_at_most_and_lie_in_its_hex(
    state: SquadState, monkeypatch: pytest.MonkeyPatch
) -> None:
    ground = setting_of(state).ground
    event = event_of("A11", "infiltrators")
    friend(state, next(cell for cell in range(ground.size) if ground.open[cell]))

    def around(centre: int) -> int:
        return sum(concealment_terrain(ground, cell) for cell in range(ground.size) if ground.ranges[centre][cell] <= 2)

    thick = max(range(ground.size), key=around)
    assert around(thick) > 5
    monkeypatch.setattr(enemy_events, "random_hex", lambda play, board: thick)
    assert enemy_events.infiltrators(play_of(state), event)
    assert len(SUSPECTS.of(state)) == 5
    SUSPECTS.of(state).clear()
    bare = min(range(ground.size), key=lambda cell: (around(cell), -ground.ranges[thick][cell]))
    assert not concealment_terrain(ground, bare)
    monkeypatch.setattr(enemy_events, "random_hex", lambda play, board: bare)
    assert enemy_events.infiltrators(play_of(state), event)
    assert bare in {one.at for one in SUSPECTS.of(state).values()}


@rule("S2.31")
def test_resistance_does_not_fade_while_every_suspect_waits_off_board(state: SquadState) -> None:
    add(state, beside=edge_cells(setting_of(state), "east")[3], attitude=ADVANCE)
    assert not friendly_events.fading(playing(state), event_of("G9", "fading"))


@rule("S2.3")
def test_suspects_of_several_boards_are_told_without_the_name_of_one(state: SquadState) -> None:
    play = playing(state)
    assert enemy_events.infiltration_vpo(play, event_of("A11", "infiltration by VPO"))
    (placed,) = [event for event in play.events if isinstance(event, SuspectsPlaced)]
    assert WORDS[SuspectsPlaced](state, placed).endswith(f"{placed.number} S? are set up (infiltration)")


# -- S? that come ---------------------------------------------------------------------------------------------


def headings(state: SquadState) -> set[str]:
    return {one.edge for one in SUSPECTS.of(state).values()}


@rule("M19 MSR 2", "M19 MSR 3")
def test_suspects_of_events_in_mission_19_come_by_a_flank_and_go_for_the_fbe() -> None:
    state = mission(19)
    assert enemy_events.reinforcements(play_of(state), event_of("A11", "reinforcements"))
    flanks = {cell for edge in ("north", "south") for cell in edge_cells(setting_of(state), edge)}
    assert {one.beside for one in SUSPECTS.of(state).values()} <= flanks
    assert headings(state) == {"west"}
    came = entering.come_on(play_of(state))
    far = distances(setting_of(state), "east")
    assert {SUSPECTS.of(state)[name].at for name in came} <= flanks
    assert max(far[SUSPECTS.of(state)[name].at] for name in came) > 0, "not all at the EBE"
    SUSPECTS.of(state).clear()
    state.turn += 1
    state.attacker = ENEMY
    events.follow_up(Play(state, Falling(6, extra=1)))
    assert headings(state) == {"west"}
    assert {one.beside for one in SUSPECTS.of(state).values()} <= flanks


@rule("M19 MSR 4")
def test_a_charge_that_would_be_a_flank_attack_does_not_occur_in_mission_19() -> None:
    state = mission(19)
    state.setting = key_of(state, replace(rolled_in(state), enemy="G"))
    assert events.barred(state, ENEMY, tables.event("A11", 5, 4))


@rule("S3.322")
@pytest.mark.parametrize(("name", "goes"), [("reinforcements", "west"), ("flank attack", "south")])
def test_partisans_go_for_the_fbe_unless_they_attack_from_the_flank(
    state: SquadState, monkeypatch: pytest.MonkeyPatch, name: str, goes: str
) -> None:
    monkeypatch.setattr(enemy_events, "pick", lambda play, among, why: "north")
    state.setting = key_of(state, replace(rolled_in(state), enemy="P"))
    assert enemy_events.EFFECTS[name](play_of(state), event_of("P9", name))
    north = edge_cells(setting_of(state), "north")
    assert {one.beside for one in SUSPECTS.of(state).values()} <= set(north)
    assert headings(state) == {goes}


@rule("S2.3")
def test_the_reinforcement_dr_waits_for_a_later_turn(state: SquadState) -> None:
    """An event of M1 MSR 2 comes before the RPh of its own Player Turn."""
    state.attacker = ENEMY
    enemy_events.reinforcements(play_of(state), event_of("A11", "reinforcements"))
    events.follow_up(playing(state))
    assert len(ROSTER.of(state).follow) == 1
    state.turn += 1
    events.follow_up(playing(state, 6))
    assert ROSTER.of(state).follow == ()


@rule("S2.3")
def test_a_strongpoint_is_told_as_a_pillbox_and_not_as_a_suspect(state: SquadState) -> None:
    state.setting = key_of(state, replace(rolled_in(state), enemy="P", places=("Russia",)))
    far = distances(setting_of(state), "east")
    ground = setting_of(state).ground
    friend(state, next(cell for cell in range(ground.size) if far[cell] == 8 and ground.open[cell]))
    play = play_of(state, 0)
    assert enemy_events.strongpoint(play, event_of("P9", "strongpoint"))
    found = next(event for event in play.events if isinstance(event, Activated))
    assert WORDS[Activated](state, found).startswith(f"The pillbox in {found.at} is held by ")


# -- mines ------------------------------------------------------------------------------------------------------


@rule("S2.3", "B28.1")
def test_each_minefield_has_a_strength_of_its_own(state: SquadState) -> None:
    far = distances(setting_of(state), "east")
    fields = [cell for cell in range(len(far)) if hazards.mineable(state, cell)]
    one = fields[len(fields) // 2]
    other = next(cell for cell in fields if cell != one and far[cell] == far[one])
    friend(state, one, 1)
    friend(state, other, 2)
    assert hazards.minefield(playing(state, 1, 6), event_of("A11", "minefield"))
    assert sorted(mark.split(" ")[1] for mark in ROSTER.of(state).strikes) == ["12", "6"]


# -- berserk ------------------------------------------------------------------------------------------------------


@rule("S2.3", "A15.42")
@pytest.mark.parametrize(("table", "drm"), [("A11", 0), ("P9", -1)])
def test_a_berserk_leader_of_partisans_helps_those_beside_him_to_follow(
    state: SquadState, monkeypatch: pytest.MonkeyPatch, table: str, drm: int
) -> None:
    """Each takes one NTC: those of his Location as for every berserk leader."""
    ground = setting_of(state).ground
    cell = field(state)
    beside = [other for other in ground.near[cell] if ground.open[other]]
    friend(state, beside[0])
    stand(state, "l", "russian 9-1", cell)
    stand(state, "a", "russian 4-4-7", cell)
    stand(state, "b", "russian 4-4-7", beside[2])
    taken: list[tuple[str, int]] = []
    monkeypatch.setattr(valour, "_passes", lambda play, unit, drm, event: bool(taken.append((unit.id, drm))))
    monkeypatch.setattr(valour, "best", lambda play, able, by, what: (state.units["l"], []))
    assert valour.berserk(playing(state, 6, 6), event_of(table, "berserk"))
    assert BERSERK in state.units["l"].marks
    assert taken == ([("b", drm)] if table == "P9" else [("a", drm), ("b", drm)])


@rule("S2.3")
@pytest.mark.parametrize(("concealed", "told"), [(True, False), (False, True)])
def test_the_ntc_of_a_concealed_enemy_does_not_tell_his_morale(state: SquadState, concealed: bool, told: bool) -> None:
    unit = stand(state, "a", "russian 4-4-7", field(state), concealed=concealed)
    play = playing(state, 6, 6)
    assert not valour._passes(play, unit, 0, event_of("A11", "berserk"))
    (said,) = [event.why for event in play.events if isinstance(event, Decided)]
    assert said.endswith("failed")
    assert ("against 7" in said) is told


# -- who comes to help --------------------------------------------------------------------------------------------


@rule("S2.3")
@pytest.mark.parametrize(("date", "squad"), [("1942-05", "5-5-8"), ("1943-05", "6-6-8"), ("1944-05", "7-6-8")])
def test_an_elite_squad_is_one_that_there_is_at_the_date(state: SquadState, date: str, squad: str) -> None:
    state.setting = key_of(state, replace(rolled_in(state), enemy="M", date=date, places=("PTO",)))
    assert enemy_events.elite(playing(state), far=True) == f"usmc {squad}"


@rule("S15.5")
@pytest.mark.parametrize(("date", "bazooka"), [("1942-12", "BAZ 43"), ("1944-02", "BAZ 44"), ("1945-02", "BAZ 45")])
def test_us_sappers_bring_the_latest_bazooka(state: SquadState, date: str, bazooka: str) -> None:
    base = replace(rolled_in(state), friendly="U", friendly_nation="american", date=date)
    state.setting = key_of(state, base)
    before = set(state.weapons)
    assert arrivals.sappers(play_of(state), event_of("U9", "sappers"))
    new = {weapon_kind(weapon).name for name, weapon in state.weapons.items() if name not in before}
    assert {name for name in new if name.startswith("BAZ")} == {bazooka}


@rule("S15.5")
@pytest.mark.parametrize(
    ("nation", "date", "size"), [("british", "1941-05", 76), ("british", "1943-05", 76), ("free_french", "1942-05", 81)]
)
def test_a_british_mortar_section_comes_without_its_carriers(
    state: SquadState, nation: str, date: str, size: int
) -> None:
    base = replace(rolled_in(state), friendly="B", friendly_nation=nation, date=date)
    state.setting = key_of(state, base)
    before = set(state.weapons)
    assert arrivals.mortars(play_of(state), event_of("B9", "mortars"))
    assert {weapon_kind(weapon).caliber for name, weapon in state.weapons.items() if name not in before} == {size}


@rule("S17.81")
@pytest.mark.parametrize(
    ("date", "rank"), [("1940-05", "8-0"), ("1942-05", "8-1"), ("1943-05", "8-1"), ("1945-02", "9-1")]
)
def test_the_russian_drm_count_for_a_leader_of_partisans(state: SquadState, date: str, rank: str) -> None:
    base = replace(rolled_in(state), date=date)
    assert arrivals._partisan_leader(playing(state, 2), base, 5) == rank


# -- who rallies ----------------------------------------------------------------------------------------------------


@rule("S2.3")
@pytest.mark.parametrize(("marks", "rallies"), [((), True), ((DISRUPTED,), False)])
def test_a_rally_by_an_event_is_told_and_leaves_out_the_disrupted(
    state: SquadState, marks: tuple[str, ...], rallies: bool
) -> None:
    cell = field(state)
    stand(state, "l", "german 8-0", cell)
    stand(state, "b", "german 4-6-7", cell, broken=True, dm=True, marks=marks)
    play = playing(state)
    assert friendly_events.rally(play, event_of("U9", "rally")) is rallies
    assert state.units["b"].broken is not rallies
    told = [event.why for event in play.events if isinstance(event, Decided)]
    assert [words.endswith("rallies") for words in told] == [True] * rallies


@rule("S2.3", "A19.12")
def test_an_enemy_leader_who_hardens_rallies_even_the_disrupted(state: SquadState) -> None:
    cell = field(state)
    stand(state, "l", "russian 8-0", cell)
    stand(state, "b", "russian 4-4-7", cell, broken=True, dm=True, marks=(DISRUPTED,))
    assert valour.hardens(playing(state), event_of("A11", "battle hardens"))
    assert not state.units["b"].broken
    assert DISRUPTED not in state.units["b"].marks


@rule("S2.3")
def test_suspects_that_an_event_removes_are_told(state: SquadState) -> None:
    cell = field(state)
    friend(state, cell)
    add(state, at=setting_of(state).ground.near[cell][0])
    where = name_of(state, setting_of(state).ground.near[cell][0])
    for effect in (friendly_events.information, friendly_events.fading):
        again = state.clone()
        play = playing(again, 2, 2)
        assert effect(play, event_of("G9", "fading"))
        assert not SUSPECTS.of(again)
        assert play.events[-1].why == f"1 S? is removed from {where}"


# -- what the roster says, and what is counted ------------------------------------------------------------------


@rule("S3.2", "S12.5")
def test_the_roster_knows_of_an_attack_called_off_and_of_an_evacuation(state: SquadState) -> None:
    rows = {row.label: row.value for row in roster_panel(state).rows}
    put_roster(state, evacuate=7, attitude=ADVANCE)
    after = {row.label: row.value for row in roster_panel(state).rows}
    assert (rows["ENEMY"].split(", ")[1], after["ENEMY"].split(", ")[1]) == ("Hold Attitude", "Advance Attitude")
    assert after["Mission End"] == "after turn 7, or when no FRIENDLY unit is left"


@rule("S2.3")
@pytest.mark.parametrize(("how", "points"), [("exited", 2), ("eliminated", 0)])
def test_papers_count_if_their_holder_has_left_the_map_and_not_if_he_is_lost(
    state: SquadState, how: str, points: int
) -> None:
    unit = friend(state, field(state))
    finds.take_papers(playing(state), unit, "dr-1")
    del state.units[unit.id]
    state.gone[unit.id] = Gone(unit.id, FRIENDLY, unit.kind, how)
    assert finds.papers_value(playing(state, 3)) == points


# -- command --------------------------------------------------------------------------------------------------------


@rule("S16.3", "B27.11")
def test_a_panicked_unit_does_not_dig(state: SquadState) -> None:
    state.attacker = FRIENDLY
    unit = put(state, friend(state, field(state)), field(state))
    assert may_dig(state, unit)
    ORDERS.of(state)[unit.id] = Order(PANIC)
    assert not may_dig(state, unit)
