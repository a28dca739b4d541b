"""Fire Commands A3a and A3d: whom the ENEMY fires at, with which firers (S8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play
from sandtable.games.asl.molotovs.model import ThrowMolotov
from sandtable.games.asl.spraying import SprayAt
from sandtable.games.sasl.activation import ladder_case
from sandtable.games.sasl.command import panicked
from sandtable.games.sasl.dice import best, rolled, say
from sandtable.games.sasl.enemy import facts, spraying
from sandtable.games.sasl.enemy.hitting import best_shot, fires_area, hard_to_hit
from sandtable.games.sasl.model import ENEMY, FIRE, ORDERS, VOLLEYS, Order, Volley
from sandtable.games.sasl.partisan import is_partisan
from sandtable.games.sasl.readings import reading
from sandtable.games.sasl.rolled import rolled_in
from sandtable.games.sasl.tables import general
from sandtable.games.sasl.tables.general import Command
from sandtable.games.squad.effects.morale import leadership
from sandtable.games.squad.fire.eligibility import firer_of, targets_of
from sandtable.games.squad.fire.model import (
    AddDirector,
    AddFirer,
    AimAt,
    CancelFire,
    FireDraft,
    ResolveFire,
    StartFire,
)
from sandtable.games.squad.ground.cover import terrain_item
from sandtable.games.squad.ground.movers import moving_units
from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.movement.model import Pass, Reaction
from sandtable.games.squad.ordnance.model import OrdnanceDraft, Shoot, StartShot
from sandtable.games.squad.ordnance.shots import known_targets
from sandtable.games.squad.ordnance.tohit import SMOKES
from sandtable.games.squad.pieces.model import NO_MARKER, SquadState, Unit

Sieve = Callable[[int], float]


def sieves(state: SquadState, source: int, units: Sequence[Unit]) -> dict[str, Sieve]:
    """The keys by which Targets are compared, smallest first (A3)."""
    setting = setting_of(state)
    ranges = setting.ground.ranges[source]
    near = facts.normal_range(state, units)

    def there(cell: int) -> list[Unit]:
        return facts.foes_at(state, cell)

    def seen(cell: int) -> list[Unit]:
        return facts.known(state, there(cell))

    def smc(some: list[Unit]) -> int:
        return sum(unit_kind(state, unit).smc for unit in some)

    def weapons(some: list[Unit]) -> int:
        return sum(len(unit.weapons) for unit in some)

    def support(some: list[Unit]) -> int:
        return sum(not weapon_kind(state.weapons[name]).gun for unit in some for name in unit.weapons)

    def tem(cell: int) -> int:
        found: Sequence[Unit | None] = there(cell) or (None,)
        return min([int(terrain_item(state, source, cell, unit)[1]) for unit in found])

    return {
        "closest": lambda cell: ranges[cell],
        "least TEM": tem,
        "easiest to hit": tem,
        "most Targets": lambda cell: -len(there(cell)),
        "most Infantry counters": lambda cell: -len(there(cell)),
        "most counters": lambda cell: -len(there(cell)) - weapons(there(cell)),
        "most Known": lambda cell: -len(seen(cell)),
        "most SW": lambda cell: -support(there(cell)),
        "most SW and Guns": lambda cell: -weapons(there(cell)),
        "most Weapons": lambda cell: -weapons(there(cell)),
        "most Known Weapons": lambda cell: -weapons(seen(cell)),
        "most Known ATW": lambda cell: (
            -sum(weapon_kind(state.weapons[name]).latw for unit in seen(cell) for name in unit.weapons)
        ),
        "most SMC": lambda cell: -smc(there(cell)),
        "most Known SMC": lambda cell: -smc(seen(cell)),
        "most Good Order": lambda cell: -sum(unit.good_order and not panicked(state, unit.id) for unit in there(cell)),
        "Known": lambda cell: not seen(cell),
        "concealed": lambda cell: len(seen(cell)) == len(there(cell)),
        "in VPO": lambda cell: not facts.in_objective(state, cell),
        "in a building": lambda cell: not setting.ground.in_building[cell],
        "unbroken": lambda cell: all(unit.broken for unit in there(cell)),
        "within normal range": lambda cell: ranges[cell] > near,
        "within long range": lambda cell: ranges[cell] > 2 * near,
    }


SAID = {
    "most Known": "most Known units",
    "most Good Order": "most Good Order units",
    "Known": "Known units",
    "concealed": "concealed units",
    "unbroken": "unbroken units",
    "in VPO": "in a VPO",
}
"""Sieves as the log says them, where the words of the table are too short."""
MUST = ("Known", "concealed", "in VPO", "in a building", "unbroken", "within normal range")
"""Sieves that say what a Target must be, where `when` has asked for it."""


def holds(state: SquadState, when: str, cells: Sequence[int], keys: dict[str, Sieve]) -> bool:
    """Whether the condition of a Fire Command holds."""
    if not when:
        return True
    if when == spraying.POSSIBLE:
        return "sprayed" in keys and any(not keys["sprayed"](cell) for cell in cells)
    if when in ("PRC Target", "Vehicular Target"):
        return False
    wanted = [name for name in MUST if name.lower().removeprefix("in a ") in when.lower().replace("a vpo", "vpo")]
    return any(all(not keys[name](cell) for name in wanted) for cell in cells)


def command_rows(
    table: str, roll: int, state: SquadState, cells: Sequence[int], keys: dict[str, Sieve]
) -> list[Command]:
    """The lines of a fire table that a DR calls for: all with the first condition that holds."""
    rows = [row for row in general.fire_commands(table) if row.low <= roll <= row.high]
    for row in rows:
        if holds(state, row.when, cells, keys):
            if row.at and row.at[0].startswith(f"{table} "):
                return command_rows(table, int(row.at[0].split()[1]), state, cells, keys)
            return [other for other in rows if other.when == row.when]
    return []


def choose(play: Play[SquadState], row: Command, cells: Sequence[int], keys: dict[str, Sieve]) -> tuple[int, list[str]]:
    """The Target of a Fire Command: each sieve in turn keeps the best, the last tie is random."""
    names = [name for name in row.at if name in keys]
    return best(play, cells, [(name, keys[name]) for name in names], "Target")


def fire_location(play: Play[SquadState], cell: int, legal: Sequence[Action], mode: str) -> bool:
    """Roll the Fire Commands of a Location's units, heroes too, and note the volleys (S8, S8.4); False: no Target."""
    state = play.state
    here = [unit for unit in (state.units[name] for name in state.stacks.get(cell, ())) if unit.side == ENEMY]
    own = {unit.id for unit in here} | {name for unit in here for name in unit.weapons}
    starts = [action.firer for action in legal if isinstance(action, StartFire) and action.firer in own]
    shots = [action.weapon for action in legal if isinstance(action, StartShot) and action.weapon in own]
    found = False
    for name in shots:  # SW fire before inherent FP (S8.22)
        found = _ordnance_fire(play, cell, name, shot_targets(state, name, mode), mode) or found
    starts = [name for name in starts if not _serves(state, name)]
    if starts:
        reach = {name: targets_of(state, ENEMY, firer_of(state, name), mode) for name in starts}
        firing = sw_first(state, [name for name in starts if reach[name]])
        found = _infantry_fire(play, cell, {name: reach[name] for name in firing}, mode) or found
    return found


def sw_first(state: SquadState, names: Sequence[str]) -> list[str]:
    """Firers without the own FP of who would give it up for a SW; the strongest of his comes first (S8.22, A7.35)."""
    owners = {state.weapons[name].owner for name in names if name in state.weapons}
    givers = {owner for owner in owners if not unit_kind(state, state.units[owner]).squad}
    found = [name for name in names if name not in givers]
    for owner in givers:
        own = [name for name in found if name in state.weapons and state.weapons[name].owner == owner]
        places = [found.index(name) for name in own]
        own.sort(key=lambda name: -weapon_kind(state.weapons[name]).fp)
        for place, name in zip(places, own, strict=True):
            found[place] = name
    return found


def _serves(state: SquadState, name: str) -> bool:
    """Whether a unit that is no squad is about to fire ordnance, so that its own FP is not used (S8.22)."""
    unit = state.units.get(name)
    if unit is None or unit_kind(state, unit).squad:
        return False
    return any(volley.ordnance and volley.firers[0] in unit.weapons for volley in VOLLEYS.of(state))


def shot_targets(state: SquadState, name: str, mode: str) -> list[int]:
    """Locations with FRIENDLY units that ordnance may fire at."""
    cells = known_targets(state, state.weapons[name], mode, [unit.at for unit in facts.foes(state)])
    return list(dict.fromkeys([target for target in cells if may_shoot(state, name, target)]))


def has_target(state: SquadState, legal: Sequence[Action]) -> bool:
    """Whether one of some firers could fire at a FRIENDLY unit in the PFPh: mortars not at one that is too near."""
    for action in legal:
        if isinstance(action, StartShot) and shot_targets(state, action.weapon, "prep"):
            return True
        if isinstance(action, StartFire):
            cells = targets_of(state, ENEMY, firer_of(state, action.firer), "prep")
            if any([facts.foes_at(state, cell) for cell in cells]):
                return True
    return False


def may_shoot(state: SquadState, name: str, target: int) -> bool:
    """Whether the ENEMY fires a Gun at a Location: Intensive Fire only at an ADJACENT one (S8.21)."""
    weapon = state.weapons[name]
    near = setting_of(state).ground.ranges[state.units[weapon.owner].at][target] <= 1
    return near or weapon.marker == NO_MARKER


def _infantry_fire(play: Play[SquadState], cell: int, reach: dict[str, list[int]], mode: str) -> bool:
    """Table A3a for the inherent FP and SW of a Location."""
    state = play.state
    cells = list(dict.fromkeys(c for found in reach.values() for c in found if facts.foes_at(state, c)))
    if not cells:
        return False
    keys = sieves(state, cell, [firer_of(state, name).unit for name in reach])
    pairs = spraying.pairs_of(state, reach, cells, mode)
    defence = spraying.in_defence(state, cell, pairs, mode)
    pairs = defence or spraying.at_closest(state, cell, pairs, cells)
    keys["sprayed"] = lambda target: all(pair.first != target for pair in pairs)
    faces: tuple[int, ...] = ()
    if defence:  # no DR: the rule says how they fire (S6.311)
        rows, rule = spraying.both_halves(), "S6.311"
    else:
        faces = rolled(play, 2, f"Fire Command in {name_of(state, cell)}")
        rows, rule = command_rows("A3a", sum(faces), state, cells, keys), "S8"
    used: set[str] = set()
    sprayed: spraying.Pair | None = None
    for row in rows:
        if row.fire == spraying.SPRAYING:
            sprayed, words = _spray(play, cell, row, pairs, keys)
            words = f"{words}; in self-preservation, without a DR (SA-114)" if defence else words
            say(play, "A3a", row.key, faces, words, rule)
            used |= set(pairs[sprayed])
            volley = Volley(tuple(pairs[sprayed]), sprayed.first, cells=(cell,), also=sprayed.second)
            _note(state, volley, first=False)
            continue
        firers = [name for name in reach if name not in used and _fires(state, row.fire, name)]
        open_cells = [c for c in cells if any(c in reach[name] for name in firers)]
        if not open_cells:
            continue
        target, why = choose(play, row, spraying.not_sprayed(state, open_cells, sprayed), keys)
        firing = tuple([name for name in firers if target in reach[name]])
        used |= set(firing)
        words = _words(state, cell, row, target, why)
        if sprayed is not None and target in sprayed:
            words = f"{words}; with the spraying FP, which then fires at it alone (SA-113)"
        say(play, "A3a", row.key, faces, words, rule)
        _note(state, Volley(firing, target, cells=(cell,)), first=row.fire == "SW")
    return bool(used)


def _spray(
    play: Play[SquadState], cell: int, row: Command, pairs: spraying.Pairs, keys: dict[str, Sieve]
) -> tuple[spraying.Pair, str]:
    """The Targets of Spraying Fire: the first by the sieves, the other one beside it by the same (A3a, SA-112)."""
    state = play.state
    first, why = choose(play, row, list(dict.fromkeys(pair.first for pair in pairs)), keys)
    second, more = choose(play, row, [pair.second for pair in pairs if pair.first == first], keys)
    beside = f"{name_of(state, second)} beside it ({', '.join(more) or 'the only one'})"
    return spraying.Pair(first, second), f"{_words(state, cell, row, first, why)} and {beside}"


def _fires(state: SquadState, what: str, name: str) -> bool:
    """Whether a line of A3a is about this firer: all FP, the inherent FP, or SW."""
    if what == "inherent FP":
        return name in state.units
    return name in state.weapons if what == "SW" else True


def group_up(play: Play[SquadState], legal: Sequence[Action], mode: str) -> None:
    """The volleys just noted take in neighbours: in PFPh, AFPh and Final Fire, not of Partisans (S8.5, S12.211)."""
    state = play.state
    for place, one in enumerate(VOLLEYS.of(state)):
        if one.cells and not any([_partisans(state, name) for name in one.firers]):
            VOLLEYS.of(state)[place] = join_neighbours(play, one, legal, mode)


def _partisans(state: SquadState, name: str) -> bool:
    """Whether a firer, or who serves it, is a Partisan."""
    return is_partisan(state, firer_of(state, name).unit)


def join_neighbours(play: Play[SquadState], volley: Volley, legal: Sequence[Action], mode: str) -> Volley:
    """A fire group takes in ADJACENT Locations that are free to fire and have no leader to lose by it (S8.5, SA-64)."""
    state = play.state
    near = setting_of(state).ground.near
    if reading(state, "fire_groups") == "location":
        return volley
    places = set(volley.cells)
    firers = list(volley.firers)
    for action in legal:
        if not isinstance(action, StartFire) or action.firer in firers:
            continue
        firer = firer_of(state, action.firer)
        beside = any(cell in near[firer.unit.at] for cell in places)
        if firer.alone or not beside or _partisans(state, action.firer) or not _may_group(state, firer.unit.id, mode):
            continue
        if volley.target not in targets_of(state, ENEMY, firer, mode):
            continue
        if volley.also < 0 or spraying.sprays(state, firer, mode, spraying.Pair(volley.target, volley.also)):
            firers.append(action.firer)
            if mode == "prep":
                ORDERS.of(state).setdefault(firer.unit.id, Order(FIRE))
    return replace(volley, firers=tuple(sw_first(state, firers)))


def _may_group(state: SquadState, name: str, mode: str) -> bool:
    """Whether a unit may fire in the group of a neighbour: no leader beside it, no Panic, no other order (S8.5)."""
    if any(unit_kind(state, state.units[other]).smc for other in state.stacks.get(state.units[name].at, ())):
        return False
    if mode != "prep":
        return not panicked(state, name)
    order = ORDERS.of(state).get(name)
    return order is None or order.what == FIRE


def _note(state: SquadState, volley: Volley, *, first: bool) -> None:
    """Fire at the same Target is combined (A3a: combine if necessary); SW alone fire first (S8.22).

    A fire group sprays only if all of it can: with others the spraying FP fires at their Target alone (SA-113).
    """
    volleys = VOLLEYS.of(state)
    for place, other in enumerate(volleys):
        if volley.target in (other.target, other.also) and not other.ordnance and not volley.ordnance:
            volleys[place] = Volley((*other.firers, *volley.firers), volley.target, cells=other.cells)
            return
    ordnance = sum(one.ordnance for one in volleys)
    volleys.insert(ordnance if first else len(volleys), volley)


def _words(state: SquadState, cell: int, row: Command, target: int, why: Sequence[str]) -> str:
    chosen = ", ".join([SAID.get(one, one) for one in why]) or "the only Target"
    return f"{name_of(state, cell)}: {row.fire} at {name_of(state, target)} ({chosen})"


def _ordnance_fire(play: Play[SquadState], cell: int, name: str, cells: Sequence[int], mode: str) -> bool:
    """Table A3d for a Gun, a mortar, light ones too, or LATW (S8.2)."""
    state = play.state
    cells = [target for target in cells if facts.foes_at(state, target)]
    if not cells:
        return False
    keys = sieves(state, cell, [state.units[state.weapons[name].owner]])
    faces = rolled(play, 2, f"Fire Command of the ordnance in {name_of(state, cell)}")
    rows = command_rows("A3d", sum(faces), state, cells, keys)
    area = rows[0].fire == "Area Fire"
    keys["easiest to hit"] = lambda target: hard_to_hit(state, name, target, mode, area=area)
    target, why = choose(play, rows[0], cells, keys)
    words = _words(state, cell, rows[0], target, why)
    if area and not fires_area(state, name, target, mode):
        area, words = False, f"{words}; without HE by the Infantry Target Type (SA-102)"
    say(play, "A3d", rows[0].key, faces, words, "S8")
    VOLLEYS.of(state).append(Volley((name,), target, ordnance=True, area=area))
    return True


def next_volley(state: SquadState, legal: Sequence[Action]) -> Action | None:
    """Start the next attack that a Fire Command has chosen; what can no longer be fired falls away."""
    volleys = VOLLEYS.of(state)
    while volleys:
        volley = volleys[0]
        for name in volley.firers:
            start: Action = StartShot(name) if volley.ordnance else StartFire(name)
            if start in legal:
                return start
        volleys.pop(0)
    return None


# -- drafts ---------------------------------------------------------------------------------


def draft(play: Play[SquadState], frame: FireDraft, legal: Sequence[Action]) -> Action:
    """Put the attack together as the volley says; a leader directs where he can (S8.3)."""
    state = play.state
    volleys = VOLLEYS.of(state)
    volley = volleys[0] if volleys else None
    if frame.target < 0:
        aim = AimAt(volley.target) if volley else None
        if aim is not None and aim in legal:
            return aim
        if volleys:
            volleys.pop(0)
        return CancelFire()
    for name in volley.firers if volley else ():
        if AddFirer(name) in legal:
            return AddFirer(name)
    if volley is not None and volley.also >= 0 and SprayAt(volley.also) in legal:
        return SprayAt(volley.also)
    if not frame.leaders:
        directors = [action for action in legal if isinstance(action, AddDirector)]
        directors.sort(key=lambda action: leadership(state, state.units[action.leader]))
        sources = {firer_of(state, name).unit.at for name in (*frame.units, *frame.weapons)}
        if directors and len(sources) == 1 and leadership(state, state.units[directors[0].leader]) <= 0:
            return directors[0]
    if throw := thrower(state, legal):
        return throw
    if ResolveFire() in legal:
        if volleys:
            volleys.pop(0)
        return ResolveFire()
    return _give_up(state, legal)


def thrower(state: SquadState, legal: Sequence[Action]) -> Action | None:
    """Who throws a MOL along with an attack: who is likeliest to have one, squads alone by the ruling (SA-120)."""
    how = reading(state, "molotovs")
    able = [action for action in legal if isinstance(action, ThrowMolotov)]
    if how == "squads":
        able = [action for action in able if unit_kind(state, state.units[action.unit]).squad]
    if how == "never" or not able:
        return None
    return able[0]


def _give_up(state: SquadState, legal: Sequence[Action]) -> Action:
    if VOLLEYS.of(state):
        VOLLEYS.of(state).pop(0)
    return CancelFire() if CancelFire() in legal else legal[-1]


def shot(play: Play[SquadState], frame: OrdnanceDraft, legal: Sequence[Action]) -> Action:
    """Declare the shot of an ordnance weapon: HE where it has any, Direct Fire unless Area Fire was called for."""
    state = play.state
    volleys = VOLLEYS.of(state)
    volley = volleys[0] if volleys else None
    if frame.target < 0:
        aim = AimAt(volley.target) if volley else None
        return aim if aim is not None and aim in legal else _give_up(state, legal)
    shots = [action for action in legal if isinstance(action, Shoot) and action.ammo not in SMOKES]
    if not shots:
        return _give_up(state, legal)
    if volleys:
        volleys.pop(0)
    return best_shot(shots, area=volley is not None and volley.area)


# -- windows ----------------------------------------------------------------------------------


def react(play: Play[SquadState], frame: Reaction, legal: Sequence[Action]) -> Action:
    """Defensive First Fire: who has not fired does so when the ladder is met, who has only at ADJACENT (S8.61)."""
    state = play.state
    VOLLEYS.of(state).clear()
    movers = [state.units[name] for name in moving_units(state)]
    if not movers:
        return Pass()
    target = movers[0].at
    base = rolled_in(state)
    ranges = setting_of(state).ground.ranges[target]
    groups: dict[int, list[str]] = {}
    for action in legal:
        if isinstance(action, StartFire):
            firer = firer_of(state, action.firer)
            fresh = firer.marker == NO_MARKER
            if ranges[firer.unit.at] <= 1 or (fresh and ladder_case(state, base, firer.unit.at, movers)):
                groups.setdefault(firer.unit.at, []).append(action.firer)
    for cell, able in groups.items():
        names = sw_first(state, able)
        VOLLEYS.of(state).append(Volley(tuple(names), target))
        case = ladder_case(state, base, cell, movers)
        why = f"case {case[0].case} of {base.enemy[0]}1" if case else "ADJACENT"
        say(
            play, "S8.61", "First Fire", (), f"{name_of(state, cell)} fires at {name_of(state, target)}: {why}", "S8.61"
        )
        return StartFire(names[0])
    for action in legal:
        if isinstance(action, StartShot) and may_shoot(state, action.weapon, target):
            owner = state.units[state.weapons[action.weapon].owner]
            case = ladder_case(state, base, owner.at, movers)
            if case:
                VOLLEYS.of(state).append(Volley((action.weapon,), target, ordnance=True))
                where = f"the ordnance in {name_of(state, owner.at)} fires at {name_of(state, target)}"
                say(play, "S8.61", "First Fire", (), f"{where}: case {case[0].case} of {base.enemy[0]}1", "S8.61")
                return action
    return Pass()
