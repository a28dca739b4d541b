"""More fine points of the full rules: each condition by itself, and limits just met."""

from __future__ import annotations

from typing import Any

import pytest
from asl_support import everything, heated, people
from msgspec.structs import replace
from squad_support import cell, rule, unit

from sandtable.engine import Play, ScriptedDice
from sandtable.games.asl.busy import TI
from sandtable.games.asl.concealment import gaining
from sandtable.games.asl.heat import berserk
from sandtable.games.asl.heat.model import BERSERK
from sandtable.games.asl.heat.rules import make_hero
from sandtable.games.asl.snipers.model import Checking
from sandtable.games.asl.snipers.rules import seekers
from sandtable.games.asl.terrain import walls
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.pieces.model import Mover, Moving

SQUAD, ENEMY = "russian 4-4-7", "german 4-6-7"


@rule("A12.121")
@pytest.mark.parametrize(
    ("at", "more", "rolls"),
    [
        ("A1", {}, True),
        ("Y5", {}, True),
        ("Z5", {}, False),
        ("Y5", {"broken": True}, False),
        ("Y5", {"hip": True}, False),
    ],
)
def test_unseen_in_the_open_a_dr_is_needed_with_an_able_enemy_within_sixteen_hexes(
    at: str, more: dict[str, Any], rolls: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = people("z", "PFPh", unit("r", SQUAD, "I5"), unit("g", ENEMY, at, **more))
    monkeypatch.setattr(gaining, "range_of_view", lambda *asked: None)
    monkeypatch.setattr(gaining, "concealment_terrain", lambda *asked: False)
    monkeypatch.setattr(gaining, "watching", lambda *asked: [])
    assert gaining.chance_of(match.state, match.state.units["r"]) == (gaining.ROLL if rolls else gaining.GAINED)


@rule("A15.2")
@pytest.mark.parametrize("active", [True, False])
def test_a_hero_of_a_moving_squad_goes_on_with_it(active: bool) -> None:
    match = heated("z", "MPh", unit("r", SQUAD, "I5"), unit("s", SQUAD, "I5"), unit("g", ENEMY, "A1"))
    state = match.state
    here = cell(match, "I5")
    movers = (Mover("r", here, spent=4, leader="l", burden=("w",)), Mover("s", here))
    state.moving = Moving(movers, ("r", "s") if active else ("s",))
    hero = make_hero(Play(state, ScriptedDice()), state.units["r"])
    assert state.moving is not None
    mover = state.moving.mover(hero.id)
    assert mover is not None
    assert (mover.spent, mover.leader, mover.burden) == (4, "", ())
    assert (hero.id in state.moving.active) is active


@rule("A14.4")
@pytest.mark.parametrize(
    ("more", "able"),
    [
        ({}, True),
        *[({name: True}, False) for name in ("broken", "pinned", "moved", "hip", "melee")],
        ({"used": ("w",)}, False),
        ({"marks": (TI,)}, False),
        ({"marks": (BERSERK,)}, False),
        ({"marker": 1}, False),
    ],
)
def test_who_looks_for_a_sniper(more: dict[str, Any], able: bool) -> None:
    match = people("z", "PFPh", unit("r", SQUAD, "I5"), unit("g", ENEMY, "J8"))
    state = match.state
    state.units["r"] = replace(state.units["r"], **more)
    frame = Checking("russian", cell(match, "I5"))
    assert bool(seekers(state, frame)) is able
    if able:
        state.moving = Moving((Mover("r", cell(match, "I5")),), ("r",))
        assert not seekers(state, frame), "a mover has no time for it"


@rule("A15.43")
@pytest.mark.parametrize(
    ("spent", "road", "always", "goes"),
    [
        (berserk.CHARGE_MF - 2, False, True, True),
        (berserk.CHARGE_MF - 1, False, True, False),
        (berserk.CHARGE_MF, True, True, True),
        (berserk.CHARGE_MF + 1, True, True, False),
        (berserk.CHARGE_MF, True, False, False),
    ],
)
def test_a_charge_lasts_as_long_as_its_mf_and_a_road_adds_one(
    spent: int, road: bool, always: bool, goes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = heated("z", "MPh", unit("r", SQUAD, "I5", marks=[BERSERK]), unit("g", ENEMY, "J8"))
    state = match.state
    here = cell(match, "I5")
    way = setting_of(state).ground.ways[here][0]
    monkeypatch.setattr(berserk, "_first_way", lambda *asked: way)
    monkeypatch.setattr(berserk, "_cost", lambda *asked: (2, road))
    assert berserk.next_step(state, ("r",), 0) is None, "nobody is moving"
    state.moving = Moving((Mover("r", here, spent=spent, road=always),), ("r",))
    assert berserk.next_step(state, ("r",), 0) == ((way, 2, road) if goes else None)


@rule("B9.322")
@pytest.mark.parametrize(("tem", "pinned", "may"), [(1, False, True), (0, False, False), (1, True, False)])
def test_wall_advantage_is_kept_by_who_needs_it_or_is_pinned(
    tem: int, pinned: bool, may: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = everything("PFPh", unit("r", SQUAD, "E5", pinned=pinned), unit("g", ENEMY, "A1"))
    monkeypatch.setattr(walls, "in_hex_tem", lambda *asked: tem)
    monkeypatch.setattr(walls, "holds", lambda *asked: True)
    assert walls.may_leave(match.state, cell(match, "E5"), "russian") is may
    monkeypatch.setattr(walls, "holds", lambda *asked: False)
    assert not walls.may_leave(match.state, cell(match, "E5"), "russian")
