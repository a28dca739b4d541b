"""Events in words, for the log: the one place of the game where sentences are made."""

from __future__ import annotations

from sandtable.engine import Event, Rolled, Tally
from sandtable.engine.game import words as engine_words
from sandtable.games.pbi import events as e
from sandtable.games.pbi.catalogue import KINDS, lists
from sandtable.games.pbi.model import PbiState

FACINGS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")

_THINGS = {
    "step": "goes to {at}",
    "rally": "rallies the pinned in {at}",
    "comfort": "sees to the casualties of {unit}",
    "urge": "urges {unit} on",
    "call": "calls for the reinforcements",
}


def named(state: PbiState, ids: tuple[str, ...] | list[str]) -> str:
    """Pieces by name: two rifles, a light machine-gun."""
    counts: dict[str, int] = {}
    for id in ids:
        piece = state.pieces.get(id)
        name = KINDS[piece.kind].name if piece else _lost(state, id)
        counts[name] = counts.get(name, 0) + 1
    return ", ".join(several(number, name) if number > 1 else name for name, number in counts.items())


def _lost(state: PbiState, id: str) -> str:
    """A piece that is no longer there, by its unit."""
    unit = state.units.get(id.rpartition("-")[0])
    what = {"vehicles": "vehicle", "guns": "gun"}.get(unit.kind, "base") if unit else "base"
    return f"{what} of {unit.name}" if unit else what


def several(number: int, name: str) -> str:
    """So many of a name: 2 Light machine-guns, 2 Rifles, 2 bases of Grenadier platoon, but 2 SdKfz 251."""
    first, of, rest = name.partition(" of ")
    if " with " not in first and first[-1].isalpha() and not first.endswith(("s", "z")):
        first += "s" if number != 1 else ""
    return f"{number} {first}{of}{rest}"


def verb(number: int, name: str, one: str, more: str) -> str:
    """The form of a verb that fits so many of a name: Rifles shoot, a Flamethrower shoots."""
    return more if number > 1 or name.partition(" with ")[0].endswith("s") else one


def unit_name(state: PbiState, unit: str) -> str:
    """A unit with its side."""
    found = state.units[unit]
    return f"{found.name} of the {found.side}"


SUMS = ("Action points", "To hit")
"""Tallies that are added to dice; the others are scores or numbers of dice."""


def _tally(tally: Tally) -> str:
    items = ", ".join(f"{item.label} {item.value:+g}" for item in tally.items)
    total = f"{tally.total:+g}" if tally.title in SUMS else f"{tally.total:g}"
    return f" ({tally.title} {total}: {items})" if items else ""


def words(event: Event, state: PbiState) -> str:
    """One event as a sentence."""
    if isinstance(event, Rolled):
        dice = " ".join(str(face) for face in event.faces)
        return f"{event.why}: {dice}" + (_tally(event.tally) if event.tally is not None else "")
    return _before(event, state) or _fighting(event, state) or _turn(event, state) or engine_words(event)


def _before(event: Event, state: PbiState) -> str:
    match event:
        case e.ArmyReady(side=side, points=points):
            return f"The {side}'s army is complete: {points} points"
        case e.Placed(unit=unit, pieces=pieces, at=at):
            return f"{unit_name(state, unit)}: {named(state, pieces)} in {at}"
        case e.TurnBegan(side=side, turn=turn):
            return f"Turn {turn} of the {side}"
        case e.AssetUsed(side=side, asset=asset):
            return f"The {side} uses an asset: {lists().assets[asset].name}"
        case e.CommanderActed(side=side, what=what, at=at, well=well, unit=unit):
            thing = _THINGS[what].format(at=at, unit=state.units[unit].name if unit else "a unit")
            return f"The {side}'s commander {thing}" + ("" if well else ", in vain")
        case e.MoraleTested(unit=unit, problems=problems, result=result):
            ends = {"routs": "routs", "silent": "cannot be motivated", "holds": "holds"}
            return f"{unit_name(state, unit)} {ends[result]} ({'; '.join(problems)})"
        case e.UnitRemoved(unit=unit, why=why):
            return f"{unit_name(state, unit)} is out of the battle: {why}"
        case e.Motivated(unit=unit, at=at, well=well):
            return f"{unit_name(state, unit)} in {at} is {'motivated' if well else 'not motivated'}"
        case e.PointsRolled(unit=unit, at=at, ap=ap, residual=residual):
            what = "the residual action point" if residual else f"{ap} action points"
            return f"{unit_name(state, unit)} in {at} has {what}"
    return ""


def _fighting(event: Event, state: PbiState) -> str:
    match event:
        case e.Moved(pieces=pieces, start=start, at=at):
            return f"{named(state, pieces)}: {start} to {at}"
        case e.Faced(piece=piece, facing=facing):
            return f"{named(state, (piece,))} turns {FACINGS[facing]}"
        case e.Shot(shooters=shooters, start=start, at=at, hits=hits, reacting=reacting):
            who = named(state, shooters)
            how = verb(len(shooters), who, "shoots", "shoot") + (" in reaction" if reacting else "")
            return f"{who} in {start} {how} at {at}: {several(hits, 'hit')}"
        case e.GunShot(shooter=shooter, start=start, at=at, result=result, target=target):
            aim = named(state, (target,)) if target else "foot"
            return f"{named(state, (shooter,))} in {start} shoots at {aim} in {at}: {result}"
        case e.Penetrated(aspect=aspect, effects=effects, saves=saves):
            return f"Hit on the {aspect}: {several(effects, 'effect')}, {several(saves, 'save')}"
        case e.Bombed(side=side, at=at, smoke=smoke):
            return f"{'Smoke' if smoke else 'High explosive'} of the {side} falls in {at}"
        case e.Drifted(placed=placed, fell=fell):
            moved = [f"{a} to {b or 'off the table'}" for a, b in zip(placed, fell, strict=True) if a != b]
            return f"Deviation: {', '.join(moved)}" if moved else "No deviation"
        case e.PinnedDown(pieces=pieces, at=at):
            return f"Pinned in {at}: {named(state, pieces)}"
        case e.Unpinned(pieces=pieces, at=at, well=well):
            return f"{named(state, pieces)} in {at}: {'no longer pinned' if well else 'still pinned'}"
        case e.CasualtyTended(unit=unit, well=well):
            return f"{unit_name(state, unit)}: casualty {'removed' if well else 'not removed'}"
        case e.Lost(name=name, side=side, at=at, how=how):
            return f"{name} of the {side} in {at} {verb(1, name, 'is', 'are')} lost ({how})"
        case e.GunSilenced(piece=piece, at=at):
            return f"The machine-gun mounted on {named(state, (piece,))} in {at} is lost"
        case e.Saved(piece=piece, at=at):
            name = named(state, (piece,))
            return f"{name} in {at} {verb(1, name, 'is', 'are')} saved"
        case e.MadeImmobile(piece=piece, at=at):
            return f"{named(state, (piece,))} in {at} is immobilised"
        case e.AssaultBegan(assaulters=assaulters, start=start, at=at):
            return f"{named(state, assaulters)} assault {at} from {start}"
        case e.AssaultEnded(at=at, won=won, dead_assaulters=own, dead_targets=theirs):
            return (
                f"Assault on {at} {'won' if won else 'beaten off'}: dead of the target {theirs}, of the assaulter {own}"
            )
        case e.FellBack(pieces=pieces, start=start, at=at):
            return f"{named(state, pieces)} fall back from {start} to {at}"
    return ""


def _turn(event: Event, state: PbiState) -> str:
    match event:
        case e.Recovered(piece=piece, at=at, well=well):
            return f"{named(state, (piece,))} in {at} is {'moving again' if well else 'still immobilised'}"
        case e.SetOut(piece=piece, at=at, deployed=deployed):
            return f"{named(state, (piece,))} in {at} is {'deployed' if deployed else 'packed up'}"
        case e.Boarded(pieces=pieces, vehicle=vehicle, at=at):
            return f"{named(state, pieces)} get on {named(state, (vehicle,))} in {at}"
        case e.Alighted(pieces=pieces, at=at):
            return f"{named(state, pieces)} get off in {at}"
        case e.LeftTable(at=at):
            return f"The empty transport in {at} drives away"
        case e.OfficerSought(unit=unit, well=well):
            return f"{unit_name(state, unit)} finds {'a' if well else 'no'} new officer"
        case e.NewOfficer(unit=unit, at=at):
            return f"{unit_name(state, unit)}: a new officer takes command in {at}"
        case e.SmokeLifted(at=at):
            return f"The smoke in {at} lifts"
        case e.ReinforcementRolled(unit=unit, well=well):
            return f"{unit_name(state, unit)} {'arrives' if well else 'does not arrive yet'}"
        case e.Arrived(unit=unit, at=at):
            return f"{unit_name(state, unit)} comes on at {at}"
        case e.CountedDown(left=left):
            return f"The countdown stands at {left}"
        case e.ObjectiveTaken(side=side, at=at, worth=worth):
            return f"The {side} takes the objective in {at}, worth {worth}"
    return ""


def place(event: Event) -> tuple[str, ...]:
    """The squares that an event is about."""
    if isinstance(event, e.Drifted):
        return tuple(square for square in event.fell if square)
    start, at = getattr(event, "start", ""), getattr(event, "at", "")
    return tuple(square for square in (start, at) if square)
