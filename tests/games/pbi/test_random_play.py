"""Random games to their end, under every ruling, with everything that must hold checked on the way."""

from __future__ import annotations

import random

import pytest

import sandtable
from sandtable.engine.harness import fuzz
from sandtable.games.pbi.battles import READY_MADE
from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.model import PbiState
from sandtable.games.pbi.rulings import rulings


@pytest.mark.parametrize("name", [*READY_MADE, "generated"])
def test_the_harness_finds_nothing(name: str) -> None:
    report = fuzz(f"pbi/{name}", games=6, seed=100, checks=0.05)
    assert report.errors == []
    assert report.games == 6


def test_armies_built_at_random_play_too() -> None:
    report = fuzz("pbi/generated", games=4, seed=7, checks=0.02, options={"armies": "built", "points": "300"})
    assert report.errors == []


@pytest.mark.parametrize(
    ("ruling", "value"),
    [(ruling.id, value) for ruling in rulings().values() for value in ruling.values if value != ruling.default],
)
def test_every_other_answer_of_every_ruling_can_be_played(ruling: str, value: str) -> None:
    report = fuzz("pbi/village", games=2, seed=11, checks=0.01, options={ruling: value})
    assert report.errors == []


def consistent(state: PbiState) -> None:
    """Squares, cargo and pieces tell the same story."""
    for square, ids in state.at.items():
        assert ids
        assert len({state.pieces[id].side for id in ids}) == 1
        for id in ids:
            assert (state.pieces[id].at, state.pieces[id].within) == (square, "")
    for vehicle, ids in state.cargo.items():
        for id in ids:
            assert state.pieces[id].within == vehicle
            assert state.pieces[id].at == state.pieces[vehicle].at
        places = sum(1 if KINDS[state.pieces[id].kind].foot else 2 for id in ids)
        assert places <= KINDS[state.pieces[vehicle].kind].capacity
    on_table = [piece for piece in state.pieces.values() if piece.at and not piece.within]
    assert sum(len(ids) for ids in state.at.values()) == len(on_table)
    assert sum(len(ids) for ids in state.cargo.values()) == sum(bool(piece.within) for piece in state.pieces.values())
    for piece in state.pieces.values():
        assert not state.units[piece.unit].gone
        assert piece.ap >= 0
    for unit in state.units.values():
        leaders = [piece for piece in state.pieces.values() if piece.unit == unit.id and piece.officer]
        assert len(leaders) == (1 if unit.officer == "alive" and not unit.gone else 0)
        assert unit.casualties >= 0


@pytest.mark.parametrize("name", [*READY_MADE, "generated"])
def test_the_state_stays_consistent(name: str) -> None:
    for seed in range(3):
        match = sandtable.new(f"pbi/{name}", seed=seed)
        rnd = random.Random(seed)
        while match.to_act:
            side = match.to_act[0]
            match.apply(side, rnd.choice(match.actions(side)))
            consistent(match.state)
