"""Random games in which oracles look at every decision."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from sandtable.engine.match import Match
from sandtable.engine.start import new
from sandtable.oracles.interface import Oracle, favoured, name_of, opening

KEPT = 20
"""Differences that are kept with their words; the others are only counted."""
FRUITLESS = 3
"""Games of each scenario after which a run ends in which no oracle has looked at anything."""
EAGER = (0.0, 0.6, 0.9)
"""How often games pick a favoured action, in turn: some games are quite random, some seek the intricate positions."""


class Difference(msgspec.Struct, frozen=True):
    """A decision at which an oracle and the game disagree."""

    scenario: str
    seed: int
    decision: int
    """The number of the decision within its game, counted as the oracles count."""
    side: str
    oracle: str
    what: str
    record: str = ""
    """Where the record that leads to it was saved."""

    @property
    def again(self) -> str:
        """The command that comes to this decision again."""
        return f"sandtable check {self.scenario} --seed {self.seed} --decisions {self.decision}"


class Findings(msgspec.Struct):
    """What the oracles saw."""

    games: int = 0
    actions: int = 0
    decisions: int = 0
    """Decisions that at least one oracle looked at."""
    asked: dict[str, int] = {}
    """Decisions that each oracle looked at."""
    differences: int = 0
    first: list[Difference] = []


def run(
    scenarios: Sequence[str],
    oracles: Sequence[Oracle],
    *,
    decisions: int,
    seed: int = 1,
    save: Path | None = None,
    on_decision: Callable[[], None] | None = None,
) -> Findings:
    """Play the scenarios in turn until the oracles have looked at so many decisions."""
    findings = Findings(asked={name_of(oracle): 0 for oracle in oracles})
    while findings.decisions < decisions:
        scenario = scenarios[findings.games % len(scenarios)]
        number = seed + findings.games // len(scenarios)
        _play(scenario, number, oracles, decisions, findings, save, on_decision)
        findings.games += 1
        if not findings.decisions and findings.games >= FRUITLESS * len(scenarios):
            break
    return findings


def _play(
    scenario: str,
    seed: int,
    oracles: Sequence[Oracle],
    decisions: int,
    findings: Findings,
    save: Path | None,
    on_decision: Callable[[], None] | None,
) -> None:
    """One game; it ends early when enough decisions have been seen."""
    source = random.Random(f"oracles {scenario} {seed}")
    match = new(scenario, seed=seed)
    position = opening(oracles, match, source) if seed % 4 else None
    if position is not None:
        match = new(position, seed=seed)
    eager = EAGER[seed % len(EAGER)]
    seen = 0
    while match.to_act and findings.decisions < decisions and match.version < match.game.length_limit:
        side = match.to_act[int(source.random() * len(match.to_act))]
        legal = match.actions(side).all
        looked = False
        for oracle in oracles:
            answer = oracle.differences(match.state, side, legal)
            if answer is None:
                continue
            name = name_of(oracle)
            findings.asked[name] += 1
            if not looked:
                looked = True
                seen += 1
                findings.decisions += 1
                if on_decision is not None:
                    on_decision()
            for what in answer:
                findings.differences += 1
                if len(findings.first) < KEPT:
                    record = _saved(match, save, seed, seen)
                    findings.first.append(Difference(scenario, seed, seen, side, name, what, record))
        wishes = favoured(oracles, match.state, side, legal) if source.random() < eager else []
        match.apply(side, _pick(source, wishes or legal))
        findings.actions += 1


def _pick(source: random.Random, actions: Sequence[Any]) -> Any:
    """One of them at random."""
    return actions[int(source.random() * len(actions))]


def _saved(match: Match, save: Path | None, seed: int, decision: int) -> str:
    if save is None:
        return ""
    save.mkdir(parents=True, exist_ok=True)
    path = save / f"{match.header.game}-{match.header.scenario}-{seed}-{decision}.jsonl"
    match.record().save(path)
    return str(path)
