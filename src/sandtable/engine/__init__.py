"""The game-agnostic kernel: match, actions, events, dice, tally, record, views, registry."""

from sandtable.engine.dice import BranchingDice, Dice, RecordedDice, SampledDice, ScriptedDice, StreamDice
from sandtable.engine.events import Decided, Event, Note, Rolled
from sandtable.engine.game import Game, Option, Procedure, RuleState, ScenarioInfo
from sandtable.engine.match import Actions, Match
from sandtable.engine.part import Part, Rulebook
from sandtable.engine.play import Play
from sandtable.engine.record import Record
from sandtable.engine.registry import game_names, get_game, get_scenario, register
from sandtable.engine.search import branches, count_nodes
from sandtable.engine.seat import Seat
from sandtable.engine.start import load_record, new, read_record, replay, save_position, verify
from sandtable.engine.state import Action, Frame, Outcome, State
from sandtable.engine.tally import Tally, TallyItem

__all__ = [
    "Action",
    "Actions",
    "BranchingDice",
    "Decided",
    "Dice",
    "Event",
    "Frame",
    "Game",
    "Match",
    "Note",
    "Option",
    "Outcome",
    "Part",
    "Play",
    "Procedure",
    "Record",
    "RecordedDice",
    "Rolled",
    "RuleState",
    "Rulebook",
    "SampledDice",
    "ScenarioInfo",
    "ScriptedDice",
    "Seat",
    "State",
    "StreamDice",
    "Tally",
    "TallyItem",
    "branches",
    "count_nodes",
    "game_names",
    "get_game",
    "get_scenario",
    "load_record",
    "new",
    "read_record",
    "register",
    "replay",
    "save_position",
    "verify",
]
