"""What one rule file adds to a game of the family; `game.py` joins the parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sandtable.engine import Action, Event, Frame, Procedure
from sandtable.engine.view import Description, Preview, Refusal
from sandtable.games.squad.model import SquadState

Describe = Callable[[SquadState, str, Any], Description]
Words = Callable[[SquadState, Any], str]
WhyNot = Callable[[SquadState, str, Any], tuple[str, str] | None]
MakePreview = Callable[[SquadState, str, Any], Preview | None]
Refusals = Callable[[SquadState, str, Any], Sequence[Refusal]]
Prompt = Callable[[SquadState, Any], tuple[str, str]]


class Part:
    """Procedures by frame; words by action, event and frame."""

    def __init__(
        self,
        *,
        procedures: Mapping[type[Frame], Procedure[SquadState, Any]] | None = None,
        describe: Mapping[type[Action], Describe] | None = None,
        words: Mapping[type[Event], Words] | None = None,
        why_not: Mapping[type[Action], WhyNot] | None = None,
        preview: Mapping[type[Action], MakePreview] | None = None,
        refusals: Mapping[type[Frame], Refusals] | None = None,
        prompts: Mapping[type[Frame], Prompt] | None = None,
    ) -> None:
        self.procedures = dict(procedures or {})
        self.describe = dict(describe or {})
        """Every action type must be described somewhere: the game's list of actions is made of it."""
        self.words = dict(words or {})
        self.why_not = dict(why_not or {})
        self.preview = dict(preview or {})
        self.refusals = dict(refusals or {})
        self.prompts = dict(prompts or {})
        """What the player is asked, with the rule."""
