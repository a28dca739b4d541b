"""PettingZoo adapters for every registered game."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, get_args

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv

from sandtable.engine import Match, get_game, new
from sandtable.engine.errors import SandtableError
from sandtable.env.observation import Observer

MAX_ACTIONS = 1024

Observation = dict[str, NDArray[Any]]


class TooManyActions(SandtableError):
    """A decision has more legal actions than the action space."""


def action_kinds(match: Match) -> tuple[str, ...]:
    """The kinds of actions of a game by name; number 0 is to pass, for sides that owe no decision."""
    union = match.game.action_type
    return ("Pass", *sorted({kind.__name__ for kind in get_args(union) or (union,)} - {"Pass"}))


@lru_cache(maxsize=64)
def _cells(game: str, scenario: str, options: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """The cells of a scenario's map; kept, because a scene is a large drawing."""
    return tuple([cell["id"] for cell in get_game(game).scene(scenario, dict(options)).get("cells", ())])


class _Table:
    """A match with what both kinds of environment need."""

    def __init__(
        self, scenario: str, options: dict[str, str] | None, max_actions: int, limit: int, material: float
    ) -> None:
        self._scenario = scenario
        self._options = options
        self.max_actions = max_actions
        self.limit = limit
        self.material = material
        first = self.start(0)
        self.sides = list(first.sides)
        chosen = tuple(sorted(first.header.options.items()))
        self.observer = Observer(_cells(first.header.game, first.header.scenario, chosen), limit)
        box = spaces.Box(0.0, 1.0, (self.observer.size,), np.float32)
        mask = spaces.Box(0, 1, (max_actions,), np.int8)
        self.kinds = action_kinds(first)
        kinds = spaces.Box(0, len(self.kinds) - 1, (max_actions,), np.int16)
        self.observation_space = spaces.Dict({"observation": box, "action_mask": mask, "action_kinds": kinds})
        self._numbers = {name: n for n, name in enumerate(self.kinds)}
        self.action_space = spaces.Discrete(max_actions)

    def start(self, seed: int) -> Match:
        """A new match."""
        self.match = new(self._scenario, seed=seed, options=self._options)
        self._balance = self._weigh()
        return self.match

    def _weigh(self) -> dict[str, float]:
        """By side: what it has left, less what the others have, as a share of all."""
        left = self.match.game.strength(self.match.state)
        every = max(sum(left.values()), 1)
        return {side: (2 * left.get(side, 0) - sum(left.values())) / every for side in self.match.sides}

    def observe(self, side: str) -> Observation:
        """What a side sees and may do; a side that owes no decision may only pass (0)."""
        match = self.match
        acts = bool(match.to_act) and match.to_act[0] == side
        mask = np.zeros(self.max_actions, dtype=np.int8)
        kinds = np.zeros(self.max_actions, dtype=np.int16)
        if acts:
            legal = match.actions(side).all
            count = len(legal)
            if count > self.max_actions:
                raise TooManyActions(f"There are {count} legal actions: make the environment with max_actions={count}.")
            mask[:count] = 1
            kinds[:count] = [self._numbers[type(action).__name__] for action in legal]
        else:
            mask[0] = 1
        seen = self.observer.look(match.view(side), side, acts=acts)
        return {"observation": seen, "action_mask": mask, "action_kinds": kinds}

    def act(self, side: str, number: int) -> None:
        """Carry out the numbered action; an illegal number is refused by the match."""
        actions = self.match.actions(side)
        if not 0 <= number < len(actions):
            raise ValueError(f"action {number} is not legal: there are {len(actions)}")
        self.match.apply(side, actions[number])

    def earn(self) -> dict[str, float]:
        """The rewards of the last step: 1 for a win, -1 for a loss, and what the balance of pieces has changed."""
        outcome = self.match.outcome
        earned = dict.fromkeys(self.sides, 0.0)
        if outcome is not None and outcome.winner:
            earned = {side: 1.0 if side == outcome.winner else -1.0 for side in self.sides}
        if self.material:
            before, self._balance = self._balance, self._weigh()
            for side in self.sides:
                earned[side] += self.material * (self._balance[side] - before[side])
        return earned

    @property
    def truncated(self) -> bool:
        """Whether the match is cut off."""
        return self.match.outcome is None and self.match.version >= self.limit


class SandtableAec(AECEnv[str, Observation, int]):
    """One decision after the other.

    `material` is the weight of pieces in the reward: beside winning, what the balance of pieces changes at each step.
    """

    metadata = {"render_modes": [], "name": "sandtable_v0", "is_parallelizable": False}

    def __init__(
        self,
        scenario: str,
        *,
        options: dict[str, str] | None = None,
        max_actions: int = MAX_ACTIONS,
        limit: int = 20_000,
        material: float = 0.0,
    ) -> None:
        super().__init__()
        self._table = _Table(scenario, options, max_actions, limit, material)
        self.possible_agents = list(self._table.sides)
        self.kinds = self._table.kinds
        """Names of the kinds of actions; `action_kinds` of an observation are numbers into them."""
        self.render_mode = None
        self._games = 0
        self._first = 0

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._table.observation_space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._table.action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._first, self._games = seed, 0
        self._table.start(self._first * 1_000_003 + self._games)
        self._games += 1
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._table.match.to_act[0]

    def observe(self, agent: str) -> Observation:
        return self._table.observe(agent)

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._table.act(agent, int(action or 0))
        table = self._table
        self.rewards = table.earn()
        if table.match.outcome is not None:
            self.terminations = dict.fromkeys(self.agents, True)
        elif table.truncated:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = table.match.to_act[0]
        self._accumulate_rewards()
        self._deads_step_first()


class SandtableParallel(ParallelEnv[str, Observation, int]):
    """All sides answer at once; only the answer of the side that must decide counts.

    Agents that do not look at masks may answer any number: it is taken modulo the number of legal actions.
    """

    metadata = {"render_modes": [], "name": "sandtable_parallel_v0"}

    def __init__(
        self,
        scenario: str,
        *,
        options: dict[str, str] | None = None,
        max_actions: int = MAX_ACTIONS,
        limit: int = 20_000,
        material: float = 0.0,
    ) -> None:
        self._table = _Table(scenario, options, max_actions, limit, material)
        self.possible_agents = list(self._table.sides)
        self.kinds = self._table.kinds
        """Names of the kinds of actions; `action_kinds` of an observation are numbers into them."""
        self.agents: list[str] = []
        self.render_mode = None
        self._games = 0
        self._first = 0

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._table.observation_space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._table.action_space

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        if seed is not None:
            self._first, self._games = seed, 0
        self._table.start(self._first * 1_000_003 + self._games)
        self._games += 1
        self.agents = list(self.possible_agents)
        return self._observations(), self._infos()

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._table.observe(agent) for agent in self.agents}

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {agent: {"action_mask": self._table.observe(agent)["action_mask"]} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        table = self._table
        side = table.match.to_act[0]
        table.act(side, int(actions[side]) % len(table.match.actions(side)))
        ended, cut = table.match.outcome is not None, table.truncated
        agents = list(self.agents)
        result = (
            self._observations(),
            table.earn(),
            dict.fromkeys(agents, ended),
            dict.fromkeys(agents, cut),
            self._infos(),
        )
        if ended or cut:
            self.agents = []
        return result
