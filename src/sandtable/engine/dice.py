"""Dice: a committed cryptographic stream for play, and scripted, recorded and sampled dice."""

from __future__ import annotations

import hashlib
import hmac
import random
from collections.abc import Iterable, Sequence
from typing import Protocol, Self

from sandtable.engine.errors import DiceError

Roll = tuple[int, tuple[int, ...]]
"""Sides of the dice, and the faces rolled."""


class Dice(Protocol):
    """Whatever can roll: the rules know nothing more of dice."""

    position: int
    """How far the dice have got; setting it back makes them roll the same again."""

    def roll(self, sides: int, n: int, why: str) -> tuple[int, ...]:
        """Roll n dice."""
        ...

    def clone(self) -> Self:
        """Dice that will roll the same, independently."""
        ...


def secret_of_seed(seed: int) -> bytes:
    """The secret of a reproducible match: known to everybody who knows the seed."""
    return hashlib.sha256(b"sandtable seed " + str(seed).encode()).digest()


def commitment(secret: bytes, match_id: str) -> str:
    """What is published at the start: it binds the secret without telling it."""
    return hashlib.sha256(secret + match_id.encode()).hexdigest()


def mixed(key: bytes, side: str, number: str) -> bytes:
    """The key of the dice after a player has added a number: nobody who lacks one of both can know it."""
    return hmac.digest(key, b"sandtable number " + side.encode() + b" " + bytes.fromhex(number), "sha256")


class StreamDice:
    """HMAC-SHA256 of a counter, keyed by a 256-bit secret; bytes beyond the last full range are rejected."""

    __slots__ = ("_block", "_key", "_number", "position")

    def __init__(self, secret: bytes) -> None:
        if len(secret) != 32:
            raise DiceError(f"A dice secret has 32 bytes, not {len(secret)}.")
        self._key = secret
        self._number = -1
        self._block = b""
        self.position = 0

    def clone(self) -> StreamDice:
        new = StreamDice.__new__(StreamDice)
        new._key, new._number, new._block, new.position = self._key, self._number, self._block, self.position
        return new

    def mix(self, side: str, number: str) -> None:
        """Go on with a key that depends on a player's number as well."""
        self._key = mixed(self._key, side, number)
        self._number = -1

    def _byte(self) -> int:
        number, at = divmod(self.position, 32)
        if number != self._number:
            self._block = hmac.digest(self._key, number.to_bytes(8, "big"), "sha256")
            self._number = number
        self.position += 1
        return self._block[at]

    def roll(self, sides: int, n: int, why: str) -> tuple[int, ...]:
        if sides < 1:
            raise DiceError(f"A die needs at least one side, not {sides} ({why}).")
        faces: list[int] = []
        if sides <= 256:
            limit = 256 - 256 % sides
            while len(faces) < n:
                value = self._byte()
                if value < limit:
                    faces.append(value % sides + 1)
            return tuple(faces)
        size = (sides.bit_length() + 7) // 8
        limit = 256**size - 256**size % sides
        while len(faces) < n:
            value = self._byte()
            for _ in range(size - 1):
                value = value * 256 + self._byte()
            if value < limit:
                faces.append(value % sides + 1)
        return tuple(faces)


class ScriptedDice:
    """Dice for tests: the faces in order; too many or too few is an error."""

    def __init__(self, *faces: int) -> None:
        self.faces = list(faces)
        self.position = 0

    def clone(self) -> ScriptedDice:
        new = ScriptedDice(*self.faces)
        new.position = self.position
        return new

    def roll(self, sides: int, n: int, why: str) -> tuple[int, ...]:
        faces = tuple(self.faces[self.position : self.position + n])
        if len(faces) < n:
            raise DiceError(f"The script has {len(faces)} dice left, but {n} are rolled for {why}.")
        bad = [face for face in faces if not 1 <= face <= sides]
        if bad:
            raise DiceError(f"The script says {bad[0]} for a die of {sides} sides, rolled for {why}.")
        self.position += n
        return faces

    def done(self) -> None:
        """Fail loudly if dice are left over."""
        if self.position < len(self.faces):
            raise DiceError(f"{len(self.faces) - self.position} scripted dice were not rolled.")


class RecordedDice:
    """The rolls of a record, given again; a roll of another kind is an error."""

    def __init__(self, rolls: Iterable[Roll]) -> None:
        self.rolls: Sequence[Roll] = tuple(rolls)
        self.position = 0

    def clone(self) -> RecordedDice:
        new = RecordedDice(self.rolls)
        new.position = self.position
        return new

    def roll(self, sides: int, n: int, why: str) -> tuple[int, ...]:
        if self.position >= len(self.rolls):
            raise DiceError(f"The record has no roll for {why}.")
        recorded_sides, faces = self.rolls[self.position]
        if recorded_sides != sides or len(faces) != n:
            raise DiceError(f"The record has {len(faces)}d{recorded_sides} where {n}d{sides} is rolled for {why}.")
        self.position += 1
        return faces


class SampledDice:
    """Quick dice for search and simulation of what might happen."""

    __slots__ = ("_random", "position")

    def __init__(self, source: random.Random) -> None:
        self._random = source
        self.position = 0

    def clone(self) -> SampledDice:
        copy = random.Random()
        copy.setstate(self._random.getstate())
        return SampledDice(copy)

    def roll(self, sides: int, n: int, why: str) -> tuple[int, ...]:
        rnd = self._random.random
        return tuple([int(rnd() * sides) + 1 for _ in range(n)])


class BranchingDice:
    """Dice that take every outcome in turn; `advance` goes on to the next one."""

    def __init__(self) -> None:
        self._path: list[tuple[int, int, int]] = []  # (sides, n, number of the outcome)
        self.position = 0

    def clone(self) -> BranchingDice:
        new = BranchingDice()
        new._path = self._path.copy()
        new.position = self.position
        return new

    @property
    def probability(self) -> float:
        """How likely the outcome just taken is."""
        p = 1.0
        for sides, n, _ in self._path[: self.position]:
            p /= sides**n
        return p

    def roll(self, sides: int, n: int, why: str) -> tuple[int, ...]:
        if self.position == len(self._path):
            self._path.append((sides, n, 0))
        kind_sides, kind_n, number = self._path[self.position]
        if (kind_sides, kind_n) != (sides, n):
            raise DiceError(f"The rules rolled {n}d{sides} where they rolled {kind_n}d{kind_sides} before ({why}).")
        self.position += 1
        faces: list[int] = []
        for _ in range(n):
            number, face = divmod(number, sides)
            faces.append(face + 1)
        return tuple(reversed(faces))

    def advance(self) -> bool:
        """Turn to the next outcome; False when all have been taken."""
        del self._path[self.position :]
        self.position = 0
        while self._path:
            sides, n, number = self._path.pop()
            if number + 1 < sides**n:
                self._path.append((sides, n, number + 1))
                return True
        return False
