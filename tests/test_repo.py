"""The repository keeps its promises: nothing foreign in it, everything locked, imports point one way."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import util
from importlib.metadata import packages_distributions
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import sandtable

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "sandtable"


@cache
def tracked() -> tuple[Path, ...]:
    """Every file under version control that is still there."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    return tuple(path for name in listing.stdout.split("\0") if name and (path := ROOT / name).is_file())


@cache
def text_of(path: Path) -> str | None:
    """The text of a file, None for a picture or another binary."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def lines_with(pattern: str, paths: tuple[Path, ...] | None = None) -> list[str]:
    """`file:line` of every match in the tracked text files."""
    found = []
    for path in tracked() if paths is None else paths:
        for number, line in enumerate((text_of(path) or "").splitlines(), start=1):
            if re.search(pattern, line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    return found


def pages() -> tuple[Path, ...]:
    """The pages written for people."""
    return tuple(path for path in tracked() if path.suffix == ".md" and "tests" not in path.parts)


# What must not be in the repository


@pytest.mark.parametrize(
    ("what", "pattern"),
    [
        (
            "the address of a package registry",
            r"pypi[.]org|pythonhosted[.]org|npmjs[.](org|com)|anaconda[.]org",
        ),
        ("an option that names a registry", r"--(extra-)?index-url[ =]\S|--find-links[ =]\S|_auth[T]oken"),
        ("a path of one machine", r"(?<![\w.)}/-])/(?:work|farm|root|home|Users)/\w"),
        ("work put off", r"\b(?:TO[D]O|FIX[M]E|X[X]X)\b"),
        ("a conflict marker", r"^(?:<{7}|>{7}) "),
    ],
)
def test_no_file_contains(what: str, pattern: str) -> None:
    assert lines_with(pattern) == [], what


def test_no_lock_that_carries_addresses() -> None:
    names = {path.name for path in tracked()}
    assert names.isdisjoint({"uv.lock", "poetry.lock", "Pipfile.lock", "yarn.lock", "pnpm-lock.yaml", ".npmrc"})


def test_no_archive_and_no_vasl_file() -> None:
    """A VASL board is a zip archive named bdNAME; nothing of the kind belongs here."""
    archives = [path for path in tracked() if path.read_bytes()[:4] in (b"PK\x03\x04", b"PK\x05\x06")]
    vasl = [path for path in tracked() if re.fullmatch(r"bd\w+|LOSData|.*\.(vmod|vsav|gif)", path.name)]
    assert archives + vasl == []


def test_no_test_that_cannot_fail() -> None:
    tests = tuple(path for path in tracked() if path.suffix == ".py" and "tests" in path.parts)
    assert lines_with(r"^\s*assert (?:True|1)\s*(?:$|,|#)|\bxfai[l]\b", tests) == []


# What must be there


def test_the_licence_is_apache() -> None:
    text = text_of(ROOT / "LICENSE") or ""
    assert "Version 2.0, January 2004" in text
    assert "END OF TERMS AND CONDITIONS" in text
    assert project()["license"] == "Apache-2.0"


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/index.md", "docs/rulings.md"])
def test_page_is_there(name: str) -> None:
    assert ROOT / name in pages()


def test_the_readme_names_the_two_commands_and_the_owners() -> None:
    text = " ".join((text_of(ROOT / "README.md") or "").split())
    for words in (
        "make play",
        "make test",
        "belong to their publishers",
        "not connected",
        "own the originals",
    ):
        assert words in text


def test_no_page_is_a_stub() -> None:
    def thin(path: Path) -> bool:
        text = text_of(path) or ""
        return not text.startswith("# ") or len(text.split()) < 80

    assert [str(path.relative_to(ROOT)) for path in pages() if thin(path)] == []


def test_links_between_pages_lead_somewhere() -> None:
    broken = []
    for path in pages():
        for target in re.findall(r"\]\(([^)\s]+)\)", text_of(path) or ""):
            name = target.partition("#")[0]
            if name and "://" not in name and not (path.parent / name).exists():
                broken.append(f"{path.relative_to(ROOT)}: {target}")
    assert broken == []


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        reached.add(page)
        for target in re.findall(r"\]\(([^)\s#]+\.md)", text_of(page) or ""):
            following = (page.parent / target).resolve()
            if following.is_file() and following not in reached:
                waiting.append(following)
    lost = sorted(path.relative_to(ROOT).as_posix() for path in set(pages()) - reached)
    assert lost == [], "link these pages from docs/index.md or docs/rulings.md"


def test_pages_name_only_targets_that_can_be_made() -> None:
    targets = set(re.findall(r"^([a-z]+):", text_of(ROOT / "Makefile") or "", flags=re.MULTILINE))
    named = {name for path in pages() for name in re.findall(r"`make ([a-z]+)[^`]*`", text_of(path) or "")}
    assert {"play", "test", "bench", "format", "web", "lock", "clean"} <= targets
    assert named <= targets


# Locked dependencies


@cache
def project() -> dict[str, object]:
    """The [project] table of pyproject.toml."""
    table: dict[str, object] = pyproject()["project"]
    return table


@cache
def pyproject() -> dict[str, dict[str, object]]:
    return tomllib.loads(text_of(ROOT / "pyproject.toml") or "")


def requirements(*groups: object) -> list[Requirement]:
    return [Requirement(line) for group in groups if isinstance(group, list) for line in group]


def extras() -> list[object]:
    table = project()["optional-dependencies"]
    return list(table.values()) if isinstance(table, dict) else []


def locked(name: str) -> dict[str, Version]:
    """Package and version of every entry of a lock; each must have hashes."""
    text = (text_of(ROOT / "requirements" / name) or "").replace("\\\n", " ")
    found = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            match = re.fullmatch(r"([\w.-]+)==(\S+)( ; [^#]*?)?((?:\s+--hash=sha256:[0-9a-f]{64})+)\s*", line)
            assert match, f"requirements/{name}: not an exact version with hashes: {line[:80]}"
            assert canonicalize_name(match[1]) not in found, f"requirements/{name}: {match[1]} is there twice"
            found[canonicalize_name(match[1])] = Version(match[2])
    return found


def test_every_dependency_is_locked() -> None:
    groups = pyproject()["dependency-groups"]
    runtime = requirements(project()["dependencies"], groups["build"])
    assert missing(runtime, locked("run.txt")) == []
    assert missing([*runtime, *requirements(groups["test"], *extras())], locked("test.txt")) == []


def missing(wanted: list[Requirement], lock: dict[str, Version]) -> list[str]:
    """Requirements that a lock does not meet."""
    return [
        str(need)
        for need in wanted
        if (version := lock.get(canonicalize_name(need.name))) is None or version not in need.specifier
    ]


def test_the_build_backend_is_locked() -> None:
    built_with = requirements(pyproject()["build-system"]["requires"])
    assert missing(built_with, locked("run.txt")) == []


def test_tests_run_with_what_players_have() -> None:
    """The environment of the tests contains that of a player, version by version."""
    assert locked("run.txt").items() <= locked("test.txt").items()


def test_every_package_that_is_imported_is_declared() -> None:
    declared = {canonicalize_name(need.name) for need in requirements(project()["dependencies"], *extras())}
    owners = packages_distributions()
    foreign = {}
    for path, name in foreign_imports():
        if not declared.intersection(canonicalize_name(owner) for owner in owners.get(name, [name])):
            foreign[name] = str(path.relative_to(ROOT))
    assert foreign == {}


def foreign_imports() -> Iterator[tuple[Path, str]]:
    """Every import in the package of something that is neither Python's nor ours."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            else:
                continue
            for name in names:
                top = name.partition(".")[0]
                if top != "sandtable" and top not in sys.stdlib_module_names:
                    yield path, top


# The shape of the code


def tool(name: str) -> ModuleType:
    """A module of tools/, which is no package."""
    spec = util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def test_what_is_shipped_is_listed_with_its_licence() -> None:
    licences = tool("licences")
    assert licences.FILE.read_text(encoding="utf-8") == licences.text(), "run python tools/licences.py"
    assert all(part.licence for part in (*licences.python_parts(), *licences.client_parts()))


def test_imports_point_one_way() -> None:
    assert [str(fault) for fault in tool("import_directions").check(SOURCE)] == []


@pytest.mark.parametrize(
    ("file", "code", "right"),
    [
        ("engine/match.py", "from sandtable.engine import dice", True),
        ("engine/match.py", "from sandtable.games import squad", False),
        ("engine/match.py", "import sandtable.space.hexgrid", False),
        ("engine/match.py", "from sandtable import new", False),
        ("engine/match.py", "from ..games import squad", False),
        ("space/los.py", "from sandtable.engine.errors import SandtableError", False),
        ("games/squad/fire.py", "from sandtable.space.los import Line", True),
        ("games/squad/fire.py", "import time", False),
        ("games/squad/fire.py", "from datetime import date\nwhen = date(1943, 7, 10)", True),
        ("games/squad/fire.py", "from datetime import date\nwhen = date.today()", False),
        ("games/squad/fire.py", "import datetime\nwhen = datetime.date.today()", False),
        ("games/squad/fire.py", "import random\nvalue = random.choice('ab')", False),
        ("games/squad/fire.py", "from random import randint", False),
        ("games/squad/fire.py", "import random\ndef deal(source: random.Random) -> None: ...", True),
        ("games/squad/fire.py", "def f():\n    from sandtable.players import recruit", False),
        ("games/squad/fire.py", "from sandtable.games.aslsk2 import guns", False),
        ("games/squad/fire/group.py", "from sandtable.games.squad.ground.sight import los", True),
        ("games/squad/ground/sight.py", "from sandtable.games.squad.fire.group import bundle", False),
        ("games/squad/ground/sight.py", "from sandtable.games.squad import fire", False),
        ("games/squad/ground/sight.py", "def f():\n    from sandtable.games.squad.ground import map", False),
        ("games/pbi/turn.py", "def f():\n    from sandtable.games.pbi import shooting", False),
        ("games/pbi/turn.py", "def f():\n    from . import shooting", False),
        ("players/recruit.py", "def f():\n    import sandtable.players.regular", False),
        ("games/squad/luck/dice.py", "from sandtable.games.squad.ground.sight import los", False),
        ("games/sasl/mission.py", "from sandtable.games.squad import fire", True),
        ("games/asl/terrain/walls.py", "from sandtable.games.squad import fire", True),
        ("games/sasl/mission.py", "from sandtable.games.asl import terrain", True),
        ("games/asl/terrain/walls.py", "from sandtable.games.sasl import mission", False),
        ("games/squad/fire.py", "from sandtable.games.asl import terrain", False),
        ("games/pbi/turn.py", "from sandtable.games.squad import fire", False),
        ("games/pbi/turn.py", "from . import shooting", True),
        ("players/recruit.py", "from sandtable.games.squad import units", True),
        ("players/recruit.py", "from sandtable.server import app", False),
        ("commands/los.py", "from sandtable.space import los", True),
        ("commands/los.py", "import sandtable", True),
    ],
)
def test_the_check_of_import_directions(tmp_path: Path, file: str, code: str, right: bool) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(code, encoding="utf-8")
    assert (tool("import_directions").check(tmp_path) == []) is right


LONGEST_FILE, LONGEST_FUNCTION = 500, 60
"""Lines; a function fits on a screen."""


@pytest.mark.parametrize("folder", [SOURCE, ROOT / "tests", ROOT / "tools", ROOT / "bench"], ids=lambda path: path.name)
def test_no_file_and_no_function_is_too_long(folder: Path) -> None:
    long = {}
    for path in folder.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if (count := len(text.splitlines())) > LONGEST_FILE:
            long[str(path.relative_to(ROOT))] = count
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                count = (node.end_lineno or 0) - node.lineno + 1
                if count > LONGEST_FUNCTION:
                    long[f"{path.relative_to(ROOT)}: {node.name}"] = count
    assert long == {}


NOT_CHAPTERS = {"drill", "golden", "toys"}


def test_tests_of_the_squad_level_mirror_its_folders() -> None:
    """Every chapter has a folder of tests of the same name, and no other folder stands beside them."""
    folders = {path.name for path in (ROOT / "tests" / "games" / "squad").glob("[a-z]*") if path.is_dir()}
    chapters = {path.parent.name for path in (SOURCE / "games" / "squad").glob("*/__init__.py")}
    assert folders - NOT_CHAPTERS == chapters


def test_test_files_have_names_of_their_own() -> None:
    """pytest keeps files of the same name apart only in packages."""
    loose = [path for path in tracked() if path.match("test_*.py") and not (path.parent / "__init__.py").exists()]
    names = [path.name for path in loose]
    assert sorted(name for name in set(names) if names.count(name) > 1) == []


def test_the_version_is_the_same_everywhere() -> None:
    assert project()["version"] == sandtable.__version__
    assert f"## {project()['version']}" in (text_of(ROOT / "CHANGELOG.md") or "")


@pytest.mark.parametrize("name", ["run.txt", "test.txt"])
def test_a_lock_has_no_addresses(name: str) -> None:
    assert lines_with(r"https?:|file:|@ ", (ROOT / "requirements" / name,)) == []


def test_scripts_can_be_read_by_the_shell() -> None:
    scripts = [path for path in tracked() if path.suffix == ".sh"]
    assert scripts
    for path in scripts:
        subprocess.run(["sh", "-n", str(path)], check=True)
    subprocess.run(["bash", "-n", str(ROOT / ".ci" / "run")], check=True)
