"""Words of movement (12.0), and what bars a group from a hex."""

from __future__ import annotations

from sandtable.engine.part import Bar, Part
from sandtable.engine.view import Description
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly import events as e
from sandtable.games.underbelly import model as m
from sandtable.games.underbelly.atlas import BIT, INDEX, LAND_BITS, SF_HEX
from sandtable.games.underbelly.data import GERMAN, OTHER
from sandtable.games.underbelly.reach import reach
from sandtable.games.underbelly.stacking import within_limits
from sandtable.games.underbelly.wording import names, plain, unit_name, where
from sandtable.games.underbelly.zones import UNITS, field

State = m.UnderbellyState


def _group(state: State) -> tuple[m.Moving, tuple[str, ...]]:
    """The moving group, and where it is on the map."""
    frame = state.stack[-1]
    assert isinstance(frame, m.Moving)
    return frame, (frame.at,) if frame.at in INDEX else ()


def _go(state: State, side: str, action: a.Go) -> Description:
    frame, start = _group(state)
    h = INDEX.get(action.to)
    found = reach(state, frame)
    price = f"{max(found.cost(h).values())} MP" if h is not None and found.ends & BIT[h] else ""
    return Description(f"Move to {where(action.to)}", "go", frame.group, (*start, action.to), rule="12.1", cost=price)


def _leave(state: State, side: str, action: a.Leave) -> Description:
    frame, start = _group(state)
    return Description(
        f"Leave {unit_name(action.unit)} in {where(frame.at)}", "leave", (action.unit,), start, rule="9.4"
    )


def _port_move(state: State, side: str, action: a.PortMove) -> Description:
    frame, start = _group(state)
    return Description(f"Sail to {where(action.to)}", "move", frame.group, (*start, action.to), rule="12.5")


def _go_bar(state: State, side: str, action: a.Go) -> Bar | None:
    """What keeps the group from ending its move in a hex (3.6, 6.3, 12.1, 12.3, 12.7)."""
    frame, _ = _group(state)
    now = field(state)
    to = action.to
    h = INDEX.get(to)
    if h is None or not LAND_BITS & BIT[h]:
        return "Units move on land hexes of the map", "12.3"
    if now.occupied(OTHER[frame.side]) & BIT[h]:
        return f"{where(to)} is occupied by the enemy", "12.3"
    if frame.side == GERMAN and state.sf and to == SF_HEX:
        return "The Special Forces keep the Germans out of 2823", "3.6"
    others = [u for u in now.stack(to) if u not in frame.group]
    if not within_limits((*others, *frame.group)):
        return f"{where(to)} is full: three divisions and one corps support unit", "6.3"
    if frame.kind == "column" and now.in_ezoc(frame.side, to):
        return "A column may not enter an enemy zone of control", "12.7"
    if not reach(state, frame).ends & BIT[h]:
        return f"The group cannot reach {where(to)} with the movement points it has left", "12.1"
    return None


def _ask_moving(state: State, frame: m.Moving) -> Bar:
    who_moves = f"{len(frame.group)} units" if len(frame.group) > 1 else UNITS[frame.group[0]].name
    least, most = min(frame.left), max(frame.left)
    points = f"{least} to {most}" if least < most else f"{most}"
    rest = ", leave units behind" if len(frame.group) > 1 else ""
    return f"{who_moves}, {points} MP left: move{rest}, or halt", "12.1"


def _moved(state: State, event: e.Moved) -> str:
    hidden = event.count - len(event.units)
    who = names(event.units) if event.units else ""
    more = "other " if who else ""
    rest = f"{hidden} {more}{'unit' if hidden == 1 else 'units'}" if hidden else ""
    all_ = " and ".join(filter(None, (who, rest)))
    if event.origin == m.ASIDE:
        return f"{all_}: placed in {where(event.at)}"
    return f"{all_}: {where(event.origin)} to {where(event.at)}"


def _exited(state: State, event: e.Exited) -> str:
    leave = "leaves" if len(event.units) == 1 else "leave"
    return f"{names(event.units)} {leave} the map from {where(event.at)}"


PART: Part[State] = Part(
    describe={
        a.Go: _go,
        a.PortMove: _port_move,
        a.Leave: _leave,
        a.Halt: plain("Halt here", "done", "12.1", "h"),
        a.Exit: plain("Leave the map by the north edge", "move", "4.1", "x"),
    },
    why_not={(m.Moving, a.Go): _go_bar},
    prompts={m.Moving: _ask_moving},
    words={
        e.Moved: _moved,
        e.Appeared: _moved,
        e.Named: lambda state, event: f"In this stack: {names(event.units)}",
        e.Allowance: lambda state, event: (
            f"{unit_name(event.unit)} has {event.mf} movement point{'' if event.mf == 1 else 's'}"
        ),
        e.Exited: _exited,
    },
)
