"""The Free French: their company, whose tables they roll on, and what they put in the place of Guns (card F, SA-96)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from sasl_support import mission_without_suspects, playing

from sandtable.engine import Decided, Play
from sandtable.engine.dice import StreamDice, secret_of_seed
from sandtable.games.sasl import arrivals, force, free_french, offensives, opposition
from sandtable.games.sasl.growing import key_of
from sandtable.games.sasl.rolled import Rolled, rolled_in, scenario_of
from sandtable.games.sasl.setting_up import counter_kind
from sandtable.games.sasl.tables import cards, events
from sandtable.games.squad.pieces.kinds import printed_unit
from sandtable.games.squad.pieces.model import SquadState

GUNS = {
    "Mortier de 81": "british OML 3-in. MTR",
    "CA de 47 APX": "british 40L AT OQF 2pdr",
    "Canon de 75 1897": "british 88 ART OQF 25pdr",
    "CAJ mle 30": "british 20L AA OQF",
}


@pytest.fixture
def state() -> SquadState:
    found = mission_without_suspects()
    found.setting = key_of(found, raised(found, "B", "1942-05"))
    return found


def raised(state: SquadState, code: str, date: str, mission: int = 1) -> Rolled:
    """A set-up in which the Free French company fights."""
    base = replace(rolled_in(state), friendly=code, date=date, mission=mission, friendly_nation=cards.card(code).nation)
    play = Play(state, StreamDice(secret_of_seed(3)))
    return force.muster(play, base, force.company_named(code, date, opposition.FREE_FRENCH))


@pytest.mark.rule("S18.1")
def test_their_company_is_offered_beside_the_british_and_later_the_us_army() -> None:
    for code, date in (("B", "1940-09"), ("B", "1943-11"), ("U", "1943-12"), ("U", "1945-04")):
        assert opposition.FREE_FRENCH in [one.title for one in opposition.companies_of(code, date)]
    for code, date in (
        ("B", "1940-08"),
        ("B", "1944-01"),
        ("U", "1943-11"),
        ("B-PTO", "1942-05"),
        ("U-PTO", "1944-05"),
    ):
        assert opposition.FREE_FRENCH not in [one.title for one in opposition.companies_of(code, date)]


@pytest.mark.rule("S18.1")
def test_it_fights_with_its_own_counters(state: SquadState) -> None:
    early, late = raised(state, "B", "1942-05"), raised(state, "U", "1944-08")
    for base in (early, late):
        nations = {kind.partition(" ")[0] for kind, _ in base.units if printed(kind)}
        assert nations == {"free_french"}
        assert scenario_of(base).sides[0].title == "Free French"
    assert dict(early.units)["free_french 4-5-7"] == 9
    assert dict(late.units)["free_french M2 60mm (a)"] == 3


def printed(kind: str) -> bool:
    """Whether a kind is one of people."""
    try:
        return bool(printed_unit(kind))
    except ValueError:
        return False


@pytest.mark.rule("S18.1")
def test_a_crew_with_a_machine_gun_is_attached_before_12_43(state: SquadState) -> None:
    assert free_french.attached(raised(state, "B", "1942-05", mission=1)) == {"1-2-7": 1, "MMG": 1}
    assert free_french.attached(raised(state, "B", "1942-05", mission=19)) == {"1-2-7": 1, "HMG": 1}
    assert free_french.attached(raised(state, "U", "1944-08")) == {}
    units = dict(raised(state, "B", "1942-05").units)
    assert units["free_french 1-2-7"] == 7
    assert units["british MMG"] == 1


@pytest.mark.rule("S5.76")
@pytest.mark.parametrize("one", [one for one in cards.free_french() if one.unit in GUNS], ids=lambda one: one.unit)
def test_each_line_about_guns_takes_the_place_of_one(state: SquadState, one: cards.Substitution) -> None:
    kind = GUNS[one.unit]
    for date in ("1941-06", "1942-05", "1943-10"):
        base = replace(rolled_in(state), date=date)
        if date not in one.span:
            continue
        certain = (one.low, one.high) == (1, 6)
        play = playing(state, one.high)
        assert free_french.substitute(play, base, kind) == counter_kind("french", one.unit)
        decided = [event for event in play.events if isinstance(event, Decided)]
        assert [event.row for event in decided] == [one.unit]
        if not certain:
            stays = playing(state, one.high + 1)
            assert free_french.substitute(stays, base, kind) == kind


def test_lines_about_vehicles_mean_no_gun(state: SquadState) -> None:
    base = replace(rolled_in(state), friendly="U", date="1944-09")
    kind = counter_kind("american", "57L AT")
    assert free_french.substitute(playing(state), base, kind) == kind


def test_nobody_else_substitutes(state: SquadState) -> None:
    base = replace(rolled_in(state), friendly_nation="british")
    assert free_french.substitute(playing(state), base, GUNS["CA de 47 APX"]) == GUNS["CA de 47 APX"]


@pytest.mark.rule("S15.5")
@pytest.mark.parametrize("seed", range(4))
def test_reinforcements_by_events_are_free_french(state: SquadState, seed: int) -> None:
    for code, date, table in (("B", "1942-05", "B9"), ("U", "1944-08", "U9")):
        again = state.clone()
        again.setting = key_of(again, raised(again, code, date))
        before = set(again.units)
        play = Play(again, StreamDice(secret_of_seed(seed)))
        for event in events.events(table):
            if event.event in ("infantry", "sappers", "engineers", "guns", "AT guns", "mortars"):
                arrivals.EFFECTS[event.event](play, event)
        arrived = [unit.kind for name, unit in again.units.items() if name not in before]
        assert arrived
        assert {kind.partition(" ")[0] for kind in arrived} == {"free_french"}


@pytest.mark.rule("M4 MSR 3")
def test_their_engineers_are_their_own(state: SquadState) -> None:
    play = Play(state, StreamDice(secret_of_seed(1)))
    found = dict(offensives.engineers(play, rolled_in(state), 1))
    assert found["free_french 6-4-8"] == 2
    assert sum(count for kind, count in found.items() if kind.endswith((" DC", " FT"))) == 3
