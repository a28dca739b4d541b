"""What the client is given of the parts about people: faces for all it shows, and nothing that a side may not know."""

from __future__ import annotations

import json
import random

import asl_support
import pytest

import sandtable
from sandtable.games.squad.ground.knowledge import known_to
from sandtable.games.squad.part import ALL

assert asl_support.PEOPLE_PARTS


@pytest.mark.parametrize("scenario", ["S9", "S15"])
def test_every_face_is_drawn_and_no_message_names_what_is_concealed(scenario: str) -> None:
    match = sandtable.new(f"asl/{scenario}", seed=8)
    match.narrator = match.game.words
    faces = match.game.faces()
    source = random.Random(8)
    told = 0
    while match.to_act and match.version < 700:
        side = match.to_act[0]
        match.apply(side, source.choice(list(match.actions(side))))
        if match.version % 20:
            continue
        for viewer in (*match.sides, None):
            view = match.view(viewer)
            shown = [*view.get("pieces", ()), *view.get("marks", ())]
            missing = {item["face"] for item in shown} - faces.keys()
            missing |= {face for piece in view.get("pieces", ()) for face in piece.get("markers", ())} - faces.keys()
            assert not missing
            units = match.state.units.values()
            secret = {f'"{unit.id}"' for unit in units if known_to(match.state, viewer, unit) != ALL}
            told += len(secret)
            text = json.dumps({name: view[name] for name in view if name != "extra"})
            assert not [name for name in secret if name in text]
    assert told > 100, "there was something to hide"
