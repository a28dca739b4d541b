"""Tallies and exact odds before an action is committed."""

from __future__ import annotations

from sandtable.engine import Action
from sandtable.engine.view import OddsLine, Preview
from sandtable.games.underbelly.actions import ConsultEndRun, Move, MoveFight, Resolve, Shoot
from sandtable.games.underbelly.combat import deploy, the_battle
from sandtable.games.underbelly.commands import fresh, in_column
from sandtable.games.underbelly.data import ALLIED, tables
from sandtable.games.underbelly.fog import hidden
from sandtable.games.underbelly.model import AttackDraft, UnderbellyState
from sandtable.games.underbelly.modifiers import DIE, hit_tally
from sandtable.games.underbelly.movement import movement_tally
from sandtable.games.underbelly.odds import BattleOdds
from sandtable.games.underbelly.watch import end_run_tally
from sandtable.games.underbelly.zones import UNITS, field

CONDUCT = (
    "Standard conduct: each shot at a unit it can eliminate, the strongest first; no break-off unless forced, "
    "no retreat, no TAC for the defender."
)


def preview(state: UnderbellyState, side: str, action: Action) -> Preview | None:
    """What an action would come to; None: there is nothing to reckon."""
    frame = state.stack[-1]
    if isinstance(action, Shoot):
        tally = hit_tally(state, the_battle(state), action.unit, action.target)
        chance = max(0, min(DIE, tally.total)) / DIE
        return Preview("Shot", (tally,), (OddsLine("hit", chance, action.target),))
    if isinstance(action, Resolve) and isinstance(frame, AttackDraft):
        return _battle(state, side, frame)
    if isinstance(action, (Move, MoveFight)):
        return _move(state, action)
    if isinstance(action, ConsultEndRun):
        return _end_run(state)
    return None


def _battle(state: UnderbellyState, side: str, frame: AttackDraft) -> Preview:
    battle = deploy(state, frame)
    tallies = tuple(hit_tally(state, battle, unit) for unit in battle.attackers)
    if not battle.defenders:
        return Preview("Battle", (), (OddsLine("port supply marker destroyed", 1.0),))
    if side != ALLIED and any(hidden(state, u) for u in battle.defenders):
        note = "The Allied stack is hidden until the battle begins (6.9), so there are no odds."
        return Preview("Battle", tallies, (), (note,))
    odds = BattleOdds(state, battle)
    tallies += tuple(hit_tally(state, battle, unit) for unit in battle.defenders)
    lines = [OddsLine("hex cleared", float(odds.cleared()))]
    for label, attacker in (("attacker", True), ("defender", False)):
        for lost, p in odds.losses(attacker=attacker).items():
            lines.append(OddsLine(f"{label} loses {lost} {'step' if lost == 1 else 'steps'}", float(p)))
    return Preview("Battle", tallies, tuple(lines), (CONDUCT,))


def _move(state: UnderbellyState, action: Move | MoveFight) -> Preview:
    now = field(state)
    kind = "column" if isinstance(action, Move) and action.column else "move"
    units = fresh(state, now.stack(action.at), move=True)
    units = in_column(state, units) if kind == "column" else units
    rolled = [u for u in units if UNITS[u].mf == 0]
    tallies = tuple(movement_tally(state, now, u, kind, 0, units) for u in units if u not in rolled)
    notes = tuple(f"{UNITS[u].name} rolls a die for its movement factor, 8 at most (2.12)" for u in rolled)
    return Preview("Movement", tallies, (), notes)


def _end_run(state: UnderbellyState) -> Preview:
    tally = end_run_tally(state)
    chart = tables()["end_run"]
    counts = {
        "Allied victory": 0,
        "stalemate, 8 steps": 0,
        "stalemate, 4 steps": 0,
        "undecided": 0,
        "German victory": 0,
    }
    for die in range(1, DIE + 1):
        result = die + tally.total
        if result >= chart["win"]["least"]:
            counts["Allied victory"] += 1
        elif result <= chart["lose"]["most"]:
            counts["German victory"] += 1
        else:
            counts["stalemate, 8 steps" if result == 9 else "stalemate, 4 steps" if result == 8 else "undecided"] += 1
    return Preview("End-Run", (tally,), tuple(OddsLine(label, n / DIE) for label, n in counts.items() if n))
