"""Outpost: a tiny but complete two-sided hex game that proves the engine. It is never shipped."""

from tiny.game import OUTPOST, Outpost

__all__ = ["OUTPOST", "Outpost"]
