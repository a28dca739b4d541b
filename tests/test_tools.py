"""The scripts behind the Makefile, tried with stand-ins for the programs they call."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
NEEDED = ("sh", "cat", "cksum", "date", "dirname", "grep", "mktemp", "rm", "sleep", "tail")


class Bench:
    """A checkout with stand-ins: every call of one is a line of the diary."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs = folder / "programs"
        self.programs.mkdir()
        for name in NEEDED:
            (self.programs / name).symlink_to(str(shutil.which(name)))
        shutil.copytree(ROOT / "tools", folder / "tools")
        shutil.copytree(ROOT / "requirements", folder / "requirements")
        shutil.copy(ROOT / "pyproject.toml", folder)

    def stand_in(self, name: str, body: str = "exit 0") -> None:
        """A program that notes how it was called and then does what `body` says."""
        path = self.folder / name if "/" in name else self.programs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'#!/bin/sh\necho "{path.name} $*" >>"{self.folder}/diary"\n{body}\n', encoding="utf-8")
        path.chmod(0o755)

    def run(self, script: str, *words: str) -> subprocess.CompletedProcess[str]:
        command = ["sh", str(self.folder / "tools" / script), *words]
        return subprocess.run(command, env={"PATH": str(self.programs)}, capture_output=True, text=True)

    def diary(self) -> list[str]:
        """What was called since the last look."""
        path = self.folder / "diary"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return lines


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


# Setting up


def installed(bench: Bench) -> list[str]:
    """The locks and folders that pip was asked for."""
    return [line.split()[-1] for line in bench.diary() if " -m pip install " in line]


def test_no_python_is_said_in_one_sentence(bench: Bench) -> None:
    done = bench.run("setup.sh", "run")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "Python 3.11 or newer" in done.stderr


def test_setting_up_twice_installs_once(bench: Bench) -> None:
    bench.stand_in(".venv/bin/python")
    assert bench.run("setup.sh", "run").returncode == 0
    assert installed(bench) == ["requirements/run.txt", "."]
    assert bench.run("setup.sh", "run").returncode == 0
    assert installed(bench) == []


@pytest.mark.parametrize("changed", ["requirements/run.txt", "pyproject.toml"])
def test_a_change_of_what_is_needed_installs_again(bench: Bench, changed: str) -> None:
    bench.stand_in(".venv/bin/python")
    bench.run("setup.sh", "run")
    bench.diary()
    with (bench.folder / changed).open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    bench.run("setup.sh", "run")
    assert installed(bench) == ["requirements/run.txt", "."]


def test_what_tests_need_is_enough_to_play(bench: Bench) -> None:
    bench.stand_in(".venv/bin/python")
    bench.run("setup.sh", "test")
    assert installed(bench) == ["requirements/test.txt", "."]
    bench.run("setup.sh", "run")
    assert installed(bench) == []


def test_an_installation_that_breaks_off_is_begun_again(bench: Bench) -> None:
    bench.stand_in(".venv/bin/python", 'case "$*" in *pip*--require-hashes*) exit 1 ;; esac')
    done = bench.run("setup.sh", "run")
    assert done.returncode == 2
    assert "check the network" in done.stderr
    bench.stand_in(".venv/bin/python")
    bench.diary()
    assert bench.run("setup.sh", "run").returncode == 0
    assert installed(bench) == ["requirements/run.txt", "."]


# Programs that are not Python packages


def test_a_browser_that_is_there_is_not_installed(bench: Bench) -> None:
    bench.stand_in("chromium")
    bench.stand_in("apt-get")
    assert bench.run("system_packages.sh", "browser").returncode == 0
    assert bench.diary() == []


def test_root_gets_the_browser_after_an_update(bench: Bench) -> None:
    bench.stand_in("id", "echo 0")
    bench.stand_in("apt-get")
    assert bench.run("system_packages.sh", "browser").returncode == 0
    calls = [line for line in bench.diary() if line.startswith("apt-get")]
    assert calls[0] == "apt-get update"
    assert calls[1].startswith("apt-get install -y")
    assert "chromium" in calls[1]


def test_others_are_told_what_to_install(bench: Bench) -> None:
    bench.stand_in("id", "echo 1000")
    bench.stand_in("apt-get")
    done = bench.run("system_packages.sh", "browser")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "apt-get install chromium" in done.stderr
    assert bench.diary() == ["id -u"]


def test_looking_installs_nothing(bench: Bench) -> None:
    bench.stand_in("apt-get")
    assert bench.run("system_packages.sh", "browser", "--look").returncode == 1
    assert bench.diary() == []


# The run of all checks


def test_every_check_runs_though_one_fails(bench: Bench) -> None:
    for name in ("ruff", "python"):
        bench.stand_in(f".venv/bin/{name}")
    bench.stand_in(".venv/bin/mypy", "exit 1")
    done = bench.run("test.sh")
    assert done.returncode == 1
    assert done.stderr == "Failed: types\n"
    assert [line.split()[0:2] for line in bench.diary()] == [
        ["ruff", "check"],
        ["ruff", "format"],
        ["mypy"],
        ["python", "tools/import_directions.py"],
        ["python", "tools/web_types.py"],
        ["python", "-m"],
    ]


def test_all_is_well(bench: Bench) -> None:
    for name in ("ruff", "python", "mypy"):
        bench.stand_in(f".venv/bin/{name}")
    done = bench.run("test.sh")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("All is well.\n")
