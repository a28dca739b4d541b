"""The table of national traits (A25, National Capabilities Chart)."""

from __future__ import annotations

from typing import NamedTuple

ALL_CLASSES = ("E", "1", "2", "G", "C", "P")


class Nation(NamedTuple):
    """What a nationality makes of its troops; classes are those of the counters."""

    deploys: tuple[str, ...] = ALL_CLASSES
    """Classes that may Deploy (A1.31)."""
    alone: tuple[str, ...] = ()
    """Squads that Deploy without a leader, by name; `all`: every one."""
    alone_drm: int = 0
    """DRM of the task check then (A25.7)."""
    recombines_alone: bool = False
    stealthy: tuple[str, ...] = ()
    """Classes that are Stealthy (A11.17)."""
    stealthy_kinds: tuple[str, ...] = ()
    """What their names end in."""
    lax: tuple[str, ...] = ()
    """Classes that are Lax beside the Inexperienced (A11.18)."""
    steady: tuple[str, ...] = ()
    """Classes that do not cower (A7.9)."""
    makes_leaders: bool = True
    """Leader Creation (A18)."""
    heat: int = 0
    """Heat of Battle DRM (A15.1)."""


NO = ()
PLAIN = Nation()
NATIONS = {
    "german": Nation(),
    "german_ss": Nation(),
    "russian": Nation(deploys=NO, heat=2),
    "american": Nation(),
    "usmc": Nation(alone=("7-6-8",), stealthy_kinds=("Raider", "Paramarine")),
    "british": Nation(steady=("E", "1"), heat=-1),
    "free_french": Nation(heat=-1),
    "french": Nation(heat=1),
    "italian": Nation(deploys=("E",), lax=("1", "2", "G", "C"), heat=3),
    "allied_minor": Nation(heat=2),
    "axis_minor": Nation(heat=3),
    "japanese": Nation(stealthy=("E", "1"), makes_leaders=False, heat=4),
    "chinese": Nation(deploys=NO),
    "finnish": Nation(
        alone=("all",),
        alone_drm=1,
        recombines_alone=True,
        stealthy=("E", "1"),
        steady=("E", "1", "2", "G"),
        makes_leaders=False,
        heat=-1,
    ),
    "partisan": Nation(deploys=NO, stealthy=("P",), heat=1),
}


def nation_of(name: str) -> Nation:
    """The traits of a nationality."""
    return NATIONS.get(name, PLAIN)
