"""Counters: look-ups, the values the rule text repeats, and that every step down leads to a counter."""

from __future__ import annotations

import pytest

from sandtable.games.squad.cards.tables import LATW, TO_HIT
from sandtable.games.squad.pieces import counters
from sandtable.games.squad.pieces.counters import Gun, Mmc, Smc, SupportWeapon, UnknownCounter, counter


@pytest.mark.rule("1.2.2")
def test_a_squad_as_the_booklet_prints_it() -> None:
    squad = counters.mmc("german", "4-6-7")
    assert (squad.kind, squad.unit_class, squad.fp, squad.range, squad.morale) == ("squad", "1", 4, 6, 7)
    assert (squad.smoke, squad.assault_fire, squad.broken_morale) == (1, False, 7)
    assert (squad.reduces_to, squad.replaced_by) == ("2-4-7", "4-4-7")


@pytest.mark.rule("1.2.2")
def test_the_name_of_a_squad_is_its_strength_factor() -> None:
    for unit in counters.all_counters().values():
        if isinstance(unit, Mmc):
            assert unit.name.split()[0] == f"{unit.fp}-{unit.range}-{unit.morale}"
            assert unit.smoke == 0 or unit.kind == "squad"
            assert unit.kind != "crew" or (unit.self_rally and unit.unit_class == "E")


@pytest.mark.rule("5.1")
def test_every_step_down_leads_to_a_counter_of_the_same_size() -> None:
    for unit in counters.all_counters().values():
        if isinstance(unit, Mmc) and unit.replaced_by:
            lower = counters.mmc(unit.nation, unit.replaced_by)
            assert lower.kind == unit.kind
            assert not unit.elr_exempt
        if isinstance(unit, Smc) and unit.replaced_by:
            assert counters.smc(unit.nation, unit.replaced_by).morale <= unit.morale


@pytest.mark.rule("3.2.3")
def test_casualty_reduction_of_a_squad_gives_a_half_squad() -> None:
    for unit in counters.all_counters().values():
        if isinstance(unit, Mmc) and unit.kind == "squad" and unit.nation != "japanese":
            assert unit.reduces_to is not None
            half = counters.mmc(unit.nation, unit.reduces_to)
            assert half.kind == "half-squad"
            assert half.unit_class == unit.unit_class
        if isinstance(unit, Mmc) and unit.kind == "half-squad":
            assert unit.reduces_to is None


@pytest.mark.rule("3.2.3")
def test_a_wound_costs_one_morale_and_one_leadership() -> None:
    for leader in counters.all_counters().values():
        if isinstance(leader, Smc) and leader.kind == "leader":
            assert leader.wounded_morale == leader.morale - 1
            assert leader.leadership is not None
            assert leader.wounded_leadership == leader.leadership + 1
    wounded = counters.smc("american", "8-0")
    assert (wounded.wounded_morale, wounded.wounded_leadership) == (7, 1)


@pytest.mark.rule("1.2.4")
def test_weapons_have_what_their_rules_need() -> None:
    for item in counters.all_counters().values():
        if isinstance(item, SupportWeapon):
            assert item.pp is not None or item.name.startswith("PF")
            assert (item.breakdown is None) == (item.repair is None)
            if item.machine_gun:
                assert None not in (item.fp, item.range, item.rof)
                assert item.removed == 6
            if item.type == "LATW" and item.name in LATW:
                row = LATW[item.name]
                assert (item.fp, item.to_hit_numbers, item.removal) == (row.fp, row.numbers, row.x_number)
            if item.type in ("FT", "DC"):
                assert item.breakdown is None
                assert item.removal is not None


@pytest.mark.rule("4.2")
def test_flamethrower_and_demolition_charge() -> None:
    flame, charge = counters.weapon("russian", "FT"), counters.weapon("russian", "DC")
    assert (flame.fp, flame.range, flame.removal) == (24, 1, 10)
    assert (charge.fp, charge.removal) == (30, 12)


@pytest.mark.rule("1.2.6")
def test_guns_stand_on_the_to_hit_chart() -> None:
    guns = [item for item in counters.all_counters().values() if isinstance(item, Gun)]
    mortars = [i for i in counters.all_counters().values() if isinstance(i, SupportWeapon) and i.chart]
    assert {gun.chart for gun in guns} | {item.chart for item in mortars} == set(TO_HIT)
    for gun in guns:
        assert gun.breakdown == 12
        assert (gun.repair, gun.removed) == (1, 6)
        assert gun.gunshield == (gun.type in ("AT", "INF"))
        assert gun.building == (gun.size == "small" or (gun.type in ("AT", "INF") and gun.size != "large"))


@pytest.mark.rule("6.9")
def test_mortar_ranges_of_the_chart_and_of_the_counter_agree() -> None:
    for item in counters.all_counters().values():
        if isinstance(item, SupportWeapon | Gun) and item.type == "MTR" and item.chart:
            low, high = item.ranges("1944-06") if isinstance(item, Gun) else (item.min_range, item.max_range)
            row = TO_HIT[item.chart]
            allowed = [distance for distance in range(1, 25) if row.to_hit("ATT", distance)]
            assert allowed[0] == low
            assert allowed[-1] == min(high or 24, 24)


@pytest.mark.rule("6.9")
def test_the_british_mortar_gets_its_long_range_in_september_1942() -> None:
    mortar = counters.gun("british", "OML 3-in. MTR")
    assert mortar.ranges("1942-08") == (6, 36)
    assert mortar.ranges("1942-09") == (3, 63)


@pytest.mark.rule("6.2")
def test_special_ammo_depends_on_the_date() -> None:
    gun = counters.gun("american", "M1 57mm AT")
    assert gun.he == "special"
    kinds = [ammo.kind for ammo in gun.ammo if ammo.available("1944-12")]
    assert kinds == ["HE", "D"]
    assert [ammo.kind for ammo in gun.ammo if ammo.available("1944-05")] == []
    apcr = [ammo.number for ammo in counters.gun("german", "8.8cm FlaK 18 o. 36 AA").ammo if ammo.available("1943-07")]
    assert apcr == [4]


@pytest.mark.rule("6.2")
def test_special_ammo_as_read_again() -> None:
    again = {
        ("american", "M2A1 105mm ART"): "C7 H6 WP8 s7",
        ("american", "M1 155mm ART"): "WP8 s7",
        ("american", "M1 81mm MTR"): "WP8",
        ("american", "M2 60mm"): "WP7",
        ("german", "7.5cm PaK 40 AT"): "A3 A4 A5 s7",
        ("german", "3.7cm FlaK 36 o. 37 AA"): "H5",
        ("german", "2cm FlaK 38 AA"): "",
        ("german", "8cm GrW 34 MTR"): "s8",
        ("british", "OML 2-in."): "s7",
        ("british", "OML 3-in. MTR"): "WP7 s8",
        ("british", "OQF 40mm Bofors AA"): "",
        ("russian", "45mm PTP obr. 32 AT"): "A4 A5 A6 A7",
        ("russian", "76.2mm P obr. 39 ART"): "A4 A5 A6 A7 s8",
        ("russian", "82mm BM obr. 37 MTR"): "s8",
    }
    for (nation, name), expected in again.items():
        weapon = counter(nation, name)
        assert isinstance(weapon, SupportWeapon | Gun)
        assert " ".join(sorted(f"{ammo.kind}{ammo.number}" for ammo in weapon.ammo)) == expected, name


@pytest.mark.rule("5.2")
def test_nationalities_by_their_other_names() -> None:
    assert counters.nation_id("Greek") == "allied_minor"
    assert counter("Free French", "OQF 40mm Bofors AA").nation == "british"
    assert counter("usmc", "9-1").nation == "american"
    crew = counter("american", "1-2-6 crew")
    assert isinstance(crew, Mmc)
    assert crew.kind == "crew"
    assert counter("american", "1-2-6") != crew


def test_unknown_counters_are_named_with_near_ones() -> None:
    with pytest.raises(UnknownCounter, match="no German counter '4-6-9'; there are 4-6-8"):
        counter("german", "4-6-9")
    with pytest.raises(UnknownCounter, match="no nationality 'martian'; the nationalities are german"):
        counter("martian", "4-6-7")
    with pytest.raises(UnknownCounter, match="4-6-7 of German is no Gun"):
        counters.gun("german", "4-6-7")


def test_every_value_names_its_source() -> None:
    for item in counters.all_counters().values():
        assert item.source
        assert item.confidence.startswith(("high", "medium", "low"))
