"""Hot-seat in a terminal: the map as text, numbered actions, the log with its tallies."""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from sandtable.commands.common import fail
from sandtable.engine import Action, Match, Seat, new
from sandtable.engine.errors import SandtableError
from sandtable.engine.events import Rolled
from sandtable.engine.view import Preview
from sandtable.players import Player, make_player, read_level

PAGE = 30
HELP = (
    "A number does that action; ?N shows its tally and odds first; a word lists only the actions with it. "
    "map, look HEX, log, undo, ask (whether steps with nothing to do are passed), save FILE, quit."
)
DICE = "⚀⚁⚂⚃⚄⚅"


def play_in_terminal(scenario: str, computers: Mapping[str, str], seed: int | None, options: dict[str, str]) -> int:
    """Play a match at this terminal; `computers` gives the level of the sides that the program plays."""
    match = new(scenario, seed=seed, options=options)
    for side, level in computers.items():
        if side not in match.sides:
            fail(f"There is no side {side!r} here; the sides are {', '.join(match.sides)}.")
        read_level(match.header.game, level)
    return _Terminal(match, computers).run()


class _Terminal:
    """One match at one terminal."""

    def __init__(self, match: Match, computers: Mapping[str, str]) -> None:
        self.match = match
        match.narrator = match.game.words  # the words of an event are found when it happens
        self.out = Console(highlight=False)
        self.told = 0
        self.side = ""
        self.shown: list[Action] = []
        self.passing = True
        """Optional steps in which nothing sensible can be done are passed."""
        self.players: dict[str, Player] = {
            side: make_player(match.header.game, level) for side, level in computers.items()
        }
        self.source = random.Random(f"terminal {match.header.secret}")

    def run(self) -> int:
        """Ask and act until the end, or until the player leaves."""
        self.out.print(f"{self.match.game.title}: {self.match.header.scenario}. {HELP}", markup=False)
        while self.match.to_act:
            side = self.match.to_act[0]
            if side in self.players:
                action = self.players[side].choose(Seat(self.match, side), self.source)
                self.match.apply(side, action)
                continue
            idle = self.match.game.idle(self.match.state, side) if self.passing else None
            if idle is not None:
                self.out.print(f"{_name(side)}: {idle.text}.", markup=False)
                self.match.apply(side, idle.action)
                continue
            if side != self.side:
                self._hand_over(side)
            self._log()
            if not self._decide(side):
                return 0
        self._log()
        return 0

    def _hand_over(self, side: str) -> None:
        """Another player takes the terminal: what the last one saw is pushed out of sight."""
        if self.side and len(self.match.sides) - len(self.players) > 1:
            self.out.print(f"\nHand over to {_name(side)}, then press Enter.", markup=False)
            sys.stdin.readline()
            self.out.clear()
        self.side = side
        self._map()

    def _decide(self, side: str) -> bool:
        """One decision; False when the player leaves."""
        match = self.match
        actions = list(match.actions(side))
        view = match.view(side)
        rule = f" ({view['prompt_rule']})" if view.get("prompt_rule") else ""
        self.out.print(
            f"\n[{', '.join(filter(None, (view['turn'], view['phase'])))}] {_name(side)}: {view['prompt']}{rule}",
            markup=False,
        )
        self._list(side, actions)
        while True:
            self.out.print("> ", end="")
            line = sys.stdin.readline()
            if not line:
                return False
            words = line.split()
            if not words:
                continue
            done = self._answer(side, actions, words)
            if done is not None:
                return done

    def _answer(self, side: str, actions: list[Action], words: list[str]) -> bool | None:
        """Carry out what was typed; None: ask again."""
        word = words[0].lower()
        try:
            if word.isdigit():
                if not 1 <= int(word) <= len(self.shown):
                    raise SandtableError(f"Type a number from 1 to {len(self.shown)}.")
                self.match.apply(side, self.shown[int(word) - 1])
                return True
            if word.startswith("?") and word[1:].isdigit() and 1 <= int(word[1:]) <= len(self.shown):
                self._preview(self.match.preview(side, self.shown[int(word[1:]) - 1]))
            elif word in ("quit", "q"):
                return False
            elif word == "undo":
                self.match.undo(side)
                while (
                    self.passing and self.match.game.idle(self.match.state, side) and not self.match.why_no_undo(side)
                ):
                    self.match.undo(side)  # what was passed is taken back with what came before it
                return True
            elif word == "map":
                self._map()
            elif word == "log":
                self.told = 0
                self._log()
            elif word == "ask":
                self.passing = not self.passing
                self.out.print(
                    "Steps with nothing to do are passed." if self.passing else "You are asked at every step."
                )
            elif word == "save" and len(words) == 2:
                self.match.record().save(Path(words[1]))
                self.out.print(f"The record is in {words[1]}.", markup=False)
            elif word == "look" and len(words) == 2:
                self._look(side, words[1])
            elif word in ("help", "h", "?"):
                self.out.print(HELP, markup=False)
            else:
                found = [one for one in actions if " ".join(words).lower() in self._text(side, one).lower()]
                self._list(side, found or actions)
        except (SandtableError, OSError) as error:
            self.out.print(str(error), markup=False)
        return None

    # -- showing --------------------------------------------------------------------------

    def _text(self, side: str, action: Action) -> str:
        return self.match.describe(side, action).text

    def _list(self, side: str, actions: list[Action]) -> None:
        self.shown = actions
        for number, action in enumerate(actions[:PAGE], 1):
            told = self.match.describe(side, action)
            cost = f"  {told.cost}" if told.cost else ""
            self.out.print(f"{number:4}  {told.text}{cost}", markup=False)
        if len(actions) > PAGE:
            self.out.print(f"      and {len(actions) - PAGE} more: type a word, such as a hex, to see fewer.")

    def _preview(self, preview: Preview | None) -> None:
        if preview is None:
            self.out.print("There is nothing to roll for it.")
            return
        self.out.print(preview.title, markup=False)
        for tally in preview.tallies:
            self.out.print(f"  {tally}", markup=False)
        for line in preview.odds:
            self.out.print(f"  {line.chance:6.1%}  {line.label} {line.piece}", markup=False)

    def _log(self) -> None:
        """What the side that sits here may know of what has happened since."""
        for step in range(self.told + 1, self.match.version + 1):
            for event, words in self.match.told(step):
                if not event.known_to(self.side):
                    continue
                dice = ""
                if isinstance(event, Rolled) and event.sides == 6:
                    dice = " ".join(DICE[face - 1] for face in event.faces) + "  "
                self.out.print(f"{step:5}  {dice}{words}", markup=False)
        self.told = self.match.version

    def _look(self, side: str, place: str) -> None:
        pieces = [piece for piece in self.match.view(side).get("pieces", ()) if piece["at"].lower() == place.lower()]
        for piece in pieces:
            facts = ", ".join(f"{name} {value}" for name, value in piece.get("facts", ()))
            marks = ", ".join(mark.rpartition("/")[2] for mark in piece.get("markers", ()))
            self.out.print(f"  {piece['label']}: {facts} {marks}", markup=False)
        if not pieces:
            self.out.print(f"Nobody is seen in {place}.", markup=False)

    def _panels(self, view: dict[str, Any]) -> None:
        """What is settled while no map lies on the table yet."""
        for panel in view.get("panels", ()):
            self.out.print(f"\n{panel['title']}", markup=False)
            for row in panel.get("rows", ()):
                value = f": {row['value']}" if row.get("value") else ""
                self.out.print(f"  {row['label']}{value}", markup=False)

    def _map(self) -> None:
        """The places that hold something, in the order of the map."""
        view: dict[str, Any] = self.match.view(self.side)
        if view.get("bare"):
            self._panels(view)
            return
        table = Table(title=f"{view['turn']}, {view['phase']}")
        for side in self.match.sides:
            table.add_column(_name(side))
        places: dict[str, dict[str, list[str]]] = {}
        held: dict[str, list[str]] = {}
        for piece in view.get("pieces", ()):
            if piece.get("within"):
                held.setdefault(piece["within"], []).append(_named(piece))
        for piece in view.get("pieces", ()):
            if piece["at"] and not piece.get("within"):
                here = places.setdefault(piece["at"], {})
                here.setdefault(piece.get("side", ""), []).append(_named(piece) + _with(held.get(piece["id"], [])))
        for place in sorted(places, key=lambda name: (len(name), name)):
            row = [
                f"{place}: {', '.join(places[place][side])}" if side in places[place] else ""
                for side in self.match.sides
            ]
            table.add_row(*row)
        self.out.print(table)


def _named(piece: dict[str, Any]) -> str:
    """A piece with the markers on it."""
    marks = "".join(f" {mark.rpartition('/')[2]}" for mark in piece.get("markers", ()))
    label = str(piece["label"]).removeprefix(f"{_name(piece.get('side', ''))} ")
    broken = " broken" if piece["face"].endswith("/broken") and "broken" not in label else ""
    return f"{label}{broken}{marks}"


def _name(side: str) -> str:
    """A side as people read it."""
    return side.replace("_", " ").capitalize()


def _with(weapons: list[str]) -> str:
    """What a unit carries."""
    return f" with {', '.join(weapons)}" if weapons else ""
