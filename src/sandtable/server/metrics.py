"""What a process tells about itself in Prometheus' text form."""

from __future__ import annotations

import os
import time
from bisect import bisect_left
from collections import Counter
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from sandtable.server.store import StoreError

if TYPE_CHECKING:
    from sandtable.server.hall import Hall
    from sandtable.server.watchdog import Watchdog

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Seconds by which latencies are counted."""


class Counts:
    """What has been done since the process started."""

    def __init__(self) -> None:
        self.actions = 0
        self.took: Counter[int] = Counter()
        self.seconds = 0.0

    def acted(self, steps: int) -> None:
        """So many steps were saved and told."""
        self.actions += steps

    def answered(self, seconds: float) -> None:
        """An action of a player was acknowledged after so long."""
        self.took[bisect_left(BOUNDS, seconds)] += 1
        self.seconds += seconds


def inner(address: str) -> bool:
    """Whether an address belongs to this machine or its own network."""
    try:
        return not ip_address(address.partition("%")[0]).is_global
    except ValueError:
        return False


def _memory() -> int:
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0


def _one(name: str, kind: str, about: str, value: float, mark: str = "") -> list[str]:
    full = f"sandtable_{name}"
    return [f"# HELP {full} {about}", f"# TYPE {full} {kind}", f"{full}{mark} {value:g}"]


async def text(hall: Hall, watchdog: Watchdog) -> str:
    """Everything, as Prometheus reads it."""
    counts, presence = hall.counts, hall.presence
    lines = _one("actions_total", "counter", "Steps of matches that this process has saved.", counts.actions)
    lines += _one("connections", "gauge", "WebSockets open at this process.", presence.connections)
    lines += _one("matches_in_memory", "gauge", "Matches that this process holds in memory.", hall.loaded)
    lines += _one("processes", "gauge", "Processes of the house that give a sign of life.", len(hall.house.alive))
    lines += _one("hears_others", "gauge", "Whether other processes are heard.", int(not hall.house.deaf))
    lines += _one("memory_bytes", "gauge", "Resident memory of this process.", _memory())
    lines += _one("loop_held_seconds_max", "gauge", "The longest time that the event loop was held.", watchdog.longest)
    lines += _one("up_seconds", "gauge", "Seconds since this process started.", time.monotonic() - hall.began)
    lines += _latency(counts)
    try:
        rows = await hall.store.read("SELECT status, count(*) FROM matches GROUP BY status")
        lines += ["# HELP sandtable_matches Matches of the house.", "# TYPE sandtable_matches gauge"]
        lines += [f'sandtable_matches{{status="{status}"}} {number}' for status, number in rows]
        busy, waiting, first = await hall.computers.queue()
        lines += _one("jobs_busy", "gauge", "Decisions of computer players that workers are at.", busy)
        lines += _one("jobs_waiting", "gauge", "Decisions of computer players that wait for a worker.", waiting)
        lines += _one("jobs_waiting_seconds", "gauge", "How long the first of these has waited.", first)
        lines += _one("database_up", "gauge", "Whether the database answers.", 1)
    except StoreError:
        lines += _one("database_up", "gauge", "Whether the database answers.", 0)
    return "\n".join(lines) + "\n"


def _latency(counts: Counts) -> list[str]:
    name = "sandtable_action_seconds"
    lines = [f"# HELP {name} From a player's action to its acknowledgement.", f"# TYPE {name} histogram"]
    total = 0
    for place, bound in enumerate(BOUNDS):
        total += counts.took[place]
        lines.append(f'{name}_bucket{{le="{bound:g}"}} {total}')
    total += counts.took[len(BOUNDS)]
    return [*lines, f'{name}_bucket{{le="+Inf"}} {total}', f"{name}_sum {counts.seconds:.6f}", f"{name}_count {total}"]
