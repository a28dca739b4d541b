"""What a player is asked, in words, with the rule to look up."""

from __future__ import annotations

from sandtable.games.underbelly import model as m
from sandtable.games.underbelly.atlas import describe_hex
from sandtable.games.underbelly.data import ALLIED, GERMAN
from sandtable.games.underbelly.watch import must_consult, obligation
from sandtable.games.underbelly.zones import UNITS

_QUESTIONS: dict[type[object], tuple[str, str, str]] = {
    m.Placement: ("Set-up", "Place the units marked 5322-2", "3.2"),
    m.Plotting: ("End-Run plot", "Plot an End-Run in secret, or none", "8.10"),
    m.Substitution: ("Withdrawal", "Pick the Allied unit that is withdrawn instead", "10.4"),
    m.Opening: ("Start of the CP phase", "Activate tactical airpower?", "9.9"),
    m.LaunchDraft: ("End-Run", "Choose four full-strength divisions and one corps support unit", "8.13"),
    m.Commands: ("CP Expenditure Phase", "Give a command, or end the phase", "9.19"),
    m.BoxDraft: ("Holding box", "Put a stack together, then begin", "9.4"),
    m.Moving: ("Movement", "Move the group, leave units behind, or halt", "12.1"),
    m.AttackChoice: ("Move-fight", "Attack an adjacent hex?", "9.6"),
    m.AttackDraft: ("Attack", "Withhold units, add air support, then begin the battle", "9.5"),
    m.DefenderTac: ("Battle, step 1", "Commit a TAC unit to the defence?", "9.14"),
    m.Barrage: ("Battle, step 2", "Preparatory barrage: choose a target", "13.2"),
    m.DefensiveFire: ("Battle, step 3", "Defensive fire: choose who fires at whom", "13.2"),
    m.BreakOffChoice: ("Battle, step 4", "Break off the attack?", "13.2"),
    m.OffensiveFire: ("Battle, step 5", "Offensive fire: choose who fires at whom", "13.2"),
    m.RetreatChoice: ("Battle, step 6", "Retreat, or hold the hex?", "13.2"),
    m.Restoring: ("Battle", "Choose the unit that gets a step back", "13.10"),
    m.Retreating: ("Battle, step 8", "Choose where to retreat", "13.9"),
    m.Advancing: ("Battle, step 9", "Choose who advances", "13.8"),
    m.FortSite: ("Fortification", "Choose the hex of the fortification", "9.8"),
    m.DropSite: ("Air drop", "Choose the hex of the drop", "12.9"),
    m.Interruption: ("Interruption", "Drop the 82nd Airborne now?", "12.9"),
    m.OverStacked: ("Over-stacking", "Choose a unit to eliminate", "6.8"),
    m.BariChoice: ("End of the turn", "Open the port of Bari?", "11.10"),
    m.TurnStart: ("Start of the turn", "", "5.2"),
    m.Reinforcing: ("Reinforcement Phase", "", "10.1"),
    m.TurnEnd: ("End of the turn", "", "5.3"),
}
# An unfinished command tells nothing to the other side: it is just the phase.
_DRAFTS = (m.LaunchDraft, m.BoxDraft, m.AttackDraft, m.FortSite, m.DropSite, m.Opening, m.Moving, m.AttackChoice)


def asked(state: m.UnderbellyState) -> tuple[str, str]:
    """(question, rule) of the present decision."""
    _, question, rule = _QUESTIONS[type(state.stack[-1])]
    return question, rule


def phase_name(state: m.UnderbellyState) -> str:
    """The phase, told the same to both sides."""
    frame = state.stack[-1]
    if isinstance(frame, _DRAFTS):
        return _QUESTIONS[m.Commands][0]
    return _QUESTIONS[type(frame)][0]


def decides(state: m.UnderbellyState) -> str:
    """The side that is asked now."""
    frame = state.stack[-1]
    if isinstance(frame, (m.Commands, m.BoxDraft, m.Moving, m.AttackChoice, m.AttackDraft, m.Restoring, m.OverStacked)):
        return frame.side
    if isinstance(frame, (m.Substitution, m.FortSite)):
        return GERMAN
    battle = state.battle
    if battle is not None and isinstance(frame, (m.Barrage, m.BreakOffChoice, m.OffensiveFire, m.Advancing)):
        return battle.attacker
    if battle is not None and isinstance(frame, (m.DefenderTac, m.DefensiveFire, m.RetreatChoice, m.Retreating)):
        return battle.defender
    return ALLIED


def prompt(state: m.UnderbellyState, side: str | None) -> str:
    """What the side is asked, or what it waits for."""
    who = decides(state)
    if side != who:
        name = {ALLIED: "The Allied player", GERMAN: "The German player"}[who]
        return f"{name} decides: {phase_name(state)}"
    question = asked(state)[0]
    frame = state.stack[-1]
    if isinstance(frame, m.Commands):
        if frame.side == GERMAN and obligation(state):
            return "The corps must enter the map first: give it a move command"
        owed = "; the End-Run table must be consulted" if frame.side == ALLIED and must_consult(state) else ""
        if not state.cp and not owed:
            return "No CP left: end the phase"
        return f"{state.cp} CP left: give a command, or end the phase{owed}"
    if isinstance(frame, m.Moving):
        who_moves = f"{len(frame.group)} units" if len(frame.group) > 1 else UNITS[frame.group[0]].name
        least, most = min(frame.left), max(frame.left)
        points = f"{least} to {most}" if least < most else f"{most}"
        rest = ", leave units behind" if len(frame.group) > 1 else ""
        return f"{who_moves}, {points} MP left: move{rest}, or halt"
    if isinstance(frame, m.DefenderTac) and state.battle is not None:
        units = state.tac if who == ALLIED else state.german_tac
        return f"Commit a TAC unit to the defence of {describe_hex(state.battle.target)}? ({units} left)"
    if isinstance(frame, (m.DefensiveFire, m.OffensiveFire)):
        shots = sum(n for _, n in frame.shots)
        return f"{question} ({shots} {'shot' if shots == 1 else 'shots'} left)"
    return question
