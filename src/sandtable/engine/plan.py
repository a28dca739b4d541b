"""From `these pieces, that place` to the actions that do it: a whole declaration is worked out at once.

The search knows no game. It reads the roles of descriptions: it starts with the pieces, adds the others, aims at the
place and ends with what would carry it out. It tries the steps of a declaration on a copy with dice that do not
roll, and never what comes after them, so that it learns nothing that the side does not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from sandtable.engine.errors import DiceError, SandtableError
from sandtable.engine.match import Match
from sandtable.engine.state import Action, Outcome
from sandtable.engine.tools import Path
from sandtable.engine.view import Description, Preview, Refusal

DEPTH = 12
"""Steps of a declaration that are tried at most beyond those of the pieces asked for."""


class Plan(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that the pieces can do there: all its actions in their order, and words for the last."""

    actions: tuple[Action, ...]
    text: str
    role: str = "do"
    group: str = ""
    pieces: tuple[str, ...] = ()
    """Who takes part."""
    left: tuple[str, ...] = ()
    """Pieces that were asked for but cannot take part."""
    cells: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    rule: str = ""
    cost: str = ""
    notes: tuple[str, ...] = ()
    more: bool = False
    """Dice decide how it goes on: the rest can only be planned then."""
    preview: Preview | None = None
    path: Path | None = None


class Goal(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place that pieces can reach or act on, before it is pointed at."""

    cell: str
    kind: str
    """`move`: they go there; `act`: they do something there."""
    text: str = ""
    cost: str = ""
    targets: tuple[str, ...] = ()
    chance: float | None = None
    """The number that decides, of the best way to do it."""
    label: str = ""
    """What the number is the chance of."""


class _NoDice:
    """Dice for declarations: they do not roll."""

    position = 0

    def roll(self, sides: int, n: int, why: str) -> tuple[int, ...]:
        raise DiceError(f"Dice are rolled for {why}.")

    def clone(self) -> _NoDice:
        return self


class _Draft(NamedTuple):
    """A declaration as far as it has come."""

    match: Match
    actions: tuple[Action, ...] = ()
    taken: tuple[str, ...] = ()
    aimed: bool = False


class _Search:
    """One question: what can these pieces do at that place?"""

    def __init__(self, match: Match, side: str, pieces: Sequence[str], cell: str, target: str) -> None:
        self.side = side
        self.pieces = tuple(dict.fromkeys(pieces))
        self.cell = cell
        self.target = target
        self.found: list[Plan] = []
        self.refused: list[Refusal] = []
        self.root = _Draft(match)
        self.limit = DEPTH + len(self.pieces)
        self.offered: dict[Match, list[tuple[Action, Description]]] = {}
        self.shown = match.game.view(match.state, side).pieces
        self.where = {piece.id: piece.at for piece in self.shown}

    # -- what an action is to the question ----------------------------------------------

    def there(self, said: Description) -> bool:
        """Whether an action goes to the place or aims at the piece."""
        if self.target and self.target in said.targets:
            return True
        if not self.cell or not (said.cells or said.targets):
            return False
        return self.place_of(said) == self.cell

    def place_of(self, said: Description) -> str:
        """Where an action goes or aims: its last cell, or where the first piece that it aims at stands."""
        if said.cells:
            return said.cells[-1]
        return next((self.where[name] for name in said.targets if name in self.where), "")

    def ours(self, draft: _Draft, said: Description) -> bool:
        """Whether an action is one of the pieces, or of what they have begun; anybody's if none are named."""
        if said.pieces and self.pieces:
            return any(piece in self.pieces for piece in said.pieces)
        return bool(draft.actions) or not self.pieces or not said.pieces

    def missing(self, draft: _Draft) -> set[str]:
        return set(self.pieces) - set(draft.taken)

    def offers(self, draft: _Draft) -> list[tuple[Action, Description]]:
        match = draft.match
        if match not in self.offered:
            self.offered[match] = [(action, match.describe(self.side, action)) for action in match.actions(self.side)]
        return self.offered[match]

    def after(self, draft: _Draft, action: Action, said: Description, *, aims: bool = False) -> _Draft | None:
        """The declaration with one more step; None if dice would be rolled or somebody else asked."""
        match = draft.match.clone(_NoDice())
        try:
            match.apply(self.side, action)
        except SandtableError:
            return None
        if match.to_act != (self.side,):
            return None
        taken = tuple(dict.fromkeys((*draft.taken, *[piece for piece in said.pieces if piece in self.pieces])))
        return _Draft(match, (*draft.actions, action), taken, draft.aimed or aims)

    # -- searching ----------------------------------------------------------------------

    def run(self) -> None:
        self.begin(self.root)
        most = max((len(set(self.pieces) & set(plan.pieces)) for plan in self.found), default=0)
        best = [plan for plan in self.found if len(set(self.pieces) & set(plan.pieces)) == most]
        ready = [plan for plan in best if not plan.more] or best
        unique: dict[tuple[str, tuple[str, ...]], Plan] = {}
        for plan in sorted(ready, key=lambda plan: len(plan.actions)):
            unique.setdefault((plan.text, plan.cells), plan)
        self.found = list(unique.values())

    def begin(self, draft: _Draft) -> None:
        """What is done at once, and every declaration that the pieces can start."""
        offers = self.offers(draft)
        self.refused += draft.match.refusals(self.side)
        if any(said.role in ("cancel", "resolve") for _, said in offers):
            self.go_on(draft)
            if not self.found and self.pieces:
                self.instead(draft, offers)
            return
        for action, said in offers:
            if said.role in ("do", "place", "aim") and self.there(said) and self.ours(draft, said):
                if said.role == "place":
                    self.place(draft, action, said)
                else:
                    self.end(draft, action, said)
        for action, said in offers:
            if said.role == "start" and self.pieces and self.ours(draft, said) and len(draft.actions) < self.limit:
                self.start(draft, action, said)
                if any(not plan.left and not plan.more and plan.role == "resolve" for plan in self.found):
                    return

    def instead(self, draft: _Draft, offers: Sequence[tuple[Action, Description]]) -> None:
        """Give up the declaration that is being made, and begin another with these pieces."""
        for action, said in offers:
            given_up = self.after(draft, action, said) if said.role == "cancel" else None
            if given_up is not None:
                self.begin(given_up._replace(taken=()))
                return

    def start(self, draft: _Draft, action: Action, said: Description) -> None:
        begun = self.after(draft, action, said, aims=self.there(said))
        if begun is not None:
            self.go_on(begun)
        elif said.pieces:
            self.end(draft, action, said, more=True)

    def go_on(self, draft: _Draft) -> None:
        """Add the other pieces, aim, add those that can only join now, and see what would carry it out."""
        draft = self.add(draft)
        offers = self.offers(draft)
        self.refused += draft.match.refusals(self.side)
        aims = [(action, said) for action, said in offers if said.role == "aim" and self.there(said)]
        for action, said in aims:
            aimed = self.after(draft, action, said, aims=True)
            if aimed is not None:
                self.finish(self.add(aimed))
        if aims:
            return
        if self.finish(draft) or len(draft.actions) >= self.limit:
            return
        for action, said in offers:
            # what carries out one declaration may begin the next: a stack is put together, then it moves
            on = said.role == "start" or (said.role == "resolve" and not draft.aimed and draft.taken)
            if on and self.ours(draft, said) and draft.actions:
                self.start(draft, action, said)
        if not draft.aimed:
            wider = [(action, said) for action, said in offers if said.role == "vary" and not said.pieces]
            for action, said in wider[:1]:
                widened = self.after(draft, action, said)
                if widened is not None:
                    self.go_on(widened)

    def add(self, draft: _Draft) -> _Draft:
        """Let everybody join who was asked for and can."""
        for _ in self.pieces:
            missing = self.missing(draft)
            joins = [
                (action, said)
                for action, said in self.offers(draft)
                if said.role == "add" and said.pieces and missing.intersection(said.pieces)
            ]
            if not missing or not joins:
                break
            # who can both direct and serve a weapon is rather wanted to direct: that offer is about him alone
            action, said = min(reversed(joins), key=lambda join: len(join[1].pieces))
            more = self.after(draft, action, said)
            if more is None:
                break
            draft = more
        return draft

    def finish(self, draft: _Draft) -> bool:
        """Everything that would carry out the declaration there."""
        before = len(self.found)
        for action, said in self.offers(draft):
            there = self.there(said) and self.ours(draft, said)
            if (said.role == "resolve" and (draft.aimed or self.there(said))) or (said.role == "do" and there):
                self.end(draft, action, said)
            elif said.role == "place" and there:
                self.place(draft, action, said)
        return len(self.found) > before

    def place(self, draft: _Draft, action: Action, said: Description) -> None:
        """Place one, then the next of those asked for, as long as they fit."""
        self.end(draft, action, said)
        placed = self.after(draft, action, said)
        if placed is not None and self.missing(placed) and len(placed.actions) < 3 * self.limit:
            self.begin(placed)

    def end(self, draft: _Draft, action: Action, said: Description, *, more: bool = False) -> None:
        part = tuple(dict.fromkeys((*draft.taken, *said.pieces)))
        preview = draft.match.game.preview(draft.match.state, self.side, action)
        self.found.append(
            Plan(
                (*draft.actions, action),
                said.text,
                said.role,
                said.group,
                part,
                tuple(piece for piece in self.pieces if piece not in part),
                said.cells,
                said.targets,
                said.rule,
                said.cost,
                said.notes,
                more,
                preview,
            )
        )


def plans(
    match: Match, side: str, pieces: Sequence[str], cell: str = "", target: str = ""
) -> tuple[list[Plan], Refusal | None]:
    """What pieces can do at a place or with a piece, the most of them that can; or why they cannot."""
    found, why = _plans(match, side, pieces, cell, target)
    way_in = match.game.entered_by(match.state, cell) if cell and not found else cell
    return _plans(match, side, pieces, way_in, target) if way_in != cell else (found, why)


def _plans(match: Match, side: str, pieces: Sequence[str], cell: str, target: str) -> tuple[list[Plan], Refusal | None]:
    search = _Search(match, side, pieces, cell, target)
    way = _way(match, side, pieces, cell)
    search.run()
    found = search.found
    if way is not None:
        last = way.actions[-1]
        found = [way, *[plan for plan in found if plan.actions[-1] != last and not (plan.more and way.path)]]
    return found, None if found else _reason(search.refused, pieces, cell, target)


def _way(match: Match, side: str, pieces: Sequence[str], cell: str) -> Plan | None:
    if not cell:
        return None
    path = match.game.path(match.state, side, pieces, cell)
    steps = [step.action for step in path.steps if step.action is not None] if path is not None else []
    if path is None or not steps:
        return None
    return Plan(
        tuple(steps), f"Go to {cell}", "do", "move", tuple(pieces), cells=path.cells, cost=path.total, path=path
    )


def _reason(refused: Iterable[Refusal], pieces: Sequence[str], cell: str, target: str) -> Refusal | None:
    """The refusal that says most about the pieces and the place."""

    def weight(one: Refusal) -> int:
        if one.cells and cell not in one.cells:
            return 0
        if one.pieces and target not in one.pieces and not set(pieces).intersection(one.pieces):
            return 0
        return 2 * bool(one.cells) + bool(one.pieces)

    best = max(refused, key=weight, default=None)
    return best if best is not None and weight(best) else None


def outcome_without_dice(match: Match, side: str, action: Action) -> Outcome | None:
    """How the match would end by an action at once; None if it goes on, or if dice have a say in it."""
    copy = match.clone(_NoDice())
    try:
        copy.apply(side, action)
    except SandtableError:
        return None
    return copy.outcome


def goals(match: Match, side: str, pieces: Sequence[str]) -> list[Goal]:
    """All places that the pieces can reach or act on now; chances are left to whoever has the time."""
    found = {cell: Goal(cell, "move", cost=cost) for cell, cost in match.game.reach(match.state, side, pieces).items()}
    search = _Search(match, side, pieces, "", "")
    where = search.where
    drafts, seen = [_Draft(match)], 0
    while drafts and seen < len(search.pieces) + DEPTH:
        draft = drafts.pop(0)
        seen += 1
        for action, said in search.offers(draft):
            if not search.ours(draft, said):
                continue
            cell = search.place_of(said)
            home = bool(said.pieces) and where.get(said.pieces[0]) == cell and not said.targets
            if said.role == "start" and not said.pieces:
                continue
            if cell and not home and said.role in ("do", "place", "aim", "start", "resolve"):
                moves = not said.targets and said.role in ("do", "place")
                found.setdefault(cell, Goal(cell, "move" if moves else "act", said.text, said.cost, said.targets))
            elif said.role == "start" and len(draft.actions) < 2:
                begun = search.after(draft, action, said)
                if begun is not None:
                    drafts.append(begun)
    for piece in search.shown:
        # whoever is pointed at in another place than the one that is entered to get at him
        way_in = match.game.entered_by(match.state, piece.at) if piece.side != side and piece.at else ""
        if way_in in found and piece.at not in found:
            found[piece.at] = msgspec.structs.replace(found[way_in], cell=piece.at)
    known = [goal for goal in found.values() if goal.targets or goal.kind == "move"]
    # fire at places where nobody is known to be can be aimed too, but need not be shown where there are enemies
    return known if any(goal.targets for goal in known) else list(found.values())


def with_chance(match: Match, side: str, pieces: Sequence[str], goal: Goal) -> Goal:
    """The goal with the number that decides, of the best that the pieces can do there; like is compared with like."""
    best: tuple[float, str] | None = None
    for plan in plans(match, side, pieces, goal.cell)[0]:
        line = plan.preview.headline() if plan.preview is not None and plan.path is None else None
        if line is not None and (best is None or (line.label == best[1] and line.chance > best[0])):
            best = line.chance, line.label
    return goal if best is None else msgspec.structs.replace(goal, chance=best[0], label=best[1])
