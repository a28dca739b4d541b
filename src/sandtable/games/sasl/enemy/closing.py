"""Rally, rout, advance and Close Combat of the ENEMY (7., S10, S11)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play
from sandtable.games.asl.deploying.model import EndReforming, Recombine, Reforming
from sandtable.games.asl.surrender import held_by
from sandtable.games.sasl.charts import roll_key
from sandtable.games.sasl.command import panicked
from sandtable.games.sasl.compass import distances
from sandtable.games.sasl.dice import best, rolled, say
from sandtable.games.sasl.enemy import facts, lips
from sandtable.games.sasl.enemy.marching import aim_words, objective_goals
from sandtable.games.sasl.model import ADVANCE, ENEMY, FRIENDLY, TRIED
from sandtable.games.sasl.readings import reading
from sandtable.games.sasl.tables import general
from sandtable.games.squad.combat import strengths
from sandtable.games.squad.combat.advance import to_bar
from sandtable.games.squad.combat.fighting import assault
from sandtable.games.squad.combat.model import (
    AdvanceDraft,
    AdvanceTo,
    AttackAll,
    AttackUnit,
    CancelAdvance,
    Combat,
    CombatAttack,
    DeclareAttack,
    JoinAttack,
    PickCombat,
    StartAdvance,
)
from sandtable.games.squad.effects.morale import leadership
from sandtable.games.squad.effects.verdicts import level
from sandtable.games.squad.ground.guns import range_limits
from sandtable.games.squad.ground.knowledge import concealed
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.sight import sees
from sandtable.games.squad.ground.stacks import name_of, units_at
from sandtable.games.squad.movement.model import DropWeapon, Recover
from sandtable.games.squad.ordnance.shots import CHART_END
from sandtable.games.squad.phases.model import Done, EndPhase
from sandtable.games.squad.pieces.model import SquadState, Unit
from sandtable.games.squad.rally.eligibility import rally_tally
from sandtable.games.squad.rally.model import RallyPhase, RallyUnit, Repair, SelfRally
from sandtable.games.squad.rout.model import (
    CancelRout,
    EndRout,
    LowCrawl,
    Rout,
    RoutPhase,
    RoutStep,
    StartRout,
    TakeLeader,
)
from sandtable.games.squad.rout.paths import options

# -- rally --------------------------------------------------------------------------------------


def reform(play: Play[SquadState], frame: Reforming, legal: Sequence[Action]) -> Action:
    """A leader with nobody to rally lets half-squads of his Location recombine (S7.5); no squad Deploys here."""
    state = play.state
    for action in legal:
        if isinstance(action, Recombine):
            unit = state.units[action.unit]
            here = units_at(state, unit.at, ENEMY)
            if held_by(state, action.unit) or held_by(state, action.other):
                continue  # it takes its prisoners away (S6.303)
            if not any(one.broken for one in here) and not any(one.concealed for one in here):
                say(play, "S7.5", "automatic", (), f"half-squads in {name_of(state, unit.at)} recombine", "S7.5")
                return action
    return EndReforming()


def rally(play: Play[SquadState], frame: RallyPhase, legal: Sequence[Action]) -> Action:
    """RPh: recover Guns and SW, repair, rally all that can be; DM is not kept (S7.1, S7.3, S7.4)."""
    state = play.state
    recover = [action for action in legal if isinstance(action, Recover) and _of_use(state, action)]
    if recover:
        return min(recover, key=lambda action: _recovery(state, action))
    repair = [action for action in legal if isinstance(action, Repair)]
    if repair:
        return repair[0]
    with_leader = [action for action in legal if isinstance(action, RallyUnit)]
    if with_leader:
        return min(with_leader, key=lambda action: _chance(state, action.unit, action.leader))
    alone = [action for action in legal if isinstance(action, SelfRally)]
    if alone:
        chosen = min(alone, key=lambda action: _chance(state, action.unit, ""))
        if len(alone) > 1 and not unit_kind(state, state.units[chosen.unit]).self_rally:
            where = name_of(state, state.units[chosen.unit].at)
            say(play, "S7.1", "self-rally", (), f"{short(state, chosen.unit)} in {where}: the best chance", "S7.1")
        return chosen
    return Done() if Done() in legal else legal[-1]


def _of_use(state: SquadState, action: Recover) -> bool:
    """Whether somebody recovers a weapon: a Gun, if he is no crew, only if it works and has a Target (S7.3)."""
    weapon, unit = state.weapons[action.weapon], state.units[action.unit]
    if not weapon_kind(weapon).gun or unit_kind(state, unit).crew:
        return True
    ranges = setting_of(state).ground.ranges[unit.at]
    reach = range_limits(state, weapon)[1] or CHART_END
    return not weapon.broken and any(ranges[foe.at] <= reach for foe in facts.seen_from(state, unit.at))


def _recovery(state: SquadState, action: Recover) -> tuple[bool, str]:
    """Crews take Guns first (S7.3)."""
    gun = weapon_kind(state.weapons[action.weapon]).gun
    crew = unit_kind(state, state.units[action.unit]).crew
    return (gun != crew, action.weapon)


def _chance(state: SquadState, name: str, leader: str) -> tuple[float, str]:
    """The best chance to rally comes first."""
    unit = state.units[name]
    tally = rally_tally(state, unit, state.units[leader] if leader else None)
    return (float(tally.total) - unit_kind(state, unit).broken_morale, name)


# -- rout ----------------------------------------------------------------------------------------


def rout_phase(play: Play[SquadState], frame: RoutPhase, legal: Sequence[Action]) -> Action:
    """RtPh: whoever may rout does (S10)."""
    starts = [action for action in legal if isinstance(action, StartRout)]
    return starts[0] if starts else Done()


def rout(play: Play[SquadState], frame: Rout, legal: Sequence[Action]) -> Action:
    """The way of a routing unit, by the priorities of 10.: leader, out of LOS, out of range, rally terrain, TEM.

    It crawls only where no other way is left (S10.2), and a leader with nobody else to lead goes along (S10.4, SA-104).
    """
    state = play.state
    unit = state.units[frame.unit]
    where = name_of(state, unit.at)
    drops = [action for action in legal if isinstance(action, DropWeapon)]
    if drops:  # it carries more than it may, and nobody goes before that is settled
        return drops[0]
    steps = [action for action in legal if isinstance(action, RoutStep)]
    along = [action for action in legal if isinstance(action, TakeLeader) and _leads_on(state, frame, action)]
    if along and steps and not _led(state, unit.at) and reading(state, "leaders_rout") == "along":
        say(
            play,
            "S10.4",
            "automatic",
            (),
            f"the leader in {where} routs along, since no Good Order MMC is left there",
            "S10.4",
        )
        return along[0]
    ends = [
        (_safe(state, unit.at), "woods or a building to rally in"),
        (_joined(state, frame), "a Good Order leader"),
        (not steps, "no route leads on"),
    ]
    why = next((words for reached, words in ends if reached), "")
    if EndRout() in legal and why:
        say(play, "S10", "stop", (), f"{where}: {why}", "S10")
        return EndRout()
    if steps:
        keys = _rout(state)
        if frame.goals:
            ranges = setting_of(state).ground.ranges
            nearest = ("nearest goal", lambda action: min(ranges[action.to][goal] for goal in frame.goals))
            keys = [nearest, *keys]
        step, decided = best(play, steps, keys, "rout")
        chosen = ", ".join(decided) or "the only route"
        say(play, "S10", "route", (), f"{where} to {name_of(state, step.to)} ({chosen})", "S10")
        return step
    crawls = [action for action in legal if isinstance(action, LowCrawl)]
    if crawls:
        crawl = min(crawls, key=lambda action: (facts.watchers(state, action.to), action.to))
        words = f"{where} to {name_of(state, crawl.to)}, since no other route is left"
        say(play, "S10.2", "Low Crawl", (), words, "S10.2")
        return crawl
    if EndRout() in legal:
        return EndRout()
    return next((action for action in legal if not isinstance(action, CancelRout)), legal[-1])


def _leads_on(state: SquadState, frame: Rout, action: TakeLeader) -> bool:
    """Whether there is a way with a leader, too: a wounded one has fewer MF, and may find no room."""
    return bool(options(state, replace(frame, leaders=(*frame.leaders, action.leader))).steps)


def _led(state: SquadState, cell: int) -> bool:
    """Whether Good Order MMC are in a Location, whom a leader would leave."""
    return any(one.good_order and unit_kind(state, one).mmc for one in units_at(state, cell, ENEMY))


def _joined(state: SquadState, frame: Rout) -> bool:
    """Whether the rout has come to a Good Order leader, the first of its goals; not one who routs along."""
    here = units_at(state, state.units[frame.unit].at, ENEMY)
    return frame.hexes > 0 and any(_leading(state, unit) for unit in here if unit.id not in frame.leaders)


def _leading(state: SquadState, unit: Unit) -> bool:
    return unit.good_order and unit_kind(state, unit).leads


def _rout(state: SquadState) -> list[tuple[str, object]]:
    setting = setting_of(state)

    def leader(action: RoutStep) -> int:
        return -int(any(_leading(state, unit) for unit in units_at(state, action.to, ENEMY)))

    def in_range(action: RoutStep) -> int:
        ranges = setting.ground.ranges[action.to]
        return sum(not foe.broken and ranges[foe.at] <= unit_kind(state, foe).range for foe in facts.foes(state))

    far = distances(setting, "east")
    return [
        ("Good Order leader", leader),
        ("out of LOS", lambda action: facts.watchers(state, action.to)),
        ("out of range", in_range),
        ("rally terrain", lambda action: not setting.ground.cover[action.to]),
        ("highest TEM", lambda action: -setting.ground.tem[action.to]),
        ("VPO Location", lambda action: not facts.in_objective(state, action.to)),
        ("towards the EBE", lambda action: far[action.to]),
    ]


def _safe(state: SquadState, cell: int) -> bool:
    return setting_of(state).ground.cover[cell]


# -- advance -----------------------------------------------------------------------------------


def advance(play: Play[SquadState], legal: Sequence[Action]) -> Action:
    """APh: NTC to advance into CC (S11.4); others close up by the house rule (SA-50)."""
    state = play.state
    tried = TRIED.of(state)
    able = {action.unit for action in legal if isinstance(action, StartAdvance)}
    for cell in facts.locations(state):
        here = [unit for unit in units_at(state, cell, ENEMY) if unit.id in able and unit.id not in tried]
        here.sort(key=lambda unit: not unit_kind(state, unit).leads)
        for unit in here:
            tried[unit.id] = -1
            to = into_combat(play, unit)
            if to < 0:
                to = close_up(play, unit)
            if to >= 0:
                tried[unit.id] = to
                return StartAdvance(unit.id)
    return lips.advance(play, legal) or EndPhase()


def into_combat(play: Play[SquadState], unit: Unit) -> int:
    """The Location that a unit advances into against FRIENDLY units, -1: none (S11.4, A3f)."""
    state = play.state
    if facts.heavy(state, unit) or facts.in_position(state, unit) or panicked(state, unit.id):
        return -1
    near = [cell for cell in setting_of(state).ground.near[unit.at] if facts.foes_at(state, cell)]
    near = [cell for cell in near if sees(state, unit.at, cell) and to_bar(state, [unit], cell) is None]
    if not near:
        return -1
    cell, why = best(play, near, _into(state, unit), "which Location")
    drm = advance_drm(state, unit, cell)
    faces = rolled(play, 2, f"NTC to advance into {name_of(state, cell)}")
    morale = level(unit_kind(state, unit), unit)
    passed = sum(faces) + drm <= morale
    reason = f" ({', '.join(why)})" if why else ""
    result = "advances into CC" if passed else "stays"
    say(
        play,
        "A3f",
        "NTC" if unit.concealed else f"NTC {sum(faces)}{drm:+d} against {morale}",
        faces,
        f"{name_of(state, unit.at)} to {name_of(state, cell)}{reason}: {result}",
        "S11.4",
    )
    if passed and unit_kind(state, unit).leads:
        led = f"passed {unit.at}"
        TRIED.of(state)[led] = min(leadership(state, unit), TRIED.of(state).get(led, NOBODY))
    return cell if passed else -1


NOBODY = 99
"""More than any US# or FP: a Location without Known units comes last."""


def _into(state: SquadState, unit: Unit) -> list[tuple[str, object]]:
    """The Priority List of A3f for the unit that advances."""
    ground = setting_of(state).ground

    def us(cell: int) -> int:
        return sum(us_number(state, foe) for foe in facts.known(state, facts.foes_at(state, cell))) or NOBODY

    def strength(cell: int) -> int:
        kinds = [unit_kind(state, foe) for foe in facts.known(state, facts.foes_at(state, cell))]
        return min([kind.fp for kind in kinds if kind.mmc], default=NOBODY)

    def ambush(cell: int) -> bool:
        foes = facts.foes_at(state, cell)
        unseen = unit.concealed or any(concealed(state, foe) for foe in foes)
        return (ground.cover[cell] or unseen) and not any(foe.melee for foe in foes)

    return [
        ("FRIENDLY VPO", lambda cell: ground.floor_of(cell) not in facts.objective_cells(state, FRIENDLY)),
        ("least US#", us),
        ("MMC easiest to kill", strength),
        ("Ambush possible", lambda cell: not ambush(cell)),
        ("highest TEM", lambda cell: -ground.tem[cell]),
    ]


def us_number(state: SquadState, unit: Unit) -> int:
    """US# of a unit (A1.6)."""
    kind = unit_kind(state, unit)
    return 3 if kind.squad else 2 if kind.mmc else 1


def advance_drm(state: SquadState, unit: Unit, cell: int) -> int:
    """The DRM of the NTC to advance into CC: those of A3f, and a leader who has passed his (A3f)."""
    drm = sum(one.drm * TIMES[one.when](state, unit, cell) for one in general.advance_modifiers())
    return drm + TRIED.of(state).get(f"passed {unit.at}", 0)


def _entering(state: SquadState, unit: Unit, cell: int) -> int:
    """ENEMY units in a Location and those on their way into it."""
    entering = [name for name, to in TRIED.of(state).items() if to == cell and name in state.units]
    return len({*[one.id for one in units_at(state, cell, ENEMY)], *entering})


TIMES: dict[str, Callable[[SquadState, Unit, int], int]] = {
    "FRIENDLY unit in a VPO Location": lambda state, unit, cell: int(facts.in_objective(state, cell)),
    "Japanese ENEMY": lambda state, unit, cell: int(unit_kind(state, unit).nation == "japanese"),
    "Advance Attitude": lambda state, unit, cell: int(facts.attitude(state, unit) == ADVANCE),
    "each pinned or Panicked FRIENDLY unit there": lambda state, unit, cell: sum(
        foe.pinned or panicked(state, foe.id) for foe in facts.foes_at(state, cell)
    ),
    "each FRIENDLY unit there with a HW": lambda state, unit, cell: sum(
        facts.has_heavy(state, foe) for foe in facts.foes_at(state, cell)
    ),
    "each ENEMY unit in or entering the Location": _entering,
    "any FRIENDLY unit there concealed": lambda state, unit, cell: int(
        any(concealed(state, foe) for foe in facts.foes_at(state, cell))
    ),
}
"""How many times each DRM of A3f counts for a unit and the Location that it would enter."""


def close_up(play: Play[SquadState], unit: Unit) -> int:
    """Advance Attitude closes up one hex towards the nearest aim, into cover no worse than where it is (SA-50)."""
    state = play.state
    ground = setting_of(state).ground
    if reading(state, "close_up") == "off" or facts.attitude(state, unit) != ADVANCE:
        return -1
    if facts.has_gun(state, unit) or facts.in_position(state, unit) or panicked(state, unit.id):
        return -1
    aims = objective_goals(state, friendly=True)
    if not aims:
        return -1
    now = min(ground.ranges[unit.at][aim] for aim in aims)
    found = [
        cell
        for cell in ground.near[unit.at]
        if facts.room_at(state, cell)
        and to_bar(state, [unit], cell) is None
        and not facts.shunned(state, cell)
        and ground.tem[cell] >= facts.tem_at(state, unit.at)
        and min(ground.ranges[cell][aim] for aim in aims) < now
    ]
    return min(found, key=lambda cell: (-ground.tem[cell], cell)) if found else -1


def advance_draft(play: Play[SquadState], frame: AdvanceDraft, legal: Sequence[Action]) -> Action:
    """The unit goes where its NTC or the house rule sends it."""
    state = play.state
    to = AdvanceTo(TRIED.of(state).get(frame.units[0], -1))
    if to not in legal:
        return CancelAdvance()
    if facts.room_at(state, to.to):
        way = f"{name_of(state, state.units[frame.units[0]].at)} to {name_of(state, to.to)}"
        say(play, "S11", "closes up", (), f"{way}: towards {aim_words(state)}, to cover that is no worse", "SA-50")
    return to


# -- Close Combat ----------------------------------------------------------------------------------


def combat_order(play: Play[SquadState], legal: Sequence[Action]) -> Action:
    """Close Combats are fought in the order of Locations (S6.1)."""
    picks = [action for action in legal if isinstance(action, PickCombat)]
    return picks[0] if picks else legal[-1]


def combat(play: Play[SquadState], frame: Combat, legal: Sequence[Action]) -> Action:
    """A3e says who attacks whom (S11.5)."""
    state = play.state
    if frame.step == "stack":
        return Done()
    tried = TRIED.of(state)
    mark = f"A3e {frame.at}"
    if mark not in tried:
        (dr,) = rolled(play, 1, f"CC attack in {name_of(state, frame.at)}")
        tried[mark] = dr
        row = next(row for row in general.close_combat() if row[0] <= dr <= row[1])
        say(
            play,
            "A3e",
            roll_key(row[0], row[1]),
            (dr,),
            f"{name_of(state, frame.at)}: {row[2]} against {row[3]}",
            "S11.5",
        )
    if frame.units and frame.targets:
        return _finish(frame, legal, together=tried[mark] <= 2)
    if tried[mark] >= 5 and AttackAll() in legal:
        return AttackAll()
    return _pair(play, frame, legal, together=tried[mark] <= 2)


def _finish(frame: Combat, legal: Sequence[Action], *, together: bool) -> Action:
    joins = [action for action in legal if isinstance(action, JoinAttack)]
    if together and joins:
        return joins[0]
    return DeclareAttack() if DeclareAttack() in legal else legal[-1]


def _pair(play: Play[SquadState], frame: Combat, legal: Sequence[Action], *, together: bool) -> Action:
    """All against one at random, or each against the one with the best odds, then the highest morale."""
    state = play.state
    joins = [action for action in legal if isinstance(action, JoinAttack)]
    aims = [action for action in legal if isinstance(action, AttackUnit)]
    if not frame.units:
        return joins[0] if joins and aims else Done()
    if not aims:
        return Done() if Done() in legal else legal[-1]
    if together:
        return _aimed(play, frame, *best(play, aims, [], "which FRIENDLY unit"))

    def odds(action: AttackUnit) -> float:
        return -assault(state, frame, CombatAttack(ENEMY, frame.units, (action.unit,))).kill

    def morale(action: AttackUnit) -> int:
        unit = state.units[action.unit]
        return -level(unit_kind(state, unit), unit)

    keys = [("best odds", odds), ("highest morale", morale)]
    return _aimed(play, frame, *best(play, aims, keys, "which FRIENDLY unit"))


def _aimed(play: Play[SquadState], frame: Combat, chosen: AttackUnit, why: Sequence[str]) -> AttackUnit:
    """Say whom an attack in Close Combat is against, and why."""
    state = play.state
    words = f"{name_of(state, frame.at)}: against {short(state, chosen.unit)} ({', '.join(why) or 'the only one'})"
    say(play, "A3e", "target", (), words, "S11.5")
    return chosen


__all__ = ["strengths"]
