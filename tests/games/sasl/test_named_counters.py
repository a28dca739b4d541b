"""Every counter that a table names exists: units, SW and Guns in the shipped facts, vehicles in the later list."""

from __future__ import annotations

import re

import pytest

from sandtable.games.sasl.tables import campaign, general, missions
from sandtable.games.sasl.tables import counters as named
from sandtable.games.sasl.tables.cards import FILES, card, free_french
from sandtable.games.sasl.tables.events import sub_table, sub_tables
from sandtable.games.sasl.tables.model import Choice, Table
from sandtable.games.squad.pieces import counters

PARTISAN = {
    "U": "american",
    "G": "german",
    "I": "italian",
    "C": "chinese",
    "B": "british",
    "R": "russian",
    "J": "japanese",
}
WORDS = ("reroll", "nation ")


def items(table: Table) -> set[str]:
    """Everything that a table or its notes may give."""
    found = {choice.item for _, _, choice in table.choices()}
    found |= {use for note in table.notes for use in note.use.split("; ")}
    return {item for item in found if item and item != "-" and not item.startswith(WORDS)}


def partisan_nation(choice: Choice, marks: tuple[str, ...]) -> str:
    letters = [mark for mark in (*choice.marks, *marks) if mark in PARTISAN]
    return PARTISAN[letters[0]] if letters else "british"


@pytest.mark.parametrize("code", list(FILES))
def test_squads_and_leaders(code: str) -> None:
    one = card(code)
    for squad in items(one.table("x2")):
        assert named.unit(one.nation, squad).kind == ("half-squad" if squad.endswith("HS") else "squad")
    owner = "american" if one.nation == "usmc" else one.nation
    absent = {row["what"] for row in named.absent() if row["nation"] == one.nation}
    for column, _, choice in one.table("x3").choices():
        if choice.item in ("-", "Inexp. Crew") or (f"armor leader {choice.item}" in absent and "Armor" in column.group):
            continue
        assert counters.smc(owner, choice.item)
    if one.has("x10a"):
        for _, _, choice in one.table("x10a").choices():
            for squad in re.findall(r"\d-\d-\d", choice.item):
                assert named.unit(one.nation, squad).kind == "squad"


@pytest.mark.parametrize("code", [code for code in FILES if code != "P"])
def test_support_weapons(code: str) -> None:
    one = card(code)
    for number in ("x4", "x4a", "x10b"):
        for item in items(one.table(number)) if one.has(number) else ():
            assert named.weapons(one.nation, item), item


def test_partisan_weapons() -> None:
    table = card("P").table("x4")
    for column, _, choice in table.choices():
        if choice.item != "-":
            assert named.weapons(partisan_nation(choice, column.marks), choice.item)
    assert named.weapons("american", "BAZ 43")
    for item in items(card("P").table("x4a")):
        assert named.weapons("chinese", item)


@pytest.mark.parametrize("code", list(FILES))
def test_guns(code: str) -> None:
    one = card(code)
    for number in ("x5", "x5a"):
        for column, _, choice in one.table(number).choices() if one.has(number) else ():
            nation = partisan_nation(choice, column.marks) if code == "P" else one.nation
            if choice.item not in ("Captured", "GMD"):
                found = named.guns(nation, choice.item)
                assert found
                assert all(named.known_gun(*gun) for gun in found), f"{choice.item}: {found}"
        for note in one.table(number).notes if one.has(number) else ():
            if note.use and not note.use.startswith(WORDS):
                assert all(named.known_gun(*gun) for gun in named.guns(one.nation, note.use)), note.use


@pytest.mark.parametrize("code", list(FILES))
def test_vehicles_are_on_the_later_list(code: str) -> None:
    one = card(code)
    random = {"Carrier", "IP Carrier", "Captured", "(L)"}
    for number in ("x6", "x6a", "x6b", "x6c", "x7", "x7a"):
        for item in items(one.table(number)) - random if one.has(number) else ():
            assert named.vehicle(one.letter, item), item
    for base in ("JgPz IV", "StuG IIIG", "StuH 42"):
        assert named.vehicle("G", f"{base}(L)")


def test_vehicles_of_events_missions_and_landing_craft() -> None:
    for name in sub_tables():
        if name.endswith("-01"):
            assert all(named.vehicle(name[0], item) for item in items(sub_table(name)))
    for amphibian in missions.amphibians():
        assert named.vehicle(amphibian.card[0], amphibian.afv)
    for table in missions.landing_craft_tables():
        for item in items(table):
            letter = "U" if item.startswith("LVT") else "B" if item.startswith("Buffalo") else "X"
            assert named.vehicle(letter, item)
    for substitution in free_french():
        gun = [one for one in named.guns("french", substitution.unit) if named.known_gun(*one)]
        assert gun or named.vehicle("F", substitution.unit)
    with pytest.raises(ValueError, match="No counter is known for the vehicle 'T-99'"):
        named.vehicle("R", "T-99")


def test_paradrop_companies_and_refit() -> None:
    nations = {
        "Russian": "russian",
        "German": "german",
        "U.S. Army": "american",
        "U.S.M.C.": "usmc",
        "British": "british",
    }
    nations |= {"Japanese": "japanese", "Italian": "italian"}
    for column, _, choice in general.table("paradrop").choices():
        assert counters.mmc(nations[column.group], choice.item).elite
    for company in campaign.companies():
        nation = "free_french" if company.title.startswith("Free") else card(company.card).nation
        nation = "german_ss" if company.title == "SS" else nation
        for name in company.units:
            if re.fullmatch(r"\d-\d-\d", name):
                assert named.unit(nation, name)
            elif name != "Leader":
                owner = "german" if nation == "german_ss" else nation
                found = named.guns(owner, name)
                assert all(named.known_gun(*gun) for gun in found) or named.weapons(owner, name), name
    for column, _, choice in campaign.refit("leader").choices():
        nation = {"Japanese": "japanese", "Finnish": "finnish"}.get(column.group, "german")
        assert counters.smc(nation, choice.item)


def test_guns_of_this_game_do_not_repeat_shipped_ones() -> None:
    assert len(named.table_guns()) == 171
    assert not set(named.table_guns()) & set(counters.all_counters()) - {
        ("japanese", "20L ATR"),
        ("allied_minor", "20L ATR"),
    }
    assert named.table_guns()["german", "88LL AT PaK 43"].caliber == 88
