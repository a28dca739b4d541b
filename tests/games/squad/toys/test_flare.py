"""A part from outside: a flare, with state, an action, a tally line, an effect and words of its own."""

from __future__ import annotations

import msgspec
import pytest
from squad_support import _cards, at, cell, do, drill, rule, unit

import sandtable
from sandtable.engine import register
from sandtable.engine.errors import IllegalAction
from sandtable.engine.harness import fuzz
from sandtable.games.aslsk2 import GAME as STARTER_KIT_GAME
from sandtable.games.squad.fire.model import AimAt, ResolveFire, StartFire
from sandtable.games.squad.game import SquadGame
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.parts import COMMON
from sandtable.games.squad.rulesets import STARTER_KIT
from toys.flare import FLARES, PART, Lit, ShootFlare

register(SquadGame("flaredrill", "Drill with flares", STARTER_KIT, _cards, {}, parts=(*COMMON, PART)))
register(SquadGame("flares", "Starter Kit with flares", STARTER_KIT, STARTER_KIT_GAME._load, {}, parts=(*COMMON, PART)))


def lit_match(*dice: int) -> sandtable.Match:
    units = [unit("r", "russian 4-4-7", "V4"), unit("g", "german 4-6-7", "W4")]
    return drill("y", "PFPh", units, dice=dice, game="flaredrill")


def test_a_flare_is_offered_in_the_prep_fire_phase_and_adds_its_line_to_the_fire_tally() -> None:
    match = lit_match()
    flare = ShootFlare(cell(match, "W4"))
    assert do(match, flare) == [Lit(at="W4", by="russian")]
    do(match, StartFire("r"), AimAt(cell(match, "W4")))
    preview = match.preview("russian", ResolveFire())
    assert preview is not None
    assert "under a flare -1 [toy]" in "".join(str(tally) for tally in preview.tallies)
    assert [mark["face"] for mark in match.view("german")["marks"]] == ["marker/flare"]


def test_it_speaks_for_itself() -> None:
    match = lit_match()
    flare = ShootFlare(cell(match, "W4"))
    assert match.describe("russian", flare).text == "Shoot a flare over W4"
    (event,) = do(match, flare)
    assert match.game.words(event, match.state) == "A flare lights up W4"
    with pytest.raises(IllegalAction, match="Flares go over enemies"):
        do(match, flare)


def test_flares_go_out_at_the_end_of_the_turn() -> None:
    match = sandtable.new("flares/S9", seed=3)
    FLARES.of(match.state)[5] = match.to_act[0]
    turn = match.state.turn
    while match.state.turn <= max(turn, 1) and match.outcome is None:
        match.apply(match.to_act[0], match.actions(match.to_act[0])[-1])
    assert not FLARES.of(match.state)


@rule("3.9")
def test_the_end_of_the_first_player_turn_is_not_the_end_of_the_turn() -> None:
    match = sandtable.new("flares/S9", seed=3)
    setting = setting_of(match.state)
    while match.state.turn < 1:
        match.apply(match.to_act[0], match.actions(match.to_act[0])[-1])
    FLARES.of(match.state)[5] = setting.first
    while match.state.attacker == setting.first:
        match.apply(match.to_act[0], match.actions(match.to_act[0])[-1])
    assert match.state.turn == 1
    assert FLARES.of(match.state) == {5: setting.first}


def test_its_state_goes_into_positions_and_back() -> None:
    match = lit_match()
    do(match, ShootFlare(cell(match, "W4")))
    again = sandtable.new(match.position(), seed=1)
    assert FLARES.of(again.state) == FLARES.of(match.state)
    assert msgspec.json.decode(msgspec.json.encode(match.state), type=match.game.state_type) == match.state
    assert at(again, "g") == "W4"


def test_games_without_it_do_not_know_it() -> None:
    match = drill("y", "PFPh", [unit("r", "russian 4-4-7", "V4"), unit("g", "german 4-6-7", "W4")])
    assert not hasattr(match.state, "flares")


@pytest.mark.parametrize("scenario", ["S9", "S15"])
def test_the_harness_holds_with_it(scenario: str) -> None:
    report = fuzz(f"flares/{scenario}", games=1, seed=5, checks=0.02)
    assert report.errors == []
