"""`sandtable serve`: run Sandtable for a club."""

from __future__ import annotations

from typing import Annotated

import typer

from sandtable.commands.common import note

Host = Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 lets other machines in.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="The port to listen on.")]
Database = Annotated[str, typer.Option(help="A SQLite file, or postgresql://...; default: a file of this user.")]
Games = Annotated[list[str], typer.Option("--game", help="A game that is not installed, as module:NAME.")]


def serve(
    host: Host = "127.0.0.1",
    port: Port = 8000,
    database: Database = "",
    public_url: Annotated[str, typer.Option(help="The address that players use, if it is another.")] = "",
    workers: Annotated[int, typer.Option(min=0, max=64, help="Processes in which computer players think.")] = 1,
    proxy: Annotated[list[str], typer.Option(help="The address of a proxy whose headers are believed.")] = [],  # noqa: B006
    game: Games = [],  # noqa: B006 - typer reads the default
    power_safe: Annotated[bool, typer.Option(help="Wait for the disk at each step: safe from power cuts.")] = False,
    private_webhooks: Annotated[bool, typer.Option(help="Let webhooks reach machines of the local network.")] = False,
    verbose: Annotated[bool, typer.Option(help="Log more.")] = False,
) -> int:
    """Run the server until it is interrupted."""
    from sandtable.server.run import free_port, run
    from sandtable.server.settings import Settings, default_database, default_drawings, smtp_from_environment

    settings = Settings(
        host=host,
        port=port or free_port(host, 0),
        database=database or default_database(),
        drawings=default_drawings(),
        public_url=public_url,
        workers=workers,
        proxies=tuple(proxy),
        games=tuple(game),
        smtp=smtp_from_environment(),
        power_safe=power_safe,
        private_webhooks=private_webhooks,
    )
    where = "PostgreSQL" if "://" in settings.database else settings.database
    return run(
        settings, lambda: note(f"Sandtable is at {settings.url} (data: {where}); Ctrl+C ends it."), verbose=verbose
    )
