"""The Infantry Firepower Equivalent of light Guns (6.8)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from ordnance_support import point
from squad_support import cell, do, drill, get, get_weapon, happened, offered, rule, unit, weapon

from sandtable.engine import Match
from sandtable.games.squad.fire.firepower import volley
from sandtable.games.squad.fire.model import AddFirer, AimAt, FireAttack, Fired, ResolveFire, StartFire
from sandtable.games.squad.fire.resolution import breakdown_number, rate_of_fire
from sandtable.games.squad.ordnance.model import StartShot
from sandtable.games.squad.pieces.events import WeaponBroke
from sandtable.games.squad.pieces.model import FIRST_FIRE, NO_MARKER, Acquired

FLAK = "german 2cm FlaK 38 AA"


def flak(*dice: int, phase: str = "PFPh", target: str = "D6", **more: Any) -> Match:
    """A 2cm Flak in D8 that looks at Russians in the open."""
    match = drill(
        "xwinter",
        phase,
        [unit("crew", "german 2-2-8", "D8"), unit("g1", "german 4-6-7", "D8"), unit("r1", "russian 4-4-7", target)],
        [weapon("2cm", FLAK, "crew", facing=0, **more)],
        dice=dice,
        attacker="german" if phase == "PFPh" else "russian",
    )
    point(match, "2cm", "D8", "D7", "E8")
    return match


@rule("6.8")
def test_a_gun_with_ife_may_fire_either_way() -> None:
    match = flak()
    assert StartFire("2cm") in offered(match, StartFire)
    assert StartShot("2cm") in offered(match, StartShot)


@rule("6.8")
def test_it_fires_on_the_ift_without_group_and_loses_its_acquisition() -> None:
    match = flak(1, 4, 3, 3)
    d6 = cell(match, "D6")
    match.state.weapons["2cm"] = replace(get_weapon(match, "2cm"), acquired=Acquired(d6, -2, False, ("r1",)))
    do(match, StartFire("2cm"), AimAt(d6))
    assert AddFirer("g1") not in offered(match, AddFirer)
    fired = happened(do(match, ResolveFire()), Fired)[0]
    assert (fired.fp, fired.column, fired.dr) == (6, 6, 5)
    gun = get_weapon(match, "2cm")
    assert gun.acquired is None
    # 1 is within its lowered Rate of Fire
    assert gun.marker == NO_MARKER


@rule("6.8")
def test_rate_of_fire_is_lowered_by_one_and_point_blank_doubles() -> None:
    match = flak(target="D7")
    assert rate_of_fire(match.state, get_weapon(match, "2cm")) == 2
    attack = FireAttack("german", cell(match, "D7"), "prep", weapons=("2cm",))
    assert volley(match.state, attack).column == 12


@rule("6.8")
@rule("6.12")
def test_marked_first_fire_it_fires_at_half_with_a_lower_breakdown_number() -> None:
    match = flak(6, 6, phase="DFPh", target="D7", marker=FIRST_FIRE)
    assert breakdown_number(match.state, get_weapon(match, "2cm")) == (10, True)
    events = do(match, StartFire("2cm"), AimAt(cell(match, "D7")), ResolveFire())
    # halved and doubled at Point Blank; an original 12 removes the Gun
    assert happened(events, Fired)[0].fp == 6
    assert happened(events, WeaponBroke)[0].removed
    assert "2cm" not in match.state.weapons
    assert get(match, "crew").used == ("2cm",)


@rule("3.2.2")
@rule("6.8")
def test_it_is_not_subject_to_cowering() -> None:
    match = flak(2, 2, 3, 3)
    fired = happened(do(match, StartFire("2cm"), AimAt(cell(match, "D6")), ResolveFire()), Fired)[0]
    assert fired.cowered == 0
