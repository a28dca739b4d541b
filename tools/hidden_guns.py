"""Whether hidden Guns drawn anew in each match are as strong as the one layout that earlier versions always used.

python tools/hidden_guns.py [GAMES_EACH [FIRST_SEED [SCENARIO ...]]]: regulars play S14, S15 and S16 (or only some of
them), set up by the program.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter

import sandtable
from sandtable.engine import Seat
from sandtable.games.squad.scenario import auto_setup
from sandtable.players import make_player
from sandtable.sim.statistics import share

SIDES = {"S14": "german", "S15": "american", "S16": "german"}
"""The side with most of the hidden Guns."""
DRAWN, TRIED = auto_setup._hiding, auto_setup._tried_hex


def winner(scenario: str, seed: int, *, drawn: bool) -> str:
    """Who wins between two regulars; if not drawn, all stand where earlier versions put them, each time alike."""
    auto_setup._KNOWN.clear()
    auto_setup._hiding = DRAWN if drawn else lambda state, group: []
    auto_setup._tried_hex = TRIED if drawn else lambda state, unit, tried: -1
    match = sandtable.new(f"aslsk2/{scenario}", seed=seed)
    players = {side: make_player("aslsk2", "regular") for side in match.sides}
    source = random.Random(seed)
    while match.to_act:
        side = match.to_act[0]
        match.apply(side, players[side].choose(Seat(match, side), source))
    assert match.outcome is not None
    return match.outcome.winner


def main(arguments: list[str]) -> int:
    """Play the games in turns and print after each round how often the side with the Guns has won."""
    games, first = [int(number) for number in [*arguments[:2], *("60", "0")[len(arguments) :]]]
    sides = {scenario: SIDES[scenario] for scenario in arguments[2:] or SIDES}
    won: Counter[tuple[str, bool]] = Counter()
    for number in range(games):
        for scenario, side in sides.items():
            for drawn in (True, False):
                won[scenario, drawn] += winner(scenario, first + number, drawn=drawn) == side
        rows = {f"{name} {'drawn' if drawn else 'fixed'}": wins for (name, drawn), wins in sorted(won.items())}
        sys.stdout.write(json.dumps({"games": number + 1, **rows}) + "\n")
        sys.stdout.flush()
    for (name, drawn), wins in sorted(won.items()):
        sys.stdout.write(f"{name} {'drawn' if drawn else 'fixed'}: {share(wins, games)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
