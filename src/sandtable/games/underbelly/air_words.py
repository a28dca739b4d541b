"""Words of airpower and the airborne division (9.9 to 9.14, 11.7, 12.9)."""

from __future__ import annotations

from sandtable.engine.part import Part
from sandtable.engine.view import Description
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly import events as e
from sandtable.games.underbelly import model as m
from sandtable.games.underbelly.airpower import AERIAL_COST, AIRBORNE_COST, TAC_COST, tac_units
from sandtable.games.underbelly.wording import plain, where

State = m.UnderbellyState


def _activate(state: State, side: str, action: a.ActivateTac) -> Description:
    number = tac_units(state)
    text = f"Activate tactical airpower ({number} {'unit' if number == 1 else 'units'})"
    return Description(text, "air", rule="9.9", key="y", cost=f"{TAC_COST} CP")


def _supply(state: State, side: str, action: a.SupplyByAir) -> Description:
    text = f"Supply {where(action.at)} by air"
    return Description(text, "air", (), (action.at,), rule="11.7", cost=f"{AERIAL_COST} CP")


def _site(state: State, side: str, action: a.Site) -> Description:
    return Description(f"Drop on {where(action.at)}", "site", (), (action.at,), rule="12.9")


def _pass(state: State, side: str, action: a.PassDrop) -> Description:
    text, key = ("No drop in this game turn", "q") if action.rest else ("Not now", "n")
    return Description(text, "pass", rule="12.9", key=key)


_READY = "Make the 82nd Airborne ready to drop"

PART: Part[State] = Part(
    describe={
        a.ActivateTac: _activate,
        a.DeclineTac: plain("Do without tactical airpower", "done", "9.9", "n"),
        a.SupplyByAir: _supply,
        a.ActivateAirborne: plain(_READY, "air", "9.12", cost=AIRBORNE_COST, pieces=(m.AIRBORNE,)),
        a.Drop: plain("Drop the 82nd Airborne", "air", "12.9", "d", pieces=(m.AIRBORNE,)),
        a.Site: _site,
        a.PassDrop: _pass,
    },
    prompts={
        m.DropSite: lambda state, frame: ("Choose the hex of the drop", "12.9"),
        m.Interruption: lambda state, frame: ("Drop the 82nd Airborne now?", "12.9"),
    },
    words={
        e.AirSupply: lambda state, event: f"Aerial supply for {where(event.at)}",
        e.Dropped: lambda state, event: f"The 82nd Airborne drops on {where(event.at)}",
    },
)
