"""The recruit of the squad-level games: simple, sound and instant."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from sandtable.engine import Action, Seat
from sandtable.games.squad.movement.model import BeginMove, ExitMap, Pass, PlaceCharge, Step, Stop
from sandtable.games.squad.phases.model import EndPhase
from sandtable.players.squad_habits import BEGINNER
from sandtable.players.squad_regular import Regular
from sandtable.players.squad_table import FAR, Table, distances, setting_of

PREP_FIRE_WORTH = 0.4
"""The chance of harm for which an attacker gives up moving."""
HOLD_WORTH = {"Prep Fire": 0.12, "Defensive Fire": 0.03, "Advancing Fire": 0.02}
REACTION_WORTH = {True: 0.16, False: 0.03}
"""The chance of harm for which an attacker, and a defender, fires at a moving enemy; a defender who is a beginner does
not wait for a better target."""
FIRST_FIRE = "marker/first-fire"
DRAFTS = 6
"""Fire groups that are tried out in one window."""
STACK = 3
PACE = 4
"""Half MF that a unit covers in a turn without trouble."""


class Marcher(Regular):
    """How a recruit goes a long way: by planned ways, in whole stacks."""

    attack = breakout = defence = blocking = BEGINNER._replace(risk=1.3, caution=3.0)
    herd = 3


class Recruit:
    """Goes for the objectives by covered ways, shoots where the odds are good, rallies and holds."""

    marcher: type[Regular] = Marcher

    def __init__(self) -> None:
        self.explanation = ""
        self._version = -2
        self._phase = ""
        self._skipped: set[str] = set()
        """Pieces that were looked at in this phase or window and left alone."""
        self._draft: list[str] = []
        self._visited: set[int] = set()
        self._tried = 0
        self._marcher: Regular = self.marcher()
        """Finds the ways where there is far to go; all else is the recruit's own."""

    def fork(self) -> Recruit:
        """A player with the same memory that goes its own way."""
        twin = type(self)()
        twin.__dict__.update(self.__dict__)
        twin._skipped, twin._draft, twin._visited = set(self._skipped), list(self._draft), set(self._visited)
        twin._marcher = self._marcher.fork()
        return twin

    def choose(self, seat: Seat, source: random.Random) -> Action:
        """The first fitting habit decides."""
        actions = seat.actions().all
        self.explanation = ""
        if len(actions) == 1:
            only: Action = actions[0]
            self._version = seat.version
            return only
        view = seat.view()
        phase = f"{view['turn']} {view['phase']} {view['active']}"
        if phase != self._phase or (seat.version > self._version + 1 and view["active"] != seat.side):
            self._phase, self._skipped, self._tried = phase, set(), 0
        self._version = seat.version
        by_kind: dict[str, list[Action]] = {}
        for action in actions:
            by_kind.setdefault(type(action).__name__, []).append(action)
        look = _Look(seat, view, by_kind, self)
        if view["active"] == seat.side and view["phase"].startswith(("Movement", "Advance Ph")) and look.table.marching:
            step = self._marcher.choose(seat, source)
            self.explanation = self._marcher.explanation
            return step
        for habit in HABITS:
            chosen = habit(self, look)
            if chosen is not None:
                return chosen
        for name in ("Done", "EndPhase", "Pass", "Stop", "KeepArcs", "EndRout"):
            if name in by_kind:
                return by_kind[name][0]
        return source.choice(list(actions))

    def table_of(self, view: dict[str, Any], side: str) -> Table:
        """What it sees on the map."""
        return Table(setting_of(view), side, view)

    # -- memory ---------------------------------------------------------------------------

    def skip(self, pieces: Sequence[str]) -> None:
        """Do not think of these again in this phase."""
        self._skipped.update(pieces)

    def fresh(self, look: _Look, name: str) -> list[Action]:
        """Actions of a kind whose pieces have not been left alone yet."""
        found = look.by_kind.get(name, ())
        return [action for action in found if not set(look.seat.describe(action).pieces) & self._skipped]


class _Look:
    """One decision: the view, the actions by kind, and what is worked out from them when needed."""

    def __init__(self, seat: Seat, view: dict[str, Any], by_kind: dict[str, list[Action]], player: Recruit) -> None:
        self.seat = seat
        self.player = player
        self.view = view
        self.by_kind = by_kind
        self._table: Table | None = None

    @property
    def table(self) -> Table:
        """The pieces on the map."""
        if self._table is None:
            self._table = self.player.table_of(self.view, self.seat.side)
        return self._table

    def harm(self, action: Action) -> float:
        """The chance that an attack harms somebody, from the rules' own preview."""
        preview = self.seat.preview(action)
        if preview is None:
            return 0.0
        chances = [line.chance for line in preview.odds if line.label.startswith("somebody")]
        return chances[0] if chances else 0.0

    def success(self, action: Action) -> float:
        """The chance of the first line of a preview."""
        preview = self.seat.preview(action)
        return preview.odds[0].chance if preview is not None and preview.odds else 0.0

    def first(self, *names: str) -> Action | None:
        """The first action of these kinds."""
        for name in names:
            if self.by_kind.get(name):
                return self.by_kind[name][0]
        return None


# -- habits, in the order of the phases ---------------------------------------------------


def set_up(player: Recruit, look: _Look) -> Action | None:
    """Let the program place what must be placed; reinforcements come on nearest to the goal."""
    ready = look.first("AutoSetUp", "SetUpDone", "PickEdge", "PlaceGun")
    if ready is not None:
        return ready
    places = look.by_kind.get("PlaceUnit")
    if places:
        goals, _ = look.table.goals()
        far = distances(look.table.setting, goals)
        nearest: Action = min(places, key=lambda action: far[action.at])  # type: ignore[attr-defined]
        return nearest
    return look.first("PickUnit")


def rally(player: Recruit, look: _Look) -> Action | None:
    """Rally with the best chance first; recover and repair where it is likely."""
    tries: list[Action] = [*look.by_kind.get("RallyUnit", ()), *look.by_kind.get("SelfRally", ())]
    if tries:
        best = max(tries, key=look.success)
        player.explanation = f"rallies: {look.success(best):.0%}"
        return best
    if look.view["phase"].startswith("Rally"):
        chances: list[Action] = [*look.by_kind.get("Repair", ()), *look.by_kind.get("Recover", ())]
        likely = [action for action in chances if look.success(action) > 0.5]
        return likely[0] if likely else look.first("Done")
    return None


def fire(player: Recruit, look: _Look) -> Action | None:
    """Pick a firer, aim at what is hurt most, take everybody along, and shoot if it is worth it."""
    if "AimAt" in look.by_kind:
        return _aim(player, look)
    shots = look.by_kind.get("Shoot")
    if shots:
        best = max(shots, key=look.harm)
        return _shoot_or_not(player, look, best)
    if "ResolveFire" in look.by_kind:
        joining = _of_the_same_hex(player, look, look.by_kind.get("AddFirer", ()))
        if joining and len(player._draft) < STACK + 2:
            player._draft += look.seat.describe(joining[0]).pieces
            return joining[0]
        leader = look.first("AddDirector")
        if leader is not None and not look.by_kind.get("RemoveDirector"):
            return leader
        return _shoot_or_not(player, look, look.by_kind["ResolveFire"][0])
    if "CancelFire" in look.by_kind:
        player.skip(player._draft)
        return look.first("CancelFire")
    starts = [*player.fresh(look, "SetOffCharge"), *player.fresh(look, "StartFire"), *player.fresh(look, "StartShot")]
    if look.view["active"] != look.seat.side:
        starts = [action for action in starts if not _has_fired(look, action)]
    if not starts or (player._tried >= DRAFTS and "Pass" in look.by_kind):
        return None
    player._tried += 1
    player._draft = list(look.seat.describe(starts[0]).pieces)
    return starts[0]


def _has_fired(look: _Look, action: Action) -> bool:
    """Once in an enemy's turn is enough: who fires again at what comes near has more experience (3.3.1)."""
    known = (look.table.pieces.get(name, {}) for name in look.seat.describe(action).pieces)
    return any(FIRST_FIRE in piece.get("markers", ()) for piece in known)


def _of_the_same_hex(player: Recruit, look: _Look, joining: Sequence[Action]) -> list[Action]:
    """Fire groups of one hex: nobody far away is tied up by a doubtful shot."""
    at = look.table.at
    here = at.get(player._draft[0], -1) if player._draft else -1
    return [action for action in joining if at.get(look.seat.describe(action).pieces[0], -2) == here]


def _aim(player: Recruit, look: _Look) -> Action | None:
    best = max(look.by_kind["AimAt"], key=look.harm)
    if look.harm(best) <= 0.0:
        player.skip(player._draft)
        return look.first("CancelFire") or best
    return best


def _shoot_or_not(player: Recruit, look: _Look, shot: Action) -> Action:
    chance = look.harm(shot)
    _, attacking = look.table.goals()
    phase = look.view["phase"]
    if look.view["active"] != look.seat.side and phase.startswith("Movement"):
        worth = REACTION_WORTH[attacking]
    elif phase.startswith("Prep") and attacking:
        worth = PREP_FIRE_WORTH
    else:
        worth = next((value for name, value in HOLD_WORTH.items() if phase.startswith(name)), 0.05)
    player.skip(player._draft)
    cancel = look.first("CancelFire")
    if chance >= worth or cancel is None:
        player.explanation = f"{look.seat.describe(shot).text}: {chance:.0%} to hurt somebody"
        return shot
    return cancel


def move(player: Recruit, look: _Look) -> Action | None:
    """Pick who moves, take the stack along, and walk to the goal by hexes that draw little fire."""
    if any(isinstance(action, (Step, Stop)) for action in (look.first("Step"), look.first("Stop"))):
        return _walk(player, look)
    if "BeginMove" in look.by_kind:
        joining = look.by_kind.get("AddMover", ())
        joining = [action for action in joining if _goes_along(player, look, action)]
        if joining:
            player._draft += look.seat.describe(joining[0]).pieces
            return joining[0]
        hurrying = look.first("DoubleTime") if _must_hurry(player, look) else None
        if hurrying is not None:
            player.explanation = "must hurry to be there in time"
            return hurrying
        player._visited = {look.table.at[name] for name in player._draft if name in look.table.at}
        careful = any(look.table.danger(cell) > 12 for cell in player._visited) and not look.table.goals()[1]
        wanted = BeginMove(assault=careful)
        return wanted if wanted in look.by_kind["BeginMove"] else look.by_kind["BeginMove"][0]
    starts = player.fresh(look, "StartMove")
    if not starts:
        return None
    table = look.table
    _, attacking = table.goals()
    far = table.far
    for action in starts:
        pieces = look.seat.describe(action).pieces
        player.skip(pieces)
        cell = table.at.get(pieces[0])
        if cell is None or (attacking and far[cell] > 0) or far[cell] > 12:
            player._draft = list(pieces)
            return action
    return None


def _goes_along(player: Recruit, look: _Look, action: Action) -> bool:
    """A leader goes with his men; squads go one by one where the enemy looks on (3.3)."""
    table = look.table
    here = table.at.get(player._draft[0], -1) if player._draft else -1
    safe = here < 0 or table.danger(here) < 2
    return len(player._draft) < (STACK if safe else 2) and (safe or action.unit in table.leaders)  # type: ignore[attr-defined]


def _must_hurry(player: Recruit, look: _Look) -> bool:
    """Far from the goal, with no turns to spare and nobody shooting yet (3.3)."""
    table = look.table
    goals, attacking = table.goals()
    here = next((table.at[name] for name in player._draft if name in table.at), -1)
    if not attacking or here < 0:
        return False
    return table.danger(here) < 4 and distances(table.setting, goals)[here] > PACE * table.turns_left


def _walk(player: Recruit, look: _Look) -> Action | None:
    leaving = look.first("ExitMap")
    if isinstance(leaving, ExitMap):
        player.explanation = "leaves the map for victory points"
        return leaving
    charge = look.first("PlaceCharge")
    if isinstance(charge, PlaceCharge):
        return charge
    table = look.table
    _, attacking = table.goals()
    far = table.far
    here = next((table.at[name] for name in look.seat.describe(look.by_kind["Stop"][0]).pieces if name in table.at), -1)
    steps = [a for a in look.by_kind.get("Step", ()) if isinstance(a, Step) and a.to not in player._visited]

    # who is late does not look at the fire any more
    late = max(1.0, far[here] / (PACE * table.turns_left)) if here >= 0 and far[here] < FAR else 1.0
    fear = 0.12 * min(1.0, (table.turns_left - 1) / 4) if attacking else 0.25

    def worth(cell: int) -> float:
        return -0.8 * late * far[cell] - fear * table.danger(cell) - 3.0 * max(table.friends.get(cell, 0) - 2, 0)

    if attacking and here >= 0:
        steps = [step for step in steps if far[step.to] < far[here]]
    if not steps:
        return look.first("Stop")
    best = max(steps, key=lambda step: (worth(step.to), step.road))
    if here >= 0 and worth(best.to) <= worth(here):
        player._visited = set()
        return look.first("Stop")
    player._visited |= {here, best.to}
    return best


def rout(player: Recruit, look: _Look) -> Action | None:
    """Run to cover, crawl if the enemy looks on, stop where it is safe."""
    start = look.first("StartRout")
    if start is not None:
        return start
    steps = look.by_kind.get("RoutStep", ())
    crawls = look.by_kind.get("LowCrawl", ())
    if not steps and not crawls:
        return look.first("EndRout")
    table = look.table
    end = look.first("EndRout")
    if end is not None:
        here = [table.at[name] for name in look.seat.describe(end).pieces if name in table.at]
        if here and table.ground.cover[here[0]]:
            return end

    def peril(action: Action) -> float:
        cell: int = action.to  # type: ignore[attr-defined]
        return table.danger(cell) - (8.0 if table.ground.cover[cell] else 0.0)

    return min(steps or crawls, key=peril)


def advance(player: Recruit, look: _Look) -> Action | None:
    """Advance into cover nearer to the goal, into close combat only against the weak."""
    table = look.table
    if "AdvanceTo" in look.by_kind:
        _, attacking = table.goals()
        far = table.far
        drafted = [name for name in player._draft if name in table.at]
        here = table.at[drafted[0]] if drafted else -1

        def worth(cell: int) -> float:
            value = -0.8 * far[cell] - 0.2 * table.danger(cell)
            if cell in table.enemy_units:
                value += 6.0 if len(drafted) > 1.5 * table.enemy_units[cell] else -30.0
            elif cell in table.broken_enemies:
                value += 8.0
            return value

        joining = look.by_kind.get("AddAdvancer", ())
        if joining and len(player._draft) < STACK:
            player._draft += look.seat.describe(joining[0]).pieces
            return joining[0]
        best = max(look.by_kind["AdvanceTo"], key=lambda action: worth(action.to))  # type: ignore[attr-defined]
        player.skip(player._draft)
        better = here < 0 or worth(best.to) > worth(here) + 0.5  # type: ignore[attr-defined]
        return best if better and (attacking or here < 0 or far[here] > 0) else look.first("CancelAdvance") or best
    starts = player.fresh(look, "StartAdvance")
    if not starts:
        return None
    player._draft = list(look.seat.describe(starts[0]).pieces)
    player.skip(player._draft)
    return starts[0]


def close_combat(player: Recruit, look: _Look) -> Action | None:
    """Fight it out: everybody against everybody; who must withdraw goes where it is quiet."""
    if "LeaveTo" in look.by_kind:

        def peril(action: Action) -> tuple[bool, float]:
            return (bool(look.seat.describe(action).notes), look.table.danger(action.to))  # type: ignore[attr-defined]

        return look.first("StayAndFight") or min(look.by_kind["LeaveTo"], key=peril)
    if "StackOn" in look.by_kind:
        return look.first("Done", "StackOn")
    return look.first("PickCombat", "AttackAll", "DeclareAttack", "JoinAttack", "AttackUnit")


def others(player: Recruit, look: _Look) -> Action | None:
    """What is left to decide."""
    kept = look.first("KeepArcs", "KeepAcquired", "RemoveExcess")
    if kept is not None:
        return kept
    ending = look.first("Done", "EndPhase")
    return ending if isinstance(ending, (EndPhase, Pass)) or ending is not None else look.first("Pass")


HABITS: tuple[Callable[[Recruit, _Look], Action | None], ...] = (
    set_up,
    rally,
    fire,
    move,
    rout,
    advance,
    close_combat,
    others,
)
