"""Names that look like others: what somebody sees, whatever letters it is made of."""

from __future__ import annotations

import re
import unicodedata

RESERVED = ("sandtable", "server", "system", "admin", "administrator", "moderator", "observer", "computer")
PLAYERS = ("random", "recruit", "regular", "veteran")
"""Computer players, by whose names nobody goes either."""

_ALIKE = {
    "а": "a", "в": "b", "е": "e", "ё": "e", "з": "3", "і": "i", "ї": "i", "ј": "j", "к": "k", "м": "m", "н": "h",
    "о": "o", "р": "p", "с": "c", "ѕ": "s", "т": "t", "у": "y", "ү": "y", "х": "x", "һ": "h", "ԁ": "d", "ԛ": "q",
    "ԝ": "w", "ь": "b", "г": "r", "п": "n",
    "α": "a", "β": "b", "γ": "y", "ε": "e", "η": "n", "ι": "i", "κ": "k", "μ": "u", "ν": "v", "ο": "o", "ρ": "p",
    "σ": "o", "ς": "c", "τ": "t", "υ": "u", "χ": "x", "ω": "w",
    "ı": "i", "ɑ": "a", "ɡ": "g", "ɩ": "i", "ß": "b",
    "օ": "o", "ո": "n", "ս": "u", "հ": "h", "ց": "g", "յ": "j", "զ": "q", "ք": "p", "տ": "s", "լ": "i",
    "Ꭰ": "d", "Ꭱ": "r", "Ꭲ": "t", "Ꭵ": "i", "Ꭺ": "a", "Ꭻ": "j", "Ꭼ": "e", "Ꮃ": "w", "Ꮇ": "m", "Ꮋ": "h", "Ꮍ": "y",
    "Ꮐ": "g", "Ꮓ": "z", "Ꮟ": "b", "Ꮢ": "r", "Ꮤ": "w", "Ꮥ": "s", "Ꮪ": "s", "Ꮩ": "v", "Ꮮ": "l", "Ꮯ": "c", "Ꮲ": "p",
    "Ꮶ": "k", "Ꮷ": "d", "Ᏼ": "b",
    "ꓐ": "b", "ꓑ": "p", "ꓒ": "d", "ꓓ": "d", "ꓔ": "t", "ꓖ": "g", "ꓗ": "k", "ꓙ": "j", "ꓚ": "c", "ꓜ": "z", "ꓝ": "f",
    "ꓟ": "m", "ꓠ": "n", "ꓡ": "l", "ꓢ": "s", "ꓣ": "r", "ꓦ": "v", "ꓧ": "h", "ꓪ": "w", "ꓫ": "x", "ꓬ": "y", "ꓮ": "a",
    "ꓰ": "e", "ꓲ": "i", "ꓳ": "o", "ꓴ": "u",
    "0": "o", "1": "i", "l": "i", "|": "i", "3": "e", "5": "s", "8": "b",
}  # fmt: skip
_LATIN = {letter: _ALIKE.get(like, like) for letter, like in _ALIKE.items()}
"""The same, all the way: what resembles an l looks like an i as the l does."""
_PAIRS = (("rn", "m"), ("vv", "w"), ("ci", "d"))


_VARIANT = re.compile(r"LATIN (?:SMALL LETTER|LETTER SMALL CAPITAL) ([A-Z])(?: WITH .*)?")
"""How Unicode names a Latin letter with a stroke, a hook, a tilde through its middle and the like."""


def _plain(letter: str) -> str:
    """The Latin letter that another one resembles."""
    variant = _VARIANT.fullmatch(unicodedata.name(letter, ""))
    letter = variant[1].lower() if variant else letter
    return _LATIN.get(letter, letter)


def look_of(name: str) -> str:
    """What a name looks like: without marks, spaces and case, each letter as the Latin one that it resembles."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    letters = "".join([_plain(letter) for letter in plain if letter.isalnum()])
    for pair, one in _PAIRS:
        letters = letters.replace(pair, one)
    return letters


def scripts_of(name: str) -> set[str]:
    """The scripts that the letters of a name belong to."""
    return {unicodedata.name(letter, "?").split(" ")[0] for letter in name if letter.isalpha()}


_RESERVED_LOOKS = frozenset(map(look_of, (*RESERVED, *PLAYERS)))


def is_reserved(name: str) -> bool:
    """Whether a name looks like one that the server itself speaks under."""
    return look_of(name) in _RESERVED_LOOKS
