"""The parts of Soft Underbelly in the order of its rulebook, joined."""

from __future__ import annotations

from sandtable.engine.part import Rulebook
from sandtable.games.underbelly import (
    air_words,
    airpower,
    battle_end,
    battle_words,
    combat,
    command_words,
    commands,
    drafts,
    move_words,
    movement,
    reinforcement,
    sequence,
    setup,
    turn_words,
    watch,
    watch_words,
)
from sandtable.games.underbelly.model import UnderbellyState

PARTS = (
    setup.PART,
    sequence.PART,
    reinforcement.PART,
    turn_words.PART,
    watch.PART,
    watch_words.PART,
    commands.PART,
    drafts.PART,
    command_words.PART,
    movement.PART,
    move_words.PART,
    combat.PART,
    battle_end.PART,
    battle_words.PART,
    airpower.PART,
    air_words.PART,
)
BOOK = Rulebook(PARTS, UnderbellyState)
