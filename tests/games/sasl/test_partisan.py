"""A Partisan ENEMY: where 12.21 allows one, by choice or by the dr, and what its S? become."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace
from sasl_support import mission_without_suspects, playing

import sandtable
from sandtable.engine import Match
from sandtable.engine.registry import register
from sandtable.games.sasl import GAME, activation, partisan, suspects
from sandtable.games.sasl.enemy_events import ally_of
from sandtable.games.sasl.events import table_of
from sandtable.games.sasl.model import ENEMY, FRIENDLY, HOLD
from sandtable.games.sasl.partisan import may_meet, possible
from sandtable.games.sasl.rolled import Rolled, rolled_in
from sandtable.games.sasl.sheet import SHEET, Preparing, RollFor, RollRest, Settle, legal
from sandtable.games.squad.effects.promotion import best_base
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.movement.steps import step_cost

register(GAME)
RUSSIA = Rolled(mission=1, friendly="G", enemy="R", date="1943-05", places=("Eastern ETO", "Russia"))


@pytest.mark.rule("S12.21")
def test_where_partisans_may_be_met() -> None:
    assert partisan.possible(RUSSIA)
    assert not partisan.possible(replace(RUSSIA, mission=4))  # no (P) in its head
    assert not partisan.possible(replace(RUSSIA, date="1941-10"))
    assert not partisan.possible(replace(RUSSIA, friendly="R", enemy="G"))
    assert partisan.possible(replace(RUSSIA, friendly="J", enemy="C", date="1938-01", places=("PTO", "China")))


@pytest.mark.rule("S12.21")
@pytest.mark.parametrize(("date", "chances"), [("1942-05", 1), ("1943-05", 2)])
def test_the_dr_for_partisans_is_easier_in_russia_in_1943(date: str, chances: int) -> None:
    state = sandtable.new("sasl/1", seed=1, options={"boards": "shipped"}).state
    base = replace(RUSSIA, date=date)
    found = [partisan.roll(playing(state, dr), base, "roll").enemy for dr in range(1, 7)]
    assert found == ["P"] * chances + ["R"] * (6 - chances)


@pytest.mark.rule("S12.211", "S12.213")
def test_partisans_by_choice_are_played() -> None:
    match = sandtable.new("sasl/1", seed=4, options={"friendly": "G", "enemy": "P", "boards": "shipped"})
    state = match.state
    assert rolled_in(state).enemy == "P"
    assert table_of(state, ENEMY) == "P9"
    assert ally_of(RUSSIA) == "R"
    again = state.clone()
    one = suspects.add(again, at=200, attitude=HOLD)
    made = activation.become(playing(again, 3, 3), one, ["HS"], 200)
    kind = unit_kind(again, again.units[made[0]])
    assert (kind.squad, kind.nation) == (True, "partisan")  # Partisans do not Deploy
    source = random.Random(2)
    for _ in range(150):
        if match.outcome is None:
            side = match.to_act[0]
            match.apply(side, source.choice(list(match.actions(side))))


@pytest.mark.rule("S12.213", "5.3")
def test_a_leader_may_come_of_partisans_too() -> None:
    state = sandtable.new("sasl/1", seed=4, options={"friendly": "G", "enemy": "P", "boards": "shipped"}).state
    one = suspects.add(state, at=200, attitude=HOLD)
    made = activation.become(playing(state, 3, 3), one, ["HS"], 200)
    base = best_base(state, [state.units[name] for name in made])
    assert base is not None
    assert unit_kind(state, base).nation == "partisan"


def at_boards(**options: str) -> Match:
    """A German company in Russia in 1943 whose force stands, on the page of the set-up."""
    match = sandtable.new("sasl/1", seed=4, options={"set_up": "steps", "boards": "shipped", **options})
    chosen = {"theatre": "Eastern ETO", "friendly": "Germany", "enemy": "Russia", "year": "1943", "month": "1943-05"}
    for what, value in chosen.items():
        if Settle(what, value) in match.actions(FRIENDLY):
            match.apply(FRIENDLY, Settle(what, value))
    match.apply(FRIENDLY, Settle("force", "Infantry"))
    match.apply(FRIENDLY, RollFor("leaders"))
    return match


@pytest.mark.rule("S12.21")
@pytest.mark.parametrize(("value", "enemy"), [("P", "P"), ("regulars", "R")])
def test_partisans_are_chosen_or_refused_on_the_page_of_the_set_up(value: str, enemy: str) -> None:
    match = at_boards()
    words = {match.describe(FRIENDLY, Settle("partisans", one)).text for one in ("P", "regulars")}
    assert words == {"Partisans", "Regular troops"}
    rows = {row["label"]: row.get("value") for panel in match.view(FRIENDLY)["panels"] for row in panel["rows"]}
    assert rows["Partisan ENEMY"] == "on a dr of 2 or less, or choose"
    match.apply(FRIENDLY, Settle("partisans", value))
    match.apply(FRIENDLY, Settle("partisans", ""))
    match.apply(FRIENDLY, Settle("partisans", value))
    match.apply(FRIENDLY, RollRest())
    assert rolled_in(match.state).enemy == enemy


@pytest.mark.rule("S12.21")
def test_the_page_offers_no_partisans_where_12_21_has_none() -> None:
    match = sandtable.new("sasl/4", seed=4, options={"set_up": "steps", "boards": "shipped"})
    match.apply(FRIENDLY, RollFor("theatre"))
    source = random.Random(3)
    for _ in range(40):
        assert not [one for one in match.actions(FRIENDLY) if isinstance(one, Settle) and one.what == "partisans"]
        if not isinstance(match.state.stack[-1], Preparing):
            break
        able = [one for one in match.actions(FRIENDLY) if not isinstance(one, RollRest) and getattr(one, "value", "x")]
        match.apply(FRIENDLY, source.choice(able))


@pytest.mark.rule("S12.21")
@pytest.mark.parametrize(
    ("friendly", "date", "place", "may"),
    [
        ("G", "1942-01", "France", True),
        ("G", "1941-12", "Russia", False),
        ("I", "1944-12", "Balkans", True),
        ("G", "1945-01", "Balkans", False),
        ("J", "1941-12", "Philippines", False),
        ("J", "1942-01", "Philippines", True),
        ("J", "1938-01", "China", True),
        ("F", "1941-01", "Indo-China", True),
        ("F", "1941-01", "China", False),
        ("R", "1943-01", "China", False),
    ],
)
def test_who_may_meet_partisans_where_and_when(friendly: str, date: str, place: str, may: bool) -> None:
    assert may_meet(friendly, date, (place,)) is may


def test_the_page_offers_no_partisans_where_the_enemy_was_chosen_beforehand() -> None:
    base = replace(rolled_in(mission_without_suspects()), date="1943-05", places=("Russia",), friendly="G")
    assert possible(base)
    for enemy, offered in (("roll", True), ("R", False)):
        match = sandtable.new("sasl/1", seed=4, options={"set_up": "steps", "boards": "shipped", "enemy": enemy})
        SHEET.put(match.state, replace(SHEET.of(match.state), base=base))
        assert (Settle("partisans", "P") in legal(match.state)) is offered


@pytest.mark.rule("S12.211")
def test_partisans_go_through_woods_for_one_mf() -> None:
    match = sandtable.new("sasl/1", seed=4, options={"friendly": "G", "enemy": "P", "boards": "shipped"})
    state = match.state
    ground = setting_of(state).ground
    way = next(way for ways in ground.ways for way in ways if ground.woods[way.to] and not way.change and not way.road)
    costs = {}
    for side in (ENEMY, FRIENDLY):
        state.attacker = side
        costs[side] = step_cost(state, way, road=False) / 2
    assert costs == {ENEMY: 1, FRIENDLY: 2}
