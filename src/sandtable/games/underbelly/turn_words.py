"""Words of set-up, the sequence of a game turn, arrivals, ports and control (3.0, 5.0, 7.0, 10.0, 11.0)."""

from __future__ import annotations

from sandtable.engine.events import Ended
from sandtable.engine.game import cited
from sandtable.engine.game import words as common_words
from sandtable.engine.part import Bar, Part
from sandtable.engine.view import Description
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly import events as e
from sandtable.games.underbelly import model as m
from sandtable.games.underbelly.data import turn_record
from sandtable.games.underbelly.setup import to_place
from sandtable.games.underbelly.wording import SIDES, dates, names, plain, unit_name, where
from sandtable.games.underbelly.zones import UNITS

State = m.UnderbellyState


def _place(state: State, side: str, action: a.Place) -> Description:
    text = f"Place {unit_name(action.unit)} in {where(action.at)}"
    return Description(text, "set up", (action.unit,), (action.at,), rule="3.2")


def _substitute(state: State, side: str, action: a.Substitute) -> Description:
    text = f"Withdraw {unit_name(action.unit)} from {where(state.at[action.unit])}"
    return Description(text, "withdraw", (action.unit,), (state.at[action.unit],), rule="10.4")


def _corps(state: State, side: str, action: a.DesignateCorps) -> Description:
    return Description(f"Multi-national corps in {where(action.at)}", "corps", (), (action.at,), rule="6.5")


def _eliminate(state: State, side: str, action: a.Eliminate) -> Description:
    return Description(f"Eliminate {unit_name(action.unit)}", "eliminate", (action.unit,), rule="6.8")


def _ask_placement(state: State, frame: m.Placement) -> Bar:
    return f"Place the British units within two hexes of 5322: {UNITS[to_place(state)[0]].name}", "3.2"


# -- events -------------------------------------------------------------------------------


def _ended(state: State, event: Ended) -> str:
    if not event.winner:
        return common_words(event)
    return f"The {SIDES[event.winner]} win: {event.reason}{cited(event.rule)}"


def _withdrawn(state: State, event: e.Withdrawn) -> str:
    instead = f" instead of {unit_name(event.instead_of)}" if event.instead_of else ""
    return f"{unit_name(event.unit)} is withdrawn{instead}"


def _raid(state: State, event: e.Raid) -> str:
    return f"Luftwaffe raid on {where(event.at)}" + ("" if event.sunk else ": nothing to destroy")


PART: Part[State] = Part(
    describe={
        a.Place: _place,
        a.Substitute: _substitute,
        a.DesignateCorps: _corps,
        a.OpenBari: plain("Open the port of Bari", "port", "11.10", "o"),
        a.Decline: lambda state, side, action: Description("Decline", "done", key="n"),
        a.Eliminate: _eliminate,
    },
    prompts={
        m.Placement: _ask_placement,
        m.Substitution: lambda state, frame: ("Pick the Allied unit that is withdrawn instead", "10.4"),
        m.Opening: lambda state, frame: ("Activate tactical airpower?", "9.9"),
        m.OverStacked: lambda state, frame: ("Choose a unit to eliminate", "6.8"),
        m.BariChoice: lambda state, frame: ("Open the port of Bari?", "11.10"),
        m.TurnStart: lambda state, frame: ("", "5.2"),
        m.Reinforcing: lambda state, frame: ("", "10.1"),
        m.TurnEnd: lambda state, frame: ("", "5.3"),
    },
    words={
        Ended: _ended,
        e.TurnBegan: lambda state, event: f"Game turn {event.turn}: {dates(turn_record()[event.turn - 1])}",
        e.PhaseBegan: lambda state, event: f"{SIDES[event.side]}: {event.cp} command points",
        e.ScenarioDecided: lambda state, event: (
            "Scenario: " + ("Watch on the Tiber" if event.scenario == "wat" else "Historical")
        ),
        e.Arrived: lambda state, event: f"{names(event.units)}: now in {where(event.box)}",
        e.Withdrawn: _withdrawn,
        e.Died: lambda state, event: f"{unit_name(event.unit)} is eliminated ({event.why})",
        e.PortOpened: lambda state, event: f"Port opened in {where(event.at)}",
        e.PortLost: lambda state, event: f"Port supply marker lost in {where(event.at)} ({event.why})",
        e.Captured: lambda state, event: f"{SIDES[event.side]} take {where(event.at)}",
        e.SupplySwitched: lambda state, event: "Supply switches from Salerno and Paestum to Naples",
        e.SfLeft: lambda state, event: f"The Special Forces leave play ({event.why})",
        e.Assembled: lambda state, event: f"{event.corps}: {names(event.units)} ready",
        e.Raid: _raid,
    },
)
