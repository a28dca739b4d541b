"""Crowded missions whose rules are asked all they can be asked (tests/answers.py)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

from msgspec.structs import replace

import sandtable
from answers import Scene, Words, scene_of
from crowds import crowd
from sandtable.engine import Action
from sandtable.engine.registry import register
from sandtable.games.asl.works.digging import Dig
from sandtable.games.sasl import GAME
from sandtable.games.sasl.enemy.firing import sieves
from sandtable.games.sasl.model import (
    ADVANCE,
    ATTITUDES,
    ENEMY,
    FIRE,
    FRIENDLY,
    HOLD,
    MARCH,
    MOVE,
    NOTHING,
    OBJECTIVES,
    ORDERS,
    PANIC,
    ROSTER,
    SUSPECTS,
    TRIED,
    VOLLEYS,
    March,
    Objective,
    Order,
    Suspect,
    Volley,
)
from sandtable.games.sasl.opposition import Meeting
from sandtable.games.sasl.rolled import Board, Rolled, rolled_in
from sandtable.games.sasl.tables import campaign, counters, events, general
from sandtable.games.sasl.tables.model import Table
from sandtable.games.squad.combat.model import AdvanceTo, AttackUnit, DeclareAttack, JoinAttack, StartAdvance
from sandtable.games.squad.fire.model import AddDirector, AddFirer, AimAt, CancelFire, ResolveFire, StartFire
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.movement.model import (
    AddMover,
    DoubleTime,
    Pass,
    Recover,
    SmokeGrenade,
    StartMove,
    Step,
    Stop,
)
from sandtable.games.squad.ordnance.model import StartShot
from sandtable.games.squad.phases.model import Done, EndPhase
from sandtable.games.squad.pieces.model import SquadState, Unit
from sandtable.games.squad.rally.model import RallyUnit, Repair, SelfRally
from sandtable.games.squad.rout.model import EndRout, LowCrawl, RoutStep, StartRout

MISSIONS = (
    ("1", "G", "R", "1943", {}),
    ("2", "R", "G", "1942", {"fire_groups": "location", "close_up": "off"}),
    ("3", "U", "G", "1944", {"directing": "off"}),
    ("4", "B", "I", "1942", {"activated": "seen", "vpo": "hex"}),
    ("5", "G", "F", "1940", {"special": "as rolled", "column": "2"}),
    ("8", "J", "U", "1943", {"activated": "told", "column": "all"}),
    ("19", "G", "P", "1943", {"indoors": "as rolled"}),
)
CROWDS = 3
"""Crowds of each mission."""
PLACES = 2
"""Middles of crowds on each map, beside its first hex."""


@cache
def scenes() -> tuple[Scene, ...]:
    """Missions at their begin with crowds in place of everybody."""
    register(GAME)
    found = []
    for mission, friendly, enemy, year, readings in MISSIONS:
        options = {"friendly": friendly, "enemy": enemy, "year": year, "boards": "shipped", "set_up": "rolled"}
        match = sandtable.new(f"sasl/{mission}", seed=3, options=options | readings)
        found.append(scene_of(match))
        state: SquadState = match.state
        base = rolled_in(state)
        nations = {FRIENDLY: [base.friendly_nation], ENEMY: [base.card.nation]}
        places = [0, *random.Random(mission).sample(range(setting_of(state).ground.size), PLACES)]
        for number in range(CROWDS):
            lot = random.Random(f"{mission} {number}")
            crowded = crowd(state, lot, nations, places)
            _conditions(crowded, lot)
            found.append(Scene(crowded, _legal(crowded, lot)))
    return tuple(found)


def _conditions(state: SquadState, lot: random.Random) -> None:
    """Turn and phase, S?, VPO, orders, Attitudes, the roster, what has been tried."""
    state.turn = lot.randrange(1, 12)
    state.attacker = lot.choice((FRIENDLY, ENEMY, ENEMY))
    state.phase = lot.choice(("RPh", "PFPh", "MPh", "DFPh", "AFPh", "RtPh", "APh", "CCPh"))
    units = list(state.units.values())
    cells = list(state.stacks)
    near = setting_of(state).ground.near
    suspects = SUSPECTS.of(state)
    suspects.clear()
    for number in range(8):
        at = lot.choice([lot.choice(cells), *near[lot.choice(cells)]])
        attitude = lot.choice((HOLD, ADVANCE))
        edge, card_ = lot.choice(("west", "north", "south")), lot.choice(("", "", "G"))
        suspects[f"s{number}"] = Suspect(f"s{number}", at, attitude, edge=edge, card=card_)
    objectives = OBJECTIVES.of(state)
    objectives.clear()
    for number in range(lot.randrange(4)):
        held = tuple(lot.sample(cells, 2))
        owners = tuple([lot.choice((FRIENDLY, ENEMY)) for _ in held])
        objectives[f"o{number}"] = Objective(f"o{number}", held, owners, was_friendly=lot.random() < 0.3)
    for unit in [unit for unit in units if unit.side == ENEMY]:
        if lot.random() < 0.6:
            rule = lot.choice(("", "", "S6.3121", "S6.315", "S6.303"))
            ORDERS.of(state)[unit.id] = Order(lot.choice((MOVE, MOVE, FIRE, NOTHING, PANIC)), rule=rule)
        if lot.random() < 0.3:
            ATTITUDES.of(state)[unit.id] = lot.choice((HOLD, ADVANCE))
        if lot.random() < 0.2:
            TRIED.of(state)[unit.id] = lot.choice((-1, *cells))
    roster = ROSTER.of(state)
    changed = replace(roster, ac=lot.randrange(1, 6), pool=lot.randrange(6), drm=lot.randrange(-1, 2))
    changed = replace(changed, calm=lot.random() < 0.3, attitude=lot.choice(("", HOLD, ADVANCE)))
    ROSTER.put(state, replace(changed, friendly_san=lot.randrange(6), enemy_san=lot.randrange(6), road=9))
    _under_way(state, lot, units, cells)


def _under_way(state: SquadState, lot: random.Random, units: Sequence[Unit], cells: Sequence[int]) -> None:
    """A march and a volley of the ENEMY's."""
    enemies = [unit.id for unit in units if unit.side == ENEMY]
    moving = state.moving
    names = moving.active if moving is not None and moving.active else tuple(lot.sample(enemies, 1))
    start = state.units[names[0]].at
    near = setting_of(state).ground.near
    path = (start, lot.choice(near[start])) if lot.random() < 0.5 else (lot.choice(near[start]),)
    stop = lot.choice([move.stop for name in ("A4a", "A4b") for move in general.moves(name)])
    how, wander = lot.choice(("assault", "full", "double")), lot.choice(("", "", "RAS", "REH"))
    MARCH.put(state, March(names, how, path, wander=wander, stop=stop, command=lot.choice(("A4a 5", "S6.315"))))
    for _ in range(2):
        VOLLEYS.of(state).append(Volley(tuple(lot.sample(enemies, 2)), lot.choice(cells), cells=(start,)))


def _legal(state: SquadState, lot: random.Random) -> list[Action]:
    """Some of what could be offered to the ENEMY in one phase or another."""
    found: list[Action] = [EndPhase(), Stop(), Done(), EndRout(), ResolveFire(), CancelFire(), DeclareAttack(), Pass()]
    found = [action for action in found if lot.random() < 0.8]
    near = setting_of(state).ground.near
    for unit in state.units.values():
        to, other = lot.choice(near[unit.at]), lot.choice(list(state.units))
        if unit.side == FRIENDLY:
            found += [AimAt(unit.at), AttackUnit(unit.id), Dig(unit.id)]
            continue
        found += [StartMove(unit.id), AddMover(unit.id), StartFire(unit.id), AddFirer(unit.id), StartRout(unit.id)]
        found += [Step(to), Step(to, road=True), SmokeGrenade(unit.id, to), RoutStep(to), LowCrawl(to), AdvanceTo(to)]
        found += [SelfRally(unit.id), RallyUnit(unit.id, other), AddDirector(unit.id), JoinAttack(unit.id)]
        found += [StartAdvance(unit.id), DoubleTime(unit.id), Dig(unit.id, other)]
        for name in unit.weapons:
            found += [StartShot(name), StartFire(name), Recover(unit.id, name), Repair(name)]
    return lot.sample(found, len(found) * 2 // 3)


TABLES = ("A11", "P9", "G9", "R9", "U9", "UM9", "B9", "F9", "I9", "J9", "C9", "L9")
MOVES = [move for name in ("A4a", "A4b") for move in general.moves(name)]
COMMANDS = [row for name in ("A3a", "A3d") for row in general.fire_commands(name)]
GUNS = list(counters.table_guns().values())
DATES = ("1937-09", "1939-10", "1940-05", "1941-07", "1942-02", "1942-11", "1943-06", "1944-06", "1944-12", "1945-03")


def _events() -> list[events.Event]:
    return [event for name in TABLES for event in events.events(name)]


WORDS: Words = {
    "aim": sorted({aim for move in MOVES for aim in move.to}),
    "when": sorted({row.when for row in (*MOVES, *COMMANDS)}),
    "stop": sorted({stop for move in MOVES for stop in move.stop}),
    "table": ("A3a", "A3d", "A4a", "A4b"),
    "keys": lambda state: [sieves(state, next(iter(state.stacks), 0), list(state.units.values())[:3])],
    "date": DATES,
    "unit_class": ("1", "2", "E", "C", "G", "P"),
    "attitude": (HOLD, ADVANCE),
    "code": "GRUBFIJMCL",
    "letter": "abcdefgh",
    "nation": ("german", "russian", "american", "british", "french", "italian", "japanese", "chinese"),
    "printed": [*sorted({gun.name for gun in GUNS})[::7], "4-6-7", "4-4-7", "LMG", "MMG", "ATR", "DC", "81* MTR"],
    "theatre": sorted({line.theatre for line in campaign.oppositions()}),
    "kinds": [["S"], ["S", "S", "L"], ["HS", "SW"], ["Gun"], ["AFV"], ["S", "F"], []],
    "worth": ("1", "2", "A6b"),
    "colour": ("black", "red"),
    "case": "abcde",
    "cases": "abcde",
    "final": range(1, 14),
    "roll": range(2, 13),
    "original": range(1, 7),
    "ac": range(1, 6),
    "drm": range(-3, 4),
    "dr": range(1, 7),
    "number": range(1, 12),
    "mission": (1, 2, 3, 4, 5, 8, 19),
    Rolled: lambda state: [rolled_in(state), *_others(rolled_in(state))],
    Board: lambda state: rolled_in(state).boards,
    events.Event: lambda state: _events(),
    general.Command: COMMANDS,
    general.Move: MOVES,
    counters.TableGun: GUNS,
    campaign.Company: campaign.companies(),
    campaign.Opposition: campaign.oppositions(),
    Table: [general.table(name) for name in ("A2a", "A2b", "A5", "A6a", "A6c", "A8a", "A9", "A10b")],
    Meeting: [Meeting(line, line.axis[0], line.allies[0]) for line in campaign.oppositions()],
}

LEFT_OUT = frozenset(
    {
        "sasl.dice.settle",
        "sasl.boards_here.boards_here",
        "sasl.game.SaslGame.faces",
        "sasl.game.SaslGame.scene_of",
        "sasl.game.SaslGame.view",
        "sasl.game._begin_advance",
        "sasl.growing.change_map",
        "sasl.meetings.Patrol.meet",
        "sasl.preparing.Rolling.run",
        "sasl.preparing.begin",
        "sasl.preparing.roll_rest",
    }
)
"""What makes whole maps takes long, and golden missions do it; others draw, or read cells that no lot makes."""


def _others(base: Rolled) -> list[Rolled]:
    """The same mission with other nations and dates."""
    return [replace(base, enemy=letter, friendly=letter, date=date) for letter in "GRUBFIJC" for date in DATES[3::3]]
