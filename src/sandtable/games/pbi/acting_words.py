"""Words of bases, vehicles and guns that spend action points, and of assaults."""

from __future__ import annotations

from sandtable.engine.part import Bar, Part
from sandtable.engine.view import Description, Preview
from sandtable.games.pbi import actions as a
from sandtable.games.pbi import events as e
from sandtable.games.pbi.acting_bars import BARS, foot_refusals, vehicle_refusals
from sandtable.games.pbi.foot import CASUALTY_SCORE, DEPLOY_COST, DISEMBARK_COST, assault_price, step_cost
from sandtable.games.pbi.model import Acting, Driving, Losses, PbiState, Piece
from sandtable.games.pbi.pointing import actors, ap, name_of, points_left
from sandtable.games.pbi.position import ground_of
from sandtable.games.pbi.preview import assault, one_die, unpin
from sandtable.games.pbi.vehicles import DEPLOY_COST as GUN_DEPLOY_COST
from sandtable.games.pbi.vehicles import DISEMBARK_COST as VEHICLE_DISEMBARK_COST
from sandtable.games.pbi.vehicles import REVERSE_EXTRA, leave_cost
from sandtable.games.pbi.words import FACINGS, named, unit_name, verb

VEHICLE_ASSAULT = 4


def _does(state: PbiState, pieces: tuple[str, ...], one: str, more: str) -> str:
    """Pieces by name with a verb that fits them."""
    who = named(state, pieces)
    return f"{who} {verb(len(pieces), who, one, more)}"


def _first(state: PbiState) -> tuple[tuple[str, ...], Piece]:
    who = actors(state)
    return who, state.pieces[who[0]]


# -- moving -------------------------------------------------------------------------------


def _move(state: PbiState, side: str, action: a.Move) -> Description:
    frame = state.stack[-1]
    assert isinstance(frame, Acting)
    who, first = _first(state)
    cost = ap(step_cost(state, first.at, residual=frame.residual))
    return Description(f"Step to {action.to}", "move", who, (action.to,), rule="foot-ap-cost-leave", cost=cost)


def _forward(state: PbiState, side: str, action: a.Forward) -> Description:
    who, first = _first(state)
    g = ground_of(state)
    to, cost = g.ahead[first.at][first.facing], ap(leave_cost(g, first.at))
    return Description(f"Ahead to {to}", "move", who, (to,), rule="vehicle-ap-cost-leave", key="w", cost=cost)


def _reverse(state: PbiState, side: str, action: a.Reverse) -> Description:
    who, first = _first(state)
    g = ground_of(state)
    to, cost = g.ahead[first.at][(first.facing + 4) % 8], ap(leave_cost(g, first.at) + REVERSE_EXTRA)
    return Description(f"Back to {to}", "move", who, (to,), rule="vehicle-ap-cost-leave", key="s", cost=cost)


def _face(state: PbiState, side: str, action: a.Face) -> Description:
    who, first = _first(state)
    key = "d" if action.facing == (first.facing + 1) % 8 else "a"
    text = f"Turn {FACINGS[action.facing]}"
    return Description(text, "turn", who, rule="vehicle-ap-cost-facing", key=key, cost=ap(1))


def _embark(state: PbiState, side: str, action: a.Embark) -> Description:
    text, cost = f"Get on {name_of(state, action.vehicle)}", ap(int(state.rules.embark))
    targets = (action.vehicle,)
    return Description(text, "transport", actors(state), targets=targets, rule="odds-capacity", cost=cost)


def _disembark(state: PbiState, side: str, action: a.Disembark) -> Description:
    cost = ap(DISEMBARK_COST)
    return Description("Get off", "transport", actors(state), rule="foot-ap-cost-disembark", cost=cost)


def _let_out(state: PbiState, side: str, action: a.Disembark) -> Description:
    cost = ap(VEHICLE_DISEMBARK_COST)
    return Description("Get off", "transport", actors(state), rule="vehicle-ap-cost-disembark", cost=cost)


# -- other things that points buy ---------------------------------------------------------


def _unpin(state: PbiState, side: str, action: a.Unpin) -> Description:
    return Description("Try to remove the pin", "rally", actors(state), rule="foot-ap-cost-pin", cost=ap(1))


def _recover(state: PbiState, side: str, action: a.Recover) -> Description:
    text = "Try to remove a casualty mark"
    return Description(text, "rally", actors(state), rule="foot-ap-cost-casualty", cost=ap(1))


def _deploy(state: PbiState, side: str, action: a.Deploy) -> Description:
    return _set_out(state, "Deploy", action.piece)


def _pack(state: PbiState, side: str, action: a.Pack) -> Description:
    return _set_out(state, "Pack up", action.piece)


def _set_out(state: PbiState, what: str, id: str) -> Description:
    frame = state.stack[-1]
    cost, rule = GUN_DEPLOY_COST, "vehicle-ap-cost-deploy"
    if isinstance(frame, Acting):
        cost, rule = 1 if frame.residual else DEPLOY_COST, "foot-ap-cost-deploy"
    return Description(f"{what} {name_of(state, id)}", "deploy", (id,), rule=rule, cost=ap(cost))


def _assault(state: PbiState, side: str, action: a.Assault) -> Description:
    frame = state.stack[-1]
    cost = VEHICLE_ASSAULT
    if isinstance(frame, Acting):
        cost = assault_price(state, state.units[frame.unit], action.to, residual=False)
    there = state.at.get(action.to, ())
    text = f"Assault {action.to}"
    return Description(text, "assault", actors(state), (action.to,), there, rule="assault-dice", cost=ap(cost))


def _split(state: PbiState, side: str, action: a.Split) -> Description:
    name = name_of(state, action.piece)
    text = f"{name} {verb(1, name, 'acts', 'act')} alone first"
    return Description(text, "alone", (action.piece,), notes=("the others follow",))


# -- previews, prompts, events ------------------------------------------------------------


def _preview_assault(state: PbiState, side: str, action: a.Assault) -> Preview:
    return assault(state, actors(state), action.to)


def _preview_unpin(state: PbiState, side: str, action: a.Unpin) -> Preview:
    _, first = _first(state)
    return unpin(state, side, first.at, foot=isinstance(state.stack[-1], Acting))


def _ask_acting(state: PbiState, frame: Acting) -> Bar:
    who = actors(state)
    what = "the residual action point" if frame.residual else f"{points_left(state, who)} AP left"
    return f"{named(state, who)}: {what}", "foot-ap-roll"


def _ask_driving(state: PbiState, frame: Driving) -> Bar:
    who = actors(state)
    return f"{named(state, who)}: {points_left(state, who)} AP left", "vehicle-ap-roll"


def _unpinned(state: PbiState, event: e.Unpinned) -> str:
    return f"{named(state, event.pieces)} in {event.at}: {'no longer pinned' if event.well else 'still pinned'}"


def _tended(state: PbiState, event: e.CasualtyTended) -> str:
    return f"{unit_name(state, event.unit)}: casualty {'removed' if event.well else 'not removed'}"


def _assault_ended(state: PbiState, event: e.AssaultEnded) -> str:
    dead = f"dead of the target {event.dead_targets}, of the assaulter {event.dead_assaulters}"
    return f"Assault on {event.at} {'won' if event.won else 'beaten off'}: {dead}"


def _boarded(state: PbiState, event: e.Boarded) -> str:
    return f"{_does(state, event.pieces, 'gets', 'get')} on {name_of(state, event.vehicle)} in {event.at}"


def _out(state: PbiState, event: e.SetOut) -> str:
    return f"{name_of(state, event.piece)} in {event.at} is {'deployed' if event.deployed else 'packed up'}"


PART: Part[PbiState] = Part(
    describe={
        a.Move: _move,
        a.Forward: _forward,
        a.Reverse: _reverse,
        a.Face: _face,
        a.Unpin: _unpin,
        a.Recover: _recover,
        a.Deploy: _deploy,
        a.Pack: _pack,
        a.Embark: _embark,
        a.Disembark: _disembark,
        (Driving, a.Disembark): _let_out,
        a.Assault: _assault,
        a.Split: _split,
    },
    why_not=BARS,
    refusals={Acting: foot_refusals, Driving: vehicle_refusals},
    preview={
        a.Assault: _preview_assault,
        a.Unpin: _preview_unpin,
        a.Recover: lambda state, side, action: one_die("Casualty removal", "a mark is removed", CASUALTY_SCORE),
    },
    prompts={
        Acting: _ask_acting,
        Driving: _ask_driving,
        Losses: lambda state, frame: (f"Choose your casualties: {frame.kills} left", "assault-results"),
    },
    words={
        e.Moved: lambda state, event: f"{named(state, event.pieces)}: {event.start} to {event.at}",
        e.Faced: lambda state, event: f"{name_of(state, event.piece)} turns {FACINGS[event.facing]}",
        e.Unpinned: _unpinned,
        e.CasualtyTended: _tended,
        e.AssaultBegan: lambda state, event: (
            f"{_does(state, event.assaulters, 'assaults', 'assault')} {event.at} from {event.start}"
        ),
        e.AssaultEnded: _assault_ended,
        e.FellBack: lambda state, event: (
            f"{_does(state, event.pieces, 'falls', 'fall')} back from {event.start} to {event.at}"
        ),
        e.SetOut: _out,
        e.Boarded: _boarded,
        e.Alighted: lambda state, event: f"{_does(state, event.pieces, 'gets', 'get')} off in {event.at}",
    },
)
