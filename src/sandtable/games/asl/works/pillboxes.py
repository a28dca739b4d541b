"""Pillboxes, trenches and wire on the map, and who may not get into a held building or pillbox (B23.92, B30)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.engine.part import Bar
from sandtable.engine.view import MarkView
from sandtable.games.asl.works import cover
from sandtable.games.asl.works.model import KINDS, PILLBOX, PILLBOXES
from sandtable.games.squad.ground.counters import FORTIFIED, all_counters, counters_at
from sandtable.games.squad.ground.knowledge import concealed
from sandtable.games.squad.ground.setting import unit_kind
from sandtable.games.squad.ground.stacks import name_of, units_at
from sandtable.games.squad.part import Look, Part, Shown
from sandtable.games.squad.pieces.model import SquadState, Unit
from sandtable.games.squad.show.faces import FONT
from sandtable.games.squad.show.palette import INK, PAPER


def enter_bar(state: SquadState, units: Sequence[Unit], frm: int, to: int) -> Bar | None:
    """Infantry cannot enter a Fortified Building Location that a Known able enemy squad holds (B23.92).

    Who tries to enter what lies under a "?" learns of it there (A11.21, A12.15).
    """
    return _held(state, to, [unit for unit in _able(state, units, to) if not concealed(state, unit)])


def try_bar(state: SquadState, units: Sequence[Unit], frm: int, to: int) -> Bar | None:
    """Nor one that an able squad holds unseen: it is shown, and the advance ends where it began (B23.92)."""
    return _held(state, to, _able(state, units, to))


def _able(state: SquadState, units: Sequence[Unit], to: int) -> list[Unit]:
    if to < 0 or not counters_at(state, to, FORTIFIED):
        return []
    return [unit for unit in units_at(state, to) if unit.side != units[0].side and unit.good_order and not unit.pinned]


def _held(state: SquadState, to: int, able: Sequence[Unit]) -> Bar | None:
    if sum([unit_kind(state, unit).size for unit in able if unit_kind(state, unit).mmc]) >= 2:
        return (f"An unpinned Good Order squad holds the Fortified Building in {name_of(state, to)}", "B23.92")
    return None


def _face(figures: tuple[int, int, int]) -> str:
    return "marker/pillbox-" + "-".join(map(str, figures))


def _shows(state: SquadState, side: str | None) -> Shown:
    marks = []
    for place, counter in sorted(all_counters(state, PILLBOX), key=lambda pair: pair[0]):
        box = PILLBOXES.of(state)[counter.id]
        figures = (box.capacity, box.inside, box.outside)
        label = f"Pillbox {'+'.join(map(str, figures))}"
        marks.append(MarkView(name_of(state, place), _face(figures), label, counter.side, box.facing))
    return Shown(marks=tuple(marks))


# -- drawings ---------------------------------------------------------------------------


def _word(text: str, y: int, size: int, colour: str = INK) -> str:
    return f'<text x="50" y="{y}" font-size="{size}" text-anchor="middle" fill="{colour}" {FONT}>{text}</text>'


def _foxhole(squads: int) -> str:
    holes = "".join(
        f'<ellipse cx="{50 + 28 * (n - (squads - 1) / 2):g}" cy="46" rx="13" ry="17" fill="#3b2c1c" stroke="{INK}"/>'
        for n in range(squads)
    )
    rim = f'<rect x="3" y="22" width="94" height="66" rx="18" fill="#b89b6a" stroke="{INK}" stroke-width="3"/>'
    return rim + holes + _word(f"{squads}S", 84, 20)


def _trench(squads: int) -> str:
    zigzag = "M2 62L22 38L42 62L62 38L82 62L98 44"
    return (
        f'<rect x="2" y="22" width="96" height="66" rx="6" fill="#b89b6a" stroke="{INK}" stroke-width="3"/>'
        f'<path d="{zigzag}" fill="none" stroke="#3b2c1c" stroke-width="13" stroke-linejoin="round"/>'
        + _word(f"Trench {squads}S", 85, 13)
    )


def _wire() -> str:
    coils = "".join(
        f'<circle cx="{14 + 18 * n}" cy="50" r="14" fill="none" stroke="#55504a" stroke-width="4"/>' for n in range(5)
    )
    return coils + _word("WIRE", 88, 18)


def _pillbox(figures: tuple[int, int, int]) -> str:
    colour = "#8a8577" if figures[2] >= 7 else "#9a7b52"
    slot = '<path d="M28 40L50 22L72 40" fill="none" stroke="#1d1b18" stroke-width="9"/>'
    outline = "M50 6L94 34V84Q94 94 84 94H16Q6 94 6 84V34z"
    return f'<path d="{outline}" fill="{colour}" stroke="{INK}" stroke-width="4"/>{slot}' + _word(
        "+".join(map(str, figures)), 74, 21, PAPER
    )


def looks() -> dict[str, Look]:
    """How the works look."""
    found = {
        f"marker/foxhole-{n}": Look(_foxhole(n), f"Foxholes {n}S", f"+2 for {n} squads in them", "B27.1")
        for n in (1, 2, 3)
    }
    found |= {
        f"marker/trench-{n}": Look(_trench(n), f"Trench {n}S", "+2 for those in it; joined to others", "B27.5")
        for n in (1, 2, 3)
    }
    found["marker/wire"] = Look(_wire(), "Wire", "A dr of MF to get beneath", "B26.4")
    for x in (1, 2, 3):
        for y, z in ((3, 5), (5, 7)):
            text = f"{x} squad{'s' if x > 1 else ''}; +{y} from its Covered Arc, +{z} otherwise"
            found[_face((x, y, z))] = Look(_pillbox((x, y, z)), f"Pillbox {x}+{y}+{z}", text, "B30.1")
    return found


PART = Part(
    fields=(PILLBOXES,),
    counters=KINDS,
    covers=cover.covers,
    opens=cover.opens,
    shelters=cover.shelters,
    remains=cover.remains,
    spares=cover.spares,
    bars={"line": cover.line_bar, "enter": enter_bar, "try": try_bar},
    lines={"fire": cover.fire_lines, "to hit": cover.shot_lines, "combat": cover.combat_lines},
    faces=looks(),
    shows=_shows,
)
