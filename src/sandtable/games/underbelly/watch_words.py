"""Words of Watch on the Tiber (8.0): the plot, the End-Run and its table."""

from __future__ import annotations

from sandtable.engine.part import Bar, Part
from sandtable.engine.view import Description, OddsLine, Preview
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly import events as e
from sandtable.games.underbelly import model as m
from sandtable.games.underbelly.data import tables
from sandtable.games.underbelly.modifiers import DIE
from sandtable.games.underbelly.watch import LAUNCH_COST, SEND_COST, boardable, consult_cost, end_run_tally
from sandtable.games.underbelly.wording import names, plain

State = m.UnderbellyState


def _plot(state: State, side: str, action: a.Plot) -> Description:
    text = f"Plot the End-Run for turn {action.turn}" if action.turn else "Plot no End-Run"
    return Description(text, "plot", rule="8.10")


def _send(state: State, side: str, action: a.SendEndRun) -> Description:
    text = f"Send {names(action.units)} to the End-Run"
    return Description(text, "end-run", action.units, rule="8.15", cost=f"{SEND_COST} CP")


def _consult(state: State, side: str, action: a.ConsultEndRun) -> Description:
    return Description("Consult the End-Run table", "end-run", rule="8.17", cost=f"{consult_cost(state)} CP")


def _add_bar(state: State, side: str, action: a.Add) -> Bar | None:
    """Why a unit does not join the first wave (8.13)."""
    frame = state.stack[-1]
    assert isinstance(frame, m.LaunchDraft)
    if action.unit in boardable(state, frame):
        return None
    return (
        "The first wave is four full-strength divisions and one corps support unit in the box or in free ports",
        "8.13",
    )


def _preview(state: State, side: str, action: a.ConsultEndRun) -> Preview:
    tally = end_run_tally(state)
    chart = tables()["end_run"]
    counts = dict.fromkeys(
        ("Allied victory", "stalemate, 8 steps", "stalemate, 4 steps", "undecided", "German victory"), 0
    )
    for die in range(1, DIE + 1):
        result = die + tally.total
        if result >= chart["win"]["least"]:
            counts["Allied victory"] += 1
        elif result <= chart["lose"]["most"]:
            counts["German victory"] += 1
        else:
            counts["stalemate, 8 steps" if result == 9 else "stalemate, 4 steps" if result == 8 else "undecided"] += 1
    return Preview("End-Run", (tally,), tuple(OddsLine(label, n / DIE) for label, n in counts.items() if n))


def _plotted(state: State, event: e.Plotted) -> str:
    if event.turn < 0:
        return "The Allied player has written down his plan for an End-Run"
    return f"Plot: End-Run on turn {event.turn}" if event.turn else "Plot: no End-Run"


def _joined(state: State, event: e.EndRunJoined) -> str:
    return f"{names(event.units)} {'joins' if len(event.units) == 1 else 'join'} the fight up north"


def _rolled(state: State, event: e.EndRunRolled) -> str:
    steps = f"; the Germans must withdraw {event.steps} steps" if event.steps else ""
    return f"End-Run result {event.result}{steps}"


PART: Part[State] = Part(
    describe={
        a.Plot: _plot,
        a.LaunchEndRun: plain("Launch the End-Run", "end-run", "8.13", "l", cost=LAUNCH_COST),
        a.SendEndRun: _send,
        a.ConsultEndRun: _consult,
    },
    why_not={(m.LaunchDraft, a.Add): _add_bar},
    preview={a.ConsultEndRun: _preview},
    prompts={
        m.Plotting: lambda state, frame: ("Plot an End-Run in secret, or none", "8.10"),
        m.LaunchDraft: lambda state, frame: ("Choose four full-strength divisions and one corps support unit", "8.13"),
    },
    words={
        e.Plotted: _plotted,
        e.EndRunLaunched: lambda state, event: f"End-Run launched: {names(event.units)}",
        e.EndRunJoined: _joined,
        e.EndRunRolled: _rolled,
    },
)
