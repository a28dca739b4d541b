"""Exact odds by enumerated dice: contents of S?, actions, events, the end of a mission; and a bounded simulation."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace
from sasl_support import OPTIONS, mission_without_suspects, playing

import sandtable
from sandtable.engine import Decided, Play
from sandtable.engine.dice import StreamDice, secret_of_seed
from sandtable.engine.registry import register
from sandtable.games.sasl import GAME, activation, events, generation, missions, suspects
from sandtable.games.sasl.enemy import orders
from sandtable.games.sasl.model import ENEMY, FRIENDLY, HOLD, ORDERS, SUSPECTS
from sandtable.games.sasl.rolled import Rolled, rolled_in
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.pieces.model import SquadState

register(GAME)
THROWS = list(product(range(1, 7), repeat=2))
# A1 as the sheet has it, by Final DR; below 1 and above 14 the last rows count.
A1 = {
    1: "AFV, squad", 2: "AFV", 3: "squad, squad, leader, fortification, SW", 4: "squad, leader, fortification, SW",
    5: "squad, leader, SW", 6: "squad", 7: "nothing", 8: "half-squad", 9: "squad", 10: "squad, squad, leader",
    11: "squad, half-squad", 12: "half-squad, Gun", 13: "SPG", 14: "squad, fortification, Gun",
}  # fmt: skip


@pytest.fixture
def state() -> SquadState:
    return mission_without_suspects()


def field(state: SquadState) -> int:
    ground = setting_of(state).ground
    return next(cell for cell in range(200, ground.size) if ground.open[cell] and not ground.paved[cell])


# -- contents of a S? ---------------------------------------------------------------------------------


@pytest.mark.rule("S5.6")
@pytest.mark.parametrize("drm", range(-3, 4))
def test_what_a_suspect_could_be(drm: int) -> None:
    expected: Counter[str] = Counter()
    for throw in THROWS:
        expected[A1[min(14, max(1, sum(throw) + drm))]] += 1
    odds = dict(activation.contents_odds(drm))
    assert odds == {words: Fraction(number, 36) for words, number in expected.items()}
    assert sum(odds.values()) == 1


@pytest.mark.rule("S5.6")
def test_activations_come_out_as_often_as_the_odds_say(state: SquadState) -> None:
    """Seeded: 720 activations, each share within four standard errors."""
    cell = field(state)
    one = suspects.add(state, at=cell, attitude=HOLD)
    drm = activation.contents_drm(state, one)
    assert drm == 1  # Mission 1
    found: Counter[str] = Counter()
    dice = StreamDice(secret_of_seed(11))
    for _ in range(720):
        again = state.clone()
        play = Play(again, dice)
        activation.activate(play, SUSPECTS.of(again)[one.id], cell)
        line = next(event for event in play.events if isinstance(event, Decided) and event.table == "A1")
        found[line.why.partition(": ")[2]] += 1
    for words, share in activation.contents_odds(drm):
        error = (float(share) * (1 - float(share)) / 720) ** 0.5
        assert abs(found[words] / 720 - float(share)) <= 4 * error, words


# -- actions --------------------------------------------------------------------------------------------


@pytest.mark.rule("S6.2", "S6.21")
@pytest.mark.parametrize(
    ("kind", "panic"),
    [("russian 4-5-8", (10, 12)), ("russian 4-4-7", (6, 8, 10, 12)), ("russian 4-2-6", (2, 4, 6, 8, 10, 12))],
)
def test_every_throw_of_an_action_check(state: SquadState, kind: str, panic: tuple[int, ...]) -> None:
    state.attacker = ENEMY
    unit = generation.new_unit(playing(state), kind, field(state))
    for throw in THROWS:
        again = state.clone()
        play = playing(again, *throw)
        orders.order_location(play, unit.at, ())
        total = sum(throw)
        doubles = throw[0] == throw[1]
        expected = "Move" if total <= 4 else "Fire" if total <= 9 else "Entrench"
        if doubles and total in panic:
            assert ORDERS.of(again)[unit.id].what == "Panic"
            continue
        line = [event for event in play.events if isinstance(event, Decided)][-1]
        row = {"Move": "2-4", "Fire": "5-9", "Entrench": "10-11"}[expected]
        assert line.table == "A2b"
        assert line.row == (row if total < 12 else line.row)


# -- events -----------------------------------------------------------------------------------------------


@pytest.mark.rule("S2.3")
@pytest.mark.parametrize(("number", "enemy", "friendly"), [(1, -1, 0), (2, 0, 0), (4, -1, -1), (19, 1, 1)])
def test_each_event_has_the_share_of_its_numbers(
    number: int, enemy: int, friendly: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = sandtable.new(f"sasl/{number}", seed=3, options=OPTIONS).state
    monkeypatch.setattr(events, "barred", lambda state, side, event: "")
    monkeypatch.setattr(events, "occur", lambda play, side, event: True)
    for side, drm in ((ENEMY, enemy), (FRIENDLY, friendly)):
        found: Counter[str] = Counter()
        for throw in THROWS:
            play = playing(state.clone(), *throw)
            events.happen(play, side)
            (event,) = [event for event in play.events if isinstance(event, events.Happened)]
            found[event.number] += 1
        assert found == Counter({f"{coloured + drm}{white}": 1 for coloured, white in THROWS})


@pytest.mark.rule("S2.2", "S2.11")
def test_an_event_comes_on_either_number_of_the_side_whose_turn_it_is(
    state: SquadState, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_roster(state, friendly_re="3/4", enemy_re="5/6", activated=1)
    came: dict[str, int] = {FRIENDLY: 0, ENEMY: 0}
    monkeypatch.setattr(events, "happen", lambda play, side: came.__setitem__(side, came[side] + 1))
    for side in came:
        state.attacker = side
        for throw in THROWS:
            events.check(playing(state.clone(), *throw))
    assert came == {FRIENDLY: 5, ENEMY: 9}
    put_roster(state, activated=0)
    state.attacker = ENEMY
    for throw in THROWS:
        events.check(playing(state.clone(), *throw))
    assert came[ENEMY] == 9  # nobody Activated: no event


# -- the end of a mission -----------------------------------------------------------------------------------

# mission, turn, boards so far: drs that end it
ENDS = [
    (1, 10, 1, 2), (2, 9, 2, 2), (5, 9, 3, 3), (19, 10, 3, 3), (3, 10, 2, 1), (3, 12, 4, 2), (3, 14, 6, 3),
    (4, 10, 2, 1), (4, 11, 2, 2), (4, 13, 2, 4), (8, 8, 2, 1), (8, 10, 2, 3),
]  # fmt: skip


@pytest.mark.rule("S12.5")
@pytest.mark.parametrize(("number", "turn", "boards", "chances"), ENDS)
def test_the_mission_ends_on_so_many_drs(
    number: int, turn: int, boards: int, chances: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = sandtable.new(f"sasl/{number}", seed=3, options=OPTIONS).state
    rules = missions.MISSIONS[number]
    state.turn = turn
    base = rolled_in(state)
    monkeypatch.setattr("sandtable.games.sasl.offensives.rolled_in", lambda state: _with_boards(base, boards))
    ended = []
    monkeypatch.setattr(type(rules), "finish", lambda self, play, why: ended.append(why))
    for dr in range(1, 7):
        rules.end_roll(playing(state.clone(), dr))
    assert len(ended) == chances


def _with_boards(base: Rolled, number: int) -> Rolled:
    return replace(base, boards=tuple(base.boards[place % len(base.boards)] for place in range(number)))


@pytest.mark.rule("S12.5")
def test_no_mission_end_dr_before_its_turn() -> None:
    first = {1: 10, 3: 10, 4: 10, 8: 8, 19: 10}
    for number, turn in first.items():
        state = sandtable.new(f"sasl/{number}", seed=3, options=OPTIONS).state
        rules = missions.MISSIONS[number]
        due = []
        for now in range(1, 16):
            state.turn = now
            if rules.may_end(state):
                due.append(now)
        assert due[0] == turn
        if number == 3:
            assert due == [10, 12, 14]
