"""Fire of the regular: who fires at what with whom, what it gives up by it, and which shots are held (3.2 to 3.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sandtable.engine import Action
from sandtable.players.squad_danger import firepower, harm
from sandtable.players.squad_march import best_move
from sandtable.players.squad_men import Man

if TYPE_CHECKING:
    from sandtable.players.squad_regular import Look, Regular

FATES = {
    "eliminated": 1.3,
    "reduced and broken": 1.05,
    "wounded and broken": 0.9,
    "reduced": 0.6,
    "wounded": 0.4,
    "broken": 0.75,
    "breaks by its own hand": 0.75,
    "pinned": 0.2,
}
"""What becomes of an enemy, in shares of his loss."""
UNSEEN = "a result that shows concealed units", 0.6
"""How the odds call it that concealed units are hurt, and what that is worth."""
DRAFTS = 8
"""Attacks that are tried out in one window."""
LEAVE_HIDING = 0.45
"""What a hidden Gun must be promised to show itself."""
WIDER = 0.02
"""What Spraying Fire must promise more than the same fire at one Location (A9.5)."""
LEAST = {"Prep": 0.06, "Defensive": 0.02, "Advancing": 0.01}


def promise(look: Look, action: Action) -> float:
    """What an attack promises: the enemies it hurts, by what they are worth."""
    preview = look.seat.preview(action)
    if preview is None:
        return 0.0
    men = look.board.men
    total = 0.0
    for line in preview.odds:
        if not line.piece:
            total += UNSEEN[1] * line.chance if line.label.startswith(UNSEEN[0]) else 0.0
            continue
        man = men.get(line.piece)
        weight = FATES.get(line.label, 0.0)
        if man is None or not weight:
            continue
        value = weight * line.chance * _dear(look, man)
        total += value if man.side != look.seat.side else -1.2 * value
    return total


def _dear(look: Look, man: Man) -> float:
    """How much the loss of a unit hurts its side."""
    worth = max(man.size, 0.5) + 0.25 * len(man.arms)
    if man.broken:
        worth *= look.value.habits.prey
    if man.cell in look.value.plan.area and man.kind.mmc:
        worth *= 1.25
    return worth


def fire(player: Regular, look: Look) -> Action | None:
    """Pick a firer, aim where it promises most, take along who adds to it, and fire if it is worth it."""
    if "AimAt" in look.by_kind:
        return _aim(player, look)
    if "Shoot" in look.by_kind:
        return _shoot(player, look)
    if "ResolveFire" in look.by_kind:
        return _gather(player, look)
    if "CancelFire" in look.by_kind:
        player.leave(player.draft)
        return look.first("CancelFire")
    charge = look.first("SetOffCharge")
    if charge is not None:
        player.explanation = "sets off the Demolition Charge"
        return charge
    starts = [a for a in look.all("StartFire", "StartShot") if not set(_pieces(look, a)) & player.left]
    if not starts or (player.tried >= DRAFTS and "Pass" in look.by_kind):
        return None
    best = max(starts, key=lambda action: _guess(look, action))
    player.tried += 1
    player.draft = list(_pieces(look, best))
    return best  # type: ignore[no-any-return]


def _pieces(look: Look, action: Any) -> tuple[str, ...]:
    name: str = getattr(action, "firer", "") or getattr(action, "weapon", "")
    arm = look.board.arms.get(name)
    return (name, arm.owner) if arm is not None and type(action).__name__ == "StartShot" else (name,)


def _guess(look: Look, action: Any) -> float:
    """What a firer may do at best, to try the strongest first."""
    name: str = getattr(action, "firer", "") or getattr(action, "weapon", "")
    board, fields = look.board, look.value.fields
    arm = board.arms.get(name)
    man = board.men.get(arm.owner if arm is not None else name)
    if man is None:
        return 0.0
    target = look.view.get("focus", ())
    if target and "Pass" in look.by_kind:
        to = board.ground.index(target[0])
        drm = fields.drm(man.cell, to)
        return harm(int(firepower(man, board.ground.ranges[man.cell][to])), drm if drm is not None else 6)
    return fields.punch(man, man.cell)


def _aim(player: Regular, look: Look) -> Action | None:
    board = look.board
    if look.seat.preview(look.by_kind["AimAt"][0]) is None:
        targets = [action for action in look.all("AimAt") if board.ground.floor_of(action.at) in board.foes]
        if not targets:
            player.leave(player.draft)
            return look.first("CancelFire")
        return max(targets, key=lambda action: _target(player, look, action.at))  # type: ignore[no-any-return]
    best = max(look.by_kind["AimAt"], key=lambda action: promise(look, action))
    if promise(look, best) <= 0.0:
        player.leave(player.draft)
        return look.first("CancelFire") or best
    return best


def _target(player: Regular, look: Look, cell: int) -> float:
    """What a hex is worth as the target of ordnance: who is there, how well covered, acquired or not (6.10)."""
    board = look.board
    here = _drafted(player, look)
    drm = look.value.fields.drm(here, cell) if here >= 0 else 3
    men = sum(_dear(look, man) * (0.4 if man.broken else 1.0) for man in board.foes[board.ground.floor_of(cell)])
    arm = board.arms.get(player.draft[0]) if player.draft else None
    held = arm is not None and arm.acquired and cell == player.aimed
    return men * 0.75 ** max(drm if drm is not None else 5, 0) * (1.6 if held else 1.0)


def _shoot(player: Regular, look: Look) -> Action | None:
    best = max(look.by_kind["Shoot"], key=lambda action: promise(look, action))
    director = look.first("AddDirector")
    if director is not None and not look.by_kind.get("RemoveDirector"):
        return director
    return _decide(player, look, best)


def _gather(player: Regular, look: Look) -> Action | None:
    """Take along who adds more to this attack than he would do alone."""
    shot = look.by_kind["ResolveFire"][0]
    now = promise(look, shot)
    board, fields = look.board, look.value.fields
    best: tuple[float, Action] | None = None
    here = _drafted(player, look)
    for action in look.all("AddFirer"):
        other = _cell(look, action.firer)
        more = promise(look, action) - now
        if other != here:
            man = board.men.get(action.firer)
            more -= (fields.punch(man, man.cell) if man is not None else 0.3) + 0.03
        if more > 0.005 and (best is None or more > best[0]):
            best = (more, action)
    if best is not None:
        player.draft.append(best[1].firer)  # type: ignore[attr-defined]
        return best[1]
    for action in look.all("ThrowMolotov"):
        if promise(look, action) > now:
            return action  # type: ignore[no-any-return]
    if not look.by_kind.get("RemoveDirector"):
        for action in look.all("AddDirector"):
            if promise(look, action) > now + 0.004 + _called_away(player, look, action.leader):
                return action  # type: ignore[no-any-return]
    wider = max(look.all("SprayAt"), key=lambda action: promise(look, action), default=None)
    if wider is not None and promise(look, wider) > now + WIDER:
        return wider  # type: ignore[no-any-return]
    return _decide(player, look, shot)


def _called_away(player: Regular, look: Look, name: str) -> float:
    """What a leader would gain by a move of his own, which he gives up by directing Prep Fire."""
    if not look.view["phase"].startswith("Prep"):
        return 0.0
    choice = best_move(player, look, look.board.men[name], {name})
    return max(choice.gain, 0.0) if choice is not None else 0.0


def _drafted(player: Regular, look: Look) -> int:
    """The hex of the first who fires; none is remembered by a player who takes over in the middle."""
    return _cell(look, player.draft[0]) if player.draft else -1


def _cell(look: Look, name: str) -> int:
    man, arm = look.board.men.get(name), look.board.arms.get(name)
    return man.cell if man is not None else arm.cell if arm is not None else -1


def _decide(player: Regular, look: Look, shot: Action) -> Action | None:
    value = promise(look, shot)
    least, why = _least(player, look)
    player.leave(player.draft)
    cancel = look.first("CancelFire")
    if type(shot).__name__ == "Shoot":
        cells = look.seat.describe(shot).cells
        player.aimed = look.board.ground.index(cells[0]) if cells else -1
    if value >= least or cancel is None:
        player.explanation = f"{look.seat.describe(shot).text}: {_words(look, shot)}"
        return shot
    player.explanation = why
    return cancel


def _words(look: Look, shot: Action) -> str:
    preview = look.seat.preview(shot)
    odds = preview.odds if preview is not None else ()
    chance = next((line.chance for line in odds if line.label.startswith("somebody")), None)
    if chance is None:
        chance = odds[0].chance if odds else 0.0
        return f"{chance:.0%} to hit"
    return f"{chance:.0%} to hurt somebody"


def _least(player: Regular, look: Look) -> tuple[float, str]:
    """What a shot must promise to be fired now, and why it is held otherwise."""
    board = look.board
    phase = look.view["phase"]
    firers = [board.men[name] for name in player.draft if name in board.men]
    firers += [
        board.men[board.arms[name].owner]
        for name in player.draft
        if name in board.arms and board.arms[name].owner in board.men
    ]
    if board.active != board.side and phase.startswith("Movement"):
        if any(man.hip for man in firers):
            return LEAVE_HIDING, "keeps hidden for a better shot"
        return look.value.habits.hold, "holds its fire for a better target"
    least = next((value for name, value in LEAST.items() if phase.startswith(name)), 0.03)
    if phase.startswith("Prep"):
        if any(man.hip for man in firers):
            return LEAVE_HIDING, "keeps hidden for a better shot"
        free = {man.id for man in board.men.values() if man.side == board.side and not man.fired}
        habits = look.value.habits
        prep = max(habits.prep, habits.rush) if look.value.plan.last else habits.prep
        for man in {man.id: man for man in firers}.values():
            choice = best_move(player, look, man, free) if man.kind.mmc else None
            if choice is not None and choice.gain > habits.moving:
                least += prep * choice.gain
        return least, "would rather move"
    return least, "saves its breath"
