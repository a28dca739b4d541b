"""The game as a whole: harness, golden record, index of rules, views, preview, scene."""

from __future__ import annotations

import ast
import json
import random
from pathlib import Path

import pytest
from underbelly_story import do, legal, play

import sandtable
from sandtable.engine import SampledDice, read_record
from sandtable.engine.errors import IllegalAction
from sandtable.engine.harness import check_position, fuzz
from sandtable.games.underbelly import GAME
from sandtable.games.underbelly import actions as a
from sandtable.games.underbelly.combat import deploy
from sandtable.games.underbelly.model import AttackDraft
from sandtable.games.underbelly.odds import BattleOdds, pick_target

HERE = Path(__file__).parent


@pytest.mark.parametrize("scenario", ["campaign", "historical", "wat"])
def test_random_games_hold_all_that_must_hold(scenario: str, tmp_path: Path) -> None:
    report = fuzz(f"underbelly/{scenario}", games=4, seed=100, checks=0.03, save=tmp_path)
    assert report.errors == []
    assert max(report.lengths) < GAME.length_limit


def test_the_golden_opening_replays() -> None:
    """Turns 1 to 4 as they went: Salerno, Taranto, the counter-attack, Montgomery's slow march."""
    text = (HERE / "golden" / "opening.jsonl").read_text(encoding="utf-8")
    record = read_record(text)
    match = sandtable.replay(record)
    assert match.state.turn == 5
    assert match.state.scenario == "historical"
    assert match.outcome is None
    assert match.record().to_lines() == text


def test_every_numbered_rule_has_a_test() -> None:
    marked: set[str] = set()
    for path in HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and "rule" in (getattr(node.func, "id", ""), getattr(node.func, "attr", "")):
                marked |= {str(arg.value) for arg in node.args if isinstance(arg, ast.Constant)}
    titles = GAME.rule_titles()
    assert set(titles) - marked == set()
    assert marked - set(titles) == set()


def test_no_title_is_empty() -> None:
    assert all(title.strip() for title in GAME.rule_titles().values())


def test_a_position_survives_being_saved() -> None:
    match = sandtable.new("underbelly/wat", seed=5)
    source = random.Random(5)
    for _ in range(150):
        (side,) = match.to_act
        match.apply(side, source.choice(list(match.actions(side))))
    check_position(match)


def test_views_have_boxes_tracks_panels_and_supply_lines() -> None:
    match = sandtable.new("underbelly/historical", seed=1)
    view = match.view("allied")
    assert {box["id"] for box in view["boxes"]} >= {"allied-available", "german-available", "end-run", "dead"}
    assert [track["id"] for track in view["tracks"]] == ["turns", "cp"]
    assert {panel["id"] for panel in view["panels"]} >= {"commands", "victory", "record"}
    assert view["extra"]["supply_lines"]["2822"] == ["2822"]
    assert json.dumps(match.view("german"))


def test_the_scene_has_every_land_hex_and_a_picture_of_reasonable_size() -> None:
    scene = GAME.scene("historical", {})
    assert len(scene["cells"]) == 713
    assert scene["picture"].startswith("<svg")
    assert len(scene["picture"]) < 600_000
    assert "<script" not in scene["picture"]
    salerno = next(cell for cell in scene["cells"] if cell["id"] == "2822")
    assert len(salerno["outline"]) == 6
    faces = GAME.faces()
    assert all(entry["face"] in faces for entry in scene["legend"])


def test_every_face_of_a_view_is_drawn() -> None:
    faces = GAME.faces()
    for scenario in ("historical", "wat"):
        match = sandtable.new(f"underbelly/{scenario}", seed=8)
        source = random.Random(8)
        for step in range(300):
            if not match.to_act:
                break
            (side,) = match.to_act
            match.apply(side, source.choice(list(match.actions(side))))
            if step % 25 == 0:
                for viewer in ("allied", "german"):
                    view = match.view(viewer)
                    assert all(piece["face"] in faces for piece in view["pieces"])
                    assert all(marker in faces for piece in view["pieces"] for marker in piece.get("markers", ()))
                    assert all(mark["face"] in faces for mark in view["marks"])


def test_the_odds_of_a_lone_shot_are_plain() -> None:
    match = play({"US-36": "2708", "10-16Pz": "2608"}, ports={"3306": "us"})
    do(match, a.Attack("2608", "2708"), a.Resolve())
    preview = match.preview("allied", a.Shoot("US-36", "10-16Pz"))
    assert preview is not None
    assert preview.odds[0].chance == 0.5


def test_the_exact_odds_of_a_duel_by_hand() -> None:
    """A full division (7, then 6) attacks a corps support unit (5): one shot at it, then two or one back."""
    match = play({"10-16Pz": "2608", "US-VI": "2708"}, ports={"3306": "us"})
    draft = AttackDraft("german", "attack", "2608", "2708", ("10-16Pz",), ("10-16Pz",))
    odds = BattleOdds(match.state, deploy(match.state, draft))
    full, reduced = 1 - 0.3**2, 0.6
    assert float(odds.cleared()) == pytest.approx(0.5 * full + 0.5 * reduced)
    assert {n: float(p) for n, p in odds.losses(attacker=True).items()} == {0: 0.5, 1: 0.5}


def fight(match: sandtable.Match) -> tuple[int, int]:
    """Fight a battle by standard conduct; (steps lost by attacker and by defender)."""
    battle = match.state.battle
    assert battle is not None
    before = dict(match.state.steps)
    while match.state.battle is not None:
        (side,) = match.to_act
        actions = list(match.actions(side))
        shots = [action for action in actions if isinstance(action, a.Shoot)]
        if any(isinstance(action, a.CeaseFire) for action in actions):
            choice: object = a.CeaseFire()
        elif shots:
            unit = shots[0].unit
            target = pick_target(match.state, [shot.target for shot in shots if shot.unit == unit])
            choice = a.Shoot(unit, target)
        else:
            wanted = (a.PressOn(), a.Stand(), a.Decline(), a.Advance(()))
            choice = next((action for action in wanted if action in actions), actions[0])
        match.apply(side, choice)  # type: ignore[arg-type]
    after = match.state.steps
    lost = [sum(before[u] - after[u] for u in units) for units in (battle.attackers, battle.defenders)]
    return lost[0], lost[1]


def test_simulated_battles_agree_with_the_exact_odds() -> None:
    units = {"10-16Pz": "2608", "10-26Pz": "2608", "10-14Pz": "2608", "US-36": "2708", "US-45": "2708", "US-VI": "2708"}
    start = play(units, ports={"3306": "us"})
    do(start, a.Attack("2608", "2708"))
    odds = BattleOdds(start.state, deploy(start.state, start.state.stack[-1]))
    do(start, a.Resolve())
    games, source = 1500, random.Random(12)
    seen: dict[tuple[bool, int], int] = {}
    for _ in range(games):
        match = start.clone(SampledDice(source))
        attacker, defender = fight(match)
        for key in ((True, attacker), (False, defender)):
            seen[key] = seen.get(key, 0) + 1
    for attacker_side in (True, False):
        for lost, p in odds.losses(attacker=attacker_side).items():
            assert seen.get((attacker_side, lost), 0) / games == pytest.approx(float(p), abs=0.05)


def test_refusals_name_what_is_forbidden_and_why() -> None:
    match = play({"10-16Pz": "2608", "US-36": "2708"})
    refused = {refusal.text: refusal.rule for refusal in match.refusals("german")}
    assert refused["Column movement from 2608 (Foggia)"] == "12.7"
    with pytest.raises(IllegalAction, match="nobody to attack"):
        match.apply("german", a.Attack("2608", "2609"))


def test_every_action_has_words_and_names_its_hex() -> None:
    match = play({"10-16Pz": "2608", "US-36": "2708"})
    for action in match.actions("german"):
        words = match.describe("german", action)
        assert words.text
        if isinstance(action, a.Attack):
            assert words.cells == ("2608", "2708")
            assert words.cost == "2 CP"
    do(match, a.Move("2608"))
    costs = {match.describe("german", action).cost for action in legal(match, a.Go)}
    assert "1 MP" in costs


def test_the_way_of_a_move_is_shown_before_it_is_made() -> None:
    match = play({"10-16Pz": "2608", "US-36": "2708"})
    do(match, a.Move("2608"))
    way = GAME.path(match.state, "german", ("10-16Pz",), "2510")
    assert way is not None
    assert (way.cells[0], way.cells[-1], way.total) == ("2608", "2510", "3 MP")
    assert way.steps[-1].action == a.Go("2510")
    assert GAME.path(match.state, "german", ("10-16Pz",), "2708") is None


def test_the_glossary_cites_rules_that_exist() -> None:
    assert {term.rule for term in GAME.glossary()} <= set(GAME.rule_titles())
