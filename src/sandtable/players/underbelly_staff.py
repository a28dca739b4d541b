"""The German staff in Soft Underbelly: turns the plan into commands and spends the points (9.0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sandtable.engine import Action
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly import model as m
from sandtable.games.underbelly.atlas import BIT, GRID, INDEX, MOUNTAIN, NAMES, TERRAIN, ZONE
from sandtable.games.underbelly.combat import tac_left
from sandtable.games.underbelly.commands import attackers_for, box_units, fresh
from sandtable.games.underbelly.data import GERMAN
from sandtable.games.underbelly.drafts import fort_sites
from sandtable.games.underbelly.zones import UNITS, field
from sandtable.players.underbelly_alarm import ON_THE_WAY, Block, best_block, outlook
from sandtable.players.underbelly_conduct import NORTH_LOSS, Choice, prize_of
from sandtable.players.underbelly_german import GermanPlan
from sandtable.players.underbelly_ground import NORTH_DISTANCE, exit_turns, ground_of
from sandtable.players.underbelly_marches import way_out
from sandtable.players.underbelly_odds import forecast_attack
from sandtable.players.underbelly_storm import DECISIVE, best_storm
from sandtable.players.underbelly_style import USUAL

END_RUN = 3.0
"""What two steps against an End-Run are worth: a tenth of every roll (8.17)."""
CLOSE = 8
"""Commands that are looked at closely."""
ENOUGH, ENOUGH_IN_WAT = 0.35, 0.08
"""What a command must be worth for each point: 10th Army alone only wears out its line by moves for less, but in Watch
on the Tiber there are corps behind it that have nothing better to do."""


class GermanStaff:
    """Remembers for one command where everybody was to go."""

    def __init__(self) -> None:
        self.targets: dict[str, int] = {}
        self.first = ""
        self.style = USUAL[GERMAN]

    def forget(self) -> None:
        """Another command is carried out than the one that was planned."""
        self.targets, self.first = {}, ""

    def decide(self, state: m.UnderbellyState, actions: Sequence[Action]) -> Choice | None:
        """The German choice outside battles."""
        frame = state.stack[-1]
        if isinstance(frame, m.Commands):
            return self._command(state, actions)
        if isinstance(frame, m.BoxDraft):
            return self._gather(state, frame, actions)
        if isinstance(frame, m.Moving):
            return self._march(state, frame, actions)
        if isinstance(frame, m.AttackChoice):
            return self._assault(state, frame, actions)
        if isinstance(frame, m.AttackDraft):
            return self._attack(actions)
        if isinstance(frame, m.FortSite):
            return self._fort(state, actions)
        return None

    # -- commands -------------------------------------------------------------------------

    def _command(self, state: m.UnderbellyState, actions: Sequence[Action]) -> Choice:
        plan = GermanPlan(state, self.style)
        self.targets, self.first = plan.targets, ""
        if state.end_run.demanded:
            order = self._withdraw(state, plan, actions)
            if order is not None:
                return order, "the north demands divisions, or all is lost"
        worths = [(self.value(state, plan, action), n, action) for n, action in enumerate(actions)]
        worths.sort(key=lambda row: (-row[0][0], row[1]))
        (value, why), _, best = self._thought_over(state, plan, worths)
        block = best_block(plan)
        if (
            block is not None
            and 0.5 * block.gain + self.style.outlook * self._brighter(plan, {block.unit: block.to}) > value
        ):
            order = self._order_for(state, plan, block, actions)
            if order is not None:
                return order, f"the {UNITS[block.unit].name} shuts the way north at {NAMES[block.to]}"
        end = next((x for x in actions if isinstance(x, a.EndPhase)), None)
        if value < (ENOUGH_IN_WAT if state.scenario == m.WAT else ENOUGH) and end is not None:
            return end, "nothing more is worth a point"
        if isinstance(best, (a.Move, a.MoveFight)):
            storm = best_storm(state, best)
            if storm is not None:
                self.targets = dict.fromkeys(field(state).stack(best.at), storm.to)
        return best, why

    def _thought_over(
        self, state: m.UnderbellyState, plan: GermanPlan, worths: list[tuple[tuple[float, str], int, Action]]
    ) -> tuple[tuple[float, str], int, Action]:
        """The best of the best commands when one looks at what the Allies could do after it."""
        if not plan.in_contact:
            return worths[0]
        found = []
        for (value, why), n, action in worths[:CLOSE]:
            moved = self._moved(state, plan, action)
            if moved:
                value += self.style.outlook * self._brighter(plan, moved)
            found.append(((value, why), n, action))
        return max(found, key=lambda row: (row[0][0], -row[1]))

    def _brighter(self, plan: GermanPlan, moved: Mapping[str, int]) -> float:
        """How much better things look, in steps, when units have moved."""
        if plan.gloom is None:
            plan.gloom = outlook(plan, {})
        return plan.gloom - outlook(plan, moved)

    def _moved(self, state: m.UnderbellyState, plan: GermanPlan, action: Action) -> dict[str, int]:
        """Who would stand where after a move."""
        if isinstance(action, a.Move):
            units = list(fresh(state, field(state).stack(action.at), move=True))
            here = INDEX[action.at]
        elif isinstance(action, a.Enter) and action.kind in ("move", "column"):
            units, here = box_units(state, GERMAN, action.box), -1
        else:
            return {}
        going = [u for u in units if plan.targets.get(u, here) != here]
        if not going:
            return {}
        column = action.column if isinstance(action, a.Move) else action.kind == "column"
        to = plan.targets[going[0]]
        if not plan.ways[going[0]][column] & BIT[to]:
            return dict.fromkeys(going if here >= 0 else (), ON_THE_WAY)
        return {u: to for u in going if plan.targets[u] == to}

    def _withdraw(self, state: m.UnderbellyState, plan: GermanPlan, actions: Sequence[Action]) -> Action | None:
        """Send off whom the line misses least: those without a post, and no more steps than demanded (8.18)."""
        found: list[tuple[tuple[int, int, int], Action, list[str], int]] = []
        for n, action in enumerate(actions):
            if isinstance(action, a.Move):
                units = list(fresh(state, field(state).stack(action.at), move=True))
                column = action.column
            elif isinstance(action, a.Enter) and action.kind in ("move", "column"):
                units, column = box_units(state, GERMAN, action.box)[:1], action.kind == "column"
            else:
                continue
            out = way_out(state, units, column=column) if units else None
            if out is not None:
                steps = sum(state.steps[u] for u in units)
                missed = sum(u in plan.posts for u in units)
                found.append(((missed, abs(steps - state.end_run.demanded), n), action, units, out))
        if not found:
            return None
        _, action, units, out = min(found, key=lambda row: row[0])
        self.targets = {**plan.targets, **dict.fromkeys(units, out)}
        self.first = units[0]
        return action

    def _order_for(
        self, state: m.UnderbellyState, plan: GermanPlan, block: Block, actions: Sequence[Action]
    ) -> Action | None:
        """The command that brings a division where it shuts the way; the others of its stack stay."""
        regular = bool(plan.ways[block.unit][0] & BIT[block.to])
        at = state.at[block.unit]
        order: Action = a.Move(at, column=not regular) if at in INDEX else a.Enter(at, "move" if regular else "column")
        if order not in actions:
            return None
        self.targets = dict(plan.targets)
        for unit in field(state).stack(at) if at in INDEX else ():
            self.targets[unit] = INDEX[at]
        self.targets[block.unit] = block.to
        self.first = block.unit
        return order

    def ranked(self, state: m.UnderbellyState, actions: Sequence[Action]) -> list[tuple[float, Action]]:
        """Commands and what they are worth, the best first."""
        plan = GermanPlan(state, self.style)
        worths = [(self.value(state, plan, action)[0], n, action) for n, action in enumerate(actions)]
        return [(value, action) for value, _, action in sorted(worths, key=lambda row: (-row[0], row[1]))]

    def value(self, state: m.UnderbellyState, plan: GermanPlan, action: Action) -> tuple[float, str]:
        """What a command is worth for each point it costs, and why."""
        if isinstance(action, (a.Move, a.MoveFight)):
            storm = best_storm(state, action)
            if storm is not None:
                why = f"{NAMES[storm.target]} wins the game: {storm.chance:.0%} to take it"
                return DECISIVE * storm.chance / (1 if isinstance(action, a.Move) else 3), why
        if isinstance(action, a.Move):
            return self._move_value(state, plan, action)
        if isinstance(action, a.Enter):
            return self._enter_value(state, plan, action)
        if isinstance(action, (a.Attack, a.FightMove)):
            return self._attack_value(state, plan, action)
        if isinstance(action, a.Replenish):
            weak = sum(2 - state.steps[u] for u in [action.unit])
            return 0.9 * weak if UNITS[action.unit].mobility != "mech" else 0.6 * weak, "a weak division is filled up"
        if isinstance(action, a.Reclaim):
            return 0.5 if UNITS[action.unit].division else 0.3, "a lost unit is rebuilt"
        if isinstance(action, a.BuildFort):
            return self._fort_value(state, plan)
        return 0.0, ""

    def _move_value(self, state: m.UnderbellyState, plan: GermanPlan, action: a.Move) -> tuple[float, str]:
        value = 0.0
        best: tuple[float, str] = (0.0, "")
        for unit in fresh(state, field(state).stack(action.at), move=True):
            need = plan.need(unit)
            if need <= 0:
                continue
            regular, column = plan.ways[unit]
            target = BIT[plan.targets[unit]]
            if action.column:
                need *= 1.0 if column & target else 0.8 if not regular & target else 0.3
            elif column & target and not regular & target:
                need *= 0.4
            elif not (regular | column) & target:
                need *= 0.5
            value += need
            best = max(best, (need, f"the {UNITS[unit].name} makes for {NAMES[plan.targets[unit]]} in the line"))
        return value, best[1]

    def _enter_value(self, state: m.UnderbellyState, plan: GermanPlan, action: a.Enter) -> tuple[float, str]:
        units = box_units(state, GERMAN, action.box)
        if action.kind == "end-run":
            steps = sum(sorted((state.steps[u] for u in units if UNITS[u].group == "10"), reverse=True)[:4])
            return END_RUN * (steps // 2), "the End-Run must be thrown back"
        if action.kind == "move-fight":
            return 0.0, ""
        value = sum(sorted((plan.need(u) for u in units), reverse=True)[:4])
        far = any(u in plan.targets and plan.ways[u][1] & ~plan.ways[u][0] & BIT[plan.targets[u]] for u in units)
        late = any(u in plan.targets and not plan.soon[u] & BIT[plan.targets[u]] for u in units)
        column = action.kind == "column"
        return (value + 0.6) * (1.0 if column == (far or late) else 0.8), "reserves belong on the map"

    def _attack_value(
        self, state: m.UnderbellyState, plan: GermanPlan, action: a.Attack | a.FightMove
    ) -> tuple[float, str]:
        units = attackers_for(action.at, action.target, fresh(state, field(state).stack(action.at)))
        odds = forecast_attack(state, GERMAN, action.at, action.target, units, tac=tac_left(state, GERMAN) > 0)
        prize = prize_of(state, GERMAN, action.target)
        before = NORTH_LOSS[plan.turns]
        value = self.style.kill * odds.killed - self.style.lose * odds.lost + prize * odds.cleared
        if before >= 3.0:
            here = plan.ground
            freed = here._replace(allied=here.allied & ~BIT[INDEX[action.target]])
            value += odds.cleared * (before - NORTH_LOSS[exit_turns(freed)])
        cost = 2 if isinstance(action, a.Attack) else 3
        why = f"attacks {action.target}: {odds.cleared:.0%} to clear it, {odds.killed:.1f} steps for {odds.lost:.1f}"
        return value / cost, why

    def _fort_value(self, state: m.UnderbellyState, plan: GermanPlan) -> tuple[float, str]:
        site = self._best_fort(state, plan)
        return (0.25 + 0.06 * plan.danger[site] if site is not None else 0.0), "the line is fortified"

    def _best_fort(self, state: m.UnderbellyState, plan: GermanPlan) -> int | None:
        line = plan.line
        sites = set(fort_sites(state))
        held = [
            post
            for post in (line.posts if line is not None else ())
            if NAMES[post] in sites and plan.now.german & BIT[post]
        ]
        return max(held, key=lambda post: (plan.danger[post], post), default=None)

    def _fort(self, state: m.UnderbellyState, actions: Sequence[Action]) -> Choice | None:
        plan = GermanPlan(state, self.style)
        site = self._best_fort(state, plan)
        if site is not None and a.Site(NAMES[site]) in actions:
            return a.Site(NAMES[site]), f"{NAMES[site]} is the post in most danger"
        return a.Cancel(), "there is no good place for a fort"

    # -- carrying out ---------------------------------------------------------------------

    def _gather(self, state: m.UnderbellyState, frame: m.BoxDraft, actions: Sequence[Action]) -> Choice:
        plan = GermanPlan(state, self.style)
        self.targets = {**plan.targets, **({self.first: self.targets[self.first]} if self.first else {})}
        adds = [action for action in actions if isinstance(action, a.Add)]
        if adds:
            best = max(
                adds,
                key=lambda add: (
                    add.unit == self.first,
                    plan.need(add.unit),
                    UNITS[add.unit].full,
                    -UNITS[add.unit].order,
                ),
            )
            return best, "a full stack costs no more than a single unit"
        if a.Begin() in actions:
            return a.Begin(), "the stack is ready"
        return a.Cancel(), "this stack cannot go"

    def _march(self, state: m.UnderbellyState, frame: m.Moving, actions: Sequence[Action]) -> Choice:
        if state.end_run.demanded and a.Exit() in actions:
            return a.Exit(), "the north must have its divisions"
        targets = self.targets
        if any(u not in targets for u in frame.group):
            plan = GermanPlan(state, self.style)
            targets = self.targets = {**plan.targets, **targets}
        goals = {INDEX[g.to]: g for g in actions if isinstance(g, a.Go)}
        wanted = [targets.get(u) for u in frame.group]
        first = next((t for t in wanted if t is not None and t != INDEX.get(frame.at)), None)
        if self.first in frame.group:
            first = targets[self.first]
        if first is not None and any(t != first for t in wanted):
            for unit, target in zip(frame.group, wanted, strict=True):
                if target != first and a.Leave(unit) in actions:
                    return a.Leave(unit), f"the {UNITS[unit].name} has another task"
        here = INDEX.get(frame.at)
        if first is None or first == here:
            if a.Halt() in actions:
                return a.Halt(), "stands where it should"
            first = first if first is not None else min(goals, key=lambda h: (NORTH_DISTANCE[h], h))
        if first in goals:
            return goals[first], f"takes its post at {NAMES[first]}"
        return self._approach(state, frame, goals, first, actions)

    def _approach(
        self, state: m.UnderbellyState, frame: m.Moving, goals: dict[int, a.Go], target: int, actions: Sequence[Action]
    ) -> Choice:
        now = field(state)

        def value(h: int) -> float:
            cost = float(GRID.range(h, target))
            if now.allied_zoc & BIT[h]:
                cost += 2.0
            if TERRAIN[h] == MOUNTAIN:
                cost -= 0.3
            return cost

        if goals:
            best = min(goals, key=lambda h: (value(h), h))
            here = INDEX.get(frame.at)
            if here is None or value(best) < value(here) or a.Halt() not in actions:
                return goals[best], f"on the way to {NAMES[target]}"
        if a.Halt() in actions:
            return a.Halt(), "there is no better place on the way"
        return actions[0], "there is no other way"

    def advance(self, state: m.UnderbellyState, choices: Sequence[a.Advance]) -> Choice:
        """Forward for a prize or to shut the way north, otherwise back into the line (13.8)."""
        battle = state.battle
        assert battle is not None
        everybody = choices[0]
        if prize_of(state, GERMAN, battle.target) >= 1.0 or battle.kind == "fight-move":
            return everybody, f"{battle.target} is worth having"
        here = ground_of(state)
        there = here._replace(
            german=(here.german & ~BIT[INDEX[battle.at]]) | BIT[INDEX[battle.target]],
            german_zoc=here.german_zoc | ZONE[INDEX[battle.target]],
        )
        if NORTH_LOSS[exit_turns(there)] < NORTH_LOSS[exit_turns(here)]:
            return everybody, "from there the way north is shut"
        return a.Advance(()), "back into the line"

    def _assault(self, state: m.UnderbellyState, frame: m.AttackChoice, actions: Sequence[Action]) -> Choice:
        """At the end of a move-fight: the attack with the best odds, if they are good (9.6)."""
        tac = tac_left(state, GERMAN) > 0
        best: tuple[float, Choice] = (0.0, (a.Decline(), "the odds are against it"))
        for action in actions:
            if isinstance(action, a.Assault):
                units = attackers_for(frame.at, action.target, frame.units)
                odds = forecast_attack(state, GERMAN, frame.at, action.target, units, tac=tac)
                prize = prize_of(state, GERMAN, action.target)
                value = self.style.kill * odds.killed - self.style.lose * odds.lost + prize * odds.cleared
                if value > best[0]:
                    best = value, (action, f"attacks {action.target}: {odds.cleared:.0%} to clear it")
        return best[1]

    def _attack(self, actions: Sequence[Action]) -> Choice:
        if a.UseTac() in actions:
            return a.UseTac(), "air support makes every shot better"
        if a.Resolve() in actions:
            return a.Resolve(), "the odds are good"
        return a.Cancel(), "the attack cannot be made"
