"""The legal lists of a golden game, a line for each decision: a digest, and how many actions of each kind there are."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import msgspec

import sandtable
from sandtable.engine import Match


def legal_line(match: Match) -> str:
    """`digest side Kind*count ...` of the decision that is due; the counts tell what has changed, the digest that."""
    if not match.to_act:
        return "-"
    side = match.to_act[0]
    actions = match.actions(side).all
    digest = hashlib.sha256(b"\n".join(msgspec.json.encode(action) for action in actions)).hexdigest()[:8]
    kinds = Counter(type(action).__name__ for action in actions)
    return f"{digest} {side} " + " ".join(f"{kind}*{count}" if count > 1 else kind for kind, count in kinds.items())


def legal_lines(record: Path) -> list[str]:
    """A line for the start and for every step of a record."""
    lines: list[str] = []
    sandtable.replay(record, each=lambda match, number: lines.append(legal_line(match)))
    return lines


def difference(before: list[str], now: list[str]) -> str:
    """Where two lists of lines part first, in words; empty: they are the same."""
    for number, (old, new) in enumerate(zip(before, now, strict=False)):
        if old != new:
            return f"before step {number + 1}: was {old}; is {new}"
    return "" if len(before) == len(now) else f"{len(before)} decisions before, {len(now)} now"
