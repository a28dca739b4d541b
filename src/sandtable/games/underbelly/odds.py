"""Exact odds of a battle under standard conduct, from the same tallies that decide its shots (13.2 to 13.6).

Standard conduct: every shot goes at the target that `pick_target` names, the attacker breaks off only when he
must, the defender stands and commits no TAC unit. A player may of course do better.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from sandtable.games.underbelly.combat import in_city, shots_of
from sandtable.games.underbelly.model import Battle, UnderbellyState
from sandtable.games.underbelly.modifiers import BOMBERS, DIE, combat_factor, hit_tally
from sandtable.games.underbelly.zones import UNITS

Steps = tuple[int, ...]
Config = tuple[Steps, tuple[str, ...]]
"""Steps of everybody on the Battle Board, attackers first, and the units in rubble."""
Chances = dict[Config, Fraction]


def pick_target(state: UnderbellyState, choices: Sequence[str]) -> str:
    """The target of standard conduct: one that the shot can eliminate, and of those the strongest."""
    return min(choices, key=lambda u: (state.steps[u], -combat_factor(state, u), UNITS[u].order))


class BattleOdds:
    """The battle worked out shot by shot, as a distribution over what is left of both sides."""

    def __init__(self, state: UnderbellyState, battle: Battle) -> None:
        self._state = state.clone()
        self._battle = battle
        self._units = (*battle.attackers, *battle.defenders)
        begin: Config = (tuple(state.steps[u] for u in self._units), battle.rubble)
        chances: Chances = {begin: Fraction(1)}
        self._start = begin[0]
        for step in (self._barrage, self._defensive_fire, self._offensive_fire):
            following: Chances = {}
            for config, p in chances.items():
                for new, q in step(config).items():
                    following[new] = following.get(new, Fraction(0)) + p * q
            chances = following
        self.chances = chances

    def _set(self, config: Config) -> Battle:
        for unit, steps in zip(self._units, config[0], strict=True):
            self._state.steps[unit] = steps
        return replace(self._battle, rubble=config[1])

    def _living(self, units: Sequence[str]) -> list[str]:
        return [u for u in units if self._state.steps[u] > 0]

    def _targets(self, units: Sequence[str]) -> list[str]:
        living = self._living(units)
        return [u for u in living if UNITS[u].division] or living

    def _hit(self, config: Config, target: str) -> Config:
        n = self._units.index(target)
        steps = config[0]
        return (*steps[:n], steps[n] - 1, *steps[n + 1 :]), config[1]

    def _volley(self, config: Config, shooters: Sequence[tuple[str, int]], at: Sequence[str]) -> Chances:
        """All shots of a step, one after the other."""
        chances: Chances = {config: Fraction(1)}
        for unit, shots in shooters:
            for _ in range(shots):
                following: Chances = {}
                for before, p in chances.items():
                    for new, q in self._shot(before, unit, at).items():
                        following[new] = following.get(new, Fraction(0)) + p * q
                chances = following
        return chances

    def _shot(self, config: Config, unit: str, at: Sequence[str]) -> Chances:
        battle = self._set(config)
        choices = self._living(at) if unit == BOMBERS else self._targets(at)
        if not choices:
            return {config: Fraction(1)}
        target = pick_target(self._state, choices)
        need = int(hit_tally(self._state, battle, unit, target).total)
        p = Fraction(max(0, min(DIE, need)), DIE)
        chances: Chances = {}
        for new, q in ((self._hit(config, target), p), (config, 1 - p)):
            if q:
                chances[new] = chances.get(new, Fraction(0)) + q
        if unit == BOMBERS and (in_city(battle) or battle.target in self._state.forts):
            buried: Chances = {}
            for (steps, rubble), q in chances.items():
                for shelter in (rubble, (*rubble, target)):
                    buried[steps, shelter] = buried.get((steps, shelter), Fraction(0)) + q / 2
            return buried
        return chances

    def _barrage(self, config: Config) -> Chances:
        battle = self._set(config)
        support = [u for u in battle.attackers if not UNITS[u].division]
        shooters = [(u, 1) for u, _ in shots_of(self._state, battle, support)]
        if battle.bombers:
            shooters.append((BOMBERS, 1))
        return self._volley(config, shooters, battle.defenders)

    def _defensive_fire(self, config: Config) -> Chances:
        battle = self._set(config)
        return self._volley(config, shots_of(self._state, battle, battle.defenders), battle.attackers)

    def _offensive_fire(self, config: Config) -> Chances:
        battle = self._set(config)
        divisions = [u for u in battle.attackers if UNITS[u].division]
        if not self._living(divisions):
            return {config: Fraction(1)}
        return self._volley(config, shots_of(self._state, battle, divisions), battle.defenders)

    # -- what players want to know --------------------------------------------------------

    def losses(self, *, attacker: bool) -> dict[int, Fraction]:
        """The chances of each number of steps lost by a side.

        A forced break-off gives one step back (13.2, step 4).
        """
        cut = len(self._battle.attackers)
        found: dict[int, Fraction] = {}
        for (steps, _), p in self.chances.items():
            before, after = (self._start[:cut], steps[:cut]) if attacker else (self._start[cut:], steps[cut:])
            lost = sum(before) - sum(after)
            if attacker and self._forced_off(steps):
                lost -= 1
            found[lost] = found.get(lost, Fraction(0)) + p
        return dict(sorted(found.items()))

    def _forced_off(self, steps: Steps) -> bool:
        """Whether only corps support is left and the attack must be broken off (13.2, step 4, 13.11)."""
        living = [u for u, n in zip(self._battle.attackers, steps, strict=False) if n > 0]
        return bool(living) and not any(UNITS[u].division for u in living) and not in_city(self._battle)

    def cleared(self) -> Fraction:
        """The chance that no defender is left."""
        cut = len(self._battle.attackers)
        return sum((p for (steps, _), p in self.chances.items() if not any(steps[cut:])), Fraction(0))
