"""Starting matches: from a scenario, from a position file, from a record."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import tomllib
from collections.abc import Callable, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from sandtable.engine.dice import Dice, RecordedDice, Roll, StreamDice, commitment, secret_of_seed
from sandtable.engine.errors import (
    BadOption,
    BadPosition,
    CorruptRecord,
    DiceError,
    Divergence,
    NewerRecord,
    OlderRecord,
    SandtableError,
)
from sandtable.engine.game import Game, ScenarioInfo
from sandtable.engine.match import Match
from sandtable.engine.record import Header, Number, Record, Step, Takeback, read_body, read_header, write_whole
from sandtable.engine.registry import get_game, get_scenario
from sandtable.engine.state import Action


def new(
    what: str | Path | Mapping[str, Any],
    *,
    seed: int | None = None,
    options: Mapping[str, str] | None = None,
    dice: Dice | None = None,
    secret: bytes | None = None,
    match_id: str | None = None,
) -> Match:
    """Start a match: `game/scenario`, the path of a position file, or a position as data.

    Without a seed the dice come from a fresh secret that nobody knows.
    """
    if isinstance(what, str) and not what.endswith((".toml", ".json")):
        name, _, scenario = what.partition("/")
        game = get_game(name)
        info = get_scenario(game, scenario) if scenario else game.scenarios()[0]
        return _begin(game, info, options or {}, None, seed, dice, secret, match_id)
    position = read_position_file(Path(what)) if isinstance(what, (str, Path)) else what
    game, info, from_file = _position_header(position)
    chosen = {**from_file, **(options or {})}
    return _begin(game, info, chosen, position, seed, dice, secret, match_id)


def check_options(info: ScenarioInfo, options: Mapping[str, str]) -> dict[str, str]:
    """All options of a scenario with their values; unknown names and values are refused."""
    known = {option.id: option for option in info.options}
    for name, value in options.items():
        if name not in known:
            names = ", ".join(known) or "none"
            raise BadOption(f"{info.id} has no option {name!r}; it has {names}.")
        option = known[name]
        if value not in option.values and not (option.pattern and re.fullmatch(option.pattern, value)):
            raise BadOption(f"Option {name} is one of {', '.join(known[name].values)}, not {value!r}.")
    return {name: options.get(name, option.values[0]) for name, option in known.items()}


def _begin(
    game: Game[Any],
    info: ScenarioInfo,
    options: Mapping[str, str],
    position: Mapping[str, Any] | None,
    seed: int | None,
    dice: Dice | None,
    secret: bytes | None,
    match_id: str | None,
) -> Match:
    chosen = check_options(info, options)
    if secret is None:
        secret = secrets.token_bytes(32) if seed is None else secret_of_seed(seed)
    if match_id is None:
        name = hashlib.sha256(f"{game.id}/{info.id} {seed}".encode()).hexdigest()
        match_id = secrets.token_hex(8) if seed is None else name[:16]
    header = Header(
        game=game.id,
        scenario=info.id,
        sides=info.sides,
        rules_version=game.rules_version,
        match_id=match_id,
        commitment=commitment(secret, match_id),
        options={name: value for name, value in chosen.items() if value != _default(info, name)},
        seed=seed,
        position=dict(position) if position is not None else None,
        secret=secret.hex(),
    )
    return _first(game, header, chosen, dice or StreamDice(secret))


def _default(info: ScenarioInfo, name: str) -> str:
    return next(option.values[0] for option in info.options if option.id == name)


def _first(game: Game[Any], header: Header, chosen: Mapping[str, str], dice: Dice) -> Match:
    if header.position is None:
        return Match(game, header, game.setup(header.scenario, chosen), dice)
    try:
        check_content(header.position["state"])
        state = game.read_position(header.scenario, chosen, header.position["state"])
        if not getattr(state, "stack", ()) and game.outcome(state) is None:
            raise ValueError("nothing is going on in it, its stack is empty")
        match = Match(game, header, state, dice)
        _look_at(match)
        return match
    except DiceError:
        raise
    except Exception as error:  # a position is somebody's text: whatever it breaks, the sentence is for him
        what = error if isinstance(error, (ValueError, SandtableError)) else f"{type(error).__name__} {error}"
        raise BadPosition(f"The position does not fit {game.id}/{header.scenario}: {what}.") from None


def _look_at(match: Match) -> None:
    """Whatever cannot be shown or played on should be told now, not in the middle of the match."""
    for side in (*match.sides, None):
        match.game.view(match.state, side)
    for side in match.to_act:
        for action in match.actions(side):
            match.describe(side, action)


# -- positions --------------------------------------------------------------------------

MOST_ENTRIES = 400
"""Entries of one list or table of a position; the biggest scenario has 85."""
MOST_VALUES = 10_000
MOST_LETTERS = 1_000
DEEPEST = 20


def check_content(value: Any) -> None:
    """Refuse a position that is too big to play; raises ValueError with a sentence."""
    values = 0
    waiting: list[tuple[Any, int]] = [(value, 0)]
    while waiting:
        item, depth = waiting.pop()
        parts: list[Any] = []
        if isinstance(item, Mapping):
            parts = [*item.keys(), *item.values()]
        elif isinstance(item, (list, tuple)):
            parts = list(item)
        elif isinstance(item, str) and len(item) > MOST_LETTERS:
            raise ValueError(f"a text in it has {len(item):,} letters, at most {MOST_LETTERS:,} are read")
        elif type(item) is int and item.bit_length() > 63:
            raise ValueError("a number in it is too big")
        if parts and len(item) > MOST_ENTRIES:
            raise ValueError(f"it has a list of {len(item):,} entries, at most {MOST_ENTRIES} can be played with")
        values += len(parts)
        if values > MOST_VALUES:
            raise ValueError(f"it has more than {MOST_VALUES:,} values")
        if parts and depth >= DEEPEST:
            raise ValueError("its lists and tables are nested too deeply")
        waiting += [(part, depth + 1) for part in parts]


def read_position_file(path: Path) -> dict[str, Any]:
    """The data of a position file (TOML or JSON)."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadPosition(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise BadPosition(f"{path} is not a text file.") from None
    try:
        data = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadPosition(f"{path} cannot be read: {error}.") from None
    if not isinstance(data, dict):
        raise BadPosition(f"{path} is not a position: it should be a table with game, scenario and state.")
    return data


def _position_header(position: Mapping[str, Any]) -> tuple[Game[Any], ScenarioInfo, dict[str, str]]:
    for key, kind in (("game", str), ("scenario", str), ("state", Mapping)):
        if not isinstance(position.get(key), kind):
            raise BadPosition(f"The position has no {key}: it needs game, scenario and state.")
    number = position.get("sandtable_position", 1)
    if number != 1:
        raise BadPosition(f"The position has format {number!r}, this version reads format 1: update Sandtable.")
    options = position.get("options", {})
    if not isinstance(options, Mapping) or not all(isinstance(value, str) for value in options.values()):
        raise BadPosition("The position's options must be a table of names and texts.")
    game = get_game(position["game"])
    return game, get_scenario(game, position["scenario"]), dict(options)


def save_position(position: Mapping[str, Any], path: str | Path) -> None:
    """Write a position to a TOML or JSON file, whole or not at all."""
    if str(path).endswith(".json"):
        write_whole(path, json.dumps(position, indent=1) + "\n")
    else:
        write_whole(path, tomli_w.dumps(_without_none(position)))


def _without_none(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_none(item) for key, item in value.items() if item is not None}
    if isinstance(value, (list, tuple)):
        return [_without_none(item) for item in value]
    return value


# -- records ----------------------------------------------------------------------------

NOTED = 16
"""Digits of a commitment that must have been noted at least."""


def read_record(text: str) -> Record:
    """A record from its lines; raises CorruptRecord, NewerRecord or UnknownGame."""
    header, lines = read_header(text)
    game = get_game(header.game)
    if header.rules_version > game.rules_version:
        raise NewerRecord(
            f"The record uses version {header.rules_version} of the rules of {game.id}; "
            f"this version knows up to {game.rules_version}: update Sandtable."
        )
    if header.rules_version < game.oldest_record:
        raise OlderRecord(
            f"The record uses version {header.rules_version} of the rules of {game.id}, which this version does not "
            f"play any more: records are read from version {game.oldest_record} on."
        )
    return read_body(header, lines, game.action_type)


def load_record(path: str | Path) -> Record:
    """A record from a file."""
    try:
        return read_record(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise CorruptRecord(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise CorruptRecord(f"{path} is not a text file.") from None


def replay(
    record: Record | str | Path, *, steps: int | None = None, each: Callable[[Match, int], None] | None = None
) -> Match:
    """Play a record again (its first `steps` entries) and check that every roll comes out the same.

    `each` is called with the match and the number of entries played: at the start and after every entry.
    """
    if not isinstance(record, Record):
        record = load_record(record)
    header = record.header
    game = get_game(header.game)
    info = get_scenario(game, header.scenario)
    chosen = check_options(info, header.options)
    secret = record.secret
    if secret is None and header.seed is not None:
        secret = secret_of_seed(header.seed).hex()
    if secret is not None:
        if commitment(bytes.fromhex(secret), header.match_id) != header.commitment:
            raise CorruptRecord("The secret of the record does not fit what was committed to at the start.")
        dice: Dice = StreamDice(bytes.fromhex(secret))
    else:
        steps_only = [entry for entry in record.entries if isinstance(entry, Step)]
        dice = RecordedDice([*record.start, *(roll for step in steps_only for roll in step.rolls)])
    match = _first(game, msgspec.structs.replace(header, secret=secret), chosen, dice)
    _same_rolls(match.start_rolls, record.start, 0)
    if each is not None:
        each(match, 0)
    for number, entry in enumerate(record.entries[:steps], 1):
        try:
            if isinstance(entry, Takeback):
                match.rewind(entry.steps, entry.side, consent=entry.consent)
            elif isinstance(entry, Number):
                match.add_number(entry.side, entry.number)
            elif isinstance(entry.action, Action):
                match.apply(entry.side, entry.action)
            else:
                raise CorruptRecord("the rules know no such action")
        except SandtableError as error:
            raise Divergence(f"Step {number} of the record cannot be played: {error}", number) from error
        if isinstance(entry, Step):
            _same_rolls(match.last_rolls, entry.rolls, number)
        if each is not None:
            each(match, number)
    if steps is None and record.secret is not None and record.outcome != match.outcome:
        sentence = f"The record ends with {record.outcome}, these rules with {match.outcome}."
        raise Divergence(sentence, len(record.entries))
    return match


def _same_rolls(rolled: tuple[Roll, ...], recorded: tuple[Roll, ...], step: int) -> None:
    for number, (ours, theirs) in enumerate(zip_longest(rolled, recorded), 1):
        if ours != theirs:  # one of them will do: a turn of an enemy that the rules lead has hundreds
            sentence = (
                f"Roll {number} of step {step} of the record says {_roll(theirs)}, but its dice roll {_roll(ours)}."
            )
            raise Divergence(sentence, step)


def _roll(roll: Roll | None) -> str:
    return "nothing" if roll is None else f"{' '.join(map(str, roll[1]))} on {roll[0]} sides"


def verify(record: Record | str | Path, *, commitment: str | None = None, number: str | None = None) -> Match:
    """Check every roll of a finished match against the secret that was committed to.

    `commitment` is what a player noted at the start: without it a whole record could have been made afterwards.
    `number` is the one that he added: whoever knows the secret by now could write a record with another one.
    """
    if not isinstance(record, Record):
        record = load_record(record)
    if record.secret is None and record.header.seed is None:
        raise CorruptRecord("The match is not over: its dice can be checked when the secret has been revealed.")
    noted = (commitment or "").strip().lower()
    if commitment is not None and (len(noted) < NOTED or not record.header.commitment.startswith(noted)):
        what = f"The record has the commitment {record.header.commitment}, not the one that was noted, {noted}"
        raise CorruptRecord(f"{what}: these are not the dice that were promised.")
    added = [entry.number for entry in record.entries if isinstance(entry, Number)]
    if number is not None and number.strip().lower() not in added:
        raise CorruptRecord("No player of the record added the number that was noted: these are not the match's dice.")
    return replay(record)
