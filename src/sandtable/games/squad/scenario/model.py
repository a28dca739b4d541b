"""Frames, actions and events of setting up and of entering the map (1.3, 3.1 a)."""

from __future__ import annotations

from sandtable.engine import Action, Event, Frame


class SetUp(Frame, frozen=True):
    """A side sets up the units of one group (1.3)."""

    order: int = 0
    """Place in the set-up order."""
    unit: str = ""
    """The unit in hand."""
    weapon: str = ""
    """The weapon in hand."""


class SetUpFacing(Frame, frozen=True):
    """A Gun just placed is given its Covered Arc and is hidden or not (3.2.4, 6.4)."""

    gun: str


class PlaceReinforcements(Frame, frozen=True):
    """The ATTACKER sets up off board what is due to enter this Player Turn (3.1 a)."""

    unit: str = ""
    weapon: str = ""


class ChooseEdge(Frame, frozen=True):
    """The side picks the one edge along which a group enters."""

    group: str


class PickUnit(Action, frozen=True):
    """Take a unit in hand to place it."""

    unit: str


class PlaceUnit(Action, frozen=True):
    """Put the unit in hand into a hex; off board: beside an edge hex."""

    at: int


class PickWeapon(Action, frozen=True):
    """Take a weapon in hand to give it to another unit."""

    weapon: str


class GiveWeapon(Action, frozen=True):
    """Give the weapon in hand to a unit that is not placed yet."""

    unit: str


class PlaceGun(Action, frozen=True):
    """Give a Gun its Covered Arc; `hip`: it and its crew set up hidden."""

    facing: int
    hip: bool = False


class PickUp(Action, frozen=True):
    """Take a placed unit off again, with its weapons."""

    unit: str


class PutBack(Action, frozen=True):
    """Lay the unit in hand aside."""


class AutoSetUp(Action, frozen=True):
    """Let the program place all that is left of the group."""


class SetUpDone(Action, frozen=True):
    """The group stands."""


class PickEdge(Action, frozen=True):
    """Enter along this edge."""

    edge: str


class Placed(Event, frozen=True):
    """A unit was set up; hidden ones are told to their own side only."""

    unit: str
    at: str
    off_board: bool = False


class GroupStands(Event, frozen=True):
    """A side has set up a group."""

    side: str
    group: str
    hidden: int = 0


class ReinforcementsStand(Event, frozen=True):
    """Reinforcements are set up off board; some may be held back."""

    side: str
    waiting: int = 0


class ReinforcementsRolled(Event, frozen=True):
    """The die for provisional reinforcements has been cast."""

    side: str
    group: str
    number: int
    come: bool
