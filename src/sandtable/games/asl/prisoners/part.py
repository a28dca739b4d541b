"""The part itself: what prisoners bring to a game (A20)."""

from __future__ import annotations

from typing import Any

from sandtable.engine import Play, Tally
from sandtable.engine.odds import at_most
from sandtable.engine.part import Bar
from sandtable.engine.view import Description, OddsLine, PanelView, PieceView, Preview, RowView
from sandtable.games.asl.prisoners import guarding, taking
from sandtable.games.asl.prisoners.model import (
    CAPTURING,
    TAKEN,
    AbandonPrisoners,
    AcceptSurrender,
    ChangeGuard,
    EscapeFailed,
    Escaping,
    Freed,
    GuardChanged,
    Massacre,
    PrisonerHit,
    QuarterRefused,
    Rearmed,
    RefuseSurrender,
    StayCaptive,
    Surrendering,
    TryCapture,
    TryEscape,
)
from sandtable.games.asl.surrender import (
    CAPTIVES,
    DISRUPTED,
    NO_QUARTER,
    UNARMED,
    Captured,
    Disrupted,
    held_by,
)
from sandtable.games.squad.combat.fighting import assault
from sandtable.games.squad.combat.model import AdvancePhase, Combat, CombatAttack
from sandtable.games.squad.combat.words import attack_preview
from sandtable.games.squad.fire.model import PrepFirePhase
from sandtable.games.squad.ground.knowledge import known_to
from sandtable.games.squad.ground.marks import unmark
from sandtable.games.squad.ground.names import called, full, names, short, verb
from sandtable.games.squad.ground.setting import setting_of, unit_kind
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.movement.model import MovementPhase
from sandtable.games.squad.part import ALL, Look, MarkKind, Part, Shown, Stage
from sandtable.games.squad.pieces.model import SquadState, Unit
from sandtable.games.squad.rally.eligibility import unbroken_leaders
from sandtable.games.squad.show.marker_faces import tag

PRISONER = "marker/prisoner"
FREED = {"escapes": "it gets away", "abandoned": "its guard lets it go", "uncaught": "no captor is left"}
"""How a prisoner becomes free, as a sentence."""
NO_ESCAPE = "Prisoners escape only from a guard that is broken or in Melee, at the start of a Close Combat Phase"


# -- what is seen ---------------------------------------------------------------------------


def _shows(state: SquadState, side: str | None) -> Shown:
    """Prisoners lie with their guards; who gives No Quarter."""
    pieces, rows = [], []
    for captive in CAPTIVES.of(state).values():
        guard = state.units.get(captive.guard)
        if guard is None or known_to(state, side, guard) != ALL:
            continue
        unit = captive.unit
        pieces.append(
            PieceView(
                f"prisoner {unit.id}",
                name_of(state, guard.at),
                unit.kind,
                f"{full(state, unit)}, prisoner of {short(state, guard)}",
                side=unit.side,
                within=guard.id,
                markers=(PRISONER,),
                facts=(("Prisoner", f"guarded by {short(state, guard)}"),),
            )
        )
        rows.append(
            RowView(full(state, unit), f"guarded by {short(state, guard)} in {name_of(state, guard.at)}", "A20.5")
        )
    rows += [RowView(setting_of(state).titles[one], "gives No Quarter", "A20.3") for one in NO_QUARTER.of(state)]
    return Shown(tuple(pieces), panels=(PanelView("prisoners", "Prisoners", tuple(rows)),) if rows else ())


# -- rules of marks ---------------------------------------------------------------------------


def _rally_bar(state: SquadState, unit: Unit) -> Bar | None:
    """A Disrupted unit needs a leader (A19.12)."""
    if DISRUPTED in unit.marks and not unbroken_leaders(state, unit):
        return "It is Disrupted: only a leader can rally it", "A19.12"
    return None


def _rallied(play: Play[SquadState], unit: Unit, why: str) -> None:
    unmark(play, play.state.units[unit.id], DISRUPTED)


# -- actions in words ---------------------------------------------------------------------------


def _accept(state: SquadState, side: str, action: AcceptSurrender) -> Description:
    frame = state.stack[-1]
    units = frame.units if isinstance(frame, Surrendering) else ()
    text = f"Take {names(state, units)} prisoner; {short(state, action.guard)} guards {verb(units, 'it', 'them')}"
    return Description(text, "surrender", (action.guard,), targets=units, rule="A20.21")


def _refuse(state: SquadState, side: str, action: RefuseSurrender) -> Description:
    notes = ("They are eliminated, and your enemies will never surrender again",)
    return Description("Give No Quarter", "surrender", rule="A20.3", notes=notes)


def _capture(state: SquadState, side: str, action: TryCapture) -> Description:
    frame = state.stack[-1]
    assert isinstance(frame, Combat)
    figures = assault(state, frame, CombatAttack(side, frame.units, frame.targets))
    text = f"Try to take prisoners, at {figures.odds}"
    where = (name_of(state, frame.at),)
    return Description(text, "combat", frame.units, where, frame.targets, "A20.22")


def _capture_preview(state: SquadState, side: str, action: TryCapture) -> Preview | None:
    frame = state.stack[-1]
    if not isinstance(frame, Combat) or not frame.units or not frame.targets:
        return None
    figures = assault(state, frame, CombatAttack(side, frame.units, frame.targets))
    drm = figures.drm + Tally.of("", [taking.capture_item(state, figures.targets)])
    preview = attack_preview(state, figures._replace(drm=drm))
    words = {"eliminated": "captured", "all eliminated": "all captured"}
    odds = [
        OddsLine(words.get(line.label, line.label.replace("Casualty Reduction", "half or one captured")), line.chance)
        for line in preview.odds
    ]
    return Preview("Capture attempt", preview.tallies, tuple(odds), preview.notes)


def _change(state: SquadState, side: str, action: ChangeGuard) -> Description:
    text = f"{short(state, action.guard)} guards the prisoners {short(state, action.prisoner)}"
    return Description(text, "prisoners", (action.guard,), rule="A20.5")


def _abandon(state: SquadState, side: str, action: AbandonPrisoners) -> Description:
    return Description(
        f"{short(state, action.guard)} lets its prisoners go", "prisoners", (action.guard,), rule="A20.5"
    )


def _massacre(state: SquadState, side: str, action: Massacre) -> Description:
    notes = ("Your enemies will not surrender again",)
    text = f"{short(state, action.guard)} kills its prisoners"
    return Description(text, "prisoners", (action.guard,), rule="A20.4", notes=notes)


def _escape_preview(state: SquadState, side: str, action: TryEscape) -> Preview | None:
    frame = state.stack[-1]
    guard = state.units.get(frame.guard) if isinstance(frame, Escaping) else None
    if guard is None:
        return None
    lines = [
        OddsLine(
            f"{short(state, captive.unit)} gets away",
            1.0 if guard.melee else float(at_most(unit_kind(state, captive.unit).morale, 2)),
        )
        for captive in held_by(state, guard.id)
    ]
    return Preview("Escape: a task check, free in a Melee", (), tuple(lines))


def _only(frame: type, words: str, rule: str) -> Any:
    def why_not(state: SquadState, side: str, action: object) -> Bar | None:
        return None if isinstance(state.stack[-1], frame) else (words, rule)

    return why_not


def _capture_bar(state: SquadState, side: str, action: TryCapture) -> Bar | None:
    frame = state.stack[-1]
    if isinstance(frame, Combat) and taking.capture_actions(state, frame, side):
        return None
    if side in NO_QUARTER.of(state):
        return "Your side gives No Quarter and takes no more prisoners", "A20.3"
    return "Choose attackers and targets of a close combat attack first; berserk units take no prisoners", "A20.22"


def _guard_bar(offered: Any, words: str, rule: str) -> Any:
    def why_not(state: SquadState, side: str, action: object) -> Bar | None:
        return None if action in offered(state, state.stack[-1], side) else (words, rule)

    return why_not


# -- events in words ------------------------------------------------------------------------------


def _captured(state: SquadState, event: Captured) -> str:
    return f"{short(state, event.unit)} in {event.at} is taken prisoner; {short(state, event.guard)} guards it (A20.2)"


def _hit(state: SquadState, event: PrisonerHit) -> str:
    what = "is killed" if event.killed else "is unhurt" if event.passed else "loses men"
    return f"Prisoner {short(state, event.unit)} in {event.at} {what} (A20.54)"


PART = Part(
    fields=(CAPTIVES, NO_QUARTER, CAPTURING, TAKEN),
    marks=(
        MarkKind(
            name=UNARMED,
            bars=("fire", "interdict"),
            why="It has no arms: it fights in close combat only",
            combat_fp=1,
            inexperienced=True,
            rule="A20.54",
        ),
        MarkKind(name=DISRUPTED, rule="A19.12"),
    ),
    faces={
        PRISONER: Look(tag("Pris", "#222222", "#f2f2f2"), "Prisoner", "Goes where its guard goes", "A20.5"),
        f"marker/{UNARMED}": Look(tag("no arms", "#222222", "#d9d2c0"), "Unarmed", "Close combat only, FP 1", "A20.54"),
        f"marker/{DISRUPTED}": Look(
            tag("Disr", "#ffffff", "#5b4a86"),
            "Disrupted",
            "Surrenders to adjacent enemies; needs a leader to rally",
            "A19.12",
        ),
    },
    begins={"RtPh": taking.begin_rout, "CCPh": guarding.begin_close_combat},
    procedures={Surrendering: taking.Surrender(), Escaping: guarding.Escape()},
    offers={
        Combat: taking.capture_actions,
        AdvancePhase: guarding.advance_actions,
        MovementPhase: guarding.move_actions,
        PrepFirePhase: guarding.massacre_actions,
    },
    does={
        TryCapture: taking.try_capture,
        ChangeGuard: guarding.change_guard,
        AbandonPrisoners: guarding.abandon,
        Massacre: guarding.massacre,
    },
    before={
        "eliminate": taking.not_killed,
        "reduce": taking.not_reduced,
        "wound": taking.not_reduced,
    },
    after={"eliminate": guarding.lost, "rally": _rallied},
    settled=taking.settle,
    steps={"attack": {"prisoners": Stage(guarding.fire_hits)}},
    bars={"fire": guarding.fire_bar, "interdict": guarding.interdict_bar, "rally": _rally_bar},
    lines={"combat": taking.combat_items, "combat FP": guarding.combat_factor},
    shows=_shows,
    describe={
        AcceptSurrender: _accept,
        RefuseSurrender: _refuse,
        TryCapture: _capture,
        ChangeGuard: _change,
        AbandonPrisoners: _abandon,
        Massacre: _massacre,
        TryEscape: lambda state, side, action: Description("The prisoners try to escape", "prisoners", rule="A20.55"),
        StayCaptive: lambda state, side, action: Description("They stay captive", "done", key="Enter", rule="A20.55"),
    },
    why_not={
        AcceptSurrender: _only(Surrendering, "No unit is surrendering now", "A20.21"),
        RefuseSurrender: _only(Surrendering, "No unit is surrendering now", "A20.21"),
        TryCapture: _capture_bar,
        ChangeGuard: guarding.change_bar,
        AbandonPrisoners: _guard_bar(
            guarding.move_actions, "Only a guard may let prisoners go, in its Movement Phase before it moves", "A20.5"
        ),
        Massacre: _guard_bar(
            guarding.massacre_actions,
            "Only SS, Japanese, Partisan and Russian guards may do this, in their Prep Fire Phase",
            "A20.4",
        ),
        TryEscape: _only(Escaping, NO_ESCAPE, "A20.55"),
        StayCaptive: _only(Escaping, NO_ESCAPE, "A20.55"),
    },
    preview={TryCapture: _capture_preview, TryEscape: _escape_preview},
    prompts={
        Surrendering: lambda state, frame: (
            "Broken enemies surrender: choose their guard, or give No Quarter",
            "A20.21",
        ),
        Escaping: lambda state, frame: ("Your men in captivity may attempt to escape", "A20.55"),
    },
    words={
        Captured: _captured,
        Disrupted: lambda state, event: f"{short(state, event.unit)} in {event.at} is Disrupted (A19.12)",
        QuarterRefused: lambda state, event: (
            f"The {setting_of(state).titles[event.side]} side gives No Quarter in {event.at} (A20.3)"
        ),
        GuardChanged: lambda state, event: (
            f"{short(state, event.guard)} in {event.at} now guards the prisoners {short(state, event.unit)} (A20.5)"
        ),
        Freed: lambda state, event: (
            f"{short(state, event.unit)} in {event.at} is free: {FREED.get(event.why, event.why)} (A20.5)"
        ),
        EscapeFailed: lambda state, event: f"The prisoners of {short(state, event.guard)} fail to escape (A20.55)",
        PrisonerHit: _hit,
        Rearmed: lambda state, event: f"{called(event.now, event.unit)} in {event.at} is armed again (A20.551)",
    },
)
