"""Flamethrowers clause by clause (4.2), and machine guns beyond 16 hexes (4.1); board y, open ground.

W4 is one hex from V4, two from U4, three from T3 and 17 from F2, all in clear sight.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from squad_support import cell, do, drill, get_weapon, happened, offered, rule, unit, weapon

from sandtable.engine import Match
from sandtable.games.squad.fire.firepower import volley
from sandtable.games.squad.fire.model import AddDirector, AddFirer, AimAt, FireAttack, Fired, ResolveFire, StartFire
from sandtable.games.squad.pieces.events import MoraleChecked, WeaponBroke

ELITE, FIRST_LINE, CONSCRIPT = "german 5-4-8", "german 4-6-7", "german 4-3-6"


def flames(
    *units: dict[str, Any],
    at: str = "V4",
    phase: str = "PFPh",
    dice: list[int] | None = None,
    kind: str = ELITE,
    guns: list[dict[str, Any]] | None = None,
    **more: Any,
) -> Match:
    """Germans with a flamethrower in W4, Russians somewhere before them."""
    bearer = unit("g", kind, "W4", **more.pop("bearer", {}))
    carried = guns if guns is not None else [weapon("ft", "german FT", "g")]
    target = unit("r", "russian 4-4-7", at)
    return drill("y", phase, [bearer, *units, target], carried, attacker="german", dice=dice or [], **more)


def burn(match: Match, at: str = "V4", firer: str = "ft") -> Fired:
    events = do(match, StartFire(firer), AimAt(cell(match, at)), ResolveFire())
    (fired,) = happened(events, Fired)
    assert isinstance(fired, Fired)
    return fired


@rule("4.2")
@pytest.mark.parametrize("phase", ["PFPh", "AFPh"])
@pytest.mark.parametrize(("at", "fp"), [("V4", 24), ("U4", 12)])
def test_the_advancing_fire_phase_does_not_halve_it(phase: str, at: str, fp: float) -> None:
    assert burn(flames(at=at, phase=phase, dice=[6, 3, 1, 1]), at).fp == fp


@rule("4.2")
def test_it_does_not_reach_three_hexes() -> None:
    assert StartFire("ft") not in offered(flames(at="T3"), StartFire)


@rule("4.2")
@rule("3.2.2")
@pytest.mark.parametrize(
    ("kind", "dice", "cowered", "column"),
    [
        (ELITE, [3, 3], 1, 20),
        (FIRST_LINE, [3, 3], 1, 20),
        (CONSCRIPT, [3, 3], 2, 16),
        (ELITE, [2, 4], 0, 24),
        ("german 9-1", [3, 3], 0, 24),
    ],
    ids=["elite", "first line", "conscripts", "no doubles", "a leader"],
)
def test_it_cowers_like_everybody_else(kind: str, dice: list[int], cowered: int, column: int) -> None:
    fired = burn(flames(kind=kind, dice=[*dice, 1, 1, 1, 1]))
    assert (fired.cowered, fired.column) == (cowered, column)


@rule("4.2")
def test_a_leader_beside_it_neither_directs_nor_keeps_it_from_cowering() -> None:
    match = flames(unit("l", "german 9-2", "W4"), dice=[3, 3, 1, 1])
    do(match, StartFire("ft"), AimAt(cell(match, "V4")))
    assert not offered(match, AddDirector)
    fired = happened(do(match, ResolveFire()), Fired)[0]
    assert (fired.dr, fired.cowered) == (6, 1)


@rule("4.2")
@pytest.mark.parametrize("at", ["V4", "U4"])
def test_one_leader_uses_it_at_full_strength(at: str) -> None:
    assert burn(flames(kind="german 8-0", at=at, dice=[6, 3, 1, 1]), at).fp == (24 if at == "V4" else 12)


@rule("4.2")
def test_terrain_does_not_protect_but_smoke_and_exhaustion_count() -> None:
    clouds = {"V4": [{"kind": "grenade", "side": "russian"}]}
    attack = FireAttack("german", 0, "prep", weapons=("ft",))

    def drm(match: Match, at: str) -> int:
        return int(volley(match.state, replace(attack, target=cell(match, at))).drm.total)

    assert drm(flames(), "V4") == 0
    assert drm(flames(smoke=clouds), "V4") == 2
    assert drm(flames(bearer={"cx": True}), "V4") == 1
    building = drill(
        "x",
        "PFPh",
        [unit("g", ELITE, "D7"), unit("r", "russian 4-4-7", "C7")],
        [weapon("ft", "german FT", "g")],
        attacker="german",
    )
    assert drm(building, "C7") == 0
    rifles = replace(attack, weapons=(), units=("g",), target=cell(building, "C7"))
    assert volley(building.state, rifles).drm.total > 0, "others meet the terrain"


@rule("4.2")
def test_a_unit_uses_only_one_of_two_and_pays_for_both() -> None:
    guns = [weapon("ft", "german FT", "g"), weapon("other", "german FT", "g")]
    match = flames(guns=guns, dice=[6, 3, 1, 1])
    at = cell(match, "W4")
    fire = volley(match.state, FireAttack("russian", at, "prep", units=("r",)))
    assert {item.label: item.value for item in fire.drm.items}["carries a flamethrower"] == -2
    burn(match)
    assert StartFire("other") not in offered(match, StartFire)
    assert StartFire("g") in offered(match, StartFire)


@rule("4.2")
@rule("4.0")
@pytest.mark.parametrize(("kind", "may"), [(ELITE, True), ("german 2-3-8", False), ("german 2-2-8", False)])
def test_only_a_full_squad_fires_for_itself_besides(kind: str, may: bool) -> None:
    match = flames(unit("r2", "russian 4-4-7", "U4"), kind=kind, dice=[6, 3, 1, 1, 6, 5])
    burn(match)
    assert (StartFire("g") in offered(match, StartFire)) is may
    if may:
        assert burn(match, "U4", "g").fp == 5, "a separate attack, also at somebody else"


@rule("4.2")
def test_it_joins_nobody_and_nobody_joins_it() -> None:
    guns = [weapon("ft", "german FT", "g"), weapon("mg", "german LMG", "h"), weapon("ft2", "german FT", "h")]
    match = flames(unit("h", ELITE, "W4"), guns=guns)
    do(match, StartFire("ft"), AimAt(cell(match, "V4")))
    assert not offered(match, AddFirer)
    match = flames(unit("h", ELITE, "W4"), guns=guns)
    do(match, StartFire("g"), AimAt(cell(match, "V4")))
    assert {add.firer for add in offered(match, AddFirer)} == {"h", "mg"}


@rule("4.2")
@pytest.mark.parametrize(
    ("kind", "dice", "gone"),
    [
        (ELITE, [3, 6], False),
        (ELITE, [4, 6], True),
        ("german 8-0", [3, 6], False),
        ("german 2-2-8", [3, 6], False),
        (FIRST_LINE, [1, 6], False),
        (FIRST_LINE, [2, 6], True),
    ],
    ids=["elite 9", "elite 10", "leader 9", "crew 9", "first line 7", "first line 8"],
)
def test_it_runs_dry_after_its_attack_on_its_x_number(kind: str, dice: list[int], gone: bool) -> None:
    match = flames(kind=kind, dice=[*dice, 6, 6, 6, 6])
    events = do(match, StartFire("ft"), AimAt(cell(match, "V4")), ResolveFire())
    assert happened(events, Fired)
    assert happened(events, MoraleChecked), "the attack counts all the same"
    assert [event.removed for event in happened(events, WeaponBroke)] == ([True] if gone else [])
    assert ("ft" in match.state.weapons) is not gone


@rule("4.2")
def test_a_pinned_unit_fires_everything_but_the_flamethrower() -> None:
    match = flames(bearer={"pinned": True})
    assert offered(match, StartFire) == [StartFire("g")]
    assert get_weapon(match, "ft").owner == "g"


@rule("4.1")
@pytest.mark.parametrize(("broken", "fp", "column"), [(False, 1.75, 1), (True, 3.5, 2)])
def test_beyond_16_hexes_only_unbroken_infantry_halves_the_machine_gun_again(
    broken: bool, fp: float, column: int
) -> None:
    units = [
        unit("g", FIRST_LINE, "W4"),
        unit("l", "german 9-1", "W4"),
        unit("r", "russian 4-4-7", "F2", broken=broken),
    ]
    match = drill("y", "PFPh", units, [weapon("mg", "german HMG", "g")], attacker="german", dice=[6, 5])
    events = do(match, StartFire("mg"), AimAt(cell(match, "F2")), AddDirector("l"), ResolveFire())
    fired = happened(events, Fired)[0]
    assert (fired.fp, fired.column) == (fp, column)


@rule("4.1")
def test_beyond_16_hexes_broken_and_unbroken_of_one_hex_meet_different_firepower() -> None:
    units = [
        unit("g", FIRST_LINE, "W4"),
        unit("l", "german 9-1", "W4"),
        unit("r", "russian 4-4-7", "F2"),
        unit("rb", "russian 4-4-7", "F2", broken=True),
    ]
    match = drill("y", "PFPh", units, [weapon("mg", "german HMG", "g")], attacker="german")
    attack = FireAttack("german", cell(match, "F2"), "prep", weapons=("mg",), leaders=("l",))
    assert {target.unit: target.fp for target in volley(match.state, attack).targets} == {"r": 1.75, "rb": 3.5}
