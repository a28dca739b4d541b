"""Every mistake has its own exception, and every exception is one sentence for people."""

from __future__ import annotations


class SandtableError(Exception):
    """The base of all errors that a person can cause and mend."""


class UnknownGame(SandtableError):
    """No game of that name is registered."""


class UnknownScenario(SandtableError):
    """The game has no scenario of that name."""


class BadOption(SandtableError):
    """A match option that the scenario does not have, or a value that it does not take."""


class BadPosition(SandtableError):
    """A position file that cannot be opened."""


class CorruptRecord(SandtableError):
    """A record that is damaged or is not one of ours."""


class NewerRecord(SandtableError):
    """A record written by a later version."""


class OlderRecord(SandtableError):
    """A record of rules that are not played any more."""


class Divergence(SandtableError):
    """A record that these rules do not reproduce; `step` is the first step that differs."""

    def __init__(self, sentence: str, step: int) -> None:
        super().__init__(sentence)
        self.step = step


class ActionRefused(SandtableError):
    """The base of everything that `Match.apply` refuses; the match is unchanged."""


class IllegalAction(ActionRefused):
    """The rules forbid the action; `rule` is the number to look up."""

    def __init__(self, reason: str, rule: str = "") -> None:
        super().__init__(f"{reason} ({rule})" if any(sign.isdigit() for sign in rule) else reason)
        self.reason = reason
        self.rule = rule


class WrongSide(ActionRefused):
    """The side does not have to decide anything now."""


class StaleAction(ActionRefused):
    """The action was chosen before something else happened."""


class MatchOver(ActionRefused):
    """The match has ended."""


class CannotUndo(ActionRefused):
    """The last action cannot be taken back; the sentence says why."""


class DiceError(SandtableError):
    """Scripted or recorded dice that do not fit what the rules roll."""


class RulesFault(SandtableError):
    """The rules broke down while carrying out a legal action; the match was put back as it was."""
