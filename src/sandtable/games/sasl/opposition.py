"""Who meets whom, where and when: the opposition chart, and what choices leave of it (S12, S17.21)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from sandtable.games.sasl import partisan
from sandtable.games.sasl.tables import campaign
from sandtable.games.sasl.tables.campaign import Company, Opposition
from sandtable.games.sasl.tables.cards import card
from sandtable.games.sasl.tables.dates import month_text

POWERS = {
    "Germany": "G", "Italy": "I", "Italian Fascist": "I", "France": "F", "Vichy France": "F", "Britain": "B",
    "U.S.": "U", "U.S. Army": "U-PTO", "U.S.M.C.": "M", "Russia": "R", "Japan": "J", "China": "C", "Norway": "L",
    "Denmark": "L", "Netherlands": "L", "Belgium": "L", "Greece": "L", "Poland": "L", "Yugoslavia": "L",
}  # fmt: skip
"""The powers of the opposition chart that have a card; others cannot be met."""
FREE_FRENCH = "Free French Infantry"
"""The company that fights beside the British or the U.S. Army, in Europe and Africa only."""
MINORS = ("Norway", "Denmark", "Netherlands", "Belgium", "Greece", "Poland", "Yugoslavia")
PACIFIC = ("Pacific Islands", "China-Burma-India")
FIELDS = ("theatre", "friendly", "enemy", "year", "month")
"""What the chart decides, in the order in which it is settled."""
Chosen = tuple[tuple[str, str], ...]
"""What has been settled, field by field."""


class Meeting(NamedTuple):
    """A line of the opposition chart with the two powers that meet."""

    line: Opposition
    friendly: str
    enemy: str


class Possible(NamedTuple):
    """A meeting in a month."""

    meeting: Meeting
    month: str

    def value(self, field: str) -> str:
        """Theatre, FRIENDLY or ENEMY power, year or month."""
        one = self.meeting
        if field == "theatre":
            return one.line.theatre
        if field == "friendly":
            return one.friendly.rstrip("*")
        if field == "enemy":
            return one.enemy.rstrip("*")
        return self.month[:4] if field == "year" else self.month


def code_of(power: str, theatre: str) -> str:
    """The card of a power in a theatre."""
    code = POWERS.get(power.rstrip("*"), "")
    return "B-PTO" if code == "B" and theatre in PACIFIC else code


def company_card(code: str) -> str:
    """The card that a power's companies bear: one for Europe and the Pacific."""
    return {"B-PTO": "B", "U-PTO": "U"}.get(code, code)


@cache
def companies_of(code: str, date: str) -> tuple[Company, ...]:
    """The companies of a card on a date that can be made up of counters."""
    return tuple(
        one
        for one in campaign.companies()
        if one.card == company_card(code) and date in one.span and (code == one.card or one.title != FREE_FRENCH)
    )


@cache
def possibilities() -> tuple[Possible, ...]:
    """Every meeting of the chart in every month in which both sides have what they need."""
    found = []
    for line in campaign.oppositions():
        for own, others in ((line.axis, line.allies), (line.allies, line.axis)):
            for friendly in own:
                for enemy in others:
                    found += _months(Meeting(line, friendly, enemy))
    return tuple(found)


def _months(one: Meeting) -> list[Possible]:
    code, against = code_of(one.friendly, one.line.theatre), code_of(one.enemy, one.line.theatre)
    lacking = code == "L" and one.friendly.rstrip("*") != "Greece"  # the only company of the Allied Minors
    if not (code and against) or lacking:
        return []
    enemy = card(against)
    months = [month_text(month) for month in one.line.span.months()]
    return [
        Possible(one, month)
        for month in months
        if companies_of(code, month) and (enemy.span is None or month in enemy.span)
    ]


def preset(options: Mapping[str, str]) -> tuple[str, str, str]:
    """What the options of a match say of the nations and the year."""
    return options.get("friendly", "roll"), options.get("enemy", "roll"), options.get("year", "roll")


@lru_cache(maxsize=64)
def _under(wanted: str, against: str, year: str) -> tuple[Possible, ...]:
    return tuple(
        one
        for one in possibilities()
        if wanted in ("roll", company_card(code_of(one.meeting.friendly, one.meeting.line.theatre)))
        and (
            against in ("roll", company_card(code_of(one.meeting.enemy, one.meeting.line.theatre)))
            or _partisan(one, against)
        )
        and (year == "roll" or one.month.startswith(year))
    )


def _partisan(one: Possible, against: str) -> bool:
    """Whether Partisans may take the ENEMY's place in a meeting (12.21)."""
    theatre = one.meeting.line.theatre
    places = partisan.places_of(theatre, one.month, one.value("enemy"))
    return against == partisan.CODE and partisan.may_meet(code_of(one.meeting.friendly, theatre), one.month, places)


def impossible(options: Mapping[str, str]) -> bool:
    """Whether the chart never lets the nations of the options meet in their year."""
    return not _under(*preset(options))


def never(options: Mapping[str, str]) -> str:
    """What of an impossible choice the chart does not know, in words."""
    wanted, against, year = preset(options)
    if "roll" in (wanted, against):
        return f"the nation chosen meets nobody in {year}"
    when = f" in {year}" if year != "roll" and _under(wanted, against, "roll") else ""
    return f"the nations chosen never meet{when}"


def left(options: Mapping[str, str], chosen: Chosen) -> tuple[Possible, ...]:
    """What the options and the choices leave; where the nations never meet so, only the FRIENDLY one counts."""
    return _left(*preset(options), chosen)


@lru_cache(maxsize=256)
def _left(wanted: str, against: str, year: str, chosen: Chosen) -> tuple[Possible, ...]:
    among = _under(wanted, against, year) or _under(wanted, "roll", "roll")
    return tuple(one for one in among if all(one.value(field) == value for field, value in chosen))


def values(options: Mapping[str, str], chosen: Chosen, field: str) -> tuple[str, ...]:
    """What a field may be, beside what has been chosen for the others."""
    others = tuple(pair for pair in chosen if pair[0] != field)
    found = dict.fromkeys(one.value(field) for one in left(options, others))
    return tuple(sorted(found)) if field in ("year", "month") else tuple(found)


def settled(options: Mapping[str, str], chosen: Chosen) -> dict[str, str]:
    """What has been chosen, and what follows from it because nothing else is left."""
    found = dict(chosen)
    for field in FIELDS:
        if field not in found:
            possible = values(options, chosen, field)
            if len(possible) == 1:
                found[field] = possible[0]
    return found


def meetings_left(options: Mapping[str, str], chosen: Chosen) -> tuple[Meeting, ...]:
    """The meetings that are left, each once."""
    return tuple(dict.fromkeys(one.meeting for one in left(options, chosen)))


def months_left(options: Mapping[str, str], chosen: Chosen, one: Meeting) -> tuple[str, ...]:
    """The months that are left for a meeting."""
    return tuple(possible.month for possible in left(options, chosen) if possible.meeting == one)
