"""Odds of actions, events and the end of a mission: the tables' fractions by all throws, and as dice fall (seeded)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import product

import pytest
from sasl_support import field, mission_without_suspects, playing

from sandtable.engine import Decided, Dice, Play
from sandtable.engine.dice import ScriptedDice, StreamDice, secret_of_seed
from sandtable.games.sasl import events, generation, missions, offensives
from sandtable.games.sasl.enemy import orders
from sandtable.games.sasl.model import ADVANCE, ATTITUDES, ENEMY, HOLD, ORDERS
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.squad.pieces.model import SquadState

THROWS = list(product(range(1, 7), repeat=2))
MANY = 400
ACTIONS = {
    HOLD: {"2-4": 6, "5-9": 22, "10-11": 4, "Panic": 4},
    ADVANCE: {"2-7": 20, "8-10": 10, "11": 2, "Panic": 4},
}
"""Throws of 36 for each row of A2b and A2a, for a First Line unit."""


@pytest.fixture
def state() -> SquadState:
    return mission_without_suspects()


def near(found: Mapping[str, int], shares: Mapping[str, Fraction]) -> None:
    """Each share of what came out lies within four standard errors of its chance."""
    assert sum(shares.values()) == 1
    assert set(found) <= set(shares)
    number = sum(found.values())
    for name, share in shares.items():
        error = (float(share) * (1 - float(share)) / number) ** 0.5
        assert abs(found.get(name, 0) / number - float(share)) <= 4 * error, name


def action(state: SquadState, attitude: str, dice: Dice) -> str:
    """The row of A2 by which a First Line squad acts that sees nobody, or Panic."""
    state = state.clone()
    state.attacker = ENEMY
    unit = generation.new_unit(playing(state), "russian 4-4-7", field(state))
    ATTITUDES.of(state)[unit.id] = attitude
    play = Play(state, dice)
    orders.order_location(play, unit.at, ())
    if ORDERS.of(state)[unit.id].what == "Panic":
        return "Panic"
    return [event for event in play.events if isinstance(event, Decided)][-1].row


@pytest.mark.rule("S6.2")
@pytest.mark.parametrize("attitude", [HOLD, ADVANCE])
def test_actions_have_the_shares_of_the_table(state: SquadState, attitude: str) -> None:
    counted = Counter(action(state, attitude, ScriptedDice(*throw)) for throw in THROWS)
    assert counted == ACTIONS[attitude]
    dice = StreamDice(secret_of_seed(21))
    thrown = Counter(action(state, attitude, dice) for _ in range(MANY))
    near(thrown, {row: Fraction(number, 36) for row, number in ACTIONS[attitude].items()})


@pytest.mark.rule("S2.2", "S2.3")
@pytest.mark.parametrize(("numbers", "throws"), [("2/3", 3), ("4/5", 7), ("6/7", 11)])
def test_events_come_as_often_as_their_numbers_and_each_as_often_as_another(
    state: SquadState, numbers: str, throws: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "barred", lambda state, side, event: "")
    monkeypatch.setattr(events, "occur", lambda play, side, event: True)
    put_roster(state, enemy_re=numbers, activated=1)
    state.attacker = ENEMY
    dice = StreamDice(secret_of_seed(22))
    came: Counter[str] = Counter()
    tens: Counter[str] = Counter()
    for _ in range(MANY):
        play = Play(state, dice)
        events.check(play)
        found = [event.number for event in play.events if isinstance(event, events.Happened)]
        came["event" if found else "none"] += 1
        tens.update(number[0] for number in found)
    near(came, {"event": Fraction(throws, 36), "none": 1 - Fraction(throws, 36)})
    near(tens, {str(coloured): Fraction(1, 6) for coloured in range(6)})  # Mission 1: -1 to the coloured die


ENDS = {
    1: ((9, 0), (10, 2), (14, 2)),
    2: ((8, 0), (9, 2), (12, 2)),
    3: ((8, 0), (10, 1), (11, 0), (12, 1)),
    4: ((9, 0), (10, 1), (11, 2), (12, 3), (15, 6)),
    5: ((8, 0), (9, 3), (12, 3)),
    8: ((7, 0), (8, 1), (9, 2), (10, 3), (13, 6)),
    19: ((9, 0), (10, 3), (13, 3)),
}
"""By mission: (turn, how many of six dr end it then), with 25 S? set up, a road of 43 hexes and one board of A8e."""


@pytest.mark.rule("S12.5")
@pytest.mark.parametrize(
    ("number", "turn", "of_six"), [(number, *end) for number, ends in ENDS.items() for end in ends]
)
def test_missions_end_as_often_as_their_sheet_says(
    state: SquadState, number: int, turn: int, of_six: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = missions.MISSIONS[number]
    ended: list[str] = []
    monkeypatch.setattr(type(rules), "finish", lambda self, play, why: ended.append(why))
    monkeypatch.setattr(offensives, "rise", lambda play: None)  # RE Numbers of Mission 3
    put_roster(state, placed=25, road=43)
    state.turn = turn
    end = rules.end_of_player_turn if number in (2, 5) else rules.end_of_turn
    for dr in range(1, 7):
        end(Play(state, ScriptedDice(dr)))
    assert len(ended) == of_six
    ended.clear()
    dice = StreamDice(secret_of_seed(23))
    for _ in range(MANY):
        end(Play(state, dice))
    near(
        {"ends": len(ended), "goes on": MANY - len(ended)},
        {"ends": Fraction(of_six, 6), "goes on": 1 - Fraction(of_six, 6)},
    )
