"""What a game's package says about its rules: the exceptions of each, and the tests that show them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources

RuleExceptions = Mapping[str, Mapping[str, tuple[str, ...]]]
"""By rule number: each exception in our words, with its tests as `test_file.py::test_name`."""


def read_exceptions(package: str) -> RuleExceptions:
    """The exceptions in the file `exceptions.toml` of a package; none if there is no such package or file."""
    try:
        file = resources.files(package) / "exceptions.toml"
        if not file.is_file():
            return {}
    except ModuleNotFoundError:
        return {}
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    return {
        rule: {words: (tests,) if isinstance(tests, str) else tuple(tests) for words, tests in found.items()}
        for rule, found in data.items()
    }
