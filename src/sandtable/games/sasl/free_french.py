"""The Free French: British or U.S. tables, counters of their own, and what they put in a Gun's place (card F)."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.sasl.dice import rolled, say
from sandtable.games.sasl.rolled import Rolled
from sandtable.games.sasl.setting_up import counter_kind
from sandtable.games.sasl.tables import campaign
from sandtable.games.sasl.tables.cards import Substitution, card, free_french
from sandtable.games.sasl.tables.missions import selection
from sandtable.games.squad.pieces.counters import all_counters
from sandtable.games.squad.pieces.kinds import printed_weapon
from sandtable.games.squad.pieces.model import SquadState

NATION, TITLE = "free_french", "Free French"
PEOPLE = "B"
"""The card of their squads and leaders at any date: B2 names the squads that they have counters for (SA-96)."""
ELITE = "4-5-8"
"""What comes where an event names a squad that they do not have (SA-96)."""
CHART = "Free French Substitution Chart"
THREE_INCH = 76
"""mm of the 3-in MTR."""


def fight(base: Rolled) -> bool:
    """Whether the FRIENDLY side is Free French."""
    return base.friendly_nation == NATION


def enlist(base: Rolled, company: campaign.Company) -> Rolled:
    """The set-up with the nation of its company: the Free French are chosen by theirs."""
    return replace(base, friendly_nation=NATION, friendly_title=TITLE) if company.title.startswith(TITLE) else base


def attached(base: Rolled) -> dict[str, int]:
    """The crew and MG that are Temporarily Attached before 12/43, by their printed names (18.1)."""
    if not fight(base) or base.friendly != "B":
        return {}
    return {"1-2-7": 1, "HMG" if _defends(base.mission) else "MMG": 1}


def _defends(mission: int) -> bool:
    """Whether A7 has a mission on Defense alone."""
    table = selection()
    found = {
        side: {choice.item for row in table.rows for choice in row.cells[table.column(group=side)].choices}
        for side in ("Offense", "Defense")
    }
    return str(mission) in found["Defense"] - found["Offense"]


def counter(base: Rolled, printed: str) -> str:
    """The counter of the FRIENDLY nation that a table names; what the Free French lack is their card's."""
    found = counter_kind(base.friendly_nation, printed)
    return found or (counter_kind(card(base.friendly).nation, printed) if fight(base) else "")


def squad(base: Rolled, printed: str) -> str:
    """The squad that an event names; the Free French have others of their own instead (SA-96)."""
    return counter_kind(base.friendly_nation, printed) or (f"{NATION} {ELITE}" if fight(base) else "")


def own(base: Rolled, kind: str) -> str:
    """A unit of the British or U.S. tables as the Free French have it."""
    name = kind.partition(" ")[2]
    return f"{NATION} {name}" if fight(base) and (NATION, name) in all_counters() else kind


def substitute(play: Play[SquadState], base: Rolled, kind: str) -> str:
    """A Gun of the British or U.S. tables, or the one that the Free French put in its place."""
    if not kind or not fight(base):
        return kind
    for one in _replacing(base, kind):
        (dr,) = rolled(play, 1, f"Free French Substitutions: {one.unit}")
        if one.low <= dr <= one.high:
            say(play, CHART, one.unit, (dr,), f"replaces {kind}", "SA-96")
            return counter_kind("french", one.unit)
        say(play, CHART, one.unit, (dr,), f"{kind} is kept", "SA-96")
    return kind


def _replacing(base: Rolled, kind: str) -> list[Substitution]:
    """The lines that may replace a Gun in this month; one that always does comes first."""
    found = [one for one in free_french() if base.date in one.span and _meant(one.replaces, kind)]
    return sorted(found, key=lambda one: (one.low, one.high) != (1, 6))


def _meant(replaces: str, kind: str) -> bool:
    """Whether a line such as `any AT Gun` means a Gun; lines about vehicles mean none."""
    gun = printed_weapon(kind)
    if replaces == "any Gun but MTR and AT":
        return gun.type not in ("MTR", "AT")
    if replaces == "3-in MTR":
        return gun.type == "MTR" and gun.caliber == THREE_INCH
    return replaces == f"any {gun.type} Gun"
