"""Deploying, recombining and national traits (A1.3, A2.9, A11.17, A25)."""

from __future__ import annotations

import pytest
from asl_support import people
from squad_support import at, do, get, happened, offered, rule, unit, weapon

import sandtable
from sandtable.engine import Match, Rolled
from sandtable.engine.errors import IllegalAction
from sandtable.games.asl.deploying.model import Deploy, DeployAtSetUp, Deployed, EndReforming, Recombine, Reforming
from sandtable.games.asl.deploying.part import half_of, squad_of
from sandtable.games.asl.nations.traits import lax, stealthy
from sandtable.games.squad.combat.strengths import ambush_tally
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.phases.model import EndPhase


def rally(*units: dict[str, object], attacker: str = "german", **more: object) -> Match:
    """A match at the start of the RPh of a side."""
    stack = [{"type": "RallyPhase"}, {"type": "Reforming", "side": attacker}]
    return people("z", "RPh", *units, attacker=attacker, stack=stack, **more)  # type: ignore[arg-type]


GERMANS = (unit("s", "german 4-6-7", "K5"), unit("l", "german 8-1", "K5"), unit("r", "russian 4-4-7", "A1"))


@rule("A1.31")
@pytest.mark.parametrize(("dice", "kinds"), [((4, 4), ["german 2-4-7"] * 2), ((5, 4), ["german 4-6-7"])])
def test_a_squad_deploys_by_a_task_check_with_the_leader(dice: tuple[int, int], kinds: list[str]) -> None:
    match = rally(*GERMANS, dice=dice, weapons=[weapon("mg", "german LMG", "s")])
    preview = match.preview("german", Deploy("s", "l"))
    assert preview is not None
    assert preview.odds[0].chance == pytest.approx(26 / 36), "8 or less: morale 7 and a leader of -1"
    do(match, Deploy("s", "l"))
    mmc = [found for found in match.state.units.values() if found.side == "german" and found.id != "l"]
    assert [found.kind for found in mmc] == kinds
    assert {at(match, found.id) for found in mmc} == {"K5"}
    assert get(match, "s").weapons == ("mg",)
    assert offered(match, Deploy) == [], "one try for squad and leader"


@rule("A1.31")
@rule("A12.11")
@pytest.mark.parametrize("leader", ["german 8-0", "german 9-2"])
@pytest.mark.parametrize(("dice", "passes"), [((3, 2), True), ((6, 6), False)])
@pytest.mark.parametrize("side", ["russian", None])
def test_who_helps_to_deploy_from_under_a_question_mark_is_not_told(
    leader: str, dice: tuple[int, int], passes: bool, side: str | None
) -> None:
    units = [
        unit("s", "german 4-6-7", "K5"),
        unit("l", leader, "K5", concealed=True),
        unit("r", "russian 4-4-7", "GG1"),
    ]
    match = rally(*units, dice=dice)
    events = [event for event in do(match, Deploy("s", "l")) if event.known_to(side)]
    (roll,), (told,) = happened(events, Rolled), happened(events, Deployed)
    assert (roll.faces, roll.tally, roll.why) == (dice, None, "Deploy 4-6-7 s")
    assert (told.unit, told.success, told.dr) == ("s", passes, None)


@rule("A1.31")
@rule("A12.11")
def test_a_squad_that_deploys_under_a_question_mark_stays_unknown() -> None:
    units = [unit("s", "german 4-6-7", "K5", concealed=True), unit("l", "german 8-1", "K5")]
    match = rally(*units, unit("r", "russian 4-4-7", "GG1"), dice=(3, 2))
    events = do(match, Deploy("s", "l"))
    (own,) = [event for event in happened(events, Deployed) if event.known_to("german")]
    (seen,) = [event for event in happened(events, Deployed) if event.known_to("russian")]
    assert (own.unit, own.dr) == ("s", 4)
    assert (seen.unit, seen.other, seen.dr) == ("?", "?", None)
    assert match.game.words(seen, match.state) == "A squad in K5 Deploys into ? and ? (A1.31)"


@rule("A1.31")
def test_squads_on_the_map_deploy_wherever_they_are() -> None:
    corner = (unit("s", "german 4-6-7", "A1"), unit("l", "german 8-1", "A1"), unit("r", "russian 4-4-7", "GG1"))
    match = rally(*corner)
    assert get(match, "s").at == 0
    assert offered(match, Deploy) == [Deploy("s", "l")]


@rule("A1.31")
def test_without_a_leader_nobody_deploys_but_finns_and_some_marines() -> None:
    alone = rally(unit("s", "german 4-6-7", "K5"), unit("r", "russian 4-4-7", "A1"))
    assert not any(isinstance(action, Deploy) for action in alone.actions("german"))
    finns = rally(unit("s", "finnish 6-4-8", "K5", side="german"), unit("r", "russian 4-4-7", "A1"))
    assert offered(finns, Deploy) == [Deploy("s")]
    preview = finns.preview("german", Deploy("s"))
    assert preview is not None
    assert preview.tallies[0].total == 1
    for kind, deploys in (("usmc 7-6-8", [Deploy("s")]), ("usmc 6-6-8", []), ("usmc 5-5-8 Raider", [])):
        marines = rally(unit("s", kind, "K5", side="german"), unit("r", "russian 4-4-7", "A1"))
        assert offered(marines, Deploy) == deploys


@rule("A25")
def test_russians_and_lesser_italians_do_not_deploy() -> None:
    for kind, may in (("russian 4-4-7", False), ("italian 3-4-7", False), ("italian 4-4-7", True)):
        nation = kind.split()[0]
        units = [unit("s", kind, "K5", side="german"), unit("l", f"{nation} 8-1", "K5", side="german")]
        match = rally(*units, unit("r", "russian 4-4-7", "A1", side="russian"))
        assert (Deploy("s", "l") in match.actions("german")) is may


@rule("A1.32")
def test_two_half_squads_recombine_with_a_leader() -> None:
    units = [unit("a", "german 2-4-7", "K5"), unit("b", "german 2-4-7", "K5"), unit("c", "german 2-4-8", "K5")]
    match = rally(*units, *GERMANS[1:], weapons=[weapon("mg", "german LMG", "b")])
    assert offered(match, Recombine) == [Recombine("a", "b", "l")]
    with pytest.raises(IllegalAction):
        do(match, Recombine("a", "nobody", "l"))
    do(match, Recombine("a", "b", "l"))
    assert get(match, "a").kind == "german 4-6-7"
    assert get(match, "a").weapons == ("mg",)
    assert "b" not in match.state.units


@rule("A1.32")
def test_every_half_squad_becomes_a_squad_whose_half_it_is() -> None:
    assert squad_of("german 2-3-7") == "german 4-4-7"
    assert squad_of("russian 2-2-7") == "russian 5-2-7"
    assert half_of("japanese 4-4-8") == "japanese 2-3-8"
    assert squad_of("japanese 2-3-8") == "japanese 4-4-8"


@rule("A1.3")
def test_both_sides_are_asked_at_the_start_of_every_rally_phase() -> None:
    match = people("z", "CCPh", *GERMANS, attacker="russian", dice=[6] * 4)
    assert isinstance(match.state.stack[-1], Reforming)
    assert match.to_act == ("german",)
    do(match, EndReforming())
    assert not isinstance(match.state.stack[-1], Reforming)


@rule("A2.9")
def test_a_tenth_of_the_squads_may_set_up_as_half_squads() -> None:
    match = sandtable.new("asl/S11", seed=1, options={"setup": "players"})
    free = offered(match, DeployAtSetUp)
    assert free
    before = len(match.state.units)
    do(match, free[0])
    assert len(match.state.units) == before + 1
    assert len(offered(match, DeployAtSetUp)) == 0, "fewer than eleven squads: one"


@rule("A11.18")
@rule("A11.17")
def test_who_is_stealthy_and_who_lax() -> None:
    units = [
        unit("finn", "finnish 6-4-8", "K5", side="german"),
        unit("green", "finnish 5-3-8", "J5", side="german"),
        unit("raider", "usmc 5-5-8 Raider", "J5", side="german"),
        unit("italian", "italian 3-4-7", "I5", side="german"),
        unit("elite", "italian 4-4-7", "I5", side="german"),
        unit("r", "russian 4-2-6", "A1"),
    ]
    match = people("z", "APh", *units)
    careful = {name for name in match.state.units if stealthy(match.state, get(match, name))}
    careless = {name for name in match.state.units if lax(match.state, get(match, name))}
    assert careful == {"finn", "raider"}
    assert careless == {"green", "italian", "r"}
    assert ambush_tally(match.state, get(match, "finn").at, "german").total == -1
    assert ambush_tally(match.state, get(match, "italian").at, "german").total == 1


@rule("A7.9")
def test_british_regulars_and_finns_do_not_cower() -> None:
    match = people("z", "APh", *GERMANS)
    kinds = setting_of(match.state).kinds
    steady = {kind: not kinds["german", kind].cowers for kind in ("british 4-5-7", "british 4-4-7", "finnish 6-4-8")}
    assert steady == {"british 4-5-7": True, "british 4-4-7": False, "finnish 6-4-8": True}
    assert kinds["german", "free_french 4-5-7"].cowers


@rule("A18.1")
def test_finns_and_japanese_make_no_leaders() -> None:
    match = people("z", "APh", *GERMANS)
    kinds = setting_of(match.state).kinds
    names = ("finnish 6-4-8", "japanese 4-4-8", "german 4-6-7")
    assert [kinds["german", kind].makes_leaders for kind in names] == [False, False, True]


def test_the_phase_ends_with_nobody_asked() -> None:
    match = people("z", "APh", unit("r", "russian 4-4-7", "K5"), unit("g", "german 4-6-7", "A1"))
    do(match, EndPhase())
    assert match.state.attacker == "german"
