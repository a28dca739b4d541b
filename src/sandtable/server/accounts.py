"""Accounts: guests known by a signed token, and names with a password (argon2id)."""

from __future__ import annotations

import asyncio
import re
import secrets
import unicodedata
from collections import OrderedDict
from typing import Any

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from sandtable.server.looks import is_reserved, look_of, scripts_of
from sandtable.server.refusal import Refused
from sandtable.server.store import Conflict, Statement, Store
from sandtable.server.store.base import now
from sandtable.server.tokens import Signer, new_id

KNOWN = 5_000
"""Accounts kept in memory."""
EVENTS = ("turn", "chat", "end")
CODE_LIFETIME_MS = 3600 * 1000
CODE_ATTEMPTS = 5


class Notify(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a player wants to be told."""

    email: str = ""
    confirmed: bool = False
    code: str = ""
    code_until: int = 0
    code_attempts: int = 0
    webhook: str = ""
    on: tuple[str, ...] = ("turn", "end")


class User(msgspec.Struct, frozen=True):
    """An account."""

    id: str
    name: str
    guest: bool
    epoch: int = 0
    notify: Notify = Notify()
    settings: dict[str, Any] = {}


class Accounts:
    """Makes, finds and changes accounts."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._hasher = PasswordHasher()
        self._hashing = asyncio.Semaphore(2)  # each hash takes 64 MB and a core
        self._known: OrderedDict[str, User] = OrderedDict()
        self._dummy = ""
        self.signer = Signer(b"")

    async def open(self) -> None:
        """Read the key that tokens are signed with, or make it on the first run."""
        fresh = secrets.token_hex(32)
        await self._store.write(
            Statement("INSERT INTO meta (key, value) VALUES ('token key', ?) ON CONFLICT (key) DO NOTHING", (fresh,))
        )
        rows = await self._store.read("SELECT value FROM meta WHERE key = 'token key'")
        self.signer = Signer(bytes.fromhex(rows[0][0]))
        for user_id, name in await self._store.read(
            "SELECT id, name FROM users WHERE name_key IS NOT NULL AND look IS NULL"
        ):
            await self._store.write(Statement("UPDATE users SET look = ? WHERE id = ?", (look_of(name), user_id)))

    # -- finding ------------------------------------------------------------------------

    async def of_token(self, token: str) -> User | None:
        """The account that a token speaks for."""
        signed = self.signer.read(token, now())
        if signed is None:
            return None
        user = await self.get(signed.user)
        return user if user is not None and user.epoch == signed.epoch else None

    async def behind(self, token: str) -> User | None:
        """The account that a token was once made for, be it not valid any more."""
        signed = self.signer.read(token, 0)
        return await self.get(signed.user) if signed is not None else None

    async def get(self, user_id: str) -> User | None:
        """An account by its id."""
        if user_id in self._known and not self._store.shared:  # another process may have changed it
            self._known.move_to_end(user_id)
            return self._known[user_id]
        sql = "SELECT id, name, name_key, epoch, notify, settings FROM users WHERE id = ?"
        rows = await self._store.read(sql, user_id)
        if not rows:
            return None
        number, name, key, epoch, notify, settings = rows[0]
        found = User(
            number,
            name,
            key is None,
            epoch,
            msgspec.json.decode(notify, type=Notify),
            msgspec.json.decode(settings),
        )
        if user_id in self._known and not self._store.shared:  # it was read and perhaps changed meanwhile
            return self._known[user_id]
        return self._remember(found)

    def _changed(self, user: User, **changes: Any) -> User:
        """An account after a change: what others have changed of it meanwhile, its tokens above all, stays so."""
        return self._remember(msgspec.structs.replace(self._known.get(user.id, user), **changes))

    def _remember(self, user: User) -> User:
        self._known[user.id] = user
        self._known.move_to_end(user.id)
        if len(self._known) > KNOWN:
            self._known.popitem(last=False)
        return user

    def token(self, user: User) -> str:
        """A token for the account."""
        return self.signer.sign(user.id, user.epoch, now())

    # -- making -------------------------------------------------------------------------

    async def guest(self, name: str = "") -> User:
        """A new guest."""
        if name:
            name = await self._free_name(name)
        user = User(new_id("u"), name or f"Guest {secrets.randbelow(9000) + 1000}", True)
        sql = "INSERT INTO users (id, name, created) VALUES (?, ?, ?)"
        await self._store.write(Statement(sql, (user.id, user.name, now()), 1))
        return self._remember(user)

    async def _free_name(self, name: str) -> str:
        """A name that nobody can take for somebody else's."""
        name = checked_name(name)
        if is_reserved(name) or await self._store.read("SELECT 1 FROM users WHERE look = ?", look_of(name)):
            raise Refused("taken", f"The name {name} is taken, or looks like one that is: choose another one.")
        return name

    async def register(self, guest: User | None, name: str, password: str) -> User:
        """Give a guest (or a newcomer) a name and a password."""
        if guest is not None and not guest.guest:
            raise Refused("not_now", f"You are {guest.name} already: log out first.")
        name, hashed = await self._free_name(name), await self._hash(checked_password(password))
        key, look = name_key(name), look_of(name)
        user = guest or User(new_id("u"), name, False)
        try:
            if guest is None:
                sql = "INSERT INTO users (id, name, name_key, password, created, look) VALUES (?, ?, ?, ?, ?, ?)"
                await self._store.write(Statement(sql, (user.id, name, key, hashed, now(), look), 1))
            else:
                sql = (
                    "UPDATE users SET name = ?, name_key = ?, password = ?, look = ? WHERE id = ? AND name_key IS NULL"
                )
                await self._store.write(Statement(sql, (name, key, hashed, look, user.id), 1))
        except Conflict:
            raise Refused("taken", f"The name {name} is taken: choose another one.") from None
        return self._changed(user, name=name, guest=False)

    async def login(self, name: str, password: str) -> User:
        """The account of that name, if the password is right."""
        find = "SELECT id, password FROM users WHERE name_key = ?", name_key(name)
        rows = await self._store.read(*find)
        if not self._dummy:
            self._dummy = await self._hash(secrets.token_hex(16))
        # An unknown name takes as long as a wrong password, so that names cannot be listed.
        right = await self._verify(rows[0][1] if rows else self._dummy, password)
        right = right and await self._store.read(*find) == rows  # it was not changed while this one was tried
        user = await self.get(rows[0][0]) if rows and right else None
        if user is None:
            raise Refused("forbidden", "Name or password is wrong.")
        return user

    async def _hash(self, password: str) -> str:
        async with self._hashing:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def _verify(self, hashed: str, password: str) -> bool:
        def work() -> bool:
            try:
                return self._hasher.verify(hashed, password)
            except (VerificationError, InvalidHashError):
                return False

        async with self._hashing:
            return await asyncio.to_thread(work)

    # -- changing -----------------------------------------------------------------------

    async def logout_everywhere(self, user: User) -> None:
        """Make all tokens of the account void."""
        await self._store.write(Statement("UPDATE users SET epoch = epoch + 1 WHERE id = ?", (user.id,), 1))
        known = self._known.get(user.id, user)
        self._changed(known, epoch=known.epoch + 1)

    async def new_name(self, user: User, name: str) -> str:
        """Another name that a guest may have."""
        if not user.guest:
            raise Refused("forbidden", "The name of an account with a password stays.")
        return await self._free_name(name)

    async def rename(self, user: User, name: str) -> User:
        """Another name for a guest."""
        name = await self.new_name(user, name)
        await self._store.write(Statement("UPDATE users SET name = ? WHERE id = ?", (name, user.id), 1))
        return self._changed(user, name=name)

    async def change_password(self, user: User, old: str, new: str) -> User:
        """Another password; all other tokens become void."""
        rows = await self._store.read("SELECT password FROM users WHERE id = ?", user.id)
        if user.guest or not await self._verify(rows[0][0], old):
            raise Refused("forbidden", "The old password is wrong.")
        hashed = await self._hash(checked_password(new))
        sql = "UPDATE users SET password = ?, epoch = epoch + 1 WHERE id = ? AND password = ?"
        try:
            await self._store.write(Statement(sql, (hashed, user.id, rows[0][0]), 1))
        except Conflict:
            raise Refused("forbidden", "The password was changed a moment ago: log in again.") from None
        return self._changed(user, epoch=self._known.get(user.id, user).epoch + 1)

    async def keep_settings(self, user: User, settings: dict[str, Any]) -> User:
        """What the client wants to remember for the account."""
        text = settings_text(settings)
        await self._store.write(Statement("UPDATE users SET settings = ? WHERE id = ?", (text, user.id), 1))
        return self._changed(user, settings=settings)

    async def keep_notify(self, user: User, notify: Notify) -> User:
        """How the player wants to be told."""
        text = msgspec.json.encode(notify).decode()
        await self._store.write(Statement("UPDATE users SET notify = ? WHERE id = ?", (text, user.id), 1))
        return self._changed(user, notify=notify)

    async def confirm_email(self, user: User, code: str) -> User:
        """Compare the code that was sent to the address."""
        notify = user.notify
        if not notify.code or notify.code_until < now() or notify.code_attempts >= CODE_ATTEMPTS:
            raise Refused("not_now", "There is no code to confirm: give the address again.")
        if not secrets.compare_digest(notify.code.encode(), code.encode()):
            await self.keep_notify(user, msgspec.structs.replace(notify, code_attempts=notify.code_attempts + 1))
            raise Refused("forbidden", "That is not the code that was sent.")
        return await self.keep_notify(user, msgspec.structs.replace(notify, confirmed=True, code="", code_until=0))


def settings_text(settings: dict[str, Any]) -> str:
    """What the client wants to remember, as it is kept; too much is refused."""
    text = msgspec.json.encode(settings).decode()
    if len(text) > 4000:
        raise Refused("too_big", "Settings may have 4 kB.")
    return text


def with_new_email(notify: Notify, email: str) -> Notify:
    """The settings with another address, which waits for its code."""
    if not email:
        return msgspec.structs.replace(notify, email="", confirmed=False, code="", code_until=0)
    if len(email) > 200 or not email.isprintable() or not re.fullmatch(r"[^@\s<>,;:\"()\\]+@[\w.-]+\.\w+", email):
        raise Refused("bad_request", f"{email[:80]} is not an e-mail address.")
    code = f"{secrets.randbelow(1_000_000):06}"
    until = now() + CODE_LIFETIME_MS
    return Notify(email, False, code, until, 0, notify.webhook, notify.on)


def checked_name(name: str) -> str:
    """A name that can be shown, without surprises."""
    name = unicodedata.normalize("NFC", " ".join(name.split()))
    if not 2 <= len(name) <= 30 or not all(c.isalnum() or c in " -_.'" for c in name) or not name[0].isalpha():
        raise Refused(
            "bad_request", "A name has 2 to 30 letters, digits or spaces (also - _ . ') and starts with a letter."
        )
    if len(scripts_of(name)) > 1:
        raise Refused("bad_request", "A name is written in one script: these letters belong to several.")
    return name


def checked_password(password: str) -> str:
    """A password that is long enough, and short enough to hash."""
    if not 8 <= len(password) <= 200:
        raise Refused("bad_request", "A password has 8 to 200 characters.")
    return password


def name_key(name: str) -> str:
    """Names that look alike are the same name."""
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()
