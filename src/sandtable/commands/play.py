"""`sandtable play`: open Sandtable in the browser on this machine."""

from __future__ import annotations

import webbrowser
from typing import Annotated

import typer

from sandtable.commands.common import note
from sandtable.commands.serve import Games


def play(
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; a free one is taken if it is in use.")] = 8000,
    browser: Annotated[bool, typer.Option(help="Open the browser.")] = True,
    game: Games = [],  # noqa: B006 - typer reads the default
) -> int:
    """Start Sandtable for this machine alone and open the browser."""
    from sandtable.server.run import free_port, run
    from sandtable.server.settings import Settings, default_database

    host = "127.0.0.1"
    settings = Settings(
        host=host, port=free_port(host, port), database=default_database(), games=tuple(game), private_webhooks=True
    )

    def ready() -> None:
        note(f"Sandtable is at {settings.url}; Ctrl+C ends it.")
        if browser and not webbrowser.open(settings.url):
            note("Open that address in a browser.")

    return run(settings, ready)
