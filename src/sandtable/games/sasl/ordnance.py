"""The Guns of the tables x5 as counters of the squad-level rules, with a line of the To Hit chart each (SA-63)."""

from __future__ import annotations

from functools import cache

from sandtable.games.sasl.tables.counters import TableGun, table_guns
from sandtable.games.squad.cards.tables import IFT, TO_HIT, gun_row
from sandtable.games.squad.pieces.counters import Gun
from sandtable.games.squad.show.faces import gun_face

PLAYED = ("AT", "ART", "AA", "MTR", "INF")
SIZES = {1: "small", 0: "normal", -1: "large"}
SMALL, LIGHT, LARGE = 57, 40, 75
"""Calibers in mm at which the To Hit numbers of far ranges change."""


def _type(gun: TableGun) -> str:
    """The type of a Gun; a captured one has the type of the nation that made it."""
    return gun.type.removesuffix("(f)")


def far_modifier(gun: TableGun) -> int:
    """What barrel and caliber change in the To Hit numbers beyond 12 hexes, as the printed chart has it."""
    barrel = {"L": 1, "LL": 2, "*": -1}.get(gun.barrel or "", 0)
    return barrel - int(gun.caliber <= SMALL) - int(gun.caliber <= LIGHT)


def chart_line(gun: TableGun) -> dict[str, str]:
    """A line of the To Hit chart for a Gun that the chart does not have."""
    full = IFT.column_of_caliber(int(gun.caliber))
    half, double = IFT.column(full / 2), IFT.column(2 * full)
    line = {"nation": gun.nation, "gun": gun.name}
    if _type(gun) == "MTR":
        low = gun.min_range or 1
        near = f"7 [{min(low, 12)}-12]" if low <= 12 else "-"
        far = f"7 [{max(low, 13)}-24]" if low <= 24 else "-"
        flat = dict.fromkeys(("1", "2", "3-6", "7-12", "13-18", "19-24"), "-")
        return line | {"FP": f"-/{half}/{double}"} | flat | {"ATT 1-12": near, "ATT 13-24": far}
    far_by = far_modifier(gun)
    numbers = {"1": "10 (5)", "2": "9 (4)", "3-6": "8 (3)", "7-12": "7/6 (3/2)"}
    numbers |= {"13-18": f"{6 + far_by}/{5 + far_by} (2/2)", "19-24": f"{5 + far_by}/{4 + far_by} (2/1)"}
    area = 7 if gun.caliber < LARGE else 8 + int(gun.barrel in ("L", "LL"))
    return line | {"FP": f"{full}/{half}/{double}"} | numbers | {"ATT 1-12": "7", "ATT 13-24": str(area)}


def as_counter(gun: TableGun) -> Gun:
    """A Gun of the tables with the figures that the rules ask for."""
    low = int((gun.breakdown or "12").strip("*X() ") or 12)
    return Gun(
        nation=gun.nation,
        name=gun.name,
        type=_type(gun),  # type: ignore[arg-type]
        caliber=int(gun.caliber),
        barrel=gun.barrel,
        rof=gun.rof,
        ife=gun.ife,
        manhandling=gun.manhandling if gun.manhandling is not None else 12,
        size=SIZES.get(gun.size or 0, "normal"),  # type: ignore[arg-type]
        mount_360=(gun.mount or "").startswith("360"),
        qsu=gun.mobility == "QSU",
        breakdown=low,
        repair=1,
        removed=6,
        min_range=gun.min_range,
        max_range=gun.max_range,
        later_range=None,
        he="yes" if gun.he else "no",
        ap=gun.ap,
        gunshield=_type(gun) in ("AT", "INF"),
        building=gun.size == 1 or (_type(gun) in ("AT", "INF") and gun.size != -1),  # B23.423
        chart=gun.name,
        bpv=None,
        dates=None,
        source=gun.source,
        confidence=gun.confidence,
        note=gun.note,
        line=None if gun.name in TO_HIT else gun_row(chart_line(gun)),
    )


@cache
def guns() -> dict[tuple[str, str], Gun]:
    """The Guns of the tables that are played, by nationality and name."""
    return {key: as_counter(gun) for key, gun in table_guns().items() if _type(gun) in PLAYED}


def gun_faces() -> dict[str, str]:
    """The faces of these Guns."""
    return {f"{nation} {name}": gun_face(nation, one) for (nation, name), one in guns().items()}
