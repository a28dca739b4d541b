"""The client's desk without a browser: node runs it, Python plays the server for one position after another."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from sandtable.engine import Match
from sandtable.engine.plan import goals, plans
from sandtable.server.picture import choices, whole_view

WEB = Path(__file__).parents[2] / "web"


def build(folder: Path) -> Path:
    """The desk as one file for node."""
    command = ["npx", "vite", "build", "-c", "vite.driven.ts", "--outDir", str(folder), "--emptyOutDir"]
    subprocess.run([*command, "--logLevel", "warn"], cwd=WEB, check=True, capture_output=True, timeout=300)
    (made,) = folder.glob("driven.*js")
    return made


class DrivenDesk:
    """A desk that is shown positions and asked what a click would do."""

    def __init__(self, script: Path) -> None:
        self._process = subprocess.Popen(
            ["node", str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._match: Match | None = None
        self._side = ""

    def close(self) -> None:
        self._process.kill()
        self._process.wait()

    def _tell(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def show(self, match: Match, side: str) -> None:
        """A position, as a welcome of the server."""
        self._match, self._side = match, side
        told = {
            "t": "welcome",
            "match": {},
            "side": side,
            "yours": [side],
            "now": 0,
            "version": match.version,
            "view": whole_view(match, side, None),
            "actions": choices(match, side),
            "refusals": match.refusals(side),
            "undo": {"possible": False},
        }
        self._tell({"tell": json.loads(msgspec.json.encode(told))})

    def click(self, pieces: Sequence[str], cell: str, target: str = "") -> tuple[bool, str]:
        """Select pieces and point at a place or a piece: whether something comes of it, and what is said."""
        assert self._match is not None
        assert self._process.stdout is not None
        self._tell({"pair": {"pieces": list(pieces), "cell": cell, "target": target}})
        for line in self._process.stdout:
            message = json.loads(line)
            if "result" in message:
                return message["result"]["ok"], message["result"]["message"]
            self._answer(message["send"])
        raise AssertionError("the desk has ended")

    def _answer(self, said: dict[str, Any]) -> None:
        match, side = self._match, self._side
        assert match is not None
        answer: dict[str, Any] = {"t": said["t"], "id": said.get("id")}
        if said["t"] == "plan":
            found, why = plans(match, side, said["pieces"], said["cell"], said["target"])
            answer |= {"plans": found, "why": why}
        elif said["t"] == "goals":
            answer |= {"goals": goals(match, side, said["pieces"]), "danger": {}}
        elif said["t"] == "preview":
            answer |= {"preview": match.preview(side, match.actions(side)[said["n"]])}
        else:
            return
        self._tell({"tell": json.loads(msgspec.json.encode(answer))})
