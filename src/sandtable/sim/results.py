"""A folder of results: the plan, one line for every finished game, and the records on demand."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import msgspec

from sandtable import __version__
from sandtable.engine.errors import SandtableError
from sandtable.engine.record import write_whole
from sandtable.engine.registry import get_game
from sandtable.reading import decode
from sandtable.sim.playing import Plan, Result

FORMAT = 1


class BadResults(SandtableError):
    """A folder that is not a folder of results, or belongs to something else."""


class Manifest(msgspec.Struct, frozen=True):
    """What a folder holds."""

    sandtable_results: int
    version: str
    rules_version: int
    plan: Plan


class Results:
    """Results on disk; they can be added to, also after an interruption."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest

    @property
    def plan(self) -> Plan:
        """What was simulated."""
        return self.manifest.plan

    @classmethod
    def create(cls, folder: Path, plan: Plan) -> Results:
        """A folder for a plan: a new one, or one that was begun with the same plan."""
        game = get_game(plan.scenario.partition("/")[0])
        manifest = Manifest(FORMAT, __version__, game.rules_version, plan)
        if (folder / "sim.json").exists():
            old = cls.open(folder)
            if old.plan != plan:
                raise BadResults(f"{folder} holds results of another plan: take another folder, or repeat its plan.")
            if (old.manifest.version, old.manifest.rules_version) != (manifest.version, manifest.rules_version):
                raise BadResults(
                    f"{folder} was made by version {old.manifest.version}, this is {__version__}: take another folder."
                )
            return old
        if folder.exists() and any(folder.iterdir()):
            raise BadResults(f"{folder} is not empty and holds no results: take another folder.")
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / "sim.json", json.dumps(msgspec.to_builtins(manifest), indent=1) + "\n")
        return cls(folder, manifest)

    @classmethod
    def open(cls, folder: Path) -> Results:
        """The results in a folder."""
        try:
            text = (folder / "sim.json").read_text(encoding="utf-8")
        except OSError:
            raise BadResults(f"{folder} holds no results: sandtable sim makes them.") from None
        try:
            manifest = decode(text, Manifest)
        except (msgspec.MsgspecError, ValueError) as error:
            raise BadResults(f"{folder / 'sim.json'} cannot be read: {error}.") from None
        if manifest.sandtable_results > FORMAT:
            raise BadResults(f"{folder} was made by a later version: update Sandtable.")
        return cls(folder, manifest)

    @classmethod
    def within(cls, folder: Path) -> list[Results]:
        """The results in a folder, or in those right under it (`results`, where simulations go if nothing is said)."""
        below = [] if (folder / "sim.json").exists() else sorted(folder.glob("*/sim.json"))
        return [cls.open(path.parent) for path in below] or [cls.open(folder)]

    @property
    def _lines(self) -> Path:
        return self.folder / "games.jsonl"

    def mend(self) -> None:
        """Cut off half a line that an interruption may have left."""
        if self._lines.exists():
            data = self._lines.read_bytes()
            whole = data.rfind(b"\n") + 1
            if whole < len(data):
                write_whole(self._lines, data[:whole])

    def games(self) -> list[Result]:
        """All finished games, by number."""
        return sorted(self._read(), key=lambda result: result.number)

    def _read(self) -> Iterator[Result]:
        if not self._lines.exists():
            return
        # what has no end of line yet is being written, or was when the run broke off
        *lines, _ = self._lines.read_bytes().split(b"\n")
        for number, line in enumerate(lines, 1):
            try:
                yield decode(line, Result)
            except msgspec.MsgspecError as error:
                raise BadResults(f"Line {number} of {self._lines} is damaged: {error}.") from None

    def add(self, result: Result, record: str | None) -> None:
        """Keep a finished game; at most the game being written is lost in a crash."""
        if record is not None:
            (self.folder / "records").mkdir(exist_ok=True)
            write_whole(self.folder / "records" / f"{result.number:06}.jsonl", record)
        with self._lines.open("ab") as file:
            file.write(msgspec.json.encode(result) + b"\n")

    def write_table(self) -> Path:
        """The games as a table: Parquet where DuckDB is installed, CSV otherwise."""
        games = self.games()
        sides = list(self.plan.players)
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        head = ["number", "seed", "winner", "reason", "rule", "actions", "turns", "seconds", "faults"]
        writer.writerow([*head, *(f"lost_{side}" for side in sides), *(f"luck_{side}" for side in sides)])
        for game in games:
            values = [getattr(game, name) for name in head[:-1]]
            lost = [sum(1 for side, *_ in game.losses if side == one) for one in sides]
            writer.writerow([*values, len(game.faults), *lost, *(game.luck.get(side, 0.0) for side in sides)])
        path = self.folder / "games.csv"
        write_whole(path, text.getvalue())
        try:
            import duckdb
        except ImportError:
            return path
        table = self.folder / "games.parquet"
        temporary = self.folder / ".games.parquet"
        duckdb.from_csv_auto(str(path)).write_parquet(str(temporary))
        temporary.replace(table)
        return table
