"""Exact odds of previews against many rolls of the rules themselves."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest
from pbi_support import Camp, preview, rows

from sandtable.engine import Action, Match, SampledDice, Tally
from sandtable.engine.odds import at_least
from sandtable.games.pbi.actions import (
    Accept,
    Aim,
    Assault,
    Bomb,
    Flame,
    Hold,
    Man,
    Motivate,
    PlacePattern,
    Shell,
    Shoot,
    Take,
    Volley,
)
from sandtable.games.pbi.events import (
    AssaultEnded,
    GunShot,
    GunSilenced,
    Lost,
    MadeImmobile,
    Motivated,
    PointsRolled,
    Shot,
)
from sandtable.games.pbi.model import Activation, Escape, Losses, Placing, Units, Window
from sandtable.games.pbi.odds import casualty_order, damage_chances, hit_chance, save_order

TRIES = 3000
MARGIN = 0.032
"""Three and a half standard deviations of a share near one half."""


def careful(match: Match, actions: list[Action]) -> Action:
    """What the previews take a player to do: hold, accept, best saves first, cheap casualties first."""
    for action in actions:
        if isinstance(action, (Hold, Accept)):
            return action
    frame = match.state.stack[-1]
    ids = [action.piece for action in actions if isinstance(action, Take)]
    if isinstance(frame, Escape):
        return Take(ids[0])
    if isinstance(frame, Losses):
        order = casualty_order(match.state, ids)
    else:
        order = [piece for piece in save_order(match.state, frame.square, frame.source, frame.how) if piece.id in ids]
    return Take(order[0].id)


def share(camp: Camp, action: Action, told: Callable[[list[object]], bool]) -> float:
    """How often something happens when the action is really played."""
    source = random.Random(f"{action}")
    start = camp.match()
    frames = len(start.state.stack)
    side = start.to_act[0]
    number = 0
    for _ in range(TRIES):
        match = start.clone(SampledDice(source))
        events: list[object] = list(match.apply(side, action))
        while match.to_act and (len(match.state.stack) > frames or match.to_act[0] != side):
            decider = match.to_act[0]
            actions = list(match.actions(decider))
            if not any(isinstance(each, (Hold, Accept, Take)) for each in actions):
                break
            events += match.apply(decider, careful(match, actions))
        number += told(events)
    return number / TRIES


def lost(side: str, number: int) -> Callable[[list[object]], bool]:
    return lambda events: len([e for e in events if isinstance(e, Lost) and e.side == side]) >= number


def some(kind: type, **values: object) -> Callable[[list[object]], bool]:
    return lambda events: any(
        isinstance(e, kind) and all(getattr(e, name) == value for name, value in values.items()) for e in events
    )


def close(camp: Camp, action: Action, label: str, told: Callable[[list[object]], bool]) -> None:
    exact = preview(camp.match(), action)[label]
    assert exact == pytest.approx(share(camp, action, told), abs=MARGIN)


@pytest.mark.rule("saves-shooting")
def test_small_arms() -> None:
    camp = Camp(rows(D4="h")).add("a1", "rifle", "D7", 3).add("a1", "lmg", "D7", 2)
    camp.add("d1", "rifle", "D4", 2, moved=1).add("d1", "officer", "D4", officer=True).add("d2", "rifle", "A1", 3)
    camp.acting(*[f"a1-{n}" for n in range(1, 6)])
    close(camp, Shoot("D4"), "any hit", lambda events: any(isinstance(e, Shot) and e.hits > 0 for e in events))
    close(camp, Shoot("D4"), "at least one base lost", lost("defender", 1))
    close(camp, Shoot("D4"), "at least 2 bases lost", lost("defender", 2))


@pytest.mark.rule("odds-opportunity")
@pytest.mark.parametrize("ruling", ["hits", "permission"])
def test_opportunity_shooting(ruling: str) -> None:
    camp = Camp(opportunity_score=ruling).add("a1", "rifle", "D6", 3, moved=1).add("d1", "mmg", "D4", deployed=True)
    camp.add("a2", "rifle", "A8", 3).frames(Window("defender", "D6", "opportunity"))
    close(camp, Volley("D4"), "at least one base lost", lost("attacker", 1))


@pytest.mark.rule("shooting-effect")
def test_a_gun_at_a_tank() -> None:
    camp = Camp().add("a1", "sherman", "D6").add("d1", "panzer4", "D4", facing=2).add("d1", "panzer4", "C4")
    camp.add("d2", "rifle", "A1", 3).driving("a1-1")
    close(camp, Aim("a1-1", "d1-1"), "hit", some(GunShot, result="hit"))
    close(camp, Aim("a1-1", "d1-1"), "immobilised", some(MadeImmobile, piece="d1-1"))
    close(camp, Aim("a1-1", "d1-1"), "destroyed", some(Lost, piece="d1-1", how="destroyed"))


@pytest.mark.rule("odds-flame")
def test_flamethrowers() -> None:
    camp = Camp().add("a1", "flamethrower", "D5").add("d1", "rifle", "D4", 3).add("d2", "rifle", "A1", 3)
    camp.add("d3", "sherman", "E5").add("d3", "sherman", "F5").acting("a1-1")
    close(camp, Flame("a1-1", "D4"), "at least 2 bases lost", lost("defender", 2))
    close(camp, Flame("a1-1", "d3-1"), "destroyed", some(Lost, piece="d3-1", how="destroyed"))


@pytest.mark.rule("he-at-foot")
@pytest.mark.parametrize("ruling", ["by gun", "by score"])
def test_high_explosive(ruling: str) -> None:
    camp = Camp(he_hits=ruling, he_saves="modified").add("a1", "leig18", "D6", deployed=True)
    camp.add("d1", "rifle", "D4", 2).add("d1", "officer", "D4", officer=True).add("d2", "rifle", "A1", 3).driving(
        "a1-1"
    )
    close(camp, Shell("a1-1", "D4"), "at least one base lost", lost("defender", 1))
    close(camp, Shell("a1-1", "D4"), "at least 2 bases lost", lost("defender", 2))


@pytest.mark.rule("artillery-mortar-he")
@pytest.mark.parametrize("ruling", ["each", "square"])
def test_mortars(ruling: str) -> None:
    camp = Camp(he_dice=ruling).add("a1", "medium_mortar", "D7", deployed=True).add("d1", "rifle", "D4", 4, moved=1)
    camp.add("d2", "rifle", "A1", 3).acting("a1-1")
    close(camp, Bomb("a1-1", "D4", False, 2), "at least one base lost there", lost("defender", 1))


@pytest.mark.rule("assault-results")
@pytest.mark.parametrize("with_tank", [False, True])
def test_assaults(with_tank: bool) -> None:
    camp = Camp(assault_reaction="no").add("a1", "rifle", "D6", 2).add("a1", "smg", "D6").add("a2", "rifle", "A8", 3)
    camp.add("d1", "rifle", "D5", 2, pinned=True).add("d2", "rifle", "H1", 3)
    if with_tank:
        camp.add("d3", "m8", "D5")
    camp.acting("a1-1", "a1-2", "a1-3")
    close(camp, Assault("D5"), "the assault succeeds", some(AssaultEnded, won=True))


@pytest.mark.rule("assault-vehicle-save")
@pytest.mark.parametrize("toll", ["one", "with its men"])
def test_assaults_on_transports_and_by_them(toll: str) -> None:
    target = Camp(assault_reaction="no", transport_toll=toll).add("a1", "rifle", "D6", 3).add("a2", "rifle", "A8", 3)
    target.add("d1", "m3", "D5").add("d2", "rifle", "D5", 4, within="d1-1").add("d3", "rifle", "D5", 2)
    close(target.acting("a1-1", "a1-2", "a1-3"), Assault("D5"), "the assault succeeds", some(AssaultEnded, won=True))
    riders = Camp(assault_reaction="no", transport_toll=toll).add("a1", "t34", "D6").add("a3", "rifle", "A8", 3)
    riders.add("a2", "smg", "D6", 2, within="a1-1").add("a2", "lmg", "D6", within="a1-1")
    riders.add("d1", "flamethrower", "D5").add("d1", "bazooka", "D5", 2).add("d2", "rifle", "H1", 3)
    close(riders.driving("a1-1"), Assault("D5"), "the assault succeeds", some(AssaultEnded, won=True))


@pytest.mark.rule("assault-vehicle-save")
def test_men_who_leave_a_destroyed_transport_can_still_win_the_assault() -> None:
    camp = Camp(assault_reaction="no").add("a1", "m3", "D6").add("a2", "rifle", "D6", 2, within="a1-1")
    camp.add("d1", "rifle", "D5").add("d2", "rifle", "H1", 3).driving("a1-1")
    close(camp, Assault("D5"), "the assault succeeds", some(AssaultEnded, won=True))


@pytest.mark.rule("assault-vehicle-save")
def test_men_who_leave_a_destroyed_target_still_hold_the_square() -> None:
    camp = Camp(assault_reaction="no").add("a1", "smg", "D6", 4).add("a2", "rifle", "A8", 3)
    camp.add("d1", "m3", "D5").add("d2", "rifle", "D5", 4, within="d1-1").add("d3", "rifle", "H1", 3)
    close(
        camp.acting("a1-1", "a1-2", "a1-3", "a1-4"), Assault("D5"), "the assault succeeds", some(AssaultEnded, won=True)
    )


@pytest.mark.rule("he-at-foot")
@pytest.mark.parametrize("ruling", ["even", "free"])
def test_hits_spread_by_the_ruling(ruling: str) -> None:
    camp = Camp(hits_spread=ruling).add("a1", "rifle", "D7", 3).add("a1", "lmg", "D7", 2).add("d1", "rifle", "D4", 3)
    camp.add("d1", "officer", "D4", officer=True).add("d2", "rifle", "A1", 3).acting(*[f"a1-{n}" for n in range(1, 6)])
    close(camp, Shoot("D4"), "at least one base lost", lost("defender", 1))
    alike = Camp(hits_spread=ruling).add("a1", "lmg", "D7", 3).add("d1", "rifle", "D4", 3).add("d2", "rifle", "A1", 3)
    close(alike.acting("a1-1", "a1-2", "a1-3"), Shoot("D4"), "at least one base lost", lost("defender", 1))
    assert ("at least 2 bases lost" in preview(alike.match(), Shoot("D4"))) == (ruling == "even")


@pytest.mark.rule("transports-saves")
def test_a_machine_gun_on_a_transport_is_no_base() -> None:
    camp = Camp().add("a1", "lmg", "D7", 3).add("d1", "m3", "D4").add("d2", "rifle", "D4", 1, within="d1-1")
    camp.add("d2", "rifle", "A1", 3).acting("a1-1", "a1-2", "a1-3")
    close(camp, Shoot("D4"), "at least one base lost", lost("defender", 1))
    close(camp, Shoot("D4"), "a mounted machine-gun silenced", some(GunSilenced))


@pytest.mark.rule("motivation")
def test_motivation() -> None:
    camp = Camp(rows(D6="W")).add("a1", "officer", "D5", officer=True).add("a1", "rifle", "D7")
    camp.frames(Units("attacker"), Activation("a1"))
    close(camp, Motivate("D7"), "motivated", some(Motivated, well=True))
    gun = Camp().add("a1", "pak40", "D7", deployed=True).add("a2", "officer", "D5", officer=True)
    gun.frames(Units("attacker"), Activation("a1"))
    close(gun, Man("a1-1"), "motivated", some(PointsRolled))


@pytest.mark.rule("shooting-hit")
def test_exact_chances_of_a_hit() -> None:
    def modified(value: int) -> Tally:
        return Tally.of("To hit", [("any", value, "shooting-hit")])

    assert hit_chance(modified(0)) == Fraction(15, 36)
    assert hit_chance(modified(-9)) == Fraction(3, 36)
    assert hit_chance(modified(9)) == Fraction(26, 36)


@pytest.mark.rule("shooting-magnitude")
def test_exact_chances_of_damage_add_up() -> None:
    for aspect in ("front", "side", "rear"):
        chances = damage_chances(8, 7, aspect)
        assert sum(chances.values()) == 1
    assert damage_chances(1, 0, "front") == {
        "nothing": Fraction(1, 3),
        "immobilised": at_least(3),
        "destroyed": Fraction(0),
    }


@pytest.mark.rule("artillery-place")
@pytest.mark.parametrize(("smoke", "words"), [(False, "three dice"), (True, "smoke stays")])
def test_a_strike_says_who_is_under_it_and_what_it_does(smoke: bool, words: str) -> None:
    camp = Camp().add("a1", "rifle", "E5").add("d1", "rifle", "D4", 3)
    match = camp.frames(Placing("attacker", smoke), step=1).match()
    shown = match.preview("attacker", PlacePattern("D4", "square"))
    assert shown is not None
    assert shown.odds[0].chance == pytest.approx(24 / 36)
    assert shown.notes[0] == "3 pieces of the enemy there, and 1 of yours"
    assert words in shown.notes[1]
