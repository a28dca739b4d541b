"""Fine points of the parts about people: limits, exactly met and missed by one."""

from __future__ import annotations

from typing import Any

import pytest
from asl_support import heated, people
from msgspec.structs import replace
from squad_support import cell, happened, rule, unit

from sandtable.engine import Play, ScriptedDice
from sandtable.engine.errors import IllegalAction
from sandtable.games.asl.concealment.searching import mop_bar
from sandtable.games.asl.deploying.model import Deploy, Recombine
from sandtable.games.asl.heat import berserk
from sandtable.games.asl.heat.model import BERSERK, Charges
from sandtable.games.asl.heat.part import ambush_items
from sandtable.games.asl.prisoners.model import AcceptSurrender, Escaping, Surrendering, TryEscape
from sandtable.games.asl.prisoners.part import _escape_preview
from sandtable.games.asl.prisoners.taking import Surrender
from sandtable.games.asl.snipers.model import SNIPERS, Sniper, SniperHit
from sandtable.games.asl.snipers.rules import hit
from sandtable.games.asl.surrender import CAPTIVES, capture
from sandtable.games.squad.combat.strengths import ambush_tally
from sandtable.games.squad.pieces.model import Mover, Moving, SquadState

SQUAD, ENEMY = "russian 4-4-7", "german 4-6-7"


def playing(state: SquadState, *dice: int) -> Play[SquadState]:
    return Play(state, ScriptedDice(*dice))


@rule("A12.153")
@pytest.mark.parametrize(("places", "may"), [(("E4",), True), (("D2",), False), (("E5",), False), (("D2", "E5"), True)])
def test_moppers_must_be_within_two_hexes_of_every_part_of_a_building(places: tuple[str, ...], may: bool) -> None:
    """The building of D2 reaches to E5, three hexes off; E4 lies in its middle."""
    units = [unit(f"r{number}", SQUAD, place) for number, place in enumerate(places)]
    match = people("z", "PFPh", *units, unit("g", ENEMY, "GG1"))
    assert (mop_bar(match.state, "russian", "D2") is None) is may


@rule("A14.4")
@pytest.mark.parametrize(
    ("san", "killed", "after"),
    [(5, False, (5, True)), (5, True, (4, False)), (3, True, (2, False)), (2, True, (1, False))],
)
def test_a_sniper_that_is_hit_is_pinned_or_replaced_while_his_san_lasts(
    san: int, killed: bool, after: tuple[int, bool]
) -> None:
    match = people("z", "PFPh", unit("r", SQUAD, "I5"), unit("g", ENEMY, "J8"))
    SNIPERS.of(match.state)["german"] = Sniper(san, cell(match, "H2"))
    play = playing(match.state)
    hit(play, "german", killed=killed)
    sniper = SNIPERS.of(match.state)["german"]
    assert (sniper.san, sniper.pinned) == after
    assert (sniper.at >= 0) is (sniper.san >= 2), "a SAN of one is no Sniper"
    assert [(event.killed, event.san) for event in happened(play.events, SniperHit)] == [(killed, after[0])]


@rule("A11.4")
def test_berserk_units_are_ambushed_more_easily_by_one() -> None:
    units = [unit("a", SQUAD, "I5", marks=[BERSERK]), unit("b", SQUAD, "J5"), unit("g", ENEMY, "A1")]
    match = heated("z", "CCPh", *units)
    found = [ambush_items(match.state, cell(match, at), "russian") for at in ("I5", "J5")]
    assert [[item[1] for item in items] for items in found] == [[1], []]


@rule("A11.4")
@pytest.mark.parametrize(
    ("more", "total"), [({}, -1), ({"broken": True}, 0), ({"marks": [BERSERK]}, 2), ({"pinned": True}, 0)]
)
def test_broken_units_are_ambushed_more_easily_and_berserk_ones_let_nobody_lead_them(
    more: dict[str, Any], total: int
) -> None:
    """A berserk unit is Lax as well."""
    units = [unit("a", SQUAD, "I5", **more), unit("l", "russian 8-1", "I5"), unit("g", ENEMY, "A1")]
    match = heated("z", "APh", *units)
    assert ambush_tally(match.state, cell(match, "I5"), "russian").total == total


@rule("A11.4")
def test_a_berserk_leader_does_not_lead_an_ambush() -> None:
    units = [unit("a", SQUAD, "I5"), unit("l", "russian 8-1", "I5", marks=[BERSERK]), unit("g", ENEMY, "A1")]
    match = heated("z", "APh", *units)
    assert ambush_tally(match.state, cell(match, "I5"), "russian").total == 2


@rule("A20.21")
@rule("A20.5")
def test_units_that_one_guard_cannot_hold_go_to_another() -> None:
    """The US# of a leader is one, that of a squad three: he guards one squad, and not two."""
    broken = [unit(name, ENEMY, "I5", broken=True) for name in ("a", "b", "c")]
    guards = [unit("l", "russian 8-0", "J5"), unit("s", SQUAD, "I6")]
    match = heated("z", "RtPh", *broken, *guards)
    frame = Surrendering(cell(match, "I5"), ("a", "b", "c"), "russian")
    assert Surrender().to_act(match.state, frame) == ("russian",)
    match.state.stack.append(frame)
    Surrender().apply(playing(match.state), frame, "russian", AcceptSurrender("l"))
    assert {name: captive.guard for name, captive in CAPTIVES.of(match.state).items()} == {"a": "l", "b": "s", "c": "s"}
    alone = heated("z", "RtPh", *broken, unit("s", SQUAD, "A1"))
    assert Surrender().to_act(alone.state, frame) == (), "nobody is there to take them"


@rule("A8.312")
def test_those_who_are_charged_fire_once(monkeypatch: pytest.MonkeyPatch) -> None:
    units = [unit("r", SQUAD, "I5", marks=[BERSERK]), unit("g", ENEMY, "I5")]
    match = heated("z", "MPh", *units)
    state = match.state
    state.moving = Moving((Mover("r", cell(match, "I5")),), ("r",))
    fired: list[int] = []
    monkeypatch.setattr(berserk, "triple_fire", lambda play, at: fired.append(at))
    monkeypatch.setattr(berserk, "_finish", lambda play, frame: fired.append(-1))
    for struck in (False, True):
        frame = Charges(("r",), struck=struck)
        state.stack.append(frame)
        berserk._go_on(playing(state), frame)
    assert fired == [cell(match, "I5"), -1]


HALVES = (unit("a", "german 2-4-7", "K5"), unit("b", "german 2-4-7", "K5"))


@rule("A1.32")
@pytest.mark.parametrize(
    ("units", "acted", "says"),
    [
        (HALVES, (), ""),
        ((HALVES[0], {**HALVES[1], "kind": "german 2-4-8"}), (), "of the same kind"),
        ((HALVES[0], {**HALVES[1], "kind": "german 4-6-7"}), (), "of the same kind"),
        ((HALVES[0], {**HALVES[1], "at": "K6"}), (), "in one Location"),
        ((HALVES[0], {**HALVES[1], "broken": True}), (), "in Good Order"),
        ((HALVES[0], {**HALVES[1], "hip": True}), (), "not be hidden"),
        (HALVES, ("b",), "had their action"),
        (HALVES, ("l",), "tried to Deploy"),
    ],
)
def test_why_half_squads_do_not_recombine(units: tuple[dict[str, str], ...], acted: tuple[str, ...], says: str) -> None:
    stack = [{"type": "RallyPhase"}, {"type": "Reforming", "side": "german", "acted": list(acted)}]
    leaders = (unit("l", "german 8-1", "K5"), unit("m", "german 8-0", "K5"))
    match = people(
        "z", "RPh", *units, *leaders, unit("s", ENEMY, "K5"), unit("r", SQUAD, "A1"), attacker="german", stack=stack
    )
    found = match.game.why_not(match.state, "german", Recombine("a", "b", "l"))
    assert says in found[0] if says else Recombine("a", "b", "l") in match.actions("german")


@rule("A1.32")
def test_nobody_recombines_in_another_phase() -> None:
    match = people("z", "PFPh", *HALVES, unit("l", "german 8-1", "K5"), unit("r", SQUAD, "A1"), attacker="german")
    for action in (Recombine("a", "b", "l"), Deploy("a", "l")):
        with pytest.raises(IllegalAction):
            match.apply("german", action)


@rule("A20.55")
@pytest.mark.parametrize(("melee", "chance"), [(False, 21 / 36), (True, 1)])
def test_the_odds_of_an_escape_are_those_of_a_task_check_or_sure_in_a_melee(melee: bool, chance: float) -> None:
    units = [unit("r", SQUAD, "I5", broken=not melee), unit("g", ENEMY, "I5", broken=True), unit("h", ENEMY, "A1")]
    match = heated("z", "CCPh", *units)
    capture(playing(match.state), match.state.units["g"], match.state.units["r"], "surrenders")
    match.state.units["r"] = replace(match.state.units["r"], melee=melee)
    match.state.stack.append(Escaping("r", "german"))
    preview = _escape_preview(match.state, "german", TryEscape())
    assert preview is not None
    assert [line.chance for line in preview.odds] == [pytest.approx(chance)]
    match.state.stack.pop()
    assert _escape_preview(match.state, "german", TryEscape()) is None
