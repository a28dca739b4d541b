"""Habits of a squad-level player: the figures by which it weighs fire, cover, ways and time."""

from __future__ import annotations

from typing import NamedTuple


class Habits(NamedTuple):
    """How much each thing counts, in squads; one set for attack and one for defence."""

    pull: float = 0.1
    """What half an MF nearer to the goal is worth to an attacker who is in no hurry."""
    closing: float = 1.6
    """How much the way to the goal counts at least, where Guns must be reached early."""
    patient: float = 0.7
    """The same where it counts only at the end who is there."""
    lateness: float = 1.4
    """How much the way counts for a unit that is just in time."""
    steep: float = 1.0
    """How fast that grows with the delay."""
    chase: float = 0.0
    """How much the way counts for who runs after enemies that leave the map."""
    dash: float = 0.0
    """Turns before the last in which who must leave the map minds the fire less and less."""
    odds: float = 0.0
    """How much superior numbers take the fright out of fire."""
    fear: float = 0.4
    """How much the fire that a hex draws counts."""
    cover: float = 0.0
    """What each +1 of TEM is worth where nobody looks yet."""
    hope: float = 0.55
    """How much the fire that a hex allows counts."""
    risk: float = 0.6
    """How much the fire along a way counts."""
    share: float = 3.5
    """Moving units that the enemy's fire is enough for."""
    prep: float = 1.0
    """How much of a move's gain a Prep Fire must be worth."""
    rush: float = 0.0
    """The same in the last turns, if that is more."""
    hold: float = 0.16
    """What a shot at a moving unit must promise."""
    prey: float = 0.6
    """What a broken enemy is worth as a target beside an unbroken one."""
    caution: float = 0.0
    """How much later those move whose way is under fire."""
    moving: float = 0.06
    """What a move must gain."""
    melee: float = 0.25
    """What close combat for a goal is worth beside the losses."""
    storm: float = 0.0
    """How much the close combat counts that a hex next to the enemy allows."""
    spare: int = 0
    """Half MF that a hex with broken enemies only seems farther in the last turns."""
    rallying: float = 0.35
    """What a leader is worth to a broken unit."""
    leading: float = 0.2
    """What a leader is worth to an unbroken one."""
    follow: float = 1.0
    """How much a leader himself is drawn to the goal."""
    homing: float = 0.0
    """What a hex nearer to a leader is worth to who routs."""


BEGINNER = Habits(dash=2.0)
ATTACK = Habits(
    pull=0.07,
    closing=2.4,
    patient=0.32,
    lateness=1.3,
    steep=1.5,
    odds=0.7,
    fear=0.2,
    cover=0.07,
    hope=1.2,
    risk=0.9,
    share=8.0,
    prep=0.07,
    rush=0.3,
    prey=0.45,
    caution=3.2,
    moving=0.04,
    melee=0.75,
    storm=0.4,
    spare=8,
    rallying=0.8,
    leading=0.3,
    follow=0.25,
    homing=0.07,
)
"""Found by racing some dozens of such sets against each other in all scenarios."""
BREAKOUT = ATTACK._replace(
    dash=2.0,
    patient=0.5,
    fear=0.35,
    hope=0.6,
    risk=0.8,
    share=6.5,
    prep=0.11,
    prey=0.6,
    caution=0.0,
    moving=0.08,
    melee=0.6,
)
"""The same where the own men are to leave the map."""
HURRIED = BREAKOUT._replace(lateness=2.6, steep=1.2, risk=0.6)
"""A veteran's: he breaks through in time, and loses men for it rather than the game."""
SPARING = ATTACK._replace(patient=0.8, lateness=0.8, odds=0.3, fear=0.4, risk=1.8, share=20.0)
"""The same where each man lost counts for the enemy (missions of `sasl`): no rush at the end, and more care."""
WARY = SPARING._replace(patient=0.5, lateness=0.5, odds=0.5, fear=0.8, risk=3.0, share=16.0)
"""The same where losses cost more than most objectives bring (Mission 1)."""
KEEN = SPARING._replace(patient=1.6, lateness=1.6, risk=1.5, prep=0.01)
"""The same where time runs short, and the enemy's losses count as well (Mission 2)."""
DEFENCE = Habits(hold=0.4, hope=0.7, prey=0.35, rallying=0.8, leading=0.3, homing=0.07)
BLOCKING = DEFENCE._replace(chase=2.0, fear=0.7, cover=0.25)
"""The same where the enemies are to be kept on the map."""
