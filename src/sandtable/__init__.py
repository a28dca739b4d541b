"""Sandtable: play, study and design WWII board wargames."""

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
