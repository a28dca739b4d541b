"""What an Activated S? is made of: squads, leaders, weapons, Guns by the tables of the ENEMY's card (S5.7)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.sasl.dice import on_table, pick, say
from sandtable.games.sasl.model import ENEMY, ROSTER
from sandtable.games.sasl.rolled import Rolled, rolled_in
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.sasl.tables import counters
from sandtable.games.sasl.tables.model import NOTHING
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.stacks import fits, give, mark_dm_near, put
from sandtable.games.squad.pieces.counters import UnknownCounter, all_counters
from sandtable.games.squad.pieces.kinds import UnitKind, printed_unit, printed_weapon
from sandtable.games.squad.pieces.model import SquadState, Unit, Weapon

NO_DEPLOY = ("R", "P")
"""Cards whose half-squads are activated as squads (SA-4); GMD Chinese and Italians who are not Elite too."""
TYPES_OF_LEADER = "Infantry Leader"


def squad(play: Play[SquadState], base: Rolled, drm: int = 0) -> str:
    """The kind of squad of an Activation {x2}."""
    card = base.card
    table, date = card.dated("x2", base.date)
    item = on_table(play, table, drm=drm, date=date, group=base.enemy_group, places=base.places, facts=base.places)
    one = counters.unit(card.nation, item)
    return f"{one.nation} {one.name}"


def half_squad(base: Rolled, kind: str) -> str:
    """The half-squad of a kind of squad, or the squad where the nation may not Deploy (S5.72, SA-4)."""
    one = printed_unit(kind)
    barred = base.enemy in NO_DEPLOY or (base.enemy == "C" and base.enemy_group != "X/Y Force")
    if base.enemy == "I":
        barred = one.unit_class != "E"
    return kind if barred or not one.reduced else one.reduced


def leader(play: Play[SquadState], base: Rolled, squads: Sequence[UnitKind], drm: int = 0) -> str:
    """The kind of leader of an Activation {x3}, empty: none."""
    card = base.card
    facts = list(base.places)
    if any(one.unit_class == "E" for one in squads):
        facts.append("any MMC Elite")
    for letter, word in (("C", "all MMC Conscript"), ("G", "all MMC Green")):
        if squads and all(one.unit_class == letter for one in squads):
            facts.append(word)
    table, date = card.dated("x3", base.date)
    item = on_table(play, table, drm=drm, date=date, group=TYPES_OF_LEADER, places=base.places, facts=facts)
    if item == NOTHING:
        return ""
    rank = {"8-1": "10-0", "8-0": "9-0"}.get(item, item) if item == "Commissar" else item
    for nation in (card.nation, "russian"):
        if (nation, rank) in all_counters():
            return f"{nation} {rank}"
    return ""


def support_weapon(play: Play[SquadState], base: Rolled) -> str:
    """The kind of SW of an Activation {x4}, empty: none."""
    card = base.card
    table, date = card.dated("x4", base.date)
    group = base.enemy_group
    if base.enemy == "P":
        group = "PTO" if base.pto else "France" if "France" in base.places else "Russia/Balkans"
    item = on_table(play, table, date=date, group=group, places=base.places)
    if item == NOTHING or item.startswith(("nation ", "reroll")):
        return ""
    try:
        one = pick(play, counters.weapons(card.nation, item), "which weapon")
    except (UnknownCounter, KeyError):
        return ""
    return f"{one.nation} {one.name}"


def gun(play: Play[SquadState], base: Rolled, *, inside: bool) -> str:
    """The kind of Gun of an Activation {x5}, empty: none that can be played."""
    card = base.card
    table, date = card.dated("x5", base.date)
    group = base.enemy_group
    if base.enemy == "P":
        group = next((place for place in ("PTO", "France", "Balkans") if place in base.places), "Russia")
    side = "Inside" if inside else "Outside"
    item = on_table(play, table, date=date, group=group, side=side, places=(*base.places, "Building"))
    if item == NOTHING:
        return ""
    for owner, name in counters.guns(card.nation, item):
        try:
            printed_weapon(f"{owner} {name}")
        except (UnknownCounter, ValueError):
            continue
        return f"{owner} {name}"
    say(play, table.id, item, (), "there is no counter for it: no Gun", "S5.76")
    return ""


def gun_crew(base: Rolled) -> str:
    """The crew of a Gun: the nation's larger Infantry crew (S5.76)."""
    nation = base.card.nation if base.card.nation != "partisan" else "russian"
    for name in ("2-2-8", "2-2-8 crew", "2-2-7 crew", "2-2-7"):
        if (nation, name) in all_counters() and printed_unit(f"{nation} {name}").crew:
            return f"{nation} {name}"
    return f"{nation} 2-2-8"


# -- onto the map ---------------------------------------------------------------------------


def new_unit(play: Play[SquadState], kind: str, cell: int, side: str = ENEMY, group: str = "enemy") -> Unit:
    """A unit comes into play in a Location."""
    state = play.state
    state.serial += 1
    unit = Unit(f"{'e' if side == ENEMY else 'f'}{state.serial}", side, kind, group=group)
    state.units[unit.id] = unit
    if cell >= 0:
        unit = put(state, unit, cell)
        mark_dm_near(play, cell, side)
    if side == ENEMY:
        put_roster(state, activated=ROSTER.of(state).activated + 1)
    return unit


def new_weapon(play: Play[SquadState], kind: str, owner: Unit) -> Weapon:
    """A weapon comes into play in the hands of a unit."""
    state = play.state
    state.serial += 1
    weapon = Weapon(f"w{state.serial}", owner.side, kind, owner.group)
    state.weapons[weapon.id] = weapon
    return give(state, weapon, owner.id)


def point_gun(play: Play[SquadState], weapon: Weapon, at: int, towards: int, *, emplaced: bool) -> None:
    """A Gun just generated faces what triggered it; in Hold Attitude it is emplaced (S5.4, S5.762)."""
    ground = setting_of(play.state).ground
    spines = ground.spines_towards(at, towards) if towards >= 0 and towards != at else (0,)
    play.state.weapons[weapon.id] = replace(
        play.state.weapons[weapon.id], facing=spines[0] if spines else 0, emplaced=emplaced and not ground.paved[at]
    )


def room_for(play: Play[SquadState], cell: int, kind: str) -> int:
    """The Location itself, or the nearest one that has room, for a unit just generated (S5.61)."""
    state = play.state
    setting = setting_of(state)
    probe = Unit("probe", ENEMY, kind, group="enemy")
    near = sorted(range(setting.ground.size), key=lambda other: (setting.ground.ranges[cell][other], other))
    for other in near[:40]:
        enemies = any(state.units[name].side != ENEMY for name in state.stacks.get(other, ()))
        if (other == cell or not enemies) and fits(state, other, ENEMY, [probe]):
            return other
    return cell


def classes_of(state: SquadState, units: Sequence[Unit]) -> list[UnitKind]:
    """The printed values of units."""
    return [unit_kind(state, unit) for unit in units]


def base_of(play: Play[SquadState]) -> Rolled:
    """What the match has rolled."""
    return rolled_in(play.state)
