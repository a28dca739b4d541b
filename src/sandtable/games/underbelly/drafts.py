"""Commands that are put together step by step: stacks in boxes, attacks, sites of forts, over-stacking."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Action, Play, Procedure
from sandtable.engine.part import Part
from sandtable.games.underbelly.actions import (
    Add,
    Assault,
    Begin,
    Cancel,
    Decline,
    Eliminate,
    Resolve,
    Site,
    UseBombers,
    UseTac,
    Withhold,
)
from sandtable.games.underbelly.after_command import finish_command
from sandtable.games.underbelly.airpower import BOMBER_COST, site_actions
from sandtable.games.underbelly.atlas import BIT, BLOCKED, CITY, INDEX, LAND, MARSH, NAMES, SF_HEX, TERRAIN
from sandtable.games.underbelly.atlas import side as hexside
from sandtable.games.underbelly.combat import start_battle, tac_left
from sandtable.games.underbelly.commands import (
    ATTACK_COST,
    FORT_COST,
    MOVE_COST,
    SPECIAL_COST,
    attack_targets,
    box_units,
    pay,
    spendable,
    stacks_needed,
)
from sandtable.games.underbelly.data import ALLIED, GERMAN
from sandtable.games.underbelly.events import EndRunJoined, FortBuilt
from sandtable.games.underbelly.model import (
    ARMY_BOX,
    END_RUN_BOX,
    GERMAN_BOX,
    AttackChoice,
    AttackDraft,
    BoxDraft,
    FortSite,
    Moving,
    OverStacked,
    UnderbellyState,
)
from sandtable.games.underbelly.movement import start_move
from sandtable.games.underbelly.places import bury, relocate, settle_control
from sandtable.games.underbelly.reach import reach
from sandtable.games.underbelly.stacking import CORPS_SUPPORT, DIVISIONS, count, exempt, is_mixed, offenders
from sandtable.games.underbelly.supply import german_network, supply_state
from sandtable.games.underbelly.victory import forfeit
from sandtable.games.underbelly.watch import obligation, of_group
from sandtable.games.underbelly.zones import UNITS, field

State = UnderbellyState
_ADD = {unit: Add(unit) for unit in UNITS}


def _forced(state: State, frame: BoxDraft) -> bool:
    return frame.side == GERMAN and obligation(state) == frame.box


def joinable(state: State, frame: BoxDraft) -> list[str]:
    """Units that can join a stack in a holding box; II SS Panzer Corps comes as one full stack (6.1, 6.3, 8.6)."""
    if _forced(state, frame) and frame.box == GERMAN_BOX:
        return []
    divisions, support = count(frame.units)
    organisation = UNITS[frame.units[0]].group if frame.units and frame.side == GERMAN else ""
    if frame.kind == "end-run":
        organisation = "10"
    found = []
    for unit in box_units(state, frame.side, frame.box):
        kind = UNITS[unit]
        room = divisions < DIVISIONS if kind.division else support < CORPS_SUPPORT
        if room and unit not in frame.units and organisation in ("", kind.group):
            found.append(unit)
    return found


class BoxDraftProcedure(Procedure[State, BoxDraft]):
    """A stack is formed in a holding box and commanded as one (6.1, 8.6, 8.8, 9.4, 10.2, 10.3)."""

    def to_act(self, state: State, frame: BoxDraft) -> tuple[str, ...]:
        return (frame.side,)

    def actions(self, state: State, frame: BoxDraft, side: str) -> Sequence[Action]:
        actions: list[Action] = [_ADD[unit] for unit in joinable(state, frame)]
        if frame.units and self._may_begin(state, frame):
            actions.append(Begin())
        return [*actions, Cancel()]

    def _may_begin(self, state: State, frame: BoxDraft) -> bool:
        if not _forced(state, frame):
            return True
        if frame.kind == "column" and not self._finds_a_hex(state, frame):
            return False
        if frame.box != ARMY_BOX:
            return True
        cost = SPECIAL_COST if frame.kind == "move-fight" else MOVE_COST
        rest = [u for u in of_group(state, "5pz", ARMY_BOX) if u not in frame.units]
        return stacks_needed(rest) * MOVE_COST <= state.cp - cost

    def _finds_a_hex(self, state: State, frame: BoxDraft) -> bool:
        """Whether a column of these units could enter at all; none of them rolls for its movement (8.6, 8.8)."""
        left = tuple(2 * UNITS[u].mf for u in frame.units)
        moving = Moving(GERMAN, "column", frame.box, frame.box, frame.units, left)
        return bool(reach(state, moving).ends)

    def apply(self, play: Play[State], frame: BoxDraft, side: str, action: Action) -> None:
        state = play.state
        if isinstance(action, Add):
            play.replace(replace(frame, units=(*frame.units, action.unit)))
            return
        play.pop()
        if not isinstance(action, Begin):
            return
        units = tuple(u for u in state.at if u in frame.units)
        forced = _forced(state, frame)
        pay(play, side, frame.kind, SPECIAL_COST if frame.kind == "move-fight" else MOVE_COST, frame.box)
        for unit in units:
            state.used[unit] = frame.kind
        if frame.kind == "end-run":
            relocate(play, units, END_RUN_BOX)
            play.emit(EndRunJoined(side=GERMAN, units=units))
            finish_command(play)
            return
        if frame.kind == "move-fight":
            state.special = "move-fight"
        moving = start_move(play, side, frame.kind, frame.box, units, must_enter=forced)
        if forced and not reach(state, moving).ends:
            rule = "8.6" if frame.box == GERMAN_BOX else "8.8"
            forfeit(state, GERMAN, "The corps cannot enter the map as ordered", rule)


class AttackChoiceProcedure(Procedure[State, AttackChoice]):
    """At the end of a move-fight the force may attack at once, but not over a blocked hexside (9.6, 12.10)."""

    def _targets(self, state: State, frame: AttackChoice) -> list[str]:
        here = [u for u in frame.units if state.at[u] == frame.at]
        targets = attack_targets(state, field(state), frame.side, frame.at, here)
        return [name for name in targets if hexside(INDEX[frame.at], INDEX[name]) not in BLOCKED]

    def to_act(self, state: State, frame: AttackChoice) -> tuple[str, ...]:
        return (frame.side,) if self._targets(state, frame) else ()

    def actions(self, state: State, frame: AttackChoice, side: str) -> Sequence[Action]:
        return [*(Assault(target) for target in self._targets(state, frame)), Decline()]

    def apply(self, play: Play[State], frame: AttackChoice, side: str, action: Action) -> None:
        if isinstance(action, Assault):
            play.push(AttackDraft(side, "move-fight", frame.at, action.target, frame.units, frame.units))
        else:
            self.run(play, frame)

    def run(self, play: Play[State], frame: AttackChoice) -> None:
        play.pop()
        finish_command(play)


def together_allowed(state: State, at: str, units: Sequence[str]) -> bool:
    """Whether units of both groupings may attack together: from a port or as the multi-national corps (6.5)."""
    if not is_mixed(units) or state.options.get("mixed_attack") == "penalised":
        return True
    return exempt(state, at, units)


class AttackDraftProcedure(Procedure[State, AttackDraft]):
    """The attacker picks his force and his support, then the battle begins (9.5, 9.13, 9.14, 13.1)."""

    def to_act(self, state: State, frame: AttackDraft) -> tuple[str, ...]:
        return (frame.side,)

    def _price(self, frame: AttackDraft) -> int:
        base = {"attack": ATTACK_COST, "fight-move": SPECIAL_COST}.get(frame.kind, 0)
        return base + (BOMBER_COST if frame.bombers else 0)

    def actions(self, state: State, frame: AttackDraft, side: str) -> Sequence[Action]:
        actions: list[Action] = []
        divisions = [u for u in frame.units if UNITS[u].division]
        lone_port = frame.target in state.ports and not field(state).stack(frame.target)
        if len(frame.units) > 1:
            actions += [Withhold(u) for u in frame.units if not UNITS[u].division or len(divisions) > 1]
        if not frame.tac and tac_left(state, side) and not lone_port:
            actions.append(UseTac())
        if side == ALLIED and state.tac_on and not frame.bombers and not state.bombed:
            actions += [UseBombers()] if spendable(state, side) >= self._price(frame) + BOMBER_COST else []
        if divisions and together_allowed(state, frame.at, frame.units):
            actions.append(Resolve())
        return [*actions, Cancel()]

    def apply(self, play: Play[State], frame: AttackDraft, side: str, action: Action) -> None:
        state = play.state
        if isinstance(action, Withhold):
            play.replace(replace(frame, units=tuple(u for u in frame.units if u != action.unit)))
        elif isinstance(action, UseTac):
            play.replace(replace(frame, tac=True))
        elif isinstance(action, UseBombers):
            play.replace(replace(frame, bombers=True))
        elif isinstance(action, Cancel):
            play.pop()
        else:
            self._resolve(play, frame)
            state.bombed = state.bombed or frame.bombers

    def _resolve(self, play: Play[State], frame: AttackDraft) -> None:
        state = play.state
        pay(play, frame.side, frame.kind, self._price(frame), frame.at, frame.target)
        if frame.kind == "fight-move":
            state.special = "fight-move"
        free = state.options.get("withheld") == "free"
        for unit in frame.units if free and frame.kind == "attack" else frame.activated:
            state.used[unit] = frame.kind
        if frame.kind == "move-fight":
            del state.stack[-2]  # the choice of a target is done
        start_battle(play, frame)


class FortSiteProcedure(Procedure[State, FortSite]):
    """Where the German constructs a fortification (9.8)."""

    def to_act(self, state: State, frame: FortSite) -> tuple[str, ...]:
        return (GERMAN,)

    def actions(self, state: State, frame: FortSite, side: str) -> Sequence[Action]:
        return [*site_actions(fort_sites(state)), Cancel()]

    def apply(self, play: Play[State], frame: FortSite, side: str, action: Action) -> None:
        state = play.state
        play.pop()
        if isinstance(action, Site):
            pay(play, GERMAN, "fortification", FORT_COST, action.at)
            state.forts.append(action.at)
            state.forts_built += 1
            play.emit(FortBuilt(at=action.at))
            finish_command(play)


def fort_sites(state: State) -> list[str]:
    """Hexes that can be fortified now (9.8)."""
    now = field(state)
    free = german_network(state, now) & ~now.allied & ~(now.allied_zoc & ~now.german)
    return [
        NAMES[h]
        for h in LAND
        if free & BIT[h]
        and not CITY[h]
        and TERRAIN[h] != MARSH
        and NAMES[h] not in state.forts
        and NAMES[h] not in state.ports
        and not (state.sf and NAMES[h] == SF_HEX)
    ]


class OverStackedProcedure(Procedure[State, OverStacked]):
    """The owner eliminates as few units as needed (6.8)."""

    def to_act(self, state: State, frame: OverStacked) -> tuple[str, ...]:
        return (frame.side,) if offenders(field(state).stack(frame.at)) else ()

    def actions(self, state: State, frame: OverStacked, side: str) -> Sequence[Action]:
        return [Eliminate(u) for u in offenders(field(state).stack(frame.at))]

    def apply(self, play: Play[State], frame: OverStacked, side: str, action: Eliminate) -> None:
        bury(play, action.unit, supply_state(play.state, action.unit), "over-stacking")
        settle_control(play)

    def run(self, play: Play[State], frame: OverStacked) -> None:
        play.pop()


PART: Part[UnderbellyState] = Part(
    procedures={
        BoxDraft: BoxDraftProcedure(),
        AttackChoice: AttackChoiceProcedure(),
        AttackDraft: AttackDraftProcedure(),
        FortSite: FortSiteProcedure(),
        OverStacked: OverStackedProcedure(),
    }
)
