"""The Python examples of the README and of the pages in docs/ are run, page by page, from top to bottom."""

from __future__ import annotations

import doctest
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from sandtable import players
from sandtable.engine import registry

ROOT = Path(__file__).resolve().parent.parent
PAGES = [path for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))] if path.is_file()]


def blocks(path: Path) -> list[tuple[int, str]]:
    """The Python code blocks of a page, each with the number of its first line."""
    text = path.read_text(encoding="utf-8")
    found = re.finditer(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    return [(text.count("\n", 0, match.start(1)) + 1, match[1]) for match in found]


@pytest.fixture
def namespace(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module for the code of one page; games and players that the page registers are gone afterwards."""
    page = ModuleType("page")
    monkeypatch.setitem(sys.modules, "page", page)
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    monkeypatch.setattr(players, "_registered", dict(players._registered))
    monkeypatch.setattr(players, "_knowledge", dict(players._knowledge))
    return page


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_examples_of(path: Path, namespace: ModuleType) -> None:
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    parser = doctest.DocTestParser()
    complaints: list[str] = []
    for line, code in blocks(path):
        if ">>> " in code:
            example = parser.get_doctest(code, namespace.__dict__, path.name, str(path), line - 1)
            runner.run(example, out=complaints.append, clear_globs=False)
            namespace.__dict__.update(example.globs)
        else:
            exec(compile("\n" * (line - 1) + code, str(path), "exec", dont_inherit=True), namespace.__dict__)
    assert complaints == []


def test_the_readme_and_the_guide_have_examples() -> None:
    assert blocks(ROOT / "README.md")
    assert len(blocks(ROOT / "docs" / "adding-a-game.md")) > 5
