"""How the regular of the squad-level games turns its Guns (3.2.4)."""

from __future__ import annotations

from random import Random

from sandtable.engine import Seat, new
from sandtable.games.squad.ordnance.model import KeepArcs, TurnGun
from sandtable.players import make_player
from sandtable.players.squad_men import Board
from sandtable.players.squad_table import setting_of


def test_guns_are_turned_to_enemies_in_sight_and_hidden_ones_are_left_alone() -> None:
    turned = kept = 0
    for scenario, seed in (("S13", 2), ("S13", 3), ("S12", 2)):
        match = new(f"aslsk2/{scenario}", seed=seed)
        players = {side: make_player("aslsk2", "regular") for side in match.sides}
        source = Random(seed)
        while match.to_act:
            side = match.to_act[0]
            seat = Seat(match, side)
            action = players[side].choose(seat, source)
            kept += isinstance(action, KeepArcs)
            if isinstance(action, TurnGun) and KeepArcs() in seat.actions():
                turned += 1
                view = seat.view()
                board = Board(setting_of(view), side, view)
                gun = board.arms[action.weapon]
                owner = board.men[gun.owner]
                assert not owner.hip
                arc = set(board.ground.grid.covered_arc(owner.cell, action.facing))
                assert arc & board.foes.keys()
                assert "more enemies there" in players[side].explanation
            match.apply(side, action)
    assert turned
    assert kept > turned
