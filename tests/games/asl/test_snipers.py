"""Snipers: when they are called, whom they hit, and who looks for them (A14)."""

from __future__ import annotations

from typing import Any

import pytest
from asl_support import people
from msgspec.structs import replace
from squad_support import cell, do, get, happened, rule, unit

from sandtable.engine import Match, Play, Rolled, ScriptedDice
from sandtable.engine.harness import fuzz
from sandtable.games.asl.busy import TI
from sandtable.games.asl.snipers.model import (
    SNIPERS,
    CheckForSniper,
    Checking,
    LetSniperGo,
    MoveSniper,
    Snipe,
    SniperAttacked,
    SniperHit,
    SniperSought,
    SnipeSniper,
)
from sandtable.games.asl.snipers.rules import SniperCheck, interior, seekers
from sandtable.games.asl.strength import us_number
from sandtable.games.squad.fire.model import AimAt, ResolveFire, StartFire
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import put


def called(*dice: int, san: int = 11, target: str = "4-4-7", **more: Any) -> Match:
    """A Russian squad has fired with an Original 11, which calls the German Sniper."""
    units = [
        unit("r", "russian 4-4-7", "I5"),
        unit("v", f"russian {target}", "H3", **more),
        unit("g", "german 4-6-7", "J5"),
    ]
    snipers = {"german": {"san": san, "at": 60}, "russian": {"san": 3, "at": 5}}
    match = people("z", "PFPh", *units, dice=(6, 5, *dice), snipers=snipers)
    SNIPERS.of(match.state)["german"] = type(SNIPERS.of(match.state)["german"])(san, cell(match, "H2"))
    do(match, StartFire("r"), AimAt(cell(match, "J5")), ResolveFire())
    return match


@rule("A14.1")
def test_an_original_dr_of_the_enemys_san_calls_his_sniper() -> None:
    assert called(2).to_act == ("german",)
    assert called(3).to_act == ("russian",), "a dr of 3 finds nobody"
    assert called(san=10).to_act == ("russian",)


@rule("A14.3")
@pytest.mark.parametrize(
    ("dr", "target", "more", "effect"),
    [
        (1, "4-4-7", {}, "broken"),
        (1, "4-4-7", {"broken": True}, "reduced"),
        (2, "4-4-7", {}, "pinned"),
        (1, "8-1", {}, "gone"),
    ],
)
def test_what_a_sniper_does(dr: int, target: str, more: dict[str, Any], effect: str) -> None:
    match = called(dr, 4, 1, target=target, **more)
    events = do(match, Snipe())
    assert [event.unit for event in happened(events, SniperAttacked)] == ["v"]
    if effect == "gone":
        assert "v" not in match.state.units
    elif effect == "reduced":
        assert get(match, "v").kind == "russian 2-3-7"
    else:
        assert getattr(get(match, "v"), effect)


@rule("A14.3")
def test_a_wounded_leader() -> None:
    match = called(2, 4, 1, 3, target="8-1")
    do(match, Snipe())
    assert get(match, "v").wounded


@rule("A14.2")
def test_the_counter_may_be_placed_anew_instead() -> None:
    match = called(1)
    do(match, MoveSniper())
    assert SNIPERS.of(match.state)["german"].at != cell(match, "H2")
    assert not get(match, "v").broken


@rule("A14.23")
def test_a_stack_of_dummies_has_nobody_to_hit() -> None:
    match = called(1, 4, 1, target="?", concealed=True)
    do(match, Snipe())
    assert "v" not in match.state.units


@rule("A14.4")
@pytest.mark.parametrize(("dice", "killed"), [((2, 2), True), ((2, 3), False)])
def test_a_sniper_check(dice: tuple[int, int], killed: bool) -> None:
    units = [
        unit("r", "russian 4-4-7", "I5"),
        unit("a", "russian 4-4-7", "H3"),
        unit("b", "russian 4-4-7", "H3"),
        unit("g", "german 4-6-7", "J5"),
    ]
    snipers = {"german": {"san": 11, "at": 0}}
    match = people("z", "PFPh", *units, dice=(6, 5, 2, 4, 1, 6, 1, *dice), snipers=snipers)
    SNIPERS.of(match.state)["german"] = type(SNIPERS.of(match.state)["german"])(11, cell(match, "H2"))
    do(match, StartFire("r"), AimAt(cell(match, "J5")), ResolveFire(), Snipe())
    assert match.to_act == ("russian",)
    preview = match.preview("russian", CheckForSniper())
    assert preview is not None
    assert preview.tallies[0].total == -2, "the other squad is pinned"
    events = do(match, CheckForSniper())
    assert [event.killed for event in happened(events, SniperHit)] == [killed]
    assert TI in get(match, "b").marks
    assert SNIPERS.of(match.state)["german"].san == (10 if killed else 11)


@rule("A14.4")
def test_unarmed_units_do_not_look_for_a_sniper() -> None:
    units = [unit("a", "russian 4-4-7", "H3", marks=["unarmed"]), unit("b", "russian 4-4-7", "H3")]
    match = people("z", "PFPh", *units, unit("g", "german 4-6-7", "A1"), snipers={"german": {"san": 3, "at": 0}})
    assert [one.id for one in seekers(match.state, Checking("russian", cell(match, "H3")))] == ["b"]


@rule("A14.4")
@rule("A12.11")
@pytest.mark.parametrize(("under", "drm"), [("russian 4-4-7", -4), ("russian 2-3-7", -3), ("russian 8-1", -3)])
def test_enemies_do_not_hear_who_looks_for_a_sniper_from_under_a_question_mark(under: str, drm: int) -> None:
    """Neither his name nor what he does to the DR, which is seen."""
    units = [
        unit("a", "russian 4-4-7", "H3"),
        unit("b", under, "H3", concealed=True),
        unit("g", "german 4-6-7", "A1"),
    ]
    match = people("z", "PFPh", *units, snipers={"german": {"san": 3, "at": 0}})
    play = Play(match.state, ScriptedDice(5, 4))
    SniperCheck().apply(play, Checking("russian", cell(match, "H3")), "russian", CheckForSniper())
    told = {
        side: [event for event in play.events if isinstance(event, Rolled | SniperSought) and event.known_to(side)]
        for side in ("russian", "german", None)
    }
    roll, sought = told["russian"]
    assert isinstance(roll, Rolled)
    assert isinstance(sought, SniperSought)
    assert (roll.tally and roll.tally.total, sought.units, sought.dr) == (drm, ("a", "b"), 9 + drm)
    roll, sought = told["german"]
    assert told[None] == [roll, sought]
    assert isinstance(roll, Rolled)
    assert isinstance(sought, SniperSought)
    assert (roll.faces, roll.tally, sought.units, sought.dr) == ((5, 4), None, ("a", "?"), None)
    assert match.game.words(sought, match.state) == "4-4-7 a, ? in H3 look for the Sniper"


@rule("A14.4")
@rule("A12.11")
@pytest.mark.parametrize(("concealed", "asked"), [(True, ("russian",)), (False, ())])
def test_whoever_lies_under_a_question_mark_is_asked_whether_he_looks(concealed: bool, asked: tuple[str, ...]) -> None:
    match = people("z", "PFPh", unit("b", "russian 4-4-7", "H3", concealed=concealed, pinned=True))
    frame = Checking("russian", cell(match, "H3"))
    assert SniperCheck().to_act(match.state, frame) == asked
    assert SniperCheck().actions(match.state, frame, "russian") == [LetSniperGo()]


@rule("A14.4")
def test_nobody_need_look_for_him() -> None:
    match = called(2, 4, 1)
    do(match, Snipe())
    if match.to_act == ("russian",) and LetSniperGo() in match.actions("russian"):
        do(match, LetSniperGo())
    assert SNIPERS.of(match.state)["german"].san == 11


@rule("A14.1")
def test_views_show_counters_and_san() -> None:
    match = called(3)
    view: dict[str, Any] = match.view("russian")
    assert {mark["side"] for mark in view["marks"] if mark["face"] == "marker/sniper"} == {"german", "russian"}
    assert any(panel["id"] == "snipers" for panel in view["panels"])


def test_the_harness_holds_with_them() -> None:
    report = fuzz("asl/S11", games=1, seed=50, checks=0.03)
    assert report.errors == []


@rule("A14.22")
def test_nobody_deep_inside_a_building_is_a_target(monkeypatch: pytest.MonkeyPatch) -> None:
    match = called(1, 1, 1)
    ground = setting_of(match.state).ground
    home = cell(match, "H3")
    hall = {home, *ground.sides[home]}
    monkeypatch.setattr(ground, "building", tuple("hall" if one in hall else "" for one in range(ground.size)))
    assert interior(match.state, home)
    assert not interior(match.state, ground.sides[home][0])
    assert [event.unit for event in happened(do(match, Snipe()), SniperAttacked)] == ["r"]


@rule("A14.23")
def test_what_lies_under_a_question_mark_is_one_candidate() -> None:
    match = called(1, 4, 1, 1, 6, concealed=True)
    state = match.state
    for name in ("w", "x"):
        state.units[name] = replace(get(match, "v"), id=name, kind="russian ?", at=-1)
        put(state, state.units[name], get(match, "v").at)
    events = do(match, Snipe())
    assert {event.unit for event in happened(events, SniperAttacked)} == {"v", "?"}, "no dice for the Dummies"
    assert not {"w", "x"} & set(state.units), "asked for proof, they are gone"


@rule("A14.23")
def test_whom_a_sniper_picks_under_a_question_mark_is_rolled_where_nobody_sees_how_many_there_are() -> None:
    match = called(1, 4, 1, 1, 6, concealed=True)
    put(match.state, replace(get(match, "v"), id="w", at=-1), get(match, "v").at)
    rolls = [roll for roll in happened(do(match, Snipe()), Rolled) if "under the ?" in roll.why]
    assert [roll.faces for roll in rolls] == [(1, 6)]
    assert [roll.to for roll in rolls] == [("russian",)]


@rule("A14.2")
def test_a_sniper_without_a_counter_is_placed_before_it_aims() -> None:
    match = called(1, 1, 1)
    SNIPERS.of(match.state)["german"] = replace(SNIPERS.of(match.state)["german"], at=-1)
    events = do(match, Snipe())
    assert SNIPERS.of(match.state)["german"].at >= 0
    assert happened(events, SniperAttacked)


@rule("A14.21")
@pytest.mark.parametrize("dr", [1, 2])
def test_the_enemy_sniper_may_be_named_first(dr: int) -> None:
    match = called(dr, 1, 1)
    SNIPERS.of(match.state)["russian"] = replace(SNIPERS.of(match.state)["russian"], at=cell(match, "H3"))
    do(match, Snipe(), SnipeSniper())
    left = SNIPERS.of(match.state)["russian"]
    assert (left.san, left.pinned) == ((2, False) if dr == 1 else (3, True))


@rule("A1.6")
@pytest.mark.parametrize(("kind", "number"), [("russian 4-4-7", 3), ("russian 2-3-7", 2), ("russian 8-1", 1)])
def test_unit_size_numbers(kind: str, number: int) -> None:
    match = people("z", "PFPh", unit("r", kind, "I5"), unit("g", "german 4-6-7", "A1"))
    assert us_number(match.state, get(match, "r")) == number


@rule("A14.1")
def test_a_panel_shows_the_san_where_somebody_has_a_sniper() -> None:
    match = called(2)
    assert "SAN 11" in str(match.view("russian")["panels"])
    SNIPERS.of(match.state).clear()
    assert "snipers" not in {panel["id"] for panel in match.view("russian")["panels"]}
