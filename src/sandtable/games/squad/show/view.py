"""What a side may see of a squad-level match, in the common form of the client; built by addition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from sandtable.engine import Option, ScenarioInfo
from sandtable.engine.view import BoxView, MarkView, PanelView, PieceView, RowView, TrackView, View
from sandtable.games.squad.cards.scenario import (
    Scenario,
)
from sandtable.games.squad.effects.verdicts import level
from sandtable.games.squad.ground.counters import kind_of
from sandtable.games.squad.ground.knowledge import hidden, known_to
from sandtable.games.squad.ground.movers import moving_units
from sandtable.games.squad.ground.names import called, full, letter, mf_words, phase_name
from sandtable.games.squad.ground.setting import Setting, setting_of, weapon_kind
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.movement.steps import able_movers, place_of
from sandtable.games.squad.part import ALL, CONCEALED
from sandtable.games.squad.phases.conditions import rules_for
from sandtable.games.squad.pieces.counters import nations
from sandtable.games.squad.pieces.model import (
    FINAL_FIRE,
    FIRST_FIRE,
    INTENSIVE_FIRE,
    PREP_FIRE,
    Gone,
    SquadState,
    Unit,
    Weapon,
)
from sandtable.games.squad.show import phase_view
from sandtable.space.remembered import also_forget, remembered

PIECES = 20_000
"""How many pieces are remembered as they are shown."""

FIRE_MARKERS = {
    PREP_FIRE: "marker/prep-fire",
    FIRST_FIRE: "marker/first-fire",
    FINAL_FIRE: "marker/final-fire",
    INTENSIVE_FIRE: "marker/intensive-fire",
}


def scenario_info(scenario: Scenario, options: tuple[Option, ...]) -> ScenarioInfo:
    """What a player reads before he picks a scenario."""
    forces = [
        (f"{group.title}" + (f" (ELR {group.elr})" if group.elr is not None else ""), _order_of_battle(group.units))
        for group in scenario.groups
    ]
    return ScenarioInfo(
        id=scenario.id,
        title=scenario.title,
        sides=tuple(side.id for side in scenario.sides),
        summary=scenario.summary or " ".join(condition.text for condition in scenario.conditions),
        length=f"{scenario.turns.count}{'½' if scenario.turns.half else ''} turns",
        first=scenario.moves_first,
        options=options,
        reconstructed=scenario.reconstructed,
        facts=(
            ("Date", scenario.date.isoformat()),
            ("Place", scenario.place),
            ("Board", ", ".join(board.board for board in scenario.map.boards)),
            *(("Victory", condition.text) for condition in scenario.conditions),
            *forces,
            *((f"Special rule {number}", rule.text) for number, rule in enumerate(scenario.ssr, 1)),
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


def titled(what: Unit | Weapon | Gone) -> str:
    """A counter with its nationality and its own letter, as the log has them: `German 4-6-7 C`."""
    nation = what.kind.partition(" ")[0]
    return f"{nations()[nation].title if nation in nations() else nation} {called(what.kind, what.id)}"


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
            ("hip", hidden(unit)),
            ("concealed", unit.concealed),
            ("moved", unit.moved),
        )
        if on
    ]
    if unit.marker in FIRE_MARKERS:
        marks.append(FIRE_MARKERS[unit.marker])
    return (*marks, *(f"marker/{name}" for name in unit.marks))


def unit_facts(setting: Setting, unit: Unit) -> tuple[tuple[str, str], ...]:
    """What stands on the counter, for the tooltip."""
    kind = setting.kinds[unit.group, unit.kind]
    facts = [("Morale", str(level(kind, unit)))]
    if kind.fires:
        facts += [("Firepower", str(kind.fp)), ("Range", str(kind.range))]
    if kind.mmc:
        classes = {"E": "Elite", "1": "First Line", "2": "Second Line", "G": "Green", "C": "Conscript"}
        facts.append(("Class", "Crew" if kind.crew else classes.get(kind.unit_class, kind.unit_class)))
        if kind.smoke:
            facts.append(("Smoke exponent", str(kind.smoke)))
    if kind.leads:
        facts.append(("Leadership", f"{kind.leadership + int(unit.wounded):+d}"))
    if unit.group and setting.elr.get(unit.group) is not None:
        facts.append(("ELR", str(setting.elr[unit.group])))
    faces = setting.points.faces
    looks = [(mark, faces.get(f"marker/{mark}")) for mark in unit.marks]
    facts += [("Condition", mark if look is None else look.label) for mark, look in looks]
    return tuple(facts)


_shown: dict[int, tuple[Setting, Unit, PieceView]] = {}
"""Units as they are shown, by the identity of the frozen unit, which is quicker than its hash."""
also_forget(_shown.clear)


def _unit(setting: Setting, unit: Unit) -> PieceView:
    """A unit as it is shown; remembered, for it is the same from one step to the next unless the unit changes."""
    kept = _shown.get(id(unit))
    if kept is not None and kept[1] is unit and kept[0] is setting:
        return kept[2]
    if len(_shown) >= PIECES:
        _shown.clear()
    view = _unit_view(setting, unit)
    _shown[id(unit)] = setting, unit, view
    return view


def _unit_view(setting: Setting, unit: Unit) -> PieceView:
    names = setting.ground.names
    at = names[unit.at] if unit.at >= 0 else f"off-{unit.side}"
    facts = unit_facts(setting, unit)
    if unit.at < 0 and unit.beside >= 0:
        facts = (*facts, ("Off board beside", names[unit.beside]))
    return PieceView(
        id=unit.id,
        at=at,
        face=unit.kind + ("/broken" if unit.broken else ""),
        label=titled(unit) + (", broken" if unit.broken else ""),
        side=unit.side,
        within="" if unit.at in setting.ground.floors else unit.within,
        markers=unit_markers(unit),
        facts=facts,
        tag=letter(unit.id),
    )


@remembered(PIECES)
def _weapon(setting: Setting, weapon: Weapon, cell: int, side: str) -> PieceView:
    kind = weapon_kind(weapon)
    names = setting.ground.names
    states = (("malfunction", weapon.broken), ("hip", hidden(weapon)), ("emplaced", weapon.emplaced))
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
        tag=letter(weapon.id),
    )


@lru_cache(maxsize=PIECES)
def _gone(gone: Gone) -> PieceView:
    facts = (("How", gone.how), *((("Points", str(gone.points)),) if gone.points else ()))
    return PieceView(gone.id, f"gone-{gone.side}", gone.kind, titled(gone), gone.side, facts=facts)


def _pieces(state: SquadState, side: str | None) -> tuple[PieceView, ...]:
    setting, units = setting_of(state), state.units
    pieces = [_unit(setting, unit) for unit in _stacked(state) if known_to(state, side, unit) == ALL]
    shown = {piece.id for piece in pieces}
    for weapon in state.weapons.values():
        owner = units[weapon.owner] if weapon.owner else None
        if owner is None:
            pieces.append(_weapon(setting, weapon, weapon.at, weapon.side))
        elif owner.id in shown:
            pieces.append(_weapon(setting, weapon, owner.at, owner.side))
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


def _concealed_stacks(state: SquadState, side: str | None) -> Iterator[MarkView]:
    """Where units stand of which a side knows no more than that; in a secret set-up all of the enemy (G37)."""
    names, units = setting_of(state).ground.names, state.units
    words = "A stack that may not be inspected yet" if state.phase == "set-up" else "Concealed units"
    for cell, stack in sorted(state.stacks.items()):
        owners = {units[name].side for name in stack if known_to(state, side, units[name]) == CONCEALED}
        for owner in sorted(owners):
            yield MarkView(names[cell], "marker/stack", words, owner)


def _marks(state: SquadState, side: str | None) -> Iterator[MarkView]:
    points = setting_of(state).points
    if state.phase == "set-up" or points.knows or points.conceals:
        yield from _concealed_stacks(state, side)
    names = setting_of(state).ground.names
    for place, counters in state.counters.items():
        for counter in counters:
            kind = kind_of(state, counter)
            if kind.face:
                face = f"marker/{kind.face.format(value=counter.value)}"
                yield MarkView(names[place], face, kind.label.format(value=counter.value), counter.side)
    for weapon in state.weapons.values():
        held = weapon.acquired
        if held is not None and weapon.owner:
            face = f"marker/{'area-' if held.area else ''}acquired{held.level}"
            whose = state.units[weapon.owner]
            by = full(state, weapon) if known_to(state, side, whose) == ALL else "a concealed weapon"
            yield MarkView(names[held.at], face, f"acquired by {by} ({held.level})", whose.side)
    setting = setting_of(state)
    objectives = [one for c in setting.scenario.conditions for one in rules_for(setting, c).owners(state, c)]
    for building, owner in (*state.control.items(), *objectives):
        cell = setting_of(state).ground.buildings[building][0]
        nation = next(iter(setting_of(state).nations_of(owner)), owner)
        yield MarkView(names[cell], f"marker/control-{nation}", f"{setting.titles[owner]}-held building", owner)


# -- standing ---------------------------------------------------------------------------


def _panels(state: SquadState, setting: Setting, side: str | None) -> Iterator[PanelView]:
    rows = [
        RowView(
            f"{setting.titles[condition.winner]}: {condition.text}",
            rules_for(setting, condition).standing(state, condition, side),
            "1.3",
        )
        for condition in setting.scenario.conditions
    ]
    rows.append(RowView(f"Otherwise the {setting.titles[setting.scenario.otherwise]} side wins", rule="1.3"))
    yield PanelView("victory", "Victory", tuple(rows))
    if state.moving is not None:
        movers = []
        for mover in able_movers(state):
            if known_to(state, side, state.units[mover.id]) != ALL:
                continue
            spent = mf_words(mover.spent / 2)
            how = "Assault Movement" if mover.assault else "Double Time" if mover.double else ""
            movers.append(
                RowView(full(state, state.units[mover.id]), f"{spent} spent, {how}" if how else f"{spent} spent", "3.3")
            )
        yield PanelView("moving", "Moving", tuple(movers))
    yield from phase_view.panels(state, side)
    if setting.scenario.ssr:
        rules = tuple(RowView(f"{number}. {rule.text}") for number, rule in enumerate(setting.scenario.ssr, 1))
        yield PanelView("ssr", "Special rules", rules)


def make_view(state: SquadState, side: str | None, prompt: tuple[str, str], to_act: Sequence[str]) -> View:
    """A view for a side (None: an observer)."""
    setting = setting_of(state)
    waiting = " and ".join(setting.titles[other] for other in to_act)
    turns = tuple(f"{n}" for n in range(1, setting.turns + 1))
    turn = min(state.turn, setting.turns)
    focus = tuple(dict.fromkeys(name_of(state, place_of(state.units[name])) for name in moving_units(state)))
    focus = focus or phase_view.focus_of(state)
    phases = setting.points.phases
    added = [shows(state, side) for shows in setting.points.shows]
    return View(
        side=side,
        turn=f"Turn {turn} of {setting.turns}" if state.phase != "set-up" else "Set-up",
        phase=phase_name(state.phase),
        active=to_act[0] if state.phase == "set-up" and to_act else state.attacker,
        prompt=prompt[0] if side in to_act else f"Waiting for the {waiting} player" if waiting else "",
        prompt_rule=prompt[1] if side in to_act else "",
        pieces=(*_pieces(state, side), *(piece for shown in added for piece in shown.pieces)),
        marks=(*_marks(state, side), *(mark for shown in added for mark in shown.marks)),
        boxes=tuple(
            box
            for other in setting.sides
            for box in (
                BoxView(f"off-{other}", f"{setting.titles[other]}: off board", other),
                BoxView(f"gone-{other}", f"{setting.titles[other]}: lost and exited", other),
            )
        ),
        tracks=(
            TrackView("turn", "Turn", turns, turn - 1, "half turn at the end" if setting.half else ""),
            TrackView("phase", "Phase", phases, phases.index(state.phase) if state.phase in phases else -1),
        ),
        panels=(*_panels(state, setting, side), *(panel for shown in added for panel in shown.panels)),
        focus=focus,
        extra={"setting": state.setting},
    )
