"""Battles that are only thought of, with the odds of the rules' own course of a battle (13.2)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.games.underbelly.combat import deploy
from sandtable.games.underbelly.model import SUPPLIED, AttackDraft, Battle, UnderbellyState
from sandtable.games.underbelly.odds import Forecast, forecast
from sandtable.games.underbelly.zones import field

__all__ = ["Forecast", "forecast", "forecast_attack", "imagined_battle"]


def imagined_battle(
    state: UnderbellyState,
    side: str,
    at: str,
    target: str,
    units: Sequence[str],
    *,
    defenders: Sequence[str] | None = None,
    tac: bool = False,
) -> Battle:
    """A battle that is only thought of: whoever is not there yet fights in full supply."""
    there = tuple(field(state).stack(target)) if defenders is None else tuple(defenders)
    supply = tuple((u, SUPPLIED) for u in (*units, *there))
    return Battle(side, "attack", at, target, tuple(units), there, tuple(units), supply, tac=tac)


def forecast_attack(
    state: UnderbellyState,
    side: str,
    at: str,
    target: str,
    units: Sequence[str],
    *,
    tac: bool = False,
    bombers: bool = False,
) -> Forecast:
    """The odds of an attack that is only thought of."""
    draft = AttackDraft(side, "attack", at, target, tuple(units), tuple(units), tac=tac, bombers=bombers)
    battle = deploy(state, draft)
    return forecast(state, replace(battle, tac=tac, bombers=bombers))
