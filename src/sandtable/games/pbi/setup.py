"""Before the battle: building an army at the table, drawing up and setting up."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.engine.part import Part
from sandtable.games.pbi.actions import Dismiss, Enlist, Place, Ready, TakeAsset
from sandtable.games.pbi.armies import Army, Recruited, army_points, check_army, enlist, tractors
from sandtable.games.pbi.catalogue import KINDS, QUALITIES, lists
from sandtable.games.pbi.events import ArmyReady, Placed
from sandtable.games.pbi.generator import choose_reserves
from sandtable.games.pbi.model import DrawUp, Muster, PbiState, Piece, SetUp, Turn
from sandtable.games.pbi.position import (
    TOWED_GUN_PLACES,
    ground_of,
    places_used,
    put,
    room_for_foot,
    room_for_vehicles,
    side_in,
    unit_pieces,
)
from sandtable.games.pbi.table import ATTACKER, DEFENDER, Ground


def mustered(frame: Muster) -> Army:
    """What a side has taken so far."""
    units = tuple(Recruited(entry, quality) for entry, quality in frame.units)
    return Army(frame.nation, frame.quality, "", frame.points, units, frame.assets)


class MusterProcedure(Procedure[PbiState, Muster]):
    """A side takes units and assets up to its points."""

    def to_act(self, state: PbiState, frame: Muster) -> tuple[str, ...]:
        return (frame.side,)

    def actions(self, state: PbiState, frame: Muster, side: str) -> Sequence[Action]:
        army = mustered(frame)
        left = frame.points - army_points(army)
        limits = lists().kinds_of_unit
        taken = [lists().entry(frame.nation, entry) for entry, _ in frame.units]
        tanks = sum([entry.tanks for entry in taken if entry])
        actions: list[Action] = []
        if frame.units or frame.assets:
            actions.append(Dismiss())
        if not check_army(army):
            actions.append(Ready())
        entries = lists().nations[frame.nation].units
        missing = limits["platoon"][0] - sum([1 for entry in taken if entry and entry.kind == "platoon"])
        cheapest = min([entry.points("raw") for entry in entries if entry.kind == "platoon"])
        for entry in entries:
            same = sum([1 for other in taken if other and other.kind == entry.kind])
            if same < limits[entry.kind][1] and tanks + entry.tanks <= limits["tank_limit"]:
                # Points for the platoons that an army needs are kept back, so that it can always be completed.
                free = left - cheapest * max(0, missing - (entry.kind == "platoon"))
                actions += [Enlist(entry.id, quality) for quality in QUALITIES if entry.points(quality) <= free]
        if len(frame.assets) < limits["asset_limit"]:
            free = left - cheapest * max(0, missing)
            actions += [TakeAsset(id) for id, asset in lists().assets.items() if asset.points <= free]
        return actions

    def apply(self, play: Play[PbiState], frame: Muster, side: str, action: Action) -> None:
        match action:
            case Enlist(entry=entry, quality=quality):
                play.replace(replace(frame, units=(*frame.units, (entry, quality))))
            case TakeAsset(asset=asset):
                play.replace(replace(frame, assets=(*frame.assets, asset)))
            case Dismiss():
                if frame.assets:
                    play.replace(replace(frame, assets=frame.assets[:-1]))
                else:
                    play.replace(replace(frame, units=frame.units[:-1]))
            case _:
                army = mustered(frame)
                play.emit(ArmyReady(side=side, points=army_points(army)))
                join(play.state, side, army, mounted=side == ATTACKER)
                play.pop()


def join(state: PbiState, side: str, army: Army, *, mounted: bool) -> None:
    """The army becomes pieces, none of them on the table yet."""
    units, pieces = enlist(side, army, mounted=mounted)
    for unit in units:
        state.units[unit.id] = unit
    for piece in pieces:
        state.pieces[piece.id] = piece
        if piece.within:
            state.cargo[piece.within] = (*state.cargo.get(piece.within, ()), piece.id)
    state.assets[side] = army.assets


def put_off(state: PbiState, unit_id: str) -> None:
    """A unit that waits off the table is in its transports, its weapons packed up, a gun behind its paid tractor.

    A gun whose list has no tractor is brought on by its crew and stands deployed where it arrives.
    """
    unit = state.units[unit_id] = replace(state.units[unit_id], off=True)
    for tractor in tractors(unit, unit_pieces(state, unit_id)):
        state.pieces[tractor.id] = tractor
    pieces = unit_pieces(state, unit_id)
    vehicles = [piece for piece in pieces if KINDS[piece.kind].transport]
    for piece in pieces:
        kind = KINDS[piece.kind]
        if kind.vehicle or piece.within:
            continue
        if kind.foot and piece.deployed:
            piece = state.pieces[piece.id] = replace(piece, deployed=False)
        size = 1 if kind.foot else TOWED_GUN_PLACES
        for vehicle in vehicles:
            if places_used(state, vehicle.id) + size <= KINDS[vehicle.kind].capacity:
                state.cargo[vehicle.id] = (*state.cargo.get(vehicle.id, ()), piece.id)
                state.pieces[piece.id] = replace(piece, within=vehicle.id, deployed=False)
                break


class DrawUpProcedure(Procedure[PbiState, DrawUp]):
    """Which units start off the table is diced for when armies were built at the table."""

    def run(self, play: Play[PbiState], frame: DrawUp) -> None:
        state = play.state
        for side in (DEFENDER, ATTACKER):
            ids = [unit.id for unit in state.units.values() if unit.side == side and unit.kind != "command"]

            def pick(number: int, side: str = side) -> int:
                return play.roll(number, 1, "reserves", by=side)[0] - 1

            for id in choose_reserves(side, ids, state.rules, pick):
                put_off(state, id)
        play.replace(SetUp(DEFENDER))


def next_section(state: PbiState, side: str) -> list[Piece]:
    """The pieces that are set up together next."""
    first: Piece | None = None
    found: list[Piece] = []
    for piece in state.pieces.values():
        if piece.side != side or piece.at or piece.within or state.units[piece.unit].off:
            continue
        if first is None:
            first = piece
        if piece.unit == first.unit and piece.section == first.section:
            found.append(piece)
    return found


def zone(state: PbiState, g: Ground, side: str) -> list[str]:
    """The squares that a side sets up in."""
    rows = state.zones[side]
    height = len(g.names) // len(g.edge[side])
    if side == DEFENDER:
        return [square for square in g.names if g.row[square] < rows]
    return [square for square in g.names if g.row[square] >= height - rows]


def fits(state: PbiState, square: str, section: Sequence[Piece]) -> bool:
    """Whether a section has room in a square of its side."""
    side = section[0].side
    vehicles = sum([KINDS[piece.kind].vehicle for piece in section])
    return (
        side_in(state, square) in ("", side)
        and room_for_foot(state, square, len(section) - vehicles)
        and room_for_vehicles(state, square, vehicles)
    )


def set_down(state: PbiState, section: Sequence[Piece], square: str) -> None:
    """Put a section on the table, with what its vehicles carry."""
    for piece in section:
        put(state, piece, square)
        for load in state.cargo.get(piece.id, ()):
            state.pieces[load] = replace(state.pieces[load], at=square)
        if KINDS[piece.kind].foot and square in state.objectives:
            state.control[square] = piece.side


class SetUpProcedure(Procedure[PbiState, SetUp]):
    """The defender sets up, then the attacker, a section at a time."""

    def to_act(self, state: PbiState, frame: SetUp) -> tuple[str, ...]:
        return (frame.side,) if next_section(state, frame.side) else ()

    def run(self, play: Play[PbiState], frame: SetUp) -> None:
        if frame.side == DEFENDER:
            play.replace(SetUp(ATTACKER))
        else:
            first = play.state.rules.first_turn
            play.replace(Turn(ATTACKER if first == "attacker" else DEFENDER))

    def actions(self, state: PbiState, frame: SetUp, side: str) -> Sequence[Action]:
        section = next_section(state, side)
        return [Place(square) for square in zone(state, ground_of(state), side) if fits(state, square, section)]

    def apply(self, play: Play[PbiState], frame: SetUp, side: str, action: Place) -> None:
        state = play.state
        section = next_section(state, side)
        set_down(state, section, action.at)
        ids = tuple([piece.id for piece in section])
        play.emit(Placed(unit=section[0].unit, pieces=ids, at=action.at))


def quick_set_up(state: PbiState, side: str) -> None:
    """Set a side up without asking: near its objectives and in cover, spread over its zone."""
    g = ground_of(state)
    squares = zone(state, g, side)
    aims = list(state.objectives)
    while section := next_section(state, side):
        vehicle = KINDS[section[0].kind].vehicle

        def worth(square: str, vehicle: bool = vehicle) -> tuple[int, int]:
            crowd = 3 * len(state.at.get(square, ()))
            cover = 2 * ((square in g.difficult) != vehicle)
            return min([g.range[square][aim] for aim in aims], default=0) + crowd - cover, g.column[square]

        able = [square for square in squares if fits(state, square, section)]
        set_down(state, section, min(able, key=worth))


PART: Part[PbiState] = Part(
    procedures={
        Muster: MusterProcedure(),
        DrawUp: DrawUpProcedure(),
        SetUp: SetUpProcedure(),
    }
)
