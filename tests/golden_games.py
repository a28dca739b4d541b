"""Golden games: whole games written down move by move, with a mark of what was legal and of what happened.

A file of moves has a first line that says how the game was played; each line after it is one decision: the number of
the chosen action in the legal list, a mark of that list, a mark of what came of it (events, dice, the position after
it) and of what the previews of it and of another action had said. Many games that are played by lot alone are written
in short, a line for each: how it is played, and a mark of every so many decisions. `tools/golden.py` writes both.
"""

from __future__ import annotations

import base64
import hashlib
import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

import sandtable
from sandtable.engine import Action, Match, Seat
from sandtable.engine.view import Preview
from sandtable.oracles import squad_crowds
from sandtable.players import make_player
from scrambled import scrambled
from scrambled_underbelly import scrambled as scrambled_underbelly

IDLE = {"CancelFire", "CancelMove", "PickUp", "PutBack"}
"""Actions that only undo a draft; a golden game does without them."""
WEARY = ("Cancel", "Clear", "Done", "End", "Keep", "Pass", "PickUp", "PutBack", "Remove", "Stop")
"""Actions, by their first words, that end or undo something; an eager player takes one"""
WEARINESS = 0.15
"""so often, if he has another."""
BATTLES = {"Attack", "FightMove", "Resolve"}
"""What an eager player of Soft Underbelly now and then prefers to all else."""
WHIMS = 0.2
"""How often an erratic player does something by lot: a kind of action, then one of it."""
PRIME = 7919
"""Besides the chosen action another one is previewed, all over the legal list in turn."""
PREVIEWS, BARS = 8, 4
"""So many other actions are previewed of a game that is looked at closely, and so many pieces tried in place of one."""
STRIDE = 25
"""Decisions that share a mark in a game written in short."""
BEFORE = 3
"""A difference is told with so many decisions before it."""


class Game(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a golden game was played."""

    scenario: str
    player: str
    """`random`; a level of the computer players; or that level, `erratic`: now and then something else by lot.

    `random eager`: by lot, a kind of action first, and mostly one that goes on with something.
    """
    seed: int = 1
    options: dict[str, str] = {}
    position: dict[str, Any] | None = None
    most: int = 100_000
    """Decisions after which it is broken off."""
    crowded: bool = False
    """The forces of a squad-level scenario begin close together."""
    scrambled: bool = False
    """Other forces of all kinds begin close together and in all conditions (scrambled.py, scrambled_underbelly.py)."""
    closely: bool = False
    """Many actions are previewed besides the chosen one, and what is refused is noted, with the rule."""

    def begin(self) -> Match:
        """The match at its start."""
        match = sandtable.new(self.position or self.scenario, seed=self.seed, options=self.options)
        if not self.crowded and not self.scrambled:
            return match
        begin = squad_crowds.crowded
        if self.scrambled:
            begin = scrambled_underbelly if match.header.game == "underbelly" else scrambled
        return sandtable.new(begin(match, random.Random(self.seed)), seed=self.seed)


def play(game: Game, before: Sequence[str] = ()) -> list[str]:
    """Play a game; its lines. Moves from before are made again until there is another legal list."""
    match = game.begin()
    source = random.Random(game.seed)
    choose = _chooser(game, match, source)
    lines: list[str] = []
    again = iter(before)
    while match.to_act and len(lines) < game.most:
        side = match.to_act[0]
        legal = match.actions(side).all
        chosen, mark, *_ = next(again, "- -").split()
        if mark == _legal_mark(legal):
            action = legal[int(chosen)]
        else:
            action, again = choose(side), iter(())
        lines.append(_step(match, side, action, closely=game.closely))
    return [*lines, _end(match)]


def _chooser(game: Game, match: Match, source: random.Random) -> Callable[[str], Action]:
    """Who chooses for a side."""
    level, _, whim = game.player.partition(" ")
    players = {side: make_player(match.header.game, level) for side in match.sides} if level != "random" else {}

    def choose(side: str) -> Action:
        if players and not (whim and source.random() < WHIMS):
            return players[side].choose(Seat(match, side), source)
        legal: Sequence[Action] = match.actions(side).all
        legal = [action for action in legal if type(action).__name__ not in IDLE] or legal
        if whim == "eager" and source.random() >= WEARINESS:
            legal = [action for action in legal if not type(action).__name__.startswith(WEARY)] or legal
            battles = [action for action in legal if type(action).__name__ in BATTLES]
            legal = battles if battles and source.random() < WHIMS else legal
        if whim:
            kind = source.choice(list(dict.fromkeys(type(action) for action in legal)))
            legal = [action for action in legal if type(action) is kind]
        return source.choice(legal)

    return choose


def difference(file: Path) -> str:
    """Play the moves of a file again: where the rules depart from it first, in words; empty: nowhere."""
    first, *lines = file.read_text("utf-8").splitlines()
    game = msgspec.json.decode(first, type=Game)
    match = game.begin()
    done: list[str] = []
    for number, line in enumerate(lines[:-1], 1):
        told = "; ".join(done[-BEFORE:])
        if not match.to_act:
            return f"{file.name}: over before decision {number}: {match.outcome}; before: {told}"
        side = match.to_act[0]
        legal = match.actions(side).all
        chosen, mark, _ = line.split()
        if mark != _legal_mark(legal):
            kinds = dict(Counter(type(action).__name__ for action in legal))
            return f"{file.name}: another legal list at decision {number} of {side}: {kinds}; before: {told}"
        action = legal[int(chosen)]
        if _step(match, side, action, closely=game.closely) != line:
            return f"{file.name}: decision {number}, {side}: {action} has another result; before: {told}"
        done.append(f"{side}: {action}")
    now = _end(match)
    return "" if now == lines[-1] else f"{file.name}: ended with {lines[-1]}, ends with {now}"


def in_short(game: Game) -> str:
    """Play a game by lot; its line."""
    lines = play(game)
    strides = [lines[number : number + STRIDE] for number in range(0, len(lines), STRIDE)]
    marks = " ".join(mark_of(["\n".join(each).encode()]) for each in strides)
    return f"{msgspec.json.encode(game).decode()}\t{marks}"


def short_games(folder: Path) -> list[str]:
    """The lines of all games of a folder that are written in short."""
    return [line for file in sorted(folder.glob("*.short")) for line in file.read_text("utf-8").splitlines()]


def short_difference(line: str) -> str:
    """Play a game in short again: where the rules depart from it first; empty: nowhere."""
    played, _, marks = line.partition("\t")
    now = in_short(msgspec.json.decode(played, type=Game)).partition("\t")[2].split()
    before = marks.split()
    if now == before:
        return ""
    same = next((number for number, pair in enumerate(zip(before, now, strict=False)) if pair[0] != pair[1]), 0)
    return f"another game after decision {STRIDE * same}: {played}"


def rewrite(file: Path) -> None:
    """Play the game of a file anew and write its moves; or all its games, if they are written in short."""
    first, *before = lines = file.read_text("utf-8").splitlines()
    if file.suffix == ".short":
        games = [msgspec.json.decode(line.partition("\t")[0], type=Game) for line in lines]
        lines = [in_short(game) for game in games]
    else:
        lines = [first, *play(msgspec.json.decode(first, type=Game), before)]
    file.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def _step(match: Match, side: str, action: Action, *, closely: bool = False) -> str:
    """Carry out an action and tell it as a line."""
    legal = match.actions(side).all
    number, mark = legal.index(action), _legal_mark(legal)
    others = [legal[(match.version + each) * PRIME % len(legal)] for each in range(PREVIEWS if closely else 1)]
    figures = [_figures(match.preview(side, each)) for each in (action, *others)]
    if closely:
        figures += [_refusals(match, side), _bars(match, side, legal)]
    events = match.apply(side, action)
    parts = [msgspec.json.encode(each) for each in (figures, events, match.last_rolls, _position(match))]
    return f"{number} {mark} {mark_of(parts)}"


def _legal_mark(legal: Sequence[Action]) -> str:
    return mark_of([msgspec.json.encode(action) for action in legal])


def _figures(preview: Preview | None) -> list[Any]:
    """What a preview says without its words."""
    if preview is None:
        return []
    tallies = [[(item.value, item.rule) for item in tally.items] for tally in preview.tallies]
    return [tallies, [round(float(line.chance), 6) for line in preview.odds]]


def _refusals(match: Match, side: str) -> list[Any]:
    """What the side may look for and does not get."""
    return [(refusal.rule, refusal.pieces, refusal.cells) for refusal in match.refusals(side)]


def _bars(match: Match, side: str, legal: Sequence[Action]) -> list[Any]:
    """The rules against actions like the legal ones, but with another piece or hex."""
    state, found = match.state, []
    turn = match.version * PRIME
    for kind in dict.fromkeys(type(action) for action in legal):
        like = [action for action in legal if type(action) is kind]
        action = like[turn % len(like)]
        for field in action.__struct_fields__:
            value = getattr(action, field)
            others: Sequence[Any] = next((list(each) for each in (state.units, state.weapons) if value in each), ())
            if type(value) is int:
                others = list(state.stacks)
            for other in [others[(turn + number) % len(others)] for number in range(BARS if others else 0)]:
                bar = match.game.bar(state, side, replace(action, **{field: other}))
                found.append(bar[1] if bar else "")
    return found


def _position(match: Match) -> Any:
    """The state without the switches: a new one leaves golden games as they are."""
    state = match.state
    if hasattr(state, "setting"):
        return replace(state, setting=state.setting.partition("#")[2])
    if hasattr(state, "rules"):
        return replace(state, rules=type(state.rules)())
    return state


def mark_of(parts: Sequence[bytes]) -> str:
    """Four characters."""
    return base64.b64encode(hashlib.sha256(b"\n".join(parts)).digest()[:3]).decode()


def _end(match: Match) -> str:
    return f"end {match.outcome.winner if match.outcome else ''}"
