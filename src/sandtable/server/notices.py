"""Telling absent players that it is their turn: by webhook or by e-mail."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import http.client
import ipaddress
import json
import logging
import smtplib
import socket
import ssl
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from sandtable.server import sharing
from sandtable.server.accounts import Accounts, User
from sandtable.server.refusal import Refused
from sandtable.server.settings import Settings, Smtp
from sandtable.server.store import Statement, Store, StoreError

if TYPE_CHECKING:
    from sandtable.server.live import LiveMatch

log = logging.getLogger("sandtable.server")

SECONDS = 10
SLOW_SECONDS = 3.0
"""A webhook that took longer, or failed, waits among its like the next time."""
LANES = {"webhook": 8, "slow webhook": 4, "e-mail": 2}
"""Ways of telling with their threads: none of them waits for another."""
REMEMBERED = 10_000
ONCE = "INSERT INTO told (user_id, match_id, event) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
WAITING = 5
"""Notices that may wait for one account in a lane."""


class Notices:
    """Sends notices beside the event loop; a player is told once, until he comes."""

    def __init__(self, settings: Settings, accounts: Accounts, store: Store) -> None:
        self._settings = settings
        self._accounts = accounts
        self._store = store
        self._tasks: set[asyncio.Task[Any]] = set()
        self._lanes = {name: ThreadPoolExecutor(size, f"sandtable-{name}") for name, size in LANES.items()}
        self._turns: dict[tuple[str, str], asyncio.Lock] = {}
        self._queued: Counter[tuple[str, str]] = Counter()
        self._slow: OrderedDict[str, None] = OrderedDict()

    @property
    def possible(self) -> dict[str, bool]:
        """Which ways of telling this server has."""
        return {"email": self._settings.smtp is not None, "webhook": self._settings.webhooks}

    def after_step(self, live: LiveMatch, passed: Iterable[str], *, ended: bool) -> None:
        """Tell players to whom the decision has passed, or that the match is over."""
        title = _title(live)
        if ended:
            for user in _players(live):
                self.tell(live, user, "end", f"The match {title} is over.")
            return
        for side in passed:
            for user in sharing.people(live, side):
                self.tell(live, user, "turn", f"It is your turn in {title}.")

    def chat(self, live: LiveMatch, speaker: str) -> None:
        """Tell the other players that something was said."""
        for user in _players(live) - {speaker}:
            self.tell(live, user, "chat", f"There is a new message in {_title(live)}.")

    def tell(self, live: LiveMatch, user_id: str, event: str, text: str) -> None:
        """Tell one player, unless he is there or has been told."""
        if not any(guest.user == user_id for guest in live.guests()):
            self._start(self._tell(user_id, live.id, _title(live), event, text))

    def came(self, user_id: str, match_id: str) -> None:
        """A player is there: he may be told again when he has gone."""
        if self._settings.webhooks or self._settings.smtp:
            self._start(self._forget(user_id, match_id))

    async def _forget(self, user_id: str, match_id: str) -> None:
        with contextlib.suppress(StoreError):
            if await self._store.read("SELECT 1 FROM told WHERE user_id = ? AND match_id = ?", user_id, match_id):
                sql = "DELETE FROM told WHERE user_id = ? AND match_id = ?"
                await self._store.write(Statement(sql, (user_id, match_id)))

    def _start(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tell(self, user_id: str, match_id: str, title: str, event: str, text: str) -> None:
        try:
            user = await self._accounts.get(user_id)
            if user is None or event not in user.notify.on or not (user.notify.webhook or user.notify.confirmed):
                return
            await self._store.write(Statement(ONCE, (user_id, match_id, event), 1))
        except StoreError:
            return  # he has been told, perhaps by another process
        url = f"{self._settings.url}/#/match/{match_id}"
        notify = user.notify
        if notify.webhook and self._settings.webhooks:
            body = {"event": event, "match": match_id, "title": title, "text": text, "url": url}
            private = self._settings.private_webhooks
            await self._by_webhook(user_id, notify.webhook, lambda: post(notify.webhook, body, private=private))
        smtp = self._settings.smtp
        if notify.email and notify.confirmed and smtp is not None:
            words = f"{text}\n\n{url}\n\nTo stop these messages, change your settings in Sandtable.\n"
            mail = functools.partial(send_mail, smtp, notify.email, f"Sandtable: {text}", words)
            await self._beside("e-mail", user_id, mail)

    def check_mail(self) -> None:
        """Refuse what would need e-mail where there is none."""
        if self._settings.smtp is None:
            raise Refused("not_now", "This server cannot send e-mail.")

    def send_code(self, user: User) -> None:
        """Send the code that confirms an e-mail address."""
        self.check_mail()
        assert self._settings.smtp is not None
        words = f"The code for your e-mail address in Sandtable is {user.notify.code}.\n"
        mail = functools.partial(send_mail, self._settings.smtp, user.notify.email, "Sandtable: your code", words)
        self._start(self._beside("e-mail", user.id, mail))

    async def _by_webhook(self, user_id: str, url: str, work: Callable[[], None]) -> None:
        """One that was slow the last time goes among its like, until it was quick again."""
        began = time.monotonic()
        good = await self._beside("slow webhook" if url in self._slow else "webhook", user_id, work)
        if good and time.monotonic() - began < SLOW_SECONDS:
            self._slow.pop(url, None)
        else:
            self._slow[url] = None
            if len(self._slow) > REMEMBERED:
                self._slow.popitem(last=False)

    async def _beside(self, lane: str, user_id: str, work: Callable[[], None]) -> bool:
        """Send in a thread, the notices of one account one after another; whether it went well."""
        mine = (lane, user_id)
        if self._queued[mine] >= WAITING:
            return False
        self._queued[mine] += 1
        try:
            async with self._turns.setdefault(mine, asyncio.Lock()):
                await asyncio.get_running_loop().run_in_executor(self._lanes[lane], work)
            return True
        except (OSError, smtplib.SMTPException, http.client.HTTPException, ValueError) as error:
            log.warning("a notice by %s was not delivered: %s", lane, type(error).__name__)
            return False
        finally:
            self._queued[mine] -= 1
            if not self._queued[mine]:
                del self._queued[mine]
                self._turns.pop(mine, None)

    async def close(self) -> None:
        """Stop sending."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for lane in self._lanes.values():
            lane.shutdown(wait=False, cancel_futures=True)


def _players(live: LiveMatch) -> set[str]:
    """All who play in a match."""
    return {user for side in live.seats for user in sharing.people(live, side)}


def _title(live: LiveMatch) -> str:
    """What a player calls the match."""
    header = live.match.header
    return live.title or live.hall.catalogue.titles(header.game, header.scenario)[1]


def checked_webhook(url: str, *, private: bool) -> str:
    """An address that could be a webhook; whom a name leads to is checked when it is used."""
    try:
        parts = urlsplit(url)
        _ = parts.hostname, parts.port
    except ValueError:
        raise Refused("bad_request", "A webhook is an address that starts with https://.") from None
    if url and (
        not url.isprintable()
        or parts.scheme not in ("http", "https")
        or not parts.hostname
        or len(url) > 500
        or parts.username
    ):
        raise Refused("bad_request", "A webhook is an address that starts with https://.")
    if url and not private and _leads_inside(parts.hostname or ""):
        raise Refused("bad_request", "A webhook must be an address of the open internet; this one is not.")
    return url


def public(address: str) -> bool:
    """Whether an address is one of the open internet, in whatever form an inner one may be wrapped."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped:
        found = found.ipv4_mapped
    if isinstance(found, ipaddress.IPv6Address) and (found not in UNICAST or found.sixtofour or found.teredo):
        return False
    inside = any([found.version == network.version and found in network for network in INSIDE])
    return found.is_global and not found.is_multicast and not inside and not _in_ipv4(found)


UNICAST = ipaddress.ip_network("2000::/3")
"""Where the open internet of IPv6 is; outside are also the forms that a router turns into an IPv4 address."""
INSIDE = [ipaddress.ip_network(net) for net in ("192.0.0.0/24", "192.88.99.0/24", "3fff::/20")]
"""What is not of the open internet, though not every version of Python knows it."""


def _in_ipv4(found: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address ends in that of a machine which is reached through a tunnel in IPv4 (ISATAP)."""
    return found.version == 6 and int(found) >> 32 & 0xFDFFFFFF == 0x5EFE


def _leads_inside(host: str) -> bool:
    """Whether an address shows at once, without asking who goes by a name, that it is none of the open internet."""
    if host.rstrip(".") == "localhost" or host.rstrip(".").endswith(".localhost"):
        return True
    with contextlib.suppress(OSError, UnicodeError):
        return not public(socket.inet_ntoa(socket.inet_aton(host)))
    with contextlib.suppress(ValueError):
        return not public(host)
    return False


def post(url: str, body: dict[str, str], *, private: bool) -> None:
    """POST JSON to a webhook; machines of the server's own network cannot be reached this way."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    address = str(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][4][0])
    if not private and not public(address):
        raise ValueError("a webhook must not lead into a private network")
    # The connection goes to the address that was checked: a name could lead elsewhere the next moment.
    connection = socket.create_connection((address, port), SECONDS)
    try:
        if parts.scheme == "https":
            connection = ssl.create_default_context().wrap_socket(connection, server_hostname=host)
        client = http.client.HTTPConnection(host, port, timeout=SECONDS)
        client.sock = connection
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        client.request("POST", path, json.dumps(body), {"Content-Type": "application/json", "User-Agent": "sandtable"})
        connection.recv(1)  # that something was answered is enough: nobody keeps us by telling it slowly
    finally:
        connection.close()


def send_mail(smtp: Smtp, to: str, subject: str, words: str) -> None:
    """Send one e-mail."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = smtp.sender, to, subject
    mail.set_content(words)
    kind = smtplib.SMTP_SSL if smtp.encrypted == "tls" else smtplib.SMTP
    with kind(smtp.host, smtp.port, timeout=SECONDS) as server:
        if smtp.encrypted == "starttls":
            server.starttls(context=ssl.create_default_context())
        if smtp.user:
            server.login(smtp.user, smtp.password)
        server.send_message(mail)
