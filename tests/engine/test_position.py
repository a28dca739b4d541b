"""Positions: any situation as a small file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sandtable
from sandtable.engine import ScriptedDice
from sandtable.engine.errors import BadPosition, SandtableError
from sandtable.engine.harness import check_position
from tiny.model import BLUE, RED, Fire, Hold
from tiny.play import random_match

AMBUSH = """
game = "tiny"
scenario = "post"

[state]
turn = 3
stack = [{ type = "Turn", side = "red" }, { type = "Reaction", mover = "r1" }]

[state.pieces]
r1 = { id = "r1", side = "red", at = "c2" }
b3 = { id = "b3", side = "blue", at = "c3", hidden = true }
"""


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_a_hand_written_position_opens(tmp_path: Path) -> None:
    match = sandtable.new(write(tmp_path / "ambush.toml", AMBUSH), dice=ScriptedDice(4, 4))
    assert match.to_act == (BLUE,)
    assert list(match.actions(BLUE)) == [Fire("b3", "r1"), Hold()]
    match.apply(BLUE, Fire("b3", "r1"))
    assert match.outcome is not None
    assert match.outcome.reason == "No red piece is left"


def test_a_match_from_a_position_replays(tmp_path: Path) -> None:
    match = sandtable.new(str(write(tmp_path / "ambush.toml", AMBUSH)), seed=2)
    match.apply(BLUE, Fire("b3", "r1"))
    assert sandtable.replay(match.record()).state == match.state


@pytest.mark.parametrize("suffix", ["toml", "json"])
@pytest.mark.parametrize("steps", [0, 1, 7, 30])
def test_any_situation_can_be_written_and_opened(tmp_path: Path, suffix: str, steps: int) -> None:
    match = random_match(11, steps)
    path = tmp_path / f"situation.{suffix}"
    sandtable.save_position(match.position(), path)
    again = sandtable.new(path)
    assert again.state == match.state
    assert again.to_act == match.to_act
    check_position(match)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("game = ", "cannot be read"),
        ("scenario = 'post'\n", "has no game"),
        ("game = 'tiny'\nscenario = 'post'\n", "has no state"),
        ("sandtable_position = 2\ngame = 'tiny'\nscenario = 'post'\n[state]\n", "update Sandtable"),
        ("game = 'tiny'\nscenario = 'post'\noptions = 3\n[state]\n", "options must be a table"),
        ("game = 'tiny'\nscenario = 'post'\n[state]\nturn = 'three'\n", "does not fit tiny/post"),
        ("game = 'tiny'\nscenario = 'post'\n[state]\nturn = 3\n", "nothing is going on"),
    ],
)
def test_bad_positions_get_a_sentence(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(BadPosition, match=words):
        sandtable.new(write(tmp_path / "bad.toml", text))


def test_missing_and_binary_files_get_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadPosition, match="No such file"):
        sandtable.new(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadPosition, match="not a text file"):
        sandtable.new(tmp_path / "binary.toml")


WORDS = st.sampled_from(["red", "blue", "c3", "Turn", "Reaction", "r1", ""])
KEYS = st.sampled_from(["type", "side", "at", "id", "mover", "r1", "b3", "turn", "pieces", "stack"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(state=st.dictionaries(st.sampled_from(["turn", "pieces", "stack", "outcome", "x"]), VALUES, max_size=4))
def test_any_data_opens_or_is_refused(state: dict[str, Any]) -> None:
    try:
        match = sandtable.new({"game": "tiny", "scenario": "post", "state": state}, seed=1)
    except SandtableError as error:
        assert str(error)
        return
    again = sandtable.new(json.loads(json.dumps(match.position())), seed=1)
    assert again.state == match.state


def test_red_sees_nothing_of_the_ambush(tmp_path: Path) -> None:
    match = sandtable.new(write(tmp_path / "ambush.toml", AMBUSH))
    assert [piece["id"] for piece in match.view(RED)["pieces"]] == ["r1"]
