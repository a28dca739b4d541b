"""The Allied staff in Soft Underbelly: turns the plan into commands, landings, air support and drops (9.0)."""

from __future__ import annotations

import random
from collections.abc import Sequence

from sandtable.engine import Action
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly import model as m
from sandtable.games.underbelly.airpower import BOMBER_COST
from sandtable.games.underbelly.atlas import BIT, INDEX, NAMES, NORTH_BITS, hexes_of
from sandtable.games.underbelly.combat import tac_left
from sandtable.games.underbelly.commands import attackers_for, box_units, fresh
from sandtable.games.underbelly.data import ALLIED
from sandtable.games.underbelly.drafts import together_allowed
from sandtable.games.underbelly.zones import UNITS, field
from sandtable.players.underbelly_allied import TRUSTED, AlliedPlan
from sandtable.players.underbelly_conduct import Choice
from sandtable.players.underbelly_ground import NORTH_DISTANCE
from sandtable.players.underbelly_marches import march, way_out
from sandtable.players.underbelly_odds import forecast_attack
from sandtable.players.underbelly_style import USUAL

ENOUGH = 0.35
"""What a command must be worth for each point."""
LAUNCHES = range(14, 20)
"""Turns to be written down for an End-Run: divisions are at hand by then, and time is left to use them (8.10, 8.17)."""
FEW = 4
"""German steps near the north edge that an End-Run need not fear."""
WIN = 60.0
"""What leaving the map is worth."""


def plot(source: random.Random) -> Choice:
    """The turn that is written down in secret: one of several, so that the Germans cannot know it (8.10)."""
    return a.Plot(source.choice(LAUNCHES)), "a plan costs nothing as long as it is only written down"


class AlliedStaff:
    """Decides for the Allies outside battles."""

    def __init__(self) -> None:
        self.style = USUAL[ALLIED]

    def decide(self, state: m.UnderbellyState, actions: Sequence[Action]) -> Choice | None:
        """The Allied choice; None: nothing special."""
        frame = state.stack[-1]
        if isinstance(frame, m.Commands):
            return self._command(state, actions)
        if isinstance(frame, m.Moving):
            return self._march(state, frame, actions)
        if isinstance(frame, m.BoxDraft):
            return self._gather(frame, actions)
        if isinstance(frame, m.AttackDraft):
            return self._attack(state, frame, actions)
        if isinstance(frame, m.Interruption):
            return self._interrupt(state)
        if isinstance(frame, m.DropSite):
            return self._drop(state, actions)
        if isinstance(frame, m.LaunchDraft):
            return self._sail(state, actions)
        if isinstance(frame, m.Opening):
            return self._open(state, actions)
        return None

    # -- commands -------------------------------------------------------------------------

    def _command(self, state: m.UnderbellyState, actions: Sequence[Action]) -> Choice:
        plan = AlliedPlan(state, self.style)
        worths = [(self.value(plan, action), n, action) for n, action in enumerate(actions)]
        (value, why), _, best = max(worths, key=lambda row: (row[0][0], -row[1]))
        end = next((x for x in actions if isinstance(x, a.EndPhase)), None)
        if value < ENOUGH and end is not None:
            return end, "nothing more is worth a point"
        return best, why

    def ranked(self, state: m.UnderbellyState, actions: Sequence[Action]) -> list[tuple[float, Action]]:
        """Commands and what they are worth, the best first."""
        plan = AlliedPlan(state, self.style)
        worths = [(self.value(plan, action)[0], n, action) for n, action in enumerate(actions)]
        return [(value, action) for value, _, action in sorted(worths, key=lambda row: (-row[0], row[1]))]

    def value(self, plan: AlliedPlan, action: Action) -> tuple[float, str]:
        """What a command is worth for each point it costs, and why."""
        state = plan.state
        if isinstance(action, a.Move):
            return self._move_value(plan, action)
        if isinstance(action, a.Attack):
            return self._attack_value(plan, action)
        if isinstance(action, a.Enter):
            return 3.0 + 0.3 * len(box_units(state, ALLIED, action.box)), "fresh divisions belong ashore"
        if isinstance(action, a.Replenish):
            near = plan.now.german_zoc & BIT[INDEX[state.at[action.unit]]] if state.at[action.unit] in INDEX else 0
            return (0.9 if near else 0.6), f"the {UNITS[action.unit].name} is brought up to strength"
        if isinstance(action, a.Reclaim):
            return (0.45 if UNITS[action.unit].division else 0.4), f"the {UNITS[action.unit].name} is rebuilt"
        if isinstance(action, a.ConsultEndRun):
            return 2.0, "the End-Run must be resolved"
        if isinstance(action, a.SendEndRun):
            safe = all(INDEX.get(state.at[u]) not in plan.posts for u in action.units)
            return (4.0 * len(action.units) if safe else 0.0), "more divisions decide the End-Run"
        return 0.0, ""

    def _move_value(self, plan: AlliedPlan, action: a.Move) -> tuple[float, str]:
        state = plan.state
        h = INDEX[action.at]
        units = plan.mobile(h, fresh(state, field(state).stack(action.at)))
        if not units:
            return 0.0, ""
        if not action.column and way_out(state, units) is not None:
            return WIN, "the way off the map is open"
        goals = hexes_of(march(state, units, column=action.column))
        if not goals:
            return 0.0, ""
        value, to = plan.best_place(goals, units, h)
        gain = value - plan.place(h, units, h) - (0.1 if action.column else 0.0)
        return gain, f"{action.at} moves to {NAMES[to]}: the best place within reach"

    def _attack_value(self, plan: AlliedPlan, action: a.Attack) -> tuple[float, str]:
        state = plan.state
        units = attackers_for(action.at, action.target, fresh(state, field(state).stack(action.at)))
        if not together_allowed(state, action.at, units):
            return 0.0, ""
        odds = forecast_attack(state, ALLIED, action.at, action.target, units, tac=tac_left(state, ALLIED) > 0)
        value = plan.attack_worth(odds, INDEX[action.target])
        if INDEX[action.at] in plan.posts:
            value -= 4.0 * odds.broken + 0.5 * odds.lost
        why = f"attacks {action.target}: {odds.cleared:.0%} to clear it, {odds.killed:.1f} steps for {odds.lost:.1f}"
        return value / 2, why

    # -- carrying out ---------------------------------------------------------------------

    def _march(self, state: m.UnderbellyState, frame: m.Moving, actions: Sequence[Action]) -> Choice:
        if a.Exit() in actions:
            return a.Exit(), "the way off the map is open"
        plan = AlliedPlan(state, self.style)
        here = INDEX.get(frame.at)
        if here is not None and not frame.started:
            staying = [u for u in frame.group if u not in plan.mobile(here, frame.group)]
            if len(staying) == len(frame.group):
                return a.Halt(), "the garrison stays"
            for unit in staying:
                if a.Leave(unit) in actions:
                    return a.Leave(unit), f"the {UNITS[unit].name} stays as garrison"
        goals = {INDEX[g.to]: g for g in actions if isinstance(g, a.Go)}
        if not goals:
            return (a.Halt() if a.Halt() in actions else actions[0]), "there is nowhere to go"
        if frame.kind == "move":
            edge = [h for h in goals if NORTH_BITS & BIT[h] and not plan.now.german_zoc & BIT[h]]
            if edge:
                return goals[edge[0]], "on the way off the map"
        value, to = plan.best_place(list(goals), frame.group, here)
        if here is not None and a.Halt() in actions and value <= plan.place(here, frame.group, here) + 0.05:
            return a.Halt(), "stands well where it is"
        return goals[to], f"{NAMES[to]} is the best place within reach"

    def _gather(self, frame: m.BoxDraft, actions: Sequence[Action]) -> Choice:
        adds = [action for action in actions if isinstance(action, a.Add)]
        group = UNITS[frame.units[0]].group if frame.units else ""
        fitting = [add for add in adds if not group or UNITS[add.unit].group == group]
        if fitting:
            best = max(fitting, key=lambda add: (UNITS[add.unit].steps, UNITS[add.unit].full, -UNITS[add.unit].order))
            return best, "a full stack costs no more than a single unit"
        if a.Begin() in actions:
            return a.Begin(), "the stack is ready"
        return a.Cancel(), "nobody can land"

    def _sail(self, state: m.UnderbellyState, actions: Sequence[Action]) -> Choice:
        """The wave comes from the box first, then from ports, posts last (8.13)."""
        if a.Begin() in actions:
            return a.Begin(), "the wave is complete"
        posts = {NAMES[h] for h in AlliedPlan(state, self.style).posts}
        adds = [action for action in actions if isinstance(action, a.Add)]
        if not adds:
            return a.Cancel(), "the wave cannot be found"
        best = min(adds, key=lambda add: (state.at[add.unit] in posts, state.at[add.unit], UNITS[add.unit].order))
        return best, f"the {UNITS[best.unit].name} sails"

    def _attack(self, state: m.UnderbellyState, frame: m.AttackDraft, actions: Sequence[Action]) -> Choice:
        if a.UseTac() in actions:
            return a.UseTac(), "air support makes every shot better"
        if a.UseBombers() in actions:
            plan = AlliedPlan(state, self.style)
            plain, bombed = (
                plan.attack_worth(
                    forecast_attack(
                        state, ALLIED, frame.at, frame.target, frame.units, tac=frame.tac, bombers=with_bombers
                    ),
                    INDEX[frame.target],
                )
                for with_bombers in (False, True)
            )
            if bombed - plain > 0.5 * BOMBER_COST:
                return a.UseBombers(), f"heavy bombers are worth {bombed - plain:.1f} steps here"
        if a.Resolve() in actions:
            return a.Resolve(), "the odds are good"
        return a.Cancel(), "these units cannot attack together"

    def advance(self, state: m.UnderbellyState, choices: Sequence[a.Advance]) -> Choice:
        """Follow up with everybody whom the garrison of the hex can spare (13.8)."""
        battle = state.battle
        assert battle is not None
        plan = AlliedPlan(state, self.style)
        going = set(plan.mobile(INDEX[battle.at], choices[0].units))
        fitting = [choice for choice in choices if going.issuperset(choice.units)]
        best = max(fitting, key=lambda choice: len(choice.units))
        return best, f"follows up into {battle.target}" if best.units else "the garrison stays"

    # -- air ------------------------------------------------------------------------------

    def _open(self, state: m.UnderbellyState, actions: Sequence[Action]) -> Choice | None:
        if a.LaunchEndRun() in actions and self._north_is_empty(state):
            return a.LaunchEndRun(), "the north is empty: the End-Run sails"
        corps = [action for action in actions if isinstance(action, a.DesignateCorps)]
        if corps:
            best = max(corps, key=lambda c: (sum(state.steps[u] for u in field(state).stack(c.at)), c.at))
            return best, "the mixed stack fights as one corps"
        now = field(state)
        contact = bool(now.allied & now.german_zoc)
        if contact or a.DeclineTac() not in actions:
            return a.ActivateTac(), "the enemy is near: air support will be needed"
        return a.DeclineTac(), "no battle is in sight"

    def _north_is_empty(self, state: m.UnderbellyState) -> bool:
        """Whether the Germans have little to send against an End-Run, and the way by land is long (8.16, 8.17)."""
        plan = AlliedPlan(state, self.style)
        box = sum(state.steps[u] for u, at in state.at.items() if at == m.GERMAN_BOX)
        near = sum(state.steps[u] for h, stack in plan.germans.items() if NORTH_DISTANCE[h] <= 2 for u in stack)
        calm = all(plan.storm_risk(post, plan.stacks.get(post, ())) <= TRUSTED for post in plan.posts)
        return plan.turns > 2 and box + near <= FEW and calm

    def _interrupt(self, state: m.UnderbellyState) -> Choice:
        """The drop is free in the first turn: late in the German phase one sees where it is needed (5.4, 12.9)."""
        plan = AlliedPlan(state, self.style)
        calm = all(plan.storm_risk(post, plan.stacks.get(post, ())) <= TRUSTED for post in plan.posts)
        if state.cp > 1 and calm:
            return a.PassDrop(), "the drop waits until the German shows his hand"
        return a.Drop(), "the 82nd is needed at the beach"

    def _drop(self, state: m.UnderbellyState, actions: Sequence[Action]) -> Choice:
        """Where the 82nd makes a post safest (12.9)."""
        plan = AlliedPlan(state, self.style)
        sites = {INDEX[action.at]: action for action in actions if isinstance(action, a.Site)}

        def gain(h: int) -> tuple[float, int]:
            there = plan.stacks.get(h, [])
            risk = plan.storm_risk(h, there) - plan.storm_risk(h, [*there, m.AIRBORNE])
            return risk, -sum(state.steps[u] for u in there)

        posts = [h for h in plan.posts if h in sites and h in plan.stacks]
        if posts:
            best = max(posts, key=gain)
            return sites[best], f"{NAMES[best]} must not fall"
        best = min(sites, key=lambda h: (NORTH_DISTANCE[h], h))
        return sites[best], "as far north as possible"
