"""Advance and close combat of the regular: into cover, towards the goal, into the enemy only at odds (3.7, 3.8)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from sandtable.engine import Action
from sandtable.engine.odds import TWO_DICE
from sandtable.games.squad.cards.tables import CCT
from sandtable.players.squad_men import Man
from sandtable.players.squad_route import FULL

if TYPE_CHECKING:
    from sandtable.players.squad_regular import Look, Regular
    from sandtable.players.squad_value import Value

GAIN = 0.05
"""What an advance must gain."""


def strength(men: Sequence[Man], *, attacking: bool = True) -> float:
    """CC FP of a stack; broken units do not attack, pinned ones at half (3.8)."""
    total = 0.0
    for man in men:
        if man.broken and attacking:
            continue
        fp = float(max(man.kind.fp, 1))
        total += fp / 2 if man.pinned and attacking else fp
    return total


@cache
def kills(attack: float, defence: float, drm: int = 0) -> float:
    """The chance that a CC attack eliminates its targets, half a casualty counted half (3.8)."""
    if attack <= 0:
        return 0.0
    number = CCT.kill_number(attack, defence) - drm
    return sum(chance * (1.0 if roll < number else 0.5 if roll == number else 0.0) for roll, chance in TWO_DICE)


def exchange(own: Sequence[Man], foes: Sequence[Man]) -> float:
    """What close combat promises in squads: enemies killed less own losses."""
    leader = min((man.kind.leadership for man in own if man.kind.leads), default=0)
    broken = all(man.broken for man in foes)
    win = kills(strength(own), strength(foes, attacking=False), leader - (2 if broken else 0))
    lose = kills(strength(foes), strength(own, attacking=False))
    if broken:
        lose = 0.0
    prize = sum(max(man.size, 0.4) for man in foes)
    stake = sum(max(man.size, 0.4) for man in own)
    return win * prize - 1.1 * lose * stake


def combat_value(value: Value, own: Sequence[Man], foes: Sequence[Man]) -> float:
    """The same under the plan of the side."""
    total = exchange(own, foes)
    plan = value.plan
    if plan.attacking and foes and foes[0].cell in plan.goals:
        # who is held in Melee is no longer in Good Order, and the last turns ask for it
        total += value.habits.melee + 0.9 * plan.haste
    return total


def advance(player: Regular, look: Look) -> Action | None:
    """Advance where the hex is better, together if the enemy is there."""
    if "AdvanceTo" in look.by_kind:
        return _go(player, look)
    starts = [action for action in look.all("StartAdvance") if action.unit not in player.left]
    sheltering = _into_works(look)
    if sheltering is not None:
        return sheltering
    if not starts:
        return None
    board = look.board
    for action in starts:
        man = board.men[action.unit]
        player.leave([man.id])
        plan = best_advance(look, man)
        if plan is None:
            continue
        gain, to, party = plan
        if gain > GAIN:
            player.goal, player.party, player.draft = to, party, [man.id]
            player.leave(party)
            return action  # type: ignore[no-any-return]
    return None


def _into_works(look: Look) -> Action | None:
    """Into a pillbox or entrenchment of a hex that counts: some are only held from within."""
    for action in look.all("AdvanceIn"):
        man = look.board.men.get(action.unit)
        if man is not None and man.kind.mmc and man.cell in look.value.plan.area:
            return action  # type: ignore[no-any-return]
    return None


def best_advance(look: Look, man: Man) -> tuple[float, int, tuple[str, ...]] | None:
    """The best hex to advance into and who goes along."""
    value, board = look.value, look.board
    if any(arm.kind.gun for arm in man.arms) or man.id in value.plan.guards:
        return None
    near = board.ground.near[man.cell] if not man.off else (man.cell,)
    here = -9.0 if man.off else value.stand(man, man.cell, man.cell, moved=False)
    mates = [
        other
        for other in board.own.get(man.cell, ())
        if other.id != man.id
        and other.good
        and not other.pinned
        and not any(arm.kind.gun for arm in other.arms)
        and not value.plan.spared(other)
    ]
    best: tuple[float, int, tuple[str, ...]] | None = None
    for to in near:
        foes = board.foes.get(to)
        if foes:
            if man.off or value.plan.spared(man):
                continue
            for party in ([man], [man, *mates]):
                if not _fits(look, party, to):
                    continue
                inside = [other for other in board.own.get(to, ()) if not other.broken]
                gain = combat_value(value, [*party, *inside], foes)
                gain -= sum(0.15 for _ in party)
                if best is None or gain > best[0]:
                    best = (gain, to, tuple(other.id for other in party))
        else:
            party = [man]
            leaders = [other for other in mates if other.kind.leads]
            if man.kind.mmc and leaders and len([other for other in mates if other.kind.mmc]) == 0:
                party = [man, *leaders]
            if not _fits(look, party, to):
                continue
            gain = value.stand(man, to, man.cell, moved=False) - here
            if best is None or gain > best[0]:
                best = (gain, to, tuple(other.id for other in party))
    return best


def _fits(look: Look, party: Sequence[Man], to: int) -> bool:
    """Within the stacking limit, which some rules check only when it is too late (3.3, G17)."""
    present = look.board.own.get(to, ())
    return bool(sum(man.kind.size for man in (*present, *party)) <= FULL)


def _go(player: Regular, look: Look) -> Action | None:
    for action in look.all("AddAdvancer"):
        if action.unit in player.party:
            return action  # type: ignore[no-any-return]
    for action in look.all("AdvanceTo"):
        if action.to == player.goal:
            foes = look.board.foes.get(action.to)
            where = look.board.ground.names[action.to]
            player.explanation = f"advances into close combat in {where}" if foes else f"advances to {where}"
            return action  # type: ignore[no-any-return]
    return look.first("CancelAdvance") or look.first("AdvanceTo")


DOOMED, WORTH_IT = 0.15, 0.05
"""Who survives a Melee less often than the first withdraws, if that saves him more often, by the second at least."""


def survival(own: Sequence[Man], foes: Sequence[Man]) -> float:
    """The chance to see the end of a Melee that is fought until one side is gone (3.8)."""
    leader = min((man.kind.leadership for man in own if man.kind.leads), default=0)
    win = kills(strength(own), strength(foes, attacking=False), leader)
    lose = kills(strength(foes), strength(own, attacking=False))
    decided = win + lose - win * lose
    return win * (1 - lose) / decided if decided else 1.0


def withdraw(player: Regular, look: Look) -> Action | None:
    """Leave a Melee that is as good as lost, where the way out is better (A11.2)."""
    for action in look.all("Withdraw"):
        staying = _staying(look, action.unit)
        leaving = look.success(action)
        if staying < DOOMED and leaving > staying + WORTH_IT:
            player.explanation = f"withdraws: {leaving:.0%} to get away, {staying:.0%} to survive the Melee"
            return action  # type: ignore[no-any-return]
    if "Withdraw" in look.by_kind or "StayInMelee" in look.by_kind:
        return look.first("Done")
    return _leave(look) if "LeaveTo" in look.by_kind else None


def _staying(look: Look, name: str) -> float:
    """The chance of a unit to survive the Melee that it is in."""
    board = look.board
    man = board.men.get(name)
    return 1.0 if man is None else survival(board.own.get(man.cell, ()), board.foes.get(man.cell, ()))


def _leave(look: Look) -> Action | None:
    """Stay where one may and need not flee; else go where the unit stands best and nobody lies in wait (A11.21)."""
    ways = look.all("LeaveTo")
    if "StayAndFight" in look.by_kind and _staying(look, ways[0].unit) >= DOOMED:
        return look.first("StayAndFight")
    board = look.board

    def worth(action: Any) -> tuple[bool, float]:
        man = board.men[action.unit]
        return (not look.seat.describe(action).notes, look.value.stand(man, action.to, man.cell, moved=False))

    best: Action = max(ways, key=worth)
    return best


def close_combat(player: Regular, look: Look) -> Action | None:
    """Fight it out, everybody against everybody, or get away."""
    leaving = withdraw(player, look)
    if leaving is not None:
        return leaving
    if "StackOn" in look.by_kind:
        return look.first("Done", "StackOn")
    return look.first("PickCombat", "AttackAll", "DeclareAttack", "JoinAttack", "AttackUnit")
