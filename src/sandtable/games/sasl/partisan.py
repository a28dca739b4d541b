"""Possible Partisan ENEMY: where, and how likely; what Partisans can and cannot do (S12.21, S12.211)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.asl.molotovs.model import GIVEN
from sandtable.games.sasl.dice import rolled, say
from sandtable.games.sasl.model import ENEMY
from sandtable.games.sasl.rolled import Rolled, rolled_in
from sandtable.games.sasl.tables import missions
from sandtable.games.sasl.tables.cards import card
from sandtable.games.squad.combat.model import AdvanceDraft
from sandtable.games.squad.ground.map import Way
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.movement.model import StackDraft
from sandtable.games.squad.part import Item
from sandtable.games.squad.pieces.model import SquadState, Unit
from sandtable.games.squad.rout.model import Rout

CODE, NATION = "P", "partisan"
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


# -- what Partisans can and cannot do -----------------------------------------------------------


def enlist(state: SquadState, unit: Unit) -> None:
    """A unit comes to the Partisans, whatever its counter: the crew of a Gun, a Commissar (SA-121)."""
    if unit_kind(state, unit).nation != NATION:
        GIVEN.put(state, (*GIVEN.of(state), unit.id))


def is_partisan(state: SquadState, unit: Unit) -> bool:
    """Whether a unit is one of Partisans; regular troops that help them are not (12.211, P9 34, SA-121)."""
    return unit_kind(state, unit).nation == NATION or unit.id in GIVEN.of(state)


def woods_cost(state: SquadState, units: Sequence[str], way: Way, road: bool) -> list[Item]:
    """Partisans go through woods for 1 MF, if all who go together are Partisans (12.211)."""
    if road or not setting_of(state).ground.woods[way.to]:
        return []
    going = units or goers(state)
    if going is None:  # ways are looked for before anybody sets out
        if state.attacker != ENEMY or rolled_in(state).enemy != CODE:
            return []
    elif not all([is_partisan(state, state.units[name]) for name in going]):
        return []
    return [("Partisans in woods", -2 * (2 if way.change > 0 else 1), "S12.211")]


def goers(state: SquadState) -> Sequence[str] | None:
    """Who is on his way, or about to set out; None: nobody in particular."""
    if state.moving is not None:
        return [name for name in state.moving.active if name in state.units]
    for frame in reversed(state.stack):
        if isinstance(frame, Rout):
            return [name for name in (frame.unit, *frame.leaders) if name in state.units]
        if isinstance(frame, StackDraft | AdvanceDraft):
            return frame.units
    return None
