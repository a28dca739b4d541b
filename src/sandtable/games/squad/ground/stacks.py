"""Where units and weapons are: placing, moving and removing them, stacking, and who stands near whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.squad.cards.charts import figures
from sandtable.games.squad.ground.doors import averted, befallen
from sandtable.games.squad.ground.knowledge import concealed, hidden, known_units
from sandtable.games.squad.ground.setting import ground_of, setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.switches import GroundRules
from sandtable.games.squad.ground.worth import worth
from sandtable.games.squad.pieces.events import Dropped, Eliminated, HiddenHex, MadeDesperate, MeleeEnded, Revealed
from sandtable.games.squad.pieces.model import OFF_MAP, Gone, SquadState, Unit, Weapon

STACK_SQUADS, STACK_LEADERS = 2 * int(figures("stacking")["squads"]), int(figures("stacking")["smc"])
"""Three squads, in half-squads, and four leaders a side in a hex (3.3)."""


def units_at(state: SquadState, cell: int, side: str | None = None) -> list[Unit]:
    """Units in a hex, of one side or of both."""
    units = state.units
    names = state.stacks.get(cell, ())
    if side is None:
        return [units[name] for name in names]
    return [unit for name in names if (unit := units[name]).side == side]


def sharing_room(state: SquadState, cell: int, side: str | None = None) -> list[Unit]:
    """Units in a Location and in the one that shares its room, such as the lip of a gully."""
    twins = ground_of(state).twins
    found = units_at(state, cell, side)
    return found + units_at(state, twins[cell], side) if cell in twins else found


def name_of(state: SquadState, cell: int) -> str:
    """Name of a hex, empty off the map."""
    return ground_of(state).names[cell] if cell >= 0 else ""


def cells_of(state: SquadState, unit: Unit) -> tuple[str, ...]:
    """The hex of a unit that begins something; none off the map, whose first hex is told by the step into it.

    Alone it may not be able to enter: it may carry too much.
    """
    return (name_of(state, unit.at),) if unit.at >= 0 else ()


def update(play: Play[SquadState], unit: Unit, **changes: object) -> Unit:
    """Replace a unit by a changed one that stays where it is."""
    new = replace(unit, **changes)
    play.state.units[unit.id] = new
    return new


def update_weapon(play: Play[SquadState], weapon: Weapon, **changes: object) -> Weapon:
    """Replace a weapon by a changed one; possession and place are changed by other functions."""
    new = replace(weapon, **changes)
    play.state.weapons[weapon.id] = new
    return new


# -- placing ----------------------------------------------------------------------------


def _take(state: SquadState, cell: int, name: str) -> None:
    rest = tuple([other for other in state.stacks[cell] if other != name])
    if rest:
        state.stacks[cell] = rest
    else:
        del state.stacks[cell]


def put(state: SquadState, unit: Unit, cell: int) -> Unit:
    """Put a unit into a Location, or off the map; its weapons go with it, and it is within nothing any more."""
    if unit.at >= 0:
        _take(state, unit.at, unit.id)
    if cell >= 0:
        state.stacks[cell] = (*state.stacks.get(cell, ()), unit.id)
    new = replace(unit, at=cell, beside=OFF_MAP, within="") if cell >= 0 else replace(unit, at=cell)
    state.units[unit.id] = new
    return new


def weapon_at(state: SquadState, weapon: Weapon) -> int:
    """The hex of a weapon."""
    return state.units[weapon.owner].at if weapon.owner else weapon.at


def give(state: SquadState, weapon: Weapon, owner: str) -> Weapon:
    """Give a weapon to a unit; a former owner loses it."""
    _release(state, weapon)
    unit = state.units[owner]
    state.units[owner] = replace(unit, weapons=(*unit.weapons, weapon.id))
    acquired = None if weapon.owner else weapon.acquired
    new = replace(state.weapons[weapon.id], owner=owner, at=OFF_MAP, acquired=acquired)
    state.weapons[weapon.id] = new
    return new


def _release(state: SquadState, weapon: Weapon) -> None:
    if weapon.owner:
        unit = state.units[weapon.owner]
        state.units[unit.id] = replace(unit, weapons=tuple([w for w in unit.weapons if w != weapon.id]))
    elif weapon.at >= 0:
        rest = tuple([other for other in state.loose[weapon.at] if other != weapon.id])
        if rest:
            state.loose[weapon.at] = rest
        else:
            del state.loose[weapon.at]


def drop(play: Play[SquadState], weapon: Weapon) -> Weapon:
    """Leave a weapon unpossessed in its owner's hex (4.0)."""
    state = play.state
    owner = state.units[weapon.owner]
    if owner.concealed:
        come_out(play, owner, "drops a weapon")
    _release(state, weapon)
    new = replace(weapon, owner="", at=owner.at, acquired=None)
    state.weapons[weapon.id] = new
    if owner.at >= 0:
        state.loose[owner.at] = (*state.loose.get(owner.at, ()), weapon.id)
        play.emit(Dropped(unit=owner.id, weapon=weapon.id, at=name_of(state, owner.at)))
    return new


def destroy_weapon(play: Play[SquadState], weapon: Weapon) -> None:
    """Remove a weapon from play."""
    state = play.state
    _release(state, weapon)
    del state.weapons[weapon.id]
    state.gone[weapon.id] = Gone(weapon.id, weapon.side, weapon.kind, "destroyed", weapon.group)
    _has_left(play)


def _has_left(play: Play[SquadState]) -> None:
    """A piece has left play: rules that wait for that go on."""
    for hook in setting_of(play.state).points.left:
        hook(play)


# -- leaving ----------------------------------------------------------------------------


def eliminate(play: Play[SquadState], unit: Unit, why: str = "", *, holds_melee: bool = False) -> None:
    """Remove a unit; its weapons stay behind unpossessed (4.0).

    `holds_melee`: whoever carries out the attack ends the Melee himself, after all its effects (ruling F-19).
    """
    state = play.state
    unit = state.units[unit.id]
    if averted(play, "eliminate", unit, why):
        return
    unit = come_out(play, unit, "eliminated")
    for name in unit.weapons:
        drop(play, state.weapons[name])
    where = name_of(state, unit.at)
    if unit.at >= 0:
        _take(state, unit.at, unit.id)
    unit = state.units.pop(unit.id)
    points = worth(state, unit)
    state.gone[unit.id] = Gone(unit.id, unit.side, unit.kind, "eliminated", unit.group, points)
    play.emit(Eliminated(unit=unit.id, at=where, why=why, side=unit.side))
    if unit.melee and not holds_melee:
        release_melee(play, unit.at)
    befallen(play, "eliminate", unit, why)
    _has_left(play)


def release_melee(play: Play[SquadState], cell: int) -> None:
    """Melee ends as soon as one side has left the hex or no unbroken unit remains (3.8)."""
    state = play.state
    units = units_at(state, cell)
    if len({unit.side for unit in units}) == 2:
        needed = setting_of(state).rules.of(GroundRules).melee_needs_unbroken
        if not needed or not all([unit.broken for unit in units]):
            return
    held = [unit for unit in units if unit.melee]
    for unit in held:
        state.units[unit.id] = replace(unit, melee=False)
    if held:
        play.emit(MeleeEnded(at=name_of(state, cell)))


def leave_map(play: Play[SquadState], unit: Unit, how: str) -> int:
    """Take a unit and its weapons out of play (exited, or eliminated off board); returns its victory points."""
    state = play.state
    unit = state.units[unit.id]
    for name in unit.weapons:
        weapon = state.weapons.pop(name)
        state.gone[name] = Gone(name, weapon.side, weapon.kind, how, weapon.group)
    if unit.at >= 0:
        _take(state, unit.at, unit.id)
    del state.units[unit.id]
    points = worth(state, unit)
    state.gone[unit.id] = Gone(unit.id, unit.side, unit.kind, how, unit.group, points)
    return points


def new_id(state: SquadState, like: str) -> str:
    """An id for a unit made in play, after the unit it comes from."""
    base = like.partition("+")[0]
    unit = state.units[like]
    if unit.concealed or unit.hip:  # a number that others would miss tells that something has happened here
        return next(name for number in count(1) if not _known(state, name := f"{base}+{number}"))
    while True:
        state.serial += 1
        name = f"{base}+{state.serial}"
        if not _known(state, name):
            return name


def fresh_id(state: SquadState, letter: str) -> str:
    """An id that no piece of the match has or has had, for one that comes from nowhere."""
    while True:
        state.serial += 1
        name = f"{letter}{state.serial}"
        if not _known(state, name):
            return name


def _known(state: SquadState, name: str) -> bool:
    return name in state.units or name in state.weapons or name in state.gone


def reveal(play: Play[SquadState], unit: Unit, why: str = "") -> Unit:
    """A hidden unit and its Gun are put on the map (6.4)."""
    state = play.state
    new = update(play, unit, hip=False)
    gun = ""
    for name in unit.weapons:
        weapon = state.weapons[name]
        if hidden(weapon):
            gun = name
            state.weapons[name] = replace(weapon, hip=False)
    play.emit(Revealed(unit=unit.id, weapon=gun, at=name_of(state, unit.at), why=why))
    # broken enemies beside it see that it is there (3.2.3)
    mark_dm_near(play, unit.at, unit.side)
    return new


def come_out(play: Play[SquadState], unit: Unit, why: str) -> Unit:
    """A unit does or suffers what nobody does unseen; if it is still hidden after the parts' say, it is revealed (6.4).

    A Dummy may be gone then.
    """
    state = play.state
    for hook in setting_of(state).points.comes_out:
        done = hook(play, unit, why)
        unit = state.units.get(unit.id, unit)
        if done or unit.id not in state.units:
            return unit
    return reveal(play, unit, why) if hidden(unit) else unit


def find_hidden(play: Play[SquadState], cell: int, side: str) -> None:
    """A side has come upon enemies who hide in a hex: they are revealed (6.4)."""
    for unit in units_at(play.state, cell):
        if unit.side != side and hidden(unit):
            come_out(play, unit, "found")


def met(play: Play[SquadState], cell: int, side: str, names: tuple[str, ...]) -> str:
    """Units of a side run into enemies whom they did not know: `back`, `spent` or `on`, see `part.Meets` (6.4)."""
    twins = ground_of(play.state).twins
    if cell in twins and all([unit.side == side for unit in units_at(play.state, cell)]):
        cell = twins[cell]
    for hook in setting_of(play.state).points.meets:
        outcome: str = hook(play, cell, side, names)
        if outcome:
            return outcome
    play.emit(HiddenHex(units=names, at=name_of(play.state, cell)))
    find_hidden(play, cell, side)
    return "back"


# -- stacking and neighbours ------------------------------------------------------------


def stacking_of(state: SquadState, units: Iterable[Unit]) -> tuple[int, int]:
    """Stacking of units: size in half-squads, and leaders; whoever mans a Gun counts as a squad (3.3)."""
    size = leaders = 0
    setting = setting_of(state)
    others = setting.points.stacks
    for unit in units:
        if others and (counted := next((found for count in others if (found := count(state, unit))), None)):
            size, leaders = size + counted[0], leaders + counted[1]
            continue
        kind = setting.kinds[unit.group, unit.kind]
        if kind.mmc:
            mans = (
                kind.size == 1 and unit.weapons and any([weapon_kind(state.weapons[name]).gun for name in unit.weapons])
            )
            size += 2 if mans else kind.size
        elif kind.smc:
            leaders += 1
    return size, leaders


def fits(state: SquadState, cell: int, side: str, units: Iterable[Unit]) -> bool:
    """Whether units may join those of their side in a hex within the stacking limits (3.3)."""
    joined = list(units)
    moving = [unit.id for unit in joined]
    pieces = state.units
    for name in state.stacks.get(cell, ()):
        if name not in moving and (unit := pieces[name]).side == side:
            joined.append(unit)
    twins = ground_of(state).twins
    if cell in twins:
        joined += [unit for unit in units_at(state, twins[cell], side) if unit.id not in moving]
    size, leaders = stacking_of(state, joined)
    return size <= STACK_SQUADS and leaders <= STACK_LEADERS


def fits_beside(state: SquadState, cell: int, units: Sequence[Unit]) -> bool:
    """Whether units may join those of their side off board beside an edge hex (3.3, ruling M-1)."""
    moving = {unit.id for unit in units}
    side = units[0].side
    present = [u for u in state.units.values() if u.at < 0 and u.beside == cell and u.side == side]
    size, leaders = stacking_of(state, [*[u for u in present if u.id not in moving], *units])
    return size <= STACK_SQUADS and leaders <= STACK_LEADERS


def has_enemy(state: SquadState, cell: int, side: str, *, known: bool = True) -> bool:
    """Whether an enemy of the side is in a hex; `known` leaves hidden ones out."""
    units = state.units
    for name in state.stacks.get(cell, ()):
        unit = units[name]
        if unit.side != side and not (known and concealed(state, unit)):
            return True
    twins = ground_of(state).twins
    if twins and cell in twins:
        return any([u.side != side and not (known and concealed(state, u)) for u in sharing_room(state, cell)])
    return False


def adjacent_enemies(state: SquadState, cell: int, side: str) -> Iterator[Unit]:
    """Known enemy units in the six hexes around one, with a line of sight to it."""
    ground = ground_of(state)
    units, stacks = state.units, state.stacks
    for other in ground.beside[cell]:
        for name in stacks.get(other, ()):
            unit = units[name]
            if unit.side != side and not concealed(state, unit):
                yield unit


def mark_dm_near(play: Play[SquadState], cell: int, side: str) -> None:
    """Units of a side have come to a hex, or are known there now: broken enemies beside it fall under DM (3.2.3)."""
    state = play.state
    ground, stacks, units = ground_of(state), state.stacks, state.units
    near = [
        (unit, other)
        for other in ground.beside[cell]
        if other in stacks
        for name in stacks[other]
        if (unit := units[name]).broken and not unit.dm and unit.side != side
    ]
    if near and known_units(state, units_at(state, cell, side)):
        for unit, other in near:
            units[unit.id] = replace(unit, dm=True)
            play.emit(MadeDesperate(unit=unit.id, at=ground.names[other]))


def inexperienced(state: SquadState, unit: Unit) -> bool:
    """Conscripts, and Green MMC without a Good Order leader in their hex; a counter on a unit may say so too (5.4)."""
    kind = unit_kind(state, unit)
    if kind.conscript or (unit.marks and _marked_inexperienced(state, unit)):
        return True
    if not kind.green:
        return False
    for other in _companions(state, unit):
        if other.good_order and other.id != unit.id and unit_kind(state, other).leads:
            return False
    return True


def _marked_inexperienced(state: SquadState, unit: Unit) -> bool:
    marks = setting_of(state).points.marks
    return any([name in marks and marks[name].inexperienced for name in unit.marks])


def _companions(state: SquadState, unit: Unit) -> list[Unit]:
    """Units of its side in the hex of a unit, or at the same place off board."""
    if unit.at >= 0:
        return units_at(state, unit.at, unit.side)
    return [other for other in state.units.values() if other.side == unit.side and other.beside == unit.beside >= 0]


def captured(state: SquadState, weapon: Weapon) -> bool:
    """Whether a weapon was the enemy's, or is of a nationality that fights only for the enemy (5.5)."""
    if not weapon.owner:
        return False
    side = state.units[weapon.owner].side
    if weapon.side != side:
        return True
    setting = setting_of(state)
    nation = weapon.kind.partition(" ")[0]
    return nation in setting.nations_of(setting.others[side]) and nation not in setting.nations_of(side)
