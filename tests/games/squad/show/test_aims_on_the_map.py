"""What the victory conditions are about stands on the map: outlines, owners and north."""

from __future__ import annotations

import msgspec

import sandtable
from sandtable.engine import get_game


def flags(match: sandtable.Match) -> dict[str, str]:
    view = match.game.view(match.state, "russian")
    return {mark.at: mark.side for mark in view.marks if mark.face.startswith("marker/control-")}


def test_the_buildings_of_the_guide_are_outlined_and_have_owners() -> None:
    scene = get_game("aslguide").scene("intro", {})
    take, keep = scene["aims"]
    assert (take["label"], keep["label"]) == ("Russian: take these buildings", "Russian: keep these buildings")
    assert {"F5", "H5", "M9"} <= set(take["cells"])
    assert {"N4", "J2", "E4"} <= set(keep["cells"])
    match = sandtable.new("aslguide/intro", seed=1)
    held = flags(match)
    assert (held["M9"], held["J2"]) == ("german", "russian")
    units = match.state.units
    for unit in [one for one in units.values() if one.at == units["g17"].at]:
        units[unit.id] = msgspec.structs.replace(unit, side="russian")
    assert flags(match)["M9"] == "russian", "a building that the Russians alone hold is theirs"


def test_every_map_with_a_north_says_where_it_is() -> None:
    for name in ("aslguide", "aslsk2", "underbelly"):
        game = get_game(name)
        assert all("north" in game.scene(one.id, {}) for one in game.scenarios()[:2])
