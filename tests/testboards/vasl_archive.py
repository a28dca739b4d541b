"""Builds small board archives in VASL's format, good ones and bad ones, for the tests of the import."""

from __future__ import annotations

import gzip
import io
import struct
import zipfile

import numpy as np
from numpy.typing import NDArray

MAGIC = b"\xac\xed\x00\x05"


def blank(columns: int = 5, rows: int = 3) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    """Terrain codes and levels of open ground, `[y, x]`, in the usual hex size."""
    shape = (int(rows * 64.5), int((columns - 1) * 56.25))
    return np.zeros(shape, np.uint8), np.zeros(shape, np.int8)


def payload(terrain: NDArray[np.uint8], levels: NDArray[np.int8], columns: int = 5, rows: int = 3) -> bytes:
    """The numbers of LOSData: sizes, pixels column by column, stairways."""
    height, width = terrain.shape
    pixels = np.stack([levels.view(np.uint8).T, terrain.T], axis=2).tobytes()
    return struct.pack(">4i", columns, rows, width, height) + pixels + bytes(columns * rows + columns // 2)


def blocks(data: bytes, size: int = 1024) -> bytes:
    """The same in the blocks of a Java object stream; a short last block is written as such."""
    parts = [MAGIC]
    for at in range(0, len(data), size):
        piece = data[at : at + size]
        if len(piece) < 256:
            parts.append(bytes([0x77, len(piece)]) + piece)
        else:
            parts.append(b"\x7a" + struct.pack(">i", len(piece)) + piece)
    return b"".join(parts)


def archive(los_data: bytes | None, metadata: str | None = None, **members: bytes) -> bytes:
    """A zip of LOSData, BoardMetadata.xml and other members."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        if los_data is not None:
            made.writestr("LOSData", los_data)
        if metadata is not None:
            made.writestr("BoardMetadata.xml", metadata)
        for name, data in members.items():
            made.writestr(name, data)
    return stream.getvalue()


def board_archive(
    terrain: NDArray[np.uint8],
    levels: NDArray[np.int8],
    columns: int = 5,
    rows: int = 3,
    metadata: str | None = None,
) -> bytes:
    """A good archive."""
    return archive(gzip.compress(blocks(payload(terrain, levels, columns, rows))), metadata)
