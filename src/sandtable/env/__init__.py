"""Learning environments: every game as a PettingZoo environment (optional extra `env`).

`aec("aslguide/intro")` gives the turn-based form, `parallel(...)` the simultaneous one. Observations are made from
views, so an agent knows what a player knows; masks tell the legal actions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sandtable.engine.errors import SandtableError

if TYPE_CHECKING:
    from sandtable.env.adapters import SandtableAec, SandtableParallel

__all__ = ["NoPettingZoo", "aec", "parallel"]


class NoPettingZoo(SandtableError):
    """The optional library is not installed."""


def _adapters() -> Any:
    try:
        from sandtable.env import adapters
    except ImportError:
        raise NoPettingZoo("Environments need the extra `env`: pip install 'sandtable[env]'.") from None
    return adapters


def aec(scenario: str, **settings: Any) -> SandtableAec:
    """The turn-based environment of a scenario."""
    made: SandtableAec = _adapters().SandtableAec(scenario, **settings)
    return made


def parallel(scenario: str, **settings: Any) -> SandtableParallel:
    """The simultaneous environment: sides that owe no decision may only pass (action 0)."""
    made: SandtableParallel = _adapters().SandtableParallel(scenario, **settings)
    return made
