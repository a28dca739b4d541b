"""Events in words for the log: the one place where they are made."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Event
from sandtable.engine.game import words as common_words
from sandtable.games.underbelly import events as e
from sandtable.games.underbelly.atlas import INDEX, describe_hex
from sandtable.games.underbelly.data import TurnRow, turn_record
from sandtable.games.underbelly.model import (
    ALLIED_BOX,
    ARMY_BOX,
    ASIDE,
    DEAD,
    END_RUN_BOX,
    GERMAN_BOX,
    GONE,
    LOST,
)
from sandtable.games.underbelly.modifiers import BOMBERS
from sandtable.games.underbelly.zones import UNITS

BOX_NAMES = {
    ALLIED_BOX: "Allied Available Units",
    GERMAN_BOX: "German Available Units",
    ARMY_BOX: "5th Panzer Army",
    END_RUN_BOX: "End-Run Invasion",
    DEAD: "dead pile",
    LOST: "lost for good",
    ASIDE: "off to the side",
    GONE: "out of play",
}
MONTHS = {"09": "Sep", "10": "Oct", "11": "Nov", "12": "Dec"}
SIDES = {"allied": "Allies", "german": "Germans"}
COMMANDS = {
    "move": "move",
    "column": "move in column",
    "move-fight": "move-fight",
    "fight-move": "fight-move",
    "attack": "attack",
    "end-run": "march to the End-Run",
}


FREE = {
    "no TAC": "The Allies do without tactical airpower",
    "multi-national corps": "The stack in {} is the multi-national corps",
    "End-Run": "The first look at the End-Run table is free",
}


def unit_name(unit: str) -> str:
    """A unit or the heavy bombers by name."""
    return "Heavy bombers" if unit == BOMBERS else UNITS[unit].name


def names(units: Sequence[str]) -> str:
    """Several units by name."""
    return ", ".join(unit_name(u) for u in units) or "nobody"


def where(place: str) -> str:
    """A hex or a box in words."""
    return describe_hex(place) if place in INDEX else BOX_NAMES.get(place, place)


def dates(row: TurnRow) -> str:
    """The dates of a turn, short: 28 Oct to 2 Nov 1943."""
    (year, month, day), (_, last_month, last) = row.start.split("-"), row.end.split("-")
    first = int(day) if month == last_month else f"{int(day)} {MONTHS[month]}"
    return f"{first} to {int(last)} {MONTHS[last_month]} {year}"


def words(event: Event) -> str:
    """An event in words."""
    if isinstance(event, e.TurnBegan):
        return f"Game turn {event.turn}: {dates(turn_record()[event.turn - 1])}"
    if isinstance(event, e.PhaseBegan):
        return f"{SIDES[event.side]}: {event.cp} command points"
    if isinstance(event, e.ScenarioDecided):
        return "Scenario: " + ("Watch on the Tiber" if event.scenario == "wat" else "Historical")
    if isinstance(event, e.Plotted):
        if event.turn < 0:
            return "The Allied player has written down his plan for an End-Run"
        return f"Plot: End-Run on turn {event.turn}" if event.turn else "Plot: no End-Run"
    if isinstance(event, e.Arrived):
        return f"{names(event.units)}: now in {where(event.box)}"
    if isinstance(event, e.Withdrawn):
        return f"{unit_name(event.unit)} is withdrawn" + (
            f" instead of {unit_name(event.instead_of)}" if event.instead_of else ""
        )
    if isinstance(event, e.Commanded) and not event.cost and event.what in FREE:
        return FREE[event.what].format(where(event.at))
    if isinstance(event, e.Commanded):
        target = f" against {', '.join(map(where, event.cells))}" if event.cells else ""
        at = f" {'from' if event.what in COMMANDS else 'in'} {where(event.at)}" if event.at else ""
        return f"{SIDES[event.side]} spend {event.cost} CP: {COMMANDS.get(event.what, event.what)}{at}{target}"
    if isinstance(event, e.Moved):
        hidden = event.count - len(event.units)
        who = names(event.units) if event.units else ""
        rest = f"{hidden} {'unit' if hidden == 1 else 'units'}" if hidden else ""
        all_ = " and ".join(filter(None, (who, rest)))
        if event.origin == ASIDE:
            return f"{all_}: placed in {where(event.at)}"
        return f"{all_}: {where(event.origin)} to {where(event.at)}"
    if isinstance(event, e.Named):
        return f"In it: {names(event.units)}"
    if isinstance(event, e.Shown):
        return f"{unit_name(event.unit)} is on top in {where(event.at)}"
    if isinstance(event, e.Allowance):
        return f"{unit_name(event.unit)} has {event.mf} movement points"
    return _battle_words(event)


def _battle_words(event: Event) -> str:
    if isinstance(event, e.Deployed):
        return (
            f"Battle for {where(event.at)} from {where(event.origin)}: {names(event.attackers)}"
            f" against {names(event.defenders)}"
        )
    if isinstance(event, e.Shot):
        target, roll = unit_name(event.target), f"{event.die} against {event.need}"
        if not event.hit:
            return f"Miss ({roll})"
        if event.extra:
            return f"Extra hit ({roll}): no retreat from it"
        return f"Hit ({roll}): {target} {'is eliminated' if event.eliminated else 'loses a step'}"
    if isinstance(event, e.Rubble):
        return f"{unit_name(event.target)} takes cover in the rubble"
    if isinstance(event, e.BattleEnded):
        how = {
            "broken off": "the attack is broken off",
            "retreat": "the defenders retreat",
            "cleared": "the hex is cleared",
            "held": "the defenders hold",
            "port": "the port is overrun",
        }
        return f"Battle for {where(event.at)}: {how[event.how]}"
    if isinstance(event, e.StepRestored):
        return f"{unit_name(event.unit)} gets a step back"
    if isinstance(event, e.TacCommitted):
        return f"{SIDES[event.side]} commit TAC air to {where(event.at)}"
    if isinstance(event, e.Died):
        return f"{unit_name(event.unit)} is eliminated ({event.why})"
    return _other_words(event)


def _other_words(event: Event) -> str:
    if isinstance(event, e.Replaced):
        if not event.unit:
            return f"{SIDES[event.side]} replenish a division"
        return f"{unit_name(event.unit)} {'returns from the dead pile' if event.reclaimed else 'is replenished'}"
    if isinstance(event, e.FortBuilt):
        return f"Fortification in {where(event.at)}"
    if isinstance(event, e.FortLost):
        return f"The fortification in {where(event.at)} is destroyed"
    if isinstance(event, e.PortOpened):
        return f"Port opened in {where(event.at)}"
    if isinstance(event, e.PortLost):
        return f"Port supply marker lost in {where(event.at)} ({event.why})"
    if isinstance(event, e.Captured):
        return f"{SIDES[event.side]} take {where(event.at)}"
    if isinstance(event, e.SupplySwitched):
        return "Supply switches from Salerno and Paestum to Naples"
    if isinstance(event, e.SfLeft):
        return f"The Special Forces leave play ({event.why})"
    if isinstance(event, e.AirSupply):
        return f"Aerial supply for {where(event.at)}"
    if isinstance(event, e.Dropped):
        return f"The 82nd Airborne drops on {where(event.at)}"
    if isinstance(event, e.EndRunLaunched):
        return f"End-Run launched: {names(event.units)}"
    if isinstance(event, e.EndRunJoined):
        return f"{names(event.units)} join the fight up north"
    if isinstance(event, e.EndRunRolled):
        steps = f"; the Germans must withdraw {event.steps} steps" if event.steps else ""
        return f"End-Run result {event.result}{steps}"
    if isinstance(event, e.Exited):
        return f"{names(event.units)} leave the map from {where(event.at)}"
    if isinstance(event, e.Assembled):
        return f"{event.corps}: {names(event.units)} ready"
    if isinstance(event, e.Raid):
        return f"Luftwaffe raid on {where(event.at)}" + ("" if event.sunk else ": nothing to destroy")
    return common_words(event)
