"""Lets bots play many matches for a long time, and tells memory and latency minute by minute.

python tools/soak_server.py [MINUTES [MATCHES [ACTIONS_A_SECOND]]]
Without more: an hour, 100 matches, 100 actions a second.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import websockets

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from server.crashing import Killable


def memory(pid: int) -> float:
    """What a process has in memory, in MB."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def spent(pid: int | str) -> tuple[float, float]:
    """Seconds of processor time of a process, and seconds that its threads were ready but had to wait for one."""
    ran = waited = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            figures = (task / "schedstat").read_text(encoding="ascii").split()
        except OSError:  # the thread has just ended
            continue
        ran, waited = ran + int(figures[0]), waited + int(figures[1])
    return ran / 1e9, waited / 1e9


def stolen() -> float:
    """Seconds of processor time that this machine wanted and others on its host had."""
    return int(Path("/proc/stat").read_text(encoding="ascii").split(maxsplit=10)[8]) / os.sysconf("SC_CLK_TCK")


class Bot:
    """Plays both sides of one match after another, at a pace."""

    def __init__(self, url: str, number: int, pause: float, took: list[float]) -> None:
        self.url, self.pause, self.took = url, pause, took
        self.source = random.Random(number)

    async def play(self, end: float) -> None:
        """Play until the end of the time."""
        async with httpx.AsyncClient(base_url=self.url, timeout=60) as http:
            token = (await http.post("/api/guest", json={"token": True})).json()["token"]
            seats = {"red": {"kind": "me"}, "blue": {"kind": "me"}}
            while time.monotonic() < end:
                match = (await http.post("/api/matches", json={"game": "outpost", "seats": seats})).json()["match"]
                await self._match(match["id"], token, end)

    async def _match(self, match: str, token: str, end: float) -> None:
        address = f"{self.url.replace('http', 'ws')}/api/matches/{match}/live?full=1"
        headers = {"Authorization": f"Bearer {token}"}
        async with websockets.connect(address, additional_headers=headers, compression=None, max_size=None) as socket:
            sent = 0.0
            while time.monotonic() < end:
                message: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), 60))
                if message["t"] == "done":
                    self.took.append(time.monotonic() - sent)
                if message["t"] not in ("welcome", "update"):
                    continue
                if message.get("result"):
                    return
                if message["actions"]:
                    await asyncio.sleep(self.source.random() * 2 * self.pause)
                    choice = self.source.choice(message["actions"])
                    act = {"t": "act", "id": 1, "version": message["version"], "n": choice["n"]}
                    sent = time.monotonic()
                    await socket.send(json.dumps(act))
                elif message["handover"]:
                    await socket.send(json.dumps({"t": "seat", "side": message["handover"]["to"]}))


def percentile(times: list[float], share: float) -> float:
    """Of sorted times in seconds, that of a share, in milliseconds."""
    return times[int(len(times) * share)] * 1000 if times else 0.0


async def soak(minutes: float, matches: int, rate: float) -> None:
    """Run it; one line a minute."""
    with tempfile.TemporaryDirectory() as folder:
        server = Killable(str(Path(folder) / "soak.sqlite"))
        await server.start()
        assert server._process is not None
        pid = server._process.pid
        try:
            end = time.monotonic() + minutes * 60
            took: list[float] = []
            bots = [Bot(server.url, number, matches / rate, took) for number in range(matches)]
            playing = [asyncio.ensure_future(bot.play(end)) for bot in bots]
            minute, before = 0, (*spent(pid), *spent("self"), stolen())
            all_took: list[float] = []
            while time.monotonic() < end:
                await asyncio.sleep(min(60, max(0.1, end - time.monotonic())))
                minute += 1
                window, took[:] = sorted(took), []
                all_took += window
                p99 = percentile(window, 0.99)
                worst = window[-1] * 1000 if window else 0
                told = {"minute": minute, "mb": round(memory(pid), 1), "actions": len(window), "p99_ms": round(p99, 1)}
                now = (*spent(pid), *spent("self"), stolen())
                cpu, waited, bots_cpu, bots_waited, lost = (round(a - b, 1) for a, b in zip(now, before, strict=True))
                before = now
                told |= {"worst_ms": round(worst, 1), "over_200": sum(seconds > 0.2 for seconds in window)}
                told |= {"cpu_s": cpu, "waited_s": waited, "bots_cpu_s": bots_cpu, "bots_waited_s": bots_waited}
                told |= {"load": round(os.getloadavg()[0], 1), "stolen_s": lost}
                sys.stdout.write(json.dumps(told) + "\n")
                sys.stdout.flush()
                for task in playing:
                    if task.done():
                        task.result()
            await asyncio.gather(*playing)
            told = {"minutes": minute, "actions": len(all_took), "p99_ms": round(percentile(sorted(all_took), 0.99), 1)}
            sys.stdout.write(json.dumps(told) + "\n")
        finally:
            server.stop()


def main(arguments: list[str]) -> None:
    """Run it as said."""
    values = [float(argument) for argument in arguments] + [60.0, 100.0, 100.0][len(arguments) :]
    asyncio.run(soak(values[0], int(values[1]), values[2]))


if __name__ == "__main__":
    main(sys.argv[1:])
