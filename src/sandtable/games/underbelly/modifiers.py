"""Hit numbers (13.12): one tally for every shot, which decides, previews and logs."""

from __future__ import annotations

from sandtable.engine import Tally
from sandtable.games.underbelly.atlas import CITY, COASTAL, INDEX, RIVERS, TERRAIN, TERRAIN_NAMES, side
from sandtable.games.underbelly.data import ALLIED, GERMAN, tables
from sandtable.games.underbelly.model import COASTAL_SUPPLY, OOS, Battle, UnderbellyState
from sandtable.games.underbelly.zones import UNITS

BOMBERS = "BOMBERS"
BOMBER_HIT = 5
"""The heavy bombers hit on 1 to 5, never modified (13.6)."""
DIE = 10
RUBBLE = -1
"""What rubble adds to the number of shots at whoever is buried in it (13.6)."""
RUBBLE_SHARE = 5
"""Bombs bury their target on 6 to 10: five faces of the die (13.6)."""
Item = tuple[str, float, str]


def combat_factor(state: UnderbellyState, unit: str) -> int:
    """The number printed on the side of the counter that shows (2.10, 2.13)."""
    kind = UNITS[unit]
    return kind.full if state.steps[unit] >= kind.steps else kind.reduced


def terrain_items(state: UnderbellyState, battle: Battle) -> list[Item]:
    """Terrain of the defender's hex, for attackers (13.13, 9.8)."""
    chart = tables()["attack"]
    h = INDEX[battle.target]
    name = TERRAIN_NAMES[TERRAIN[h]]
    items: list[Item] = [(name, chart[name]["value"], "13.13")]
    if CITY[h]:
        items.append(("city", chart["city"]["value"], "13.13"))
    if battle.attacker == ALLIED and battle.target in state.forts:
        items.append(("fortification", chart["fort"]["value"], "9.8"))
    return items


def river_item(state: UnderbellyState, battle: Battle) -> Item:
    """An intervening river, which does not hinder Germans in the first three turns (13.13, 13.14)."""
    river = side(INDEX[battle.at], INDEX[battle.target]) in RIVERS
    spared = battle.attacker == GERMAN and state.turn <= 3
    return ("across a river", tables()["attack"]["river"]["value"] if river and not spared else 0, "13.13")


def support_items(battle: Battle, firing: str) -> list[Item]:
    """Tactical aircraft and naval gunfire, for divisions (9.14, 9.20)."""
    attacking = firing == battle.attacker
    tac = battle.tac if attacking else battle.defender_tac
    naval = firing == ALLIED and COASTAL[INDEX[battle.target]]
    return [("TAC air support", 1 if tac else 0, "9.14"), ("naval gunfire", 1 if naval else 0, "9.20")]


def state_items(battle: Battle, unit: str, *, attacking: bool) -> list[Item]:
    """Supply, which aircraft do not mend, and mixed stacks (6.4, 11.3, 11.5, 11.6, 11.8)."""
    supply = dict(battle.supply).get(unit, "")
    items: list[Item] = []
    if supply == OOS:
        items.append(("out of supply", -2 if attacking else -1, "11.5"))
    if attacking and supply == COASTAL_SUPPLY:
        items.append(("coastal supply", -1, "11.6"))
    if attacking and unit in battle.crossed:
        items.append(("supplied by the other grouping", -1, "11.3"))
    if unit in battle.mixed:
        items.append(("mixed stack", -1, "6.4"))
    return items


def can_fire(battle: Battle, unit: str) -> bool:
    """Corps support out of supply may not fire (11.5)."""
    return UNITS[unit].division or dict(battle.supply).get(unit) != OOS


def hit_tally(state: UnderbellyState, battle: Battle, unit: str, target: str = "") -> Tally:
    """The to-hit number of a shot (13.3, 13.12); a target in rubble is harder to hit (13.6)."""
    if unit == BOMBERS:
        return Tally.of("Heavy bombers", [("to hit", BOMBER_HIT, "13.6")])
    kind = UNITS[unit]
    attacking = kind.side == battle.attacker
    items: list[Item] = [("combat factor", combat_factor(state, unit), "2.10")]
    if attacking:
        items += terrain_items(state, battle)
        if kind.division:
            items.append(river_item(state, battle))
    if kind.division:
        items += support_items(battle, kind.side)
    items += state_items(battle, unit, attacking=attacking)
    if attacking and target in battle.rubble:
        items.append(("target in rubble", RUBBLE, "13.6"))
    return Tally.of(f"{kind.name} to hit", items)
