"""Search, Mopping Up and hidden placement (A12.152-12.154, A12.3)."""

from __future__ import annotations

from typing import Any

import pytest
from asl_support import everything, heated, people
from squad_support import at, cell, do, get, happened, offered, rule, unit

import sandtable
from sandtable.engine import Play, ScriptedDice
from sandtable.games.asl.busy import TI, busy
from sandtable.games.asl.concealment.gaining import MAY_HIDE
from sandtable.games.asl.concealment.model import (
    EndSearch,
    HideUnit,
    MoppedUp,
    MopUp,
    PutUnderQuestion,
    Search,
    SearchBegan,
    Searched,
    SearchHex,
)
from sandtable.games.asl.concealment.searching import _may_mop, mop_bar, search_casualties, search_tally
from sandtable.games.asl.surrender import NO_QUARTER
from sandtable.games.asl.works.model import BOOBYTRAPS, MINES, lay_mines
from sandtable.games.squad.effects.morale import break_unit
from sandtable.games.squad.ground.setting import ground_of, setting_of, unit_kind
from sandtable.games.squad.movement.model import BeginMove, Pass, StartMove, Step
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.pieces.model import PREP_FIRE


@rule("A12.152")
def test_a_search_covers_as_many_hexes_as_the_dr_leaves() -> None:
    units = [
        unit("d", "german ?", "J5", concealed=True),
        unit("g", "german 2-4-7", "I4", hip=True),
        unit("r", "russian 4-4-7", "H5"),
    ]
    match = people("z", "MPh", *units, dice=(5, 6))
    do(match, StartMove("r"), BeginMove(), Step(cell(match, "I5"), road=True))
    if match.to_act == ("german",):
        do(match, Pass())
    do(match, Search())
    if match.to_act == ("german",):
        do(match, Pass())
    assert len(offered(match, SearchHex)) == 6
    events = do(match, SearchHex(cell(match, "J5")))
    assert [event.found for event in happened(events, Searched)] == [False]
    assert "d" not in match.state.units
    events = do(match, SearchHex(cell(match, "I4")))
    assert happened(events, PutUnderQuestion)
    assert get(match, "g").concealed
    assert TI in get(match, "r").marks, "5, one less for its second half-squad: two hexes of six"
    assert get(match, "r").moved


@rule("A12.152")
def test_whom_a_search_helps_and_hinders() -> None:
    units = [
        unit("r", "russian 4-4-7", "I5"),
        unit("l", "russian 8-1", "I5"),
        unit("c", "russian 4-2-6", "I5", cx=True),
    ]
    match = people("z", "MPh", *units, unit("g", "german 4-6-7", "A1"))
    tally = search_tally(match.state, [get(match, name) for name in ("r", "l", "c")], "german")
    assert tally.total == -3 - 1 + 1, "four half-squads, a leader, a Conscript who is CX too"


@rule("A12.154")
def test_searched_enemies_may_cost_a_casualty_reduction() -> None:
    units = [unit("g", "german 4-6-7", "J5", concealed=True), unit("r", "russian 4-4-7", "I5")]
    match = people("z", "MPh", *units, dice=(1, 2))
    do(match, StartMove("r"), BeginMove(), Search())
    do(match, Pass())
    do(match, SearchHex(cell(match, "J5")), EndSearch())
    assert get(match, "r").kind == "russian 2-3-7", "a dr of 2, one less for the second enemy half-squad"


@rule("A4.8")
def test_whoever_has_searched_does_nothing_else() -> None:
    units = [unit("r", "russian 4-4-7", "I5", marks=[TI]), unit("g", "german 4-6-7", "J5")]
    for phase in ("PFPh", "MPh", "APh"):
        match = people("z", phase, *units)
        assert not [a for a in match.actions("russian") if getattr(a, "unit", getattr(a, "firer", "")) == "r"]
    do(match, *[EndPhase()] * 1)
    while match.state.attacker == "russian":
        do(match, match.actions(match.to_act[0])[-1])
    assert get(match, "r").marks == ()


@rule("A12.153")
def test_mopping_up_clears_a_building_of_dummies_and_broken_enemies() -> None:
    units = [
        unit("r", "russian 4-4-7", "L7"),
        unit("d", "german ?", "M7", concealed=True),
        unit("b", "german 4-6-7", "M6", broken=True),
        unit("g", "german 4-6-7", "A1"),
    ]
    match = people("z", "PFPh", *units, dice=(6, 6))
    (action,) = offered(match, MopUp)
    events = do(match, action)
    (mopped,) = happened(events, MoppedUp)
    assert mopped.cleared
    assert "d" not in match.state.units
    assert "b" not in match.state.units
    assert TI in get(match, "r").marks


@rule("A12.153")
@pytest.mark.parametrize(
    "more",
    [
        {"kind": "russian 8-0"},
        {"broken": True},
        {"pinned": True},
        {"marks": [TI]},
        {"marks": ["unarmed"]},
        {"marker": PREP_FIRE},
        {"used": ("m",)},
        {"hip": True},
    ],
    ids=lambda more: next(iter(more)),
)
def test_who_does_not_mop_up(more: dict[str, Any]) -> None:
    kind = more.get("kind", "russian 4-4-7")
    rest = {name: value for name, value in more.items() if name != "kind"}
    match = people("z", "PFPh", unit("r", kind, "L7", **rest), unit("g", "german 4-6-7", "A1"))
    assert not _may_mop(match.state, get(match, "r"))
    able = people("z", "PFPh", unit("r", "russian 4-4-7", "L7"), unit("g", "german 4-6-7", "A1"))
    assert _may_mop(able.state, get(able, "r"))


@rule("A12.153")
def test_an_unbroken_known_enemy_forbids_it() -> None:
    units = [unit("r", "russian 4-4-7", "L7"), unit("g", "german 4-6-7", "M6")]
    match = people("z", "PFPh", *units)
    assert offered(match, MopUp) == []
    assert "still holds it" in match.game.why_not(match.state, "russian", MopUp("L5"))[0]


@rule("A12.3")
def test_a_hidden_unit_that_moves_is_put_under_a_question_mark() -> None:
    units = [unit("r", "russian 4-4-7", "H4", hip=True), unit("g", "german 4-6-7", "A1")]
    match = people("z", "MPh", *units)
    do(match, StartMove("r"), BeginMove(), Step(cell(match, "H3")))
    assert at(match, "r") == "H3"
    assert get(match, "r").concealed
    assert not get(match, "r").hip


@rule("A12.3")
def test_units_are_hidden_as_far_as_the_scenario_allows() -> None:
    match = sandtable.new("asl/S9", seed=1, options={"setup": "players"})
    side = match.to_act[0]
    MAY_HIDE.of(match.state)[side] = 2
    match.adopt(match.state)
    do(match, next(a for a in match.actions(side) if type(a).__name__ == "AutoSetUp"))
    hides = offered(match, HideUnit)
    group = setting_of(match.state).setup_order[match.state.stack[-1].order]
    assert {get(match, a.unit).group for a in hides} == {group}
    assert all(get(match, a.unit).at >= 0 and not get(match, a.unit).hip for a in hides)
    squads = [a for a in hides if unit_kind(match.state, get(match, a.unit)).squad]
    assert squads
    ground = setting_of(match.state).ground
    assert all(not ground.open[get(match, a.unit).at] for a in hides), "in Concealment Terrain only"
    do(match, squads[0])
    assert get(match, squads[0].unit).hip
    assert not any(unit_kind(match.state, get(match, a.unit)).size for a in offered(match, HideUnit)), "one squad"
    pieces = {piece["id"] for piece in match.view(None).get("pieces", ())}
    assert squads[0].unit not in pieces


@rule("A12.3")
def test_nobody_is_hidden_twice() -> None:
    match = sandtable.new("asl/S9", seed=1, options={"setup": "players"})
    side = match.to_act[0]
    MAY_HIDE.of(match.state)[side] = 4
    match.adopt(match.state)
    do(match, next(a for a in match.actions(side) if type(a).__name__ == "AutoSetUp"))
    first, *others = [a for a in offered(match, HideUnit) if unit_kind(match.state, get(match, a.unit)).squad]
    do(match, first)
    assert first not in offered(match, HideUnit)
    assert set(others) <= set(offered(match, HideUnit)), "one squad more"


@rule("A4.8")
def test_units_that_are_ti_fight_worse() -> None:
    units = [unit("r", "russian 4-4-7", "I5", marks=[TI]), unit("g", "german 4-6-7", "I5")]
    match = people("z", "APh", *units)
    russian, german = get(match, "r"), get(match, "g")
    assert busy(match.state, [russian], [german]) == [("by a TI unit", 1, "A4.8")]
    assert busy(match.state, [german], [russian]) == [("against a TI unit", -1, "A4.8")]


@rule("A4.8")
def test_whoever_breaks_is_ti_no_longer() -> None:
    match = people("z", "PFPh", unit("r", "russian 4-4-7", "I5", marks=[TI]), unit("g", "german 4-6-7", "A1"))
    break_unit(Play(match.state, ScriptedDice()), get(match, "r"))
    assert get(match, "r").broken
    assert TI not in get(match, "r").marks


@rule("A4.51")
def test_whoever_breaks_is_cx_no_longer() -> None:
    match = people("z", "PFPh", unit("r", "russian 4-4-7", "I5", cx=True), unit("g", "german 4-6-7", "A1"))
    break_unit(Play(match.state, ScriptedDice()), get(match, "r"))
    assert get(match, "r").broken
    assert not get(match, "r").cx


@rule("A12.152")
def test_a_search_finds_mines() -> None:
    match = everything("MPh", unit("r", "russian 4-4-7", "I6"), unit("g", "german 4-6-7", "A5"), dice=(1, 6))
    near = ground_of(match.state).near[cell(match, "I6")]
    for place in near:
        lay_mines(match.state, place, "german", 6)
    do(match, StartMove("r"), BeginMove(), Search())
    do(match, SearchHex(near[0]))
    assert [place for place, field in MINES.of(match.state).items() if field.known] == [near[0]]


@rule("A12.152")
@pytest.mark.parametrize(("place", "left"), [("C2", 5), ("C6", 4), ("A6", 2)])
def test_only_hexes_that_one_could_advance_into_are_searched(place: str, left: int) -> None:
    """A final dr of 1 leaves one of them out; there is no advance into the marsh of B6, which lies beside C6 and A6."""
    match = everything("MPh", unit("r", "russian 4-4-7", place), unit("g", "german 4-6-7", "O8"), dice=(2,))
    do(match, StartMove("r"), BeginMove())
    began = happened(do(match, Search()), SearchBegan)
    assert [event.hexes for event in began] == [left]
    assert SearchHex(cell(match, "B6")) not in offered(match, SearchHex)


@rule("A12.154")
@pytest.mark.parametrize("trap", ["mines", "boobytrap"])
def test_mines_and_boobytraps_make_a_search_dangerous(trap: str) -> None:
    match = everything("MPh", unit("r", "russian 4-4-7", "I6"), unit("g", "german 4-6-7", "A5"))
    place = cell(match, "I5")
    play = Play(match.state, ScriptedDice(1))
    search_casualties(play, [get(match, "r")], [place])
    assert get(match, "r").kind == "russian 4-4-7", "nothing is there"
    if trap == "mines":
        lay_mines(match.state, place, "german", 6)
    else:
        BOOBYTRAPS.of(match.state)["russian"] = "A"
    search_casualties(play, [get(match, "r")], [place])
    assert get(match, "r").kind == "russian 2-3-7"


@rule("A12.154")
@pytest.mark.parametrize(("marks", "left"), [([], "russian 2-3-7"), (["unarmed"], "russian 4-4-7")])
def test_only_armed_enemies_make_a_search_dangerous(marks: list[str], left: str) -> None:
    match = people("z", "MPh", unit("r", "russian 4-4-7", "I6"), unit("g", "german 4-6-7", "I5", marks=marks))
    search_casualties(Play(match.state, ScriptedDice(1)), [get(match, "r")], [cell(match, "I5")])
    assert get(match, "r").kind == left


@rule("A12.153")
def test_who_gives_no_quarter_does_not_mop_up() -> None:
    match = heated("z", "PFPh", unit("r", "russian 4-4-7", "I6"), unit("g", "german 4-6-7", "A5"))
    building = next(name for name, cells in ground_of(match.state).buildings.items() if len(cells) > 1)
    NO_QUARTER.put(match.state, ("russian",))
    bar = mop_bar(match.state, "russian", building)
    assert bar is not None
    assert "No Quarter" in bar[0]
