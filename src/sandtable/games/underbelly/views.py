"""What a side may know (6.9, 8.10), built by addition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.engine.part import Bar
from sandtable.engine.view import BoxView, MarkView, PanelView, PieceView, RowView, TrackView, View
from sandtable.games.underbelly.atlas import (
    BARI,
    FOGGIA,
    INDEX,
    NAMES,
    NAPLES,
    PAESTUM,
    PLACES,
    SALERNO,
    SF_HEX,
    TARANTO,
    hexes_of,
)
from sandtable.games.underbelly.data import ALLIED, FORTS, GERMAN, TurnRow, turn_record
from sandtable.games.underbelly.fog import hidden
from sandtable.games.underbelly.model import (
    AIRBORNE,
    ALLIED_BOX,
    ARMY_BOX,
    DEAD,
    END_RUN_BOX,
    GERMAN_BOX,
    GONE,
    HISTORICAL,
    LOST,
    OPEN,
    WAT,
    Advancing,
    AttackDraft,
    BoxDraft,
    Moving,
    OverStacked,
    Retreating,
    UnderbellyState,
)
from sandtable.games.underbelly.modifiers import combat_factor
from sandtable.games.underbelly.prompts import phase_name, prompt
from sandtable.games.underbelly.stacking import mixed_penalty
from sandtable.games.underbelly.supply import supply_line, supply_state
from sandtable.games.underbelly.victory import line_of_communications
from sandtable.games.underbelly.watch import must_consult, obligation
from sandtable.games.underbelly.wording import BOX_NAMES, dates, names
from sandtable.games.underbelly.zones import UNITS, field

ATTACKER_BOX, DEFENDER_BOX = "battle-attacker", "battle-defender"
SHOWN_BOXES = (ALLIED_BOX, GERMAN_BOX, ARMY_BOX, END_RUN_BOX, DEAD, LOST)
MOBILITY_NAMES = {"mech": "mechanized", "nonmech": "foot", "mountain": "mountain"}
SUPPLY_NAMES = {
    "supplied": "in supply",
    "cross": "supplied by the other grouping",
    "aerial": "aerial supply",
    "coastal": "coastal supply",
    "oos": "out of supply",
}


OWNERS = {ALLIED: "Allied", GERMAN: "German"}


def face_of(state: UnderbellyState, unit: str) -> str:
    """The side of the counter that shows."""
    kind = UNITS[unit]
    return unit if state.steps[unit] >= kind.steps or state.steps[unit] == 0 else f"{unit}/reduced"


def view(state: UnderbellyState, side: str | None, ask: Callable[[UnderbellyState], Bar]) -> View:
    """The view of a side; None is an observer, who sees no more than the German (6.9)."""
    frame = state.stack[-1]
    text, rule = prompt(state, side, ask)
    return View(
        side=side,
        turn=f"Turn {state.turn}: {dates(turn_record()[state.turn - 1])}",
        phase=phase_name(state),
        active=state.side,
        prompt=text,
        prompt_rule=rule,
        pieces=_pieces(state, side),
        marks=_marks(state),
        boxes=_boxes(state, side),
        tracks=_tracks(state),
        panels=tuple(_panels(state, side)),
        focus=_focus(state, side, frame),
        extra=_extra(state, side),
    )


def _pieces(state: UnderbellyState, side: str | None) -> tuple[PieceView, ...]:
    found: list[PieceView] = []
    numbers: dict[str, int] = {}
    # in step 7 everybody is back in his hex
    battle = None if isinstance(state.stack[-1], (Retreating, Advancing)) else state.battle
    now = field(state)
    for unit, place in state.at.items():
        if place not in INDEX and place not in SHOWN_BOXES:
            continue
        kind = UNITS[unit]
        if side != ALLIED and hidden(state, unit):
            if place in INDEX:  # how high a stack is can be seen, what lies in it cannot
                numbers[place] = numbers.get(place, 0) + 1
                name = f"hidden-{place}-{numbers[place]}"
                found.append(PieceView(name, place, "allied-hidden", "Allied unit", ALLIED))
            continue
        at = place
        if battle is not None and unit in battle.attackers:
            at = ATTACKER_BOX
        elif battle is not None and unit in battle.defenders:
            at = DEFENDER_BOX
        known = side == ALLIED or kind.side == GERMAN
        markers = _markers(state, unit, place) if known else ()
        facts = _facts(state, unit, now)
        found.append(PieceView(unit, at, face_of(state, unit), kind.name, kind.side, markers=markers, facts=facts))
    # the top of an Allied stack comes last, so that it is drawn above the others
    tops = set(state.top.values())
    found.sort(key=lambda piece: (piece.at, piece.id in tops, piece.id))
    return tuple(found)


def _markers(state: UnderbellyState, unit: str, place: str) -> tuple[str, ...]:
    markers: list[str] = []
    if unit in state.used and UNITS[unit].side == state.side and state.battle is None:
        markers.append("used")
    if state.steps[unit] == 0 and place in INDEX:
        markers.append("eliminated")
    if place in INDEX and state.battle is None:
        supply = supply_state(state, unit)
        if supply != "supplied":
            markers.append(f"supply-{supply}")
    return tuple(markers)


NATIONS = {"us": "US", "british": "British"}


def _facts(state: UnderbellyState, unit: str, now: Any) -> tuple[tuple[str, str], ...]:
    kind = UNITS[unit]
    mf = "?" if kind.mf == 0 else str(kind.mf)
    groups = NATIONS | {
        "10": "10th Army",
        "2ss": "II SS Panzer Corps",
        "5pz": "5th Panzer Army",
    }
    facts = [
        ("Combat-steps-movement", f"{combat_factor(state, unit)}-{state.steps[unit]}-{mf}"),
        ("Type", ", ".join(dict.fromkeys((kind.kind, MOBILITY_NAMES[kind.mobility])))),
        ("Group", groups[kind.group]),
    ]
    if state.at[unit] in INDEX and kind.side == GERMAN:
        facts.append(("Supply", SUPPLY_NAMES[supply_state(state, unit, now)]))
    return tuple(facts)


def _marks(state: UnderbellyState) -> tuple[MarkView, ...]:
    marks = [
        MarkView(at, f"control-{owner}", f"{PLACES[at].name}: {OWNERS[owner]} control", owner)
        for at, owner in state.control.items()
    ]
    marks += [
        MarkView(at, f"port-{group}", f"{NATIONS.get(group, group)} port supply", ALLIED)
        for at, group in state.ports.items()
    ]
    marks += [MarkView(at, "fort", "Fortification", GERMAN) for at in state.forts]
    if state.sf:
        marks.append(MarkView(SF_HEX, "sf", "Special Forces", ALLIED))
    if state.aerial:
        marks.append(MarkView(state.aerial, "aerial", "Aerial supply", ALLIED))
    corps = {state.at[u] for u in state.corps if state.at[u] in INDEX}
    marks += [MarkView(at, "corps", "Multi-national corps", ALLIED) for at in sorted(corps)]
    if state.battle is not None:
        marks.append(MarkView(state.battle.at, "attacker-hex", "Attacker hex", state.battle.attacker))
        marks.append(MarkView(state.battle.target, "defender-hex", "Defender hex", state.battle.defender))
    fought = state.battle.target if state.battle is not None else ""
    marks += [MarkView(at, "attacked", "Attacked in this phase") for at in state.attacked if at != fought]
    return tuple(marks)


def _boxes(state: UnderbellyState, side: str | None) -> tuple[BoxView, ...]:
    owners = {ALLIED_BOX: ALLIED, GERMAN_BOX: GERMAN, ARMY_BOX: GERMAN}
    boxes = [BoxView(box, BOX_NAMES[box], owners.get(box, "")) for box in SHOWN_BOXES]
    if state.battle is not None:
        boxes.append(BoxView(ATTACKER_BOX, "Battle Board: attacker", state.battle.attacker))
        boxes.append(BoxView(DEFENDER_BOX, "Battle Board: defender", state.battle.defender))
    return tuple(boxes)


def _tracks(state: UnderbellyState) -> tuple[TrackView, ...]:
    rows = turn_record()
    turns = tuple(str(row.turn) for row in rows)
    total = 7 if state.side == ALLIED else 6
    return (
        TrackView("turns", "Game turn", turns, state.turn - 1, dates(rows[state.turn - 1])),
        TrackView(
            "cp", f"Command points ({state.side.capitalize()})", tuple(map(str, range(total + 1))), max(state.cp, 0)
        ),
    )


def _panels(state: UnderbellyState, side: str | None) -> list[PanelView]:
    panels = [_command_panel(state), _victory_panel(state)]
    if state.scenario == WAT:
        panels.append(_watch_panel(state, side))
    if state.battle is not None:
        panels.append(_battle_panel(state))
    panels.append(PanelView("record", "Turn record", tuple(_record_row(state, row) for row in turn_record())))
    return panels


def _record_row(state: UnderbellyState, row: TurnRow) -> RowView:
    """Who comes and goes on a turn (14.0), as far as the scenario is known."""
    arrivals = [*row.allied, *row.german, *row.wat_only]
    other = {HISTORICAL: WAT, WAT: HISTORICAL}.get(state.scenario, "")
    comes = names([u for u in arrivals if UNITS[u].scenario != other]) if arrivals else ""
    goes = names(row.withdrawals) if row.withdrawals and state.scenario != WAT else ""
    what = "; ".join(filter(None, (comes, goes and f"withdrawn: {goes}")))
    now = " (now)" if row.turn == state.turn else ""
    return RowView(f"{row.turn}: {dates(row)}{now}", what, "10.4" if goes else "10.1" if comes else "")


def _command_panel(state: UnderbellyState) -> PanelView:
    rows = [
        RowView("Command points left", str(state.cp), "9.1"),
        RowView("Allied TAC units left", str(state.tac), "9.9"),
    ]
    if state.scenario == WAT:
        rows.append(RowView("German TAC unit", "available" if state.german_tac else "no", "9.10"))
    airborne = {"box": "in the box", "ready": "ready to drop", "dropped": "dropped"}[state.airborne]
    elsewhere = {END_RUN_BOX: "with the End-Run", GONE: "withdrawn", DEAD: "in the dead pile", LOST: "lost for good"}
    airborne = elsewhere.get(state.at[AIRBORNE], airborne)
    rows.append(RowView("82nd Airborne", airborne, "12.9"))
    if state.scenario == HISTORICAL:
        rows.append(RowView("Fortifications left", str(FORTS - state.forts_built), "9.8"))
    if state.special:
        rows.append(RowView("Special command used", state.special, "9.6"))
    return PanelView("commands", "Command points", tuple(rows))


def _victory_panel(state: UnderbellyState) -> PanelView:
    control = state.control
    held = sum(owner == ALLIED for owner in control.values())
    scenario = {OPEN: "not decided yet", HISTORICAL: "Historical", WAT: "Watch on the Tiber"}[state.scenario]
    rows = [
        RowView("Scenario", scenario, "8.1"),
        RowView("Towns and cities held by the Allies", f"{held} of {len(control)}", "4.1"),
    ]
    for at in (NAPLES, TARANTO, FOGGIA, SALERNO, PAESTUM, BARI):
        rows.append(RowView(PLACES[at].name, control[at].capitalize(), "7.7"))
    if not state.switched:
        sudden = "The Germans win at once if they enter Salerno or Paestum before the supply switch"
        rows.append(RowView("Sudden death", sudden, "4.2" if state.scenario == WAT else "4.1", "bad"))
    if state.scenario == WAT:
        rows.append(
            RowView("Sudden death", "The Germans win at once if they hold both Naples and Taranto", "4.2", "bad")
        )
    rows.append(RowView("Sudden death", "The Allies win at once if a unit leaves by the north edge", "4.1"))
    switch = f"at the end of turn {state.switched}" if state.switched else "not yet (by the end of turn 20)"
    rows.append(RowView("Supply switch to Naples", switch, "11.9", "" if state.switched else "bad"))
    if state.scenario == WAT:
        both = control[NAPLES] == control[TARANTO] == ALLIED
        rows.append(RowView("Line of communications", "yes" if both and line_of_communications(state) else "no", "4.3"))
    return PanelView("victory", "Victory", tuple(rows))


def _watch_panel(state: UnderbellyState, side: str | None) -> PanelView:
    run = state.end_run
    where = {"aside": "not in Italy yet", "box": "must enter now", "in": "committed"}
    rows = [
        RowView("II SS Panzer Corps", where[state.ss], "8.5"),
        RowView("5th Panzer Army", where[state.army], "8.7"),
        RowView("Assembled", f"{state.assembled} of 15", "8.7"),
    ]
    if run.plotted and state.outcome is not None:
        launched = "" if run.launched else ", not launched"
        rows.append(RowView("Plot", f"turn {run.turn}{launched}" if run.turn else "no End-Run", "8.11"))
    elif side == ALLIED and run.plotted:
        rows.append(RowView("Plot (secret)", f"turn {run.turn}" if run.turn else "no End-Run", "8.10"))
    if run.launched:
        rows.append(RowView("End-Run launched", f"turn {run.launched}", "8.13"))
        rows.append(RowView("End-Run", "stalemate" if run.over else "undecided", "8.17"))
    if run.demanded:
        rows.append(RowView("German steps to withdraw", f"{run.demanded} by turn {run.deadline}", "8.18", "bad"))
    return PanelView("watch", "Watch on the Tiber", tuple(rows))


def _battle_panel(state: UnderbellyState) -> PanelView:
    battle = state.battle
    assert battle is not None
    rows = [RowView("Attack", f"{battle.at} against {battle.target}", "13.2")]
    for label, units in (("Attacker", battle.attackers), ("Defender", battle.defenders)):
        for unit in units:
            steps = state.steps[unit]
            left = f"{steps} {'step' if steps == 1 else 'steps'}"
            value = f"{combat_factor(state, unit)}, {left}" if steps else "eliminated"
            rows.append(RowView(f"{label}: {UNITS[unit].name}", value, "13.3", "" if steps else "bad"))
    if battle.tac or battle.defender_tac:
        rows.append(RowView("TAC air", "attacker" if battle.tac else "defender", "9.14"))
    if battle.bombers:
        rows.append(RowView("Heavy bombers", "attacker", "13.6"))
    rows += [RowView("Rubble", UNITS[unit].name, "13.6") for unit in battle.rubble]
    return PanelView("battle", "Battle Board", tuple(rows))


def _focus(state: UnderbellyState, side: str | None, frame: Any) -> tuple[str, ...]:
    """Where to look: the Battle Board while shots are fired, the hexes when units leave or enter them, an open box."""
    if state.battle is not None:
        if isinstance(frame, (Retreating, Advancing)):
            return (state.battle.at, state.battle.target)
        return (ATTACKER_BOX, DEFENDER_BOX)
    if isinstance(frame, (Moving, OverStacked)):
        if frame.at in INDEX:
            return (frame.at,)
        return tuple(state.ports) if frame.side == ALLIED == side else ()
    if isinstance(frame, BoxDraft) and frame.side == side:
        return (frame.box,)
    if isinstance(frame, AttackDraft) and frame.side == side:
        return (frame.at, frame.target)
    return ()


def _extra(state: UnderbellyState, side: str | None) -> dict[str, Any]:
    """Facts for tools: control, ports, zones of supply and, for the own side, supply lines (11.3)."""
    now = field(state)
    extra: dict[str, Any] = {
        "scenario": state.scenario,
        "turn": state.turn,
        "cp": state.cp,
        "tac": state.tac,
        "control": dict(state.control),
        "ports": dict(state.ports),
        "forts": list(state.forts),
        "switched": state.switched,
        "german_zoc": _zone(now.german_zoc),
        "allied_zoc": _zone(now.allied_zoc),
        "obligation": obligation(state),
        "battle": None,
    }
    if state.battle is not None:
        extra["battle"] = {
            "at": state.battle.at,
            "target": state.battle.target,
            "attacker": state.battle.attacker,
            "attackers": list(state.battle.attackers),
            "defenders": list(state.battle.defenders),
        }
    shown = (GERMAN,) if side != ALLIED else (ALLIED, GERMAN)
    stacks = {at: stack for at, stack in now.stacks.items() if UNITS[stack[0]].side in shown}
    extra["supply"] = {unit: supply_state(state, unit, now) for stack in stacks.values() for unit in stack}
    extra["supply_lines"] = {at: list(supply_line(state, stack[0])) for at, stack in stacks.items()}
    if side == ALLIED:
        extra["mixed"] = [at for at in stacks if mixed_penalty(state, now, at)]
        extra["must_consult"] = must_consult(state)
    if side == ALLIED or state.outcome is not None:  # a plot that was never launched is shown at the end (8.11, 8.12)
        extra["plot"] = state.end_run.turn if state.end_run.plotted else None
    return extra


def _zone(bits: int) -> list[str]:
    return [NAMES[h] for h in hexes_of(bits)]
