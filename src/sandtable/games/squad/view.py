"""What a side may see of a squad-level match, in the common form of the client."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Option, ScenarioInfo
from sandtable.engine.view import PieceView, TrackView, View
from sandtable.games.squad.model import SquadState, Unit, Weapon
from sandtable.games.squad.phases import ORDER
from sandtable.games.squad.scenario_types import Scenario
from sandtable.games.squad.setting import Setting, setting
from sandtable.games.squad.stacks import weapon_at


def scenario_info(card: Scenario, options: tuple[Option, ...]) -> ScenarioInfo:
    """What a player reads before he picks a scenario."""
    return ScenarioInfo(
        id=card.id,
        title=card.title,
        sides=tuple(side.id for side in card.sides),
        summary=card.summary or " ".join(condition.text for condition in card.conditions),
        length=f"{card.turns.count}{'½' if card.turns.half else ''} turns",
        first=card.moves_first,
        options=options,
        reconstructed=card.reconstructed,
        facts=(
            ("Date", card.date.isoformat()),
            ("Place", card.place),
            *((f"Special rule {number}", rule.text) for number, rule in enumerate(card.ssr, 1)),
        ),
    )


def make_view(state: SquadState, side: str | None, prompt: tuple[str, str], to_act: Sequence[str]) -> View:
    """A view, built by addition."""
    card = setting(state)
    pieces = [_unit(state, card, unit) for unit in state.units.values() if not unit.hip or unit.side == side]
    shown = {piece.id for piece in pieces}
    for weapon in state.weapons.values():
        if not weapon.owner or weapon.owner in shown:
            pieces.append(_weapon(state, card, weapon))
    asked = side in to_act
    waiting = " and ".join(card.titles[other] for other in to_act)
    return View(
        side=side,
        turn=f"Turn {state.turn}",
        phase=state.phase,
        active=state.attacker,
        prompt=prompt[0] if asked else f"Waiting for {waiting}",
        prompt_rule=prompt[1],
        pieces=tuple(pieces),
        tracks=(
            TrackView("turn", "Turn", tuple(str(n + 1) for n in range(card.turns)), state.turn - 1),
            TrackView("phase", "Phase", ORDER, ORDER.index(state.phase) if state.phase in ORDER else -1),
        ),
    )


def _unit(state: SquadState, card: Setting, unit: Unit) -> PieceView:
    names = card.ground.names
    return PieceView(
        id=unit.id,
        at=names[unit.at] if unit.at >= 0 else "",
        face=unit.kind,
        label=unit.kind,
        side=unit.side,
    )


def _weapon(state: SquadState, card: Setting, weapon: Weapon) -> PieceView:
    cell = weapon_at(state, weapon)
    return PieceView(
        id=weapon.id,
        at=card.ground.names[cell] if cell >= 0 else "",
        face=weapon.kind,
        label=weapon.kind,
        side=weapon.side,
        within=weapon.owner,
    )
