"""A MOL from its check to the coloured die (A22.61-22.611)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Play, Tally
from sandtable.games.asl.molotovs.model import MolotovBurst, MolotovChecked, NoFlame
from sandtable.games.asl.molotovs.who import NUMBER, chance, check_tally, throw_bar, throws_instead
from sandtable.games.squad.effects.morale import break_unit
from sandtable.games.squad.fire.drafting import attack_of
from sandtable.games.squad.fire.firepower import firing_units
from sandtable.games.squad.fire.model import FireAttack, FireDraft
from sandtable.games.squad.fire.throwing import Throwing
from sandtable.games.squad.ground.names import short
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import name_of
from sandtable.games.squad.part import Item
from sandtable.games.squad.pieces.model import SquadState, Unit

FP = 4
FLAME, BURST = 1, 6
"""What the coloured die of the attack says (A22.611)."""
BURNABLE = ("woods", "orchard", "grain", "rubble", "building", "factory")
BURNABLE_TOO = ("brush", "lumberyard")


class Molotov(Throwing):
    """A Molotov cocktail."""

    what = "MOL"

    def able(self, state: SquadState, draft: FireDraft) -> Sequence[str]:
        firing = firing_units(state, attack_of(draft))
        able = [name for name in firing if throw_bar(state, draft, state.units[name]) is None]
        return sorted(able, key=lambda name: -chance(state, state.units[name]))

    def tally(self, state: SquadState, attack: FireAttack) -> Tally:
        return check_tally(state, state.units[attack.thrower])

    def chance(self, state: SquadState, attack: FireAttack) -> float:
        return chance(state, state.units[attack.thrower])

    def check(self, play: Play[SquadState], attack: FireAttack) -> bool:
        """A dr of 3 or less finds one (A22.61)."""
        state = play.state
        unit = state.units[attack.thrower]
        tally = check_tally(state, unit)
        (dr,) = play.roll(6, 1, f"MOL check of {short(state, unit)}", by=attack.side, tally=tally)
        final = dr + int(tally.total)
        passed = final <= NUMBER
        play.emit(
            MolotovChecked(
                unit=unit.id,
                at=name_of(state, unit.at),
                dr=final,
                passed=passed,
                alone=not passed and throws_only(state, attack),
            )
        )
        return passed

    def instead(self, state: SquadState, unit: Unit) -> bool:
        """A MOL is a use of a SW, for which half-squads and crews give up their own fire (4.0, ruling V-3)."""
        return throws_instead(state, unit)

    def items(self, state: SquadState, attack: FireAttack) -> Sequence[Item]:
        """4 FP that nothing halves or doubles (A22.611)."""
        return [("MOL", FP, "A22.611")]

    def left(self, state: SquadState, attack: FireAttack, coloured: int) -> FireAttack:
        """A coloured 6 voids the MOL and all that the thrower fires (A22.611, ruling V-2)."""
        if coloured != BURST:
            return attack
        weapons = tuple([name for name in attack.weapons if state.weapons[name].owner != attack.thrower])
        units = tuple([name for name in attack.units if name != attack.thrower])
        places = {state.units[name].at for name in (*units, *[state.weapons[name].owner for name in weapons])}
        leaders = tuple([name for name in attack.leaders if state.units[name].at in places])
        return replace(attack, units=units, weapons=weapons, leaders=leaders, thrower="", thrown=False)

    def tell(self, play: Play[SquadState], attack: FireAttack, coloured: int) -> None:
        state = play.state
        unit = state.units[attack.thrower]
        if coloured == BURST:
            left = self.left(state, attack, coloured)
            alone = not firing_units(state, left)
            play.emit(MolotovBurst(unit=unit.id, at=name_of(state, unit.at), alone=alone))
        place = {FLAME: attack.target, BURST: unit.at}.get(coloured, -1)
        if place >= 0 and burnable(state, place):
            play.emit(NoFlame(at=name_of(state, place)))

    def settle(self, play: Play[SquadState], attack: FireAttack, coloured: int) -> None:
        """The thrower breaks on a coloured 6 (A22.611)."""
        unit = play.state.units.get(attack.thrower)
        if coloured == BURST and unit is not None:
            break_unit(play, unit)


def throws_only(state: SquadState, attack: FireAttack) -> bool:
    """Whether nobody in the group fires anything beside the MOL."""
    alone = (attack.units, attack.weapons) == ((attack.thrower,), ())
    return alone and throws_instead(state, state.units[attack.thrower])


def burnable(state: SquadState, cell: int) -> bool:
    """Whether a Flame could be placed in a Location: what has a Kindling number (B25.11)."""
    kind = setting_of(state).ground.kinds[cell]
    return kind.group in BURNABLE or kind.name in BURNABLE_TOO
