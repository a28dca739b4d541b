"""Armies: reading and checking a list, counting its points, and raising one by dice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from sandtable.engine.dice import StreamDice
from sandtable.games.pbi.catalogue import KINDS, NATIONS, QUALITIES, Entry, lists
from sandtable.games.pbi.model import Piece, Unit
from sandtable.games.pbi.table import FORWARD
from sandtable.reading import convert

COMMAND_NAME = "Company commander"
KIND_NAMES = {
    "platoon": ("platoon", "platoons"),
    "weapons": ("weapons platoon", "weapons platoons"),
    "guns": ("gun unit", "gun units"),
    "vehicles": ("vehicle unit", "vehicle units"),
}
"""The kinds of units, one and several."""


class Recruited(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A unit of an army: the entry of the list, and its quality if it is not the army's."""

    entry: str
    quality: str = ""


class Army(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A company as its owner writes it down."""

    nation: str
    quality: str = "average"
    name: str = ""
    points: int = 400
    """The limit it is built to."""
    units: tuple[Recruited, ...] = ()
    assets: tuple[str, ...] = ()


class Problem(msgspec.Struct, frozen=True):
    """What is wrong with an army, and where."""

    where: str
    sentence: str


def unit_points(nation: str, entry: str, quality: str) -> int:
    """What a unit costs; an unknown one costs nothing."""
    found = lists().entry(nation, entry)
    return found.points(quality) if found else 0


def commander_points(quality: str) -> int:
    """What the company commander costs."""
    return round(KINDS["commander"].points * lists().quality[quality])


def army_points(army: Army) -> int:
    """What an army costs, the commander and the assets included."""
    units = sum(unit_points(army.nation, unit.entry, unit.quality or army.quality) for unit in army.units)
    assets = sum(lists().assets[asset].points for asset in army.assets if asset in lists().assets)
    return commander_points(army.quality) + units + assets


def check_army(data: Mapping[str, Any] | Army) -> list[Problem]:
    """Everything that is wrong with an army, each in a sentence that says what to do; none: it is in order."""
    if isinstance(data, Army):
        army = data
    else:
        try:
            army = convert(dict(data), Army)
        except msgspec.ValidationError as error:
            return [Problem("army", f"The file does not describe an army: {error}.")]
    if army.nation not in lists().nations:
        names = ", ".join(NATIONS)
        return [Problem("nation", f"There is no list for {army.nation!r}; take one of {names}.")]
    if army.quality not in QUALITIES:
        return [Problem("quality", f"{army.quality!r} is no quality; take raw, average or veteran.")]
    problems = _check_units(army)
    total = army_points(army) if not problems else 0
    if total > army.points:
        over = total - army.points
        problems.append(Problem("points", f"The army costs {total} of {army.points} points: leave out {over} or more."))
    return problems


def _check_units(army: Army) -> list[Problem]:
    """What is wrong with the units and assets of an army."""
    table = lists()
    problems: list[Problem] = []
    counts: dict[str, int] = {}
    tanks = 0
    entries = table.nations[army.nation].units
    for number, unit in enumerate(army.units, 1):
        where = f"unit {number}"
        entry = table.entry(army.nation, unit.entry)
        if entry is None:
            names = ", ".join(other.id for other in entries)
            problems.append(Problem(where, f"The {army.nation} list has no {unit.entry!r}; it has {names}."))
            continue
        if unit.quality and unit.quality not in QUALITIES:
            problems.append(Problem(where, f"{unit.quality!r} is no quality; take raw, average or veteran."))
            continue
        counts[entry.kind] = counts.get(entry.kind, 0) + 1
        tanks += entry.tanks
    for asset in army.assets:
        if asset not in table.assets:
            problems.append(Problem("assets", f"There is no asset {asset!r}; take {', '.join(table.assets)}."))
    return problems + _check_limits(army, counts, tanks)


def _so_many(number: int, kind: str) -> str:
    return f"{number} {KIND_NAMES[kind][number != 1]}"


def _check_limits(army: Army, counts: Mapping[str, int], tanks: int) -> list[Problem]:
    """Too few or too many units, tanks and assets."""
    problems: list[Problem] = []
    limits = lists().kinds_of_unit
    for kind in ("platoon", "weapons", "guns", "vehicles"):
        least, most = limits[kind]
        number = counts.get(kind, 0)
        if number < least:
            problems.append(
                Problem(
                    "units", f"The army needs at least {_so_many(least, kind)} and has {number or 'none'}: add some."
                )
            )
        if number > most:
            problems.append(
                Problem("units", f"The army may have at most {_so_many(most, kind)} and has {number}: leave some out.")
            )
    if tanks > limits["tank_limit"]:
        problems.append(
            Problem("units", f"The army has {tanks} tanks and may have at most {limits['tank_limit']}: leave some out.")
        )
    if len(army.assets) > limits["asset_limit"]:
        problems.append(
            Problem(
                "assets",
                f"The army has {len(army.assets)} assets and may have at most {limits['asset_limit']}: leave some out.",
            )
        )
    return problems


# -- from list to pieces --------------------------------------------------------------------------


def enlist(side: str, army: Army, *, mounted: bool) -> tuple[list[Unit], list[Piece]]:
    """The units and pieces of an army; ids are the side's first letter, the unit's and the piece's number."""
    letter = side[0]
    units = [Unit(f"{letter}0", side, COMMAND_NAME, "command", army.quality, army.nation, 1, officer="alive")]
    pieces = [Piece(f"{letter}0-1", side, f"{letter}0", "commander", facing=FORWARD[side], officer=True)]
    for number, recruited in enumerate(army.units, 1):
        entry = lists().entry(army.nation, recruited.entry)
        if entry is None:
            raise ValueError(f"the {army.nation} list has no {recruited.entry!r}")
        quality = recruited.quality or army.quality
        unit, its = muster_unit(side, f"{letter}{number}", entry, quality, army.nation, mounted=mounted)
        same = sum(other.name.partition(" (")[0] == unit.name for other in units)
        units.append(msgspec.structs.replace(unit, name=f"{unit.name} ({same + 1})") if same else unit)
        pieces += its
    return units, pieces


def muster_unit(
    side: str, id: str, entry: Entry, quality: str, nation: str, *, mounted: bool
) -> tuple[Unit, list[Piece]]:
    """One unit with its pieces; mounted, its men and gun are in or behind its transports."""
    pieces: list[Piece] = []
    for number, section in enumerate(entry.sections):
        for name in section:
            kind = name.rstrip("*")
            pieces.append(
                Piece(
                    f"{id}-{len(pieces) + 1}",
                    side,
                    id,
                    kind,
                    section=number,
                    facing=FORWARD[side],
                    officer=name.endswith("*"),
                    deployed=not mounted and (KINDS[kind].deploys or KINDS[kind].form == "gun"),
                )
            )
    transports = entry.transports
    if entry.kind == "guns" and not mounted:
        transports = ()  # a deployed gun's tractor has gone home
    vehicles = _transports(side, id, transports, len(pieces))
    if mounted and not transports:
        pieces = [
            msgspec.structs.replace(piece, deployed=True) if KINDS[piece.kind].form == "gun" else piece
            for piece in pieces
        ]
    elif mounted:
        pieces = _aboard(pieces, vehicles)
    strength = sum(KINDS[piece.kind].foot for piece in pieces)
    officer = "alive" if any(piece.officer for piece in pieces) else ""
    unit = Unit(id, side, entry.name, entry.kind, quality, nation, strength, officer=officer)
    return unit, [*pieces, *vehicles]


def _transports(side: str, unit: str, kinds: Sequence[str], before: int) -> list[Piece]:
    """The transports of a unit, numbered after its men and guns."""
    return [
        Piece(f"{unit}-{before + number + 1}", side, unit, kind, section=number, facing=FORWARD[side])
        for number, kind in enumerate(kinds)
    ]


def tractors(unit: Unit, pieces: Sequence[Piece]) -> list[Piece]:
    """The tractor that a gun has paid for, if it was mustered deployed and without it."""
    if unit.kind != "guns" or any(KINDS[piece.kind].transport for piece in pieces):
        return []
    name = unit.name.partition(" (")[0]
    entry = next(entry for entry in lists().nations[unit.nation].units if entry.name == name)
    return _transports(unit.side, unit.id, entry.transports, len(pieces))


def _aboard(pieces: Sequence[Piece], vehicles: Sequence[Piece]) -> list[Piece]:
    """Fill the transports in order; who finds no place walks."""
    room = {vehicle.id: KINDS[vehicle.kind].capacity for vehicle in vehicles}
    placed = []
    for piece in pieces:
        size = 1 if KINDS[piece.kind].foot else 2
        seat = next((id for id, left in room.items() if left >= size), "")
        if seat:
            room[seat] -= size
        placed.append(msgspec.structs.replace(piece, within=seat))
    return placed


def raise_army(dice: StreamDice, nation: str, quality: str, points: int) -> Army:
    """A sensible army by dice: two platoons, then whatever fits, then assets."""
    entries = lists().nations[nation].units
    platoons = [entry for entry in entries if entry.kind == "platoon"]
    army = Army(nation, quality, f"{lists().nations[nation].name} company", points)
    for _ in range(2):
        affordable = [entry for entry in platoons if entry.points(quality) <= (points - army_points(army)) * 0.55]
        army = _with(army, _pick(dice, affordable or sorted(platoons, key=lambda e: e.points(quality))[:1]))
    wanted = ["weapons", "vehicles", "platoon", "guns", "vehicles"]
    for kind in wanted:
        fitting = [entry for entry in entries if entry.kind == kind and not check_army(_with(army, entry))]
        if fitting and len(army.units) < 5:
            army = _with(army, _pick(dice, fitting))
    for asset in ("barrage", "smoke", "encourage", "hurry"):
        more = msgspec.structs.replace(army, assets=(*army.assets, asset))
        if not check_army(more):
            army = more
    return army


def _with(army: Army, entry: Entry) -> Army:
    return msgspec.structs.replace(army, units=(*army.units, Recruited(entry.id)))


def _pick(dice: StreamDice, entries: Sequence[Entry]) -> Entry:
    (face,) = dice.roll(len(entries), 1, "army")
    return entries[face - 1]
