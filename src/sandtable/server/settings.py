"""How a server is run: where its data is, who may reach it, and its limits."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec

from sandtable.engine.errors import SandtableError


class BadSetting(SandtableError):
    """A setting of the server that makes no sense."""


class Smtp(msgspec.Struct, frozen=True):
    """The mail server that notices are sent through."""

    host: str
    port: int
    user: str
    password: str
    sender: str
    encrypted: str
    """`tls` (from the first byte), `starttls` or `none`."""

    def __repr__(self) -> str:
        return f"<Smtp {self.host}:{self.port}>"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that can be set; the defaults suit one machine."""

    host: str = "127.0.0.1"
    port: int = 8000
    database: str
    drawings: str = ""
    """The directory in which drawn maps are kept for the next start; none if empty."""
    power_safe: bool = False
    """Whether SQLite waits for the disk at every step, so that even a power cut loses nothing."""
    public_url: str = ""
    """The address that players use, if it is not host and port: for links in notices, and as an allowed host."""
    games: tuple[str, ...] = ()
    """Games that are not installed, as module:NAME."""
    workers: int = 1
    """Worker processes for computer players; none: `sandtable work` lets them think (PostgreSQL only)."""
    proxies: tuple[str, ...] = ()
    """Addresses of proxies on other machines: their headers say who asks, and they stand for many."""
    think_seconds: float = 60.0
    """A computer player that takes longer for one decision has broken down."""
    watch_pause: float = 0.8
    fast_pause: float = 0.15
    hidden_pause: tuple[float, float] = (0.2, 1.2)
    """Between these an automatic answer waits where its speed could tell something hidden."""
    live_matches: int = 400
    """Matches kept in memory; others are rebuilt from their records when somebody comes."""
    message_bytes: int = 64_000
    record_bytes: int = 4_000_000
    messages_per_second: float = 30
    message_burst: int = 200
    requests_per_second: float = 50
    request_burst: int = 400
    accounts_per_minute: float = 20
    login_delay: float = 0.5
    """Seconds that the next try waits for each wrong password of an account."""
    matches_per_hour: float = 60
    connections: int = 20
    """Connections of one account."""
    sharing: bool = False
    """Whether whoever sits at this machine may open it to a friend in the network (`sandtable play`)."""
    seeded_duels: bool = False
    """Whether matches with a seed, whose dice their maker can know, may have invitations (for tests)."""
    smtp: Smtp | None = None
    webhooks: bool = True
    private_webhooks: bool = False
    """Whether webhooks may reach machines of the local network."""

    @property
    def local(self) -> bool:
        """Whether only this machine can reach the server."""
        return self.host in ("127.0.0.1", "::1", "localhost")

    @property
    def url(self) -> str:
        """Where players find the server."""
        if self.public_url:
            return self.public_url.rstrip("/")
        host = "localhost" if self.host in ("0.0.0.0", "::") else self.host
        return f"http://{'[' + host + ']' if ':' in host else host}:{self.port}"


def data_directory() -> Path:
    """Where a user's matches are kept: SANDTABLE_DATA, or the place that the system has for such things."""
    if own := os.environ.get("SANDTABLE_DATA"):
        return Path(own)
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "Sandtable"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "sandtable"


def default_database(*, make: bool = True) -> str:
    """The SQLite file of this user; its directory is made on the way, unless there must be one."""
    directory = data_directory()
    if make:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    return str(directory / "sandtable.sqlite")


def default_drawings() -> str:
    """Where this user's drawn maps are kept: in SANDTABLE_DATA if it is set, else where the system has its caches."""
    if os.environ.get("SANDTABLE_DATA"):
        return str(data_directory() / "drawings")
    if os.name == "nt":
        return str(data_directory() / "cache")
    return str(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sandtable" / "drawings")


def smtp_from_environment() -> Smtp | None:
    """SANDTABLE_SMTP=smtp://user:password@host:587/?from=club@example.org (smtps: TLS from the first byte)."""
    text = os.environ.get("SANDTABLE_SMTP", "")
    if not text:
        return None
    parts = urlsplit(text)
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise BadSetting("SANDTABLE_SMTP should look like smtp://user:password@host:587/?from=club@example.org.")
    query = parse_qs(parts.query)
    sender = query.get("from", [unquote(parts.username or "")])[0]
    if "@" not in sender:
        raise BadSetting("SANDTABLE_SMTP names no sender: add ?from=club@example.org.")
    encrypted = "tls" if parts.scheme == "smtps" else query.get("encrypted", ["starttls"])[0]
    port = parts.port or (465 if encrypted == "tls" else 587)
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return Smtp(parts.hostname, port, user, password, sender, encrypted)
