"""Answers: JSON, pages that may be cached, and every refusal as one sentence."""

from __future__ import annotations

import functools
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from sandtable.engine.errors import SandtableError, UnknownGame, UnknownScenario
from sandtable.server.catalogue import Page
from sandtable.server.refusal import Refused, from_engine
from sandtable.server.store import StoreError

log = logging.getLogger("sandtable.server")

Endpoint = Callable[[Request], Awaitable[Response]]


def json_response(value: Any, status: int = 200) -> Response:
    """An answer that nobody keeps."""
    return Response(msgspec.json.encode(value), status, {"Cache-Control": "no-store"}, media_type="application/json")


def page_response(request: Request, page: Page, media_type: str = "application/json") -> Response:
    """An answer that may be kept, and is not sent again if it was."""
    headers = {"ETag": page.tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == page.tag:
        return Response(status_code=304, headers=headers)
    return Response(page.body, headers=headers, media_type=media_type)


def refusal_response(refused: Refused) -> Response:
    """A refusal as an answer."""
    told: dict[str, Any] = {"code": refused.code, "text": refused.text}
    if refused.rule:
        told["rule"] = refused.rule
    response = json_response({"error": told}, refused.status)
    if refused.retry:
        response.headers["Retry-After"] = str(int(refused.retry))
    return response


def endpoint(function: Endpoint) -> Endpoint:
    """A request handler behind the gate, whose refusals become answers."""

    @functools.wraps(function)
    async def guarded(request: Request) -> Response:
        try:
            await request.app.state.gate.check(request)
            return await function(request)
        except Refused as refused:
            return refusal_response(refused)
        except StoreError as error:
            log.warning("the database: %s", error)
            return refusal_response(Refused("not_saved", str(error)))
        except (UnknownGame, UnknownScenario) as error:
            return refusal_response(Refused("not_found", str(error)))
        except SandtableError as error:
            return refusal_response(from_engine(error))
        except Exception:
            log.exception("%s could not be answered", function.__name__)
            told = {"error": {"code": "unknown", "text": "The server failed on this request."}}
            return json_response(told, 500)

    return guarded
