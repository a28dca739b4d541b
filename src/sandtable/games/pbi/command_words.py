"""Words of assets, off-table artillery and the company commander, and what they would come to."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sandtable.engine.odds import sum_of_dice
from sandtable.engine.part import Bar, Describe, Part
from sandtable.engine.view import Description, Preview
from sandtable.engine.view import OddsLine as Line
from sandtable.games.pbi import actions as a
from sandtable.games.pbi import events as e
from sandtable.games.pbi.artillery import ARTILLERY_DRIFT, SMOKE_STAYS
from sandtable.games.pbi.catalogue import lists
from sandtable.games.pbi.commander import commander_of
from sandtable.games.pbi.foot import CASUALTY_SCORE, PIN_SCORE_WITH_OFFICER
from sandtable.games.pbi.model import Assets, Commander, Deviating, Encouraging, PbiState, Placing
from sandtable.games.pbi.odds import SIXTH
from sandtable.games.pbi.pointing import ids_of
from sandtable.games.pbi.position import ground_of, unit_pieces
from sandtable.games.pbi.preview import one_die
from sandtable.games.pbi.words import several

PATTERN_NAMES = {"square": "Two by two squares", "row": "A row of four", "column": "A column of four"}
AIMED = {"square": 0, "row": 1, "column": 1}
"""The square of a pattern that one points at to place it: of a square the upper left one, else the second."""
_THINGS = {
    "step": "goes to {at}",
    "rally": "rallies the pinned in {at}",
    "comfort": "sees to the casualties of {unit}",
    "urge": "urges {unit} on",
    "call": "calls for the reinforcements",
}
_PRICE = "1 of his actions"


# -- assets and strikes -------------------------------------------------------------------


def _use_asset(state: PbiState, side: str, action: a.UseAsset) -> Description:
    return Description(f"Use {lists().assets[action.asset].name}", "asset")


def _place(state: PbiState, side: str, action: a.PlacePattern) -> Description:
    squares = ground_of(state).patterns[action.shape][action.at]
    aim = squares[AIMED[action.shape]]
    cells = (*[square for square in squares if square != aim], aim)
    return Description(f"{PATTERN_NAMES[action.shape]}: {squares[0]} to {squares[-1]}", "strike", cells=cells)


def _shape(state: PbiState, side: str, action: a.Shape) -> Description:
    return Description(f"{PATTERN_NAMES[action.shape]} instead", "pattern")


def _encourage(state: PbiState, side: str, action: a.Encourage) -> Description:
    text = f"Remove all pins of {state.units[action.unit].name}"
    return Description(text, "asset", ids_of(unit_pieces(state, action.unit)))


def _ask_reroll(state: PbiState, side: str, action: a.AskReroll) -> Description:
    frame = state.stack[-1]
    assert isinstance(frame, Deviating)
    square, drift = frame.squares[action.shot], frame.drift[action.shot]
    how = "on target" if not drift else f"{abs(drift)} {'over' if drift > 0 else 'short'}"
    return Description(f"Roll again for {square} ({how})", "reroll", cells=(square,))


def _accept(state: PbiState, side: str, action: a.Accept) -> Description:
    return Description("Let the deviation stand", "done", key="Enter")


def _preview_strike(state: PbiState, side: str, action: a.PlacePattern) -> Preview:
    return _strike(state, side, ground_of(state).patterns[action.shape][action.at])


def _who_is_there(enemies: int, own: int) -> str:
    """How many pieces a strike falls on."""
    if not enemies and not own:
        return "nobody is there"
    if not own:
        return f"{several(enemies, 'piece')} of the enemy there, none of yours"
    return f"{several(enemies, 'piece') if enemies else 'no piece'} of the enemy there, and {own} of yours"


def _strike(state: PbiState, side: str, squares: Sequence[str]) -> Preview:
    under = [state.pieces[id].side == side for square in squares for id in state.at.get(square, ())]
    struck = "a square" if state.rules.he_dice == "square" else "a piece"
    on_target = sum((p for rolled, p in sum_of_dice(2).items() if rolled not in ARTILLERY_DRIFT), Fraction(0))
    frame = state.stack[-1]
    effect = f"{struck} there is hit if one of three dice shows a 6: {float(1 - (1 - SIXTH) ** 3):.0%}"
    if isinstance(frame, Placing) and frame.smoke:
        effect = f"smoke stays on {SMOKE_STAYS} or more in each of your turns"
    return Preview(
        "Off-table artillery",
        (),
        (Line("each square falls on target", float(on_target)),),
        (_who_is_there(under.count(False), under.count(True)), effect),
    )


def _drifted(state: PbiState, event: e.Drifted) -> str:
    pairs = zip(event.placed, event.fell, strict=True)
    moved = [f"{start} to {end or 'off the table'}" for start, end in pairs if start != end]
    return f"Deviation: {', '.join(moved)}" if moved else "No deviation"


# -- the commander ------------------------------------------------------------------------


def _commander(state: PbiState, side: str) -> tuple[str, ...]:
    commander = commander_of(state, side)
    return (commander.id,) if commander else ()


def _step(state: PbiState, side: str, action: a.Step) -> Description:
    who = _commander(state, side)
    return Description(f"The commander goes to {action.to}", "move", who, (action.to,), cost=_PRICE)


def _rally(state: PbiState, side: str, action: a.Rally) -> Description:
    return Description(f"Rally the pinned in {action.at}", "rally", _commander(state, side), (action.at,), cost=_PRICE)


def _for_unit(text: str, group: str) -> Describe:
    def describe(state: PbiState, side: str, action: a.Comfort | a.Urge) -> Description:
        them = ids_of(unit_pieces(state, action.unit))
        what = f"{text} {state.units[action.unit].name}"
        return Description(what, group, _commander(state, side), targets=them, cost=_PRICE)

    return describe


def _call(state: PbiState, side: str, action: a.Call) -> Description:
    return Description("Call for the reinforcements", "call", _commander(state, side), cost=_PRICE)


def _ask_commander(state: PbiState, frame: Commander) -> Bar:
    things = "1 more thing" if frame.left == 1 else f"{frame.left} more things"
    return f"The company commander can do {things}", "turn-commander"


def _commander_acted(state: PbiState, event: e.CommanderActed) -> str:
    unit = state.units[event.unit].name if event.unit else "a unit"
    thing = _THINGS[event.what].format(at=event.at, unit=unit)
    return f"The {event.side}'s commander {thing}" + ("" if event.well else ", in vain")


PART: Part[PbiState] = Part(
    describe={
        a.UseAsset: _use_asset,
        a.PlacePattern: _place,
        a.Shape: _shape,
        a.Encourage: _encourage,
        a.AskReroll: _ask_reroll,
        a.Accept: _accept,
        a.Step: _step,
        a.Rally: _rally,
        a.Comfort: _for_unit("See to the casualties of", "rally"),
        a.Urge: _for_unit("Urge on", "urge"),
        a.Call: _call,
    },
    preview={
        a.PlacePattern: _preview_strike,
        a.Rally: lambda state, side, action: one_die("Rally", "no longer pinned", PIN_SCORE_WITH_OFFICER),
        a.Comfort: lambda state, side, action: one_die("Casualty removal", "a mark is removed", CASUALTY_SCORE),
    },
    prompts={
        Assets: lambda state, frame: ("Use an asset?", "turn-assets"),
        Placing: lambda state, frame: (f"Place the strike: {PATTERN_NAMES[frame.shape].lower()}", "artillery-place"),
        Encouraging: lambda state, frame: ("Which unit is encouraged?", "turn-assets"),
        Deviating: lambda state, frame: ("Let the deviation stand or ask for a re-roll?", "artillery-reroll"),
        Commander: _ask_commander,
    },
    words={
        e.AssetUsed: lambda state, event: f"The {event.side} uses an asset: {lists().assets[event.asset].name}",
        e.CommanderActed: _commander_acted,
        e.Bombed: lambda state, event: (
            f"{'Smoke' if event.smoke else 'High explosive'} of the {event.side} falls in {event.at}"
        ),
        e.Drifted: _drifted,
        e.SmokeLifted: lambda state, event: f"The smoke in {event.at} lifts",
    },
)
