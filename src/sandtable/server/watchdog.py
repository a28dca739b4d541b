"""A watchdog: says what held the event loop up, while everybody waited."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
import traceback

log = logging.getLogger("sandtable.server")

PATIENCE = 0.1
"""Seconds after which somebody is told."""
TICK = 0.02
PLACES = 4
"""Places in the program that are named, the innermost last."""


class Watchdog:
    """Looks from a thread of its own whether the loop still turns."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._turned = time.monotonic()
        self._ended = threading.Event()
        self._loop_thread = threading.get_ident()
        self._timer: asyncio.TimerHandle | None = None
        self._worked = 0.0
        self.longest = 0.0
        """The longest time that the loop was held."""

    def start(self) -> None:
        """Begin to look; called in the loop."""
        self._turn(asyncio.get_running_loop())
        threading.Thread(target=self._look, name="sandtable-watchdog", daemon=True).start()

    def stop(self) -> None:
        """Look no more."""
        self._ended.set()
        if self._timer is not None:
            self._timer.cancel()

    def _turn(self, loop: asyncio.AbstractEventLoop) -> None:
        now = time.monotonic()
        self.longest = max(self.longest, now - self._turned)
        self._turned, self._worked = now, self._processor_time()
        self._timer = loop.call_later(TICK, self._turn, loop)

    def _look(self) -> None:
        told = 0.0
        while not self._ended.wait(TICK):
            turned = self._turned
            if time.monotonic() - turned > self._patience + TICK and turned != told:
                told = turned
                began = self._worked
                where = self._where()  # now, while it is still there
                while self._turned == turned and not self._ended.wait(TICK):
                    pass
                held = self._turned - turned
                if " select (" in f" {where.rpartition(' > ')[2]}":
                    continue  # the loop had nothing to do, but the machine gave it no time
                worked = (self._processor_time() - began) * 1000
                log.warning("the event loop was held for %.0f ms (it worked %.0f ms) by %s", held * 1000, worked, where)

    def _processor_time(self) -> float:
        """What the loop's thread has worked so far: on a busy machine it may wait for its turn instead."""
        clock = getattr(time, "pthread_getcpuclockid", None)
        return time.clock_gettime(clock(self._loop_thread)) if clock is not None else 0.0

    def _where(self) -> str:
        frame = sys._current_frames().get(self._loop_thread)
        places = traceback.extract_stack(frame)[-PLACES:] if frame is not None else []
        return " > ".join(f"{place.name} ({place.filename.rpartition('/')[2]}:{place.lineno})" for place in places)
