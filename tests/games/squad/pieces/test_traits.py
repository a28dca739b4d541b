"""What a piece is and can do: a hero is a single man who leads nobody, a vehicle is neither (1.2.1, 1.2.2)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from squad_support import cell, do, drill, get, happened, offered, rule, unit, weapon

from sandtable.engine import Match, Play, ScriptedDice
from sandtable.games.squad.effects.morale import casualty_reduce, check_order, helper_of, leader_loss
from sandtable.games.squad.fire.model import AddDirector, AddFirer, AimAt, Fired, ResolveFire, StartFire
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.stacks import inexperienced, stacking_of
from sandtable.games.squad.movement.model import AddMover, BeginMove, StartMove
from sandtable.games.squad.movement.portage import allotments
from sandtable.games.squad.pieces.events import LeaderLost, Wounded
from sandtable.games.squad.pieces.kinds import printed_unit, printed_weapon
from sandtable.games.squad.pieces.traits import SORTS, traits_of
from sandtable.games.squad.rally.eligibility import unbroken_leaders

HERO = "german Hero 1-4-9"
FOE = unit("r1", "russian 4-4-7", "K3")


def fire_phase(*units: dict[str, object], dice: tuple[int, ...] = (), **more: object) -> Match:
    return drill("z", "PFPh", [FOE, *units], attacker="german", dice=dice, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "traits"),
    [
        ("german 4-6-7", {"mmc", "squad", "fires", "mans_guns", "cowers", "makes_leaders"}),
        ("german 2-4-7", {"mmc", "half_squad", "fires", "mans_guns", "cowers", "makes_leaders"}),
        ("german 2-2-8", {"mmc", "crew", "fires", "mans_guns", "cowers", "makes_leaders"}),
        ("german 9-1", {"smc", "leads"}),
        ("russian 10-0 Commissar", {"smc", "leads"}),
        (HERO, {"smc", "fires"}),
    ],
)
def test_every_counter_has_the_traits_of_its_sort(kind: str, traits: set[str]) -> None:
    printed = printed_unit(kind)
    assert {name for name in traits_of("squad") if getattr(printed, name)} == traits
    assert printed.personnel


def test_a_vehicle_is_no_leader_no_squad_and_no_man() -> None:
    tank = SORTS["vehicle"]
    assert not tank.personnel
    assert {name for name in traits_of("vehicle") if getattr(tank, name)} == {"vehicle", "fires"}


@rule("3.3")
def test_a_vehicle_fills_no_place_of_squads_or_leaders() -> None:
    match = fire_phase(unit("g1", "german 4-6-7", "K5"), unit("v", "german 4-6-7", "K5"))
    setting = setting_of(match.state)
    key = ("tanks", "german 4-6-7")
    setting.kinds[key] = replace(setting.kinds["", "german 4-6-7"], **traits_of("vehicle"))
    tank = replace(get(match, "v"), group="tanks")
    assert stacking_of(match.state, [get(match, "g1"), tank]) == (2, 0)
    del setting.kinds[key]


@rule("3.2.2")
def test_a_hero_fires_his_own_fp_with_the_squad() -> None:
    match = fire_phase(unit("g1", "german 4-6-7", "K5"), unit("h", HERO, "K5"), dice=(6, 5))
    do(match, StartFire("g1"), AimAt(cell(match, "K3")))
    if AddFirer("h") in offered(match, AddFirer):
        do(match, AddFirer("h"))
    (fired,) = happened(do(match, ResolveFire()), Fired)
    assert fired.fp == 5
    assert set(fired.firers) == {"g1", "h"}


@rule("3.2.2")
def test_a_hero_alone_fires_and_does_not_cower() -> None:
    match = fire_phase(unit("h", HERO, "K5"), dice=(3, 3))
    do(match, StartFire("h"), AimAt(cell(match, "K3")))
    (fired,) = happened(do(match, ResolveFire()), Fired)
    assert (fired.fp, fired.cowered) == (1, 0)


@rule("3.2.2")
def test_a_hero_directs_no_fire() -> None:
    match = fire_phase(unit("g1", "german 4-6-7", "K5"), unit("h", HERO, "K5"))
    do(match, StartFire("g1"), AimAt(cell(match, "K3")))
    assert not offered(match, AddDirector)
    reason, _ = match.game.why_not(match.state, "german", AddDirector("h"))
    assert "leaders" in reason


@rule("3.2.4")
def test_a_hero_does_not_man_a_gun() -> None:
    guns = [weapon("gun", "german 7.5cm PaK 40 AT", "h", facing=0)]
    match = drill("z", "PFPh", [FOE, unit("h", HERO, "K5")], guns, attacker="german")
    assert not [action for action in offered(match, StartFire) if action.firer == "gun"]


@rule("3.1")
@pytest.mark.parametrize(("kind", "rallied"), [("german 9-1", True), (HERO, False)])
def test_only_a_leader_rallies_others(kind: str, rallied: bool) -> None:
    units = [FOE, unit("g1", "german 4-6-7", "A5", broken=True), unit("h", kind, "A5")]
    state = drill("z", "RPh", units, attacker="german").state
    assert [leader.id for leader in unbroken_leaders(state, state.units["g1"])] == (["h"] if rallied else [])


@rule("3.3")
@pytest.mark.parametrize(("kind", "half_mf"), [("german 9-1", 12), (HERO, 8)])
def test_only_a_leader_lends_his_bonus(kind: str, half_mf: int) -> None:
    match = drill("z", "MPh", [FOE, unit("g1", "german 4-6-7", "A5"), unit("h", kind, "A5")], attacker="german")
    do(match, StartMove("g1"), AddMover("h"), BeginMove())
    moving = match.state.moving
    assert moving is not None
    assert allotments(match.state, moving.movers)["g1"] == half_mf


@rule("5.4")
@pytest.mark.parametrize(("kind", "green"), [("german 9-1", False), (HERO, True)])
def test_only_a_leader_makes_green_men_forget_it(kind: str, green: bool) -> None:
    match = fire_phase(unit("g1", "russian 4-2-6", "K5", side="german"), unit("h", kind, "K5"))
    setting = setting_of(match.state)
    setting.kinds["novices", "russian 4-2-6"] = replace(setting.kinds["", "russian 4-2-6"], unit_class="G")
    assert inexperienced(match.state, replace(get(match, "g1"), group="novices")) is green
    del setting.kinds["novices", "russian 4-2-6"]


@rule("3.2.3")
@pytest.mark.parametrize(("kind", "felt"), [("german 9-1", True), (HERO, False)])
def test_only_the_loss_of_a_leader_is_felt(kind: str, felt: bool) -> None:
    match = fire_phase(unit("g1", "german 4-6-7", "K5"), unit("h", kind, "K5"))
    play = Play(match.state, ScriptedDice(6, 2, 2))
    losses: list[object] = []
    casualty_reduce(play, get(match, "h"), losses=losses)  # type: ignore[arg-type]
    leader_loss(play, losses)  # type: ignore[arg-type]
    assert bool(happened(play.events, LeaderLost)) is felt
    assert "h" not in match.state.units


@rule("3.2.3")
def test_a_hero_is_wounded_as_a_single_man_and_helps_no_check() -> None:
    match = fire_phase(unit("g1", "german 4-6-7", "K5"), unit("h", HERO, "K5"))
    setting, squad, hero = setting_of(match.state), get(match, "g1"), get(match, "h")
    assert helper_of(setting, squad, [hero]) is None
    assert [each.id for each in check_order(setting, [squad, hero])] == ["g1", "h"]
    play = Play(match.state, ScriptedDice(2))
    casualty_reduce(play, hero)
    assert happened(play.events, Wounded)
    assert unit_kind(match.state, get(match, "h")).name == "Hero 1-4-9"


@rule("3.2.3")
def test_the_odds_of_an_attack_know_heroes() -> None:
    match = drill(
        "z", "PFPh", [unit("r1", "russian 4-4-7", "K5"), unit("g1", "german 4-6-7", "K3"), unit("h", HERO, "K3")]
    )
    do(match, StartFire("r1"), AimAt(cell(match, "K3")))
    preview = match.preview("russian", ResolveFire())
    assert preview is not None
    assert {line.piece for line in preview.odds} >= {"g1", "h"}


@pytest.mark.rule("4.1")
@pytest.mark.parametrize(("kind", "number"), [("german LMG", 12), ("russian DC", 12), ("american BAZ 43", 12)])
def test_a_weapon_without_a_printed_number_breaks_down_at_12(kind: str, number: int) -> None:
    assert printed_weapon(kind).breakdown == number
