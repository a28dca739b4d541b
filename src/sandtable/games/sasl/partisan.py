"""Possible Partisan ENEMY: where, and how likely (S12.21)."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.sasl.dice import rolled, say
from sandtable.games.sasl.model import ENEMY
from sandtable.games.sasl.rolled import Rolled, rolled_in
from sandtable.games.sasl.tables import missions
from sandtable.games.sasl.tables.cards import card
from sandtable.games.squad.ground.map import Way
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.part import Item
from sandtable.games.squad.pieces.model import SquadState

CODE = "P"
BALKANS = ("Greece", "Yugoslavia", "Bulgaria")
ALWAYS = 1
"""A Final dr of this or less makes the ENEMY Partisan."""


def places_of(theatre: str, date: str, enemy: str) -> tuple[str, ...]:
    """Where a meeting of the opposition chart may take place, for 12.21 and the tables of Partisans (SA-85)."""
    if theatre == "Eastern ETO":
        return ("Balkans",) if enemy in BALKANS else ("Russia",) if date >= "1941-06" else ()
    if theatre == "Western ETO":
        return ("Balkans", "Greece") if enemy in ("Greece", "Bulgaria") else ("France",) if date >= "1942-01" else ()
    if theatre == "China-Burma-India":
        return ("Indo-China",) if "Vichy" in enemy else ("China",)
    return ("Philippines",) if theatre == "Pacific Islands" and enemy == "U.S. Army" else ()


def possible(base: Rolled) -> bool:
    """Whether the ENEMY of a mission may be Partisan (12.21)."""
    return base.rules.partisan and may_meet(base.friendly, base.date, base.places)


def may_meet(friendly: str, date: str, places: Collection[str]) -> bool:
    """Whether a FRIENDLY power may meet Partisans in a month at some places (12.21)."""
    here = set(places)
    if friendly in ("G", "I"):
        return "1942" <= date[:4] <= "1944" and bool(here & {"Russia", "Balkans", "France"})
    if friendly == "J":
        return bool(here & {"China", "Indo-China"}) or ("Philippines" in here and date >= "1942")
    return friendly == "F" and "Indo-China" in here


def drm(base: Rolled) -> int:
    """The drm of the dr for a Partisan ENEMY: Russia in 1943; China, Indo-China, the Balkans (12.21)."""
    here = set(base.places)
    total = 0
    for modifier in missions.partisan_modifiers():
        if "Russia in 1943" in modifier.when:
            total += modifier.drm if "Russia" in here and base.date.startswith("1943") else 0
        elif "China" in modifier.when:
            total += modifier.drm if here & {"China", "Indo-China", "Balkans"} else 0
    return total


def roll(play: Play[SquadState], base: Rolled, wanted: str) -> Rolled:
    """The dr for a Partisan ENEMY; `wanted` is the option: P takes it where it is possible (12.21)."""
    if not possible(base) or wanted not in ("roll", CODE):
        return base
    if wanted == CODE:
        say(play, "12.21", "chosen", (), "the ENEMY is Partisan", "S12.21")
        return _partisan(base)
    change = drm(base)
    (dr,) = rolled(play, 1, "Partisan ENEMY")
    found = dr + change <= ALWAYS
    say(play, "12.21", f"{dr}{change:+d}", (dr,), "the ENEMY is Partisan" if found else "regular troops", "S12.21")
    return _partisan(base) if found else base


def _partisan(base: Rolled) -> Rolled:
    return replace(base, enemy=CODE, enemy_title=card(CODE).title, enemy_group="")


def woods_cost(state: SquadState, way: Way, road: bool) -> list[Item]:
    """Partisans go through woods for 1 MF (12.211); asked in their own Player Turn."""
    at_home = state.attacker == ENEMY and rolled_in(state).enemy == CODE and not road
    if not at_home or not setting_of(state).ground.woods[way.to]:
        return []
    return [("Partisans in woods", -2 * (2 if way.change > 0 else 1), "S12.211")]
