"""Small print of the squad-level rules: limits met exactly and passed by one."""

from __future__ import annotations

from typing import Any

import pytest
from squad_support import cell, do, drill, get, offered, rule, unit, weapon

import sandtable
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.play import Play
from sandtable.games.squad.cards.scenario import PointValues, SquadRatio
from sandtable.games.squad.cards.tables import FireResult
from sandtable.games.squad.combat.model import AddAdvancer, AdvanceTo, CancelAdvance, StartAdvance
from sandtable.games.squad.effects.odds import LOST, gun_lost, guns_judged
from sandtable.games.squad.effects.results import Impact
from sandtable.games.squad.ground.marks import mark, unmark
from sandtable.games.squad.ground.possession import ACTED, may_man, recovery_bar
from sandtable.games.squad.ground.setting import setting_of, weapon_kind
from sandtable.games.squad.ground.stacks import destroy_weapon, fresh_id, inexperienced, put
from sandtable.games.squad.ground.worth import points_of
from sandtable.games.squad.movement import manhandling
from sandtable.games.squad.phases.conditions import Outnumbering
from sandtable.games.squad.pieces.kinds import printed_unit
from sandtable.games.squad.pieces.model import SquadState, Weapon
from sandtable.games.squad.rally.eligibility import transfer_bar
from sandtable.games.squad.scenario.placing import gun_cells, missing

SQUAD, HALF, CREW, LEADER = "german 4-6-7", "german 2-4-7", "german 2-2-8", "german 8-1"
GUN, LARGE = "german 7.5cm PaK 40 AT", "german 8.8cm FlaK 18 o. 36 AA"


@rule("3.3")
@pytest.mark.parametrize(
    ("owner", "guns", "taker", "others", "fits"),
    [
        (CREW, 1, HALF, [SQUAD, HALF], True),
        (CREW, 1, HALF, [SQUAD, SQUAD], False),
        (CREW, 2, HALF, [SQUAD], True),
        (CREW, 2, HALF, [SQUAD, HALF], False),
        (SQUAD, 1, HALF, [SQUAD], True),
        (SQUAD, 1, CREW, [SQUAD, HALF], False),
        (SQUAD, 1, SQUAD, [SQUAD, SQUAD], True),
        (CREW, 1, HALF, [LEADER] * 4, True),
        (CREW, 1, HALF, [LEADER] * 5, False),
    ],
)
def test_who_takes_over_a_gun_counts_as_a_squad(
    owner: str, guns: int, taker: str, others: list[str], fits: bool
) -> None:
    there = [unit("owner", owner, "K5"), unit("taker", taker, "K5")]
    there += [unit(f"o{number}", kind, "K5") for number, kind in enumerate(others)]
    there += [unit("r1", "russian 4-4-7", "R5")]
    match = drill("x", "RPh", there, [weapon(f"gun{number}", GUN, "owner") for number in range(guns)])
    bar = transfer_bar(match.state, match.state.weapons["gun0"], get(match, "taker"))
    assert (bar is None) == fits
    assert bar is None or bar[1] == "3.3"


@rule("3.3")
@pytest.mark.parametrize(
    ("taker", "others", "fits"),
    [
        (HALF, [SQUAD, SQUAD], True),
        (HALF, [SQUAD, SQUAD, HALF], False),
        (SQUAD, [SQUAD, SQUAD, SQUAD], True),
        (LEADER, [SQUAD, SQUAD, SQUAD], True),
    ],
)
def test_whoever_recovers_a_gun_must_have_the_room_of_a_squad(taker: str, others: list[str], fits: bool) -> None:
    there = [unit("taker", taker, "K5"), *[unit(f"o{number}", kind, "K5") for number, kind in enumerate(others)]]
    loose = [weapon("gun", GUN, at="K5"), weapon("mg", "german LMG", at="K5")]
    state = drill("x", "RPh", [*there, unit("r1", "russian 4-4-7", "R5")], loose).state
    assert may_man(state, state.weapons["gun"], state.units["taker"]) == fits
    assert may_man(state, state.weapons["mg"], state.units["taker"])


@rule("3.1")
@pytest.mark.parametrize(("game", "allowed"), [("drill", True), ("guidedrill", False)])
def test_only_the_guide_forbids_recovery_beside_enemies_in_the_hex(game: str, allowed: bool) -> None:
    there = [unit("g1", SQUAD, "K5"), unit("g2", SQUAD, "K6"), unit("r1", "russian 4-4-7", "K5", broken=True)]
    state = drill("x", "RPh", there, [weapon("mg", "german LMG", at="K5")], game=game).state
    assert (recovery_bar(state, state.units["g1"], ()) is None) == allowed
    assert recovery_bar(state, state.units["g2"], ()) is None
    assert recovery_bar(state, state.units["g2"], ("g2",)) == ACTED


@rule("G37")
@pytest.mark.parametrize(
    ("own", "enemy", "wins"),
    [
        ([SQUAD] * 2, 1, True),
        ([SQUAD] * 3, 2, False),
        ([SQUAD] * 4, 2, True),
        ([SQUAD, HALF], 1, False),
        ([], 0, False),
        ([SQUAD], 0, True),
    ],
)
def test_a_ratio_of_squads_is_met_exactly(own: list[str], enemy: int, wins: bool) -> None:
    there = [unit(f"g{number}", kind, "K5") for number, kind in enumerate(own)]
    there += [unit(f"r{number}", "russian 4-4-7", "R5") for number in range(enemy)]
    there += [unit("g", LEADER, "K6"), unit("r", "russian 8-1", "R6")]
    match = drill("x", "RPh", there)
    assert Outnumbering().holds(match.state, SquadRatio(winner="german", text="", ratio=2)) == wins


@rule("5.4")
@pytest.mark.parametrize(
    ("leader", "alone"),
    [
        ({"beside": "A1"}, False),
        ({"beside": "A2"}, True),
        ({"at": "A1"}, True),
        ({"beside": "A1", "broken": True}, True),
        ({"beside": "A1", "side": "german", "group": "german"}, True),
        ({}, True),
    ],
)
def test_a_green_squad_off_board_needs_a_leader_beside_the_same_hex(leader: dict[str, Any], alone: bool) -> None:
    there = [unit("green", "american 5-3-6", beside="A1"), unit("leader", "american 8-1", **leader)]
    match = drill("x", "RPh", [*there, unit("g1", SQUAD, "K5")])
    assert match.state.units["green"].beside == 0, "the first hex of the map"
    assert inexperienced(match.state, get(match, "green")) == alone


@rule("1.3")
def test_a_crew_counts_as_a_half_squad_unless_the_scenario_says_more() -> None:
    values = PointValues(squad=2, half_squad=1, leader={"-1": 3, "0": 2, "+1": 1})
    kinds = (SQUAD, HALF, CREW, LEADER, "german 7-0", "german 6+1", "german 9-2")
    assert [points_of(values, printed_unit(kind)) for kind in kinds] == [2, 1, 1, 3, 2, 1, 0]
    assert points_of(PointValues(half_squad=1, crew=4), printed_unit(CREW)) == 4


def _guns(state: SquadState, group: str) -> list[Weapon]:
    return [gun for gun in state.weapons.values() if gun.group == group and weapon_kind(gun).gun]


@rule("1.3")
@pytest.mark.parametrize(("far", "wrong"), [(5, False), (6, True)])
def test_each_gun_of_s13_stands_near_another_one(far: int, wrong: bool) -> None:
    state = sandtable.new("aslsk2/S13", seed=1).state
    setting = setting_of(state)
    group = next(group for group in setting.groups.values() if group.guns is not None and group.guns.near == 5)
    crews = [state.units[gun.owner] for gun in _guns(state, group.id)]
    assert len(crews) == 3
    ranges = setting.ground.ranges
    first = crews[0].at
    second = next(c for c in range(setting.ground.size) if ranges[first][c] == 5)
    third = next(c for c in range(setting.ground.size) if min(ranges[first][c], ranges[second][c]) == far)
    put(state, crews[1], second)
    put(state, state.units[crews[2].id], third)
    assert sorted(gun_cells(state, group.id)) == sorted([first, second, third])
    assert bool(missing(state, group)) == wrong


@rule("1.3")
def test_one_gun_alone_is_near_enough() -> None:
    state = sandtable.new("aslsk2/S13", seed=1).state
    group = next(group for group in setting_of(state).groups.values() if group.guns is not None)
    for gun in _guns(state, group.id)[1:]:
        destroy_weapon(Play(state, ScriptedDice()), gun)
    assert len(gun_cells(state, group.id)) == 1
    assert missing(state, group) == ""


def test_a_new_name_is_nobodys() -> None:
    there = [unit("x1", SQUAD, "K5"), unit("r1", "russian 4-4-7", "R5")]
    gone = [{"id": "x3", "side": "german", "kind": SQUAD, "how": "eliminated"}]
    state = drill("x", "RPh", there, [weapon("x2", "german LMG", "x1")], gone=gone).state
    assert (fresh_id(state, "x"), state.serial) == ("x4", 4)
    assert fresh_id(state, "x") == "x5"


def test_a_counter_of_a_part_lies_on_a_unit_once() -> None:
    match = drill("x", "RPh", [unit("g1", SQUAD, "K5"), unit("r1", "russian 4-4-7", "R5")])
    play = Play(match.state, ScriptedDice())
    assert mark(play, get(match, "g1"), "tired").marks == ("tired",)
    assert mark(play, get(match, "g1"), "hungry").marks == ("tired", "hungry")
    assert mark(play, get(match, "g1"), "tired").marks == ("tired", "hungry")
    assert unmark(play, get(match, "g1"), "cold").marks == ("tired", "hungry")
    assert unmark(play, get(match, "g1"), "tired").marks == get(match, "g1").marks == ("hungry",)


@rule("6.7")
def test_a_gun_whose_shield_saved_the_crew_is_lost_by_the_kia_of_one_die() -> None:
    spared = Impact("a", FireResult("K", 2), 12, drm=0)
    saved = spared._replace(unit="b", saved=True, drm=-2)
    assert gun_lost(spared) == 0
    # on the 12 column a 2 or less is a KIA: with -2 the dice 1 to 4
    assert gun_lost(saved) == pytest.approx(4 / 6)
    assert gun_lost(saved._replace(gun_drm=0)) == pytest.approx(2 / 6)
    assert gun_lost(saved._replace(gun_drm=9)) == 0
    plain, gone = saved._replace(saved=False), saved._replace(saved=False, result=LOST, apart=True)
    assert guns_judged([spared]) == [([spared], 1.0)]
    judged = guns_judged([spared, saved])
    assert [impacts for impacts, _ in judged] == [[spared, plain], [spared, gone]]
    assert [chance for _, chance in judged] == pytest.approx([2 / 6, 4 / 6])
    both = guns_judged([saved, saved._replace(unit="c", gun_drm=-9)])
    assert [[impact.apart for impact in impacts] for impacts, _ in both] == [[False, True], [True, True]]
    assert [chance for _, chance in both] == pytest.approx([2 / 6, 4 / 6])


def test_strength_counts_half_squads_and_single_men_on_the_map() -> None:
    there = [unit("g1", SQUAD, "K5"), unit("g2", HALF, "A1", broken=True), unit("g3", LEADER, "K5")]
    match = drill("x", "RPh", [*there, unit("g4", SQUAD, beside="A1"), unit("r1", "russian 4-4-7", "R5")])
    assert cell(match, "A1") == 0
    assert match.game.strength(match.state) == {"german": 4, "russian": 2}


@rule("3.7")
def test_units_advance_together_from_one_hex_or_from_beside_one() -> None:
    there = [unit(name, "russian 4-4-7", beside=hex_) for name, hex_ in (("r1", "A1"), ("r2", "A1"), ("r3", "A2"))]
    there += [unit(name, "russian 4-4-7", hex_) for name, hex_ in (("r4", "A1"), ("r5", "A1"), ("r6", "A2"))]
    match = drill("x", "APh", [*there, unit("r7", "russian 4-4-7"), unit("g1", SQUAD, "K5")])
    assert StartAdvance("r7") not in match.actions("russian"), "it is not due yet"
    do(match, StartAdvance("r1"))
    assert [action.unit for action in offered(match, AddAdvancer)] == ["r2"]
    do(match, AddAdvancer("r2"))
    assert not offered(match, AdvanceTo), "four squads do not fit"
    do(match, CancelAdvance(), StartAdvance("r4"))
    assert [action.unit for action in offered(match, AddAdvancer)] == ["r5"]
    assert cell(match, "A2") in [action.to for action in offered(match, AdvanceTo)]
    do(match, AdvanceTo(cell(match, "A2")), StartAdvance("r1"))
    assert [action.to for action in offered(match, AdvanceTo)] == [0]
    do(match, AdvanceTo(0))
    assert get(match, "r1").at == 0
    assert StartAdvance("r1") not in match.actions("russian")


@rule("6.5")
@pytest.mark.parametrize(
    ("owner", "guns", "more", "bar"),
    [
        (CREW, [GUN], {}, None),
        (CREW, [], {}, manhandling.NO_GUN),
        (CREW, [GUN, GUN], {}, manhandling.TWO_GUNS),
        (CREW, [LARGE], {}, manhandling.LIMBERED),
        (LEADER, [GUN], {}, manhandling.ALONE),
        (CREW, [GUN, "german LMG"], {}, manhandling.LOADED),
        (CREW, [GUN], {"moved": True}, manhandling.MOVED_ALREADY),
    ],
)
def test_what_keeps_a_gun_from_being_pushed(owner: str, guns: list[str], more: dict[str, Any], bar: object) -> None:
    there = [unit("g1", owner, "K5"), unit("g2", SQUAD, "K5"), unit("r1", "russian 4-4-7", "R5")]
    held = [
        weapon(f"w{n}", kind, "g1", **({"facing": 1} | more if "cm" in kind else {})) for n, kind in enumerate(guns)
    ]
    state = drill("x", "MPh", there, held, attacker="german").state
    assert manhandling.stack_bar(state, ["g1", "g2"]) == bar


@rule("6.5")
def test_two_crews_do_not_push_two_guns() -> None:
    there = [unit("g1", CREW, "K5"), unit("g2", CREW, "K5"), unit("r1", "russian 4-4-7", "R5")]
    held = [weapon("w1", GUN, "g1", facing=1), weapon("w2", GUN, "g2", facing=1)]
    state = drill("x", "MPh", there, held, attacker="german").state
    assert manhandling.stack_bar(state, ["g1", "g2"]) == manhandling.TWO_GUNS
    assert manhandling.stack_bar(state, ["g2"]) is None
