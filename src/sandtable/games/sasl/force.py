"""The FRIENDLY force: a campaign company with its leaders, or squads bought by house prices (S15.1, S18.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from msgspec.structs import replace

from sandtable.engine import Play
from sandtable.games.asl.deploying.part import half_of
from sandtable.games.sasl import free_french, generation
from sandtable.games.sasl.dice import rolled, say
from sandtable.games.sasl.opposition import MINORS, companies_of
from sandtable.games.sasl.readings import reading
from sandtable.games.sasl.rolled import Rolled
from sandtable.games.sasl.setting_up import counter_kind
from sandtable.games.sasl.tables import campaign
from sandtable.games.sasl.tables.campaign import Company
from sandtable.games.sasl.tables.cards import card
from sandtable.games.sasl.tables.dates import is_date, span
from sandtable.games.sasl.tables.model import NOTHING
from sandtable.games.squad.pieces.kinds import UnitKind, printed_unit
from sandtable.games.squad.pieces.model import SquadState

PURCHASE = "purchase"
"""The force that is bought, beside the companies."""
BUDGETS = {"company": 0, "80": 80, "120": 120, "160": 160, "200": 200}
"""BPV to spend, by the option; company: what the MMC of the dearest company of nation and date cost (SA-68)."""
Units = tuple[tuple[str, int], ...]
"""Counters with their nation, and how many."""


def company_named(code: str, date: str, title: str) -> Company:
    """A company of a card on a date by its title."""
    return next(one for one in companies_of(code, date) if one.title == title)


def muster(play: Play[SquadState], base: Rolled, one: Company) -> Rolled:
    """The FRIENDLY company with its leaders (S18.1, S17.81)."""
    base = free_french.enlist(base, one)
    nation = base.friendly_nation
    found: dict[str, int] = {}
    for printed, count in (*one.units.items(), *free_french.attached(base).items()):
        if printed == "Leader":
            for _ in range(count):
                kind = f"{nation} {_leader(play, base, one)}"
                found[kind] = found.get(kind, 0) + 1
        else:
            kind = free_french.counter(base, printed)
            if kind:
                found[kind] = found.get(kind, 0) + count
    return replace(base, company=f"{one.title} company", units=tuple(found.items()))


def _leader(play: Play[SquadState], base: Rolled, company: Company) -> str:
    """The type of a company's leader (S17.81)."""
    table = campaign.refit("leader")
    group = "Japanese" if base.friendly == "J" else "Other"
    drm = sum(modifier.drm for modifier in table.modifiers if _leader_fact(modifier.when, base, company))
    (dr,) = rolled(play, 1, "company leader")
    choice = table.cell(dr + drm, group=group).choices[0].item
    by = f" (drm {drm:+d})" if drm else ""
    say(play, "Company Leader Chart", table.row(dr + drm).key, (dr,), f"{choice}{by}", "S17.81")
    return choice


def _leader_fact(when: str, base: Rolled, company: Company) -> bool:
    """Whether a modifier of 17.81 such as `German 1939-42` counts."""
    squads = {name: count for name, count in company.units.items() if name.count("-") == 2}
    if when.startswith("most squads"):
        kinds = [printed_unit(counter_kind(base.friendly_nation, name)) for name in squads]
        elite = sum(c for k, c in zip(kinds, squads.values(), strict=True) if k.squad and k.unit_class == "E")
        return when == "most squads Elite" and 2 * elite > sum(squads.values())
    who, _, dates = when.rpartition(" ")
    if who.endswith("pre"):
        who, dates = who.removesuffix(" pre"), f"pre {dates}"
    nations = {"G": "German", "R": "Russian", "U": "U.S.", "B": "British or French", "F": "British or French"}
    nations |= {"C": "Chinese", "I": "Italian", "M": "U.S."}
    own = "British or French" if free_french.fight(base) else nations.get(base.friendly[0])
    return own == who and is_date(dates) and base.date in span(dates)


# -- purchase -------------------------------------------------------------------------------


def price(kind: str) -> int:
    """The house price of an MMC: FP, half its range, 2 a point of morale above 6; for a HS half of that (SA-68)."""
    one = printed_unit(kind)
    points = one.fp + one.range // 2 + 2 * (one.morale - 6)
    return max(1, points if one.squad else (points + 1) // 2)


@cache
def wares(code: str, date: str) -> tuple[str, ...]:
    """Squads that the nation's table x2 knows on a date, and their half-squads, dearest first."""
    one = card(code)
    table, when = one.dated("x2", date)
    found: dict[str, None] = {}
    for column, _, choice in table.choices():
        if (column.span is None or when in column.span) and choice.item != NOTHING:
            kind = counter_kind(one.nation, choice.item)
            if kind and printed_unit(kind).squad:
                found[kind] = None
    for kind in list(found):
        if half := half_of(kind):
            found[half] = None
    return tuple(sorted(found, key=lambda kind: (-price(kind), kind)))


def budget(options: Mapping[str, str], code: str, date: str) -> int:
    """BPV to spend (SA-68)."""
    fixed = BUDGETS[options.get("budget", "company")]
    return fixed or _dearest(code, date)


@cache
def _dearest(code: str, date: str) -> int:
    return max(company_price(code, one) for one in companies_of(code, date))


def company_price(code: str, one: Company) -> int:
    """What the squads, half-squads and crews of a company cost by the house prices."""
    nation = card(code).nation
    kinds = [(counter_kind(nation, name), count) for name, count in one.units.items() if name.count("-") == 2]
    return sum(price(kind) * count for kind, count in kinds if kind)


def cost(units: Sequence[tuple[str, int]]) -> int:
    """What has been spent on units."""
    return sum(price(kind) * count for kind, count in units)


def spend_rest(play: Play[SquadState], base: Rolled, bought: Units, points: int) -> Units:
    """Spend what is left on squads rolled on x2, then on the dearest that can still be had."""
    own = as_own(base)
    found = dict(bought)
    offered = wares(base.friendly, base.date)
    for _ in range(60):
        kind = generation.squad(play, own)
        if kind not in offered or cost(tuple(found.items())) + price(kind) > points:
            break
        found[kind] = found.get(kind, 0) + 1
    while affordable := [one for one in offered if cost(tuple(found.items())) + price(one) <= points]:
        found[affordable[0]] = found.get(affordable[0], 0) + 1
    return tuple(found.items())


def equip(play: Play[SquadState], base: Rolled, bought: Units) -> Rolled:
    """Leaders {x3} and SW {x4} for a bought force: one of each for every so many squads or part of them (SA-60)."""
    own = as_own(base)
    kinds: list[UnitKind] = [printed_unit(kind) for kind, _ in bought]
    halves = sum(count * (2 if printed_unit(kind).squad else 1) for kind, count in bought)
    found = dict(bought)
    number = -(-halves // (2 * int(reading(play.state, "rates"))))
    leaders = [generation.leader(play, own, kinds) for _ in range(number)]
    while not any(leaders):
        leaders.append(generation.leader(play, own, kinds))
    for kind in (*leaders, *[generation.support_weapon(play, own) for _ in range(number)]):
        if kind:
            found[kind] = found.get(kind, 0) + 1
    return replace(base, company="Bought force", units=tuple(found.items()))


def as_own(base: Rolled) -> Rolled:
    """The set-up as seen from the other side, so that the tables of the FRIENDLY card are rolled on."""
    groups = {"C": "GMD", "U-PTO": "elsewhere"}
    group = base.friendly_title if base.friendly_title in MINORS else groups.get(base.friendly, "")
    return replace(base, enemy=base.friendly, enemy_group=group, places=generation.facing(base))
