"""Telling absent players that it is their turn: by webhook or by e-mail."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import ipaddress
import json
import logging
import smtplib
import socket
import ssl
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from concurrent.futures import Executor, ThreadPoolExecutor
from email.message import EmailMessage
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from sandtable.server import sharing
from sandtable.server.accounts import Accounts, User
from sandtable.server.refusal import Refused
from sandtable.server.settings import Settings, Smtp
from sandtable.server.store import Statement, Store, StoreError

if TYPE_CHECKING:
    from sandtable.server.live import LiveMatch

log = logging.getLogger("sandtable.server")

SECONDS = 10.0
"""So long a webhook may take in all, once its name is known, until its first word."""
NAMES = 64
"""Threads in which names are looked up, and mails written: a system looks up no name beside an event loop."""
MAILS = 2
AT_ONCE = 200
"""Webhooks that are told at the same time ..."""
OF_ONE_PLACE = 4
"""... and how many of them may be of one domain: none that answers slowly, or never, holds another up."""
ONCE = "INSERT INTO told (user_id, match_id, event) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
KEPT = "/%:@!$&'()*+,;=~-._?"
"""Signs that stand in an address as they are."""
WAITING = 5
"""Notices that may wait for one account, of webhooks as of mails."""


class Notices:
    """Sends notices beside the event loop; a player is told once, until he comes."""

    def __init__(self, settings: Settings, accounts: Accounts, store: Store) -> None:
        self._settings = settings
        self._accounts = accounts
        self._store = store
        self._tasks: set[asyncio.Task[Any]] = set()
        self._names = ThreadPoolExecutor(NAMES, "sandtable-names")
        self._mails = ThreadPoolExecutor(MAILS, "sandtable-mails")
        self._all = asyncio.Semaphore(AT_ONCE)
        self._turns: dict[tuple[str, str], asyncio.Semaphore] = {}
        self._queued: Counter[tuple[str, str]] = Counter()

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
            await self._by_webhook(user_id, notify.webhook, body)
        smtp = self._settings.smtp
        if notify.email and notify.confirmed and smtp is not None:
            words = f"{text}\n\n{url}\n\nTo stop these messages, change your settings in Sandtable.\n"
            mail = functools.partial(send_mail, smtp, notify.email, f"Sandtable: {text}", words)
            await self._by_mail(user_id, mail)

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
        self._start(self._by_mail(user.id, mail))

    async def _by_webhook(self, user_id: str, url: str, body: dict[str, str]) -> None:
        """Tell a webhook; those of one place wait for each other, and for nobody else's."""
        private = self._settings.private_webhooks

        async def send() -> None:
            async with self._turn(("place", place_of(url, private=private)), OF_ONE_PLACE), self._all:
                await post(url, body, private=private, names=self._names)

        await self._one_by_one("webhook", user_id, send)

    async def _by_mail(self, user_id: str, mail: Callable[[], None]) -> None:
        async def send() -> None:
            await asyncio.get_running_loop().run_in_executor(self._mails, mail)

        await self._one_by_one("e-mail", user_id, send)

    async def _one_by_one(self, way: str, user_id: str, send: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Send the notices of one account one after another; of too many that wait the last are not sent."""
        if self._queued[way, user_id] >= WAITING:
            return
        try:
            async with self._turn((way, user_id), 1):
                await send()
        except (OSError, smtplib.SMTPException, ValueError) as error:
            log.warning("a notice by %s was not delivered: %s", way, type(error).__name__)

    @contextlib.asynccontextmanager
    async def _turn(self, of: tuple[str, str], most: int) -> AsyncIterator[None]:
        """Wait until it is one's turn among those of an account or of a place, of which so many go at once."""
        self._queued[of] += 1
        try:
            async with self._turns.setdefault(of, asyncio.Semaphore(most)):
                yield
        finally:
            self._queued[of] -= 1
            if not self._queued[of]:
                del self._queued[of], self._turns[of]

    async def close(self) -> None:
        """Stop sending."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._names.shutdown(wait=False, cancel_futures=True)
        self._mails.shutdown(wait=False, cancel_futures=True)


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


def place_of(url: str, *, private: bool) -> str:
    """The domain that a webhook is of, for whoever has one can have any number of names in it.

    In a network of one's own every port is a machine, or a program, of its own.
    """
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    try:
        domain = str(ipaddress.ip_address(host))
    except ValueError:
        domain = ".".join(host.split(".")[-2:])
    return f"{domain}:{parts.port}" if private else domain


@functools.cache
def _secured() -> ssl.SSLContext:
    return ssl.create_default_context()


async def post(url: str, body: dict[str, str], *, private: bool, names: Executor | None = None) -> None:
    """POST JSON to a webhook; machines of the server's own network cannot be reached this way."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    loop = asyncio.get_running_loop()
    text = json.dumps(body).encode()
    path = quote(parts.path or "/", safe=KEPT) + (f"?{quote(parts.query, safe=KEPT)}" if parts.query else "")
    named = f"[{host}]" if ":" in host else host.encode("idna").decode()
    head = {
        "Host": f"{named}:{parts.port}" if parts.port else named,
        "Content-Type": "application/json",
        "Content-Length": str(len(text)),
        "User-Agent": "sandtable",
        "Connection": "close",
    }
    lines = "".join([f"{name}: {value}\r\n" for name, value in head.items()])
    look_up = functools.partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    address = str((await loop.run_in_executor(names, look_up))[0][4][0])
    if not private and not public(address):
        raise ValueError("a webhook must not lead into a private network")
    secured = await loop.run_in_executor(names, _secured) if parts.scheme == "https" else None
    async with asyncio.timeout(SECONDS):
        # The connection goes to the address that was checked: a name could lead elsewhere the next moment.
        name = host if secured is not None else None
        reader, writer = await asyncio.open_connection(address, port, ssl=secured, server_hostname=name)
        try:
            writer.write(f"POST {path} HTTP/1.1\r\n{lines}\r\n".encode() + text)
            await writer.drain()
            await reader.read(1)  # that something was answered is enough: nobody keeps us by telling it slowly
        finally:
            writer.transport.abort()


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
