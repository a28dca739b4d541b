"""The part itself: what Heat of Battle brings to a game (A15)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.engine import Play
from sandtable.engine.part import Bar
from sandtable.games.asl.heat import berserk, rules
from sandtable.games.asl.heat.model import (
    BERSERK,
    FIGHTING,
    HEROIC,
    BecameHeroic,
    Calmed,
    Charged,
    Charges,
    Hardened,
    HeatRolled,
    HeroAppeared,
    WentBerserk,
)
from sandtable.games.asl.heat.who import heroic
from sandtable.games.squad.effects.morale import casualty_reduce, leadership
from sandtable.games.squad.effects.verdicts import Verdict
from sandtable.games.squad.fire.firepower import is_flamethrower
from sandtable.games.squad.fire.model import FireAttack
from sandtable.games.squad.ground.names import called, names, short, verb
from sandtable.games.squad.ground.setting import Setting, setting_of, unit_kind, weapon_kind
from sandtable.games.squad.ground.stacks import units_at, update
from sandtable.games.squad.part import Item, Look, MarkKind, Part
from sandtable.games.squad.pieces.model import SquadState, Unit, Weapon
from sandtable.games.squad.show.marker_faces import tag

HEROIC_DRM = -1
TRIPLE = 3
NOT_BREAKING = Verdict(True)


# -- checks ---------------------------------------------------------------------------------


def judge(setting: Setting, unit: Unit, original: int, verdict: Verdict) -> Verdict:
    """Heroes and berserk units neither break nor are pinned: they lose men or are wounded instead (A15.2, A15.42)."""
    kind = setting.kinds[unit.group, unit.kind]
    if verdict.eliminated or not (BERSERK in unit.marks or heroic(kind, unit)):
        return verdict
    if verdict.broken or verdict.reduced:
        return Verdict(False, reduced=True, grave=original == 12 and kind.smc)
    return NOT_BREAKING if verdict.pinned else verdict


def _steadfast(state: SquadState, unit: Unit) -> bool:
    return BERSERK in unit.marks or heroic(unit_kind(state, unit), unit)


def _instead_of_breaking(play: Play[SquadState], unit: Unit, why: str) -> bool:
    """Whatever else would break them costs them men (A7.301, A14.3)."""
    if not _steadfast(play.state, unit):
        return False
    casualty_reduce(play, unit, why)
    return True


def _wounded(play: Play[SquadState], unit: Unit, why: str) -> None:
    """A wound does not lower the morale of a berserk leader (A15.42)."""
    if BERSERK in unit.marks and not unit.wounded:
        update(play, play.state.units[unit.id], lifted=unit.lifted + 1)


def _not_pinned(play: Play[SquadState], unit: Unit, why: str) -> bool:
    return _steadfast(play.state, unit)


# -- heroic DRM --------------------------------------------------------------------------


def fire_items(state: SquadState, attack: FireAttack, unit: Unit | None) -> list[Item]:
    """Each hero helps the attack that he joins at normal range; alone with a machine gun he has +1 (A15.23, A15.24)."""
    if is_flamethrower(state, attack):
        return []
    setting = setting_of(state)
    items: list[Item] = []
    guns: dict[str, list[Weapon]] = {}
    for name in attack.weapons:
        guns.setdefault(state.weapons[name].owner, []).append(state.weapons[name])
    for name in dict.fromkeys([*attack.units, *guns]):
        man = state.units[name]
        kind = setting.kinds[man.group, man.kind]
        if not kind.smc or not heroic(kind, man):
            continue
        reach = max(
            [kind.range if name in attack.units else 0, *[weapon_kind(gun).range for gun in guns.get(name, ())]]
        )
        if setting.ground.ranges[man.at][attack.target] <= reach:
            items.append((f"hero {short(state, man)}", HEROIC_DRM, "A15.24"))
        if kind.fires and guns.get(name):
            items.append(("one man serves a machine gun", 1, "A15.23"))
    leaders = [state.units[name] for name in attack.leaders]
    if leaders:
        worst = max(leaders, key=lambda leader: leadership(state, leader))
        if HEROIC in worst.marks and leadership(state, worst) > HEROIC_DRM:
            items.append(("heroic leader", HEROIC_DRM - leadership(state, worst), "A15.22"))
    return items


def to_hit_items(state: SquadState, shot: Any, unit: Unit | None) -> list[Item]:
    """A hero who fires a weapon (A15.23)."""
    owner = state.units.get(state.weapons[shot.weapon].owner)
    if owner is None or not heroic(unit_kind(state, owner), owner):
        return []
    return [("hero", HEROIC_DRM, "A15.23")]


def combat_items(state: SquadState, attackers: Sequence[Unit], targets: Sequence[Unit]) -> list[Item]:
    """Each hero of a CC attack; a heroic leader uses his leadership where that is as good (A15.24)."""
    items: list[Item] = []
    troops = any([unit_kind(state, unit).mmc for unit in attackers])
    for unit in attackers:
        kind = unit_kind(state, unit)
        if not kind.smc or not heroic(kind, unit):
            continue
        directs = kind.leads and troops and leadership(state, unit) < 0
        if not directs:
            items.append((f"hero {short(state, unit)}", HEROIC_DRM, "A15.24"))
    return items


def ambush_items(state: SquadState, cell: int, side: str) -> list[Item]:
    """Berserk units are ambushed more easily (A11.4)."""
    fury = any([BERSERK in unit.marks for unit in units_at(state, cell, side)])
    return [("berserk", 1, "A11.4")] if fury else []


def factors(state: SquadState, unit: Unit, weapon: Weapon | None, target: int, mode: str) -> list[Item]:
    """Fire within a Location is tripled (A7.21)."""
    return [("Triple Point Blank Fire", TRIPLE, "A7.21")] if unit.at == target else []


def fire_bar(state: SquadState, unit: Unit, weapon: Weapon | None, mode: str) -> Bar | None:
    """Berserk units do not Prep Fire (A15.432)."""
    if mode == "prep" and BERSERK in unit.marks:
        return "It is berserk: it charges in the Movement Phase and does not Prep Fire", "A15.432"
    return None


# -- words ----------------------------------------------------------------------------------


def _rolled(state: SquadState, event: HeatRolled) -> str:
    return f"Heat of Battle of {short(state, event.unit)} in {event.at}, final DR {event.dr}: {event.result} (A15.1)"


def _hero(state: SquadState, event: HeroAppeared) -> str:
    return f"A hero steps forward from {short(state, event.unit)} in {event.at} (A15.21)"


def _hardened(state: SquadState, event: Hardened) -> str:
    was, now = called(event.was, event.unit), called(event.now, event.unit)
    if was == now:
        return f'Battle Hardening in {event.at} under the "?" (A15.3)'
    return f"Battle Hardening in {event.at}: {was} becomes {now} (A15.3)"


def _charged(state: SquadState, event: Charged) -> str:
    charge = verb(event.units, "charges", "charge")
    return f"Berserk {names(state, event.units)} in {event.at} {charge} the enemy in {event.target} (A15.43)"


PART = Part(
    fields=(FIGHTING,),
    marks=(
        MarkKind(name=HEROIC, rule="A15.22"),
        MarkKind(
            name=BERSERK,
            bars=("move", "advance", "rally", "lead", "led", "direct", "cower"),
            why="It is berserk: it charges by itself at the start of its Movement Phase",
            rule="A15.43",
        ),
    ),
    faces={
        f"marker/{HEROIC}": Look(
            tag("Hero", "#3a2a00", "#f0c419"), "Heroic", "Never breaks or is pinned; -1 DRM", "A15.22"
        ),
        f"marker/{BERSERK}": Look(
            tag("Berserk", "#ffffff", "#b3131b"), "Berserk", "Morale 10; charges the nearest enemy in sight", "A15.4"
        ),
    },
    settled=rules.called,
    judges=judge,
    before={"break": _instead_of_breaking, "pin": _not_pinned},
    after={"wound": _wounded},
    begins={"MPh": berserk.begin, "CCPh": berserk.note_fights},
    ends={"CCPh": berserk.end_fights},
    procedures={Charges: berserk.Charging()},
    factors=factors,
    bars={"fire": fire_bar},
    lines={"fire": fire_items, "to hit": to_hit_items, "combat": combat_items, "ambush": ambush_items},
    words={
        HeatRolled: _rolled,
        HeroAppeared: _hero,
        BecameHeroic: lambda state, event: f"{short(state, event.unit)} in {event.at} becomes heroic (A15.22)",
        Hardened: _hardened,
        WentBerserk: lambda state, event: f"{short(state, event.unit)} in {event.at} goes berserk (A15.4)",
        Calmed: lambda state, event: f"{short(state, event.unit)} in {event.at} is no longer berserk (A15.46)",
        Charged: _charged,
    },
)
