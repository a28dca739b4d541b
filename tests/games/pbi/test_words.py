"""The log as a player reads it."""

from __future__ import annotations

from pbi_support import Camp, do

from sandtable.games.pbi.actions import Drive, Shoot, Urge
from sandtable.games.pbi.game import GAME
from sandtable.games.pbi.model import Activation, Commander, Units
from sandtable.games.pbi.words import several, verb


def test_one_hit_is_not_hits_and_machine_guns_have_a_plural() -> None:
    assert several(1, "hit") == "1 hit"
    assert several(0, "hit") == "0 hits"
    assert several(2, "Light machine-gun") == "2 Light machine-guns"
    assert several(2, "Rifles with panzerfaust") == "2 Rifles with panzerfaust"
    assert several(3, "SdKfz 251") == "3 SdKfz 251"
    assert verb(1, "Flamethrower", "shoots", "shoot") == "shoots"
    assert verb(1, "Rifles with panzerfaust", "shoots", "shoot") == verb(2, "Bazookas", "shoots", "shoot") == "shoot"


def test_those_who_are_gone_are_named_by_their_unit() -> None:
    camp = Camp(return_shooting="none").add("a1", "rifle", "D6").unit("d1", name="Grenadier platoon")
    match = camp.add("d1", "lmg", "D4").add("d2", "rifle", "A1", 3).acting("a1-1").match(4, 1)
    said = [GAME.words(event, match.state) for event in do(match, Shoot("D4"))]
    assert "Pinned in D4: base of Grenadier platoon" in said
    assert any(sentence.endswith("at D4: 1 hit") for sentence in said)


def test_the_commander_says_whom_he_urges() -> None:
    camp = Camp().unit("a1", name="Rifle platoon").add("a1", "rifle", "D6").add("a0", "commander", "D6", officer=True)
    match = camp.frames(Commander("attacker"), step=2).match()
    said = [GAME.words(event, match.state) for event in do(match, Urge("a1"))]
    assert said == ["The attacker's commander urges Rifle platoon on"]


def test_vehicles_to_choose_from_are_told_apart_by_their_men() -> None:
    camp = Camp().add("a1", "m3", "D6", 2).add("a1", "lmg", "D6", 2, within="a1-2")
    match = camp.frames(Units("attacker"), Activation("a1")).match()
    assert match.describe("attacker", Drive("a1-1")).text == "Roll for M3 half-track in D6"
    assert match.describe("attacker", Drive("a1-2")).text == "Roll for M3 half-track in D6 (with 2 Light machine-guns)"
