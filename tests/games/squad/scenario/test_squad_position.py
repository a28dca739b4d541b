"""Position files that a person can write, and their round trip."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path

import pytest
from squad_support import drill, unit

import sandtable
from sandtable.engine.errors import SandtableError

HAND_WRITTEN = """
sandtable_position = 1
game = "aslsk2"
scenario = "S15"

[state]
turn = 3
attacker = "german"
phase = "MPh"
units = [
  { id = "g1", kind = "german 4-6-7", at = "K5" },
  { id = "g2", kind = "german 9-1", at = "K5" },
  { id = "a1", kind = "american 5-4-6", at = "N5", broken = true, dm = true },
]
weapons = [
  { id = "w1", kind = "german MMG", owner = "g1" },
  { id = "w2", kind = "american BAZ 44", at = "N5" },
]
residual = { L5 = 4 }
smoke = { M5 = [{ kind = "smoke", side = "german" }] }
"""


def test_a_hand_written_position(tmp_path: Path) -> None:
    file = tmp_path / "hill.toml"
    file.write_text(HAND_WRITTEN, encoding="utf-8")
    match = sandtable.new(file, seed=1)
    state = match.state
    assert state.turn == 3
    assert state.units["a1"].side == "american"
    assert state.units["g1"].weapons == ("w1",)
    assert state.units["g2"].group == "german"
    assert len(state.stacks) == 2
    assert state.weapons["w2"].owner == ""
    assert match.to_act == ("german",)
    again = match.position()
    assert sandtable.new(again, seed=1).state == state
    data = tomllib.loads(HAND_WRITTEN)["state"]
    assert {unit["id"] for unit in again["state"]["units"]} == {unit["id"] for unit in data["units"]}


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("german 4-6-7", "german 9-9-9", "no German counter"),
        ('at = "K5"', 'at = "K55"', "no hex"),
        ('owner = "g1"', 'owner = "g9"', "no such unit"),
        ('BAZ 44", at = "N5"', 'BAZ 44"', "w2 needs an owner or a hex"),
        ('phase = "MPh"', 'phase = "XPh"', "no phase"),
        ('attacker = "german"', 'attacker = "british"', "attacker"),
        ('id = "g2"', 'id = "g1"', "called g1"),
        ("turn = 3", "turns = 3", "turns"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, old: str, new: str, says: str) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(HAND_WRITTEN.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(SandtableError, match=says):
        sandtable.new(file, seed=1)


@pytest.mark.parametrize("scenario", ["aslsk2/S14", "aslsk2/S9", "aslguide/intro"])
def test_positions_survive_in_the_middle_of_anything(scenario: str) -> None:
    match = sandtable.new(scenario, seed=5)
    source = random.Random(5)
    for step in range(400):
        if not match.to_act:
            break
        actions = match.actions(match.to_act[0])
        match.apply(match.to_act[0], actions[int(source.random() * len(actions))])
        if step % 23 == 0:
            assert sandtable.new(match.position(), seed=1).state == match.state


def test_a_position_names_hexes_as_players_do() -> None:
    match = drill("z", "PFPh", [unit("g", "german 4-6-7", "K5"), unit("r", "russian 4-4-7", beside="A5")])
    lines = {line["id"]: line for line in match.position()["state"]["units"]}
    assert lines["g"]["at"] == "K5"
    assert lines["r"]["beside"] == "A5"


def test_forty_units_may_stand_in_a_hex_of_a_position_and_no_more() -> None:
    crowd = [unit(f"g{number}", "german 4-6-7", "K5") for number in range(41)]
    match = drill("z", "PFPh", [*crowd[:40], unit("l", "german 8-1", "L5"), unit("r", "russian 4-4-7", "A1")])
    assert match.game.strength(match.state) == {"german": 81, "russian": 2}, "in half-squads; a leader counts as one"
    with pytest.raises(SandtableError, match="K5 holds more than 40 units"):
        drill("z", "PFPh", crowd)
