"""Where things stand in a scenario file, and what its reader's complaints mean in words."""

from __future__ import annotations

import re
import types
import typing
from typing import Any

import msgspec

Path = tuple[str | int, ...]

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\s\"-]+?)\s*\]\]?\s*(#.*)?")
_KEY = re.compile(r"\s*(\w+)\s*=\s*(.*)")
_KINDS = {"int": "a whole number", "str": "text", "bool": "true or false", "array": "a list", "object": "a table"}


class Problem(msgspec.Struct, frozen=True):
    """One thing that is wrong in a scenario file: where, what, and what would be right."""

    place: str
    message: str
    line: int = 0

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return f"{where}{self.place}: {self.message}" if self.place else f"{where}{self.message}"


class Lines:
    """Line numbers of the tables, keys and list entries of a TOML file."""

    def __init__(self, text: str) -> None:
        self._found: dict[Path, int] = {}
        counts: dict[Path, int] = {}
        table: Path = ()
        array: Path | None = None
        for number, line in enumerate(text.splitlines(), start=1):
            if header := _HEADER.fullmatch(line):
                table = self._table(counts, header[2], many=header[1] == "[[")
                self._found.setdefault(table, number)
                array = None
            elif array is not None and line.strip().startswith(("{", '"', "[")):
                entry = counts[array] = counts.get(array, -1) + 1
                self._found.setdefault((*array, entry), number)
            elif key := _KEY.match(line):
                path = (*table, key[1])
                self._found.setdefault(path, number)
                array = path if key[2].strip().startswith("[") and "]" not in key[2] else None
            elif line.strip().startswith("]"):
                array = None

    @staticmethod
    def _table(counts: dict[Path, int], name: str, *, many: bool) -> Path:
        """The path that a header opens; `[group.entry]` belongs to the last group before it."""
        path: Path = ()
        parts = [part.strip().strip('"') for part in name.split(".")]
        for index, part in enumerate(parts):
            path = (*path, part)
            if many and index == len(parts) - 1:
                counts[path] = counts.get(path, -1) + 1
            if path in counts:
                path = (*path, counts[path])
        return path

    def of(self, path: Path) -> int:
        """The line of a path, or of the nearest thing around it; 0 if there is none."""
        while path:
            if path in self._found:
                return self._found[path]
            path = path[:-1]
        return 0


def parse_path(text: str) -> Path:
    """The path in a complaint such as `$.group[0].units[3].count`."""
    return tuple(int(index) if index else name for name, index in re.findall(r"\.?(\w+)|\[(\d+)\]", text[1:]))


def in_words(path: Path) -> str:
    """A path for people: `group 1, units 4, count`."""
    words: list[str] = []
    for step in path:
        if isinstance(step, int) and words:
            words[-1] += f" {step + 1}"
        else:
            words.append(str(step))
    return ", ".join(words)


def _options(kind: Any) -> list[Any]:
    if typing.get_origin(kind) in (typing.Union, types.UnionType):
        return list(typing.get_args(kind))
    return [kind]


def _structs_at(kind: Any, path: Path, value: Any) -> list[type[msgspec.Struct]]:
    """The tables that may stand at a path; a tag that is already written picks one of several."""
    structs: list[type[msgspec.Struct]] = []
    for option in _options(kind):
        if typing.get_origin(option) is tuple and path and isinstance(path[0], int):
            inner = value[path[0]] if isinstance(value, list) and path[0] < len(value) else None
            structs += _structs_at(typing.get_args(option)[0], path[1:], inner)
        elif isinstance(option, type) and issubclass(option, msgspec.Struct):
            config = option.__struct_config__
            if config.tag_field and isinstance(value, dict) and value.get(config.tag_field) != config.tag:
                continue
            if not path:
                structs.append(option)
            else:
                fields = {field.encode_name: field.type for field in msgspec.structs.fields(option)}
                if path[0] in fields:
                    inner = value.get(path[0]) if isinstance(value, dict) else None
                    structs += _structs_at(fields[str(path[0])], path[1:], inner)
    return structs


def _words_of(structs: list[type[msgspec.Struct]]) -> str:
    names = [field.encode_name for struct in structs for field in msgspec.structs.fields(struct)]
    return ", ".join(dict.fromkeys(names))


def _tags(kind: Any) -> list[str]:
    tags: list[str] = []
    for option in _options(kind):
        if typing.get_origin(option) is tuple:
            tags += _tags(typing.get_args(option)[0])
        elif isinstance(option, type) and issubclass(option, msgspec.Struct):
            tags += [str(option.__struct_config__.tag)] if option.__struct_config__.tag else []
    return tags


def explain(error: msgspec.ValidationError, kind: Any, value: Any) -> tuple[Path, str]:
    """Path and sentence for what the reader of typed data complains about."""
    text, _, place = str(error).partition(" - at `")
    path = parse_path(place.rstrip("`")) if place else ()
    if found := re.fullmatch(r"Object contains unknown field `(.+)`", text):
        words = _words_of(_structs_at(kind, path, value))
        return (*path, found[1]), f"this word means nothing here; the words are {words}"
    if found := re.fullmatch(r"Object missing required field `(.+)`", text):
        if found[1] in ("rule", "kind", "do"):
            return path, f"`{found[1]}` is missing; it is one of {', '.join(_tags(_type_at(kind, path)))}"
        return path, f"`{found[1]}` is missing"
    if found := re.fullmatch(r"Expected `(.+)`, got `(.+)`", text):
        wanted = " or ".join(_KINDS.get(word, word) for word in found[1].split(" | ") if word != "null")
        return path, f"{wanted} must stand here, not {_KINDS.get(found[2], found[2])}"
    if found := re.fullmatch(r"Invalid value '(.+)'", text):
        return path, f"{found[1]!r} is unknown; write one of {', '.join(_tags(_type_at(kind, path[:-1])))}"
    if found := re.fullmatch(r"Invalid enum value '?(.+?)'?", text):
        choices = _choices(_type_at(kind, path))
        return path, f"{found[1]!r} is unknown" + (f"; write one of {', '.join(choices)}" if choices else "")
    return path, text


def _type_at(kind: Any, path: Path) -> Any:
    for step in path:
        for option in _options(kind):
            if isinstance(step, int) and typing.get_origin(option) is tuple:
                kind = typing.get_args(option)[0]
                break
            if isinstance(option, type) and issubclass(option, msgspec.Struct):
                fields = {field.encode_name: field.type for field in msgspec.structs.fields(option)}
                if step in fields:
                    kind = fields[str(step)]
                    break
    return kind


def _choices(kind: Any) -> list[str]:
    choices: list[str] = []
    for option in _options(kind):
        if typing.get_origin(option) is typing.Literal:
            choices += [str(choice) for choice in typing.get_args(option)]
        elif typing.get_origin(option) is tuple:
            choices += _choices(typing.get_args(option)[0])
    return choices
