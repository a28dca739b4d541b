"""Telling absent players that it is their turn: by webhook or by e-mail."""

from __future__ import annotations

import asyncio
import http.client
import ipaddress
import json
import logging
import smtplib
import socket
import ssl
from collections.abc import Callable, Coroutine, Iterable
from email.message import EmailMessage
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from sandtable.server.accounts import Accounts, User
from sandtable.server.refusal import Refused
from sandtable.server.settings import Settings, Smtp

if TYPE_CHECKING:
    from sandtable.server.live import LiveMatch

log = logging.getLogger("sandtable.server")

SECONDS = 10
AT_ONCE = 4


class Notices:
    """Sends notices beside the event loop; a player is told once, until he comes."""

    def __init__(self, settings: Settings, accounts: Accounts) -> None:
        self._settings = settings
        self._accounts = accounts
        self._told: set[tuple[str, str, str]] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._room = asyncio.Semaphore(AT_ONCE)

    @property
    def possible(self) -> dict[str, bool]:
        """Which ways of telling this server has."""
        return {"email": self._settings.smtp is not None, "webhook": self._settings.webhooks}

    def after_step(self, live: LiveMatch, passed: Iterable[str], *, ended: bool) -> None:
        """Tell players to whom the decision has passed, or that the match is over."""
        title = _title(live)
        if ended:
            for user in {seat.user for seat in live.seats.values() if seat.user}:
                self.tell(live, user, "end", f"The match {title} is over.")
            return
        for side in passed:
            seat = live.seats[side]
            if seat.user:
                self.tell(live, seat.user, "turn", f"It is your turn in {title}.")

    def chat(self, live: LiveMatch, speaker: str) -> None:
        """Tell the other players that something was said."""
        for user in {seat.user for seat in live.seats.values() if seat.user and seat.user != speaker}:
            self.tell(live, user, "chat", f"There is a new message in {_title(live)}.")

    def tell(self, live: LiveMatch, user_id: str, event: str, text: str) -> None:
        """Tell one player, unless he is there or has been told."""
        if any(connection.user.id == user_id for connection in live.connections):
            return
        if (user_id, live.id, event) not in self._told:
            self._told.add((user_id, live.id, event))
            self._start(self._tell(user_id, live.id, _title(live), event, text))

    def came(self, user_id: str, match_id: str) -> None:
        """A player is there: he may be told again when he has gone."""
        for event in ("turn", "chat", "end"):
            self._told.discard((user_id, match_id, event))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tell(self, user_id: str, match_id: str, title: str, event: str, text: str) -> None:
        user = await self._accounts.get(user_id)
        if user is None or event not in user.notify.on:
            return
        url = f"{self._settings.url}/#/match/{match_id}"
        notify = user.notify
        if notify.webhook and self._settings.webhooks:
            body = {"event": event, "match": match_id, "title": title, "text": text, "url": url}
            private = self._settings.private_webhooks
            await self._beside("webhook", lambda: post(notify.webhook, body, private=private))
        smtp = self._settings.smtp
        if notify.email and notify.confirmed and smtp is not None:
            words = f"{text}\n\n{url}\n\nTo stop these messages, change your settings in Sandtable.\n"
            await self._beside("e-mail", lambda: send_mail(smtp, notify.email, f"Sandtable: {text}", words))

    def send_code(self, user: User) -> None:
        """Send the code that confirms an e-mail address."""
        smtp = self._settings.smtp
        if smtp is None:
            raise Refused("not_now", "This server cannot send e-mail.")
        words = f"The code for your e-mail address in Sandtable is {user.notify.code}.\n"
        self._start(self._beside("e-mail", lambda: send_mail(smtp, user.notify.email, "Sandtable: your code", words)))

    async def _beside(self, what: str, work: Callable[[], None]) -> None:
        async with self._room:
            try:
                await asyncio.to_thread(work)
            except (OSError, smtplib.SMTPException, http.client.HTTPException, ValueError) as error:
                log.warning("a notice by %s was not delivered: %s", what, type(error).__name__)

    async def close(self) -> None:
        """Stop sending."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def _title(live: LiveMatch) -> str:
    """What a player calls the match."""
    header = live.match.header
    return live.title or live.hall.catalogue.titles(header.game, header.scenario)[1]


def checked_webhook(url: str) -> str:
    """An address that could be a webhook; who may be reached is checked when it is used."""
    parts = urlsplit(url)
    if url and (parts.scheme not in ("http", "https") or not parts.hostname or len(url) > 500 or parts.username):
        raise Refused("bad_request", "A webhook is an address that starts with https://.")
    return url


def post(url: str, body: dict[str, str], *, private: bool) -> None:
    """POST JSON to a webhook; machines of the server's own network cannot be reached this way."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    address = str(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][4][0])
    if not private and not ipaddress.ip_address(address).is_global:
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
        client.getresponse().read(1000)
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
