"""The client's types of messages, made from the server's: web_types.py writes them, web_types.py --check compares."""

from __future__ import annotations

import inspect
import sys
import types
import typing
from pathlib import Path
from typing import Any

import msgspec

from sandtable.engine.state import Action
from sandtable.server import messages, wire

TARGET = Path(__file__).parents[1] / "web" / "src" / "lib" / "wire.ts"
NAMES = {
    "PieceView": "Piece",
    "MarkView": "Mark",
    "TrackView": "Track",
    "RowView": "Row",
    "PanelView": "Panel",
    "BoxView": "Box",
    "View": "BareView",
    "Seen": "View",
    "Asked": "Request",
    "LosCause": "Cause",
}
"""Names that the client gives to types of Python."""
HEAD = """\
// Made by tools/web_types.py from the server's types: do not edit, run the tool again.
// Fields with their default value may be missing in what the server sends.
"""


class Writer:
    """Writes each type once, with those that it is made of."""

    def __init__(self) -> None:
        self.done: dict[str, str] = {}
        self.prefix = ""

    def name(self, kind: type) -> str:
        return NAMES.get(kind.__name__, kind.__name__)

    def of(self, kind: Any) -> str:
        """A type of Python as one of TypeScript."""
        if kind is Any or kind is msgspec.Raw or (inspect.isclass(kind) and issubclass(kind, Action)):
            return "Record<string, unknown>" if kind is not Any else "any"
        if kind in (int, float):
            return "number"
        if kind is None or kind is type(None):
            return "null"
        if kind in (str, bool):
            return {str: "string", bool: "boolean"}[kind]
        origin, args = typing.get_origin(kind), typing.get_args(kind)
        if origin is typing.Annotated:
            return self.of(args[0])
        if origin is typing.Literal:
            return " | ".join(f'"{one}"' for one in args)
        if origin in (typing.Union, types.UnionType):
            return " | ".join(dict.fromkeys(self.of(one) for one in args))
        if origin is tuple and args[-1] is not ...:
            return f"[{', '.join(self.of(one) for one in args)}]"
        if origin in (tuple, list):
            inner = self.of(args[0])
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        if origin is dict:
            return f"Record<{self.of(args[0])}, {self.of(args[1])}>"
        if inspect.isclass(kind) and issubclass(kind, msgspec.Struct):
            if kind.__struct_config__.array_like:
                hints = typing.get_type_hints(kind, include_extras=True)
                parts = [f"{self.of(hints[f.name])}{'' if f.required else '?'}" for f in msgspec.structs.fields(kind)]
                return f"[{', '.join(parts)}]"
            self.struct(kind)
            return self.name(kind)
        raise TypeError(f"{kind!r} has no form in TypeScript yet: add it to {Path(__file__).name}")

    def struct(self, kind: type[msgspec.Struct], *, message: bool = False) -> None:
        name = self.name(kind)
        if name in self.done:
            return
        self.done[name] = ""
        lines = [f"/** {inspect.getdoc(kind).splitlines()[0]} */"] if kind.__doc__ and "=" not in kind.__doc__ else []
        lines.append(f"export interface {name} {{")
        tag = kind.__struct_config__.tag
        if tag:
            lines.append(f'  t: "{tag}";')
        hints = typing.get_type_hints(kind, include_extras=True)
        for field in msgspec.structs.fields(kind):
            absent = not field.required
            lines.append(f"  {field.encode_name}{'?' if absent else ''}: {self.of(hints[field.name])};")
        self.done[name] = "\n".join([*lines, "}"])

    def union(self, name: str, kind: Any) -> None:
        self.done[name] = f"export type {name} = {' | '.join(self.of(one) for one in typing.get_args(kind))};"


def written() -> str:
    """All types as one text."""
    writer = Writer()
    writer.union("Told", wire.Sent)
    for one in typing.get_args(messages.Any_):
        # what the client says may have the name of something that it is told
        NAMES[one.__name__] = f"Say{one.__name__}"
        writer.struct(one)
    writer.union("Say", messages.Any_)
    return HEAD + "\n" + "\n\n".join(writer.done.values()) + "\n"


def main() -> int:
    """Write the file, or compare it."""
    text = written()
    if "--check" not in sys.argv[1:]:
        TARGET.write_text(text, encoding="utf-8")
        return 0
    if TARGET.read_text(encoding="utf-8") != text:
        sys.stderr.write("web/src/lib/wire.ts is not what the server's types give: run tools/web_types.py.\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
