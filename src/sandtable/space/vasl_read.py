"""Reads the bytes of a VASL board archive: a zip with a compressed pixel grid of levels and terrain codes."""

from __future__ import annotations

import io
import re
import struct
import xml.etree.ElementTree as ElementTree
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

MAX_ARCHIVE = 128 * 1024 * 1024
MAX_MEMBER = 64 * 1024 * 1024
MAX_INFLATED = 192 * 1024 * 1024
MAX_METADATA = 4 * 1024 * 1024
MAX_MEMBERS = 4096
MAX_HEXES = 120
MAX_PIXELS = 40_000_000
MAX_SIDE = 20_000

STREAM_MAGIC = b"\xac\xed\x00\x05"
LONG_BLOCK, SHORT_BLOCK = 0x7A, 0x77


SCENARIO_RULES = ("overlaySSRule", "overlaySSRuleSet", "underlaySSRule", "colorSSR")
UNDERSTOOD = frozenset(
    {
        *SCENARIO_RULES,
        *("boardMetadata", "buildingTypes", "buildingType", "overlaySSRules", "overlaySSRuleImage"),
        *("colors", "color", "colorSSRules", "colorMap"),
    }
)
_NAMED = re.compile(r"[^\x20-\x7e]+")


class BoardImportError(ValueError):
    """The file is no VASL board archive that can be read; the message says why in one sentence."""


@dataclass(frozen=True)
class Metadata:
    """What the archive's BoardMetadata.xml says, as far as it concerns the grid and the buildings."""

    name: str = ""
    hex_width: float | None = None
    hex_height: float | None = None
    a1_x: float | None = None
    a1_y: float | None = None
    buildings: dict[str, str] = field(default_factory=dict)
    overlays: tuple[str, ...] = ()
    """Names of the overlays and changes of colour that scenario rules may call for."""
    strange: tuple[str, ...] = ()
    """Elements that are not understood."""


@dataclass(frozen=True, eq=False)
class VaslGrid:
    """The pixel grid of an archive, `[y, x]`, still in VASL's terrain codes."""

    columns: int
    rows: int
    terrain: NDArray[np.uint8]
    levels: NDArray[np.int8]
    stairways: bytes
    metadata: Metadata


def read_archive(data: bytes) -> VaslGrid:
    """Read an archive held in memory; nothing in it is ever unpacked to a file."""
    if len(data) > MAX_ARCHIVE:
        raise BoardImportError(f"the file is larger than {MAX_ARCHIVE // 2**20} MB, no board archive is that big")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _check_members(archive)
            packed = _member(archive, "LOSData", MAX_MEMBER)
            about = _member(archive, "BoardMetadata.xml", MAX_METADATA)
    except BoardImportError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, struct.error) as error:
        raise BoardImportError("the file is not a readable zip archive; copy it anew from where it came") from error
    except (NotImplementedError, RuntimeError, ValueError, OverflowError) as error:
        raise BoardImportError(f"the archive uses a zip feature that is not supported ({error})") from error
    if packed is None:
        raise BoardImportError("the archive has no LOSData member, so it is not a VASL board with LOS data")
    metadata = read_metadata(about) if about is not None else Metadata()
    return read_grid(read_stream(inflate(packed)), metadata)


def _check_members(archive: zipfile.ZipFile) -> None:
    names = archive.namelist()
    if len(names) > MAX_MEMBERS:
        raise BoardImportError(f"the archive has more than {MAX_MEMBERS} members, no board archive has that many")
    for name in names:
        path = PurePosixPath(name.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or ":" in name or "\x00" in name:
            raise BoardImportError(f"the archive holds a member with the unsafe name {name!r}")
    for wanted in ("LOSData", "BoardMetadata.xml"):
        if names.count(wanted) > 1:
            raise BoardImportError(f"the archive holds {wanted} more than once")


def _member(archive: zipfile.ZipFile, name: str, limit: int) -> bytes | None:
    """The bytes of a member, refused when it unpacks to more than the limit whatever its header says."""
    if name not in archive.namelist():
        return None
    with archive.open(name) as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise BoardImportError(f"the member {name} unpacks to more than {limit // 2**20} MB")
    return data


def inflate(packed: bytes) -> bytes:
    """Gunzip with a bound on the result."""
    engine = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        data = engine.decompress(packed, MAX_INFLATED)
    except zlib.error as error:
        raise BoardImportError(f"its LOS data is damaged ({error})") from error
    if engine.unconsumed_tail:
        raise BoardImportError(f"its LOS data unpacks to more than {MAX_INFLATED // 2**20} MB")
    if not engine.eof:
        raise BoardImportError("its LOS data breaks off before its end")
    return data


def read_stream(data: bytes) -> bytes:
    """Join the data blocks of a Java object stream that holds only primitive values."""
    if data[:4] != STREAM_MAGIC:
        raise BoardImportError("its LOS data is not a Java object stream of version 5")
    parts, at = [], 4
    while at < len(data):
        tag = data[at]
        if tag == LONG_BLOCK and at + 5 <= len(data):
            length, start = int.from_bytes(data[at + 1 : at + 5], "big"), at + 5
        elif tag == SHORT_BLOCK and at + 2 <= len(data):
            length, start = data[at + 1], at + 2
        else:
            raise BoardImportError("its LOS data holds something else than plain data blocks")
        if start + length > len(data):
            raise BoardImportError("its LOS data breaks off inside a block")
        parts.append(data[start : start + length])
        at = start + length
    return b"".join(parts)


def read_grid(payload: bytes, metadata: Metadata) -> VaslGrid:
    """The pixel grid and stairways from the joined blocks."""
    if len(payload) < 16:
        raise BoardImportError("its LOS data is too short to hold the size of a board")
    columns, rows, width, height = struct.unpack(">4i", payload[:16])
    if not (2 <= columns <= MAX_HEXES and 1 <= rows <= MAX_HEXES):
        raise BoardImportError(f"it claims to be {columns} x {rows} hexes, which is no board size")
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE and width * height <= MAX_PIXELS):
        raise BoardImportError(f"it claims to be {width} x {height} pixels, which is no board size")
    hexes = hex_count(columns, rows)
    expected = 16 + 2 * width * height + hexes
    if len(payload) != expected:
        raise BoardImportError(
            f"its LOS data has {len(payload)} bytes where a board of {columns} x {rows} hexes has {expected}"
        )
    pixels = np.frombuffer(payload, np.uint8, 2 * width * height, 16).reshape(width, height, 2)
    levels = np.ascontiguousarray(pixels[:, :, 0].T).view(np.int8)
    terrain = np.ascontiguousarray(pixels[:, :, 1].T)
    return VaslGrid(columns, rows, terrain, levels, payload[-hexes:], metadata)


def hex_count(columns: int, rows: int) -> int:
    """Hexes of a board: every second column has one more."""
    return columns * rows + columns // 2


def read_metadata(data: bytes) -> Metadata:
    """The parts of BoardMetadata.xml that change the grid or name the buildings."""
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise BoardImportError("its BoardMetadata.xml declares entities, which no board needs")
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise BoardImportError(f"its BoardMetadata.xml is not well-formed ({error})") from error
    layout = root.get("hexGridConfig") or root.get("HexGridConfig") or "Normal"
    if layout != "Normal":
        raise BoardImportError(f"its hex grid layout {layout!r} is not supported, only the normal one is")
    buildings = {
        element.get("hexName", ""): element.get("buildingTypeName", "") for element in root.iter("buildingType")
    }
    return Metadata(
        name=root.get("name", ""),
        hex_width=_number(root, "hexWidth"),
        hex_height=_number(root, "hexHeight"),
        a1_x=_number(root, "A1CenterX"),
        a1_y=_number(root, "A1CenterY"),
        buildings=buildings,
        overlays=tuple(dict.fromkeys(_name(element) for element in root.iter() if element.tag in SCENARIO_RULES)),
        strange=tuple(dict.fromkeys(str(element.tag) for element in root.iter() if element.tag not in UNDERSTOOD)),
    )


def _name(element: ElementTree.Element) -> str:
    return _NAMED.sub("", element.get("name", ""))[:60] or str(element.tag)


def _number(root: ElementTree.Element, name: str) -> float | None:
    text = root.get(name)
    if text is None or not text.strip():
        return None
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not -100_000 < value < 100_000:
        raise BoardImportError(f"its BoardMetadata.xml gives {text!r} for {name}, which is no number of pixels")
    return value
