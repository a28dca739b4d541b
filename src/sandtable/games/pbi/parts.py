"""The parts of PBI in the order of play, joined."""

from __future__ import annotations

from sandtable.engine.part import Rulebook
from sandtable.games.pbi import (
    acting_words,
    artillery,
    assault,
    before_words,
    command_words,
    commander,
    foot,
    guns,
    reaction,
    setup,
    shooting_words,
    turn,
    unit_words,
    vehicles,
    words,
)
from sandtable.games.pbi.model import PbiState

PARTS = (
    words.PART,
    setup.PART,
    before_words.PART,
    turn.PART,
    unit_words.PART,
    artillery.PART,
    commander.PART,
    command_words.PART,
    foot.PART,
    vehicles.PART,
    acting_words.PART,
    assault.PART,
    reaction.PART,
    guns.PART,
    shooting_words.PART,
)
BOOK = Rulebook(PARTS, PbiState)
