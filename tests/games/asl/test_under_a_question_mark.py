"""What is not told of those who lie under a "?" beside others (A12.11)."""

from __future__ import annotations

import pytest
from asl_support import people
from msgspec.structs import replace
from squad_support import cell, do, rule, unit, weapon

from sandtable.engine.events import OBSERVER, Rolled
from sandtable.engine.tally import Tally, TallyItem
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.phases.model import Done
from sandtable.games.squad.pieces.events import Reduced
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.rally.model import Repair
from sandtable.games.squad.rout.model import Rout
from sandtable.games.squad.show.heard import heard
from sandtable.games.squad.show.phase_view import panels


@rule("A12.11")
@pytest.mark.parametrize(
    ("side", "told"), [("german", "4-6-7 g, 8-1 l"), ("russian", "4-6-7 g, ?"), (None, "4-6-7 g, ?")]
)
def test_who_routs_along_under_a_question_mark_is_not_named(side: str | None, told: str) -> None:
    units = [unit("g", "german 4-6-7", "K5", broken=True), unit("l", "german 8-1", "K5", concealed=True)]
    match = people("z", "RtPh", *units, unit("r", "russian 4-4-7", "GG1"))
    match.state.stack.append(Rout("g", cell(match, "K5"), leaders=("l",)))
    (panel,) = [panel for panel in panels(match.state, side) if panel.id == "rout"]
    assert panel.rows[0].label == told


@rule("A12.11")
@pytest.mark.parametrize(("side", "shown"), [("german", True), ("russian", False), (None, False)])
def test_where_a_rout_may_lead_is_shown_to_others_only_if_nothing_is_hidden(side: str | None, *, shown: bool) -> None:
    units = [unit("g", "german 4-6-7", "K5", broken=True), unit("l", "german 8-1", "M5", concealed=True)]
    match = people("z", "RtPh", *units, unit("r", "russian 4-4-7", "GG1"))
    match.state.stack.append(Rout("g", cell(match, "K5")))
    assert _makes_for(match.state, side) is shown
    match.state.units["l"] = replace(match.state.units["l"], concealed=False)
    assert _makes_for(match.state, side) is True


def _makes_for(state: SquadState, side: str | None) -> bool:
    (panel,) = [panel for panel in panels(state, side) if panel.id == "rout"]
    return [row.label for row in panel.rows[1:]] == ["May make for"]


@rule("A12.11")
def test_a_reason_names_nobody_under_a_question_mark() -> None:
    units = [
        unit("g", "japanese 1-2-6", "K5", side="german"),
        unit("l", "japanese 8-0", "K5", side="german", concealed=True),
    ]
    match = people("z", "RPh", *units, unit("r", "russian 4-4-7", "GG1"))
    event = Reduced(unit="g", at="K5", now="japanese 1-2-6", was="japanese 1-3-7", why="8-0 l did not rally it")
    told = {who: one for one in heard(event, match.state) for who in one.to or ()}
    assert told["german"].why == "8-0 l did not rally it"
    assert told["russian"].why == "a concealed unit did not rally it"
    assert (told["russian"].unit, told["russian"].now) == ("g", "japanese 1-2-6")


@rule("A12.11")
def test_a_name_that_begins_like_another_hides_nobody_else() -> None:
    """The enemy's own leader under a "?" is called as the beginning of the one who directs the fire."""
    units = [unit("l", "german 8-1", "K5", concealed=True), unit("m", "russian 8-1", "GG1", concealed=True)]
    match = people("z", "PFPh", *units)
    names = {name: short(match.state, name) for name in ("l", "m")}
    assert names["m"] == "8-1 m"
    longer = f"leader {names['l']}b"
    tally = Tally("DRM", (TallyItem(f"leader {names['l']}", -1, "3.2.2"),))
    rolled = Rolled(why="fire", sides=6, faces=(1, 2), by="german", tally=tally)
    told = {who: one for one in heard(rolled, match.state) for who in one.to or ()}
    assert told["german"].tally == tally
    assert told["russian"].tally is None
    other = Rolled(why="fire", sides=6, faces=(1, 2), by="german", tally=Tally("DRM", (TallyItem(longer, -1, ""),)))
    assert heard(other, match.state) == (other,)
    both = Tally("DRM", (TallyItem(f"leaders {names['l']}, {names['m']}", -1, ""),))
    (told_all,) = heard(Rolled(why="fire", sides=6, faces=(1, 2), by="german", tally=both), match.state)
    assert isinstance(told_all, Rolled)
    assert told_all.tally is None, "each side would learn of the other's"


@rule("A12.11")
@pytest.mark.parametrize("side", ["russian", OBSERVER])
@pytest.mark.parametrize(("dr", "told"), [(1, []), (4, []), (6, ["? is lost for good"])])
def test_a_repair_under_a_question_mark_is_told_only_if_the_weapon_leaves_the_game(
    side: str, dr: int, told: list[str]
) -> None:
    units = [unit("g", "german 4-6-7", "K5", concealed=True)]
    match = people("z", "RPh", *units, weapons=[weapon("m", "german LMG", owner="g", broken=True)], dice=(dr,))
    match.narrator = match.game.words
    while Repair("m") not in match.actions("german"):
        do(match, Done())
    do(match, Repair("m"))
    assert len([event for event, _ in match.told(match.version) if event.known_to("german")]) == 2
    assert [words for event, words in match.told(match.version) if event.known_to(side)] == told
