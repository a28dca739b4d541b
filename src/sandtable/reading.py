"""Plain data read as typed values, the same from many threads as from one.

What a decoder must know about a type is worked out when the type is first read. Two threads that do this at the same
time can end the process, so the first reading of every type is done under a lock.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any, TypeVar, overload

import msgspec

T = TypeVar("T")

_lock = threading.RLock()
_known: set[Any] = set()


@overload
def convert(value: Any, kind: type[T], *, strict: bool = ..., str_keys: bool = ...) -> T: ...
@overload
def convert(value: Any, kind: Any, *, strict: bool = ..., str_keys: bool = ...) -> Any: ...
def convert(value: Any, kind: Any, *, strict: bool = True, str_keys: bool = False) -> Any:
    """A value of plain data as a typed one; raises msgspec.ValidationError."""
    if kind not in _known:
        prepare([kind])
    return msgspec.convert(value, kind, strict=strict, str_keys=str_keys)


@overload
def decode(text: str | bytes, kind: type[T]) -> T: ...
@overload
def decode(text: str | bytes, kind: Any) -> Any: ...
def decode(text: str | bytes, kind: Any) -> Any:
    """A text of JSON as a typed value; raises msgspec.DecodeError."""
    if kind not in _known:
        prepare([kind])
    return msgspec.json.decode(text, type=kind)


def prepare(kinds: Iterable[Any]) -> None:
    """Work out what must be known about some types, now."""
    with _lock:
        for kind in kinds:
            if kind not in _known:
                msgspec.json.Decoder(kind)
                _known.add(kind)


def prepare_all() -> None:
    """Work it out for every type of the modules that are loaded."""
    with _lock:
        found: list[type] = []
        waiting: list[type] = [msgspec.Struct]
        while waiting:
            below: list[type] = waiting.pop().__subclasses__()
            found += below
            waiting += below
        for kind in found:
            if not kind.__module__.startswith("msgspec") and kind not in _known:
                try:
                    msgspec.json.Decoder(kind)
                except (TypeError, NameError):
                    continue  # not meant to be read: some of its fields have no form in JSON
                _known.add(kind)


def fits(value: Any, kind: Any) -> bool:
    """Whether a value is of a type, with values of the right kinds in it; programs may bring anything."""
    try:
        again: Any = decode(msgspec.json.encode(value), kind)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError):
        return False
    return bool(again == value)
