"""What an Activated S? is made of: squads, leaders, weapons, Guns by the tables of the ENEMY's card (S5.7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.asl.deploying.part import half_of
from sandtable.games.sasl import partisan
from sandtable.games.sasl.dice import Found, on_table, pick, read, say
from sandtable.games.sasl.model import ENEMY, ROSTER
from sandtable.games.sasl.readings import reading
from sandtable.games.sasl.rolled import Rolled
from sandtable.games.sasl.setting_up import put_roster
from sandtable.games.sasl.suspects import has_room
from sandtable.games.sasl.tables import counters
from sandtable.games.sasl.tables.cards import card
from sandtable.games.sasl.tables.dates import Span
from sandtable.games.sasl.tables.model import NOTHING, Table
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.stacks import fresh_id, give, mark_dm_near, put
from sandtable.games.squad.pieces.counters import Mmc, UnknownCounter, all_counters
from sandtable.games.squad.pieces.kinds import UnitKind, printed_unit, printed_weapon
from sandtable.games.squad.pieces.model import SquadState, Unit, Weapon

NO_DEPLOY = ("R", "P")
"""Cards whose half-squads are activated as squads (SA-4); GMD Chinese and Italians who are not Elite too."""
TYPES_OF_LEADER = "Infantry Leader"
LENT = {"usmc": "american"}
"""Whose leaders a nation has under its own name."""
COMMISSARS = {"8-1": "10-0 Commissar", "8-0": "9-0 Commissar"}
"""The Commissar who takes the place of a leader (A25.22)."""
CAPTURED = "1942-01"
"""The date by which Captured Guns of the Chinese are read on J5: its column 1937-42 (C5 note 3)."""
NO_AT_COLUMN = ("Denmark", "Netherlands")
"""Allied Minors who use table L5, column Inside, for AT Guns (remark of L5a)."""
SPECIAL, ORDINARY = "12.22", "ordinary"
"""The rule that the mark of special forces in x2 leads to, and what the roster notes where the first squad was none."""
OUTDOORS = ("MTR", "BAZ", "PSK")
"""SW that are not fired from within a building or pillbox, by how their type or name begins (S5.753, S5.754)."""
REROLLS = 6
"""Tables to which one roll is sent on at most."""
CREWED = ("HMG", "MMG", "ATR")
"""Types of SW that Japanese crews man (J4)."""
MARINES = ("Paramarine", "Raider")
"""Marine squads for whom M4 note 2 has other SW."""
U_S_VERSIONS = ("75* ART M1A1", "81* MTR M1")
"""Chinese Guns of U.S. make: X/Y Force has them, GMD has the others (C5 notes 1 and 5)."""
OPPONENTS = {"Partisan ENEMY": ("P",), "Russian or Partisan opponent": ("R", "P")}
"""What tables of a card say of the other side (G3, I4), with its cards."""


def squad(play: Play[SquadState], base: Rolled, drm: int = 0) -> str:
    """The kind of squad of an Activation {x2}."""
    card = base.card
    table, date = card.dated("x2", base.date)
    column = table.column(date, base.enemy_group)
    facts = (*_facts(base), table.columns[column].label)
    item = on_table(play, table, drm=drm, date=date, group=base.enemy_group, places=base.places, facts=facts)
    one = counters.unit(card.nation, _integral(play, table, item, column))
    return f"{one.nation} {one.name}"


def _facts(base: Rolled) -> tuple[str, ...]:
    """What the modifiers of x2 and x3 ask for: places, the force, an Allied Minor at home (C3, L2)."""
    return (*base.places, base.enemy_group, f"Mission in {base.enemy_group}")


def facing(base: Rolled) -> tuple[str, ...]:
    """The places, and what notes of the FRIENDLY card ask for: whom it faces, and its company (G2, G3, I4)."""
    against = [words for words, cards in OPPONENTS.items() if base.enemy in cards]
    return (*base.places, *against, base.company.removesuffix(" company"))


def _integral(play: Play[SquadState], table: Table, item: str, column: int) -> str:
    """Special forces do not fight beside others: the first squad of the mission settles it (S12.22, SA-100)."""
    state = play.state
    items = [row.cells[column].choices[0] for row in table.rows]
    marks = {note.mark for note in table.notes if SPECIAL in note.text}
    special = [choice.item for choice in items if marks.intersection(choice.marks)]
    if not special or reading(state, "special") == "as rolled":
        return item
    if not ROSTER.of(state).special:
        put_roster(state, special=item if item in special else ORDINARY)
    settled = ROSTER.of(state).special if ROSTER.of(state).special in special else ORDINARY
    wanted = next(choice.item for choice in items if choice.item not in special) if item in special else item
    wanted = wanted if settled == ORDINARY else settled
    if wanted != item:
        say(play, table.id, wanted, (), f"instead of {item}, since special forces are not mixed with others", "S12.22")
    return wanted


def half_squad(base: Rolled, kind: str) -> str:
    """The half-squad of a kind of squad, or the squad where the nation may not Deploy (S5.72, SA-4)."""
    one = printed_unit(kind)
    barred = base.enemy in NO_DEPLOY or (base.enemy == "C" and base.enemy_group != "X/Y Force")
    if base.enemy == "I":
        barred = one.unit_class != "E"
    return kind if barred else half_of(kind) or kind


def leader(play: Play[SquadState], base: Rolled, squads: Sequence[UnitKind], drm: int = 0) -> str:
    """The kind of leader of an Activation {x3}, empty: none."""
    card = base.card
    facts = list(_facts(base))
    if any(one.unit_class == "E" for one in squads):
        facts.append("any MMC Elite")
    for letter, word in (("C", "all MMC Conscript"), ("G", "all MMC Green")):
        if squads and all(one.unit_class == letter for one in squads):
            facts.append(word)
    table, date = card.dated("x3", base.date)
    found = read(play, table, drm=drm, date=date, group=TYPES_OF_LEADER, places=base.places, facts=facts)
    if found.item == NOTHING:
        return ""
    rank = COMMISSARS[found.printed] if found.item == "Commissar" else found.item
    if (LENT.get(card.nation, card.nation), rank) in all_counters():
        return f"{card.nation} {rank}"
    return f"russian {rank}" if ("russian", rank) in all_counters() else ""


def elite_squads(base: Rolled, nation: str) -> list[Mmc]:
    """The Elite squads of a nation, but for those that its table x2 has in other months only."""
    spans: dict[str, list[Span | None]] = {}
    table, date = base.card.dated("x2", base.date)
    if nation == base.card.nation:
        for column, _, choice in table.choices():
            spans.setdefault(counters.unit(nation, choice.item).name, []).append(column.span)
    squads = [one for one in all_counters().values() if isinstance(one, Mmc) and one.nation == nation]
    squads = [one for one in squads if one.kind == "squad" and one.unit_class == "E"]
    return [one for one in squads if any(when is None or date in when for when in spans.get(one.name, [None]))]


def support_weapon(play: Play[SquadState], base: Rolled, *, indoors: bool = False, squad: str = "") -> str:
    """The kind of SW of an Activation {x4}, empty: none; in a building one that can be fired there (SA-101)."""
    for _ in range(REROLLS):
        kind = _support_weapon(play, base, squad)
        if not (indoors and kind and outdoors(kind)) or reading(play.state, "indoors") == "as rolled":
            return kind
        table, _ = base.card.dated("x4", base.date)
        name = printed_weapon(kind).name
        say(play, table.id, name, (), "cannot be fired from a building; rolled again", "S5.753")
    return ""


def outdoors(kind: str) -> bool:
    """Whether a SW is not fired from a building or pillbox: mortars (S5.753), BAZ and PSK (S5.754)."""
    one = printed_weapon(kind)
    return one.type in OUTDOORS or one.name.startswith(OUTDOORS)


def crewed(base: Rolled, kind: str) -> bool:
    """Whether a SW comes with an Infantry crew of its own: HMG, MMG and ATR of the Japanese (J4)."""
    return base.enemy == "J" and printed_weapon(kind).type in CREWED


def _support_weapon(play: Play[SquadState], base: Rolled, squad: str) -> str:
    group = base.enemy_group
    if base.enemy == "P":
        group = "PTO" if base.pto else "France" if "France" in base.places else "Russia/Balkans"
    raiders = [word for word in MARINES if squad.endswith(word)]
    found = _armament(play, base, "x4", group=group, places=(*_places(base), *raiders))
    for nation in _owners(base, found):
        try:
            one = pick(play, counters.weapons(nation, found.item), "which weapon")
        except (UnknownCounter, KeyError):
            continue
        return f"{one.nation} {one.name}"
    return ""


def gun(play: Play[SquadState], base: Rolled, *, inside: bool, pillbox: bool = False) -> str:
    """The kind of Gun of an Activation {x5}, empty: none that can be played; notes tell building and pillbox apart."""
    group = base.enemy_group
    if base.enemy == "P":
        group = next((place for place in ("PTO", "France", "Balkans") if place in base.places), "Russia")
    side = "Inside" if inside else "Outside"
    places = (*_places(base), "Pillbox" if pillbox else "Building")
    found = _armament(play, base, "x5", group=group, side=side, places=places)
    return gun_named(play, base, found)


def at_gun(play: Play[SquadState], base: Rolled) -> str:
    """The kind of AT Gun by x5a, empty: none that can be played."""
    if not base.card.has("x5a"):
        return ""
    if base.enemy_group in NO_AT_COLUMN:
        return gun(play, base, inside=True)
    return gun_named(play, base, _armament(play, base, "x5a", group=base.enemy_group, places=_places(base)))


def gun_named(play: Play[SquadState], base: Rolled, found: Found) -> str:
    """The counter of a Gun that a table has given; which of several versions is picked by a die."""
    if found.item == NOTHING:
        return ""
    for nation in _owners(base, found):
        versions = [f"{owner} {name}" for owner, name in _versions(base, found, counters.guns(nation, found.item))]
        if able := [kind for kind in versions if _playable(kind)]:
            return pick(play, able, "which version") if len(able) > 1 else able[0]
    say(play, "x5", found.item, (), "no Gun: its counter is not in play", "S5.76")
    return ""


def _versions(base: Rolled, found: Found, guns: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Those of several versions of a Gun that a Chinese force has (C5 notes 1, 5 and 6)."""
    if base.enemy != "C" or len(guns) == 1:
        return guns
    american = base.enemy_group == "X/Y Force" and not found.nation
    return [gun for gun in guns if (gun[1] in U_S_VERSIONS) == american] or guns


def _playable(kind: str) -> bool:
    try:
        return bool(printed_weapon(kind))
    except (UnknownCounter, ValueError):
        return False


def _armament(
    play: Play[SquadState], base: Rolled, number: str, *, group: str, places: Sequence[str], side: str = ""
) -> Found:
    """A roll for a SW or a Gun, and on the table to which a note sends: C4a, P4a, J5, C5, the same once more."""
    table, date = base.card.dated(number, base.date)
    found = read(play, table, date=date, group=group, side=side, places=places)
    for _ in range(REROLLS):
        if not found.item.startswith("reroll"):
            break
        name = found.item.removeprefix("reroll").strip()
        if name == "J5":
            found = read(play, card("J").table("x5"), date=CAPTURED, side=side)._replace(nation="japanese")
        elif name in ("C4a", "P4a"):
            found = read(play, base.card.tables[name], date=base.date)._replace(nation="chinese")
        else:
            other, nation = ("GMD", "chinese") if name == "C5" else (group, "")
            again = base.card.tables[name] if name else table
            found = read(play, again, date=date, group=other, side=side, places=places)
            found = found._replace(nation=found.nation or nation)
    return found


def _places(base: Rolled) -> tuple[str, ...]:
    """The words that notes of x4 and x5 ask for."""
    found = [*base.places]
    if base.friendly_nation != "free_french" or base.enemy != base.friendly:
        found.append("not Free French")
    found += [words for words, cards in OPPONENTS.items() if base.friendly in cards and base.enemy != base.friendly]
    return tuple(found)


def _owners(base: Rolled, found: Found) -> list[str]:
    """Whose counters an item may be: of the nation that a note names, the card's own, then the U.S. Army's."""
    return [nation for nation in (found.nation, base.card.nation, "american" if found.nation else "") if nation]


def gun_crew(base: Rolled) -> str:
    """The crew of a Gun: the nation's larger Infantry crew (S5.76)."""
    nation = base.card.nation if base.card.nation != "partisan" else "russian"
    for name in ("2-2-8", "2-2-8 crew", "2-2-7 crew", "2-2-7"):
        if (nation, name) in all_counters() and printed_unit(f"{nation} {name}").crew:
            return f"{nation} {name}"
    return f"{nation} 2-2-8"


# -- numbers of pieces ----------------------------------------------------------------------


class Numbers(NamedTuple):
    """The numbers of what is made of a S?, which stand in the ids and letters of the pieces.

    Of what lies under a "?" each kind of piece has its own, used or not: those who are seen first, and what is made
    later, do not tell what else there is (SA-90).
    """

    first: int
    apart: bool

    def go_on(self, state: SquadState, kind: str) -> None:
        """The next pieces are of this kind; `end`: all are made."""
        if self.apart:
            state.serial = self.first + APART[kind]


APART = {"squad": 0, "leader": 2, "SW": 3, "Gun": 5, "end": 7}
"""How far from the first number each kind of piece begins: two squads, a leader, a SW and a Gun with their crews."""


# -- onto the map ---------------------------------------------------------------------------


def new_unit(play: Play[SquadState], kind: str, cell: int, side: str = ENEMY, group: str = "enemy") -> Unit:
    """A unit comes into play in a Location."""
    state = play.state
    unit = Unit(fresh_id(state, "e" if side == ENEMY else "f"), side, kind, group=group)
    state.units[unit.id] = unit
    if cell >= 0:
        unit = put(state, unit, cell)
        mark_dm_near(play, cell, side)
    if side == ENEMY:
        put_roster(state, activated=ROSTER.of(state).activated + 1)
    return unit


def join(play: Play[SquadState], base: Rolled, kind: str, cell: int) -> Unit:
    """A unit of a card comes into play; a crew or Commissar of Partisans is one of them (12.211, SA-121)."""
    unit = new_unit(play, kind, cell)
    if base.enemy == "P":
        partisan.enlist(play.state, unit)
    return unit


def new_weapon(play: Play[SquadState], kind: str, owner: Unit) -> Weapon:
    """A weapon comes into play in the hands of a unit."""
    state = play.state
    weapon = Weapon(fresh_id(state, "w"), owner.side, kind, owner.group)
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
        if (other == cell or not enemies) and has_room(state, other, [probe]):
            return other
    return cell


def classes_of(state: SquadState, units: Sequence[Unit]) -> list[UnitKind]:
    """The printed values of units."""
    return [unit_kind(state, unit) for unit in units]
