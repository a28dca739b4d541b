"""The Rout Phase in words: what may be done, with which chances, what happened, and why not (3.6)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Tally
from sandtable.engine.odds import sum_of_dice
from sandtable.engine.view import Description, OddsLine, Preview, Refusal
from sandtable.games.squad.effects.morale import helper_of, leader_items, morale_level, part_items
from sandtable.games.squad.effects.verdicts import judge_check
from sandtable.games.squad.ground.names import mf_words, names, short, verb
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.movement.model import DropWeapon
from sandtable.games.squad.movement.refused import drop_bar
from sandtable.games.squad.part import Part
from sandtable.games.squad.phases.model import Done
from sandtable.games.squad.pieces.model import Mover, SquadState, Unit
from sandtable.games.squad.rout.model import (
    CancelRout,
    Claim,
    ClaimInterdiction,
    EndRout,
    Interdicted,
    LetGo,
    LowCrawl,
    Rout,
    RoutBegan,
    Routed,
    RoutEnded,
    RoutPhase,
    RoutStep,
    StartRout,
    TakeLeader,
    VoluntaryBreak,
)
from sandtable.games.squad.rout.paths import Enemy, can_rout, cheapest, rout_mf, routing_units
from sandtable.games.squad.rout.routing import excess, interdictor_of, may_rout, must_rout


def _where(state: SquadState, unit: Unit) -> tuple[str, ...]:
    return (name_of(state, unit.at),)


def _frame(state: SquadState) -> Rout:
    frame = state.stack[-1]
    assert isinstance(frame, Rout)
    return frame


# -- descriptions -----------------------------------------------------------------------


def _start(state: SquadState, side: str, action: StartRout) -> Description:
    unit = state.units[action.unit]
    must = must_rout(state, unit)
    text = f"{short(state, unit)} {'must rout' if must else 'routs'} from {name_of(state, unit.at)}"
    return Description(text, "rout", (unit.id,), _where(state, unit), rule="3.6")


def _break(state: SquadState, side: str, action: VoluntaryBreak) -> Description:
    unit = state.units[action.unit]
    return Description(f"{short(state, unit)} breaks at will", "rout", (unit.id,), _where(state, unit), rule="G25")


def _leader(state: SquadState, side: str, action: TakeLeader) -> Description:
    text = f"{short(state, action.leader)} routs along"
    return Description(text, "rout", (action.leader,), _where(state, state.units[action.leader]), rule="3.6")


def _danger(state: SquadState, frame: Rout, to: int, *, road: bool) -> Unit | None:
    """Who would interdict the unit if it entered a hex."""
    unit = state.units[frame.unit]
    return interdictor_of(state, to, unit.side, Mover(frame.unit, frame.start, came=unit.at, road_rate=road))


def _step(state: SquadState, side: str, action: RoutStep) -> Description:
    frame = _frame(state)
    where = name_of(state, action.to)
    how = " along the road" if action.road else ""
    cost = next((s.cost for s in frame.steps if (s.to, s.road) == (action.to, action.road)), 0)
    enemy = _danger(state, frame, action.to, road=action.road)
    notes = (f"Interdiction by {short(state, enemy)} in {name_of(state, enemy.at)}",) if enemy is not None else ()
    return Description(
        f"Rout to {where}{how}",
        "rout",
        (frame.unit, *frame.leaders),
        (where,),
        rule="3.6",
        cost=mf_words(cost / 2),
        notes=notes,
    )


def _crawl(state: SquadState, side: str, action: LowCrawl) -> Description:
    frame = _frame(state)
    where = name_of(state, action.to)
    return Description(
        f"Low Crawl to {where}", "rout", (frame.unit, *frame.leaders), (where,), rule="3.6", cost="all MF"
    )


def _end(state: SquadState, side: str, action: EndRout) -> Description:
    unit = state.units[_frame(state).unit]
    return Description(f"Stop in {name_of(state, unit.at)}", "done", (unit.id,), rule="3.6", key="Enter")


def _claim(state: SquadState, side: str, action: ClaimInterdiction) -> Description:
    unit = state.units[action.unit]
    text = f"{short(state, unit)} interdicts and loses its Acquired Target"
    return Description(text, "rout", (unit.id,), _where(state, unit), rule="6.10")


# -- preview ----------------------------------------------------------------------------


def step_preview(state: SquadState, side: str, action: RoutStep) -> Preview | None:
    """The Interdiction that a step would meet, with exact chances (3.6)."""
    frame = _frame(state)
    enemy = _danger(state, frame, action.to, road=action.road)
    if enemy is None:
        return None
    setting = setting_of(state)
    unit = state.units[frame.unit]
    leader = helper_of(setting, unit, routing_units(state, frame))
    tally = Tally.of("Interdiction", [*part_items(state, unit, "Interdiction"), *leader_items(state, leader)])
    chances = {"passes and goes on": 0.0, "is pinned": 0.0, "Casualty Reduction": 0.0, "eliminated": 0.0}
    for dr, chance in sum_of_dice(2).items():
        verdict = judge_check(setting, unit, dr, dr + int(tally.total), pins_broken=True)
        if verdict.eliminated:
            label = "eliminated"
        elif verdict.reduced:
            label = "Casualty Reduction"
        else:
            label = "is pinned" if verdict.pinned else "passes and goes on"
        chances[label] += float(chance)
    odds = tuple(OddsLine(label, chance, unit.id) for label, chance in chances.items() if chance)
    notes = [f"Interdiction by {short(state, enemy)}; NMC against broken morale {morale_level(state, unit)}"]
    if frame.leaders:
        notes.append("A leader who routs along is eliminated if the unit fails")
    return Preview(f"Rout to {name_of(state, action.to)}", (tally,), odds, tuple(notes))


# -- why not ----------------------------------------------------------------------------


def _start_bar(state: SquadState, side: str, action: StartRout) -> tuple[str, str] | None:
    frame, unit = state.stack[-1], state.units.get(action.unit)
    if not isinstance(frame, RoutPhase) or unit is None or unit.side != side:
        return None
    return start_bar(state, frame, unit)


def start_bar(state: SquadState, frame: RoutPhase, unit: Unit) -> tuple[str, str] | None:
    """Why a unit may not rout now."""
    if not unit.broken:
        return ("Only broken units rout", "3.6")
    if unit.melee:
        return ("It is held in Melee and stays there", "3.8")
    if unit.id in frame.done:
        return ("It has routed in this phase: pick another unit", "3.6")
    if not may_rout(unit):
        return ("It is not under DM and need not rout", "3.6")
    if not can_rout(state, unit):
        failure = " and is eliminated at the end of the phase" if must_rout(state, unit) else ""
        return (f"Every way is closed: it has nowhere to rout{failure}", "3.6")
    return None


def step_bar(state: SquadState, side: str, action: RoutStep | LowCrawl) -> tuple[str, str] | None:
    """Why a routing unit may not enter a hex."""
    frame = state.stack[-1]
    if not isinstance(frame, Rout) or frame.unit not in state.units:
        return None
    if not frame.hexes and excess(state, frame):
        return ("It carries more than its IPC: drop a weapon first", "4.0")
    if _offered(frame, action):
        return None
    movers = routing_units(state, frame)
    cell = movers[0].at
    ground = setting_of(state).ground
    way = ground.way(cell, action.to) if 0 <= action.to < ground.places else None
    if way is None:
        return ("Routs go from hex to adjacent hex", "3.6")
    enemy = Enemy(state, movers)
    where = name_of(state, action.to)
    before, after = ground.ranges[cell], ground.ranges[action.to]
    seen = frozenset(frame.seen) | enemy.view(cell)
    for foe in seen:
        if after[foe] < before[foe]:
            return (f"{where} is closer to the Known enemy in {name_of(state, foe)}", "3.6")
    for foe in enemy.close:
        if after[foe] == 1 and before[foe] == 1:
            return (f"{where} is adjacent to the enemy in {name_of(state, foe)}, to whom it is adjacent now", "3.6")
    if not enemy.allows(cell, action.to, seen):
        return (f"{where} is held or beset by the enemy, or full", "3.6")
    if cheapest(state, way, enemy.names) > rout_mf(movers) - frame.spent:
        return (f"Too few MF are left to enter {where}", "3.6")
    if isinstance(action, RoutStep) and any(step.to == action.to for step in frame.steps):
        return (f"Enter {where} {'off' if action.road else 'along'} the road", "1.1.1")
    if isinstance(action, LowCrawl) and frame.hexes:
        return ("Low Crawl is a rout of one hex with all MF", "3.6")
    if frame.goals:
        near = ", ".join(name_of(state, goal) for goal in frame.goals)
        return (f"It must make for the nearest building or woods ({near}), or stop on reaching it", "3.6")
    return ("From there it could not get away from unbroken enemies: take another way", "3.6")


def _offered(frame: Rout, action: RoutStep | LowCrawl) -> bool:
    if isinstance(action, LowCrawl):
        return action.to in frame.crawls
    return any((step.to, step.road) == (action.to, action.road) for step in frame.steps)


def _drop_bar(state: SquadState, side: str, action: DropWeapon) -> tuple[str, str] | None:
    """A unit that routs drops what is more than its IPC before it goes (4.0)."""
    frame = state.stack[-1]
    if isinstance(frame, Rout) and not frame.hexes and action.weapon in excess(state, frame):
        return None
    return drop_bar(state, side, action)


def _done_bar(state: SquadState, side: str, action: Done) -> tuple[str, str] | None:
    frame = state.stack[-1]
    if isinstance(frame, RoutPhase) and frame.bound:
        return (f"{names(state, frame.bound)} must rout first", "3.6")
    return None


def _end_bar(state: SquadState, side: str, action: EndRout) -> tuple[str, str] | None:
    frame = state.stack[-1]
    if not isinstance(frame, Rout) or frame.unit not in state.units:
        return None
    if frame.can_stop:
        return None
    if not frame.hexes:
        return ("It has not gone anywhere yet: pick another unit instead", "3.6")
    if Enemy(state, routing_units(state, frame)).beside_unbroken(state.units[frame.unit].at):
        return ("It may not end its rout beside an unbroken enemy: go on", "3.6")
    near = ", ".join(name_of(state, goal) for goal in frame.goals)
    return (f"It must go on to a building or woods: {near}", "3.6")


def _refusals(state: SquadState, side: str, frame: RoutPhase) -> Sequence[Refusal]:
    found = []
    if frame.bound:
        found.append(Refusal("End routing", f"{names(state, frame.bound)} must rout first", "3.6", frame.bound))
    for unit in state.units.values():
        if unit.side == side and unit.broken and unit.at >= 0 and unit.id not in frame.waiting:
            bar = start_bar(state, frame, unit)
            if bar is not None:
                found.append(Refusal(f"Rout {short(state, unit)}", bar[0], bar[1], (unit.id,), _where(state, unit)))
    return found


def _step_refusals(state: SquadState, side: str, frame: Rout) -> Sequence[Refusal]:
    unit = state.units[frame.unit]
    legal = {step.to for step in frame.steps}
    found = []
    for to in setting_of(state).ground.near[unit.at]:
        bar = step_bar(state, side, RoutStep(to)) if to not in legal else None
        if bar is not None:
            where = name_of(state, to)
            found.append(Refusal(f"Rout to {where}", bar[0], bar[1], (unit.id,), (where,)))
    return found


# -- events -----------------------------------------------------------------------------


def _began(state: SquadState, event: RoutBegan) -> str:
    along = f" with {names(state, event.leaders)}" if event.leaders else ""
    return f"{short(state, event.unit)} routs from {event.at}{along}"


def _routed(state: SquadState, event: Routed) -> str:
    how = "by Low Crawl" if event.crawled else f"({mf_words(event.mf)})"
    return f"{names(state, event.units)} {verb(event.units, 'routs', 'rout')} from {event.frm} to {event.at} {how}"


PART = Part(
    describe={
        (RoutPhase, Done): lambda state, side, action: Description(
            "Nobody else routs", "done", rule="3.6", key="Enter"
        ),
        StartRout: _start,
        VoluntaryBreak: _break,
        TakeLeader: _leader,
        RoutStep: _step,
        LowCrawl: _crawl,
        EndRout: _end,
        ClaimInterdiction: _claim,
        LetGo: lambda state, side, action: Description("Let the router go", "done", rule="3.6", key="Enter"),
        CancelRout: lambda state, side, action: Description("Pick another unit", "cancel", key="Escape"),
    },
    preview={RoutStep: step_preview},
    why_not={
        Done: _done_bar,
        (Rout, DropWeapon): _drop_bar,
        EndRout: _end_bar,
        StartRout: _start_bar,
        RoutStep: step_bar,
        LowCrawl: step_bar,
    },
    refusals={RoutPhase: _refusals, Rout: _step_refusals},
    prompts={
        RoutPhase: lambda state, frame: ("Rout broken units", "3.6"),
        Claim: lambda state, frame: (f"Interdict {short(state, frame.unit)}, or keep the Acquired Target", "6.10"),
        Rout: lambda state, frame: ("Rout to the nearest building or woods", "3.6"),
    },
    words={
        RoutBegan: _began,
        Routed: _routed,
        Interdicted: lambda state, event: (
            f"{short(state, event.by)} interdicts {short(state, event.unit)} in {event.at}"
        ),
        RoutEnded: lambda state, event: f"{short(state, event.unit)} stops in {event.at}",
    },
)
