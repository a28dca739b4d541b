"""Matches that roll their own map: the server gives out the scene of the match, and the tables that decide."""

from __future__ import annotations

import msgspec
import pytest

import sandtable
from sandtable.engine.registry import get_game
from sandtable.server.catalogue import Catalogue
from sandtable.server.refusal import Refused


def test_a_match_that_rolled_its_map_has_its_own_scene() -> None:
    catalogue = Catalogue()
    match = sandtable.new("sasl/1", seed=3)
    scene = msgspec.json.decode(catalogue.match_scene_page(match).body)
    names = {cell["id"] for cell in scene["cells"]}
    pieces = [piece["at"] for piece in match.view("friendly")["pieces"] if piece["id"].startswith("s")]
    assert pieces
    assert set(pieces) <= names


def test_other_matches_have_the_scene_of_their_scenario() -> None:
    catalogue = Catalogue()
    match = sandtable.new("aslguide/intro", seed=3)
    assert "cells" in catalogue.match_scene(match)


def test_a_table_is_given_out_by_its_name() -> None:
    page = msgspec.json.decode(Catalogue().table("sasl", "A3a").body)
    assert page["columns"][0] == "DR"
    with pytest.raises(Refused, match="no table"):
        Catalogue().table("sasl", "Z9")
    assert get_game("aslsk2").table("A3a") is None
