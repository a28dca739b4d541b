"""What ships with a game of the family: its scenario cards and the titles of its rules."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources

from sandtable.games.squad.scenario import load_scenario, scenario_names
from sandtable.games.squad.scenario_types import Scenario


def scenarios(game: str) -> Sequence[Scenario]:
    """The scenario cards of a game in their order."""
    return [load_scenario(f"{game}/{name}") for name in scenario_names(game)]


def rule_titles(game: str) -> Mapping[str, str]:
    """Every numbered rule of the game's booklet with a title in our words."""
    text = (resources.files(f"sandtable.games.{game}") / "rules.toml").read_text("utf-8")
    titles: Mapping[str, str] = tomllib.loads(text)["rules"]
    return titles
