"""The oracle of fire at squad level: what the windows and drafts of fire offer, against the text (3.2.2 to 4.5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sandtable.games.squad.fire.model import (
    AddDirector,
    AddFirer,
    AdvancingFirePhase,
    AimAt,
    DefensiveFirePhase,
    FireDraft,
    PrepFirePhase,
    ResolveFire,
    StartFire,
)
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.movement.model import BeginMove, Reaction, StartMove, Step
from sandtable.games.squad.ordnance.model import OrdnanceDraft, Shoot, StartShot
from sandtable.games.squad.phases.model import EndPhase
from sandtable.games.squad.pieces.model import NO_MARKER, SquadState, Unit, Weapon
from sandtable.oracles.squad_crowds import crowded
from sandtable.oracles.squad_fire_text import Reading

opening = crowded
GAMES: tuple[str, ...] = ("aslsk2", "aslguide")
MODES = {PrepFirePhase: "prep", DefensiveFirePhase: "final", AdvancingFirePhase: "advancing", Reaction: "first"}

Pair = tuple[Unit, Weapon | None]


def differences(state: SquadState, side: str, legal: Sequence[Any]) -> list[str] | None:
    """Where the offers of a fire phase, a window or a draft differ from the text."""
    frame = state.stack[-1]
    if isinstance(frame, FireDraft):
        return _draft(Reading(state, side, frame.mode), frame, legal)
    if isinstance(frame, OrdnanceDraft):
        return _ordnance_draft(Reading(state, side, frame.mode), frame, legal)
    mode = MODES.get(type(frame))
    if mode is None:
        return None
    reading = Reading(state, side, mode)
    found = _compare("start fire with", starters(reading), {a.firer for a in legal if isinstance(a, StartFire)})
    return found + _compare("shoot with", shooters(reading), {a.weapon for a in legal if isinstance(a, StartShot)})


def favoured(state: SquadState, side: str, legal: Sequence[Any]) -> list[Any]:
    """What brings units under each other's fire: the ATTACKER closes up instead of firing, and the rest fires."""
    frame = state.stack[-1]
    if isinstance(frame, PrepFirePhase):
        return [action for action in legal if isinstance(action, EndPhase)]
    steps = [action for action in legal if isinstance(action, Step)]
    if steps:
        enemies = Reading(state, side, "first").known_enemy_hexes()
        ranges = setting_of(state).ground.ranges
        near = [min([int(ranges[step.to][cell]) for cell in enemies], default=0) for step in steps]
        return [step for step, distance in zip(steps, near, strict=True) if distance == min(near)]
    wanted = (StartMove, BeginMove, StartFire, StartShot, AimAt, AddFirer, AddDirector, ResolveFire, Shoot)
    return [action for action in legal if isinstance(action, wanted)]


def _compare(what: str, expected: Iterable[Any], offered: Iterable[Any]) -> list[str]:
    """One sentence for each thing that only the text, or only the game, allows."""
    text, game = set(expected), set(offered)
    found = [f"the text lets it {what} {name}, the game does not" for name in sorted(text - game)]
    return found + [f"the game lets it {what} {name}, the text does not" for name in sorted(game - text)]


def _name(pair: Pair) -> str:
    unit, weapon = pair
    return unit.id if weapon is None else weapon.id


# -- windows and phases ---------------------------------------------------------------------


def starters(reading: Reading) -> set[str]:
    """Units and weapons that may start an attack on the IFT now."""
    if reading.mode == "first":
        movers = reading.movers()
        if not movers:
            return set()
        return {_name(pair) for pair in reading.firers() if reading.reaches(*pair, movers[0].at)}
    return {_name(pair) for pair in reading.firers() if reading.targets(*pair)}


def shooters(reading: Reading) -> set[str]:
    """Ordnance that may start a shot now."""
    found = set()
    for unit in reading.mine():
        for name in unit.weapons:
            weapon = reading.state.weapons[name]
            if reading.ordnance(unit, weapon) and _has_target(reading, unit, weapon):
                found.add(name)
    return found


def _has_target(reading: Reading, unit: Unit, weapon: Weapon) -> bool:
    """Whether there is something to shoot at; Guns and mortars may shoot at empty hexes (6.2, 6.4)."""
    if reading.mode == "first":
        movers = reading.movers()
        return bool(movers) and movers[0].at != unit.at and reading.shoots_at(unit, weapon, movers[0].at)
    adjacent = reading.mode == "final" and weapon.marker != NO_MARKER and not weapon.shots
    if not adjacent and not reading.printed(weapon).latw:
        return True
    cells = reading.known_enemy_hexes()
    if not adjacent:
        cells += reading.hiding_hexes()
    return any(reading.shoots_at(unit, weapon, cell) for cell in cells)


# -- drafts ---------------------------------------------------------------------------------


def _pairs(reading: Reading, names: Iterable[str]) -> list[Pair]:
    state = reading.state
    found: list[Pair] = []
    for name in names:
        weapon = state.weapons.get(name)
        found.append((state.units[weapon.owner], weapon) if weapon is not None else (state.units[name], None))
    return found


def _draft(reading: Reading, frame: FireDraft, legal: Sequence[Any]) -> list[str]:
    firing = _pairs(reading, (*frame.units, *frame.weapons))
    if frame.target < 0:
        cells = reading.targets(*firing[0])
        return _compare("aim at", cells, {action.at for action in legal if isinstance(action, AimAt)})
    found: list[str] = []
    if not frame.checked:
        joining = joiners(reading, frame, firing)
        found += _compare("add", joining, {action.firer for action in legal if isinstance(action, AddFirer)})
        leading = directors(reading, frame, firing)
        found += _compare(
            "direct with", leading, {action.leader for action in legal if isinstance(action, AddDirector)}
        )
    if any(isinstance(action, ResolveFire) for action in legal):
        return found + _faults(reading, frame, firing)
    if not _faults(reading, frame, firing):
        found.append("the text lets this attack be fired, the game does not")
    return found


def joiners(reading: Reading, frame: FireDraft, firing: Sequence[Pair]) -> set[str]:
    """Who may join a fire group: in or beside its hexes, in reach of the target (3.2.2, 4.0, 4.1)."""
    if any(not reading.groups(weapon) for _, weapon in firing):
        return set()
    sources = {unit.at for unit, _ in firing}
    names = {_name(pair) for pair in firing}
    found = set()
    for pair in reading.firers():
        unit, weapon = pair
        near = any(reading.distance(unit.at, source) <= 1 for source in sources)
        if _name(pair) in names or unit.id in frame.leaders or not near or not reading.groups(weapon):
            continue
        if not reading.reaches(unit, weapon, frame.target):
            continue
        wider = {*names, _name(pair)}
        own, weapons = _of_unit(unit, wider)
        if reading.protective(unit, wider) and not reading.guide and reading.kind(unit).squad:
            # all that it must fire comes along
            own = own or reading.protective_demands(unit)[0]
        if reading.together(unit, own=own, weapons=weapons):
            found.add(_name(pair))
    return found | _helpers(reading, frame, firing)


def _of_unit(unit: Unit, names: Iterable[str]) -> tuple[bool, list[str]]:
    """What of these belongs to a unit: its own FP, and its weapons."""
    fired = set(names)
    return unit.id in fired, [name for name in unit.weapons if name in fired]


def _helpers(reading: Reading, frame: FireDraft, firing: Sequence[Pair]) -> set[str]:
    """Leaders who may serve the machine gun of another one, so that it has full FP (4.1)."""
    found = set()
    for owner, weapon in firing:
        if weapon is None or not reading.kind(owner).smc:
            continue
        here = [unit for unit in reading.mine() if unit.at == owner.at and reading.kind(unit).smc]
        if any(unit.id in frame.units for unit in here):
            continue
        for unit in here:
            fires = unit.id == owner.id or any(name in frame.weapons for name in unit.weapons)
            if not fires and unit.id not in frame.leaders and reading.idle(unit):
                found.add(unit.id)
    return found


def directors(reading: Reading, frame: FireDraft, firing: Sequence[Pair]) -> set[str]:
    """Leaders who may direct the attack: one in each hex, who does not fire (3.2.2)."""
    found = set()
    led = {reading.state.units[name].at for name in frame.leaders}
    for source in {unit.at for unit, _ in firing} - led:
        for unit in reading.mine():
            fires = unit.id in frame.units or any(name in frame.weapons for name in unit.weapons)
            if unit.at == source and not fires and reading.may_direct(unit, firing):
                found.add(unit.id)
    return found


def _faults(reading: Reading, frame: FireDraft, firing: Sequence[Pair]) -> list[str]:
    """What the text has against the attack as it stands."""
    found = []
    names = [_name(pair) for pair in firing]
    for unit in {unit.id: unit for unit, _ in firing}.values():
        if not reading.kind(unit).squad or reading.guide or not reading.protective(unit, names):
            continue
        own, weapons = _of_unit(unit, names)
        must, guns = reading.protective_demands(unit)
        if (must and not own) or len(weapons) < guns:
            found.append(f"{unit.id} uses Final Protective Fire without all that it has")
    if reading.mode == "first":
        for name in names:
            helps = name in reading.state.units and not reading.kind(reading.state.units[name]).fires
            if not helps and reading.state.shots.get(name, 0) >= reading.mf_spent():
                found.append(f"{name} has fired as often as MF were spent")
    sources = {unit.at for unit, _ in firing}
    if not _in_one_chain(reading, sources):
        found.append("the hexes of the group do not hang together")
    if frame.leaders:
        leaders = [reading.state.units[name] for name in frame.leaders]
        if {leader.at for leader in leaders} != sources:
            found.append("a leader directs, but not one in every hex")
        if not all(reading.may_direct(leader, firing) for leader in leaders):
            found.append("a leader directs who may not")
    elif not reading.guide:
        far = [w.id for unit, w in firing if w is not None and reading.distance(unit.at, frame.target) > 16]
        found += [f"{name} fires beyond 16 hexes undirected" for name in far]
    return found


def _in_one_chain(reading: Reading, sources: set[int]) -> bool:
    """Whether each hex can be reached from each by steps between neighbours (3.2.2)."""
    reached = {min(sources)}
    while True:
        more = {cell for cell in sources - reached if any(reading.distance(cell, other) == 1 for other in reached)}
        if not more:
            return reached == sources
        reached |= more


def _ordnance_draft(reading: Reading, frame: OrdnanceDraft, legal: Sequence[Any]) -> list[str] | None:
    weapon = reading.state.weapons[frame.weapon]
    unit = reading.state.units[weapon.owner]
    kind = reading.printed(weapon)
    if frame.target < 0:
        if frame.anywhere:
            return None  # any hex in range and sight
        cells = [cell for cell in reading.known_enemy_hexes() if reading.shoots_at(unit, weapon, cell)]
        return _compare("aim at", cells, {action.at for action in legal if isinstance(action, AimAt)})
    expected: set[str] = set()
    if not frame.leader and not kind.gun:
        if reading.kind(unit).mmc:
            here = [other for other in reading.mine() if other.at == unit.at and other.id != unit.id]
            expected = {other.id for other in here if reading.may_direct(other, [(unit, weapon)])}
        elif kind.latw:
            expected = set(reading.second_leaders(unit))
    return _compare("direct with", expected, {action.leader for action in legal if isinstance(action, AddDirector)})
