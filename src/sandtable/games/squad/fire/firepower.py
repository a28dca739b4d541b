"""Firepower and dice roll modifiers of a fire attack, item by item (3.2.2, 3.2.3, 3.5, 4.1, 4.2, 6.8)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sandtable.engine import Tally
from sandtable.games.squad.cards.tables import ASSAULT_FIRE, COWERING, FP_FACTORS, IFT, IFT_DRM, covered_arc_drm
from sandtable.games.squad.effects.morale import leadership
from sandtable.games.squad.fire.model import FireAttack
from sandtable.games.squad.fire.switches import FireRules
from sandtable.games.squad.fire.thrown import thrown_items, throws_instead
from sandtable.games.squad.ground.cover import also_reached, not_spared, terrain_item
from sandtable.games.squad.ground.doors import barred
from sandtable.games.squad.ground.guns import SHIELD, gun_item
from sandtable.games.squad.ground.knowledge import concealed, under_question
from sandtable.games.squad.ground.map import BLOCKED
from sandtable.games.squad.ground.marks import hurried
from sandtable.games.squad.ground.movers import movement_items, moving_units
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import Setting, setting_of, weapon_kind
from sandtable.games.squad.ground.sight import hindrance_in, los
from sandtable.games.squad.ground.stacks import inexperienced, units_at
from sandtable.games.squad.part import Item
from sandtable.games.squad.pieces.kinds import UnitKind
from sandtable.games.squad.pieces.model import FIRST_FIRE, SquadState, Unit, Weapon

POINT_BLANK = int(FP_FACTORS["point_blank"])


class Share(NamedTuple):
    """What one unit or weapon adds to an attack."""

    firer: str
    source: int
    fp: float
    words: str
    rule: str
    far: bool = False
    """A MG beyond 16 hexes: halved once more against unbroken Infantry (4.1)."""


class Target(NamedTuple):
    """One unit attacked: its column before cowering and its DRM."""

    unit: str
    fp: float
    column: int
    tally: Tally
    hidden: bool = False
    bare: int | None = None
    """The DRM without the gunshield, where that protects it: so its Gun is judged (6.7)."""

    @property
    def drm(self) -> int:
        """What is added to the DR against it."""
        return int(self.tally.total)


class Volley(NamedTuple):
    """A fire attack in figures; the same ones decide, are previewed and are logged."""

    shares: tuple[Share, ...]
    sources: tuple[int, ...]
    targets: tuple[Target, ...]
    fp: Tally
    column: int
    """Column against known targets, before cowering."""
    drm: Tally
    """DRM against the first known target, or against the hex."""
    outside: int
    """Positive DRM from outside the target hex, which lower the Residual FP (3.3.1)."""
    cowering: int
    """Columns that original doubles cost; 0: it cannot cower (3.2.2)."""
    added: float = 0
    """FP of what is thrown along with it, which nothing halves or doubles (A22.6)."""


# -- firepower --------------------------------------------------------------------------


def _scaled(fp: float, factors: Sequence[tuple[bool, float, str]], added: Iterable[Item] = ()) -> tuple[float, str]:
    """FP after halving and doubling, fractions kept, with the reasons (3.2.2, G12); `added`: factors of parts."""
    words = []
    for applies, factor, why in factors:
        if applies:
            fp *= factor
            words.append(f"{'×2' if factor == 2 else '½'} {why}")
    for why, factor, rule in added:
        fp *= factor
        words.append(f"{'½' if factor == 0.5 else f'×{factor:g}'} {why} ({rule})")
    return fp, ", ".join(words)


def _part_factors(
    setting: Setting, state: SquadState, unit: Unit, weapon: Weapon | None, target: int, mode: str
) -> list[Item]:
    return [item for find in setting.points.factors for item in find(state, unit, weapon, target, mode)]


def _attack_factors(setting: Setting, state: SquadState, attack: FireAttack, name: str) -> list[Item]:
    """What parts make of a firer's FP in an attack as a whole."""
    weapon = state.weapons.get(name)
    unit = state.units[name if weapon is None else weapon.owner]
    return [item for find in setting.points.fire_fp for item in find(state, attack, unit, weapon)]


def unit_share(
    setting: Setting, state: SquadState, unit: Unit, target: int, mode: str, added: Sequence[Item] = ()
) -> Share:
    """The FP that a squad, half-squad or crew fires itself (3.2.2, 3.5); `added`: factors of the attack."""
    kind = setting.kinds[unit.group, unit.kind]
    distance = setting.ground.ranges[unit.at][target]
    halved = hurried(setting, unit, mode)
    fp, words = _scaled(
        kind.fp,
        (
            (distance == 1, POINT_BLANK, "Point Blank Fire"),
            (distance > kind.range, FP_FACTORS["long_range"], "long range"),
            (halved, FP_FACTORS["afph"], "Advancing Fire"),
            (unit.pinned, FP_FACTORS["pinned"], "pinned"),
            (unit.marker >= FIRST_FIRE, FP_FACTORS["first_fire"], "fired before"),
        ),
        [*_part_factors(setting, state, unit, None, target, mode), *added],
    )
    rule = "3.2.2"
    if mode == "advancing" and distance <= kind.range and assault_fires(setting, kind, waited=not halved):
        fp = math.ceil(fp + ASSAULT_FIRE)
        words, rule = f"{words}, +1 Assault Fire".removeprefix(", "), "3.5"
    return Share(unit.id, unit.at, fp, words, rule)


def assault_fires(setting: Setting, kind: UnitKind, *, waited: bool = False) -> bool:
    """Whether a squad has Assault Fire (3.5), also when it has waited to fire (A7.25, A7.36)."""
    rules = setting.rules.of(FireRules)
    if waited and not rules.assault_fire_after_waiting:
        return False
    return kind.assault_fire and kind.squad and rules.assault_fire


def weapon_share(
    setting: Setting,
    state: SquadState,
    weapon: Weapon,
    target: int,
    mode: str,
    helped: bool,
    added: Sequence[Item] = (),
) -> Share:
    """The FP of a machine gun, a flamethrower or a Gun that uses its IFE (4.1, 4.2, 6.8, G34).

    `helped`: a second leader serves the machine gun of a leader (4.1); `added`: factors of the attack.
    """
    owner = state.units[weapon.owner]
    kind = weapon_kind(weapon)
    distance = setting.ground.ranges[owner.at][target]
    flames = kind.flamethrower
    his = setting.kinds[owner.group, owner.kind]
    alone = his.smc and not his.fires and not helped and not flames
    fp, words = _scaled(
        kind.fp,
        (
            (distance == 1 and not flames, POINT_BLANK, "Point Blank Fire"),
            (distance > kind.range, FP_FACTORS["long_range"], "long range"),
            (hurried(setting, owner, mode) and not flames, FP_FACTORS["afph"], "Advancing Fire"),
            (owner.pinned, FP_FACTORS["pinned"], "pinned"),
            (weapon.marker >= FIRST_FIRE, FP_FACTORS["first_fire"], "fired before"),
            (alone, 0.5, "one leader alone"),
        ),
        [*_part_factors(setting, state, owner, weapon, target, mode), *added],
    )
    limit = setting.rules.of(FireRules).mg_range_limit
    rule = "4.2" if flames else "6.8" if kind.gun else "4.1"
    return Share(weapon.id, owner.at, fp, words, rule, far=bool(limit) and distance > limit and not flames)


def firing_units(state: SquadState, attack: FireAttack) -> list[str]:
    """Units that fire, themselves or with a weapon; directing leaders aside."""
    owners = [state.weapons[name].owner for name in attack.weapons]
    return list(dict.fromkeys([*attack.units, *owners]))


def shares_of(state: SquadState, attack: FireAttack) -> tuple[Share, ...]:
    """What each firer adds; leaders among the units serve a leader's machine gun (4.1)."""
    setting = setting_of(state)
    shares = []
    crews = set()
    whole = bool(setting.points.fire_fp)
    added: Sequence[Item]
    for name in attack.units:
        unit = state.units[name]
        if attack.thrower and throws_instead(state, attack, name):
            shares.append(Share(name, unit.at, 0, "throws instead of firing", "4.0"))
        elif setting.kinds[unit.group, unit.kind].fires:
            added = _attack_factors(setting, state, attack, name) if whole else ()
            shares.append(unit_share(setting, state, unit, attack.target, attack.mode, added))
        else:
            crews.add(unit.at)
    for name in attack.weapons:
        weapon = state.weapons[name]
        helped = state.units[weapon.owner].at in crews
        added = _attack_factors(setting, state, attack, name) if whole else ()
        shares.append(weapon_share(setting, state, weapon, attack.target, attack.mode, helped, added))
    return tuple(shares)


def total_fp(shares: Sequence[Share], *, broken: bool = False, area: bool = False) -> float:
    """The FP of an attack against a unit; one not wholly known is fired at as Area Fire (4.1, 6.4)."""
    fp = sum([share.fp * 0.5 if share.far and not broken else share.fp for share in shares])
    return fp * 0.5 if area else fp


# -- who is attacked ----------------------------------------------------------------------


def victims_of(state: SquadState, target: int, mode: str) -> list[Unit]:
    """Movers in Defensive First Fire, otherwise all units in the hex, in a Melee of both sides (3.2, 3.3.1, 3.8)."""
    if mode == "first":
        return [state.units[name] for name in moving_units(state) if state.units[name].at == target]
    return units_at(state, target)


# -- modifiers --------------------------------------------------------------------------


def arc_change(state: SquadState, weapon: Weapon, target: int) -> tuple[int, int]:
    """Hexspines by which a Gun must turn to have a hex in its Covered Arc, and its facing then (3.2.4)."""
    if weapon.facing < 0:
        return 0, weapon.facing
    ground = setting_of(state).ground
    at = state.units[weapon.owner].at
    for steps in range(4):
        for facing in ((weapon.facing + steps) % 6, (weapon.facing - steps) % 6):
            if ground.in_arc(at, facing, target):
                return steps, facing
    return 0, weapon.facing


def _common_items(state: SquadState, attack: FireAttack, hindrance: int) -> list[Item]:
    """Modifiers of the firers: direction, exhaustion, a Gun's turn, and what hinders the line (3.2.2, 3.3)."""
    setting = setting_of(state)
    items: list[Item] = []
    flames = is_flamethrower(state, attack)
    if attack.leaders and not flames:
        drms = {name: leadership(state, state.units[name]) for name in attack.leaders}
        worst = max(drms, key=lambda name: drms[name])
        items.append((f"leader {short(state, worst)}", drms[worst], "3.2.2"))
        items += _foreign_item(setting, state, attack)
    firing = {*attack.units, *attack.leaders, *(state.weapons[name].owner for name in attack.weapons)}
    if any(state.units[name].cx for name in firing):
        items.append(("CX", IFT_DRM["cx"].value or 0, "3.3"))
    for name in attack.weapons:
        weapon = state.weapons[name]
        if weapon_kind(weapon).gun:
            turns = arc_change(state, weapon, attack.target)[0]
            cover = setting.ground.cover[state.units[weapon.owner].at]
            mount = bool(getattr(weapon_kind(weapon).counter, "mount_360", False))
            items.append(("Covered Arc", covered_arc_drm(turns, mount_360=mount, woods_or_building=cover), "3.2.4"))
    if hindrance:
        items.append(("Hindrance", hindrance, "3.2.1"))
    return items


def _foreign_item(setting: Setting, state: SquadState, attack: FireAttack) -> list[Item]:
    """A special rule may make it harder to direct troops of another nationality."""
    firing = dict.fromkeys([*attack.units, *(state.weapons[name].owner for name in attack.weapons)])
    drm = max(
        [setting.foreign_drm(state.units[leader], state.units[name]) for leader in attack.leaders for name in firing]
    )
    return [("leader of another nationality", drm, "SSR")] if drm else []


def target_items(
    state: SquadState, sources: Sequence[int], unit: Unit | None, target: int, hindrance: int, *, flames: bool = False
) -> list[Item]:
    """Modifiers of one target: terrain, Gun, flamethrower carried, movement; the worst line counts (3.2.3, G9, G18)."""
    items: list[Item] = []
    if not flames:
        best = max((terrain_item(state, source, target, unit) for source in sources), key=lambda item: item[1])
        if unit is not None and unit.weapons:
            gun = gun_item(state, sources, unit)
            if gun is not None and gun[1] >= best[1]:
                best = gun
        items.append(best)
    if unit is None:
        return items
    items += carried_item(state, unit)
    return items + _movement_line(state, sources, unit, hindrance)


def _movement_line(state: SquadState, sources: Sequence[int], unit: Unit, hindrance: int) -> list[Item]:
    """Modifiers of a unit that moves; the line worst for the attack counts (3.3.1)."""
    lines = [movement_items(state, source, unit, hindrance) for source in sources]
    return max(lines, key=lambda line: sum([item[1] for item in line]))


def carried_item(state: SquadState, unit: Unit) -> list[Item]:
    """Whoever possesses a flamethrower is easier to hurt (4.2)."""
    carried = sum([weapon_kind(state.weapons[name]).flamethrower for name in unit.weapons])
    return [("carries a flamethrower", carried * (IFT_DRM["flamethrower"].value or 0), "4.2")] if carried else []


def is_flamethrower(state: SquadState, attack: FireAttack) -> bool:
    """Whether it is the attack of a flamethrower, which always attacks alone (4.2)."""
    return any(weapon_kind(state.weapons[name]).flamethrower for name in attack.weapons)


def _cowers(setting: Setting, unit: Unit) -> bool:
    """Whether a double could make a MMC cower (3.2.2)."""
    if not setting.kinds[unit.group, unit.kind].cowers:
        return False
    return not unit.marks or barred(setting, unit, "cower") is None


def cowering_columns(state: SquadState, attack: FireAttack) -> int:
    """Columns lost on original doubles: one, two with an Inexperienced MMC; 0 if it cannot cower (3.2.2, 5.4)."""
    setting = setting_of(state)
    if attack.leaders or not setting.rules.of(FireRules).cowering:
        return 0
    if any(weapon_kind(state.weapons[name]).gun for name in attack.weapons):
        return 0
    firing = dict.fromkeys([*attack.units, *(state.weapons[name].owner for name in attack.weapons)])
    squads = [unit for name in firing if setting.kinds[(unit := state.units[name]).group, unit.kind].mmc]
    if not any(_cowers(setting, unit) for unit in squads):
        return 0
    return COWERING[any(inexperienced(state, unit) for unit in squads)]


def volley(state: SquadState, attack: FireAttack) -> Volley:
    """All figures of a fire attack (3.2.2, 3.2.3)."""
    shares = shares_of(state, attack)
    sources = tuple(dict.fromkeys([share.source for share in shares]))
    target = attack.target
    hindrance = max([0 if (line := los(state, source, target)) == BLOCKED else line for source in sources])
    common = _common_items(state, attack, hindrance)
    setting = setting_of(state)
    added = setting.points.fire
    flames = is_flamethrower(state, attack)
    thrown = thrown_items(state, attack)
    extra = sum([item[1] for item in thrown])
    title = f"DRM at {setting.ground.names[target]}"
    targets = []
    victims = victims_of(state, target, attack.mode)
    if setting.points.reaches and attack.mode != "first":
        victims += also_reached(state, target, sources)
    if setting.points.spares:
        victims = not_spared(state, victims, target, sources, "flames" if flames else "small arms")
    for unit in victims:
        area = concealed(state, unit)
        fp = total_fp(shares, broken=unit.broken, area=area) + extra
        items = [*target_items(state, sources, unit, target, hindrance, flames=flames), *common]
        items += [line for lines in added for line in lines(state, attack, unit)]
        tally = Tally.of(title, items)
        unshielded = None
        if items and items[0][0] == SHIELD:
            cover = max(terrain_item(state, source, target, unit)[1] for source in sources)
            unshielded = int(tally.total - items[0][1] + cover)
        targets.append(Target(unit.id, fp, IFT.column(fp), tally, area, unshielded))
    first = next((item for item in targets if not item.hidden), None)
    drm = first.tally if first is not None else None
    if drm is None:
        bare = [*target_items(state, sources, None, target, hindrance, flames=flames), *common]
        unsure = [unit for unit in victims if under_question(state, unit)]
        if unsure:  # how a concealed unit moves is there for everybody to see
            bare += _movement_line(state, sources, unsure[0], hindrance)
        drm = Tally.of(title, [*bare, *[line for lines in added for line in lines(state, attack, None)]])
    return Volley(
        shares=shares,
        sources=sources,
        targets=tuple(targets),
        fp=_fp_tally(state, shares, state.units[first.unit] if first is not None else None, thrown),
        column=first.column if first is not None else IFT.column(total_fp(shares, area=True) + extra),
        drm=drm,
        outside=sum([max(0, int(value)) for _, value, _ in common]) - min(hindrance, hindrance_in(state, target)),
        cowering=cowering_columns(state, attack),
        added=extra,
    )


def _fp_tally(state: SquadState, shares: Sequence[Share], seen: Unit | None, thrown: Sequence[Item]) -> Tally:
    """The firepower against the first known target, a line for each firer with its factors, then what is thrown."""
    lines = []
    for share in shares:
        fp, words = share.fp, share.words
        if share.far and not (seen is not None and seen.broken):
            fp, words = fp / 2, f"{words}, ½ beyond 16 hexes"
        if seen is None and fp:
            fp, words = fp / 2, f"{words}, ½ no known target"
        words = words.removeprefix(", ")
        lines.append((short(state, share.firer) + (f" ({words})" if words else ""), fp, share.rule))
    return Tally.of("Firepower", [*lines, *thrown])
