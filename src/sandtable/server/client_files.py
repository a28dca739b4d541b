"""The built client: its files are read and packed once, so that nobody keeps the server busy by asking for them."""

from __future__ import annotations

import functools
import gzip
import hashlib
import mimetypes
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

WORTH = 1000
"""Bytes from which on packing is worth it."""


class ClientFile(NamedTuple):
    """A file as it is sent."""

    body: bytes
    packed: bytes
    """With gzip; empty if that does not make it smaller."""
    kind: str
    tag: str
    kept: str
    """How long a browser may keep it."""


def client_files(folder: Path) -> dict[str, ClientFile]:
    """All files of the client by their addresses; there is nothing else to be had."""
    found = sorted([path for path in folder.rglob("*") if path.is_file()])
    return {path.relative_to(folder).as_posix(): _read(folder, path, path.stat().st_mtime_ns) for path in found}


@functools.lru_cache(maxsize=200)
def _read(folder: Path, path: Path, changed: int) -> ClientFile:
    body = path.read_bytes()
    packed = gzip.compress(body, mtime=0) if len(body) >= WORTH else b""
    named = "assets" in path.relative_to(folder).parts  # such files have a hash in their names and never change
    return ClientFile(
        body,
        packed if len(packed) < len(body) else b"",
        mimetypes.guess_type(path.name, strict=False)[0] or "application/octet-stream",
        f'"{hashlib.sha256(body).hexdigest()[:24]}"',
        "public, max-age=31536000, immutable" if named else "no-cache",
    )


def client_response(request: Request, file: ClientFile) -> Response:
    """A file of the client, packed if the browser knows how to unpack it; nothing if it has it."""
    headers = {"ETag": file.tag, "Cache-Control": file.kept, "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=headers)
    if file.packed and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.packed, headers={**headers, "Content-Encoding": "gzip"}, media_type=file.kind)
    return Response(file.body, headers=headers, media_type=file.kind)
