"""What rows of tables make: units of A1, works of A5, Targets of the fire commands, something playable of all cards."""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace
from sasl_support import THROWS, Falling, friend, mission_without_suspects, playing, seen, stand

from sandtable.engine import Decided, Play
from sandtable.engine.dice import ScriptedDice
from sandtable.games.sasl import activation, fortify, generation, suspects
from sandtable.games.sasl.enemy import firing, hitting
from sandtable.games.sasl.model import ADVANCE, ENEMY, FRIENDLY, HOLD, OBJECTIVES, SUSPECTS, VOLLEYS, Volley
from sandtable.games.sasl.rolled import Rolled, rolled_in
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.sasl.tables import general
from sandtable.games.sasl.tables.cards import FILES, card
from sandtable.games.sasl.tables.dates import month_text
from sandtable.games.squad.fire.model import StartFire
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.movement.model import Reaction
from sandtable.games.squad.ordnance.model import StartShot
from sandtable.games.squad.pieces.kinds import printed_unit, printed_weapon
from sandtable.games.squad.pieces.model import Acquired, Mover, Moving, SquadState, Weapon


@pytest.fixture
def state() -> SquadState:
    return mission_without_suspects()


def field(state: SquadState) -> int:
    ground = setting_of(state).ground
    return next(cell for cell in range(200, ground.size) if ground.open[cell] and not ground.paved[cell])


def lines(play: Play[SquadState], table: str) -> list[str]:
    return [event.row for event in play.events if isinstance(event, Decided) and event.table == table]


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
    assert {words.partition(" ")[0] for words in reached.values()} == {"pillbox", "foxhole", ""}


# -- fire -------------------------------------------------------------------------------------------------


@pytest.mark.rule("S8")
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


@pytest.mark.rule("S8")
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


@pytest.mark.rule("A3d", "S8.2")
def test_the_easiest_to_hit_is_the_one_with_the_best_to_hit_dr(state: SquadState) -> None:
    """Two Targets in Open Ground equally far away: the acquired one is easier, a concealed one harder to hit."""
    cell = field(state)
    gun = armed_crew(state, cell)
    first, second = [place for place in seen(state, cell, 3) if setting_of(state).ground.open[place]][-2:]
    friend(state, first, 1)
    friend(state, second, 2, concealed=True)
    hard = [hitting.hard_to_hit(state, gun.id, place, "prep", area=False) for place in (first, second)]
    assert hard[1] - hard[0] == 2
    state.units["t2"] = replace(state.units["t2"], concealed=False)
    state.weapons[gun.id] = replace(gun, acquired=Acquired(second, -2, area=True))
    hard = [hitting.hard_to_hit(state, gun.id, place, "prep", area=False) for place in (first, second)]
    assert hard[1] - hard[0] == -2
    play = playing(state, 3, 4)
    assert firing.fire_location(play, cell, [StartShot(gun.id)], "prep")
    assert VOLLEYS.of(state)[0].target == second, "A3d 7: closest, then easiest to hit"


@pytest.mark.rule("A7.35", "S8.22")
@pytest.mark.parametrize(("kind", "tables"), [("russian 2-2-8", ["A3d"]), ("russian 4-4-7", ["A3d", "A3a"])])
def test_a_crew_that_fires_its_gun_gets_no_fire_command_for_its_own_fp(
    state: SquadState, kind: str, tables: list[str]
) -> None:
    cell = field(state)
    gun = armed_crew(state, cell, kind, "russian 50mm RM obr. 40")
    friend(state, seen(state, cell, 3)[-1], 1)
    play = Play(state, Falling(7))
    legal = [StartFire(gun.owner), StartShot(gun.id)]
    assert firing.fire_location(play, cell, legal, "prep")
    assert [event.table for event in play.events if isinstance(event, Decided)] == tables


@pytest.mark.rule("A7.35", "S8.22")
@pytest.mark.parametrize(("kind", "own"), [("russian 2-2-8", False), ("russian 2-3-7", False), ("russian 4-4-7", True)])
@pytest.mark.parametrize("mode", ["prep", "final", "advancing"])
def test_who_would_give_up_his_own_fp_for_a_machine_gun_fires_the_machine_gun(
    state: SquadState, kind: str, own: bool, mode: str
) -> None:
    cell = field(state)
    gun = armed_crew(state, cell, kind, "russian HMG")
    friend(state, seen(state, cell, 3)[-1], 1)
    legal = [StartFire(gun.owner), StartFire(gun.id)]
    assert firing.fire_location(Play(state, Falling(12)), cell, legal, mode)
    firers = {name for volley in VOLLEYS.of(state) for name in volley.firers}
    assert firers == ({gun.owner, gun.id} if own else {gun.id})


@pytest.mark.rule("A7.35", "S8.22")
@pytest.mark.parametrize("order", [("russian LMG", "russian HMG"), ("russian HMG", "russian LMG")])
def test_of_two_machine_guns_it_fires_the_stronger(state: SquadState, order: tuple[str, str]) -> None:
    cell = field(state)
    first = armed_crew(state, cell, "russian 2-2-8", order[0])
    guns = [first, generation.new_weapon(playing(state), order[1], state.units[first.owner])]
    strong = next(gun.id for gun in guns if gun.kind == "russian HMG")
    friend(state, seen(state, cell, 3)[-1], 1)
    state.attacker, state.phase = ENEMY, "PFPh"
    legal = [StartFire(gun.id) for gun in guns]
    assert firing.fire_location(Play(state, Falling(12)), cell, legal, "prep")
    assert firing.next_volley(state, legal) == StartFire(strong)


@pytest.mark.rule("A7.35", "S8.22")
def test_so_it_does_in_defensive_first_fire_and_in_the_group_of_a_neighbour(state: SquadState) -> None:
    cell = field(state)
    gun = armed_crew(state, cell, "russian 2-2-8", "russian HMG")
    mover = friend(state, setting_of(state).ground.near[cell][0], 1)
    state.attacker, state.phase, state.moving = FRIENDLY, "MPh", Moving((Mover(mover.id, mover.at),), (mover.id,))
    legal = [StartFire(gun.owner), StartFire(gun.id)]
    assert firing.react(Play(state, Falling(7)), Reaction(), legal) == StartFire(gun.id)
    around = [near for near in setting_of(state).ground.near[cell] if near != mover.at]
    beside = next(near for near in around if sees(state, near, mover.at))
    squad = stand(state, "squad", "russian 4-4-7", beside)
    volley = firing.join_neighbours(
        Play(state, Falling(7)), Volley((squad.id,), mover.at, cells=(beside,)), legal, "final"
    )
    assert volley.firers == (squad.id, gun.id)


def armed_crew(
    state: SquadState, cell: int, kind: str = "russian 2-2-8", weapon: str = "russian 45mm PTP obr. 32 AT"
) -> Weapon:
    crew = stand(state, "crew", kind, cell)
    return generation.new_weapon(playing(state), weapon, crew)


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


@pytest.mark.rule("S5.74")
@pytest.mark.parametrize(
    ("attitude", "phase", "smoke"), [(ADVANCE, "MPh", True), (ADVANCE, "APh", False), (HOLD, "MPh", False)]
)
def test_a_fortification_of_a_suspect_that_moves_is_smoke(
    state: SquadState, attitude: str, phase: str, smoke: bool
) -> None:
    """Note 6 of A1: SMOKE in the MPh of a S? in Advance Attitude, else nothing; in Hold Attitude a dr on A5."""
    state.attacker, state.phase = ENEMY, phase
    cell = field(state)
    one = suspects.add(state, at=cell, attitude=attitude)
    activation.become(Play(state, Loaded()), one, ["S", "F"], seen(state, cell, 6)[-1])
    assert any(counter.kind == "grenade" for counter in state.counters.get(cell, ())) is smoke
