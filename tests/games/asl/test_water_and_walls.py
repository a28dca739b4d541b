"""Finer points of water, bridges, cliffs and walls."""

from __future__ import annotations

import pytest
from asl_support import everything, field, rule, unit
from squad_support import cell, do, get, happened, weapon

from sandtable.engine import Match, Play, ScriptedDice
from sandtable.games.asl.terrain.walls import asl_ground, holds
from sandtable.games.asl.terrain.wet import Sunk, fire_bar, line_bar
from sandtable.games.squad.ground.cover import terrain_item
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import drop
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.show.scene import hex_facts

RUSSIAN, GERMAN = "russian 4-4-7", "german 4-6-7"


def bare() -> Match:
    return field("MPh", unit("r", RUSSIAN, "O5"), unit("g", GERMAN, "A5"))


@rule("B6.4")
def test_a_bridge_is_left_along_its_road_too() -> None:
    match = bare()
    ways = asl_ground(match.state).ways[cell(match, "G5")]
    assert {asl_ground(match.state).names[way.to] for way in ways} == {"F5", "H4"}


@rule("B9.33")
@pytest.mark.parametrize(("level", "tem"), [(2, 1), (3, 0)])
def test_fire_from_high_up_meets_no_parapet(monkeypatch: pytest.MonkeyPatch, level: int, tem: int) -> None:
    match = field("PFPh", unit("r", RUSSIAN, "H3"), unit("g", GERMAN, "G5"))
    ground = asl_ground(match.state)
    levels = {cell(match, "H3"): level}
    monkeypatch.setattr(ground, "level", tuple([levels.get(one, was) for one, was in enumerate(ground.level)]))
    assert terrain_item(match.state, cell(match, "H3"), cell(match, "G5"), get(match, "g"))[1] == tem


@rule("B11.31")
@pytest.mark.parametrize(
    ("kind", "down", "up"),
    [
        ("german PSK", True, False),
        ("british PIAT", False, True),
        ("russian ATR", True, True),
        ("german FT", True, False),
        ("german 5cm leGrW 36", True, True),
    ],
)
def test_light_weapons_up_and_down_a_cliff(kind: str, down: bool, up: bool) -> None:
    for firer, target, allowed in (("K4", "K5", down), ("K5", "K4", up)):
        match = field("PFPh", unit("r", RUSSIAN, firer), unit("g", GERMAN, target), weapons=[weapon("w", kind, "r")])
        bar = line_bar(match.state, get(match, "r"), match.state.weapons["w"], cell(match, target), "prep")
        assert (bar is None) is allowed, (firer, target)


@rule("B16.32")
def test_an_antitank_rifle_fires_from_the_water() -> None:
    rifle = weapon("w", "russian ATR", "r")
    match = field("PFPh", unit("r", RUSSIAN, "B6"), unit("g", GERMAN, "C6"), weapons=[rifle])
    assert fire_bar(match.state, get(match, "r"), match.state.weapons["w"], "prep") is None


@rule("A4.43")
def test_weapons_that_nobody_holds_sink_in_a_stream_but_no_gun_does() -> None:
    units = [unit("r", RUSSIAN, "G3"), unit("t", "russian 2-2-8", "G2"), unit("g", GERMAN, "A5")]
    weapons = [weapon("m", "russian LMG", "r"), weapon("q", "russian 45mm PTP obr. 32 AT", "t", facing=0)]
    match = field("MPh", *units, weapons=weapons)
    play = Play(match.state, ScriptedDice())
    for name in ("m", "q"):
        drop(play, match.state.weapons[name])
    (sunk,) = happened(do(match, EndPhase()), Sunk)
    assert set(match.state.weapons) == {"q"}
    assert match.game.words(sunk, match.state).endswith("sinks in the water in G3 (A4.43)")


@rule("B9.32")
@pytest.mark.parametrize(("marks", "armed"), [([], True), (["unarmed"], False)])
def test_no_unarmed_unit_holds_wall_advantage(marks: list[str], armed: bool) -> None:
    match = everything("MPh", unit("r", RUSSIAN, "E5", marks=marks), unit("g", GERMAN, "A5"))
    assert holds(match.state, cell(match, "E5"), "russian") is armed


@rule("B19.4")
@pytest.mark.parametrize(
    ("name", "words"),
    [("B6", "Marsh: all MF"), ("G6", "Woods in a Shallow Stream: 5 MF"), ("G3", "Shallow Stream: 3 MF")],
)
def test_the_page_says_what_a_hex_costs_with_its_bed(name: str, words: str) -> None:
    ground = setting_of(bare().state).ground
    assert hex_facts(ground, ground.index(name))[0][1].startswith(words)
