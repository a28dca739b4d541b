"""How good a position of PBI looks: stories in which one side is better off."""

from __future__ import annotations

from typing import Any

import sandtable
from sandtable.players.pbi_worth import worth


def start() -> dict[str, Any]:
    return sandtable.new("pbi/crossroads", seed=1).view("attacker")


def test_both_sides_of_a_position_add_up_to_one() -> None:
    view = start()
    assert 0 < worth(view, "attacker") < 1
    assert abs(worth(view, "attacker") + worth(view, "defender") - 1) < 1e-9


def test_an_objective_taken_is_better_and_more_so_near_the_end() -> None:
    view = start()
    before = worth(view, "attacker")
    view["extra"]["control"]["D3"] = view["extra"]["control"]["C2"] = "attacker"
    early = worth(view, "attacker")
    view["extra"]["countdown"] = 1
    assert before < early < worth(view, "attacker")


def test_losses_are_bad() -> None:
    view = start()
    before = worth(view, "attacker")
    for id in [id for id, piece in view["extra"]["pieces"].items() if piece["side"] == "attacker"][:6]:
        del view["extra"]["pieces"][id]
    assert worth(view, "attacker") < before


def test_a_game_that_is_over_is_won_or_lost() -> None:
    view = start() | {"outcome": {"winner": "defender", "reason": "", "rule": ""}}
    assert (worth(view, "attacker"), worth(view, "defender")) == (0.0, 1.0)
