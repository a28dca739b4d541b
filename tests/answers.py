"""Answers of the rules: what the functions of a module say about crowded positions, a mark for each.

Every function whose arguments can be drawn by lot from a position is asked a few times in each position: who is where,
which weapons, works and hexes there are. A file of answers has a line for each function, with a mark of its answers in
each group of positions; `tools/golden.py` writes it anew. Like golden games, answers pin what the rules do.
"""

from __future__ import annotations

import inspect
import random
import typing
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType, UnionType
from typing import Any, NamedTuple

import msgspec

from golden_games import mark_of
from sandtable.engine import Action, Match, Play
from sandtable.engine.dice import StreamDice, secret_of_seed
from sandtable.games.squad.ground.map import Ground, Way
from sandtable.games.squad.ground.setting import Setting, setting_of, unit_kind
from sandtable.games.squad.pieces.kinds import UnitKind
from sandtable.games.squad.pieces.model import Counter, SquadState, Unit, Weapon

TIMES = 4
"""How often a function is asked in a position."""
DEEP = 3
"""How deep structs are made up within each other."""
GROUPS = 4
"""Marks of a function: so many groups of positions."""
CELLS = {"cell", "at", "place", "to", "here", "source", "target", "frm", "start", "other", "towards", "goal", "crest"}
WORDS: Words = {
    "mode": ("prep", "advancing", "first", "final", "subsequent"),
    "edge": ("west", "east", "north", "south"),
    "why": ("",),
    "rule": ("",),
    "how": ("move", "advance", "rout"),
}


Words = Mapping[Any, Any]
"""What an argument of a name or of a type may be: a choice, or a function that tells the choice in a state."""


class Scene(NamedTuple):
    """A position, and what may be done there."""

    state: SquadState
    legal: Sequence[Action] = ()


def scene_of(match: Match) -> Scene:
    """The position of a match with what is legal in it."""
    return Scene(match.state.clone(), tuple([action for side in match.to_act for action in match.actions(side).all]))


class Unknown(Exception):
    """There is nothing to give a function for one of its arguments."""


class Drawn:
    """Arguments by lot, near each other where they can be."""

    def __init__(self, scene: Scene, lot: random.Random, words: Words) -> None:
        self.state = scene.state.clone()
        self.legal = scene.legal
        self.lot = lot
        self.words = words
        self.depth = 0
        self.at = lot.choice([*self.state.stacks, *self.state.stacks, *self.state.counters] or [0])
        self.play = Play(self.state, StreamDice(secret_of_seed(lot.randrange(1 << 30))))

    def cell(self) -> int:
        near = setting_of(self.state).ground.near
        whim = self.lot.random()
        if whim < 0.4:
            return self.at
        if whim < 0.7 and self.at < len(near) and near[self.at]:
            return self.lot.choice(list(near[self.at]))
        if whim < 0.75:
            return 0
        return self.lot.choice([*self.state.stacks, *self.state.counters] or [0])

    def unit(self) -> Unit:
        moving = self.state.moving
        if moving is not None and self.lot.random() < 0.2:
            return self.state.units[self.lot.choice(moving.movers).id]
        here = [name for name in self.state.stacks.get(self.at, ()) if self.lot.random() < 0.8]
        return self.state.units[self.lot.choice(here or list(self.state.units))]

    def units(self) -> list[Unit]:
        one = self.unit()
        stack = [self.state.units[name] for name in self.state.stacks.get(one.at, (one.id,))]
        return [unit for unit in stack if unit.side == one.side and (unit is one or self.lot.random() < 0.6)]

    def value(self, name: str, kind: Any) -> Any:
        """A value for an argument of this name and type."""
        state, lot = self.state, self.lot
        for key in (name, kind):
            if isinstance(key, Hashable) and key in self.words:
                found = self.words[key]
                return lot.choice(found(state) if callable(found) else found)
        if typing.get_origin(kind) in (UnionType, typing.Union):
            return self.value(name, lot.choice(typing.get_args(kind)))
        if kind is Play or typing.get_origin(kind) is Play:
            return self.play
        if isinstance(kind, type) and issubclass(kind, Ground):
            return setting_of(state).ground
        if isinstance(kind, Hashable) and kind in MAKERS:
            return MAKERS[kind](self, name)
        return self.struct(name, kind) if isinstance(kind, type) else self.several(name, kind)

    def number(self, name: str) -> int:
        floors = setting_of(self.state).ground.floors
        if name == "crest" and floors:
            return self.lot.choice(list(floors))
        return self.cell() if name in CELLS else self.lot.randrange(1, 7)

    def weapon(self) -> Weapon:
        return self.lot.choice(list(self.state.weapons.values())) if self.state.weapons else self.struct("", Weapon)

    def counter(self) -> Counter:
        found = [counter for here in self.state.counters.values() for counter in here]
        return self.lot.choice(found) if found else self.struct("", Counter)

    def struct(self, name: str, kind: type) -> Any:
        """One that is at hand, such as a legal action or what is going on, or one that is made up."""
        fitting = [each for each in (*self.state.stack[-1:], *self.legal, *self.held()) if isinstance(each, kind)]
        if fitting and self.lot.random() < 0.7:
            return self.lot.choice(fitting)
        fields = _fields(kind)
        if fields is None or self.depth > DEEP:
            raise Unknown(name)
        self.depth += 1
        made = {}
        for field, hint, needed in fields:
            if needed or self.lot.random() < 0.5:
                try:
                    made[field] = self.value(field, hint)
                except Unknown:
                    if needed:
                        raise
        self.depth -= 1
        return kind(**made)

    def held(self) -> Iterator[Any]:
        """Whatever the state holds by name or by hex: prisoners, mines, S?."""
        for name in self.state.__struct_fields__:
            value = getattr(self.state, name)
            if isinstance(value, dict):
                yield from value.values()

    def several(self, name: str, kind: Any) -> Any:
        """Some values for an argument that takes many."""
        given = typing.get_args(kind)
        if typing.get_origin(kind) in (list, Sequence, Iterable, Collection, Set, set, frozenset) and given:
            make: type = set if typing.get_origin(kind) in (set, Set) else list
            if given[0] is Unit:
                return self.units()
            if given[0] is Action:
                return [action for action in self.legal if self.lot.random() < 0.7]
            if given[0] is str:
                return make([unit.id for unit in self.units()])
            if given[0] is int and name in ("faces", "dice", "rolls"):
                return [self.lot.randrange(1, 7) for _ in range(2)]
            return make([self.value("cell" if given[0] is int else name, given[0]) for _ in range(2)])
        if typing.get_origin(kind) is tuple and given:
            if given[-1] is ...:
                return tuple(self.several(name, list[given[0]]))
            return tuple([self.value(name, each) for each in given])
        raise Unknown(name)

    def text(self, name: str) -> str:
        if name in ("side", "enemy", "owner", "captor", "by"):
            return self.lot.choice(setting_of(self.state).sides)
        if name == "weapon" or (name in ("name", "firer") and self.lot.random() < 0.4):
            return self.lot.choice([*self.state.weapons, self.unit().id])
        if name in ("name", "unit", "other", "guard", "firer"):
            return self.unit().id
        if name == "kind":
            return self.unit().kind
        if name in ("at", "where"):
            return setting_of(self.state).ground.names[self.at]
        if name == "work" and (found := [one.id for one in self.state.counters.get(self.at, ()) if one.id]):
            return self.lot.choice(found)
        if name == "prisoner" and (held := getattr(self.state, "captives", None)):
            return self.lot.choice(list(held))
        if name == "building":
            return self.lot.choice(list(setting_of(self.state).ground.buildings))
        return self.lot.choice(["", self.unit().id])


MAKERS: dict[Any, Callable[[Drawn, str], Any]] = {
    type(None): lambda drawn, name: None,
    SquadState: lambda drawn, name: drawn.state,
    Setting: lambda drawn, name: setting_of(drawn.state),
    Unit: lambda drawn, name: drawn.unit(),
    Weapon: lambda drawn, name: drawn.weapon(),
    Counter: lambda drawn, name: drawn.counter(),
    UnitKind: lambda drawn, name: unit_kind(drawn.state, drawn.unit()),
    Way: lambda drawn, name: drawn.lot.choice(setting_of(drawn.state).ground.ways[drawn.at] or ()),
    float: lambda drawn, name: float(drawn.lot.randrange(-1, 4)),
    bool: lambda drawn, name: drawn.lot.random() < 0.5,
    int: lambda drawn, name: drawn.number(name),
    str: lambda drawn, name: drawn.text(name),
    Any: lambda drawn, name: drawn.lot.choice([*drawn.state.stack[-1:], None]),
    object: lambda drawn, name: drawn.lot.choice([*drawn.state.stack[-1:], None]),
}
"""How a value of a type is made for an argument of a name."""


@cache
def _fields(kind: type) -> Sequence[tuple[str, Any, bool]] | None:
    """Name, type and need of each field of a struct or named tuple."""
    if issubclass(kind, msgspec.Struct):
        return [(each.name, each.type, each.required) for each in msgspec.structs.fields(kind)]
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        hints = typing.get_type_hints(kind)
        return [(name, hints[name], name not in kind._field_defaults) for name in kind._fields]
    return None


@cache
def _parameters(function: Callable[..., Any]) -> Sequence[tuple[inspect.Parameter, Any]]:
    """The parameters of a function with their types."""
    plain = inspect.unwrap(function)
    hints = typing.get_type_hints(plain)
    return [(each, hints.get(each.name, Any)) for each in inspect.signature(plain).parameters.values()]


def functions(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """The functions of a module, and the methods of its classes that are made of nothing."""
    found: dict[str, Callable[..., Any]] = {}
    for name, each in vars(module).items():
        if getattr(each, "__module__", "") != module.__name__ or name.startswith("__"):
            continue
        if inspect.isfunction(inspect.unwrap(each)):
            found[name] = each
        elif inspect.isclass(each) and not issubclass(each, msgspec.Struct | Exception | tuple):
            found |= _methods(name, each)
    return found


def _methods(name: str, each: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    try:
        made = each()
    except TypeError:
        return
    for method in vars(each):
        if not method.startswith("__") and inspect.ismethod(getattr(made, method)):
            yield f"{name}.{method}", getattr(made, method)


def asked(function: Callable[..., Any], drawn: Drawn) -> bytes:
    """What a function says, does and leaves behind."""
    given: list[Any] = []
    named: dict[str, Any] = {}
    for each, hint in _parameters(function):
        if each.kind is each.VAR_KEYWORD:
            continue
        optional = each.default is not each.empty
        try:
            value = each.default if optional and drawn.lot.random() < 0.3 else drawn.value(each.name, hint)
        except Unknown:
            if not optional:
                raise
            value = each.default
        if each.kind is each.KEYWORD_ONLY:
            named[each.name] = value
        else:
            given.append(value)
    before = msgspec.json.encode(drawn.state)
    try:
        text = _plain(function(*given, **named))
    except Exception as error:
        text = type(error).__name__
    after = msgspec.json.encode(drawn.state)
    events = [msgspec.json.encode(event) for event in drawn.play.events]
    return b"\n".join([text.encode(), *events, after if after != before else b""])


def _plain(value: Any) -> str:
    """A value in words that are always the same."""
    if isinstance(value, Unit | Weapon):
        return value.id
    if isinstance(value, float):
        return f"{value:.6f}"
    if isinstance(value, Mapping):
        return f"{{{','.join(f'{_plain(key)}:{_plain(each)}' for key, each in value.items())}}}"
    if isinstance(value, Set):
        return f"{{{','.join(sorted(_plain(each) for each in value))}}}"
    if isinstance(value, list | tuple | Iterator):
        return f"[{','.join(_plain(each) for each in value)}]"
    if isinstance(value, msgspec.Struct):
        return f"{type(value).__name__}{msgspec.json.encode(value, enc_hook=_plain).decode()}"
    told = repr(value)
    return type(value).__name__ if callable(value) or " at 0x" in told else told


def answers(module: str, scenes: Sequence[Scene], words: Words, left_out: Set[str] = frozenset()) -> dict[str, str]:
    """The marks of all functions of a module that can be asked and are not left out."""
    found = {}
    every = {**WORDS, **words}
    for name, function in sorted(functions(import_module(f"sandtable.games.{module}")).items()):
        if f"{module}.{name}" in left_out:
            continue
        groups: list[list[bytes]] = [[] for _ in range(GROUPS)]
        for number, scene in enumerate(scenes):
            for time in range(TIMES):
                try:
                    said = asked(function, Drawn(scene, random.Random(f"{name} {number} {time}"), every))
                except Unknown:
                    continue
                groups[number % GROUPS].append(said)
        if any(groups):
            found[f"{module}.{name}"] = " ".join(map(mark_of, groups))
    return found


NOT_RULES = ("glossary", "lessons", "sheet_page", "show", "words")
"""Modules that only word or draw, by the end of their names."""


def modules(game: str) -> list[str]:
    """The rule modules of a game."""
    folder = Path(import_module(f"sandtable.games.{game}").__file__ or "").parent
    found = [path.relative_to(folder.parent).with_suffix("") for path in sorted(folder.rglob("*.py"))]
    return [".".join(path.parts) for path in found if not path.name.endswith(("__init__", *NOT_RULES))]


def difference(file: Path, module: str, now: Mapping[str, str]) -> str:
    """Functions of a module that answer otherwise than a file says, are not in it, or are no more."""
    lines = [line.split(" ", 1) for line in file.read_text("utf-8").splitlines()]
    before = {name: marks for name, marks in lines if name.startswith(f"{module}.")}
    return ", ".join(name for name in sorted({*before, *now}) if before.get(name) != now.get(name))


def rewrite(file: Path, game: str, scenes: Sequence[Scene], words: Words, left_out: Set[str]) -> str:
    """Write the answers of all modules of a game anew; which have changed."""
    changed, lines = [], []
    for module in modules(game):
        now = answers(module, scenes, words, left_out)
        changed += [found] if (found := difference(file, module, now)) else []
        lines += [f"{name} {marks}\n" for name, marks in now.items()]
    file.write_text("".join(lines), "utf-8")
    return ", ".join(changed)
