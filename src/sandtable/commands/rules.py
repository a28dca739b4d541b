"""`sandtable rules`: every numbered rule of a game with its exceptions, the code that implements it and its tests."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from sandtable.commands.common import AsJson, emit, fail
from sandtable.commands.developer import CHECKOUT, with_test_games
from sandtable.engine.game import Game
from sandtable.engine.registry import get_game

CITED = re.compile(r"\(([^()]+)\)")


def rules(
    game: Annotated[str, typer.Argument(help="A game.")],
    number: Annotated[str | None, typer.Argument(help="Only this rule and what stands under it.")] = None,
    as_json: AsJson = False,
) -> None:
    """List every numbered rule with its exceptions, the code that implements it and the tests that show it."""
    with_test_games()
    rows = rule_rows(get_game(game))
    if number is not None:
        rows = [row for row in rows if row["rule"] == number or row["rule"].startswith(number + ".")]
        if not rows:
            fail(f"{game} has no rule {number}; sandtable rules {game} lists them all.")
    emit(rows, as_json, _listing)


def rule_rows(game: Game[Any]) -> list[dict[str, Any]]:
    """One row a rule: rule, title, exceptions with their tests, code, tests, state."""
    titles = game.rule_titles()
    if not titles:
        fail(f"{game.id} has no list of its rules.")
    code: dict[str, list[str]] = {rule: [] for rule in titles}
    tests: dict[str, list[str]] = {rule: [] for rule in titles}
    for package in _packages(game):
        source = Path(import_module(package).__path__[0])
        for path in sorted(source.rglob("*.py")):
            where = path.relative_to(source.parent).as_posix()
            for name, docstring in _docstrings(path):
                for rule in _cited(docstring, code):
                    code[rule].append(f"{where}:{name}" if name else where)
        shown = CHECKOUT.joinpath("tests", *package.removeprefix("sandtable.").split("."))
        for path in sorted(shown.rglob("test_*.py")):
            for name, marks in _marks(path):
                for rule in marks:
                    if rule in tests:
                        tests[rule].append(f"{path.relative_to(CHECKOUT).as_posix()}::{name}")
    exceptions = game.rule_exceptions()
    return [
        {
            "rule": rule,
            "title": title,
            "exceptions": [
                {"exception": words, "tests": list(shown)} for words, shown in exceptions.get(rule, {}).items()
            ],
            "code": code[rule],
            "tests": tests[rule],
            "state": "played",
        }
        for rule, title in titles.items()
    ] + [
        {
            "rule": name,
            "title": one.title,
            "exceptions": [],
            "code": list(one.code),
            "tests": list(one.tests),
            "state": one.state,
        }
        for name, one in game.rule_states().items()
    ]


def _packages(game: Game[Any]) -> list[str]:
    """The package that bears the game's name, those of its classes, and those that it names."""
    own = f"sandtable.games.{game.id}"
    packages = [own] if find_spec(own) else []
    for cls in type(game).__mro__:
        package = cls.__module__.rpartition(".")[0]
        if ".games." in f".{package}." and package not in packages:
            packages.append(package)
    return packages + [package for package in type(game).rule_packages if package not in packages]


def _docstrings(path: Path) -> Iterator[tuple[str, str]]:
    """(name, docstring) of a module and of everything defined in it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))

    def walk(node: ast.AST, prefix: str) -> Iterator[tuple[str, str]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
                name = f"{prefix}{child.name}"
                yield name, ast.get_docstring(child) or ""
                yield from walk(child, f"{name}.")

    yield "", ast.get_docstring(tree) or ""
    yield from walk(tree, "")


def _cited(docstring: str, known: dict[str, list[str]]) -> list[str]:
    """The rules that a docstring names in brackets, alone or in a list: (3.3.1), (3.6, 3.7) or (3.1 b)."""
    words = [word.strip() for group in CITED.findall(docstring) for word in re.split(r"[,;]| and ", group)]
    words = [re.sub(r" [a-z]$", "", word) for word in words]
    return list(dict.fromkeys(word for word in words if word in known))


def _marks(path: Path) -> Iterator[tuple[str, list[str]]]:
    """(test, rules it is marked with), from `@rule("3.6")` or `@pytest.mark.rule("3.6")` on it or its class."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    whole = [
        rule
        for node in tree.body
        if isinstance(node, ast.Assign) and any(getattr(target, "id", "") == "pytestmark" for target in node.targets)
        for rule in _rule_arguments(list(ast.walk(node.value)))
    ]
    yield from _marked_tests(tree.body, whole)


def _marked_tests(nodes: Iterable[ast.stmt], marks: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Tests among these definitions; those of a class have its marks too."""
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            yield from _marked_tests(node.body, marks + _rule_arguments(list(node.decorator_list)))
        elif isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            yield node.name, marks + _rule_arguments(list(node.decorator_list))


def _rule_arguments(nodes: list[Any]) -> list[str]:
    rules: list[str] = []
    for node in nodes:
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name == "rule":
                rules += [str(argument.value) for argument in node.args if isinstance(argument, ast.Constant)]
    return rules


def _listing(rows: list[dict[str, Any]]) -> str:
    """Rule by rule: its title, each exception with its tests, the code, the number of tests."""
    lines: list[str] = []
    for row in rows:
        lines.append(f"{row['rule']} {row['title']}")
        for entry in row["exceptions"]:
            lines.append(f"  exception: {entry['exception']}")
            lines += [f"    {test}" for test in entry["tests"]]
        if row["state"] != "played":
            lines.append(f"  {row['state']}")
        if row["state"] != "played" and not row["code"]:
            continue
        more = f" and {len(row['code']) - 4} more" if len(row["code"]) > 4 else ""
        lines.append(f"  code: {', '.join(row['code'][:4]) or 'NONE'}{more}")
        lines.append(f"  tests: {len(row['tests']) or 'NONE'}")
    return "\n".join(lines)
