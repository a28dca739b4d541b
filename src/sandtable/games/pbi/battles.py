"""Battles: the ready-made ones from their data files, and those that the generator makes."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

import msgspec
from msgspec.structs import replace

from sandtable.engine import Option, ScenarioInfo
from sandtable.engine.state import Frame
from sandtable.games.pbi.armies import Army, Recruited, raise_army
from sandtable.games.pbi.catalogue import KINDS, NATIONS, QUALITIES, data_text, lists
from sandtable.games.pbi.generator import ZONES, draw_reserves, generate, generator_dice
from sandtable.games.pbi.model import DrawUp, Muster, PbiState, SetUp, Turn
from sandtable.games.pbi.position import load, put, unit_pieces
from sandtable.games.pbi.rulings import rules_of, ruling_options
from sandtable.games.pbi.setup import join, next_section, put_off, quick_set_up, set_down
from sandtable.games.pbi.table import ATTACKER, DEFENDER, SIDES, ground_key
from sandtable.reading import convert

READY_MADE = ("crossroads", "bocage", "village")
GENERATED = "generated"
TABLES = 99
HOUSE = ("army lists and points", "unit, gun and armour values", "everything in the list of rulings")


class BattleUnit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A unit of a ready-made battle: where each section stands, or that it is off the table."""

    entry: str
    quality: str = ""
    at: tuple[str, ...] = ()
    off: bool = False
    riding: str = ""
    """The unit whose vehicles its first bases ride on."""


class Force(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One side of a ready-made battle."""

    nation: str
    quality: str
    commander: str
    units: tuple[BattleUnit, ...]
    assets: tuple[str, ...] = ()

    def army(self) -> Army:
        """The force as an army."""
        units = tuple(Recruited(unit.entry, unit.quality) for unit in self.units)
        return Army(self.nation, self.quality, "", 1000, units, self.assets)


class Battle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ready-made battle."""

    title: str
    date: str
    summary: str
    rows: tuple[str, ...]
    length: str
    objectives: dict[str, int]
    zones: dict[str, int]
    attacker: Force
    defender: Force


@cache
def battle(name: str) -> Battle:
    """A ready-made battle by its id."""
    return convert(tomllib.loads(data_text(f"battles/{name}.toml")), Battle)


# -- what can be chosen -----------------------------------------------------------------------------


def _nations(ids: Sequence[str]) -> tuple[str, ...]:
    return tuple([lists().nations[name].name for name in ids])


def _own_options() -> tuple[Option, ...]:
    second = (*NATIONS[1:], NATIONS[0])
    quality = ("average", *(name for name in QUALITIES if name != "average"))
    points = ("400", *(str(number) for number in lists().points_limit if number != 400))
    return (
        Option(
            "armies",
            "Armies",
            ("raised", "built"),
            "The players choose their platoons one by one, the defender first, or take what the generator raises.",
            names=("raised by the generator", "built by the players"),
        ),
        Option("table", "Table", tuple(str(n) for n in range(1, TABLES + 1)), "Each number is a table of its own."),
        Option("points", "Points", points, "What each army may cost."),
        Option("first", "First army", NATIONS, names=_nations(NATIONS)),
        Option("first_quality", "First army's quality", quality),
        Option("second", "Second army", second, names=_nations(second)),
        Option("second_quality", "Second army's quality", quality),
        Option(
            "attacks",
            "Who attacks",
            ("by the generator", "first army", "second army"),
            "The generator's dice decide unless you do.",
        ),
        Option(
            "set_up",
            "Setting up",
            ("by the players", "quick"),
            "quick: near the objectives and in cover, without asking (only with raised armies).",
        ),
    )


@cache
def scenarios() -> tuple[ScenarioInfo, ...]:
    """Three battles for a first game, and as many as the generator has seeds."""
    ready = Option(
        "set_up",
        "Setting up",
        ("as given", "by the players"),
        "as given: everybody stands where the battle says; by the players: within the same zones.",
    )
    found = []
    for name in READY_MADE:
        it = battle(name)
        found.append(
            ScenarioInfo(
                name,
                it.title,
                SIDES,
                it.summary,
                it.length,
                ATTACKER,
                (ready, *ruling_options()),
                HOUSE,
                (
                    ("Date", it.date),
                    ("Attacker", f"{lists().nations[it.attacker.nation].name}, {it.attacker.quality}"),
                    ("Defender", f"{lists().nations[it.defender.nation].name}, {it.defender.quality}"),
                    ("Table", f"{len(it.rows[0])} by {len(it.rows)} squares"),
                ),
            )
        )
    found.append(
        ScenarioInfo(
            GENERATED,
            "Generated battle",
            SIDES,
            "Any table, any two companies: the generator lays the scenery, sets objectives and decides who attacks.",
            "about two hours",
            ATTACKER,
            (*_own_options(), *ruling_options()),
            (*HOUSE, "the generator"),
            (("Table", "8 by 8 squares"), ("Seeds", f"1 to {TABLES}")),
        )
    )
    return tuple(found)


# -- the state at the start ----------------------------------------------------------------------------


def table_rows(scenario: str, options: Mapping[str, str]) -> tuple[str, ...]:
    """The table of a scenario."""
    if scenario == GENERATED:
        return generate(int(options.get("table", "1"))).rows
    return battle(scenario).rows


def start(scenario: str, options: Mapping[str, str], make: type[PbiState] = PbiState) -> PbiState:
    """The state before the first decision."""
    return _start(scenario, tuple(options.items()), make).clone()


@lru_cache(32)
def _start(scenario: str, items: tuple[tuple[str, str], ...], make: type[PbiState]) -> PbiState:
    """The same options make the same state: it is made once and then copied."""
    options = dict(items)
    return _generated(options, make) if scenario == GENERATED else _ready_made(scenario, options, make)


def _empty(
    rows: tuple[str, ...], objectives: Mapping[str, int], options: Mapping[str, str], make: type[PbiState]
) -> PbiState:
    rules = rules_of(options)
    return make(
        ground=ground_key(rows, rules),
        rules=rules,
        objectives=dict(objectives),
        control=dict.fromkeys(objectives, DEFENDER),
        points={ATTACKER: 0, DEFENDER: 0},
        countdown=int(rules.countdown),
    )


def _first_turn(state: PbiState) -> Turn:
    return Turn(ATTACKER if state.rules.first_turn == "attacker" else DEFENDER)


def _ready_made(name: str, options: Mapping[str, str], make: type[PbiState]) -> PbiState:
    it = battle(name)
    state = _empty(it.rows, it.objectives, options, make)
    state.zones = dict(it.zones)
    for side, force in ((ATTACKER, it.attacker), (DEFENDER, it.defender)):
        join(state, side, force.army(), mounted=False)
        for number, unit in enumerate(force.units, 1):
            if unit.off:
                put_off(state, f"{side[0]}{number}")
    if options.get("set_up") == "by the players":
        state.stack = [SetUp(DEFENDER)]
        return state
    for side, force in ((ATTACKER, it.attacker), (DEFENDER, it.defender)):
        set_down(state, next_section(state, side), force.commander)
        for number, unit in enumerate(force.units, 1):
            for square in unit.at:
                set_down(state, next_section(state, side), square)
            if unit.riding:
                _mount(state, f"{side[0]}{number}", unit.riding)
    for piece in list(state.pieces.values()):
        if piece.side == ATTACKER and piece.deployed and KINDS[piece.kind].foot:
            state.pieces[piece.id] = replace(piece, deployed=False)
    state.stack = [_first_turn(state)]
    return state


def _mount(state: PbiState, unit: str, vehicles: str) -> None:
    """Bases climb onto the tanks of another unit."""
    for piece in unit_pieces(state, unit):
        for tank in unit_pieces(state, vehicles):
            if len(state.cargo.get(tank.id, ())) < KINDS[tank.kind].capacity:
                if not tank.at:
                    put(state, tank, piece.at)
                load(state, state.pieces[piece.id], state.pieces[tank.id])
                break


def _generated(options: Mapping[str, str], make: type[PbiState]) -> PbiState:
    seed = int(options["table"])
    terrain = generate(seed)
    state = _empty(terrain.rows, terrain.objectives, options, make)
    state.zones = dict(ZONES)
    points = int(options["points"])
    choice = options["attacks"]
    first_attacks = terrain.first_attacks if choice == "by the generator" else choice == "first army"
    who = {ATTACKER: "first", DEFENDER: "second"} if first_attacks else {ATTACKER: "second", DEFENDER: "first"}
    if options["armies"] == "built":
        frames: list[Frame] = [DrawUp()]
        for side in (ATTACKER, DEFENDER):
            frames.append(Muster(side, options[who[side]], options[f"{who[side]}_quality"], points))
        state.stack = frames
        return state
    armies = {
        side: raise_army(
            generator_dice(seed, f"army {who[side]}"), options[who[side]], options[f"{who[side]}_quality"], points
        )
        for side in SIDES
    }
    draw_up(state, seed, armies)
    if options["set_up"] == "quick":
        for side in SIDES:
            quick_set_up(state, side)
        state.stack = [_first_turn(state)]
    else:
        state.stack = [SetUp(DEFENDER)]
    return state


def draw_up(state: PbiState, seed: int, armies: Mapping[str, Army]) -> None:
    """Both armies join, and the generator's dice say what starts off the table."""
    for side, army in armies.items():
        join(state, side, army, mounted=side == ATTACKER)
        ids = [unit.id for unit in state.units.values() if unit.side == side and unit.kind != "command"]
        for id in draw_reserves(seed, side, ids, state.rules):
            put_off(state, id)


def battle_position(attacker: Army, defender: Army, options: Mapping[str, str]) -> dict[str, object]:
    """A position with two armies of the players' own on a generated table; `sandtable.new` opens it."""
    info = next(info for info in scenarios() if info.id == GENERATED)
    chosen = {option.id: options.get(option.id, option.values[0]) for option in info.options}
    seed = int(chosen["table"])
    terrain = generate(seed)
    state = _empty(terrain.rows, terrain.objectives, chosen, PbiState)
    state.zones = dict(ZONES)
    draw_up(state, seed, {ATTACKER: attacker, DEFENDER: defender})
    state.stack = [SetUp(DEFENDER)]
    return {
        "sandtable_position": 1,
        "game": "pbi",
        "scenario": GENERATED,
        "options": dict(options),
        "state": msgspec.to_builtins(state, str_keys=True),
    }
