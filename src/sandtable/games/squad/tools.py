"""What players may ask beside the rules: lines of sight and what a hex sees, by the rules' own judgement (3.2.1)."""

from __future__ import annotations

from sandtable.engine.errors import IllegalAction
from sandtable.engine.tools import Los, LosCause, Visible
from sandtable.games.squad.charts import SMOKE
from sandtable.games.squad.ground import BLOCKED
from sandtable.games.squad.model import SquadState
from sandtable.games.squad.setting import Setting, setting
from sandtable.games.squad.sight import HINDRANCE_LIMIT, los
from sandtable.space.loswords import reason
from sandtable.space.terrain import kind


def _cell(card: Setting, name: str) -> int:
    try:
        return card.ground.index(name)
    except (KeyError, ValueError):
        raise IllegalAction(f"There is no hex {name} on this map") from None


def _free(card: Setting) -> None:
    if not card.rules.free_los:
        raise IllegalAction("In this match a line of sight is checked only after an attack is declared", "3.2.1")


def line_of_sight(state: SquadState, a: str, b: str) -> Los:
    """One line between two hexes, with everything that blocks or hinders it."""
    card = setting(state)
    _free(card)
    ground = card.ground
    start, end = _cell(card, a), _cell(card, b)
    line = ground.los.explain(start, end)
    value = los(state, start, end)
    causes = [
        LosCause(one.hex, "hinders", kind(one.terrain).title if one.terrain else "Hindrance", one.value, "3.2.1")
        for one in line.hindrances
    ]
    smoky = [cell for cell in dict.fromkeys((start, *ground.crossed(start, end), end)) if cell in state.smoke]
    for cell in smoky if start != end else ():
        worth = sum(SMOKE[cloud.kind].hindrance for cloud in state.smoke[cell])
        if cell == start:
            worth += max(SMOKE[cloud.kind].out for cloud in state.smoke[cell])
        causes.append(LosCause(ground.names[cell], "hinders", "Smoke", worth, "1.2.5"))
    if line.blocked:
        text = f"Blocked: {reason(line)}"
        causes.append(LosCause(line.blocking_hex or b, "blocks", text, 0, "3.2.1"))
    elif value == BLOCKED:
        text = f"Blocked: hindrances add up to +{HINDRANCE_LIMIT} or more"
    else:
        text = f"Clear, hindrance +{value}" if value else "Clear, no hindrance"
    grid = ground.grid
    return Los(
        a=a,
        b=b,
        clear=value != BLOCKED,
        text=f"{text}. Range {ground.ranges[start][end]}.",
        rule="3.2.1",
        range=ground.ranges[start][end],
        hindrance=0 if value == BLOCKED else value,
        blocked_at=line.blocking_hex or "" if line.blocked else "",
        line=(grid.centre(start), grid.centre(end)),
        causes=tuple(causes),
    )


def visible_from(state: SquadState, a: str) -> Visible:
    """Every hex of the map as seen from one."""
    card = setting(state)
    _free(card)
    start = _cell(card, a)
    cells: dict[str, float] = {}
    blocked: list[str] = []
    for cell, name in enumerate(card.ground.names):
        value = los(state, start, cell)
        if value == BLOCKED:
            blocked.append(name)
        else:
            cells[name] = value
    return Visible(a, cells, tuple(blocked))
