"""Words from before the battle: building an army and setting up."""

from __future__ import annotations

from sandtable.engine.part import Bar, Part
from sandtable.engine.view import Description, Refusal
from sandtable.games.pbi import actions as a
from sandtable.games.pbi import events as e
from sandtable.games.pbi.armies import army_points, check_army, unit_points
from sandtable.games.pbi.catalogue import KINDS, Entry, lists
from sandtable.games.pbi.model import Muster, PbiState, SetUp
from sandtable.games.pbi.pointing import actors
from sandtable.games.pbi.position import ground_of
from sandtable.games.pbi.setup import fits, mustered, next_section, zone
from sandtable.games.pbi.words import counted, named, unit_name

ARMY_GROUPS = {"platoon": "platoons", "weapons": "weapons", "guns": "guns", "vehicles": "vehicles"}


def _enlist(state: PbiState, side: str, action: a.Enlist) -> Description:
    frame = state.stack[-1]
    assert isinstance(frame, Muster)
    found = lists().entry(frame.nation, action.entry)
    assert found is not None
    cost = f"{unit_points(frame.nation, action.entry, action.quality)} points"
    return Description(
        f"Take {action.quality} {found.name}", ARMY_GROUPS[found.kind], cost=cost, notes=(_contents(found),)
    )


def _contents(entry: Entry) -> str:
    return counted([KINDS[kind].name for kind in entry.kinds])


def _take_asset(state: PbiState, side: str, action: a.TakeAsset) -> Description:
    it = lists().assets[action.asset]
    return Description(f"Take {it.name}", "assets", cost=f"{it.points} points")


def _dismiss(state: PbiState, side: str, action: a.Dismiss) -> Description:
    return Description("Leave out what was taken last", "army", key="Backspace")


def _ready(state: PbiState, side: str, action: a.Ready) -> Description:
    return Description("The army is complete", "done", key="Enter")


def _place(state: PbiState, side: str, action: a.Place) -> Description:
    pieces = actors(state)
    return Description(f"Set up {named(state, pieces)} in {action.at}", "set up", pieces, (action.at,))


def _place_bar(state: PbiState, side: str, action: a.Place) -> Bar | None:
    if action.at not in zone(state, ground_of(state), side):
        return f"{action.at} is outside the {side}'s zone: set up in the {state.zones[side]} rows at your edge", ""
    if not fits(state, action.at, next_section(state, side)):
        return f"{action.at} has no room left", "transports-clustering"
    return None


def _refusals(state: PbiState, side: str, frame: Muster) -> list[Refusal]:
    return [Refusal(f"Complete the army: {p.where}", p.sentence) for p in check_army(mustered(frame))]


def _ask_muster(state: PbiState, frame: Muster) -> Bar:
    return f"Build your army: {frame.points - army_points(mustered(frame))} points left", ""


PART: Part[PbiState] = Part(
    describe={a.Enlist: _enlist, a.TakeAsset: _take_asset, a.Dismiss: _dismiss, a.Ready: _ready, a.Place: _place},
    why_not={(SetUp, a.Place): _place_bar},
    refusals={Muster: _refusals},
    prompts={Muster: _ask_muster, SetUp: lambda state, frame: (f"Set up {named(state, actors(state))}", "")},
    words={
        e.ArmyReady: lambda state, event: f"The {event.side}'s army is complete: {event.points} points",
        e.Placed: lambda state, event: f"{unit_name(state, event.unit)}: {named(state, event.pieces)} in {event.at}",
    },
)
