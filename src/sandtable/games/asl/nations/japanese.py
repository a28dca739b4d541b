"""Japanese troops: squads lose steps where others break, leaders never break; hand-to-hand combat (G1.1, G1.4)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.asl.surrender import UNARMED
from sandtable.games.asl.works.model import PILLBOX, within
from sandtable.games.squad.effects.morale import casualty_reduce
from sandtable.games.squad.effects.verdicts import ELIMINATED, PASSED, REDUCED, Verdict
from sandtable.games.squad.ground.setting import Setting, unit_kind
from sandtable.games.squad.part import Item
from sandtable.games.squad.pieces.kinds import UnitKind, printed_unit
from sandtable.games.squad.pieces.model import SquadState, Unit

NATION = "japanese"
HAND_TO_HAND, BAYONETS = -2, -1
"""Kill numbers two higher than the printed ones, and a DRM for armed unpinned men (A11.11)."""
CASUALTY_MC = 12


def stepping(kind: UnitKind) -> UnitKind:
    """A MMC that flips to its striped side, then becomes its half-squad, instead of breaking (G1.1, ruling J-1).

    Casualty Reduction makes of a squad its half-squad at once, and leaves nothing of a crew.
    """
    if kind.nation != NATION:
        return kind
    left = kind.reduced
    while left and printed_unit(left).squad:
        left = printed_unit(left).reduced
    if kind.crew:
        left = ""
    return replace(kind, steps_to=kind.reduced, reduced=left, unshaken=True)


def steadfast(kind: UnitKind) -> bool:
    """Japanese leaders neither break nor are pinned (G1.4)."""
    return kind.nation == NATION and kind.leads


def judge(setting: Setting, unit: Unit, original: int, verdict: Verdict) -> Verdict:
    """A failed MC wounds a Japanese leader, a Casualty MC kills him; he is never pinned (G1.4, ruling J-2)."""
    if not steadfast(setting.kinds[unit.group, unit.kind]) or verdict.eliminated:
        return verdict
    if verdict.broken or verdict.reduced:
        return ELIMINATED if original == CASUALTY_MC else REDUCED
    return PASSED if verdict.pinned else verdict


def instead_of_breaking(play: Play[SquadState], unit: Unit, why: str) -> bool:
    """Whatever else would break him wounds him."""
    if not steadfast(unit_kind(play.state, unit)):
        return False
    casualty_reduce(play, unit, why)
    return True


def not_pinned(play: Play[SquadState], unit: Unit, why: str) -> bool:
    """He is never pinned."""
    return steadfast(unit_kind(play.state, unit))


def combat_items(state: SquadState, attackers: Sequence[Unit], targets: Sequence[Unit]) -> list[Item]:
    """Japanese who are the ATTACKER fight hand-to-hand, but not against pillboxes (A11.11, ruling J-4)."""
    if not attackers or attackers[0].side != state.attacker:
        return []
    if not all([unit_kind(state, unit).nation == NATION and UNARMED not in unit.marks for unit in attackers]):
        return []
    if any([within(state, unit, PILLBOX) is not None for unit in targets]):
        return []
    items: list[Item] = [("hand-to-hand", HAND_TO_HAND, "A11.11")]
    if not any([unit.pinned for unit in attackers]):
        items.append(("Japanese, unpinned", BAYONETS, "A11.11"))
    return items
