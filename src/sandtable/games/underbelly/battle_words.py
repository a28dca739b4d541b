"""Words of battles (13.0): descriptions, odds, what bars a shot, and the log."""

from __future__ import annotations

from sandtable.engine.part import Bar, Part
from sandtable.engine.view import Description, OddsLine, Preview, Refusal
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly import events as e
from sandtable.games.underbelly import model as m
from sandtable.games.underbelly.airpower import BOMBER_COST
from sandtable.games.underbelly.atlas import describe_hex
from sandtable.games.underbelly.battle_end import the_battle
from sandtable.games.underbelly.combat import deploy, shots_at, tac_left
from sandtable.games.underbelly.data import ALLIED
from sandtable.games.underbelly.drafts import together_allowed
from sandtable.games.underbelly.fog import hidden
from sandtable.games.underbelly.modifiers import BOMBERS, DIE, hit_tally
from sandtable.games.underbelly.odds import BattleOdds
from sandtable.games.underbelly.retreat import retreat_barred
from sandtable.games.underbelly.wording import SIDES, names, plain, unit_name, where
from sandtable.games.underbelly.zones import UNITS

State = m.UnderbellyState
_FIRE = (m.Barrage, m.DefensiveFire, m.OffensiveFire)
CONDUCT = (
    "Standard conduct: each shot at a unit it can eliminate, the strongest first; no break-off unless forced, "
    "no retreat, no TAC for the defender."
)
ENDINGS = {
    "broken off": "the attack is broken off",
    "retreat": "the defenders retreat",
    "cleared": "the hex is cleared",
    "held": "the defenders hold",
    "port": "the port is overrun",
}


# -- descriptions -------------------------------------------------------------------------


def _cells(state: State) -> tuple[str, ...]:
    return (state.battle.target,) if state.battle is not None else ()


def _shoot(state: State, side: str, action: a.Shoot) -> Description:
    verb = "fire" if action.unit == BOMBERS else "fires"
    text = f"{unit_name(action.unit)} {verb} at {unit_name(action.target)}"
    return Description(text, "fire", (action.unit,), _cells(state), (action.target,), "13.3")


def _restore(state: State, side: str, action: a.Restore) -> Description:
    text = f"Give a step back to {unit_name(action.unit)}"
    return Description(text, "battle", (action.unit,), _cells(state), rule="13.10")


def _retreat_to(state: State, side: str, action: a.RetreatTo) -> Description:
    who = unit_name(action.unit) if action.unit else "the whole force"
    pieces = (action.unit,) if action.unit else ()
    return Description(f"Retreat with {who} to {where(action.to)}", "retreat", pieces, (action.to,), rule="13.9")


def _advance(state: State, side: str, action: a.Advance) -> Description:
    if not action.units:
        return Description("Do not advance", "done", rule="13.8", key="n")
    return Description(f"Advance with {names(action.units)}", "advance", action.units, _cells(state), rule="13.8")


def _withhold(state: State, side: str, action: a.Withhold) -> Description:
    return Description(f"Withhold {unit_name(action.unit)}", "withhold", (action.unit,), rule="9.5")


def _assault(state: State, side: str, action: a.Assault) -> Description:
    return Description(f"Attack {where(action.target)}", "attack", (), (action.target,), rule="9.6")


# -- bars and refusals --------------------------------------------------------------------


def _shot_bar(state: State, side: str, action: a.Shoot) -> Bar | None:
    """Why a unit does not fire at another (13.3, 13.5)."""
    frame = state.stack[-1]
    assert isinstance(frame, _FIRE)
    if action in shots_at(state, frame):
        return None
    if action.target in UNITS and not UNITS[action.target].division:
        return "Corps support can only be fired at when no division is left", "13.5"
    return "This unit has no such shot", "13.3"


def _resolve_bar(state: State, side: str, action: a.Resolve) -> Bar | None:
    """Why the battle does not begin (6.5)."""
    frame = state.stack[-1]
    assert isinstance(frame, m.AttackDraft)
    if not together_allowed(state, frame.at, frame.units):
        return "US and British units may only attack together from a port or as the multi-national corps", "6.5"
    if not any(UNITS[u].division for u in frame.units):
        return "Corps support never attacks alone", "13.5"
    return None


def _refusals(state: State, side: str, frame: m.OffensiveFire) -> list[Refusal]:
    battle = the_battle(state)
    barred = retreat_barred(state, battle)
    return [Refusal("Retreat", *barred, battle.defenders, (battle.target,))] if barred else []


# -- odds ---------------------------------------------------------------------------------


def _preview_shot(state: State, side: str, action: a.Shoot) -> Preview:
    tally = hit_tally(state, the_battle(state), action.unit, action.target)
    chance = max(0, min(DIE, tally.total)) / DIE
    return Preview("Shot", (tally,), (OddsLine("hit", chance, action.target),))


def _preview_battle(state: State, side: str, action: a.Resolve) -> Preview:
    frame = state.stack[-1]
    assert isinstance(frame, m.AttackDraft)
    battle = deploy(state, frame)
    tallies = tuple(hit_tally(state, battle, unit) for unit in battle.attackers)
    if not battle.defenders:
        return Preview("Battle", (), (OddsLine("port supply marker destroyed", 1.0),))
    if side != ALLIED and any(hidden(state, u) for u in battle.defenders):
        note = "The Allied stack is hidden until the battle begins (6.9), so there are no odds."
        return Preview("Battle", tallies, (), (note,))
    odds = BattleOdds(state, battle)
    tallies += tuple(hit_tally(state, battle, unit) for unit in battle.defenders)
    lines = [OddsLine("hex cleared", float(odds.cleared()))]
    for label, attacker in (("attacker", True), ("defender", False)):
        for lost, p in odds.losses(attacker=attacker).items():
            lines.append(OddsLine(f"{label} loses {lost} {'step' if lost == 1 else 'steps'}", float(p)))
    return Preview("Battle", tallies, tuple(lines), (CONDUCT,))


# -- prompts and events -------------------------------------------------------------------


def _ask_tac(state: State, frame: m.DefenderTac) -> Bar:
    battle = the_battle(state)
    units = tac_left(state, battle.defender)
    return f"Commit a TAC unit to the defence of {describe_hex(battle.target)}? ({units} left)", "9.14"


def _shots_left(shots: tuple[tuple[str, int], ...]) -> str:
    number = sum(n for _, n in shots)
    return f"({number} {'shot' if number == 1 else 'shots'} left)"


def _ask_defensive(state: State, frame: m.DefensiveFire) -> Bar:
    return f"Defensive fire: choose who fires at whom {_shots_left(frame.shots)}", "13.2"


def _ask_offensive(state: State, frame: m.OffensiveFire) -> Bar:
    return f"Offensive fire: choose who fires at whom {_shots_left(frame.shots)}", "13.2"


def _deployed(state: State, event: e.Deployed) -> str:
    forces = f"{names(event.attackers)} against {names(event.defenders) if event.defenders else 'an empty hex'}"
    return f"Battle for {where(event.at)} from {where(event.origin)}: {forces}"


def _shot(state: State, event: e.Shot) -> str:
    roll = f"{event.die} against {event.need}"
    if not event.hit:
        return f"Miss ({roll})"
    if event.extra:
        return f"Extra hit ({roll}): no retreat from it"
    return f"Hit ({roll}): {unit_name(event.target)} {'is eliminated' if event.eliminated else 'loses a step'}"


PART: Part[State] = Part(
    describe={
        a.Withhold: _withhold,
        a.UseTac: plain("Commit a TAC unit", "air", "9.14", "t"),
        a.UseBombers: plain("Commit the heavy bombers", "air", "13.6", "b", cost=BOMBER_COST),
        a.Resolve: plain("Begin the battle", "begin", "13.2", "Enter"),
        a.Assault: _assault,
        a.Shoot: _shoot,
        a.CeaseFire: plain("Cease fire", "done", "13.10", "c"),
        a.BreakOff: plain("Break off the attack", "battle", "13.2", "b"),
        a.PressOn: plain("Press on", "battle", "13.2", "p"),
        a.Retreat: plain("Retreat", "battle", "13.9", "r"),
        a.Stand: plain("Hold the hex", "battle", "13.9", "h"),
        a.Restore: _restore,
        a.RetreatTo: _retreat_to,
        a.Advance: _advance,
    },
    why_not={**{(step, a.Shoot): _shot_bar for step in _FIRE}, (m.AttackDraft, a.Resolve): _resolve_bar},
    refusals={m.OffensiveFire: _refusals},
    preview={a.Shoot: _preview_shot, (m.AttackDraft, a.Resolve): _preview_battle},
    prompts={
        m.AttackChoice: lambda state, frame: ("Attack an adjacent hex?", "9.6"),
        m.AttackDraft: lambda state, frame: ("Withhold units, add air support, then begin the battle", "9.5"),
        m.DefenderTac: _ask_tac,
        m.Barrage: lambda state, frame: ("Preparatory barrage: choose a target", "13.2"),
        m.DefensiveFire: _ask_defensive,
        m.BreakOffChoice: lambda state, frame: ("Break off the attack?", "13.2"),
        m.OffensiveFire: _ask_offensive,
        m.RetreatChoice: lambda state, frame: ("Retreat, or hold the hex?", "13.2"),
        m.Restoring: lambda state, frame: ("Choose the unit that gets a step back", "13.10"),
        m.Retreating: lambda state, frame: ("Choose where to retreat", "13.9"),
        m.Advancing: lambda state, frame: ("Choose who advances", "13.8"),
    },
    words={
        e.Deployed: _deployed,
        e.Shot: _shot,
        e.Rubble: lambda state, event: f"{unit_name(event.target)} takes cover in the rubble",
        e.BattleEnded: lambda state, event: f"Battle for {where(event.at)}: {ENDINGS[event.how]}",
        e.StepRestored: lambda state, event: f"{unit_name(event.unit)} gets a step back",
        e.TacCommitted: lambda state, event: f"{SIDES[event.side]} commit TAC air to {where(event.at)}",
    },
)
