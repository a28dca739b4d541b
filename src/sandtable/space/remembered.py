"""What is remembered about maps so that it is found again quickly, and can be forgotten when they are done with."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
_FORGET: list[Callable[[], object]] = []


def remembered(most: int) -> Callable[[F], F]:
    """A cache of so many answers that hold maps; `forget_maps` empties it."""

    def wrap(function: F) -> F:
        cached = lru_cache(maxsize=most)(function)
        _FORGET.append(cached.cache_clear)
        return cached  # type: ignore[return-value]

    return wrap


def also_forget(clear: Callable[[], object]) -> None:
    """Call this, too, when maps are forgotten."""
    _FORGET.append(clear)


def forget_maps() -> None:
    """Forget all maps: whoever still uses one keeps it, whoever asks for one has it made anew."""
    for clear in _FORGET:
        clear()
    gc.collect()  # a map and its lines of sight hold each other
