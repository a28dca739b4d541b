"""Counters in Locations: laying them, what they do by the table of their kinds, and when they go (1.2.5, 3.3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.squad.cards.location_counters import CounterKind
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.part import Item
from sandtable.games.squad.pieces.events import CounterRemoved, SmokeRemoved
from sandtable.games.squad.pieces.model import Counter, SquadState, Unit

SMOKE, RESIDUAL, CHARGE, FORTIFIED = "smoke", "residual FP", "charge", "fortified building"


def kind_of(state: SquadState, counter: Counter) -> CounterKind:
    """The line of the table for a counter."""
    return setting_of(state).points.counters[counter.kind]


def counters_at(state: SquadState, place: int, kind: str) -> list[Counter]:
    """The counters of a kind in a Location."""
    return [counter for counter in state.counters.get(place, ()) if counter.kind == kind]


def all_counters(state: SquadState, kind: str) -> Iterator[tuple[int, Counter]]:
    """All counters of a kind on the map, each with its Location."""
    for place, counters in state.counters.items():
        for counter in counters:
            if counter.kind == kind:
                yield place, counter


def lay(state: SquadState, place: int, counter: Counter) -> None:
    """Put a counter into a Location."""
    _set(state, place, (*state.counters.get(place, ()), counter))


def take_up(state: SquadState, place: int, counter: Counter) -> None:
    """Remove a counter from a Location."""
    present = list(state.counters[place])
    present.remove(counter)
    _set(state, place, tuple(present))


def _set(state: SquadState, place: int, counters: tuple[Counter, ...]) -> None:
    """Counters of a Location, and with them what hinders lines through its hex."""
    if counters:
        state.counters[place] = counters
    else:
        state.counters.pop(place, None)
    ground = setting_of(state).ground
    cell = ground.hex_of(place)
    kinds = [kind_of(state, item) for here in ground.locations_of(cell) for item in state.counters.get(here, ())]
    hindrance = (_strongest(kinds, "hindrance"), _strongest(kinds, "out"))
    if any(hindrance):
        state.hinders[cell] = hindrance
    else:
        state.hinders.pop(cell, None)


def _strongest(kinds: Iterable[CounterKind], what: str) -> int:
    """The largest figure of each group, added up."""
    best: dict[str, int] = {}
    for kind in kinds:
        group = kind.group or kind.name
        best[group] = max(best.get(group, 0), getattr(kind, what))
    return sum(best.values())


# -- what they do -----------------------------------------------------------------------


def mf_in(state: SquadState, place: int) -> int:
    """Half MF that counters add to the cost of entering a Location (1.2.5)."""
    counters = state.counters.get(place)
    return _strongest([kind_of(state, counter) for counter in counters], "mf") if counters else 0


def costs_more(state: SquadState) -> bool:
    """Whether counters make any Location dearer to enter."""
    return any([mf_in(state, place) for place in state.counters])


def cover_of(state: SquadState, place: int, unit: Unit | None) -> Item | None:
    """The best TEM that a counter in a Location gives a unit, or the Location itself."""
    best: Item | None = None
    for counter in state.counters.get(place, ()):
        kind = kind_of(state, counter)
        tem = counter.value if kind.tem_by_value else kind.tem
        if kind.capacity and (unit is None or unit.within != counter.id):
            continue
        if tem > (best[1] if best else 0):
            best = (kind.name, tem, kind.rule)
    return best


def room_within(state: SquadState, place: int, counter: Counter, units: Iterable[Unit]) -> bool:
    """Whether units would fit into what a counter stands for, beside those who are in it: a foxhole, a pillbox."""
    setting = setting_of(state)
    coming = list(units)
    names = {unit.id for unit in coming}
    inside = [state.units[name] for name in state.stacks.get(place, ()) if state.units[name].within == counter.id]
    held = [*coming, *[unit for unit in inside if unit.id not in names]]
    return sum([setting.kinds[unit.group, unit.kind].size for unit in held]) <= kind_of(state, counter).capacity


def residual_in(state: SquadState, place: int) -> int:
    """Residual FP in a Location (3.3.1)."""
    for counter in state.counters.get(place, ()):
        if counter.kind == RESIDUAL:
            return counter.value
    return 0


# -- when they go -----------------------------------------------------------------------


def expire(play: Play[SquadState], moment: str) -> None:
    """Remove or flip the counters whose time has come: `MPh ends`, `turn begins` and the like."""
    state = play.state
    if not state.counters:
        return
    names = setting_of(state).ground.names
    for place, present in list(state.counters.items()):
        kept: list[Counter] = []
        told: set[str] = set()
        for counter in present:
            kind = kind_of(state, counter)
            if kind.goes != moment or (kind.attacker_only and counter.side != state.attacker):
                kept.append(counter)
                continue
            if kind.becomes:
                kept.append(replace(counter, kind=kind.becomes))
            if kind.told and kind.name not in told:
                told.add(kind.name)
                _tell(play, kind, names[place])
        if tuple(kept) != present:
            _set(state, place, tuple(kept))


def _tell(play: Play[SquadState], kind: CounterKind, where: str) -> None:
    if kind.group == SMOKE:
        play.emit(SmokeRemoved(at=where, smoke=kind.name, now=kind.becomes))
    else:
        play.emit(CounterRemoved(at=where, counter=kind.name, now=kind.becomes))
