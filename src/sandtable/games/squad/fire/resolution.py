"""A fire attack from the dice to the markers: cowering, breakdown, Rate of Fire, Residual FP (3.2.2 to 4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from sandtable.engine import Play, Tally
from sandtable.games.squad.cards.tables import IFT, residual_firepower
from sandtable.games.squad.effects.aftermath import Attack, carry_out
from sandtable.games.squad.effects.morale import Loss, apply_check, check_order, leader_loss, leadership
from sandtable.games.squad.effects.results import Impact, lose_weapon, malfunction, random_selection, threatens
from sandtable.games.squad.fire.announcing import announce, announce_other, differing, title_of
from sandtable.games.squad.fire.firepower import (
    Target,
    Volley,
    arc_change,
    carried_item,
    firing_units,
    total_fp,
    volley,
)
from sandtable.games.squad.fire.mandatory import free_firers, keeps_rate, line_key, note_attack
from sandtable.games.squad.fire.model import FireAttack, LineBlocked, RateKept, ResidualAttack
from sandtable.games.squad.fire.switches import FireRules
from sandtable.games.squad.fire.throwing import THROWN
from sandtable.games.squad.fire.thrown import checked_throw, settle_throw, thrown_as_it_fell
from sandtable.games.squad.ground.counters import residual_in
from sandtable.games.squad.ground.doors import rolled, settled
from sandtable.games.squad.ground.guns import lose_acquisitions
from sandtable.games.squad.ground.knowledge import concealed
from sandtable.games.squad.ground.map import BLOCKED
from sandtable.games.squad.ground.marks import hurried
from sandtable.games.squad.ground.movers import leave_residual, moving_units, note_shot, residual_items
from sandtable.games.squad.ground.setting import setting_of, weapon_kind
from sandtable.games.squad.ground.sight import los
from sandtable.games.squad.ground.stacks import (
    captured,
    come_out,
    inexperienced,
    name_of,
    update,
    update_weapon,
)
from sandtable.games.squad.part import Roll
from sandtable.games.squad.pieces.model import (
    FINAL_FIRE,
    FIRST_FIRE,
    NO_MARKER,
    PREP_FIRE,
    ResidualMet,
    SquadState,
    Unit,
    Weapon,
)

MOST = 12
NO_DICE: tuple[int, ...] = (6, 1)
"""Stands for the dice of an attack that rolls none: nothing breaks down or keeps its Rate of Fire by them."""
NOBODY_FIRES = Volley((), (), (), Tally.of("Firepower", []), 0, Tally.of("", []), 0, 0)


def fire_attack(play: Play[SquadState], attack: FireAttack) -> None:
    """Resolve a fire attack whose lines of sight are clear (3.2.2, 3.2.3)."""
    state = play.state
    _come_out(play, attack)
    attack = checked_throw(play, attack)
    attacks = attack.by_location()
    volleys = [volley(state, one) for one in attacks]
    figures = volleys[0]
    if attack.thrower and not figures.fp.total:
        _after_shot(play, attack, NO_DICE, 0)
        return
    for name in attack.weapons:
        _turn(play, state.weapons[name], attack.target)
    firing = firing_units(state, attack)
    again = [name for name in firing if uses_final_protective_fire(state, attack, name)]
    dice = play.roll(6, 2, title_of(state, attack), by=attack.side, tally=figures.drm)
    roll = rolled(play, Roll("fire", attack.side, dice, tuple(firing), attack.target))
    original = roll.original
    left = thrown_as_it_fell(play, attack, dice[0])
    if left != attack:
        figures = volley(state, left) if firing_units(state, left) else NOBODY_FIRES
        attacks, volleys = (left,), [figures]
    cowered = figures.cowering if dice[0] == dice[1] else 0
    impacts = [[fire_impact(target, original, cowered) for target in one.targets] for one in volleys]
    if figures.shares:
        announce(play, left, figures, original, cowered, impacts[0])
    if len(volleys) > 1:
        announce_other(play, attacks[1], volleys, original, cowered, impacts[1])

    def firers(play: Play[SquadState]) -> None:
        idle = _after_shot(play, attack, dice, cowered)
        if attack.mode == "first":
            for one, its in zip(attacks, volleys, strict=True):
                _leave_residual(play, one.target, its, cowered, idle, area=one is not attacks[0])
        settle_throw(play, attack, dice[0])

    def protective(play: Play[SquadState]) -> None:
        if again:
            _protective_check(play, attack, again, dice)

    for one, its, hit in zip(attacks, volleys, impacts, strict=True):  # one after the other (ruling Z-5)
        endangered = [t.unit for t in its.targets if threatens(t.column, t.drm, cowers=its.cowering)]
        here = roll._replace(at=one.target)
        if one is attacks[-1]:
            met = Attack(hit, at=one.target, roll=here, endangered=endangered, firers=firers, protective=protective)
        else:
            met = Attack(hit, at=one.target, roll=here, endangered=endangered, more=True)
        carry_out(play, met)


def forfeit_fire(play: Play[SquadState], attack: FireAttack) -> None:
    """Lines of sight proved blocked: these firers have fired all the same, with possible breakdown (3.2.1)."""
    state = play.state
    _come_out(play, attack)
    for source in dict.fromkeys([state.units[name].at for name in firing_units(state, attack)]):
        here = [name for name in (*attack.units, *attack.weapons) if _place(state, name) == source]
        where = name_of(state, source)
        play.emit(LineBlocked(firers=tuple(here), frm=where, at=name_of(state, attack.target)))
    dice = NO_DICE
    if attack.weapons and setting_of(state).rules.of(FireRules).breakdown:
        dice = play.roll(6, 2, "breakdown after a blocked line of sight", by=attack.side)
    _after_shot(play, attack, dice, 0)


def blocked_sources(state: SquadState, attack: FireAttack) -> list[int]:
    """Hexes of an attack from which the target cannot be seen (3.2.1)."""
    sources = dict.fromkeys([state.units[name].at for name in firing_units(state, attack)])
    cells = [one.target for one in attack.by_location()]
    return [source for source in sources if any([los(state, source, cell) == BLOCKED for cell in cells])]


def part_of(state: SquadState, attack: FireAttack, sources: Iterable[int]) -> FireAttack:
    """The part of an attack that comes from some of its hexes."""
    kept = set(sources)
    return replace(
        attack,
        units=tuple([name for name in attack.units if _place(state, name) in kept]),
        weapons=tuple([name for name in attack.weapons if _place(state, name) in kept]),
        leaders=tuple([name for name in attack.leaders if _place(state, name) in kept]),
        thrower=attack.thrower if attack.thrower and _place(state, attack.thrower) in kept else "",
    )


def _place(state: SquadState, name: str) -> int:
    weapon = state.weapons.get(name)
    return state.units[weapon.owner if weapon is not None else name].at


def _come_out(play: Play[SquadState], attack: FireAttack) -> None:
    """A hidden Gun or crew that fires loses HIP (6.4)."""
    for name in firing_units(play.state, attack):
        come_out(play, play.state.units[name], "fires")
    for name in attack.leaders:
        come_out(play, play.state.units[name], "directs")


def _turn(play: Play[SquadState], weapon: Weapon, target: int) -> None:
    """A Gun turns its Covered Arc to the target and loses what it had acquired by using its IFE (3.2.4, 6.8)."""
    if not weapon_kind(weapon).gun:
        return
    steps, facing = arc_change(play.state, weapon, target)
    lose_acquisitions(play, play.state.units[weapon.owner])
    update_weapon(play, play.state.weapons[weapon.id], facing=facing, turned=weapon.turned + steps)


def fire_impact(target: Target, original: int, cowered: int) -> Impact:
    """The result against one target of an original DR, after cowering (3.2.2, 3.2.3)."""
    column = IFT.shift(target.column, cowered) if cowered else target.column
    result = IFT.result(column, original + target.drm)
    bare = target.bare
    if bare is None:
        return Impact(target.unit, result, column, target.drm)
    saved = result.kind != "KIA" and IFT.result(column, original + bare).kind == "KIA"
    return Impact(target.unit, result, column, target.drm, gun_drm=bare, saved=saved)


# -- after the shot -----------------------------------------------------------------------


def breakdown_number(state: SquadState, weapon: Weapon) -> tuple[int, bool]:
    """B# or X# of a weapon in its owner's hands, and whether it is lowered (4.0, 4.1, 4.2, 5.4, 5.5, 6.12)."""
    setting = setting_of(state)
    owner = state.units[weapon.owner]
    kind, his = weapon_kind(weapon), setting.kinds[owner.group, owner.kind]
    lowered = 0
    if captured(state, weapon):
        lowered += 2
    if his.mmc and inexperienced(state, owner):
        lowered += 1
    if kind.flamethrower:
        lowered += 0 if his.elite else 2
    elif weapon.marker >= FIRST_FIRE:
        lowered += 2
    if kind.gun and not his.crew:
        lowered += 2
    for lines in setting.points.breakdown:
        lowered -= int(sum([item[1] for item in lines(state, weapon)]))
    return (kind.removal or kind.breakdown) - lowered, lowered > 0


def rate_of_fire(state: SquadState, weapon: Weapon) -> int:
    """ROF of a weapon in its owner's hands: captured, IFE, Non-Qualified use and turning lower it (1.2.4.1, 3.2.4)."""
    owner = state.units[weapon.owner]
    kind = weapon_kind(weapon)
    rate = kind.rof - int(captured(state, weapon))
    if kind.gun:
        crew = setting_of(state).kinds[owner.group, owner.kind].crew
        turned = weapon.turned > 0 and not getattr(kind.counter, "mount_360", False)
        rate -= 1 + int(not crew) + int(turned)
    return rate


def _after_shot(play: Play[SquadState], attack: FireAttack, dice: Sequence[int], cowered: int) -> list[str]:
    """Breakdown, Rate of Fire and fire markers; returns the weapons that leave no Residual FP (3.2.5, 3.3.1, 3.4)."""
    state = play.state
    idle: list[str] = []
    rated: list[str] = []
    owners = firing_units(state, attack)
    groups = _groups(state, attack)
    free = free_firers(state, attack.units, attack.weapons, attack.target, attack.mode)
    rate_shot = not attack.units and all(name in free for name in attack.weapons)
    again = [name for name in owners if _fires_again(state, attack, name)]
    lively = [name for name in attack.weapons if not cowered and may_keep_rate(state, attack, state.weapons[name])]
    for name in attack.weapons:
        weapon = state.weapons[name]
        owner = state.units[weapon.owner]
        if name not in owner.used:
            update(play, owner, used=(*owner.used, name))
        kept = name in lively and dice[0] <= rate_of_fire(state, weapon)
        marker = _marker(attack.mode, weapon.marker, cowered)
        update_weapon(play, weapon, marker=weapon.marker if kept else marker, shots=weapon.shots + 1)
        failed = _breaks_down(play, state.weapons[name], weapon, sum(dice))
        if kept and not failed:
            play.emit(RateKept(weapon=name, at=name_of(state, owner.at)))
        if kept or failed:
            idle.append(name)
        if kept:
            rated.append(name)
        if attack.mode == "first":
            note_shot(state, name)
    for name in attack.units:
        unit = state.units[name]
        used = unit.used if setting_of(state).kinds[unit.group, unit.kind].fires else (*unit.used, *attack.weapons)
        update(play, unit, marker=_marker(attack.mode, unit.marker, cowered), used=used)
        lose_acquisitions(play, unit)
        if attack.mode == "first":
            note_shot(state, name)
    if attack.thrower:
        thrower = state.units[attack.thrower]
        update(play, thrower, used=(*thrower.used, THROWN))
    for name in owners:
        _mark_owner(play, attack, name, cowered=cowered, again=name in again)
    for name in attack.leaders:
        leader = state.units[name]
        directed = _directed(state, leader, attack, rate_shot=rate_shot)
        update(play, leader, marker=_marker(attack.mode, leader.marker, 0), directed=directed)
    state.fire_begun = True
    for one in attack.by_location():  # both bind the rest of the firers' Locations (ruling Z-3)
        for source, names in groups.items():
            note_attack(state, line_key(source, one.target), names, kept=rated, free=free)
    return idle


def _groups(state: SquadState, attack: FireAttack) -> dict[int, list[str]]:
    """The units and machine guns that fire as a group, by hex; flamethrowers and Guns fire alone (4.2, 6.8)."""
    found: dict[int, list[str]] = {}
    for name in (*attack.units, *attack.weapons):
        if name in attack.units or weapon_kind(state.weapons[name]).mg:
            found.setdefault(_place(state, name), []).append(name)
    return found


def _directed(state: SquadState, leader: Unit, attack: FireAttack, *, rate_shot: bool) -> tuple[str, ...]:
    """Whose fire a leader may direct again: that of one unit or group, and rate shots beside it (1.2.1, 3.4)."""
    firers = (*attack.units, *attack.weapons)
    if setting_of(state).rules.of(FireRules).direct_members:
        return tuple(dict.fromkeys([*leader.directed, *firers, *firing_units(state, attack)]))
    return leader.directed if leader.directed and rate_shot else firers


def _marker(mode: str, before: int, cowered: int) -> int:
    """The counter that a firer bears after it has fired (3.2.5, 3.3.1, 3.4)."""
    if mode in ("prep", "advancing"):
        return PREP_FIRE
    now = FINAL_FIRE if mode == "final" or before >= FIRST_FIRE or cowered else FIRST_FIRE
    return max(before, now)


def _fires_again(state: SquadState, attack: FireAttack, name: str) -> bool:
    """Whether a unit, or a weapon it fires, bears a First or Final Fire counter (3.3.1)."""
    if name in attack.units and state.units[name].marker >= FIRST_FIRE:
        return True
    fired = [weapon for weapon in state.units[name].weapons if weapon in attack.weapons]
    return any(state.weapons[weapon].marker >= FIRST_FIRE for weapon in fired)


def uses_final_protective_fire(state: SquadState, attack: FireAttack, name: str) -> bool:
    """Whether a unit uses Final Protective Fire (3.3.1)."""
    if attack.mode != "first":
        return False
    if name in attack.units and state.units[name].marker >= FINAL_FIRE:
        return True
    fired = [weapon for weapon in state.units[name].weapons if weapon in attack.weapons]
    return any(state.weapons[weapon].marker >= FINAL_FIRE for weapon in fired)


def _mark_owner(play: Play[SquadState], attack: FireAttack, name: str, *, cowered: int, again: bool) -> None:
    """Cowering and Subsequent First Fire mark the unit, the latter with all its weapons (3.2.2, 3.3.1)."""
    state = play.state
    unit = state.units[name]
    fires = setting_of(state).kinds[unit.group, unit.kind].fires
    if cowered or not fires:
        unit = update(play, unit, marker=_marker(attack.mode, unit.marker, cowered))
    if fires and unit.marker >= FINAL_FIRE:
        _end_rates(play, unit, FINAL_FIRE if attack.mode == "final" else FIRST_FIRE)
    if again and attack.mode == "first":
        update(play, unit, marker=max(unit.marker, FINAL_FIRE))
        for weapon in unit.weapons:
            if state.weapons[weapon].marker < FINAL_FIRE:
                update_weapon(play, state.weapons[weapon], marker=FINAL_FIRE)


def _end_rates(play: Play[SquadState], unit: Unit, marker: int) -> None:
    """A Final Fire counter on its crew ends the Rate of Fire that a machine gun had kept (1.2.4.1)."""
    for name in unit.weapons:
        weapon = play.state.weapons[name]
        if keeps_rate(weapon) and weapon_kind(weapon).mg:
            update_weapon(play, weapon, marker=marker)


def may_keep_rate(state: SquadState, attack: FireAttack, weapon: Weapon) -> bool:
    """Whether a weapon could keep its Rate of Fire in this attack (1.2.4.1)."""
    setting = setting_of(state)
    owner = state.units[weapon.owner]
    if hurried(setting, owner, attack.mode) or attack.forgo or not setting.rules.of(FireRules).rate_of_fire:
        return False
    if owner.pinned or weapon.marker != NO_MARKER:
        return False
    if setting.kinds[owner.group, owner.kind].fires:
        # in the DFPh a unit that fires along is given a Final Fire counter by the same attack
        fires_along = attack.mode == "final" and owner.id in attack.units
        if fires_along or owner.marker >= FINAL_FIRE:
            return False
    return not _fires_again(state, attack, owner.id)


def _breaks_down(play: Play[SquadState], weapon: Weapon, before: Weapon, original: int) -> bool:
    """An original DR of the B# or more malfunctions a weapon, of the X# removes it (4.1, 4.2, 6.8, 6.12)."""
    if not setting_of(play.state).rules.of(FireRules).breakdown:
        return False
    number, lowered = breakdown_number(play.state, before)
    if original < number:
        return False
    kind = weapon_kind(weapon)
    if kind.removal or (kind.gun and lowered and original == 12):
        lose_weapon(play, weapon)
    else:
        malfunction(play, weapon)
    return True


# -- Defensive First Fire -----------------------------------------------------------------


def residual_left(figures: Volley, cowered: int, idle: Iterable[str], *, reduced: bool, area: bool = False) -> int:
    """Residual FP of an attack: half its column, without weapons that broke down or keep their ROF (3.3.1, G21).

    `area`: nobody is attacked in the Location, which the fire only covers.
    """
    without = set(idle)
    fp = total_fp([share for share in figures.shares if share.firer not in without], area=area) + figures.added
    column = IFT.column(fp)
    left = residual_firepower(IFT.shift(column, cowered) if cowered else column)
    if reduced and figures.outside and left:
        left = IFT.shift(IFT.column(left), figures.outside)
    return left


def _leave_residual(
    play: Play[SquadState], cell: int, figures: Volley, cowered: int, idle: Iterable[str], *, area: bool
) -> None:
    reduced = setting_of(play.state).rules.of(FireRules).residual_reduced
    fp = residual_left(figures, cowered, idle, reduced=reduced, area=area)
    if fp:
        leave_residual(play, cell, fp)


def _protective_check(play: Play[SquadState], attack: FireAttack, again: list[str], dice: tuple[int, ...]) -> None:
    """Final Protective Fire: the original DR with leadership is a NMC of its firers and their leaders (3.3.1)."""
    state, original = play.state, sum(dice)
    drm = max([leadership(state, state.units[name]) for name in attack.leaders], default=0)
    losses: list[Loss] = []
    units = [state.units[name] for name in (*attack.leaders, *again) if name in state.units]
    reduced = units
    if original == MOST and setting_of(state).rules.of(FireRules).protective_12_reduces_one:
        reduced = random_selection(play, units, "Final Protective Fire")
    for unit in check_order(setting_of(state), units):
        final = original if unit.id in attack.leaders else original + drm
        seen = original if unit in reduced else MOST - 1
        apply_check(play, state.units[unit.id], seen, final, what="NMC of Final Protective Fire", losses=losses)
    leader_loss(play, losses)
    settled(play, Roll("protective", attack.side, dice, tuple([unit.id for unit in units])))


def residual_attack(play: Play[SquadState], cell: int) -> None:
    """Residual FP attacks units that spend MF in its hex, again only under worse conditions (3.3.1).

    The MF also open the hex anew to fire by groups (Mandatory Fire Group, 2).
    """
    state = play.state
    state.fired_along.clear()
    state.left_out.clear()
    fp = residual_in(state, cell)
    moving = state.moving
    if not fp or moving is None:
        return
    column = IFT.column(fp)
    title = f"Residual FP in {name_of(state, cell)}"
    tallies, told = {}, {}
    for name in moving_units(state):
        unit = state.units[name]
        plain = residual_items(state, unit)
        tallies[name] = Tally.of(title, [*plain, *carried_item(state, unit)])
        told[name] = Tally.of(title, plain) if concealed(state, unit) else tallies[name]
    attacked = []
    movers = []
    larger = setting_of(state).rules.of(FireRules).residual_again_if_larger
    for mover in moving.movers:
        if mover.id in tallies:
            drm = int(tallies[mover.id].total)
            before = [met for met in mover.residual if met.at == cell]
            if all(drm < met.drm or (larger and fp > met.fp) for met in before):
                attacked.append(mover.id)
                others = [met for met in mover.residual if met.at != cell]
                mover = replace(mover, residual=(*others, ResidualMet(cell, drm, fp)))
        movers.append(mover)
    if not attacked:
        return
    state.moving = replace(moving, movers=tuple(movers))
    open_ones = [name for name in attacked if not concealed(state, state.units[name])]
    tally = told[(open_ones or attacked)[0]]
    roll = rolled(play, Roll("residual", "", play.roll(6, 2, title, tally=tally), at=cell))
    original = roll.original
    drms = {name: int(tallies[name].total) for name in attacked}
    impacts = [Impact(name, IFT.result(column, original + drm), column, drm) for name, drm in drms.items()]
    final = original + int(tally.total)
    play.emit(
        ResidualAttack(
            at=name_of(state, cell),
            fp=fp,
            dr=final,
            result=str(IFT.result(column, final)),
            others=differing(impacts, column, int(tally.total), set(attacked) - set(open_ones)),
        )
    )
    endangered = [name for name, drm in drms.items() if threatens(column, drm)]
    carry_out(play, Attack(impacts, at=cell, roll=roll, endangered=endangered))
