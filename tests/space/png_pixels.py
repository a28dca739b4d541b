"""Reads the PNG pictures that the drawing makes, pixel by pixel."""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray


def pixels(png: bytes) -> NDArray[np.int64]:
    """Red, green, blue and alpha of each pixel, `[y, x, channel]`, of an 8-bit RGBA picture."""
    width, height = int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")
    assert png[24:26] == b"\x08\x06", "8 bits, RGBA"
    packed, at = b"", 8
    while at < len(png):
        size, kind = int.from_bytes(png[at : at + 4], "big"), png[at + 4 : at + 8]
        if kind == b"IDAT":
            packed += png[at + 8 : at + 8 + size]
        at += size + 12
    data, stride = zlib.decompress(packed), 4 * width
    above = [0] * stride
    rows = []
    for row in range(height):
        start = row * (stride + 1)
        above = _unfiltered(data[start], data[start + 1 : start + 1 + stride], above)
        rows.append(above)
    return np.array(rows).reshape(height, width, 4)


def _unfiltered(filter: int, line: bytes, above: list[int]) -> list[int]:
    done: list[int] = []
    for index, value in enumerate(line):
        left = done[index - 4] if index >= 4 else 0
        corner = above[index - 4] if index >= 4 else 0
        guess = (0, left, above[index], (left + above[index]) // 2, _paeth(left, above[index], corner))[filter]
        done.append((value + guess) % 256)
    return done


def _paeth(left: int, up: int, corner: int) -> int:
    return min((left, up, corner), key=lambda candidate: abs(left + up - corner - candidate))
