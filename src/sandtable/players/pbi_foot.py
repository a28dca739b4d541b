"""The regular's foot: where to go, what to shoot at, when to assault, and what the points left are good for."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine import Action, Seat
from sandtable.games.pbi import actions as a
from sandtable.games.pbi.catalogue import KINDS
from sandtable.players import pbi_weights as w
from sandtable.players.pbi_field import Fact, Field

Scored = tuple[float, str]
SHOTS = 3


def odds(seat: Seat, action: Action) -> dict[str, float]:
    """The odds of an action by their labels."""
    preview = seat.preview(action)
    return {line.label: line.chance for line in preview.odds} if preview else {}


def losses(found: dict[str, float]) -> float:
    """Bases lost on average."""
    return sum(chance for label, chance in found.items() if "lost" in label)


def loss_value(field: Field, found: dict[str, float], there: Sequence[Fact]) -> float:
    """What the losses of a shot are worth: the owner gives up his cheapest bases first."""
    chances = sorted((chance for label, chance in found.items() if "lost" in label), reverse=True)
    dear = sorted(field.price(piece) for piece in there)
    if not dear:
        return sum(chances)
    unit = there[0]["unit"]
    return sum(chance * dear[min(n, len(dear) - 1)] * field.mark_value(unit, n) for n, chance in enumerate(chances))


def assault_odds(seat: Seat, field: Field, action: a.Assault, bases: int) -> tuple[float, float, float]:
    """The chance that an assault succeeds, and the dice of both sides; roughly where vehicles are in it."""
    there = field.theirs.get(action.to, [])
    if any(KINDS[piece["kind"]].vehicle for piece in there):
        own, their = 3.0 * bases, 4.0 * len(there)
        return min(0.9, max(0.02, 0.45 * own / (own + their))), own, their
    preview = seat.preview(action)
    assert preview is not None
    return preview.odds[0].chance, preview.tallies[0].total, preview.tallies[1].total


class Ground:
    """What squares are worth to one team."""

    def __init__(self, field: Field, team: list[Fact]) -> None:
        self.field = field
        self.team = team
        self.start: str = team[0]["at"]
        self._known: dict[str, float] = {}
        self._hurts: dict[str, float] = {}
        unit = team[0]["unit"]
        mates = [p for p in field.pieces.values() if p["unit"] == unit and p["at"] and p not in team]
        self.leads = any(piece["officer"] for piece in team)
        self.officers = [p["at"] for p in mates if p["officer"]]
        self.officers += [
            p["at"] for p in field.pieces.values() if p["kind"] == "commander" and p["side"] == field.side and p["at"]
        ]
        self.dear = field.dear(team)
        fighters = sum(KINDS[piece["kind"]].dice > 0 and not piece["officer"] for piece in team)
        self.takes = 1.0 if fighters >= 2 else 0.6 if fighters else 0.25
        """How well the team can take and hold an objective: officers should not run ahead of their men."""
        self.mates = [p["at"] for p in mates if KINDS[p["kind"]].foot]

    def worth(self, at: str) -> float:
        """How good it is to be in a square at the end of the turn, in bases."""
        if at not in self._known:
            field, team = self.field, self.team
            moved = at != self.start or team[0]["moved"] > 0
            danger = field.danger(at, team, moved=moved)
            value = self.objectives(at, 1 - danger / len(team)) - danger * self.dear
            value += w.THREAT * self.hurt(at) + self.cohesion(at)
            value += self.assaults(at)
            self._known[at] = value - 0.1 * max(0, len(field.mine.get(at, ())) + len(team) * (at != self.start) - 5)
        return self._known[at]

    def hurt(self, at: str) -> float:
        """What a volley from a square would be worth."""
        if at not in self._hurts:
            self._hurts[at] = self.field.can_hurt(at, self.team)
        return self._hurts[at]

    def objectives(self, at: str, stays: float) -> float:
        """What is held there, and the pull of what is not held yet."""
        field, pull, held = self.field, 0.0, 0.0
        weight = w.EARLY + (1 - w.EARLY) * field.late
        for square, points in field.objectives.items():
            prize = w.PRIZE * w.POINT * points * weight
            ours = field.control.get(square) == field.side
            others = [p for p in field.foot_in(field.mine, square) if p not in self.team]
            if at == square:
                if not ours:
                    held += prize * self.keeps(square, stays)
                else:
                    held += field.threat(square) * prize * w.GUARD * (0.25 if others else 1.0) * stays
            elif not ours or (not others and field.threat(square) > 0.2):
                way = field.distances(square, field.side).get(at, 30)
                wanted = w.PULL if field.side == "attacker" else w.BACK
                share = 0.7 * w.GUARD * field.threat(square) if ours else wanted
                pull = max(pull, share * prize * w.FADE**way)
        return held + pull * self.takes

    def keeps(self, square: str, stays: float) -> float:
        """The chance to keep an objective that is entered: it is ours until the enemy's foot enter it again."""
        lost = (1 - w.STAYS * stays) * self.field.threat(square)
        return 1 - lost * (1 - self.field.ends if self.field.side == "defender" else 1.0)

    def cohesion(self, at: str) -> float:
        """Officers near their men: a group far away is seldom motivated."""
        column, row = self.field.g.column, self.field.g.row

        def count(one: str, other: str) -> int:
            across, down = abs(column[one] - column[other]), abs(row[one] - row[other])
            return across + down + 1 - min(across, down, 1)

        alone = -0.4 if len(self.team) < 3 and at not in self.mates else 0.0
        if self.leads:
            if not self.mates:
                return 0.0
            need = sum(min(6, max(0, count(at, mate) - 1)) for mate in self.mates) / 6
            return alone - w.COHESION * need
        if not self.officers:
            return 0.0
        need = min(count(officer, at) for officer in self.officers) + (at in self.field.g.difficult)
        return alone - w.COHESION * len(self.team) * min(5, max(0, need - 1)) / 6

    def assaults(self, at: str) -> float:
        """The prospect of an assault next turn, for us and for them."""
        field, value = self.field, 0.0
        ours = len([p for p in self.team if not KINDS[p["kind"]].heavy])
        ours += len([p for p in field.foot_in(field.mine, at) if p not in self.team])
        for square in field.adjacent_enemies(at):
            foot = field.foot_in(field.theirs, square)
            pinned = sum(piece["pinned"] for piece in foot)
            strength = len(foot) - 0.4 * pinned + (0.6 * len(foot) if square in field.g.difficult else 0)
            edge = (ours + 0.5) / (strength + 0.5)
            prize = w.POINT * field.objectives.get(square, 0) * (field.control.get(square) != field.side)
            value += w.STORM * (0.25 * prize + 0.4) * (min(1.5, edge) - 0.7)
        return value


class FootPlan:
    """The choices of a team with action points to spend, each with the value of all that may follow."""

    def __init__(self, seat: Seat, field: Field, actions: Sequence[Action]) -> None:
        self.seat, self.field, self.actions = seat, field, actions
        self.team = field.acting()
        self.ground = Ground(field, self.team)
        self.at = self.ground.start
        self.points = min(piece["ap"] for piece in self.team)
        self.shots_left = max(SHOTS - piece["shots"] for piece in self.team)
        self.shot_values = {action: self.shot(action) for action in actions if isinstance(action, a.Shoot)}
        self.best_shot = max(self.shot_values.values(), default=0.0)
        self.mobile = any(isinstance(action, a.Move) for action in actions)
        self.reach = self._reach(self.points, self.mobile)
        self.stay = 0.0
        self._splits: dict[tuple[object, ...], Scored] = {}

    def _reach(self, points: int, mobile: bool) -> dict[str, tuple[int, str]]:
        if not mobile:
            return {self.at: (points, "")}
        if self.field.frame.get("residual"):
            steps = {action.to: (0, action.to) for action in self.actions if isinstance(action, a.Move)}
            return {self.at: (points, ""), **steps}
        return self.field.reachable(self.at, points, len(self.team))

    # -- what the whole turn of the team comes to ------------------------------------------------

    def plans(self, spent: int = 0) -> dict[str, float]:
        """The value of the best plan for each first step (empty: to stay), with so many points less."""
        found: dict[str, float] = {}
        for to, (left, first) in self.reach.items():
            rest = left - spent
            if rest < 0:
                continue
            value = self.ground.worth(to)
            use = self.best_shot
            if to != self.at:
                value -= self.field.reaction(to, self.team) * self.ground.dear
                if first != to:
                    value -= 0.5 * self.field.reaction(first, self.team) * self.ground.dear
                use = max(use, w.VOLLEY * self.ground.hurt(to))
            value += use * min(rest, self.shots_left)
            if value > found.get(first, -99.0):
                found[first] = value
        return found

    # -- single actions ----------------------------------------------------------------------------

    def shot(self, action: a.Shoot) -> float:
        """Losses of the enemy and pins, less what comes back."""
        field, found = self.field, odds(self.seat, action)
        soft = field.foot_in(field.theirs, action.at) or field.theirs.get(action.at, [])
        value = loss_value(field, found, soft)
        hit = found.get("any hit", 0.0)
        value += w.PIN * hit * sum(not piece["pinned"] for piece in soft)
        if action.at in field.adjacent_enemies(self.at):
            value += 0.1 * hit * sum(not piece["pinned"] for piece in soft)
        return value - (1 - hit) * field.answer(self.at, action.at, self.team)

    def scores(self) -> dict[Action, Scored]:
        """Every action with what it leads to."""
        plans, fewer = self.plans(), self.plans(1)
        self.stay = plans.get("", self.ground.worth(self.at))
        stay = self.ground.worth(self.at)
        after = max(fewer.values(), default=stay)
        best = max(plans.values())
        teams = self.field.frame["teams"]
        found: dict[Action, Scored] = {}
        for action in self.actions:
            match action:
                case a.Shoot():
                    value = self.shot_values[action]
                    found[action] = value + after, f"shoots at {action.at}: worth {value:.1f} bases"
                case a.Move(to=to):
                    found[action] = plans.get(to, -50.0), self._why(to)
                case a.Assault():
                    found[action] = self.assault(action, stay)
                case a.Unpin():
                    found[action] = self.unpin() + after, "pinned men do little"
                case a.Recover():
                    gain = self.recovery() * (1.5 if len(teams) > 1 and len(self.team) == 1 else 1.0)
                    found[action] = w.CARE * gain + after, "fewer casualties, better morale"
                case a.Aim() | a.Flame() | a.Bomb():
                    value = self.special(action)
                    found[action] = value + best - 0.1, f"worth {value:.1f} bases"
                case a.Deploy() | a.Pack():
                    found[action] = self.deploy(action, best)
                case a.Split(piece=id):
                    one = self.field.pieces[id]
                    key = one["kind"], one["ap"], one["pinned"], one["deployed"], one["officer"]
                    if key not in self._splits:
                        self._splits[key] = self.split(id, best)
                    found[action] = self._splits[key]
                case a.Embark():
                    found[action] = -50.0, ""
                case a.Disembark():
                    found[action] = best + 0.5, "on foot they can take and hold"
                case _:
                    found[action] = stay + 0.02, "good as it is"
        return found

    def _why(self, to: str) -> str:
        field = self.field
        aim = min(
            (o for o in field.objectives if field.control.get(o) != field.side),
            key=lambda o: field.distances(o, field.side).get(to, 99),
            default="",
        )
        if aim and field.distances(aim, field.side).get(to, 99) < field.distances(aim, field.side).get(self.at, 99):
            return f"goes to {to} on the way to {aim}"
        return f"{to} is a better place"

    def unpin(self) -> float:
        """A pin costs two points and all reactions."""
        led = any(piece["officer"] for piece in self.field.mine.get(self.at, ()))
        pinned = len([piece for piece in self.team if piece["pinned"]])
        return (4 / 6 if led else 0.5) * (0.15 + w.UNPIN * pinned)

    def recovery(self) -> float:
        """What one casualty mark less is worth to the unit."""
        unit = self.field.units[self.team[0]["unit"]]
        marks: int = unit["casualties"]
        if unit["officer"] == "dead":
            return 2.5 if marks == 2 else 0.9
        return (0.0, 0.4, 0.8, 0.7, 2.2, 1.8)[min(5, marks)]

    def assault(self, action: a.Assault, stay: float) -> Scored:
        """Only at odds: the chance, what it wins and what it costs (assault-results)."""
        field = self.field
        there = field.theirs.get(action.to, [])
        chance, own, their = assault_odds(self.seat, field, action, len(self.team))
        kills = min(len(there), own / 6)
        prize = w.PRIZE * w.POINT * field.objectives.get(action.to, 0) * (field.control.get(action.to) != field.side)
        value = kills * field.mark_value(there[0]["unit"]) if there else 0.0
        value += chance * (0.85 * prize + len(self.team) / 6 + 0.25 * len(there))
        value -= min(len(self.team), their / 6) * 1.1 + (1 - chance) * (len(there) / 6 + 0.25 * len(self.team))
        if not all(piece["pinned"] for piece in there):
            value -= field.answer(self.at, action.to, self.team)
        if chance < 0.4:
            value -= 2
        return stay + value, f"assaults {action.to}: succeeds with {chance:.0%}"

    def special(self, action: a.Aim | a.Flame | a.Bomb) -> float:
        """Anti-tank weapons, flamethrowers and mortars, by the odds."""
        if isinstance(action, a.Bomb) and action.smoke:
            return -0.3
        field, found = self.field, odds(self.seat, action)
        target: str = action.at if isinstance(action, a.Bomb) else action.target
        there = field.theirs.get(target, []) if target not in field.pieces else [field.pieces[target]]
        if isinstance(action, a.Bomb):
            return field.bombed(action.at, action.shots)
        value = losses(found) + 0.3 * found.get("any hit", 0.0)
        prize: float = KINDS[there[0]["kind"]].points / 5 if there and target in field.pieces else 0.0
        return value + prize * (found.get("destroyed", 0.0) + 0.4 * found.get("immobilised", 0.0))

    def deploy(self, action: a.Deploy | a.Pack, best: float) -> Scored:
        """Heavy weapons shoot from where they have targets."""
        field = self.field
        piece = field.pieces[action.piece]
        kind = KINDS[piece["kind"]]
        if kind.mortar:
            hurt = max((field.bombed(at, 1) for at in field.theirs if field.falls(piece, at)), default=0.0)
        else:
            hurt = field.can_hurt(self.at, [{**piece, "deployed": True}])
        if isinstance(action, a.Deploy):
            if hurt > 0:
                return best + 1.2 * hurt, "there are targets"
            waits = field.side == "defender" and self.at in field.objectives
            return best + (0.1 if waits else -0.5), "ready for them"
        idle = hurt <= 0 and field.side == "attacker" and field.turns_left > 2
        return best + (0.15 if idle else -3.0), "nothing to shoot at here"

    def runs(self, piece: Fact) -> float:
        """What it gains if one base alone takes an objective in reach that nobody holds with foot."""
        field = self.field
        wanted = [o for o in field.objectives if field.control.get(o) != field.side]
        prizes = [o for o in wanted if o in self.reach and o != self.at]
        if not prizes or self.field.frame.get("residual"):
            return 0.0
        alone = Ground(field, [piece])
        here = alone.worth(self.at)
        return max(alone.worth(o) - alone.dear * field.reaction(o, [piece]) for o in prizes) - here

    def split(self, id: str, best: float) -> Scored:
        """One base acts alone: because it holds up the others, or to see to the casualties."""
        field = self.field
        piece = field.pieces[id]
        most = max(other["ap"] for other in self.team)
        slow = piece["ap"] < most or (piece["deployed"] and KINDS[piece["kind"]].deploys)
        if slow and not self.mobile:
            rest = [p for p in self.team if p["ap"] == most and not (p["deployed"] and KINDS[p["kind"]].deploys)]
            if rest:
                ground = Ground(field, rest)
                reach = field.reachable(self.at, most, len(rest))
                gain = max(ground.worth(to) for to in reach) - ground.worth(self.at)
                return best + (gain * 0.8 - 0.1 if gain > 0.2 else -3.0), "so that the others can move"
        if self.mobile and not piece["officer"] and KINDS[piece["kind"]].dice <= 1:
            gain = self.runs(piece)
            if gain > 0.5:
                return self.stay + gain, "one is enough to take it"
        gain = self.recovery()
        idle = not self.shot_values or (KINDS[piece["kind"]].dice <= 1 and len(self.team) > 2)
        if gain >= 0.7 and idle and piece["ap"] >= 1 and not piece["pinned"]:
            share = self.best_shot * min(SHOTS, self.points) / len(self.team)
            return best + w.CARE * gain - share - 0.05, "sees to the casualties"
        return best - 5.0, ""
