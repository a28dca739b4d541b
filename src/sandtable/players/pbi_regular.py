"""The regular of PBI: a plan for every group, exact odds, and care for casualties, pins and officers."""

from __future__ import annotations

import random
from collections.abc import Sequence

from sandtable.engine import Action, Seat
from sandtable.games.pbi import actions as a
from sandtable.games.pbi.catalogue import KINDS
from sandtable.players import pbi_weights as w
from sandtable.players.pbi_deploy import Deployment
from sandtable.players.pbi_drive import VehiclePlan
from sandtable.players.pbi_field import Fact, Field
from sandtable.players.pbi_foot import FootPlan, Ground, Scored, loss_value, losses, odds
from sandtable.players.pbi_recruit import Recruit, Table

WAIT = 0.15
"""The part of a good volley that a reaction must be worth while better targets may come; a pin ends all waiting."""
Ranked = tuple[float, str, Action]


class Regular(Recruit):
    """Plans a way for every group, shoots by exact odds, assaults at odds and keeps its units together."""

    def choose(self, seat: Seat, source: random.Random) -> Action:
        """The action with the best plan behind it."""
        best = self.ranked(seat, source)[0]
        self.explanation = best[1] or seat.describe(best[2]).text
        return best[2]

    def ranked(self, seat: Seat, source: random.Random) -> list[Ranked]:
        """All actions, the best first."""
        actions = list(seat.actions())
        if len(actions) == 1:
            return [(0.0, "", actions[0])]
        view = seat.view()
        field = Field(seat.side, view)
        scores = self._scores(seat, field, Table(seat.side, view), actions)
        found = [(scores[action][0] + source.random() * 0.01, scores[action][1], action) for action in actions]
        found.sort(key=lambda one: -one[0])
        return found

    def _scores(self, seat: Seat, field: Field, table: Table, actions: Sequence[Action]) -> dict[Action, Scored]:
        kind = field.frame["type"]
        if kind == "Acting" and not field.acting()[0]["within"]:
            return FootPlan(seat, field, actions).scores()
        if kind == "Acting" and any(isinstance(action, a.Disembark) for action in actions):
            return self._mounted(seat, field, table, actions)
        if kind == "Driving":
            return VehiclePlan(seat, field, actions).scores()
        if kind == "Commander":
            return {action: self._commander(field, action) for action in actions}
        if kind == "Window":
            return {action: self._react(seat, field, action) for action in actions}
        if kind == "SetUp":
            zone = Deployment(field)
            return {action: self._set_up(zone, action) for action in actions}
        found: dict[Action, Scored] = {}
        for action in actions:
            if isinstance(action, a.Take):
                found[action] = self._give(field, action.piece)
            elif isinstance(action, a.Activate):
                found[action] = self._next_unit(field, action.unit)
            elif isinstance(action, a.Motivate):
                found[action] = self._next_group(field, action.at)
            elif isinstance(action, (a.PlacePattern, a.Shape)):
                found[action] = self._strike(field, action)
            elif isinstance(action, a.UseAsset) and action.asset == "barrage":
                found[action] = self._barrage(field)
            elif isinstance(action, a.UseAsset) and action.asset == "smoke":
                found[action] = self._screen(field)
            elif isinstance(action, a.Arrive):
                found[action] = self._arrive(field, action.at)
            else:
                found[action] = self._score(seat, table, action, actions)
        return found

    def _set_up(self, zone: Deployment, action: Action) -> Scored:
        at = action.at if isinstance(action, a.Place) else ""
        return (zone.worth(at) if at else -99.0), "near an objective and the others of the unit"

    def _mounted(self, seat: Seat, field: Field, table: Table, actions: Sequence[Action]) -> dict[Action, Scored]:
        """Men on a vehicle get off near the enemy, and when they are shot at."""
        at = field.acting()[0]["at"]
        nearest = min((field.g.range[at][square] for square in field.theirs), default=9)
        found = {action: self._score(seat, table, action, actions) for action in actions}
        for action in actions:
            if isinstance(action, a.Disembark):
                found[action] = (3.0 if nearest <= 3 or field.late > 0.8 else -1.0), "close enough to get off"
        return found

    # -- the company commander ------------------------------------------------------------------

    def _commander(self, field: Field, action: Action) -> Scored:
        """Before the morale rolls: casualties first, then pins, then a good place (turn-commander)."""
        commander = next(p for p in field.pieces.values() if p["kind"] == "commander" and p["side"] == field.side)
        at: str = commander["at"]
        match action:
            case a.Comfort(unit=id):
                return 0.5 * self._mark(field, id), "fewer casualties before the morale roll"
            case a.Rally(at=square):
                pinned = sum(piece["pinned"] for piece in field.mine[square])
                return (4 / 6) * (0.1 + 0.3 * pinned), f"{pinned} are pinned there"
            case a.Urge(unit=id):
                return self._urge(field, id, at), "to be sure of them"
            case a.Call():
                waiting = sum(u["off"] and not u["gone"] for u in field.units.values() if u["side"] == field.side)
                return (0.35 * waiting if field.turn > 1 else -1.0), "the reserves are wanted"
            case a.Step(to=to):
                return self._stand(field, commander, to) - self._stand(
                    field, commander, at
                ) - 0.05, "to be near his men"
        return 0.0, "that is enough"

    def _mark(self, field: Field, id: str) -> float:
        """What a casualty mark less is worth right before the morale step."""
        unit = field.units[id]
        marks: int = unit["casualties"]
        bases = len([p for p in field.pieces.values() if p["unit"] == id and KINDS[p["kind"]].foot])
        stake = 0.45 * (w.POINT + bases)
        problems = (marks >= 2) + (marks >= 4 or 2 * bases < unit["strength"]) + (unit["officer"] == "dead")
        fewer = (marks >= 3) + (marks >= 5 or 2 * bases < unit["strength"]) + (unit["officer"] == "dead")
        if problems >= 2 > fewer:
            return stake
        if problems >= 2 and marks:
            return 0.35 * stake if marks in (3, 5, 6) else 0.2
        return (0.3, 0.5, 0.9, 0.7)[marks] if marks < 4 else 0.8

    def _urge(self, field: Field, id: str, at: str) -> float:
        officer = next((p["at"] for p in field.pieces.values() if p["unit"] == id and p["officer"]), "")
        value = 0.0
        for piece in field.pieces.values():
            if piece["unit"] == id and piece["at"] in field.g.near[at]:
                distance = field.g.range[officer][piece["at"]] if officer else 4
                distance = min(distance, field.g.range[at][piece["at"]])
                value += 0.35 * min(5, distance + (piece["at"] in field.g.difficult)) / 6
        return value - 0.1

    def _stand(self, field: Field, commander: Fact, square: str) -> float:
        """How good a place is for the commander: near men who need him, in cover, not in the front line."""
        value: float = -0.6 * field.price(commander) * field.danger(square, [commander], moved=True)
        nearest = min((field.g.range[square][at] for at in field.theirs), default=9)
        value -= 1.2 * max(0, 3 - nearest)
        for unit_id, unit in field.units.items():
            if unit["side"] != field.side or unit["gone"] or unit["off"] or unit["kind"] == "command":
                continue
            places = [p["at"] for p in field.pieces.values() if p["unit"] == unit_id and p["at"]]
            if not places:
                continue
            distance = min(field.g.range[square][at] for at in places)
            need = 0.15 + 0.5 * self._mark(field, unit_id) * (unit["casualties"] > 0)
            value += need if distance <= 1 else need * 0.6 / distance
            if unit["officer"] == "dead":
                value += 1.0 if square in places else 0.0
        near = [piece for at in field.g.near[square] for piece in field.mine.get(at, ()) if piece is not commander]
        pinned = len([piece for piece in near if piece["pinned"]])
        return value + 0.08 * pinned

    # -- reactions and losses -----------------------------------------------------------------

    def _react(self, seat: Seat, field: Field, action: Action) -> Scored:
        """Shoot when it is worth it; wait for a better target if there may be one (odds-opportunity)."""
        if isinstance(action, a.Hold):
            return 0.0, "waits for a better target"
        found = odds(seat, action)
        target = field.frame["target"]
        there = field.theirs.get(target, [])
        value = loss_value(field, found, [p for p in there if not KINDS[p["kind"]].vehicle] or there)
        value += 0.08 * found.get("any hit", 0.0) * sum(not piece["pinned"] for piece in there)
        if isinstance(action, a.Aim):
            prize = KINDS[field.pieces[action.target]["kind"]].points / 5
            value += prize * (found.get("destroyed", 0.0) + 0.4 * found.get("immobilised", 0.0))
            return value + 0.01, f"{found.get('destroyed', 0.0):.0%} to destroy it"
        start = action.at if isinstance(action, a.Volley) else field.pieces[getattr(action, "piece", "")]["at"]
        start = field.pieces[start]["at"] if start in field.pieces else start
        dice = field.fire(start, target, answering=True)
        wait = 0.0
        if field.frame["why"] == "opportunity" and self._more_to_come(field, start):
            wait = WAIT * dice / 6 * (3 if len(there) == 1 else 1)  # a volley is too much for one base
        return value - wait + 0.01, f"costs them {losses(found):.2f} bases on average"

    def _more_to_come(self, field: Field, start: str) -> bool:
        """Whether enemies that have not acted yet may still come into view."""
        return any(
            not piece["acted"] and field.g.range[start][at] <= 6 and KINDS[piece["kind"]].foot
            for at, there in field.theirs.items()
            for piece in there
        )

    def _give(self, field: Field, id: str) -> Scored:
        """The hit or loss that hurts least: good saves, cheap bases, units with few marks."""
        piece = field.pieces[id]
        kind = KINDS[piece["kind"]]
        value = field.price(piece) * (field.mark_value(piece["unit"]) if kind.foot else 1.5)
        if field.frame["type"] == "Hits" and field.frame["how"] != "HE":
            near = field.frame["source"] in field.g.near[piece["at"]]
            value *= field.fails(piece, piece["at"], moved=piece["moved"] > 0, near=near)
        return -value, "it can best be spared"

    # -- units and groups ---------------------------------------------------------------------

    def _next_unit(self, field: Field, unit: str) -> Scored:
        """Those who can shoot first: what they pin does not shoot at those who move."""
        groups: dict[str, list[Fact]] = {}
        value = 0.0
        for piece in field.pieces.values():
            if piece["unit"] == unit and piece["at"]:
                groups.setdefault(piece["at"], []).append(piece)
                kind = KINDS[piece["kind"]]
                value += 0.3 * (kind.vehicle or kind.form == "gun" or kind.deploys)
        value += sum(field.can_hurt(at, group) for at, group in groups.items())
        return 5.0 + value, "those with the best targets first"

    def _next_group(self, field: Field, at: str) -> Scored:
        """Groups with targets first, the officer's own last, so that he stays near the others."""
        unit = field.frame["unit"]
        square = field.pieces[at]["at"] if at in field.pieces else at
        group = [p for p in field.pieces.values() if p["unit"] == unit and p["at"] == square and not p["acted"]]
        leads = any(piece["officer"] for piece in group)
        return 2.0 + 0.3 * field.can_hurt(square, group) - (0.5 if leads else 0.0), "the next group"

    def _arrive(self, field: Field, at: str) -> Scored:
        unit = field.frame["unit"]
        group: list[Fact] = [{**p, "at": at} for p in field.pieces.values() if p["unit"] == unit]
        foot = [p for p in group if KINDS[p["kind"]].foot] or group
        return Ground(field, foot[:6]).worth(at), "the shortest safe way"

    # -- artillery ------------------------------------------------------------------------------

    def _struck(self, field: Field, squares: Sequence[str]) -> float:
        """What high explosive on these squares is worth now."""
        value = 0.0
        for square in squares:
            for piece in field.theirs.get(square, ()):
                fails = field.fails(piece, square, moved=piece["moved"] > 0, near=False)
                value += 0.42 * 0.75 * (fails * field.mark_value(piece["unit"]) + (0.0 if piece["pinned"] else 0.25))
            value -= 1.2 * 0.42 * len(field.mine.get(square, ()))
            for near in field.g.near[square]:
                value -= 0.03 * len(field.mine.get(near, ()))
        return value

    def _best(self, field: Field, shape: str) -> float:
        return max(self._struck(field, squares) for squares in field.g.patterns[shape].values())

    def _strike(self, field: Field, action: a.PlacePattern | a.Shape) -> Scored:
        """Where it hurts most; another pattern if that hurts more (artillery-place)."""
        if field.frame["smoke"]:
            blinded = self._blinds
        else:
            blinded = self._struck
        now = field.frame.get("shape", "square")
        if isinstance(action, a.PlacePattern):
            return blinded(field, field.g.patterns[action.shape][action.at]), "where they are close together"
        best = {
            shape: max(blinded(field, squares) for squares in field.g.patterns[shape].values())
            for shape in (now, action.shape)
        }
        return (best[action.shape] if best[action.shape] > best[now] + 0.02 else -99.0), "it covers more of them"

    def _blinds(self, field: Field, squares: Sequence[str]) -> float:
        """Smoke blinds those in it: good on defenders whom our foot are about to reach."""
        value = 0.0
        for square in squares:
            dice = sum(weapon.dice for weapon in field.weapons.get(square, ()) if square in field.theirs)
            value += dice
            value -= sum(weapon.dice for weapon in field.weapons.get(square, ()) if square in field.mine)
        return value

    def _barrage(self, field: Field) -> Scored:
        best = max(self._best(field, shape) for shape in field.g.patterns)
        enough = 1.6 if field.turns_left > 3 else 0.9
        return best - enough, f"worth {best:.1f} bases"

    def _screen(self, field: Field) -> Scored:
        """Smoke is for the last bound: when our foot are near and much fire would meet them."""
        if field.side == "defender" or field.turn < 3:
            return -1.0, ""
        blinded = max(self._blinds(field, squares) for shape in field.g.patterns.values() for squares in shape.values())
        near = sum(
            len(field.foot_in(field.mine, at))
            for at in field.mine
            if min((field.g.range[at][o] for o in field.theirs), default=9) <= 3
        )
        return (0.3 if blinded >= 8 and near >= 5 else -1.0), "to cover the last bound"


CLOSE_CALL = {"Acting": 2.0, "Driving": 1.5, "Window": 1.0, "Assets": 2.0, "Arrival": 1.0}
"""Decisions that deserve a look ahead, and how far behind the best a choice may be to be looked at too."""
GONE_ON = 0.3
"""How much nearer the best it must be when the team has already begun."""
SORTS = 4
"""So many different things to do are looked at."""


def candidates(player: Regular, seat: Seat, limit: int) -> list[Action]:
    """The choices that deserve a look ahead, the regular's own first; single ones where little hangs on them.

    Of each sort of action only the best is taken, of moves the best two: to shoot at this one or that one seldom
    matters as much as to shoot or to go. Who has begun something goes on with it unless it is a close call.
    """
    ranked = player.ranked(seat, random.Random(0))
    extra = seat.view()["extra"]
    frame = extra["frame"]
    margin = CLOSE_CALL.get(frame["type"])
    if margin is None:
        return [ranked[0][2]]
    team = frame["teams"][0] if frame["type"] == "Acting" else frame.get("pieces", ())[:1]
    if any(extra["pieces"][id]["moved"] or extra["pieces"][id]["shots"] for id in team if id in extra["pieces"]):
        margin *= GONE_ON
    found: list[Action] = []
    sorts: dict[type, int] = {}
    for score, _, action in ranked:
        sort = type(action)
        if score > ranked[0][0] - margin and sorts.get(sort, 0) < (2 if sort in (a.Move, a.Arrive, a.Forward) else 1):
            sorts[sort] = sorts.get(sort, 0) + 1
            found.append(action)
    return found[: min(limit, SORTS)]
