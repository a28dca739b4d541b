"""Deploying a squad into half-squads, and recombining them (A1.31, A1.32, A2.9)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure, Rolled, Tally
from sandtable.engine.odds import TWO_DICE
from sandtable.engine.part import Bar, Field
from sandtable.engine.view import Description, OddsLine, Preview
from sandtable.games.asl.deploying.model import (
    Deploy,
    DeployAtSetUp,
    Deployed,
    EndReforming,
    Recombine,
    Recombined,
    Reforming,
)
from sandtable.games.asl.nations.table import nation_of
from sandtable.games.asl.strength import HALF_SQUAD
from sandtable.games.asl.surrender import PER_US, held_us, pass_on
from sandtable.games.squad.effects.morale import leadership, morale_level
from sandtable.games.squad.ground.doors import rolled, settled
from sandtable.games.squad.ground.knowledge import UNKNOWN, concealed, hidden, onlookers
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import other_side, setting_of, unit_kind
from sandtable.games.squad.ground.stacks import come_out, give, leave_map, name_of, new_id, put, units_at, update
from sandtable.games.squad.part import Item, Part, Roll
from sandtable.games.squad.pieces.counters import Mmc, all_counters, nations
from sandtable.games.squad.pieces.kinds import printed_unit
from sandtable.games.squad.pieces.model import SquadState, Unit
from sandtable.games.squad.rally.model import RallyPhase
from sandtable.games.squad.scenario.model import SetUp

END = EndReforming()
FREE_SHARE = 10
"""One squad of so many, rounded up, may Deploy when it sets up (A2.9)."""
FREE: Field[dict[str, int]] = Field("deployed_at_setup", dict[str, int], {})
"""Squads of each group that have Deployed at set-up."""


# -- counters ---------------------------------------------------------------------------


def half_of(kind: str) -> str:
    """The half-squad of a squad; a squad that is reduced in steps has the one at the end of them (A1.31)."""
    found = printed_unit(kind)
    while found.squad and found.reduced:
        found = printed_unit(found.reduced)
    return found.kind if found.half_squad else ""


@lru_cache(maxsize=500)
def squad_of(kind: str) -> str:
    """The squad that two half-squads make: of their own class, the weakest that has such halves (A1.32, ruling D-1)."""
    half = printed_unit(kind)
    owners, nation = [], half.nation
    while nation:
        owners.append(nation)
        nation = nations()[nation].also
    found = []
    for (whose, name), counter in all_counters().items():
        if whose in owners and isinstance(counter, Mmc) and counter.kind == "squad" and "striped" not in name:
            squad = printed_unit(f"{half.nation} {name}")
            if half_of(squad.kind) == kind:
                found.append((squad.unit_class != half.unit_class, squad.fp, squad.range, squad.kind))
    return min(found)[3] if found else ""


# -- Deploy -----------------------------------------------------------------------------


def deploy_bar(state: SquadState, unit: Unit, leader: Unit | None, frame: Reforming) -> Bar | None:
    """Why a squad may not try to Deploy (A1.31)."""
    kind = unit_kind(state, unit)
    nation = nation_of(kind.nation)
    if unit.side != state.attacker:
        return "Squads Deploy in their own Rally Phase", "A1.31"
    if not kind.squad or not unit.good_order or hidden(unit) or unit.at < 0 or not half_of(unit.kind):
        return "Only Good Order squads on the map Deploy", "A1.31"
    free = leader is None and guards_freely(state, unit)
    if kind.unit_class not in nation.deploys and not free:
        return f"{kind.name} may not Deploy: its nationality does not allow it", "A25"
    if unit.id in (*frame.acted, *frame.joined):
        return "It has already tried, or has just Recombined: one attempt per Rally Phase", "A1.31"
    if free:
        return None
    if leader is None:
        alone = "all" in nation.alone or kind.name in nation.alone
        return None if alone else ("It needs a Good Order leader in its Location", "A1.31")
    if leader.id in (*frame.acted, *frame.joined):
        return "The leader has already helped a squad: one attempt per Rally Phase", "A1.31"
    return None


def guards_freely(state: SquadState, unit: Unit) -> bool:
    """Whether a squad guards prisoners that one half-squad can hold: it Deploys without leader or check (A20.5)."""
    return unit_kind(state, unit).squad and 0 < held_us(state, unit.id) <= PER_US * HALF_SQUAD


def leaders_with(state: SquadState, unit: Unit) -> list[Unit]:
    """Good Order leaders in the Location of a unit."""
    here = units_at(state, unit.at, unit.side)
    return [other for other in here if other.id != unit.id and other.good_order and unit_kind(state, other).leads]


def deploy_tally(state: SquadState, unit: Unit, leader: Unit | None) -> Tally:
    """The DRM of the task check: the leader, or what a nationality without one has (A1.31, A25.7)."""
    items: list[Item] = []
    if leader is not None:
        items.append((f"leader {short(state, leader)}", leadership(state, leader), "A1.31"))
    elif drm := nation_of(unit_kind(state, unit).nation).alone_drm:
        items.append(("without a leader", drm, "A25.7"))
    return Tally.of(f"Deploy {short(state, unit)}", items)


def deploy(play: Play[SquadState], action: Deploy) -> None:
    """A task check; passed, the squad becomes two half-squads (A1.31)."""
    state = play.state
    unit = come_out(play, state.units[action.unit], "acts")
    if not action.leader and guards_freely(state, unit):
        other = split(play, unit).id
        _act(play, other)
        only = (unit.side,) if concealed(state, unit) else None
        play.emit(Deployed(unit=unit.id, other=other, at=name_of(state, unit.at), success=True, to=only))
        return
    leader = come_out(play, state.units[action.leader], "acts") if action.leader else None
    tally = deploy_tally(state, unit, leader)
    why = f"Deploy {short(state, unit)}"
    only = (unit.side,) if any([concealed(state, one) for one in (unit, leader) if one is not None]) else None
    dice = play.roll(6, 2, why, by=unit.side, tally=tally, to=only)
    if only:
        seen = "Deploy a concealed unit" if concealed(state, unit) else why
        play.emit(Rolled(why=seen, sides=6, faces=dice, by=unit.side, to=onlookers(state, unit.side)))
    roll = rolled(play, Roll("task", unit.side, dice, (unit.id,), unit.at))
    final = roll.original + int(tally.total)
    where = name_of(state, unit.at)
    if final <= morale_level(state, unit):
        other = split(play, unit).id
        _act(play, other)
    else:
        other = ""
    told = Deployed(unit=unit.id, other=other, at=where, success=bool(other), dr=final, to=only)
    play.emit(told)
    if only:
        names = {"unit": UNKNOWN, "other": UNKNOWN if other else ""} if concealed(state, unit) else {}
        play.emit(replace(told, dr=None, to=onlookers(state, unit.side), **names))
    settled(play, roll)


def split(play: Play[SquadState], unit: Unit) -> Unit:
    """A squad becomes two half-squads; weapons stay with the first, who may transfer them."""
    state = play.state
    unit = update(play, unit, kind=half_of(unit.kind))
    other = replace(unit, id=new_id(state, unit.id), weapons=(), used=(), directed=(), at=-1)
    state.units[other.id] = other
    if unit.at >= 0:
        other = put(state, other, unit.at)
        other = update(play, other, within=unit.within)
    return other


def _act(play: Play[SquadState], *names: str) -> None:
    """Units have had their action of this RPh."""
    stack = play.state.stack
    for place, frame in enumerate(stack):
        if isinstance(frame, RallyPhase):
            stack[place] = replace(frame, acted=tuple(dict.fromkeys([*frame.acted, *names])))


# -- Recombine --------------------------------------------------------------------------


def recombine_bar(state: SquadState, unit: Unit, other: Unit, leader: Unit | None, frame: Reforming) -> Bar | None:
    """Why two half-squads may not recombine (A1.32)."""
    kind = unit_kind(state, unit)
    if unit.id == other.id or not kind.half_squad or unit.kind != other.kind or not squad_of(unit.kind):
        return "Only two half-squads of the same kind may Recombine", "A1.32"
    if not (unit.good_order and other.good_order) or unit.at < 0 or (unit.at, unit.within) != (other.at, other.within):
        return "They must be in Good Order in one Location and terrain feature", "A1.32"
    if hidden(unit) or hidden(other) or unit.side != other.side or unit.group != other.group:
        return "They must belong together, and not be hidden", "A1.32"
    if any([name in (*frame.acted, *frame.joined) for name in (unit.id, other.id)]):
        return "They have already had their action in this Rally Phase", "A1.32"
    if leader is None:
        alone = nation_of(kind.nation).recombines_alone
        return None if alone else ("They need a Good Order leader in their Location", "A1.32")
    return ("The leader has tried to Deploy a squad", "A1.32") if leader.id in frame.acted else None


def recombine(play: Play[SquadState], action: Recombine) -> None:
    """Two half-squads become a squad at once (A1.32)."""
    state = play.state
    for name in (action.unit, action.other, *([action.leader] if action.leader else ())):
        come_out(play, state.units[name], "acts")
    other = state.units[action.other]
    for name in other.weapons:
        give(state, state.weapons[name], action.unit)
    unit = state.units[action.unit]
    marks = tuple([mark for mark in unit.marks if mark in other.marks])
    lifted = min(unit.lifted, other.lifted)
    concealed = unit.concealed and other.concealed
    play.emit(Recombined(unit=unit.id, other=other.id, at=name_of(state, unit.at)))
    cx = unit.cx or other.cx
    update(play, unit, kind=squad_of(unit.kind), marks=marks, lifted=lifted, concealed=concealed, cx=cx)
    pass_on(state, other.id, unit.id)
    leave_map(play, other, "recombined")
    del state.gone[other.id]


# -- the phase --------------------------------------------------------------------------


class Reform(Procedure[SquadState, Reforming]):
    """The start of a RPh: the ATTACKER, then the DEFENDER (A1.3)."""

    def to_act(self, state: SquadState, frame: Reforming) -> tuple[str, ...]:
        return (frame.side,) if choices(state, frame) or _unsure(state, frame) else ()

    def actions(self, state: SquadState, frame: Reforming, side: str) -> Sequence[Action]:
        return [*choices(state, frame), END]

    def apply(self, play: Play[SquadState], frame: Reforming, side: str, action: Action) -> None:
        if isinstance(action, Deploy):
            names = (action.unit, action.leader) if action.leader else (action.unit,)
            play.replace(replace(frame, acted=(*frame.acted, *names)))
            _act(play, *names)
            deploy(play, action)
        elif isinstance(action, Recombine):
            names = (action.unit, action.leader) if action.leader else (action.unit,)
            play.replace(replace(frame, joined=tuple(dict.fromkeys([*frame.joined, *names]))))
            _act(play, *names)
            recombine(play, action)
        else:
            play.pop()

    def run(self, play: Play[SquadState], frame: Reforming) -> None:
        play.pop()


def choices(state: SquadState, frame: Reforming) -> list[Action]:
    """What a side may Deploy and recombine now."""
    found: list[Action] = []
    for names in state.stacks.values():
        units = [state.units[name] for name in names if state.units[name].side == frame.side]
        for place, unit in enumerate(units):
            kind = unit_kind(state, unit)
            if not (kind.squad or kind.half_squad):
                continue
            helpers: list[Unit | None] = [*leaders_with(state, unit), None]
            if kind.squad:
                free = [h for h in helpers if deploy_bar(state, unit, h, frame) is None]
                found += [Deploy(unit.id, h.id if h is not None else "") for h in free]
                continue
            for other in units[place + 1 :]:
                free = [h for h in helpers if recombine_bar(state, unit, other, h, frame) is None]
                found += [Recombine(unit.id, other.id, h.id if h is not None else "") for h in free]
    return found


def _unsure(state: SquadState, frame: Reforming) -> bool:
    """Whether concealed units may have something to decide, for all that their enemy knows."""
    return any([unit.concealed and unit.side == frame.side and unit.at >= 0 for unit in state.units.values()])


def begin(play: Play[SquadState]) -> None:
    """Both sides may reform before anything else in the RPh."""
    state = play.state
    play.push(Reforming(other_side(state, state.attacker)))
    play.push(Reforming(state.attacker))


# -- set-up -----------------------------------------------------------------------------


def free_actions(state: SquadState, frame: SetUp, side: str) -> list[Action]:
    """Squads of the group that may still set up as half-squads: a tenth, rounded up (A2.9)."""
    if frame.unit or frame.weapon:
        return []
    group = setting_of(state).setup_order[frame.order]
    own = [unit for unit in state.units.values() if unit.group == group]
    squads = [unit for unit in own if unit_kind(state, unit).squad]
    used = FREE.of(state).get(group, 0)
    if used >= math.ceil((len(squads) + used) / FREE_SHARE):
        return []
    able = [unit for unit in squads if unit.at < 0 and half_of(unit.kind)]
    return [DeployAtSetUp(unit.id) for unit in able if _may_deploy(state, unit)]


def _may_deploy(state: SquadState, unit: Unit) -> bool:
    kind = unit_kind(state, unit)
    return kind.unit_class in nation_of(kind.nation).deploys


def deploy_free(play: Play[SquadState], frame: SetUp, side: str, action: DeployAtSetUp) -> None:
    """A squad sets up as two half-squads (A2.9)."""
    unit = play.state.units[action.unit]
    FREE.of(play.state)[unit.group] = FREE.of(play.state).get(unit.group, 0) + 1
    other = split(play, unit)
    play.emit(Deployed(unit=unit.id, other=other.id, at="", success=True, to=(unit.side,)))


# -- words ------------------------------------------------------------------------------


def _deploy_words(state: SquadState, side: str, action: Deploy) -> Description:
    where = (name_of(state, state.units[action.unit].at),)
    who = f", helped by {short(state, action.leader)}" if action.leader else ""
    pieces = tuple(filter(None, (action.unit, action.leader)))
    return Description(f"Deploy {short(state, action.unit)}{who}", "rally", pieces, where, rule="A1.31")


def _recombine_words(state: SquadState, side: str, action: Recombine) -> Description:
    where = (name_of(state, state.units[action.unit].at),)
    text = f"Recombine {short(state, action.unit)} and {short(state, action.other)}"
    if action.leader:
        text += f" by {short(state, action.leader)}"
    pieces = tuple(filter(None, (action.unit, action.other, action.leader)))
    return Description(text, "rally", pieces, where, rule="A1.32")


def _preview(state: SquadState, side: str, action: Deploy) -> Preview | None:
    unit = state.units[action.unit]
    if not action.leader and guards_freely(state, unit):
        return Preview("Deploy: a guard needs neither a leader nor a task check (A20.5)")
    leader = state.units[action.leader] if action.leader else None
    tally = deploy_tally(state, unit, leader)
    level = morale_level(state, unit)
    passed = sum([chance for total, chance in TWO_DICE if total + tally.total <= level])
    return Preview(f"Deploy: task check against morale {level}", (tally,), (OddsLine("it Deploys", passed),))


def _frame(state: SquadState) -> Reforming | None:
    frame = state.stack[-1]
    return frame if isinstance(frame, Reforming) else None


def _why_not_deploy(state: SquadState, side: str, action: Deploy) -> Bar | None:
    unit, leader, frame = state.units.get(action.unit), state.units.get(action.leader), _frame(state)
    return deploy_bar(state, unit, leader, frame) if unit is not None and frame is not None else None


def _why_not_recombine(state: SquadState, side: str, action: Recombine) -> Bar | None:
    unit, other, frame = state.units.get(action.unit), state.units.get(action.other), _frame(state)
    if unit is None or other is None or frame is None:
        return None
    return recombine_bar(state, unit, other, state.units.get(action.leader), frame)


def _why_not_free(state: SquadState, side: str, action: DeployAtSetUp) -> Bar | None:
    frame = state.stack[-1]
    if isinstance(frame, SetUp) and action in free_actions(state, frame, side):
        return None
    return "One squad in ten, not placed yet, of a nationality that may Deploy", "A2.9"


def _deployed(state: SquadState, event: Deployed) -> str:
    where = f" in {event.at}" if event.at else ""
    if not event.success:
        return f"{short(state, event.unit)}{where} fails to Deploy (A1.31)"
    return f"A squad{where} Deploys into {short(state, event.unit)} and {short(state, event.other)} (A1.31)"


def _recombined(state: SquadState, event: Recombined) -> str:
    return f"{short(state, event.unit)} and {short(state, event.other)} in {event.at} recombine (A1.32)"


PART = Part(
    fields=(FREE,),
    begins={"RPh": begin},
    procedures={Reforming: Reform()},
    offers={SetUp: free_actions},
    does={DeployAtSetUp: deploy_free},
    describe={
        Deploy: _deploy_words,
        Recombine: _recombine_words,
        DeployAtSetUp: lambda state, side, action: Description(
            f"Set up {short(state, action.unit)} as two half-squads", "set up", (action.unit,), rule="A2.9"
        ),
        EndReforming: lambda state, side, action: Description("Go on", "done", key="Enter", rule="A1.3"),
    },
    why_not={Deploy: _why_not_deploy, Recombine: _why_not_recombine, DeployAtSetUp: _why_not_free},
    preview={Deploy: _preview},
    words={Deployed: _deployed, Recombined: _recombined},
    prompts={Reforming: lambda state, frame: ("Deploy squads or Recombine half-squads, or go on", "A1.3")},
)
