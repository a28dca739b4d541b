"""The Infantry Fire Table, the Close Combat Table and the To Hit chart, from data that look like the card."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

import msgspec

from sandtable.games.squad.cards import texttable

FireResultKind = Literal["KIA", "K", "MC", "PTC", "-"]
TargetType = Literal["ITT", "ATT"]


class FireResult(msgspec.Struct, frozen=True):
    """One result of the IFT: kind and number (units of a KIA, DRM of a K/# or #MC, 0 for a NMC)."""

    kind: FireResultKind
    number: int = 0

    def __str__(self) -> str:
        if self.kind == "KIA":
            return f"{self.number}KIA"
        if self.kind == "K":
            return f"K/{self.number}"
        if self.kind == "MC":
            return f"{self.number}MC" if self.number else "NMC"
        return self.kind


def fire_result(cell: str) -> FireResult:
    """The result printed in a cell of the IFT (3.2.3)."""
    if cell in ("-", "PTC"):
        return FireResult("PTC" if cell == "PTC" else "-")
    if cell == "NMC":
        return FireResult("MC", 0)
    if found := re.fullmatch(r"(\d)KIA|K/(\d)|(\d)MC", cell):
        kill, casualty, check = found.groups()
        if kill:
            return FireResult("KIA", int(kill))
        return FireResult("K", int(casualty)) if casualty else FireResult("MC", int(check))
    raise ValueError(f"{cell!r} is no result of the IFT")


class InfantryFireTable:
    """The IFT (3.2.3): columns by firepower, rows by final DR; column 0 stands for less than one FP."""

    def __init__(self, text: str) -> None:
        head, calibers, *body = texttable.grid(text)
        self.columns = tuple(int(cell) for cell in head[1:])
        self.calibers = tuple(int(cell) for cell in calibers[1:])
        self.lowest = texttable.bounds(body[0][0])[1]
        self.highest = texttable.bounds(body[-1][0])[0]
        results = [[fire_result(cell) for cell in row[1:]] for row in body]
        self._results = {fp: tuple(row[i] for row in results) for i, fp in enumerate(self.columns)}
        self._results[0] = (FireResult("-"),) * len(body)

    def column(self, fp: float | Fraction) -> int:
        """The rightmost column whose FP does not exceed the attack's (3.2.3); 0 for less than one FP."""
        index = bisect_right(self.columns, fp)
        return self.columns[index - 1] if index else 0

    def column_of_caliber(self, mm: int) -> int:
        """The column of an ordnance hit by caliber (3.2.4); 0 for less than 20mm."""
        index = bisect_right(self.calibers, mm)
        return self.columns[index - 1] if index else 0

    def shift(self, column: int, left: int) -> int:
        """The column so many steps to the left; 0 once it leaves the table (3.2.2)."""
        if column == 0:
            return 0
        index = self.columns.index(column) - left
        return self.columns[index] if index >= 0 else 0

    def result(self, column: int, dr: int) -> FireResult:
        """The result of a final DR on a column."""
        return self._results[column][min(max(dr, self.lowest), self.highest) - self.lowest]

    def can_check_morale(self, column: int, drm: int) -> bool:
        """Whether some DR with this DRM gives a NMC or worse, which puts broken units under DM (3.2.3)."""
        return self.result(column, 2 + drm).kind in ("KIA", "K", "MC")


class CloseCombatTable:
    """The CCT (3.8): kill numbers by odds, rounded down to a printed ratio."""

    def __init__(self, text: str) -> None:
        head, kills = texttable.grid(text)
        self.odds = tuple(head[1:])
        self.kill_numbers = tuple(int(cell) for cell in kills[1:])
        # Between the open-ended first and last columns stand the printed ratios.
        self._ratios = tuple(Fraction(*map(int, cell.split("-"))) for cell in self.odds[1:-1])
        self.even = self.odds.index("1-1")

    def column(self, attack: float | Fraction, defence: float | Fraction) -> int:
        """The index of the odds column for two FP strengths."""
        if defence <= 0:
            return len(self.odds) - 1
        ratio = Fraction(attack) / Fraction(defence)
        return len(self.odds) - 1 if ratio > self._ratios[-1] else bisect_right(self._ratios, ratio)

    def kill_number(self, attack: float | Fraction, defence: float | Fraction) -> int:
        """The kill number: below it all are eliminated, on it one suffers Casualty Reduction (3.8)."""
        return self.kill_numbers[self.column(attack, defence)]


class ToHitNumber(msgspec.Struct, frozen=True):
    """A To Hit number and the final DR that makes it a Critical Hit (0: only an original 2, 6.1)."""

    number: int
    critical: int = 0


class ToHitCell(msgspec.Struct, frozen=True):
    """The numbers of one range column: black, red, and the ranges the cell is limited to."""

    first: int
    last: int
    black: ToHitNumber
    red: ToHitNumber


class GunRow(msgspec.Struct, frozen=True):
    """One line of the To Hit chart (3.2.4); a column of None cannot be used by this Gun."""

    nation: str
    gun: str
    itt_fp: int | None
    att_fp: int
    ch_fp: int
    itt: tuple[ToHitCell, ...]
    att: tuple[ToHitCell, ...]

    def to_hit(self, target_type: TargetType, distance: int, *, red: bool = False) -> ToHitNumber | None:
        """The To Hit number at a range, or None where the chart has none (ruling D-7)."""
        for cell in self.itt if target_type == "ITT" else self.att:
            if cell.first <= distance <= cell.last:
                return cell.red if red else cell.black
        return None


def _pair(text: str) -> tuple[int, int]:
    black, slash, red = text.partition("/")
    return int(black), int(red if slash else black)


def to_hit_cell(heading: str, cell: str) -> ToHitCell | None:
    """A cell such as `7/6 (3/2)` or `7 [3-12]` under a range heading; None where a bar stands."""
    if cell == "-":
        return None
    found = re.fullmatch(r"([\d/]+)(?: \(([\d/]+)\))?(?: \[(\d+-\d+)\])?", cell)
    if found is None:
        raise ValueError(f"{cell!r} is no To Hit number")
    black, red = _pair(found[1])
    black_ch, red_ch = _pair(found[2]) if found[2] else (0, 0)
    first, last = texttable.bounds(found[3] or heading)
    return ToHitCell(first, last, ToHitNumber(black, black_ch), ToHitNumber(red, red_ch))


def gun_row(row: texttable.Row) -> GunRow:
    """One line of the chart from its printed cells."""
    itt_fp, att_fp, ch_fp = row["FP"].split("/")
    ranges = [heading for heading in row if heading[0].isdigit() or heading.startswith("ATT ")]
    found = {heading: to_hit_cell(heading.removeprefix("ATT "), row[heading]) for heading in ranges}
    return GunRow(
        nation=row["nation"],
        gun=row["gun"],
        itt_fp=None if itt_fp == "-" else int(itt_fp),
        att_fp=int(att_fp),
        ch_fp=int(ch_fp),
        itt=tuple(cell for heading, cell in found.items() if cell and not heading.startswith("ATT")),
        att=tuple(cell for heading, cell in found.items() if cell and heading.startswith("ATT")),
    )


class LatwRow(msgspec.Struct, frozen=True):
    """To Hit numbers of a light anti-tank weapon by range (4.4), its IFT column and its X#."""

    weapon: str
    fp: int
    x_number: int
    numbers: tuple[int, ...]
    available_from: str

    def to_hit(self, distance: int) -> ToHitNumber | None:
        """The To Hit number at a range, or None beyond the last printed."""
        return ToHitNumber(self.numbers[distance]) if distance < len(self.numbers) else None


class Modifier(msgspec.Struct, frozen=True):
    """A printed modifier; its value is None where it is the size of the thing named (leadership, TEM ...)."""

    id: str
    value: int | None
    what: str
    rule: str
    case: int = 0
    who: str = ""
    printed: str = ""


def modifiers(text: str, *, rule: str = "") -> Mapping[str, Modifier]:
    """A table of DRM by id; `+3/+1/+1` keeps its first value and the printed text."""
    table = {}
    for row in texttable.rows(text):
        printed = row["drm"]
        table[row["id"]] = Modifier(
            id=row["id"],
            value=None if printed == "x" else int(printed.split("/")[0]),
            what=row["what"],
            rule=row.get("rule", rule),
            case=int(row.get("case", 0)),
            who=row.get("who", ""),
            printed=printed,
        )
    return table


def on_column(column: int) -> str:
    """A column of the IFT in words; what has less FP than the lowest one asks for can do nothing."""
    return f"on the {column} column" if column else "(below the lowest column)"


_FIRE = texttable.load("tables/fire.toml")
_TO_HIT = texttable.load("tables/to_hit.toml")

IFT = InfantryFireTable(_FIRE["ift"]["table"])

CCT = CloseCombatTable(_FIRE["cct"]["table"])
IFT_DRM = modifiers(_FIRE["ift_drm"]["table"])
CC_DRM = modifiers(_FIRE["cc_modifiers"]["table"], rule="3.8")
FP_FACTORS = {row["id"]: float(Fraction(row["factor"])) for row in texttable.rows(_FIRE["ift_fp"]["table"])}
ASSAULT_FIRE = int(_FIRE["ift_fp"]["assault_fire"]["add"])
BACKBLAST_COLUMN = int(_FIRE["backblast"]["column"])
PINNED_CC, SMC_CC = float(Fraction(_FIRE["cc_modifiers"]["pinned_fp"])), int(_FIRE["cc_modifiers"]["smc_fp"])
"""The share of its FP with which a pinned unit attacks in close combat, and the FP of a single man (3.8)."""
COWERING = tuple([int(_FIRE["ift_fp"]["cowering"][key]) for key in ("columns", "inexperienced_columns")])
"""Columns that cowering costs, and what it costs with Inexperienced MMC (3.2.2, 5.4)."""
TO_HIT = {row["gun"]: gun_row(row) for row in texttable.rows(_TO_HIT["chart"]["table"])}
TO_HIT_DRM = modifiers(_TO_HIT["drm"]["table"])
LATW = {
    row["weapon"]: LatwRow(
        weapon=row["weapon"],
        fp=int(row["FP"]),
        x_number=int(row["X"]),
        numbers=tuple(int(row[str(distance)]) for distance in range(5)),
        available_from=row["from"],
    )
    for row in texttable.rows(_TO_HIT["latw"]["table"])
}
MANHANDLING_DRM = modifiers(_TO_HIT["manhandling"]["table"], rule="6.5")


def gun_figures(section: str) -> dict[str, Any]:
    """The plain figures of one section of the ordnance tables, such as `breakdown` or `gunshield`."""
    return {key: value for key, value in _TO_HIT[section].items() if key not in ("table", "rule")}


def residual_firepower(column: int) -> int:
    """Residual FP left by an attack on an IFT column (3.3.1): half, rounded down, at most 12."""
    residual = _FIRE["ift_fp"]["residual"]
    return min(int(column * Fraction(residual["factor"])), int(residual["maximum"]))


def ap_column(mm: int) -> int:
    """IFT column of an AP hit by caliber (6.2)."""
    ammunition = _TO_HIT["ammunition"]
    return int(ammunition["ap_below_37mm"] if mm < 37 else ammunition["ap_from_37mm"])


def heat_column(mm: int) -> int:
    """IFT column of a HEAT hit by a Gun (6.2): one lower than its HE."""
    return IFT.shift(IFT.column_of_caliber(mm), -int(_TO_HIT["ammunition"]["heat_columns"]))


def covered_arc_drm(hexspines: int, *, mount_360: bool, woods_or_building: bool) -> int:
    """To Hit DRM of case 8 for a Covered Arc changed by so many hexspines (3.2.4)."""
    arc = _TO_HIT["drm"]["covered_arc"]
    steps: list[int] = arc["mount_360" if mount_360 else "non_turreted"][:hexspines]
    return sum(steps) * (int(arc["terrain_factor"]) if woods_or_building else 1)


def target_size_drm(size: str, *, as_printed: bool = True) -> int:
    """To Hit DRM of case 17 for a small, normal or large Gun (6.7); the card has the signs reversed (ruling D-34)."""
    printed = int(_TO_HIT["drm"]["target_size"][size])
    return printed if as_printed else -printed
