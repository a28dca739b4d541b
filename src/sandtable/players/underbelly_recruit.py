"""A recruit for Soft Underbelly: plays both sides by plain rules of thumb, at once."""

from __future__ import annotations

import random
from collections.abc import Sequence

from sandtable.engine import Action, Match, Seat
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly import model as m
from sandtable.games.underbelly.atlas import (
    ADJACENT,
    BIT,
    CITY,
    COASTAL,
    INDEX,
    LAND_BITS,
    MOUNTAIN,
    NAMES,
    NAPLES,
    NORTH_BITS,
    PAESTUM,
    PLACES,
    SALERNO,
    TARANTO,
    TERRAIN,
    ZONE,
    around,
    bits_of,
    flood,
    hexes_of,
)
from sandtable.games.underbelly.combat import deploy, tac_left
from sandtable.games.underbelly.commands import fresh
from sandtable.games.underbelly.data import ALLIED, GERMAN
from sandtable.games.underbelly.odds import BattleOdds, pick_target
from sandtable.games.underbelly.supply import open_to_supply, overland_network
from sandtable.games.underbelly.zones import UNITS, field
from sandtable.players.underbelly_ground import NORTH_DISTANCE
from sandtable.players.underbelly_marches import march, ranges, way_out

CANDIDATES = 14
"""Goals of a move that are looked at closely."""
_MARCH = 26
"""How far ahead the German looks for Allied columns, in hexes."""


class Recruit:
    """Pushes north or holds the line, attacks at good odds, and never lets go of Salerno"""

    def __init__(self) -> None:
        self.explanation = ""

    def choose(self, seat: Seat, source: random.Random) -> Action:
        """Pick a legal action; everything is judged on an imagined match, as hidden things might be."""
        actions = list(seat.actions())
        if len(actions) == 1:
            return self._say(actions[0], "There is no other choice.")
        match = seat.imagine(source)
        state = match.state
        frame = state.stack[-1]
        if isinstance(frame, m.Commands):
            return self._command(match, seat.side, actions)
        if isinstance(frame, m.Moving):
            return self._march(state, frame, actions)
        if isinstance(frame, (m.BoxDraft, m.LaunchDraft)):
            return self._gather(state, actions)
        if state.battle is not None:
            return self._fight(state, seat.side, actions)
        return self._other(state, frame, actions, source)

    def _say(self, action: Action, why: str) -> Action:
        self.explanation = why
        return action

    # -- commands -------------------------------------------------------------------------

    def _command(self, match: Match, side: str, actions: Sequence[Action]) -> Action:
        state = match.state
        best: tuple[float, Action, str] = (
            0.4,
            _of(actions, a.EndPhase) or actions[0],
            "Nothing more is worth a point.",
        )
        for action in actions:
            value, why = self._value(match, side, state, action)
            if value > best[0]:
                best = (value, action, why)
        return self._say(best[1], best[2])

    def _value(self, match: Match, side: str, state: m.UnderbellyState, action: Action) -> tuple[float, str]:
        """What a command is worth for each point it costs."""
        if isinstance(action, (a.Attack, a.FightMove)):
            cost = 2 if isinstance(action, a.Attack) else 3
            return self._attack_value(
                state, side, action.at, action.target
            ) * 3 / cost, "The odds of this attack are good."
        if isinstance(action, a.Move):
            return self._move_value(side, state, action), "This move improves the position most."
        if isinstance(action, a.Enter):
            if action.kind in ("move-fight", "end-run"):
                return 0.0, ""
            return (6.0 if action.kind == "move" else 5.0), "Reserves belong on the map."
        if isinstance(action, a.Replenish):
            return 2.5, "A weak division is brought up to strength."
        if isinstance(action, a.Reclaim):
            return 1.5, "A lost unit is rebuilt."
        if isinstance(action, a.ConsultEndRun):
            return 9.0, "The End-Run must be resolved."
        return 0.0, ""

    def _move_value(self, side: str, state: m.UnderbellyState, action: a.Move) -> float:
        units = fresh(state, field(state).stack(action.at), move=True)
        if side == ALLIED or state.end_run.demanded:
            leave = way_out(state, units, column=action.column)
            if leave is not None and (side == GERMAN or not action.column):
                return 50.0
        goals = hexes_of(march(state, units, column=action.column))
        if not goals:
            return 0.0
        judge = _Judge(state, side, units)
        return judge.best(goals)[0] - judge.score(INDEX[action.at]) - (0.3 if action.column else 0.0)

    def _attack_value(self, state: m.UnderbellyState, side: str, at: str, target: str) -> float:
        now = field(state)
        units = tuple(u for u in now.stack(at) if u not in state.used)
        draft = m.AttackDraft(side, "attack", at, target, units, units, tac=tac_left(state, side) > 0)
        battle = deploy(state, draft)
        if not battle.defenders:
            return 6.0
        odds = BattleOdds(state, battle)
        ours = float(sum(n * p for n, p in odds.losses(attacker=True).items()))
        theirs = float(sum(n * p for n, p in odds.losses(attacker=False).items()))
        prize = 1.0 + (1.5 if target in PLACES else 0.0)
        if side == GERMAN and target in (SALERNO, PAESTUM) and not state.switched:
            prize = 12.0
        return theirs - 1.1 * ours + prize * float(odds.cleared())

    # -- moves ----------------------------------------------------------------------------

    def _march(self, state: m.UnderbellyState, frame: m.Moving, actions: Sequence[Action]) -> Action:
        leave = _of(actions, a.Exit)
        if leave is not None and (frame.side == ALLIED or state.end_run.demanded):
            return self._say(leave, "The way off the map is open.")
        goals = {INDEX[g.to]: g for g in actions if isinstance(g, a.Go)}
        halt = _of(actions, a.Halt)
        if frame.side == ALLIED or state.end_run.demanded:
            edge = [h for h in goals if NORTH_BITS & BIT[h] and not field(state).ezoc(frame.side) & BIT[h]]
            if edge and (frame.side == GERMAN or frame.kind == "move"):
                return self._say(goals[edge[0]], "On the way off the map.")
        if not goals:
            return self._say(halt or actions[0], "There is nowhere to go.")
        judge = _Judge(state, frame.side, frame.group)
        value, to = judge.best(list(goals))
        here = judge.score(INDEX[frame.at]) if frame.at in INDEX else -99.0
        if halt is not None and value <= here + 0.2:
            return self._say(halt, "The group stands well where it is.")
        return self._say(goals[to], "This is the best place within reach.")

    def _gather(self, state: m.UnderbellyState, actions: Sequence[Action]) -> Action:
        adds = [action for action in actions if isinstance(action, a.Add)]
        frame = state.stack[-1]
        chosen = frame.units if isinstance(frame, (m.BoxDraft, m.LaunchDraft)) else ()
        room = [action for action in adds if not chosen or UNITS[action.unit].group == UNITS[chosen[0]].group]
        begin = _of(actions, a.Begin)
        if room and (begin is None or len(chosen) < 4):
            return self._say(room[0], "A full stack costs no more than a single unit.")
        return self._say(begin or (adds[0] if adds else actions[-1]), "The stack is ready.")

    # -- battles --------------------------------------------------------------------------

    def _fight(self, state: m.UnderbellyState, side: str, actions: Sequence[Action]) -> Action:
        battle = state.battle
        assert battle is not None
        shots = [action for action in actions if isinstance(action, a.Shoot)]
        if shots:
            unit = shots[0].unit
            target = pick_target(state, [shot.target for shot in shots if shot.unit == unit])
            return self._say(a.Shoot(unit, target), "Finish a unit off if the shot can, the strongest first.")
        ours, theirs = (
            (battle.attackers, battle.defenders) if side == battle.attacker else (battle.defenders, battle.attackers)
        )
        own, enemy = (sum(state.steps[u] for u in units) for units in (ours, theirs))
        if _of(actions, a.UseTac):
            return self._say(a.UseTac(), "Air support makes every shot better.")
        if _of(actions, a.PressOn):
            off = own < enemy and own <= 2
            return self._say(
                a.BreakOff() if off else a.PressOn(), "Too weak to go on." if off else "Still strong enough."
            )
        if _of(actions, a.Stand):
            go = own == 0 or own * 2 <= enemy
            return self._say(
                a.Retreat() if go else a.Stand(), "Better a step than the hex." if go else "The hex is held."
            )
        retreats = [action for action in actions if isinstance(action, a.RetreatTo)]
        if retreats:
            best = min(retreats, key=lambda r: (TERRAIN[INDEX[r.to]] != MOUNTAIN, NORTH_DISTANCE[INDEX[r.to]], r.to))
            return self._say(best, "Good ground behind the line.")
        advances = [action for action in actions if isinstance(action, a.Advance)]
        if advances:
            prize = battle.target in PLACES or battle.kind == "fight-move"
            go = side == ALLIED or prize
            choice = advances[0] if go else a.Advance(())
            return self._say(choice, "Follow up." if go else "Stay in the line.")
        return self._say(actions[0], "The first unit gets its step back.")

    # -- everything else ------------------------------------------------------------------

    def _other(
        self, state: m.UnderbellyState, frame: object, actions: Sequence[Action], source: random.Random
    ) -> Action:
        if isinstance(frame, m.AttackDraft):
            if _of(actions, a.UseTac):
                return self._say(a.UseTac(), "Air support makes every shot better.")
            resolve = _of(actions, a.Resolve)
            return self._say(resolve or _of(actions, a.Withhold) or actions[-1], "Everybody who can attacks.")
        if isinstance(frame, m.AttackChoice):
            return self._say(a.Decline(), "No attack at unknown odds.")
        if isinstance(frame, m.Interruption):
            return self._say(a.PassDrop(rest=True), "The 82nd is kept back.")
        if isinstance(frame, m.Plotting):
            return self._say(source.choice(actions), "Nobody but the Allies knows what is written down.")
        preferred = (a.DesignateCorps, a.ActivateTac, a.OpenBari, a.Cancel)
        for kind in preferred:
            found = _of(actions, kind)
            if found is not None:
                return self._say(found, "The usual choice.")
        if isinstance(actions[0], a.Place):
            places = [p for p in actions if isinstance(p, a.Place)]
            return self._say(
                min(places, key=lambda p: (NORTH_DISTANCE[INDEX[p.at]], p.at)), "As far forward as possible."
            )
        return self._say(actions[int(source.random() * len(actions))], "Any choice will do.")


def _of(actions: Sequence[Action], kind: type[Action]) -> Action | None:
    """The first action of a kind."""
    return next((action for action in actions if isinstance(action, kind)), None)


def _posts(state: m.UnderbellyState) -> list[str]:
    """Hexes that the Allies may not leave empty: their loss would lose the game (4.1, 4.2)."""
    posts = [] if state.switched else [SALERNO, PAESTUM]
    if state.scenario != m.HISTORICAL:
        for at, other in ((TARANTO, NAPLES), (NAPLES, TARANTO)):
            if state.control[at] == ALLIED and state.control[other] == GERMAN:
                posts.append(at)
    return posts


def _walk(start: int, free: int) -> int:
    """Hexes that the Allies must walk to the north edge."""
    front = seen = start
    for steps in range(_MARCH):
        if front & NORTH_BITS:
            return steps
        front = around(front) & free & ~seen
        seen |= front
    return _MARCH


class _Judge:
    """Scores hexes for a group of a side, with the group itself taken off the map."""

    def __init__(self, state: m.UnderbellyState, side: str, group: Sequence[str]) -> None:
        self.state = state
        self.side = side
        now = field(state)
        self.own = self.zone = 0
        for at, stack in now.stacks.items():
            if UNITS[stack[0]].side != side:
                continue
            rest = [u for u in stack if u not in group]
            if rest:
                self.own |= BIT[INDEX[at]]
                if any(UNITS[u].division for u in rest):
                    self.zone |= ZONE[INDEX[at]]
        self.fights = any(UNITS[u].division for u in group)
        self.enemy = now.german if side == ALLIED else now.allied
        self.ezoc = now.ezoc(side)
        self.supplied = overland_network(state, now, side) | (open_to_supply(now, side) & self.own)
        self.places = {INDEX[at] for at, owner in state.control.items() if owner != side}
        self.held = bits_of([INDEX[at] for at, owner in state.control.items() if owner == side])
        self.enemy_ranges = [ranges(e) for e in hexes_of(self.enemy)]
        self.posts = [INDEX[at] for at in _posts(state)] if side == ALLIED else []

    def best(self, goals: Sequence[int]) -> tuple[float, int]:
        """(score, hex) of the best goal: a quick look at all, a close look at the most promising."""
        quick = sorted(goals, key=lambda h: (-self._quick(h), h))[:CANDIDATES]
        if self.side == GERMAN:  # the line may have to be closed far behind the front
            quick += [h for h in goals if NORTH_DISTANCE[h] <= 1 and h not in quick][:6]
        value, _, best = max((self.score(h), -n, h) for n, h in enumerate(quick))
        return value, best

    def score(self, h: int) -> float:
        """What it is worth to have the group in a hex."""
        value = self._quick(h)
        if self.side == GERMAN:
            value += self._line(h)
        return value - 40.0 * sum(not self.own & BIT[post] and h != post for post in self.posts)

    def _quick(self, h: int) -> float:
        value = 0.0
        bit = BIT[h]
        if not self.supplied & bit:
            value -= 1.5 if self.side == ALLIED and COASTAL[h] else 6.0
        if TERRAIN[h] == MOUNTAIN:
            value += 0.5
        if CITY[h]:
            value += 1.5
        taken = [n for n in (h, *ADJACENT[h]) if n in self.places]
        for n in taken:
            if n == h or (self.fights and not (self.ezoc | self.enemy) & BIT[n]):
                value += 5.0 if self.side == ALLIED else self._prize(n)
        if self.side == ALLIED:
            value -= 0.6 * NORTH_DISTANCE[h]
            if self.ezoc & bit:
                value += 0.8
        else:
            near = min([far[h] for far in self.enemy_ranges], default=10)
            value -= 0.25 * near
            if COASTAL[h]:
                value -= 1.0
            if NAMES[h] in self.state.forts:
                value += 2.0
        return value

    def _prize(self, h: int) -> float:
        """What a place is worth to the Germans: Naples and Taranto together win Watch on the Tiber (4.2)."""
        return 6.0 if self.state.scenario == m.WAT and NAMES[h] in (NAPLES, TARANTO) else 1.5

    def _line(self, h: int) -> float:
        """How well the German line holds with the group there: what the Allies can walk to."""
        closed = self.own | BIT[h] | self.zone | (ZONE[h] if self.fights else 0)
        free = (LAND_BITS & ~closed) | self.enemy
        open_ = flood(self.enemy, free)
        value = -1.2 * (open_ & self.held).bit_count()
        if open_ & NORTH_BITS:
            value -= 4.0 + 0.8 * (open_ & NORTH_BITS).bit_count() + 2.5 * max(0, _MARCH - _walk(self.enemy, free))
        return value
