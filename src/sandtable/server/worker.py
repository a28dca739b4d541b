"""A worker process: computer players think here, beside the server, answering questions line by line.

A worker is told the public record of a match, never the dice secret; the player in it gets a seat.
"""

from __future__ import annotations

import os
import random
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import msgspec

from sandtable.engine import Match, RecordedDice, Seat, register, replay
from sandtable.engine.dice import Roll
from sandtable.engine.record import Header, Number, Record, Takeback, read_body
from sandtable.engine.registry import get_game
from sandtable.players import Player, make_player
from sandtable.reading import decode
from sandtable.server.settings import BadSetting

MATCHES = 200
"""Matches that a worker remembers between questions."""


PARENT_SECONDS = 2.0


class Question(msgspec.Struct):
    """What should this side do? `entries` are those of the record after the first `known`."""

    match: str
    side: str
    level: str
    seed: int
    header: Header
    start: tuple[Roll, ...]
    known: int
    entries: list[Any]
    state: str = ""
    """The state as JSON, where the record cannot be played again under these rules; then it is not remembered."""


class Answer(msgspec.Struct, omit_defaults=True):
    """An action and why; or the number of steps that the worker knows, if they do not join; or a fault."""

    action: Any = None
    why: str = ""
    knows: int | None = None
    fault: str = ""


class Memory:
    """The matches that a worker has seen, and the players who play in them."""

    def __init__(self) -> None:
        self._matches: OrderedDict[str, Match] = OrderedDict()
        self._players: dict[str, dict[str, tuple[str, Player]]] = {}

    def answer(self, question: Question) -> Answer:
        """Bring the match up to date and let the player choose."""
        if question.state:
            return self._choice(question, self._taken_up(question), make_player(question.header.game, question.level))
        match = self._matches.get(question.match)
        if match is None:
            if question.known:
                return Answer(knows=0)
            match = self._begin(question)
        if match.version != question.known:
            return Answer(knows=match.version)
        body = read_body(question.header, question.entries, match.game.action_type)
        for entry in body.entries:
            if isinstance(entry, Takeback):
                match.rewind(entry.steps, entry.side, consent=entry.consent)
            elif isinstance(entry, Number):
                match.add_number(entry.side, entry.number)
            else:
                match.dice = RecordedDice(entry.rolls)
                match.apply(entry.side, entry.action)
        self._matches.move_to_end(question.match)
        return self._choice(question, match, self._player(question))

    def _choice(self, question: Question, match: Match, player: Player) -> Answer:
        action = player.choose(Seat(match, question.side), random.Random(question.seed))
        why = player.explanation
        return Answer(msgspec.to_builtins(action), why if isinstance(why, str) else "")

    def _taken_up(self, question: Question) -> Match:
        game = get_game(question.header.game)
        entries = read_body(question.header, question.entries, game.action_type, strange=True).entries
        state = decode(question.state, game.state_type)
        return Match.resumed(game, question.header, state, RecordedDice(()), entries, question.start)

    def _begin(self, question: Question) -> Match:
        record = Record(question.header, (), question.start)
        match = replay(record, steps=0)
        self._matches[question.match] = match
        self._players[question.match] = {}
        if len(self._matches) > MATCHES:
            gone, _ = self._matches.popitem(last=False)
            del self._players[gone]
        return match

    def _player(self, question: Question) -> Player:
        players = self._players[question.match]
        level, player = players.get(question.side, ("", None))
        if player is None or level != question.level:
            player = make_player(get_game(question.header.game).id, question.level)
            players[question.side] = (question.level, player)
        return player

    def forget(self, match: str) -> None:
        """A match in which something went wrong is learned anew."""
        self._matches.pop(match, None)
        self._players.pop(match, None)


def load_games(names: Sequence[str]) -> None:
    """Register games that are not installed, named as module:NAME."""
    for name in names:
        module, _, attribute = name.partition(":")
        try:
            register(getattr(import_module(module), attribute))
        except (ImportError, AttributeError, ValueError) as error:
            raise BadSetting(f"The game {name} cannot be loaded (it should be module:NAME): {error}.") from None


def end_with(parent: int) -> None:
    """End this process when the server is gone, however it went: a player might think for ever."""
    while os.getppid() == parent:
        time.sleep(PARENT_SECONDS)
    os._exit(0)


def main(arguments: Sequence[str]) -> None:
    """Answer questions until there are no more."""
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # a player that prints must not spoil an answer
    load_games(arguments)
    memory = Memory()
    answers.write(b"ready\n")
    answers.flush()
    for line in sys.stdin.buffer:
        question = msgspec.json.decode(line, type=Question)
        try:
            answer = memory.answer(question)
        except Exception as error:
            memory.forget(question.match)
            answer = Answer(fault=f"{type(error).__name__}: {error}")
        answers.write(msgspec.json.encode(answer) + b"\n")
        answers.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
