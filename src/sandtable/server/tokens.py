"""Tokens: signed ones that say who somebody is, and unguessable ones that open a seat."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from typing import NamedTuple

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # no i, l, o, u: ids are read aloud and typed
LIFETIME_MS = 400 * 24 * 3600 * 1000


def new_id(letter: str, length: int = 12) -> str:
    """An id that nobody else has; the letter says what it names."""
    return letter + "".join(secrets.choice(ALPHABET) for _ in range(length))


def new_secret_token() -> str:
    """A token of 192 bits that cannot be guessed."""
    return secrets.token_urlsafe(24)


class Signed(NamedTuple):
    """Who a token speaks for."""

    user: str
    epoch: int
    issued: int


class Signer:
    """Signs and reads the tokens of accounts with the server's own key."""

    def __init__(self, key: bytes) -> None:
        self.key = key

    def _mark(self, text: str) -> str:
        mark = hmac.digest(self.key, text.encode(), "sha256")
        return base64.urlsafe_b64encode(mark).rstrip(b"=").decode()

    def sign(self, user: str, epoch: int, issued: int) -> str:
        """A token for the account, valid until its epoch changes."""
        text = f"{user}.{epoch}.{issued}"
        return f"{text}.{self._mark(text)}"

    def read(self, token: str, now: int) -> Signed | None:
        """What a token says, or None if it is not ours, damaged or too old."""
        text, _, mark = token.rpartition(".")
        if len(token) > 200 or not token.isascii() or not hmac.compare_digest(self._mark(text), mark):
            return None
        user, epoch, issued = text.split(".")
        if now - int(issued) > LIFETIME_MS:  # one from the future was signed before the clock was set back
            return None
        return Signed(user, int(epoch), int(issued))


def player_seed(secret: str, side: str, version: int) -> int:
    """A computer player's chance at one decision: the same after a restart, and nobody's guess."""
    text = f"player {side} {version}".encode()
    return int.from_bytes(hmac.digest(bytes.fromhex(secret), text, hashlib.sha256)[:8], "big")
