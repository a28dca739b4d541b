"""The generator, the ready-made battles, setting up, and what the client is given."""

from __future__ import annotations

import json
import random
from collections import Counter

import msgspec
import pytest
from pbi_support import Camp, do, legal, rows

import sandtable
from sandtable.engine import Match
from sandtable.engine.errors import IllegalAction
from sandtable.games.pbi.actions import Assault, Enlist, Move, Place, Ready, Shoot
from sandtable.games.pbi.armies import Army, Recruited
from sandtable.games.pbi.battles import READY_MADE, battle, battle_position, scenarios
from sandtable.games.pbi.catalogue import KINDS, Entry, lists
from sandtable.games.pbi.draw import mat
from sandtable.games.pbi.game import GAME
from sandtable.games.pbi.generator import SCENERY_PIECES, SIZE, draw_reserves, generate
from sandtable.games.pbi.model import Turn
from sandtable.games.pbi.rulings import Rules, rulings
from sandtable.games.pbi.setup import put_off
from sandtable.games.pbi.table import TERRAIN
from sandtable.games.pbi.turn import enter


def test_the_same_seed_gives_the_same_table_and_others_differ() -> None:
    assert generate(7) == generate(7)
    assert len({generate(seed).rows for seed in range(1, 40)}) == 39
    assert {generate(seed).first_attacks for seed in range(1, 40)} == {True, False}


@pytest.mark.parametrize("seed", range(1, 12))
def test_a_table_has_its_scenery_and_three_objectives_by_depth(seed: int) -> None:
    terrain = generate(seed)
    cells = "".join(terrain.rows)
    assert len(cells) == SIZE * SIZE
    assert sum(cell not in ".=" for cell in cells) == 2 * SCENERY_PIECES
    assert sorted(terrain.objectives.values()) == [1, 2, 3]
    for square, worth in terrain.objectives.items():
        row = int(square[1:])
        assert row <= 4
        assert row <= 2 or worth < 3


def test_the_defender_keeps_two_units_and_the_attacker_leaves_two_off() -> None:
    units = ["u1", "u2", "u3", "u4", "u5"]
    rules = Rules()
    assert len(draw_reserves(3, "defender", units, rules)) == 3
    assert len(draw_reserves(3, "attacker", units, rules)) == 2
    assert len(draw_reserves(3, "attacker", ["u1", "u2"], rules)) == 1
    other = Rules(defender_on_table="all", attacker_off_table="1")
    assert draw_reserves(3, "defender", units, other) == []
    assert len(draw_reserves(3, "attacker", units, other)) == 1
    picked = Counter(tuple(draw_reserves(seed, "attacker", units, rules)) for seed in range(50))
    assert len(picked) > 5


@pytest.mark.parametrize("name", READY_MADE)
def test_a_ready_made_battle_starts_with_everybody_in_place(name: str) -> None:
    match = sandtable.new(f"pbi/{name}", seed=1)
    state = match.state
    assert isinstance(state.stack[0], Turn)
    for piece in state.pieces.values():
        assert bool(piece.at) is not state.units[piece.unit].off
    for unit in state.units.values():
        assert any(piece.unit == unit.id for piece in state.pieces.values())
    assert set(state.objectives) == set(battle(name).objectives)
    assert all(set(row) <= set(TERRAIN) for row in battle(name).rows)


def test_setting_up_by_the_players() -> None:
    match = sandtable.new("pbi/crossroads", seed=1, options={"set_up": "by the players"})
    assert match.to_act == ("defender",)
    assert {action.at for action in legal(match, Place)} == {f"{letter}{row}" for letter in "ABCDEF" for row in "1234"}
    with pytest.raises(IllegalAction, match="outside the defender's zone"):
        match.apply("defender", Place("A8"))
    while match.to_act == ("defender",):
        do(match, legal(match, Place)[0])
    assert {action.at[1] for action in legal(match, Place)} == {"7", "8"}


def test_quick_set_up_asks_nothing() -> None:
    match = sandtable.new("pbi/generated", seed=1, options={"set_up": "quick", "table": "12"})
    assert isinstance(match.state.stack[0], Turn)
    assert all(piece.at or match.state.units[piece.unit].off for piece in match.state.pieces.values())


GUNS = [(nation, entry) for nation, it in lists().nations.items() for entry in it.units if entry.kind == "guns"]


def built(nation: str, gun: str, seed: int) -> Match:
    """A battle whose armies are built at the table: the defender has a gun, the dice say what is in reserve."""
    options = {"armies": "built", "first": "us", "second": nation, "attacks": "first army", "points": "500"}
    match = sandtable.new("pbi/generated", seed=seed, options=options)
    platoon, weapons = (
        next(e.id for e in lists().nations[nation].units if e.kind == k) for k in ("platoon", "weapons")
    )
    do(match, *[Enlist(entry, "raw") for entry in (platoon, platoon, gun, weapons)], Ready())
    do(match, *[Enlist(entry, "raw") for entry in ("rifles", "rifles")], Ready())
    return match


@pytest.mark.rule("turn-reinforcements")
@pytest.mark.rule("turn-arrivals")
@pytest.mark.parametrize(("nation", "entry"), GUNS, ids=lambda it: getattr(it, "id", it))
def test_reserves_of_built_armies_wait_packed_up_and_behind_the_tractor_paid_for(nation: str, entry: Entry) -> None:
    states = [built(nation, entry.id, seed).state for seed in range(1, 13)]
    reserves = [state for state in states if state.units["d3"].off]
    assert 0 < len(reserves) < len(states)
    for state in states:
        foot = [piece for piece in state.pieces.values() if KINDS[piece.kind].foot and state.units[piece.unit].off]
        assert not any(piece.deployed for piece in foot)
        assert state.units["d3"].off or state.pieces["d3-1"].deployed
    for state in reserves:
        gun = state.pieces["d3-1"]
        assert [state.pieces[id].kind for id in state.cargo if gun.id in state.cargo[id]] == list(entry.transports)
        assert gun.deployed is not bool(entry.transports)
        enter(state, "d3", "D1")
        assert {piece.at for piece in state.pieces.values() if piece.unit == "d3"} == {"D1"}


@pytest.mark.rule("turn-reinforcements")
def test_reserves_of_armies_from_lists_have_their_tractors_too() -> None:
    army = Army("german", units=tuple(Recruited(entry) for entry in ("grenadiers", "grenadiers", "pak40", "heavy")))
    starts = [sandtable.new(battle_position(army, army, {"table": str(table)})).state for table in range(1, 13)]
    reserves = [state for state in starts if state.units["d3"].off]
    assert reserves
    assert all(state.pieces["d3-1"].within == "d3-2" for state in reserves)


# -- for the client -----------------------------------------------------------------------------------


@pytest.mark.parametrize("info", scenarios(), ids=lambda info: info.id)
def test_the_scene_has_a_picture_and_every_square(info: object) -> None:
    id = getattr(info, "id")  # noqa: B009 - parametrised
    options = {option.id: option.values[0] for option in getattr(info, "options")}  # noqa: B009
    scene = GAME.scene(id, options)
    assert scene["picture"].startswith("<svg")
    assert scene["width"] == 120 * len({cell["id"][0] for cell in scene["cells"]})
    for cell in scene["cells"]:
        xs, ys = zip(*cell["outline"], strict=True)
        assert min(xs) < cell["x"] < max(xs)
        assert min(ys) < cell["y"] < max(ys)
    assert scene["directions"] == [0, 45, 90, 135, 180, 225, 270, 315]
    json.dumps(scene)


def test_the_picture_is_the_same_for_the_same_table() -> None:
    table = rows(A1="W", B2="B", C3="R", D4="f", E5="h", F6="w", G7="=")
    assert mat(table) == mat(table)
    assert mat(table) != mat(rows())


@pytest.mark.parametrize("info", scenarios(), ids=lambda info: info.id)
def test_every_face_and_marker_of_a_game_is_drawn(info: object) -> None:
    faces = GAME.faces()
    match = sandtable.new(f"pbi/{getattr(info, 'id')}", seed=2)  # noqa: B009
    rnd = random.Random(2)
    while match.to_act:
        side = match.to_act[0]
        if match.version % 20 == 0:
            view = match.view(side)
            used = {piece["face"] for piece in view["pieces"]} | {mark["face"] for mark in view["marks"]}
            used |= {marker for piece in view["pieces"] for marker in piece.get("markers", ())}
            assert used <= set(faces)
        match.apply(side, rnd.choice(match.actions(side)))


def test_both_sides_and_observers_see_the_same_table() -> None:
    match = sandtable.new("pbi/bocage", seed=1)
    views = [match.view(side) for side in ("attacker", "defender", None)]
    assert views[0]["pieces"] == views[1]["pieces"] == views[2]["pieces"]
    assert views[0]["prompt"] != views[1]["prompt"]
    assert GAME.reshuffle(match.state, "attacker", random.Random(1)) is None


def test_the_view_shows_action_points_tracks_and_boxes() -> None:
    camp = Camp().add("a1", "rifle", "D7", 2).add("d1", "rifle", "D2").unit("a2", off=True).add("a2", "rifle", "")
    view = camp.acting("a1-1", "a1-2", ap=4).match().view("attacker")
    assert "4 AP left" in view["prompt"]
    assert [track["id"] for track in view["tracks"]] == ["countdown", "steps"]
    assert list(view["focus"]) == ["D7"]
    assert next(piece for piece in view["pieces"] if piece["id"] == "a2-1")["at"] == "off-attacker"


def test_refusals_name_the_line_of_the_sheet() -> None:
    camp = Camp(rows(D6="W")).add("a1", "rifle", "D7", 2).add("d1", "rifle", "D5").add("d2", "rifle", "C7")
    match = camp.acting("a1-1", "a1-2", ap=2).match()
    refused = {refusal.text: refusal for refusal in match.refusals("attacker")}
    assert "wood or buildings" in refused["Shoot at D5"].reason
    assert refused["Assault C7"].rule == "foot-ap-cost-assault"
    for action, words in (
        (Move("D5"), "not next to"),
        (Move("C7"), "takes an assault"),
        (Shoot("D5"), "does not see"),
        (Shoot("A1"), "no enemy"),
        (Assault("C7"), "costs 4 AP"),
    ):
        with pytest.raises(IllegalAction, match=words):
            match.apply("attacker", action)


# -- rulings ------------------------------------------------------------------------------------------


def test_the_rules_follow_the_data_file() -> None:
    assert list(rulings()) == list(Rules.__struct_fields__)
    assert msgspec.to_builtins(Rules()) == {}
    assert {name: getattr(Rules(), name) for name in rulings()} == {
        name: ruling.default for name, ruling in rulings().items()
    }
    for ruling in rulings().values():
        assert ruling.default in ruling.values
        assert len(ruling.values) > 1
        assert ruling.rule in GAME.rule_titles()
        assert ruling.question.endswith("?")
        assert ruling.reason.endswith(".")


def test_every_battle_offers_every_ruling_as_an_option() -> None:
    for info in scenarios():
        options = {option.id: option for option in info.options}
        for ruling in rulings().values():
            assert options[ruling.id].values[0] == ruling.default
            assert set(options[ruling.id].values) == set(ruling.values)
            assert options[ruling.id].label.startswith(ruling.group)


@pytest.mark.rule("turn-reinforcements")
def test_nobody_waits_off_the_table_on_a_tank() -> None:
    state = Camp().add("a1", "sherman", "D6").add("a1", "rifle", "D6").state
    put_off(state, "a1")
    assert not state.pieces["a1-2"].within
