"""Walks over the tables by which the ENEMY acts: each plays its code in situations that reach the lines (A2 to A4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from msgspec.structs import replace
from sasl_support import THROWS, Falling, field, friend, playing, seen

from sandtable.engine import Decided, Play
from sandtable.engine.dice import StreamDice, secret_of_seed
from sandtable.games.asl.works.model import lay_foxhole, put_in
from sandtable.games.sasl import generation
from sandtable.games.sasl.enemy import closing, firing, marching, orders
from sandtable.games.sasl.model import (
    ADVANCE,
    ATTITUDES,
    ENEMY,
    FRIENDLY,
    HOLD,
    OBJECTIVES,
    ORDERS,
    PANIC,
    TRIED,
    Objective,
    Order,
)
from sandtable.games.sasl.tables import general
from sandtable.games.squad.combat.model import Combat
from sandtable.games.squad.fire.model import StartFire
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ordnance.model import StartShot
from sandtable.games.squad.pieces.model import SquadState, Weapon

Lines = set[str]


def said(play: Play[SquadState], table: str) -> Lines:
    return {event.row for event in play.events if isinstance(event, Decided) and event.table == table}


def why(play: Play[SquadState], table: str) -> Lines:
    return {event.why for event in play.events if isinstance(event, Decided) and event.table == table}


def ordered(state: SquadState) -> Iterator[tuple[str, tuple[int, ...], str, Decided]]:
    """Action Checks of units of all classes, with and without a Target, dug in or not, on good and bad ground."""
    ground = setting_of(state).ground
    dug, undug = (
        field(state),
        next(cell for cell in range(200, ground.size) if ground.paved[cell] and ground.near[cell]),
    )
    classes = {
        "1": "russian 4-4-7",
        "E": "russian 4-5-8",
        "C": "russian 4-2-6",
        "2": "german 4-4-7",
        "P": "partisan 3-3-7",
    }
    classes["G"] = "french 4-3-7"
    for attitude, place, target, within in product((HOLD, ADVANCE), (dug, undug), (False, True), (False, True)):
        base = state.clone()
        where = place
        if target:
            friend(base, seen(base, where, 3)[-1], 9)
        for letter, kind in classes.items():
            for faces in product(range(1, 7), repeat=2):
                if faces[0] != faces[1] and letter != "1":
                    continue
                again = base.clone()
                unit = generation.new_unit(playing(again), kind, where)
                ATTITUDES.of(again)[unit.id] = attitude
                if within and where == dug:
                    put_in(again, again.units[unit.id], lay_foxhole(again, where, ENEMY))
                play = Play(again, Falling(0, *faces))
                orders.order_location(play, where, [StartFire(unit.id)])
                for event in play.events:
                    if isinstance(event, Decided) and event.table in ("A2a", "A2b"):
                        yield orders.panic_class(again, unit), faces, again_what(again, unit.id), event


def again_what(state: SquadState, name: str) -> str:
    return ORDERS.of(state)[name].what


ORDERED: list[tuple[str, tuple[int, ...], str, Decided]] = []


def checks(state: SquadState) -> list[tuple[str, tuple[int, ...], str, Decided]]:
    if not ORDERED:
        ORDERED.extend(ordered(state))
    return ORDERED


def actions(name: str) -> Callable[[SquadState], Lines]:
    def walk(state: SquadState) -> Lines:
        found = {event.row for _, _, _, event in checks(state) if event.table == name}
        return {row for row in found if not row.startswith("S6") and row != "Panic"} | {
            "12"
            for _, faces, what, event in checks(state)
            if event.table == name and sum(faces) == 12 and what == PANIC
        }

    return walk


def panic(state: SquadState) -> Lines:
    """Each class Panics on its doubles and on no lower ones."""
    found: Lines = set()
    for name, low in general.panic_from().items():
        rolls = {sum(faces) for who, faces, what, _ in checks(state) if who == name and what == PANIC}
        if rolls == {total for total in range(2, 13, 2) if total >= low}:
            found.add(name)
    return found


def action_notes(state: SquadState) -> Lines:
    """Each note about Infantry: what is done instead, with the number of the note told."""
    told = {(event.why.partition("note ")[2][:1], what) for _, _, what, event in checks(state) if "note " in event.why}
    fired = {event.row for _, _, what, event in checks(state) if what == "Fire"}
    found: Lines = set()
    for row in general.action_notes():
        line = f"{row['mark']} {row['who']}, {row['when']}: {row['does']}"
        meant = (row["mark"], row["does"] if row["does"] != "nothing" else "Nothing")
        if meant in {(mark, what.capitalize()) for mark, what in told}:
            found.add(line)
        elif row["when"] == "Target, entrenched" and "S6.312" in fired:
            found.add(line)  # whoever is dug in and has a Target fires by the automatic action before (6.312)
    return {line for line in found if "vehicle" not in line}


def shots(name: str) -> Callable[[SquadState], Lines]:
    def walk(state: SquadState) -> Lines:
        found: Lines = set()
        cell = field(state)
        gun = name == "A3d"
        for total, hidden in product(range(2, 13), (False, True)):
            again = state.clone()
            unit = generation.new_unit(playing(again), "russian 2-2-8" if gun else "russian 4-4-7", cell)
            kind = "russian 82mm BM obr. 37 MTR" if gun else "russian LMG"
            weapon = generation.new_weapon(playing(again), kind, unit)
            near = seen(again, cell, 9 if gun else 4)
            goal = next(iter(OBJECTIVES.of(again).values()))
            OBJECTIVES.of(again)[goal.id] = replace(goal, cells=(near[-1], *goal.cells[1:]))
            for number, place in enumerate(near[-3:]):
                friend(again, place, number, concealed=hidden)
            start = [StartShot(weapon.id)] if gun else [StartFire(unit.id), StartFire(weapon.id)]
            play = Play(again, Falling(total))
            firing.fire_location(play, cell, start, "prep")
            found |= said(play, name)
        return found

    return walk


def close_combat(state: SquadState) -> Lines:
    found: Lines = set()
    for dr in range(1, 7):
        again = state.clone()
        generation.new_unit(playing(again), "russian 4-4-7", field(again))
        friend(again, field(again), 1)
        play = playing(again, dr)
        closing.combat(play, Combat(field(again), step="attacks"), [])
        found |= said(play, "A3e")
    return found


def into_combat(state: SquadState) -> Lines:
    """Each DRM by a pair of situations that differ in it alone, and each preference between two Locations."""
    cell = field(state)
    near = [other for other in setting_of(state).ground.near[cell] if setting_of(state).ground.open[other]]
    here, there = near[0], near[2]

    def stage() -> SquadState:
        again = state.clone()
        OBJECTIVES.of(again).clear()
        generation.new_unit(playing(again), "russian 4-4-7", cell)
        friend(again, here, 1)
        return again

    def mg(again: SquadState) -> None:
        again.weapons["mg"] = Weapon("mg", FRIENDLY, "german HMG", "company", owner="t1")
        again.units["t1"] = replace(again.units["t1"], weapons=("mg",))

    def japanese(again: SquadState) -> None:
        unit = next(unit for unit in again.units.values() if unit.side == ENEMY)
        again.units[unit.id] = replace(unit, kind="japanese 4-4-7")

    def change(again: SquadState, when: str) -> None:
        unit = next(unit for unit in again.units.values() if unit.side == ENEMY)
        match when.split(" "):
            case ["FRIENDLY", *_]:
                OBJECTIVES.of(again)["goal"] = Objective("goal", (here,), (ENEMY,))
            case ["Japanese", *_]:
                japanese(again)
            case ["Advance", *_]:
                ATTITUDES.of(again)[unit.id] = ADVANCE
            case ["each", "pinned", *_]:
                ORDERS.of(again)["t1"] = Order(PANIC)
            case ["each", "FRIENDLY", *_]:
                mg(again)
            case ["each", "ENEMY", *_]:
                TRIED.of(again)[generation.new_unit(playing(again), "russian 4-4-7", cell).id] = here
            case ["any", *_]:
                again.units["t1"] = replace(again.units["t1"], concealed=True)

    found: Lines = set()
    for modifier in general.advance_modifiers():
        plainly, changed = stage(), stage()
        change(changed, modifier.when)
        drms = []
        for again in (plainly, changed):
            unit = next(unit for unit in again.units.values() if unit.side == ENEMY)
            drms.append(closing.advance_drm(again, unit, here))
        if drms[1] - drms[0] == modifier.drm:
            found.add(modifier.when)
    found |= preferences(state, cell, here, there)
    return found


PREFERENCES = {
    "FRIENDLY VPO": "FRIENDLY-Controlled VPO",
    "least US#": "Known Infantry of least US#",
    "MMC easiest to kill": "MMC easiest to kill",
    "Ambush possible": "Ambush possible",
    "highest TEM": "highest inherent TEM",
}


def preferences(state: SquadState, cell: int, here: int, there: int) -> Lines:
    """Two Locations that differ in one thing alone: it decides, and the log says so."""
    ground = setting_of(state).ground
    woods = next(c for c in range(ground.size) if ground.woods[c] and any(ground.open[n] for n in ground.near[c]))
    found: Lines = set()
    for name in PREFERENCES:
        again = state.clone()
        OBJECTIVES.of(again).clear()
        at, first, second = cell, here, there
        if name in ("Ambush possible", "highest TEM"):
            at = next(n for n in ground.near[woods] if ground.open[n])
            first, second = woods, next(n for n in ground.near[at] if ground.open[n] and n != woods)
        unit = generation.new_unit(playing(again), "russian 4-4-7", at)
        kinds = ("german 4-6-7", "german 4-6-7")
        if name == "least US#":
            kinds = ("german 2-4-7", "german 4-6-7")
        if name == "MMC easiest to kill":
            kinds = ("german 4-6-7", "german 8-3-8")
        if name == "FRIENDLY VPO":
            OBJECTIVES.of(again)["goal"] = Objective("goal", (first,), (FRIENDLY,))
        for number, (place, kind) in enumerate(zip((first, second), kinds, strict=True)):
            friend(again, place, number, kind)
        keys = dict(closing._into(again, unit))
        if name == "highest TEM":
            found.add(PREFERENCES[name]) if keys[name](first) < keys[name](second) else None  # type: ignore[operator]
            continue
        play = Play(again, Falling(12))
        closing.into_combat(play, unit)
        if any(name in words for words in why(play, "A3f")):
            found.add(PREFERENCES[name])
    return found


def situations(state: SquadState) -> Iterator[SquadState]:
    """Nobody about; a concealed unit; one, two and four Known ones; then each with a FRIENDLY VPO in LOS."""
    cell = field(state)
    for taken, (number, hidden) in product((False, True), ((0, False), (1, True), (1, False), (2, False), (4, False))):
        again = state.clone()
        generation.new_unit(playing(again), "russian 4-4-7", cell)
        near = seen(again, cell, 4)
        for place in range(number):
            friend(again, near[-1 - 2 * place], place, concealed=hidden)
        if taken:
            goal = next(iter(OBJECTIVES.of(again).values()))
            owners = (FRIENDLY,) * len(goal.owners)
            OBJECTIVES.of(again)[goal.id] = replace(goal, cells=(near[len(near) // 2], *goal.cells[1:]), owners=owners)
        yield again


def marches(name: str) -> Callable[[SquadState], Lines]:
    """Each line's condition holds somewhere and its DR is obeyed there."""

    def walk(state: SquadState) -> Lines:
        found: Lines = set()
        for again in situations(state):
            unit = next(unit for unit in again.units.values() if unit.side == ENEMY)
            for row in general.moves(name):
                if marching.condition(again, row.when, unit.at, [unit]):
                    total = max(2, min(12, row.low if row.low > 1 else row.high))
                    play = Play(again.clone(), StreamDice(secret_of_seed(total)))
                    marching.obey(play, name, total, unit.at, [unit], THROWS[total])
                    assert any(isinstance(event, Decided) for event in play.events)
                    found.add(f"{row.key} {row.when}")
        return found

    return walk
