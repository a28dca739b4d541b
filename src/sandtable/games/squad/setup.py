"""Setting up: the forces of a scenario, placed by the players or by the program (1.3)."""

from __future__ import annotations

from sandtable.engine import Play, Procedure
from sandtable.games.squad.counters import Gun, SupportWeapon, counter
from sandtable.games.squad.model import SquadState, Unit, Weapon
from sandtable.games.squad.part import Part
from sandtable.games.squad.phases import begin_play
from sandtable.games.squad.setting import Setting
from sandtable.games.squad.setup_model import SetUp


def new_state(card: Setting) -> SquadState:
    """All units and weapons of a scenario, before anything is placed."""
    state = SquadState(setting=card.key, attacker=card.first, stack=[SetUp()])
    numbers: dict[str, int] = {}
    for group in card.scenario.groups:
        for line in group.units:
            nation = line.nation or group.nation
            weapon = isinstance(counter(nation, line.unit), (SupportWeapon, Gun))
            prefix = nation[0] + ("w" if weapon else "")
            for _ in range(line.count):
                number = numbers[prefix] = numbers.get(prefix, 0) + 1
                name = f"{prefix}{number}"
                if weapon:
                    state.weapons[name] = Weapon(name, group.side, f"{nation} {line.unit}", group.id)
                else:
                    state.units[name] = Unit(name, group.side, f"{nation} {line.unit}", group=group.id)
    return state


class SettingUp(Procedure[SquadState, SetUp]):
    """Groups set up in the order of the card (1.3)."""

    def run(self, play: Play[SquadState], frame: SetUp) -> None:
        begin_play(play)


PART = Part(procedures={SetUp: SettingUp()}, prompts={SetUp: lambda state, frame: ("Set up your units", "1.3")})
