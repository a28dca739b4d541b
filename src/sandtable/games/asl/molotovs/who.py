"""Who may throw a MOL along with the fire of his group, and over which hexsides (A22.61)."""

from __future__ import annotations

from math import floor

from sandtable.engine import Tally
from sandtable.engine.part import Bar
from sandtable.games.asl.heat.model import BERSERK
from sandtable.games.asl.molotovs.model import GIVEN
from sandtable.games.asl.molotovs.switches import MolotovRules
from sandtable.games.squad.fire.drafting import attack_of
from sandtable.games.squad.fire.eligibility import may_join_use
from sandtable.games.squad.fire.firepower import firing_units
from sandtable.games.squad.fire.group import firers_in
from sandtable.games.squad.fire.model import FireDraft
from sandtable.games.squad.fire.throwing import THROWN
from sandtable.games.squad.ground.map import Ground
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.part import Item
from sandtable.games.squad.pieces.model import NO_MARKER, SquadState, Unit
from sandtable.space.remembered import remembered
from sandtable.space.terrain import terrain_table

NUMBER = 3
"""The Final dr of a MOL check that finds one (A22.61)."""
REACH = 1
TREES = ("woods", "orchard")
SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Where a hexside is looked at for trees, from one vertex to the other."""

NONE_TO_HAND: Bar = ("It has no Molotov cocktails", "A22.6")
NOT_IN_GROUP: Bar = ("Only a unit that fires in this group throws: add it first", "A22.61")
ONE_EACH: Bar = ("One MOL for each fire group: another unit is already throwing", "A22.61")
ALONE: Bar = ("A MOL is thrown along with small arms, not with a flamethrower or Gun", "A22.61")
UNFIT: Bar = ("Only unpinned units in Good Order, and berserk ones, throw MOL", "A22.61")
TOO_FAR: Bar = ("It throws MOL at adjacent hexes only: wait until they come closer", "A22.61")
AGAIN: Bar = ("It has thrown in this Player Turn: no unit uses MOL in both First and Final Fire", "A22.61")
FIRED_BEFORE: Bar = ("No MOL in Subsequent First Fire or Final Protective Fire: fire without", "A22.61")
BEHIND_TREES: Bar = ("Woods or orchard on the hexside: MOL cross it only along a road", "A22.61")
CHECKED: Bar = ("A MOL is declared before the line of sight is checked", "A22.61")
SPRAYING: Bar = ("A MOL is thrown at one Location: give up the Spraying Fire first", "A22.61")
HOPELESS: Bar = ("No dr would pass its MOL check", "A22.61")


def has_molotovs(state: SquadState, unit: Unit) -> bool:
    """Whether a unit may use MOL, of which it never runs out (A22.6)."""
    rules = setting_of(state).rules.of(MolotovRules)
    if unit.side in rules.sides_without:
        return False
    return unit_kind(state, unit).nation in rules.nations or unit.id in GIVEN.of(state)


def throws_instead(state: SquadState, unit: Unit) -> bool:
    """Whether it is instead of its own fire that a unit throws: it has one use of a SW, or that (4.0, ruling V-3)."""
    rules = setting_of(state).rules.of(MolotovRules)
    return not (unit_kind(state, unit).squad or rules.fires_too)


def check_tally(state: SquadState, unit: Unit) -> Tally:
    """The modifiers of a MOL check; leadership never counts (A22.61)."""
    kind = unit_kind(state, unit)
    items: list[Item] = []
    if kind.smc:
        items.append(("single man", 2, "A22.61"))
    elif not kind.squad:
        items.append(("half-squad or crew", 1, "A22.61"))
    if unit.cx:
        items.append(("CX", 1, "A22.61"))
    items.append(("target no AFV", 1, "A22.61"))
    return Tally.of(f"MOL check, {NUMBER} or less", items)


def chance(state: SquadState, unit: Unit) -> float:
    """The chance of passing a MOL check."""
    return min(6, max(0, NUMBER - int(check_tally(state, unit).total))) / 6


def throw_bar(state: SquadState, draft: FireDraft, unit: Unit) -> Bar | None:
    """Why a unit may not throw a MOL along with the fire of a draft (A22.61)."""
    if draft.target < 0:
        return "Choose the target first: it is named before the MOL check", "A22.61"
    if unit.side != draft.side or not has_molotovs(state, unit):
        return NONE_TO_HAND
    if unit.id not in firing_units(state, attack_of(draft)):
        return NOT_IN_GROUP
    if draft.thrower:
        return ONE_EACH
    if draft.checked:
        return CHECKED
    if draft.also >= 0:
        return SPRAYING
    if any([firer.alone for firer in firers_in(state, draft)]):
        return ALONE
    return unfit(unit, draft.mode) or _far(state, unit, draft.target) or _use_bar(state, draft, unit)


def unfit(unit: Unit, mode: str) -> Bar | None:
    """What keeps a unit from throwing a MOL at anybody (A22.61)."""
    if unit.pinned or not (unit.good_order or BERSERK in unit.marks) or unit.broken or unit.melee:
        return UNFIT
    if THROWN in unit.used:
        return AGAIN
    return FIRED_BEFORE if mode == "first" and unit.marker != NO_MARKER else None


def _far(state: SquadState, unit: Unit, target: int) -> Bar | None:
    ground = setting_of(state).ground
    if ground.ranges[unit.at][target] > REACH:
        return TOO_FAR
    return BEHIND_TREES if trees_between(ground, ground.hex_of(unit.at), ground.hex_of(target)) else None


def _use_bar(state: SquadState, draft: FireDraft, unit: Unit) -> Bar | None:
    """A MOL is a use of a SW: a squad has another beside its own FP, others throw instead of firing (4.0)."""
    weapons = [name for name in draft.weapons if state.weapons[name].owner == unit.id]
    squad = unit_kind(state, unit).squad
    bar: Bar | None = None
    if weapons or squad or throws_instead(state, unit):
        own = unit.id in draft.units and squad
        bar = may_join_use(setting_of(state), unit, own=own, weapons=[*weapons, THROWN])
    return bar or (HOPELESS if not chance(state, unit) else None)


@remembered(4096)
def trees_between(ground: Ground, one: int, other: int) -> bool:
    """Whether two adjacent hexes share a woods or orchard hexside that no road crosses (A22.61, ruling V-4)."""
    if one == other:
        return False
    way = ground.way(one, other)
    if way is not None and way.road:
        return False
    if any([ground.kinds[cell].group == "orchard" for cell in (one, other)]):
        return True  # inherent terrain, hexsides included (B.6)
    field = ground.hex_los.engine.field
    near = ground.grid.centre(other)
    corners = sorted(
        ground.grid.vertices(one), key=lambda corner: (corner[0] - near[0]) ** 2 + (corner[1] - near[1]) ** 2
    )
    (ax, ay), (bx, by) = corners[:2]
    flags, terrain = terrain_table().flags(*TREES), field.raster.terrain
    height, width = terrain.shape
    for share in SHARES:
        x, y = floor(ax + (bx - ax) * share), floor(ay + (by - ay) * share)
        if 0 <= x < width and 0 <= y < height and flags[terrain[y, x]]:
            return True
    return False
