"""Morale: problems, the roll, and units that are worn down."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.engine import Play, Tally
from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.events import FellBack, Lost, MoraleTested
from sandtable.games.pbi.model import PbiState, Piece, Unit
from sandtable.games.pbi.position import (
    foot_strength,
    ground_of,
    hold_objective,
    pin,
    remove,
    room_for_foot,
    room_for_vehicles,
    shift,
    side_in,
    unit_gone,
    unit_pieces,
    unload,
)
from sandtable.games.pbi.table import FORWARD

ROUT = {"veteran": 9, "average": 8, "raw": 7}
"""2D6, this or more routs; one less is no motivation (morale-roll)."""
ENOUGH_PROBLEMS = 2
WORN_DOWN = 2
"""Units of one or two bases are removed (turn-morale)."""
ROUT_SQUARES = 3


def foot_problems(state: PbiState, unit: Unit) -> tuple[str, ...]:
    """The problems of a foot unit (morale-foot)."""
    problems = []
    if unit.casualties >= 2:
        problems.append("first two casualties")
    if unit.casualties >= 4 or 2 * foot_strength(state, unit.id) < unit.strength:
        problems.append("second two casualties or below half strength")
    if unit.officer == "dead" and not commander_with(state, unit):
        problems.append("officer dead")
    return tuple(problems)


def commander_with(state: PbiState, unit: Unit) -> bool:
    """Whether the company commander is in a square with the unit (morale-foot)."""
    pieces = state.pieces.values()
    where = [piece.at for piece in pieces if piece.kind == "commander" and piece.side == unit.side]
    return bool(where) and any([piece.unit == unit.id and piece.at == where[0] for piece in pieces])


def vehicle_problems(state: PbiState, piece: Piece, *, big: bool) -> tuple[str, ...]:
    """The problems of a vehicle or towed gun (morale-vehicle)."""
    g = ground_of(state)
    near = g.near[piece.at]
    problems = []
    if piece.immobile:
        problems.append("immobilised")
    mates = [
        other
        for other in unit_pieces(state, piece.unit)
        if other.id != piece.id and other.at in near and KINDS[other.kind].vehicle and not other.immobile
    ]
    if not mates:
        problems.append("no sound vehicle of the unit in proximity")
    if not near.isdisjoint(g.difficult) and not any(
        [KINDS[other.kind].foot and other.side == piece.side and other.at in near for other in state.pieces.values()]
    ):
        problems.append("wood, rocky ground or building in proximity, and no foot")
    if big:
        problems.append("immobilised by a gun of 9 or more or by foot anti-tank")
    return tuple(problems)


def morale_tally(problems: tuple[str, ...]) -> Tally:
    """The problems as a list: two or more call for a roll (morale-problems)."""
    return Tally.of("Problems", [(problem, 1, "morale-problems") for problem in problems])


def roll_morale(play: Play[PbiState], unit: Unit, problems: tuple[str, ...], at: str) -> str:
    """2D6: routs, silent or holds (morale-roll)."""
    score = ROUT[unit.quality]
    total = sum(play.roll(6, 2, f"morale, {score}+ routs", by=unit.side, tally=morale_tally(problems)))
    result = "routs" if total >= score else "silent" if total == score - 1 else "holds"
    play.emit(MoraleTested(unit=unit.id, problems=problems, result=result, at=at))
    return result


def morale_step(play: Play[PbiState], side: str) -> None:
    """Step 3: worn-down units go, then every platoon with two problems tests (turn-morale)."""
    state = play.state
    for unit in [unit for unit in state.units.values() if unit.side == side]:
        if unit.gone or unit.off or unit.kind not in ("platoon", "weapons"):
            continue
        strength = foot_strength(state, unit.id)
        if strength <= WORN_DOWN and (unit.strength > WORN_DOWN or state.rules.auto_removal == "every foot unit"):
            unit_gone(play, unit.id, "worn down")
            continue
        problems = foot_problems(state, unit)
        if len(problems) < ENOUGH_PROBLEMS:
            continue
        result = roll_morale(play, unit, problems, "")
        if result == "routs":
            rout(play, unit)
        elif result == "silent":
            state.units[unit.id] = replace(state.units[unit.id], silent=True)


def rout(play: Play[PbiState], unit: Unit) -> None:
    """A routed unit leaves the battle, or falls back (morale-roll, ruling rout)."""
    state = play.state
    if state.rules.rout == "removed":
        unit_gone(play, unit.id, "routed")
        return
    groups: dict[str, list[Piece]] = {}
    for piece in unit_pieces(state, unit.id):
        if not piece.within and not piece.immobile and KINDS[piece.kind].form != "gun":
            groups.setdefault(piece.at, []).append(piece)
    for start, pieces in groups.items():
        end = _way_back(state, start, unit.side, pieces)
        ids = tuple([piece.id for piece in pieces])
        if end != start:
            shift(state, ids, end)
            play.emit(FellBack(pieces=ids, start=start, at=end))
            hold_objective(play, end)
        pin(play, [state.pieces[id] for id in ids])


def _way_back(state: PbiState, start: str, side: str, pieces: list[Piece]) -> str:
    g = ground_of(state)
    back = (FORWARD[side] + 4) % 8
    vehicles = sum([KINDS[piece.kind].vehicle for piece in pieces])
    for _ in range(ROUT_SQUARES):
        following = g.ahead[start][back]
        if not following or side_in(state, following) not in ("", side):
            break
        if not room_for_foot(state, following, len(pieces) - vehicles) or not room_for_vehicles(
            state, following, vehicles
        ):
            break
        start = following
    return start


def vehicle_morale(play: Play[PbiState], piece: Piece, *, big: bool) -> None:
    """Tested at once when a vehicle or gun is immobilised (odds-vehicle-morale, morale-vehicle)."""
    state = play.state
    problems = vehicle_problems(state, piece, big=big)
    if len(problems) < ENOUGH_PROBLEMS:
        return
    unit = state.units[piece.unit]
    result = roll_morale(play, unit, problems, piece.at)
    if result == "silent" and KINDS[piece.kind].form == "gun":
        state.units[unit.id] = replace(state.units[unit.id], silent=True)
    if result != "routs":
        return
    play.emit(Lost(piece=piece.id, name=KINDS[piece.kind].name, side=piece.side, at=piece.at, how="abandoned"))
    abandon(play, piece)


def abandon(play: Play[PbiState], piece: Piece) -> None:
    """The crew runs: the vehicle or gun is lost, men on it get off."""
    state = play.state
    for id in state.cargo.get(piece.id, ()):
        load = unload(state, state.pieces[id])
        if not KINDS[load.kind].foot:
            remove(play, load)
    if piece.id in state.pieces:
        remove(play, state.pieces[piece.id])
    hold_objective(play, piece.at)
