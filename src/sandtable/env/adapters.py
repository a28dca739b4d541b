"""PettingZoo adapters for every registered game."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv

from sandtable.engine import Match, new
from sandtable.engine.errors import SandtableError
from sandtable.env.observation import Observer

MAX_ACTIONS = 1024

Observation = dict[str, NDArray[Any]]


class TooManyActions(SandtableError):
    """A decision has more legal actions than the action space."""


class _Table:
    """A match with what both kinds of environment need."""

    def __init__(self, scenario: str, options: dict[str, str] | None, max_actions: int, limit: int) -> None:
        self._scenario = scenario
        self._options = options
        self.max_actions = max_actions
        self.limit = limit
        first = self.start(0)
        self.sides = list(first.sides)
        scene = first.game.scene(first.header.scenario, first.header.options)
        self.observer = Observer(scene, limit)
        box = spaces.Box(0.0, 1.0, (self.observer.size,), np.float32)
        mask = spaces.Box(0, 1, (max_actions,), np.int8)
        self.observation_space = spaces.Dict({"observation": box, "action_mask": mask})
        self.action_space = spaces.Discrete(max_actions)

    def start(self, seed: int) -> Match:
        """A new match."""
        self.match = new(self._scenario, seed=seed, options=self._options)
        return self.match

    def observe(self, side: str) -> Observation:
        """What a side sees and may do; a side that owes no decision may only pass (0)."""
        match = self.match
        acts = bool(match.to_act) and match.to_act[0] == side
        mask = np.zeros(self.max_actions, dtype=np.int8)
        if acts:
            legal = len(match.actions(side))
            if legal > self.max_actions:
                raise TooManyActions(f"There are {legal} legal actions: make the environment with max_actions={legal}.")
            mask[:legal] = 1
        else:
            mask[0] = 1
        return {"observation": self.observer.look(match.view(side), side, acts=acts), "action_mask": mask}

    def act(self, side: str, number: int) -> None:
        """Carry out the numbered action; an illegal number is refused by the match."""
        actions = self.match.actions(side)
        if not 0 <= number < len(actions):
            raise ValueError(f"action {number} is not legal: there are {len(actions)}")
        self.match.apply(side, actions[number])

    @property
    def rewards(self) -> dict[str, float]:
        """1 for a win, -1 for a loss, 0 for a draw or before the end."""
        outcome = self.match.outcome
        if outcome is None or not outcome.winner:
            return dict.fromkeys(self.sides, 0.0)
        return {side: 1.0 if side == outcome.winner else -1.0 for side in self.sides}

    @property
    def truncated(self) -> bool:
        """Whether the match is cut off."""
        return self.match.outcome is None and self.match.version >= self.limit


class SandtableAec(AECEnv[str, Observation, int]):
    """One decision after the other."""

    metadata = {"render_modes": [], "name": "sandtable_v0", "is_parallelizable": False}

    def __init__(
        self,
        scenario: str,
        *,
        options: dict[str, str] | None = None,
        max_actions: int = MAX_ACTIONS,
        limit: int = 20_000,
    ) -> None:
        super().__init__()
        self._table = _Table(scenario, options, max_actions, limit)
        self.possible_agents = list(self._table.sides)
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
        self.rewards = table.rewards
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
    ) -> None:
        self._table = _Table(scenario, options, max_actions, limit)
        self.possible_agents = list(self._table.sides)
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
            table.rewards,
            dict.fromkeys(agents, ended),
            dict.fromkeys(agents, cut),
            self._infos(),
        )
        if ended or cut:
            self.agents = []
        return result
