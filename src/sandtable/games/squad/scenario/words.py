"""Words for setting up and for reinforcements (1.3, 3.1 a)."""

from __future__ import annotations

from sandtable.engine.view import Description
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.part import Part
from sandtable.games.squad.pieces.model import SquadState
from sandtable.games.squad.scenario.model import (
    AutoSetUp,
    ChooseEdge,
    GiveWeapon,
    GroupStands,
    PickEdge,
    PickUnit,
    PickUp,
    PickWeapon,
    Placed,
    PlaceGun,
    PlaceReinforcements,
    PlaceUnit,
    PutBack,
    ReinforcementsRolled,
    ReinforcementsStand,
    SetUp,
    SetUpDone,
    SetUpFacing,
)
from sandtable.games.squad.scenario.placing import may_place, missing
from sandtable.games.squad.scenario.reinforcements import due, must_come


def _in_hand(state: SquadState) -> tuple[str, ...]:
    frame = state.stack[-1]
    if isinstance(frame, (SetUp, PlaceReinforcements)):
        return tuple(name for name in (frame.unit, frame.weapon) if name)
    return (frame.gun,) if isinstance(frame, SetUpFacing) else ()


def _pick(state: SquadState, side: str, action: PickUnit) -> Description:
    return Description(f"Place {short(state, action.unit)}", "set up", (action.unit,), rule="1.3")


def _place(state: SquadState, side: str, action: PlaceUnit) -> Description:
    where = name_of(state, action.at)
    off = "beside " if isinstance(state.stack[-1], PlaceReinforcements) else "in "
    return Description(f"Set up {off}{where}", "set up", _in_hand(state), (where,), rule="1.3")


def _pick_weapon(state: SquadState, side: str, action: PickWeapon) -> Description:
    text = f"Give {short(state, action.weapon)} to another unit"
    return Description(text, "weapon", (action.weapon,), rule="1.2.4")


def _give(state: SquadState, side: str, action: GiveWeapon) -> Description:
    text = f"{short(state, action.unit)} takes {', '.join(short(state, name) for name in _in_hand(state))}"
    return Description(text, "weapon", _in_hand(state), targets=(action.unit,), rule="1.2.4")


def _gun(state: SquadState, side: str, action: PlaceGun) -> Description:
    gun = state.weapons[_in_hand(state)[0]]
    cell = state.units[gun.owner].at
    ground = setting_of(state).ground
    arc = [ground.names[c] for c in ground.grid.hexspine(ground.hex_of(cell), action.facing) if c >= 0]
    hidden = ", hidden" if action.hip else ""
    text = f"Covered Arc {'/'.join(arc) or 'off the map'}{hidden}"
    return Description(text, "set up", (gun.id,), tuple(arc), rule="6.4" if action.hip else "3.2.4")


def _done(state: SquadState, side: str, action: SetUpDone) -> Description:
    waiting = due(state) if isinstance(state.stack[-1], PlaceReinforcements) else []
    if not waiting:
        return Description("The set-up is done", "done", rule="1.3", key="Enter")
    number = "1 unit waits" if len(waiting) == 1 else f"{len(waiting)} units wait"
    alone = not any([unit.side == side and (unit.at >= 0 or unit.beside >= 0) for unit in state.units.values()])
    notes = ("You have no unit on the map or about to enter: this turn would pass without you",) if alone else ()
    return Description(f"Go on: {number} off board for a later turn", "done", rule="3.1", key="Enter", notes=notes)


def _place_bar(state: SquadState, side: str, action: PlaceUnit) -> tuple[str, str] | None:
    frame = state.stack[-1]
    setting = setting_of(state)
    if not isinstance(frame, SetUp) or not frame.unit or not 0 <= action.at < setting.ground.places:
        return None
    where = name_of(state, action.at)
    if action.at not in setting.setup_areas[state.units[frame.unit].group]:
        return f"{where} is outside the set-up area of this group", "1.3"
    if not may_place(state, frame.unit, action.at):
        return f"{short(state, frame.unit)} may not set up in {where}: stacking, or a limit of the card", "1.3"
    return None


def _done_bar(state: SquadState, side: str, action: SetUpDone) -> tuple[str, str] | None:
    frame = state.stack[-1]
    if isinstance(frame, SetUp):
        setting = setting_of(state)
        reason = missing(state, setting.groups[setting.setup_order[frame.order]])
        return (f"The set-up is not complete: {reason}", "1.3") if reason else None
    if isinstance(frame, PlaceReinforcements) and not must_come(state) and not (frame.unit or frame.weapon):
        return None
    return "All units of this group must be set up off board now", "3.1"


def _entry_prompt(state: SquadState, frame: PlaceReinforcements) -> tuple[str, str]:
    if must_come(state) or not due(state):
        return "Set up your reinforcements off board", "3.1"
    return "Set up off board, beside the edge, the units that are to enter this turn; the others may come later", "3.1"


def _setup_prompt(state: SquadState, frame: SetUp) -> tuple[str, str]:
    setting = setting_of(state)
    if frame.order >= len(setting.setup_order):
        return "The set-up is done", "1.3"
    group = setting.groups[setting.setup_order[frame.order]]
    if frame.unit:
        return f"Where does {short(state, frame.unit)} stand?", "1.3"
    if frame.weapon:
        return f"Who takes {short(state, frame.weapon)}?", "1.2.4"
    return f"Set up {group.title}", "1.3"


def _placed(state: SquadState, event: Placed) -> str:
    where = f"off board beside {event.at}" if event.off_board else f"in {event.at}"
    return f"{short(state, event.unit)} sets up {where}"


def _stands(state: SquadState, event: GroupStands) -> str:
    setting = setting_of(state)
    return f"{setting.groups[event.group].title}: set-up done"


def _rolled(state: SquadState, event: ReinforcementsRolled) -> str:
    title = setting_of(state).groups[event.group].title
    return f"{title}: {event.number} or less needed, " + ("they come" if event.come else "they do not come yet")


def _reinforced(state: SquadState, event: ReinforcementsStand) -> str:
    held = f", {event.waiting} units wait" if event.waiting else ""
    return f"{setting_of(state).titles[event.side]} reinforcements stand ready{held}"


PART = Part(
    describe={
        PickUnit: _pick,
        PlaceUnit: _place,
        PickWeapon: _pick_weapon,
        GiveWeapon: _give,
        PlaceGun: _gun,
        PickUp: lambda state, side, action: Description(
            f"Take {short(state, action.unit)} off again", "set up", (action.unit,), rule="1.3"
        ),
        PutBack: lambda state, side, action: Description("Lay it aside", "cancel", key="Escape"),
        AutoSetUp: lambda state, side, action: Description("Place all the rest for me", "set up", rule="1.3", key="p"),
        SetUpDone: _done,
        PickEdge: lambda state, side, action: Description(f"Enter along the {action.edge} edge", "set up", rule="1.3"),
    },
    why_not={PlaceUnit: _place_bar, SetUpDone: _done_bar},
    prompts={
        SetUp: _setup_prompt,
        SetUpFacing: lambda state, frame: ("Give the Gun its Covered Arc", "3.2.4"),
        PlaceReinforcements: _entry_prompt,
        ChooseEdge: lambda state, frame: ("Choose the edge along which they enter", "3.1"),
    },
    words={
        Placed: _placed,
        GroupStands: _stands,
        ReinforcementsRolled: _rolled,
        ReinforcementsStand: _reinforced,
    },
)
