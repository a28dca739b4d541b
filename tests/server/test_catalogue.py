"""What the list of games says of each: where somebody new begins, and which sides nobody plays."""

from __future__ import annotations

import json

from sandtable.server.catalogue import Catalogue


def test_the_list_says_where_to_begin_and_whom_the_rules_lead() -> None:
    games = {game["id"]: game for game in json.loads(Catalogue().games.body)["games"]}
    assert [name for name, game in games.items() if game["beginners"]] == ["aslguide"]
    assert not any(scenario["ruled"] for scenario in games["pbi"]["scenarios"])
    assert all(scenario["ruled"] == ["enemy"] for scenario in games["sasl"]["scenarios"])
