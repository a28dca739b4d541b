"""`sandtable play`: open Sandtable in the browser on this machine."""

from __future__ import annotations

import os
import webbrowser
from typing import Annotated

import typer

from sandtable.commands.common import fail, note
from sandtable.commands.serve import Games


def play(
    scenario: Annotated[str, typer.Argument(metavar="[GAME/SCENARIO]", help="Only with --text.")] = "",
    text: Annotated[bool, typer.Option("--text", help="Play GAME/SCENARIO in this terminal instead.")] = False,
    computer: Annotated[list[str] | None, typer.Option(help="With --text: SIDE=LEVEL is played for you.")] = None,
    option: Annotated[list[str] | None, typer.Option(help="With --text: a match option, NAME=VALUE.")] = None,
    even: Annotated[bool, typer.Option("--even", help="With --text: with the balance that evens the chances.")] = False,
    seed: Annotated[int | None, typer.Option(help="With --text: dice that come out the same again.")] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; a free one is taken if it is in use.")] = 8000,
    browser: Annotated[bool, typer.Option(help="Open the browser.")] = True,
    network: Annotated[bool, typer.Option("--network", help="Let a friend in this network play too.")] = False,
    game: Games = [],  # noqa: B006 - typer reads the default
) -> int:
    """Start Sandtable for this machine alone and open the browser, or play in the terminal."""
    if text or scenario:
        return _in_terminal(
            scenario, text, _pairs(computer or [], "SIDE=LEVEL"), seed, _pairs(option or [], "NAME=VALUE"), even=even
        )
    from sandtable.server.run import free_port, run
    from sandtable.server.settings import Settings, default_database, default_drawings

    host = "127.0.0.1"
    settings = Settings(
        host=host,
        port=free_port(host, port),
        database=default_database(),
        drawings=default_drawings(),
        games=tuple(game),
        private_webhooks=True,
        sharing=True,
    )

    def ready() -> None:
        note(f"Sandtable is at {settings.url}; Ctrl+C ends it.")
        if not network:
            note("To let a friend in this network in, choose Play a friend, or start with --network.")
        if browser and not webbrowser.open(settings.url):
            note("Open that address in a browser.")

    def shared(url: str) -> None:
        from sandtable.server.qr import terminal

        note(f"A friend in this network opens {url} or scans:\n{terminal(url)}")

    return run(settings, ready, shared=shared if network else None)


def _pairs(words: list[str], form: str) -> dict[str, str]:
    for word in words:
        if "=" not in word:
            fail(f"Write {form}, not {word!r}.")
    return dict(word.split("=", 1) for word in words)


def _in_terminal(
    scenario: str, text: bool, computers: dict[str, str], seed: int | None, options: dict[str, str], *, even: bool
) -> int:
    from sandtable.commands.developer import with_test_games
    from sandtable.commands.textplay import play_in_terminal
    from sandtable.players.hands import VARIABLE, hands_for

    if not (text and scenario):
        fail("To play in the terminal say: sandtable play GAME/SCENARIO --text; the browser needs no scenario.")
    with_test_games()
    os.environ[VARIABLE] = hands_for(1)
    if even:
        options = _even(scenario) | options
    return play_in_terminal(scenario, computers, seed, options)


def _even(scenario: str) -> dict[str, str]:
    """The options that even the chances, and what they are told by."""
    from sandtable.engine import get_game, get_scenario
    from sandtable.players.chances import chances, even_options

    name, _, part = scenario.partition("/")
    game = get_game(name)
    info = get_scenario(game, part)
    known, options = chances(game.id, info.id), even_options(game.id, info)
    shares = ", ".join(f"{side} {known.share(side):.0%}" for side in info.sides) if known else "nothing is known"
    note(
        f"Between two regulars: {shares}. {' '.join(f'{n}={v}' for n, v in options.items()) or 'No balance is taken.'}"
    )
    return options
