"""Mutants of a module: its source with one small change that a test of the rules ought to notice."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
SIGNS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
# Keyword arguments that decide nothing in play.
IDLE_KEYWORDS = {"strict", "maxsize", "frozen", "kw_only", "slots", "encoding"}
# Modules that draw, word or explain what the rules decide, read files, or deal hidden things anew for whoever imagines
# them: no rule stands in them.
NOT_RULES = {
    *(
        "aids",
        "auto_setup",
        "danger",
        "describe",
        "draw",
        "faces",
        "glossary",
        "layout",
        "lessons",
        "marker_faces",
        "outlines",
    ),
    *("acting_bars", "command_bars", "show", "sheet_page"),
    *("check", "idle", "lines", "names", "own_counters", "palette", "phase_view", "prompts", "refusals", "refused"),
    *("hidden", "roles", "rout_ways", "scene", "standing", "texttable", "view", "views", "wording", "words"),
}


class Mutant(NamedTuple):
    """One change: where it is, what it is, and the source it stands in."""

    path: Path
    line: int
    column: int
    function: str  # the outermost function, with its class; "" outside of functions
    names: tuple[str, ...]  # what an import-time statement defines
    text: str  # the line as it was
    statement: str  # the first line of its statement
    kind: str
    before: str
    after: str
    module: str  # the source of the module as it is
    span: tuple[int, int]  # where the change stands in it

    @property
    def source(self) -> str:
        """The source after the change."""
        first, last = self.span
        return f"{self.module[:first]}({self.after}){self.module[last:]}"

    @property
    def id(self) -> str:
        """What stays the same when the lines above move: file, function, line, change."""
        return f"{self.path.as_posix()}:{self.function or 'module'}: {self.text}: {self.before} -> {self.after}"


def rule_modules(wanted: Path) -> list[Path]:
    """The rule modules under a path."""
    found = [wanted] if wanted.suffix == ".py" else sorted(wanted.rglob("*.py"))
    return [
        path
        for path in found
        if path.stem not in NOT_RULES and not path.stem.endswith("_words") and path.stem != "__init__"
    ]


def mutants(path: Path, shown: Path) -> list[Mutant]:
    """Every mutant of a file, in the order of its text."""
    source = path.read_text(encoding="utf-8")
    found = list(_Walk(source, shown).module(ast.parse(source)))
    return sorted(found, key=lambda mutant: (mutant.line, mutant.column, mutant.kind, mutant.after))


class _Walk:
    """Walks through a module and knows in which function and statement it is."""

    def __init__(self, source: str, shown: Path) -> None:
        self.source = source
        self.shown = shown
        self.lines = source.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self.function = ""
        self.names: tuple[str, ...] = ()
        self.statement: ast.stmt | None = None

    def module(self, tree: ast.Module) -> Iterator[Mutant]:
        for statement in tree.body:
            yield from self._statement(statement, "", inside=False)

    def _statement(self, node: ast.stmt, prefix: str, inside: bool, returns: str = "") -> Iterator[Mutant]:
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.Raise, ast.Assert)) or _is_type_checking(node):
            return
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return  # a docstring
        if isinstance(node, ast.ClassDef):
            for child in node.body:
                yield from self._statement(child, f"{prefix}{node.name}.", inside)
            return
        if isinstance(node, ast.FunctionDef):
            yield from self._function(node, prefix, inside)
            return
        if not inside:
            self.function, self.names = "", _defined(node)
        self.statement = node
        if isinstance(node, ast.Return) and node.value is not None:
            yield from self._returns(node.value, returns)
        if isinstance(node, (ast.If, ast.While)):
            yield from self._condition(node.test, loop=isinstance(node, ast.While))
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "target", "targets", "type_comment"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.stmt):
                    yield from self._statement(child, prefix, inside, returns)
                elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
                    for inner in child.body:
                        yield from self._statement(inner, prefix, inside, returns)
                elif isinstance(child, ast.AST):
                    self.statement = node
                    yield from self._expression(child)

    def _function(self, node: ast.FunctionDef, prefix: str, inside: bool) -> Iterator[Mutant]:
        returns = ast.unparse(node.returns) if node.returns else ""
        if not inside:
            self.function, self.names = "", (node.name,)
            self.statement = node
            for default in [*node.args.defaults, *(each for each in node.args.kw_defaults if each)]:
                yield from self._expression(default)
            self.function, self.names = f"{prefix}{node.name}", ()
        for child in node.body:
            yield from self._statement(child, prefix, True, returns)

    def _expression(self, node: ast.AST) -> Iterator[Mutant]:
        if isinstance(node, ast.JoinedStr):
            return  # words
        if isinstance(node, ast.Compare):
            for index, operator in enumerate(node.ops):
                changed = COMPARED[type(operator)]()
                ops = [*node.ops[:index], changed, *node.ops[index + 1 :]]
                yield self._mutant(node, "compare", ast.Compare(node.left, ops, node.comparators))
        elif isinstance(node, ast.BoolOp):
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield self._mutant(node, "and/or", ast.BoolOp(other, node.values))
            for index in range(len(node.values)):
                rest = [*node.values[:index], *node.values[index + 1 :]]
                yield self._mutant(node, "dropped", rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield self._mutant(node, "not", node.operand)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            yield self._mutant(node, "sign", node.operand)
        elif isinstance(node, ast.BinOp) and type(node.op) in SIGNS and not _is_words(node) and not self._is_type(node):
            yield self._mutant(node, "sign", ast.BinOp(node.left, SIGNS[type(node.op)](), node.right))
        elif isinstance(node, ast.IfExp):
            yield from self._condition(node.test)
        elif isinstance(node, ast.Constant):
            yield from self._constant(node)
        if isinstance(node, ast.comprehension):
            for condition in node.ifs:
                yield from self._condition(condition, loop=False)
        for child in ast.iter_child_nodes(node):
            if not (isinstance(child, ast.keyword) and child.arg in IDLE_KEYWORDS):
                yield from self._expression(child)

    def _constant(self, node: ast.Constant) -> Iterator[Mutant]:
        if isinstance(node.value, bool):
            yield self._mutant(node, "constant", ast.Constant(not node.value))
        elif isinstance(node.value, int):
            yield self._mutant(node, "number", ast.Constant(node.value + 1))
            if node.value > 0:
                yield self._mutant(node, "number", ast.Constant(node.value - 1))

    def _condition(self, test: ast.expr, loop: bool = False) -> Iterator[Mutant]:
        yield self._mutant(test, "condition", ast.Constant(False))
        if not loop:
            yield self._mutant(test, "condition", ast.Constant(True))

    def _returns(self, value: ast.expr, annotation: str) -> Iterator[Mutant]:
        if isinstance(value, ast.Constant) or annotation == "None":
            return
        for constant in (True, False) if annotation == "bool" else (None,):
            yield self._mutant(value, "return", ast.Constant(constant))

    def _mutant(self, node: ast.expr, kind: str, changed: ast.expr) -> Mutant:
        first, last = self._offset(node.lineno, node.col_offset), self._offset(node.end_lineno, node.end_col_offset)
        after = ast.unparse(changed)
        statement = self.statement.lineno if self.statement is not None else node.lineno
        return Mutant(
            path=self.shown,
            line=node.lineno,
            column=node.col_offset,
            function=self.function,
            names=self.names,
            text=self.lines[node.lineno - 1].strip(),
            statement=self.lines[statement - 1].strip(),
            kind=kind,
            before=ast.unparse(node),
            after=after,
            module=self.source,
            span=(first, last),
        )

    def _offset(self, line: int | None, column: int | None) -> int:
        assert line is not None
        assert column is not None
        text = self.lines[line - 1]
        return self.starts[line - 1] + len(text.encode()[:column].decode())

    def _is_type(self, node: ast.BinOp) -> bool:
        """Whether this looks like a union of types: an import-time A | B."""
        return isinstance(node.op, ast.BitOr) and not self.function


def _is_type_checking(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _is_words(node: ast.BinOp) -> bool:
    """Whether this joins text."""
    return any(
        isinstance(side, ast.JoinedStr) or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in ast.walk(node)
    )


def _defined(node: ast.stmt) -> tuple[str, ...]:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return tuple(
        each.id for target in targets if target is not None for each in ast.walk(target) if isinstance(each, ast.Name)
    )
