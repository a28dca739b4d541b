"""What a player sees of routs, advances and close combats: panels, focus, words, refusals."""

from __future__ import annotations

from typing import Any

from squad_support import cell, do, drill, rule, unit

from sandtable.engine import Match
from sandtable.engine.view import View
from sandtable.games.squad.combat.model import AttackAll, AttackUnit, DeclareAttack, JoinAttack, StartAdvance
from sandtable.games.squad.phases.model import Done
from sandtable.games.squad.rout.model import RoutStep, StartRout


def look(match: Match) -> View:
    """What the side that is to act sees."""
    view: View = match.game.view(match.state, match.to_act[0])
    return view


def panel(match: Match, name: str) -> dict[str, str]:
    view = look(match)
    found: dict[str, str] = {row.label: row.value for p in view.panels if p.id == name for row in p.rows}
    return found


def words(match: Match, events: list[Any]) -> list[str]:
    return [match.game.words(event, match.state) for event in events]


@rule("3.6")
def test_a_rout_shows_mf_goals_and_danger() -> None:
    units = [unit("a", "russian 4-4-7", "N6", broken=True, dm=True)]
    units += [unit(f"g{name}", "german 4-6-7", name) for name in ("O6", "M6", "L7")]
    match = drill("z", "RtPh", units, dice=[3, 3])
    do(match, StartRout("a"))
    assert panel(match, "rout")["May make for"] == "O8"
    assert look(match).focus == ("N6",)
    step = match.game.describe(match.state, "russian", RoutStep(cell(match, "N7"), road=True))
    assert "Interdiction" in step.notes[0]
    reasons = {refusal.cells[0]: refusal.reason for refusal in match.game.refusals(match.state, "russian")}
    assert "adjacent to the enemy in M6" in reasons["M7"]
    said = " ".join(words(match, do(match, RoutStep(cell(match, "N7"), road=True))))
    assert "interdicts" in said


@rule("3.7")
def test_an_advance_says_that_it_leads_into_close_combat() -> None:
    units = [unit("a", "russian 4-4-7", "I4"), unit("g", "german 4-6-7", "J3"), unit("b", "russian 4-4-7", "A5")]
    match = drill("z", "APh", units)
    do(match, StartAdvance("a"))
    texts = [match.game.describe(match.state, "russian", action) for action in match.actions("russian")]
    into = next(text for text in texts if text.cells == ("J3",))
    assert into.notes == ("into close combat",)
    assert look(match).focus == ("I4",)


@rule("3.8")
def test_a_close_combat_shows_groups_and_declared_attacks() -> None:
    units = [unit("g", "german 4-6-7", "E6"), unit("l", "german 9-1", "E6"), unit("r", "russian 4-4-7", "E6")]
    match = drill("z", "CCPh", units, attacker="german", dice=[6, 5, 6, 5])
    assert panel(match, "combat")["German"] == "4-6-7 g, 9-1 l"
    do(match, Done(), JoinAttack("g"), AttackUnit("r"))
    assert "1-1, not declared yet" in panel(match, "combat").values()
    assert look(match).focus == ("E6",)
    said = words(match, do(match, DeclareAttack()))
    assert any("attack 4-4-7 r" in line for line in said)
    said = words(match, do(match, AttackAll()))
    assert any("kill number" in line for line in said)
    assert any("Melee in E6" in line for line in said)
