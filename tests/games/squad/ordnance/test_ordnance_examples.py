"""The worked examples of the booklet for ordnance: 88mm, 75mm, mortars, bazooka, Critical Hit (3.2.4, 4.4, 6.1)."""

from __future__ import annotations

from msgspec.structs import replace
from ordnance_support import aim, arc, point, shoot
from squad_support import cell, do, drill, get, get_weapon, happened, offered, rule, unit, weapon

from sandtable.engine import Event, Match
from sandtable.engine.events import Rolled
from sandtable.games.squad.fire.model import AimAt, StartFire
from sandtable.games.squad.ground.setting import ground_of
from sandtable.games.squad.ordnance.model import Backblast, OrdnanceHit, Shoot, Shot, StartShot
from sandtable.games.squad.ordnance.tohit import to_hit_number, uses_red
from sandtable.games.squad.pieces.events import Eliminated, MoraleChecked
from sandtable.games.squad.pieces.model import INTENSIVE_FIRE, NO_MARKER, PREP_FIRE, Acquired

GERMAN = {"attacker": "german"}


def drm(events: list[Event], place: int = 0) -> float:
    """The total of the tally of a roll."""
    tally = happened(events, Rolled)[place].tally
    return tally.total if tally is not None else 0


def eighty_eight(*dice: int) -> Match:
    match = drill(
        "x",
        "PFPh",
        [
            unit("crew", "german 2-2-8", "M3"),
            unit("a1", "american 7-4-7", "J5"),
            unit("a2", "american 6-6-6", "O4"),
        ],
        [weapon("88", "german 8.8cm FlaK 18 o. 36 AA", "crew", facing=0)],
        dice=dice,
        **GERMAN,
    )
    point(match, "88", "M3", "L3", "M4")
    return match


@rule("3.2.4")
@rule("6.10")
def test_the_88_in_its_whole_example() -> None:
    match = eighty_eight(1, 6, 1, 2, 3, 4, 4, 3, 5, 3, 2, 6)
    j5, o4 = cell(match, "J5"), cell(match, "O4")
    # woods and a grain hex: 7 + 2 misses 8
    events = shoot(match, "88", "J5")
    shot = happened(events, Shot)[0]
    assert (shot.number, shot.dr, shot.final, shot.hit, shot.kept_rof) == (8, 7, 9, False, True)
    assert get_weapon(match, "88").acquired == Acquired(j5, -1, False, ("a1",))
    # acquired: 3 + 1 hits; 16 column without DRM, 7 is a 2MC that the squad fails
    events = shoot(match, "88", "J5")
    shot = happened(events, Shot)[0]
    assert (shot.final, shot.hit, shot.critical, shot.kept_rof) == (4, True, False, True)
    hit = happened(events, OrdnanceHit)[0]
    assert (hit.column, hit.dr, hit.result) == (16, 7, "2MC")
    assert get(match, "a1").broken
    assert get_weapon(match, "88").acquired == Acquired(j5, -2, False, ("a1",))
    # one hexspine on a 360 degree mount: +1, and the grain hex; the old acquisition is gone
    turned = arc(match, "M3", "M4", "N3")
    events = shoot(match, "88", "O4", facing=turned)
    shot = happened(events, Shot)[0]
    assert (shot.number, shot.dr, shot.final, shot.hit, shot.kept_rof) == (9, 8, 10, False, False)
    gun = get_weapon(match, "88")
    assert (gun.marker, gun.facing) == (PREP_FIRE, turned)
    assert gun.acquired == Acquired(o4, -1, False, ("a2",))
    # Intensive Fire: +2, -1 acquired, +1 grain; the Covered Arc counts no more
    events = shoot(match, "88", "O4")
    shot = happened(events, Shot)[0]
    assert (shot.final, shot.hit, shot.intensive) == (10, False, True)
    gun = get_weapon(match, "88")
    assert gun.marker == INTENSIVE_FIRE
    assert gun.acquired == Acquired(o4, -2, False, ("a2",))
    assert StartShot("88") not in offered(match, StartShot)


@rule("3.2.4")
def test_the_88_on_the_area_target_type_has_no_tem_and_half_firepower() -> None:
    match = eighty_eight(1, 6, 3, 4)
    events = shoot(match, "88", "J5", "ATT")
    shot = happened(events, Shot)[0]
    # 7 + 1 for the grain misses 7; the Area Target Type has used up the Rate of Fire
    assert (shot.number, shot.final, shot.hit, shot.kept_rof) == (7, 8, False, False)
    assert get_weapon(match, "88").acquired == Acquired(cell(match, "J5"), -1, True)
    assert get_weapon(match, "88").marker == INTENSIVE_FIRE, "it cannot fire again (ruling O-1)"


def pak(*dice: int) -> Match:
    match = drill(
        "x",
        "PFPh",
        [
            unit("crew", "german 2-2-8", "E8"),
            unit("a1", "american 7-4-7", "C7"),
            unit("a2", "american 6-6-6", "B7"),
        ],
        [weapon("pak", "german 7.5cm PaK 40 AT", "crew", facing=0)],
        dice=dice,
        **GERMAN,
    )
    point(match, "pak", "E8", "D7", "E7")
    return match


@rule("3.2.4")
def test_the_75mm_in_its_whole_example() -> None:
    match = pak(1, 6, 2, 5, 3, 4, 4, 4, 2, 2, 3, 4, 1, 2)
    c7, b7 = cell(match, "C7"), cell(match, "B7")
    shot = happened(shoot(match, "pak", "C7"), Shot)[0]
    assert (shot.number, shot.final, shot.hit, shot.kept_rof) == (9, 10, False, True)
    assert get_weapon(match, "pak").acquired == Acquired(c7, -1, False, ("a1",))
    events = shoot(match, "pak", "C7")
    shot = happened(events, Shot)[0]
    assert (shot.final, shot.hit, shot.kept_rof) == (9, True, True)
    hit = happened(events, OrdnanceHit)[0]
    assert (hit.column, hit.dr, hit.result) == (12, 7, "1MC")
    assert get(match, "a1").broken
    # a non-turreted Gun turns one hexspine for +3 and has its Rate of Fire lowered to 1
    turned = arc(match, "E8", "D7", "D8")
    events = shoot(match, "pak", "B7", facing=turned)
    shot = happened(events, Shot)[0]
    assert (shot.number, shot.dr, shot.final, shot.hit, shot.kept_rof) == (8, 4, 8, True, False)
    hit = happened(events, OrdnanceHit)[0]
    assert (hit.column, hit.dr, hit.result) == (12, 7, "1MC")
    assert not get(match, "a2").broken
    assert get_weapon(match, "pak").acquired == Acquired(b7, -1, False, ("a2",))


@rule("3.2.4")
def test_the_75mm_could_use_the_area_target_type() -> None:
    match = pak(3, 4, 3, 4)
    events = shoot(match, "pak", "C7", "ATT")
    shot = happened(events, Shot)[0]
    assert (shot.number, shot.final, shot.hit, shot.kept_rof) == (7, 7, True, False)
    hit = happened(events, OrdnanceHit)[0]
    # the stone building counts for the effect: 7 + 3 on half the firepower
    assert (hit.column, hit.dr, hit.result) == (6, 10, "-")


def mortars(*dice: int) -> Match:
    match = drill(
        "x",
        "PFPh",
        [
            unit("crew", "german 2-2-8", "E9"),
            unit("g1", "german 4-6-7", "D8"),
            unit("a1", "american 7-4-7", "C7"),
            unit("a2", "american 6-6-6", "B7"),
        ],
        [
            weapon("81", "german 8cm GrW 34 MTR", "crew", facing=0),
            weapon("50", "german 5cm leGrW 36", "g1"),
        ],
        dice=dice,
        **GERMAN,
    )
    start = arc(match, "E9", "D8", "E8")
    match.state.weapons["81"] = replace(get_weapon(match, "81"), facing=(start + 2) % 6)
    return match


@rule("1.1.1")
@rule("6.9")
@rule("6.11")
@rule("4.5")
def test_the_mortars_in_their_whole_example() -> None:
    match = mortars(1, 3, 3, 5, 3, 4, 4, 2, 4, 4, 1, 2, 4, 2, 1, 1)
    c7, b7 = cell(match, "C7"), cell(match, "B7")
    # two hexspines +3 +1; the Rate of Fire of an 81mm mortar is not lowered by it
    events = shoot(match, "81", "C7", "ATT", facing=arc(match, "E9", "D8", "E8"))
    shot = happened(events, Shot)[0]
    assert (shot.number, shot.dr, shot.final, shot.hit, shot.kept_rof) == (7, 4, 8, False, True)
    assert get_weapon(match, "81").acquired == Acquired(c7, -1, True)
    events = shoot(match, "81", "C7", "ATT")
    shot = happened(events, Shot)[0]
    assert (shot.dr, shot.final, shot.hit, shot.kept_rof) == (8, 7, True, True)
    hit = happened(events, OrdnanceHit)[0]
    assert (hit.column, hit.dr, hit.result) == (8, 10, "-")
    assert get_weapon(match, "81").acquired == Acquired(c7, -2, True)
    # another hex: no acquisition; Air Bursts in the woods
    events = shoot(match, "81", "B7", "ATT")
    shot = happened(events, Shot)[0]
    assert (shot.dr, shot.final, shot.hit, shot.kept_rof) == (6, 6, True, False)
    hit = happened(events, OrdnanceHit)[0]
    assert (hit.column, hit.dr, hit.result) == (8, 7, "1MC")
    assert not get(match, "a2").broken
    assert get_weapon(match, "81").acquired == Acquired(b7, -1, True)
    # the 50mm is a support weapon: no Covered Arc, no Intensive Fire
    events = shoot(match, "50", "B7", "ATT")
    shot = happened(events, Shot)[0]
    assert (shot.number, shot.final, shot.hit, shot.kept_rof) == (7, 6, True, False)
    hit = happened(events, OrdnanceHit)[0]
    assert (hit.column, hit.dr, hit.result) == (2, 1, "1KIA")
    assert [event.unit for event in happened(events, Eliminated)] == ["a2"]
    assert get_weapon(match, "50").acquired is not None
    assert StartShot("50") not in offered(match, StartShot)
    assert StartShot("81") in offered(match, StartShot)


@rule("6.9")
def test_the_american_60mm_cannot_fire_at_two_hexes() -> None:
    match = drill(
        "x",
        "PFPh",
        [unit("a1", "american 6-6-6", "D8"), unit("g1", "german 4-6-7", "B7"), unit("g2", "german 4-6-7", "A8")],
        [weapon("60", "american M2 60mm", "a1")],
    )
    ranges = ground_of(match.state).ranges[cell(match, "D8")]
    assert (ranges[cell(match, "B7")], ranges[cell(match, "A8")]) == (2, 3)
    do(match, StartShot("60"))
    assert AimAt(cell(match, "B7")) not in offered(match, AimAt)
    reason = match.game.why_not(match.state, "russian", AimAt(cell(match, "B7")))
    assert "minimum range" in reason[0]
    assert reason[1] == "6.9"


def bazooka(*dice: int, at: str = "DD9") -> Match:
    return drill(
        "w1943",
        "PFPh",
        [
            unit("a1", "american 7-4-7", at),
            unit("i1", "italian 3-4-7", "EE8"),
            unit("i2", "italian 3-4-6", "DD7"),
        ],
        [weapon("baz", "american BAZ 43", "a1")],
        dice=dice,
    )


@rule("4.4")
@rule("4.4.1")
def test_the_bazooka_hits_only_the_building() -> None:
    match = bazooka(1, 3, 3, 4, 1, 2)
    aim(match, "baz", "DD7")
    assert AimAt(cell(match, "EE8")) not in offered(match, AimAt)
    assert offered(match, Shoot) == [Shoot("LATW", "H")]
    events = do(match, Shoot("LATW", "H"))
    shot = happened(events, Shot)[0]
    assert (shot.number, shot.dr, shot.final, shot.hit, shot.critical) == (8, 4, 8, True, False)
    hit = happened(events, OrdnanceHit)[0]
    assert (hit.column, hit.dr, hit.result) == (8, 7, "1MC")
    # its own firepower is left for either target
    do(match, StartFire("a1"))
    assert {AimAt(cell(match, "EE8")), AimAt(cell(match, "DD7"))} <= set(offered(match, AimAt))


@rule("6.1")
def test_an_original_2_of_the_bazooka_is_a_critical_hit() -> None:
    match = bazooka(1, 1, 5, 4, 1, 2)
    events = shoot(match, "baz", "DD7", "LATW", "H")
    assert happened(events, Shot)[0].critical
    hit = happened(events, OrdnanceHit)[0]
    # 16 column and the stone building reversed: 9 - 3
    assert (hit.column, hit.dr, hit.result) == (16, 6, "2MC")


def indoors(*dice: int) -> Match:
    return drill(
        "w1943",
        "PFPh",
        [unit("a1", "american 7-4-7", "E4"), unit("a2", "american 6-6-6", "E4"), unit("i2", "italian 3-4-6", "E5")],
        [weapon("baz", "american BAZ 43", "a1")],
        dice=dice,
    )


@rule("4.4.2")
def test_the_bazooka_in_a_building_avoids_the_backblast_by_two() -> None:
    match = indoors(2, 6)
    events = shoot(match, "baz", "E5", "LATW", "H", backblast="avoided")
    # 9 needed; +2 for the wooden building, +2 to avoid the blast
    assert drm(events) == 4
    assert not happened(events, Backblast)


@rule("4.4.2")
def test_the_bazooka_in_a_building_suffers_the_backblast_of_the_coloured_die() -> None:
    match = indoors(4, 6, 5, 5, 2, 2)
    events = shoot(match, "baz", "E5", "LATW", "H", backblast="suffered")
    assert drm(events) == 2
    blast = happened(events, Backblast)[0]
    # a 4 on the 1 column is a NMC for everybody in the hex, without TEM
    assert (blast.dr, blast.result) == (4, "NMC")
    assert [check.unit for check in happened(events, MoraleChecked)] == ["a1", "a2"]
    assert get(match, "a1").broken
    # an original 10 is its X#
    assert "baz" not in match.state.weapons


@rule("6.1")
def test_the_critical_hit_of_the_105() -> None:
    match = drill(
        "w1943",
        "PFPh",
        [
            unit("crew", "american 2-2-7", "R6"),
            unit("g1", "german 4-6-7", "S8"),
            unit("g2", "german 4-6-7", "S8"),
        ],
        [weapon("105", "american M2A1 105mm ART", "crew", facing=0)],
        dice=(1, 2, 6, 3, 5, 6, 3, 4, 1, 2),
    )
    spine = ground_of(match.state).grid.spine_towards(cell(match, "R6"), cell(match, "S8"))[0]
    s8 = cell(match, "S8")
    held = Acquired(s8, -2, False, ("g1", "g2"))
    match.state.weapons["105"] = replace(get_weapon(match, "105"), facing=spine, acquired=held)
    events = shoot(match, "105", "S8")
    shot = happened(events, Shot)[0]
    assert (shot.number, shot.dr, shot.final, shot.hit, shot.critical) == (9, 3, 4, True, True)
    normal, critical = happened(events, OrdnanceHit)
    # one IFT DR of 11 for both: 20 column without DRM, 36 column with the building reversed
    assert (normal.column, normal.dr, normal.result) == (20, 11, "NMC")
    assert (critical.unit, critical.column, critical.dr, critical.result) == ("g1", 36, 8, "4MC")


@rule("3.2.4")
@rule("6.1")
def test_the_105_at_seven_hexes_uses_red_numbers_in_1943() -> None:
    units = [unit("crew", "american 2-2-7", "R6"), unit("g1", "german 4-6-7", "S8")]
    guns = [weapon("105", "american M2A1 105mm ART", "crew", facing=0)]
    early = drill("w1943", "PFPh", units, guns)
    gun = get_weapon(early, "105")
    assert uses_red(early.state, gun, "ITT")
    number = to_hit_number(early.state, gun, "ITT", 7, red=True)
    assert number is not None
    assert (number.number, number.critical) == (6, 2)
    late = drill("x1944", "PFPh", [unit("crew", "american 2-2-7", "E8")], guns)
    assert not uses_red(late.state, get_weapon(late, "105"), "ITT")
    assert get_weapon(late, "105").marker == NO_MARKER
