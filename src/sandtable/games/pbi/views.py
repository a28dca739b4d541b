"""What a side may know: nothing is hidden on a table top, so that both sides see the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from sandtable.engine.part import Bar
from sandtable.engine.state import Frame
from sandtable.engine.view import BoxView, MarkView, PanelView, PieceView, RowView, TrackView, View
from sandtable.games.pbi.armies import army_points, check_army
from sandtable.games.pbi.catalogue import KINDS, Kind, lists
from sandtable.games.pbi.model import (
    Acting,
    Activation,
    Arrival,
    Deviating,
    Driving,
    Fight,
    Hits,
    Losses,
    Muster,
    PbiState,
    Piece,
    Promotion,
    Rerolling,
    Turn,
    Unit,
    Window,
)
from sandtable.games.pbi.morale import foot_problems
from sandtable.games.pbi.pointing import actors
from sandtable.games.pbi.position import foot_strength, ground_of
from sandtable.games.pbi.setup import mustered
from sandtable.games.pbi.table import FORWARD, SIDES, rows_of
from sandtable.games.pbi.victory import victory_points
from sandtable.games.pbi.words import FACINGS

STEPS = (
    "begins",
    "assets",
    "commander",
    "morale",
    "opportunity opens",
    "units",
    "new officers",
    "next unit",
    "smoke",
    "reinforcements",
    "arrivals",
    "countdown",
    "recovery",
)


def view(state: PbiState, side: str | None, ask: Callable[[PbiState], Bar]) -> View:
    """Everything on and beside the table."""
    turn = state.stack[0]
    active = turn.side if isinstance(turn, Turn) else _asked(state)
    step = STEPS[turn.step] if isinstance(turn, Turn) else "before the battle"
    asked = _asked(state)
    text, rule = ask(state) if state.outcome is None else ("The battle is over", "turn-countdown")
    text = text or "The battle goes on"
    if side != asked and state.outcome is None:
        text = f"Waiting for the {asked} ({text[0].lower() + text[1:] if text.endswith('?') else text})"
    return View(
        side=side,
        turn=f"Turn {state.turn}",
        phase=step,
        active=active,
        prompt=text,
        prompt_rule=rule,
        pieces=tuple(piece_view(state, piece) for piece in state.pieces.values()),
        marks=marks(state),
        boxes=tuple(BoxView(f"off-{name}", f"Off the table: {name}", name) for name in SIDES),
        tracks=tracks(state),
        panels=panels(state),
        focus=focus(state),
        extra=extra(state),
    )


def _of_unit(state: PbiState, frame: Any) -> str:
    return state.units[frame.unit].side


def _of_vehicle(state: PbiState, frame: Any) -> str:
    piece = state.pieces.get(frame.pieces[0])
    return piece.side if piece is not None else ""


def _of_strike(state: PbiState, frame: Any) -> str:
    if state.rules.deviation_reroll == "battle's defender":
        return "defender"
    return SIDES[1 - SIDES.index(frame.side)]


_ASKED: dict[type[Frame], Callable[[PbiState, Any], str]] = {
    Deviating: _of_strike,
    **dict.fromkeys((Activation, Acting, Promotion, Arrival), _of_unit),
    **dict.fromkeys((Driving, Rerolling), _of_vehicle),
}


def _asked(state: PbiState) -> str:
    """The side that decides now."""
    frame = state.stack[-1]
    find = _ASKED.get(type(frame))
    return (find(state, frame) if find else getattr(frame, "side", "")) or "defender"


# -- pieces and marks -----------------------------------------------------------------------------


def face_of(nation: str, kind: str, side: str) -> str:
    """The key of the drawing table."""
    return f"{nation}-{kind}-{side}"


def piece_view(state: PbiState, piece: Piece) -> PieceView:
    """A piece with its markers and what a tooltip says of it."""
    unit = state.units[piece.unit]
    kind = KINDS[piece.kind]
    markers = [
        name
        for name, shown in (
            ("officer", piece.officer),
            ("pinned", piece.pinned),
            ("immobilised", piece.immobile),
            ("deployed", piece.deployed and kind.foot),
            ("spent", piece.acted and not piece.ap),
            ("reacted", piece.reacted),
        )
        if shown
    ]
    # While a unit waits off the table, its pieces lie in a box beside it.
    at = piece.at or (f"off-{piece.side}" if not piece.within else "")
    return PieceView(
        id=piece.id,
        at=at,
        face=face_of(unit.nation, piece.kind, piece.side),
        label=kind.name if unit.kind == "command" else f"{kind.name} of {unit.name}",
        side=piece.side,
        facing=piece.facing if not kind.foot else FORWARD[piece.side],
        within=piece.within,
        markers=tuple(markers),
        facts=tuple(facts(kind, piece, unit)),
    )


def _dice(number: int) -> str:
    return "1 die" if number == 1 else f"{number} dice"


def facts(kind: Kind, piece: Piece, unit: Unit) -> list[tuple[str, str]]:
    """(name, value) pairs of a piece."""
    found = [("Unit", unit.name), ("Quality", unit.quality)]
    if kind.dice:
        found.append(("Small arms", f"{_dice(kind.dice)}, range {kind.reach}"))
    if kind.mg:
        found.append(("Machine-guns", "lost" if piece.silenced else _dice(kind.mg)))
    if kind.at:
        found.append(("Anti-tank", f"{kind.at}, range {kind.at_reach}"))
    if kind.gun:
        found.append(("Gun", f"{kind.gun}, high explosive {kind.he}"))
    if kind.armour:
        found.append(("Armour", str(kind.armour)))
    if kind.mortar:
        found.append(("Mortar", f"range {kind.nearest} to {kind.reach}"))
    if kind.vehicle or kind.form == "gun":
        found.append(("Facing", FACINGS[piece.facing]))
    if piece.ap:
        found.append(("Action points", str(piece.ap)))
    if piece.moved:
        found.append(("Squares moved", str(piece.moved)))
    return found


def marks(state: PbiState) -> tuple[MarkView, ...]:
    """Smoke and objectives, and a strike that is about to fall."""
    found = [MarkView(square, "smoke", f"Smoke of the {owner}", owner) for square, owner in state.smoke.items()]
    for square, worth in state.objectives.items():
        holder = state.control.get(square, "")
        found.append(MarkView(square, f"objective-{worth}", f"Objective, worth {worth}, held by the {holder}", holder))
    frame = state.stack[-1]
    if isinstance(frame, Deviating):
        found += [MarkView(square, "strike", "Aimed here", frame.side) for square in frame.squares]
    return tuple(found)


def tracks(state: PbiState) -> tuple[TrackView, ...]:
    """The countdown and the twelve steps."""
    start = int(state.rules.countdown)
    boxes = tuple(str(number) for number in range(start, -1, -1))
    clock = TrackView("countdown", "Countdown", boxes, start - state.countdown, "one die less in each defender's turn")
    turn = state.stack[0]
    if not isinstance(turn, Turn):
        return (clock,)
    return clock, TrackView("steps", f"Turn of the {turn.side}", STEPS[1:], max(0, turn.step - 1))


def _of_actors(state: PbiState, frame: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(state.pieces[id].at for id in actors(state) if id in state.pieces))


_FOCUS: dict[type[Frame], Callable[[PbiState, Any], tuple[str, ...]]] = {
    Window: lambda state, frame: (frame.target,),
    Hits: lambda state, frame: (frame.square,),
    Losses: lambda state, frame: (frame.square,),
    Fight: lambda state, frame: (frame.origin, frame.square),
    Deviating: lambda state, frame: frame.squares,
    **dict.fromkeys((Acting, Driving, Rerolling), _of_actors),
}


def focus(state: PbiState) -> tuple[str, ...]:
    """Where the present decision takes place."""
    frame = state.stack[-1]
    find = _FOCUS.get(type(frame))
    return find(state, frame) if find else ()


# -- panels ---------------------------------------------------------------------------------------


def panels(state: PbiState) -> tuple[PanelView, ...]:
    """Standing, the pieces that act, units and assets, or the army being built."""
    frame = state.stack[-1]
    if isinstance(frame, Muster):
        return (army_panel(frame),)
    found = [
        PanelView(
            "victory",
            "Victory points",
            tuple(
                RowView(
                    side.capitalize(),
                    f"{victory_points(state, side)} ({state.points.get(side, 0)} for units)",
                    "turn-countdown",
                )
                for side in SIDES
            ),
        )
    ]
    ids = [id for id in actors(state) if id in state.pieces]
    if ids and isinstance(frame, (Acting, Driving)):
        rows = [RowView(KINDS[state.pieces[id].kind].name, f"{state.pieces[id].ap} AP left") for id in ids]
        found.append(PanelView("acting", "Acting", tuple(rows)))
    if isinstance(frame, Losses):
        toll = [RowView(f"Dead of the {side}", str(state.toll.get(side, 0)), "assault-results") for side in SIDES]
        found.append(PanelView("assault", f"Assault on {frame.square}", tuple(toll)))
    for side in SIDES:
        rows = [unit_row(state, unit) for unit in state.units.values() if unit.side == side]
        found.append(PanelView(f"units-{side}", f"Units of the {side}", tuple(rows)))
        assets = state.assets.get(side, ())
        if assets:
            rows = [RowView(lists().assets[asset].name, "", "turn-assets") for asset in assets]
            found.append(PanelView(f"assets-{side}", f"Assets of the {side}", tuple(rows)))
    return tuple(found)


def unit_row(state: PbiState, unit: Unit) -> RowView:
    """A unit's strength, marks and problems."""
    if unit.gone:
        return RowView(unit.name, "out of the battle", tone="bad")
    parts = [unit.quality]
    if unit.strength and unit.kind != "command":
        parts.append(f"{foot_strength(state, unit.id)} of {unit.strength} bases")
    if unit.casualties:
        parts.append("1 casualty" if unit.casualties == 1 else f"{unit.casualties} casualties")
    if unit.off:
        parts.append("off the table")
    if unit.done:
        parts.append("done")
    if unit.silent:
        parts.append("no motivation")
    problems = foot_problems(state, unit) if unit.kind in ("platoon", "weapons") and not unit.off else ()
    parts += problems
    return RowView(unit.name, ", ".join(parts), "morale-foot" if problems else "", "bad" if len(problems) > 1 else "")


def army_panel(frame: Muster) -> PanelView:
    """The army so far, and what is still wrong with it."""
    army = mustered(frame)
    table = lists()
    rows = []
    for entry, quality in frame.units:
        found = table.entry(frame.nation, entry)
        assert found is not None
        rows.append(RowView(f"{quality} {found.name}", f"{found.points(quality)} points"))
    rows += [RowView(table.assets[id].name, f"{table.assets[id].points} points") for id in frame.assets]
    rows.append(RowView("Together, with the commander", f"{army_points(army)} of {frame.points} points"))
    rows += [RowView(problem.where, problem.sentence, tone="bad") for problem in check_army(army)]
    return PanelView("army", f"Army of the {frame.side}", tuple(rows))


def extra(state: PbiState) -> dict[str, Any]:
    """What computer players read: the same facts as plain data."""
    g = ground_of(state)
    frame = state.stack[-1]
    return {
        "rows": rows_of(state.ground),
        "ground": state.ground,
        "frame": msgspec.to_builtins(frame),
        "objectives": dict(state.objectives),
        "control": dict(state.control),
        "smoke": dict(state.smoke),
        "countdown": state.countdown,
        "points": dict(state.points),
        "assets": {side: list(assets) for side, assets in state.assets.items()},
        "units": {
            unit.id: {
                "side": unit.side,
                "kind": unit.kind,
                "quality": unit.quality,
                "strength": unit.strength,
                "casualties": unit.casualties,
                "officer": unit.officer,
                "off": unit.off,
                "gone": unit.gone,
                "done": unit.done,
            }
            for unit in state.units.values()
        },
        "pieces": {
            piece.id: {
                "side": piece.side,
                "unit": piece.unit,
                "kind": piece.kind,
                "at": piece.at,
                "within": piece.within,
                "facing": piece.facing,
                "pinned": piece.pinned,
                "deployed": piece.deployed,
                "moved": piece.moved,
                "ap": piece.ap,
                "officer": piece.officer,
                "immobile": piece.immobile,
                "shots": piece.shots,
                "acted": piece.acted,
                "reacted": piece.reacted,
            }
            for piece in state.pieces.values()
        },
        "columns": len(g.edge["attacker"]),
    }
