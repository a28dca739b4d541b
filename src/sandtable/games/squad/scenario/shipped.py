"""What ships with a game of the family: its scenario cards and the titles of its rules."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from sandtable.games.squad.cards.scenario import Scenario
from sandtable.games.squad.scenario.files import load_scenario, scenario_names


def scenarios(game: str) -> Sequence[Scenario]:
    """The scenario cards of a game in their order."""
    return [load_scenario(f"{game}/{name}") for name in scenario_names(game)]


def rule_titles(game: str) -> Mapping[str, str]:
    """Every numbered rule of the game's booklet with a title in our words."""
    titles: Mapping[str, str] = _rules_file(game)["rules"]
    return titles


def cited_rules(game: str) -> Mapping[str, str]:
    """Rule numbers of the Starter Kit that the shared rules cite, with the sections of this game's booklet."""
    data = _rules_file(game)
    return {
        number: "; ".join([f"{section} {data['rules'][section]}" for section in sections])
        for number, sections in data.get("starter_kit", {}).items()
    }


def sections_of(game: str) -> Mapping[str, Sequence[str]]:
    """For each section of this game's booklet the rules of the Starter Kit that say the same."""
    found: dict[str, list[str]] = {}
    for number, sections in _rules_file(game).get("starter_kit", {}).items():
        for section in sections:
            found.setdefault(section, []).append(number)
    return found


def _rules_file(game: str) -> dict[str, Any]:
    return tomllib.loads((resources.files(f"sandtable.games.{game}") / "rules.toml").read_text("utf-8"))
