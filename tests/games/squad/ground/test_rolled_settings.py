"""Settings from the record: a match that rolls its own card writes what it rolled into the key of its setting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace
from squad_support import _cards, drill, unit

import sandtable
from sandtable.engine import Play, read_record, register
from sandtable.games.squad.cards.scenario import Scenario
from sandtable.games.squad.game import SquadGame
from sandtable.games.squad.ground import setting as settings
from sandtable.games.squad.ground.setting import find_setting, setting_of, write_key
from sandtable.games.squad.part import Part
from sandtable.games.squad.parts import COMMON
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.rulesets import STARTER_KIT


class Rolling(SquadGame):
    """A game whose matches roll how many turns they have."""

    def scenario_of(self, scenario: str, rolled: Mapping[str, Any]) -> Scenario:
        found = super().scenario_of(scenario, rolled)
        return replace(found, turns=replace(found.turns, count=rolled["turns"])) if rolled else found


def roll_turns(play: Play[SquadState]) -> None:
    """At the end of the first PFPh a die says how long the match is."""
    if "#" not in play.state.setting:
        (turns,) = play.roll(6, 1, "length of the match")
        play.state.setting = write_key("rolling", "y", setting_of(play.state).options, {"turns": turns})


register(Rolling("rolling", "Rolling", STARTER_KIT, _cards, {}, parts=(*COMMON, Part(ends={"PFPh": roll_turns}))))
TWO = [unit("r", "russian 4-4-7", "V4"), unit("g", "german 4-6-7", "W4")]


def played(seed: int) -> sandtable.Match:
    position = drill("y", "PFPh", TWO, game="rolling").position()
    match = sandtable.new(position, seed=seed)
    match.apply("russian", EndPhase())
    return match


def test_the_setting_follows_from_the_rolls() -> None:
    lengths = {}
    for seed in range(6):
        match = played(seed)
        ((_, (die,)),) = match.last_rolls
        assert setting_of(match.state).turns == die
        lengths[die] = match.state.setting
    assert len(set(lengths.values())) == len(lengths) > 1


def test_the_record_rolls_the_same_setting_again() -> None:
    match = played(3)
    again = sandtable.replay(read_record(match.record().to_lines()))
    assert again.state == match.state
    assert setting_of(again.state) is setting_of(match.state)


def test_taking_back_or_cloning_keeps_matches_apart() -> None:
    match = played(3)
    before = sandtable.new(match.header.position, seed=4)
    assert "#" not in before.state.setting
    assert setting_of(match.clone().state).turns == setting_of(match.state).turns


def test_what_was_rolled_is_read_back_from_the_key() -> None:
    key = write_key("rolling", "y", {"los": "free"}, {"turns": 4})
    assert key == 'rolling/y?los=free#{"turns":4}'
    assert find_setting(key).turns == 4
    assert find_setting(key) is find_setting(key)


def test_only_the_latest_rolled_settings_are_kept(monkeypatch: Any) -> None:
    monkeypatch.setattr(settings, "_SETTINGS", {})
    monkeypatch.setattr(settings, "_MOST_ROLLED", 5)
    keys = [write_key("rolling", "y", {}, {"turns": turns}) for turns in range(11, 18)]
    for number, key in enumerate(keys):
        find_setting(key)
        assert list(settings._SETTINGS) == keys[max(0, number - 4) : number + 1]
    assert find_setting(keys[0]).turns == 11  # made again when it is asked for
