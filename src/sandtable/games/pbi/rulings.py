"""The rulings: what the sheet does not settle, as switches of a match."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

import msgspec

from sandtable.engine import Option
from sandtable.reading import convert


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One question with the answers that can be chosen."""

    id: str
    group: str
    rule: str
    title: str
    question: str
    default: str
    values: dict[str, str]
    reason: str


@cache
def rulings() -> dict[str, Ruling]:
    """All rulings in the order of the data file."""
    text = (resources.files("sandtable.games.pbi") / "rulings.toml").read_text(encoding="utf-8")
    return {name: convert({"id": name, **values}, Ruling) for name, values in tomllib.loads(text).items()}


class Rules(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answers in force in a match; the fields are the ids of the rulings."""

    range_count: str = "diagonals"
    proximity: str = "eight"
    sight_blockers: str = "wood and building"
    sight_corner: str = "both"
    smoke_between: str = "stops"
    fields: str = "partial"
    foot_steps: str = "eight"
    clustering: str = "8"
    vehicles_in_square: str = "3"
    motivation_plus: str = "on the way"
    motivator: str = "nearest"
    leaderless: str = "six"
    motivation_failed: str = "nothing"
    foot_points: str = "each base"
    pinned_group: str = "any"
    residual: str = "one or less"
    pin_removal: str = "group"
    casualty_removal: str = "any group"
    embark: str = "2"
    towing: str = "two"
    group_reroll: str = "group move"
    foot_hit: str = "4"
    opportunity_score: str = "hits"
    opportunity_guns: str = "5,6 first"
    opportunity_limit: str = "once"
    opportunity_trigger: str = "moves"
    return_shooting: str = "target"
    pinned_reacts: str = "no"
    pin_trigger: str = "hit"
    commander_saves: str = "yes"
    mounted_mg: str = "target"
    hits_spread: str = "even"
    he_hits: str = "by gun"
    he_saves: str = "flat"
    flame_factors: str = "foot 7"
    flame_cost: str = "4"
    flame_reach: str = "1"
    flame_near: str = "yes"
    flame_reacts: str = "no"
    weapon_reach: str = "house"
    aspect: str = "3-2-3"
    gun_arc: str = "widening"
    immobilised_shoots: str = "yes"
    deviation_reroll: str = "battle's defender"
    mortar_sight: str = "spotter"
    third_mortar: str = "pins"
    he_dice: str = "each"
    riders_bombed: str = "yes"
    smoke_artillery: str = "not on smoke"
    carried_shelled: str = "yes"
    smoke_upkeep: str = "own"
    assets_per_turn: str = "1"
    assault_from: str = "four"
    assault_reaction: str = "target"
    assault_minimum: str = "1"
    panzerfaust_target: str = "no"
    transport_dice: str = "none"
    mounted_targets: str = "two"
    transport_toll: str = "one"
    pursuit: str = "with vehicles"
    assaulter_falls_back: str = "start"
    fall_back_blocked: str = "stops"
    fall_back_room: str = "whole"
    assault_winner: str = "finished"
    rout: str = "removed"
    auto_removal: str = "began larger"
    new_officer: str = "4"
    officer_roll: str = "activated"
    commander_things: str = "freely"
    first_turn: str = "attacker"
    reinforcement: str = "4"
    arrival_group: str = "4"
    defender_on_table: str = "2"
    attacker_off_table: str = "2"
    arrival_deviation: str = "1 and 6"
    countdown: str = "21"
    unit_value: str = "1"
    objective_taken: str = "foot there"
    annihilation: str = "at once"
    tie: str = "defender"


@cache
def ruling_options() -> tuple[Option, ...]:
    """Each ruling as an option of a match, its group before its title."""
    return tuple(
        Option(
            ruling.id,
            f"{ruling.group}: {ruling.title}",
            (ruling.default, *(value for value in ruling.values if value != ruling.default)),
            f"{ruling.question} "
            + "; ".join(f"{value}: {meaning}" for value, meaning in ruling.values.items())
            + f". {ruling.reason}",
            reading=True,
        )
        for ruling in rulings().values()
    )


def rules_of(options: Mapping[str, str]) -> Rules:
    """The rules of a match from its options."""
    return Rules(**{name: options[name] for name in Rules.__struct_fields__ if name in options})


def rulings_page() -> str:
    """The page of rulings for people, from the data file."""
    lines = [
        "# Rulings: PBI",
        "",
        "PBI is played here from its quick-reference sheet. Everything printed on the sheet is played as printed;",
        "every question that it leaves open is answered below. Each answer is an option of a match: name the ruling",
        'and the value, for example `sandtable.new("pbi/crossroads", options={"pin_trigger": "loss"})`, or choose it',
        "in the client when a match is made. The values of weapons, vehicles, army lists and points are house values",
        "as well; they stand in the data files `kinds.toml` and `lists.toml` of the game. This page is made from",
        "`rulings.toml`, and a test keeps the two in step. Source of all entries: ruled.",
    ]
    group = ""
    for ruling in rulings().values():
        if ruling.group != group:
            group = ruling.group
            lines += ["", f"## {group}"]
        lines += ["", f"**{ruling.id}** ({ruling.rule}). {ruling.question}", ""]
        for value, meaning in ruling.values.items():
            mark = " (default)" if value == ruling.default else ""
            lines.append(f"- `{value}`{mark}: {meaning}")
        lines += ["", f"Reason: {ruling.reason}"]
    return "\n".join(lines) + "\n"
