"""Writes THIRD_PARTY.md: what is installed or shipped with Sandtable, with versions and licences.

python tools/licences.py          writes the file anew
python tools/licences.py --check  says whether it is up to date
"""

from __future__ import annotations

import json
import re
import sys
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "THIRD_PARTY.md"

# What the build puts into the browser client; everything else of the lock only helps to build it.
BUNDLED = ("svelte", "clsx", "esm-env")

READ = {"colorama": "BSD-3-Clause", "resvg-py": "MIT"}
"""Packages that are installed on other systems only, or do not name their licence: read from their files."""

HEAD = """# What Sandtable is made of

Sandtable itself is published under the [Apache License 2.0](LICENSE). This list is made by
`python tools/licences.py` from the locked versions; a test holds it up to date.

"""


class Part(NamedTuple):
    """Something of somebody else."""

    name: str
    version: str
    licence: str


def locked(text: str) -> list[tuple[str, str]]:
    """Names and versions of a lock file, in its order."""
    return re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", text, re.M)


def licence_of(name: str) -> str:
    """What a package says about its licence, in a few words."""
    try:
        about = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return READ[name]
    told = about.get("License-Expression") or ""
    if not told:
        lines = about.get_all("Classifier") or []
        kinds = [line.rpartition(" :: ")[2] for line in lines if line.startswith("License ::")]
        told = ", ".join(kind for kind in kinds if kind != "OSI Approved")
    if not told:
        told = (about.get("License") or "").strip().partition("\n")[0]
    return told or READ[name]


def python_parts() -> list[Part]:
    """The packages that are installed for a player."""
    lock = (ROOT / "requirements" / "run.txt").read_text(encoding="utf-8")
    return [Part(name, version, licence_of(name)) for name, version in locked(lock)]


def client_parts() -> list[Part]:
    """What is inside the browser client."""
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    found = [(name, packages.get(f"node_modules/{name}")) for name in BUNDLED]
    return [Part(name, about["version"], about["license"]) for name, about in found if about]


def table(parts: list[Part]) -> str:
    """Parts as a table."""
    rows = [f"| {part.name} | {part.version} | {part.licence} |" for part in parts]
    return "\n".join(["| name | version | licence |", "|---|---|---|", *rows]) + "\n"


def text() -> str:
    """The whole file."""
    return (
        f"{HEAD}## Python packages that are installed with it\n\n{table(python_parts())}\n"
        f"## Inside the browser client\n\n{table(client_parts())}"
    )


def main(arguments: list[str]) -> int:
    """Write the file, or compare it."""
    if "--check" in arguments:
        if FILE.is_file() and FILE.read_text(encoding="utf-8") == text():
            return 0
        sys.stdout.write("THIRD_PARTY.md is not up to date: run python tools/licences.py.\n")
        return 1
    FILE.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
