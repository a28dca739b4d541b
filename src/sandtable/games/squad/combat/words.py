"""Close combat in words: what may be declared, with which chances, what happened, and why not (3.8)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandtable.engine.odds import sum_of_dice
from sandtable.engine.view import Description, OddsLine, Preview, Refusal
from sandtable.games.squad.combat import strengths
from sandtable.games.squad.combat.fighting import assault, attack_of_all, free_blocks, joinable, stack_actions
from sandtable.games.squad.combat.model import (
    Ambushed,
    AttackAll,
    AttackDeclared,
    AttackUnit,
    ClearAttack,
    CloseCombatPhase,
    Combat,
    CombatAttack,
    CombatBegan,
    CombatResolved,
    DeclareAttack,
    JoinAttack,
    MeleeBegan,
    PickCombat,
    StackOn,
)
from sandtable.games.squad.combat.strengths import Assault
from sandtable.games.squad.effects.promotion import best_base
from sandtable.games.squad.effects.switches import EffectRules
from sandtable.games.squad.ground.doors import part_bar
from sandtable.games.squad.ground.knowledge import known_to
from sandtable.games.squad.ground.names import names, short
from sandtable.games.squad.ground.setting import other_side, rules_of, setting_of
from sandtable.games.squad.ground.stacks import name_of, units_at
from sandtable.games.squad.movement.model import DropWeapon
from sandtable.games.squad.movement.refused import drop_bar
from sandtable.games.squad.part import ALL, Part
from sandtable.games.squad.phases.model import Done
from sandtable.games.squad.pieces.events import MeleeEnded
from sandtable.games.squad.pieces.model import SquadState


def _frame(state: SquadState) -> Combat:
    frame = state.stack[-1]
    assert isinstance(frame, Combat)
    return frame


def _here(state: SquadState) -> tuple[str, ...]:
    return (name_of(state, _frame(state).at),)


def _group(state: SquadState, side: str, base: str) -> str:
    """A group in words: a MMC with the leaders on it."""
    frame = _frame(state)
    block = strengths.blocks_of(state, frame.at, side, frame.pairs).get(base)
    return names(state, [unit.id for unit in block.units]) if block is not None else short(state, base)


# -- descriptions -----------------------------------------------------------------------


def _pick(state: SquadState, side: str, action: PickCombat) -> Description:
    where = name_of(state, action.at)
    units = tuple(unit.id for unit in units_at(state, action.at) if known_to(state, side, unit) == ALL)
    return Description(f"Fight the close combat in {where} next", "combat", units, (where,), rule="3.8")


def _stack_on(state: SquadState, side: str, action: StackOn) -> Description:
    who = short(state, action.leader)
    text = f"{who} is stacked on {short(state, action.unit)}" if action.unit else f"{who} fights alone"
    targets = (action.unit,) if action.unit else ()
    return Description(text, "combat", (action.leader,), _here(state), targets, "3.8")


def _join(state: SquadState, side: str, action: JoinAttack) -> Description:
    who = _group(state, side, action.unit)
    text = f"{who} {'attack' if ', ' in who else 'attacks'}"
    return Description(text, "combat", (action.unit,), _here(state), rule="3.8")


def _attack(state: SquadState, side: str, action: AttackUnit) -> Description:
    text = f"Attack {_group(state, other_side(state, side), action.unit)}"
    return Description(text, "combat", (), _here(state), (action.unit,), "3.8")


def _declare(state: SquadState, side: str, action: DeclareAttack) -> Description:
    frame = _frame(state)
    figures = assault(state, frame, CombatAttack(side, frame.units, frame.targets))
    text = f"Declare this attack at {figures.odds}"
    return Description(text, "combat", frame.units, _here(state), frame.targets, "3.8", key="Enter")


def _all(state: SquadState, side: str, action: AttackAll) -> Description:
    attack = attack_of_all(state, _frame(state))
    figures = assault(state, _frame(state), attack)
    text = f"All attack all at {figures.odds}"
    return Description(text, "combat", attack.units, _here(state), attack.targets, "3.8")


# -- previews ---------------------------------------------------------------------------


def attack_preview(state: SquadState, figures: Assault) -> Preview:
    """Firepower, modifiers and exact chances of a CC attack (3.8)."""
    drm = int(figures.drm.total)
    chances = {"eliminated": 0.0, "reduced": 0.0, "none": 0.0}
    for dr, chance in sum_of_dice(2).items():
        chances[strengths.result_of(figures.kill, dr + drm)] += float(chance)
    several = len(figures.targets) > 1
    labels = {
        "eliminated": "all eliminated" if several else "eliminated",
        "reduced": "Casualty Reduction of one" if several else "Casualty Reduction",
        "none": "no effect",
    }
    odds = tuple(OddsLine(labels[key], chance) for key, chance in chances.items() if chance)
    notes = [f"Odds {figures.odds}, kill number {figures.kill}"]
    if rules_of(state).of(EffectRules).field_promotion and best_base(state, figures.attackers) is not None:
        notes.append("An original 2 may create a leader (5.3)")
    return Preview(
        f"Close combat at {figures.odds}", (figures.attack, figures.defence, figures.drm), odds, tuple(notes)
    )


def _preview(state: SquadState, side: str, units: Iterable[str], targets: Iterable[str]) -> Preview | None:
    attack = CombatAttack(side, tuple(units), tuple(targets))
    if not attack.units or not attack.targets:
        return None
    return attack_preview(state, assault(state, _frame(state), attack))


def _preview_join(state: SquadState, side: str, action: JoinAttack) -> Preview | None:
    frame = _frame(state)
    return _preview(state, side, (*frame.units, action.unit), frame.targets)


def _preview_target(state: SquadState, side: str, action: AttackUnit) -> Preview | None:
    frame = _frame(state)
    return _preview(state, side, frame.units, (*frame.targets, action.unit))


def _preview_all(state: SquadState, side: str, action: AttackAll) -> Preview | None:
    attack = attack_of_all(state, _frame(state))
    return _preview(state, side, attack.units, attack.targets)


# -- why not ----------------------------------------------------------------------------


def _join_bar(state: SquadState, side: str, action: JoinAttack) -> tuple[str, str] | None:
    frame, unit = state.stack[-1], state.units.get(action.unit)
    if not isinstance(frame, Combat) or unit is None or unit.at != frame.at:
        return None
    if unit.side != side:
        return ("It is an enemy: attack it instead", "3.8")
    if unit.broken:
        return ("Only unbroken units attack; broken ones only defend", "3.8")
    if "combat" in setting_of(state).points.barred and (bar := part_bar(state, "combat", unit)) is not None:
        return bar
    if action.unit in dict(frame.pairs):
        return (f"He attacks with {short(state, dict(frame.pairs)[action.unit])}, on which he is stacked", "3.8")
    own = free_blocks(state, frame)[0]
    if action.unit in joinable(state, own, frame.units) and action.unit not in frame.units:
        return None
    if action.unit in own and action.unit not in frame.units:
        return ("A leader who stands alone does not join the attack of a MMC: stack him on it first", "3.8")
    return ("No unit attacks more than once in a Close Combat Phase: pick one that has not", "3.8")


def _drop_bar(state: SquadState, side: str, action: DropWeapon) -> tuple[str, str] | None:
    """Why a weapon may not be dropped before a close combat (G33)."""
    frame = state.stack[-1]
    if isinstance(frame, Combat) and frame.step == "stack" and action in stack_actions(state, frame):
        return None
    return drop_bar(state, side, action)


def _target_bar(state: SquadState, side: str, action: AttackUnit) -> tuple[str, str] | None:
    frame, unit = state.stack[-1], state.units.get(action.unit)
    if not isinstance(frame, Combat) or unit is None or unit.side == side:
        return None
    if unit.at != frame.at:
        return ("Only units of the same hex are attacked: pick one of them", "3.8")
    if action.unit in dict(frame.pairs):
        return (f"He defends with {short(state, dict(frame.pairs)[action.unit])}, on which he is stacked", "3.8")
    if action.unit in free_blocks(state, frame)[1] and action.unit not in frame.targets:
        return None
    return ("No unit is attacked more than once in a Close Combat Phase: pick one that is not", "3.8")


def _refusals(state: SquadState, side: str, frame: Combat) -> Sequence[Refusal]:
    if frame.step != "declare":
        return []
    own, foes = free_blocks(state, frame)
    found = []
    for unit in units_at(state, frame.at):
        if unit.id in own or unit.id in foes:
            continue
        if unit.side == side:
            bar, text = _join_bar(state, side, JoinAttack(unit.id)), f"{short(state, unit)} attacks"
        else:
            bar, text = _target_bar(state, side, AttackUnit(unit.id)), f"Attack {short(state, unit)}"
        if bar is not None:
            found.append(Refusal(text, bar[0], bar[1], (unit.id,), (name_of(state, frame.at),)))
    return found


# -- events -----------------------------------------------------------------------------


def _ambushed(state: SquadState, event: Ambushed) -> str:
    who = f"The {setting_of(state).titles[event.side]} side ambushes its enemy" if event.side else "No ambush"
    return f"{who} in {event.at}"


def _declared(state: SquadState, event: AttackDeclared) -> str:
    attack = "attacks" if len(event.units) == 1 else "attack"
    return f"{names(state, event.units)} {attack} {names(state, event.targets)} in {event.at} at {event.odds}"


def _resolved(state: SquadState, event: CombatResolved) -> str:
    results = {"eliminated": "all eliminated", "reduced": "Casualty Reduction", "none": "no effect"}
    targets = names(state, event.targets) or "enemies who have left"
    against = f"{names(state, event.units)} against {targets}"
    return f"{against} at {event.odds}: final DR {event.dr}, kill number {event.kill}: {results[event.result]}"


def _prompt(state: SquadState, frame: Combat) -> tuple[str, str]:
    where = name_of(state, frame.at)
    if frame.step == "stack":
        return f"Stack the leaders in {where} on the units with which they will fight", "3.8"
    return f"Declare your attacks in {where}", "3.8"


def _done(state: SquadState, side: str, action: Done) -> Description:
    frame = state.stack[-1]
    assert isinstance(frame, Combat)
    text = "The leaders stay as they are" if frame.step == "stack" else "No more attacks"
    return Description(text, "done", cells=(name_of(state, frame.at),), rule="3.8", key="Enter")


PART = Part(
    describe={
        (Combat, Done): _done,
        PickCombat: _pick,
        StackOn: _stack_on,
        JoinAttack: _join,
        AttackUnit: _attack,
        DeclareAttack: _declare,
        AttackAll: _all,
        ClearAttack: lambda state, side, action: Description("Start this attack again", "cancel", key="Escape"),
    },
    preview={
        JoinAttack: _preview_join,
        AttackUnit: _preview_target,
        DeclareAttack: lambda state, side, action: _preview(state, side, _frame(state).units, _frame(state).targets),
        AttackAll: _preview_all,
    },
    why_not={JoinAttack: _join_bar, AttackUnit: _target_bar, (Combat, DropWeapon): _drop_bar},
    refusals={Combat: _refusals},
    prompts={
        CloseCombatPhase: lambda state, frame: ("Pick the next close combat", "3.8"),
        Combat: _prompt,
    },
    words={
        CombatBegan: lambda state, event: f"Close combat in {event.at}",
        Ambushed: _ambushed,
        AttackDeclared: _declared,
        CombatResolved: _resolved,
        MeleeBegan: lambda state, event: f"Melee in {event.at}",
        MeleeEnded: lambda state, event: f"The Melee in {event.at} is over",
    },
)
