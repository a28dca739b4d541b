"""Close Combat Phase: order of hexes, stacks, ambush, declarations, resolution, Melee (3.8)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.games.squad.cards.tables import CCT, SMC_CC
from sandtable.games.squad.combat import strengths
from sandtable.games.squad.combat.model import (
    Ambushed,
    AttackAll,
    AttackDeclared,
    AttackUnit,
    ClearAttack,
    CloseCombatPhase,
    Combat,
    CombatAttack,
    CombatBegan,
    CombatResolved,
    DeclareAttack,
    JoinAttack,
    MeleeBegan,
    PickCombat,
    RolledAttack,
    StackOn,
)
from sandtable.games.squad.combat.strengths import Assault, Block
from sandtable.games.squad.combat.switches import CombatRules
from sandtable.games.squad.effects import promotion
from sandtable.games.squad.effects.morale import casualty_reduce
from sandtable.games.squad.effects.results import random_selection
from sandtable.games.squad.ground import doors
from sandtable.games.squad.ground.knowledge import concealed
from sandtable.games.squad.ground.markers import change_units, change_weapons
from sandtable.games.squad.ground.setting import other_side, rules_of, setting_of, unit_kind
from sandtable.games.squad.ground.stacks import come_out, drop, eliminate, name_of, release_melee, units_at, update
from sandtable.games.squad.ground.switches import GroundRules
from sandtable.games.squad.movement.model import DropWeapon
from sandtable.games.squad.part import Part, Phase, Roll
from sandtable.games.squad.phases.model import Done
from sandtable.games.squad.phases.sequence import end_phase
from sandtable.games.squad.pieces.model import SquadState, Unit

DONE, DECLARE, CLEAR, ALL = Done(), DeclareAttack(), ClearAttack(), AttackAll()


class CombatOrder(Procedure[SquadState, CloseCombatPhase]):
    """The ATTACKER picks the hexes one after the other (3.8)."""

    def to_act(self, state: SquadState, frame: CloseCombatPhase) -> tuple[str, ...]:
        return (state.attacker,) if len(_open(state, frame)) > 1 else ()

    def actions(self, state: SquadState, frame: CloseCombatPhase, side: str) -> Sequence[Action]:
        return [PickCombat(cell) for cell in _open(state, frame)]

    def apply(self, play: Play[SquadState], frame: CloseCombatPhase, side: str, action: PickCombat) -> None:
        _begin(play, frame, action.at)

    def run(self, play: Play[SquadState], frame: CloseCombatPhase) -> None:
        left = _open(play.state, frame)
        if left:
            _begin(play, frame, left[0])
        else:
            end_phase(play)


def _open(state: SquadState, frame: CloseCombatPhase) -> list[int]:
    return [cell for cell in strengths.combat_cells(state) if cell not in frame.done]


def _begin(play: Play[SquadState], frame: CloseCombatPhase, cell: int) -> None:
    state = play.state
    play.replace(replace(frame, done=(*frame.done, cell)))
    for hook in setting_of(state).points.joins:
        hook(play, cell)
    if cell not in strengths.combat_cells(state):
        return
    attacker = state.attacker
    pairs = (
        *strengths.default_pairs(state, cell, attacker),
        *strengths.default_pairs(state, cell, other_side(state, attacker)),
    )
    play.emit(CombatBegan(at=name_of(state, cell)))
    play.push(Combat(cell, side=attacker, pairs=pairs))


# -- one hex ----------------------------------------------------------------------------


class Fighting(Procedure[SquadState, Combat]):
    """The close combat of one hex is fought to its end (3.8)."""

    def to_act(self, state: SquadState, frame: Combat) -> tuple[str, ...]:
        if frame.step == "stack":
            return (frame.side,) if may_stack(state, frame) else ()
        if frame.step == "declare":
            return (frame.side,) if frame.units or frame.targets or _may_declare(state, frame) else ()
        return ()

    def actions(self, state: SquadState, frame: Combat, side: str) -> Sequence[Action]:
        return stack_actions(state, frame) if frame.step == "stack" else _declare_actions(state, frame)

    def apply(self, play: Play[SquadState], frame: Combat, side: str, action: Action) -> None:
        if isinstance(action, StackOn):
            pairs = [pair for pair in frame.pairs if pair[0] != action.leader]
            if action.unit:
                pairs.append((action.leader, action.unit))
            play.replace(replace(frame, pairs=tuple(pairs)))
        elif isinstance(action, DropWeapon):
            drop(play, play.state.weapons[action.weapon])
        elif isinstance(action, JoinAttack):
            play.replace(replace(frame, units=(*frame.units, action.unit)))
        elif isinstance(action, AttackUnit):
            play.replace(replace(frame, targets=(*frame.targets, action.unit)))
        elif isinstance(action, ClearAttack):
            play.replace(replace(frame, units=(), targets=()))
        elif isinstance(action, DeclareAttack):
            play.replace(declared(play, frame, CombatAttack(side, frame.units, frame.targets)))
        elif isinstance(action, AttackAll):
            play.replace(declared(play, frame, attack_of_all(play.state, frame)))
        else:
            _next(play, frame)

    def run(self, play: Play[SquadState], frame: Combat) -> None:
        _next(play, frame)


def _next(play: Play[SquadState], frame: Combat) -> None:
    """The next step of a close combat (3.8)."""
    state = play.state
    attacker = state.attacker
    defender = other_side(state, attacker)
    if frame.step == "stack":
        if frame.side == attacker:
            play.replace(replace(frame, side=defender))
        else:
            frame = _after_ambush(play, frame)
            _go_on(play, frame, "ambush" if frame.ambusher else "")
    elif frame.step == "declare":
        declared = (*frame.declared, frame.side)
        if frame.ambusher or len(declared) == 2:
            play.replace(replace(frame, step="resolve", declared=declared))
        else:
            play.replace(replace(frame, declared=declared, side=other_side(state, frame.side)))
    elif frame.step == "resolve":
        resolve(play, frame)
    else:
        play.pop()
        lock_in_melee(play, frame.at)


def _go_on(play: Play[SquadState], frame: Combat, moment: str) -> bool:
    """Go on with the frame as it is now; whether a part has put in something that is played first (`part.Fights`)."""
    play.replace(frame)
    if moment:
        for hook in setting_of(play.state).points.fights:
            hook(play, frame, moment)
    return play.state.stack[-1] is not frame


def _after_ambush(play: Play[SquadState], frame: Combat) -> Combat:
    """Both sides make the ambush dr where an ambush is possible; the ambusher declares first (3.8)."""
    state = play.state
    attacker = state.attacker
    ambusher = ""
    if strengths.ambush_possible(state, frame.at):
        finals = {}
        for side in (attacker, other_side(state, attacker)):
            tally = strengths.ambush_tally(state, frame.at, side)
            (dr,) = play.roll(6, 1, "ambush", by=side, tally=tally)
            finals[side] = dr + int(tally.total)
        low, high = sorted(finals, key=lambda side: finals[side])
        if finals[high] - finals[low] >= strengths.AMBUSH_MARGIN:
            ambusher = low
        play.emit(Ambushed(at=name_of(state, frame.at), side=ambusher))
        for unit in units_at(state, frame.at, high) if ambusher else ():
            come_out(play, unit, "is ambushed")
    return replace(frame, step="declare", side=ambusher or attacker, ambusher=ambusher)


# -- stacks -----------------------------------------------------------------------------


def may_stack(state: SquadState, frame: Combat) -> bool:
    """Whether a side has leaders to stack on MMC in the hex, or in the guide weapons to drop (3.8)."""
    if not rules_of(state).of(CombatRules).drop_in_close_combat:
        kinds = [unit_kind(state, unit) for unit in units_at(state, frame.at, frame.side)]
        if not any([kind.mmc for kind in kinds]) or not any([kind.smc for kind in kinds]):
            return False
    return bool(stack_actions(state, frame)[:-1])


def stack_actions(state: SquadState, frame: Combat) -> list[Action]:
    """Leaders may be stacked on any MMC of their side, unbroken ones may stand alone (3.8)."""
    present = units_at(state, frame.at, frame.side)
    on = dict(frame.pairs)
    found: list[Action] = []
    for leader in present:
        if not unit_kind(state, leader).smc:
            continue
        now = on.get(leader.id, "")
        found += [
            StackOn(leader.id, unit.id)
            for unit in present
            if unit.id != now and unit_kind(state, unit).mmc and strengths.may_pair(state, leader, unit)
        ]
        if now and not leader.broken:
            found.append(StackOn(leader.id))
    if rules_of(state).of(CombatRules).drop_in_close_combat:
        found += [DropWeapon(name) for unit in present if not unit.broken for name in unit.weapons]
    found.append(DONE)
    return found


# -- declarations -----------------------------------------------------------------------


def free_blocks(state: SquadState, frame: Combat) -> tuple[dict[str, Block], dict[str, Block]]:
    """Own groups that may still attack, and enemy groups that are not attacked yet (3.8)."""
    side = frame.side
    attacking = {name for attack in frame.attacks if attack.side == side for name in attack.units}
    attacked = {name for attack in frame.attacks if attack.side == side for name in attack.targets}
    own = strengths.blocks_of(state, frame.at, side, frame.pairs)
    foes = strengths.blocks_of(state, frame.at, other_side(state, side), frame.pairs)
    return (
        {name: block for name, block in own.items() if name not in attacking and strengths.may_attack(state, block)},
        {name: block for name, block in foes.items() if name not in attacked},
    )


def joinable(state: SquadState, own: dict[str, Block], units: tuple[str, ...]) -> list[str]:
    """Groups that may join an attack: a leader who stands alone does not combine with MMC (3.8, G31)."""
    if not units:
        return list(own)
    mmc = unit_kind(state, state.units[units[0]]).mmc
    return [name for name, block in own.items() if unit_kind(state, block.base).mmc == mmc]


def attack_of_all(state: SquadState, frame: Combat) -> CombatAttack:
    """One attack of all free groups on all: of the MMC with their leaders, or of leaders if there are no MMC (3.8)."""
    own, foes = free_blocks(state, frame)
    first = next((name for name, block in own.items() if unit_kind(state, block.base).mmc), next(iter(own)))
    return CombatAttack(frame.side, tuple(joinable(state, own, (first,))), tuple(foes))


def _may_declare(state: SquadState, frame: Combat) -> bool:
    own, foes = free_blocks(state, frame)
    return bool(own and foes)


def _declare_actions(state: SquadState, frame: Combat) -> list[Action]:
    own, foes = free_blocks(state, frame)
    found: list[Action] = [JoinAttack(name) for name in joinable(state, own, frame.units) if name not in frame.units]
    found += [AttackUnit(name) for name in foes if name not in frame.targets]
    if frame.units or frame.targets:
        if frame.units and frame.targets:
            found.append(DECLARE)
        found.append(CLEAR)
    else:
        found += [ALL, DONE]
    return found


def declared(play: Play[SquadState], frame: Combat, attack: CombatAttack) -> Combat:
    """An attack is designated; nothing is resolved before all are (3.8)."""
    state = play.state
    figures = assault(state, frame, attack)
    play.emit(
        AttackDeclared(
            side=attack.side,
            units=tuple([unit.id for unit in figures.attackers]),
            targets=tuple([unit.id for unit in figures.targets]),
            odds=figures.odds,
            at=name_of(state, frame.at),
        )
    )
    return replace(frame, attacks=(*frame.attacks, attack), units=(), targets=())


def assault(state: SquadState, frame: Combat, attack: CombatAttack) -> Assault:
    """A declared attack in figures, as the groups stand now; who has left the hex is not counted (3.8)."""
    own = strengths.blocks_of(state, frame.at, attack.side, frame.pairs)
    foes = strengths.blocks_of(state, frame.at, other_side(state, attack.side), frame.pairs)
    return strengths.assault_of(
        state,
        [own[name] for name in attack.units if name in own],
        [foes[name] for name in attack.targets if name in foes],
        frame.ambusher,
    )


# -- resolution -------------------------------------------------------------------------


def resolve(play: Play[SquadState], frame: Combat) -> None:
    """All declared attacks are rolled, the ATTACKER's first, and then take effect together (3.8).

    A leader created on the way changes the odds of every attack that he is part of (5.3).
    """
    state = play.state
    while len(frame.rolls) < len(frame.attacks):
        frame = _roll(play, frame)
        if _go_on(play, frame, "rolled"):
            return
    made = [one for one in frame.rolls if one.dice]
    for one in [as_it_stands(state, frame, one) for one in made]:
        _apply(play, frame, one)
    for one in made:
        doors.settled(play, _told(frame, one))
    frame = replace(frame, attacks=(), rolls=())
    if len(frame.declared) == 2:
        _go_on(play, replace(frame, step="over"), "fought")
    else:
        _go_on(play, replace(frame, step="declare", side=other_side(state, frame.side)), "attacked")


def _roll(play: Play[SquadState], frame: Combat) -> Combat:
    """The DR of the next declared attack; none if nobody is left to make it or to be attacked by it."""
    state = play.state
    attack = frame.attacks[len(frame.rolls)]
    here = state.stacks.get(frame.at, ())
    if not any([name in here for name in attack.units]) or not any([name in here for name in attack.targets]):
        return replace(frame, rolls=(*frame.rolls, RolledAttack(attack)))
    figures = assault(state, frame, attack)
    dice = play.roll(6, 2, "close combat", by=attack.side, tally=figures.drm)
    one = _in_figures(RolledAttack(attack, dice=dice, final=sum(dice) + int(figures.drm.total)), figures)
    roll = doors.rolled(play, _told(frame, one))
    if promotion.may_promote(state, roll.original):
        base = promotion.best_base(state, figures.attackers)
        if base is not None:
            frame = _promote(play, frame, figures, base)
    return replace(frame, rolls=(*frame.rolls, one))


def _told(frame: Combat, one: RolledAttack) -> Roll:
    return Roll("combat", one.attack.side, one.dice, one.units, frame.at)


def _in_figures(one: RolledAttack, figures: Assault) -> RolledAttack:
    return replace(
        one,
        units=tuple([unit.id for unit in figures.attackers]),
        targets=tuple([unit.id for unit in figures.targets]),
        odds=figures.odds,
        kill=figures.kill,
    )


def as_it_stands(state: SquadState, frame: Combat, one: RolledAttack) -> RolledAttack:
    """A rolled attack with the odds of now; if somebody has left since, those of its DR, against whoever is left."""
    here = state.stacks.get(frame.at, ())
    if all([name in here for name in (*one.units, *one.targets)]):
        return _in_figures(one, assault(state, frame, one.attack))
    return replace(one, targets=tuple([name for name in one.targets if name in here]))


def _promote(play: Play[SquadState], frame: Combat, figures: Assault, base: Unit) -> Combat:
    """A Field Promotion in close combat: the leader joins the MMC, and the odds count him (5.3)."""
    column = strengths.column_of(figures.attack.total + SMC_CC, figures.defence.total)
    leader = promotion.promote(play, base, columns_below_even=max(0, CCT.even - column))
    return frame if leader is None else replace(frame, pairs=(*frame.pairs, (leader.id, base.id)))


def _apply(play: Play[SquadState], frame: Combat, one: RolledAttack) -> None:
    """Less than the kill number eliminates all that were attacked, equal to it reduces one (3.8)."""
    state = play.state
    side = one.attack.side
    result = strengths.result_of(one.kill, one.final)
    play.emit(
        CombatResolved(
            side=side,
            units=one.units,
            targets=one.targets,
            odds=one.odds,
            kill=one.kill,
            dr=one.final,
            result=result,
            at=name_of(state, frame.at),
        )
    )
    present = [state.units[name] for name in one.targets if name in state.units]
    if result == "eliminated":
        for unit in present:
            eliminate(play, unit, "close combat")
    elif result == "reduced" and present:
        picked = [unit for unit in present if unit.id in one.picked]
        for unit in picked or random_selection(play, present, "Casualty Reduction"):
            casualty_reduce(play, unit)
    why = "ambushes" if frame.ambusher == side and result == "eliminated" else "fights"
    for name in one.units:
        if name in state.units:
            come_out(play, state.units[name], why)


def lock_in_melee(play: Play[SquadState], cell: int) -> None:
    """Units of both sides that are left are locked in Melee, if any of them is unbroken (3.8, G32)."""
    state = play.state
    # whoever keeps his "?" holds nobody and is not held (A11.15)
    units = [unit for unit in units_at(state, cell) if not concealed(state, unit)]
    sides = {unit.side for unit in units}
    needed = rules_of(state).of(GroundRules).melee_needs_unbroken
    if len(sides) == 2 and not (needed and all(unit.broken for unit in units)):
        if not all(unit.melee for unit in units):
            play.emit(MeleeBegan(at=name_of(state, cell)))
        for unit in units:
            update(play, unit, melee=True)
    else:
        release_melee(play, cell)


def _end_close_combat(play: Play[SquadState]) -> None:
    """Pin counters are removed at the end of the CCPh, and all that counted for the Player Turn (3.8)."""
    state = play.state
    units = state.units
    change_units(
        state,
        [
            u
            for u in units.values()
            if u.pinned or u.moved or u.hazardous or u.exhausted or u.engaged or u.used or u.directed
        ],
        pinned=False,
        moved=False,
        hazardous=False,
        exhausted=False,
        engaged=False,
        used=(),
        directed=(),
    )
    change_weapons(state, [weapon for weapon in state.weapons.values() if weapon.moved], moved=False)
    # whoever is held in Melee is not in Good Order and loses what his weapons acquired (6.10)
    held = [w for w in state.weapons.values() if w.acquired is not None and units[w.owner].melee]
    change_weapons(state, held, acquired=None)


PART = Part(
    phases={"CCPh": Phase(CloseCombatPhase, after="APh")},
    ends={"CCPh": _end_close_combat},
    procedures={CloseCombatPhase: CombatOrder(), Combat: Fighting()},
)
