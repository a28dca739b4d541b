"""What the client shows of a rout, an advance or a close combat that is going on (3.6, 3.7, 3.8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandtable.engine.view import PanelView, RowView
from sandtable.games.squad.combat.fighting import assault
from sandtable.games.squad.combat.model import AdvanceDraft, Combat, CombatAttack
from sandtable.games.squad.combat.strengths import blocks_of
from sandtable.games.squad.ground.knowledge import UNKNOWN, known_to
from sandtable.games.squad.ground.names import mf_words, names
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.movement.steps import place_of
from sandtable.games.squad.part import ALL
from sandtable.games.squad.pieces.model import SquadState, Unit
from sandtable.games.squad.rout.model import Rout
from sandtable.games.squad.rout.paths import rout_mf, routing_units


def focus_of(state: SquadState) -> tuple[str, ...]:
    """The hexes where the present decision takes place."""
    frame = state.stack[-1]
    if isinstance(frame, Combat):
        return (name_of(state, frame.at),)
    if isinstance(frame, Rout) and frame.unit in state.units:
        return (name_of(state, state.units[frame.unit].at),)
    if isinstance(frame, AdvanceDraft):
        return (name_of(state, place_of(state.units[frame.units[0]])),)
    return ()


def panels(state: SquadState, side: str | None) -> Iterator[PanelView]:
    """The rout or close combat that is going on, as a side (None: an observer) may know it."""
    frame = state.stack[-1]
    if isinstance(frame, Combat):
        yield PanelView("combat", f"Close combat in {name_of(state, frame.at)}", tuple(_combat_rows(state, frame)))
    elif isinstance(frame, Rout) and frame.unit in state.units:
        movers = routing_units(state, frame)
        left = mf_words((rout_mf(movers) - frame.spent) / 2)
        rows = [RowView(_called(state, side, movers), f"{left} left", "3.6")]
        if side == movers[0].side or all(known_to(state, side, unit) == ALL for unit in state.units.values()):
            goals = ", ".join(name_of(state, goal) for goal in frame.goals) or "any hex"
            rows.append(RowView("May make for", goals, "3.6"))  # it turns on leaders and enemies who may be hidden
        yield PanelView("rout", "Rout", tuple(rows))


def _called(state: SquadState, side: str | None, units: Sequence[Unit]) -> str:
    """Units by name; whoever lies under a "?" for a side is one to it."""
    known = [unit.id for unit in units if known_to(state, side, unit) == ALL]
    return ", ".join([names(state, known), *([UNKNOWN] if len(known) < len(units) else ())]).removeprefix(", ")


def _combat_rows(state: SquadState, frame: Combat) -> Iterator[RowView]:
    setting = setting_of(state)
    if frame.ambusher:
        yield RowView("Ambush", setting.titles[frame.ambusher], "3.8")
    for side in setting.sides:
        for block in blocks_of(state, frame.at, side, frame.pairs).values():
            yield RowView(setting.titles[side], names(state, [unit.id for unit in block.units]), "3.8")
    for attack in frame.attacks:
        yield _attack_row(state, frame, attack, "declared")
    if frame.units and frame.targets:
        yield _attack_row(state, frame, CombatAttack(frame.side, frame.units, frame.targets), "not declared yet")


def _attack_row(state: SquadState, frame: Combat, attack: CombatAttack, note: str) -> RowView:
    figures = assault(state, frame, attack)
    who = names(state, [unit.id for unit in figures.attackers])
    whom = names(state, [unit.id for unit in figures.targets])
    return RowView(f"{who} against {whom}", f"{figures.odds}, {note}", "3.8")
