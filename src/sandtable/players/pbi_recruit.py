"""The computer player of PBI: goes for objectives, shoots where the odds are best, uses cover."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, ClassVar

from sandtable.engine import Action, Seat
from sandtable.games.pbi import actions as a
from sandtable.games.pbi.catalogue import KINDS, lists
from sandtable.games.pbi.table import Ground, ground

ASSAULT_NERVE = 0.55
"""The chance of success that it wants before it assaults."""
LATE = 11
"""The countdown from which the attacker hurries."""
CLOSE = 2
"""How near an enemy is near."""


class Table:
    """What the player looks at: pieces, objectives and distances, from the view."""

    def __init__(self, side: str, view: dict[str, Any]) -> None:
        extra = view["extra"]
        self.side = side
        self.extra = extra
        self.frame: dict[str, Any] = extra["frame"]
        self.turn = int(str(view["turn"]).rpartition(" ")[2])
        self.g: Ground = ground(extra["ground"])
        self.pieces: dict[str, dict[str, Any]] = extra["pieces"]
        self.objectives: dict[str, int] = extra["objectives"]
        self.control: dict[str, str] = extra["control"]
        self.hurry = side == "attacker" and extra["countdown"] <= LATE
        self.friends: dict[str, int] = {}
        self.enemies: dict[str, int] = {}
        for piece in self.pieces.values():
            if piece["at"]:
                where = self.friends if piece["side"] == side else self.enemies
                where[piece["at"]] = where.get(piece["at"], 0) + 1

    def acting(self) -> list[str]:
        """The pieces that act now."""
        frame = self.frame
        if frame["type"] == "Acting":
            return [id for id in frame["teams"][0] if id in self.pieces]
        return [id for id in frame.get("pieces", ())[:1] if id in self.pieces]

    def goal(self, square: str) -> int:
        """How far a square is from the nearest objective to take, or to hold when all are held."""
        distances = self.g.range[square]
        wanted = [at for at in self.objectives if self.control.get(at) != self.side]
        if self.side == "defender":
            bare = [at for at in self.objectives if at not in self.friends]
            wanted = wanted or bare or list(self.objectives)
        return min((distances[at] for at in wanted or self.objectives), default=0)

    def nearest_enemy(self, square: str) -> int:
        """How far the nearest enemy is."""
        distances = self.g.range[square]
        return min((distances[at] for at in self.enemies), default=99)

    def cover(self, square: str) -> float:
        """What a square is worth to lie in."""
        return 2.0 if square in self.g.difficult else 1.0 if square in self.g.partial else 0.0

    def worth(self, square: str) -> float:
        """How good it is for foot to be in a square."""
        holding = 1.5 if square in self.objectives else 0.0
        crowd = 0.12 * max(0, self.friends.get(square, 0) - 3)
        return holding - (2.0 if self.hurry else 1.3) * self.goal(square) + 0.35 * self.cover(square) - crowd


class Recruit:
    """Makes for the objectives, shoots where the odds are best and likes cover; plays at once."""

    look: ClassVar[type[Table]] = Table

    def __init__(self) -> None:
        self.explanation = ""

    def choose(self, seat: Seat, source: random.Random) -> Action:
        """The legal action with the best score."""
        actions = list(seat.actions())
        table = self.look(seat.side, seat.view())
        best, why, top = actions[0], "", float("-inf")
        for action in actions:
            score, reason = self._score(seat, table, action, actions)
            score += source.random() * 0.01  # breaks ties
            if score > top:
                best, why, top = action, reason, score
        self.explanation = why or seat.describe(best).text
        return best

    # -- scores by kind of action ---------------------------------------------------------

    def _score(self, seat: Seat, table: Table, action: Action, actions: Sequence[Action]) -> tuple[float, str]:
        match action:
            case a.Shoot() | a.Volley() | a.Aim() | a.Shell() | a.Flame() | a.Bomb():
                return self._shot(seat, table, action)
            case a.Assault():
                chance = self._odds(seat, action).get("the assault succeeds", 0.0)
                prize = 1.5 if action.to in table.objectives else 0.0
                if chance < ASSAULT_NERVE - (0.2 if table.hurry else 0.0):
                    return -5.0, ""
                return 6 * (chance - 0.4) + prize, f"the assault succeeds with {chance:.0%}"
            case a.Move() | a.Step():
                return self._move(table, action.to, commander=isinstance(action, a.Step))
            case a.Forward() | a.Reverse() | a.Face():
                return self._drive(table, action)
            case a.Place() | a.Arrive():
                return self._place(table, action.at)
            case a.PlacePattern():
                return self._pattern(table, action)
            case a.Shape():
                return self._shape(table, action)
            case a.UseAsset():
                return self._asset(table, action.asset)
            case a.AskReroll():
                return self._reroll(table, action.shot)
            case a.Take() | a.Promote():
                return self._choose(seat, table, action)
        return self._other(table, action, actions)

    def _odds(self, seat: Seat, action: Action) -> dict[str, float]:
        preview = seat.preview(action)
        return {line.label: line.chance for line in preview.odds} if preview else {}

    def _shot(self, seat: Seat, table: Table, action: Action) -> tuple[float, str]:
        if isinstance(action, a.Bomb) and action.smoke:
            return -1.0, ""
        odds = self._odds(seat, action)
        losses = sum(chance for label, chance in odds.items() if "lost" in label)
        value: float = 3.2 * losses + 0.5 * odds.get("any hit", 0.0) + 0.3 * odds.get("hit", 0.0)
        value += 5 * odds.get("destroyed", 0.0) + 2 * odds.get("immobilised", 0.0)
        if isinstance(action, (a.Volley, a.Aim, a.Shell, a.Flame)) and table.frame["type"] == "Window":
            return value + 0.05, f"the odds are good: {losses:.2f} bases"
        cost = 0.1
        if isinstance(action, a.Bomb):
            value *= 1 + 0.3 * (action.shots - 1)
        return value - cost, f"this shot costs the enemy {losses:.2f} bases on average"

    def _move(self, table: Table, to: str, *, commander: bool) -> tuple[float, str]:
        if commander:
            start = next(p["at"] for p in table.pieces.values() if p["kind"] == "commander" and p["side"] == table.side)
            company = self._company(table, to) - self._company(table, start)
            safe = min(0, table.nearest_enemy(to) - CLOSE)
            return 0.25 * company + safe + 0.2 * (table.cover(to) - table.cover(start)), "to be near his men"
        start = table.pieces[table.acting()[0]]["at"]
        gain = table.worth(to) - table.worth(start)
        if start in table.objectives and table.nearest_enemy(start) <= 4:
            gain -= 2.0
        if table.side == "attacker":
            gain += 0.25
        nearer = table.goal(to) < table.goal(start)
        return gain, f"{to} is nearer to an objective" if nearer else f"{to} is a better place"

    def _company(self, table: Table, square: str) -> int:
        near = table.g.near[square]
        return sum(number for at, number in table.friends.items() if at in near)

    def _drive(self, table: Table, action: Action) -> tuple[float, str]:
        piece = table.pieces[table.acting()[0]]
        kind = KINDS[piece["kind"]]
        at, facing = piece["at"], piece["facing"]
        if isinstance(action, a.Face):
            return self._face(table, at, facing, action.facing, gun=kind.form == "gun")
        direction = facing if isinstance(action, a.Forward) else (facing + 4) % 8
        to = table.g.ahead[at][direction]
        keep_off = 3 if kind.fighting else 4
        gain = float(table.goal(at) - table.goal(to))
        if table.nearest_enemy(to) < keep_off and not table.friends.get(to):
            gain -= 1.5
        if to in table.g.difficult:
            gain -= 1.2
        return gain - (0.4 if isinstance(action, a.Reverse) else 0.0), f"{to} is nearer to an objective"

    def _face(self, table: Table, at: str, facing: int, new: int, *, gun: bool) -> tuple[float, str]:
        aims = table.enemies if gun or table.nearest_enemy(at) <= 4 else table.objectives
        if not aims:
            return -1.0, ""
        distances = table.g.range[at]
        aim = min((square for square in aims if square != at), key=lambda square: distances[square], default="")
        if not aim:
            return -1.0, ""
        wanted = table.g.direction[at][aim]

        def off(direction: int) -> int:
            turn = (direction - wanted) % 8
            return min(turn, 8 - turn)

        return (0.3 if off(new) < off(facing) else -1.0), f"to face {aim}"

    def _place(self, table: Table, at: str) -> tuple[float, str]:
        crowd = table.friends.get(at, 0)
        return 0.6 * table.cover(at) - table.goal(at) - 0.6 * crowd, "near an objective, in cover"

    def _pattern(self, table: Table, action: a.PlacePattern) -> tuple[float, str]:
        squares = table.g.patterns[action.shape][action.at]
        enemies = sum(table.enemies.get(square, 0) for square in squares)
        own = sum(table.friends.get(square, 0) for square in squares)
        return enemies - 2.0 * own, f"{enemies} enemies are under it"

    def _shape(self, table: Table, action: a.Shape) -> tuple[float, str]:
        """Another pattern is chosen if its best place is better than the best of this one."""
        best = {
            shape: max(self._pattern(table, a.PlacePattern(at, shape))[0] for at in table.g.patterns[shape])
            for shape in (table.frame.get("shape", "square"), action.shape)
        }
        better = best[action.shape] > best[table.frame.get("shape", "square")] + 0.02
        return (best[action.shape] if better else -99.0), "it covers more of them"

    def _asset(self, table: Table, asset: str) -> tuple[float, str]:
        if asset == "barrage":
            best = max(
                sum(table.enemies.get(square, 0) for square in squares)
                for places in table.g.patterns.values()
                for squares in places.values()
            )
            return (1.0 if best >= 5 else -1.0), f"{best} enemies are close together"
        if asset == "smoke":
            return (0.5 if table.side == "attacker" and table.turn in (2, 3) else -1.0), "to cover the approach"
        if asset == "encourage":
            pinned = sum(piece["pinned"] for piece in table.pieces.values() if piece["side"] == table.side)
            return (0.8 if pinned >= 3 else -1.0), f"{pinned} bases are pinned"
        waiting = any(not piece["at"] and piece["side"] == table.side for piece in table.pieces.values())
        return (0.7 if waiting and table.turn > 1 else -1.0), "to bring the reserves on"

    def _reroll(self, table: Table, shot: int) -> tuple[float, str]:
        frame = table.frame
        drift = frame["drift"][shot]
        direction = frame["direction"] if drift > 0 else (frame["direction"] + 4) % 8
        fell = table.g.beyond(frame["squares"][shot], direction, abs(drift))
        if frame["side"] == table.side:
            return (0.5 if table.friends.get(fell, 0) else -0.5), "it would fall on our own"
        hurt = 0 if frame["smoke"] else table.friends.get(fell, 0)
        return (0.3 * hurt if hurt else -0.5), f"it would fall on {hurt} of ours"

    def _choose(self, seat: Seat, table: Table, action: a.Take | a.Promote) -> tuple[float, str]:
        piece = table.pieces[action.piece]
        kind = KINDS[piece["kind"]]
        cheap = -kind.points - (12 if piece["officer"] else 0) - (20 if kind.vehicle else 0)
        if isinstance(action, a.Promote):
            return self._company(table, piece["at"]) + 0.1 * cheap, "among most of his men"
        if table.frame["type"] == "Hits":
            return 2.0 * table.cover(piece["at"]) + 0.2 * cheap - 0.5 * piece["moved"], "it can best be spared"
        return float(cheap), "it can best be spared"

    def _other(self, table: Table, action: Action, actions: Sequence[Action]) -> tuple[float, str]:
        match action:
            case a.Unpin():
                return 1.6, "pinned men do little"
            case a.Rally():
                return 2.0, "pinned men do little"
            case a.Urge():
                return 0.4, "to be sure of them"
            case a.Call():
                return 0.9 if table.turn > 1 else -1.0, "the reserves are wanted"
            case a.Activate():
                return self._activate(table, action.unit)
            case a.Motivate(at=at):
                return 2.0 + 0.1 * table.friends.get(at, 0), "the next group"
            case a.Man() | a.Drive():
                return 3.0, "guns and vehicles first"
            case a.Deploy() | a.Pack():
                return self._deploy(table, action)
            case a.Split(piece=id):
                return self._split(table, id, actions)
            case a.Disembark():
                at = table.pieces[table.acting()[0]]["at"]
                near = table.goal(at) <= 1 or table.nearest_enemy(at) <= CLOSE
                return (2.0 if near else -1.0), "close enough to get off"
            case a.Reroll():
                return (0.5 if table.frame["ap"] < 6 else -0.5), "a poor roll"
            case a.Encourage(unit=unit):
                pinned = sum(p["pinned"] for p in table.pieces.values() if p["unit"] == unit)
                return float(pinned), f"{pinned} of them are pinned"
            case a.Enlist() | a.TakeAsset() | a.Dismiss() | a.Ready():
                return self._army(table, action)
            case a.MoveTogether() | a.Embark() | a.Recover() | a.Comfort():
                return -1.0, ""
        return 0.0, ""

    def _activate(self, table: Table, unit: str) -> tuple[float, str]:
        kinds = [KINDS[piece["kind"]] for piece in table.pieces.values() if piece["unit"] == unit]
        support = sum(kind.vehicle or kind.form == "gun" or kind.deploys for kind in kinds)
        return 5.0 + support / max(1, len(kinds)), "heavy weapons first"

    def _deploy(self, table: Table, action: a.Deploy | a.Pack) -> tuple[float, str]:
        piece = table.pieces[action.piece]
        kind = KINDS[piece["kind"]]
        at = piece["at"]
        reach = kind.reach or 8
        distances = table.g.range[at]
        targets = [
            square
            for square in table.enemies
            if distances[square] <= reach and (kind.mortar or square in table.g.sees[at])
        ]
        if isinstance(action, a.Deploy):
            return (1.5 if targets else -1.0), "there are targets"
        return (0.4 if not targets and table.side == "attacker" else -1.0), "nothing to shoot at here"

    def _split(self, table: Table, id: str, actions: Sequence[Action]) -> tuple[float, str]:
        heavy = KINDS[table.pieces[id]["kind"]].deploys
        stuck = not any(isinstance(action, a.Move) for action in actions)
        return (0.6 if heavy and stuck else -1.0), "so that the others can move"

    def _army(self, table: Table, action: Action) -> tuple[float, str]:
        frame = table.frame
        units = frame.get("units", ())
        entries = [lists().entry(frame["nation"], entry) for entry, _ in units]
        have = {
            kind: sum(1 for e in entries if e and e.kind == kind) for kind in ("platoon", "weapons", "vehicles", "guns")
        }
        if isinstance(action, a.Enlist):
            entry = lists().entry(frame["nation"], action.entry)
            assert entry is not None
            wanted = {"platoon": 3, "weapons": 1, "vehicles": 1, "guns": 1}
            need = wanted[entry.kind] - have[entry.kind]
            return (need if action.quality == frame["quality"] else need - 2.0), "the company needs it"
        if isinstance(action, a.TakeAsset):
            return (0.6 if action.asset == "barrage" and not frame.get("assets") else -1.0), "artillery helps"
        return (0.5 if isinstance(action, a.Ready) else -5.0), "the company is complete"
