"""A QR code is read again by the steps of the standard: format, mask, blocks, correction, data."""

from __future__ import annotations

import pytest

from sandtable.server import qr

LINKS = ("http://192.168.1.20:8000/", "http://192.168.178.101:8000/#/join/" + "aB3-" * 12, "x" * 150, "y" * 210)


def read(grid: list[list[bool]]) -> str:
    """What a code says; raises AssertionError where it breaks the standard."""
    size = len(grid)
    version = (size - 17) // 4
    places = qr.format_places(size)
    assert all(grid[r][c] == grid[r2][c2] for (r, c), (r2, c2) in places), "both copies of the format agree"
    told = sum(grid[r][c] << n for n, ((r, c), _) in enumerate(places)) ^ 0x5412
    assert told >> 13 == 0b00, "level M"
    mask = told >> 10 & 7
    _, fixed = qr.frame(version)
    bits = [grid[r][c] != qr.MASKS[mask](r, c) for r, c in qr.path(size) if not fixed[r][c]]
    words = [sum(bit << (7 - n) for n, bit in enumerate(bits[k : k + 8])) for k in range(0, len(bits) - 7, 8)]
    count, few, length, more = qr.BLOCKS[version]
    sizes = [length + (n >= few) for n in range(few + more)]
    blocks: list[list[int]] = [[] for _ in sizes]
    rest = iter(words)
    for n in range(length + 1):
        for block, wanted in zip(blocks, sizes, strict=True):
            if n < wanted:
                block.append(next(rest))
    for _ in range(count):
        for block in blocks:
            block.append(next(rest))
    for block in blocks:
        for power in range(count):
            value = 0
            for word in block:
                value = word ^ (qr.EXP[qr.LOG[value] + power] if value else 0)
            assert value == 0, "every syndrome of the Reed-Solomon code is zero"
    data = "".join(f"{word:08b}" for block, wanted in zip(blocks, sizes, strict=True) for word in block[:wanted])
    assert data[:4] == "0100", "byte mode"
    wide = 16 if version >= 10 else 8
    number = int(data[4 : 4 + wide], 2)
    return bytes(int(data[4 + wide + 8 * n :][:8], 2) for n in range(number)).decode()


@pytest.mark.parametrize("text", LINKS)
def test_a_code_can_be_read_again(text: str) -> None:
    grid = qr.codes(text)
    assert read(grid) == text
    assert all(row.count(True) for row in grid)


def test_the_format_information_is_that_of_the_standard() -> None:
    """Level M with mask 5: 100000011001110 (ISO/IEC 18004, table of masked format sequences)."""
    assert ((0b00101 << 10) | qr._bch(0b00101, 0x537, 10)) ^ 0x5412 == 0b100000011001110
    assert (7 << 12) | qr._bch(7, 0x1F25, 12) == 0b000111110010010100


def test_correction_words_are_those_of_the_standard() -> None:
    """The example of the standard's annex: 01234567 in version 1-M."""
    data = [0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11]
    assert qr.remainder(data, 10) == [0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55]


def test_pictures_have_a_quiet_margin_and_long_texts_are_refused() -> None:
    assert 'viewBox="0 0 33 33"' in qr.svg("http://10.0.0.2:8000/")
    assert {len(line) for line in qr.terminal("http://10.0.0.2:8000/").splitlines()} == {33}
    with pytest.raises(qr.TooLong, match="too long"):
        qr.codes("z" * 400)
