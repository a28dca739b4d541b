"""What a checked record proves about its dice, and what it does not."""

from __future__ import annotations

import msgspec

from sandtable.engine.record import Number, Record, Step


class Proof(msgspec.Struct, frozen=True):
    """Counts of rolls by what they depend on."""

    rolls: int
    alone: int
    """Rolls before any player had added a number: of the server's secret alone."""
    partly: int
    """Rolls after the first number and before the last."""
    numbers: tuple[str, ...]
    """The sides that added one, in their order."""
    noted: bool
    """Whether the commitment is one that somebody noted at the start."""
    seeded: bool
    entries: int
    ended: str
    own: bool = False
    """Whether one of the numbers is that of whoever asks."""
    later: int = 0
    """Rolls after a number that was added later than that one."""

    def sentences(self) -> list[str]:
        """In words."""
        if self.seeded:
            return ["The match was seeded by its players: its dice are reproducible, not secret."]
        told = []
        if self.noted:
            told.append("The server's secret is the one that was committed to when the match was made.")
        else:
            told.append(
                "The secret fits the commitment in the record. Whether that is the one shown at the start, only "
                "somebody who noted it then can say: give it with --commitment."
            )
        after = self.rolls - self.alone - self.partly
        if self.numbers:
            who = " and ".join(self.numbers)
            told.append(
                f"{after} of {self.rolls} rolls depend also on the numbers that {who} added: nobody could know or "
                "choose them beforehand who did not know both the secret and these numbers."
            )
        if self.alone:
            told.append(
                f"{self.alone} of {self.rolls} rolls depend on the server's secret alone: whoever made the secret "
                "could have chosen it for them."
            )
        if self.partly:
            told.append(f"{self.partly} of {self.rolls} rolls were made before the last number was added.")
        if self.later:
            told.append(
                f"{self.later} of {self.rolls} rolls were made after a number that was added later than yours: whoever "
                "added it could have chosen it for them if he knew the secret and yours."
            )
        if self.numbers and not self.own:
            told.append(
                "Who knows the secret by now can write a record with other numbers: whether yours is in this one, you "
                "learn with --number."
            )
        end = f"it ended: {self.ended}" if self.ended else "it does not say how the match ended"
        told.append(f"That nothing was cut off the end is not proven: the record has {self.entries} steps, and {end}.")
        return told


def proof_of(record: Record, *, noted: bool, own: str = "") -> Proof:
    """What a record proves that `verify` has found right, to whoever has added the number `own`."""
    rolls = alone = len(record.start)
    partly = later = 0
    mine = others = False
    numbers: list[str] = []
    for entry in record.entries:
        if isinstance(entry, Number):
            partly = rolls - alone  # what came after the last number so far did not wait for this one
            numbers.append(entry.side)
            mine, others = mine or entry.number == own, mine
        elif isinstance(entry, Step):
            rolls += len(entry.rolls)
            later += len(entry.rolls) * others
            if not numbers:
                alone += len(entry.rolls)
    end = record.ended or record.outcome
    ended = end.reason if end is not None else ""
    seeded = record.header.seed is not None
    return Proof(rolls, alone, partly, tuple(numbers), noted, seeded, len(record.entries), ended, mine, later)
