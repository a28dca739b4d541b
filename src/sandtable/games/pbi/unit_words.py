"""Words of the turn: units and their groups, morale, arrivals, new officers, countdown and objectives."""

from __future__ import annotations

from sandtable.engine.part import Bar, Part
from sandtable.engine.view import Description, Preview, Refusal
from sandtable.games.pbi import actions as a
from sandtable.games.pbi import events as e
from sandtable.games.pbi.catalogue import KINDS
from sandtable.games.pbi.model import (
    Acting,
    Activation,
    Arrival,
    Assets,
    Commander,
    Driving,
    PbiState,
    Promotion,
    Rerolling,
    Units,
)
from sandtable.games.pbi.pointing import actors, cells_of, ids_of, name_of
from sandtable.games.pbi.position import unit_pieces
from sandtable.games.pbi.preview import motivation, vehicle_points
from sandtable.games.pbi.words import named, unit_name, verb

_MORALE = {"routs": "routs", "silent": "cannot be motivated", "holds": "holds"}
DONE = {
    Assets: "Use no asset now",
    Commander: "The commander has done enough",
    Units: "End the turn: no more units act",
    Activation: "This unit has finished",
    Acting: "They have finished",
    Driving: "It has done enough",
}


# -- descriptions -------------------------------------------------------------------------


def _activation(state: PbiState) -> Activation:
    frame = state.stack[-1]
    assert isinstance(frame, Activation)
    return frame


def _activate(state: PbiState, side: str, action: a.Activate) -> Description:
    ids = ids_of(unit_pieces(state, action.unit))
    return Description(f"Begin with {state.units[action.unit].name}", "unit", ids)


def _motivate(state: PbiState, side: str, action: a.Motivate) -> Description:
    group = [
        piece
        for piece in unit_pieces(state, _activation(state).unit)
        if (piece.within or piece.at) == action.at and KINDS[piece.kind].foot and not piece.acted
    ]
    carrier = f" on {name_of(state, group[0].within)}" if group[0].within else ""
    text = f"Motivate {named(state, ids_of(group))}{carrier} in {group[0].at}"
    return Description(text, "motivate", ids_of(group), (group[0].at,), rule="motivation")


def _man(state: PbiState, side: str, action: a.Man) -> Description:
    text = f"Man {name_of(state, action.piece)}"
    return Description(text, "motivate", (action.piece,), cells_of(state, action.piece), rule="vehicle-ap-roll")


def _drive(state: PbiState, side: str, action: a.Drive) -> Description:
    id = action.piece
    men = named(state, state.cargo.get(id, ()))
    text = f"Roll for {name_of(state, id)} in {state.pieces[id].at}" + (f" (with {men})" if men else "")
    return Description(text, "drive", (id,), cells_of(state, id), rule="vehicle-ap-roll")


def _together(state: PbiState, side: str, action: a.MoveTogether) -> Description:
    unit = _activation(state).unit
    ids = ids_of([piece for piece in unit_pieces(state, unit) if piece.at == action.at and not piece.within])
    text = f"Move the vehicles in {action.at} as a group"
    return Description(text, "drive", ids, (action.at,), rule="odds-vehicle-group")


def _reroll(state: PbiState, side: str, action: a.Reroll) -> Description:
    return Description("Roll the action points again", "reroll", actors(state), rule="odds-vehicle-group")


def _keep(state: PbiState, side: str, action: a.Keep) -> Description:
    frame = state.stack[-1]
    assert isinstance(frame, Rerolling)
    return Description(f"Keep {frame.ap} action points", "done", actors(state), key="Enter")


def _promote(state: PbiState, side: str, action: a.Promote) -> Description:
    id = action.piece
    name = name_of(state, id)
    text = f"{name} in {state.pieces[id].at} {verb(1, name, 'takes', 'take')} command"
    return Description(text, "choose", (id,), cells_of(state, id), rule="turn-new-officer")


def _arrive(state: PbiState, side: str, action: a.Arrive) -> Description:
    frame = state.stack[-1]
    assert isinstance(frame, Arrival)
    text = f"{state.units[frame.unit].name} enters at {action.at}"
    return Description(text, "arrive", ids_of(unit_pieces(state, frame.unit)), (action.at,), rule="turn-arrivals")


def _done(state: PbiState, side: str, action: a.Done) -> Description:
    text = DONE.get(type(state.stack[-1]), "Done")
    return Description(text, "done", actors(state), key="Enter")


# -- refusals, previews, prompts ----------------------------------------------------------


def _refusals(state: PbiState, side: str, frame: Units) -> list[Refusal]:
    return [
        Refusal(f"Begin with {unit.name}", reason, "turn-units", ids_of(unit_pieces(state, unit.id)))
        for unit in state.units.values()
        if unit.side == side and unit.kind != "command" and (reason := _unit_reason(unit.done, unit.off))
    ]


def _unit_reason(done: bool, off: bool) -> str:
    if off:
        return "it is off the table: it may arrive by a reinforcement roll"
    return "it has had its turn" if done else ""


def _preview_motivation(state: PbiState, side: str, action: a.Motivate) -> Preview:
    return motivation(state, _activation(state).unit, action.at)


def _preview_points(state: PbiState, side: str, action: a.Man | a.Drive) -> Preview:
    return vehicle_points(state, state.pieces[action.piece])


def _ask_activation(state: PbiState, frame: Activation) -> Bar:
    return f"{state.units[frame.unit].name}: choose the next group or vehicle", "motivation"


def _ask_reroll(state: PbiState, frame: Rerolling) -> Bar:
    return f"The group has {frame.ap} action points: keep them or roll again?", "odds-vehicle-group"


def _ask_promotion(state: PbiState, frame: Promotion) -> Bar:
    return f"Who takes command of {state.units[frame.unit].name}?", "turn-new-officer"


def _ask_arrival(state: PbiState, frame: Arrival) -> Bar:
    return f"Where does {state.units[frame.unit].name} come on?", "turn-arrivals"


# -- events -------------------------------------------------------------------------------


def _tested(state: PbiState, event: e.MoraleTested) -> str:
    return f"{unit_name(state, event.unit)} {_MORALE[event.result]} ({'; '.join(event.problems)})"


def _motivated(state: PbiState, event: e.Motivated) -> str:
    return f"{unit_name(state, event.unit)} in {event.at} is {'motivated' if event.well else 'not motivated'}"


def _rolled(state: PbiState, event: e.PointsRolled) -> str:
    what = "the residual action point" if event.residual else f"{event.ap} action points"
    return f"{unit_name(state, event.unit)} in {event.at} has {what}"


def _recovered(state: PbiState, event: e.Recovered) -> str:
    return f"{name_of(state, event.piece)} in {event.at} is {'moving again' if event.well else 'still immobilised'}"


def _reinforced(state: PbiState, event: e.ReinforcementRolled) -> str:
    return f"{unit_name(state, event.unit)} {'arrives' if event.well else 'does not arrive yet'}"


def _taken(state: PbiState, event: e.ObjectiveTaken) -> str:
    return f"The {event.side} takes the objective in {event.at}, worth {event.worth}"


def _officer(state: PbiState, event: e.NewOfficer) -> str:
    return f"{unit_name(state, event.unit)}: a new officer takes command in {event.at}"


PART: Part[PbiState] = Part(
    describe={
        a.Activate: _activate,
        a.Motivate: _motivate,
        a.Man: _man,
        a.Drive: _drive,
        a.MoveTogether: _together,
        a.Reroll: _reroll,
        a.Keep: _keep,
        a.Promote: _promote,
        a.Arrive: _arrive,
        a.Done: _done,
    },
    refusals={Units: _refusals},
    preview={
        (Activation, a.Motivate): _preview_motivation,
        a.Man: _preview_points,
        a.Drive: _preview_points,
    },
    prompts={
        Units: lambda state, frame: ("Choose the next unit", "turn-units"),
        Activation: _ask_activation,
        Rerolling: _ask_reroll,
        Promotion: _ask_promotion,
        Arrival: _ask_arrival,
    },
    words={
        e.TurnBegan: lambda state, event: f"Turn {event.turn} of the {event.side}",
        e.MoraleTested: _tested,
        e.UnitRemoved: lambda state, event: f"{unit_name(state, event.unit)} is out of the battle: {event.why}",
        e.Motivated: _motivated,
        e.PointsRolled: _rolled,
        e.Recovered: _recovered,
        e.LeftTable: lambda state, event: f"The empty transport in {event.at} drives away",
        e.OfficerSought: lambda state, event: (
            f"{unit_name(state, event.unit)} finds {'a' if event.well else 'no'} new officer"
        ),
        e.NewOfficer: _officer,
        e.ReinforcementRolled: _reinforced,
        e.Arrived: lambda state, event: f"{unit_name(state, event.unit)} comes on at {event.at}",
        e.CountedDown: lambda state, event: f"The countdown stands at {event.left}",
        e.ObjectiveTaken: _taken,
    },
)
