"""Records of the squad-level games: hexes by name, and one sentence for what is too old or wrong."""

from __future__ import annotations

import json

import pytest
from squad_support import drill, unit

import sandtable
from sandtable.engine import Match, read_record
from sandtable.engine.errors import CorruptRecord, OlderRecord
from sandtable.games.squad.movement.model import BeginMove, StartMove, Step


def moved() -> Match:
    units = [unit("r", "russian 4-4-7", "V4"), unit("g", "german 4-6-7", "T5")]
    match = sandtable.new(drill("y", "MPh", units).position(), seed=2)
    match.apply("russian", StartMove("r"))
    match.apply("russian", BeginMove())
    step = next(action for action in match.actions("russian") if isinstance(action, Step))
    match.apply("russian", step)
    return match


def test_a_record_names_hexes() -> None:
    match = moved()
    text = match.record().to_lines()
    side, action = json.loads(text.splitlines()[3])[:2]
    assert (side, action["type"]) == ("russian", "Step")
    assert action["to"] in match.game.place_names("y", match.header.options)
    again = read_record(text)
    assert again.entries == match.record().entries
    assert sandtable.replay(again).state == match.state


def test_a_hex_that_is_not_on_the_map_is_told() -> None:
    text = moved().record().to_lines()
    name = json.loads(text.splitlines()[3])[1]["to"]
    with pytest.raises(CorruptRecord, match=r"Line 4 .*there is no hex 'ZZ99' on the map"):
        read_record(text.replace(f'"to":"{name}"', '"to":"ZZ99"'))


def test_a_record_of_older_rules_gets_one_sentence() -> None:
    text = moved().record().to_lines().replace('"rules_version":4', '"rules_version":2')
    with pytest.raises(OlderRecord, match=r"version 2 of the rules of drill.*records are read from version 3 on"):
        read_record(text)
