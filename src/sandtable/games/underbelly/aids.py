"""Help for players beside the rules: the way of a move, and the words of the game."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action
from sandtable.engine.tools import Path, PathStep, Term
from sandtable.games.underbelly.actions import EndPhase, Go, Move, MoveFight
from sandtable.games.underbelly.atlas import INDEX, NAMES, PAESTUM, PLACES, SALERNO
from sandtable.games.underbelly.commands import fresh
from sandtable.games.underbelly.data import ALLIED
from sandtable.games.underbelly.model import WAT, Moving, UnderbellyState
from sandtable.games.underbelly.reach import reach
from sandtable.games.underbelly.zones import field

_TERMS = (
    ("zoc", "Zone of control", "The hexes around a division: entering one ends a move", "7.1", "EZOC"),
    ("cp", "Command points", "What commands cost: 7 a turn for the Allies, 6 for the Germans", "9.1", "CP"),
    ("tac", "Tactical airpower", "One more to hit for every division of one battle", "9.14", "TAC"),
    ("column", "Column movement", "Double rate, in regular supply, never near the enemy", "12.7", "column"),
    ("oos", "Out of supply", "Half movement, -2 to hit in attack, -1 in defence", "11.5", "out of supply"),
    (
        "coastal",
        "Coastal supply",
        "For Allied units on the coast: half movement, -1 to hit in attack",
        "11.6",
        "coastal supply",
    ),
    ("aerial", "Aerial supply", "For one hex: combat as if supplied, no movement", "11.7", "aerial supply"),
    ("cross", "Supplied by the other grouping", "-1 movement and -1 to hit in attack", "11.3", "other grouping"),
    ("mixed", "Mixed stack", "US and British units together: -1 movement and -1 to hit", "6.4", "mixed stack"),
    (
        "corps",
        "Multi-national corps",
        "One mixed stack a turn, free of penalties",
        "6.5",
        "multi-national corps",
    ),
    ("break", "Break off", "The attacker gives up after defensive fire and gets one step back", "13.2", "broken off"),
    ("extra", "Extra hit", "A hit on a force that is already gone: it cannot retreat", "13.10", "extra hit"),
    ("switch", "Supply switch", "Naples takes over from Salerno and Paestum", "11.9", "supply switch"),
    ("endrun", "End-Run", "The secret Allied landing up north in Watch on the Tiber", "8.9", "End-Run"),
    ("fort", "Fortification", "Allied attackers hit one less", "9.8", "fortification"),
    ("loc", "Line of communications", "A free way between Naples and Taranto", "4.3", "line of communications"),
)
_FACES = {
    "oos": ("supply-oos",),
    "coastal": ("supply-coastal",),
    "aerial": ("supply-aerial", "aerial"),
    "cross": ("supply-cross",),
    "corps": ("corps",),
    "fort": ("fort",),
}


def glossary() -> list[Term]:
    """The terms of the game, in our words."""
    return [
        Term(id=name, title=title, text=text, rule=rule, faces=_FACES.get(name, ()), words=(word,))
        for name, title, text, rule, word in _TERMS
    ]


def path(state: UnderbellyState, side: str, pieces: Sequence[str], to: str) -> Path | None:
    """The way that the moving group would take to a hex (12.1); the last step is the action."""
    frame = state.stack[-1]
    if not isinstance(frame, Moving) or frame.side != side or to not in INDEX:
        return None
    if pieces and not set(pieces) <= set(frame.group):
        return None
    found = reach(state, frame)
    goal = INDEX[to]
    if goal not in found.stops:
        return None
    way = [NAMES[h] for h in found.way(goal)]
    now = field(state)
    total = f"{max(found.cost(goal).values())} MP"
    steps = tuple(
        PathStep(
            cell=name,
            total=f"{max(found.cost(INDEX[name]).values())} MP",
            action=Go(to) if name == to else None,
            note="enemy zone of control: the move ends" if now.in_ezoc(side, name) else "",
        )
        for name in way
    )
    start = (frame.at,) if frame.at in INDEX else ()
    return Path(cells=(*start, *way), total=total, steps=steps)


def warning(state: UnderbellyState, side: str, action: Action) -> str:
    """What the side would leave open to a sudden death by what it is about to do (4.1, 4.2)."""
    if side != ALLIED or not isinstance(action, (EndPhase, Move, MoveFight)) or state.switched:
        return ""
    now = field(state)
    leaving = set(fresh(state, now.stack(action.at), move=True)) if isinstance(action, (Move, MoveFight)) else set()
    beaches = [at for at in (SALERNO, PAESTUM) if state.control[at] == ALLIED]
    bare = [PLACES[at].name for at in beaches if not any(unit not in leaving for unit in now.stack(at))]
    if not bare or (leaving and not any(state.at[unit] in (SALERNO, PAESTUM) for unit in leaving)):
        return ""
    verb = "would be" if leaving else "is" if len(bare) == 1 else "are"
    it = "it" if len(bare) == 1 else "either"
    rule = "4.2" if state.scenario == WAT else "4.1"
    text = f"{' and '.join(bare)} {verb} without a garrison"
    return f"{text}: if a German unit enters {it} before the supply switch, the game is lost ({rule})."
