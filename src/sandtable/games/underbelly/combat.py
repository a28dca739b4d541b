"""Combat (13.0): the steps of a battle up to its end, each decision by the player whose it is."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.engine.part import Part
from sandtable.games.underbelly.actions import (
    BreakOff,
    CeaseFire,
    Decline,
    PressOn,
    Restore,
    Retreat,
    Shoot,
    Stand,
    UseTac,
)
from sandtable.games.underbelly.atlas import CITY, INDEX
from sandtable.games.underbelly.battle_end import end_battle, the_battle
from sandtable.games.underbelly.course import (
    BARRAGE,
    DEFENSIVE_FIRE,
    OFFENSIVE_FIRE,
    aimed_at,
    firing,
    only_support,
)
from sandtable.games.underbelly.data import ALLIED
from sandtable.games.underbelly.events import BattleEnded, Deployed, Rubble, Shot, StepRestored, TacCommitted
from sandtable.games.underbelly.model import (
    CROSS,
    Advancing,
    AttackDraft,
    Barrage,
    Battle,
    BreakOffChoice,
    DefenderTac,
    DefensiveFire,
    OffensiveFire,
    Restoring,
    RetreatChoice,
    Retreating,
    UnderbellyState,
)
from sandtable.games.underbelly.modifiers import BOMBERS, DIE, RUBBLE_SHARE, can_fire, hit_tally
from sandtable.games.underbelly.places import lose_port, settle_control
from sandtable.games.underbelly.retreat import alive, restorable
from sandtable.games.underbelly.stacking import exempt, mixed_penalty
from sandtable.games.underbelly.supply import supply_state
from sandtable.games.underbelly.zones import UNITS, field

State = UnderbellyState


def deploy(state: State, draft: AttackDraft) -> Battle:
    """Lay out a battle as the draft has it, with everybody's supply state (11.2, 13.2, step 1)."""
    now = field(state)
    defenders = tuple(now.stack(draft.target))
    supply = {u: supply_state(state, u, now) for u in (*draft.units, *defenders)}
    mixed = draft.units if mixed_penalty(state, now, draft.at) else ()
    if defenders and mixed_penalty(state, now, draft.target):
        mixed = (*mixed, *defenders)
    free = exempt(state, draft.at, now.stack(draft.at))
    crossed = () if free else tuple(u for u in draft.units if supply[u] == CROSS)
    return Battle(
        attacker=draft.side,
        kind=draft.kind,
        at=draft.at,
        target=draft.target,
        attackers=draft.units,
        defenders=defenders,
        activated=draft.activated,
        supply=tuple(supply.items()),
        mixed=mixed,
        crossed=crossed,
        tac=draft.tac,
        bombers=draft.bombers,
    )


def start_battle(play: Play[State], draft: AttackDraft) -> None:
    """Step 1: combat deployment (13.2). The draft lies on top of the stack."""
    state = play.state
    battle = state.battle = deploy(state, draft)
    state.attacked.append(draft.target)
    play.emit(
        Deployed(
            attacker=draft.side, origin=draft.at, at=draft.target, attackers=draft.units, defenders=battle.defenders
        )
    )
    if draft.tac:
        spend_tac(state, draft.side)
        play.emit(TacCommitted(side=draft.side, at=draft.target))
    play.pop()
    if not battle.defenders:  # only a port supply marker (11.12)
        lose_port(play, draft.target, "overrun")
        settle_control(play)
        play.emit(BattleEnded(at=draft.target, how="port"))
        play.push(Advancing())
    elif tac_left(state, battle.defender) and any(UNITS[u].division for u in battle.defenders):
        play.push(DefenderTac())
    else:
        to_barrage(play)


def tac_left(state: State, side: str) -> int:
    """TAC units that the side can still commit in this game turn (9.14)."""
    return state.tac if side == ALLIED else state.german_tac


def spend_tac(state: State, side: str) -> None:
    """Each TAC unit supports one battle a game turn (9.14)."""
    if side == ALLIED:
        state.tac -= 1
    else:
        state.german_tac -= 1


def in_city(battle: Battle) -> bool:
    """Whether the battle is fought over a city (13.11)."""
    return CITY[INDEX[battle.target]]


def is_division(unit: str) -> bool:
    """Whether a unit is a division and no corps support."""
    return UNITS[unit].division


def buries(state: State, battle: Battle) -> bool:
    """Whether bombs may bury their target in rubble: in cities and fortifications (13.6)."""
    return in_city(battle) or battle.target in state.forts


def targets(state: State, force: Sequence[str]) -> list[str]:
    """Whom ground units may fire at: divisions, and corps support only when no division is left (13.5)."""
    return list(aimed_at(alive(state, force), is_division))


def shots_of(state: State, battle: Battle, units: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Shots of the units that can hit anything: as many as they have steps (13.3, 13.12)."""
    return tuple(
        (u, state.steps[u])
        for u in units
        if state.steps[u] > 0 and can_fire(battle, u) and hit_tally(state, battle, u).total > 0
    )


# -- the steps in their order -------------------------------------------------------------


def to_barrage(play: Play[State]) -> None:
    """Step 2 begins if anybody can fire in it (13.2)."""
    state = play.state
    battle = the_battle(state)
    shooters = [u for u, _ in shots_of(state, battle, firing(BARRAGE, battle.attackers, is_division))]
    if battle.bombers:
        shooters.append(BOMBERS)
    play.push(Barrage(tuple(shooters)))


def to_defensive_fire(play: Play[State]) -> None:
    """Step 3 begins (13.2)."""
    battle = the_battle(play.state)
    play.replace(DefensiveFire(shots_of(play.state, battle, firing(DEFENSIVE_FIRE, battle.defenders, is_division))))


def to_break_off(play: Play[State]) -> None:
    """Step 4 begins if there is anything to decide (13.2, 13.11)."""
    battle = the_battle(play.state)
    if battle.attacker_losses and not in_city(battle):
        play.replace(BreakOffChoice())
    else:
        to_offensive_fire(play)


def to_offensive_fire(play: Play[State]) -> None:
    """Step 5 begins (13.2)."""
    battle = the_battle(play.state)
    play.replace(OffensiveFire(shots_of(play.state, battle, firing(OFFENSIVE_FIRE, battle.attackers, is_division))))


def to_retreat(play: Play[State]) -> None:
    """Step 6 begins if the defender may retreat (13.2)."""
    if restorable(play.state, the_battle(play.state)):
        play.replace(RetreatChoice())
    else:
        play.pop()
        end_battle(play, "")


def fire(play: Play[State], unit: str, target: str) -> bool:
    """One shot with a ten-sided die (2.2, 13.3); a hit takes effect at once (13.4)."""
    state = play.state
    battle = the_battle(state)
    tally = hit_tally(state, battle, unit, target)
    by = ALLIED if unit == BOMBERS else UNITS[unit].side
    name = "Heavy bombers" if unit == BOMBERS else UNITS[unit].name
    (die,) = play.roll(DIE, 1, f"{name} at {UNITS[target].name}", by=by, tally=tally)
    hit = die <= tally.total
    extra = state.steps[target] == 0
    if hit and not extra:
        state.steps[target] -= 1
    play.emit(
        Shot(
            unit=unit,
            target=target,
            need=int(tally.total),
            die=die,
            hit=hit,
            at=battle.target,
            eliminated=hit and state.steps[target] == 0,
            extra=extra,
        )
    )
    return hit


def shots_at(state: State, frame: Barrage | DefensiveFire | OffensiveFire) -> list[Shoot]:
    """Who may fire at whom: bombers at anybody, the last shots at the dead for an extra hit (13.5, 13.6, 13.10)."""
    battle = the_battle(state)
    force = battle.attackers if isinstance(frame, DefensiveFire) else battle.defenders
    aimed = targets(state, force)
    if isinstance(frame, Barrage):
        living = alive(state, force)
        return [Shoot(u, target) for u in frame.shooters for target in (living if u == BOMBERS else aimed)]
    return [Shoot(u, target) for u, _ in frame.shots for target in aimed or force]


def spend_shot(shots: tuple[tuple[str, int], ...], unit: str) -> tuple[tuple[str, int], ...]:
    """The shots that are left after one by a unit."""
    return tuple((u, n - 1 if u == unit else n) for u, n in shots if u != unit or n > 1)


class DefenderTacProcedure(Procedure[State, DefenderTac]):
    """The defender decides about his air support when the forces are deployed (9.14)."""

    def to_act(self, state: State, frame: DefenderTac) -> tuple[str, ...]:
        return (the_battle(state).defender,)

    def actions(self, state: State, frame: DefenderTac, side: str) -> Sequence[Action]:
        return (UseTac(), Decline())

    def apply(self, play: Play[State], frame: DefenderTac, side: str, action: Action) -> None:
        if isinstance(action, UseTac):
            spend_tac(play.state, side)
            play.state.battle = replace(the_battle(play.state), defender_tac=True)
            play.emit(TacCommitted(side=side, at=the_battle(play.state).target))
        play.pop()
        to_barrage(play)


class BarrageProcedure(Procedure[State, Barrage]):
    """Step 2: corps support and heavy bombers fire, in the attacker's order (13.2, 13.6)."""

    def to_act(self, state: State, frame: Barrage) -> tuple[str, ...]:
        battle = the_battle(state)
        return (battle.attacker,) if frame.shooters and alive(state, battle.defenders) else ()

    def actions(self, state: State, frame: Barrage, side: str) -> Sequence[Action]:
        return shots_at(state, frame)

    def apply(self, play: Play[State], frame: Barrage, side: str, action: Shoot) -> None:
        fire(play, action.unit, action.target)
        battle = the_battle(play.state)
        if action.unit == BOMBERS and buries(play.state, battle):
            (die,) = play.roll(DIE, 1, "Rubble on 6 to 10", by=side)
            if die > DIE - RUBBLE_SHARE:
                play.state.battle = replace(battle, rubble=(*battle.rubble, action.target))
                play.emit(Rubble(target=action.target, at=battle.target))
        play.replace(Barrage(tuple(u for u in frame.shooters if u != action.unit)))

    def run(self, play: Play[State], frame: Barrage) -> None:
        to_defensive_fire(play)


class DefensiveFireProcedure(Procedure[State, DefensiveFire]):
    """Step 3: every defender fires, shot by shot (13.2)."""

    def to_act(self, state: State, frame: DefensiveFire) -> tuple[str, ...]:
        battle = the_battle(state)
        return (battle.defender,) if frame.shots and alive(state, battle.attackers) else ()

    def actions(self, state: State, frame: DefensiveFire, side: str) -> Sequence[Action]:
        return shots_at(state, frame)

    def apply(self, play: Play[State], frame: DefensiveFire, side: str, action: Shoot) -> None:
        if fire(play, action.unit, action.target):
            battle = the_battle(play.state)
            play.state.battle = replace(battle, attacker_losses=(*battle.attacker_losses, action.target))
        play.replace(DefensiveFire(spend_shot(frame.shots, action.unit)))

    def run(self, play: Play[State], frame: DefensiveFire) -> None:
        to_break_off(play)


class BreakOffProcedure(Procedure[State, BreakOffChoice]):
    """Step 4: the attacker may break off, and must if only corps support is left (13.2)."""

    def to_act(self, state: State, frame: BreakOffChoice) -> tuple[str, ...]:
        return (the_battle(state).attacker,)

    def actions(self, state: State, frame: BreakOffChoice, side: str) -> Sequence[Action]:
        if only_support(alive(state, the_battle(state).attackers), is_division):
            return (BreakOff(),)
        return (BreakOff(), PressOn())

    def apply(self, play: Play[State], frame: BreakOffChoice, side: str, action: Action) -> None:
        if isinstance(action, BreakOff):
            play.replace(Restoring(side, retreat=False))
        else:
            to_offensive_fire(play)


class OffensiveFireProcedure(Procedure[State, OffensiveFire]):
    """Step 5: the attacking divisions fire, shot by shot, perhaps for an extra hit (13.2, 13.10)."""

    def to_act(self, state: State, frame: OffensiveFire) -> tuple[str, ...]:
        battle = the_battle(state)
        if not frame.shots:
            return ()
        if alive(state, battle.defenders) or (not battle.extra_hit and restorable(state, battle)):
            return (battle.attacker,)
        return ()

    def actions(self, state: State, frame: OffensiveFire, side: str) -> Sequence[Action]:
        shots = shots_at(state, frame)
        return shots if alive(state, the_battle(state).defenders) else [*shots, CeaseFire()]

    def apply(self, play: Play[State], frame: OffensiveFire, side: str, action: Action) -> None:
        if not isinstance(action, Shoot):
            to_retreat(play)
            return
        extra = play.state.steps[action.target] == 0
        if fire(play, action.unit, action.target):
            battle = the_battle(play.state)
            if extra:
                play.state.battle = replace(battle, extra_hit=True)
            else:
                play.state.battle = replace(battle, defender_losses=(*battle.defender_losses, action.target))
        play.replace(OffensiveFire(spend_shot(frame.shots, action.unit)))

    def run(self, play: Play[State], frame: OffensiveFire) -> None:
        to_retreat(play)


class RetreatChoiceProcedure(Procedure[State, RetreatChoice]):
    """Step 6: the defender may announce a retreat (13.2)."""

    def to_act(self, state: State, frame: RetreatChoice) -> tuple[str, ...]:
        return (the_battle(state).defender,)

    def actions(self, state: State, frame: RetreatChoice, side: str) -> Sequence[Action]:
        return (Retreat(), Stand())

    def apply(self, play: Play[State], frame: RetreatChoice, side: str, action: Action) -> None:
        if isinstance(action, Retreat):
            play.replace(Restoring(side, retreat=True))
        else:
            play.pop()
            end_battle(play, "")


class RestoringProcedure(Procedure[State, Restoring]):
    """The owner picks the unit whose lost step is taken back (13.10); one candidate needs no choice."""

    def _candidates(self, state: State, frame: Restoring) -> list[str]:
        battle = the_battle(state)
        return restorable(state, battle) if frame.retreat else list(dict.fromkeys(battle.attacker_losses))

    def to_act(self, state: State, frame: Restoring) -> tuple[str, ...]:
        return (frame.side,) if len(self._candidates(state, frame)) > 1 else ()

    def actions(self, state: State, frame: Restoring, side: str) -> Sequence[Action]:
        return [Restore(unit) for unit in self._candidates(state, frame)]

    def apply(self, play: Play[State], frame: Restoring, side: str, action: Restore) -> None:
        state = play.state
        state.steps[action.unit] += 1
        play.emit(StepRestored(unit=action.unit))
        if frame.retreat:
            play.replace(Retreating(tuple(alive(state, the_battle(state).defenders))))
        else:
            play.pop()
            end_battle(play, "broken off")

    def run(self, play: Play[State], frame: Restoring) -> None:
        (unit,) = self._candidates(play.state, frame)
        self.apply(play, frame, frame.side, Restore(unit))


PART: Part[UnderbellyState] = Part(
    procedures={
        DefenderTac: DefenderTacProcedure(),
        Barrage: BarrageProcedure(),
        DefensiveFire: DefensiveFireProcedure(),
        BreakOffChoice: BreakOffProcedure(),
        OffensiveFire: OffensiveFireProcedure(),
        RetreatChoice: RetreatChoiceProcedure(),
        Restoring: RestoringProcedure(),
    }
)
