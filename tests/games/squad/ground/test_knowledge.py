"""What a side knows of a piece: nothing, that something is there, or all; a part may add an answer (6.4, G37)."""

from __future__ import annotations

from typing import Any

import pytest
from squad_support import _cards, at, cell, do, drill, get, rule, unit, weapon

import sandtable
from sandtable.engine import Match, register
from sandtable.games.squad.fire.model import AimAt, ResolveFire, StartFire
from sandtable.games.squad.game import SquadGame
from sandtable.games.squad.ground.knowledge import concealed, enemy_hexes, faces_hidden_guns, hidden_from, known_to
from sandtable.games.squad.ground.sight import known_enemies
from sandtable.games.squad.part import ALL, CONCEALED, NOTHING, Part
from sandtable.games.squad.parts import COMMON
from sandtable.games.squad.pieces.model import SquadState, Unit
from sandtable.games.squad.rulesets import STARTER_KIT


def pinned_are_concealed(state: SquadState, side: str | None, piece: Unit) -> int:
    """A toy: who is pinned lies so low that nobody can tell what he is."""
    return CONCEALED if piece.pinned else ALL


TOY = Part(knows=pinned_are_concealed)
register(SquadGame("lowdrill", "Drill of men who lie low", STARTER_KIT, _cards, {}, parts=(*COMMON, TOY)))


def position(game: str = "drill", phase: str = "PFPh") -> Match:
    units = [
        unit("r", "russian 4-4-7", "V4"),
        unit("low", "german 4-6-7", "W4", pinned=True),
        unit("crew", "german 2-2-8", "C3", hip=True),
    ]
    guns = [weapon("gun", "german 7.5cm PaK 40 AT", "crew", facing=0, hip=True)]
    return drill("y", phase, units, guns, game=game)


def pieces(match: Match, side: str | None) -> set[str]:
    view: dict[str, Any] = match.view(side)
    return {piece["id"] for piece in view.get("pieces", ())}


@rule("6.4")
def test_of_a_hidden_gun_only_its_own_side_knows() -> None:
    match = position()
    crew = get(match, "crew")
    answers = [known_to(match.state, side, crew) for side in ("german", "russian", None)]
    assert answers == [ALL, NOTHING, NOTHING]
    assert [found.id for found in hidden_from(match.state, "russian")] == ["crew"]
    assert faces_hidden_guns(match.state, "russian")
    assert not faces_hidden_guns(match.state, "german")
    assert enemy_hexes(match.state, "russian") == [cell(match, "W4")]
    assert pieces(match, "russian") == {"r", "low"}
    assert pieces(match, "german") == {"r", "low", "crew", "gun"}


@pytest.mark.parametrize(("game", "answer", "fp"), [("drill", ALL, 8), ("lowdrill", CONCEALED, 4)])
def test_an_answer_of_a_part_conceals_a_unit_and_halves_fire_at_it(game: str, answer: int, fp: int) -> None:
    match = position(game)
    low = get(match, "low")
    assert known_to(match.state, "russian", low) == answer
    assert known_to(match.state, "german", low) == ALL
    assert concealed(match.state, low) is (answer == CONCEALED)
    assert enemy_hexes(match.state, "russian") == [cell(match, "W4")]
    do(match, StartFire("r"), AimAt(cell(match, "W4")))
    preview = match.preview("russian", ResolveFire())
    assert preview is not None
    assert f"the {fp} column" in " ".join([preview.title, *preview.notes, *(str(tally) for tally in preview.tallies)])


def test_a_concealed_unit_is_a_counter_without_a_face() -> None:
    match = position("lowdrill")
    assert pieces(match, "russian") == {"r"}
    marks: list[dict[str, Any]] = match.view("russian")["marks"]
    assert [(mark["at"], mark["face"], mark["side"]) for mark in marks] == [("W4", "marker/stack", "german")]
    assert pieces(match, "german") == {"r", "low", "crew", "gun"}
    assert "marks" not in match.view("german")


@rule("G37")
def test_during_a_secret_set_up_stacks_are_seen_and_what_is_in_them_not() -> None:
    match = sandtable.new("aslguide/intro", seed=1, options={"setup": "players"})
    first = match.to_act[0]
    for _ in range(6):
        do(match, match.actions(first)[0])
    placed = [found for found in match.state.units.values() if found.side == first and found.at >= 0]
    assert placed
    assert match.state.phase == "set-up"
    for other in ({"german", "russian"} - {first}).pop(), None:
        assert {known_to(match.state, other, found) for found in placed} == {CONCEALED}
        assert not pieces(match, other) & {found.id for found in placed}
        marks: list[dict[str, Any]] = match.view(other)["marks"]
        assert {mark["at"] for mark in marks if mark["face"] == "marker/stack"} == {
            at(match, found.id) for found in placed
        }


@rule("2.0")
def test_an_enemy_in_the_first_hex_of_the_board_is_known_too() -> None:
    match = drill("z", "MPh", [unit("r", "russian 4-4-7", "A2"), unit("g", "german 4-6-7", "A1")])
    assert cell(match, "A1") == 0
    assert [enemy.id for enemy in known_enemies(match.state, cell(match, "A2"), "russian")] == ["g"]
