"""The fuzzer, a few thousand messages of it; tools/fuzz_server.py sends more."""

from __future__ import annotations

import asyncio
from pathlib import Path

from server.fuzzing import KINDS, fuzz


def test_strange_messages_and_bodies_are_refused(tmp_path: Path) -> None:
    assert {"act", "number", "los", "resync"} <= set(KINDS)
    found = asyncio.run(asyncio.wait_for(fuzz(tmp_path, 1500, seed=5), 300))
    assert found["tracebacks"] == []
    assert found["accepted"] == []
    assert found["answers"]["bad_request"] > 300
    assert found["answers"]["HTTP 400"] > 100
