"""Switches of the Rally Phase: what a game leaves out, adds or words otherwise."""

from __future__ import annotations

import msgspec


class RallyRules(msgspec.Struct, frozen=True, kw_only=True):
    """What is in force; the defaults are those of the Starter Kit."""

    mmc_self_rally: bool = True
    """The ATTACKER may self-rally one MMC (3.1 e); crews may always."""
    self_rally_only_without_leader: bool = False
    """Nobody self-rallies beside an unbroken leader, who must rally them (guide, A10.63)."""
    repair: bool = True
    rally_steps: str = "bcdefg"
    """Order of the steps of the Rally Phase (3.1); the guide transfers at any time, so after the rallies."""
    dm_stays_adjacent: bool = True
    """DM is not removed beside a Known enemy (3.1 g)."""
