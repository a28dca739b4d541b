"""Taking prisoners: surrender in the Rout Phase, and capture in close combat (A20.21, A20.22)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandtable.engine import Action, Play, Procedure
from sandtable.games.asl.prisoners.model import (
    CAPTURING,
    TAKEN,
    AcceptSurrender,
    Freed,
    QuarterRefused,
    RefuseSurrender,
    Surrendering,
    TryCapture,
)
from sandtable.games.asl.surrender import (
    CAPTIVES,
    DISRUPTED,
    NO_QUARTER,
    UNARMED,
    Captive,
    Captured,
    captors,
    capture,
    may_guard,
    never_surrenders,
)
from sandtable.games.squad.combat.fighting import declared
from sandtable.games.squad.combat.model import Combat, CombatAttack
from sandtable.games.squad.ground.setting import other_side, setting_of, unit_kind
from sandtable.games.squad.ground.stacks import eliminate, inexperienced, name_of, new_id, units_at, update
from sandtable.games.squad.part import Item, Roll
from sandtable.games.squad.pieces.model import Gone, SquadState, Unit
from sandtable.games.squad.rout.interdiction import interdictors
from sandtable.games.squad.rout.paths import Enemy, Seen, reach, rout_mf

REFUSE, TRY = RefuseSurrender(), TryCapture()


# -- the Rout Phase -----------------------------------------------------------------------


class _Free(Enemy):
    """The enemy as he bars a rout without Interdiction."""

    def _judge(self, frm: int, to: int, seen: Seen) -> bool:
        if next(interdictors(self.state, to, self.side), None) is not None:
            return False
        return super()._judge(frm, to, seen)


def free_rout(state: SquadState, unit: Unit) -> bool:
    """Whether a unit can rout without Interdiction or Low Crawl (A20.21)."""
    enemy = _Free(state, [unit])
    ways = reach(enemy, unit.at, enemy.view(unit.at), rout_mf([unit]))
    return any([cell != unit.at and not enemy.beside_unbroken(cell) and enemy.room(cell) for cell, _ in ways])


def gives_up(state: SquadState, unit: Unit) -> bool:
    """Whether a broken unit surrenders at the start of a RtPh, if somebody is there to take it (A20.21)."""
    if not unit.broken or unit.melee or unit.at < 0 or unit.pinned or not unit_kind(state, unit).personnel:
        return False
    if never_surrenders(state, unit) or not captors(state, unit.at, unit.side, [unit]):
        return False
    return DISRUPTED in unit.marks or not free_rout(state, unit)


def surrendering(state: SquadState) -> Iterator[Surrendering]:
    """The Locations whose broken units surrender, the ATTACKER's first."""
    for side in (state.attacker, other_side(state, state.attacker)):
        for cell in list(state.stacks):
            units = [unit for unit in units_at(state, cell, side) if gives_up(state, unit)]
            if units:
                yield Surrendering(cell, tuple([unit.id for unit in units]), other_side(state, side))


def begin_rout(play: Play[SquadState]) -> None:
    """The RtPh begins: who cannot get away surrenders (A20.21, ruling P-1)."""
    for frame in reversed(list(surrendering(play.state))):
        play.push(frame)


def guards_for(state: SquadState, frame: Surrendering) -> list[Unit]:
    """Who may take the units of a Location, all together."""
    units = [state.units[name] for name in frame.units if name in state.units]
    if not units:
        return []
    together = captors(state, frame.at, units[0].side, units)
    return together or captors(state, frame.at, units[0].side, units[:1])


class Surrender(Procedure[SquadState, Surrendering]):
    """The captor takes the units prisoner or gives No Quarter (A20.21, A20.3)."""

    def to_act(self, state: SquadState, frame: Surrendering) -> tuple[str, ...]:
        return (frame.side,) if guards_for(state, frame) else ()

    def actions(self, state: SquadState, frame: Surrendering, side: str) -> Sequence[Action]:
        return [*[AcceptSurrender(unit.id) for unit in guards_for(state, frame)], REFUSE]

    def apply(self, play: Play[SquadState], frame: Surrendering, side: str, action: Action) -> None:
        state = play.state
        play.pop()
        units = [state.units[name] for name in frame.units if name in state.units]
        if isinstance(action, AcceptSurrender):
            guard = state.units[action.guard]
            for unit in units:
                if may_guard(state, guard, [unit]):
                    capture(play, unit, guard, "surrenders")
                elif others := captors(state, unit.at, unit.side, [unit]):
                    capture(play, unit, others[0], "surrenders")
        else:
            refuse(play, side, name_of(state, frame.at))
            for unit in units:
                eliminate(play, unit, "No Quarter")

    def run(self, play: Play[SquadState], frame: Surrendering) -> None:
        play.pop()


def refuse(play: Play[SquadState], side: str, where: str) -> None:
    """A side gives No Quarter from now on (A20.3)."""
    state = play.state
    if side not in NO_QUARTER.of(state):
        NO_QUARTER.put(state, (*NO_QUARTER.of(state), side))
        play.emit(QuarterRefused(side=side, at=where))


# -- close combat ---------------------------------------------------------------------------


def capturable(state: SquadState, units: Sequence[Unit], targets: Sequence[Unit]) -> bool:
    """Neither do berserk units take prisoners nor become some; unarmed ones take none (A20.22, A20.2)."""
    if any(["berserk" in unit.marks for unit in (*units, *targets)]):
        return False
    return not all([UNARMED in unit.marks for unit in units])


def capture_actions(state: SquadState, frame: Combat, side: str) -> list[Action]:
    """The attack that is put together may try to capture (A20.22)."""
    if frame.step != "declare" or not frame.units or not frame.targets or side in NO_QUARTER.of(state):
        return []
    units = [state.units[name] for name in frame.units]
    targets = [state.units[name] for name in frame.targets]
    return [TRY] if capturable(state, units, targets) else []


def try_capture(play: Play[SquadState], frame: Combat, side: str, action: TryCapture) -> None:
    """The attack is declared, and who falls to it is captured."""
    state = play.state
    pairs = [leader for leader, base in frame.pairs if base in frame.targets]
    CAPTURING.put(state, (*CAPTURING.of(state), *frame.targets, *pairs))
    play.replace(declared(play, frame, CombatAttack(side, frame.units, frame.targets)))


def capture_item(state: SquadState, targets: Sequence[Unit]) -> Item:
    """The DRM of a capture attempt: the easiest target counts (A20.22, A25.63)."""
    kinds = [unit_kind(state, unit) for unit in targets]
    if any([kind.mmc and inexperienced(state, unit) for kind, unit in zip(kinds, targets, strict=True)]):
        return "to capture Inexperienced troops", -1, "A20.22"
    if all([kind.nation == "italian" and not kind.elite for kind in kinds]):
        return "to capture Italians", 0, "A25.63"
    return "to capture", 1, "A20.22"


def combat_items(state: SquadState, attackers: Sequence[Unit], targets: Sequence[Unit]) -> list[Item]:
    """The line of a capture attempt."""
    wanted = CAPTURING.of(state)
    return [capture_item(state, targets)] if wanted and any([unit.id in wanted for unit in targets]) else []


def not_killed(play: Play[SquadState], unit: Unit, why: str) -> bool:
    """Who would be eliminated by a capture attempt is overcome (A20.22)."""
    if why != "close combat" or unit.id not in CAPTURING.of(play.state):
        return False
    TAKEN.put(play.state, (*TAKEN.of(play.state), unit.id))
    return True


def not_reduced(play: Play[SquadState], unit: Unit, why: str) -> bool:
    """A Casualty Reduction takes half of a squad prisoner, or all of a smaller unit (A20.22)."""
    state = play.state
    if state.phase != "CCPh" or unit.id not in CAPTURING.of(state):
        return False
    half = unit_kind(state, unit).squad and unit_kind(state, unit).reduced
    TAKEN.put(state, (*TAKEN.of(state), f"half {unit.id}" if half else unit.id))
    return True


def settle(play: Play[SquadState], roll: Roll) -> None:
    """The attacks of a close combat are over: who was overcome is led away, if a captor is left (A20.221)."""
    state = play.state
    if roll.kind != "combat" or not CAPTURING.of(state):
        return
    taken = TAKEN.of(state)
    CAPTURING.put(state, ())
    TAKEN.put(state, ())
    for entry in taken:
        unit = state.units.get(entry.removeprefix("half "))
        if unit is None:
            continue
        here = units_at(state, unit.at, setting_of(state).others[unit.side])
        guards = [guard for guard in here if may_guard(state, guard, [unit])]
        if not guards:
            play.emit(Freed(unit=unit.id, at=name_of(state, unit.at), why="uncaught"))
            continue
        if entry.startswith("half "):
            _capture_half(play, unit, guards[0])
        else:
            capture(play, unit, guards[0], "close combat")


def _capture_half(play: Play[SquadState], unit: Unit, guard: Unit) -> None:
    """Half of a squad is taken, the other half goes on (A20.22)."""
    state = play.state
    reduced = unit_kind(state, unit).reduced
    update(play, unit, kind=reduced)
    other = Unit(new_id(state, unit.id), unit.side, reduced, group=unit.group)
    CAPTIVES.of(state)[other.id] = Captive(other, guard.id)
    state.gone[other.id] = Gone(other.id, other.side, other.kind, "captured", other.group, 1)
    play.emit(Captured(unit=other.id, guard=guard.id, at=name_of(state, unit.at), side=guard.side))
