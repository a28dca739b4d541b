"""State and frames of a match: plain data, in the words of the booklet."""

from __future__ import annotations

import msgspec

from sandtable.engine import Frame, Outcome, State

# Places that are no hexes.
ALLIED_BOX = "allied-available"
GERMAN_BOX = "german-available"
ARMY_BOX = "5pz-assembly"
END_RUN_BOX = "end-run"
DEAD = "dead"
LOST = "lost"
"""Eliminated while not in regular supply: may never be reclaimed (9.16)."""
ASIDE = "aside"
"""Not in play yet."""
GONE = "gone"
"""Withdrawn, exited or put away: out of play for good."""

OPEN, HISTORICAL, WAT = "open", "historical", "wat"
AIRBORNE = "US-82A"

SUPPLIED, CROSS, AERIAL, COASTAL_SUPPLY, OOS = "supplied", "cross", "aerial", "coastal", "oos"


# -- frames -------------------------------------------------------------------------------


class Placement(Frame, frozen=True):
    """The Allied player places the units marked 5322-2 (3.2)."""


class TurnStart(Frame, frozen=True):
    """What happens before a game turn begins (8.2, 8.5, 8.7, 11.11)."""


class Plotting(Frame, frozen=True):
    """The Allied player writes down his End-Run (8.10)."""


class Reinforcing(Frame, frozen=True):
    """A side's Reinforcement Phase (10.0)."""

    side: str
    withdrawn: int = 0


class Substitution(Frame, frozen=True):
    """The German picks a unit to be withdrawn in the place of another (10.4)."""

    unit: str


class Opening(Frame, frozen=True):
    """The very start of the Allied CP Expenditure Phase: corps marker, End-Run, TAC (6.5, 8.11, 9.9)."""


class LaunchDraft(Frame, frozen=True):
    """The first wave of an End-Run is chosen (8.13)."""

    units: tuple[str, ...] = ()


class Commands(Frame, frozen=True):
    """A side's CP Expenditure Phase (9.0)."""

    side: str


class BoxDraft(Frame, frozen=True):
    """A stack is put together in a holding box (6.1, 9.4)."""

    side: str
    box: str
    kind: str
    units: tuple[str, ...] = ()


class Moving(Frame, frozen=True):
    """An activated force on the move (12.0)."""

    side: str
    kind: str
    """move, column, move-fight or fight-move."""
    at: str
    origin: str
    group: tuple[str, ...]
    left: tuple[int, ...]
    """Movement points left, unit by unit of the group."""
    waiting: tuple[str, ...] = ()
    """Activated units that stayed where they were, and may still move."""
    allowance: tuple[int, ...] = ()
    """Movement points of the waiting units."""
    started: bool = False
    landed: bool = False
    must_enter: bool = False


class AttackChoice(Frame, frozen=True):
    """After the move of a move-fight command: attack or not (9.6)."""

    side: str
    at: str
    units: tuple[str, ...]


class AttackDraft(Frame, frozen=True):
    """An attack is put together (9.5, 13.1)."""

    side: str
    kind: str
    at: str
    target: str
    units: tuple[str, ...]
    activated: tuple[str, ...]
    tac: bool = False
    bombers: bool = False


class DefenderTac(Frame, frozen=True):
    """The defender may commit a TAC unit (9.14)."""


class Barrage(Frame, frozen=True):
    """Step 2: preparatory attack barrage (13.2)."""

    shooters: tuple[str, ...]


class DefensiveFire(Frame, frozen=True):
    """Step 3: defensive fire (13.2); (unit, shots left)."""

    shots: tuple[tuple[str, int], ...]


class BreakOffChoice(Frame, frozen=True):
    """Step 4: attack break off (13.2)."""


class OffensiveFire(Frame, frozen=True):
    """Step 5: offensive fire (13.2); (unit, shots left)."""

    shots: tuple[tuple[str, int], ...]


class RetreatChoice(Frame, frozen=True):
    """Step 6: defender retreat declaration (13.2)."""


class Restoring(Frame, frozen=True):
    """One lost step is taken back (13.10)."""

    side: str
    retreat: bool


class Retreating(Frame, frozen=True):
    """Step 8: the defender's units leave their hex (13.9)."""

    units: tuple[str, ...]


class Advancing(Frame, frozen=True):
    """Step 9: attacker advance after combat (13.8)."""


class FortSite(Frame, frozen=True):
    """A hex for a fortification is chosen (9.8)."""


class DropSite(Frame, frozen=True):
    """A hex for the air drop is chosen (12.9)."""


class Interruption(Frame, frozen=True):
    """Between German activations the Allied player may drop the 82nd Airborne (12.9)."""


class OverStacked(Frame, frozen=True):
    """The owner eliminates units until a hex is stacked properly (6.8)."""

    side: str
    at: str


class BariChoice(Frame, frozen=True):
    """The Allied player may open the port of Bari (11.10)."""


class TurnEnd(Frame, frozen=True):
    """The end of a game turn (5.3, 11.9, 11.10, 4.0)."""

    stage: int = 0


# -- a battle -----------------------------------------------------------------------------


class Battle(msgspec.Struct, frozen=True, omit_defaults=True):
    """What lies on the Battle Board (13.2)."""

    attacker: str
    kind: str
    at: str
    target: str
    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    activated: tuple[str, ...]
    supply: tuple[tuple[str, str], ...]
    """The supply state of each unit, fixed when the battle begins (11.2)."""
    mixed: tuple[str, ...] = ()
    """Units that fight in a mixed stack (6.4)."""
    crossed: tuple[str, ...] = ()
    """Attackers that suffer for tracing to the other grouping's port (11.3)."""
    tac: bool = False
    defender_tac: bool = False
    bombers: bool = False
    rubble: tuple[str, ...] = ()
    """Units sheltered by rubble (13.6)."""
    attacker_losses: tuple[str, ...] = ()
    """Steps lost in step three, in order."""
    defender_losses: tuple[str, ...] = ()
    """Steps lost in step five, in order."""
    extra_hit: bool = False
    retreated: bool = False

    @property
    def defender(self) -> str:
        """The side that is attacked."""
        return "german" if self.attacker == "allied" else "allied"


# -- the state ----------------------------------------------------------------------------


class EndRun(msgspec.Struct, frozen=True, omit_defaults=True):
    """The End-Run (8.9 to 8.18)."""

    plotted: bool = False
    turn: int = 0
    """The secret launch turn; 0: none."""
    launched: int = 0
    """The turn of the launch."""
    reinforced: int = 0
    consulted: int = 0
    """The last turn in which the table was consulted."""
    over: bool = False
    demanded: int = 0
    """Steps that the German must still withdraw (8.18)."""
    deadline: int = 0
    """The last game turn for it."""


class UnderbellyState(State):
    """A match of Soft Underbelly."""

    scenario: str = OPEN
    """open until the die is rolled after the first turn (8.2)."""
    agreed: str = ""
    """The scenario that the players agreed upon beforehand (8.1)."""
    turn: int = 1
    side: str = "german"
    stack: list[Frame] = []
    at: dict[str, str] = {}
    """Where each ground unit is: a hex or a box."""
    steps: dict[str, int] = {}
    used: dict[str, str] = {}
    """What command each unit has carried out in this player turn (9.18)."""
    top: dict[str, str] = {}
    """The unit on top of each Allied stack (6.9)."""
    arranged: list[str] = []
    control: dict[str, str] = {}
    """The side that controls each town and city, in the order of `atlas.PLACES` (7.7)."""
    ports: dict[str, str] = {}
    """Port supply markers: hex and grouping (11.3)."""
    forts: list[str] = []
    forts_built: int = 0
    sf: bool = True
    cp: int = 0
    attacked: list[str] = []
    """Hexes attacked in this CP Expenditure Phase (13.1)."""
    special: str = ""
    """The move-fight or fight-move command of this phase (9.6, 9.7)."""
    replaced: list[str] = []
    """German replacement steps of this turn: mech, nonmech (9.17)."""
    tac: int = 0
    """TAC units that can still support a battle in this game turn (9.9)."""
    tac_on: bool = False
    """Whether the Allied player activated his TAC in this game turn."""
    german_tac: int = 0
    corps: tuple[str, ...] = ()
    """The stack designated as multi-national corps (6.5)."""
    aerial: str = ""
    """The hex with the aerial supply marker (11.7)."""
    aerial_used: bool = False
    bombed: bool = False
    airborne: str = "box"
    """The 82nd: box, ready (activated), dropped."""
    dropped: int = 0
    """The turn in which the 82nd was dropped."""
    quiet: bool = False
    """The Allied player will not drop for the rest of this game turn."""
    switched: int = 0
    """The turn at whose end the supply switch took place (11.9)."""
    raided: bool = False
    bari_placed: bool = False
    end_run: EndRun = EndRun()
    ss: str = "aside"
    """II SS Panzer Corps: aside, box, in (8.5, 8.6)."""
    army: str = "aside"
    """5th Panzer Army: aside, box (complete), in (8.7, 8.8)."""
    assembled: int = 0
    """Units of 5th Panzer Army in its box, the aircraft included."""
    battle: Battle | None = None
    options: dict[str, str] = {}
    outcome: Outcome | None = None
