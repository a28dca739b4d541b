"""Sandtable: play, study and design WWII board wargames."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandtable.engine import Match, Record, branches, load_record, new, replay, save_position, verify

__all__ = [
    "Match",
    "Record",
    "__version__",
    "branches",
    "load_record",
    "new",
    "replay",
    "save_position",
    "verify",
]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Load the engine when it is first asked for, so that the command line's help is quick."""
    if name not in __all__:
        raise AttributeError(f"module 'sandtable' has no attribute {name!r}")
    from sandtable import engine

    return globals().setdefault(name, getattr(engine, name))
