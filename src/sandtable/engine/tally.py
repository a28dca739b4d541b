"""A tally: every modified number with its items, each with the rule that it comes from."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec


class TallyItem(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One line of a tally."""

    label: str
    value: float
    rule: str = ""


class Tally(msgspec.Struct, frozen=True, omit_defaults=True):
    """An itemised sum; the same value decides, is previewed and is logged."""

    title: str
    items: tuple[TallyItem, ...] = ()

    @classmethod
    def of(cls, title: str, items: Iterable[tuple[str, float, str]]) -> Tally:
        """Build a tally from (label, value, rule), leaving out items worth nothing."""
        return cls(title, tuple([TallyItem(*item) for item in items if item[1]]))

    @property
    def total(self) -> float:
        """What the items come to."""
        return sum([item.value for item in self.items])

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.title, self.items + other.items)

    def __str__(self) -> str:
        parts = [f"{i.label} {i.value:+g}" + (f" [{i.rule}]" if i.rule else "") for i in self.items]
        return f"{self.title}: {', '.join(parts)} = {self.total:+g}" if parts else f"{self.title}: no modifiers"
