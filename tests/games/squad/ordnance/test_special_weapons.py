"""Demolition Charges and flamethrowers (4.2, 4.3)."""

from __future__ import annotations

from typing import Any

import pytest
from squad_support import cell, do, drill, get, get_weapon, happened, offered, rule, unit, weapon

from sandtable.engine import Match
from sandtable.games.squad.fire.eligibility import FIRED, weapon_bar
from sandtable.games.squad.fire.firepower import volley
from sandtable.games.squad.fire.model import AimAt, FireAttack, Fired, ResolveFire, StartFire
from sandtable.games.squad.ground.counters import CHARGE, all_counters
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.movement.model import BeginMove, Pass, PlaceCharge, StartMove, Stop
from sandtable.games.squad.ordnance.model import ChargeWentOff, GunHit, SetOffCharge
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.pieces.events import Eliminated, WeaponBroke
from sandtable.games.squad.pieces.model import FINAL_FIRE, FIRST_FIRE, Counter

BOARD = "xwinter"
GERMAN = {"attacker": "german"}


def pioneers(*dice: int, kind: str = "german 8-3-8", phase: str = "MPh", **more: Any) -> Match:
    """A squad with a Demolition Charge in D7 beside Russians in the stone building C7."""
    return drill(
        BOARD,
        phase,
        [unit("g1", kind, "D7", **more.pop("owner", {})), unit("r1", "russian 4-4-7", "C7"), *more.pop("units", ())],
        [weapon("dc", "german DC", "g1"), *more.pop("weapons", ())],
        dice=dice,
        **GERMAN,
        **more,
    )


@rule("4.3")
def test_a_charge_is_placed_under_fire_and_goes_off_in_the_afph() -> None:
    match = pioneers(6, 5, 3, 3, 5, 6, 2, 3)
    do(match, StartMove("g1"), BeginMove())
    c7 = cell(match, "C7")
    assert PlaceCharge("g1", "dc", c7) in offered(match, PlaceCharge)
    do(match, PlaceCharge("g1", "dc", c7))
    # the MF are spent in the placer's own hex, and the Russians fire there
    assert match.to_act == ("russian",)
    do(match, StartFire("r1"), ResolveFire(), Pass())
    assert [at for at, _ in all_counters(match.state, CHARGE)] == [c7]
    assert "dc" not in match.state.weapons
    do(match, Stop(), EndPhase())
    while match.state.phase != "AFPh":
        do(match, EndPhase())
    # its own firepower is left to a squad
    assert StartFire("g1") in offered(match, StartFire)
    events = do(match, SetOffCharge("dc"))
    went = happened(events, ChargeWentOff)[0]
    assert not went.failed
    # 30 column, +3 for the stone building
    assert went.dr == 11 + 3
    assert not list(all_counters(match.state, CHARGE))


@rule("4.3")
@pytest.mark.parametrize(
    ("dice", "harm"), [((1, 2, 5), "gone"), ((3, 4, 6, 5), "broken"), ((3, 4, 3, 3), "pinned"), ((3, 4, 2, 2), "")]
)
def test_a_pinned_or_broken_placer_does_not_place(dice: tuple[int, ...], harm: str) -> None:
    # 8 FP at Point Blank with FFNAM and FFMO; a 3 is a 1KIA here, a 7 a 2MC
    match = pioneers(*dice)
    do(match, StartMove("g1"), BeginMove(), PlaceCharge("g1", "dc", cell(match, "C7")))
    do(match, StartFire("r1"), ResolveFire())
    if match.to_act == ("russian",):
        do(match, Pass())
    placer = match.state.units.get("g1")
    assert harm == ("gone" if placer is None else "broken" if placer.broken else "pinned" if placer.pinned else "")
    assert bool(list(all_counters(match.state, CHARGE))) is not bool(harm)


def placed(*dice: int, cx: bool = False, elite: bool = True, **more: Any) -> Match:
    """A charge that lies in C7 in the AFPh."""
    line = {"kind": "charge", "side": "german", "value": 12 if elite else 10, "id": "dc2", "frm": "D7", "cx": cx}
    return pioneers(*dice, phase="AFPh", counters={"C7": [line]}, **more)


@rule("4.3")
@pytest.mark.parametrize(
    ("elite", "dice", "failed"), [(True, (5, 6), False), (True, (6, 6), True), (False, (4, 6), True)]
)
def test_the_x_number_of_a_charge(elite: bool, dice: tuple[int, int], failed: bool) -> None:
    match = placed(*dice, 1, 1, elite=elite)
    events = do(match, SetOffCharge("dc2"))
    assert happened(events, ChargeWentOff)[0].failed is failed
    assert not list(all_counters(match.state, CHARGE))


@rule("5.5")
@rule("5.4")
@pytest.mark.parametrize(("kind", "number"), [("german 8-3-8", 12), ("german 4-6-7", 10), ("russian 4-2-6", 7)])
def test_captured_and_inexperienced_use_lower_the_x_number(kind: str, number: int) -> None:
    """A squad that is not elite loses two, a captor two more, a Conscript another one."""
    side = kind.partition(" ")[0]
    match = drill("z", "MPh", [unit("u", kind, "H5")], [weapon("dc", "german DC", "u")], attacker=side)
    do(match, StartMove("u"), BeginMove(), PlaceCharge("u", "dc", cell(match, "I5")))
    assert [charge.value for _, charge in all_counters(match.state, CHARGE)] == [number]


@rule("4.3")
def test_a_position_may_give_a_charge_by_the_weapon_that_it_was() -> None:
    line = {"weapon": "c", "kind": "german DC", "at": "I5", "by": "u", "frm": "H5", "elite": False, "lowered": 3}
    match = drill("z", "MPh", [unit("u", "german 4-6-7", "H5")], attacker="german", charges=[line])
    (found,) = all_counters(match.state, CHARGE)
    assert found == (cell(match, "I5"), Counter(CHARGE, "", 7, "c", frm=cell(match, "H5")))


@rule("4.3")
def test_the_exhaustion_of_the_placer_counts() -> None:
    match = placed(5, 5, 2, 2, cx=True)
    events = do(match, SetOffCharge("dc2"))
    assert happened(events, ChargeWentOff)[0].dr == 10 + 3 + 1


@rule("4.3")
def test_a_charge_goes_off_by_itself_at_the_end_of_the_phase() -> None:
    match = placed(1, 1, 6)
    events = do(match, EndPhase())
    # 5 on the 30 column is a KIA
    assert happened(events, ChargeWentOff)[0].result == "1KIA"
    assert [event.unit for event in happened(events, Eliminated)] == ["r1"]


@rule("6.7")
def test_a_charge_destroys_a_gun_by_a_direct_hit() -> None:
    match = placed(
        1,
        1,
        units=[unit("rc", "russian 2-2-8", "C7")],
        weapons=[weapon("45", "russian 45mm PTP obr. 32 AT", "rc", facing=0)],
    )
    events = do(match, SetOffCharge("dc2"))
    assert happened(events, GunHit)[0].destroyed
    assert "45" not in match.state.weapons
    assert "rc" not in match.state.units
    # the KIA took the crew; the squad breaks
    assert get(match, "r1").broken


@rule("4.3")
def test_the_preview_of_a_charge_is_exact() -> None:
    match = placed()
    preview = match.preview("german", SetOffCharge("dc2"))
    assert preview is not None
    assert preview.odds[0].chance == pytest.approx(1 / 36)
    mine = [line.chance for line in preview.odds if line.piece == "r1"]
    assert sum(mine) == pytest.approx(1)


# -- flamethrowers ------------------------------------------------------------------------


def flames(*dice: int, kind: str = "german 8-3-8", at: str = "D7", **more: Any) -> Match:
    return drill(
        BOARD,
        "PFPh",
        [unit("g1", kind, at, **more), unit("r1", "russian 4-4-7", "C7")],
        [weapon("ft", "german FT", "g1")],
        dice=dice,
        **GERMAN,
    )


@rule("4.2")
def test_a_flamethrower_has_24_fp_without_tem_and_half_at_two_hexes() -> None:
    match = flames(4, 6, 2, 2)
    do(match, StartFire("ft"), AimAt(cell(match, "C7")))
    events = do(match, ResolveFire())
    fired = happened(events, Fired)[0]
    assert (fired.column, fired.dr) == (24, 10)
    # an original 10 is its X#
    assert happened(events, WeaponBroke)[0].removed
    far = flames(4, 3, 2, 2, at="D8")
    do(far, StartFire("ft"), AimAt(cell(far, "C7")))
    assert happened(do(far, ResolveFire()), Fired)[0].column == 12


@rule("4.2")
def test_non_elite_users_lower_the_x_number_by_two() -> None:
    match = flames(4, 4, 2, 2, 2, 2, kind="german 4-6-7")
    do(match, StartFire("ft"), AimAt(cell(match, "C7")))
    assert happened(do(match, ResolveFire()), WeaponBroke)[0].removed


@rule("4.2")
def test_a_pinned_unit_cannot_use_it_and_its_bearer_is_easier_to_hurt() -> None:
    match = flames(pinned=True)
    assert StartFire("ft") not in offered(match, StartFire)
    attack = FireAttack("russian", cell(match, "D7"), "prep", units=("r1",))
    labels = {item.label: item.value for item in volley(match.state, attack).drm.items}
    assert labels["carries a flamethrower"] == -1
    assert get_weapon(match, "ft").owner == "g1"


@rule("3.3.1")
@rule("3.4")
def test_a_flamethrower_that_has_fired_does_not_fire_again() -> None:
    units = [unit("g1", "german 8-3-8", "D7"), unit("r1", "russian 4-4-7", "C7")]
    for marker in (FIRST_FIRE, FINAL_FIRE):
        match = drill(BOARD, "DFPh", units, [weapon("ft", "german FT", "g1", marker=marker)])
        state, setting = match.state, setting_of(match.state)
        for mode in ("first", "final"):
            assert weapon_bar(setting, state, state.weapons["ft"], mode) == FIRED, (marker, mode)
    match = drill(BOARD, "DFPh", units, [weapon("ft", "german FT", "g1")])
    assert weapon_bar(setting_of(match.state), match.state, match.state.weapons["ft"], "final") is None
