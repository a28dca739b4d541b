"""Which layouts of the hidden Guns of S14 win, to choose those that its card lists (`[group.tried]`).

python tools/gun_layouts.py GAMES_EACH FIRST_SEED LAYOUT...: a layout is a hex for each Gun, such as L0+M1. Regulars
play each layout in turn, with those in view as the card sets them up.
"""

from __future__ import annotations

import sys
from collections import Counter

from hidden_guns import SIDES, winner

from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.pieces.model import SquadState, Unit
from sandtable.games.squad.scenario import auto_setup
from sandtable.sim.statistics import share


def hide_in(layout: list[str]) -> None:
    """Let the Guns stand in a layout from now on."""

    def next_hex(state: SquadState, unit: Unit) -> list[int]:
        number = sum(other.group == unit.group and other.hip for other in state.units.values())
        return [setting_of(state).ground.index(layout[number])]

    auto_setup._tried_hexes = next_hex


def main(arguments: list[str]) -> int:
    """Play the games in turns, and print how often each layout and each hex has won."""
    games, seed = int(arguments[0]), int(arguments[1])
    won: Counter[str] = Counter()
    played: Counter[str] = Counter()
    for layout in arguments[2:] * games:
        hide_in(layout.split("+"))
        victory = winner("S14", seed, drawn=True) == SIDES["S14"]
        seed += 1
        for name in (layout, *layout.split("+")):
            played[name] += 1
            won[name] += victory
    for name in sorted(played, key=lambda name: -won[name] / played[name]):
        sys.stdout.write(f"{name}: {share(won[name], played[name])}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
