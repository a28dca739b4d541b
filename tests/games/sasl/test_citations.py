"""What the log cites are rules that can be looked up: by their number, with their title."""

from __future__ import annotations

from sasl_support import OPTIONS

import sandtable
from sandtable.engine import Decided
from sandtable.engine.registry import register
from sandtable.games.sasl import GAME
from sandtable.games.sasl.charts import chart
from sandtable.games.sasl.tables import general

register(GAME)


def test_citations_have_no_dot_and_a_title() -> None:
    titles = GAME.rule_titles()
    assert not [number for number in titles if number.endswith(".")]
    match = sandtable.new("sasl/5", seed=3, options=OPTIONS)
    cited = {event.rule for _, event in match.events(everything=True) if isinstance(event, Decided)}
    assert {"S13.21", "S12.32"} <= cited
    assert cited - set(titles) <= {"A6"}, "the tables of numbers have no rule of their own"


def test_a_table_cites_the_rule_of_chapter_s_and_not_one_of_the_starter_kit() -> None:
    assert general.table("A5").cites == "S5.74"
    assert (chart("A5") or {})["rule"] == "S5.74"
