"""The games there are: cards, scenes, faces, terms and lessons, made once and then given out."""

from __future__ import annotations

import functools
import hashlib
import logging
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from sandtable.engine import Match, ScenarioInfo, game_names, get_game, get_scenario
from sandtable.engine.errors import SandtableError
from sandtable.engine.game import Game
from sandtable.engine.start import check_options
from sandtable.engine.tools import Lesson
from sandtable.players import levels, thinks, title
from sandtable.players.chances import chances, even_options
from sandtable.server.cards import card
from sandtable.server.drawings import Drawings
from sandtable.server.refusal import Refused

log = logging.getLogger("sandtable.server")

EMPTY_PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 90"><rect width="160" height="90" fill="#cfd3c0"/></svg>'
)
CARD = (("card", "1"),)
"""In the place of options, where pictures with counters are kept."""
SCENES = 64
"""Scenes kept in memory."""


class Page(NamedTuple):
    """Something that never changes while the server runs, with a tag to ask for it by."""

    body: bytes
    tag: str


def _page(value: Any) -> Page:
    body = value if isinstance(value, bytes) else msgspec.json.encode(value)
    return Page(body, f'"{hashlib.sha256(body).hexdigest()[:24]}"')


def _ruled(game: Game[Any], info: ScenarioInfo) -> list[str]:
    """The sides of a scenario that nobody plays."""
    if not game.rules_choose:
        return []
    return list(game.ruled(game.setup(info.id, check_options(info, {}))))


class Catalogue:
    """What the games say about themselves."""

    def __init__(self, drawings: str = "") -> None:
        self._drawings = Drawings(drawings)
        self._made: dict[tuple[str, str], dict[str, Any]] = {}
        """Scenes of matches that have made their own map."""

    @functools.cached_property
    def games(self) -> Page:
        """All games with everything for their cards."""
        found = []
        for name in game_names():
            try:
                found.append(self._game(name))
            except Exception:  # a game of somebody else that fails must not hide the others
                log.exception("the game %s is left out", name)
        return _page({"games": found})

    def _game(self, name: str) -> dict[str, Any]:
        game = get_game(name)
        return {
            "id": game.id,
            "title": game.title,
            "beginners": game.for_beginners,
            "lessons": len(game.lessons()),
            "players": [self._player(name, level) for level in levels(name)],
            "scenarios": [self._scenario(name, info) for info in game.scenarios()],
        }

    def _player(self, name: str, level: str) -> dict[str, Any]:
        words, about = title(name, level)
        return {"level": level, "title": words, "summary": about, "thinks": thinks(name, level)}

    def _scenario(self, name: str, info: ScenarioInfo) -> dict[str, Any]:
        card: dict[str, Any] = msgspec.structs.asdict(info)
        known, even = chances(name, info.id), chances(name, info.id, even=True)
        return {
            **card,
            "side_labels": self.side_labels(name, info.sides),
            "own_map": type(get_game(name)).scene_of is not Game.scene_of,
            "ruled": _ruled(get_game(name), info),
            "picture": f"/api/games/{name}/{info.id}/picture.svg",
            "card": f"/api/games/{name}/{info.id}/card.svg",
            "chances": known._asdict() if known else None,
            "even": even_options(name, info),
            "even_chances": even._asdict() if even else None,
        }

    @functools.lru_cache(SCENES)  # noqa: B019 - there is one catalogue, and it lives as long as the server
    def _scene_of(self, name: str, scenario: str, options: tuple[tuple[str, str], ...]) -> dict[str, Any]:
        game = get_game(name)
        info = get_scenario(game, scenario)
        scene = self._drawings.find(game, info.id, options)
        if scene is None:
            scene = game.scene(info.id, check_options(info, dict(options)))
            self._drawings.keep(game, info.id, options, scene)
        sight = type(game).line_of_sight is not Game.line_of_sight
        return {"cells": [], "sight": sight, **scene}

    @functools.lru_cache(SCENES)  # noqa: B019
    def _scene_page(self, name: str, scenario: str, options: tuple[tuple[str, str], ...]) -> Page:
        return _page(self._scene_of(name, scenario, options))

    def scene(self, name: str, scenario: str, options: Mapping[str, str]) -> Page:
        """The scene of a scenario."""
        chosen = tuple(sorted(check_options(self._info(name, scenario), options).items()))
        return self._scene_page(name, self._info(name, scenario).id, chosen)

    def picture(self, name: str, scenario: str, options: Mapping[str, str]) -> Page:
        """The map of a scenario as a picture."""
        info = self._info(name, scenario)
        scene = self._scene_of(name, info.id, tuple(sorted(check_options(info, options).items())))
        return _page(str(scene.get("picture") or EMPTY_PICTURE).encode())

    def match_scene(self, match: Match) -> dict[str, Any]:
        """The scene of a match: its own where it has made its map, else that of its scenario."""
        header, game = match.header, match.game
        key = (header.game, str(getattr(match.state, "setting", "")))
        made = self._made.get(key)
        if made is None:
            own = game.scene_of(match.state)
            if own is None:
                info = get_scenario(game, header.scenario)
                own = self._scene_of(header.game, info.id, tuple(sorted(check_options(info, header.options).items())))
            sight = type(game).line_of_sight is not Game.line_of_sight
            for oldest in list(self._made)[: max(0, len(self._made) + 1 - SCENES)]:
                self._made.pop(oldest, None)  # another thread may have been quicker
            made = self._made[key] = {"cells": [], "sight": sight, **own}
        return made

    def match_scene_page(self, match: Match) -> Page:
        """The scene of a match as a page."""
        return _page(self.match_scene(match))

    def match_picture(self, match: Match) -> Page:
        """The map of a match as a picture."""
        return _page(str(self.match_scene(match).get("picture") or EMPTY_PICTURE).encode())

    def table(self, name: str, table: str) -> Page:
        """A printed table of a game by the name that decisions give it."""
        found = get_game(name).table(table)
        if found is None:
            raise Refused("not_found", f"{name} has no table {table!r}.")
        return _page(found)

    def boards(self, name: str, scenario: str) -> dict[str, Any]:
        """Which boards a scenario may roll, and which of them are at hand; nothing for one that rolls none."""
        return dict(get_game(name).boards(self._info(name, scenario).id) or {})

    @functools.lru_cache(SCENES)  # noqa: B019
    def card(self, name: str, scenario: str) -> Page:
        """A scenario as it begins: map and counters."""
        game, info = get_game(name), self._info(name, scenario)
        kept = self._drawings.find(game, info.id, CARD)
        if kept is None:
            scene = self._scene_of(name, info.id, tuple(sorted(check_options(info, {}).items())))
            kept = {"picture": card(name, info.id, scene, game.faces())}
            self._drawings.keep(game, info.id, CARD, kept)
        return _page(str(kept["picture"] or EMPTY_PICTURE).encode())

    @functools.cache  # noqa: B019
    def faces(self, name: str) -> Page:
        """The piece-drawing table of a game."""
        return _page({"faces": dict(get_game(name).faces())})

    @functools.cache  # noqa: B019
    def glossary(self, name: str) -> Page:
        """The terms and the rules of a game."""
        game = get_game(name)
        return _page({"terms": game.glossary(), "rules": dict(game.cited_rules())})

    @functools.cache  # noqa: B019
    def lessons(self, name: str) -> Page:
        """The walkthroughs of a game."""
        return _page({"lessons": [self.lesson(name, lesson.id) for lesson in get_game(name).lessons()]})

    def lesson(self, name: str, lesson_id: str) -> Lesson | None:
        """A lesson as players get it: its position and seed are the server's business."""
        if not lesson_id:
            return None
        return msgspec.structs.replace(self.whole_lesson(name, lesson_id), position=None, seed=None)

    def whole_lesson(self, name: str, lesson_id: str) -> Lesson:
        """A lesson with everything."""
        for lesson in get_game(name).lessons():
            if lesson.id == lesson_id:
                return lesson
        raise Refused("not_found", f"{name} has no lesson of that name.")

    def _info(self, name: str, scenario: str) -> ScenarioInfo:
        return get_scenario(get_game(name), scenario)

    def side_labels(self, name: str, sides: Sequence[str]) -> dict[str, str]:
        """What the sides of a game are called; as they are written if it is not here any more."""
        try:
            return {side: get_game(name).side_name(side) for side in sides}
        except SandtableError:
            return {side: side for side in sides}

    @functools.cache  # noqa: B019
    def titles(self, name: str, scenario: str) -> tuple[str, str]:
        """The titles of a game and a scenario; their ids if they are not here any more."""
        try:
            return get_game(name).title, self._info(name, scenario).title
        except SandtableError:
            return name, scenario
