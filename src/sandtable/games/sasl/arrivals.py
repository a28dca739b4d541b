"""FRIENDLY reinforcements by Random Events: squads, sappers, engineers, Guns, mortars, Partisans (S2.3, S15.5)."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.sasl import free_french, partisan
from sandtable.games.sasl import generation as make
from sandtable.games.sasl.dice import many, on_table, pick, rolled, say
from sandtable.games.sasl.model import FRIENDLY
from sandtable.games.sasl.readings import reading
from sandtable.games.sasl.rolled import Rolled, rolled_in
from sandtable.games.sasl.setting_up import counter_kind
from sandtable.games.sasl.tables import campaign, general
from sandtable.games.sasl.tables.dates import span
from sandtable.games.sasl.tables.events import Event
from sandtable.games.sasl.tables.events import event as find
from sandtable.games.squad.cards.texttable import bounds
from sandtable.games.squad.ground.names import titled
from sandtable.games.squad.pieces.counters import all_counters
from sandtable.games.squad.pieces.model import SquadState, Unit

Effect = Callable[[Play[SquadState], Event], bool]
FLANKS = ("north", "south")
MARINES = (("1944-04", "7-6-8"), ("1942-12", "6-6-8"), ("1941-01", "4-5-8"))
"""The latest rifle squads of the Marines, by the month from which they have them (M2)."""


def _number(play: Play[SquadState], words: str) -> int:
    """A number such as `A6b + A6b`, `DR+1` or `3`."""
    total = 0
    for word in re.split(r"\s*\+\s*", words):
        if word.startswith("A6"):
            total += int(on_table(play, general.table(word)))
        elif word == "DR":
            total += sum(rolled(play, 2, "how many"))
        elif word.isdecimal():
            total += int(word)
    return total


def infantry(play: Play[SquadState], event: Event) -> bool:
    """RE 34-36: squads of one type {x2}, with leaders and SW at house rates (SA-60), enter on the FBE."""
    return _arrive(play, _number(play, event.number), _squad(play), "west")


def infantry_flank(play: Play[SquadState], event: Event) -> bool:
    """RE 51: the same along the north or south edge."""
    return _arrive(play, _number(play, event.number), _squad(play), pick(play, FLANKS, "which edge"))


def motorized(play: Play[SquadState], event: Event) -> bool:
    """RE 12-13: Infantry that may leave its transport behind comes on foot; other transport is not played (S2.31)."""
    drm = re.search(r"([-+]\d) DRM on", event.effect)
    if "if wished" not in event.effect or drm is None:
        return False
    number = _number(play, "A6b + A6b")
    return _arrive(play, number, _squad(play, int(drm[1])), "west")


def sappers(play: Play[SquadState], event: Event) -> bool:
    """RE 05: Sapper squads, each with a DC and what the nation adds; a DR {x3} for a leader."""
    state = play.state
    base = rolled_in(state)
    kind = free_french.squad(base, squad_name(play, event))
    if not kind:
        return False
    squads = [_new(play, kind, "west") for _ in range(_number(play, event.number))]
    minor = base.friendly_title in ("Belgium", "Poland")
    for unit in squads:
        _arm(play, unit, "DC")
        if "an LMG" in event.effect and not minor:
            _arm(play, unit, "LMG")
    if "dm MMG" in event.effect:
        _arm(play, squads[0], "MMG")
        _arm(play, squads[-1], next(name for since, name in BAZOOKAS if base.date >= since))
    _lead(play, squads, "west")
    say(play, "S15.5", many(len(squads), "Sapper squad"), (), f"{titled(kind)}, entering along the FBE", "S15.5")
    return True


BAZOOKAS = (("1945-01", "BAZ 45"), ("1944-01", "BAZ 44"), ("1942-11", "BAZ 43"))
"""The latest BAZ, by the month from which there is one (U4)."""


def engineers(play: Play[SquadState], event: Event) -> bool:
    """RE 02: three Assault Engineer squads, each with a DC, and a FT, on the FBE."""
    return _engineers(play, event, "west")


def engineers_flank(play: Play[SquadState], event: Event) -> bool:
    """RE 03: the same along the north or south edge of a board that holds FRIENDLY units (SA-81)."""
    first = event.see.partition("-")[0]
    return _engineers(play, find(event.table, int(first[0]), int(first[1])), pick(play, FLANKS, "which edge"))


def _engineers(play: Play[SquadState], event: Event, edge: str) -> bool:
    state = play.state
    kind = free_french.squad(rolled_in(state), squad_name(play, event))
    if not kind:
        return False
    before = set(state.units)
    _arrive(play, _number(play, event.number), kind, edge)
    squads = [unit for name, unit in state.units.items() if name not in before and unit.kind == kind]
    for number, unit in enumerate(squads):
        _arm(play, unit, "DC")
        if number == 0:
            _arm(play, unit, "FT")
    return True


def squad_name(play: Play[SquadState], event: Event) -> str:
    """The squad that an event names: one, one by a dr, or the Marines' latest."""
    base = rolled_in(play.state)
    if base.friendly == "M" and "Marines" in event.squad:
        return next(name for since, name in MARINES if base.date >= since)
    choices = [part.partition(" on ") for part in event.squad.split(", ")]
    if len(choices) == 1:
        return event.squad.partition(" ")[0]
    (dr,) = rolled(play, 1, "which squads")
    for name, _, when in choices:
        low, high = bounds(when.removeprefix("a dr "), low=1, high=6)
        if low <= dr <= high:
            return name
    return choices[-1][0]


# -- Guns -----------------------------------------------------------------------------------------


def guns(play: Play[SquadState], event: Event) -> bool:
    """RE 25, 73: Guns {x5} of one type, column Outside, each with a crew; they are manhandled (SA-82)."""
    base = as_enemy(rolled_in(play.state))
    kind = make.gun(play, base, inside=False)
    return _section(play, event, kind)


def at_guns(play: Play[SquadState], event: Event) -> bool:
    """RE 56, 71: AT Guns {x5a} of one type, each with a crew; they are manhandled (SA-82)."""
    return _section(play, event, make.at_gun(play, as_enemy(rolled_in(play.state))))


def mortars(play: Play[SquadState], event: Event) -> bool:
    """RE 54: mortars, each with a crew, without transport, which may be refused (SA-82)."""
    base = rolled_in(play.state)
    if base.friendly_title in ("Denmark", "Netherlands"):
        return False
    if "Free French have 81mm" in event.effect and free_french.fight(base):
        return _section(play, event, counter_kind("french", "Mortier de 81"))
    size = event.kind.partition("mm")[0]
    if "GMD has" in event.effect:
        names = ["81* MTR M1"] if as_enemy(base).enemy_group != "GMD" else ["76* MTR", "82* MTR", "81* MTR GrW 34"]
        size = pick(play, names, "which mortar").partition("*")[0]
    if base.friendly_title == "Belgium" and rolled(play, 1, "which mortar")[0] <= 3:
        size = "76"
    for name in (f"{size}mm MTR", f"{size}* MTR", "81* MTR"):
        if kind := free_french.counter(base, name):
            return _section(play, event, kind)
    return False


def _section(play: Play[SquadState], event: Event, kind: str) -> bool:
    if not kind:
        return False
    state = play.state
    base = _people(rolled_in(state))
    kind = free_french.substitute(play, base, kind)
    number = _number(play, event.number)
    for _ in range(number):
        crew = _new(play, make.gun_crew(base), "west")
        make.new_weapon(play, kind, state.units[crew.id])
    whose = "its crew" if number == 1 else "their crews"
    say(play, "S15.5", many(number, "Gun"), (), f"{titled(kind)} with {whose}, entering along the FBE", "S15.5")
    return True


# -- Partisans ---------------------------------------------------------------------------------------


def partisans(play: Play[SquadState], event: Event) -> bool:
    """R9 62: Partisan 3-3-7 squads on a flank with a leader by 17.81, perhaps an LMG and an ATR."""
    state = play.state
    base = rolled_in(state)
    if base.mission == 19:
        return False
    number = _number(play, event.number)
    edge = pick(play, FLANKS, "which edge")
    squads = [_new(play, "partisan 3-3-7", edge) for _ in range(number)]
    rank = _partisan_leader(play, base, number)
    for nation in ("partisan", "russian"):
        if (nation, rank) in all_counters():
            partisan.enlist(state, _new(play, f"{nation} {rank}", edge))
            break
    drm = -(number // 5)
    for place, name in enumerate(("LMG", "ATR")):
        if rolled(play, 1, name)[0] + drm <= 2:
            _arm(play, squads[min(place, number - 1)], name, nation="russian")
    say(play, "S15.5", many(number, "Partisan squad"), (), f"entering along the {edge} edge", "S15.5")
    return True


def _partisan_leader(play: Play[SquadState], base: Rolled, number: int) -> str:
    """A leader by the Russian column of 17.81; a Commissar before 11/42 with ten squads or more."""
    if base.date < "1942-11" and number >= 10:
        (dr,) = rolled(play, 1, "Commissar")
        if dr <= 3:
            return "10-0 Commissar" if dr == 1 else "9-0 Commissar"
    table = campaign.refit("leader")
    drm = sum(one.drm for one in table.modifiers if _russian(one.when, base.date))
    (dr,) = rolled(play, 1, "Partisan leader")
    rank = table.cell(dr + drm, group="Other").choices[0].item
    say(play, "S17.81", f"{dr}{drm:+d}" if drm else str(dr), (dr,), rank, "S17.81")
    return rank


def _russian(when: str, date: str) -> bool:
    """Whether a modifier of 17.81 is a Russian one of this month."""
    who, _, dates = when.partition(" ")
    return who == "Russian" and date in span(dates)


# -- common --------------------------------------------------------------------------------------------


def _squad(play: Play[SquadState], drm: int = 0) -> str:
    """The type of a FRIENDLY squad {x2}."""
    base = rolled_in(play.state)
    return free_french.own(base, make.squad(play, _people(base), drm=drm))


def _people(base: Rolled) -> Rolled:
    """The card of the FRIENDLY squads and leaders read like the ENEMY's (SA-96)."""
    return replace(as_enemy(base), enemy=free_french.PEOPLE) if free_french.fight(base) else as_enemy(base)


def as_enemy(base: Rolled) -> Rolled:
    """The FRIENDLY card read like the ENEMY's."""
    group = ""
    if base.friendly == "U-PTO":
        group = "elsewhere"
    elif base.friendly == "C":
        group = "X/Y Force" if "X" in base.company.partition(" ")[0] else "GMD"
    elif base.friendly == "L":
        group = base.friendly_title
    return replace(base, enemy=base.friendly, enemy_group=group, places=make.facing(base))


def _arrive(play: Play[SquadState], number: int, kind: str, edge: str) -> bool:
    """Squads with leaders and SW come as reinforcements of this turn or later (S15.5, SA-60)."""
    state = play.state
    if not kind or not number:
        return False
    squads = [_new(play, kind, edge) for _ in range(number)]
    for place in range(0, number, int(reading(state, "rates"))):
        _lead(play, squads, edge)
        weapon = make.support_weapon(play, as_enemy(rolled_in(state)), squad=squads[place].kind)
        if weapon:
            make.new_weapon(play, weapon, state.units[squads[place].id])
    say(play, "S15.5", many(number, "squad"), (), f"{titled(kind)}, entering along the {edge} edge", "S15.5")
    return True


def _lead(play: Play[SquadState], squads: list[Unit], edge: str) -> None:
    """A leader {x3}, if the DR brings one."""
    leader = make.leader(play, _people(rolled_in(play.state)), make.classes_of(play.state, squads))
    if leader:
        _new(play, leader, edge)


def _arm(play: Play[SquadState], unit: Unit, *names: str, nation: str = "") -> None:
    """The first of some weapons that the nation has, in the hands of a unit."""
    state = play.state
    base = rolled_in(state)
    for name in names:
        if kind := counter_kind(nation, name) if nation else free_french.counter(base, name):
            make.new_weapon(play, kind, state.units[unit.id])
            return


def _new(play: Play[SquadState], kind: str, edge: str) -> Unit:
    own = free_french.own(rolled_in(play.state), kind)
    return make.new_unit(play, own, -1, FRIENDLY, f"from {edge}")


EFFECTS: dict[str, Effect] = {
    "infantry": infantry,
    "infantry flank": infantry_flank,
    "motorized": motorized,
    "sappers": sappers,
    "engineers": engineers,
    "engineers flank": engineers_flank,
    "guns": guns,
    "AT guns": at_guns,
    "AT guns again": at_guns,
    "mortars": mortars,
    "partisans": partisans,
}
