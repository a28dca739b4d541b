"""Concealment in words: actions, events, questions (A12)."""

from __future__ import annotations

from sandtable.engine.part import Bar
from sandtable.engine.view import Description
from sandtable.games.asl.concealment.model import (
    Bumped,
    ConcealmentFailed,
    ConcealmentGained,
    ConcealmentLost,
    Detected,
    DummyRemoved,
    ForcesSeen,
    Glimpsed,
    HideUnit,
    KeptUnderFire,
    MoppedUp,
    MopUp,
    Proved,
    PutUnderQuestion,
    SearchBegan,
    Searched,
    SearchHex,
    Searching,
    ShowUnit,
    StrengthShown,
)
from sandtable.games.asl.concealment.searching import mop_bar, moppers, search_bar
from sandtable.games.squad.ground.names import names, short, verb
from sandtable.games.squad.ground.setting import ground_of, setting_of
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.pieces.model import SquadState

WHYS = {
    "fires": "it fires",
    "fires ordnance": "it fires",
    "fires a Gun with 5": "its muzzle flash is seen",
    "fires a Gun with 6": "its muzzle flash is seen",
    "directs": "he directs fire",
    "acts": "it is busy in sight of the enemy",
    "hit by fire": "it is under effective fire",
    "breaks": "it breaks",
    "is reduced": "it suffers losses",
    "is thrown back": "it has run into the enemy",
    "fights": "it has fought",
    "is ambushed": "it is ambushed",
    "is searched": "it has been found",
    "is detected": "it stands in the way",
    "shows itself": "it shows itself",
    "eliminated": "it is eliminated",
    "set-up": "the set-up is over",
    "the Mission is over": "the Mission is over",
}


def _where(state: SquadState, unit: str) -> tuple[str, ...]:
    at = state.units[unit].at
    return (name_of(state, at),) if at >= 0 else ()


def show_words(state: SquadState, side: str, action: ShowUnit) -> Description:
    """Taking a "?" off."""
    text = f"{short(state, action.unit)} shows itself"
    return Description(text, "concealment", (action.unit,), _where(state, action.unit), rule="A12.14")


def hide_words(state: SquadState, side: str, action: HideUnit) -> Description:
    """Setting up hidden."""
    return Description(f"Hide {short(state, action.unit)}", "set up", (action.unit,), rule="A12.3")


def search_words(state: SquadState, side: str, action: object) -> Description:
    """Searching at the end of a move."""
    return Description(
        "Search the surrounding hexes", "move", rule="A12.152", cost="1 MF", notes=("ends the move, then TI",)
    )


def search_hex_words(state: SquadState, side: str, action: SearchHex) -> Description:
    """Searching a hex."""
    where = name_of(state, action.at)
    return Description(f"Search {where}", "move", cells=(where,), rule="A12.152")


def mop_words(state: SquadState, side: str, action: MopUp) -> Description:
    """Mopping up a building."""
    units = tuple(moppers(state, side, action.building))
    where = ground_of(state).names[ground_of(state).buildings[action.building][0]]
    who = names(state, units)
    text = f"{who} {verb(units, 'mops', 'mop')} up the building in {where}"
    return Description(text, "fire", units, (where,), rule="A12.153", notes=("TI for the rest of the Player Turn",))


def why_not_show(state: SquadState, side: str, action: ShowUnit) -> Bar | None:
    """Why a unit cannot show itself."""
    unit = state.units.get(action.unit)
    if unit is None or unit.side != side:
        return None
    return (f"{short(state, unit)} is not concealed", "A12.14") if not unit.concealed else None


def why_not_search(state: SquadState, side: str, action: object) -> Bar | None:
    """Why the moving units may not search."""
    return search_bar(state)


def why_not_mop(state: SquadState, side: str, action: MopUp) -> Bar | None:
    """Why a building may not be mopped up."""
    return mop_bar(state, side, action.building)


# -- events -----------------------------------------------------------------------------


def gained(state: SquadState, event: ConcealmentGained) -> str:
    """A "?" is placed."""
    return f"{names(state, event.units)} in {event.at} {verb(event.units, 'gains', 'gain')} concealment (A12.12)"


def failed(state: SquadState, event: ConcealmentFailed) -> str:
    """No "?"."""
    return f"{short(state, event.unit)} in {event.at} fails to gain concealment (A12.12)"


def lost(state: SquadState, event: ConcealmentLost) -> str:
    """A "?" comes off."""
    why = WHYS.get(event.why, f"it {event.why}")
    return f"{short(state, event.unit)} in {event.at} loses its concealment: {why} (A12.14)"


def under_question(state: SquadState, event: PutUnderQuestion) -> str:
    """A hidden unit is put on the map under a "?"."""
    return f'A hidden {_title(state, event.side)} unit in {event.at} is put on the map under a "?" (A12.3)'


def dummy(state: SquadState, event: DummyRemoved) -> str:
    """Nobody was there."""
    return f'The {_title(state, event.side)} "?" in {event.at} was a Dummy (A12.11)'


def proved(state: SquadState, event: Proved) -> str:
    """A concealed watcher is real."""
    return f"A concealed {_title(state, event.side)} unit in {event.at} proves to be real (A12.14)"


def strength(state: SquadState, event: StrengthShown) -> str:
    """Before close combat."""
    return f"Concealed units in {event.at} show their strength: {names(state, event.units)} (A11.19)"


def kept(state: SquadState, event: KeptUnderFire) -> str:
    """Attacked out of sight."""
    return f'The effect of the attack on the {_title(state, event.side)} "?" in {event.at} is not seen'


def glimpsed(state: SquadState, event: Glimpsed) -> str:
    """Something is left behind."""
    return f'The {_title(state, event.side)} "?" in {event.at} leaves something behind'


def seen(state: SquadState, event: ForcesSeen) -> str:
    """Play begins."""
    return "Both sides are set up: units that are not concealed are now seen (A12.12)"


def bumped(state: SquadState, event: Bumped) -> str:
    """Detection."""
    who = names(state, event.units)
    return (
        f"{who} {verb(event.units, 'runs', 'run')} into concealed enemies in {event.at} and {_go(event)} back (A12.15)"
    )


def _go(event: Bumped) -> str:
    return verb(event.units, "goes", "go")


def began(state: SquadState, event: SearchBegan) -> str:
    """A Search with the hexes it covers."""
    hexes = f"{event.hexes} hex{'' if event.hexes == 1 else 'es'}"
    return f"{names(state, event.units)} in {event.at} may search {hexes} (A12.152)"


def searched(state: SquadState, event: Searched) -> str:
    """One hex."""
    return f"{event.at} is searched: {'enemies are there' if event.found else 'no enemy is there'}"


def mopped(state: SquadState, event: MoppedUp) -> str:
    """A building."""
    result = "it is cleared" if event.cleared else "concealed enemies remain in it"
    return f"{names(state, event.units)} {verb(event.units, 'mops', 'mop')} up the building in {event.at}: {result}"


def _title(state: SquadState, side: str) -> str:
    return setting_of(state).titles[side]


# -- questions --------------------------------------------------------------------------


def ask_detected(state: SquadState, frame: Detected) -> Bar:
    """Who is shown."""
    return f"Enemies have run into {name_of(state, frame.at)}: show one of your units", "A12.15"


def ask_search(state: SquadState, frame: Searching) -> Bar:
    """Which hexes."""
    return f"Choose a hex to search ({frame.left} left)", "A12.152"
