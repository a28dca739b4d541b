"""What follows the dice of any attack, step by step; parts add steps of their own (3.2.3, 6.7, G10)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sandtable.engine import Play
from sandtable.games.squad.cards.tables import FireResult
from sandtable.games.squad.effects.morale import (
    Loss,
    check_order,
    helper_of,
    leader_loss,
    morale_check,
    pin_check,
    put_under_dm,
)
from sandtable.games.squad.effects.results import Impact, by_result, casualty, kill, strike_gun
from sandtable.games.squad.ground.doors import settled
from sandtable.games.squad.ground.knowledge import concealed
from sandtable.games.squad.ground.setting import setting_of
from sandtable.games.squad.ground.stacks import come_out, release_melee
from sandtable.games.squad.part import Item, Part, Roll, Stage
from sandtable.games.squad.pieces.model import SquadState, Unit

Then = Callable[[Play[SquadState]], None]


class Attack:
    """An attack whose dice are cast, on its way through the steps."""

    def __init__(
        self,
        impacts: Sequence[Impact] = (),
        *,
        at: int = -1,
        roll: Roll | None = None,
        endangered: Iterable[str] = (),
        losses: Iterable[Loss] = (),
        firers: Then | None = None,
        protective: Then | None = None,
        area: bool = False,
        more: bool = False,
    ) -> None:
        self.impacts = list(impacts)
        self.at = at
        """The Location attacked."""
        self.roll = roll
        self.endangered = tuple(endangered)
        """Who comes under DM if he is broken: it could have given him a NMC or worse."""
        self.losses = list(losses)
        """Leaders lost on the way."""
        self.firers = firers
        """Markers, breakdown, Rate of Fire and Residual FP of those who attacked."""
        self.protective = protective
        """The checks of those who used Final Protective Fire."""
        self.area = area
        """Ordnance hit on the Area Target Type."""
        self.more = more
        """The same DR attacks another Location after this one."""
        self.checks: dict[str, int] = {}
        """Who must take a MC, with its number."""
        self.tasks: list[str] = []
        """Who must take a PTC."""
        self.words: dict[str, str] = {}
        """What a check is called, where it is not plain."""
        self.items: dict[str, list[Item]] = {}
        """Lines of the attack in the tallies of checks."""
        self.melees: list[int] = []


def carry_out(play: Play[SquadState], attack: Attack) -> None:
    """Take an attack through all steps, those of the parts included."""
    for step in setting_of(play.state).points.steps["attack"].values():
        step(play, attack)


def apply_impacts(play: Play[SquadState], impacts: Sequence[Impact]) -> None:
    """An attack by nobody in particular."""
    carry_out(play, Attack(impacts))


def resolve_effects(
    play: Play[SquadState],
    victims: Iterable[str],
    result: FireResult,
    *,
    column: int,
    drm: int = 0,
    endangered: Iterable[str] = (),
) -> None:
    """One result of the IFT for all units attacked (3.2.3)."""
    carry_out(play, Attack([Impact(name, result, column, drm) for name in victims], endangered=endangered))


# -- the steps --------------------------------------------------------------------------


def _casualties(play: Play[SquadState], attack: Attack) -> None:
    """KIA and K, the worst result first; targets with different results are selected among their like (3.2.3, G10)."""
    state = play.state
    for impact in attack.impacts:
        if impact.result.kind != "-":
            come_out(play, state.units[impact.unit], "hit by fire")
    attack.impacts = [impact for impact in attack.impacts if impact.unit in state.units]
    places = [
        state.units[name].at for name in (*[i.unit for i in attack.impacts], *attack.checks) if name in state.units
    ]
    attack.melees = list(dict.fromkeys([*places, *([attack.at] if attack.at >= 0 else [])]))
    left = [impact for impact in attack.impacts if not (impact.saved and strike_gun(play, impact, attack.losses))]
    for result, group in by_result(left):
        names = [impact.unit for impact in group]
        if result.kind == "KIA":
            kill(play, group, result.number, attack.losses)
        elif result.kind == "K":
            attack.checks.update(dict.fromkeys(casualty(play, names, attack.losses), result.number))
        elif result.kind == "MC":
            attack.checks.update(dict.fromkeys(names, result.number))
        elif result.kind == "PTC":
            attack.tasks += names


def _checks(play: Play[SquadState], attack: Attack) -> None:
    """MC and PTC in their order; a leader helps the others once he has passed unharmed (3.2.3)."""
    state = play.state
    setting = setting_of(state)
    helpers: list[Unit] = []
    present = [state.units[name] for name in (*attack.checks, *attack.tasks) if name in state.units]
    for name in [unit.id for unit in check_order(setting, present)]:
        unit = state.units.get(name)
        if unit is None:
            continue
        leader = helper_of(setting, unit, helpers)
        items = attack.items.get(name, ())
        if name in attack.checks:
            why = attack.words.get(name, "morale check")
            passed = morale_check(
                play, unit, attack.checks[name], why=why, leader=leader, items=items, losses=attack.losses
            )
        else:
            passed = pin_check(play, unit, leader=leader, items=items)
        if passed and name in state.units and setting.kinds[unit.group, unit.kind].leads:
            helpers.append(state.units[name])


def _desperation(play: Play[SquadState], attack: Attack) -> None:
    """Broken units attacked by enough FP come under DM (3.2.3)."""
    for name in attack.endangered:
        unit = play.state.units.get(name)
        if unit is not None and unit.broken and not concealed(play.state, unit):
            put_under_dm(play, unit)


def _firers(play: Play[SquadState], attack: Attack) -> None:
    if attack.firers is not None:
        attack.firers(play)


def _leader_loss(play: Play[SquadState], attack: Attack) -> None:
    leader_loss(play, attack.losses)


def _melee(play: Play[SquadState], attack: Attack) -> None:
    """Melee ends where one side is gone or no unbroken unit remains (3.8)."""
    for cell in attack.melees:
        release_melee(play, cell)


def _protective(play: Play[SquadState], attack: Attack) -> None:
    if attack.protective is not None:
        attack.protective(play)


def _settled(play: Play[SquadState], attack: Attack) -> None:
    if attack.roll is not None and not attack.more:
        settled(play, attack.roll)


PART = Part(
    steps={
        "attack": {
            "casualties": Stage(_casualties),
            "checks": Stage(_checks, after="casualties"),
            "desperation": Stage(_desperation, after="checks"),
            "firers": Stage(_firers, after="desperation"),
            "leader loss": Stage(_leader_loss, after="firers"),
            "melee": Stage(_melee, after="leader loss"),
            "protective fire": Stage(_protective, after="melee"),
            "settled": Stage(_settled, after="protective fire"),
        }
    }
)
