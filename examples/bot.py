"""A bot in 50 lines: it plays one side of a match against the server's own computer player, at random.

Run `sandtable serve`, then `python examples/bot.py http://127.0.0.1:8000 GAME/SCENARIO`. The API is in docs/api.md.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import urllib.request
from typing import Any

import websockets


class Bot:
    """A guest account that plays."""

    def __init__(self, server: str) -> None:
        self.server, self.headers = server, {"Content-Type": "application/json"}
        self.headers["Authorization"] = f"Bearer {self.post('/api/guest', {'token': True})['token']}"

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        request = urllib.request.Request(self.server + path, json.dumps(body).encode(), self.headers)
        with urllib.request.urlopen(request) as answer:
            return dict(json.load(answer))

    async def play(self, match_id: str) -> dict[str, Any]:
        """Take a random legal action whenever there is one, until the match is over; return its result."""
        address = f"{self.server.replace('http', 'ws', 1)}/api/matches/{match_id}/live?full=1"
        async with websockets.connect(address, additional_headers=self.headers, max_size=None) as socket:
            await socket.send(json.dumps({"t": "pace", "pace": "skip"}))
            async for text in socket:
                message = json.loads(text)
                if message.get("result"):
                    return dict(message["result"])
                if message["t"] in ("welcome", "update") and message["actions"]:
                    choice = random.choice(message["actions"])
                    act = {"t": "act", "version": message["version"], "n": choice["n"]}
                    await socket.send(json.dumps(act))
        raise ConnectionError("the server ended the connection before the match was over")


if __name__ == "__main__":
    game, _, scenario = sys.argv[2].partition("/")
    bot = Bot(sys.argv[1])
    match = bot.post("/api/matches", {"game": game, "scenario": scenario})["match"]
    sys.stdout.write(json.dumps(asyncio.run(bot.play(match["id"]))) + "\n")
