"""Activation: the ladder x1, the Activation Check, and what table A1 makes of a S? (S5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from msgspec.structs import replace

from sandtable.engine import Play, Tally
from sandtable.games.asl.concealment.gaining import conceal
from sandtable.games.asl.concealment.seen import concealment_terrain
from sandtable.games.sasl import crests, fortify
from sandtable.games.sasl import generation as make
from sandtable.games.sasl.dice import rolled, say
from sandtable.games.sasl.model import (
    ADVANCE,
    ENEMY,
    FRIENDLY,
    OBJECTIVES,
    ROSTER,
    SUSPECTS,
    Activated,
    Suspect,
)
from sandtable.games.sasl.readings import reading
from sandtable.games.sasl.rolled import Rolled, rolled_in
from sandtable.games.sasl.suspects import board_of, remove, stone
from sandtable.games.sasl.tables import general
from sandtable.games.sasl.tables.cards import Step
from sandtable.games.squad.fire.firepower import target_items
from sandtable.games.squad.ground.counters import lay
from sandtable.games.squad.ground.map import BLOCKED
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.sight import los
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.pieces.kinds import UnitKind, printed_unit
from sandtable.games.squad.pieces.model import Counter, SquadState, Unit

REACH = 12
"""No ladder reaches farther, in hexes."""


def ladder_case(
    state: SquadState, base: Rolled, cell: int, units: Sequence[Unit], *, by_units: bool = False
) -> tuple[Step, Unit, int] | None:
    """The case of x1 under which units trigger a S? in a Location: with the unit and its Final IFT DRM (S5.1).

    `by_units`: lines are looked up from the units' Locations, which is quicker where many S? are asked about.
    """
    setting = setting_of(state)
    found: tuple[Step, Unit, int] | None = None
    steps = base.card.steps(base.date)
    for unit in units:
        distance = setting.ground.ranges[cell][unit.at]
        if distance > REACH:
            continue
        hindrance = los(state, unit.at, cell) if by_units else los(state, cell, unit.at)
        if hindrance == BLOCKED:
            continue
        drm = _drm(state, cell, unit, hindrance)
        for step in steps:
            near = distance <= 1 if step.hexes is None else distance <= step.hexes
            if near and (step.drm is None or drm <= step.drm):
                if found is None or step.case < found[0].case:
                    found = (step, unit, drm)
                break
    return found


def _drm(state: SquadState, cell: int, unit: Unit, hindrance: int) -> int:
    """The Final IFT DRM of small-arms fire from a Location at a unit now (S5.1, SA-45)."""
    if unit.at == cell:
        return 0
    items = target_items(state, (cell,), unit, unit.at, hindrance)
    return hindrance + int(sum([item[1] for item in items]))


def check_tally(state: SquadState, one: Suspect) -> Tally:
    """The drm of an Activation Check, by the table's own words (S5.1)."""
    items: list[tuple[str, float, str]] = []
    for modifier in general.activation_check().modifiers:
        if modifier.not_for != f"{one.attitude} Attitude" and (times := CHECKED[modifier.when](state, one)):
            items.append((modifier.when, modifier.drm * times, "S5.1"))
    return Tally.of("Activation Check", items)


def _by_objective(state: SquadState, one: Suspect) -> int:
    near = (one.at, *setting_of(state).ground.near[one.at])
    return int(any([cell in near for objective in OBJECTIVES.of(state).values() for cell in objective.cells]))


def _above(state: SquadState, one: Suspect) -> int:
    ground = setting_of(state).ground
    return max(0, ground.level[one.at] - ground.level[ground.hex_of(one.at)])


def _on_board(state: SquadState, one: Suspect, kind: str) -> int:
    board = board_of(state, one.at)
    return int(board is not None and board.kind == kind)


def _company_near(state: SquadState, cell: int) -> bool:
    ground = setting_of(state).ground
    ranges, building = ground.ranges[cell], ground.building[cell]
    for unit in state.units.values():
        at = unit.at
        if at >= 0 and (ranges[at] <= 2 or (building and ground.building[at] == building)) and unit.side == ENEMY:
            return True
    return False


CHECKED: dict[str, Callable[[SquadState, Suspect], int]] = {
    "S? in or ADJACENT to a VPO Location": _by_objective,
    "S? in a stone building Location": lambda state, one: int(stone(setting_of(state).ground, one.at)),
    "each level of the S? above the base level of its hex": _above,
    "an Activated ENEMY unit within two hexes or in the same building": lambda state, one: int(
        _company_near(state, one.at)
    ),
    "S? on a Village board": lambda state, one: _on_board(state, one, "v"),
    "S? on a City board": lambda state, one: _on_board(state, one, "c"),
}
"""How many times each drm of the Activation Check counts, by the words of the table."""


def activates(ac: int, original: int, drm: int) -> bool:
    """Whether an AC dr activates: an original 1 always, a 6 never (S5.1)."""
    check = general.activation_check()
    if original == check.always:
        return True
    return original != check.never and original + drm <= ac


def trigger(play: Play[SquadState], units: Sequence[Unit], why: str) -> list[str]:
    """FRIENDLY units have done something in sight: each S? whose ladder is met makes its check (S5.1, SA-45)."""
    state = play.state
    made: list[str] = []
    if not units:
        return made
    cell = units[0].at
    ranges = setting_of(state).ground.ranges[cell]
    place = cell if reading(state, "checked") == "Location" else "any"
    mark = f"{'+'.join(unit.id for unit in units)}@{place}"
    near = [one for one in SUSPECTS.of(state).values() if one.at >= 0 and ranges[one.at] <= REACH]
    for one in sorted(near, key=lambda one: (ranges[one.at], one.id)):
        if one.id not in SUSPECTS.of(state) or mark in one.checked:
            continue
        present = [state.units[unit.id] for unit in units if unit.id in state.units]
        case = ladder_case(state, base_for(state, one), crests.stands(state, one), present)
        if case is not None:
            SUSPECTS.of(state)[one.id] = one = replace(one, checked=(*one.checked, mark))
            made += check(play, one, case, cell, why)
    return made


def check(play: Play[SquadState], one: Suspect, case: tuple[Step, Unit, int], towards: int, why: str) -> list[str]:
    """An Activation Check dr; success makes units of the S? (S5.1, S5.6)."""
    state = play.state
    step, _, drm = case
    tally = check_tally(state, one)
    (dr,) = play.roll(6, 1, "Activation Check", by=ENEMY, tally=tally)
    ac = ROSTER.of(state).ac
    success = activates(ac, dr, int(tally.total))
    where = name_of(state, one.at)
    range_words = "ADJACENT" if step.hexes is None else f"<= {step.hexes} hexes, DRM {drm:+d}"
    result = "Activated" if success else "remains a S?"
    say(
        play,
        f"{base_for(state, one).enemy[0]}1",
        f"case {step.case} ({range_words})",
        (dr,),
        f"S? in {where}, {why}: {dr}{int(tally.total):+d} against AC# {ac}, {result}",
        "S5.1",
    )
    return activate(play, one, towards) if success else []


def contents_drm(state: SquadState, one: Suspect) -> int:
    """The DRM on A1 for a S? (S5.6)."""
    return attitude_drm(state, one.attitude)


def attitude_drm(state: SquadState, attitude: str) -> int:
    """The DRM on A1 for every S? in an Attitude (S5.6)."""
    roster = ROSTER.of(state)
    advance = -1 if attitude == ADVANCE else 0
    mission = rolled_in(state).rules.drm.get("A1", 0)
    if roster.calm:  # all negative DRM are cancelled (RE 74)
        advance, mission = 0, max(0, mission)
    return advance + mission + roster.drm


def odds(state: SquadState, one: Suspect) -> list[tuple[str, Fraction]]:
    """What a S? would be if it were Activated now, with exact odds by the 36 throws (S5.6)."""
    return contents_odds(contents_drm(state, one))


@cache
def contents_odds(drm: int) -> list[tuple[str, Fraction]]:
    """The exact odds of A1 with a DRM."""
    found: dict[str, Fraction] = {}
    for throw in product(range(1, 7), repeat=2):
        row = general.activation().row(sum(throw) + drm)
        name = contents_words([item.kind for item in row.items])
        found[name] = found.get(name, Fraction(0)) + Fraction(1, 36)
    return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))


WORDS = {"S": "squad", "HS": "half-squad", "L": "leader", "SW": "SW", "F": "fortification", "Gun": "Gun"}


def contents_words(kinds: Sequence[str]) -> str:
    """The items of a row of A1 in words."""
    return ", ".join(WORDS.get(kind, kind) for kind in kinds) or "nothing"


def activate(play: Play[SquadState], one: Suspect, towards: int) -> list[str]:
    """A S? is replaced by what A1 says (S5.6)."""
    state = play.state
    place = len(play.events)
    drm = contents_drm(state, one)
    faces = rolled(play, 2, "ENEMY Activation")
    row = general.activation().row(sum(faces) + drm)
    kinds = [item.kind for item in row.items]
    say(
        play,
        "A1",
        row.key,
        faces,
        f"Final DR {sum(faces) + drm} ({sum(faces)}{drm:+d}): {contents_words(kinds)}",
        "S5.6",
    )
    return become(play, one, kinds, towards, final=sum(faces) + drm, place=place)


def become(
    play: Play[SquadState], one: Suspect, kinds: Sequence[str], towards: int, final: int = 0, place: int | None = None
) -> list[str]:
    """Make the units of an Activated S? in its Location (S5.7); for a "?" all is rolled face down (SA-90)."""
    state = play.state
    base = base_for(state, one)
    rolls = (len(play.events) if place is None else place, len(play.events))
    remove(state, one)
    made: list[Unit] = []
    squads: list[UnitKind] = []
    if kinds:
        numbers = make.Numbers(state.serial, face_down(state, one.at, towards))
        made = _people(play, base, one, kinds, squads, numbers)
        if "SW" in kinds and made:
            numbers.go_on(state, "SW")
            _support_weapon(play, base, one, made)
        guns = [kind for kind in kinds if kind in GUNS]
        found = None
        if one.attitude != ADVANCE and ("F" in kinds or digs_in(base, final)) and crests.may_have_works(state, one):
            crews = [printed_unit(make.gun_crew(base)) for _ in guns]
            here = [state.units[unit.id] for unit in made if state.units[unit.id].at == one.at]
            found = fortify.roll(play, [*make.classes_of(state, here), *crews])
        pillbox = fortify.in_pillbox(state, one.at, found)
        numbers.go_on(state, "Gun")
        for kind in guns:
            _gun(play, base, one, kind, made, towards, pillbox=pillbox)
        numbers.go_on(state, "end")
        rolls = (rolls[0], len(play.events))
        if found is not None:
            units = [state.units[unit.id] for unit in made]
            work = fortify.occupy(play, units, one.at, towards, found, gun=bool(guns))
            if face_down(state, one.at, towards):  # the class that its drm tells lies under the "?"
                rolls = (rolls[0], len(play.events))
                if work:
                    say(play, "A5", work, (), f"in {name_of(state, one.at)}, rolled face down", "S5.74")
        if one.attitude == ADVANCE and "F" in kinds and state.attacker == ENEMY and state.phase == "MPh":
            lay(state, one.at, Counter("grenade", ENEMY))
            say(play, "A1", "F", (), f"SMOKE in {name_of(state, one.at)} (note 6)", "S5.74")
    names = tuple([unit.id for unit in made])
    lined_up = crests.line_up(play, one, made)
    hide(play, names, one.at, towards, rolls)
    play.emit(Activated(suspect=one.id, at=name_of(state, one.at), units=names, dummy=not made))
    crests.tell(play, one, lined_up)
    return list(names)


def base_for(state: SquadState, one: Suspect) -> Rolled:
    """What a S? is generated by: the ENEMY's card, or that of its allies (P9 34)."""
    base = rolled_in(state)
    if not one.card:
        return base
    return replace(base, enemy=one.card, enemy_group="elsewhere" if one.card == "U-PTO" else "")


def covered(state: SquadState, cell: int, towards: int) -> bool:
    """Whether units just Activated lie under a "?": in Concealment Terrain, the trigger not ADJACENT (SA-66)."""
    ground = setting_of(state).ground
    near = towards >= 0 and ground.ranges[cell][towards] <= 1
    return not near and reading(state, "activated") != "seen" and concealment_terrain(ground, cell)


def face_down(state: SquadState, cell: int, towards: int) -> bool:
    """Whether what is rolled for units just Activated stays secret (SA-90)."""
    return covered(state, cell, towards) and reading(state, "activated") == "concealed"


def hide(play: Play[SquadState], names: Sequence[str], cell: int, towards: int, rolls: tuple[int, int]) -> None:
    """Units just Activated come under a "?" where they have cover; what was rolled for them is face down (SA-90).

    The rolls are events from one place to another.
    """
    state = play.state
    floor_of = setting_of(state).ground.floor_of
    here = [name for name in names if floor_of(state.units[name].at) == cell]
    if here and covered(state, cell, towards):
        secret = face_down(state, cell, towards)
        if secret:
            play.tell_only((ENEMY,), *rolls)
        conceal(play, here, "just Activated", secret=secret)


GUNS = ("Gun", "AFV", "SPG")
"""Items of A1 that bring a Gun while vehicles are not played (SA-46)."""
EVEN_F = (4, 17, 18)
"""Missions in which every even Final DR on A1 may bring a fortification."""


def digs_in(base: Rolled, final: int) -> bool:
    """Whether a Final DR on A1 counts as an F in the mission (M4 MSR 2)."""
    return base.mission in EVEN_F and final % 2 == 0


def _people(
    play: Play[SquadState],
    base: Rolled,
    one: Suspect,
    kinds: Sequence[str],
    squads: list[UnitKind],
    numbers: make.Numbers,
) -> list[Unit]:
    """Squads and half-squads of one type, then a leader (S5.72, S5.73)."""
    state = play.state
    made: list[Unit] = []
    wanted = [kind for kind in kinds if kind in ("S", "HS")]
    if wanted:
        squad = make.squad(play, base)
        for kind in wanted:
            name = squad if kind == "S" else make.half_squad(base, squad)
            made.append(make.new_unit(play, name, make.room_for(play, one.at, name)))
        squads += make.classes_of(state, made)
    if "L" in kinds:
        numbers.go_on(state, "leader")
        name = make.leader(play, base, squads)
        if name:
            made.append(make.join(play, base, name, make.room_for(play, one.at, name)))
    return made


def _support_weapon(play: Play[SquadState], base: Rolled, one: Suspect, made: list[Unit]) -> None:
    """A SW for the first squad, with a crew of its own if it is a Japanese machine gun (S5.75)."""
    state = play.state
    owner = made[0]
    name = make.support_weapon(play, base, indoors=setting_of(state).ground.in_building[one.at], squad=owner.kind)
    if name and make.crewed(base, name):
        crew = make.gun_crew(base)
        owner = make.join(play, base, crew, make.room_for(play, one.at, crew))
        made.append(owner)
    if name:
        make.new_weapon(play, name, state.units[owner.id])


def _gun(
    play: Play[SquadState],
    base: Rolled,
    one: Suspect,
    kind: str,
    made: list[Unit],
    towards: int,
    *,
    pillbox: bool,
) -> None:
    """A Gun with its crew, which AFV and SPG are read as; Inside in a building or pillbox (S5.76, S5.761, SA-46)."""
    state = play.state
    if kind != "Gun":
        say(play, "A1", kind, (), "replaced by a Gun, since vehicles are not played yet (SA-46)", "S5.6")
    inside = pillbox or setting_of(state).ground.in_building[one.at]
    name = make.gun(play, base, inside=inside, pillbox=pillbox)
    if name:
        crew = make.gun_crew(base)
        unit = make.join(play, base, crew, make.room_for(play, one.at, crew))
        weapon = make.new_weapon(play, name, unit)
        make.point_gun(play, weapon, unit.at, towards, emplaced=one.attitude != ADVANCE)
        made.append(state.units[unit.id])


def reveal_entered(play: Play[SquadState], cell: int) -> list[str]:
    """FRIENDLY units have advanced into the Location of a S?: it is Activated without a check (SA-47)."""
    made: list[str] = []
    for one in [one for one in SUSPECTS.of(play.state).values() if one.at == cell]:
        say(play, "S5", "entered", (), f"the S? in {name_of(play.state, cell)} is entered and Activated", "SA-47")
        made += activate(play, one, cell)
    return made


def searched(play: Play[SquadState], cell: int, side: str) -> bool:
    """FRIENDLY units that search a hex or mop it up Activate the S? there (S3.31, S15.9)."""
    found = False
    for one in [one for one in SUSPECTS.of(play.state).values() if one.at == cell and side == FRIENDLY]:
        say(
            play,
            "S5",
            "searched",
            (),
            f"the S? in {name_of(play.state, cell)} is found by Search and Activated",
            "S3.31",
        )
        found = bool(activate(play, one, cell)) or found
    return found


__all__ = ["FRIENDLY", "activate", "activates", "become", "check", "odds", "reveal_entered", "searched", "trigger"]
