"""A private PostgreSQL server, started once for all tests that need one."""

from __future__ import annotations

import glob
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.crashing import free_port


def binaries() -> Path | None:
    """Where PostgreSQL's programs are, if they are installed."""
    found = shutil.which("initdb")
    folders = [*([str(Path(found).parent)] if found else []), *sorted(glob.glob("/usr/lib/postgresql/*/bin"))]
    good = [folder for folder in folders if (Path(folder) / "initdb").exists() and (Path(folder) / "pg_ctl").exists()]
    return Path(good[-1]) if good else None


class Postgres:
    """A PostgreSQL server of our own; it refuses to run as root, so it then runs as `postgres` or `nobody`."""

    def __init__(self, programs: Path) -> None:
        self._programs = programs
        self._folder = Path(tempfile.mkdtemp(prefix="sandtable-pg-"))
        self.port = free_port()
        self._user: str | None = None
        if os.geteuid() == 0:
            names = {entry.pw_name for entry in pwd.getpwall()}
            self._user = "postgres" if "postgres" in names else "nobody"
            shutil.chown(self._folder, self._user)
        self._run("initdb", "-D", str(self._folder / "data"), "-U", "sandtable", "-A", "trust", "--no-sync")

    @property
    def url(self) -> str:
        """A fresh database for each test: none of them must see another's."""
        return f"postgresql://sandtable@127.0.0.1:{self.port}"

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), *arguments]
        subprocess.run(
            command,
            user=self._user,
            cwd=self._folder,
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def start(self) -> None:
        """Start and wait until it answers."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
        log = str(self._folder / "log")
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-w", "-l", log, "-o", options, "start")

    def stop(self, mode: str = "immediate") -> None:
        """Stop at once, as a power cut would."""
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-w", "-m", mode, "stop")

    def database(self, name: str) -> str:
        """Make a database and give its address."""
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "sandtable", name)
        return f"{self.url}/{name}"

    def backends(self, application: str) -> list[int]:
        """The processes that work for an application of that name."""
        sql = f"SELECT pid FROM pg_stat_activity WHERE application_name = '{application}'"
        command = [
            str(self._programs / "psql"),
            "-h",
            "127.0.0.1",
            "-p",
            str(self.port),
            "-U",
            "sandtable",
            "-Atc",
            sql,
        ]
        found = subprocess.run(
            [*command, "postgres"], user=self._user, cwd=self._folder, capture_output=True, text=True
        )
        return [int(line) for line in found.stdout.split()]

    def remove(self) -> None:
        """Remove everything."""
        shutil.rmtree(self._folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A running PostgreSQL server."""
    programs = binaries()
    assert programs is not None
    server = Postgres(programs)
    server.start()
    try:
        yield server
    finally:
        server.stop()
        server.remove()


def can_mount() -> bool:
    """Whether a small disk can be made here: as root, where the system allows it."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    with tempfile.TemporaryDirectory() as place:
        made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "sandtable", place], capture_output=True)
        if made.returncode == 0:
            subprocess.run(["umount", place], check=True)
        return made.returncode == 0


def pytest_collection_modifyitems(items: list[pytest.Item], config: pytest.Config) -> None:
    """Without PostgreSQL its tests are left out, and `make test` says so; likewise a disk that only root can make."""
    wanting = {"postgres": binaries() is None}
    if any("small_disk" in getattr(item, "fixturenames", ()) for item in items):
        wanting["small_disk"] = not can_mount()
    missing = {name for name, away in wanting.items() if away}
    left_out = [item for item in items if missing & set(getattr(item, "fixturenames", ()))]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
