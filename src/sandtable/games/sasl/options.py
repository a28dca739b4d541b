"""The options of a mission: what is preset of its set-up, and how rulings are read."""

from __future__ import annotations

from sandtable.engine import Option
from sandtable.games.sasl import force, suspects
from sandtable.games.sasl.crest_options import CREST
from sandtable.games.sasl.leaving_options import LEAVING
from sandtable.games.sasl.preparing import ANY
from sandtable.games.sasl.readings import READINGS
from sandtable.games.sasl.rule_options import FULL
from sandtable.games.sasl.setting_up import own_boards, printed_boards

STEPS = Option(
    "set_up",
    "Setting up",
    ("rolled", "steps"),
    "step by step: you choose or roll mission, theatre, date, nations, force and boards one after another",
    names=("everything is rolled at once", "step by step"),
    page="steps",
)
PLACED = Option(
    "setup",
    "Your company on the map",
    ("auto", "players"),
    "Mission 3: who sets it up on the westernmost board; in other missions it enters from off board or in a column",
    names=("placed by the program", "placed by you"),
    page="players",
)
NATIONS = ("roll", "German", "Russian", "U.S.", "British", "French", "Italian", "Japanese", "U.S. Marines", "Chinese")
POWERS = Option(
    "friendly",
    "FRIENDLY nation",
    ("roll", "G", "R", "U", "B", "F", "I", "J", "M", "C"),
    "roll: on the opposition chart; or choose a card: German, Russian, U.S., British, French, Italian, Japanese,"
    " Marines, Chinese",
    names=NATIONS,
)
AGAINST = Option(
    "enemy",
    "ENEMY nation",
    ("roll", "G", "R", "U", "B", "F", "I", "J", "M", "C", "L", "P"),
    "roll: on the opposition chart; or choose a card that the chart lets you meet; P: Partisans, where 12.21 allows"
    " them",
    names=(*NATIONS, "Allied Minor", "Partisan"),
)
YEAR = Option(
    "year",
    "Year",
    ("roll", *map(str, range(1937, 1946))),
    "roll: any month in which the two nations may meet",
)
MANY = Option(
    "suspects",
    "S? on a board",
    tuple(suspects.MOST),
    "the most that 4.1 a and b set up; a pocket of 4.1e then holds 5, 6 or all (SA-43, SA-55, confidence low)",
)
COMMAND = Option(
    "command",
    "Command Control",
    ("on", "off"),
    "on: FRIENDLY units need a Command DR to fire or move (S16; SA-56, confidence medium)",
)
BOARDS = Option(
    "boards",
    "Boards not at hand",
    ("made", "shipped"),
    "made: a board of the same terrain is made for each printed one that has not been imported; shipped: one of the"
    " program's boards takes its place (SA-41, confidence high)",
)
BUDGET = Option(
    "budget",
    "BPV of a bought force",
    tuple(force.BUDGETS),
    "company: what the squads of the most expensive company of that nation and date cost at house prices (SA-68,"
    " confidence low)",
)
REINFORCED = Option(
    "engineers",
    "Assault reinforcements",
    ("accept", "refuse"),
    "accept: the engineers of MSR 3 join you, and the ENEMY gains VP for them",
)


def options_of(scenario: str) -> tuple[Option, ...]:
    """The options of a mission."""
    number = f"({'|'.join(sorted(printed_boards(), key=int))})"
    own = Option(
        "own",
        "Printed boards at hand",
        tuple(dict.fromkeys((own_boards(), "none"))),
        "numbers of the A9 boards that have been imported or come with the program; the others are made",
        pattern=f"none|{number}(,{number})*",
    )
    placed = (PLACED,) if scenario in ("3", ANY) else ()
    reinforced = (REINFORCED,) if scenario in ("4", ANY) else ()
    rulings = (*READINGS, *LEAVING, *CREST, *FULL)
    return (STEPS, *placed, POWERS, AGAINST, YEAR, BUDGET, MANY, BOARDS, own, COMMAND, *reinforced, *rulings)
