"""To Hit numbers, columns and dice roll modifiers of an ordnance shot, item by item (3.2.4, 4.4, 4.5, 6)."""

from __future__ import annotations

from typing import NamedTuple

from sandtable.engine import Tally
from sandtable.games.squad.cards.tables import (
    IFT,
    TO_HIT,
    TO_HIT_DRM,
    GunRow,
    ToHitNumber,
    ap_column,
    covered_arc_drm,
    gun_figures,
    heat_column,
    target_size_drm,
)
from sandtable.games.squad.effects.morale import leadership
from sandtable.games.squad.ground.cover import also_reached, not_spared, terrain_item
from sandtable.games.squad.ground.guns import (
    acquisition,
    counter_of,
    emplacement_item,
    manned_gun,
    range_limits,
    turns_between,
)
from sandtable.games.squad.ground.knowledge import concealed
from sandtable.games.squad.ground.map import BLOCKED
from sandtable.games.squad.ground.marks import hurried
from sandtable.games.squad.ground.movers import movement_items, moving_units
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import rules_of, setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.sight import hindrance_in, los
from sandtable.games.squad.ground.stacks import captured, inexperienced, units_at
from sandtable.games.squad.ordnance.switches import OrdnanceRules
from sandtable.games.squad.part import Item
from sandtable.games.squad.pieces.counters import Gun, SpecialAmmo, SupportWeapon
from sandtable.games.squad.pieces.model import FINAL_FIRE, NO_MARKER, SquadState, Unit, Weapon

ITT, ATT, OWN_TABLE = "ITT", "ATT", "LATW"
SMOKES = ("s", "WP")
SMOKE_RANGE = int(gun_figures("drm")["smoke_range"])
"""Smoke is helped up to this range (3.2.4, case 7)."""
STIELGRANATE_RANGE, STIELGRANATE_NUMBER = 9, 11
"""The muzzle-loaded HEAT round of the 3.7cm Flak: To Hit 11 less the range, up to nine hexes."""
RED_NATIONS = tuple(gun_figures("red_numbers")["nations"])
AMERICAN_BLACK = str(gun_figures("red_numbers")["american_black_from"])
LOWERED = {
    use: -int(gun_figures("breakdown")[use]) for use in ("captured", "non_qualified", "intensive_fire", "inexperienced")
}
"""How much the use of a weapon lowers its B# (6.12)."""
UNCHARTED = ToHitNumber(7)
"""To Hit number of light mortars that the chart leaves out."""


class OrdnanceShot(NamedTuple):
    """A shot as it is declared."""

    side: str
    mode: str
    """prep, first, final or advancing."""
    weapon: str
    target: int
    target_type: str
    ammo: str = "HE"
    facing: int = -1
    backblast: str = ""
    leader: str = ""
    forgo: bool = False
    """Rate of Fire is given up for Residual FP (card, Rate of Fire)."""


class Aimed(NamedTuple):
    """One target of a shot with its To Hit modifiers."""

    unit: str
    tally: Tally
    hidden: bool = False

    @property
    def drm(self) -> int:
        """What is added to the To Hit DR against it."""
        return int(self.tally.total)


class ToHit(NamedTuple):
    """A shot in figures; the same ones decide, are previewed and are logged."""

    number: ToHitNumber
    red: bool
    distance: int
    hex: Tally
    """Modifiers against the hex, where no enemy is known in it."""
    targets: tuple[Aimed, ...]
    column: int
    critical: int
    """IFT column of a Critical Hit (6.1)."""
    scaled: str
    """What parts have changed about the columns, empty: nothing."""
    breakdown: int
    lowered: bool
    """The B# is lowered: an original 12 removes the weapon (6.12)."""
    rate: int
    """ROF, 0: none (1.2.4.1)."""
    intensive: bool
    outside: int
    """Positive DRM from outside the target hex, which lower the Residual FP (3.3.1)."""
    depletion: int
    """Depletion Number, 0: the ammunition is no Special Ammo (6.2)."""

    def hits(self, aimed: Aimed, original: int) -> bool:
        """Whether an original To Hit DR hits a target (3.2.4)."""
        return original + aimed.drm <= self.number.number

    def is_critical(self, aimed: Aimed, original: int) -> bool:
        """Whether a hit is a Critical Hit: by the chart's number, otherwise an original 2 (6.1)."""
        if not self.hits(aimed, original):
            return False
        if self.number.critical:
            return original + aimed.drm <= self.number.critical
        return original == 2

    @property
    def known(self) -> tuple[Aimed, ...]:
        """Targets that the firer knows of."""
        return tuple([aimed for aimed in self.targets if not aimed.hidden])

    @property
    def tally(self) -> Tally:
        """Modifiers against the first known target, or against the hex."""
        known = self.known
        return known[0].tally if known else self.hex


# -- numbers ----------------------------------------------------------------------------


def special_ammo(state: SquadState, weapon: Weapon, ammo: str) -> SpecialAmmo | None:
    """The line of a weapon's Special Ammo that is to be had on the scenario's date (6.2)."""
    date = setting_of(state).date
    for item in weapon_kind(weapon).counter.ammo:
        if item.kind == ammo and item.available(date):
            return item
    return None


def non_qualified(state: SquadState, weapon: Weapon) -> bool:
    """Whether a Gun is manned by a squad or half-squad (3.2.4)."""
    return weapon_kind(weapon).gun and not unit_kind(state, state.units[weapon.owner]).crew


def uses_red(state: SquadState, weapon: Weapon, target_type: str) -> bool:
    """Whether a shot uses the red To Hit numbers (3.2.4, 5.4, 5.5)."""
    if target_type == ATT:
        return True
    nation = weapon.kind.partition(" ")[0]
    if nation in RED_NATIONS or (nation == "american" and setting_of(state).date < AMERICAN_BLACK):
        return True
    owner = state.units[weapon.owner]
    return non_qualified(state, weapon) or captured(state, weapon) or inexperienced(state, owner)


def is_stielgranate(weapon: Weapon, ammo: str) -> bool:
    """Whether the shot is the muzzle-loaded HEAT round of the 3.7cm Flak (Chapter H note)."""
    return ammo == "H" and weapon_kind(weapon).caliber == 37


def chart_row(counter: SupportWeapon | Gun) -> GunRow | None:
    """The line of the To Hit Chart for a weapon, or None for one that has none."""
    own = counter.line if isinstance(counter, Gun) else None
    return own or TO_HIT.get(counter.chart or "")


def to_hit_number(
    state: SquadState, weapon: Weapon, target_type: str, distance: int, *, ammo: str = "HE", red: bool = False
) -> ToHitNumber | None:
    """The To Hit number of a weapon at a range, or None where it cannot hit (3.2.4, 4.4, 6.9)."""
    kind = weapon_kind(weapon)
    counter = kind.counter
    if not isinstance(counter, Gun) and kind.latw:
        numbers = counter.to_hit_numbers
        return ToHitNumber(numbers[distance]) if distance < len(numbers) else None
    low, high = range_limits(state, weapon)
    if distance < low or (high is not None and distance > high):
        return None
    if is_stielgranate(weapon, ammo):
        return ToHitNumber(STIELGRANATE_NUMBER - distance) if distance <= STIELGRANATE_RANGE else None
    row = chart_row(counter)
    if row is None:
        return UNCHARTED
    return row.to_hit("ITT" if target_type == ITT else "ATT", distance, red=red)


def hit_columns(weapon: Weapon, target_type: str, ammo: str) -> tuple[int, int]:
    """IFT columns of a hit and of a Critical Hit (3.2.4, 4.4.1, 6.1, 6.2)."""
    kind = weapon_kind(weapon)
    counter = kind.counter
    if not isinstance(counter, Gun):
        if kind.latw:
            return IFT.column(kind.fp), IFT.column(2 * kind.fp)
        full = IFT.column_of_caliber(kind.caliber)
        return counter.att_fp or IFT.column(full / 2), counter.ch_fp or IFT.column(2 * full)
    row = chart_row(counter)
    assert row is not None, f"{counter.name} has no line on the To Hit Chart"
    if ammo == "AP":
        return ap_column(kind.caliber), row.ch_fp
    if ammo == "H":
        return heat_column(kind.caliber), row.ch_fp
    return (row.itt_fp or 0) if target_type == ITT else row.att_fp, row.ch_fp


def breakdown_of(state: SquadState, weapon: Weapon, *, intensive: bool) -> tuple[int, bool]:
    """The B# or X# of an ordnance weapon in its owner's hands, and whether it is lowered (4.0, 5.4, 5.5, 6.12)."""
    kind = weapon_kind(weapon)
    owner = state.units[weapon.owner]
    lowered = LOWERED["captured"] * int(captured(state, weapon)) + LOWERED["intensive_fire"] * int(intensive)
    lowered += LOWERED["non_qualified"] * int(non_qualified(state, weapon))
    if unit_kind(state, owner).mmc and inexperienced(state, owner):
        lowered += LOWERED["inexperienced"]
    for lines in setting_of(state).points.breakdown:
        lowered -= int(sum([item[1] for item in lines(state, weapon)]))
    return (kind.removal or kind.breakdown) - lowered, lowered > 0


def rate_of(state: SquadState, weapon: Weapon, shot: OrdnanceShot, *, turned: bool) -> int:
    """ROF for a shot: lowered by a CA change, captured and Non-Qualified use; lost in other cases (1.2.4.1, 3.2.4)."""
    kind = weapon_kind(weapon)
    owner = state.units[weapon.owner]
    if not kind.rof or hurried(setting_of(state), owner, shot.mode) or owner.pinned or weapon.marker != NO_MARKER:
        return 0
    if owner.marker >= FINAL_FIRE and shot.mode in ("first", "final"):
        return 0
    if kind.latw or (shot.target_type == ATT and not kind.mortar):
        return 0
    if not kind.gun and unit_kind(state, owner).smc:
        return 0
    rate = kind.rof - int(captured(state, weapon)) - int(non_qualified(state, weapon))
    if kind.gun and (turned or weapon.turned) and not counter_of(weapon).mount_360:
        rate -= 0 if kind.mortar and 76 <= kind.caliber <= 82 else 1
    return max(rate - int(is_stielgranate(weapon, shot.ammo)), 0)


# -- modifiers --------------------------------------------------------------------------


def _drm(name: str) -> Item:
    """A To Hit modifier of the card with its fixed value."""
    found = TO_HIT_DRM[name]
    return found.what, found.value or 0, found.rule


def firer_items(state: SquadState, weapon: Weapon, shot: OrdnanceShot, *, intensive: bool) -> list[Item]:
    """Firer Based To Hit DRM, cases 1 to 10 of the card (3.2.4)."""
    ground = setting_of(state).ground
    kind = weapon_kind(weapon)
    owner = state.units[weapon.owner]
    items: list[Item] = []
    if hurried(setting_of(state), owner, shot.mode):
        items.append(_drm("afph"))
    if owner.pinned:
        items.append(_drm("pinned"))
    if non_qualified(state, weapon):
        items.append(_drm("non_qualified"))
    if captured(state, weapon):
        items.append(_drm("captured"))
    leader = state.units.get(shot.leader)
    if owner.cx or (leader is not None and leader.cx):
        items.append(_drm("cx"))
    if leader is not None and not unit_kind(state, owner).smc:
        items.append((f"leader {short(state, leader)}", leadership(state, leader), "4.5" if kind.mortar else "4.4.1"))
        foreign = setting_of(state).foreign_drm(leader, owner)
        if foreign:
            items.append(("leader of another nationality", foreign, "SSR"))
    if shot.ammo in SMOKES and ground.ranges[owner.at][shot.target] <= SMOKE_RANGE:
        items.append(_drm("smoke"))
    if kind.gun and shot.facing >= 0 and shot.facing != weapon.facing:
        steps = turns_between(weapon.facing, shot.facing)
        cover = ground.cover[owner.at]
        value = covered_arc_drm(steps, mount_360=counter_of(weapon).mount_360, woods_or_building=cover)
        items.append((f"Covered Arc changed by {steps}", value, "3.2.4"))
    if intensive:
        items.append(_drm("intensive_fire"))
    if shot.backblast == "avoided":
        items.append(_drm("backblast"))
    return items


def cover_item(state: SquadState, source: int, target: int, unit: Unit | None, *, mortar: bool) -> Item:
    """The TEM of a target: of the terrain, or the Emplacement of its Gun if that is better (1.1.1, 6.3)."""
    terrain = terrain_item(state, source, target, unit, mortar=mortar)
    dug_in = emplacement_item(state, unit) if unit is not None else None
    return dug_in if dug_in is not None and dug_in[1] > terrain[1] else terrain


def target_items(
    state: SquadState, weapon: Weapon, shot: OrdnanceShot, unit: Unit | None, hindrance: int
) -> list[Item]:
    """Target Based To Hit DRM, cases 11 to 18 of the card (3.2.4)."""
    source = state.units[weapon.owner].at
    kind = weapon_kind(weapon)
    items: list[Item] = []
    if shot.target_type != ATT:
        items.append(cover_item(state, source, shot.target, unit, mortar=kind.mortar))
    if hindrance:
        items.append(("Hindrance", hindrance, "3.2.1"))
    if unit is not None:
        items += movement_items(state, source, unit, hindrance, mortar=kind.mortar)
    if not kind.latw:
        held = acquisition(state, weapon, shot.target, unit.id if unit is not None else "")
        if held:
            items.append(("Acquired Target", held, "6.10"))
    gun = manned_gun(state, unit) if unit is not None and unit.weapons else None
    if gun is not None:
        size = counter_of(gun).size
        items.append(
            (
                f"{size} target",
                target_size_drm(size, as_printed=rules_of(state).of(OrdnanceRules).card_target_size),
                "6.7",
            )
        )
    if shot.ammo not in SMOKES and (unit is None or concealed(state, unit)):
        items.append(_drm("area_fire"))
    return items + [line for lines in setting_of(state).points.to_hit for line in lines(state, shot, unit)]


# -- the whole shot ---------------------------------------------------------------------


def _columns_there(state: SquadState, weapon: Weapon, shot: OrdnanceShot) -> tuple[int, int, str]:
    """The columns of a hit and a Critical Hit in a Location, and what parts change about them there."""
    column, critical = hit_columns(weapon, shot.target_type, shot.ammo)
    bursts = setting_of(state).points.bursts
    found = [item for find in bursts for item in find(state, weapon, shot.target, shot.ammo)]
    for _, factor, _ in found:
        column, critical = IFT.column(factor * column), IFT.column(factor * critical)
    return column, critical, "".join([f", {why} ({rule})" for why, _, rule in found])


def shot_victims(state: SquadState, shot: OrdnanceShot) -> list[Unit]:
    """Units that a shot could hit: movers in Defensive First Fire, otherwise all in the hex (3.2.4, 3.8).

    HEAT harms only Infantry in buildings and those who man a Gun (4.4, 6.2); Smoke is aimed at the hex itself.
    """
    if shot.ammo == "s":
        return []
    if shot.mode == "first":
        found = [state.units[name] for name in moving_units(state) if state.units[name].at == shot.target]
    else:
        found = units_at(state, shot.target)
        if setting_of(state).points.reaches:
            found += also_reached(state, shot.target, (state.units[state.weapons[shot.weapon].owner].at,))
    if (shot.target_type == OWN_TABLE or shot.ammo == "H") and not setting_of(state).ground.in_building[shot.target]:
        found = [unit for unit in found if manned_gun(state, unit) is not None]
    if setting_of(state).points.spares:
        weapon = state.weapons[shot.weapon]
        indirect = weapon_kind(weapon).mortar or shot.target_type == ATT
        source = state.units[weapon.owner].at
        return not_spared(state, found, shot.target, (source,), "indirect" if indirect else "direct")
    return found


def to_hit(state: SquadState, shot: OrdnanceShot) -> ToHit:
    """All figures of a shot (3.2.4)."""
    weapon = state.weapons[shot.weapon]
    source = state.units[weapon.owner].at
    distance = setting_of(state).ground.ranges[source][shot.target]
    red = uses_red(state, weapon, shot.target_type)
    number = to_hit_number(state, weapon, shot.target_type, distance, ammo=shot.ammo, red=red)
    assert number is not None
    intensive = weapon.marker != NO_MARKER
    line = los(state, source, shot.target)
    hindrance = 0 if line == BLOCKED else line
    firer = firer_items(state, weapon, shot, intensive=intensive)
    title = f"To Hit {number.number} ({shot.target_type}, {'red' if red else 'black'} number, range {distance})"
    if shot.target_type == OWN_TABLE:
        title = f"To Hit {number.number} (range {distance})"
    column, critical, scaled = _columns_there(state, weapon, shot)
    breakdown, lowered = breakdown_of(state, weapon, intensive=intensive)
    special = special_ammo(state, weapon, shot.ammo)
    turned = shot.facing >= 0 and shot.facing != weapon.facing
    return ToHit(
        number=number,
        red=red,
        distance=distance,
        hex=Tally.of(title, [*firer, *target_items(state, weapon, shot, None, hindrance)]),
        targets=tuple(
            [
                Aimed(
                    unit.id,
                    Tally.of(title, [*firer, *target_items(state, weapon, shot, unit, hindrance)]),
                    concealed(state, unit),
                )
                for unit in shot_victims(state, shot)
            ]
        ),
        column=column,
        critical=critical,
        scaled=scaled,
        breakdown=breakdown,
        lowered=lowered,
        rate=0 if shot.forgo or intensive else rate_of(state, weapon, shot, turned=turned),
        intensive=intensive,
        outside=sum([max(0, int(value)) for _, value, _ in firer])
        + max(hindrance - hindrance_in(state, shot.target), 0),
        depletion=special.number if special is not None else 0,
    )
