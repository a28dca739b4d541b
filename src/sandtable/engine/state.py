"""State is plain typed data: containers of frozen values, cloned by copying the containers."""

from __future__ import annotations

import functools
import typing
from typing import Any, Self

import msgspec


class Frame(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """What is going on, as data; the top frame of the stack offers the choices."""


class Action(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """A move that a player would name; a small typed value."""


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a match ended; an empty winner is a draw."""

    winner: str
    reason: str
    rule: str = ""


class State(msgspec.Struct, omit_defaults=True):
    """The base of a game's state. Fields are frozen values, or lists and dicts of frozen values.

    Sub-classes declare `stack` with their own union of frames. Nothing in a state is mutated in
    place except its own lists and dicts; pieces are replaced.
    """

    def clone(self) -> Self:
        """Copy the containers; the frozen values in them are shared."""
        new: Self = self.__copy__()  # type: ignore[attr-defined]
        for name in _containers(type(self)):
            setattr(new, name, getattr(self, name).copy())
        return new


@functools.cache
def _containers(cls: type) -> tuple[str, ...]:
    hints = typing.get_type_hints(cls)
    names: list[str] = []
    for name in cls.__struct_fields__:  # type: ignore[attr-defined]
        kind = typing.get_origin(hints[name]) or hints[name]
        if kind in (set, frozenset):
            raise TypeError(f"{cls.__name__}.{name} is a set: its order is not defined, use a dict")
        if kind in (list, dict):
            names.append(name)
    return tuple(names)


def shared_containers(state: State) -> list[str]:
    """Paths of mutable values inside the containers: clones would share them (for the harness)."""
    bad: list[str] = []

    def look(value: Any, path: str) -> None:
        if isinstance(value, (list, dict, set, bytearray)):
            bad.append(path)
        elif isinstance(value, tuple):
            for n, item in enumerate(value):
                look(item, f"{path}[{n}]")
        elif isinstance(value, msgspec.Struct):
            if not value.__struct_config__.frozen:
                bad.append(path)
            for name in value.__struct_fields__:
                look(getattr(value, name), f"{path}.{name}")

    containers = _containers(type(state))
    for name in state.__struct_fields__:
        value = getattr(state, name)
        if name not in containers:
            look(value, name)
        else:
            pairs = value.items() if isinstance(value, dict) else enumerate(value)
            for key, item in pairs:
                look(item, f"{name}[{key!r}]")
    return bad
