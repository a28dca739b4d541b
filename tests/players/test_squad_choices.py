"""What the veteran of the squad-level games thinks over, and that every thought can be carried out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from statistics import mean, median

import sandtable
from sandtable.engine import Action, Match, Seat
from sandtable.players import knowledge, make_player
from sandtable.players.imagining import Imagination, fork
from sandtable.players.squad_choices import ATTACKS, FIRES, Seasoned, variants
from sandtable.players.squad_men import Board
from sandtable.players.squad_plan import Plan
from sandtable.players.squad_regular import Regular
from sandtable.players.squad_table import setting_of

Decision = tuple[Match, Seat, Seasoned, Action]


def decisions(seed: int, turns: int) -> Iterator[Decision]:
    """The first turns of the Guide's scenario, with what the player of the Russians has just chosen."""
    match = sandtable.new("aslguide/intro", seed=seed)
    source, own, enemy = random.Random(seed), Seasoned(), make_player("aslguide", "regular")
    while match.to_act and match.state.turn <= turns:
        side = match.to_act[0]
        seat = Seat(match, side)
        if side == "russian":
            action = own.choose(seat, source)
            yield match, seat, own, action
        else:
            action = enemy.choose(seat, source)
        match.apply(side, action)


def test_other_choices_are_legal_and_each_has_its_twin() -> None:
    seen: dict[str, int] = {}
    for _, seat, player, own in decisions(seed=2, turns=2):
        before = (set(player.left), list(player.draft))
        found = variants(player, seat, own)
        assert (set(player.left), list(player.draft)) == before, "thinking does not change the player"
        for action, twin in found:
            assert action in seat.actions()
            assert twin is not player
            seen[type(own).__name__] = seen.get(type(own).__name__, 0) + 1
    assert {"StartMove", "CancelFire"} & seen.keys()
    assert len(seen) >= 3


def test_how_a_phase_is_played_is_decided_once_at_its_beginning() -> None:
    begun: list[str] = []
    for _, seat, player, own in decisions(seed=2, turns=2):
        styles = {twin.style for _, twin in variants(player, seat, own) if isinstance(twin, Seasoned)}
        if styles == ATTACKS.keys() or styles == FIRES.keys():
            begun.append(player.phase)
            assert styles == (ATTACKS if player.phase.endswith("russian") else FIRES).keys()
    assert len(begun) == len(set(begun))
    assert {"Prep", "Movement"} == {phase.split()[4] for phase in begun}
    assert {"russian", "german"} == {phase.split()[-1] for phase in begun}


def test_a_thought_is_played_on_to_its_horizon_without_touching_the_match() -> None:
    know = knowledge("aslguide")
    for match, seat, player, own in decisions(seed=2, turns=1):
        pairs = variants(player, seat, own)
        if not pairs:
            continue
        state = match.state.clone()
        dream = Imagination(seat, know._replace(horizon=1), 5, lambda: True)
        value = dream.value(own, player, 0)
        assert value is not None
        assert 0 <= value <= 1
        assert dream.value(own, player, 0) == value, "the same world comes out the same"
        assert dream.value(*pairs[0], 0) is not None
        assert match.state == state
        assert fork(player) is not player
        return
    raise AssertionError("there was nothing to think over")


def way_left(player: type[Regular], seed: int) -> float:
    """The usual way of the Germans of S11 to the edge that they must leave by, after four turns."""
    match = sandtable.new("aslsk2/S11", seed=seed)
    source, players = random.Random(seed), {"german": player(), "american": Regular()}
    while match.to_act and match.state.turn <= 4:
        side = match.to_act[0]
        seat = Seat(match, side)
        match.apply(side, players[side].choose(seat, source))
    view = match.view("german")
    board = Board(setting_of(view), "german", view)
    plan = Plan(board)
    return median(plan.far[man.cell] for men in board.own.values() for man in men if man.kind.mmc)


def test_a_veteran_who_must_break_out_hurries_more_than_a_regular() -> None:
    seeds = range(1, 5)
    assert mean(way_left(Seasoned, seed) for seed in seeds) < 0.9 * mean(way_left(Regular, seed) for seed in seeds)
