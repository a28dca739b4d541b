"""What a side may see of a squad-level match, in the common form of the client; built by addition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from sandtable.engine import Option, ScenarioInfo
from sandtable.engine.view import BoxView, MarkView, PanelView, PieceView, RowView, TrackView, View
from sandtable.games.squad import phase_view
from sandtable.games.squad.counters import nations
from sandtable.games.squad.defensive_fire import moving_units
from sandtable.games.squad.model import (
    FINAL_FIRE,
    FIRST_FIRE,
    INTENSIVE_FIRE,
    PREP_FIRE,
    Gone,
    SquadState,
    Unit,
    Weapon,
)
from sandtable.games.squad.morale import level
from sandtable.games.squad.phases import ORDER
from sandtable.games.squad.placing import gun_of
from sandtable.games.squad.scenario_types import (
    BuildingBalance,
    BuildingControl,
    ExitPoints,
    GunsLost,
    NoEnemyLeft,
    Scenario,
    SquadRatio,
    VictoryCondition,
)
from sandtable.games.squad.setting import Setting, setting, weapon_kind
from sandtable.games.squad.stacks import name_of
from sandtable.games.squad.steps import able_movers, place_of
from sandtable.games.squad.victory import (
    building_lead,
    controlled,
    enemy_points,
    left_in_area,
    squads,
)
from sandtable.games.squad.wording import full, mf_words, phase_name

PIECES = 20_000
"""How many pieces are remembered as they are shown."""

FIRE_MARKERS = {
    PREP_FIRE: "marker/prep-fire",
    FIRST_FIRE: "marker/first-fire",
    FINAL_FIRE: "marker/final-fire",
    INTENSIVE_FIRE: "marker/intensive-fire",
}


def scenario_info(card: Scenario, options: tuple[Option, ...]) -> ScenarioInfo:
    """What a player reads before he picks a scenario."""
    forces = [
        (f"{group.title}" + (f" (ELR {group.elr})" if group.elr is not None else ""), _order_of_battle(group.units))
        for group in card.groups
    ]
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
            ("Board", ", ".join(board.board for board in card.map.boards)),
            *(("Victory", condition.text) for condition in card.conditions),
            *forces,
            *((f"Special rule {number}", rule.text) for number, rule in enumerate(card.ssr, 1)),
        ),
    )


def _order_of_battle(lines: Sequence[object]) -> str:
    words = []
    for line in lines:
        count, name, status = getattr(line, "count", 1), getattr(line, "unit", ""), getattr(line, "status", "printed")
        mark = " (reconstructed)" if status == "reconstructed" else ""
        words.append((f"{count} x {name}" if count > 1 else name) + mark)
    return ", ".join(words)


# -- pieces -----------------------------------------------------------------------------


def visible(state: SquadState, unit: Unit, side: str | None) -> bool:
    """Hidden units are shown to their own side only, and so are all during a secret set-up (6.4)."""
    if unit.side == side:
        return True
    if unit.hip:
        return False
    return state.phase != "set-up" or not (setting(state).scenario.secret_setup or _undecided(state, unit))


def _undecided(state: SquadState, unit: Unit) -> bool:
    """Whether a unit stands with a Gun that has no Covered Arc yet: it may still be hidden in that hex (6.4)."""
    gun = gun_of(state, unit) if unit.at >= 0 and unit.weapons else None
    return gun is not None and gun.facing < 0


def titled(what: Unit | Weapon | Gone) -> str:
    """A counter with its nationality and its own letter and number, as the log has them: `German 4-6-7 g3`."""
    nation, _, name = what.kind.partition(" ")
    return f"{nations()[nation].title if nation in nations() else nation} {name} {what.id}"


def unit_markers(unit: Unit) -> tuple[str, ...]:
    """Informational counters on a unit (1.2)."""
    marks = [
        f"marker/{name}"
        for name, on in (
            ("dm", unit.dm),
            ("pin", unit.pinned),
            ("cx", unit.cx),
            ("wound", unit.wounded),
            ("melee", unit.melee),
            ("hip", unit.hip),
            ("moved", unit.moved),
        )
        if on
    ]
    if unit.marker in FIRE_MARKERS:
        marks.append(FIRE_MARKERS[unit.marker])
    return tuple(marks)


def unit_facts(card: Setting, unit: Unit) -> tuple[tuple[str, str], ...]:
    """What stands on the counter, for the tooltip."""
    kind = card.kinds[unit.group, unit.kind]
    facts = [("Morale", str(level(kind, unit)))]
    if kind.mmc:
        facts += [("Firepower", str(kind.fp)), ("Range", str(kind.range))]
        classes = {"E": "Elite", "1": "First Line", "2": "Second Line", "G": "Green", "C": "Conscript"}
        facts.append(("Class", "Crew" if kind.crew else classes.get(kind.unit_class, kind.unit_class)))
        if kind.smoke:
            facts.append(("Smoke exponent", str(kind.smoke)))
    else:
        facts.append(("Leadership", f"{kind.leadership + int(unit.wounded):+d}"))
    if unit.group and card.elr.get(unit.group) is not None:
        facts.append(("ELR", str(card.elr[unit.group])))
    return tuple(facts)


_shown: dict[int, tuple[Setting, Unit, PieceView]] = {}
"""Units as they are shown, by the identity of the frozen unit, which is quicker than its hash."""


def _unit(card: Setting, unit: Unit) -> PieceView:
    """A unit as it is shown; remembered, for it is the same from one step to the next unless the unit changes."""
    kept = _shown.get(id(unit))
    if kept is not None and kept[1] is unit and kept[0] is card:
        return kept[2]
    if len(_shown) >= PIECES:
        _shown.clear()
    view = _unit_view(card, unit)
    _shown[id(unit)] = card, unit, view
    return view


def _unit_view(card: Setting, unit: Unit) -> PieceView:
    names = card.ground.names
    at = names[unit.at] if unit.at >= 0 else f"off-{unit.side}"
    facts = unit_facts(card, unit)
    if unit.at < 0 and unit.beside >= 0:
        facts = (*facts, ("Off board beside", names[unit.beside]))
    return PieceView(
        id=unit.id,
        at=at,
        face=unit.kind + ("/broken" if unit.broken else ""),
        label=titled(unit),
        side=unit.side,
        markers=unit_markers(unit),
        facts=facts,
    )


@lru_cache(maxsize=PIECES)
def _weapon(card: Setting, weapon: Weapon, cell: int, side: str) -> PieceView:
    kind = weapon_kind(weapon)
    names = card.ground.names
    states = (("malfunction", weapon.broken), ("hip", weapon.hip), ("emplaced", weapon.emplaced))
    marks = [f"marker/{name}" for name, on in states if on]
    if weapon.marker in FIRE_MARKERS:
        marks.append(FIRE_MARKERS[weapon.marker])
    facts = [("Type", kind.type)]
    for name, value in (("Firepower", kind.fp), ("Range", kind.range), ("ROF", kind.rof), ("PP", kind.pp)):
        if value:
            facts.append((name, str(value)))
    if weapon.acquired is not None:
        facts.append(("Acquired", f"{weapon.acquired.level} in {names[weapon.acquired.at]}"))
    if weapon.depleted:
        facts.append(("Out of", ", ".join(weapon.depleted)))
    return PieceView(
        id=weapon.id,
        at=names[cell] if cell >= 0 else f"off-{weapon.side}",
        face=weapon.kind,
        label=titled(weapon),
        side=side,
        facing=weapon.facing if weapon.facing >= 0 else None,
        within=weapon.owner,
        markers=tuple(marks),
        facts=tuple(facts),
    )


@lru_cache(maxsize=PIECES)
def _gone(gone: Gone) -> PieceView:
    facts = (("How", gone.how), *((("Points", str(gone.points)),) if gone.points else ()))
    return PieceView(gone.id, f"gone-{gone.side}", gone.kind, titled(gone), gone.side, facts=facts)


def _pieces(state: SquadState, side: str | None) -> tuple[PieceView, ...]:
    card, units = setting(state), state.units
    pieces = [_unit(card, unit) for unit in _stacked(state) if visible(state, unit, side)]
    shown = {piece.id for piece in pieces}
    for weapon in state.weapons.values():
        owner = units[weapon.owner] if weapon.owner else None
        if owner is None:
            pieces.append(_weapon(card, weapon, weapon.at, weapon.side))
        elif owner.id in shown:
            pieces.append(_weapon(card, weapon, owner.at, owner.side))
    pieces += [_gone(gone) for gone in state.gone.values()]
    return tuple(pieces)


def _stacked(state: SquadState) -> Iterator[Unit]:
    """All units, those of a hex in the order of their stack."""
    for names in state.stacks.values():
        for name in names:
            yield state.units[name]
    for unit in state.units.values():
        if unit.at < 0:
            yield unit


def _secret_stacks(state: SquadState, side: str | None) -> Iterator[MarkView]:
    """Where stacks of the enemy stand that may not be inspected before play starts (G37)."""
    names, units = setting(state).ground.names, state.units
    for cell, stack in sorted(state.stacks.items()):
        other = units[stack[0]].side
        if other != side:
            yield MarkView(names[cell], "marker/stack", "A stack that may not be inspected yet", other)


def _marks(state: SquadState, side: str | None) -> Iterator[MarkView]:
    if state.phase == "set-up" and setting(state).scenario.secret_setup:
        yield from _secret_stacks(state, side)
    names = setting(state).ground.names
    for cell, clouds in state.smoke.items():
        for cloud in clouds:
            yield MarkView(names[cell], f"marker/{cloud.kind.replace(' ', '-')}", f"Smoke ({cloud.kind})", cloud.side)
    for cell, fp in state.residual.items():
        yield MarkView(names[cell], f"marker/residual-{fp}", f"{fp} Residual FP")
    for weapon in state.weapons.values():
        held = weapon.acquired
        if held is not None and weapon.owner:
            face = f"marker/{'area-' if held.area else ''}acquired{held.level}"
            whose = state.units[weapon.owner].side
            yield MarkView(names[held.at], face, f"acquired by {full(state, weapon)} ({held.level})", whose)
    for charge in state.charges:
        yield MarkView(names[charge.at], "marker/charge", "Demolition Charge")
    for building, owner in state.control.items():
        cell = setting(state).ground.buildings[building][0]
        nation = next(iter(setting(state).nations_of(owner)), owner)
        yield MarkView(names[cell], f"marker/control-{nation}", f"controlled by {setting(state).titles[owner]}", owner)


# -- standing ---------------------------------------------------------------------------


def _standing(state: SquadState, condition: VictoryCondition, side: str | None) -> str:
    """How a condition stands, in numbers; hidden units of the enemy are not counted."""
    card = setting(state)
    if isinstance(condition, ExitPoints):
        words = f"{state.points.get(condition.winner, 0)} of {condition.points} VP"
        if condition.unless_enemy_points:
            words += f"; {card.titles[card.others[condition.winner]]} {enemy_points(state, condition)}"
            words += f" of {condition.unless_enemy_points} VP"
        return words
    if isinstance(condition, NoEnemyLeft):
        left = [unit for unit in left_in_area(state, condition) if visible(state, unit, side)]
        return f"{len(left)} {card.titles[condition.side]} MMC left"
    if isinstance(condition, GunsLost):
        guns = [w for w in state.weapons.values() if w.group in condition.groups and weapon_kind(w).gun]
        held = [w for w in guns if not w.owner or state.units[w.owner].side != condition.winner]
        return f"{len(held)} Guns left"
    if isinstance(condition, BuildingControl):
        return f"{len(controlled(state, condition))} of {condition.count} buildings"
    if isinstance(condition, BuildingBalance):
        return f"lead {building_lead(state, condition)} of {condition.lead}"
    if isinstance(condition, SquadRatio):
        return f"{squads(state, condition.winner):g} to {squads(state, card.others[condition.winner]):g} squads"
    return ""


def _panels(state: SquadState, card: Setting, side: str | None) -> Iterator[PanelView]:
    rows = [
        RowView(f"{card.titles[condition.winner]}: {condition.text}", _standing(state, condition, side), "1.3")
        for condition in card.scenario.conditions
    ]
    rows.append(RowView(f"Otherwise {card.titles[card.scenario.otherwise]} wins", rule="1.3"))
    yield PanelView("victory", "Victory", tuple(rows))
    if state.moving is not None:
        movers = []
        for mover in able_movers(state):
            spent = mf_words(mover.spent / 2)
            how = "Assault Movement" if mover.assault else "Double Time" if mover.double else ""
            movers.append(RowView(full(state, state.units[mover.id]), f"{spent} spent {how}".strip(), "3.3"))
        yield PanelView("moving", "Moving", tuple(movers))
    yield from phase_view.panels(state)
    if card.scenario.ssr:
        rules = tuple(RowView(f"{number}. {rule.text}") for number, rule in enumerate(card.scenario.ssr, 1))
        yield PanelView("ssr", "Special rules", rules)


def make_view(state: SquadState, side: str | None, prompt: tuple[str, str], to_act: Sequence[str]) -> View:
    """A view for a side (None: an observer)."""
    card = setting(state)
    waiting = " and ".join(card.titles[other] for other in to_act)
    turns = tuple(f"{n}" for n in range(1, card.turns + 1))
    focus = tuple(dict.fromkeys(name_of(state, place_of(state.units[name])) for name in moving_units(state)))
    focus = focus or phase_view.focus_of(state)
    return View(
        side=side,
        turn=f"Turn {state.turn} of {card.turns}" if state.phase != "set-up" else "Set-up",
        phase=phase_name(state.phase),
        active=state.attacker,
        prompt=prompt[0] if side in to_act else f"Waiting for {waiting}" if waiting else "",
        prompt_rule=prompt[1] if side in to_act else "",
        pieces=_pieces(state, side),
        marks=tuple(_marks(state, side)),
        boxes=tuple(
            box
            for other in card.sides
            for box in (
                BoxView(f"off-{other}", f"{card.titles[other]}: off board", other),
                BoxView(f"gone-{other}", f"{card.titles[other]}: lost and exited", other),
            )
        ),
        tracks=(
            TrackView("turn", "Turn", turns, state.turn - 1, "half turn at the end" if card.half else ""),
            TrackView("phase", "Phase", ORDER, ORDER.index(state.phase) if state.phase in ORDER else -1),
        ),
        panels=tuple(_panels(state, card, side)),
        focus=focus,
        extra={"setting": state.setting},
    )
