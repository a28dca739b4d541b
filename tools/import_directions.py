"""Checks that imports point one way: cli, server, sim, oracles, players -> games -> space, engine."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PACKAGE = "sandtable"

# What each part of the package may import, besides itself. Everything may use the package's own front door
# (`sandtable`), except the parts that stand behind it.
MAY_IMPORT: dict[str, frozenset[str]] = {
    "engine": frozenset(),
    "space": frozenset(),
    "games": frozenset({"engine", "space"}),
    "players": frozenset({"engine", "space", "games"}),
    "sim": frozenset({"engine", "space", "games", "players"}),
    "oracles": frozenset({"engine", "space", "games"}),
    "server": frozenset({"engine", "space", "games", "players", "sim"}),
    "commands": frozenset({"engine", "space", "games", "players", "sim", "oracles", "server"}),
    "cli": frozenset({"engine", "space", "games", "players", "sim", "oracles", "server", "commands"}),
    "__main__": frozenset({"cli"}),
    "__init__": frozenset({"engine"}),
    "reading": frozenset(),
}

COMMON = "reading"
"""A module that everybody may use, and that uses nobody."""

# The rules hold no clock, no chance of their own, no network and no terminal. A source of chance may be
# handed to them (`random.Random`), but the shared one of the module may not be used.
NOT_IN_RULES = frozenset(
    {"asyncio", "rich", "secrets", "socket", "starlette", "subprocess", "threading", "time"} | {"typer", "uvicorn"}
)

SQUAD_LEVEL = frozenset({"aslsk2", "aslguide", "sasl"})

SQUAD_PARTS = "asl"
"""Parts of the squad-level family that some of its games have: they use `squad`, and games may use them."""

# The chapters of the squad-level family in their order: none imports one that comes later.
SQUAD_CHAPTERS = (
    "cards",
    "pieces",
    "part",
    "ground",
    "phases",
    "effects",
    "fire",
    "ordnance",
    "movement",
    "rally",
    "rout",
    "combat",
    "scenario",
    "show",
    "parts",
    "rulesets",
    "game",
)


# Imports of rules and players stand at the top, where no cycle can hide. This one is made late for another reason:
# drawing a map takes libraries that playing does without.
LATE = frozenset({(f"{PACKAGE}.games.squad.show.scene", f"{PACKAGE}.space.draw")})


class Fault(NamedTuple):
    """One import that points the wrong way."""

    path: Path
    line: int
    sentence: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.sentence}"


def imported(tree: ast.Module, package: str) -> Iterator[tuple[int, str]]:
    """Every import of a module with its line; `from x import y` counts as x.y.

    Uses of the shared random source and of the clock (`random.choice`, `date.today`) count as imports of them.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = package.split(".")
                base = ".".join([*parts[: len(parts) - node.level + 1], *([base] if base else [])])
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"
        elif isinstance(node, ast.Attribute):
            owner = ast.unparse(node.value).rpartition(".")[2]
            if owner == "random":
                yield node.lineno, f"random.{node.attr}"
            elif owner in ("date", "datetime") and node.attr in ("now", "today", "utcnow"):
                yield node.lineno, f"time.{node.attr}"


def part_of(module: str) -> str:
    """The part of the package that a module name belongs to: `engine` for `sandtable.engine.dice`."""
    names = module.split(".")
    return names[1] if len(names) > 1 and names[1] in MAY_IMPORT else "__init__"


def sentence_against(module: str, target: str) -> str | None:
    """Why `module` may not import `target`, or None if it may."""
    part = part_of(module)
    if part == "games":
        if target.partition(".")[0] in NOT_IN_RULES:
            return f"rules must not use {target.partition('.')[0]}"
        if target.startswith("random.") and target != "random.Random":
            return f"rules must not use {target}: dice are rolled through the play"
    if target.partition(".")[0] != PACKAGE:
        return None
    aim = part_of(target)
    if aim in (part, COMMON) or aim in MAY_IMPORT[part]:
        return _between_games(module, target) if part == aim == "games" else None
    if aim == "__init__" and part not in ("engine", "space", "games"):
        return None
    return f"{part} must not import {target}"


def _between_games(module: str, target: str) -> str | None:
    """Squad-level games share `squad` and may build on each other; all other games are strangers."""
    own, other = (name.split(".")[2:3] for name in (module, target))
    if own == other == ["squad"]:
        return _between_chapters(module, target)
    if not own or not other or own == other:
        return None
    if own[0] in SQUAD_LEVEL and other[0] in SQUAD_LEVEL | {"squad", SQUAD_PARTS}:
        return None
    if own == [SQUAD_PARTS] and other == ["squad"]:
        return None
    return f"the game {own[0]} must not import {target}"


def _between_chapters(module: str, target: str) -> str | None:
    """Chapters of squad-level play use those before them."""
    own, other = (name.split(".")[3] if name.count(".") > 2 else "" for name in (module, target))
    for chapter in (own, other):
        if chapter not in (*SQUAD_CHAPTERS, "", "__init__"):
            return f"{chapter} has no place in the order of chapters (tools/import_directions.py)"
    if "" in (own, other) or "__init__" in (own, other):
        return None
    if SQUAD_CHAPTERS.index(other) > SQUAD_CHAPTERS.index(own):
        return f"{own} must not import {target}: {other} comes later in the order of chapters"
    return None


def hidden_imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Imports of the package inside functions, where cycles hide."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for inner in ast.walk(node):
                if isinstance(inner, ast.ImportFrom):
                    yield inner.lineno, "." * inner.level + (inner.module or "")
                elif isinstance(inner, ast.Import):
                    for alias in inner.names:
                        yield inner.lineno, alias.name


def check(source: Path) -> list[Fault]:
    """All wrong imports of the package whose folder is `source`."""
    faults = []
    for path in sorted(source.rglob("*.py")):
        names = [PACKAGE, *path.relative_to(source).with_suffix("").parts]
        module = ".".join(names)
        package = ".".join(names[:-1])
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if module.startswith((f"{PACKAGE}.games.", f"{PACKAGE}.players.")):
            for line, target in hidden_imports(tree):
                if (module, target) not in LATE:
                    faults.append(Fault(path, line, f"{target} is imported inside a function: import it at the top"))
        for line, target in imported(tree, package):
            sentence = sentence_against(module, target)
            if sentence:
                faults.append(Fault(path, line, sentence))
    return faults


def main() -> int:
    """Print every fault; the exit code is 1 if there is one."""
    faults = check(Path(__file__).resolve().parent.parent / "src" / PACKAGE)
    for fault in faults:
        sys.stdout.write(f"{fault}\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
