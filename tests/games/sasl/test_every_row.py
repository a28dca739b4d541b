"""Every row of every table that this step plays is reached: general tables, fire and move commands, all cards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from msgspec.structs import replace
from sasl_support import friend, mission_without_suspects, playing, rolls

from sandtable.engine import Decided, Play
from sandtable.engine.dice import ScriptedDice, StreamDice, secret_of_seed
from sandtable.games.sasl import activation, fortify, generation, missions, suspects
from sandtable.games.sasl.dice import on_table
from sandtable.games.sasl.enemy import closing, firing, marching
from sandtable.games.sasl.growing import key_of
from sandtable.games.sasl.model import ADVANCE, ENEMY, FRIENDLY, HOLD, OBJECTIVES, SUSPECTS
from sandtable.games.sasl.rolled import Rolled, rolled_in
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.sasl.tables import general
from sandtable.games.sasl.tables.cards import FILES, card
from sandtable.games.sasl.tables.dates import month_text
from sandtable.games.sasl.tables.missions import inside, inside_names, mission
from sandtable.games.squad.combat.model import Combat
from sandtable.games.squad.fire.model import StartFire
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ordnance.model import StartShot
from sandtable.games.squad.pieces.kinds import printed_unit, printed_weapon
from sandtable.games.squad.pieces.model import SquadState

THROWS = {total: throw for throw in product(range(1, 7), repeat=2) for total in [sum(throw)]}


@pytest.fixture
def state() -> SquadState:
    return mission_without_suspects()


def field(state: SquadState) -> int:
    ground = setting_of(state).ground
    return next(cell for cell in range(200, ground.size) if ground.open[cell] and not ground.paved[cell])


def seen(state: SquadState, cell: int, most: int) -> list[int]:
    ranges = setting_of(state).ground.ranges[cell]
    near = [other for other in range(len(ranges)) if 0 < ranges[other] <= most and sees(state, cell, other)]
    return sorted(near, key=lambda other: (ranges[other], other))


def lines(play: Play[SquadState], table: str) -> list[str]:
    return [event.row for event in play.events if isinstance(event, Decided) and event.table == table]


# -- plain tables --------------------------------------------------------------------------------------

PLAIN = [
    *[f"A6{letter}" for letter in "abcdefgh"], *[f"A8{letter}" for letter in "abcde"], "A9b", "A9c", "A9d",
    "A9e", "A10b",
]  # fmt: skip


@pytest.mark.parametrize("name", PLAIN)
def test_plain_tables(state: SquadState, name: str) -> None:
    table = general.table(name)
    reached = set()
    for total in rolls(table.dice):
        faces = (total,) if table.dice == 1 else THROWS[total]
        for drm in (-2, -1, 0, 1) if table.roll.startswith("Final") else (0,):
            play = playing(state, *faces)
            on_table(play, table, drm=drm)
            reached |= set(lines(play, name))
    assert reached == {row.key for row in table.rows}


@pytest.mark.rule("S12.32")
@pytest.mark.parametrize("number", sorted(missions.MISSIONS))
def test_mission_tables(state: SquadState, number: int) -> None:
    for table in mission(number).tables.values():
        reached = set()
        for total in rolls(table.dice):
            play = playing(state, *((total,) if table.dice == 1 else THROWS[total]))
            on_table(play, table)
            reached |= set(lines(play, table.id))
        assert reached == {row.key for row in table.rows}, table.id


def test_tables_inside_missions(state: SquadState) -> None:
    for name in [name for name in inside_names() if name in ("M1-msr2", "M4-msr3")]:
        table = inside(name)
        for dr in range(1, 7):
            assert on_table(playing(state, dr, 1, 1), table)
        assert {table.row(dr).key for dr in range(1, 7)} == {row.key for row in table.rows}


# -- A1, A5 ---------------------------------------------------------------------------------------------


@pytest.mark.rule("S5.6")
@pytest.mark.parametrize("final", range(1, 15))
def test_each_row_of_a1_makes_its_units(state: SquadState, final: int) -> None:
    attitude = ADVANCE if final <= 2 else HOLD
    cell = field(state)
    one = suspects.add(state, at=cell, attitude=attitude)
    put_roster(state, drm=-1 if final == 1 else 1 if final == 14 else 0)
    total = final - activation.contents_drm(state, one)
    play = Play(state, Loaded(*THROWS[min(12, max(2, total))]))
    made = activation.activate(play, one, seen(state, cell, 6)[-1])
    row = lines(play, "A1")[0]
    assert general.activation().row(final).key == row
    assert bool(made) == bool(general.activation().row(final).items)
    assert one.id not in SUSPECTS.of(state)


class Loaded(ScriptedDice):
    """The first faces as given, then a 3 each time."""

    def roll(self, sides: int, n: int, why: str) -> tuple[int, ...]:
        if self.position + n > len(self.faces):
            return (min(3, sides),) * n
        return super().roll(sides, n, why)


@pytest.mark.rule("S5.74")
def test_each_row_of_a5(state: SquadState) -> None:
    reached = {}
    for dr, kind in product(range(1, 7), ("russian 4-5-8", "russian 4-4-7", "russian 4-2-6")):
        again = state.clone()
        unit = generation.new_unit(playing(again), kind, field(again))
        play = playing(again, dr)
        words = fortify.fortify(play, [unit], unit.at, seen(again, unit.at, 4)[-1], gun=False)
        reached[lines(play, "A5")[0].partition(" ")[0]] = words
    assert set(reached) == {row.key for row in general.table("A5").rows}
    assert {words.partition(" ")[0] for words in reached.values()} == {"pillbox", "foxhole", "none"}


# -- fire -------------------------------------------------------------------------------------------------


@pytest.mark.rule("S8.")
@pytest.mark.parametrize("total", range(2, 13))
@pytest.mark.parametrize("concealed", [False, True])
def test_each_row_of_a3a_finds_a_target(state: SquadState, total: int, concealed: bool) -> None:
    cell = field(state)
    unit = generation.new_unit(playing(state), "russian 4-4-7", cell)
    weapon = generation.new_weapon(playing(state), "russian LMG", unit)
    near = seen(state, cell, 4)
    goal = next(iter(OBJECTIVES.of(state).values()))
    OBJECTIVES.of(state)[goal.id] = replace(goal, cells=(near[-1], *goal.cells[1:]))
    friend(state, near[0], 1, concealed=concealed)
    friend(state, near[-1], 2, concealed=concealed)
    play = Play(state, Loaded(*THROWS[total]))
    assert firing.fire_location(play, cell, [StartFire(unit.id), StartFire(weapon.id)], "prep")
    keys = {row.key for row in general.fire_commands("A3a") if row.low <= total <= row.high}
    assert set(lines(play, "A3a")) <= keys
    assert lines(play, "A3a")


@pytest.mark.rule("S8.")
@pytest.mark.parametrize("total", range(2, 13))
def test_each_row_of_a3d_finds_a_target(state: SquadState, total: int) -> None:
    cell = field(state)
    crew = generation.new_unit(playing(state), "russian 2-2-8", cell)
    weapon = generation.new_weapon(playing(state), "russian 82mm BM obr. 37 MTR", crew)
    for number, target in enumerate(seen(state, cell, 9)[-3:]):
        friend(state, target, number)
    play = Play(state, Loaded(*THROWS[total]))
    assert firing.fire_location(play, cell, [StartShot(weapon.id)], "prep")
    (row,) = lines(play, "A3d")
    assert row in {one.key for one in general.fire_commands("A3d") if one.low <= total <= one.high}


@pytest.mark.rule("S11.5")
@pytest.mark.parametrize("dr", range(1, 7))
def test_each_row_of_a3e(state: SquadState, dr: int) -> None:
    cell = field(state)
    generation.new_unit(playing(state), "russian 4-4-7", cell)
    friend(state, cell, 1)
    play = playing(state, dr)
    closing.combat(play, Combat(cell, step="attacks"), [])
    assert lines(play, "A3e") == [["<=2", "3-4", ">=5"][(dr - 1) // 2]]


# -- moves --------------------------------------------------------------------------------------------------


def situations(state: SquadState) -> Iterator[SquadState]:
    """Nobody about; a concealed unit; one, two and four Known ones; then each with a FRIENDLY VPO in LOS."""
    cell = field(state)
    for taken, (number, hidden) in product((False, True), ((0, False), (1, True), (1, False), (2, False), (4, False))):
        again = state.clone()
        generation.new_unit(playing(again), "russian 4-4-7", cell)
        near = seen(again, cell, 4)
        for place in range(number):
            friend(again, near[-1 - 2 * place], place, concealed=hidden)
        if taken:
            goal = next(iter(OBJECTIVES.of(again).values()))
            here = near[len(near) // 2]
            owners = (FRIENDLY,) * len(goal.owners)
            OBJECTIVES.of(again)[goal.id] = replace(goal, cells=(here, *goal.cells[1:]), owners=owners)
        yield again


@pytest.mark.rule("S9.2")
@pytest.mark.parametrize("table", ["A4a", "A4b"])
def test_each_line_of_the_movement_tables(state: SquadState, table: str) -> None:
    """Every DR has an answer in every situation, and every condition of a line holds in one of them."""
    reached, held = set(), set()
    for again in situations(state):
        unit = next(unit for unit in again.units.values() if unit.side == ENEMY)
        for row in general.moves(table):
            if marching.condition(again, row.when, unit.at, [unit]):
                held.add((row.key, row.when))
        for total in range(2, 13):
            play = Play(again.clone(), StreamDice(secret_of_seed(total)))
            marching.obey(play, table, total, unit.at, [unit], THROWS[total])
            reached |= set(lines(play, table))
    rows = general.moves(table)
    higher = ("3", "Target from a higher building level")  # upper levels are not played yet
    assert {(row.key, row.when) for row in rows} - held <= {higher}
    redirects = {row.key for row in rows if all(aim.startswith(f"{table} ") for aim in row.to) and row.to}
    berserk = {row.key for row in rows if row.how == "Berserk"}
    assert {row.key for row in rows} - reached <= redirects | berserk


# -- the cards ------------------------------------------------------------------------------------------------

CARDS = list(FILES)


def dates_of(code: str) -> list[str]:
    """A month of each column of the tables of a card."""
    found = {}
    one = card(code)
    for number in ("x2", "x4", "x5"):
        for column in one.table(number).columns:
            if column.span is not None:
                for month in (column.span.first, column.span.last):
                    found[month_text(month)] = True
    allowed = [month for month in found if one.span is None or month in one.span]
    return allowed or [month_text(one.span.first if one.span else 23300)]


def groups_of(code: str) -> list[str]:
    if code == "L":
        return ["Norway", "Denmark", "Netherlands", "Belgium", "Greece", "Poland", "Yugoslavia"]
    if code == "C":
        return ["GMD", "X/Y Force"]
    return ["elsewhere", "Philippines"] if code == "U-PTO" else [""]


@pytest.mark.rule("S5.7", "S5.72", "S5.73", "S5.75", "S5.76")
@pytest.mark.parametrize("code", CARDS)
def test_every_row_of_a_card_makes_something_playable(state: SquadState, code: str) -> None:
    places = ("PTO",) if code in ("U-PTO", "B-PTO", "M", "J", "C") else ("France",)
    made = 0
    for date, group in product(dates_of(code), groups_of(code)):
        if (group == "X/Y Force" and date < "1943-11") or (group == "Philippines" and date > "1942-05"):
            continue
        base = replace(rolled_in(state), enemy=code, enemy_group=group, date=date, places=places)
        for total, extra in product(range(2, 13), (1, 6)):
            made += _generate(state, base, total, extra)
    assert made


def _generate(state: SquadState, base: Rolled, total: int, extra: int) -> int:
    def dice() -> Play[SquadState]:
        return Play(state, Bracketed(THROWS[total], extra))

    kind = generation.squad(dice(), base)
    assert printed_unit(kind).mmc
    half = generation.half_squad(base, kind)
    assert printed_unit(half).mmc
    leader = generation.leader(dice(), base, [printed_unit(kind)])
    weapon = generation.support_weapon(dice(), base)
    guns = [generation.gun(dice(), base, inside=inside) for inside in (True, False)]
    assert not leader or printed_unit(leader).smc
    for name in [one for one in (weapon, *guns) if one]:
        assert printed_weapon(name)
    assert printed_unit(generation.gun_crew(base)).crew
    return 1


class Bracketed(ScriptedDice):
    """A DR first, then the same face for every further dr."""

    def __init__(self, throw: tuple[int, int], extra: int) -> None:
        super().__init__(*throw)
        self.extra = extra

    def roll(self, sides: int, n: int, why: str) -> tuple[int, ...]:
        if n == 2 and sides == 6:
            return (self.faces[0], self.faces[1])
        return (min(self.extra, sides),) * n


@pytest.mark.rule("S5.1")
@pytest.mark.parametrize("code", CARDS)
def test_every_case_of_a_ladder_triggers_at_its_range_and_not_beyond(state: SquadState, code: str) -> None:
    one = card(code)
    date = dates_of(code)[0]
    base = replace(rolled_in(state), enemy=code, date=date)
    state.setting = key_of(state, base)
    cell = field(state)
    ground = setting_of(state).ground
    for step in one.steps(date):
        reach = step.hexes or 1
        for hexes, expected in ((reach, True), (13, False)):
            at = next((c for c in range(ground.size) if ground.ranges[cell][c] == hexes and sees(state, cell, c)), -1)
            if at >= 0:
                again = state.clone()
                unit = friend(again, at, 1)
                found = activation.ladder_case(again, base, cell, [unit])
                if expected and found is not None:
                    assert found[0].hexes is None or found[0].hexes >= hexes
                if not expected:
                    assert found is None
