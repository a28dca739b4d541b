"""The regular's vehicles and guns: where to stand, which way to face, what to shoot at, when to let the men off."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from sandtable.engine import Action, Seat
from sandtable.games.pbi import actions as a
from sandtable.games.pbi.catalogue import KINDS, Kind
from sandtable.players import pbi_weights as w
from sandtable.players.pbi_field import OWN_HIT, Field
from sandtable.players.pbi_foot import Scored, assault_odds, loss_value, odds

SHOTS = 3
GUN_COST = 4
HIT = 0.42
"""A gun's chance to hit on average."""
ASPECTS = ("front", "front", "side", "rear", "rear", "rear", "side", "front")
THICKER = {"front": 2.0, "side": 0.0, "rear": -2.0}


class VehiclePlan:
    """The choices of a vehicle or gun with action points to spend."""

    def __init__(self, seat: Seat, field: Field, actions: Sequence[Action]) -> None:
        self.seat, self.field, self.actions = seat, field, actions
        self.piece = field.acting()[0]
        self.kind: Kind = KINDS[self.piece["kind"]]
        self.at: str = self.piece["at"]
        self.points: int = self.piece["ap"]
        self.left = SHOTS - self.piece["shots"]
        self.id = field.frame["pieces"][0]
        self.load = [p for p in field.pieces.values() if p["within"] == self.id]
        self._known: dict[str, float] = {}
        self._hurts: dict[str, tuple[float, float]] = {}
        self._dangers: dict[tuple[str, int], float] = {}
        shots = [action for action in actions if isinstance(action, (a.Shoot, a.Aim, a.Shell, a.Flame))]
        self.values: dict[Action, float] = {action: self.shot(action) for action in shots}
        self.here = self._rates(self.values)

    def _rates(self, values: dict[Action, float]) -> tuple[float, float]:
        """The best shot of the machine-gun, and of the gun."""
        return (
            max((v for action, v in values.items() if isinstance(action, a.Shoot)), default=0.0),
            max((v for action, v in values.items() if not isinstance(action, a.Shoot)), default=0.0),
        )

    def use(self, points: int, rates: tuple[float, float]) -> float:
        """What so many points are worth in shots."""
        best = 0.0
        for guns in range(points // GUN_COST + 1):
            shots = min(self.left, guns)
            rest = min(points - GUN_COST * shots, self.left - shots)
            best = max(best, shots * rates[1] + max(0, rest) * rates[0])
        return best

    def shot(self, action: Action) -> float:
        """What a shot is worth by its exact odds."""
        field, found = self.field, odds(self.seat, action)
        if isinstance(action, a.Aim) or (isinstance(action, a.Flame) and action.target in field.pieces):
            prize = KINDS[field.pieces[action.target]["kind"]].points / 5
            return prize * (found.get("destroyed", 0.0) + 0.4 * found.get("immobilised", 0.0)) + 0.02
        square: str = action.target if isinstance(action, a.Flame) else action.at  # type: ignore[attr-defined]
        soft = field.foot_in(field.theirs, square) or field.theirs.get(square, [])
        hit = found.get("any hit", found.get("hit", 0.0))
        return loss_value(field, found, soft) + w.PIN * hit * sum(not piece["pinned"] for piece in soft)

    # -- places ---------------------------------------------------------------------------------

    def hurts(self, at: str) -> tuple[float, float]:
        """What machine-gun and gun would do from another square, roughly."""
        if at in self._hurts:
            return self._hurts[at]
        field = self.field
        machine_gun = gun = 0.0
        for square, there in field.theirs.items():
            if not field.sees(at, square):
                continue
            soft = field.foot_in(field.theirs, square)
            if soft:
                fails = field.fails(soft[-1], square, moved=soft[-1]["moved"] > 0, near=False)
                worth = field.mark_value(soft[0]["unit"])
                pins = w.PIN * sum(not piece["pinned"] for piece in soft)
                machine_gun = max(
                    machine_gun,
                    field.loss(self.kind.mg, OWN_HIT, fails, len(soft)) * worth + pins * (1 - 0.5**self.kind.mg),
                )
                gun = max(gun, 0.33 * (self.kind.he / 3 * worth + pins))
            for piece in there:
                other = KINDS[piece["kind"]]
                if other.vehicle and self.kind.gun:
                    chance = self.wrecks(self.kind.gun, other.armour, "front")
                    gun = max(gun, 0.33 * chance * other.points / 5)
        self._hurts[at] = machine_gun, gun
        return machine_gun, gun

    def wrecks(self, gun: int, armour: int, aspect: str) -> float:
        """How likely a hit destroys, roughly; an immobilised vehicle counts a part."""
        return min(0.9, max(0.04, 0.3 + 0.11 * (gun - armour - THICKER[aspect])))

    def danger(self, at: str, facing: int) -> float:
        """What the enemy's guns, anti-tank weapons and assaults may cost."""
        key = at, facing
        if key in self._dangers:
            return self._dangers[key]
        field, total = self.field, 0.0
        prize = self.kind.points / 5 + 0.8 * len(self.load)
        for square, there in field.theirs.items():
            distance = field.g.range[at][square]
            seen = field.sees(square, at)
            for piece in there:
                kind = KINDS[piece["kind"]]
                gun = kind.gun or (kind.at if distance <= kind.at_reach + 1 else 0)
                if gun and (seen or (kind.foot and distance <= kind.at_reach + 1)):
                    side = ASPECTS[(field.g.direction[at][square] - facing) % 8] if square != at else "front"
                    bears = kind.turret or square not in field.g.sees or at in field.g.arcs[square][piece["facing"]]
                    chance = HIT * self.wrecks(gun, self.kind.armour, side)
                    total += chance * (0.8 if bears else 0.3) * (0.6 if kind.foot else 1.0)
                if kind.foot and at in field.g.assaults[square]:
                    total += 0.12 if kind.foot_at else 0.05
            if self.load and seen:
                total += 0.04 * field.fire(square, at)
        hurry = 0.5 if self.load and field.side == "attacker" else 1.0  # men on a vehicle are of use where they get off
        self._dangers[key] = min(1.0, total) * prize * hurry
        return self._dangers[key]

    def place(self, at: str) -> float:
        """Near the objectives that matter, not in them, not in trouble."""
        if at not in self._known:
            field = self.field
            wanted = [o for o in field.objectives if field.control.get(o) != field.side] or list(field.objectives)
            near = min((field.g.range[at][o] for o in wanted), default=0)
            value = -0.25 * max(0, near - 3) * (1.5 if field.side == "attacker" else 0.7)
            if self.load:
                value -= 1.2 * max(0, near - 2)
            machine_gun, gun = self.hurts(at)
            value += 1.2 * machine_gun + 0.8 * gun
            value -= 0.5 if at in field.g.difficult else 0.0
            nearest = min((field.g.range[at][square] for square in field.theirs), default=9)
            self._known[at] = value - (0.8 if nearest <= 1 else 0.0)
        return self._known[at]

    def plans(self) -> dict[Action | None, float]:
        """The value of the best plan for every first move (None: to stay)."""
        g = self.field.g
        facing: int = self.piece["facing"]
        start = (self.at, facing)
        stay = self.place(self.at) - self.danger(self.at, facing) + self.use(self.points, self.here)
        found: dict[Action | None, float] = {None: stay}
        firsts = [action for action in self.actions if isinstance(action, (a.Forward, a.Reverse, a.Face))]
        if not firsts:
            return found
        best: dict[tuple[str, int], int] = {start: self.points}
        heap: list[tuple[int, int, str, int, int]] = [(-self.points, 0, self.at, facing, -1)]
        serial = 0
        while heap:
            minus, _, at, way, first = heappop(heap)
            left = -minus
            if best[at, way] > left:
                continue
            cost = 5 if at in g.difficult else 2 if at in g.partial else 1
            steps: list[tuple[tuple[str, int], int, type]] = [
                ((at, (way + 1) % 8), 1, a.Face),
                ((at, (way + 7) % 8), 1, a.Face),
            ]
            for direction, extra, drive in ((way, 0, a.Forward), ((way + 4) % 8, 1, a.Reverse)):
                to = g.ahead[at][direction]
                if to and to not in self.field.theirs and self._room(to):
                    steps.append(((to, way), cost + extra, drive))
            for node, price, kind in steps:
                rest = left - price
                if rest < 0 or best.get(node, -1) >= rest:
                    continue
                begun = first
                if begun < 0:
                    begun = next((n for n, one in enumerate(firsts) if self._is(one, kind, node[1])), -1)
                    if begun < 0:
                        continue
                best[node] = rest
                serial += 1
                heappush(heap, (-rest, serial, *node, begun))
                value = self.place(node[0]) - self.danger(*node)
                rates = self.here if node[0] == self.at else self._later(node[0])
                value += self.use(rest, rates) - 0.03 * (self.points - rest)
                if value > found.get(firsts[begun], -99.0):
                    found[firsts[begun]] = value
        return found

    def _later(self, at: str) -> tuple[float, float]:
        machine_gun, gun = self.hurts(at)
        return max(machine_gun * 0.9, self.here[0]), max(gun * 0.8, self.here[1])

    def _room(self, to: str) -> bool:
        return sum(KINDS[piece["kind"]].vehicle for piece in self.field.mine.get(to, ())) < SHOTS

    def _is(self, action: Action, kind: type, facing: int) -> bool:
        return isinstance(action, kind) and (not isinstance(action, a.Face) or action.facing == facing)

    # -- scores -----------------------------------------------------------------------------------

    def scores(self) -> dict[Action, Scored]:
        """Every action with what it leads to."""
        gun = self.kind.form == "gun"
        plans: dict[Action | None, float] = {None: self.use(self.points, self.here)} if gun else self.plans()
        stay = plans[None]
        idle = stay - self.use(self.points, self.here)
        best = max(plans.values())
        found: dict[Action, Scored] = {}
        for action in self.actions:
            match action:
                case a.Shoot() | a.Aim() | a.Shell() | a.Flame():
                    cost = 1 if isinstance(action, a.Shoot) else GUN_COST
                    left = self.use(self.points, self.here) - self.use(max(0, self.points - cost), self.here)
                    value = self.values[action]
                    reason = f"shoots: worth {value:.1f} bases"
                    found[action] = best + value - max(0.0, left) - (0.0 if best == stay else 0.05), reason
                case a.Forward() | a.Reverse():
                    found[action] = plans.get(action, -50.0), "to a better place"
                case a.Face():
                    found[action] = (self.turn_gun(action) if gun else plans.get(action, -50.0)), "to face them"
                case a.Unpin():
                    found[action] = best + 0.6, "pinned men do little"
                case a.Deploy():
                    found[action] = idle + 1.5 * (1 + bool(self.field.theirs)), "there are targets"
                case a.Pack():
                    found[action] = -50.0, ""
                case a.Assault():
                    found[action] = self.assault(action, idle)
                case a.Disembark():
                    found[action] = idle + self.unload(), "close enough to get off"
                case _:
                    found[action] = idle + 0.01, "good as it is"
        return found

    def turn_gun(self, action: a.Face) -> float:
        """A gun turns to where most enemies are in its arc, if it has nothing to shoot at."""
        arcs = self.field.g.arcs[self.at]

        def targets(facing: int) -> int:
            return sum(
                len(there)
                for square, there in self.field.theirs.items()
                if square in arcs[facing] and self.field.sees(self.at, square)
            )

        now = targets(self.piece["facing"])
        turned = max(targets(action.facing), 0.6 * targets((2 * action.facing - self.piece["facing"]) % 8))
        stay = self.use(self.points, self.here)
        return stay + (0.2 * (turned - now) - 0.1 if not self.values else -1.0)

    def unload(self) -> float:
        """When men should get off: near the enemy or their goal, better not in the open under fire."""
        field = self.field
        nearest = min((field.g.range[self.at][square] for square in field.theirs), default=9)
        wanted = [o for o in field.objectives if field.control.get(o) != field.side]
        goal = min((field.g.range[self.at][o] for o in wanted), default=9)
        return 1.5 if nearest <= 3 or goal <= 1 else -1.0

    def assault(self, action: a.Assault, idle: float) -> Scored:
        """A tank assaults weak foot in the open, never into anti-tank weapons."""
        field = self.field
        there = field.theirs.get(action.to, [])
        if any(KINDS[piece["kind"]].vehicle for piece in there):
            return idle - 1.0, ""
        chance, own, their = assault_odds(self.seat, field, action, 1 + len(self.load))
        armed = any(KINDS[piece["kind"]].foot_at for piece in there)
        risk = min(1.0, their / 6) * (0.55 if armed else 0.35) * self.kind.points / 5
        value = min(len(there), own / 6) * 1.3 + chance * (0.4 * len(there)) - risk
        return idle + value - 0.3, f"assaults {action.to}: succeeds with {chance:.0%}"
