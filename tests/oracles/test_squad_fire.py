"""The oracle of fire at squad level agrees with the games, and notices when a game reads a rule wrongly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sandtable.games.squad.fire import eligibility as firers
from sandtable.games.squad.fire import group, mandatory
from sandtable.games.squad.pieces.model import NO_MARKER, SquadState
from sandtable.oracles import run, squad_fire

Patch = pytest.MonkeyPatch


@pytest.mark.parametrize("scenario", ["aslsk2/S9", "aslsk2/S14", "aslguide/intro"])
@pytest.mark.parametrize("seed", [1, 2])
def test_it_agrees_with(scenario: str, seed: int) -> None:
    findings = run([scenario], [squad_fire], decisions=250, seed=seed)
    assert findings.first == []
    assert findings.decisions == 250


def _any_weapon_with_shots_is_free(patch: Patch) -> None:
    def bound(state: SquadState, unit: Any, weapon: Any, earlier: Any, mode: str) -> bool:
        name = unit.id if weapon is None else weapon.id
        return name not in earlier.fired and not (weapon and weapon.shots)

    patch.setattr(firers, "is_bound", bound)


def _closer_enemies_do_not_count(patch: Patch) -> None:
    patch.setattr(firers, "closest_enemy", lambda card, state, side, source: 99)


def _directed_leaders_are_free(patch: Patch) -> None:
    patch.setattr(group, "director_bar", lambda state, leader, firing, mode: None)


def _machine_guns_without_a_counter_are_free(patch: Patch) -> None:
    patch.setattr(mandatory, "keeps_rate", lambda weapon: weapon is not None and weapon.marker == NO_MARKER)


@pytest.mark.parametrize(
    "misread",
    [
        _any_weapon_with_shots_is_free,
        _closer_enemies_do_not_count,
        _directed_leaders_are_free,
        _machine_guns_without_a_counter_are_free,
    ],
)
def test_it_notices(misread: Callable[[Patch], None], monkeypatch: Patch) -> None:
    misread(monkeypatch)
    assert any(run(["aslsk2/S9"], [squad_fire], decisions=400, seed=seed).differences for seed in range(1, 20))
