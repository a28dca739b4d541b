"""The Movement Phase of the regular: who goes where, by which way, and how (3.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sandtable.engine import Action
from sandtable.games.squad.movement.model import BeginMove, ExitMap, Step
from sandtable.games.squad.movement.switches import MovementRules
from sandtable.players.squad_men import Man
from sandtable.players.squad_route import EXIT, End, Route, half_mf, reach

if TYPE_CHECKING:
    from sandtable.players.squad_regular import Look, Regular

SAFE = 0.08
"""Fire along a way that is as good as none."""
EXIT_POINT = 1.6
"""What a squad that leaves the map for victory points is worth."""


class Choice(NamedTuple):
    """A move that was thought out."""

    gain: float
    route: Route
    party: tuple[str, ...]
    double: bool


def move(player: Regular, look: Look) -> Action | None:
    """Pick who moves, put the party together, and follow the way while it is worth it."""
    if "Stop" in look.by_kind:
        return _walk(player, look)
    if "BeginMove" in look.by_kind:
        return _muster(player, look)
    starts = {action.unit: action for action in look.all("StartMove")}
    if not starts:
        return None
    spent = _spent(look)
    if player.spent is None or (spent != player.spent and not player.herd):
        # whoever has fired is less to be feared: look at all again
        player.spent = spent
        player.order = _ranked(player, look, set(starts) - player.gone)
    while player.order:
        name = player.order.pop(0)
        if name not in starts or name in player.gone:
            continue
        choice = best_move(player, look, look.board.men[name], set(starts) - player.gone)
        if choice is None or choice.gain < look.value.habits.moving:
            if player.herd:
                player.gone.add(name)
            continue
        player.party, player.path, player.goal = choice.party, choice.route.path, choice.route.to
        player.assault, player.double = choice.route.assault, choice.double
        player.gone.update(choice.party)
        return starts[name]  # type: ignore[no-any-return]
    return look.first("EndPhase")


def _spent(look: Look) -> frozenset[str]:
    """The enemies who have fired or cannot fire."""
    return frozenset(man.id for men in look.board.foes.values() for man in men if man.fired or man.broken)


def _ranked(player: Regular, look: Look, free: set[str]) -> list[str]:
    """Who moves first: whose way is safe draws the fire off those whose way is not."""
    ranked = []
    for name in sorted(free):
        choice = best_move(player, look, look.board.men[name], free)
        if choice is not None:
            ranked.append((look.value.habits.caution * choice.route.risk - choice.gain, name))
    return [name for _, name in sorted(ranked)]


def best_move(player: Regular, look: Look, man: Man, free: set[str]) -> Choice | None:
    """The best move of a unit, with those who should go along."""
    value, board = look.value, look.board
    if any(arm.kind.gun for arm in man.arms) or man.hip or man.id in value.plan.guards:
        return None
    best: Choice | None = None
    for party in _parties(player, look, man, free):
        for double in (False, True):
            if double and (
                man.cx or not board.setting.rules.of(MovementRules).double_time or value.urgency(man.cell) < 1.2
            ):
                continue
            found = _best_route(look, party, double)
            if found is not None:
                gain, route = found
                if double:
                    gain -= 0.1
                if best is None or gain > best.gain + 0.001:
                    best = Choice(gain, route, tuple(other.id for other in party), double)
    return best


def _parties(player: Regular, look: Look, man: Man, free: set[str]) -> list[list[Man]]:
    board = look.board
    together = [
        other
        for other in board.men.values()
        if other.side == man.side and other.cell == man.cell and other.off == man.off and other.id in free
    ]
    if player.herd:
        mates = sorted([other for other in together if other.id != man.id], key=lambda other: other.kind.mmc)
        return [[man, *mates[: player.herd]]]
    found = [[man]]
    leaders = [other for other in together if other.kind.leads and other.id != man.id]
    if man.kind.mmc:
        broken = any(other.broken for other in board.own.get(man.cell, ()))
        if leaders and (not broken or man.off):
            found.append([man, leaders[0]])
            squads = [other for other in together if other.kind.mmc and other.id != man.id]
            if squads and look.value.fields.standing(man.cell) < SAFE:
                found.append([man, leaders[0], *squads[:2]])
    return found


def _best_route(look: Look, party: list[Man], double: bool) -> tuple[float, Route] | None:
    value, board = look.value, look.board
    man = party[0]
    allowed = half_mf(party, double=double)
    size = sum(value.plan.stake(other) for other in party)
    habits = value.habits
    mates = sum(other.kind.mmc for other in party)
    here = 0.0 if man.off else sum(value.stand(other, man.cell, man.cell, moved=False) for other in party)
    if man.off:
        # who does not come on in time is lost
        here = sum(-habits.pull * value.urgency(man.cell) * value.plan.far[man.cell] - 3.0 for _ in party)
    around = reach(board, value.fields, party, allowed, value.plan.exits)
    best: tuple[float, End] | None = None
    for end in around.ends:
        if end.to == EXIT:
            there = EXIT_POINT * len(party) + here
        else:
            there = sum([value.stand(other, end.to, man.cell, mates=mates) for other in party])
        gain = there - here - habits.risk * value.share * end.risk * size
        if best is None or gain > best[0]:
            best = (gain, end)
    return (best[0], around.route(best[1])) if best is not None else None


def _muster(player: Regular, look: Look) -> Action | None:
    for action in look.all("AddMover"):
        if action.unit in player.party:
            return action  # type: ignore[no-any-return]
    if player.double:
        for action in look.all("DoubleTime"):
            if action.unit in player.party:
                return action  # type: ignore[no-any-return]
    wanted = BeginMove(assault=player.assault)
    return wanted if wanted in look.by_kind["BeginMove"] else look.first("BeginMove")


def _walk(player: Regular, look: Look) -> Action | None:
    """Go on along the way; after fire look again whether the rest is worth it."""
    board, value = look.board, look.value
    stop = look.by_kind["Stop"][0]
    movers = [board.men[name] for name in look.seat.describe(stop).pieces if name in board.men]
    leaving = look.first("ExitMap")
    if isinstance(leaving, ExitMap):
        player.explanation = "leaves the map for victory points"
        return leaving
    if not movers or not player.path:
        return stop
    here = movers[0].cell
    path = player.path
    if not movers[0].off and here in path:
        path = path[path.index(here) + 1 :]
    if not path:
        return look.first("GoIn") or stop
    if not movers[0].off and player.goal != EXIT:
        ahead = sum(value.fields.moving(cell) for cell in path if cell != EXIT)
        size = sum(value.plan.stake(man) for man in movers)
        mates = sum(man.kind.mmc for man in movers)
        there = sum(value.stand(man, player.goal, here, mates=mates) for man in movers)
        stay = sum(value.stand(man, here, here) for man in movers)
        risk = value.habits.risk * value.share * min(ahead, 1.2) * size
        if there - stay < risk and not player.assault:
            player.explanation = f"stops in {board.ground.names[here]}: the way ahead draws too much fire"
            return stop
    steps = [action for action in look.all("Step") if isinstance(action, Step) and action.to == path[0]]
    if not steps:
        # who is in a work has to leave it first
        return look.first("ComeOut") or stop
    way = board.ground.way(here, path[0]) if not movers[0].off else None
    cheap = way is not None and way.road and way.road < way.cost
    steps.sort(key=lambda step: step.road != bool(cheap))
    if path == player.path or here == player.path[0]:
        player.explanation = f"moves towards {board.ground.names[player.path[-1]] if player.goal >= 0 else 'the edge'}"
    return steps[0]
