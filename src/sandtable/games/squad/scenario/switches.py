"""Switches of scenarios: what a game leaves out, adds or words otherwise."""

from __future__ import annotations

import msgspec


class ScenarioRules(msgspec.Struct, frozen=True, kw_only=True):
    """What is in force; the defaults are those of the Starter Kit."""

    off_board_terrain: bool = False
