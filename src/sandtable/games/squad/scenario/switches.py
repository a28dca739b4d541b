"""Switches of scenarios: what a game leaves out, adds or words otherwise."""

from __future__ import annotations

import msgspec


class ScenarioRules(msgspec.Struct, frozen=True, kw_only=True):
    """What is in force; the defaults are those of the Starter Kit."""

    late_units_wait: bool = False
    """Units of a group that enters on a turn or later wait on if they have not come; off: they are lost (M-2)."""
    off_board_terrain: bool = False
