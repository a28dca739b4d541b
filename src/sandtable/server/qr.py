"""QR codes for links: byte mode, error correction M, versions 1 to 10 (up to 213 bytes), as ISO/IEC 18004 has it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from sandtable.engine.errors import SandtableError

Grid = list[list[bool]]

# Version: (codewords for correction in a block, blocks with fewer data codewords, their size, blocks with one more).
BLOCKS = {
    1: (10, 1, 16, 0),
    2: (16, 1, 28, 0),
    3: (26, 1, 44, 0),
    4: (18, 2, 32, 0),
    5: (24, 2, 43, 0),
    6: (16, 4, 27, 0),
    7: (18, 4, 31, 0),
    8: (22, 2, 38, 2),
    9: (22, 3, 36, 2),
    10: (26, 4, 43, 1),
}
ALIGNMENT = {2: (6, 18), 3: (6, 22), 4: (6, 26), 5: (6, 30), 6: (6, 34), 7: (6, 22, 38), 8: (6, 24, 42)}
ALIGNMENT |= {9: (6, 26, 46), 10: (6, 28, 50)}
MASKS = (
    lambda r, c: (r + c) % 2 == 0,
    lambda r, c: r % 2 == 0,
    lambda r, c: c % 3 == 0,
    lambda r, c: (r + c) % 3 == 0,
    lambda r, c: (r // 2 + c // 3) % 2 == 0,
    lambda r, c: r * c % 2 + r * c % 3 == 0,
    lambda r, c: (r * c % 2 + r * c % 3) % 2 == 0,
    lambda r, c: ((r + c) % 2 + r * c % 3) % 2 == 0,
)
LEVEL_M = 0
QUIET = 4
"""Modules of empty margin."""

EXP = [1] * 512
LOG = [0] * 256
for _power in range(1, 255):
    EXP[_power] = EXP[_power - 1] << 1
    if EXP[_power] > 255:
        EXP[_power] ^= 0x11D
    LOG[EXP[_power]] = _power
for _power in range(255, 512):
    EXP[_power] = EXP[_power - 255]


class TooLong(SandtableError):
    """The text does not fit into a QR code of these sizes."""


def codes(text: str) -> Grid:
    """The modules of the code for a text, dark ones True, without the margin."""
    data = text.encode()
    version = _version(len(data))
    words = _interleaved(_words(data, version), version)
    return min((_drawn(words, version, mask) for mask in range(8)), key=_penalty)


def svg(text: str) -> str:
    """The code for a text as a picture."""
    grid = codes(text)
    size = len(grid) + 2 * QUIET
    dark = "".join(
        f"M{c + QUIET} {r + QUIET}h1v1h-1z" for r, row in enumerate(grid) for c, module in enumerate(row) if module
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/><path d="{dark}"/></svg>'
    )


def terminal(text: str) -> str:
    """The code for a text in half blocks, for a terminal; light modules are drawn, so that it suits a dark one."""
    grid = codes(text)
    side = len(grid) + 2 * QUIET
    wide = [[False] * side for _ in range(side + side % 2)]
    for r, row in enumerate(grid):
        wide[r + QUIET][QUIET : QUIET + len(row)] = row
    signs = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    return "\n".join("".join(signs[wide[r][c], wide[r + 1][c]] for c in range(side)) for r in range(0, len(wide), 2))


def _version(length: int) -> int:
    for version, (_, few, size, more) in BLOCKS.items():
        room = few * size + more * (size + 1)
        if length + (3 if version >= 10 else 2) <= room:
            return version
    raise TooLong("The address is too long for a QR code.")


def _words(data: bytes, version: int) -> list[int]:
    """Mode, length, data and padding as codewords."""
    _, few, size, more = BLOCKS[version]
    room = few * size + more * (size + 1)
    bits = f"0100{len(data):0{16 if version >= 10 else 8}b}" + "".join(f"{byte:08b}" for byte in data)
    bits += "0" * min(4, room * 8 - len(bits))
    bits += "0" * (-len(bits) % 8)
    words = [int(bits[n : n + 8], 2) for n in range(0, len(bits), 8)]
    return words + [(0xEC, 0x11)[n % 2] for n in range(room - len(words))]


def remainder(data: Sequence[int], count: int) -> list[int]:
    """Reed-Solomon codewords for a block."""
    generator = [1]
    for power in range(count):
        shifted = [*generator, 0]
        for n, factor in enumerate(generator):
            if factor:
                shifted[n + 1] ^= EXP[LOG[factor] + power]
        generator = shifted
    rest = [*data, *([0] * count)]
    for n in range(len(data)):
        if lead := rest[n]:
            for k, factor in enumerate(generator):
                if factor:
                    rest[n + k] ^= EXP[LOG[factor] + LOG[lead]]
    return rest[len(data) :]


def _interleaved(words: list[int], version: int) -> list[int]:
    count, few, size, more = BLOCKS[version]
    blocks, start = [], 0
    for number in range(few + more):
        length = size + (number >= few)
        blocks.append(words[start : start + length])
        start += length
    checks = [remainder(block, count) for block in blocks]
    mixed = [block[n] for n in range(size + 1) for block in blocks if n < len(block)]
    return mixed + [check[n] for n in range(count) for check in checks]


def frame(version: int) -> tuple[Grid, Grid]:
    """The fixed patterns, and which modules they and the format information take up."""
    size = 17 + 4 * version
    grid = [[False] * size for _ in range(size)]
    fixed = [[False] * size for _ in range(size)]

    def put(r: int, c: int, dark: bool) -> None:
        if 0 <= r < size and 0 <= c < size:
            grid[r][c], fixed[r][c] = dark, True

    for top, left in ((0, 0), (0, size - 7), (size - 7, 0)):
        for r, c in itertools.product(range(-1, 8), repeat=2):
            ring = max(abs(r - 3), abs(c - 3))
            put(top + r, left + c, ring in (0, 1, 3))
    for row, column in itertools.product(ALIGNMENT.get(version, ()), repeat=2):
        if not fixed[row][column]:
            for r, c in itertools.product(range(-2, 3), repeat=2):
                put(row + r, column + c, max(abs(r), abs(c)) != 1)
    for n in range(8, size - 8):
        put(6, n, n % 2 == 0)
        put(n, 6, n % 2 == 0)
    for n in range(9):
        for r, c in ((8, n), (n, 8), (8, size - 1 - n), (size - 1 - n, 8)):
            if not fixed[r][c] and (n < 8 or (r < 9 and c < 9)):
                put(r, c, False)
    put(size - 8, 8, True)
    if version >= 7:
        bits = version << 12 | _bch(version, 0x1F25, 12)
        for n in range(18):
            r, c = n // 3, size - 11 + n % 3
            put(r, c, bool(bits >> n & 1))
            put(c, r, bool(bits >> n & 1))
    return grid, fixed


def _bch(value: int, generator: int, length: int) -> int:
    rest = value << length
    while rest.bit_length() > length:
        rest ^= generator << (rest.bit_length() - length - 1)
    return rest


def path(size: int) -> Iterator[tuple[int, int]]:
    """The modules in the order in which data fills them."""
    upward = True
    for right in range(size - 1, 0, -2):
        column = right if right > 6 else right - 1
        for r in range(size - 1, -1, -1) if upward else range(size):
            yield r, column
            yield r, column - 1
        upward = not upward


def _drawn(words: Sequence[int], version: int, mask: int) -> Grid:
    grid, fixed = frame(version)
    size = len(grid)
    bits = (word >> n & 1 for word in words for n in range(7, -1, -1))
    for r, c in path(size):
        if not fixed[r][c]:
            grid[r][c] = bool(next(bits, 0)) != MASKS[mask](r, c)
    form = LEVEL_M << 3 | mask
    told = (form << 10 | _bch(form, 0x537, 10)) ^ 0x5412
    for n, ((r, c), (r2, c2)) in enumerate(format_places(size)):
        grid[r][c] = grid[r2][c2] = bool(told >> n & 1)
    return grid


def format_places(size: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where the bits of the format information stand, from the lowest, each twice."""
    first = [(n, 8) for n in range(6)] + [(7, 8), (8, 8), (8, 7)] + [(8, 14 - n) for n in range(9, 15)]
    second = [(8, size - 1 - n) for n in range(8)] + [(size - 15 + n, 8) for n in range(8, 15)]
    return list(zip(first, second, strict=True))


def _penalty(grid: Grid) -> int:
    size, score = len(grid), 0
    for lines in (grid, [list(column) for column in zip(*grid, strict=True)]):
        for line in lines:
            run = 1
            for before, now in itertools.pairwise(line):
                run = run + 1 if before == now else 1
                score += 3 if run == 5 else 1 if run > 5 else 0
            text = "".join("1" if module else "0" for module in line)
            score += 40 * (text.count("10111010000") + text.count("00001011101"))
    for r in range(size - 1):
        for c in range(size - 1):
            score += 3 * (grid[r][c] == grid[r][c + 1] == grid[r + 1][c] == grid[r + 1][c + 1])
    dark = sum(map(sum, grid))
    return score + 10 * int(abs(dark * 20 - size * size * 10) / (size * size))
