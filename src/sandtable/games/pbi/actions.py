"""What players can do, as small values."""

from __future__ import annotations

from sandtable.engine import Action

# -- before the battle --------------------------------------------------------------------


class Enlist(Action, frozen=True):
    """Take a unit of the army list."""

    entry: str
    quality: str


class TakeAsset(Action, frozen=True):
    """Take an asset."""

    asset: str


class Dismiss(Action, frozen=True):
    """Leave out what was taken last."""


class Ready(Action, frozen=True):
    """The army is complete."""


class Place(Action, frozen=True):
    """Set up the next section."""

    at: str


# -- assets, artillery and the commander ------------------------------------------------------


class UseAsset(Action, frozen=True):
    """Select an asset and use it up."""

    asset: str


class Shape(Action, frozen=True):
    """Choose the pattern of a strike."""

    shape: str


class PlacePattern(Action, frozen=True):
    """Place the four squares of a strike; `at` is the upper left one."""

    at: str
    shape: str


class Encourage(Action, frozen=True):
    """Remove all pins of a unit."""

    unit: str


class AskReroll(Action, frozen=True):
    """Have the deviation of one square rolled again."""

    shot: int = 0


class Accept(Action, frozen=True):
    """Let the deviation stand."""


class Step(Action, frozen=True):
    """The commander goes one square."""

    to: str


class Rally(Action, frozen=True):
    """The commander rallies the pinned in a square."""

    at: str


class Comfort(Action, frozen=True):
    """The commander sees to a unit's casualties."""

    unit: str


class Urge(Action, frozen=True):
    """The commander motivates the near groups of a unit himself."""

    unit: str


class Call(Action, frozen=True):
    """The commander calls for the reinforcements."""


# -- units --------------------------------------------------------------------------------


class Activate(Action, frozen=True):
    """Begin with a unit."""

    unit: str


class Motivate(Action, frozen=True):
    """Roll for the foot of the unit in a square or vehicle."""

    at: str


class Man(Action, frozen=True):
    """Roll for a towed gun."""

    piece: str


class Drive(Action, frozen=True):
    """Roll for a vehicle."""

    piece: str


class MoveTogether(Action, frozen=True):
    """Roll once for the vehicles of the unit in a square, which will only move."""

    at: str


class Reroll(Action, frozen=True):
    """Roll the group's action points again."""


class Keep(Action, frozen=True):
    """Keep the group's action points."""


class Move(Action, frozen=True):
    """The team steps into a square."""

    to: str


class Shoot(Action, frozen=True):
    """Small arms or machine-guns shoot at a square."""

    at: str


class Aim(Action, frozen=True):
    """A gun or anti-tank weapon shoots at a vehicle."""

    piece: str
    target: str


class Shell(Action, frozen=True):
    """A gun shoots high explosive at a square."""

    piece: str
    at: str


class Flame(Action, frozen=True):
    """A flamethrower burns a square's foot, or a vehicle."""

    piece: str
    target: str


class Bomb(Action, frozen=True):
    """A mortar shoots at a square, all its shots on the same one."""

    piece: str
    at: str
    smoke: bool = False
    shots: int = 1


class Unpin(Action, frozen=True):
    """Try to remove the pin."""


class Recover(Action, frozen=True):
    """Try to remove a casualty mark of the unit."""


class Deploy(Action, frozen=True):
    """Deploy a weapon or gun."""

    piece: str


class Pack(Action, frozen=True):
    """Pack up a weapon, or limber a gun."""

    piece: str


class Embark(Action, frozen=True):
    """The team gets into a vehicle, or onto a tank."""

    vehicle: str


class Disembark(Action, frozen=True):
    """The team gets out; or, by a vehicle, its occupants do."""


class Assault(Action, frozen=True):
    """Assault a square."""

    to: str


class Split(Action, frozen=True):
    """One base acts by itself first."""

    piece: str


class Forward(Action, frozen=True):
    """A vehicle goes one square ahead."""


class Reverse(Action, frozen=True):
    """A vehicle goes one square back."""


class Face(Action, frozen=True):
    """A vehicle or gun turns by 45 degrees."""

    facing: int


class Done(Action, frozen=True):
    """Enough."""


# -- reactions and choices ------------------------------------------------------------------


class Volley(Action, frozen=True):
    """Small arms in a square or vehicle answer."""

    at: str


class Hold(Action, frozen=True):
    """Do not shoot, or no more."""


class Take(Action, frozen=True):
    """This piece takes the hit or is the casualty."""

    piece: str


class Promote(Action, frozen=True):
    """This base takes command."""

    piece: str


class Arrive(Action, frozen=True):
    """Enter at this square."""

    at: str
