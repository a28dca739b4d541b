"""Who wins between two regulars, and the balance that is proposed."""

from __future__ import annotations

import pytest

from sandtable.engine import game_names, get_game, new
from sandtable.players import chances as module
from sandtable.players.chances import UNEVEN, Chances, chances, even_options


def test_every_scenario_that_ships_has_been_measured() -> None:
    for name in ("aslguide", "aslsk2", "pbi", "underbelly"):
        for info in get_game(name).scenarios():
            known = chances(name, info.id)
            assert known is not None, f"{name}/{info.id}: run tools/chances.py"
            assert set(known.won) == set(info.sides)
            assert sum(known.won.values()) == known.games >= 20


def test_the_weaker_side_gets_its_balance() -> None:
    for name in game_names():
        for info in get_game(name).scenarios():
            options = even_options(name, info)
            known = chances(name, info.id)
            if not options:
                continue
            assert known is not None
            (option,) = options
            side = option.removeprefix("balance_")
            assert known.share(side) < UNEVEN
            new(f"{name}/{info.id}", seed=1, options=options)


def test_the_beginners_scenario_is_even_with_its_balance() -> None:
    known = chances("aslguide", "intro", even=True)
    assert known is not None
    assert all(0.4 <= known.share(side) <= 0.6 for side in ("german", "russian"))


def test_an_even_scenario_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    info = next(one for one in get_game("aslsk2").scenarios() if one.id == "S9")
    for wins, expected in (((9, 11), {}), ((4, 16), {"balance_italian": "on"})):
        line = dict(zip(info.sides, wins, strict=True)) | {"games": 20}
        monkeypatch.setattr(module, "_file", lambda line=line: {"aslsk2/S9": line})
        assert even_options("aslsk2", info) == expected
    assert chances("aslsk2", "S9") == Chances(20, {"italian": 4, "allied": 16})
    assert even_options("pbi", info) == {}, "nothing is known of it"
