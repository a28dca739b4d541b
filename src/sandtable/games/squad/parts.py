"""The parts that every game of the family has; a game adds its own."""

from __future__ import annotations

from sandtable.games.squad.combat import advance, advance_words, fighting
from sandtable.games.squad.combat import words as combat_words
from sandtable.games.squad.effects import aftermath
from sandtable.games.squad.fire import drafting, ending
from sandtable.games.squad.fire import preview as fire_preview
from sandtable.games.squad.fire import words as fire_words
from sandtable.games.squad.movement import going, manhandling, reaction, refused, starting
from sandtable.games.squad.movement import words as move_words
from sandtable.games.squad.ordnance import preview as ordnance_preview
from sandtable.games.squad.ordnance import shooting, special_weapons, turning
from sandtable.games.squad.ordnance import words as ordnance_words
from sandtable.games.squad.part import Part
from sandtable.games.squad.phases import excess, victory
from sandtable.games.squad.phases import words as phase_words
from sandtable.games.squad.rally import rallying
from sandtable.games.squad.rally import words as rally_words
from sandtable.games.squad.rout import routing
from sandtable.games.squad.rout import words as rout_words
from sandtable.games.squad.scenario import reinforcements, setup
from sandtable.games.squad.scenario import words as setup_words

COMMON: tuple[Part, ...] = (
    aftermath.PART,
    setup.PART,
    setup_words.PART,
    reinforcements.PART,
    rallying.PART,
    rally_words.PART,
    drafting.PART,
    ending.PART,
    fire_words.PART,
    fire_preview.PART,
    shooting.PART,
    special_weapons.PART,
    ordnance_words.PART,
    ordnance_preview.PART,
    turning.PART,
    starting.PART,
    going.PART,
    manhandling.PART,
    move_words.PART,
    refused.PART,
    reaction.PART,
    excess.PART,
    routing.PART,
    rout_words.PART,
    advance.PART,
    advance_words.PART,
    fighting.PART,
    combat_words.PART,
    victory.PART,
    phase_words.PART,
)
